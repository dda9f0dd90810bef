"""Windows of time that lie to an opening as one of Allen's relations says."""

from __future__ import annotations

from random import Random

from generator.travel.truth.allen import Interval, Relation
from generator.travel.world.schema import DAY_MINUTES

STEP = 15
EARLIEST, LATEST, DEEP_NIGHT = 6 * 60, DAY_MINUTES - STEP, DAY_MINUTES + 4 * 60
"""The first and last minute at which a window starts, and the last at which one ends."""
FAR = 12 * 60
MARGIN = 2 * 60
"""Minutes that a window may be longer than the opening that it holds."""
_R = Relation
_ZONES: dict[Relation, tuple[str, str]] = {
    _R.BEFORE: ("before", "before"), _R.MEETS: ("before", "opens"), _R.OVERLAPS: ("before", "inside"),
    _R.STARTS: ("opens", "inside"), _R.DURING: ("inside", "inside"), _R.FINISHES: ("inside", "closes"),
    _R.EQUAL: ("opens", "closes"), _R.FINISHED_BY: ("before", "closes"), _R.CONTAINS: ("before", "after"),
    _R.STARTED_BY: ("opens", "after"), _R.OVERLAPPED_BY: ("inside", "after"), _R.MET_BY: ("closes", "after"),
    _R.AFTER: ("after", "after"),
}  # fmt: skip
"""Where a window starts and ends, seen from an opening, for each relation of the window to it."""
RELATIONS = tuple(_ZONES)
WITHIN = frozenset({_R.STARTS, _R.DURING, _R.FINISHES, _R.EQUAL})
APART = frozenset({_R.BEFORE, _R.MEETS, _R.MET_BY, _R.AFTER})
WIDE = frozenset({_R.EQUAL, _R.FINISHED_BY, _R.CONTAINS, _R.STARTED_BY})
EARLY = frozenset({_R.BEFORE, _R.MEETS, _R.OVERLAPS, _R.STARTS})
"""Relations that no window over midnight has to an opening of an evening, unless it is very long."""


def draw_window(
    opening: Interval, relation: Relation, is_over_midnight: bool, lengths: tuple[int, int], rng: Random
) -> Interval | None:
    """Return a window that has a relation to an opening, None if this draw gives none of a likely length.

    Args:
        lengths: the fewest and the most minutes; a window that holds the opening may be longer.
    """
    begin, end = (_zone(name, opening) for name in _ZONES[relation])
    shortest, longest = lengths
    if relation in WIDE:
        longest = min(FAR, max(longest, opening.length + MARGIN))
    first = max(begin[0], EARLIEST, DAY_MINUTES + STEP - longest if is_over_midnight else 0)
    start = _on_grid(first, min(begin[1], LATEST), rng)
    if start is None:
        return None
    # Midnight itself is no end: nobody could tell whether "until 00:00" runs past it.
    low, high = (DAY_MINUTES + STEP, DEEP_NIGHT) if is_over_midnight else (0, LATEST)
    stop = _on_grid(max(end[0], start + shortest, low), min(end[1], start + longest, high), rng)
    return None if stop is None else Interval(start, stop)


def _zone(name: str, opening: Interval) -> tuple[int, int]:
    zones = {
        "before": (opening.start - FAR, opening.start - STEP),
        "opens": (opening.start, opening.start),
        "inside": (opening.start + STEP, opening.end - STEP),
        "closes": (opening.end, opening.end),
        "after": (opening.end + STEP, opening.end + FAR),
    }
    return zones[name]


def _on_grid(low: int, high: int, rng: Random) -> int | None:
    if low == high:
        return low
    minutes = range(-(-low // STEP) * STEP, high + 1, STEP)
    return rng.choice(minutes) if minutes else None
