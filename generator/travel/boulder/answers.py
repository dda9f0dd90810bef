"""Answers a released example from what is shown of it, under conventions that can be chosen.

Values are what the original stores, made exact: money in pounds, times "HH:MM", intervals a fraction of
a minute, distances metres, names in the data's spelling. `readings` are all answers that the words allow.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction
from typing import Literal

from generator.travel.boulder.phrases import read_rooms, read_travellers
from generator.travel.boulder.released import (
    Row,
    Shown,
    UnreadError,
    booked_hotel,
    find_names,
    find_row,
    last_recommended,
)
from generator.travel.shown import clock
from generator.travel.truth import (
    booking_price,
    direction,
    distance,
    frequency,
    opening_hours,
    sunset_train,
    ticket_price,
    walking_order,
)
from generator.travel.truth.booking_readings import read_totals
from generator.travel.truth.plane import Point

Answer = Fraction | Decimal | str | bool | tuple[str, ...] | None

_TIME = r"(\d{1,2}:\d{2}|midnight|noon)"
_BETWEEN = re.compile(rf"\bbetween {_TIME} and {_TIME}", re.IGNORECASE)
_OPEN = re.compile(
    rf"open on (\w+) for (?P<demand>the entire time|at least an hour) between {_TIME} and {_TIME}", re.IGNORECASE
)
_DIRECTION = re.compile(r"(?:determine if|is) (.+) (north|east|south|west) of (.+?)[.?](?:\s|$)", re.IGNORECASE)
_SUNSET = re.compile(r"Sunset time is (\d{1,2}:\d{2})")
_WEEK = ("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday")


@dataclass(frozen=True)
class Conventions:
    """Where the words allow several readings, which one is taken; the defaults are the original's."""

    frequency: Literal["mean-gap", "window-per-train"] = "mean-gap"
    direction: Literal["sign", "sector-45", "sector-90"] = "sign"
    rooms: Literal["while-occupied", "each-exception"] = "while-occupied"
    sunset: Literal["strictly-before", "at-or-before"] = "strictly-before"


def solve_shown(task: str, shown: Shown, conventions: Conventions | None = None) -> tuple[Answer, ...]:
    """Return the answers that the words allow, usually one; the first is the plain reading.

    Raises:
        UnreadError: Something that the answer needs is not shown, or not understood.
    """
    try:
        return _SOLVERS[task](shown, conventions or Conventions())
    except (KeyError, TypeError, IndexError) as error:
        raise UnreadError(f"a record lacks or garbles {error}") from error


def ticket_order(shown: Shown) -> ticket_price.TicketOrder:
    """Return the tickets asked for, at the prices of the one train shown."""
    trains = shown.rows["trains"]
    if len(trains) != 1:
        raise UnreadError(f"{len(trains)} trains to buy tickets for")
    fares = (pence(trains[0]["price_standard"]), pence(trains[0]["price_first_class"]))
    return ticket_price.TicketOrder(read_travellers(shown.question), *fares)


def sunset_query(shown: Shown) -> sunset_train.SunsetQuery:
    """Return the trains shown and the time of sunset; the list is already cut at the earliest departure."""
    said = _SUNSET.search(shown.prompt)
    time = said[1] if said else shown.sunset
    if time is None:
        raise UnreadError("no time of sunset")
    rides = tuple(sunset_train.clock_ride(minutes(r["leaveAt"]), minutes(r["arriveBy"])) for r in shown.rows["trains"])
    return sunset_train.SunsetQuery(rides, minutes(time))


def frequency_query(shown: Shown) -> frequency.FrequencyQuery:
    """Return the day's departures and the window asked about."""
    found = _BETWEEN.search(shown.question)
    if found is None:
        raise UnreadError(f"no window in {shown.question!r}")
    departures = tuple(minutes(r["leaveAt"]) for r in shown.rows["trains"])
    return frequency.FrequencyQuery(departures, minutes(found[1]), minutes(found[2]) or 1440)


def hours_query(shown: Shown) -> opening_hours.HoursQuery:
    """Return the restaurants' hours around the asked day and the window."""
    found = _OPEN.search(shown.question)
    if found is None or found[1].lower() not in _WEEK:
        raise UnreadError(f"no day and window in {shown.question!r}")
    day = _WEEK.index(found[1].lower())
    places = []
    for row in shown.rows["restaurants"]:
        week = [_hours(row["openhours"].get(_WEEK[(day + shift) % 7])) for shift in (-1, 0, 1)]
        places.append(opening_hours.Place(row["name"], opening_hours.unroll(*week)))
    window = opening_hours.clock_interval(minutes(found[3]), minutes(found[4]))
    is_all = found["demand"].lower() == "the entire time"
    return opening_hours.HoursQuery(tuple(places), window, None if is_all else 60)


def walk_query(shown: Shown) -> walking_order.WalkQuery:
    """Return the hotel and the attractions named, in the order named."""
    rows = {row["name"]: row for row in shown.rows["attractions"]}
    if shown.prompt:
        text = shown.prompt.split("The user will")[0]
        hotel = find_row(shown, "hotels", text.rpartition(" from ")[2])
    else:
        text, hotel = shown.question, booked_hotel(shown)
    stops = tuple(walking_order.Stop(name, point(rows[name])) for name in find_names(text, list(rows)))
    return walking_order.WalkQuery(point(hotel), stops)


def pence(text: str) -> int:
    """Return the pence of a price such as "17.10 pounds" or "47".

    Raises:
        UnreadError: It is neither.
    """
    found = re.fullmatch(r"(\d+)(?:\.(\d\d))?(?: pounds?)?", text.strip())
    if found is None:
        raise UnreadError(f"price {text!r}")
    return 100 * int(found[1]) + int(found[2] or 0)


def minutes(text: str) -> int:
    """Return the minutes after midnight of "HH:MM", "noon" or "midnight"; 24:05 is 1445.

    Raises:
        UnreadError: It is none of these.
    """
    named = {"midnight": 0, "noon": 720}
    if text.lower() in named:
        return named[text.lower()]
    found = re.fullmatch(r"(\d{1,2}):([0-5]\d)", text)
    if found is None:
        raise UnreadError(f"time {text!r}")
    return 60 * int(found[1]) + int(found[2])


def point(row: Row) -> Point:
    """Return where a record is, in metres.

    Raises:
        UnreadError: The location is not two whole numbers, as where it is in degrees.
    """
    location = row["location"]
    if len(location) != 2 or not all(type(value) is int for value in location):
        raise UnreadError(f"location {location!r} is not in whole metres")
    return Point(*location)


def _ticket(shown: Shown, _: Conventions) -> tuple[Answer, ...]:
    return (ticket_price.exact_total(ticket_order(shown)) / 100,)


def _rooms(shown: Shown, conventions: Conventions) -> tuple[Answer, ...]:
    hotel = find_row(shown, "hotels", shown.prompt) if shown.prompt else last_recommended(shown, "hotels")
    vague = read_rooms(shown.question, {kind: pence(price) for kind, price in hotel["price"].items()})
    is_default = conventions.rooms == "while-occupied"
    totals = read_totals(vague, booking_price.solve if is_default else booking_price.total_by_exception)
    if not totals:
        raise UnreadError(f"nobody can be housed so: {shown.question!r}")
    return tuple(Fraction(total, 100) for total in totals)


def _sunset(shown: Shown, conventions: Conventions) -> tuple[Answer, ...]:
    query = sunset_query(shown)
    if conventions.sunset == "at-or-before":
        query = sunset_train.SunsetQuery(query.rides, query.sunset_min + 1)
    found = sunset_train.solve(query)
    return (None if found is None else clock(found),)


def _hours_answer(shown: Shown, _: Conventions) -> tuple[Answer, ...]:
    return (opening_hours.solve(hours_query(shown)),)


def _frequency(shown: Shown, conventions: Conventions) -> tuple[Answer, ...]:
    query = frequency_query(shown)
    if conventions.frequency == "mean-gap":
        return (frequency.exact_gap(query),)
    count = len(frequency.inside(query))
    return (Fraction(query.end_min - query.start_min, count) if count else None,)


def _direction(shown: Shown, conventions: Conventions) -> tuple[Answer, ...]:
    found = _DIRECTION.search(shown.question)
    if found is None:
        raise UnreadError(f"no direction in {shown.question!r}")
    place, reference = find_row(shown, "attractions", found[1]), find_row(shown, "restaurants", found[3])
    asked = next(h for h in direction.HEADINGS if h == found[2].lower())
    query = direction.DirectionQuery(point(place), point(reference), asked)
    solver = {
        "sign": direction.solve_by_sign,
        "sector-45": direction.solve,
        "sector-90": direction.solve_by_quarter,
    }[conventions.direction]
    return (solver(query) == "yes",)


def _distance(shown: Shown, _: Conventions) -> tuple[Answer, ...]:
    if shown.prompt:
        text = shown.prompt.split("Spatial coordinates")[0]
        hotel, restaurant = find_row(shown, "hotels", text), find_row(shown, "restaurants", text)
    else:
        hotel, restaurant = booked_hotel(shown), last_recommended(shown, "restaurants")
    return (distance.exact_distance(distance.DistanceQuery(point(hotel), point(restaurant))),)


def _walk(shown: Shown, _: Conventions) -> tuple[Answer, ...]:
    return (walking_order.solve(walk_query(shown)),)


def _hours(day: Mapping[str, str] | None) -> tuple[int, int] | None:
    return None if day is None else (minutes(day["open"]), minutes(day["close"]))


_SOLVERS: dict[str, Callable[[Shown, Conventions], tuple[Answer, ...]]] = {
    "train_ticket_price": _ticket,
    "accommodation_price": _rooms,
    "train_departure_time": _sunset,
    "restaurants_opening_hours": _hours_answer,
    "train_departure_frequency": _frequency,
    "directional_relations": _direction,
    "hotel_to_restaurant_distance": _distance,
    "shortest_walking_path": _walk,
}
