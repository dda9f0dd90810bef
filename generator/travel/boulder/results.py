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
from generator.scoring.statistics import PPIEstimate, ppi_mean
from generator.travel.boulder.result_files import Answered, read_labels, read_replies
from generator.travel.boulder.values import is_equal, score_value

STORED, LABEL = "stored", "label"
MAIN, CLOSENESS = "exact", "closeness"


class Cell(NamedTuple):
    """One task, model and setup: scores by parser, and in how many rows two parsers found the same.

    corrected: the mean of `metric` by the stored parser, corrected for its errors by labels of real replies; None
    where there are none.
    """

    task: str
    model: str
    setup: str
    n: int
    scores: Mapping[str, Summary]
    same: Mapping[str, int]
    mean_length: float | None
    metric: str = ""
    corrected: PPIEstimate | None = None


class ResultsReport(NamedTuple):
    """All cells of a file, and the rows left out, by reason."""

    cells: tuple[Cell, ...]
    skipped: Mapping[str, int]


Group = tuple[str, str, str]
"""Task, model and setup."""


def score_results(path: Path, labels: Path | None = None) -> ResultsReport:
    """Return the scores of a file of results: `.csv` for labels, else JSON Lines of replies.

    With `labels`, a CSV of checked parses, the stored parser's mean is corrected for its errors where cells of the two
    files have one task, model and setup.

    Raises:
        GenError: A file cannot be read, or a row is not of the format; all faults of a file at once.
    """
    skipped: Counter[str] = Counter()
    groups = _groups(path, skipped)
    checked = _groups(labels, Counter()) if labels is not None else {}
    cells = (_score_cell(*key, groups[key], checked.get(key, ())) for key in sorted(groups))
    return ResultsReport(tuple(cells), dict(skipped))


def _groups(path: Path, skipped: Counter[str]) -> dict[Group, list[Answered]]:
    try:
        text = path.read_text(encoding="utf-8-sig")
    except (OSError, UnicodeDecodeError) as error:
        raise GenError(str(path), f"cannot be read: {error}", "give a file of results") from error
    groups: dict[Group, list[Answered]] = defaultdict(list)
    for row in read_labels(text, path, skipped) if path.suffix == ".csv" else read_replies(text, path):
        groups[row.task, row.model, row.setup].append(row)
    if not groups:
        raise GenError(str(path), "no results in it", "give a file of results")
    return groups


def _score_cell(task: str, model: str, setup: str, rows: Sequence[Answered], checked: Sequence[Answered]) -> Cell:
    parsers = list(dict.fromkeys(name for row in rows for name in row.values))
    scores: dict[str, list[Score]] = {p: [_score(row, p) for row in rows] for p in parsers}
    same = {
        f"{a} = {b}": sum(is_equal(r.kind, r.values.get(a), r.values.get(b)) for r in rows)
        for i, a in enumerate(parsers)
        for b in parsers[i + 1 :]
    }
    lengths = [row.length for row in rows if row.length is not None]
    mean_length = sum(lengths) / len(lengths) if lengths else None
    summaries = {p: summarise(s) for p, s in scores.items()}
    corrected = _correct(scores.get(STORED, ()), checked)
    return Cell(task, model, setup, len(rows), summaries, same, mean_length, *corrected)


def _correct(scores: Sequence[Score], checked: Sequence[Answered]) -> tuple[str, PPIEstimate | None]:
    """Return the metric and its prediction-powered mean: the stored parser over all replies, labels over some.

    The labels do not say which replies they are of. They are taken as a sample beside the replies; where they are
    some of these, the interval is a little too narrow.
    """
    if not scores or not checked:
        return "", None
    metric = MAIN if MAIN in scores[0].values else CLOSENESS
    truth, said = ([_score(row, parser).values[metric] for row in checked] for parser in (LABEL, STORED))
    return metric, ppi_mean(truth, said, [score.values[metric] for score in scores])


def _score(row: Answered, parser: str) -> Score:
    value = row.values.get(parser)  # a row that was never parsed is a miss
    declines = row.declines and value is None
    return score_value(row.kind, value, row.target, also=row.also_pence, declines=declines)
