"""The first code path: replay the events in order and read the sheet at the end."""

from __future__ import annotations

import datetime as dt
from collections.abc import Callable, Iterable

from generator.records import Event
from generator.states.update_chain.chain import INERT, KINDS, Answer, Chain, InvalidChainError, Request
from generator.states.update_chain.world import Derived, World

Cell = tuple[str, str]


class Sheet:
    """The state of the list after some events; `apply` takes it one event further.

    history: every value a cell has had, the present one last.
    exact: refuse shares that are not whole and roundings on an edge. A simulated respondent
    that has lost its way goes on with the nearest whole value instead.
    """

    __slots__ = ("cancelled", "exact", "history", "last", "pending", "rows", "rules", "world")

    def __init__(self, world: World, *, exact: bool = True) -> None:
        self.world, self.exact = world, exact
        self.rows: list[str] = []
        self.history: dict[Cell, list[int]] = {}
        self.cancelled: set[str] = set()
        self.pending: dict[str, Event] = {}
        self.rules: dict[str, int] = {}
        self.last: Cell | None = None

    def value(self, item: str | None, field: str | None) -> int:
        """Return the present value of a cell.

        Raises:
            InvalidChainError: The cell has none.
        """
        try:
            return self.history[item, field][-1]  # type: ignore[index]
        except KeyError as error:
            raise InvalidChainError(f"{item}.{field} has no value") from error

    def live(self) -> list[str]:
        """Return the rows that stand, in the order they came."""
        return [row for row in self.rows if row not in self.cancelled]

    def apply(self, event: Event) -> None:
        """Follow one event.

        Raises:
            InvalidChainError: It cannot be followed.
        """
        if event.kind not in KINDS:
            raise InvalidChainError(f"unknown event {event.kind}")
        handler = _HANDLERS.get(event.kind)
        if handler is not None:
            handler(self, event)
        elif event.kind in INERT:
            # Nothing changes, but a correction right after it would have nothing to correct.
            self.last = None
        elif event.kind.startswith("bulk."):
            kind = event.kind.removeprefix("bulk.")
            for item in self.live():
                if item != event.other and (item, event.field) in self.history:
                    self._push(item, event.field, self._moved(kind, item, event))
            self.last = None
        else:
            self._push(event.item, event.field, self._moved(event.kind, str(event.item), event))

    def _rule(self, event: Event) -> None:
        self.rules.update(event.values)
        self.last = None

    def _scope(self, event: Event) -> None:
        # What holds for a batch alone leaves the sheet as it is; the cell must be there all the same.
        self.value(event.item, event.field)
        _given(event)
        self.last = None

    def _swap(self, event: Event) -> None:
        mine, other = self.value(event.item, event.field), self.value(event.other, event.field)
        self._push(event.item, event.field, other)
        self._push(event.other, event.field, mine)
        self.last = None

    def _introduce(self, event: Event) -> None:
        item = str(event.item)
        if item in self.rows:
            raise InvalidChainError(f"{item} is introduced twice")
        self.rows.append(item)
        for field, value in event.values:
            self.history[item, field] = [value]
        self.last = None

    def _toggle(self, event: Event) -> None:
        item = str(event.item)
        if item not in self.rows or (item in self.cancelled) == (event.kind == "cancel"):
            raise InvalidChainError(f"{event.kind} of {item}")
        (self.cancelled.add if event.kind == "cancel" else self.cancelled.discard)(item)
        self.last = None

    def _condition(self, event: Event) -> None:
        tag = str(event.tag)
        self.last = None
        if event.kind == "cond":
            self.value(event.item, event.field)
            self.pending[tag] = event
            return
        if tag not in self.pending:
            raise InvalidChainError(f"nothing hangs on {tag}")
        held = self.pending.pop(tag)
        if event.kind == "cond.met":
            self._push(held.item, held.field, _given(held))
            self.last = None

    def _correct(self, event: Event) -> None:
        if self.last is None or (event.field and event.field != self.last[1]):
            raise InvalidChainError("nothing to correct")
        if event.item is not None and event.item != self.last[0]:
            raise InvalidChainError("the correction is of another row")
        self.history[self.last][-1] = _given(event)
        self.last = None

    def _moved(self, kind: str, item: str, event: Event) -> int:
        field = str(event.field)
        now = self.value(item, field)
        if kind in {"set", "waver"}:
            return _given(event)
        if kind == "adjust.up":
            return now + _given(event)
        if kind == "adjust.down":
            return now - _given(event)
        if kind in {"percent.up", "percent.down"}:
            share = _given(event) if kind == "percent.up" else -_given(event)
            moved, rest = divmod(now * (10_000 + share), 10_000)
            if rest and self.exact:
                raise InvalidChainError(f"{item}.{field}: a share that is not exact")
            return moved
        if kind == "copy":
            return self.value(event.other, field)
        past = self.history[item, field]
        if len(past) < 2:
            raise InvalidChainError(f"{item}.{field} was never changed")
        return past[-2] if kind == "revert.prev" else past[0]

    def _push(self, item: str | None, field: str | None, value: int) -> None:
        cell = (str(item), str(field))
        if cell not in self.history:
            raise InvalidChainError(f"{item}.{field} has no value")
        self.history[cell].append(value)
        self.last = cell


# A table and not a chain of questions: replays are most of what planning and audits cost.
_HANDLERS: dict[str, Callable[[Sheet, Event], None]] = {
    "intro": Sheet._introduce,
    "rule": Sheet._rule,
    "cancel": Sheet._toggle,
    "restore": Sheet._toggle,
    "scoped": Sheet._scope,
    "swap": Sheet._swap,
    "cond": Sheet._condition,
    "cond.met": Sheet._condition,
    "cond.unmet": Sheet._condition,
    "correct": Sheet._correct,
}


def _given(event: Event) -> int:
    if event.value is None:
        raise InvalidChainError(f"{event.kind} says no value")
    return event.value


def replay(world: World, events: Iterable[Event]) -> Sheet:
    """Return the sheet after all events.

    Raises:
        InvalidChainError: One of them cannot be followed.
    """
    sheet = Sheet(world)
    for event in events:
        sheet.apply(event)
    return sheet


def read_answer(sheet: Sheet, request: Request) -> Answer:
    """Return what a request asks for, off a sheet.

    Raises:
        InvalidChainError: A derived value is undefined, or falls on a rounding edge.
    """
    derived = derive(sheet, (*request.columns, *request.figures))
    values: dict[str, int] = {}
    for row in sheet.live():
        if request.rows and row not in request.rows:
            continue
        for column in request.columns:
            cell = (row, column)
            values[f"{row}.{column}"] = derived[cell] if cell in derived else sheet.value(row, column)
    for figure in request.figures:
        values[f"sheet.{figure}"] = derived["sheet", figure]
    return Answer(values, () if request.rows else tuple(sorted(sheet.cancelled)))


def answer_forward(world: World, chain: Chain) -> Answer:
    """Return the answer of a chain by replay.

    Raises:
        InvalidChainError: The chain cannot be followed, or a derived value is not exact.
    """
    return read_answer(replay(world, chain.events), chain.request)


def derive(sheet: Sheet, names: Iterable[str]) -> dict[Cell, int]:
    """Return the column cells and figures that `names` are or follow from, in dependency order.

    A sheet that is not exact leaves out what it cannot work out.

    Raises:
        InvalidChainError: A rule is missing, or a value falls on a rounding edge.
    """
    world, rows = sheet.world, sheet.live()
    found: dict[Cell, int] = {}
    wanted = {n for name in names for n in world.closure.get(name, ())}

    def cell(row: str, name: str) -> int:
        return found[row, name] if (row, name) in found else sheet.value(row, name)

    columns = {c.id for c in world.columns}
    for name in world.order:
        if name not in wanted:
            continue
        formula = world.derived_by_id[name]
        try:
            if name in columns:
                for row in rows:
                    found[row, name] = _column(sheet, formula, [cell(row, a) for a in formula.args])
            else:
                found["sheet", name] = _figure(sheet, formula, rows, cell, found)
        except InvalidChainError:
            if sheet.exact:
                raise
    return found


def _column(sheet: Sheet, formula: Derived, values: list[int]) -> int:
    world = sheet.world
    if formula.op == "product":
        scales = []
        for argument in formula.args:
            field = world.field_by_id.get(argument)
            scales.append(field.scale if field is not None and field.family == "measure" else 1)
        scale = scales[0] * scales[1]
        # A product keeps the scale of its own family only once.
        keeps = max(scales) if formula.family == "measure" else 1
        product, rest = divmod(values[0] * values[1] * keeps, scale)
        if rest and sheet.exact:
            raise InvalidChainError(f"{formula.id} is not exact")
        return product
    if formula.op == "shift":
        field = world.field_by_id[formula.args[1]]
        step, rest = divmod(values[1], field.scale)
        if rest and sheet.exact:
            raise InvalidChainError(f"{formula.id} is not exact")
        return values[0] + step
    if formula.op == "add":
        return sum(values)
    if formula.op == "subtract":
        return values[0] - sum(values[1:])
    raise InvalidChainError(f"{formula.op} makes no column")


def _figure(
    sheet: Sheet, formula: Derived, rows: list[str], cell: Callable[[str, str], int], found: dict[Cell, int]
) -> int:
    def column(name: str) -> list[int]:
        return [cell(row, name) for row in rows]

    def one(name: str) -> int:
        if ("sheet", name) in found:
            return found["sheet", name]
        if name not in sheet.rules:
            raise InvalidChainError(f"rule {name} was never said")
        return sheet.rules[name]

    op, args = formula.op, formula.args
    if op == "sum":
        return sum(column(args[0]))
    if op == "count_rows":
        return len(rows)
    if op in {"earliest", "latest"}:
        if not rows:
            raise InvalidChainError("no row is left")
        return min(column(args[0])) if op == "earliest" else max(column(args[0]))
    if op == "add":
        return sum(one(a) for a in args)
    if op == "subtract":
        return one(args[0]) - sum(one(a) for a in args[1:])
    if op == "percent":
        return _share(one(args[0]), one(args[1]), formula, sheet.exact)
    if op in {"workdays_before", "workdays_after"}:
        return _workdays(one(args[0]), one(args[1]), -1 if op == "workdays_before" else 1)
    raise InvalidChainError(f"{op} makes no figure")


def _share(base: int, basis_points: int, formula: Derived, exact: bool) -> int:
    unit = 100 if formula.round == "unit" and formula.family == "money" else 1
    raw = base * basis_points
    whole, rest = divmod(raw, 10_000 * unit)
    if rest and formula.round is None and exact:
        raise InvalidChainError(f"{formula.id} is not exact and no rounding is said")
    if 2 * rest == 10_000 * unit and exact:
        raise InvalidChainError(f"{formula.id} is a rounding tie")
    return (whole + (2 * rest >= 10_000 * unit)) * unit


def _workdays(start: int, days: int, direction: int) -> int:
    day = start
    while days:
        day += direction
        if dt.date.fromordinal(day).weekday() < 5:
            days -= 1
    return day
