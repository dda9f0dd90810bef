"""Scores result files of the original project's format, by our reading of the replies and by the stored one.

The formats are those of `result_files`. Rows are grouped by task, model and setup.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

from generator.errors import GenError
from generator.scoring.plain.metrics import Score, Summary, summarise
from generator.travel.boulder.result_files import Answered, read_labels, read_replies
from generator.travel.boulder.values import is_equal, score_value


class Cell(NamedTuple):
    """One task, model and setup: scores by parser, and in how many rows two parsers found the same."""

    task: str
    model: str
    setup: str
    n: int
    scores: Mapping[str, Summary]
    same: Mapping[str, int]
    mean_length: float | None


class ResultsReport(NamedTuple):
    """All cells of a file, and the rows left out, by reason."""

    cells: tuple[Cell, ...]
    skipped: Mapping[str, int]


def score_results(path: Path) -> ResultsReport:
    """Return the scores of a file of results: `.csv` for labels, else JSON Lines of replies.

    Raises:
        GenError: The file cannot be read, or a row is not of the format; all faults of the file at once.
    """
    skipped: Counter[str] = Counter()
    try:
        text = path.read_text(encoding="utf-8-sig")
    except (OSError, UnicodeDecodeError) as error:
        raise GenError(str(path), f"cannot be read: {error}", "give a file of results") from error
    rows = list(read_labels(text, path, skipped) if path.suffix == ".csv" else read_replies(text, path))
    groups: dict[tuple[str, str, str], list[Answered]] = defaultdict(list)
    for row in rows:
        groups[row.task, row.model, row.setup].append(row)
    if not groups:
        raise GenError(str(path), "no results in it", "give a file of results")
    return ResultsReport(tuple(_score_cell(*key, groups[key]) for key in sorted(groups)), dict(skipped))


def _score_cell(task: str, model: str, setup: str, rows: Sequence[Answered]) -> Cell:
    parsers = list(dict.fromkeys(name for row in rows for name in row.values))
    scores: dict[str, list[Score]] = {p: [_score(row, p) for row in rows] for p in parsers}
    same = {
        f"{a} = {b}": sum(is_equal(r.kind, r.values.get(a), r.values.get(b)) for r in rows)
        for i, a in enumerate(parsers)
        for b in parsers[i + 1 :]
    }
    lengths = [row.length for row in rows if row.length is not None]
    mean_length = sum(lengths) / len(lengths) if lengths else None
    return Cell(task, model, setup, len(rows), {p: summarise(s) for p, s in scores.items()}, same, mean_length)


def _score(row: Answered, parser: str) -> Score:
    value = row.values.get(parser)  # a row that was never parsed is a miss
    declines = row.declines and value is None
    return score_value(row.kind, value, row.target, also=row.also_pence, declines=declines)
