"""Perturbations of which rows there are, what they are called and how they are listed; all of them inert."""

from __future__ import annotations

import re
from collections import Counter
from random import Random

from generator.travel.world.perturb_specs import AddRows, DropRows, ReId, Reorder
from generator.travel.world.perturb_values import Baptist, Edit, Pairs, Scene, each
from generator.travel.world.schema import DAY_MINUTES, TABLES, Attraction, Hotel, Restaurant, Row, Train, with_fields

Leaving = tuple[tuple[str, str], int, int]
TRIES = 50
NEARBY = (15, 200)
TIME_APART = (3, 45)
_NUMBERED = re.compile(r"^([^0-9]*)(\d*)")


def reorder(_: Reorder, scene: Scene) -> Edit:
    """List some rows in other rows' places."""
    tables: dict[str, Pairs] = {}
    for table in TABLES:
        rows = list(scene.world.table(table))
        places = [n for n in range(len(rows)) if scene.rng.random() < scene.strength]
        mixed = places.copy()
        scene.rng.shuffle(mixed)
        listed = rows.copy()
        for to, source in zip(places, mixed, strict=True):
            listed[to] = rows[source]
        tables[table] = [(row, row) for row in listed]
    return Edit(tables)  # type: ignore[arg-type]


class IdMaker:
    """Draws ids of the shape that a table's ids have, unlike any that was ever used."""

    def __init__(self, scene: Scene) -> None:
        self._taken = {row.id for row in scene.world.rows()} | set(scene.stakes.ids)
        self._width = len(str(4 * len(self._taken)))

    def like(self, ident: str, rng: Random) -> str:
        """Return a new id with the same beginning."""
        match = _NUMBERED.match(ident)
        prefix, digits = (match[1], match[2]) if match else ("", "")
        prefix = prefix[:40] or "N"
        width = len(digits)
        while True:
            for _ in range(TRIES if width else 0):
                new = f"{prefix}{rng.randrange(10**width):0{width}d}"
                if new not in self._taken:
                    self._taken.add(new)
                    return new
            width = width + 1 if width else self._width


def re_id(_: ReId, scene: Scene) -> Edit:
    """Give some rows new ids."""
    maker = IdMaker(scene)

    def change(row: Row) -> Row:
        return with_fields(row, id=maker.like(row.id, scene.rng)) if scene.rng.random() < scene.strength else row

    return each(scene, TABLES, change)


def add_rows(spec: AddRows, scene: Scene) -> Edit:
    """Add rows like those that are there, on routes and in groups that no answer rests on."""
    world, rng = scene.world, scene.rng
    maker, baptist = IdMaker(scene), Baptist(scene, spec.generic[world.lang])
    points = Counter(p.point for p in world.places())
    leaving = Counter((t.route, day, t.departs) for t in world.trains for day in t.days)
    edit = Edit({})
    for table in TABLES:
        rows = world.table(table)
        models = [row for row in rows if not scene.stakes.claims(row)]
        pairs: Pairs = [(row, row) for row in rows]
        for _ in range(round(len(rows) * spec.share * scene.strength) if models else 0):
            model = rng.choice(models)
            new: Row | None
            if isinstance(model, Train):
                new = _new_train(model, maker, leaving, rng)
            else:
                new = _new_place(model, maker, baptist, points, rng)
            if new is not None:
                pairs.insert(rng.randint(0, len(pairs)), (None, new))
        edit.tables[table] = pairs
    return edit


def _new_train(model: Train, maker: IdMaker, leaving: Counter[Leaving], rng: Random) -> Train | None:
    for _ in range(TRIES):
        departs = model.departs + rng.choice((-1, 1)) * rng.randint(*TIME_APART)
        if 0 <= departs < DAY_MINUTES and not any(leaving[model.route, day, departs] for day in model.days):
            leaving.update((model.route, day, departs) for day in model.days)
            arrives = departs + model.duration
            return with_fields(model, id=maker.like(model.id, rng), departs=departs, arrives=arrives)
    return None


def _new_place(
    model: Attraction | Hotel | Restaurant,
    maker: IdMaker,
    baptist: Baptist,
    points: Counter[tuple[int, int]],
    rng: Random,
) -> Attraction | Hotel | Restaurant | None:
    for _ in range(TRIES):
        away = [rng.choice((-1, 1)) * rng.randint(*NEARBY) for _ in range(2)]
        point = max(-1_000_000, min(1_000_000, model.x + away[0])), max(-1_000_000, min(1_000_000, model.y + away[1]))
        if not points[point]:
            points[point] += 1
            # Another house number, as far as the address has one.
            address = re.sub(r"\d+", lambda m: str(int(m[0]) + 2 * rng.randint(1, 30)), model.address, count=1)
            fields = {"id": maker.like(model.id, rng), "name": baptist.name(model, rng), "address": address}
            return with_fields(model, **fields, x=point[0], y=point[1], phone=None, postcode=None)
    return None


def drop_rows(spec: DropRows, scene: Scene) -> Edit:
    """Leave out rows that no answer rests on; the last of a route, or of a kind of place in its table, stays."""
    edit = Edit({})
    for table in TABLES:
        rows = scene.world.table(table)
        left = Counter(_company(row) for row in rows)
        pairs: Pairs = []
        for row in rows:
            goes = scene.rng.random() < spec.share * scene.strength
            if goes and left[_company(row)] > 1 and not scene.stakes.holds(row):
                left[_company(row)] -= 1
                pairs.append((row, None))
            else:
                pairs.append((row, row))
        edit.tables[table] = pairs
    return edit


def _company(row: Row) -> tuple[str, ...]:
    if isinstance(row, Train):
        return row.route
    return (row.cuisine if isinstance(row, Restaurant) else row.kind,)
