"""The whole reply: what is JSON, what a table, what a line; sections of notes and of history."""

from __future__ import annotations

import re
from collections.abc import Iterable

from generator.records import SheetView
from generator.scoring.read.text import clean_reply
from generator.scoring.sheet.binding import Label
from generator.scoring.sheet.lex import Tok, tokenize
from generator.scoring.sheet.lexicon import Lexicon, compile_view
from generator.scoring.sheet.objects import ObjectReader, find_json
from generator.scoring.sheet.prose import LineReader
from generator.scoring.sheet.reading import SheetReading, Strength
from generator.scoring.sheet.sink import Sink
from generator.scoring.sheet.tables import Grid, delimiter_of, is_heading, read_grid, split_cells, split_pipes
from generator.scoring.sheet.text import flatten, strip_marker

MAX_CHARS = 200_000
_MAX_LINE = 40_000
_MAX_JSON_TRIES = 20

_DOLLARS = {"USD", "$", "US$", "HKD", "AUD", "CAD", "SGD", "NZD"}
_NOTES = re.compile(
    r"(?:\W{0,4})(?:备注|附注|注意|注|说明|(?:变更|变动|调整|修改)(?!后|为|到|至)|更新(?:说明|记录)|几点|提醒|另外|补充"
    r"|p\.?s|notes?|n\.b|changes?|what(?:'s| has)? changed|what i|a few|assumptions?|remarks?|reminders?"
    r"|for (?:the record|reference)|history|key changes|recap of changes|how i got)"
)
_PAST = re.compile(
    r"\W*(?:变更前|调整前|修改前|更新前|改前|(?:原|原来|原先|之前|此前|最初|初始|旧|旧版|上一版|早先)的?"
    r"(?:清单|单子|版本?|方案|采购单|列表|数据|表格?|计划|安排)?"
    r"|(?:the )?(?:original|previous|before|old|earlier|initial|superseded)"
    r"(?: (?:list|version|order|sheet|plan|figures|quote|numbers|table))?)(?:\([^()]{0,40}\))?\W*"
)
_AFTER_LEAD = {
    "colon", "dash", "comma", "num", "open", "times", "at", "per", "all", "eq", "list", "join", "slash", "word",
}  # fmt: skip
_TIGHT = re.compile(r"[\s\-(]*")
_CROWDED = re.compile(r"(\D{1,60}\D) (\d[\d,.]{0,15})")


def parse_sheet(
    reply_text: str,
    view: SheetView,
    requested: Iterable[str] | None = None,
    scopes: Iterable[tuple[str, tuple[str, ...]]] = (),
) -> SheetReading:
    """Return what a reply commits to: values of cells and figures, rows listed and rows said to be off.

    Args:
        reply_text: The reply as it came; reasoning is taken off, and only the first 200,000 characters are read.
        view: Names, labels and units of the sheet.
        requested: Ids of the columns and figures asked for; they settle the order of unlabelled numbers. None: all.
        scopes: Wordings of batches or days, each with the ids of the columns that are asked for it.
    """
    lex = compile_view(view, None if requested is None else frozenset(requested), tuple(scopes))
    text = flatten(clean_reply(reply_text), lex.lang, dollars=lex.currency.upper() in _DOLLARS)
    return _Reader(text, lex).read()


class _Reader:
    """One pass over the lines of a flattened reply."""

    def __init__(self, text: str, lex: Lexicon) -> None:
        self.text, self.lex = text, lex
        self.sink = Sink(lex)
        self.lines = LineReader(self.sink)
        self.notes = False
        self.past = False
        self.tries = 0

    def read(self) -> SheetReading:
        """Return the settled reading."""
        rows = self.text.split("\n")
        starts = [0]
        for row in rows:
            starts.append(starts[-1] + len(row) + 1)
        index = 0
        while index < len(rows):
            line = rows[index]
            opening = line.lstrip()
            if opening.startswith(("{", "[")) and self.tries < _MAX_JSON_TRIES:
                self.tries += 1
                found = find_json(self.text, starts[index] + len(line) - len(opening))
                if found is not None:
                    if not self.past:
                        ObjectReader(self.sink, self.lines, starts[index]).walk(found[0])
                    while index < len(rows) and starts[index] < found[1]:
                        index += 1
                    continue
            block = self._table(rows, index, starts[index])
            if block is not None:
                grid, index = block
                self.notes = False
                if not self.past:
                    read_grid(grid, self.sink, self.lines)
                continue
            self._line(line[:_MAX_LINE])
            index += 1
        return self.sink.finish()

    def _table(self, rows: list[str], index: int, where: int) -> tuple[Grid, int] | None:
        line = rows[index]
        below = rows[index + 1] if index + 1 < len(rows) else ""
        if line.count("|") >= 2 or ("|" in line and "-|-" in below.replace(" ", "")):
            end = index
            while end < len(rows) and "|" in rows[end]:
                end += 1
            return split_pipes(rows[index:end], where), end
        sign = delimiter_of(line)
        cells = split_cells(line, sign) if sign or "  " in line else []
        if len(cells) >= 2 and is_heading(cells, self.lex):
            body, end = [cells], index + 1
            while end < len(rows) and rows[end].strip() and len(split := split_cells(rows[end], sign)) >= 2:
                if not re.fullmatch(r"[\s=_-]+", rows[end]):
                    body.append(_fit(split, len(cells)))
                end += 1
            if len(body) > 1:
                return Grid(body, where), end
        return None

    def _line(self, line: str) -> None:
        if not line.strip():
            return
        body, marked, is_head = strip_marker(line)
        tokens = tokenize(body, self.lex)
        kinds = {tok.kind for tok in tokens}
        words = [tok.word for tok in tokens if tok.word is not None]
        if "num" not in kinds:
            self._heading(body, tokens, marked=marked, is_head=is_head)
            if self.past or not any(word.rows for word in words):
                return
        if self.past:
            return
        is_note = _NOTES.match(body) is not None
        strength = Strength.NOTE if self.notes or is_note else Strength.PROSE
        if strength == Strength.PROSE and _is_entry(tokens, body, marked=marked):
            strength = Strength.LINE
        self.lines.read_line(tokens, body, strength)
        self._list_bare(tokens, body, strength)

    def _list_bare(self, tokens: list[Tok], body: str, strength: Strength) -> None:
        """Count a list entry that is nothing but a row's name as a row of the list."""
        word = tokens[0].word if len(tokens) == 1 else None
        is_name = word is not None and word.rows and not body.replace(tokens[0].text, "").strip(" :,.;。")
        if strength == Strength.LINE and word is not None and is_name:
            self.sink.list_row(word.rows[0], Strength.LINE)

    def _heading(self, body: str, tokens: list[Tok], *, marked: bool, is_head: bool) -> None:
        """Let a line without numbers open a section: notes, history, one column, one row, or an order of columns."""
        words = [tok.word for tok in tokens if tok.word is not None]
        rows = [word for word in words if word.rows]
        columns = [word.columns[0] for word in words if word.columns and not word.rows]
        text = body.strip()
        is_title = is_head or text.endswith(":") or (len(text) <= 24 and not re.search(r"[,，。.;!?]", text))
        is_row = bool(rows) and len(words) == 1
        if is_title and not is_row:
            self.lines.sticky = None
            self.lines.scope = None
            self.notes = _NOTES.match(body) is not None
            self.past = _PAST.fullmatch(text) is not None
        if is_title and is_row and len(rows[0].rows) == 1:
            self.lines.context = rows[0].rows
        is_column = is_title and len(words) == 1 and words[0].columns and not (words[0].figures or words[0].rows)
        if len(columns) >= 2 and not rows:
            self.lines.order = tuple(dict.fromkeys(columns))
        elif is_column and (not marked or is_head):
            self.lines.sticky = Label(words[0].columns, ())
        scopes = [word.scope for word in words if word.scope]
        if is_title and len(scopes) == 1:
            self.lines.scope = scopes[0]


def _fit(cells: list[str], width: int) -> list[str]:
    """Return a line's cells under the heading's columns; a short line keeps its first and last cells in place."""
    if len(cells) >= width or len(cells) < 2:
        return cells
    if len(cells) == width - 1 and (crowded := _CROWDED.fullmatch(cells[0])):
        # a long name leaves its first value only one space away
        return [crowded[1], crowded[2], *cells[1:]]
    return [*cells[:-1], *[""] * (width - len(cells)), cells[-1]]


def _is_entry(tokens: list[Tok], body: str, *, marked: bool) -> bool:
    """Return whether a line reads as an entry of a sheet: a name or label, then at once its values."""
    if not tokens or not _TIGHT.fullmatch(body[: tokens[0].start]):
        return False
    first = tokens[0]
    second = tokens[1] if len(tokens) > 1 else None
    if first.kind == "word" and second is None:
        return marked
    if second is None or not _TIGHT.fullmatch(body[first.end : second.start]):
        return False
    if first.kind == "word":
        return second.kind in _AFTER_LEAD
    return first.kind == "num" and second.kind in {"word", "times"}
