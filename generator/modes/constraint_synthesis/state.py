"""The state of a Mode III task: a chain cut into turns."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from random import Random
from typing import Any, NamedTuple

from generator.modes.constraint_synthesis.failures import FAILURES, OWN, Turns
from generator.modes.constraint_synthesis.moves import MOST_CHANGES, PlanError
from generator.modes.constraint_synthesis.plan import Planned, Planner
from generator.modes.constraint_synthesis.weights import importance_of
from generator.modes.protocol import Factor, Kit, RedrawError, ScriptTurn
from generator.records import Event, canonical_json
from generator.states.update_chain.chain import (
    CELL_EVENTS,
    INERT,
    Answer,
    Chain,
    InvalidChainError,
    Request,
    as_rows,
    from_rows,
)
from generator.states.update_chain.forward import Sheet, answer_forward
from generator.states.update_chain.world import World

TRIES = 120
CORE_SLACK = 1
PRUNED_AT_MOST = 4
# Events that leave the sheet as it is, and the failure that each kind of bait is made for.
STILL = INERT | {"scoped"}
LURES = {
    "hypo": "takes-hypothetical", "hearsay": "takes-hypothetical", "cond": "takes-hypothetical",
    "cond.unmet": "takes-hypothetical", "foreign": "wrong-scope", "scoped": "wrong-scope",
    "revert.prev": "ignores-retractions", "revert.first": "ignores-retractions", "correct": "ignores-retractions",
    "restore": "ignores-retractions", "cancel": "ignores-retractions",
}  # fmt: skip
FEWEST_VALUES = 3
FEWEST_ROWS = 4
# Windows are judged by the audits: how far they see depends on distractors, which come later.
CORE_SHORTCUTS = ("recent-mention", "first-mention", "keyword-search")
SHORTCUT_LIMIT = 0.48
MARGIN_LIMIT = 0.11
QUESTION_SHARE = 0.5
ECHO_SHARE = 0.16


class ChainState(NamedTuple):
    """Turns of events, the request, and what the task is about.

    gadgets: mechanism -> the path (`row.column`) of an asked value on which it shows.
    control: the row on which every own failure is right.
    welded: turns that must follow the one before at once.
    """

    turns: tuple[ScriptTurn, ...]
    request: Request
    gadgets: dict[str, str]
    control: str

    @property
    def chain(self) -> Chain:
        """The events in order, and the request."""
        return Chain(tuple(e for t in self.turns for e in t.events), self.request)


def draw_state(kit: Kit, factor: Factor, rng: Random) -> ChainState:
    """Return a sound state of about `factor.core` turns.

    Raises:
        RedrawError: None was found within the tries.
    """
    world: World = kit.world
    correction = 0
    for _ in range(TRIES):
        # Measured over 1,500 plans: turns = 0.33 steps + 1.94 rows - 2.3, deviation 2.9. Rows set the
        # room for events; steps then make up the rest, corrected by what the last draws came to.
        rows = round((0.67 * factor.core + 2.3) / 1.94 + rng.uniform(-0.6, 0.6))
        rows = max(FEWEST_ROWS, min(rows, len(world.items)))
        steps = max(3, round((factor.core + 2.3 - 1.94 * rows) / 0.33) + correction)
        try:
            planned = Planner(world, kit.extra["amounts"], kit.extra["people"], rng).plan(
                steps, rows, factor.mechanisms
            )
            state = _cut(world, planned, rng)
            missing = factor.core - len(state.turns)
            # Cheap questions first: pruning costs ten times as much as a draw.
            if not -PRUNED_AT_MOST <= missing <= CORE_SLACK:
                correction = max(-8, min(14, correction + (1 if missing > 0 else -1)))
                continue
            if not is_sound(world, state):
                continue
            state = _decorate(world, _prune(world, state), rng)
        except (PlanError, InvalidChainError):
            continue
        if abs(factor.core - len(state.turns)) <= CORE_SLACK and is_sound(world, state):
            return state
    raise RedrawError("no chain fits these factors")


class _Wrong:
    """Wrong answers of one state, each worked out when it is first asked for."""

    def __init__(self, world: World, state: ChainState) -> None:
        self.world, self.request, self.turns = world, state.request, turns_of(state)
        self._known: dict[str, Answer] = {}

    def __getitem__(self, name: str) -> Answer:
        if name not in self._known:
            self._known[name] = FAILURES[name](self.world, self.turns, self.request)
        return self._known[name]


def is_sound(world: World, state: ChainState) -> bool:
    """Return whether each gadget shows alone, the control row is clean, and no shortcut works.

    A little stricter than the audits, so that few candidates are made in vain. Whether the two code
    paths agree is asked once, of the candidate.
    """
    try:
        truth = answer_forward(world, state.chain)
    except InvalidChainError:
        return False
    if len(truth.values) < FEWEST_VALUES:
        return False
    wrong = _Wrong(world, state)
    if any(importance_of(world, truth, wrong[name]) > SHORTCUT_LIMIT for name in CORE_SHORTCUTS):
        return False
    if next(_undiagnosed(state, truth, wrong), None) is not None:
        return False
    own = [importance_of(world, truth, wrong[name]) for name in state.gadgets]
    return 1 - sum(own) / len(own) >= MARGIN_LIMIT


def turns_of(state: ChainState) -> Turns:
    """Return the events of each turn."""
    return [t.events for t in state.turns]


def undiagnosed(world: World, state: ChainState, truth: Answer) -> list[str]:
    """Return the mechanisms whose wrong value is missing or not theirs alone, and 'control' if it is not clean."""
    return list(_undiagnosed(state, truth, _Wrong(world, state)))


def _undiagnosed(state: ChainState, truth: Answer, wrong: _Wrong) -> Iterator[str]:
    for mechanism, path in state.gadgets.items():
        mine = wrong[mechanism].values.get(path)
        shows = mine is not None and mine != truth.values.get(path)
        if not shows or any(wrong[other].values.get(path) == mine for other in OWN if other != mechanism):
            yield mechanism
    clean = [p for p in truth.values if p.startswith(state.control + ".")]
    if not clean or any(wrong[m].values.get(p) != truth.values[p] for m in state.gadgets for p in clean):
        yield "control"


def _shown_path(world: World, cell: str, request: Request) -> str:
    row, name = cell.split(".")
    if name in request.columns:
        return cell
    for column in request.columns:
        if column in world.graph and name in world.graph.pred[column]:
            return f"{row}.{column}"
    raise PlanError("a gadget that the request does not show")


def _cut(world: World, planned: Planned, rng: Random) -> ChainState:
    """Group events into turns."""
    groups: list[list[int]] = []
    for at in range(len(planned.events)):
        if groups and _joins(planned, groups[-1], at, rng):
            groups[-1].append(at)
        else:
            groups.append([at])
    turns = [
        ScriptTurn(tuple(planned.events[i] for i in indices), f"g{number:02d}", indices[0] in planned.welded)
        for number, indices in enumerate(groups)
    ]
    gadgets = {m: _shown_path(world, cell, planned.request) for m, cell in planned.gadgets.items()}
    return ChainState(tuple(turns), planned.request, gadgets, planned.control)


def _decorate(world: World, state: ChainState, rng: Random) -> ChainState:
    """Let some replies read a value back, and the user ask for one; both right at that moment."""
    sheet = Sheet(world)
    turns = []
    for number, turn in enumerate(state.turns):
        for event in turn.events:
            sheet.apply(event)
        follows = state.turns[number + 1] if number + 1 < len(state.turns) else None
        # A value about to be corrected is not read back, nor is the whole sheet near the end.
        may = len(state.turns) - number > 3 and not (follows and follows.welded)
        turns.append(turn._replace(echo=_echo_of(sheet, turn.events, rng) if may else None))
    return state._replace(turns=tuple(_ask_back(world, turns, rng)))


def _joins(planned: Planned, group: list[int], at: int, rng: Random) -> bool:
    event, before = planned.events[at], planned.events[group[-1]]
    if at in planned.welded or group[-1] in planned.welded:
        return False
    if event.kind == "intro" and before.kind == "intro":
        return len(group) < 3 and rng.random() < (0.9 if len(group) < 2 else 0.35)
    mergeable = (CELL_EVENTS - {"correct"}) | {"cancel", "rule"}
    if event.kind not in mergeable or before.kind not in mergeable or len(group) > 1:
        return False
    if at + 1 in planned.welded:
        return False  # a correction must follow a turn that says one thing
    return event.item != before.item and rng.random() < 0.22


def _echo_of(sheet: Sheet, events: tuple[Event, ...], rng: Random) -> Event | None:
    if len(events) != 1 or events[0].kind not in CELL_EVENTS or rng.random() > ECHO_SHARE:
        return None
    event = events[0]
    return Event("echo", event.item, event.field, sheet.value(event.item, event.field))


def _ask_back(world: World, turns: list[ScriptTurn], rng: Random) -> list[ScriptTurn]:
    """Let the user ask for a value once or twice, well before the end; the answer joins its group."""
    for _ in range(2):
        if rng.random() > QUESTION_SHARE or len(turns) < 7:
            continue
        at = rng.randrange(4, max(5, int(len(turns) * 0.7)))
        if turns[at].welded:
            continue
        sheet = Sheet(world)
        source: dict[tuple[str, str], str] = {}
        for turn in turns[:at]:
            for event in turn.events:
                sheet.apply(event)
                if event.kind in CELL_EVENTS and event.item and event.field:
                    source[event.item, event.field] = turn.group
        pending = {(e.item, e.field) for e in sheet.pending.values()}
        recent = {e.item for e in turns[at - 1].events}
        cells = sorted(c for c in source if c[0] not in sheet.cancelled and c not in pending and c[0] not in recent)
        if not cells:
            continue
        item, name = rng.choice(cells)
        ask = Event("question", item, name)
        told = Event("answer", item, name, sheet.value(item, name))
        turns.insert(at, ScriptTurn((ask,), source[item, name], False, told))
    return turns


def _prune(world: World, state: ChainState) -> ChainState:
    """Drop turns that neither the answer nor any failure needs, from the end, until none is left."""
    truth = answer_forward(world, state.chain)
    dropped = True
    while dropped:
        dropped = False
        wrong = _Wrong(world, state)
        for group in sorted({t.group for t in state.turns}, reverse=True):
            if _duty(world, state, group, truth, wrong) is None:
                state = state._replace(turns=tuple(t for t in state.turns if t.group != group))
                wrong = _Wrong(world, state)
                dropped = True
    return state


def duties_of(world: World, state: ChainState) -> dict[str, str | None]:
    """Return the duty of each group: `needed`, `bait`, or None for neither."""
    truth, wrong = answer_forward(world, state.chain), _Wrong(world, state)
    return {g: _duty(world, state, g, truth, wrong) for g in dict.fromkeys(t.group for t in state.turns)}


def _duty(world: World, state: ChainState, group: str, truth: Answer, wrong: _Wrong) -> str | None:
    """Return `needed` if the answer is lost without the group, `bait` if only a wrong one is, else None."""
    mine = [e for t in state.turns if t.group == group for e in t.events]
    if any(e.kind == "intro" and (not state.request.rows or e.item in state.request.rows) for e in mine):
        return "needed"  # without it a row that is asked for is missing; no need to replay that
    rest = [t for t in state.turns if t.group != group]
    if any(e.kind not in STILL for e in mine):  # what changes nothing is not needed: no need to replay that either
        chain = Chain(tuple(e for t in rest for e in t.events), state.request)
        try:
            if answer_forward(world, chain) != truth:
                return "needed"
        except InvalidChainError:
            return "needed"
    after = [t.events for t in rest]
    # The failure that such events are made for is asked first; the order changes the time, not the answer.
    likely = {LURES[e.kind] for e in mine if e.kind in LURES}
    names = sorted(OWN, key=lambda name: name not in likely)
    return "bait" if any(FAILURES[name](world, after, state.request) != wrong[name] for name in names) else None


def record_of(kit: Kit, state: ChainState) -> dict[str, Any]:
    """Return the state as a key stores it, without the view."""
    return {
        "world": kit.id,
        "turns": [{"group": t.group, "events": as_rows(t.events)} for t in state.turns],
        "request": state.request.model_dump(mode="json"),
        "gadgets": dict(sorted(state.gadgets.items())),
        "control": state.control,
    }


def load_state(kit: Kit, record: Mapping[str, Any]) -> ChainState:
    """Return the state of a stored record.

    Raises:
        KeyError, ValueError: The record is not one of this mode.
    """
    turns = tuple(ScriptTurn(from_rows(t["events"]), str(t["group"])) for t in record["turns"])
    request = Request.model_validate_json(canonical_json(record["request"]))
    return ChainState(turns, request, dict(record["gadgets"]), str(record["control"]))


def implausible(kit: Kit, state: ChainState) -> list[str]:
    """Return the values and moves that the trade would not know: off the band, or too far at once."""
    amounts, found = kit.extra["amounts"], []
    sheet = Sheet(kit.world)
    try:
        for event in state.chain.events:
            sheet.apply(event)
    except InvalidChainError as error:
        found.append(f"the state cannot be followed: {error}")
    for (item, field), past in sorted(sheet.history.items()):
        if len(past) - 1 > MOST_CHANGES + 1:
            found.append(f"{item}.{field} changes {len(past) - 1} times")
        found += [f"{item}.{field} becomes {v}" for v in past if not amounts.is_sensible(item, field, v, loose=True)]
    return found
