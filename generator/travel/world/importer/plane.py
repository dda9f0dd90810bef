"""From latitude and longitude to metres on a plane.

A local equirectangular projection: x and y are each a linear function of longitude and latitude. Where rows
carry both degrees and metres, the plane is fitted to them, so that both kinds of row share one map. Where none
does, it is laid through the south-west corner of all positions, with the lengths of a degree on the WGS 84
ellipsoid at their mean latitude. The error is that of holding the length of a degree of longitude constant:
relative east-west error at most tan(latitude) times the distance north or south of the mean, in radians: at
52 degrees and 20 km from the middle, 0.4 %. Lengths north-south err by less than 0.01 %.
Source of the lengths: NIMA TR8350.2, Department of Defense World Geodetic System 1984, 3rd ed. (2000), constants.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import NamedTuple

A = 6_378_137.0
E2 = 0.00669437999014
MIN_SPREAD = 0.001

Gps = tuple[float, float]
Metric = tuple[int, int]


class Plane(NamedTuple):
    """x = east * longitude + x0, y = north * latitude + y0; `fitted` is the number of rows it rests on."""

    east: float
    x0: float
    north: float
    y0: float
    fitted: int
    residual: float

    def place(self, gps: Gps) -> Metric:
        """Return the metres of a (latitude, longitude)."""
        return round(self.east * gps[1] + self.x0), round(self.north * gps[0] + self.y0)

    def describe(self) -> str:
        """Return how degrees became metres, for the report."""
        lengths = f"{self.east:.0f} m a degree east, {self.north:.0f} m a degree north"
        if self.fitted:
            rows = f"{self.fitted} rows with degrees and metres"
            return f"plane fitted to {rows}: {lengths}, off by {self.residual:.1f} m at most"
        return f"plane on WGS 84 through the south-west corner: {lengths}"


def degree_lengths(latitude: float) -> tuple[float, float]:
    """Return the metres of a degree of longitude and of latitude on the WGS 84 ellipsoid."""
    phi = math.radians(latitude)
    w = 1 - E2 * math.sin(phi) ** 2
    return math.radians(A * math.cos(phi) / math.sqrt(w)), math.radians(A * (1 - E2) / w**1.5)


def make_plane(both: Sequence[tuple[Gps, Metric]], gps: Sequence[Gps]) -> Plane | None:
    """Return the plane of a folder; None if no row has degrees.

    both: rows with degrees and metres. gps: the degrees of every row that has them.
    """
    if not gps:
        return None
    lat, lon, x, y = ([float(pair[i][j]) for pair in both] for i, j in ((0, 0), (0, 1), (1, 0), (1, 1)))
    if len(both) > 2 and max(lat) - min(lat) > MIN_SPREAD and max(lon) - min(lon) > MIN_SPREAD:
        (east, x0), (north, y0) = _line(lon, x), _line(lat, y)
        plane = Plane(east, x0, north, y0, len(both), 0.0)
        return plane._replace(residual=max(math.dist(plane.place(g), m) for g, m in both))
    east, north = degree_lengths(math.fsum(g[0] for g in gps) / len(gps))
    return Plane(east, -east * min(g[1] for g in gps), north, -north * min(g[0] for g in gps), 0, 0.0)


def _line(a: list[float], b: list[float]) -> tuple[float, float]:
    """Return slope and offset of the least-squares line of b over a."""
    n = len(a)
    mean_a, mean_b = math.fsum(a) / n, math.fsum(b) / n
    slope = math.fsum((p - mean_a) * (q - mean_b) for p, q in zip(a, b, strict=True)) / math.fsum(
        (p - mean_a) ** 2 for p in a
    )
    return slope, mean_b - slope * mean_a
