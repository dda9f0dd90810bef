"""Distance: how far the hotel where a room is booked is from a restaurant, in a straight line."""

from __future__ import annotations

from functools import partial
from random import Random
from typing import NamedTuple

from generator.records import Frozen
from generator.travel.scene import Beat, Draft, RedrawError, Scene, Told
from generator.travel.tasks.common import pick, place_told, today_says
from generator.travel.tasks.errands import (
    Key,
    Range,
    book_rooms,
    can_sleep,
    keys_for,
    point_of,
    remark,
    visit,
)
from generator.travel.tasks.protocol import TravelTask
from generator.travel.truth import distance
from generator.travel.truth.distance import DistanceQuery
from generator.travel.wording import say
from generator.travel.world.schema import Hotel, Restaurant

LIKENESS = 3
"""Per cent of the answer by which a wrong way to it must miss it."""
SLANT = 0.4
"""Least share of the shorter side in the longer: a flatter line could be guessed from one side."""


class Band(NamedTuple):
    """Distances from `least` to below `most`, in metres."""

    name: str
    least: int
    most: int


BANDS = (Band("near", 50, 800), Band("walk", 800, 1600), Band("far", 1600, 3000), Band("out", 3000, 10_000))


class Knobs(Frozen):
    """How many hotels and how many restaurants the searches show; ranges are inclusive."""

    hotels: Range
    restaurants: Range


def draw(scene: Scene, knobs: Knobs, number: int, rng: Random) -> Draft:
    """Return a hotel with a room booked, and a restaurant at a distance of the band whose turn it is."""
    hotel, restaurant, band = _pair(scene, knobs, number, rng)
    stays, tables = _hotel_keys(scene, hotel, knobs), _table_keys(scene, restaurant, knobs)
    booking = partial(book_rooms, scene, hotel, rng)
    search, booked, look = visit(scene, rng, ("hotel", stays), booking, ("restaurant", tables))
    ask = say("ask.distance", h=hotel.name, r=restaurant.name)
    beats = (search, booked, look, Beat((*remark(rng, "chat.map"), ask)))
    return Draft(beats, today_says(scene), {"band": band.name})


def _hotel_keys(scene: Scene, hotel: Hotel, knobs: Knobs) -> list[Key]:
    return keys_for(scene.stage, "hotel", hotel, knobs.hotels)


def _table_keys(scene: Scene, restaurant: Restaurant, knobs: Knobs) -> list[Key]:
    return keys_for(scene.stage, "restaurant", restaurant, knobs.restaurants)


def _pair(scene: Scene, knobs: Knobs, number: int, rng: Random) -> tuple[Hotel, Restaurant, Band]:
    """Return a hotel and a restaurant, in the band of the number or, if the town has none, in the band nearest to it.

    Raises:
        RedrawError: No two are far enough apart in both coordinates.
    """
    turn = number % len(BANDS)
    hotels = [h for h in scene.stage.hotels if can_sleep(h) and _hotel_keys(scene, h, knobs)]
    rng.shuffle(hotels)
    for band in sorted(BANDS, key=lambda b: abs(BANDS.index(b) - turn)):
        for hotel in hotels:
            near = [r for r in _within(scene, hotel, band) if _table_keys(scene, r, knobs)]
            fitting = [r for r in near if not edges(DistanceQuery(point_of(hotel), point_of(r)))]
            if fitting:
                return hotel, pick(rng, fitting, "no restaurant"), band
    raise RedrawError("no hotel and restaurant far enough apart")


def _within(scene: Scene, hotel: Hotel, band: Band) -> list[Restaurant]:
    found = []
    for restaurant in scene.stage.restaurants:
        x, y = abs(restaurant.x - hotel.x), abs(restaurant.y - hotel.y)
        if band.least**2 <= x * x + y * y < band.most**2 and min(x, y) >= SLANT * max(x, y):
            found.append(restaurant)
    return found


def query(told: Told) -> DistanceQuery:
    """Return the two points that the question names."""
    asked = told.one("ask.distance")
    return DistanceQuery(place_told(told, asked["h"], "hotel").point, place_told(told, asked["r"], "restaurant").point)


def edges(asked: DistanceQuery) -> tuple[str, ...]:
    """Return why the two are on an edge: too close, or so placed that a wrong way comes close to the answer."""
    metres, wrong = distance.solve(asked), distance.alternatives(asked)
    ways = ("city-blocks", "longer-side", "shorter-side", "from-origin")
    near = tuple(f"{name}-is-close" for name in ways if 100 * abs(wrong[name] - metres) <= LIKENESS * metres)
    return (*distance.edges(asked), *near)


TASK = TravelTask(
    name="distance",
    reasoning="spatial",
    knowledge="formal",
    answer="distance",
    domains=("hotels", "restaurants"),
    rules=("rule.location", "rule.straight"),
    knobs=Knobs,
    draw=draw,
    query=query,
    solve=distance.solve,
    resolve=distance.resolve,
    edges=edges,
    alternatives=distance.alternatives,
    failures=("city-blocks", "longer-side", "shorter-side", "root-forgotten", "units-swapped", "from-origin"),
    shortcuts=("longer-side",),
)
