"""What a reply commits to: values bound to cells and figures, and how several mentions of one cell settle."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from enum import IntEnum, StrEnum


class Strength(IntEnum):
    """How sheet-like the place of a value is; a stronger place outweighs a weaker one."""

    NOTE = 0
    PROSE = 1
    LINE = 2
    TABLE = 3


class Settled(StrEnum):
    """How the mentions of one cell add up."""

    ONE = "one"
    CONFLICT = "conflict"
    UNSURE = "unsure"


@dataclass(frozen=True, slots=True)
class Value:
    """The readings of one written value, as integers of its family.

    `sure` are readings of which any may be right (a date without a year, the factors of an unmarked product),
    `maybe` those that a careful person would ask about (2:00 for 14:00). Both empty: a value off the family's grid.
    """

    sure: frozenset[int]
    maybe: frozenset[int] = frozenset()
    unordered: bool = False


@dataclass(frozen=True, slots=True)
class Mention:
    """One place where the reply states a value of a cell (`row` given) or of a figure (`row` None)."""

    row: str | None
    column: str
    value: Value
    strength: Strength
    labelled: bool
    where: int
    scope: str | None = None
    corrected: bool = False
    doubtful: bool = False
    backup: bool = False


@dataclass(frozen=True, slots=True)
class Cell:
    """The settled value of a cell. `others` are values stated elsewhere that disagree with it."""

    state: Settled
    value: Value
    where: int
    others: frozenset[int] = frozenset()


@dataclass(slots=True)
class SheetReading:
    """All that one reply says about a sheet.

    `cells` are keyed (row id, column id, scope name or None), `figures` by figure id. `live` are rows that the
    reply lists, `cancelled` those that it says are off.
    """

    cells: dict[tuple[str, str, str | None], Cell] = field(default_factory=dict)
    figures: dict[str, Cell] = field(default_factory=dict)
    live: set[str] = field(default_factory=set)
    cancelled: set[str] = field(default_factory=set)
    zero: set[str] = field(default_factory=set)

    def cell(self, row: str, column: str, scopes: Iterable[str] | None = None) -> Cell | None:
        """Return the settled cell, None if the reply states none; `scopes` names batches or days, any of them."""
        for scope in scopes if scopes is not None else (None,):
            found = self.cells.get((row, column, scope))
            if found is not None:
                return found
        return None

    def figure(self, name: str) -> Cell | None:
        """Return the settled figure, None if the reply states none."""
        return self.figures.get(name)


def settle(mentions: list[Mention]) -> Cell | None:
    """Return what several mentions of one cell come to, in the order in which the reply makes them.

    A correction replaces what stood before it. Otherwise the strongest place decides; two values in places of equal
    strength are a conflict; a labelled value in a weaker place that disagrees is kept in `others`.
    """
    if not mentions:
        return None
    for index in range(len(mentions) - 1, -1, -1):
        if mentions[index].corrected and not mentions[index].doubtful:
            mentions = mentions[index:]
            break
    firm = [m for m in mentions if not m.doubtful and not m.backup] or [m for m in mentions if not m.doubtful]
    if not firm:
        every = frozenset().union(*(m.value.sure | m.value.maybe for m in mentions))
        return Cell(Settled.UNSURE, Value(frozenset(), every), mentions[0].where)
    top = max(m.strength for m in firm)
    best = [m for m in firm if m.strength == top]
    value = best[0].value
    for mention in best[1:]:
        merged = _meet(value, mention.value)
        if merged is None:
            every = frozenset().union(*(m.value.sure for m in best))
            return Cell(Settled.CONFLICT, Value(every), best[0].where, every)
        value = merged
    others: set[int] = set()
    for mention in firm:
        if mention.strength < top and mention.labelled and _meet(value, mention.value) is None:
            others |= mention.value.sure
    return Cell(Settled.ONE, value, best[0].where, frozenset(others))


def _meet(left: Value, right: Value) -> Value | None:
    """Return the readings that two statements share, None if they disagree."""
    sure = (left.sure & right.sure) | (left.sure & right.maybe) | (left.maybe & right.sure)
    if sure:
        return Value(sure, frozenset(), left.unordered and right.unordered)
    maybe = left.maybe & right.maybe
    return Value(frozenset(), maybe) if maybe else None
