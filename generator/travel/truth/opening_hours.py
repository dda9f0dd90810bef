"""Which places are open in a window: for all of it, or for at least so many minutes of it.

Windows and opening hours may cross midnight. Both ends count as open, so a place that closes when the window ends
is open for the entire time. Minutes of several openings within the window add up.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from generator.travel.truth.allen import Interval, Relation, relate, relate_by_points

DAY = 1440
_INSIDE = frozenset({Relation.EQUAL, Relation.STARTS, Relation.DURING, Relation.FINISHES})
_HOLDS = frozenset({Relation.EQUAL, Relation.STARTED_BY, Relation.CONTAINS, Relation.FINISHED_BY})
_APART = frozenset({Relation.BEFORE, Relation.MEETS, Relation.MET_BY, Relation.AFTER})


@dataclass(frozen=True, slots=True)
class Place:
    """A place with its openings, in minutes after the asked day's midnight; below 0 is the day before."""

    id: str
    openings: tuple[Interval, ...]


@dataclass(frozen=True, slots=True)
class HoursQuery:
    """A window on the asked day, and how many minutes of it a place must be open; None asks for all of it."""

    places: tuple[Place, ...]
    window: Interval
    at_least_min: int | None = None


def clock_interval(start: int, end: int) -> Interval:
    """Return the interval between two clock times; an end at or before the start is on the next day.

    Raises:
        ValueError: The two are the same: nobody can tell no time from a whole day.
    """
    if start == end:
        raise ValueError(f"from {start!r} to the same time is none or a whole day")
    return Interval(start, end if end > start else end + DAY)


def unroll(
    yesterday: tuple[int, int] | None, today: tuple[int, int] | None, tomorrow: tuple[int, int] | None
) -> tuple[Interval, ...]:
    """Return three days' (opens, closes) clock pairs as openings of the middle day; None is closed."""
    found = []
    for day, hours in enumerate((yesterday, today, tomorrow), start=-1):
        if hours is not None:
            opening = clock_interval(*hours)
            found.append(Interval(opening.start + day * DAY, opening.end + day * DAY))
    return tuple(found)


def join(openings: Sequence[Interval]) -> tuple[Interval, ...]:
    """Return the openings in order, those that touch or overlap as one."""
    joined: list[Interval] = []
    for opening in sorted(openings):
        if joined and opening.start <= joined[-1].end:
            joined[-1] = Interval(joined[-1].start, max(joined[-1].end, opening.end))
        else:
            joined.append(opening)
    return tuple(joined)


def solve(query: HoursQuery) -> tuple[str, ...]:
    """Return the ids of the places that fit, in the query's order, by the relation of window to opening."""
    return tuple(place.id for place in query.places if _fits(place, query))


def resolve(query: HoursQuery) -> tuple[str, ...]:
    """Return the ids again: hours as sets of minutes, kept as the bits of an integer."""
    origin = min([query.window.start, *(o.start for p in query.places for o in p.openings)])
    window = _bits(query.window, origin)
    found = []
    for place in query.places:
        is_open = 0
        for opening in place.openings:
            is_open |= _bits(opening, origin)
        shared = is_open & window
        wanted = query.window.length if query.at_least_min is None else query.at_least_min
        if shared.bit_count() >= wanted:
            found.append(place.id)
    return tuple(found)


def open_minutes(place: Place, window: Interval) -> int:
    """Return how many minutes of the window the place is open."""
    return sum(_shared(window, opening) for opening in join(place.openings))


def relations(query: HoursQuery) -> dict[str, tuple[Relation, ...]]:
    """Return, per place, how each of its joined openings lies to the window; for balancing and for reports."""
    return {p.id: tuple(relate_by_points(o, query.window) for o in join(p.openings)) for p in query.places}


def edges(query: HoursQuery, near_min: int = 5) -> tuple[str, ...]:
    """Return what makes the question doubtful.

    `impossible`: the window is shorter than what is asked. `near-threshold`: a place is within `near_min` minutes
    of the asked number, or that many short of being open throughout. `split-opening`: it is only together that
    several openings reach the number.
    """
    found = []
    need = query.at_least_min
    if need is not None and need > query.window.length:
        found.append("impossible")
    for place in query.places:
        minutes = open_minutes(place, query.window)
        short = (query.window.length if need is None else need) - minutes
        if (need is None and 0 < short <= near_min) or (need is not None and abs(short) <= near_min):
            found.append("near-threshold")
        longest = max((_shared(query.window, o) for o in join(place.openings)), default=0)
        if need is not None and longest < need <= minutes:
            found.append("split-opening")
    return tuple(dict.fromkeys(found))


def alternatives(query: HoursQuery) -> dict[str, tuple[str, ...]]:
    """Return the selections of solvers that err.

    `containment-inverted` wants the opening inside the window, `any-overlap` is content with a minute,
    `throughout` and `some-of-it` take the one demand for the other, `midnight-ignored` stops at 24:00,
    `opens-in-time` looks at the opening time alone; `all` and `none` do not look.
    """
    window, places = query.window, query.places
    today = Interval(window.start, min(window.end, DAY)) if window.start < DAY else window
    return {
        "containment-inverted": _select(places, lambda o: relate(window, o) in _HOLDS),
        "any-overlap": _select(places, lambda o: relate(window, o) not in _APART),
        "throughout": solve(HoursQuery(places, window)),
        "some-of-it": solve(HoursQuery(places, window, 60)),
        "midnight-ignored": solve(HoursQuery(places, today, query.at_least_min)),
        "opens-in-time": _select(places, lambda o: 0 <= o.start <= window.start),
        "all": tuple(p.id for p in places),
        "none": (),
    }


def _fits(place: Place, query: HoursQuery) -> bool:
    if query.at_least_min is None:
        return any(relate(query.window, opening) in _INSIDE for opening in join(place.openings))
    return open_minutes(place, query.window) >= query.at_least_min


def _shared(window: Interval, opening: Interval) -> int:
    relation = relate(window, opening)
    if relation in _APART:
        return 0
    if relation in _INSIDE:
        return window.length
    if relation in _HOLDS:
        return opening.length
    return window.end - opening.start if relation is Relation.OVERLAPS else opening.end - window.start


def _bits(interval: Interval, origin: int) -> int:
    return ((1 << interval.length) - 1) << (interval.start - origin)


def _select(places: Sequence[Place], is_chosen: Callable[[Interval], bool]) -> tuple[str, ...]:
    return tuple(p.id for p in places if any(is_chosen(o) for o in join(p.openings)))
