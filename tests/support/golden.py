"""Read the chains of `golden/hand_worked.yaml`: human numbers in, typed records out."""

from __future__ import annotations

import datetime as dt
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

import yaml

from generator.records import Event, Family
from generator.states.update_chain.chain import Answer, Chain, Request
from generator.states.update_chain.world import World, to_typed
from support.worlds import world

HOME = Path(__file__).parent.parent / "golden"


class Worked(NamedTuple):
    """A chain, its answer, and wrong answers by the failure that gives them."""

    name: str
    world: World
    chain: Chain
    answer: Answer
    alternatives: dict[str, Answer]


@cache
def hand_worked() -> tuple[Worked, ...]:
    """Return every chain of the file."""
    rows = yaml.safe_load((HOME / "hand_worked.yaml").read_text(encoding="utf-8"))
    return tuple(_worked(row) for row in rows)


def _worked(row: dict[str, Any]) -> Worked:
    place = world(row["world"])
    request = Request(id="asked", rows=(), columns=tuple(row["columns"]), figures=tuple(row["figures"]))
    chain = Chain(tuple(_event(place, e) for e in row["events"]), request)
    absent = tuple(row.get("absent", ()))
    answer = Answer(_values(place, row, row["answer"]), absent)
    alternatives = {}
    for name, differs in row["alternatives"].items():
        gone = [item for item, cells in differs.items() if cells is None]
        values = {**answer.values, **_values(place, row, differs)}
        kept = {path: v for path, v in values.items() if path.split(".")[0] not in gone}
        alternatives[name] = Answer(kept, tuple(sorted((*absent, *gone))))
    return Worked(row["name"], place, chain, answer, alternatives)


def _event(place: World, parts: list[Any]) -> Event:
    kind, *rest = parts
    more = rest.pop() if rest and isinstance(rest[-1], dict) else {}
    if kind in {"intro", "rule"}:
        values = tuple((name, _typed(place, name, value)) for name, value in more.items())
        return Event(kind, rest[0] if rest else None, values=values)
    item, field, value = [*rest, None, None, None][:3]
    if value is not None:
        value = _amount(place, kind, field, value)
    if "first" in more:
        more = {**more, "first": _typed(place, field, more["first"])}
    return Event(kind, item, field, value, **more)


def _amount(place: World, kind: str, field: str, value: Any) -> int:
    if "percent" in kind:
        return int(value) * 100
    if "adjust" in kind and place.field_by_id[field].family in {"clock", "date"}:
        return int(value)
    return _typed(place, field, value)


def _typed(place: World, name: str, value: Any) -> int:
    families: dict[str, Family] = {f.id: f.family for f in place.fields}
    families.update({d.id: d.family for d in (*place.columns, *place.figures)})
    families.update({r.id: r.family for r in place.rules})
    family = families[name]
    if family == "date" and str(value).count("-") == 2:
        return dt.date.fromisoformat(value).toordinal()
    field = place.field_by_id.get(name)
    return to_typed(family, field.scale if field else 1, place.year, value)


def _values(place: World, row: dict[str, Any], answer: dict[str, Any]) -> dict[str, int]:
    values: dict[str, int] = {}
    for item, cells in answer.items():
        if item == "figures":
            values.update({f"sheet.{name}": _typed(place, name, v) for name, v in cells.items()})
        elif cells is not None:
            named = zip(row["columns"], cells, strict=True)
            values.update({f"{item}.{name}": _typed(place, name, v) for name, v in named})
    return values
