"""How often trains run in a window: the mean gap between consecutive departures inside it.

A departure at the window's start is inside, one at its end too; instances with either are on an edge.
"""

from __future__ import annotations

import itertools
from collections import Counter
from dataclasses import dataclass
from fractions import Fraction

from generator.travel.truth.rounding import is_tie, round_half_up


@dataclass(frozen=True, slots=True)
class FrequencyQuery:
    """Departures of one service day and the window asked about, in minutes; past midnight is above 1440."""

    departures_min: tuple[int, ...]
    start_min: int
    end_min: int

    def __post_init__(self) -> None:
        if self.end_min <= self.start_min:
            raise ValueError(f"a window ends after its start, not {self.start_min!r}..{self.end_min!r}")


def inside(query: FrequencyQuery) -> tuple[int, ...]:
    """Return the departures inside the window, in order."""
    return tuple(sorted(d for d in query.departures_min if query.start_min <= d <= query.end_min))


def solve(query: FrequencyQuery) -> int | None:
    """Return the mean gap in tenths of a minute, rounded half up; None with fewer than two departures."""
    mean = exact_gap(query)
    return None if mean is None else round_half_up(10 * mean)


def resolve(query: FrequencyQuery) -> int | None:
    """Return it again: the time from first to last departure, shared by the gaps between."""
    kept = [d for d in query.departures_min if not (d < query.start_min or d > query.end_min)]
    gaps = len(kept) - 1
    return (20 * (max(kept) - min(kept)) + gaps) // (2 * gaps) if gaps > 0 else None


def exact_gap(query: FrequencyQuery) -> Fraction | None:
    """Return the mean gap in minutes before it is rounded, gap by gap."""
    gaps = _gaps(inside(query))
    return sum(map(Fraction, gaps), Fraction(0)) / len(gaps) if gaps else None


def edges(query: FrequencyQuery, near_min: int = 1) -> tuple[str, ...]:
    """Return what makes the answer doubtful.

    `too-few`: fewer than three departures, so there is no average. `rounding-tie`: a half tenth.
    `on-the-window`: a departure within `near_min` minutes of an end. `double-departure`: two in one minute.
    """
    found = []
    times = inside(query)
    if len(times) < 3:
        found.append("too-few")
    mean = exact_gap(query)
    if mean is not None and is_tie(10 * mean):
        found.append("rounding-tie")
    ends = (query.start_min, query.end_min)
    if any(abs(d - end) <= near_min for d in query.departures_min for end in ends):
        found.append("on-the-window")
    if len(set(times)) < len(times):
        found.append("double-departure")
    return tuple(found)


def alternatives(query: FrequencyQuery) -> dict[str, int | None]:
    """Return tenths of a minute from solvers that err; None where they find nothing.

    `window-per-train` divides the window by the trains, `gaps-miscounted` the span by the trains, `whole-day`
    looks at no window, `usual-gap` and `median-gap` take no mean, `first-gap` looks once.
    """
    times = inside(query)
    gaps = _gaps(times)
    ordered = tuple(sorted(query.departures_min))
    counts = Counter(gaps)
    return {
        "window-per-train": _tenths(query.end_min - query.start_min, len(times)),
        "gaps-miscounted": _tenths(times[-1] - times[0], len(times)) if times else None,
        "whole-day": _tenths(ordered[-1] - ordered[0], len(ordered) - 1) if ordered else None,
        "usual-gap": 10 * min(counts, key=lambda gap: (-counts[gap], gap)) if gaps else None,
        "median-gap": round_half_up(10 * _median(gaps)) if gaps else None,
        "first-gap": 10 * gaps[0] if gaps else None,
    }


def _gaps(times: tuple[int, ...]) -> list[int]:
    return [b - a for a, b in itertools.pairwise(times)]


def _tenths(minutes: int, parts: int) -> int | None:
    return round_half_up(Fraction(10 * minutes, parts)) if parts > 0 else None


def _median(values: list[int]) -> Fraction:
    ordered = sorted(values)
    middle = len(ordered) // 2
    return Fraction(ordered[middle] + ordered[-middle - 1], 2)
