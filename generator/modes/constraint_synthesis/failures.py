"""Wrong ways to follow an update chain, each named after the failure that it imitates.

The same functions name a key's alternatives (over the true events) and drive the simulated
respondents (over the events that the reader recovered).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

from generator.records import Event
from generator.states.update_chain.chain import CELL_EVENTS, Answer, InvalidChainError, Request
from generator.states.update_chain.forward import Sheet, derive
from generator.states.update_chain.world import World

# The events of each user turn, in order.
Turns = Sequence[Sequence[Event]]
Failure = Callable[[World, Turns, Request], Answer]

RETRACTIONS = frozenset({"revert.prev", "revert.first", "correct", "restore"})
WINDOW = 8


def follow_leniently(world: World, events: Iterable[Event]) -> Sheet:
    """Return the sheet after what can be followed; what cannot is passed over."""
    sheet = Sheet(world, exact=False)
    for event in events:
        try:
            sheet.apply(event)
        except InvalidChainError:
            continue
    return sheet


def read_leniently(sheet: Sheet, request: Request) -> Answer:
    """Return as much of the answer as the sheet allows."""
    values: dict[str, int] = {}
    derived = derive(sheet, (*request.columns, *request.figures))
    for row in sheet.live():
        for column in request.columns if not request.rows or row in request.rows else ():
            if (row, column) in derived:
                values[f"{row}.{column}"] = derived[row, column]
            elif (row, column) in sheet.history:
                values[f"{row}.{column}"] = sheet.value(row, column)
    for figure in request.figures:
        if ("sheet", figure) in derived:
            values[f"sheet.{figure}"] = derived["sheet", figure]
    return Answer(values, () if request.rows else tuple(sorted(sheet.cancelled)))


def _answer(world: World, events: Iterable[Event], request: Request) -> Answer:
    return read_leniently(follow_leniently(world, events), request)


def _flat(turns: Turns) -> list[Event]:
    return [event for turn in turns for event in turn]


def follow_truly(world: World, turns: Turns, request: Request) -> Answer:
    """Return the answer of somebody who misses nothing."""
    return _answer(world, _flat(turns), request)


def keep_stale(world: World, turns: Turns, request: Request) -> Answer:
    """Return the answer of somebody who missed the last change of every cell and of every rule."""
    events = _flat(turns)
    sheet = follow_leniently(world, events)
    said: dict[str, list[int]] = {}
    for event in events:
        if event.kind == "rule":
            for rule, value in event.values:
                said.setdefault(rule, []).append(value)
    sheet.rules.update({rule: values[-2] for rule, values in said.items() if len(values) > 1})
    sheet.history = {cell: past[:-1] if len(past) > 1 else past for cell, past in sheet.history.items()}
    return read_leniently(sheet, request)


def ignore_retractions(world: World, turns: Turns, request: Request) -> Answer:
    """Return the answer of somebody for whom what was said once stays said."""
    return _answer(world, (e for e in _flat(turns) if e.kind not in RETRACTIONS), request)


def take_hypothetical(world: World, turns: Turns, request: Request) -> Answer:
    """Return the answer of somebody who takes what was only considered as decided."""
    moved = {"hypo": "set", "hearsay": "set", "cond": "set"}
    events = (e._replace(kind=moved.get(e.kind, e.kind)) for e in _flat(turns))
    return _answer(world, (e for e in events if not e.kind.startswith("cond.")), request)


def miss_bulk(world: World, turns: Turns, request: Request) -> Answer:
    """Return the answer of somebody who did not carry bulk changes to the rows."""
    return _answer(world, (e for e in _flat(turns) if not e.kind.startswith("bulk.")), request)


def take_wrong_scope(world: World, turns: Turns, request: Request) -> Answer:
    """Return the answer of somebody who takes what holds elsewhere, or in part, for all."""
    events = (e._replace(kind="set") if e.kind in {"foreign", "scoped"} else e for e in _flat(turns))
    return _answer(world, events, request)


def mention_first(world: World, turns: Turns, request: Request) -> Answer:
    """Return the answer built from the first value of every cell."""
    return _answer(world, (e for e in _flat(turns) if e.kind in {"intro", "rule"}), request)


def mention_last(world: World, turns: Turns, request: Request) -> Answer:
    """Return the answer built from the last value said of every cell, whoever said it and why."""
    direct = {"set", "waver", "hypo", "hearsay", "foreign", "scoped", "cond", "correct"}
    events = (e._replace(kind="set") if e.kind in direct else e for e in _flat(turns))
    return _answer(world, (e for e in events if e.kind in {"intro", "rule", "set"}), request)


def see_window(world: World, turns: Turns, request: Request) -> Answer:
    """Return the answer of somebody who sees only the last eight user turns."""
    return _answer(world, _flat(turns[-WINDOW:]), request)


def see_last_turn(world: World, turns: Turns, request: Request) -> Answer:
    """Return the answer of somebody who sees only the turn before the request."""
    return _answer(world, _flat(turns[-1:]), request)


def search_keywords(world: World, turns: Turns, request: Request) -> Answer:
    """Return the answer of a search: for each cell, the last turn that names its row and a number."""
    found: list[Event] = []
    for event in _flat(turns):
        if event.item is None or event.value is None or event.kind in CELL_EVENTS - {"set", "waver"}:
            if event.kind in {"intro", "rule"}:
                found.append(event)
            continue
        found.append(event._replace(kind="set"))
    return _answer(world, found, request)


def see_nothing(world: World, turns: Turns, request: Request) -> Answer:
    """Return the empty answer of somebody who sees the request alone."""
    return Answer({}, ())


FAILURES: dict[str, Failure] = {
    "stale-value": keep_stale,
    "ignores-retractions": ignore_retractions,
    "takes-hypothetical": take_hypothetical,
    "misses-bulk": miss_bulk,
    "wrong-scope": take_wrong_scope,
    "first-mention": mention_first,
    "recent-mention": mention_last,
    "window-8": see_window,
    "last-turn": see_last_turn,
    "keyword-search": search_keywords,
    "no-dialogue": see_nothing,
}
OWN = ("stale-value", "ignores-retractions", "takes-hypothetical", "misses-bulk", "wrong-scope")
SHORTCUTS = ("recent-mention", "first-mention", "window-8", "last-turn", "keyword-search", "no-dialogue")
