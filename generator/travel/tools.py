"""The tools of the travel assistant: what they offer, and what they answer. They only look; bookings change nothing.

Arguments are those of the schemas in `templates/travel/<lang>/tools.yaml`: names as the data has them, weekdays in
words of the language, dates "YYYY-MM-DD", times "HH:MM".
"""

from __future__ import annotations

import datetime as dt
import hashlib
import json
from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache
from typing import Any, Literal, NamedTuple, Protocol, cast

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from generator.content import ContentRoot
from generator.errors import ExitCode, GenError
from generator.records import Frozen, Lang, canonical_json
from generator.travel.shown import Rows, Shower, TrainRow, minutes
from generator.travel.world.schema import Attraction, Hotel, Restaurant, Row, Table, Train, World
from generator.travel.world.sqlite import DEFAULT_ROWS, MAX_ROWS, Found

Domain = Literal["trains", "hotels", "restaurants", "attractions"]
DOMAINS: tuple[Domain, ...] = ("trains", "hotels", "restaurants", "attractions")


class ToolSpec(Frozen):
    """A tool as content has it: the function of the OpenAI chat API, and the domain that it belongs to."""

    domain: Domain
    name: str
    description: str
    parameters: dict[str, Any]


def load_tools(content: ContentRoot, lang: Lang, domains: Sequence[Domain] = DOMAINS) -> tuple[dict[str, Any], ...]:
    """Return the tools of some domains as the chat API takes them.

    Raises:
        GenError: The file is faulty.
    """
    return tuple(
        {"type": "function", "function": {"name": t.name, "description": t.description, "parameters": t.parameters}}
        for t in _load(content, lang)
        if t.domain in domains
    )


@lru_cache(maxsize=8)
def _load(content: ContentRoot, lang: Lang) -> tuple[ToolSpec, ...]:
    name = f"templates/travel/{lang}/tools.yaml"
    tools = cast(tuple[ToolSpec, ...], content.load(name, tuple[ToolSpec, ...]))
    if {t.name for t in tools} != set(_TOOLS):
        raise GenError(name, f"the tools must be {sorted(_TOOLS)}", "add or rename entries")
    return tools


class Source(Protocol):
    """What answers a search: the SQLite cache of a world, or a world in memory."""

    def find_trains(
        self, origin: str, destination: str, day: int, after: int = ..., before: int = ..., limit: int = ...
    ) -> Found[Train]:
        """Return trains."""
        ...

    def find_hotels(
        self, area: str | None = ..., kind: str | None = ..., *, name: str | None = ..., limit: int = ...
    ) -> Found[Hotel]:
        """Return hotels."""
        ...

    def find_restaurants(
        self, area: str | None = ..., cuisine: str | None = ..., *, name: str | None = ..., limit: int = ...
    ) -> Found[Restaurant]:
        """Return restaurants."""
        ...

    def find_attractions(
        self, area: str | None = ..., kind: str | None = ..., *, name: str | None = ..., limit: int = ...
    ) -> Found[Attraction]:
        """Return attractions."""
        ...


class MemorySource:
    """A world in memory that answers as its SQLite cache does."""

    def __init__(self, world: World) -> None:
        self._world = world
        self._routes: dict[tuple[str, str, int], list[Train]] = defaultdict(list)
        for train in world.trains:
            for day in train.days:
                self._routes[train.origin.casefold(), train.destination.casefold(), day].append(train)

    def find_trains(
        self, origin: str, destination: str, day: int, after: int = 0, before: int = 1440, limit: int = DEFAULT_ROWS
    ) -> Found[Train]:
        """Return the trains of a route that leave on a weekday at or after `after` and strictly before `before`."""
        found = self._routes.get((origin.casefold(), destination.casefold(), day), ())
        return _cut([t for t in found if after <= t.departs < before], limit)

    def find_hotels(
        self, area: str | None = None, kind: str | None = None, *, name: str | None = None, limit: int = DEFAULT_ROWS
    ) -> Found[Hotel]:
        """Return the hotels that meet every condition."""
        return _cut([h for h in self._world.hotels if _meets(h, h.kind, area, kind, name)], limit)

    def find_restaurants(
        self, area: str | None = None, cuisine: str | None = None, *, name: str | None = None, limit: int = DEFAULT_ROWS
    ) -> Found[Restaurant]:
        """Return the restaurants that meet every condition."""
        return _cut([r for r in self._world.restaurants if _meets(r, r.cuisine, area, cuisine, name)], limit)

    def find_attractions(
        self, area: str | None = None, kind: str | None = None, *, name: str | None = None, limit: int = DEFAULT_ROWS
    ) -> Found[Attraction]:
        """Return the attractions that meet every condition."""
        return _cut([a for a in self._world.attractions if _meets(a, a.kind, area, kind, name)], limit)


class Call(NamedTuple):
    """A tool call with its result; `rows` are those of a search, None for a booking."""

    tool: str
    arguments: str
    result: str
    rows: Rows | None


class Desk:
    """Answers tool calls about one world."""

    def __init__(self, world: World, source: Source, shower: Shower) -> None:
        self.world, self.source, self.shower = world, source, shower
        self.area_id = {a.name.casefold(): a.id for a in world.areas}

    def call(self, tool: str, arguments: Mapping[str, Any]) -> Call:
        """Return a call and what the tool says.

        Raises:
            GenError: There is no such tool, or it does not take these arguments.
        """
        entry = _TOOLS.get(tool)
        if entry is None:
            raise GenError(f"tool {tool}", "no such tool", f"use one of {sorted(_TOOLS)}", ExitCode.USAGE)
        model, answer = entry
        try:
            given = model.model_validate(dict(arguments))
        except ValidationError as error:
            fault = error.errors()[0]
            where = ".".join(map(str, fault["loc"]))
            raise GenError(f"tool {tool}", f"{where}: {fault['msg']}", "see the schema", ExitCode.USAGE) from error
        try:
            result, rows = answer(self, given)
        except ValueError as error:
            raise GenError(f"tool {tool}", str(error), "see the schema", ExitCode.USAGE) from error
        text = json.dumps({k: v for k, v in arguments.items() if v is not None}, ensure_ascii=False)
        return Call(tool, text, result, rows)

    def area(self, name: str | None) -> str | None:
        """Return the id of an area; a name that no area has is kept, and finds nothing."""
        return None if name is None else self.area_id.get(name.casefold(), name)

    def search(self, table: Table, found: Found[Any], day: int = -1) -> tuple[str, Rows]:
        """Return a search's result as text and as rows."""
        rows = [self.shower.typed(row, day) for row in found.rows]
        text = self.shower.text(table, found.rows, found.total, day)
        trains = tuple(r for r in rows if isinstance(r, TrainRow))
        return text, Rows(trains, tuple(r for r in rows if not isinstance(r, TrainRow)))


def _cut(rows: list[Any], limit: int) -> Found[Any]:
    return Found(tuple(rows[:limit]), len(rows))


def _meets(row: Row, own_kind: str, area: str | None, kind: str | None, name: str | None) -> bool:
    assert not isinstance(row, Train)
    return (
        (area is None or row.area == area)
        and (kind is None or own_kind.casefold() == kind.casefold())
        and (name is None or row.name.casefold() == name.casefold())
    )


class _Arguments(BaseModel):
    model_config = ConfigDict(extra="forbid")


class _Trains(_Arguments):
    origin: str
    destination: str
    day: str
    after: str = "00:00"
    before: str = "24:00"


class _Places(_Arguments):
    area: str | None = None
    kind: str | None = None
    name: str | None = None


class _Restaurants(_Arguments):
    area: str | None = None
    cuisine: str | None = None
    name: str | None = None


class _Rooms(_Arguments):
    room: Literal["single", "double", "family"]
    guests: int = Field(ge=1, le=12)


class _BookHotel(_Arguments):
    hotel: str
    arrival: dt.date
    nights: int = Field(ge=1, le=60)
    rooms: list[_Rooms] = Field(min_length=1)


class _BookTable(_Arguments):
    restaurant: str
    date: dt.date
    time: str
    people: int = Field(ge=1, le=40)


class _Ticket(_Arguments):
    travel_class: Literal["standard", "first"]
    is_return: bool = False


class _BuyTickets(_Arguments):
    train: str
    date: dt.date
    tickets: list[_Ticket] = Field(min_length=1)


def _trains(desk: Desk, given: _Trains) -> tuple[str, Rows]:
    if given.day not in desk.shower.weekdays:
        raise ValueError(f"day {given.day!r} is none of {', '.join(desk.shower.weekdays)}")
    day = desk.shower.weekdays.index(given.day)
    after, before = minutes(given.after), minutes(given.before)
    found = desk.source.find_trains(given.origin, given.destination, day, after, before, limit=MAX_ROWS)
    return desk.search("train", found, day)


def _hotels(desk: Desk, given: _Places) -> tuple[str, Rows]:
    found = desk.source.find_hotels(desk.area(given.area), given.kind, name=given.name, limit=MAX_ROWS)
    return desk.search("hotel", found)


def _restaurants(desk: Desk, given: _Restaurants) -> tuple[str, Rows]:
    found = desk.source.find_restaurants(desk.area(given.area), given.cuisine, name=given.name, limit=MAX_ROWS)
    return desk.search("restaurant", found)


def _attractions(desk: Desk, given: _Places) -> tuple[str, Rows]:
    found = desk.source.find_attractions(desk.area(given.area), given.kind, name=given.name, limit=MAX_ROWS)
    return desk.search("attraction", found)


def _book_hotel(desk: Desk, given: _BookHotel) -> tuple[str, None]:
    found = desk.source.find_hotels(name=given.hotel).rows
    if not found:
        return _refused("no such hotel"), None
    for wanted in given.rooms:
        room = found[0].room(wanted.room)
        if room is None or wanted.guests > room.sleeps:
            return _refused(f"no {wanted.room} room for {wanted.guests}"), None
    return _done(given), None


def _book_table(desk: Desk, given: _BookTable) -> tuple[str, None]:
    found = desk.source.find_restaurants(name=given.restaurant).rows
    if not found:
        return _refused("no such restaurant"), None
    hours = found[0].hours
    if hours is None or not hours.is_open(given.date.weekday(), minutes(given.time)):
        return _refused("closed at that time"), None
    return _done(given), None


def _buy_tickets(desk: Desk, given: _BuyTickets) -> tuple[str, None]:
    train = next((t for t in desk.world.trains if t.id == given.train), None)
    if train is None or given.date.weekday() not in train.days:
        return _refused("no such train on that day"), None
    if any(train.fare(t.travel_class) is None for t in given.tickets):
        return _refused("no such class on that train"), None
    return _done(given), None


def _refused(reason: str) -> str:
    return json.dumps({"ok": False, "reason": reason})


def _done(given: BaseModel) -> str:
    mark = hashlib.sha256(canonical_json(given.model_dump(mode="json")).encode()).hexdigest()[:6].upper()
    return json.dumps({"ok": True, "reference": mark})


_TOOLS: dict[str, tuple[type[_Arguments], Callable[[Desk, Any], tuple[str, Rows | None]]]] = {
    "search_trains": (_Trains, _trains),
    "buy_tickets": (_BuyTickets, _buy_tickets),
    "search_hotels": (_Places, _hotels),
    "book_hotel": (_BookHotel, _book_hotel),
    "search_restaurants": (_Restaurants, _restaurants),
    "book_table": (_BookTable, _book_table),
    "search_attractions": (_Places, _attractions),
}
