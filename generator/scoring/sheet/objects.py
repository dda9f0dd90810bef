"""JSON in a reply: lists and objects of rows, figures beside them, keys in either language."""

from __future__ import annotations

import json
import re
from decimal import Decimal
from fractions import Fraction
from typing import Any

from generator.scoring.sheet.binding import Group, Label
from generator.scoring.sheet.lex import tokenize
from generator.scoring.sheet.lexicon import Word
from generator.scoring.sheet.numbers import MAX_DIGITS, Num
from generator.scoring.sheet.prose import LineReader
from generator.scoring.sheet.reading import Strength
from generator.scoring.sheet.sink import Sink
from generator.scoring.sheet.tables import Grid, read_grid
from generator.scoring.sheet.units import COLUMN_ROLES, FIGURE_ROLES

_DECODER = json.JSONDecoder(parse_float=Decimal)
_SPLIT = re.compile(r"[_\-\s]+")
_VALUE_KEYS = {"value", "amount", "值", "数值", "金额"}
_NOTE_KEYS = {
    "note", "notes", "备注", "说明", "remark", "remarks", "comment", "changes", "变更", "history", "原", "previous",
}  # fmt: skip
_MAX_DEPTH = 12
_TRAILING = re.compile(r",(\s{0,200}[}\]])")


def find_json(text: str, start: int) -> tuple[Any, int] | None:
    """Return the object or list that begins at `start` and its end; None if there is none of use."""
    if text.count("[", start) + text.count("{", start) > 20_000:
        return None
    try:
        value, end = _DECODER.raw_decode(text, start)
    except (ValueError, RecursionError):
        return None
    return (value, end) if isinstance(value, (dict, list)) and value else None


class ObjectReader:
    """Walks a JSON value with the row and label that the path so far has named."""

    def __init__(self, sink: Sink, reader: LineReader, where: int) -> None:
        self.sink, self.lex, self.reader, self.where = sink, sink.lex, reader, where

    def walk(self, value: Any, rows: tuple[str, ...] = (), label: Word | None = None, depth: int = 0) -> None:
        """Bind every leaf below a value."""
        if depth > _MAX_DEPTH:
            return
        if isinstance(value, dict):
            self._walk_object(value, rows, label, depth)
        elif isinstance(value, list):
            if len(value) > 1 and all(isinstance(entry, list) for entry in value):
                grid = [["" if cell is None else str(cell) for cell in entry] for entry in value]
                read_grid(Grid(grid, self.where), self.sink, self.reader)
                return
            for entry in value:
                self.walk(entry, rows, label, depth + 1)
        elif value is not None and not isinstance(value, bool):
            self._leaf(value, rows, label)

    def _walk_object(self, value: dict[str, Any], rows: tuple[str, ...], label: Word | None, depth: int) -> None:
        own, figure, scope = self._names(value)
        rows = own or rows
        if own:
            if self._is_cancelled(value):
                self.sink.cancelled.update(own)
                return
            for row in own:
                self.sink.list_row(row, Strength.TABLE)
        kept, self.reader.scope = self.reader.scope, scope or self.reader.scope
        for key, inner in value.items():
            plain = _plain_key(key)
            if plain in _NOTE_KEYS:
                continue
            word = self._key(plain)
            if word is not None and word.scope is not None:
                outer, self.reader.scope = self.reader.scope, word.scope
                self.walk(inner, rows, label, depth + 1)
                self.reader.scope = outer
            elif plain in _VALUE_KEYS and label is not None and label.figures and not isinstance(inner, (dict, list)):
                self._leaf(inner, rows, label)
            elif word is not None and word.rows:
                if isinstance(inner, (dict, list)) or label is not None:
                    self.sink.list_row(word.rows[0], Strength.TABLE)
                self.walk(inner, word.rows, label, depth + 1)
            elif figure is not None and not isinstance(inner, (dict, list)):
                if not isinstance(inner, str) or any(char.isdigit() for char in inner):
                    self._leaf(inner, (), figure)
            elif word is not None:
                self.walk(inner, rows, word, depth + 1)
            elif isinstance(inner, (dict, list)):
                # a heading such as "费用汇总" neither names nor ends a row
                self.walk(inner, rows, label, depth + 1)
            elif label is not None and plain in _VALUE_KEYS:
                self._leaf(inner, rows, label)
        self.reader.scope = kept

    def _names(self, value: dict[str, Any]) -> tuple[tuple[str, ...], Word | None, str | None]:
        """Return the row or figure that an object's own strings name, and its scope."""
        rows: tuple[str, ...] = ()
        figure, scope = None, None
        for key, inner in value.items():
            if not isinstance(inner, str) or _plain_key(key) in _NOTE_KEYS:
                continue
            word = self.lex.word(" ".join(inner.split()))
            if word is None and not self._key(_plain_key(key)):
                found = [t.word for t in tokenize(inner, self.lex) if t.word and len(t.word.rows) == 1]
                word = found[0] if found and len(inner) <= 60 else None
            if word is None:
                continue
            scope = word.scope or scope
            if len(word.rows) == 1 and not rows:
                rows = word.rows
            elif word.figures and figure is None and not word.rows:
                figure = word
        return rows, (figure if not rows else None), scope

    def _is_cancelled(self, value: dict[str, Any]) -> bool:
        for inner in value.values():
            if (
                isinstance(inner, str)
                and len(inner) <= 12
                and any(t.kind == "cancel" for t in tokenize(inner, self.lex))
            ):
                return True
        return False

    def _key(self, plain: str) -> Word | None:
        word = self.lex.word(plain) or self.lex.ids.get(plain) or self.lex.ids.get(plain.replace(" ", "_"))
        if word is not None:
            return word
        if self.lex.lang == "zh":
            return self._english_key(plain)
        return None

    def _english_key(self, plain: str) -> Word | None:
        """Return the meaning of an English key beside a Chinese sheet."""
        lex = self.lex
        columns = tuple(
            target
            for role, target in (("qty", lex.qty), ("price", lex.price), ("line", lex.line))
            if target is not None and plain in COLUMN_ROLES[role]
        )
        figures: tuple[str, ...] = ()
        for names in FIGURE_ROLES.values():
            if plain in names:
                figures += tuple(w.figures[0] for n in names if (w := lex.words.get(n)) is not None and w.figures)[:1]
        return Word(columns=columns[:1], figures=figures[:1]) if columns or figures else None

    def _leaf(self, value: Any, rows: tuple[str, ...], label: Word | None) -> None:
        if label is None:
            return
        column = label.columns[0] if rows and label.columns else None
        field = column or (label.figures[0] if label.figures else None)
        if field is None:
            return
        if isinstance(value, (int, Decimal)):
            if not Decimal(value).is_finite() or abs(Decimal(value).adjusted()) > MAX_DIGITS:
                return
            num = Num(self.where, self.where, "bare", Fraction(value), str(value))
            read = self.sink.read(num, field, told=True)
            if read is not None:
                for row in rows if column else (None,):
                    self.sink.put(row, field, read, Strength.TABLE, self.where, labelled=True, scope=self.reader.scope)
            return
        text = str(value)
        tokens = tokenize(text, self.lex)
        if column:
            group = Group(rows, Strength.TABLE, Label((column,), ()), scope=self.reader.scope)
            self.reader.read_line(tokens, text, Strength.TABLE, group=group)
        else:
            self.reader.read_line(tokens, text, Strength.TABLE, label=Label((), (field,), True))


def _plain_key(key: str) -> str:
    """Return a JSON key as a label: unit_price and unitPrice (already in lower case) as words, unit in brackets off."""
    return " ".join(_SPLIT.split(re.sub(r"\([^()]{0,20}\)", "", key).strip().lower()))
