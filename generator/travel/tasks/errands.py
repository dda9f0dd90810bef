"""What the tasks about places share: searches that find one given place, and bookings that can be kept."""

from __future__ import annotations

import datetime as dt
import json
from collections.abc import Callable, Iterable, Sequence
from random import Random
from typing import Any

from generator.travel.scene import Beat, RedrawError, Scene, Stage
from generator.travel.shown import PlaceRow, clock
from generator.travel.tasks.common import find_places, pick
from generator.travel.tools import Call
from generator.travel.truth.plane import Point
from generator.travel.wording import Say, say
from generator.travel.world.perturb_specs import kind_of
from generator.travel.world.schema import Attraction, Hotel, Hours, Restaurant, Table

Key = tuple[str | None, str | None]
Site = Attraction | Hotel | Restaurant
Range = tuple[int, int]

CHATTY = 0.8
"""How often an optional remark is made."""
QUARTER_HOUR = 15
MEALS = (*range(12 * 60, 13 * 60 + 45, QUARTER_HOUR), *range(18 * 60, 20 * 60 + 45, QUARTER_HOUR))
"""Minutes for which most people book a table."""
WAKING = range(8 * 60, 21 * 60 + 1, QUARTER_HOUR)
"""Minutes to fall back on, where a kitchen serves breakfast only."""
SITTING = (0, 30, 60)
"""Minutes after the arrival at which the restaurant must be open."""


def remark(rng: Random, kind: str) -> tuple[Say, ...]:
    """Return a remark that says nothing, or most of the time: now and then people make none."""
    return (say(kind),) if rng.random() < CHATTY else ()


def point_of(row: Site) -> Point:
    """Return where a place is."""
    return Point(row.x, row.y)


def keys_for(stage: Stage, table: Table, row: Site, shown: Range) -> list[Key]:
    """Return the searches, by area and kind, that find a place among as many rows as `shown` allows."""
    area, kind, counts = stage.area_name[row.area], kind_of(row), stage.searchable(table)
    keys: tuple[Key, ...] = ((area, kind), (area, None), (None, kind))
    return [key for key in keys if shown[0] <= counts[key] <= shown[1]]


def search_by(scene: Scene, table: Table, key: Key, chat: tuple[Say, ...] = ()) -> tuple[Beat, Call]:
    """Return the beat of a search by area and kind, and its call."""
    area, kind = key
    call = find_places(scene, table, area, kind)
    args = ({"area": area} if area else {}) | ({"kind": kind} if kind else {})
    assert call.rows is not None
    found = say(f"found.{table}s", n=len(call.rows.places))
    return Beat((*chat, say(f"want.{table}s", **args)), (call,), (found,)), call


def check_names(stage: Stage, calls: Iterable[Call], told: Sequence[str] = ()) -> None:
    """Check that names tell places apart: no two places shown share one, and of those told none holds another.

    Raises:
        RedrawError: They do not.
    """
    ids: dict[str, str] = {}
    for row in (row for call in calls if call.rows for row in call.rows.places):
        if ids.setdefault(row.name.casefold(), row.id) != row.id:
            raise RedrawError("two places shown share a name")
    folded = [name.casefold() for name in told]
    if any(a in b for i, a in enumerate(folded) for j, b in enumerate(folded) if i != j):
        raise RedrawError("a name holds another")


def tell_of(row: PlaceRow) -> Say:
    """Return what the assistant says of a place shown: its kind and its area."""
    kind = "tell.restaurant" if row.table == "restaurant" else "tell.place"
    return say(kind, x=row.name, kind=row.kind, area=row.area)


def book_table(scene: Scene, restaurant: Restaurant, rng: Random) -> Beat:
    """Return the beat in which a table is booked within a week, at a time at which the restaurant is open.

    Raises:
        RedrawError: It is never open for an hour by day.
    """
    date, minute = _sitting(restaurant.hours, scene.today, rng)
    args: dict[str, Any] = {"r": restaurant.name, "date": date, "t": minute, "g": rng.randint(2, 8)}
    call = scene.desk.call(
        "book_table",
        {"restaurant": restaurant.name, "date": _iso(date), "time": clock(minute), "people": args["g"]},
    )
    _check_done(call)
    return Beat((say("wish.table", **args),), (call,), (say("booked.table", **args),))


def _sitting(hours: Hours | None, today: int, rng: Random) -> tuple[int, int]:
    if hours is None:
        raise RedrawError("a restaurant whose hours are not known")
    for date in rng.sample(range(today + 1, today + 8), 7):
        weekday = (date - 1) % 7
        for minutes in (MEALS, WAKING):
            free = [t for t in minutes if all(hours.is_open(weekday, t + late) for late in SITTING)]
            if free:
                return date, rng.choice(free)
    raise RedrawError("a restaurant that is never open for an hour by day")


def can_sleep(hotel: Hotel) -> bool:
    """Return whether a hotel has a room for two or more."""
    return any(room.sleeps > 1 for room in hotel.rooms)


def book_rooms(scene: Scene, hotel: Hotel, rng: Random) -> Beat:
    """Return the beat in which a room is booked, for as many as it sleeps or one less.

    Raises:
        RedrawError: The hotel has no room for two.
    """
    room = pick(rng, [r for r in hotel.rooms if r.sleeps > 1], "a hotel without a room for two")
    guests, nights = rng.randint(max(2, room.sleeps - 1), room.sleeps), rng.randint(3, 6)
    date = scene.today + rng.randint(2, 40)
    call = scene.desk.call(
        "book_hotel",
        {
            "hotel": hotel.name, "arrival": _iso(date), "nights": nights,
            "rooms": [{"room": room.kind, "guests": guests}],
        },
    )  # fmt: skip
    _check_done(call)
    args: dict[str, Any] = {"h": hotel.name, "r": room.kind, "date": date, "n": nights}
    return Beat((say("wish.rooms", **args, g=guests),), (call,), (say("booked.rooms", **args),))


def _iso(date: int) -> str:
    return dt.date.fromordinal(date).isoformat()


def _check_done(call: Call) -> None:
    assert json.loads(call.result)["ok"], f"a booking that was made sure of is refused: {call.arguments}"


def visit(
    scene: Scene, rng: Random, first: tuple[Table, Sequence[Key]], booking: Callable[[], Beat],
    second: tuple[Table, Sequence[Key]],
) -> tuple[Beat, Beat, Beat]:  # fmt: skip
    """Return a search, a booking at one of the places found, and another search, one of its places being described.

    Raises:
        RedrawError: Nothing can be booked, or a name cannot be told.
    """
    stage = scene.stage
    search, found = search_by(scene, first[0], rng.choice(first[1]), remark(rng, "chat.hello"))
    search = search._replace(assistant=(*search.assistant, *remark(rng, "chat.which-one")))
    booked = booking()
    booked = booked._replace(assistant=(*booked.assistant, *remark(rng, "chat.anything-else")))
    look, seen = search_by(scene, second[0], rng.choice(second[1]), remark(rng, "chat.thanks"))
    check_names(stage, (found, seen))
    assert seen.rows is not None
    nameable = {p.name for p in (*stage.attractions, *stage.restaurants)}
    told = rng.choice([row for row in seen.rows.places if row.name in nameable])
    return search, booked, look._replace(assistant=(*look.assistant, tell_of(told)))
