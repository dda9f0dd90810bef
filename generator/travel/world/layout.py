"""Where places stand: along the streets of a town, apart from each other, with a house number that fits."""

from __future__ import annotations

import math
from random import Random
from typing import NamedTuple

from generator.errors import GenError
from generator.travel.world.schema import Area
from generator.travel.world.town import Quarter, Street, Town

TRIES = 400
METRES_A_NUMBER = 12
SETBACK = (9, 32)


class Spot(NamedTuple):
    """A free plot: its area, address and point."""

    area: str
    address: str
    x: int
    y: int


class TownPlan:
    """Hands out plots, none twice and none closer to another than the town's spacing."""

    def __init__(self, town: Town) -> None:
        self._town = town
        self._taken: list[tuple[int, int]] = []
        self._numbers: set[tuple[str, int]] = set()

    def areas(self) -> tuple[Area, ...]:
        """Return the town's areas, each at the middle of its streets' ends."""
        return tuple(_area(quarter) for quarter in self._town.areas)

    def draw(self, riverside: bool, rng: Random) -> Spot:
        """Return a free plot; by the river if asked.

        Raises:
            GenError: The town is full.
        """
        streets = [(q, s) for q in self._town.areas for s in q.streets if s.riverside or not riverside]
        weights = [q.weight * _length(s) / sum(map(_length, q.streets)) for q, s in streets]
        for _ in range(TRIES):
            quarter, street = rng.choices(streets, weights)[0]
            spot = self._plot(quarter, street, rng)
            if spot is not None:
                return spot
        raise GenError(f"town {self._town.id!r}", "no room for another place", "add streets or choose a smaller size")

    def _plot(self, quarter: Quarter, street: Street, rng: Random) -> Spot | None:
        (x0, y0), (x1, y1) = street.ends
        length = _length(street)
        along, aside, left = rng.random() * length, rng.randint(*SETBACK), rng.random() < 0.5
        number = 2 * int(along / METRES_A_NUMBER) + (1 if left else 2)
        east, north = (x1 - x0) / length, (y1 - y0) / length
        sign = 1 if left else -1
        x = round(x0 + along * east - sign * aside * north)
        y = round(y0 + along * north + sign * aside * east)
        if (street.name, number) in self._numbers:
            return None
        if any(math.hypot(x - a, y - b) < self._town.spacing for a, b in self._taken):
            return None
        self._taken.append((x, y))
        self._numbers.add((street.name, number))
        address = self._town.address.format(number=number, street=street.name)
        return Spot(quarter.id, address, x, y)


def _area(quarter: Quarter) -> Area:
    ends = [end for street in quarter.streets for end in street.ends]
    x, y = (sum(e[i] for e in ends) // len(ends) for i in (0, 1))
    return Area(id=quarter.id, name=quarter.name, x=x, y=y)


def _length(street: Street) -> float:
    return math.dist(*street.ends)
