"""The toy mode: everything that the stages, audits and respondents ask of a mode, in one module."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from random import Random
from typing import Any

from generator.content import ContentRoot
from generator.language.speech import Speech, load_shared
from generator.language.vocabulary import FieldName, ItemName, Vocabulary
from generator.modes.protocol import (
    AnswerValues,
    Exchange,
    Factor,
    Heard,
    HearingError,
    Kit,
    Mode,
    ScriptTurn,
    Voice,
)
from generator.modes.sheet_replies import REWORDING_NAMES, control_replies, reword_reply, view_in, write_reply
from generator.records import Alternative, Event, FieldView, Item, Lang, RowView, SheetView, Split
from toy.state import CHANGES, House, Lights, answer_backward, answer_forward, replay

FAILURES = ("stale-value", "takes-hypothetical")
FIELD = "brightness"


def load(content: ContentRoot, lang: Lang, split: Split | None) -> list[Kit]:
    """Return the houses of a language."""
    houses: list[House] = [content.load(name, House) for name in content.files(f"ground_truth/lights/{lang}")]
    shared = load_shared(content, lang, "lights")
    return [_kit(house, Speech(_words(house), shared, [], [])) for house in houses if split in (None, house.split)]


def _words(house: House) -> Vocabulary:
    lamps = tuple(ItemName(lamp.id, lamp.names) for lamp in house.lamps)
    return Vocabulary(house.lang, 2027, "GBP", lamps, (FieldName(FIELD, "measure", (FIELD,), ("lumens", "lumen")),))


def _kit(house: House, speech: Speech) -> Kit:
    voice = Voice(
        speech=speech, openings=house.openings, asides=house.asides, reasons=lambda event: (), clarify=(),
        request=lambda state, rng: rng.choice(house.requests), near=lambda state, rng: None,
    )  # fmt: skip
    return Kit(house.id, house.lang, house.split, house, voice)


def draw(kit: Kit, factor: Factor, rng: Random) -> Lights:
    """Return lamps put in one by one, each changed at least once but the control; one only wondered about."""
    house: House = kit.world
    lamps = rng.sample([lamp.id for lamp in house.lamps], 4 if factor.core < 11 else 5)
    control, wondered, *others = lamps
    events = [Event("intro", lamp, values=((FIELD, 10 * rng.randint(60, 90)),)) for lamp in lamps]
    rows = [wondered, *others]
    rows += [rng.choice(others) for _ in range(factor.core - len(lamps) - len(rows) - 1)]
    rng.shuffle(rows)
    seen = {e.item: {dict(e.values)[FIELD]} for e in events}
    for row in rows:
        events.append(_change(row, replay(events)[row][-1], seen[row], rng))
        seen[row].add(replay(events)[row][-1])
    bait = 10 * next(n for n in rng.sample(range(20, 160), 100) if 10 * n not in seen[wondered])
    last = max(n for n, e in enumerate(events) if e.item == wondered)
    events.insert(rng.randint(last + 1, len(events)), Event("hypo", wondered, FIELD, bait))
    gadgets = {"stale-value": f"{others[0]}.{FIELD}", "takes-hypothetical": f"{wondered}.{FIELD}"}
    return Lights(tuple(events), gadgets, control)


def _change(row: str, now: int, seen: set[int], rng: Random) -> Event:
    while True:
        # A level said outright would leave the changes before it neither needed nor bait.
        kind = rng.choice(sorted(CHANGES) if len(seen) == 1 else ["brighten", "dim"])
        value = 10 * (rng.randint(30, 150) if kind == "turn" else rng.randint(2, 20))
        after = {"turn": value, "brighten": now + value, "dim": now - value}[kind]
        if 150 < after < 1_900 and after not in seen:
            return Event(kind, row, FIELD, value)


def script(kit: Kit, state: Lights) -> tuple[ScriptTurn, ...]:
    """Return one turn an event."""
    return tuple(ScriptTurn((event,), f"g{n:02d}") for n, event in enumerate(state.events))


def record(kit: Kit, state: Lights) -> dict[str, Any]:
    """Return the state as a key stores it."""
    turns = [[e.kind, e.item, e.value, dict(e.values)] for e in state.events]
    return {
        "turns": turns, "request": "all", "gadgets": state.gadgets, "control": state.control,
        "view": _view(kit, {str(e.item) for e in state.events}).model_dump(mode="json"),
    }  # fmt: skip


def load_state(kit: Kit, stored: Mapping[str, Any]) -> Lights:
    """Return the state of a record."""
    events = [
        Event(kind, item, values=tuple(values.items())) if kind == "intro" else Event(kind, item, FIELD, value)
        for kind, item, value, values in stored["turns"]
    ]
    return Lights(tuple(events), dict(stored["gadgets"]), str(stored["control"]))


def _view(kit: Kit, rows: set[str]) -> SheetView:
    house: House = kit.world
    column = FieldView(id=FIELD, labels=("Brightness", "Level"), family="measure", units=("lumens", "lumen"))
    return SheetView(
        lang=house.lang, today="2027-01-01", currency="GBP",
        rows=tuple(RowView(id=lamp.id, names=lamp.names) for lamp in house.lamps if lamp.id in rows),
        columns=(column,),
    )  # fmt: skip


def hear(kit: Kit, exchanges: Sequence[Exchange]) -> Heard:
    """Return what the user turns say."""
    if not exchanges or not any(r in exchanges[-1].text for r in kit.world.requests):
        raise HearingError("the last turn asks for nothing")
    for number, exchange in enumerate(exchanges[:-1]):
        if exchange.user.residue or any(e.item is None for e in exchange.user.events):
            raise HearingError(f"turn {number + 1} is not understood")
    return Heard(tuple(e.user.events for e in exchanges[:-1]), "all")


def _events(heard: Heard) -> list[Event]:
    return [e for turn in heard.turns for e in turn]


def answer_heard(kit: Kit, heard: Heard) -> AnswerValues:
    """Return the levels after all that was heard."""
    try:
        return answer_forward(_events(heard))
    except ValueError as error:
        raise HearingError(str(error)) from error


def fail(name: str, kit: Kit, heard: Heard) -> AnswerValues:
    """Return the levels as a named respondent has them; a lamp it cannot follow is left out."""
    if name == "no-dialogue":
        return {}
    known: set[str] = set()
    followed = []
    for event in _events(heard):
        if event.kind == "intro" or event.item in known:
            known.add(str(event.item))
            followed.append(event)
    if name == "takes-hypothetical":
        followed = [e._replace(kind="turn") if e.kind == "hypo" else e for e in followed]
    place = {"stale-value": -2, "first-mention": 0}.get(name, -1)
    past = replay(followed)
    return {f"{lamp}.{FIELD}": p[max(place, -len(p))] for lamp, p in past.items() if p}


def _wrong(kit: Kit, state: Lights, name: str) -> AnswerValues:
    return fail(name, kit, Heard(tuple((e,) for e in state.events), "all"))


def alternatives(kit: Kit, state: Lights) -> tuple[Alternative, ...]:
    """Return the wrong levels of every failure that changes something."""
    wrong = {name: _wrong(kit, state, name) for name in FAILURES}
    truth = answer_forward(state.events)
    return tuple(Alternative(name=n, value=dict(sorted(v.items()))) for n, v in wrong.items() if v != truth)


def items(kit: Kit, state: Lights) -> tuple[Item, ...]:
    """Return one item a lamp."""
    found = []
    past = replay(state.events)
    for number, (path, value) in enumerate(sorted(answer_forward(state.events).items()), 1):
        row = path.split(".")[0]
        bait = [int(e.value or 0) for e in state.events if e.kind == "hypo" and e.item == row]
        found.append(
            Item(
                id=f"i{number:02d}", kind="cell", weight=2, check="cell", truth_path=path,
                params={"row": row, "column": FIELD, "value": value},
                stale=tuple(sorted({*past[row][:-1], *bait} - {value})),
            )
        )  # fmt: skip
    return tuple(found)


def duties(kit: Kit, state: Lights) -> Mapping[str, str]:
    """Return what each turn is for."""
    return {t.group: "bait" if t.events[0].kind == "hypo" else "needed" for t in script(kit, state)}


def twin(kit: Kit, state: Lights, rng: Random) -> Sequence[Lights]:
    """Return the state in which what was wondered about is done."""
    at = next(n for n, e in enumerate(state.events) if e.kind == "hypo")
    real = state.events[at]._replace(kind="turn")
    gadgets = {m: p for m, p in state.gadgets.items() if m != "takes-hypothetical"}
    return [Lights((*state.events[:at], real, *state.events[at + 1 :]), gadgets, state.control)]


def value_after(kit: Kit, heard: Heard, turn: int, claim: Event) -> int | None:
    """Return the level of a lamp after a turn."""
    past = replay(e for events in heard.turns[: turn + 1] for e in events).get(str(claim.item))
    return past[-1] if past else None


MODE = Mode(
    number="toy",
    name="lights",
    failure_names=FAILURES,
    shortcut_names=("first-mention", "no-dialogue"),
    load=load,
    draw=draw,
    script=script,
    state_record=record,
    answer=lambda kit, state: answer_forward(state.events),
    resolve=lambda kit, state: answer_backward(state.events),
    hear=hear,
    answer_heard=answer_heard,
    fail=fail,
    alternatives=alternatives,
    diagnose=lambda kit, state: {**state.gadgets, "control": state.control},
    items=items,
    view_in=view_in,
    view_heard=lambda kit, heard: _view(kit, {str(e.item) for e in _events(heard)}),
    write_reply=write_reply,
    reword_reply=reword_reply,
    reword_names=REWORDING_NAMES,
    control_replies=control_replies,
    load_state=load_state,
    value_after=value_after,
    implausible=lambda kit, state: [],
    inert_kinds=frozenset({"hypo"}),
    twin=twin,
    duties=duties,
    check=lambda kit, content: [],
)
