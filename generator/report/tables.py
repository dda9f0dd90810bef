"""CSV export. A cell that a spreadsheet would take for a formula is quoted with an apostrophe."""

from __future__ import annotations

import csv
import io
from collections.abc import Callable, Iterable, Sequence

from generator.report.structure import Figure, Report
from generator.report.words import mend

DANGEROUS = ("=", "+", "-", "@", "\t", "\r")


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


def _write(head: Sequence[str], rows: Iterable[Sequence[object]]) -> str:
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\r\n")
    writer.writerow([guard_cell(name) for name in head])
    for row in rows:
        writer.writerow([guard_cell(cell) for cell in row])
    return out.getvalue()


def _figure(name: str) -> list[str]:
    return [name, f"{name}_low", f"{name}_high", f"{name}_why"]


def _cells(figure: Figure) -> list[object]:
    return [figure.value, figure.low, figure.high, figure.why]


def write_tables(report: Report) -> dict[str, str]:
    """Return every table as CSV text by file name; UTF-8, CRLF, an undefined figure is empty with its reason beside."""
    makers: dict[str, Callable[[Report], str]] = {
        "headline.csv": _headline, "costs.csv": _costs, "effects.csv": _effects, "items.csv": _items,
        "scatter.csv": _scatter, "replies.csv": _replies, "misses.csv": _misses,
    }  # fmt: skip
    found = {name: make(report) for name, make in makers.items()}
    for table in report.tables:
        found[f"table-{table.id}.csv"] = _write(table.columns, ([_cell(cell) for cell in row] for row in table.rows))
    return found


def _cell(cell: str | int | float | Figure) -> object:
    return (cell.value if cell.value is not None else cell.why) if isinstance(cell, Figure) else cell


def _headline(report: Report) -> str:
    plain = (
        "run",
        "is_instrument",
        "mode",
        "lang",
        "setup",
        "condition",
        "tasks",
        "clusters",
        "rolls",
        "replies",
        "scored",
    )
    figures = ("importance", "importance_upper", "importance_equal", "strict", "strict_upper", "gate_rate", "coverage")
    head = [*plain, "is_ranked", *(column for name in figures for column in _figure(name)), "statuses"]
    return _write(
        head,
        (
            [*(getattr(row, name) for name in plain), row.is_ranked,
             *(cell for name in figures for cell in _cells(getattr(row, name))),
             "; ".join(f"{name} {count}" for name, count in row.statuses)]
            for row in report.headline
        ),
    )  # fmt: skip


def _costs(report: Report) -> str:
    plain = ("run", "is_instrument", "condition", "currency", "tokens_in", "tokens_cached", "tokens_out", "is_on_front")
    figures = ("final_per_task", "all_per_task", "whole_run")
    return _write(
        [*plain, *figures, *_figure("importance")],
        (
            [*(getattr(row, name) for name in plain), *(getattr(row, name).value for name in figures),
             *_cells(row.importance)]
            for row in report.costs
        ),
    )  # fmt: skip


def _effects(report: Report) -> str:
    plain = ("run", "mode", "lang", "condition", "factor", "level", "tasks")
    return _write(
        [*plain, *_figure("importance"), *_figure("difference")],
        (
            [*(getattr(row, name) for name in plain), *_cells(row.mean), *_cells(row.difference)]
            for row in report.effects
        ),
    )


def _items(report: Report) -> str:
    names = ("run", "condition", "kind", "hit", "miss", "unsure", "error")
    return _write(names, ([getattr(row, name) for name in names] for row in report.item_counts))


def _scatter(report: Report) -> str:
    return _write(("task", "p_correct", "r_rest"), ((p.task, p.p_correct, p.r_rest) for p in report.scatter.points))


def _replies(report: Report) -> str:
    worlds = {task.id: (task.mode, task.lang, task.world) for task in report.tasks}
    head = (
        "task",
        "mode",
        "lang",
        "world",
        "run",
        "condition",
        "roll",
        "status",
        "importance",
        "strict",
        "missed",
        "reply",
    )
    return _write(
        head,
        (
            (r.task, *worlds[r.task], r.run, r.condition, r.roll, r.status, r.importance, r.strict,
             r.verdicts.count("m"), r.text)
            for r in report.replies
        ),
    )  # fmt: skip


def _misses(report: Report) -> str:
    names = {"m": "miss", "u": "unsure", "e": "error"}
    tasks = {task.id: task for task in report.tasks}
    head = ("task", "run", "condition", "roll", "item", "kind", "weight", "label", "expected", "verdict")
    return _write(
        head,
        (
            (
                r.task, r.run, r.condition, r.roll, item.id, item.kind, item.weight, item.label, item.expected,
                names[letter],
            )
            for r in report.replies
            for item, letter in zip(tasks[r.task].items, r.verdicts, strict=False)
            if letter in names
        ),
    )  # fmt: skip
