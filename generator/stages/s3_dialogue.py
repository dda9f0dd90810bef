"""Stage 3: have the state's events said, turn by turn, and the request made."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random
from typing import NamedTuple

from generator.language.forms import Register, Wording
from generator.language.people import People
from generator.language.speech import deck_draw
from generator.modes.protocol import Kit, Mode, RedrawError, ScriptTurn
from generator.records import Event
from generator.seeds import Deck
from generator.stages.ellipsis import Antecedent, may_lean
from generator.stages.joinery import Joinery, joinery_of
from generator.stages.replies import Replier

REDRAWS = 24
CONTEXT_SHARE = 0.35
# How often a turn leans on the one before it where it may.
LEANS: dict[Register, float] = {"formal": 0.1, "colloquial": 0.4, "elliptical": 0.85}


class Turn(NamedTuple):
    """One exchange of the core dialogue.

    leans: it must stay right behind the exchange before it. asks: its reply asks something that
    the next user message answers, so those two stay together as well.
    """

    user: str
    assistant: str
    group: str
    leans: bool = False
    asks: bool = False
    echoes: bool = False


class Dialogue(NamedTuple):
    """The core dialogue: exchanges and the last user message; nothing irrelevant yet."""

    turns: tuple[Turn, ...]
    request: str
    redraws: int


def write_dialogue(mode: Mode, kit: Kit, state: object, register: Register, rng: Random) -> Dialogue:
    """Return the dialogue of a state.

    Raises:
        RedrawError: Some turn could not be worded so that it reads back.
    """
    writer = Writer(kit, register, rng)
    script = mode.script(kit, state)
    turns: list[Turn] = []
    for number, turn in enumerate(script):
        following = script[number + 1] if number + 1 < len(script) else None
        turns.append(writer.write(turn, first=number == 0, following=following))
    return Dialogue(tuple(turns), kit.voice.request(state, rng), writer.redraws)


class Writer:
    """Words turns in order, remembering what was used and what may be leaned on."""

    def __init__(self, kit: Kit, register: Register, rng: Random) -> None:
        self.kit, self.register, self.rng = kit, register, rng
        self.deck = Deck(rng)
        self.joinery: Joinery = joinery_of(kit.voice.speech, register)
        self.people = People(kit.lang)
        self.replier = Replier(kit, self.deck, register, rng)
        self.antecedent: Antecedent | None = None
        self.introduced: set[str] = set()
        self.redraws = 0
        self._answer, self._thanks = "", ""
        self._asked = 0

    def write(self, turn: ScriptTurn, *, first: bool, following: ScriptTurn | None, may_ask: bool = True) -> Turn:
        """Return one exchange.

        Raises:
            RedrawError: No wording of it reads back.
        """
        thanks = self._thanks
        user, leans = self._user(turn, first, self._answer)
        self._answer, self._thanks = "", ""
        named = [i for e in turn.events for i in (e.item, e.other) if i]
        reply, echoes = self.replier.reply(turn)
        asks = may_ask and not thanks and not echoes and self._may_ask(turn, following)
        if thanks:
            reply = self._beside(reply, [thanks, reply])
        elif asks:
            reply = self.joinery.sentences([reply, self._clarify()])
        self.antecedent = Antecedent.after(turn.events, named)
        self.introduced.update(named)
        return Turn(user, reply, turn.group, leans or turn.welded, asks, echoes)

    def _user(self, turn: ScriptTurn, first: bool, answer: str) -> tuple[str, bool]:
        reader = self.kit.voice.speech.reader
        for _ in range(REDRAWS):
            clauses: list[tuple[str, str]] = []
            wanted: list[Event] = []
            leans = False
            antecedent = self.antecedent
            for event in turn.events:
                wording, elliptical = self._wording(event, antecedent, must=turn.welded)
                clauses.append(self._clause(wording, event, alone=len(turn.events) == 1))
                wanted.append(event._replace(item=None) if elliptical else event)
                leans = leans or (elliptical and not clauses[1:])
                antecedent = Antecedent.after((event,), [i for i in (event.item, event.other) if i])
            opening = self._opening() if first else answer
            aside = self._aside(first)
            text = self.joinery.turn(opening, clauses, aside, self.rng)
            reading = reader.read(text)
            if reading.events == tuple(wanted) and not reading.residue:
                return text, leans
            self.redraws += 1
        raise RedrawError(f"no wording of {turn.events[0].kind} reads back")

    def _wording(self, event: Event, antecedent: Antecedent | None, *, must: bool) -> tuple[Wording, bool]:
        speech = self.kit.voice.speech
        if event.kind == "correct":
            options = speech.wordings_for(event, elliptical=True)
            if not options:
                raise RedrawError("no form for a correction")
            return self._draw(event, options, self.register), True
        if may_lean(event, antecedent) and (must or self.rng.random() < LEANS[self.register]):
            options = speech.wordings_for(event, elliptical=True)
            if options:
                return self._draw(event, options, "elliptical"), True
        options = speech.wordings_for(event)
        if not options:
            raise RedrawError(f"no form for {event.kind} of {event.field}")
        return self._draw(event, options, self.register), False

    def _draw(self, event: Event, options: Sequence[Wording], register: Register) -> Wording:
        return deck_draw(self.deck, self.rng, f"say/{event.kind}/{event.field}", options, register)

    def _clause(self, wording: Wording, event: Event, *, alone: bool) -> tuple[str, str]:
        """Return (reason, clause)."""
        full = event.item is not None and event.item not in self.introduced and self.rng.random() < 0.8
        text = self.kit.voice.speech.render(wording, event, self.rng, full=full)
        reasons = self.kit.voice.reasons(event) if alone and not wording.carries_reason else ()
        if reasons and self.rng.random() < 0.42:
            return self.deck.draw(f"reason/{event.kind}/{event.field}", reasons), text
        return "", text

    def _opening(self) -> str:
        """Return how the user begins, sometimes with who or where as well."""
        opening = self.deck.draw("opening", self.kit.voice.openings)
        if self.rng.random() > CONTEXT_SHARE:
            return opening
        context = self.deck.draw("context", self.kit.voice.speech.lexicon.contexts)
        return self.joinery.sentences([opening, self.people.fill_context(context, self.rng)])

    def _aside(self, first: bool) -> str:
        if first or not self.kit.voice.asides or self.rng.random() > 0.16:
            return ""
        return self.deck.draw("aside", self.kit.voice.asides)

    def _may_ask(self, turn: ScriptTurn, following: ScriptTurn | None) -> bool:
        if following is None or following.welded or self._asked >= 2 or any(e.kind == "question" for e in turn.events):
            return False
        if not self.kit.voice.clarify:
            return False
        return self.rng.random() < 0.07

    def _beside(self, reply: str, parts: list[str]) -> str:
        """Return the parts as one reply, unless they would claim something beside what the reply claims."""
        read = self.kit.voice.speech.reply_reader.read
        whole = self.joinery.sentences(parts)
        return whole if read(whole).events == read(reply).events else reply

    def _clarify(self) -> str:
        """Return a question, its answer being kept for the next user turn."""
        self._asked += 1
        ask, answer, thanks = self.deck.draw("clarify", self.kit.voice.clarify)
        self._answer, self._thanks = self.rng.choice(answer), self.rng.choice(thanks)
        return self.rng.choice(ask)
