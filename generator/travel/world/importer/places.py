"""Rows of attractions, hotels and restaurants."""

from __future__ import annotations

import math
import re
from collections import Counter
from typing import Any

from generator.records import canonical_json
from generator.travel.world.importer.cells import (
    UNKNOWN,
    capitalise,
    clock_minutes,
    money,
    money_cell,
    position_cells,
    text_cell,
)
from generator.travel.world.importer.files import RawRow
from generator.travel.world.importer.hours_text import DAYS, read_hours_text
from generator.travel.world.importer.plane import Metric, Plane
from generator.travel.world.importer.rules import Tally
from generator.travel.world.schema import DAY_MINUTES, ROOM_ORDER, Hours, Room, RoomKind, Span, Table

KINDS = {
    "mutliple sports": "multiple sports",
    "swimmingpool": "swimming pool",
    "concerthall": "concert hall",
    "boat": "boat trip",
    "guest house": "guesthouse",
}
SLEEPS: dict[RoomKind, int] = {"single": 1, "double": 2, "family": 4}
AMENITIES = ("internet", "parking")
COMMON = {"id", "name", "address", "area", "location", "location_gps", "phone", "postcode", "pricerange", "type"}
OWN = {
    "attraction": {"entrance fee", "openhours"},
    "hotel": {"price", "stars", *AMENITIES},
    "restaurant": {"food", "openhours"},
}
GPS_TOLERANCE = 50
MAP_EDGE = 1_000_000
"""Metres from the origin beyond which a location cannot be one of this town: it counts as unreadable, as in metres."""


def read_place(
    row: RawRow, number: int, table: Table, plane: Plane | None, keep_private: bool, tally: Tally
) -> dict[str, Any] | None:
    """Return the fields of a place, ready for its model; None if the row is left out."""
    name = text_cell(row, "name", table, tally)
    area = text_cell(row, "area", table, tally)
    point = _point(row, table, plane, tally)
    if name is None or area is None or point is None:
        rule = "row-without-name" if name is None else "row-without-area" if area is None else "row-without-place"
        tally.note(rule, table, name or f"row {number}")
        return None
    for field in sorted(row.keys() - COMMON - OWN[table]):
        tally.note("field-unused", table, field)
    fields: dict[str, Any] = {
        "id": _id(row, number, table, tally),
        "name": capitalise(name, table, tally),
        "area": area.casefold(),
        "address": text_cell(row, "address", table, tally) or "",
        "x": point[0],
        "y": point[1],
        "band": _band(row, table, tally),
    }
    for field in ("phone", "postcode"):
        if keep_private:
            fields[field] = text_cell(row, field, table, tally)
        elif row.get(field):
            tally.note("private-dropped", table, field)
    reader = {"attraction": _attraction, "hotel": _hotel, "restaurant": _restaurant}[table]
    return fields | reader(row, fields, tally)


def settle_names(places: list[dict[str, Any]], table: Table, tally: Tally) -> list[dict[str, Any]]:
    """Return the places without repeated rows, and no two with one name."""
    kept: list[dict[str, Any]] = []
    seen: set[str] = set()
    for place in places:
        body = canonical_json({k: _plain(v) for k, v in place.items() if k != "id"})
        if body in seen:
            tally.note("row-repeated", table, place["name"])
        else:
            seen.add(body)
            kept.append(place)
    often = Counter(p["name"].casefold() for p in kept)
    taken = {name for name, n in often.items() if n == 1}
    for place in kept:
        if often[place["name"].casefold()] > 1:
            tally.note("name-repeated", table, place["name"])
            stem, number = f"{place['name']} ({place['area']}", 1
            place["name"] = f"{stem})"
            while place["name"].casefold() in taken:
                number += 1
                place["name"] = f"{stem} {number})"
            taken.add(place["name"].casefold())
    return kept


def _plain(value: Any) -> Any:
    if hasattr(value, "model_dump"):
        return value.model_dump(mode="json")
    return [_plain(v) for v in value] if isinstance(value, tuple) else value


def _id(row: RawRow, number: int, table: Table, tally: Tally) -> str:
    text = text_cell(row, "id", table, tally)
    if text is None:
        tally.note("id-missing", table, f"row {number}")
        return f"{table}-row{number}"
    clean = re.sub(r"[^A-Za-z0-9._-]", "-", text)[:40]
    if clean != text:
        tally.note("id-respelled", table, text)
    tally.note("id-prefixed", table, f"{table}-{clean}")
    return f"{table}-{clean}"


def _point(row: RawRow, table: Table, plane: Plane | None, tally: Tally) -> Metric | None:
    metres, degrees = position_cells(row)
    if plane is not None and degrees is not None:
        from_gps = plane.place(degrees)
        if metres is None and max(map(abs, from_gps)) > MAP_EDGE:
            return None
        if metres is None:
            tally.note("point-from-gps", table, f"{row.get('name')}: {degrees}")
            return from_gps
        if math.dist(metres, from_gps) > GPS_TOLERANCE:
            tally.note("gps-disagrees", table, f"{row.get('name')}: {math.dist(metres, from_gps):.0f} m")
    return metres


def _band(row: RawRow, table: Table, tally: Tally) -> str | None:
    text = text_cell(row, "pricerange", table, tally)
    if text is None or text.casefold() in {"free", "cheap", "moderate", "expensive"}:
        return text and text.casefold()
    tally.note("value-unreadable", table, f"pricerange: {text!r}")
    return None


def _kind(row: RawRow, table: Table, tally: Tally) -> str:
    text = (text_cell(row, "type", table, tally) or table).casefold()
    if text in KINDS:
        tally.note("kind-respelled", table, f"{text} -> {KINDS[text]}")
    return KINDS.get(text, text)


def _attraction(row: RawRow, fields: dict[str, Any], tally: Tally) -> dict[str, Any]:
    fee = money_cell(row, "entrance fee", "attraction", tally)
    if fee is not None and fields["band"] is not None and (fee == 0) != (fields["band"] == "free"):
        tally.note("price-band-disagrees", "attraction", f"{fields['name']}: {fee}, {fields['band']}")
    return {
        "kind": _kind(row, "attraction", tally),
        "fee": fee,
        "hours": _hours(row, "attraction", tally),
    }


def _hotel(row: RawRow, fields: dict[str, Any], tally: Tally) -> dict[str, Any]:
    text = text_cell(row, "stars", "hotel", tally)
    stars = int(text) if text and text in "012345" else None
    if stars == 0:
        tally.note("stars-zero", "hotel", fields["name"])
    elif text and stars is None:
        tally.note("value-unreadable", "hotel", f"stars of {fields['name']}: {text!r}")
    amenities = []
    for name in AMENITIES:
        says = str(row.get(name, "")).strip().casefold()
        if says == "yes":
            amenities.append(name)
        elif says != "no":
            tally.note("amenity-unreadable", "hotel", f"{name} of {fields['name']}: {says!r}")
    return {
        "kind": _kind(row, "hotel", tally),
        "stars": stars or None,
        "rooms": _rooms(row.get("price"), fields["name"], tally),
        "amenities": tuple(amenities),
    }


def _rooms(prices: Any, name: str, tally: Tally) -> tuple[Room, ...]:
    prices = prices if isinstance(prices, dict) else {}
    rooms: list[Room] = []
    for kind in sorted(prices.keys() - set(ROOM_ORDER)):
        tally.note("room-unreadable", "hotel", f"{name}: {kind}")
    for kind in ROOM_ORDER:
        if kind not in prices:
            tally.note("room-missing", "hotel", f"{kind} at {name}")
            continue
        text = str(prices[kind]).strip()
        price = None if text.casefold() in UNKNOWN else money(text, f"{kind} at {name}", "hotel", tally)
        if price is None or price <= 0:
            tally.note("room-unreadable", "hotel", f"{kind} at {name}: {text!r}")
            continue
        tally.note("room-capacity-assumed", "hotel", kind)
        rooms.append(Room(kind=kind, sleeps=SLEEPS[kind], price=price))
    if not rooms:
        tally.note("rooms-missing", "hotel", name)
    if len({room.price for room in rooms}) < len(rooms):
        tally.note("room-prices-equal", "hotel", name)
    return tuple(rooms)


def _restaurant(row: RawRow, fields: dict[str, Any], tally: Tally) -> dict[str, Any]:
    cuisine = text_cell(row, "food", "restaurant", tally)
    return {"cuisine": (cuisine or "unknown").casefold(), "hours": _hours(row, "restaurant", tally)}


def _hours(row: RawRow, table: Table, tally: Tally) -> Hours | None:
    value, name = row.get("openhours"), row.get("name")
    if isinstance(value, dict):
        return _hours_by_day(value, str(name), table, tally)
    if value is None or (isinstance(value, str) and value.strip().casefold() in UNKNOWN):
        tally.note("hours-unknown", table, f"{name}: {value!r}")
        return None
    reading = read_hours_text(str(value))
    for rule in reading.rules:
        tally.note(rule, table, str(value))
    return reading.hours


def _hours_by_day(value: dict[str, Any], name: str, table: Table, tally: Tally) -> Hours | None:
    """Return hours out of {weekday: {open, close}}, or a list of such a day's spans."""
    found: dict[str, Any] = {day.strip().casefold(): spans for day, spans in value.items()}
    week: list[tuple[Span, ...]] = []
    try:
        if found.keys() - set(DAYS):
            raise ValueError("a key is no weekday")
        for day in DAYS:
            if day not in found:
                tally.note("day-closed", table, f"{name}: {day}")
            spans = found.get(day, [])
            week.append(tuple(sorted(_span(s) for s in (spans if isinstance(spans, list) else [spans]))))
        hours = Hours.model_validate({"week": tuple(week)})
    except (AttributeError, TypeError, ValueError):  # pydantic's error is a ValueError
        tally.note("hours-unreadable", table, f"{name}: {value!r}")
        return None
    if any(span.closes > DAY_MINUTES for day_spans in week for span in day_spans):
        tally.note("hours-past-midnight", table, name)
    return hours


def _span(span: dict[str, Any]) -> Span:
    opens, closes = clock_minutes(str(span["open"])), clock_minutes(str(span["close"]))
    if opens is None or closes is None:
        raise ValueError("no clock time")
    return Span(opens, closes + DAY_MINUTES if closes <= opens else closes)
