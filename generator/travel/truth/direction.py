"""Whether a place lies in a named direction from another: the 45-degree sector around it (eight of them)."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import Literal

from generator.travel.truth.plane import Point

Heading = Literal["north", "north-east", "east", "south-east", "south", "south-west", "west", "north-west"]
Reply = Literal["yes", "no", "unknown"]

HEADINGS: tuple[Heading, ...] = (
    "north", "north-east", "east", "south-east", "south", "south-west", "west", "north-west",
)  # fmt: skip
SECTOR_DEG = 45.0
_STEPS = {
    "north": (0, 1), "north-east": (1, 1), "east": (1, 0), "south-east": (1, -1),
    "south": (0, -1), "south-west": (-1, -1), "west": (-1, 0), "north-west": (-1, 1),
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class DirectionQuery:
    """Is `place` in the direction `asked` of `reference`?"""

    place: Point
    reference: Point
    asked: Heading


def solve(query: DirectionQuery) -> Reply:
    """Return yes or no, and unknown for one and the same point; in integers, so exact at every angle.

    The angle to the asked direction is below 22.5 degrees if its cosine is positive and its tangent t is below
    sqrt(2) - 1, that is t * t + 2 * t < 1; equality cannot occur between integers.
    """
    across, along = _turned(query)
    if not across and not along:
        return "unknown"
    across = abs(across)
    return "yes" if along > 0 and across * across + 2 * across * along < along * along else "no"


def resolve(query: DirectionQuery) -> Reply:
    """Return it again: the bearing in degrees, and which eighth of the circle it falls into."""
    bearing = bearing_deg(query)
    if bearing is None:
        return "unknown"
    return "yes" if HEADINGS[round(bearing / SECTOR_DEG) % 8] == query.asked else "no"


def bearing_deg(query: DirectionQuery) -> float | None:
    """Return the bearing of the place from the reference, clockwise from north in [0, 360); None at one point."""
    east, north = query.place.x_m - query.reference.x_m, query.place.y_m - query.reference.y_m
    return math.degrees(math.atan2(east, north)) % 360 if east or north else None


def margin_deg(query: DirectionQuery, width_deg: float = SECTOR_DEG) -> float:
    """Return how many degrees the bearing is from the nearer boundary of the asked sector; 0 at one point."""
    bearing = bearing_deg(query)
    if bearing is None:
        return 0.0
    off = abs((bearing - HEADINGS.index(query.asked) * SECTOR_DEG + 180) % 360 - 180)
    return abs(off - width_deg / 2)


def edges(query: DirectionQuery, near_deg: float = 10.0, close_m: int = 50) -> tuple[str, ...]:
    """Return what makes the answer doubtful.

    `near-boundary`: within `near_deg` degrees of the asked sector's boundary. `too-close`: the two are less than
    `close_m` metres apart in both coordinates.
    """
    found = []
    if margin_deg(query) < near_deg:
        found.append("near-boundary")
    if max(abs(query.place.x_m - query.reference.x_m), abs(query.place.y_m - query.reference.y_m)) < close_m:
        found.append("too-close")
    return tuple(found)


def answer_or_unknown(query: DirectionQuery, near_deg: float = 10.0) -> Reply:
    """Return yes or no with a margin, else unknown: for settings that declare that answer."""
    return "unknown" if edges(query, near_deg) else solve(query)


def alternatives(query: DirectionQuery) -> dict[str, Reply]:
    """Return the answers of solvers that err.

    `sign-only` asks whether one coordinate is larger, `quarter` takes 90 degrees, `reversed` looks from the
    place to the reference, `axes-swapped` takes x for north.
    """
    place, reference = (Point(p.y_m, p.x_m) for p in (query.place, query.reference))
    return {
        "sign-only": solve_by_sign(query),
        "quarter": solve_by_quarter(query),
        "reversed": solve(replace(query, place=query.reference, reference=query.place)),
        "axes-swapped": solve(DirectionQuery(place, reference, query.asked)),
    }


def solve_by_sign(query: DirectionQuery) -> Reply:
    """Return yes if the place is at all farther in the asked direction: the sign of one difference, no sector."""
    return "yes" if _turned(query)[1] > 0 else "no"


def solve_by_quarter(query: DirectionQuery) -> Reply:
    """Return yes within 45 degrees either side of the asked direction, the boundary included."""
    across, along = _turned(query)
    return "yes" if along > 0 and abs(across) <= along else "no"


def _turned(query: DirectionQuery) -> tuple[int, int]:
    """Return the cross and dot product of the way to the place with the asked direction, of equal scale."""
    east, north = query.place.x_m - query.reference.x_m, query.place.y_m - query.reference.y_m
    step_x, step_y = _STEPS[query.asked]
    return east * step_y - north * step_x, east * step_x + north * step_y
