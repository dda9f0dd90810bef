"""Perturbations that change what rows say: names, positions, prices, times, opening hours."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Iterable
from random import Random
from typing import NamedTuple

from pydantic import ValidationError

from generator.content import ContentRoot
from generator.travel.world.naming import Namer
from generator.travel.world.perturb_specs import Move, Rename, Reprice, Retime, Stakes, Stretch, kind_of
from generator.travel.world.schema import (
    DAY_MINUTES,
    TABLES,
    Area,
    Attraction,
    Fare,
    Hotel,
    Hours,
    Restaurant,
    Room,
    Row,
    Span,
    Table,
    Train,
    World,
    with_fields,
)
from generator.travel.world.town import Town, load_towns

Pairs = list[tuple[Row | None, Row | None]]
BOUND = 1_000_000
MAX_PRICE = 100_000_000
TRIES = 20
SHORTEST = 30


class Scene(NamedTuple):
    """What an operator works on."""

    world: World
    strength: float
    rng: Random
    stakes: Stakes
    content: ContentRoot


class Edit(NamedTuple):
    """Rows before and after, in the new order; a table or the areas may be left out if nothing changes."""

    tables: dict[Table, Pairs]
    areas: tuple[tuple[Area, Area], ...] = ()


def each(scene: Scene, tables: Iterable[Table], change: Callable[[Row], Row]) -> Edit:
    """Return an edit that sends every row of some tables through a function."""
    return Edit({table: [(row, change(row)) for row in scene.world.table(table)] for table in tables})


class Baptist:
    """Names places of any kind: after a town's patterns for that kind, or generic ones."""

    def __init__(self, scene: Scene, generic: tuple[str, ...]) -> None:
        towns: list[Town] = load_towns(scene.content, scene.world.lang)
        # A world of ours keeps to its own town's words; an imported one borrows those of a town that builds draw from.
        own = [t for t in towns if t.name == scene.world.name] or [t for t in towns if t.split == "eval"] or towns
        town = own[0]
        self._patterns = {("attraction", k.name): k.names for k in town.attractions}
        self._patterns |= {("hotel", k.name): k.names for k in town.hotels}
        self._patterns |= {("restaurant", k.name): k.names for k in town.cuisines}
        self._generic = generic
        stations = {end for route in scene.world.routes for end in route}
        taken = sorted({p.name for p in scene.world.places()} | stations | {scene.world.station})
        self._namer = Namer(scene.world.lang, town.words, taken)

    def name(self, place: Attraction | Hotel | Restaurant, rng: Random) -> str:
        """Return a new name for a place of that kind."""
        kind = kind_of(place)
        shown = kind if kind != kind.lower() else " ".join(w[:1].upper() + w[1:] for w in kind.split(" "))
        generic = tuple(p.replace("{kind}", shown) for p in self._generic)
        return self._namer.draw(self._patterns.get((type(place).__name__.lower(), kind), generic), rng)

    def station(self, patterns: tuple[str, ...], rng: Random) -> str:
        """Return a new name of a station."""
        return self._namer.draw(patterns, rng)


def rename(spec: Rename, scene: Scene) -> Edit:
    """Give places and stations new names; the town's own station keeps its."""
    world, rng = scene.world, scene.rng
    baptist = Baptist(scene, spec.generic[world.lang])
    ends = sorted({end for route in world.routes for end in route} - {world.station})
    new = {e: baptist.station(spec.stations[world.lang], rng) for e in ends if rng.random() < scene.strength}

    def change(row: Row) -> Row:
        if isinstance(row, Train):
            if row.origin not in new and row.destination not in new:
                return row
            ends = (new.get(row.origin, row.origin), new.get(row.destination, row.destination))
            return with_fields(row, origin=ends[0], destination=ends[1])
        return with_fields(row, name=baptist.name(row, rng)) if rng.random() < scene.strength else row

    return each(scene, TABLES, change)


def move(spec: Move, scene: Scene) -> Edit:
    """Move the map as a whole, or every place by itself."""
    world, rng = scene.world, scene.rng
    turns = 0
    # "North" would lie elsewhere on a turned map.
    if spec.turn and not any(area.compass for area in world.areas) and rng.random() < scene.strength:
        turns = rng.randint(1, 3)
    reach = round(spec.shift * scene.strength)
    points = [_turned(p.x, p.y, turns) for p in (*world.places(), *world.areas)]
    shift = [_shift(reach, [point[axis] for point in points], rng) for axis in (0, 1)]
    taken = Counter(p.point for p in world.places())
    radius = round(spec.jitter * scene.strength)

    def rigid(x: int, y: int) -> tuple[int, int]:
        east, north = _turned(x, y, turns)
        return east + shift[0], north + shift[1]

    def change(row: Row) -> Row:
        if isinstance(row, Train):
            return row
        x, y = _jittered(row.point, radius, taken, rng) if radius else rigid(row.x, row.y)
        return row if (x, y) == row.point else with_fields(row, x=x, y=y)

    edit = each(scene, ("attraction", "hotel", "restaurant"), change)
    if radius:
        return edit
    moved = ((area, rigid(area.x, area.y)) for area in world.areas)
    return edit._replace(areas=tuple((area, with_fields(area, x=x, y=y)) for area, (x, y) in moved))


def _turned(x: int, y: int, turns: int) -> tuple[int, int]:
    for _ in range(turns):
        x, y = -y, x
    return x, y


def _shift(reach: int, values: list[int], rng: Random) -> int:
    low, high = min(values, default=0), max(values, default=0)
    return max(-BOUND - low, min(BOUND - high, rng.randint(-reach, reach)))


def _jittered(point: tuple[int, int], radius: int, taken: Counter[tuple[int, int]], rng: Random) -> tuple[int, int]:
    for _ in range(TRIES):
        x, y = point[0] + rng.randint(-radius, radius), point[1] + rng.randint(-radius, radius)
        if max(abs(x), abs(y)) <= BOUND and not taken[x, y]:
            taken[point] -= 1
            taken[x, y] += 1
            return x, y
    return point


def reprice(spec: Reprice, scene: Scene) -> Edit:
    """Change prices by a share, all of one row alike, on the steps that the world's prices keep to."""
    world, rng = scene.world, scene.rng
    steps = {
        "fee": math.gcd(*(a.fee for a in world.attractions if a.fee)),
        "rooms": math.gcd(*(r.price for h in world.hotels for r in h.rooms)),
        "per_head": math.gcd(*(r.per_head for r in world.restaurants if r.per_head)),
        "fares": math.gcd(*(f.price for t in world.trains for f in t.fares)),
    }

    def change(row: Row) -> Row:
        factor = 1 + rng.uniform(-1, 1) * spec.by * scene.strength
        match row:
            case Attraction(fee=int(fee)) if fee > 0:
                return with_fields(row, fee=_price(fee, factor, steps["fee"]))
            case Hotel():
                return with_fields(row, rooms=tuple(_priced(room, factor, steps["rooms"]) for room in row.rooms))
            case Restaurant(per_head=int(price)):
                return with_fields(row, per_head=_price(price, factor, steps["per_head"]))
            case Train():
                return _dearer(row, factor, steps["fares"])
        return row

    return each(scene, TABLES, change)


def _price(price: int, factor: float, step: int) -> int:
    return min(max(step, round(price * factor / step) * step), MAX_PRICE // step * step)


def _priced(room: Room, factor: float, step: int) -> Room:
    return with_fields(room, price=_price(room.price, factor, step))


def _dearer(train: Train, factor: float, step: int) -> Train:
    prices = [_price(fare.price, factor, step) for fare in train.fares]
    if len(prices) == 2 and prices[1] <= prices[0]:
        prices[1] = prices[0] + step
        if prices[1] > MAX_PRICE:
            return train
    fares = (Fare(travel_class=f.travel_class, price=p) for f, p in zip(train.fares, prices, strict=True))
    return with_fields(train, fares=tuple(fares))


def retime(spec: Retime, scene: Scene) -> Edit:
    """Move trains by some minutes; no two of a route come to leave at one minute of a day."""
    reach = max(1, round(spec.minutes * scene.strength))
    taken = Counter((t.route, day, t.departs) for t in scene.world.trains for day in t.days)

    def change(row: Row) -> Row:
        if not isinstance(row, Train):
            return row
        departs = row.departs + scene.rng.randint(-reach, reach)
        if departs == row.departs or not 0 <= departs < DAY_MINUTES:
            return row
        if any(taken[row.route, day, departs] for day in row.days):
            return row
        taken.subtract((row.route, day, row.departs) for day in row.days)
        taken.update((row.route, day, departs) for day in row.days)
        return with_fields(row, departs=departs, arrives=departs + row.duration)

    return each(scene, ("train",), change)


def stretch(spec: Stretch, scene: Scene) -> Edit:
    """Move opening and closing by some steps, equal spans of a place alike; who never shuts stays as it is."""
    steps = max(1, round(spec.minutes * scene.strength / spec.step))

    def change(row: Row) -> Row:
        if isinstance(row, Hotel | Train) or row.hours is None:
            return row
        spans = sorted({span for day in row.hours.week for span in day})
        new = {span: _stretched(span, steps, spec.step, scene.rng) for span in spans}
        week = tuple(tuple(new[span] for span in day) for day in row.hours.week)
        try:
            return with_fields(row, hours=Hours.model_validate({"week": week}))
        except ValidationError:  # the new spans would overlap
            return row

    return each(scene, ("attraction", "restaurant"), change)


def _stretched(span: Span, steps: int, step: int, rng: Random) -> Span:
    opens = span.opens + rng.randint(-steps, steps) * step
    closes = span.closes + rng.randint(-steps, steps) * step
    never_shuts = span.closes - span.opens == DAY_MINUTES
    if never_shuts or not 0 <= opens < DAY_MINUTES or not SHORTEST <= closes - opens < DAY_MINUTES:
        return span
    return Span(opens, closes)
