"""Reading single cells of a row: text, money, clock times, positions."""

from __future__ import annotations

import math
import re
from decimal import Decimal
from typing import Any

from generator.travel.world.importer.files import RawRow
from generator.travel.world.importer.plane import Gps, Metric
from generator.travel.world.importer.rules import Tally

_MONEY = re.compile(r"^£?\s?(\d{1,6}(?:\.\d{1,2})?)\s?(pounds?|gbp)?$")
_CLOCK = re.compile(r"^(\d{1,2}):([0-5]\d)$")
_DURATION = re.compile(r"^(\d{1,4})\s?(?:minutes?|mins?)?$")
UNKNOWN = {"", "?", "unknown", "none", "n/a", "not available"}


def text_cell(row: RawRow, field: str, table: str, tally: Tally) -> str | None:
    """Return a tidy text; None if it is missing, '?' or no text."""
    value = row.get(field)
    if isinstance(value, int | float) and not isinstance(value, bool):
        value = str(value)
    if value is None or (isinstance(value, str) and value.strip().casefold() in UNKNOWN):
        tally.note("unknown-mark", table, f"{field} of {_title(row)}: {value!r}")
        return None
    if not isinstance(value, str):
        tally.note("value-unreadable", table, f"{field} of {_title(row)}: {value!r}")
        return None
    tidy = " ".join(value.split()).rstrip(",").rstrip()
    if tidy != value:
        tally.note("text-tidied", table, repr(value))
    return tidy or None


def capitalise(name: str, table: str, tally: Tally) -> str:
    """Return a name with capital first letters if it is all in lower case."""
    if name != name.lower() or name == name.upper():
        return name
    tally.note("name-capitalised", table, name)
    return " ".join(word[:1].upper() + word[1:] for word in name.split(" "))


def money_cell(row: RawRow, field: str, table: str, tally: Tally) -> int | None:
    """Return minor units; None if missing or unreadable."""
    text = text_cell(row, field, table, tally)
    return None if text is None else money(text, f"{field} of {_title(row)}", table, tally)


def money(text: str, where: str, table: str, tally: Tally) -> int | None:
    """Return the minor units of '5 pounds', '23.40 pounds', 'free' or a bare number."""
    if text.casefold() == "free":
        tally.note("price-in-words", table, text)
        return 0
    match = _MONEY.match(text.casefold())
    if match is None:
        tally.note("value-unreadable", table, f"{where}: {text!r}")
        return None
    has_unit = match[2] or text.startswith("£")
    tally.note("price-in-words" if has_unit else "price-without-currency", table, text)
    return int(Decimal(match[1]) * 100)


def clock_cell(row: RawRow, field: str, table: str, tally: Tally) -> int | None:
    """Return minutes, 24:05 being 1445; None if missing or unreadable."""
    text = text_cell(row, field, table, tally)
    if text is None:
        return None
    minutes = clock_minutes(text)
    if minutes is None:
        tally.note("value-unreadable", table, f"{field} of {_title(row)}: {text!r}")
    return minutes


def clock_minutes(text: str) -> int | None:
    """Return the minutes of 'HH:MM' up to 47:59; None if it is none."""
    match = _CLOCK.match(text.strip())
    return int(match[1]) * 60 + int(match[2]) if match and int(match[1]) < 48 else None


def duration_cell(row: RawRow, table: str, tally: Tally) -> int | None:
    """Return the minutes of '51 minutes'; None if missing or unreadable."""
    text = text_cell(row, "duration", table, tally)
    match = _DURATION.match(text.casefold()) if text else None
    if text and match is None:
        tally.note("value-unreadable", table, f"duration of {_title(row)}: {text!r}")
    return int(match[1]) if match else None


def position_cells(row: RawRow) -> tuple[Metric | None, Gps | None]:
    """Return metres and degrees of a row, each None if it has none.

    `location` may be whole metres, degrees (numbers with a fraction in range), texts of either, or an object
    with lat and lon; `location_gps` is degrees.
    """
    metres, degrees = None, _pair(row.get("location_gps"))
    pair = _pair(row.get("location"))
    if pair is not None:
        if _is_degrees(pair, row.get("location")):
            degrees = degrees or pair
        elif all(abs(v) <= 1_000_000 for v in pair):
            metres = round(pair[0]), round(pair[1])
    return metres, degrees if degrees and abs(degrees[0]) <= 60 and abs(degrees[1]) <= 180 else None


def _pair(value: Any) -> Gps | None:
    if isinstance(value, str):
        value = value.split(",")
    if isinstance(value, dict):
        value = [value.get("lat", value.get("latitude")), value.get("lon", value.get("lng", value.get("longitude")))]
    if not isinstance(value, list) or len(value) != 2 or any(isinstance(v, bool) for v in value):
        return None
    try:
        first, second = float(value[0]), float(value[1])
    except (TypeError, ValueError):
        return None
    return (first, second) if math.isfinite(first) and math.isfinite(second) else None


def _is_degrees(pair: Gps, raw: Any) -> bool:
    in_range = abs(pair[0]) <= 90 and abs(pair[1]) <= 180
    return in_range and (isinstance(raw, dict) or any(v != round(v) for v in pair))


def _title(row: RawRow) -> str:
    return repr(row.get("name") or row.get("trainID") or row.get("id") or "a row without a name")
