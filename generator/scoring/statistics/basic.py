"""What every statistic here leans on: means, spreads, ranks, quantiles, and the words for "not defined".

A figure that is not defined is None and never NaN. Entries that are not finite are refused, so that a NaN
that came in from elsewhere cannot travel on into a page.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from statistics import NormalDist
from typing import NamedTuple

TINY = 1e-12
"""Differences below this are rounding noise: scores live in [0, 1] and are sums of few terms."""

LEVEL = 0.95
"""Confidence level of every interval unless another is asked for."""


class Interval(NamedTuple):
    """Lower and upper end, `low` <= `high`, in the unit of what is estimated."""

    low: float
    high: float


def finite(values: Iterable[float], what: str = "values") -> list[float]:
    """Return the values as a list of floats.

    Raises:
        ValueError: One of them is NaN or infinite.
    """
    found = [float(value) for value in values]
    for place, value in enumerate(found):
        if not math.isfinite(value):
            raise ValueError(f"{what}[{place}] is {value!r}: leave out what is not defined")
    return found


def same_length(one: Sequence[object], other: Sequence[object]) -> None:
    """Check that two sequences are aligned.

    Raises:
        ValueError: The lengths differ.
    """
    if len(one) != len(other):
        raise ValueError(f"lengths {len(one)} and {len(other)} differ: entries must be of the same units, in one order")


def check_level(level: float) -> None:
    """Check a confidence level.

    Raises:
        ValueError: It is not strictly between 0 and 1.
    """
    if not 0 < level < 1:
        raise ValueError(f"level {level!r} is not between 0 and 1")


def mean(values: Sequence[float]) -> float | None:
    """Return the arithmetic mean, shape (n,); None for no values."""
    return math.fsum(values) / len(values) if values else None


def variance(values: Sequence[float], ddof: int = 0) -> float | None:
    """Return the variance with divisor n - `ddof`; None where that divisor is not positive."""
    if len(values) - ddof < 1:
        return None
    centre = math.fsum(values) / len(values)
    return math.fsum((value - centre) ** 2 for value in values) / (len(values) - ddof)


def is_constant(values: Sequence[float]) -> bool:
    """Return whether the values do not vary beyond rounding noise; no values do not vary."""
    if not values:
        return True
    low, high = min(values), max(values)
    return high - low <= TINY * max(1.0, abs(low), abs(high))


def normal_quantile(level: float) -> float:
    """Return the two-sided standard normal quantile of a confidence level: 1.959964 for 0.95."""
    check_level(level)
    return NormalDist().inv_cdf((1 + level) / 2)


def normal_p(z: float) -> float:
    """Return the two-sided p-value of a standard normal statistic, in (0, 1]."""
    return math.erfc(abs(z) / math.sqrt(2))


def quantile(ordered: Sequence[float], share: float) -> float:
    """Return a quantile of values in ascending order, interpolated linearly (type 7, numpy's default).

    Raises:
        ValueError: There are no values, or `share` is outside [0, 1].

    Source: Hyndman and Fan (1996), definition 7.
    """
    if not ordered or not 0 <= share <= 1:
        raise ValueError(f"no quantile {share!r} of {len(ordered)} values")
    place = share * (len(ordered) - 1)
    below = math.floor(place)
    above = min(below + 1, len(ordered) - 1)
    return ordered[below] + (ordered[above] - ordered[below]) * (place - below)


def midranks(values: Sequence[float]) -> list[float]:
    """Return ranks from 1, ascending; tied values share the mean of their places. Shape (n,) to (n,)."""
    order = sorted(range(len(values)), key=values.__getitem__)
    ranks = [0.0] * len(values)
    start = 0
    while start < len(order):
        stop = start
        while stop < len(order) and values[order[stop]] == values[order[start]]:
            stop += 1
        for place in order[start:stop]:
            ranks[place] = (start + 1 + stop) / 2
        start = stop
    return ranks


def clip(value: float, low: float = 0.0, high: float = 1.0) -> float:
    """Return the value, moved to the nearer end where it lies outside [low, high]."""
    return min(high, max(low, value))
