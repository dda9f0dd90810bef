"""Stage 5: put irrelevant segments between the turns of a frozen dialogue."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from random import Random
from typing import NamedTuple

from generator.language.forms import Register
from generator.modes.protocol import Kit, NearSegment, ScriptTurn
from generator.records import Evidence, Message
from generator.seeds import Deck
from generator.stages.joinery import Joinery, joinery_of
from generator.stages.replies import Replier
from generator.stages.s3_dialogue import Dialogue
from generator.stages.topics import Topic

NEAR_SHARE = 0.18
SPLIT_SHARE = 0.3
BACK_SHARE = 0.22
OPENED_SHARE = 0.14
ASIDE_SHARE = 0.16
LEADS = (80, 15, 5)
TWO_THINGS_SHARE = 0.12
IN_PASSING_SHARE = 0.5
SPREAD_DRAWS = 12
ENOUGH_SPREAD = 5.5


class Noise(NamedTuple):
    """How much is put in: irrelevant exchanges, the part of them after the last core exchange, and the register."""

    exchanges: int
    gap_share: float
    register: Register


class Segment(NamedTuple):
    """A run of irrelevant exchanges. `gap` is the core exchange before which it stands.

    near: it is about things of the trade that belong to somebody else.
    part: 0 for the first part of a topic, 1 for one that comes back.
    """

    topic: str
    gap: int
    exchanges: tuple[tuple[str, str], ...]
    near: bool = False
    part: int = 0


class Assembled(NamedTuple):
    """The finished dialogue. `spans` are the (first exchange, count) of each segment."""

    messages: tuple[Message, ...]
    evidence: tuple[Evidence, ...]
    spans: tuple[tuple[int, int], ...]


def open_gaps(dialogue: Dialogue) -> list[int]:
    """Return the places where a segment may stand: before core exchange g; the last is before the request."""
    turns = dialogue.turns
    inner = [g for g in range(1, len(turns)) if not turns[g].leans and not turns[g - 1].asks]
    return [*inner, len(turns)]


def draw_segments(
    kit: Kit, state: object, dialogue: Dialogue, topics: Sequence[Topic], noise: Noise, rng: Random
) -> list[Segment]:
    """Return segments as much and where the noise wants them."""
    count = noise.exchanges
    joinery = joinery_of(kit.voice.speech, noise.register)
    gaps = open_gaps(dialogue)
    last = gaps[-1]
    after = min(count, max(1, round(count * noise.gap_share))) if count else 0
    deck = Deck(rng)
    said: set[str] = set()
    segments = _fill(kit, state, joinery, topics, after, [last], deck, said, rng)
    segments += _fill(kit, state, joinery, topics, count - after, gaps[:-1] or [last], deck, said, rng)
    # Topics that share a gap follow one another in an order of their own, but a return stays behind its start.
    order = list(range(len(segments)))
    rng.shuffle(order)
    ranked = sorted(zip(order, segments, strict=True), key=lambda e: (e[1].gap, e[1].part, e[0]))
    return [segment for _, segment in ranked]


def spread_segments(
    kit: Kit, state: object, dialogue: Dialogue, topics: Sequence[Topic], noise: Noise, rng: Random
) -> list[Segment]:
    """Return segments with which the user's turns are of uneven length, as people's are: the best of some draws."""
    best: list[Segment] = []
    best_spread = -1.0
    for _ in range(SPREAD_DRAWS if noise.exchanges else 1):
        segments = draw_segments(kit, state, dialogue, topics, noise, rng)
        texts = [t.user for t in dialogue.turns] + [u for s in segments for u, _ in s.exchanges] + [dialogue.request]
        lengths = sorted(map(len, texts))
        spread = lengths[-1 - len(lengths) // 10] / max(1, lengths[len(lengths) // 10])
        if spread > best_spread:
            best, best_spread = segments, spread
        if spread >= ENOUGH_SPREAD:
            break
    return best


def _fill(
    kit: Kit,
    state: object,
    joinery: Joinery,
    topics: Sequence[Topic],
    count: int,
    gaps: Sequence[int],
    deck: Deck,
    said: set[str],
    rng: Random,
) -> list[Segment]:
    segments: list[Segment] = []
    left = count
    while left > 0:
        if rng.random() < NEAR_SHARE:
            near = _near(kit, state, joinery, rng.choice(gaps), left, said, rng)
            if near is not None:
                segments.append(near)
                left -= len(near.exchanges)
                continue
        topic: Topic = deck.draw("topic", topics)
        exchanges = _word(topic, left, deck, rng)
        left -= len(exchanges)
        if rng.random() < OPENED_SHARE:
            exchanges[0] = (_opened(kit, exchanges[0][0], deck), exchanges[0][1])
        gap = rng.choice(gaps)
        later = [g for g in gaps if g > gap]
        if topic.splittable and len(exchanges) > 1 and later and rng.random() < SPLIT_SHARE:
            cut = rng.randrange(1, len(exchanges))
            (user, assistant), *rest = exchanges[cut:]
            back = rng.choice(topic.back)
            joint = "" if kit.lang == "zh" or back.endswith((" ", "\n")) else " "
            returned = ((back + joint + _capital(user) if kit.lang == "en" else back + user, assistant), *rest)
            segments.append(Segment(topic.id, gap, tuple(exchanges[:cut])))
            segments.append(Segment(topic.id, rng.choice(later), returned, part=1))
        else:
            segments.append(Segment(topic.id, gap, tuple(exchanges)))
    return segments


def _capital(text: str) -> str:
    return text[:1].upper() + text[1:]


def _opened(kit: Kit, text: str, deck: Deck) -> str:
    """Return the text behind words that change the subject; in English only a whole sentence fits any text."""
    openers = kit.voice.speech.lexicon.chat_openers
    if kit.lang == "en":
        openers = tuple(o for o in openers if o.rstrip().endswith("."))
    return _prefix(deck.draw("chat opener", openers), text)


def _word(topic: Topic, most: int, deck: Deck, rng: Random) -> list[tuple[str, str]]:
    return [
        (deck.draw(f"{topic.id}/{n}/u", e.user), deck.draw(f"{topic.id}/{n}/a", e.assistant))
        for n, e in enumerate(topic.exchanges[:most])
    ]


def _near(
    kit: Kit, state: object, joinery: Joinery, gap: int, most: int, said: set[str], rng: Random
) -> Segment | None:
    """Return talk of somebody else's order, of one thing or of two; put together like any other turn, so that
    its form does not give it away."""
    first = kit.voice.near(state, rng)
    second = kit.voice.near(state, rng) if rng.random() < TWO_THINGS_SHARE else None
    told = [s for s in (first, second) if s is not None]
    if first is not None and rng.random() < IN_PASSING_SHARE:
        return _in_passing(kit, first, joinery, gap, said, rng)
    if first is None or (second is not None and second.event == first.event):
        return None
    speech = kit.voice.speech
    for _ in range(6):
        clauses = [_clause(kit, segment, rng) for segment in told]
        if not all(clauses):
            return None
        fresh = [a for a in kit.voice.asides if a not in said]
        rng.shuffle(fresh)
        lead = joinery.sentences(fresh[: rng.choices((0, 1, 2), LEADS)[0]])
        aside = fresh[-1] if fresh and rng.random() < ASIDE_SHARE else ""
        text = joinery.turn(lead, [("", c) for c in clauses], aside, rng)
        reading = speech.reader.read(text)
        if reading.events == tuple(s.event for s in told) and not reading.residue:
            return _follow(first, text, gap, most, said, rng)
    return None


def _in_passing(kit: Kit, near: NearSegment, joinery: Joinery, gap: int, said: set[str], rng: Random) -> Segment | None:
    """Return somebody else's number said in a few words, and taken note of: short, as much evidence is."""
    speech = kit.voice.speech
    options = [w for w in speech.wordings_for(near.event) if w.form not in near.forms]
    replier = Replier(kit, Deck(rng), joinery.register, rng)
    for _ in range(6 if options else 0):
        text = joinery.turn("", [("", speech.render(rng.choice(options), near.event, rng))], "", rng)
        reading = speech.reader.read(text)
        if reading.events == (near.event,) and not reading.residue and text not in said:
            reply, _ = replier.reply(ScriptTurn((near.event,), ""))
            said.update((text, reply))
            return Segment(f"near/{near.event.field}", gap, ((text, reply),), near=True)
    return None


def _clause(kit: Kit, segment: NearSegment, rng: Random) -> str:
    speech = kit.voice.speech
    options = [w for w in speech.wordings_for(segment.event) if w.form in segment.forms]
    return speech.render(rng.choice(options), segment.event, rng) if options else ""


def _follow(near: NearSegment, text: str, gap: int, most: int, said: set[str], rng: Random) -> Segment | None:
    """Return the segment that begins with `text`; what follows is said once a dialogue."""
    replies = [t for t in near.assistant if t not in said]
    if not replies:
        return None
    exchanges = [(text, rng.choice(replies))]
    for users, assistants in near.follow:
        asked, answered = [t for t in users if t not in said], [t for t in assistants if t not in said]
        if not asked or not answered:
            break
        exchanges.append((rng.choice(asked), rng.choice(answered)))
    exchanges = exchanges[:most]
    said.update(t for pair in exchanges for t in pair)
    return Segment(f"near/{near.event.field}", gap, tuple(exchanges), near=True)


def assemble(
    kit: Kit, dialogue: Dialogue, segments: Sequence[Segment], duties: Mapping[str, str], rng: Random
) -> Assembled:
    """Return messages, evidence and spans; after a digression the user may say that the matter goes on."""
    openers = Deck(rng)
    messages: list[Message] = []
    evidence: list[Evidence] = []
    spans: list[tuple[int, int]] = []
    exchange = 0

    def say(user: str, assistant: str | None) -> None:
        nonlocal exchange
        messages.append(Message(role="user", content=user))
        if assistant is not None:
            messages.append(Message(role="assistant", content=assistant))
        exchange += 1

    for number in range(len(dialogue.turns) + 1):
        here = [s for s in segments if s.gap == number]
        for segment in here:
            spans.append((exchange, len(segment.exchanges)))
            for user, assistant in segment.exchanges:
                say(user, assistant)
        back = ""
        if here and rng.random() < BACK_SHARE:
            back = openers.draw("back", kit.voice.speech.lexicon.back_openers)
        if number == len(dialogue.turns):
            say(_prefix(back, dialogue.request), None)
            break
        turn = dialogue.turns[number]
        duty = duties.get(turn.group, "needed")
        evidence.append(Evidence(group=turn.group, turn=exchange, role="user", duty=duty))  # type: ignore[arg-type]
        if turn.echoes:
            evidence.append(Evidence(group=turn.group, turn=exchange, role="assistant", duty=duty))  # type: ignore[arg-type]
        say(_prefix(back, turn.user), turn.assistant)
    return Assembled(tuple(messages), tuple(evidence), tuple(spans))


def _prefix(back: str, text: str) -> str:
    if not back:
        return text
    joint = "" if back[-1] in " 。，" or not back[-1].isascii() else " "
    return back + joint + text
