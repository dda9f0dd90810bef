"""The words of one sheet, compiled once: names, labels, units, and the pattern that finds them in a reply."""

from __future__ import annotations

import datetime
import re
from collections.abc import Iterable
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from typing import Any

from generator.records import FieldView, SheetView
from generator.scoring.sheet.numbers import FieldReader
from generator.scoring.sheet.patterns import build_pattern
from generator.scoring.sheet.shortening import short_labels, short_rows
from generator.scoring.sheet.text import fold, variants
from generator.scoring.sheet.units import COLUMN_ROLES, FIGURE_ROLES, SUM_WORDS, UNITS


@dataclass(frozen=True, slots=True)
class Word:
    """What a literal of the view may stand for; more than one row means that the name is shared."""

    rows: tuple[str, ...] = ()
    columns: tuple[str, ...] = ()
    figures: tuple[str, ...] = ()
    scope: str | None = None


@dataclass(frozen=True, slots=True)
class Lexicon:
    """A compiled view. `price`, `line` and `qty` are the columns, `goods` and `total` the figures of
    these roles, if any; `sums` gives a column's sum.

    `requested` are the columns that a reply is expected to show, in the view's order.
    """

    lang: str
    currency: str
    today: datetime.date
    words: dict[str, Word]
    fields: dict[str, FieldReader]
    columns: tuple[str, ...]
    requested: tuple[str, ...]
    rows: tuple[str, ...]
    row_units: dict[str, frozenset[str]]
    units: frozenset[str]
    pattern: re.Pattern[str]
    price: str | None
    line: str | None
    qty: str | None
    goods: str | None
    total: str | None
    sums: dict[str, str]
    ids: dict[str, Word]
    scope_columns: dict[str, tuple[str, ...]]

    def word(self, text: str) -> Word | None:
        """Return what a whole folded string stands for, English plural and bracketed remark apart."""
        found = self.words.get(text)
        if found is None and self.lang == "en":
            found = self.words.get(text.removesuffix("s")) or self.words.get(text + "s")
        return found


def _reader(field: FieldView, lang: str) -> FieldReader:
    units = frozenset(fold(unit, lang) for unit in field.units)
    dimension, factor = "", Fraction(1)
    for unit in field.units:
        known = UNITS.get(fold(unit, lang))
        if known is not None and field.family == "measure":
            dimension, factor = known
            break
    return FieldReader(field.id, field.family, units, field.scale, dimension, factor)


def _sums_of(view: SheetView) -> dict[str, str]:
    """Return for each column the figure that by its label is the column's sum: 总箱数 for 箱数."""
    found: dict[str, str] = {}
    for column in view.columns:
        labels = [fold(label, view.lang) for label in column.labels]
        fits = [
            figure.id
            for figure in view.figures
            if figure.family == column.family
            and any(SUM_WORDS.search(name) and any(label in name for label in labels)
                    for name in (fold(label, view.lang) for label in figure.labels))
        ]  # fmt: skip
        if len(fits) == 1:
            found[column.id] = fits[0]
    return found


class _Words:
    """Literals gathered from a view before they are frozen."""

    def __init__(self, lang: str) -> None:
        self.lang = lang
        self.found: dict[str, dict[str, Any]] = {}

    def add(self, text: str, slot: str, target: str) -> None:
        for form in variants(fold(text, self.lang), self.lang):
            if form:
                slots = self.found.setdefault(form, {"rows": [], "columns": [], "figures": [], "scope": None})
                if slot == "scope":
                    slots["scope"] = target
                elif target not in slots[slot]:
                    slots[slot].append(target)

    def freeze(self) -> dict[str, Word]:
        return {
            form: Word(tuple(s["rows"]), tuple(s["columns"]), tuple(s["figures"]), s["scope"])
            for form, s in self.found.items()
        }


def _role_of(field: FieldView, roles: dict[str, tuple[str, ...]], lang: str) -> str | None:
    """Return the role that a field's id or first fitting label names; money roles only for money."""
    names = [field.id.replace("_", " ").lower(), *(fold(label, lang) for label in field.labels)]
    for name in names:
        for role, words in roles.items():
            if name in words and (field.family == "money" or role in {"qty", "deadline"}):
                return role
    return None


def _assign_roles(fields: Iterable[FieldView], roles: dict[str, tuple[str, ...]], lang: str) -> dict[str, str]:
    taken: dict[str, str] = {}
    for field in fields:
        role = _role_of(field, roles, lang)
        if role is not None and role not in taken:
            taken[role] = field.id
    return taken


def _gather(
    view: SheetView,
    scopes: tuple[tuple[str, tuple[str, ...]], ...],
    column_roles: dict[str, str],
    figure_roles: dict[str, str],
) -> _Words:
    """Return names and labels as the view has them, then synonyms and short forms that clash with none of them."""
    lang = view.lang
    words = _Words(lang)
    for row in view.rows:
        for name in row.names:
            words.add(name, "rows", row.id)
    for column in view.columns:
        for label in column.labels:
            words.add(label, "columns", column.id)
    for figure in view.figures:
        for label in figure.labels:
            words.add(label, "figures", figure.id)
    for scope, _ in scopes:
        words.add(scope, "scope", scope)
    labels = set(words.found)
    for slot, table, taken in (
        ("columns", COLUMN_ROLES, column_roles),
        ("figures", FIGURE_ROLES, figure_roles),
    ):
        for role, target in taken.items():
            for synonym in table[role]:
                # "小计" is the line's unless the view itself gives it to a figure, and the other way round
                if fold(synonym, lang) not in labels:
                    words.add(synonym, slot, target)
    known = set(words.found)
    for slot, pairs in (("rows", short_rows(view)), ("figures", short_labels(view))):
        for text, target in pairs:
            if text not in known:
                words.add(text, slot, target)
    return words


def _price_and_line(view: SheetView, roles: dict[str, str]) -> tuple[str | None, str | None]:
    """Return the columns of a unit's price and of a row's amount."""
    money = [column.id for column in view.columns if column.family == "money"]
    price = roles.get("price") or (money[0] if money and roles.get("line") != money[0] else None)
    line = roles.get("line") or next((m for m in money[1:] if m != price), None)
    if not money and any(column.family == "count" for column in view.columns):
        # boxes × weight of one = weight: two measures of one unit stand as price and line do
        measures = [column for column in view.columns if column.family == "measure"]
        alike = [column.id for column in measures if measures[0].units[:1] == column.units[:1]]
        price, line = (alike[0], alike[1]) if len(alike) == 2 else (None, None)
    return price, line


@lru_cache(maxsize=512)
def compile_view(
    view: SheetView,
    requested: frozenset[str] | None = None,
    scopes: tuple[tuple[str, tuple[str, ...]], ...] = (),
) -> Lexicon:
    """Return the compiled words of a view.

    Args:
        view: The sheet as scoring sees it; equal views share one compilation.
        requested: Ids of the columns and figures that are asked for; None for all.
        scopes: Pairs of a batch's or day's wording and the columns that are asked for it.
    """
    lang = view.lang
    column_roles = _assign_roles(view.columns, COLUMN_ROLES, lang)
    figure_roles = _assign_roles(view.figures, FIGURE_ROLES, lang)
    frozen = _gather(view, scopes, column_roles, figure_roles).freeze()
    columns = tuple(column.id for column in view.columns)
    asked = tuple(column for column in columns if requested is None or column in requested) or columns
    readers = {field.id: _reader(field, lang) for field in (*view.columns, *view.figures)}
    row_units = {row.id: frozenset(fold(unit, lang) for unit in row.units) for row in view.rows}
    units = frozenset().union(*row_units.values(), *(reader.units for reader in readers.values()))
    ids = {field.id: Word(columns=(field.id,)) for field in view.columns}
    ids |= {field.id: Word(figures=(field.id,)) for field in view.figures}
    ids |= {row.id: Word(rows=(row.id,)) for row in view.rows}
    counts = [column.id for column in view.columns if column.family == "count"]
    price, line = _price_and_line(view, column_roles)
    return Lexicon(
        lang=lang, currency=view.currency, today=datetime.date.fromisoformat(view.today), words=frozen,
        fields=readers, columns=columns, requested=asked, rows=tuple(row.id for row in view.rows),
        row_units=row_units, units=units,
        pattern=build_pattern(frozenset(frozen), units, lang, has_dates=any(
            reader.family == "date" for reader in readers.values())),
        price=price, line=line, qty=column_roles.get("qty") or (counts[0] if counts else None),
        goods=figure_roles.get("goods"), total=figure_roles.get("total"), ids=ids,
        sums=_sums_of(view),
        scope_columns=dict(scopes),
    )  # fmt: skip
