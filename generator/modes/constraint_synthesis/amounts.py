"""Plausible next values for a cell: the trade's steps and bands, about a quarter up or down."""

from __future__ import annotations

import datetime as dt
from random import Random

from generator.states.update_chain.world import FieldDef, World, to_typed

REACH = 0.28


class Amounts:
    """Draws values for the cells of one world."""

    def __init__(self, world: World) -> None:
        self.world = world
        self.fields = world.field_by_id
        self.bands = {
            (item.id, f.id): tuple(to_typed(f.family, f.scale, world.year, b) for b in item.bands[f.id])
            for item in world.items
            for f in world.fields
        }
        self.steps = {f.id: _typed(f, f.step) for f in world.fields}

    def first(self, item: str, field: str, rng: Random) -> int:
        """Return a first value from the middle of the band, so that it can move both ways."""
        low, high = self.bands[item, field]
        step = self.steps[field]
        count = (high - low) // step
        margin = count // 6
        for _ in range(12):
            value = low + step * rng.randint(margin, max(margin, count - margin))
            if self.is_sensible(item, field, value):
                return value
        return value

    def is_sensible(self, item: str, field: str, value: int, *, loose: bool = False) -> bool:
        """Return whether the trade would write this value; `loose` allows what several moves in a row may reach."""
        definition = self.fields[field]
        low, high = self.bands[item, field]
        slack = (high - low) // (2 if loose else 4)
        if not low - slack <= value <= high + slack or value <= 0:
            return False
        if definition.family == "date" and definition.workday:
            return dt.date.fromordinal(value).weekday() < 5
        return value % _grain(definition) == 0

    def near(self, item: str, field: str, now: int, taken: set[int], rng: Random) -> int | None:
        """Return another value within reach of the present one that nobody has said, or None."""
        definition, step = self.fields[field], self.steps[field]
        if definition.family in {"clock", "date"}:
            reach = 4 * max(1, round(max(definition.changes) / step))
        else:
            reach = max(2, int(now * REACH) // step)
        # Back onto the trade's grid, which a percentage may have left.
        base = now - (now - self.bands[item, field][0]) % step
        for _ in range(16):
            value = base + step * rng.choice([n for n in range(-reach, reach + 1) if n])
            if value not in taken and self.is_sensible(item, field, value):
                return value
        return None

    def shift(self, item: str, field: str, now: int, taken: set[int], rng: Random) -> tuple[str, int] | None:
        """Return a way and a magnitude by which the cell may move, or None."""
        definition = self.fields[field]
        options = [(way, _typed(definition, c)) for c in definition.changes for way in ("up", "down")]
        rng.shuffle(options)
        for way, size in options:
            value = now + size if way == "up" else now - size
            relative = definition.family in {"clock", "date"} or size <= max(now * 0.34, 2 * self.steps[field])
            # A difference that equals a value in play could be read as that value.
            if relative and value not in taken and size not in taken and self.is_sensible(item, field, value):
                return way, size
        return None

    def share(self, field: str, cells: list[tuple[str, int, set[int]]], rng: Random) -> tuple[str, int] | None:
        """Return a percentage that leaves every one of the cells (item, now, taken) whole, or None."""
        definition = self.fields[field]
        options = [(way, 100 * p) for p in definition.percents for way in ("down", "down", "up")]
        rng.shuffle(options)
        for way, points in options:
            factor = 10_000 + (points if way == "up" else -points)
            moved = [(item, *divmod(now * factor, 10_000), taken) for item, now, taken in cells]
            if all(
                not rest and value not in taken and self.is_sensible(i, field, value) for i, value, rest, taken in moved
            ):
                return way, points
        return None


def _typed(field: FieldDef, amount: float) -> int:
    factor = {"money": 100, "measure": field.scale}.get(field.family, 1)
    return max(1, round(amount * factor))


def _grain(field: FieldDef) -> int:
    # Money is whole in the trade's main unit unless its step says otherwise.
    if field.family == "money":
        return 100 if field.step >= 1 else _typed(field, field.step)
    return 1
