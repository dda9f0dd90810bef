"""A ninth task: one module and its content."""

from __future__ import annotations

from random import Random

from generator.records import Frozen
from generator.travel.scene import Beat, Draft, HearingError, Scene, Told
from generator.travel.tasks.common import search_places, today_says
from generator.travel.tasks.protocol import TravelTask
from generator.travel.wording import say

Prices = tuple[tuple[str, int], ...]


class Knobs(Frozen):
    """hotels: how many are shown, both ends included."""

    hotels: tuple[int, int]


def draw(scene: Scene, knobs: Knobs, number: int, rng: Random) -> Draft:
    beat, _ = search_places(scene, "hotel", rng, *knobs.hotels)
    return Draft(
        (
            beat,
            Beat((say("want.double"), say("ask.cheapest-double"))),
        ),
        today_says(scene),
        {},
    )


def query(told: Told) -> Prices:
    told.one("want.double")
    found = [(row.name, room[2]) for row in told.rows.of("hotel") if (room := row.room("double")) is not None]
    if not found:
        raise HearingError("no double room is shown")
    return tuple(found)


def solve(prices: Prices) -> tuple[str, ...]:
    return (min(prices, key=lambda p: p[1])[0],)


def resolve(prices: Prices) -> tuple[str, ...]:
    return (sorted((price, name) for name, price in prices)[0][1],)


def edges(prices: Prices) -> tuple[str, ...]:
    costs = sorted(price for _, price in prices)
    if len(costs) < 2:
        return ("one-hotel",)
    return ("tie",) if costs[0] == costs[1] else ("first-is-right",) if solve(prices) == (prices[0][0],) else ()


def alternatives(prices: Prices) -> dict[str, tuple[str, ...]]:
    return {"dearest": (max(prices, key=lambda p: p[1])[0],), "first": (prices[0][0],)}


TASK = TravelTask(
    name="cheapest-double",
    reasoning="arithmetic",
    knowledge="commonsense",
    answer="list",
    domains=("hotels",),
    rules=("rule.price-of-a-night",),
    knobs=Knobs,
    draw=draw,
    query=query,
    solve=solve,
    resolve=resolve,
    edges=edges,
    alternatives=alternatives,
    failures=("dearest", "first"),
    shortcuts=("first",),
    candidates=lambda prices: tuple(name for name, _ in prices),
    params=lambda prices: {"candidates": [name for name, _ in prices]},
)
