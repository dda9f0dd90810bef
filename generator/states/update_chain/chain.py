"""The records of an update chain: all that the two code paths share."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

from generator.records import Event, Frozen

# Events that change nothing, whatever they say.
INERT = frozenset({"hypo", "hearsay", "question", "foreign"})
# Events that put a new value into one cell.
CELL_EVENTS = frozenset({
    "set", "adjust.up", "adjust.down", "percent.up", "percent.down", "copy", "revert.prev", "revert.first",
    "correct", "waver",
})  # fmt: skip


# Everything that can happen; a chain that holds anything else cannot be followed.
KINDS = frozenset({
    *INERT, *CELL_EVENTS, "intro", "rule", "cancel", "restore", "scoped", "swap", "cond", "cond.met", "cond.unmet",
    "bulk.percent.up", "bulk.percent.down", "bulk.adjust.up", "bulk.adjust.down",
})  # fmt: skip


class InvalidChainError(ValueError):
    """The events cannot be followed: something is undefined, inexact or against the rules."""


class Request(Frozen):
    """What the last turn asks for: rows (empty: every live row), columns and figures."""

    id: str
    rows: tuple[str, ...]
    columns: tuple[str, ...]
    figures: tuple[str, ...]


class Chain(NamedTuple):
    """An update chain: the events in order and the request that ends the dialogue."""

    events: tuple[Event, ...]
    request: Request


class Answer(NamedTuple):
    """The values asked for, by path (`chair.qty`, `sheet.total`), and rows that must not appear."""

    values: dict[str, int]
    absent: tuple[str, ...]


def as_rows(events: Sequence[Event]) -> list[list[object]]:
    """Return events as JSON-able rows, as a key stores them."""
    return [[e.kind, e.item, e.field, e.value, e.other, e.tag, e.first, [list(v) for v in e.values]] for e in events]


def from_rows(rows: Sequence[Sequence[Any]]) -> tuple[Event, ...]:
    """Return the events of stored rows."""
    events = []
    for row in rows:
        kind, item, name, value, other, tag, first, values = row
        events.append(Event(kind, item, name, value, other, tag, first, tuple((str(f), int(n)) for f, n in values)))
    return tuple(events)
