"""The shortest walk from a start through all stops, ending at the last one.

Lengths are whole micrometres, so that sums compare exactly; two routes that differ by less than a micrometre a leg
are one length for every reader.

Source: M. Held and R. M. Karp (1962), A dynamic programming approach to sequencing problems, Journal of SIAM 10(1).
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise, permutations

from generator.travel.truth.distance import micrometres
from generator.travel.truth.plane import Point

MOST_STOPS = 9
METRE = 10**6
"""Micrometres."""


@dataclass(frozen=True, slots=True)
class Stop:
    """A place to visit."""

    id: str
    point: Point


@dataclass(frozen=True, slots=True)
class WalkQuery:
    """From `start` through all stops, in the order in which they were named."""

    start: Point
    stops: tuple[Stop, ...]

    def __post_init__(self) -> None:
        if not 1 <= len(self.stops) <= MOST_STOPS:
            raise ValueError(f"from one to {MOST_STOPS} stops, not {len(self.stops)!r}")
        if len({stop.id for stop in self.stops}) < len(self.stops):
            raise ValueError("a stop is named twice")


def solve(query: WalkQuery) -> tuple[str, ...]:
    """Return the ids in the best order (Held and Karp): the best way into each stop for each set of stops seen.

    Of routes with equal sums, the one that visits earlier-named stops first.
    """
    legs, count = _legs(query), len(query.stops)
    best: dict[tuple[int, int], tuple[int, tuple[int, ...]]] = {(1 << i, i): (legs[-1][i], (i,)) for i in range(count)}
    for seen in range(1, 1 << count):
        for last in range(count):
            known = best.get((seen, last))
            if known is None:
                continue
            for new in range(count):
                if not seen >> new & 1:
                    found = known[0] + legs[last][new], (*known[1], new)
                    place = seen | 1 << new, new
                    best[place] = min(best.get(place, found), found)
    order = min(best[(1 << count) - 1, last] for last in range(count))[1]
    return tuple(query.stops[i].id for i in order)


def resolve(query: WalkQuery) -> tuple[str, ...]:
    """Return the order again, by depth-first search that turns back where a branch is no longer the best."""
    return search_routes(query, 1)[0][1]


def search_routes(query: WalkQuery, count: int = 2) -> list[tuple[float, tuple[str, ...]]]:
    """Return the `count` best routes as (metres, ids), best first, by branch and bound over float lengths.

    Floats that differ by less than a millimetre are one length, and then the earlier-named stop comes first.
    """
    found: list[tuple[float, tuple[int, ...]]] = []
    places = [query.start, *(stop.point for stop in query.stops)]
    steps = [[math.hypot(b.x_m - a.x_m, b.y_m - a.y_m) for b in places[1:]] for a in places]
    # However the rest is ordered, each stop is entered from somewhere: by its shortest step at least.
    least = [min(steps[at][to] for at in range(len(places)) if at != to + 1) for to in range(len(query.stops))]

    def walk(at: int, metres: float, done: tuple[int, ...], left: tuple[int, ...], bound: float) -> None:
        if len(found) == count and metres + bound > found[-1][0] + 0.001:
            return
        if not left:
            found.append((metres, done))
            found.sort(key=lambda route: (round(route[0], 3), route[1]))
            del found[count:]
            return
        row = steps[at]
        for index in sorted(left, key=row.__getitem__):
            rest = tuple(i for i in left if i != index)
            walk(index + 1, metres + row[index], (*done, index), rest, bound - least[index])

    everything = tuple(range(len(query.stops)))
    walk(0, 0.0, (), everything, sum(least))
    return [(metres, tuple(query.stops[i].id for i in order)) for metres, order in found]


def route_length(query: WalkQuery, order: Sequence[str]) -> int:
    """Return the micrometres of visiting the stops in this order.

    Raises:
        KeyError: An id is no stop of the query.
    """
    points = {stop.id: stop.point for stop in query.stops}
    places = [query.start, *(points[name] for name in order)]
    return sum(micrometres(a, b) for a, b in pairwise(places))


def edges(query: WalkQuery, near_share: float = 0.02, close_m: int = 50) -> tuple[str, ...]:
    """Return what makes the best route doubtful.

    `near-second`: the next best is less than `near_share` longer. `same-place`: two of start and stops are less
    than `close_m` apart, so that their order hardly matters. `one-stop`: nothing to decide.
    """
    found = []
    if len(query.stops) == 1:
        found.append("one-stop")
    else:
        best, second = search_routes(query, 2)
        if second[0] <= best[0] * (1 + near_share):
            found.append("near-second")
    places = [query.start, *(stop.point for stop in query.stops)]
    legs = [micrometres(a, b) for i, a in enumerate(places) for b in places[:i]]
    if min(legs) < close_m * METRE:
        found.append("same-place")
    return tuple(found)


def alternatives(query: WalkQuery) -> dict[str, tuple[str, ...]]:
    """Return the orders of solvers that err.

    `nearest-neighbour` always walks to the closest stop left, `by-distance-from-start` sorts once, `round-trip`
    also walks back, `as-named` does not look, `reversed` walks the best route backwards.
    """
    legs, ids = _legs(query), [stop.id for stop in query.stops]
    indices = range(len(ids))
    greedy: list[int] = []
    while len(greedy) < len(ids):
        at = greedy[-1] if greedy else -1
        greedy.append(min((i for i in indices if i not in greedy), key=lambda i: (legs[at][i], i)))
    return {
        "nearest-neighbour": tuple(ids[i] for i in greedy),
        "by-distance-from-start": tuple(ids[i] for i in sorted(indices, key=lambda i: (legs[-1][i], i))),
        "round-trip": tuple(ids[i] for i in _round_trip(legs)),
        "as-named": tuple(ids),
        "reversed": tuple(reversed(solve(query))),
    }


def _round_trip(legs: list[list[int]]) -> tuple[int, ...]:
    def length(order: tuple[int, ...]) -> int:
        way = zip((-1, *order), order, strict=False)
        return sum(legs[a][b] for a, b in way) + legs[-1][order[-1]]

    return min(permutations(range(len(legs) - 1)), key=lambda order: (length(order), order))


def _legs(query: WalkQuery) -> list[list[int]]:
    """Return micrometres from each place to each stop; the last row is the start's."""
    points = [stop.point for stop in query.stops]
    return [[micrometres(a, b) for b in points] for a in (*points, query.start)]
