"""What a judge is told of an item: the wanted value in words, from the item's own parameters and nothing else."""

from __future__ import annotations

import json
from collections.abc import Iterable
from typing import NamedTuple

from generator.records import Item, SheetView
from generator.scoring.witness import format_value

PLAIN = "plain."
NONE = "none (无)"


class Want(NamedTuple):
    """One item as a judge sees it.

    row, field, scope: all names that the reply may use, the usual one first; empty where there is none.
    value: the wanted value in words, "" if the check compares with something else: then `params` say with what.
    """

    id: str
    check: str
    row: tuple[str, ...]
    field: tuple[str, ...]
    scope: tuple[str, ...]
    value: str
    params: tuple[tuple[str, str], ...]
    note: str


def wants_of(items: Iterable[Item], view: SheetView | None) -> tuple[Want, ...]:
    """Return items in words; stale values, weights and truth paths stay behind."""
    return tuple(_want(item, view) for item in items)


def _want(item: Item, view: SheetView | None) -> Want:
    params = item.params
    row = next((r for r in view.rows if r.id == params.get("row")), None) if view else None
    name = params.get("column", params.get("figure"))
    field = next((f for f in (*view.columns, *view.figures) if f.id == name), None) if view else None
    value = params.get("value")
    if view is not None and field is not None and isinstance(value, int) and not isinstance(value, bool):
        unit = row.units[0] if row and row.units and field.family == "count" else None
        said = format_value(field.family, value, field, view.lang, view.currency, "unit", unit)
    elif item.check.startswith(PLAIN):
        said = _plain_answer(item)
    else:
        said = "" if value is None else str(value)
    return Want(
        id=item.id, check=item.check, row=row.names if row else _plain(params.get("row")),
        field=field.labels if field else _plain(name), scope=tuple(str(n) for n in params.get("scope_names", ())),
        value=said, params=tuple((str(k), _text(v)) for k, v in sorted(params.items())), note=item.clarification,
    )  # fmt: skip


def _plain_answer(item: Item) -> str:
    """Return the wanted answer of a travel item as a person would write it, in either language: names and figures."""
    kind = item.check.removeprefix(PLAIN)
    value, values = item.params.get("value"), item.params.get("values", {})
    if kind == "list":
        return ", ".join(name for name, chosen in values.items() if chosen) or NONE
    if kind == "order":
        return " → ".join(sorted(values, key=lambda name: values[name]))
    if kind == "yesno":
        return "yes" if value else "no"
    assert isinstance(value, int)
    written = {"amount": f"{value / 100:.2f}", "time": f"{value // 60:02d}:{value % 60:02d}"}
    return written.get(kind) or (f"{value / 10:.1f} min" if kind == "frequency" else f"{value} m")


def _plain(name: object) -> tuple[str, ...]:
    return () if name is None else (str(name),)


def _text(value: object) -> str:
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False, sort_keys=True)


__all__ = ["Want", "wants_of"]
