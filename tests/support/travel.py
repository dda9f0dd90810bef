"""Small travel worlds for tests: invented ones, and a folder in the shape of MultiWOZ with every anomaly."""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path
from typing import Any

from generator.content import default_root
from generator.records import Lang
from generator.seeds import stream
from generator.travel.world import World, make_world
from generator.travel.world.town import Size

Row = dict[str, Any]
HOURS = {"monday": {"open": "09:00", "close": "17:00"}, "friday": {"open": "18:00", "close": "02:00"}}


@cache
def town(lang: Lang, size: Size = "small", seed: int = 7) -> World:
    """Return an invented world, made once a session."""
    return make_world(lang, size, stream(seed, "test", "world"), default_root())


def attraction(**fields: Any) -> Row:
    return {
        "id": "1", "name": "hill fort", "address": "fort lane", "area": "west", "entrance fee": "4 pounds",
        "location": [1000, 2000], "openhours": "always", "phone": "01", "postcode": "ab1", "pricerange": "cheap",
        "type": "architecture",
    } | fields  # fmt: skip


def hotel(**fields: Any) -> Row:
    return {
        "id": "0", "name": "mill inn", "address": "1 mill road", "area": "west", "internet": "yes", "parking": "no",
        "location": [1500, 2600], "location_gps": [52.21, 0.11], "phone": "02", "postcode": "ab2",
        "price": {"single": "40", "double": "60", "family": "85"}, "pricerange": "moderate", "stars": "3",
        "type": "guesthouse",
    } | fields  # fmt: skip


def restaurant(**fields: Any) -> Row:
    return {
        "id": "19", "name": "green spoon", "address": "2 Mill Road", "area": "west", "food": "thai",
        "location": [1600, 2700], "location_gps": [52.2109, 0.11147], "phone": "03", "postcode": "ab3",
        "pricerange": "cheap", "type": "restaurant", "openhours": HOURS,
    } | fields  # fmt: skip


def train(**fields: Any) -> Row:
    return {
        "trainID": "TR1", "departure": "mill town", "destination": "far end", "day": "monday", "leaveAt": "09:00",
        "arriveBy": "09:50", "duration": "50 minutes", "price_standard": "10.10 pounds",
        "price_first_class": "15.10 pounds",
    } | fields  # fmt: skip


def write_folder(
    folder: Path,
    attractions: list[Any] | None = None,
    hotels: list[Any] | None = None,
    restaurants: list[Any] | None = None,
    trains: list[Any] | None = None,
) -> Path:
    """Write the four files; a table that is not given holds one sound row."""
    folder.mkdir(parents=True, exist_ok=True)
    tables = {
        "attraction": [attraction()] if attractions is None else attractions,
        "hotel": [hotel()] if hotels is None else hotels,
        "restaurant": [restaurant()] if restaurants is None else restaurants,
        "train": [train()] if trains is None else trains,
    }
    for table, rows in tables.items():
        (folder / f"{table}_db.json").write_text(json.dumps(rows), encoding="utf-8")
    return folder


def odd_folder(folder: Path) -> Path:
    """Write a folder on which every rule of the importer is used."""
    oddities = [
        attraction(),
        attraction(id="2", name="hill fort"),
        attraction(id="3", name="hill fort", address="elsewhere", openhours="?"),
        attraction(
            id="4", name="hill fort museum", type="mutliple sports", openhours="10 to 5 p.m. on monday", address="x,"
        ),
        attraction(
            id="4", name="Kiln", openhours="it opens normally from 9 p.m. to 2 a.m.", **{"entrance fee": "free"}
        ),
        attraction(
            id=None, name="Cave", openhours="9 a.m. to 5 p.m. daily and bank holidays", **{"entrance fee": "a lot"}
        ),
        attraction(id="b/c", name="Weir", openhours="from may to september", location=[52.2, 0.1]),
        attraction(id="7", name="Barn", openhours="from 9 a.m. to 5 p.m. depending on the weather"),
        attraction(id="8", name="Loft", openhours="by the light of the moon"),
        attraction(id="9", name=None),
        attraction(id="10", name="Nowhere", location="?"),
        attraction(id="11", name="Anywhere", area="?"),
        "not a row",
    ]
    hotels = [
        hotel(),
        hotel(
            id="1",
            name="Attic",
            stars="0",
            price={"single": "30", "double": "30"},
            internet="free",
            location_gps=[52.22, 0.12],
        ),
        hotel(
            id="2",
            name="Cellar",
            location=[2600, 3700],
            location_gps=[52.2201, 0.1251],
            price={"suite": "9", "double": "?"},
        ),
    ]
    restaurants = [restaurant(), restaurant(id="20", name="Green Spoon Annex", signature="pie", location=[1600, 30000])]
    trains = [
        train(),
        train(leaveAt="23:30", arriveBy="24:20"),
        train(leaveAt="23:40", arriveBy="00:30"),
        train(leaveAt="24:05", arriveBy="24:55", day="sunday"),
        train(arriveBy="?"),
        train(arriveBy="09:40"),
        train(day="someday"),
        train(price_standard="?", price_first_class="?"),
        train(price_first_class="?"),
        train(price_first_class="9 pounds"),
    ]
    return write_folder(folder, oddities, hotels, restaurants, trains)
