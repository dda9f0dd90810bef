"""The travel world: attractions, hotels, restaurants, trains, and the town they are in.

Units: metres east (`x`) and north (`y`) of the map's origin; minutes after midnight; money in minor
units; weekdays 0 (Monday) to 6 (Sunday). Times are local and carry no zone. `None` is "the source does
not say", never "no". The order of rows is the order in which the world lists them.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from functools import cached_property
from itertools import pairwise
from typing import Annotated, Literal, NamedTuple, Self, TypeVar

from pydantic import Field, model_validator

from generator.records import Frozen, Lang

DAY_MINUTES = 1440
WEEK_MINUTES = 7 * DAY_MINUTES
Id = Annotated[str, Field(pattern=r"^[A-Za-z0-9][A-Za-z0-9._-]*$", max_length=64)]
Name = Annotated[str, Field(min_length=1, max_length=120)]
Metres = Annotated[int, Field(ge=-1_000_000, le=1_000_000)]
Price = Annotated[int, Field(gt=0, le=100_000_000)]
Weekday = Annotated[int, Field(ge=0, le=6)]
Band = Literal["free", "cheap", "moderate", "expensive"]
RoomKind = Literal["single", "double", "family"]
FareClass = Literal["standard", "first"]
Table = Literal["attraction", "hotel", "restaurant", "train"]
TABLES: tuple[Table, ...] = ("attraction", "hotel", "restaurant", "train")
M = TypeVar("M", bound=Frozen)
ROOM_ORDER: tuple[RoomKind, ...] = ("single", "double", "family")


class Span(NamedTuple):
    """A half-open stretch of opening: it belongs to the weekday on which it opens.

    opens: 0..1439. closes: later than `opens`, beyond 1440 when it is past midnight.
    """

    opens: int
    closes: int


Day = tuple[Span, ...]


class Hours(Frozen):
    """Opening hours by weekday, Monday first; an empty day is a closed one."""

    week: tuple[Day, Day, Day, Day, Day, Day, Day]

    @model_validator(mode="after")
    def _check(self) -> Self:
        flat = [(d * DAY_MINUTES + s.opens, d * DAY_MINUTES + s.closes) for d, day in enumerate(self.week) for s in day]
        for day in self.week:
            for span in day:
                if not 0 <= span.opens < DAY_MINUTES or not 0 < span.closes - span.opens <= DAY_MINUTES:
                    raise ValueError(f"no span of opening: {tuple(span)!r}")
            if any(b.opens <= a.closes for a, b in pairwise(day)):
                raise ValueError(f"spans of one day overlap, touch or are out of order: {[tuple(s) for s in day]!r}")
        if flat:
            ends = [*flat, (flat[0][0] + WEEK_MINUTES, 0)]
            if any(b[0] < a[1] for a, b in pairwise(ends)):
                raise ValueError("a span past midnight overlaps the next day's first")
        return self

    def is_open(self, weekday: int, minute: int) -> bool:
        """Return whether a minute of a weekday lies in a span, also one of the day before."""
        return any(s.opens <= minute < s.closes for s in self.week[weekday]) or any(
            minute + DAY_MINUTES < s.closes for s in self.week[weekday - 1]
        )


class Place(Frozen):
    """What attractions, hotels and restaurants have in common. `area` names one of the world's areas."""

    id: Id
    name: Name
    area: Id
    address: str = ""
    x: Metres
    y: Metres
    band: Band | None = None
    phone: str | None = None
    postcode: str | None = None

    @property
    def point(self) -> tuple[int, int]:
        """Return where it is, in metres east and north."""
        return self.x, self.y


class Attraction(Place):
    """Something to see or do. A `fee` of 0 is free entry."""

    kind: Name
    fee: int | None = Field(default=None, ge=0, le=100_000_000)
    hours: Hours | None = None


class Room(Frozen):
    """A type of room, its price a night, and how many it sleeps."""

    kind: RoomKind
    sleeps: int = Field(ge=1, le=12)
    price: Price


class Hotel(Place):
    """A place to stay."""

    kind: Name
    stars: int | None = Field(default=None, ge=1, le=5)
    rooms: tuple[Room, ...] = ()
    amenities: tuple[Id, ...] = ()

    @model_validator(mode="after")
    def _check(self) -> Self:
        order = [ROOM_ORDER.index(room.kind) for room in self.rooms]
        if any(b <= a for a, b in pairwise(order)):
            raise ValueError("rooms must each occur once, in the order " + ", ".join(ROOM_ORDER))
        if any(b <= a for a, b in pairwise(self.amenities)):
            raise ValueError("amenities must be sorted and each occur once")
        return self

    def room(self, kind: RoomKind) -> Room | None:
        """Return the room type of that kind; None if the hotel has none."""
        return next((r for r in self.rooms if r.kind == kind), None)


class Restaurant(Place):
    """A place to eat. `per_head` is what a meal usually costs one person."""

    cuisine: Name
    per_head: Price | None = None
    hours: Hours | None = None


class Fare(Frozen):
    """What one adult pays for one way in one class."""

    travel_class: FareClass
    price: Price


class Train(Frozen):
    """A train that runs at the same minutes on each of its weekdays.

    departs: 0..1439, on the weekday itself. arrives: later, from 1440 on the next day.
    """

    id: Id
    origin: Name
    destination: Name
    days: tuple[Weekday, ...] = Field(min_length=1)
    departs: int = Field(ge=0, lt=DAY_MINUTES)
    arrives: int = Field(gt=0, lt=2 * DAY_MINUTES)
    fares: tuple[Fare, ...] = Field(min_length=1, max_length=2)

    @model_validator(mode="after")
    def _check(self) -> Self:
        if self.origin == self.destination:
            raise ValueError(f"a train from {self.origin!r} to itself")
        if not 0 < self.arrives - self.departs <= DAY_MINUTES:
            raise ValueError(f"arrives {self.arrives} is not within a day after departs {self.departs}")
        if any(b <= a for a, b in pairwise(self.days)):
            raise ValueError("weekdays must be sorted and each occur once")
        classes = [fare.travel_class for fare in self.fares]
        if classes not in (["standard"], ["first"], ["standard", "first"]):
            raise ValueError("fares must each occur once, standard before first")
        if len(self.fares) == 2 and self.fares[1].price <= self.fares[0].price:
            raise ValueError("first class must cost more than standard")
        return self

    @property
    def duration(self) -> int:
        """Return the minutes under way."""
        return self.arrives - self.departs

    @property
    def route(self) -> tuple[str, str]:
        """Return origin and destination."""
        return self.origin, self.destination

    def fare(self, travel_class: FareClass) -> int | None:
        """Return the price of a class; None if the train has none."""
        return next((f.price for f in self.fares if f.travel_class == travel_class), None)


class Area(Frozen):
    """A named part of the town. `compass`: its name says where it lies ("north"), so the map cannot be turned."""

    id: Id
    name: Name
    x: Metres
    y: Metres
    compass: bool = False


class Sky(Frozen):
    """Where the sun is reckoned from: degrees x 10,000, the zone's offset, and whether EU summer time holds."""

    latitude_e4: int = Field(ge=-600_000, le=600_000)
    longitude_e4: int = Field(ge=-1_800_000, le=1_800_000)
    utc_offset: int = Field(ge=-720, le=840)
    summer_time: Literal["none", "eu"] = "none"


Row = Attraction | Hotel | Restaurant | Train


class World(Frozen):
    """A town, what is in it, and the trains from and to it.

    notice: what the licence of the source demands to be said; empty for an invented world.
    """

    lang: Lang
    name: Name
    source: Literal["synthetic", "imported"]
    currency: str = Field(pattern=r"^[A-Z]{3}$")
    station: Name
    sky: Sky
    areas: tuple[Area, ...]
    attractions: tuple[Attraction, ...] = ()
    hotels: tuple[Hotel, ...] = ()
    restaurants: tuple[Restaurant, ...] = ()
    trains: tuple[Train, ...] = ()
    notice: str = ""

    @model_validator(mode="after")
    def _check(self) -> Self:
        known = {area.id for area in self.areas}
        if len(known) < len(self.areas) or len({a.name for a in self.areas}) < len(self.areas):
            raise ValueError("two areas share an id or a name")
        twice = sorted(i for i, n in Counter(row.id for row in self.rows()).items() if n > 1)
        if twice:
            raise ValueError(f"ids used more than once: {twice[:5]!r}")
        for places in (self.attractions, self.hotels, self.restaurants):
            names = Counter(p.name.casefold() for p in places)
            if len(names) < len(places):
                again = sorted(n for n, count in names.items() if count > 1)
                raise ValueError(f"names used more than once in a table: {again[:5]!r}")
        lost = sorted(p.id for p in self.places() if p.area not in known)
        if lost:
            raise ValueError(f"places in an area that the world has not: {lost[:5]!r}")
        return self

    def table(self, name: Table) -> tuple[Row, ...]:
        """Return the rows of one table, in the order listed."""
        tables: dict[Table, tuple[Row, ...]] = {
            "attraction": self.attractions,
            "hotel": self.hotels,
            "restaurant": self.restaurants,
            "train": self.trains,
        }
        return tables[name]

    def rows(self) -> Iterator[Row]:
        """Yield every row, table by table."""
        for name in TABLES:
            yield from self.table(name)

    def places(self) -> Iterator[Attraction | Hotel | Restaurant]:
        """Yield every attraction, hotel and restaurant."""
        yield from self.attractions
        yield from self.hotels
        yield from self.restaurants

    @cached_property
    def by_id(self) -> dict[str, Row]:
        """Return every row by its id."""
        return {row.id: row for row in self.rows()}

    @cached_property
    def routes(self) -> tuple[tuple[str, str], ...]:
        """Return every route that some train runs on, sorted."""
        return tuple(sorted({train.route for train in self.trains}))

    def area_name(self, area: str) -> str:
        """Return what an area is called."""
        return next(a.name for a in self.areas if a.id == area)


def with_fields(row: M, **fields: object) -> M:
    """Return a model with other values in some fields, checked again (`model_copy` would not check)."""
    # dict(row) would hand out cached properties too.
    return type(row).model_validate({name: getattr(row, name) for name in type(row).model_fields} | fields)


def table_of(row: Row) -> Table:
    """Return the name of the table that a row belongs to."""
    names: dict[type[Row], Table] = {Attraction: "attraction", Hotel: "hotel", Restaurant: "restaurant", Train: "train"}
    return names[type(row)]
