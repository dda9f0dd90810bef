"""Tables: markdown, tab, comma and aligned text, upright or with the rows of the sheet as columns."""

from __future__ import annotations

import csv
import re
from dataclasses import dataclass, field
from fractions import Fraction

from generator.scoring.sheet.binding import Group, Label
from generator.scoring.sheet.lex import Tok, tokenize
from generator.scoring.sheet.lexicon import Lexicon, Word
from generator.scoring.sheet.numbers import MAX_DIGITS, Num
from generator.scoring.sheet.prose import LineReader
from generator.scoring.sheet.reading import Strength
from generator.scoring.sheet.sink import Sink

_RULE = re.compile(r"[\s|:+=—-]*-[\s|:+=—-]*|[\s|]*")
_PLAIN = re.compile(r"([¥£$€]\s?)?(\d{1,3}(?:,\d{3})+|\d+)(\.\d+)?")
_BRACKETS = re.compile(r"\([^()]{0,60}\)|/.{0,12}$")
_SUM_ROW = re.compile(r"\W*(?:合计|总计|小计|共计|总|grand total|totals?|sum|overall)\W*")
_WIDE_GAP = re.compile(r"\s{2,}")
_NOTE_HEAD = re.compile(
    r"备注|说明|注释|变更|变动|调整|计算|算式|notes?\b|remarks?\b|comments?\b|changes?\b|calculation|working"
)
_OFF_CELL = re.compile(r"\W{0,3}(?:已|均已|全部|本项|该项|此项|all\s|item\s)?$")


@dataclass(slots=True)
class Head:
    """What a table column holds: a column or figure of the sheet, a row (transposed), or remarks to skip."""

    word: Word | None = None
    scope: str | None = None
    skip: bool = False
    several: bool = False


@dataclass(slots=True)
class Grid:
    """A table: cells by line, with the offset of its first line and whether line 0 is known to be a heading."""

    rows: list[list[str]]
    where: int
    ruled: bool = False
    heads: list[Head] = field(default_factory=list)


def split_pipes(lines: list[str], where: int) -> Grid:
    """Return the grid of a block of markdown lines."""
    rows, ruled = list[list[str]](), False
    for line in lines:
        if _RULE.fullmatch(line):
            ruled = ruled or len(rows) == 1
            continue
        body = line.strip()
        body = body[1:] if body.startswith("|") else body
        rows.append([cell.strip() for cell in body.removesuffix("|").split("|")])
    return Grid(rows, where, ruled)


def delimiter_of(line: str) -> str:
    """Return what separates the cells of a heading line: a tab, a comma, a semicolon, or "" for wide gaps."""
    if "\t" in line:
        return "\t"
    for sign in ",;":
        if line.count(sign) >= 1 and f"{sign} " not in line.strip():
            return sign
    return ""


def split_cells(line: str, delimiter: str) -> list[str]:
    """Return the cells of a line that is not markdown; quoted cells may hold commas."""
    if not delimiter:
        return _WIDE_GAP.split(line.strip())
    return [cell.strip() for cell in next(csv.reader([line], delimiter=delimiter))]


def is_heading(cells: list[str], lex: Lexicon) -> bool:
    """Return whether cells are the heading of a table: two or more are labels of the view, none has a figure."""
    if len(cells) < 2 or any(char.isdigit() for cell in cells for char in cell):
        return False
    return sum(1 for cell in cells if (head := _head(cell, lex)).word is not None and head.word.columns) >= 2


def _head(cell: str, lex: Lexicon) -> Head:
    text = " ".join(cell.split())
    short = _BRACKETS.sub("", text).strip(" :")
    word = lex.word(text) or lex.word(short) or lex.ids.get(text)
    if word is not None and word.scope is None:
        return Head(word)
    tokens = tokenize(cell, lex)
    kinds = {tok.kind for tok in tokens}
    scope = next((tok.word.scope for tok in tokens if tok.word and tok.word.scope), None)
    words = [tok.word for tok in tokens if tok.word and not tok.word.scope]
    if "hist" in kinds and "now" not in kinds:
        return Head(skip=True)
    labels = [w for w in words if w.columns or w.figures]
    rows = [w for w in words if w.rows]
    if _NOTE_HEAD.search(text) and not rows:
        return Head(skip=True)
    if scope is not None and not labels:
        columns = lex.scope_columns.get(scope, ())
        return Head(Word(columns=columns) if len(columns) == 1 else None, scope, skip=len(columns) != 1)
    if len(labels) == 1 or (labels and len({w.columns for w in labels}) == 1):
        return Head(labels[0], scope)
    if len(labels) > 1 and not rows:
        return Head(None, scope, several=True)
    return Head(rows[0] if len(rows) == 1 and not labels else None, scope)


def read_grid(grid: Grid, sink: Sink, reader: LineReader) -> None:
    """Bind all values of a table; what has no usable heading is read line by line."""
    if not grid.rows:
        return
    lex = sink.lex
    heads = [_head(cell, lex) for cell in grid.rows[0]]
    has_digits = any(char.isdigit() for cell in grid.rows[0][1:] for char in cell)
    mapped = [head.word for head in heads if head.word is not None]
    grid.heads = heads
    if len(grid.rows) > 1 and any(word.rows for word in mapped) and _is_transposed(grid, lex):
        _read_transposed(grid, sink, reader)
        return
    if not has_digits and any(word.columns or word.figures for word in mapped if not word.rows):
        is_pair = len(heads) == 2 and not any(w.columns for w in mapped)
        if not is_pair:
            for cells in grid.rows[1:]:
                _read_row(cells, grid, sink, reader)
            return
    for cells in grid.rows[1 if grid.ruled and not has_digits and not any(w.figures for w in mapped) else 0 :]:
        _read_loose(cells, sink, reader)


def _is_transposed(grid: Grid, lex: Lexicon) -> bool:
    rows = sum(1 for head in grid.heads[1:] if head.word and head.word.rows)
    labels = sum(1 for cells in grid.rows[1:] if (word := _head(cells[0], lex).word) and word.columns)
    return rows >= 1 and labels >= 1


def _read_transposed(grid: Grid, sink: Sink, reader: LineReader) -> None:
    for cells in grid.rows[1:]:
        head = _head(cells[0], sink.lex)
        word = head.word
        if word is None or head.skip:
            if not head.skip:
                _read_loose(cells, sink, reader)
            continue
        done = False
        for index, cell in enumerate(cells[1:], 1):
            target = grid.heads[index] if index < len(grid.heads) else Head()
            if target.word is not None and target.word.rows and word.columns and cell:
                scope = head.scope or reader.scope
                _read_cell(cell, target.word.rows, word.columns[0], sink, reader, grid.where, scope)
            elif not (target.word and target.word.rows) and cell and not done and not target.skip:
                # the column of sums: what is below it belongs to the sheet as a whole
                done = _read_figure_cell(cell, word, target.word, sink, reader)
        if word.figures and not word.columns and not done:
            _read_loose(cells, sink, reader)


def _read_figure_cell(cell: str, label: Word, head: Word | None, sink: Sink, reader: LineReader) -> bool:
    lex = sink.lex
    figures = label.figures
    if not figures and head is not None and head.figures and lex.line in label.columns:
        figures = head.figures
    if not figures:
        return False
    return _read_figure(cell, figures[0], sink, reader, lex)


def _name_word(cell: str, lex: Lexicon) -> tuple[Word | None, list[Tok]]:
    text = " ".join(cell.split())
    word = lex.word(text) or lex.word(_BRACKETS.sub("", text).strip(" :"))
    tokens = tokenize(cell, lex) if word is None or "(" in text else []
    if word is not None:
        return word, tokens
    rows = tuple(dict.fromkeys(r for t in tokens if t.word and len(t.word.rows) == 1 for r in t.word.rows))
    if rows:
        scope = next((t.word.scope for t in tokens if t.word and t.word.scope), None)
        return Word(rows=rows, scope=scope), tokens
    figures = [t.word for t in tokens if t.word and t.word.figures]
    return (figures[0] if figures else None), tokens


def _read_row(cells: list[str], grid: Grid, sink: Sink, reader: LineReader) -> None:
    lex = sink.lex
    name, name_at, name_tokens, scope = None, -1, list[Tok](), reader.scope
    for index, cell in enumerate(cells):
        head = grid.heads[index] if index < len(grid.heads) else Head(skip=True)
        if (head.word is not None and not head.word.rows) or head.skip or not cell:
            continue
        word, tokens = _name_word(cell, lex)
        if word is not None and word.scope is not None:
            scope = word.scope
        # a row's own name goes before "合计" in a column of batches
        is_better = name is None or (not name.rows and word is not None and len(word.rows) == 1)
        if word is not None and is_better and (word.rows or word.figures):
            name, name_at, name_tokens = word, index, tokens
    if name is None or not name.rows:
        _read_sums(cells, grid, sink, reader)
    if name is None:
        _read_nameless(cells, grid, sink, reader)
    elif name.rows:
        _read_named(cells, name, name_at, name_tokens, grid, sink, reader, scope)
    else:
        _read_total(cells, name, name_at, grid, sink, reader)


def _read_sums(cells: list[str], grid: Grid, sink: Sink, reader: LineReader) -> None:
    """Bind the cells of a row of sums to the figures that are, by their labels, the sums of these columns."""
    free = [cell for cell, head in zip(cells, grid.heads, strict=False) if cell and head.word is None]
    sums = sum(1 for head in grid.heads if head.word is not None and head.word.columns)
    if not free or not _SUM_ROW.fullmatch(free[0]):
        return
    if sums > 1 and sum(any(map(str.isdigit, cell)) for cell in cells) < 2:
        return
    for cell, head in zip(cells, grid.heads, strict=False):
        figure = sink.lex.sums.get(head.word.columns[0]) if head.word and head.word.columns else None
        if figure is not None and cell:
            _read_figure(cell, figure, sink, reader, sink.lex)


def _read_nameless(cells: list[str], grid: Grid, sink: Sink, reader: LineReader) -> None:
    done = False
    for index, cell in enumerate(cells):
        head = grid.heads[index] if index < len(grid.heads) else Head()
        if cell and head.word is not None and head.word.figures and not head.word.rows:
            done = _read_figure(cell, head.word.figures[0], sink, reader, sink.lex) or done
    if not done:
        _read_loose(cells, sink, reader)


def _read_named(cells: list[str], name: Word, name_at: int, name_tokens: list[Tok], grid: Grid, sink: Sink,
                reader: LineReader, scope: str | None) -> None:  # fmt: skip
    lex = sink.lex
    if any(tok.kind == "cancel" for tok in name_tokens) or any(
        index != name_at and _is_off(cell, lex) for index, cell in enumerate(cells)
    ):
        sink.cancelled.update(name.rows)
        return
    for row in name.rows:
        sink.list_row(row, Strength.TABLE)
    has_line = any(head.word and lex.line in head.word.columns for head in grid.heads)

    def family(field_id: str) -> str:
        return lex.fields[field_id].family

    for index, cell in enumerate(cells):
        head = grid.heads[index] if index < len(grid.heads) else Head()
        if head.several and cell and index != name_at:
            group = Group(name.rows, Strength.TABLE, scope=head.scope or scope)
            reader.read_line(tokenize(cell, lex), cell, Strength.TABLE, group=group)
        if index == name_at or head.skip or head.word is None or not cell:
            continue
        if head.word.columns:
            _read_cell(cell, name.rows, head.word.columns[0], sink, reader, grid.where, head.scope or scope)
        elif head.word.figures and lex.line and not has_line and family(head.word.figures[0]) == family(lex.line):
            # a heading "总价" over the lines of the rows
            _read_cell(cell, name.rows, lex.line, sink, reader, grid.where, head.scope or scope)
    reader.context = name.rows


def _is_off(cell: str, lex: Lexicon) -> bool:
    if not cell or len(cell) > 40 or _PLAIN.fullmatch(cell):
        return False
    for tok in tokenize(cell, lex):
        if tok.kind == "cancel":
            return bool(_OFF_CELL.fullmatch(cell[: tok.start])) and len(cell) - tok.end <= 12
        if tok.kind in {"num", "word"}:
            return False
    return False


def _read_cell(cell: str, rows: tuple[str, ...], column: str, sink: Sink, reader: LineReader, where: int,
               scope: str | None) -> None:  # fmt: skip
    found = _PLAIN.fullmatch(cell)
    if found is not None and len(rows) == 1 and len(cell) <= MAX_DIGITS:
        amount = Fraction(found[2].replace(",", "") + (found[3] or ""))
        num = Num(where, where, "money" if found[1] else "bare", amount, cell)
        value = sink.read(num, column, told=True)
        if value is not None:
            sink.put(rows[0], column, value, Strength.TABLE, where, labelled=True, scope=scope)
        return
    group = Group(rows, Strength.TABLE, Label((column,), ()), scope=scope)
    reader.read_line(tokenize(cell, sink.lex), cell, Strength.TABLE, group=group)


def _read_figure(cell: str, figure: str, sink: Sink, reader: LineReader, lex: Lexicon) -> bool:
    before = len(sink.mentions.get((None, figure, reader.scope), ()))
    reader.read_line(tokenize(cell, lex), cell, Strength.TABLE, label=Label((), (figure,), True))
    return len(sink.mentions.get((None, figure, reader.scope), ())) > before


def _read_total(cells: list[str], name: Word, name_at: int, grid: Grid, sink: Sink, reader: LineReader) -> None:
    """Bind a row of sums: the cell under the line totals first, then under its family, then any, from the right."""
    lex, figure = sink.lex, name.figures[0]
    family = lex.fields[figure].family

    def rank(index: int) -> tuple[int, int]:
        head = grid.heads[index] if index < len(grid.heads) else Head()
        columns = head.word.columns if head.word else ()
        if head.skip:
            return (4, -index)
        if lex.line in columns:
            return (0, -index)
        if columns and lex.fields[columns[0]].family == family:
            return (1, -index)
        return (2 if not columns else 3, -index)

    for index in sorted((i for i, cell in enumerate(cells) if i != name_at and cell), key=rank):
        if _read_figure(cells[index], figure, sink, reader, lex):
            return
    reader.read_line(tokenize(cells[name_at], lex), cells[name_at], Strength.TABLE)


def _read_loose(cells: list[str], sink: Sink, reader: LineReader) -> None:
    filled = [cell for cell in cells if cell]
    if not filled:
        return
    text = ""
    for cell in filled:
        # a label and its value must not fall into two clauses
        text += cell.rstrip(":") + (", " if any(char.isdigit() for char in cell) else ": ")
    reader.read_line(tokenize(text, sink.lex), text, Strength.TABLE)
