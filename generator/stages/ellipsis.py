"""When a turn may leave out its row: only where every rule agrees on what it leans on."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from generator.records import Event

# What one may lean on: something real that was said of one row.
REAL = frozenset({
    "intro", "set", "adjust.up", "adjust.down", "percent.up", "percent.down", "copy", "revert.prev", "revert.first",
    "correct", "waver",
})  # fmt: skip
LEANING = frozenset({
    "set", "adjust.up", "adjust.down", "percent.up", "percent.down", "revert.prev", "revert.first", "correct",
})  # fmt: skip


class Antecedent(NamedTuple):
    """The one row that the turn (or clause) before was about, and what was said of it last."""

    item: str
    kind: str
    field: str | None

    @staticmethod
    def after(events: Sequence[Event], named: Sequence[str]) -> Antecedent | None:
        """Return what the events leave to lean on, or None."""
        if len(set(named)) != 1 or events[-1].kind not in REAL:
            return None
        return Antecedent(named[0], events[-1].kind, events[-1].field)


def may_lean(event: Event, antecedent: Antecedent | None) -> bool:
    """Return whether the event may be said without its row.

    A relative change leans on the field as well: 「再少两」 after a price would make a person pause.
    """
    if antecedent is None or event.item != antecedent.item or event.kind not in LEANING or event.other is not None:
        return False
    if event.kind in {"set", "correct"}:
        return True
    return antecedent.field == event.field
