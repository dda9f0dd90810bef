"""Full-score replies made from answer values, in the shapes that people and models give a sheet."""

from __future__ import annotations

import datetime
import json
import random
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from generator.errors import GenError
from generator.records import FieldView, RowView, SheetView

SURFACES = ("plain", "grouped", "unit", "sign")
_MONTHS = ("January", "February", "March", "April", "May", "June", "July", "August", "September", "October",
           "November", "December")  # fmt: skip
_SIGNS = {"CNY": "¥", "GBP": "£", "USD": "$", "EUR": "€", "元": "¥", "RMB": "¥", "£": "£", "$": "$", "€": "€", "¥": "¥"}
_QTY_IDS = {"qty", "quantity", "count", "数量"}


def currency_sign(currency: str) -> str:
    """Return the sign of a view's currency; of an unknown one, its own text."""
    return _SIGNS.get(currency.upper(), currency)


def format_value(
    family: str, value: int, field: FieldView, lang: str, currency: str, style: str, unit: str | None = None
) -> str:
    """Return one surface form of a typed value.

    Args:
        family: How `value` is to be read.
        value: The integer, in the units of its family.
        field: Its column or figure, for units and scale.
        lang: "zh" or "en".
        currency: The view's currency.
        style: "plain" digits, "grouped" by thousands, with "unit" or, for money, with "sign".
        unit: The word for "unit" (a classifier), where the field's own first unit is not it.
    """
    if family == "clock":
        return f"{value // 60:02d}:{value % 60:02d}"
    if family == "date":
        day = datetime.date.fromordinal(value)
        if style in {"plain", "grouped"}:
            return day.isoformat()
        if lang == "zh":
            return f"{day.year}年{day.month}月{day.day}日"
        return f"{day.day} {_MONTHS[day.month - 1]} {day.year}"
    scale = {"money": 100, "percent": 100, "count": 1}.get(family, field.scale)
    whole, rest = divmod(value, scale)
    digits = str(whole) if style == "plain" else f"{whole:,}"
    if rest:
        places = len(str(scale)) - 1
        fraction = f"{rest:0{places}d}"
        digits += "." + (fraction if family == "money" else fraction.rstrip("0"))
    if family == "percent":
        return digits + "%"
    if family == "money":
        return _write_money(digits, lang, currency, style)
    word = unit or (field.units[0] if field.units else "")
    if style not in {"unit", "sign"} or not word:
        return digits
    return f"{digits} {word}" if word[0].isalnum() else digits + word


def _write_money(digits: str, lang: str, currency: str, style: str) -> str:
    sign = currency_sign(currency)
    if style == "sign" or (style == "unit" and lang == "en"):
        return sign + digits
    if style == "unit":
        return f"{digits} 元"
    return digits


@dataclass(frozen=True, slots=True)
class _Part:
    """What is to be shown under one scope (None: the sheet itself)."""

    scope: str | None
    rows: tuple[RowView, ...]
    columns: tuple[FieldView, ...]
    figures: tuple[FieldView, ...]


@dataclass(frozen=True, slots=True)
class _Words:
    """View, values and surface of one rendering."""

    view: SheetView
    values: Mapping[str, int]
    style: str

    def cell(self, row: RowView, column: FieldView, scope: str | None, style: str | None = None) -> str:
        path = f"{row.id}.{column.id}" + (f"@{scope}" if scope else "")
        if path not in self.values:
            return ""
        unit = row.units[0] if row.units and column.family == "count" else None
        return self.form(column, self.values[path], unit, style)

    def figure(self, field: FieldView, style: str | None = None) -> str:
        return self.form(field, self.values[f"sheet.{field.id}"], None, style)

    def form(self, field: FieldView, value: int, unit: str | None, style: str | None) -> str:
        view = self.view
        return format_value(field.family, value, field, view.lang, view.currency, style or self.style, unit)

    @property
    def colon(self) -> str:
        return "：" if self.view.lang == "zh" else ": "

    def name(self, row: RowView) -> str:
        return row.names[0]


def _split_parts(view: SheetView, values: Mapping[str, int], requested: Sequence[str]) -> list[_Part]:
    """Return the parts of a reply: the sheet itself, then one per scope in order of request."""
    wanted: dict[str | None, list[tuple[str, str]]] = {None: []}
    for path in requested:
        if path not in values:
            raise GenError("witness", f"no value for requested path {path!r}", "derive it before writing")
        body, _, scope = path.partition("@")
        row, _, field = body.partition(".")
        wanted.setdefault(scope or None, []).append((row, field))
    parts = []
    for part, pairs in wanted.items():
        rows = {row for row, _ in pairs if row != "sheet"}
        columns = {field for row, field in pairs if row != "sheet"}
        figures = {field for row, field in pairs if row == "sheet"}
        parts.append(
            _Part(
                part,
                tuple(row for row in view.rows if row.id in rows),
                tuple(column for column in view.columns if column.id in columns),
                tuple(figure for figure in view.figures if figure.id in figures),
            )
        )
    return parts


def _item_word(view: SheetView) -> str:
    return "品名" if view.lang == "zh" else "Item"


def _markdown(rows: list[list[str]]) -> list[str]:
    lines = ["| " + " | ".join(row) + " |" for row in rows]
    return [lines[0], "|" + " --- |" * len(rows[0]), *lines[1:]]


def _table(part: _Part, words: _Words) -> list[str]:
    head = [_item_word(words.view), *(column.labels[0] for column in part.columns)]
    if not part.rows:
        pairs = [[figure.labels[0], words.figure(figure)] for figure in part.figures]
        return _markdown([["项目", "数值"] if words.view.lang == "zh" else ["Line", "Figure"], *pairs]) if pairs else []
    body = [
        [words.name(row), *(words.cell(row, column, part.scope) or "—" for column in part.columns)] for row in part.rows
    ]
    blanks = [""] * (len(part.columns) - 1)
    body += [[figure.labels[0], *blanks, words.figure(figure)] for figure in part.figures]
    return _markdown([head, *body])


def _transposed(part: _Part, words: _Words) -> list[str]:
    if not part.rows:
        return _bullets(part, words)
    head = ["", *(words.name(row) for row in part.rows)]
    body = [
        [column.labels[0], *(words.cell(row, column, part.scope) or "—" for row in part.rows)]
        for column in part.columns
    ]
    return [*_markdown([head, *body]), "", *_figure_lines(part, words, "- ")]


def _figure_lines(part: _Part, words: _Words, lead: str) -> list[str]:
    return [f"{lead}{figure.labels[0]}{words.colon}{words.figure(figure, _told(words))}" for figure in part.figures]


def _told(words: _Words) -> str:
    return words.style if words.style != "plain" else "unit"


def _labelled(row: RowView, part: _Part, words: _Words, columns: Sequence[FieldView] | None = None) -> list[str]:
    return [
        f"{column.labels[0]} {text}"
        for column in (part.columns if columns is None else columns)
        if (text := words.cell(row, column, part.scope, _told(words)))
    ]


def _bullets(part: _Part, words: _Words) -> list[str]:
    comma = "，" if words.view.lang == "zh" else ", "
    lines = [f"- {words.name(row)}{words.colon}{comma.join(_labelled(row, part, words))}" for row in part.rows]
    return lines + _figure_lines(part, words, "- ")


def _nested(part: _Part, words: _Words) -> list[str]:
    lines = []
    for number, row in enumerate(part.rows, 1):
        lines.append(f"{number}. **{words.name(row)}**")
        for column in part.columns:
            if text := words.cell(row, column, part.scope):
                lines.append(f"   - {column.labels[0]}{words.colon}{text}")
    return [*lines, "", *_figure_lines(part, words, "")]


def _prose(part: _Part, words: _Words) -> list[str]:
    is_zh = words.view.lang == "zh"
    comma, stop = ("，", "；") if is_zh else (", ", "; ")
    rows = [f"{words.name(row)} {comma.join(_labelled(row, part, words))}" for row in part.rows]
    figures = [f"{figure.labels[0]} {words.figure(figure, _told(words))}" for figure in part.figures]
    sentences = [stop.join(rows), comma.join(figures)]
    return [("" if is_zh else " ").join(text + ("。" if is_zh else ".") for text in sentences if text)]


def _arithmetic(part: _Part, words: _Words) -> list[str]:
    count = next((c for c in part.columns if c.family == "count"), None)
    money = [c for c in part.columns if c.family == "money"]
    names = {"price": ("单价", "price", "each"), "line": ("小计", "金额", "line", "total", "amount")}
    price = next((c for c in money if any(n in (*c.labels, c.id) or n in c.id for n in names["price"])), None)
    rest = [column for column in money if column is not price]
    line = next((c for c in rest if any(n in c.id or n in c.labels[0].lower() for n in names["line"])), None)
    if count is None or price is None or line is None or (count.id not in _QTY_IDS and len(
        [c for c in part.columns if c.family == "count"]) > 1):  # fmt: skip
        return _bullets(part, words)
    lines = []
    for row in part.rows:
        texts = [words.cell(row, column, part.scope, "unit") for column in (count, price, line)]
        others = _labelled(row, part, words, [c for c in part.columns if c not in (count, price, line)])
        if all(texts):
            body = f"{texts[0]} × {texts[1]} = {texts[2]}"
        else:
            body = ", ".join(_labelled(row, part, words, [count, price, line]))
        extra = "".join(f"（{other}）" if words.view.lang == "zh" else f" ({other})" for other in others)
        lines.append(f"- {words.name(row)}{words.colon}{body}{extra}")
    return lines + _figure_lines(part, words, "- ")


def _object(part: _Part, words: _Words) -> dict[str, object]:
    rows = []
    for row in part.rows:
        entry: dict[str, object] = {_item_word(words.view): words.name(row)}
        for column in part.columns:
            if text := words.cell(row, column, part.scope, "plain"):
                entry[column.labels[0]] = _plain_number(text)
        rows.append(entry)
    made: dict[str, object] = {("明细" if words.view.lang == "zh" else "items"): rows} if rows else {}
    made |= {figure.labels[0]: _plain_number(words.figure(figure, "plain")) for figure in part.figures}
    return made


def _plain_number(text: str) -> int | str:
    return int(text) if text.isdecimal() else text


def _json(parts: list[_Part], words: _Words, named: Mapping[str | None, str | None]) -> list[str]:
    made = _object(parts[0], words)
    for part in parts[1:]:
        made[named[part.scope] or ""] = _object(part, words)
    return ["```json", *json.dumps(made, ensure_ascii=False, indent=2).split("\n"), "```"]


_SHAPES: dict[str, Callable[[_Part, _Words], list[str]]] = {
    "table": _table, "transposed": _transposed, "bullets": _bullets, "nested": _nested, "prose": _prose,
    "arithmetic": _arithmetic,
}  # fmt: skip
STYLES = (*_SHAPES, "json", "message")

_GREETINGS = {
    "zh": (("各位好，最新的清单如下，请查收：", "有问题随时找我，谢谢！"),
           ("行政的同事好，单子定稿了，麻烦安排：", "辛苦了。")),
    "en": (("Hi Priya,\n\nHere's where we've landed:", "Shout if anything looks off.\n\nThanks"),
           ("Hello,\n\nThe final list is below.", "Many thanks,")),
}  # fmt: skip


def write_sheet(
    view: SheetView,
    values: Mapping[str, int],
    requested: Sequence[str],
    style: str,
    rng: random.Random,
    scopes: Mapping[str, str] | None = None,
) -> str:
    """Return a reply that shows exactly the requested values.

    Args:
        view: The sheet; its order is the reply's.
        values: By path: "row.column", "row.column@scope", "sheet.figure".
        requested: Paths to show, each of them in `values`.
        style: One of `STYLES`.
        rng: Draws the surface of values and the words around them.
        scopes: Wording of each scope in the paths; a scope that it lacks is written as it is.

    Raises:
        GenError: Unknown style, or a requested path without a value.
    """
    if style not in STYLES:
        raise GenError("witness", f"unknown style {style!r}", f"use one of {STYLES}")
    words = _Words(view, values, rng.choice(SURFACES))
    parts = _split_parts(view, values, requested)
    named = {part.scope: (scopes or {}).get(part.scope or "", part.scope) for part in parts}
    if style == "json":
        return "\n".join(_json(parts, words, named))
    shape = _SHAPES[rng.choice(["table", "bullets", "nested"]) if style == "message" else style]
    blocks = []
    for part in parts:
        lines = shape(part, words)
        if part.scope is not None and lines:
            lines = [f"### {named[part.scope]}", "", *lines]
        if lines:
            blocks.append("\n".join(lines).strip("\n"))
    text = "\n\n".join(blocks)
    if style == "message":
        opening, closing = rng.choice(_GREETINGS[view.lang])
        text = f"{opening}\n\n{text}\n\n{closing}"
    return text
