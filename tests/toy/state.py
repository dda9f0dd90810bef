"""The state model of the toy: how bright each lamp is, after a series of changes."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from pydantic import ConfigDict

from generator.records import Event, Frozen, Lang, Split

CHANGES = frozenset({"turn", "brighten", "dim"})


class Lamp(Frozen):
    """A lamp and its names."""

    model_config = ConfigDict(frozen=True, extra="forbid", strict=False)
    id: str
    names: tuple[str, ...]


class House(Frozen):
    """A world of lamps."""

    model_config = ConfigDict(frozen=True, extra="forbid", strict=False)
    id: str
    lang: Lang
    split: Split
    lamps: tuple[Lamp, ...]
    openings: tuple[str, ...]
    asides: tuple[str, ...]
    requests: tuple[str, ...]


class Lights(NamedTuple):
    """What is said, one event a turn; the row on which each mechanism shows; the row that no failure spoils."""

    events: tuple[Event, ...]
    gadgets: dict[str, str]
    control: str


def replay(events: Iterable[Event]) -> dict[str, list[int]]:
    """Return every level that each lamp has had, the present one last."""
    history: dict[str, list[int]] = {}
    for event in events:
        past = history.setdefault(str(event.item), [])
        if event.kind == "intro":
            past.append(dict(event.values)["brightness"])
        elif event.kind in CHANGES:
            if not past:
                raise ValueError(f"{event.item} is changed before it is there")
            value = int(event.value or 0)
            past.append({"turn": value, "brighten": past[-1] + value, "dim": past[-1] - value}[event.kind])
        elif not past:
            raise ValueError(f"{event.item} is not there")
    return history


def answer_forward(events: Iterable[Event]) -> dict[str, int]:
    """Return the present level of every lamp."""
    return {f"{lamp}.brightness": past[-1] for lamp, past in replay(events).items()}


def answer_backward(events: Iterable[Event]) -> dict[str, int]:
    """Return the same, each lamp followed back from the end to the last level said outright."""
    said = list(events)
    levels: dict[str, int] = {}
    for lamp in {str(e.item) for e in said}:
        total = 0
        for event in reversed([e for e in said if e.item == lamp]):
            if event.kind == "intro":
                levels[f"{lamp}.brightness"] = total + dict(event.values)["brightness"]
                break
            if event.kind == "turn":
                levels[f"{lamp}.brightness"] = total + int(event.value or 0)
                break
            total += {"brighten": 1, "dim": -1}.get(event.kind, 0) * int(event.value or 0)
    return levels
