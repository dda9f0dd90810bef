"""The straight-line distance between two places, in whole metres."""

from __future__ import annotations

import math
from dataclasses import dataclass
from decimal import ROUND_HALF_UP, Context, Decimal

from generator.travel.truth.plane import Point

_DIGITS = Context(prec=60)


@dataclass(frozen=True, slots=True)
class DistanceQuery:
    """From one place to another."""

    start: Point
    end: Point


def solve(query: DistanceQuery) -> int:
    """Return the metres, rounded: the integer root of four times the square is twice the distance.

    There are no ties, since the square of a whole number and a half is never a whole number.
    """
    return (math.isqrt(4 * _square(query)) + 1) // 2


def resolve(query: DistanceQuery) -> int:
    """Return it again, from the decimal root."""
    return int(exact_distance(query).quantize(Decimal(1), rounding=ROUND_HALF_UP))


def exact_distance(query: DistanceQuery) -> Decimal:
    """Return the metres to sixty digits."""
    x, y = (Decimal(query.end.x_m - query.start.x_m), Decimal(query.end.y_m - query.start.y_m))
    return _DIGITS.sqrt(_DIGITS.add(_DIGITS.multiply(x, x), _DIGITS.multiply(y, y)))


def micrometres(start: Point, end: Point) -> int:
    """Return the distance in whole micrometres, rounded down: sums of it compare without floats."""
    return math.isqrt(_square(DistanceQuery(start, end)) * 10**12)


def edges(query: DistanceQuery, close_m: int = 50) -> tuple[str, ...]:
    """Return what makes the answer useless: `too-close` within `close_m`, `one-axis` where no root is needed."""
    found = []
    if solve(query) < close_m:
        found.append("too-close")
    if query.start.x_m == query.end.x_m or query.start.y_m == query.end.y_m:
        found.append("one-axis")
    return tuple(found)


def alternatives(query: DistanceQuery) -> dict[str, int]:
    """Return the metres of solvers that err.

    `city-blocks` adds the two differences, `longer-side` takes the larger, `root-forgotten` leaves the square,
    `units-swapped` reads kilometres as metres, `from-origin` compares two distances from the origin.
    """
    x, y = abs(query.end.x_m - query.start.x_m), abs(query.end.y_m - query.start.y_m)
    origin = Point(0, 0)
    ways = [solve(DistanceQuery(origin, place)) for place in (query.start, query.end)]
    return {
        "city-blocks": x + y,
        "longer-side": max(x, y),
        "shorter-side": min(x, y),
        "root-forgotten": x * x + y * y,
        "units-swapped": (solve(query) + 500) // 1000,
        "from-origin": abs(ways[0] - ways[1]),
    }


def _square(query: DistanceQuery) -> int:
    x, y = query.end.x_m - query.start.x_m, query.end.y_m - query.start.y_m
    return x * x + y * y
