"""The second code path: for each value asked for, look back for what decides it.

It shares nothing with the replay but the records: it keeps no state, walks the events from
the end, and works out columns and figures by recursion from the one that is asked for.
"""

from __future__ import annotations

import datetime as dt
from fractions import Fraction

from generator.records import Event
from generator.states.update_chain.chain import CELL_EVENTS, KINDS, Answer, Chain, InvalidChainError
from generator.states.update_chain.world import Derived, World


def answer_backward(world: World, chain: Chain) -> Answer:
    """Return the answer of a chain by looking back from each requested value.

    Raises:
        InvalidChainError: A value is undefined, inexact or on a rounding edge.
    """
    _check_order(chain.events)
    view = _View(world, chain.events)
    wanted = chain.request
    known = [e.item for e in chain.events if e.kind == "intro"]
    alive = [str(row) for row in known if view.is_live(str(row), len(chain.events))]
    values = {
        f"{row}.{column}": view.cell(row, column)
        for row in alive
        if not wanted.rows or row in wanted.rows
        for column in wanted.columns
    }
    values.update({f"sheet.{figure}": view.figure(figure, alive) for figure in wanted.figures})
    gone = sorted(str(row) for row in known if row not in alive)
    return Answer(values, tuple(gone) if not wanted.rows else ())


_CORRECTABLE = CELL_EVENTS - {"correct"}


def _check_order(events: tuple[Event, ...]) -> None:
    """Refuse what no list can go through: a row twice, off twice, or back without having been off."""
    on: dict[str | None, bool] = {}
    for event in events:
        if event.kind not in KINDS:
            raise InvalidChainError(f"no such event as {event.kind}")
        if event.kind == "intro" and event.item in on:
            raise InvalidChainError(f"{event.item} came twice")
        if event.kind in ("cancel", "restore") and on.get(event.item) is not (event.kind == "cancel"):
            raise InvalidChainError(f"{event.kind} of {event.item} out of turn")
        if event.kind in ("intro", "cancel", "restore"):
            on[event.item] = event.kind != "cancel"


class _View:
    def __init__(self, world: World, events: tuple[Event, ...]) -> None:
        self.world, self.events = world, events

    def is_live(self, row: str, before: int) -> bool:
        """Whether the row stands after the first `before` events."""
        for event in reversed(self.events[:before]):
            if event.item == row and event.kind in ("cancel", "restore", "intro"):
                return event.kind != "cancel"
        return False

    def touched(self, row: str, field: str, before: int) -> int | None:
        """Index of the last event before `before` that put a value into the cell, or None."""
        for at in range(before - 1, -1, -1):
            if self._touches(self.events[at], at, row, field):
                return at
        return None

    def _touches(self, event: Event, at: int, row: str, field: str) -> bool:
        match event.kind.split("."):
            case ["intro"]:
                return event.item == row and any(name == field for name, _ in event.values)
            case ["set"] | ["waver"] | ["copy"] | ["adjust", _] | ["percent", _] | ["revert", _]:
                return event.item == row and event.field == field
            case ["swap"]:
                return row in (event.item, event.other) and event.field == field
            case ["bulk", *_]:
                introduced = any(e.kind == "intro" and e.item == row for e in self.events[:at])
                return event.field == field and event.other != row and introduced and self.is_live(row, at)
            case ["cond", "met"]:
                held = self._held(event, at)
                return held.item == row and held.field == field
            case ["correct"]:
                before = self.events[at - 1] if at else None
                if before is None or before.kind not in _CORRECTABLE:
                    raise InvalidChainError("a correction of nothing")
                return (before.item, before.field) == (row, field)
            case _:
                return False

    def _held(self, outcome: Event, at: int) -> Event:
        for event in reversed(self.events[:at]):
            if event.tag == outcome.tag and event.kind == "cond":
                return event
            if event.tag == outcome.tag and event.kind in ("cond.met", "cond.unmet"):
                break
        raise InvalidChainError(f"nothing hangs on {outcome.tag}")

    def base(self, row: str, field: str, before: int) -> int:
        """Value of a base cell after the first `before` events."""
        at = self.touched(row, field, before)
        if at is None:
            raise InvalidChainError(f"{row}.{field} is nowhere set")
        event = self.events[at]
        match event.kind.split("."):
            case ["intro"]:
                return next(value for name, value in event.values if name == field)
            case ["set"] | ["waver"] | ["correct"]:
                return self._said(event)
            case ["cond", _]:
                return self._said(self._held(event, at))
            case ["copy"]:
                return self.base(str(event.other), field, at)
            case ["swap"]:
                partner = event.other if event.item == row else event.item
                return self.base(str(partner), field, at)
            case ["revert", "first"]:
                first = next(i for i in range(len(self.events)) if self._touches(self.events[i], i, row, field))
                return self.base(row, field, first + 1)
            case ["revert", _]:
                changed = self.touched(row, field, at)
                if changed is not None and self.events[changed].kind == "correct":
                    changed -= 1
                if changed is None or self.events[changed].kind == "intro":
                    raise InvalidChainError(f"{row}.{field} has nothing to go back to")
                return self.base(row, field, changed)
            case [*_, "adjust", way]:
                return self.base(row, field, at) + (1 if way == "up" else -1) * self._said(event)
            case [*_, "percent", way]:
                share = Fraction(self._said(event), 10_000)
                moved = self.base(row, field, at) * (1 + share if way == "up" else 1 - share)
                if moved.denominator != 1:
                    raise InvalidChainError(f"{row}.{field} is not whole")
                return int(moved)
            case _:
                raise InvalidChainError(f"unknown event {event.kind}")

    @staticmethod
    def _said(event: Event) -> int:
        if event.value is None:
            raise InvalidChainError(f"{event.kind} without a value")
        return event.value

    def cell(self, row: str, name: str) -> int:
        """Value of a base or derived cell of a live row at the end."""
        formula = self.world.derived_by_id.get(name)
        if formula is None:
            return self.base(row, name, len(self.events))
        parts = [self.cell(row, argument) for argument in formula.args]
        if formula.op == "product":
            units = [Fraction(part, self._scale(argument)) for part, argument in zip(parts, formula.args, strict=True)]
            own = max(self._scale(a) for a in formula.args) if formula.family == "measure" else 1
            return self._whole(units[0] * units[1] * own, formula)
        if formula.op == "shift":
            return parts[0] + self._whole(Fraction(parts[1], self._scale(formula.args[1])), formula)
        if formula.op == "add":
            return sum(parts)
        if formula.op == "subtract":
            return parts[0] - sum(parts[1:])
        raise InvalidChainError(f"{name} cannot be a column")

    def _scale(self, name: str) -> int:
        field = self.world.field_by_id.get(name)
        return field.scale if field is not None and field.family == "measure" else 1

    @staticmethod
    def _whole(value: Fraction, formula: Derived) -> int:
        if value.denominator != 1:
            raise InvalidChainError(f"{formula.id} is not whole")
        return int(value)

    def figure(self, name: str, rows: list[str]) -> int:
        """Value of a figure over the live rows, or of a rule, at the end."""
        formula = self.world.derived_by_id.get(name)
        if formula is None:
            for event in reversed(self.events):
                if event.kind == "rule" and dict(event.values).get(name) is not None:
                    return dict(event.values)[name]
            raise InvalidChainError(f"rule {name} is not stated")
        arguments = formula.args
        match formula.op:
            case "sum":
                return sum(self.cell(row, arguments[0]) for row in rows)
            case "count_rows":
                return len(rows)
            case "latest" | "earliest" if rows:
                ordered = sorted(self.cell(row, arguments[0]) for row in rows)
                return ordered[-1] if formula.op == "latest" else ordered[0]
            case "add":
                return sum(self.figure(a, rows) for a in arguments)
            case "subtract":
                first, *others = (self.figure(a, rows) for a in arguments)
                return first - sum(others)
            case "percent":
                base, rate = (self.figure(a, rows) for a in arguments)
                return self._rounded(Fraction(base * rate, 10_000), formula)
            case "workdays_before" | "workdays_after":
                day, days = (self.figure(a, rows) for a in arguments)
                return self._walk(day, days if formula.op == "workdays_after" else -days)
        raise InvalidChainError(f"{name} cannot be a figure")

    def _rounded(self, exact: Fraction, formula: Derived) -> int:
        if exact.denominator == 1 and formula.round is None:
            return int(exact)
        if formula.round is None:
            raise InvalidChainError(f"{formula.id}: no rounding is stated")
        grain = 100 if formula.family == "money" else 1
        units = exact / grain
        below = units.numerator // units.denominator
        part = units - below
        if part == Fraction(1, 2):
            raise InvalidChainError(f"{formula.id} falls on a tie")
        return (below if part < Fraction(1, 2) else below + 1) * grain

    @staticmethod
    def _walk(day: int, days: int) -> int:
        # Five working days are a week; only the rest of a week needs to be stepped through.
        weeks, rest = divmod(abs(days), 5)
        step = 1 if days > 0 else -1
        at = dt.date.fromordinal(day)
        if weeks and at.weekday() >= 5:
            # From a weekend the first working day is already one step.
            at = at + dt.timedelta(days=(7 - at.weekday()) if step > 0 else (4 - at.weekday()))
            weeks, rest = divmod(abs(days) - 1, 5)
        at += dt.timedelta(weeks=step * weeks)
        while rest:
            at += dt.timedelta(days=step)
            rest -= at.isoweekday() < 6
        return at.toordinal()
