"""Write typed values of a key as a person reads them."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from datetime import date

from generator.records import Alternative, FieldView, Item, SheetView
from generator.report.browsed import ItemInfo, StaleValue

SIGNS = {"CNY": "¥", "GBP": "£", "USD": "$", "EUR": "€"}


def show_value(value: int | str, field: FieldView | None, view: SheetView | None) -> str:
    """Return one typed value in its usual writing; a value of no known field as it is stored."""
    if not isinstance(value, int) or field is None or view is None:
        return str(value)
    unit = field.units[0] if field.units else ""
    if field.family == "money":
        return _sign(view.currency) + _decimal(value, field.scale, is_money=True)
    if field.family == "clock":
        return f"{value // 60:02d}:{value % 60:02d}"
    if field.family == "date":
        return date.fromordinal(value).isoformat() if value > 0 else str(value)
    if field.family == "percent":
        return _decimal(value, 100) + " %"
    return _join(_decimal(value, field.scale if field.family == "measure" else 1), unit, view.lang)


def _sign(currency: str) -> str:
    return SIGNS.get(currency, currency + " ")


def _decimal(value: int, scale: int, *, is_money: bool = False) -> str:
    """Return value / scale, a power of ten; money keeps its last zero."""
    whole, rest = divmod(abs(value), max(1, scale))
    sign = "\u2212" if value < 0 else ""
    if not rest:
        return f"{sign}{whole:,}"
    digits = str(rest).rjust(len(str(scale)) - 1, "0")
    return f"{sign}{whole:,}.{digits if is_money else digits.rstrip('0')}"


def _join(number: str, unit: str, lang: str) -> str:
    gap = "" if lang == "zh" and not unit.isascii() else " "
    return f"{number}{gap}{unit}" if unit else number


def item_info(item: Item, view: SheetView | None, alternatives: Sequence[Alternative]) -> ItemInfo:
    """Return a scoring item in words: what it asks, the right value, and what it must not be confused with."""
    field = field_of(item, view)
    value = item.params.get("value")
    expected = "must not appear" if item.check == "absent" else _expected(item, value, field, view)
    return ItemInfo(
        id=item.id, kind=item.kind, weight=item.weight, is_gate=item.gate, label=_label(item, field, view),
        expected=expected, note=item.clarification,
        stale=tuple(
            StaleValue(shown=show_value(old, field, view), failures=_failures(item.truth_path, old, alternatives))
            for old in item.stale
        ),
    )  # fmt: skip


def _expected(item: Item, value: object, field: FieldView | None, view: SheetView | None) -> str:
    if isinstance(value, int | str) and not isinstance(value, bool):
        return show_value(value, field, view)
    # No single value: the parameters are what the check compares with.
    return json.dumps(item.params, ensure_ascii=False, sort_keys=True) if item.params else "see the note"


def field_of(item: Item, view: SheetView | None) -> FieldView | None:
    """Return the column or figure that an item looks at, None if it looks at neither."""
    if view is None:
        return None
    wanted = item.params.get("column", item.params.get("figure"))
    return next((f for f in (*view.columns, *view.figures) if f.id == wanted), None)


def _label(item: Item, field: FieldView | None, view: SheetView | None) -> str:
    rows: Mapping[str, str] = {r.id: r.names[0] for r in view.rows} if view else {}
    row = rows.get(str(item.params.get("row", "")), "")
    scope = "/".join(str(name) for name in item.params.get("scope_names", ())[:1])
    parts = [part for part in (row, field.labels[0] if field and field.labels else "", scope) if part]
    return " · ".join(parts) or item.truth_path


def _failures(path: str, value: int | str, alternatives: Sequence[Alternative]) -> tuple[str, ...]:
    return tuple(a.name for a in alternatives if a.value.get(path) == value)
