"""Checks by name: each takes an item and a reply's reading, and says hit, miss or unsure."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import cached_property, lru_cache

from generator.errors import GenError
from generator.records import Item, SheetView, Verdict, canonical_json
from generator.scoring.sheet import Cell, Settled, SheetReading, parse_sheet

SHEET_CHECKS = frozenset({"cell", "figure", "absent", "scoped_cell"})


@dataclass(frozen=True)
class ReplyContext:
    """A reply on its way through the items of a task: read once, whatever the number of items.

    `text` is the reply as it came; `items` are all items of the task, since what is asked for settles how unlabelled
    numbers are read. `memo` keeps what checks have read, by a name of theirs.
    """

    text: str
    view: SheetView | None = None
    items: tuple[Item, ...] = field(default=())
    memo: dict[str, object] = field(default_factory=dict, repr=False, compare=False)

    @cached_property
    def sheet(self) -> SheetReading:
        """The reply read as a sheet.

        Raises:
            GenError: The key holds no view.
        """
        if self.view is None:
            raise GenError("key.state", "no view, but an item is checked against a sheet", "store the sheet's view")
        return parse_sheet(self.text, self.view, requested_of(self.items), scopes_of(self.items))


Check = Callable[[Item, ReplyContext, SheetView | None], Verdict]
CHECKS: dict[str, Check] = {}


def register(name: str) -> Callable[[Check], Check]:
    """Return a decorator that enters a check under a name.

    Raises:
        GenError: The name is taken.
    """

    def enter(check: Check) -> Check:
        if name in CHECKS:
            raise GenError("generator/scoring/checks.py", f"check {name!r} is registered twice", "name it otherwise")
        CHECKS[name] = check
        return check

    return enter


def run_check(item: Item, context: ReplyContext) -> Verdict:
    """Return how an item ends.

    Raises:
        GenError: The item's check is unknown, or its parameters are not those of the check.
    """
    check = CHECKS.get(item.check)
    if check is None:
        raise GenError(f"item {item.id!r}", f"unknown check {item.check!r}", f"use one of {sorted(CHECKS)}")
    try:
        return check(item, context, context.view)
    except KeyError as error:
        raise GenError(f"item {item.id!r}", f"check {item.check!r} lacks parameter {error}", "add it") from error


@lru_cache(maxsize=512)
def _load_view(text: str) -> SheetView:
    return SheetView.model_validate_json(text)


def view_of(state: Mapping[str, object]) -> SheetView | None:
    """Return the sheet view of a key's state, None if it holds none. Equal views are one object."""
    view = state.get("view")
    return None if view is None else _load_view(canonical_json(view))


def requested_of(items: tuple[Item, ...]) -> frozenset[str] | None:
    """Return the ids of columns and figures that the items ask for; None if there are none."""
    names = {
        str(item.params[name])
        for item in items
        if item.check in SHEET_CHECKS
        for name in ("column", "figure")
        if name in item.params
    }
    return frozenset(names) or None


def scopes_of(items: tuple[Item, ...]) -> tuple[tuple[str, tuple[str, ...]], ...]:
    """Return each scope's wording with the columns asked for it, in a fixed order."""
    found: dict[str, list[str]] = {}
    for item in items:
        if item.check == "scoped_cell":
            for name in item.params["scope_names"]:
                columns = found.setdefault(str(name), [])
                if item.params["column"] not in columns:
                    columns.append(str(item.params["column"]))
    return tuple((name, tuple(columns)) for name, columns in sorted(found.items()))


def judge_cell(cell: Cell | None, value: int, stale: frozenset[int]) -> Verdict:
    """Return how a settled cell compares with the right value.

    A cell that is missing, in conflict or of another value is a miss; so is one that the reply elsewhere labels with
    a stale value. Unsure: a reading that a person would have to ask about, or a labelled contradiction by no known
    stale value.
    """
    if cell is None or cell.state == Settled.CONFLICT:
        return Verdict.MISS
    if cell.state == Settled.UNSURE:
        return Verdict.UNSURE if value in cell.value.maybe else Verdict.MISS
    if value in cell.value.sure:
        if cell.others & (stale - {value}):
            return Verdict.MISS
        is_doubtful = bool(cell.others) or (cell.value.unordered and bool(cell.value.sure & (stale - {value})))
        return Verdict.UNSURE if is_doubtful else Verdict.HIT
    if value in cell.value.maybe:
        return Verdict.UNSURE
    if value in cell.others and not cell.value.sure & stale:
        return Verdict.UNSURE
    return Verdict.MISS


def _stale(item: Item) -> frozenset[int]:
    return frozenset(value for value in item.stale if isinstance(value, int))


@register("cell")
def check_cell(item: Item, context: ReplyContext, view: SheetView | None) -> Verdict:
    """Return whether row × column holds the value; params row, column, value."""
    row, column, value = item.params["row"], item.params["column"], item.params["value"]
    return judge_cell(context.sheet.cell(row, column), value, _stale(item))


@register("figure")
def check_figure(item: Item, context: ReplyContext, view: SheetView | None) -> Verdict:
    """Return whether a figure of the whole sheet holds the value; params figure, value."""
    figure, value = item.params["figure"], item.params["value"]
    return judge_cell(context.sheet.figure(figure), value, _stale(item))


@register("scoped_cell")
def check_scoped_cell(item: Item, context: ReplyContext, view: SheetView | None) -> Verdict:
    """Return whether row × column holds the value where a batch or day is named; params as cell, and scope_names."""
    row, column, value = item.params["row"], item.params["column"], item.params["value"]
    return judge_cell(context.sheet.cell(row, column, item.params["scope_names"]), value, _stale(item))


@register("absent")
def check_absent(item: Item, context: ReplyContext, view: SheetView | None) -> Verdict:
    """Return whether a row is not listed as live; params row.

    A row said to be cancelled, or listed with none, is absent. A reply that commits to no value at all has no sheet
    that the row could be absent from: a miss.
    """
    row, sheet = item.params["row"], context.sheet
    if row in sheet.live:
        return Verdict.UNSURE if row in sheet.cancelled else Verdict.MISS
    cells = [*sheet.cells.values(), *sheet.figures.values()]
    return Verdict.HIT if any(cell.state == Settled.ONE and cell.value.sure for cell in cells) else Verdict.MISS
