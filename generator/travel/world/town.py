"""A town that worlds are drawn from: content of `ground_truth/travel/<town>.yaml`.

Prices are in whole units of the currency, as people write them; `price_step` is in minor units.
"""

from __future__ import annotations

import re
from functools import lru_cache
from itertools import pairwise
from typing import Annotated, Literal, Self

from pydantic import Field, model_validator

from generator.content import ContentRoot
from generator.errors import GenError
from generator.records import Frozen, Lang, Split
from generator.travel.world.schema import Band, Id, Name, RoomKind, Sky

FOLDER = "ground_truth/travel"
Size = Literal["small", "standard", "large"]
WEEKDAYS = ("mon", "tue", "wed", "thu", "fri", "sat", "sun")
Point = tuple[int, int]
Range = tuple[float, float]
SpanText = Annotated[str, Field(pattern=r"^([01]\d|2[0-3]):[0-5]\d-([01]\d|2[0-4]):[0-5]\d$")]
ClockText = Annotated[str, Field(pattern=r"^([01]\d|2[0-3]):[0-5]\d$")]
DaysText = Annotated[str, Field(pattern=r"^(none|(mon|tue|wed|thu|fri|sat|sun)( (mon|tue|wed|thu|fri|sat|sun))*)$")]
SLOTS = frozenset({"surname", "first", "word"})


class Street(Frozen):
    """A straight street; houses stand on both sides, numbered from its first end, odd ones on the left."""

    name: Name
    ends: tuple[Point, Point]
    riverside: bool = False


class Quarter(Frozen):
    """An area with its streets. `weight`: how much of the town is there."""

    id: Id
    name: Name
    weight: int = Field(gt=0)
    streets: tuple[Street, ...] = Field(min_length=2)


class HoursPattern(Frozen):
    """Usual opening: spans, options for closed days, other spans on some days, and play in minutes."""

    spans: tuple[SpanText, ...] = Field(min_length=1)
    closed: tuple[DaysText, ...] = ("none",)
    late: tuple[DaysText, tuple[SpanText, ...]] | None = None
    play: int = Field(default=30, ge=0, le=60, multiple_of=15)


class Named(Frozen):
    """A kind of place: how often it occurs and what such places are called."""

    name: Name
    weight: int = Field(gt=0)
    names: tuple[str, ...] = Field(min_length=1)
    riverside: bool = False

    @model_validator(mode="after")
    def _check(self) -> Self:
        for pattern in self.names:
            slots = re.findall(r"\{(\w*)\}", pattern)
            if (
                not slots
                or set(slots) - SLOTS
                or re.sub(r"\{\w+\}", "", pattern).strip("{}") != re.sub(r"\{\w+\}", "", pattern)
            ):
                raise ValueError(f"pattern {pattern!r} needs slots out of {sorted(SLOTS)}")
        return self


class AttractionKind(Named):
    """A kind of attraction, its fees (whole units, drawn evenly) and its opening."""

    fees: tuple[float, ...] = Field(min_length=1)
    hours: tuple[Id, ...] = Field(min_length=1)


class HotelKind(Named):
    """A kind of hotel; `double` is the price of a double room by number of stars."""

    double: dict[int, Range]
    rooms: tuple[tuple[RoomKind, ...], ...] = Field(min_length=1)


class Cuisine(Named):
    """A cuisine; `bands` are drawn evenly."""

    bands: tuple[Band, ...] = Field(min_length=1)
    hours: tuple[Id, ...] = Field(min_length=1)


class Line(Frozen):
    """A railway line from the town to a station: minutes under way, price, and how often."""

    station: Name
    minutes: int = Field(ge=5, le=600)
    fare: float = Field(gt=0)
    pattern: Id


class Railway(Frozen):
    """The trains. A pattern lists (from, to, headway); some trains are left out, moved, slower or dearer."""

    prefix: Annotated[str, Field(pattern=r"^[A-Z]{1,3}$")]
    price_step: int = Field(gt=0)
    first: Range
    peak: float = Field(ge=1)
    peaks: tuple[SpanText, ...]
    lines: tuple[Line, ...] = Field(min_length=3)
    patterns: dict[Id, tuple[tuple[ClockText, ClockText, int], ...]]


class Counts(Frozen):
    """How much of each a size of world holds."""

    attractions: int = Field(gt=0)
    hotels: int = Field(gt=0)
    restaurants: int = Field(gt=0)
    lines: int = Field(gt=0)


class Town(Frozen):
    """All that a world of one town is drawn from."""

    id: Id
    lang: Lang
    split: Split
    name: Name
    currency: str
    unit: int = Field(gt=0)
    station: Name
    sky: Sky
    spacing: int = Field(gt=0)
    address: str
    words: tuple[Name, ...] = Field(min_length=20)
    river: tuple[Point, ...] = Field(min_length=2)
    areas: tuple[Quarter, ...] = Field(min_length=3)
    sizes: dict[Size, Counts]
    hours: dict[Id, HoursPattern]
    attractions: tuple[AttractionKind, ...]
    fee_bands: tuple[float, float]
    hotels: tuple[HotelKind, ...]
    room_prices: dict[RoomKind, Range]
    hotel_bands: tuple[float, float]
    amenities: dict[Id, float]
    cuisines: tuple[Cuisine, ...]
    per_head: dict[Band, Range]
    railway: Railway

    @model_validator(mode="after")
    def _check(self) -> Self:
        faults = [*_unknown_names(self), *_wet_streets(self)]
        if set(self.sizes) != {"small", "standard", "large"}:
            faults.append("sizes must be small, standard and large")
        if max(c.lines for c in self.sizes.values()) > len(self.railway.lines):
            faults.append("a size wants more lines than there are")
        if faults:
            raise ValueError("; ".join(faults))
        return self


def _unknown_names(town: Town) -> list[str]:
    used = {h for k in town.attractions for h in k.hours} | {h for c in town.cuisines for h in c.hours}
    faults = [f"no hours pattern {h!r}" for h in sorted(used - set(town.hours))]
    patterns = {line.pattern for line in town.railway.lines}
    faults += [f"no railway pattern {p!r}" for p in sorted(patterns - set(town.railway.patterns))]
    bands = {band for cuisine in town.cuisines for band in cuisine.bands}
    faults += [f"no price per head for {b!r}" for b in sorted(bands - set(town.per_head))]
    streets = [s.name for area in town.areas for s in area.streets]
    faults += [f"street {s!r} occurs twice" for s in sorted({s for s in streets if streets.count(s) > 1})]
    if any(kind.riverside for kind in (*town.attractions, *town.cuisines)) and not any(
        s.riverside for area in town.areas for s in area.streets
    ):
        faults.append("something wants a riverside street and there is none")
    return faults


def _wet_streets(town: Town) -> list[str]:
    return [
        f"street {street.name!r} crosses the river"
        for area in town.areas
        for street in area.streets
        for reach in pairwise(town.river)
        if _cross(street.ends, reach)
    ]


def _cross(a: tuple[Point, Point], b: tuple[Point, Point]) -> bool:
    def side(p: Point, q: Point, r: Point) -> int:
        return (q[0] - p[0]) * (r[1] - p[1]) - (q[1] - p[1]) * (r[0] - p[0])

    return side(*a, b[0]) * side(*a, b[1]) <= 0 and side(*b, a[0]) * side(*b, a[1]) <= 0


def minutes_of(text: str) -> int:
    """Return the minutes of "HH:MM"."""
    hour, minute = text.split(":")
    return int(hour) * 60 + int(minute)


@lru_cache(maxsize=64)
def _load_town(content: ContentRoot, name: str) -> Town:
    town: Town = content.load(name, Town)
    return town


def load_towns(content: ContentRoot, lang: Lang, split: Split | None = None) -> list[Town]:
    """Return the towns of a language, sorted by file.

    Raises:
        GenError: A file is faulty, or no town is left.
    """
    files = [name for name in content.files(FOLDER) if not name.endswith("/notices.yaml")]
    towns = [_load_town(content, name) for name in files]
    fit = [t for t in towns if t.lang == lang and split in (None, t.split)]
    if not fit:
        raise GenError(FOLDER, f"no town for {lang!r}, split {split!r}", "add one, or ask for another split")
    return fit
