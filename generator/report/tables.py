"""CSV export. A cell that a spreadsheet would take for a formula is quoted with an apostrophe."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Sequence
from typing import Any

from generator.report.structure import Figure, Report
from generator.report.words import mend

DANGEROUS = ("=", "+", "-", "@", "\t", "\r")
_VERDICTS = {"m": "miss", "u": "unsure", "e": "error"}


def guard_cell(value: object) -> str:
    """Return the text of a cell; nothing for None.

    Numbers are ours and stay numbers, minus sign included; text that begins with = + - @, tab or carriage return is
    given a leading apostrophe, which spreadsheets take for "this is text".
    """
    if value is None:
        return ""
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, int | float):
        return repr(value)
    text = mend(str(value)).replace("\x00", "")
    return f"'{text}" if text.startswith(DANGEROUS) else text


def write_csv(head: Sequence[str], rows: Iterable[Sequence[object]]) -> str:
    """Return CSV text with CRLF line ends, every cell guarded."""
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\r\n")
    writer.writerow([guard_cell(name) for name in head])
    for row in rows:
        writer.writerow([guard_cell(cell) for cell in row])
    return out.getvalue()


def write_tables(report: Report) -> dict[str, str]:
    """Return every table as CSV text by file name; an undefined figure is empty with its reason beside it."""
    found = {
        "headline.csv": _records(report.headline), "costs.csv": _records(report.costs),
        "effects.csv": _records(report.effects), "items.csv": _records(report.item_counts),
        "scatter.csv": _scatter(report),
    }  # fmt: skip
    for table in report.tables:
        rows = [[part for cell in row for part in _parts(cell)] for row in table.rows]
        head = [name for n, column in enumerate(table.columns) for name in _names(column, table.rows[0][n])]
        found[f"table-{table.id}.csv"] = write_csv(head, rows)
    if report.replies:
        found |= {"replies.csv": _replies(report), "misses.csv": _misses(report)}
    return found


def _names(column: str, cell: object) -> list[str]:
    return [column, f"{column}_low", f"{column}_high", f"{column}_why"] if isinstance(cell, Figure) else [column]


def _parts(cell: Any) -> list[object]:
    if isinstance(cell, Figure):
        return [cell.value, cell.low, cell.high, cell.why]
    if isinstance(cell, tuple):
        return ["; ".join(" ".join(map(str, part)) if isinstance(part, tuple) else str(part) for part in cell)]
    return [cell]


def _records(records: Sequence[Any]) -> str:
    """Return records of one kind as CSV, a column per field, four per figure."""
    if not records:
        return ""
    fields = list(type(records[0]).model_fields)
    head = [name for field in fields for name in _names(field, getattr(records[0], field))]
    return write_csv(head, ([p for field in fields for p in _parts(getattr(record, field))] for record in records))


def _scatter(report: Report) -> str:
    head = ("lang", "setup", "condition", "task", "p_correct", "r_rest")
    rows = [
        (s.lang, s.setup, s.condition, p.task, p.p_correct, p.r_rest) for s in report.scatters for p in s.points
    ]  # fmt: skip
    return write_csv(head, rows)


def _replies(report: Report) -> str:
    tasks = {task.id: task for task in report.tasks}
    head = (
        "task", "mode", "lang", "setup", "world", "run", "condition", "roll", "status", "importance", "strict", "missed",
        "reply",
    )  # fmt: skip
    rows = (
        (t.id, t.mode, t.lang, t.setup, t.world, r.run, r.condition, r.roll, r.status, r.importance, r.strict,
         r.verdicts.count("m"), r.text)
        for r in report.replies
        for t in (tasks[r.task],)
    )  # fmt: skip
    return write_csv(head, rows)


def _misses(report: Report) -> str:
    tasks = {task.id: task for task in report.tasks}
    head = ("task", "run", "condition", "roll", "item", "kind", "weight", "label", "verdict", "expected", "read as")
    rows = (
        (r.task, r.run, r.condition, r.roll, item.id, item.kind, item.weight, item.label, _VERDICTS[letter],
         item.expected, dict(r.read_as).get(item.id))
        for r in report.replies
        for item, letter in zip(tasks[r.task].items, r.verdicts, strict=True)
        if letter in _VERDICTS
    )  # fmt: skip
    return write_csv(head, rows)
