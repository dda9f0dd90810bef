"""Which acknowledgement is true after which events; what a reply claims is part of the evidence."""

from __future__ import annotations

from collections.abc import Sequence

from generator.records import Event

HELD, DROPPED, NOTHING = frozenset({"cond"}), frozenset({"cond.unmet"}), frozenset({"hypo", "hearsay", "foreign"})


def reply_type(events: Sequence[Event]) -> str:
    """Return the type of acknowledgement that is true after the events."""
    types = set()
    for event in events:
        if event.kind in HELD:
            types.add("held")
        elif event.kind in DROPPED:
            types.add("dropped")
        elif event.kind in NOTHING:
            types.add("nothing")
        else:
            types.add("intro" if event.kind == "intro" else "applied")
    if types == {"intro", "applied"}:
        return "applied"
    return types.pop() if len(types) == 1 else "mixed"
