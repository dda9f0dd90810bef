"""Points of a town map."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, order=True, slots=True)
class Point:
    """A place on the map: whole metres east and north of the origin."""

    x_m: int
    y_m: int
