"""World rows as tools show them, and back: JSON text for a reader, small typed rows for the tasks.

Money is a decimal text in major units, clock times are "HH:MM", weekdays are words of the language. A train that
arrives after midnight says `"next_day": true`; an opening that closes at or before it opens closes on the next day.
What the source does not say is left out. An empty list of hours is a closed day.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Sequence
from decimal import Decimal
from typing import Any, NamedTuple

from generator.travel.truth.plane import Point
from generator.travel.world.schema import DAY_MINUTES, Attraction, Hotel, Hours, Restaurant, Row, Table, Train, World

PLURAL: dict[Table, str] = {
    "attraction": "attractions", "hotel": "hotels", "restaurant": "restaurants", "train": "trains",
}  # fmt: skip
_CLOCK = re.compile(r"(\d{2}):(\d{2})")


class TrainRow(NamedTuple):
    """A train of one weekday; `arrives` beyond 1440 is the next day, fares are in minor units by class."""

    id: str
    origin: str
    destination: str
    day: int
    departs: int
    arrives: int
    fares: tuple[tuple[str, int], ...]

    def fare(self, travel_class: str) -> int | None:
        """Return the fare of a class, None if there is none."""
        return dict(self.fares).get(travel_class)


class PlaceRow(NamedTuple):
    """A place. rooms: (kind, sleeps, price a night). week: per weekday the (opens, closes) pairs, None if not said."""

    table: Table
    id: str
    name: str
    area: str
    kind: str
    point: Point
    band: str | None = None
    stars: int | None = None
    fee: int | None = None
    rooms: tuple[tuple[str, int, int], ...] = ()
    week: tuple[tuple[tuple[int, int], ...], ...] | None = None

    def room(self, kind: str) -> tuple[str, int, int] | None:
        """Return a kind of room, None if the hotel has none."""
        return next((r for r in self.rooms if r[0] == kind), None)


class Rows(NamedTuple):
    """The rows shown, in the order shown."""

    trains: tuple[TrainRow, ...] = ()
    places: tuple[PlaceRow, ...] = ()

    def place(self, name: str) -> PlaceRow | None:
        """Return a place by its name; None if it is not shown."""
        return next((p for p in self.places if p.name == name), None)

    def of(self, table: Table) -> tuple[PlaceRow, ...]:
        """Return the places of a table."""
        return tuple(p for p in self.places if p.table == table)


class Shower:
    """Writes rows of one world; texts are kept, since many instances show one row."""

    def __init__(self, world: World, weekdays: Sequence[str]) -> None:
        self.world, self.weekdays = world, tuple(weekdays)
        self.area_name = {a.id: a.name for a in world.areas}
        self._texts: dict[tuple[str, int], str] = {}
        self._rows: dict[tuple[str, int], TrainRow | PlaceRow] = {}

    def text(self, table: Table, rows: Sequence[Row], total: int, day: int = -1) -> str:
        """Return the result of a search as JSON."""
        body = ", ".join(self._row_text(row, day) for row in rows)
        return f'{{"total": {total}, "currency": "{self.world.currency}", "{PLURAL[table]}": [{body}]}}'

    def typed(self, row: Row, day: int = -1) -> TrainRow | PlaceRow:
        """Return a row as the tasks use it."""
        known = self._rows.get((row.id, day))
        if known is None:
            known = self._rows[row.id, day] = self._typed(row, day)
        return known

    def _row_text(self, row: Row, day: int) -> str:
        known = self._texts.get((row.id, day))
        if known is None:
            known = self._texts[row.id, day] = json.dumps(self._as_dict(row, day), ensure_ascii=False)
        return known

    def _as_dict(self, row: Row, day: int) -> dict[str, Any]:
        if isinstance(row, Train):
            late = {"next_day": True} if row.arrives >= DAY_MINUTES else {}
            fares = {f.travel_class: money(f.price) for f in row.fares}
            return {
                "id": row.id, "from": row.origin, "to": row.destination, "day": self.weekdays[day],
                "departs": clock(row.departs), "arrives": clock(row.arrives), **late, "fares": fares,
            }  # fmt: skip
        found: dict[str, Any] = {"id": row.id, "name": row.name}
        found |= {"cuisine": row.cuisine} if isinstance(row, Restaurant) else {"kind": row.kind}
        found |= {"area": self.area_name[row.area], "address": row.address, "location": [row.x, row.y]}
        found |= {"price_range": row.band} if row.band else {}
        if isinstance(row, Hotel):
            found |= {"stars": row.stars} if row.stars else {}
            found["rooms"] = {r.kind: {"sleeps": r.sleeps, "per_night": money(r.price)} for r in row.rooms}
            found["amenities"] = list(row.amenities)
        if isinstance(row, Attraction) and row.fee is not None:
            found["fee"] = money(row.fee)
        if isinstance(row, Restaurant) and row.per_head:
            found["per_head"] = money(row.per_head)
        if isinstance(row, Attraction | Restaurant) and row.hours is not None:
            found["hours"] = self._hours(row.hours)
        return {k: v for k, v in found.items() if v not in ("", None)}

    def _hours(self, hours: Hours) -> dict[str, list[str]]:
        return {
            self.weekdays[n]: [
                f"{clock(s.opens)}-{'24:00' if s.closes == DAY_MINUTES else clock(s.closes)}" for s in day
            ]
            for n, day in enumerate(hours.week)
        }

    def _typed(self, row: Row, day: int) -> TrainRow | PlaceRow:
        if isinstance(row, Train):
            fares = tuple((f.travel_class, f.price) for f in row.fares)
            return TrainRow(row.id, row.origin, row.destination, day, row.departs, row.arrives, fares)
        table: Table = (
            "hotel" if isinstance(row, Hotel) else "restaurant" if isinstance(row, Restaurant) else "attraction"
        )
        hours = None if isinstance(row, Hotel) else row.hours
        return PlaceRow(
            table, row.id, row.name, self.area_name[row.area],
            row.cuisine if isinstance(row, Restaurant) else row.kind, Point(row.x, row.y), row.band,
            row.stars if isinstance(row, Hotel) else None, row.fee if isinstance(row, Attraction) else None,
            tuple((r.kind, r.sleeps, r.price) for r in row.rooms) if isinstance(row, Hotel) else (),
            None if hours is None else tuple(tuple((s.opens, s.closes) for s in d) for d in hours.week),
        )  # fmt: skip


def read_result(text: str, weekdays: Sequence[str]) -> Rows | None:
    """Return the rows of a tool result; None if the text is no result of a search.

    Raises:
        ValueError: It is one, but a field is missing or unreadable.
    """
    try:
        found = json.loads(text)
    except json.JSONDecodeError:
        return None
    if not isinstance(found, dict) or "total" not in found:
        return None
    try:
        trains = tuple(_train(r, weekdays) for r in found.get("trains", ()))
        places = tuple(
            _place(table, r, weekdays)
            for table in ("attraction", "hotel", "restaurant")
            for r in found.get(PLURAL[table], ())
        )
    except (KeyError, TypeError, AttributeError) as error:
        raise ValueError(f"a row lacks or garbles {error}") from error
    return Rows(trains, places)


def join_rows(parts: Iterable[Rows]) -> Rows:
    """Return rows shown one after the other, each row once."""
    trains: dict[tuple[str, int], TrainRow] = {}
    places: dict[str, PlaceRow] = {}
    for part in parts:
        for train in part.trains:
            trains.setdefault((train.id, train.day), train)
        for place in part.places:
            places.setdefault(place.id, place)
    return Rows(tuple(trains.values()), tuple(places.values()))


def clock(minute: int) -> str:
    """Return "HH:MM" within the day."""
    return f"{minute % DAY_MINUTES // 60:02d}:{minute % 60:02d}"


def money(minor: int) -> str:
    """Return minor units as a decimal text: "17.10"."""
    return f"{minor // 100}.{minor % 100:02d}"


def minutes(text: str) -> int:
    """Return minutes of "HH:MM"; 24:00 is 1440.

    Raises:
        ValueError: It is no such time.
    """
    found = _CLOCK.fullmatch(text)
    if found is None or int(found[2]) > 59 or int(found[1]) * 60 + int(found[2]) > DAY_MINUTES:
        raise ValueError(f"no time: {text!r}")
    return 60 * int(found[1]) + int(found[2])


def _minor(text: str) -> int:
    return int(Decimal(text) * 100)


def _train(row: dict[str, Any], weekdays: Sequence[str]) -> TrainRow:
    fares = tuple((name, _minor(price)) for name, price in row["fares"].items())
    arrives = minutes(row["arrives"]) + (DAY_MINUTES if row.get("next_day") else 0)
    day = weekdays.index(row["day"])
    return TrainRow(row["id"], row["from"], row["to"], day, minutes(row["departs"]), arrives, fares)


def _place(table: Table, row: dict[str, Any], weekdays: Sequence[str]) -> PlaceRow:
    rooms = tuple((kind, r["sleeps"], _minor(r["per_night"])) for kind, r in row.get("rooms", {}).items())
    week = None
    if "hours" in row:
        week = tuple(tuple(_span(text) for text in row["hours"][day]) for day in weekdays)
    kind = row["cuisine"] if table == "restaurant" else row["kind"]
    fee = _minor(row["fee"]) if "fee" in row else None
    x, y = row["location"]
    return PlaceRow(
        table, row["id"], row["name"], row["area"], kind, Point(x, y), row.get("price_range"), row.get("stars"), fee,
        rooms, week,
    )  # fmt: skip


def _span(text: str) -> tuple[int, int]:
    opens, closes = (minutes(part) for part in text.split("-"))
    return opens, closes if closes > opens else closes + DAY_MINUTES
