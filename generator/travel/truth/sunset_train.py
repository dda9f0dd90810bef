"""The last departure that arrives before sunset; a train that arrives at the very minute is too late."""

from __future__ import annotations

import itertools
from dataclasses import dataclass

DAY = 1440


@dataclass(frozen=True, order=True, slots=True)
class Ride:
    """A train by its clock minutes; one that arrives after midnight arrives above 1440."""

    departs_min: int
    arrives_min: int

    def __post_init__(self) -> None:
        if self.arrives_min <= self.departs_min:
            raise ValueError(f"a train arrives after it leaves, not {self.departs_min!r} -> {self.arrives_min!r}")


@dataclass(frozen=True, slots=True)
class SunsetQuery:
    """The trains in the order shown, the minute of sunset, and the earliest minute of departure."""

    rides: tuple[Ride, ...]
    sunset_min: int
    earliest_min: int = 0


def clock_ride(departs: int, arrives: int) -> Ride:
    """Return the ride between two clock times of at most a day; arriving at or before departing is a day later."""
    return Ride(departs, arrives if arrives > departs else arrives + DAY)


def solve(query: SunsetQuery) -> int | None:
    """Return the minute of the last departure that fits; None if no train does."""
    fitting = [r.departs_min for r in query.rides if r.arrives_min < query.sunset_min]
    return max((d for d in fitting if d >= query.earliest_min), default=None)


def resolve(query: SunsetQuery) -> int | None:
    """Return it again: from the last train of the day backwards, the first that is there in daylight."""
    for ride in sorted(query.rides, reverse=True):
        if ride.departs_min < query.earliest_min:
            return None
        if query.sunset_min - ride.arrives_min > 0:
            return ride.departs_min
    return None


def edges(query: SunsetQuery, near_min: int = 3) -> tuple[str, ...]:
    """Return what makes the answer doubtful.

    `no-train`: nothing fits. `near-sunset`: a train arrives within `near_min` minutes of sunset.
    `overtaking`: a train that leaves later arrives earlier, so "the latest train" has two readings.
    """
    found = []
    if solve(query) is None:
        found.append("no-train")
    usable = sorted(r for r in query.rides if r.departs_min >= query.earliest_min)
    if any(abs(r.arrives_min - query.sunset_min) <= near_min for r in usable):
        found.append("near-sunset")
    if any(b.arrives_min <= a.arrives_min for a, b in itertools.pairwise(usable)):
        found.append("overtaking")
    return tuple(found)


def alternatives(query: SunsetQuery) -> dict[str, int | None]:
    """Return the departures (of `arrival-said` the arrival) that solvers give who err.

    `departs-before-sunset` forgets the journey; `first-too-late` takes the next train; `one-too-early` the one
    before; `same-hour-train-dropped` loses trains that arrive within the hour they leave in;
    `hour-before-sunset` guesses an hour's journey; `clock-change-ignored` has the sun set an hour earlier.
    """
    usable = sorted(r for r in query.rides if r.departs_min >= query.earliest_min)
    right = solve(query)
    later = [r.departs_min for r in usable if right is None or r.departs_min > right]
    sooner = [r.departs_min for r in usable if right is not None and r.departs_min < right]
    other_hours = tuple(r for r in usable if not leaves_and_arrives_in_one_hour(r))
    last = {r.departs_min: r for r in usable}
    return {
        "departs-before-sunset": max((r.departs_min for r in usable if r.departs_min < query.sunset_min), default=None),
        "hour-before-sunset": max(
            (r.departs_min for r in usable if r.departs_min < query.sunset_min - 60), default=None
        ),
        "first-too-late": min(later, default=None),
        "one-too-early": max(sooner, default=None),
        "same-hour-train-dropped": solve(SunsetQuery(other_hours, query.sunset_min)),
        "arrives-at-sunset": solve(SunsetQuery(tuple(usable), query.sunset_min + 1)),
        "clock-change-ignored": solve(SunsetQuery(tuple(usable), query.sunset_min - 60)),
        "arrival-said": last[right].arrives_min if right is not None else None,
        "first": usable[0].departs_min if usable else None,
        "last": usable[-1].departs_min if usable else None,
    }


def leaves_and_arrives_in_one_hour(ride: Ride) -> bool:
    """Return whether the clock shows the same hour at both ends."""
    return ride.departs_min // 60 % 24 == ride.arrives_min // 60 % 24
