"""Importing a MultiWOZ-style folder: every anomaly is met by a stated rule, and counted."""

from __future__ import annotations

import math
import re
from collections import Counter
from pathlib import Path
from typing import Any, NamedTuple

from pydantic import ValidationError

from generator.content import ContentRoot, default_root
from generator.errors import GenError
from generator.records import Frozen
from generator.travel.world.importer.cells import capitalise, position_cells
from generator.travel.world.importer.files import RawRow, read_folder
from generator.travel.world.importer.places import read_place, settle_names
from generator.travel.world.importer.plane import Plane, make_plane
from generator.travel.world.importer.rules import RULES, ImportReport, RuleCount, Tally
from generator.travel.world.importer.trains import home_station, read_trains
from generator.travel.world.schema import TABLES, Area, Attraction, Hotel, Restaurant, Sky, Table, Train, World

__all__ = ["RULES", "ImportReport", "Imported", "RuleCount", "import_world"]

NOTICES = "ground_truth/travel/notices.yaml"
COMPASS = frozenset({"north", "south", "east", "west"})
CAMBRIDGE = (52.2053, 0.1218)
FAR = 10_000
Drafts = dict[Table, list[dict[str, Any]]]
PLACES: tuple[Table, ...] = ("attraction", "hotel", "restaurant")


class Notices(Frozen):
    """What the licences of sources demand to be said, by source."""

    boulder: str


class Imported(NamedTuple):
    """An imported world, and what was done to make it."""

    world: World
    report: ImportReport


def import_world(
    folder: Path,
    *,
    keep_private: bool = False,
    name: str | None = None,
    notice: str | None = None,
    content: ContentRoot | None = None,
) -> Imported:
    """Return the world of a folder with attraction_db.json, hotel_db.json, restaurant_db.json, train_db.json.

    Args:
        folder: Where the four files are.
        keep_private: Keep phone and postcode.
        name: The town's name; by default the commonest end of a route.
        notice: The source's notice; by default that of BOULDER and MultiWOZ.
        content: Where the notices are read from.

    Raises:
        GenError: A file is missing or damaged, or no row of the folder can be used.
    """
    tally = Tally()
    tables, read = read_folder(folder, tally)
    plane, degrees = _plane(tables)
    drafts = {table: _places(tables[table], table, plane, keep_private, tally) for table in PLACES}
    trains = read_trains(tables["train"], tally)
    if not any(drafts.values()) and not trains:
        fix = "compare its fields with docs/travel-world.md"
        raise GenError(str(folder), "no row of the four files can be used", fix)
    latitude, longitude = degrees or CAMBRIDGE
    tally.note("sky-assumed", "world", f"{latitude:.4f}, {longitude:.4f}, UTC, EU summer time")
    station = home_station(trains, tally) or name or "Town"
    fields = {
        "lang": "en",
        "name": name or station,
        "source": "imported",
        "currency": "GBP",
        "station": station,
        "sky": _sky(latitude, longitude),
        "notice": notice if notice is not None else _notice(content),
    }
    world = _world(folder, fields, drafts, trains, tally)
    kept: dict[str, int] = {table: len(world.table(table)) for table in TABLES}
    how = plane.describe() if plane else "no row has degrees"
    return Imported(world, ImportReport(read=read, kept=kept, rules=tally.counts(), plane=how))


def _world(folder: Path, fields: dict[str, Any], drafts: Drafts, trains: tuple[Train, ...], tally: Tally) -> World:
    _note_oddities(drafts, tally)
    areas, ids = _areas([p for table in PLACES for p in drafts[table]], tally)
    for table in PLACES:
        _unique_ids(drafts[table], table, tally)
        for place in drafts[table]:
            place["area"] = ids[place["area"]]
    try:
        return World(
            **fields,
            areas=areas,
            attractions=tuple(Attraction.model_validate(p) for p in drafts["attraction"]),
            hotels=tuple(Hotel.model_validate(p) for p in drafts["hotel"]),
            restaurants=tuple(Restaurant.model_validate(p) for p in drafts["restaurant"]),
            trains=trains,
        )
    except ValidationError as error:
        first = error.errors()[0]
        what = f"{'.'.join(map(str, first['loc'])) or 'world'}: {first['msg']} (got {str(first['input'])[:80]!r})"
        raise GenError(str(folder), what, "mend that row") from error


def _sky(latitude: float, longitude: float) -> Sky:
    e4 = (round(latitude * 10_000), round(longitude * 10_000))
    return Sky(latitude_e4=e4[0], longitude_e4=e4[1], utc_offset=0, summer_time="eu")


def _notice(content: ContentRoot | None) -> str:
    notices: Notices = (content or default_root()).load(NOTICES, Notices)
    return notices.boulder.strip()


def _plane(tables: dict[Table, list[RawRow]]) -> tuple[Plane | None, tuple[float, float] | None]:
    """Return the plane of the folder and the middle of its positions in degrees."""
    found = [position_cells(row) for table in PLACES for row in tables[table]]
    gps = [degrees for _, degrees in found if degrees]
    plane = make_plane([(degrees, metres) for metres, degrees in found if metres and degrees], gps)
    if not gps:
        return plane, None
    middle = [sorted(g[i] for g in gps)[len(gps) // 2] for i in (0, 1)]
    return plane, (middle[0], middle[1])


def _places(
    rows: list[RawRow], table: Table, plane: Plane | None, keep_private: bool, tally: Tally
) -> list[dict[str, Any]]:
    read = (read_place(row, number, table, plane, keep_private, tally) for number, row in enumerate(rows))
    return settle_names([place for place in read if place is not None], table, tally)


def _unique_ids(places: list[dict[str, Any]], table: Table, tally: Tally) -> None:
    taken: set[str] = set()
    for place in places:
        ident, number = place["id"], 1
        while place["id"] in taken:
            number += 1
            place["id"] = f"{ident}.{number}"
        if number > 1:
            tally.note("id-repeated", table, ident)
        taken.add(place["id"])


def _note_oddities(drafts: Drafts, tally: Tally) -> None:
    """Count what is kept as it is: shared and far points, names inside names."""
    places = [(table, place) for table in PLACES for place in drafts[table]]
    points = Counter((p["x"], p["y"]) for _, p in places)
    names = sorted({p["name"].casefold() for _, p in places})
    middle = [sorted(p[axis] for _, p in places)[len(places) // 2] if places else 0 for axis in ("x", "y")]
    for table, place in places:
        shown, key = f"{place['name']} at {place['x']}, {place['y']}", place["name"].casefold()
        if points[place["x"], place["y"]] > 1:
            tally.note("point-shared", table, shown)
        if math.dist((place["x"], place["y"]), middle) > FAR:
            tally.note("point-far", table, shown)
        inside = next((n for n in names if key in n and n != key), None)
        if inside:
            tally.note("name-inside-name", table, f"{place['name']} in {inside}")


def _areas(places: list[dict[str, Any]], tally: Tally) -> tuple[tuple[Area, ...], dict[str, str]]:
    """Return the areas that places lie in, each at their mean, and the id of each by its name."""
    ids: dict[str, str] = {}
    areas: list[Area] = []
    for number, name in enumerate(sorted({p["area"] for p in places}), 1):
        plain = re.sub(r"[^a-z0-9]+", "-", name).strip("-")
        ids[name] = plain if plain and plain not in ids.values() else f"area-{number}"
        inside = [p for p in places if p["area"] == name]
        x, y = (sum(p[axis] for p in inside) // len(inside) for axis in ("x", "y"))
        shown = capitalise(name, "area", tally)
        areas.append(Area(id=ids[name], name=shown, x=x, y=y, compass=name in COMPASS))
    return tuple(areas), ids
