"""Invented worlds: a town of `ground_truth/travel` filled at random."""

from __future__ import annotations

from random import Random
from typing import TypeVar

from generator.content import ContentRoot, default_root
from generator.records import Lang, Split
from generator.travel.world.layout import Spot, TownPlan
from generator.travel.world.naming import Namer
from generator.travel.world.schema import (
    ROOM_ORDER,
    Attraction,
    Band,
    Day,
    Hotel,
    Hours,
    Restaurant,
    Room,
    RoomKind,
    Span,
    World,
)
from generator.travel.world.timetable import draw_trains
from generator.travel.world.town import (
    WEEKDAYS,
    AttractionKind,
    Cuisine,
    HotelKind,
    HoursPattern,
    Size,
    Town,
    load_towns,
    minutes_of,
)

SLEEPS: dict[RoomKind, int] = {"single": 1, "double": 2, "family": 4}
QUARTER_HOUR = 15
K = TypeVar("K", AttractionKind, HotelKind, Cuisine)


def make_world(
    lang: Lang, size: Size, rng: Random, content: ContentRoot | None = None, split: Split | None = None
) -> World:
    """Return an invented world, the same for the same stream and content.

    Raises:
        GenError: No town of that language and split, or the town is too small for the size.
    """
    towns = load_towns(content or default_root(), lang, split)
    return fill_town(rng.choice(towns), size, rng)


def fill_town(town: Town, size: Size, rng: Random) -> World:
    """Return a world of a given town.

    Raises:
        GenError: The town has no room or no names left.
    """
    counts = town.sizes[size]
    plan = TownPlan(town)
    namer = Namer(town.lang, town.words)
    kinds, hotels, cuisines = town.attractions, town.hotels, town.cuisines
    return World(
        lang=town.lang,
        name=town.name,
        source="synthetic",
        currency=town.currency,
        station=town.station,
        sky=town.sky,
        areas=plan.areas(),
        attractions=tuple(
            _attraction(town, kind, f"A{n:03d}", namer, plan, rng)
            for n, kind in enumerate(_kinds(kinds, counts.attractions, rng), 1)
        ),
        hotels=tuple(
            _hotel(town, kind, f"H{n:03d}", namer, plan, rng)
            for n, kind in enumerate(_kinds(hotels, counts.hotels, rng), 1)
        ),
        restaurants=tuple(
            _restaurant(town, kind, f"R{n:03d}", namer, plan, rng)
            for n, kind in enumerate(_kinds(cuisines, counts.restaurants, rng), 1)
        ),
        trains=draw_trains(town, counts.lines, rng),
    )


def _kinds(kinds: tuple[K, ...], count: int, rng: Random) -> list[K]:
    """Return kinds by weight, the weightiest ones at least once."""
    drawn = sorted(kinds, key=lambda k: -k.weight)[:count]
    drawn += rng.choices(kinds, [k.weight for k in kinds], k=count - len(drawn))
    rng.shuffle(drawn)
    return drawn


def _attraction(town: Town, kind: AttractionKind, ident: str, namer: Namer, plan: TownPlan, rng: Random) -> Attraction:
    fee = round(rng.choice(kind.fees) * town.unit)
    band: Band = "free" if fee == 0 else _band(fee, town.fee_bands, town.unit)
    spot = plan.draw(kind.riverside, rng)
    return Attraction(
        id=ident,
        name=namer.draw(kind.names, rng),
        kind=kind.name,
        fee=fee,
        band=band,
        hours=_hours(town, kind.hours, rng),
        **spot._asdict(),
    )


def _hotel(town: Town, kind: HotelKind, ident: str, namer: Namer, plan: TownPlan, rng: Random) -> Hotel:
    stars = rng.choice(sorted(kind.double))
    double = rng.uniform(*kind.double[stars])
    rooms = tuple(
        Room(
            kind=room,
            sleeps=SLEEPS[room],
            price=max(1, round(double * rng.uniform(*town.room_prices[room]))) * town.unit,
        )
        for room in sorted(rng.choice(kind.rooms), key=ROOM_ORDER.index)
    )
    spot: Spot = plan.draw(kind.riverside, rng)
    return Hotel(
        id=ident,
        name=namer.draw(kind.names, rng),
        kind=kind.name,
        stars=stars,
        rooms=rooms,
        band=_band(round(double * town.unit), town.hotel_bands, town.unit),
        amenities=tuple(sorted(a for a, share in town.amenities.items() if rng.random() < share)),
        **spot._asdict(),
    )


def _restaurant(town: Town, kind: Cuisine, ident: str, namer: Namer, plan: TownPlan, rng: Random) -> Restaurant:
    band = rng.choice(kind.bands)
    spot = plan.draw(kind.riverside, rng)
    return Restaurant(
        id=ident,
        name=namer.draw(kind.names, rng),
        cuisine=kind.name,
        band=band,
        per_head=round(rng.uniform(*town.per_head[band])) * town.unit,
        hours=_hours(town, kind.hours, rng),
        **spot._asdict(),
    )


def _band(price: int, limits: tuple[float, float], unit: int) -> Band:
    if price < limits[0] * unit:
        return "cheap"
    return "moderate" if price < limits[1] * unit else "expensive"


def _hours(town: Town, patterns: tuple[str, ...], rng: Random) -> Hours:
    pattern: HoursPattern = town.hours[rng.choice(patterns)]
    usual = _spans(pattern.spans, pattern.play, rng)
    late_days, late = ("none", usual)
    if pattern.late is not None:
        late_days, late = pattern.late[0], _spans(pattern.late[1], pattern.play, rng)
    closed = rng.choice(pattern.closed).split()
    days = [() if day in closed else late if day in late_days.split() else usual for day in WEEKDAYS]
    return Hours(week=(days[0], days[1], days[2], days[3], days[4], days[5], days[6]))


def _spans(texts: tuple[str, ...], play: int, rng: Random) -> Day:
    steps = play // QUARTER_HOUR
    spans = []
    for text in texts:
        opens, closes = map(minutes_of, text.split("-"))
        closes += 1440 if closes <= opens else 0
        opens += rng.randint(-steps, steps) * QUARTER_HOUR
        closes += rng.randint(-steps, steps) * QUARTER_HOUR
        spans.append(Span(opens, closes))
    return tuple(spans)
