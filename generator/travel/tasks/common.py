"""What several tasks draw and read alike."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random
from typing import TypeVar

from generator.travel.scene import Beat, HearingError, RedrawError, Scene, Told
from generator.travel.shown import PlaceRow, TrainRow
from generator.travel.tools import Call
from generator.travel.wording import Say, say
from generator.travel.world.schema import Table

T = TypeVar("T")
_TOOLS: dict[Table, str] = {
    "hotel": "search_hotels", "restaurant": "search_restaurants", "attraction": "search_attractions",
}  # fmt: skip


def pick(rng: Random, values: Sequence[T], why: str) -> T:
    """Return one of the values.

    Raises:
        RedrawError: There is none.
    """
    if not values:
        raise RedrawError(why)
    return rng.choice(values)


def today_says(scene: Scene) -> tuple[Say, ...]:
    """Return what is said of date and time, in every setup."""
    return (say("today", date=scene.today, now=scene.now),)


def search_places(
    scene: Scene, table: Table, rng: Random, least: int, most: int, *, chat: tuple[Say, ...] = (), by: str = "any"
) -> tuple[Beat, Call]:
    """Return a beat in which the user looks for places and is told how many there are, and its call.

    `by` is "both" for area and kind, "one" for either of them, "any" for whatever fits. The search finds `least` to
    `most` rows.

    Raises:
        RedrawError: No search finds as many.
    """
    fitting = [
        key
        for key, count in scene.stage.searchable(table).items()
        if least <= count <= most and (by == "any" or (None not in key) == (by == "both"))
    ]
    area, kind = pick(rng, fitting, f"no search for {table}s finds {least} to {most}")
    call = find_places(scene, table, area, kind)
    args = ({"area": area} if area else {}) | ({"kind": kind} if kind else {})
    assert call.rows is not None
    found = say(f"found.{table}s", n=len(call.rows.places))
    return Beat((*chat, say(f"want.{table}s", **args)), (call,), (found,)), call


def find_places(scene: Scene, table: Table, area: str | None, kind: str | None, name: str | None = None) -> Call:
    """Return a search for places as the assistant makes it."""
    word = "cuisine" if table == "restaurant" else "kind"
    given = {"area": area, word: kind, "name": name}
    return scene.desk.call(_TOOLS[table], {k: v for k, v in given.items() if v is not None})


def find_trains(scene: Scene, origin: str, destination: str, day: int, **times: str) -> Call:
    """Return a search for trains; `times` may be after and before, as "HH:MM"."""
    weekday = scene.stage.book.words.weekdays[day]
    return scene.desk.call("search_trains", {"origin": origin, "destination": destination, "day": weekday, **times})


def place_told(told: Told, name: object, table: Table) -> PlaceRow:
    """Return the row of a place that was named.

    Raises:
        HearingError: It is not shown, or is another kind of place.
    """
    row = told.rows.place(str(name))
    if row is None or row.table != table:
        raise HearingError(f"no {table} {name!r} is shown")
    return row


def trains_told(told: Told, origin: object, destination: object, day: object) -> tuple[TrainRow, ...]:
    """Return the trains shown of a route and weekday.

    Raises:
        HearingError: There is none.
    """
    found = tuple(t for t in told.rows.trains if (t.origin, t.destination, t.day) == (origin, destination, day))
    if not found:
        raise HearingError(f"no train from {origin!r} to {destination!r} is shown")
    return found
