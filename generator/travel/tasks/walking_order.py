"""Walking order: in which order to see the sights chosen so that the walk from the hotel is the shortest."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from functools import lru_cache
from random import Random
from typing import Any

from pydantic import Field

from generator.records import Frozen
from generator.travel.scene import Beat, Draft, HearingError, RedrawError, Scene, Told
from generator.travel.tasks.common import pick, place_told, today_says
from generator.travel.tasks.errands import (
    Key,
    Range,
    check_names,
    keys_for,
    point_of,
    remark,
    search_by,
    tell_of,
)
from generator.travel.tasks.protocol import TravelTask
from generator.travel.tools import Call
from generator.travel.truth import walking_order
from generator.travel.truth.distance import micrometres
from generator.travel.truth.walking_order import Stop, WalkQuery
from generator.travel.wording import say
from generator.travel.world.schema import Hotel

EASY_TURN = 4
"""In one number of so many, going to the nearest sight each time may be right."""
CHOICES = 24
"""Sets of sights that one draw looks at before it gives up its searches."""
CLOSE_M = 50


class Knobs(Frozen):
    """Ranges are inclusive.

    hotels: how many the search shows. sights: how many each search shows. searches: for sights. stops: how many of
    the sights are chosen. reach: metres from the hotel beyond which nobody walks.
    """

    hotels: Range
    sights: Range
    searches: Range
    stops: Range
    reach: int = Field(ge=500)


def draw(scene: Scene, knobs: Knobs, number: int, rng: Random) -> Draft:
    """Return a hotel, sights shown, and those chosen, named in an order that is not the best."""
    stage = scene.stage
    hotel = pick(rng, stage.hotels, "no hotels")
    stays = keys_for(stage, "hotel", hotel, knobs.hotels)
    if not stays:
        raise RedrawError("no search shows so many hotels")
    stops, keys = _searches(scene, knobs, number, rng)
    looks = [search_by(scene, "attraction", key) for key in keys]
    walk = _choose(_reachable(scene, hotel, [call for _, call in looks], knobs.reach), hotel, stops, number, rng)
    names = tuple(stop.id for stop in walk.stops)
    search, found = search_by(scene, "hotel", rng.choice(stays), remark(rng, "chat.hello"))
    check_names(stage, (found, *(call for _, call in looks)), names)
    search = search._replace(assistant=(*search.assistant, *remark(rng, "chat.which-one")))
    last = (*remark(rng, "chat.chosen"), say("visit.sights", x=names), say("ask.walking-order"))
    take = Beat((say("take.hotel", h=hotel.name),), (), (say("chat.noted"), *remark(rng, "chat.anything-else")))
    beats = (search, take, *_tell(scene, looks, rng), Beat(last))
    nearest = _nearest_first(walk) == walking_order.solve(walk)
    return Draft(beats, today_says(scene), {"stops": str(stops), "nearest": "right" if nearest else "wrong"})


def _searches(scene: Scene, knobs: Knobs, number: int, rng: Random) -> tuple[int, list[Key]]:
    """Return how many sights are chosen, and searches that find more than that, none of them twice.

    Raises:
        RedrawError: There are none.
    """
    counts = scene.stage.searchable("attraction")
    fitting = [key for key, count in counts.items() if knobs.sights[0] <= count <= knobs.sights[1]]
    keys = [pick(rng, fitting, "no search shows so many sights")]
    for _ in range(1, rng.randint(*knobs.searches)):
        keys.append(pick(rng, [k for k in fitting if all(_are_apart(k, other) for other in keys)], "no second search"))
    least, most = knobs.stops
    stops = least + number // EASY_TURN % (most - least + 1)
    # A small town shows fewer sights than some numbers would have chosen.
    stops = min(stops, max(least, sum(sorted(counts[key] for key in fitting)[-knobs.searches[1] :]) - 1))
    if sum(counts[key] for key in keys) <= stops:
        raise RedrawError("no more sights shown than chosen")
    return stops, keys


def _are_apart(one: Key, other: Key) -> bool:
    """Return whether no sight can be found by both of two searches."""
    return any(None not in pair and pair[0] != pair[1] for pair in zip(one, other, strict=True))


def _reachable(scene: Scene, hotel: Hotel, calls: Sequence[Call], reach: int) -> list[Stop]:
    """Return the sights shown that can be named and are near enough to walk to."""
    start, nameable = point_of(hotel), {a.name for a in scene.stage.attractions}
    rows = [row for call in calls if call.rows for row in call.rows.places if row.name in nameable]
    return [
        Stop(row.name, row.point)
        for row in rows
        if math.hypot(row.point.x_m - start.x_m, row.point.y_m - start.y_m) <= reach
    ]


def _choose(near: list[Stop], hotel: Hotel, stops: int, number: int, rng: Random) -> WalkQuery:
    """Return a walk to some of the sights that no short cut orders right, but for the nearest one first by turns.

    Raises:
        RedrawError: None was found.
    """
    if len(near) < stops:
        raise RedrawError("too few sights within reach")
    for _ in range(CHOICES):
        walk = WalkQuery(point_of(hotel), tuple(rng.sample(near, stops)))
        # Most sets fail here, so this comes before the edges, which cost more.
        if number % EASY_TURN and _nearest_first(walk) == walking_order.resolve(walk):
            continue
        if not edges(walk):
            return walk
    raise RedrawError("short cuts give the best order")


def _nearest_first(walk: WalkQuery) -> tuple[str, ...]:
    """Return the order of one who always goes to the nearest sight left."""
    at, left, order = walk.start, list(walk.stops), []
    while left:
        stop = min(left, key=lambda s: micrometres(at, s.point))
        left.remove(stop)
        order.append(stop.id)
        at = stop.point
    return tuple(order)


def _tell(scene: Scene, looks: Sequence[tuple[Beat, Call]], rng: Random) -> list[Beat]:
    """Return the searches for sights, the assistant saying what one of those shown is."""
    nameable = {a.name for a in scene.stage.attractions}
    beats = []
    for number, (beat, call) in enumerate(looks):
        rows = [row for row in (call.rows.places if call.rows else ()) if row.name in nameable]
        told = (tell_of(rng.choice(rows)),) if rows and rng.random() < 0.5 else ()
        thanks = remark(rng, "chat.more-sights" if number else "chat.thanks")
        beats.append(beat._replace(user=(*thanks, *beat.user), assistant=(*beat.assistant, *told)))
    return beats


def query(told: Told) -> WalkQuery:
    """Return the walk: from the hotel taken, to the sights named, in the order named."""
    start = place_told(told, told.one("take.hotel")["h"], "hotel").point
    told.one("ask.walking-order")
    names = told.one("visit.sights")["x"]
    if not isinstance(names, tuple):
        raise HearingError(f"{names!r} is no list of names")
    stops = tuple(Stop(name, place_told(told, name, "attraction").point) for name in names)
    try:
        return WalkQuery(start, stops)
    except ValueError as error:
        raise HearingError(str(error)) from error


@lru_cache(maxsize=16)
def alternatives(walk: WalkQuery) -> Mapping[str, tuple[str, ...]]:
    """Return the wrong orders; the walk last chosen is asked for them again when it is checked and worded."""
    return walking_order.alternatives(walk)


@lru_cache(maxsize=16)
def edges(walk: WalkQuery) -> tuple[str, ...]:
    """Return why the walk is on an edge: two orders as good as each other, or one that needs no thought."""
    faults = walking_order.edges(walk, close_m=CLOSE_M)
    if faults:
        return faults
    best, wrong = walking_order.solve(walk), alternatives(walk)
    ruled = ("as-named", "by-distance-from-start", "reversed")
    return tuple(f"{name}-is-right" for name in ruled if wrong[name] == best)


def candidates(walk: WalkQuery) -> tuple[str, ...]:
    """Return the names to be put in order, in the order in which they were told."""
    return tuple(stop.id for stop in walk.stops)


def params(walk: WalkQuery) -> dict[str, Any]:
    """Return what a check of the reply needs: the names."""
    return {"candidates": list(candidates(walk))}


TASK = TravelTask(
    name="walking-order",
    reasoning="spatial",
    knowledge="formal",
    answer="order",
    domains=("hotels", "attractions"),
    rules=("rule.location", "rule.walking", "rule.walk-ends", "rule.walk-shortest"),
    knobs=Knobs,
    draw=draw,
    query=query,
    solve=walking_order.solve,
    resolve=walking_order.resolve,
    edges=edges,
    alternatives=alternatives,
    failures=("nearest-neighbour", "by-distance-from-start", "round-trip", "as-named", "reversed"),
    shortcuts=("as-named", "by-distance-from-start", "nearest-neighbour"),
    candidates=candidates,
    params=params,
)
