"""Rows of trains."""

from __future__ import annotations

import re
from collections import Counter
from typing import Any, NamedTuple

from generator.travel.world.clock import clock
from generator.travel.world.importer.cells import capitalise, clock_cell, duration_cell, money_cell, text_cell
from generator.travel.world.importer.files import RawRow
from generator.travel.world.importer.hours_text import DAYS
from generator.travel.world.importer.rules import Tally
from generator.travel.world.schema import DAY_MINUTES, Fare, Train

USED = {
    "trainID", "departure", "destination", "day", "leaveAt", "arriveBy", "duration", "price_standard",
    "price_first_class", "price",
}  # fmt: skip


class _Times(NamedTuple):
    day: int
    departs: int
    arrives: int


def read_trains(rows: list[RawRow], tally: Tally) -> tuple[Train, ...]:
    """Return the trains that can be read, in the order of their rows; repeated ids are told apart."""
    drafts = [d for number, row in enumerate(rows) if (d := _draft(row, number, tally)) is not None]
    often = Counter(str(d["id"]) for d in drafts)
    taken = {ident for ident, n in often.items() if n == 1}
    for draft in drafts:
        if often[draft["id"]] > 1:
            tally.note("id-repeated", "train", draft["id"])
            stem = f"{draft['id']}.{DAYS[draft['days'][0]][:3]}.{clock(draft['departs']).replace(':', '')}"
            ident, number = stem, 1
            while ident in taken:
                number += 1
                ident = f"{stem}.{number}"
            draft["id"] = ident
        taken.add(draft["id"])
    return tuple(Train.model_validate(draft) for draft in drafts)


def home_station(trains: tuple[Train, ...], tally: Tally) -> str | None:
    """Return the commonest end of a route; None without trains."""
    ends = Counter(end for train in trains for end in train.route)
    if not ends:
        return None
    home = min(ends, key=lambda end: (-ends[end], end))
    tally.note("home-station", "train", home)
    return home


def _draft(row: RawRow, number: int, tally: Tally) -> dict[str, Any] | None:
    for field in sorted(row.keys() - USED):
        tally.note("field-unused", "train", field)
    ends = [text_cell(row, field, "train", tally) for field in ("departure", "destination")]
    times = _times(row, number, tally)
    if times is None:
        return None
    if not ends[0] or not ends[1] or ends[0].casefold() == ends[1].casefold():
        tally.note("train-unreadable", "train", f"row {number}: from {ends[0]!r} to {ends[1]!r}")
        return None
    fares = _fares(row, number, tally)
    if not fares:
        return None
    return {
        "id": _id(row, number, tally),
        "origin": capitalise(ends[0], "train", tally),
        "destination": capitalise(ends[1], "train", tally),
        "days": (times.day,),
        "departs": times.departs,
        "arrives": times.arrives,
        "fares": fares,
    }


def _times(row: RawRow, number: int, tally: Tally) -> _Times | None:
    day = (text_cell(row, "day", "train", tally) or "").casefold()
    departs, arrives = (clock_cell(row, field, "train", tally) for field in ("leaveAt", "arriveBy"))
    takes = duration_cell(row, "train", tally)
    shown = f"row {number}: {row.get('day')} {row.get('leaveAt')}-{row.get('arriveBy')}, {row.get('duration')}"
    if day not in DAYS or departs is None or (arrives is None and takes is None):
        tally.note("train-unreadable", "train", shown)
        return None
    if arrives is None:
        tally.note("time-from-duration", "train", shown)
        arrives = departs + (takes or 0)
    elif arrives >= DAY_MINUTES and departs < DAY_MINUTES:
        tally.note("arrives-24", "train", shown)
    if arrives <= departs:
        tally.note("arrives-wrapped", "train", shown)
        arrives += DAY_MINUTES
    weekday = DAYS.index(day)
    if departs >= DAY_MINUTES:
        tally.note("departs-24", "train", shown)
        weekday, departs, arrives = (weekday + 1) % 7, departs - DAY_MINUTES, arrives - DAY_MINUTES
    if not 0 < arrives - departs <= DAY_MINUTES or (takes is not None and takes != arrives - departs):
        tally.note("train-contradicts", "train", shown)
        return None
    return _Times(weekday, departs, arrives)


def _fares(row: RawRow, number: int, tally: Tally) -> tuple[Fare, ...]:
    # The original MultiWOZ has one price, `price`; it is the standard one.
    plain = "price_standard" if "price_standard" in row or "price" not in row else "price"
    standard, first = (money_cell(row, field, "train", tally) or 0 for field in (plain, "price_first_class"))
    if standard <= 0 and first <= 0:
        tally.note("train-without-price", "train", f"row {number}")
        return ()
    if standard > 0 and 0 < first <= standard:
        tally.note("first-not-dearer", "train", f"row {number}: {standard}, {first}")
        first = 0
    elif standard <= 0 or first <= 0:
        tally.note("fare-missing", "train", f"row {number}: {'standard' if standard <= 0 else 'first'}")
    fares = [Fare(travel_class="standard", price=standard)] if standard > 0 else []
    return (*fares, Fare(travel_class="first", price=first)) if first > 0 else tuple(fares)


def _id(row: RawRow, number: int, tally: Tally) -> str:
    text = text_cell(row, "trainID", "train", tally)
    if text is None:
        tally.note("id-missing", "train", f"row {number}")
        return f"train-row{number}"
    clean = re.sub(r"[^A-Za-z0-9._-]", "-", text).lstrip("._-")[:40] or f"train-row{number}"
    if clean != text:
        tally.note("id-respelled", "train", text)
    return clean
