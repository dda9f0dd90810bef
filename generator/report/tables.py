"""CSV export. A cell that a spreadsheet would take for a formula is quoted with an apostrophe."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Sequence
from typing import Any

from generator.report.structure import Figure, Report, Table
from generator.report.words import mend

DANGEROUS = ("=", "+", "-", "@", "\t", "\r")
MAX_CELL = 32_000
"""Characters of a reply in a cell: spreadsheets refuse more than 32,767. The column before it gives the full length."""
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
    records = {
        "headline.csv": report.headline, "costs.csv": report.costs, "effects.csv": report.effects,
        "items.csv": report.item_counts, "judged.csv": report.judged, "setups.csv": report.setups,
        "setup-tests.csv": report.setup_tests, "setup-failures.csv": report.setup_tags,
        "setup-lengths.csv": report.setup_lengths,
    }  # fmt: skip
    found = {name: _records(rows) for name, rows in records.items() if rows}
    if any(scatter.points for scatter in report.scatters):
        found["scatter.csv"] = _scatter(report)
    for table in report.tables:
        found[f"table-{table.id}.csv"] = _table(table)
    if report.replies:
        found |= {"replies.csv": _replies(report), "misses.csv": _misses(report)}
        found |= {"setup-replies.csv": _setup_replies(report)} if report.setups else {}
    return found


def _table(table: Table) -> str:
    """Return a table as CSV; a column that holds a figure anywhere takes four."""
    wide = [next((row[n] for row in table.rows if isinstance(row[n], Figure)), None) for n in range(len(table.columns))]
    head = [name for column, figure in zip(table.columns, wide, strict=True) for name in _names(column, figure)]
    rows = []
    for row in table.rows:
        cells: list[object] = []
        for cell, figure in zip(row, wide, strict=True):
            parts = _parts(cell)
            cells += parts + [""] * (len(_names("", figure)) - len(parts))
        rows.append(cells)
    return write_csv(head, rows)


def _names(column: str, cell: object) -> list[str]:
    return [column, f"{column}_low", f"{column}_high", f"{column}_why"] if isinstance(cell, Figure) else [column]


def _parts(cell: Any) -> list[object]:
    if isinstance(cell, Figure):
        return [cell.value, cell.low, cell.high, cell.why]
    if isinstance(cell, tuple):
        return ["; ".join(" ".join(map(str, part)) if isinstance(part, tuple) else str(part) for part in cell)]
    return [cell]


def _records(records: Sequence[Any]) -> str:
    """Return records of one kind, of which there is at least one, as CSV: a column per field, four per figure."""
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
        "task", "mode", "lang", "setup", "world", "run", "condition", "roll", "status", "importance", "strict",
        "missed", "characters", "reply",
    )  # fmt: skip
    rows = (
        (t.id, t.mode, t.lang, t.setup, t.world, r.run, r.condition, r.roll, r.status, r.importance, r.strict,
         r.verdicts.count("m"), len(r.text) + r.cut, r.text[:MAX_CELL])
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


def _setup_replies(report: Report) -> str:
    """Return the replies to travel tasks as CSV, with what ties the setups of an instance together."""
    tasks = {task.id: task for task in report.tasks if task.name}
    metrics = sorted({name for r in report.replies if r.task in tasks for name, _ in r.metrics})
    head = (
        "task", "instance", "name", "setup", "lang", "run", "condition", "roll", "strict", *metrics, "failures shown",
        "abstained", "length",
    )  # fmt: skip
    rows = (
        (t.id, t.instance, t.name, t.setup, t.lang, r.run, r.condition, r.roll, r.strict,
         *(dict(r.metrics).get(name) for name in metrics), "; ".join(r.tags), r.is_abstention, r.length)
        for r in report.replies
        if (t := tasks.get(r.task)) is not None
    )  # fmt: skip
    return write_csv(head, rows)
