"""Direction: whether a sight lies in a named direction from the restaurant where a table is booked."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from random import Random
from typing import NamedTuple

from generator.records import Frozen
from generator.travel.answers import Raw
from generator.travel.scene import Beat, Draft, HearingError, RedrawError, Scene, Told
from generator.travel.tasks.common import place_told, today_says
from generator.travel.tasks.errands import (
    Key,
    Range,
    book_table,
    keys_for,
    point_of,
    remark,
    visit,
)
from generator.travel.tasks.protocol import TravelTask
from generator.travel.truth import direction
from generator.travel.truth.direction import HEADINGS, SECTOR_DEG, DirectionQuery, Heading
from generator.travel.wording import say
from generator.travel.world.schema import Attraction, Restaurant

FAR = 5
"""One `no` in so many lies far from the direction asked for; the others lie in a sector beside it."""


class Knobs(Frozen):
    """How many restaurants and how many sights the searches show; ranges are inclusive."""

    restaurants: Range
    attractions: Range


class Wanted(NamedTuple):
    """What an instance asks, and in which of the eight sectors, counted from north, the truth may lie."""

    reply: str
    asked: Heading
    sectors: tuple[int, ...]


def wanted_of(number: int, turned: int = 0) -> Wanted:
    """Return what instance number `number` asks: yes and no by turns, and every heading as often.

    A far `no` is one that a look from the wrong end, or with the two numbers of a location exchanged, takes for yes.
    `turned` is how many headings on from its own it asks.
    """
    turn = number // 2
    at = (turn + turned) % 8
    if number % 2 == 0:
        return Wanted("yes", HEADINGS[at], (at,))
    beside = ((at - 1) % 8, (at + 1) % 8)
    if turn % FAR != FAR - 1:
        return Wanted("no", HEADINGS[at], beside)
    mirrored = (2 - at) % 8
    sectors = dict.fromkeys(((at + 4) % 8, mirrored))
    return Wanted("no", HEADINGS[at], tuple(s for s in sectors if s not in (at, *beside)))


def draw(scene: Scene, knobs: Knobs, number: int, rng: Random) -> Draft:
    """Return a restaurant with a table booked, sights, and a direction."""
    wanted, restaurant, sight = _pair(scene, knobs, number, rng)
    tables, sights = _table_keys(scene, restaurant, knobs), _sight_keys(scene, sight, knobs)
    booking = partial(book_table, scene, restaurant, rng)
    search, booked, look = visit(scene, rng, ("restaurant", tables), booking, ("attraction", sights))
    ask = say("ask.direction", x=sight.name, h=wanted.asked, r=restaurant.name)
    beats = (search, booked, look, Beat((*remark(rng, "chat.map"), ask)))
    return Draft(beats, today_says(scene), {"class": wanted.reply, "heading": wanted.asked})


def _table_keys(scene: Scene, restaurant: Restaurant, knobs: Knobs) -> list[Key]:
    return keys_for(scene.stage, "restaurant", restaurant, knobs.restaurants)


def _sight_keys(scene: Scene, sight: Attraction, knobs: Knobs) -> list[Key]:
    return keys_for(scene.stage, "attraction", sight, knobs.attractions)


def _pair(scene: Scene, knobs: Knobs, number: int, rng: Random) -> tuple[Wanted, Restaurant, Attraction]:
    """Return what is asked and of which two places; a heading that a small town has not gives way to the next.

    Raises:
        RedrawError: No two places fit.
    """
    restaurants = [r for r in scene.stage.restaurants if _table_keys(scene, r, knobs)]
    sights = [a for a in scene.stage.attractions if _sight_keys(scene, a, knobs)]
    rng.shuffle(restaurants)
    for turned in range(len(HEADINGS)):
        wanted = wanted_of(number, turned)
        for restaurant in restaurants:
            fitting = _fitting(restaurant, sights, wanted)
            if fitting:
                return wanted, restaurant, rng.choice(fitting)
    raise RedrawError("no restaurant and sight shown that fit")


def _fitting(restaurant: Restaurant, sights: Sequence[Attraction], wanted: Wanted) -> list[Attraction]:
    """Return the sights in the sectors wanted, none on an edge."""
    reference = point_of(restaurant)
    found = []
    for sight in sights:
        asked = DirectionQuery(point_of(sight), reference, wanted.asked)
        bearing = direction.bearing_deg(asked)
        if bearing is not None and round(bearing / SECTOR_DEG) % 8 in wanted.sectors and not direction.edges(asked):
            found.append(sight)
    return found


def query(told: Told) -> DirectionQuery:
    """Return the two points and the direction: all three are in the question, the points in the data."""
    asked = told.one("ask.direction")
    heading = next((h for h in HEADINGS if h == asked["h"]), None)
    if heading is None:
        raise HearingError(f"{asked['h']!r} is no direction")
    sight, restaurant = place_told(told, asked["x"], "attraction"), place_told(told, asked["r"], "restaurant")
    return DirectionQuery(sight.point, restaurant.point, heading)


def alternatives(asked: DirectionQuery) -> dict[str, Raw]:
    """Return the answers of solvers that err, two of which do not look at the question."""
    return {**direction.alternatives(asked), "always-yes": "yes", "always-no": "no"}


TASK = TravelTask(
    name="direction",
    reasoning="spatial",
    knowledge="commonsense",
    answer="yesno",
    domains=("restaurants", "attractions"),
    rules=("rule.location", "rule.sectors", "rule.yes-or-no"),
    knobs=Knobs,
    draw=draw,
    query=query,
    solve=direction.solve,
    resolve=direction.resolve,
    edges=direction.edges,
    alternatives=alternatives,
    failures=("sign-only", "quarter", "reversed", "axes-swapped", "always-yes", "always-no"),
    shortcuts=("always-yes", "always-no"),
    # The heading in one of the languages that a reader knows: a reply may give a direction and no yes or no.
    params=lambda asked: {"ask": asked.asked},
)
