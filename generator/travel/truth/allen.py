"""The thirteen relations between two intervals.

Source: J. F. Allen (1983), Maintaining knowledge about temporal intervals, Communications of the ACM 26(11).
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum


class Relation(StrEnum):
    """Allen's relations of a first interval to a second, by his names."""

    BEFORE = "before"
    MEETS = "meets"
    OVERLAPS = "overlaps"
    STARTS = "starts"
    DURING = "during"
    FINISHES = "finishes"
    EQUAL = "equal"
    FINISHED_BY = "finished-by"
    CONTAINS = "contains"
    STARTED_BY = "started-by"
    OVERLAPPED_BY = "overlapped-by"
    MET_BY = "met-by"
    AFTER = "after"


@dataclass(frozen=True, order=True, slots=True)
class Interval:
    """A stretch of time from `start` up to `end`, in minutes; never empty."""

    start: int
    end: int

    def __post_init__(self) -> None:
        if self.end <= self.start:
            raise ValueError(f"an interval ends after its start, not {self.start!r}..{self.end!r}")

    @property
    def length(self) -> int:
        """Return the minutes from start to end."""
        return self.end - self.start


_R = Relation
_CONVERSE = {
    _R.BEFORE: _R.AFTER, _R.MEETS: _R.MET_BY, _R.OVERLAPS: _R.OVERLAPPED_BY, _R.STARTS: _R.STARTED_BY,
    _R.DURING: _R.CONTAINS, _R.FINISHES: _R.FINISHED_BY, _R.EQUAL: _R.EQUAL,
}  # fmt: skip
_CONVERSE |= {right: left for left, right in _CONVERSE.items()}

# The signs of (start - start, start - end, end - start, end - end) that each relation means.
_SIGNATURES: dict[tuple[int, int, int, int], Relation] = {
    (-1, -1, -1, -1): _R.BEFORE,
    (-1, -1, 0, -1): _R.MEETS,
    (-1, -1, 1, -1): _R.OVERLAPS,
    (0, -1, 1, -1): _R.STARTS,
    (1, -1, 1, -1): _R.DURING,
    (1, -1, 1, 0): _R.FINISHES,
    (0, -1, 1, 0): _R.EQUAL,
    (-1, -1, 1, 0): _R.FINISHED_BY,
    (-1, -1, 1, 1): _R.CONTAINS,
    (0, -1, 1, 1): _R.STARTED_BY,
    (1, -1, 1, 1): _R.OVERLAPPED_BY,
    (1, 0, 1, 1): _R.MET_BY,
    (1, 1, 1, 1): _R.AFTER,
}


def relate(first: Interval, second: Interval) -> Relation:
    """Return how the first interval lies to the second, deciding end by end."""
    if first.end < second.start:
        return _R.BEFORE
    if first.end == second.start:
        return _R.MEETS
    if second.end < first.start:
        return _R.AFTER
    if second.end == first.start:
        return _R.MET_BY
    if first.start == second.start:
        return _R.EQUAL if first.end == second.end else _R.STARTS if first.end < second.end else _R.STARTED_BY
    if first.end == second.end:
        return _R.FINISHES if first.start > second.start else _R.FINISHED_BY
    if first.start < second.start:
        return _R.OVERLAPS if first.end < second.end else _R.CONTAINS
    return _R.DURING if first.end < second.end else _R.OVERLAPPED_BY


def relate_by_points(first: Interval, second: Interval) -> Relation:
    """Return the same relation composed of the four relations between end points (Allen 1983, figure 2)."""
    return _SIGNATURES[
        _sign(first.start - second.start),
        _sign(first.start - second.end),
        _sign(first.end - second.start),
        _sign(first.end - second.end),
    ]


def converse(relation: Relation) -> Relation:
    """Return the relation of the second interval to the first."""
    return _CONVERSE[relation]


def _sign(difference: int) -> int:
    return (difference > 0) - (difference < 0)
