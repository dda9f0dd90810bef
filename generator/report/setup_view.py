"""Rows about setups put into the tables that the page shows, run by run."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from itertools import groupby
from typing import NamedTuple

from generator.report.structure import Figure, Report, SetupLength, SetupScore, SetupTag, SetupTest

OVERALL = "all"
EXACT = "strict"
MEASURES = {EXACT: "exact", "closeness": "closeness"}
TESTS = {"mcnemar": "McNemar, exact", "wilcoxon": "Wilcoxon, signed ranks"}
CLEAR = 0.05
"""Corrected p values below this are shaded."""

Cell = Figure | int | None
"""None where the setup was not run on it."""


class Row(NamedTuple):
    """A row of a table with a column per setup; a shaded one holds shares. `note` says how many it is over."""

    head: str
    cells: tuple[Cell, ...]
    is_shaded: bool = False
    note: str = ""


class Rows(NamedTuple):
    """Rows under one heading, a task or a label. `note` says how many replies or instances they are over."""

    name: str
    note: str
    rows: tuple[Row, ...]


class SetupView(NamedTuple):
    """Everything about the setups of one run, language and condition.

    pairs: matrix of one measure by its name: (setup, a test or None per later setup). saturated: (task, setups in which
    nearly all of it is right).
    """

    run: str
    is_instrument: bool
    place: str
    instances: int
    replies: int
    tasks: int
    setups: tuple[str, ...]
    scores: tuple[SetupScore, ...]
    columns: tuple[tuple[str, str], ...]
    family: int
    overall: tuple[SetupTest, ...]
    by_task: tuple[SetupTest, ...]
    pairs: tuple[tuple[str, tuple[tuple[str, tuple[SetupTest | None, ...]], ...]], ...]
    task_rows: tuple[Rows, ...]
    label_rows: tuple[Rows, ...]
    tag_rows: tuple[Rows, ...]
    saturated: tuple[tuple[str, tuple[str, ...]], ...]
    length: SetupLength | None

    @property
    def tag_count(self) -> int:
        """How many rows the table of failures has."""
        return sum(len(group.rows) for group in self.tag_rows)


def setup_views(report: Report) -> list[SetupView]:
    """Return a view for each run, language and condition with travel tasks."""
    return [
        _view(list(scores), report)
        for _, scores in groupby(report.setups, key=lambda s: (s.run, s.lang, s.condition))
    ]  # fmt: skip


def _view(scores: Sequence[SetupScore], report: Report) -> SetupView:
    first = scores[0]
    place = (first.run, first.lang, first.condition)
    overall = tuple(s for s in scores if s.level == OVERALL)
    setups = tuple(s.setup for s in overall)
    tests = [t for t in report.setup_tests if (t.run, t.lang, t.condition) == place]
    tags = [t for t in report.setup_tags if (t.run, t.lang, t.condition) == place]
    against = [t for t in tests if t.one == setups[0]]
    return SetupView(
        run=first.run, is_instrument=first.is_instrument, place=f"{first.lang}, condition {first.condition}",
        instances=max(s.instances for s in overall), replies=sum(s.replies for s in overall),
        tasks=len({s.name for s in scores if s.level == "task"}), setups=setups, scores=overall,
        columns=_columns(overall), family=len(tests),
        overall=tuple(t for t in against if t.task == OVERALL),
        by_task=tuple(t for t in against if t.task != OVERALL), pairs=_pairs(tests, setups),
        task_rows=_score_rows([s for s in scores if s.level == "task"], setups),
        label_rows=tuple(_label_rows(scores, level, setups) for level in ("reasoning", "knowledge")),
        tag_rows=_tag_rows([s for s in scores if s.level == "task"], tags, setups),
        saturated=_saturated(scores),
        length=next((x for x in report.setup_lengths if (x.run, x.lang, x.condition) == place), None),
    )  # fmt: skip


def _saturated(scores: Iterable[SetupScore]) -> tuple[tuple[str, tuple[str, ...]], ...]:
    found: dict[str, list[str]] = {}
    for score in scores:
        if score.is_saturated:
            found.setdefault(score.name, []).append(score.setup)
    return tuple((task, tuple(setups)) for task, setups in sorted(found.items()))


def _columns(scores: Iterable[SetupScore]) -> tuple[tuple[str, str], ...]:
    """Return the measures beside the exact one that some setup has: field and heading."""
    names = (("closeness", "closeness"), ("precision", "precision"), ("recall", "recall"), ("f1", "F1"))
    return tuple(pair for pair in names if any(getattr(s, pair[0]).value is not None for s in scores))


def _pairs(
    tests: Iterable[SetupTest], setups: Sequence[str]
) -> tuple[tuple[str, tuple[tuple[str, tuple[SetupTest | None, ...]], ...]], ...]:
    """Return what no table has yet: the pairs of setups over all tasks; nothing where there is but one pair."""
    found = {(t.measure, t.one, t.other): t for t in tests if t.task == OVERALL}
    if len(setups) < 3:
        return ()
    return tuple(
        (
            measure,
            tuple(
                (one, tuple(found.get((measure, one, other)) if n > place else None for n, other in _later(setups)))
                for place, one in enumerate(setups[:-1])
            ),
        )
        for measure in MEASURES
        if any(mark[0] == measure for mark in found)
    )


def _later(setups: Sequence[str]) -> list[tuple[int, str]]:
    return list(enumerate(setups))[1:]


def _score_rows(scores: Sequence[SetupScore], setups: Sequence[str]) -> tuple[Rows, ...]:
    """Return what is measured of each task: a row is there if some setup has the figure."""
    found = []
    for name in dict.fromkeys(s.name for s in scores):
        own = {s.setup: s for s in scores if s.name == name}
        unit = next((s.unit for s in own.values() if s.unit), "")
        wanted = (
            ("exact", "exact"), ("closeness", "closeness"), ("absolute_error", f"median error, {unit}"),
            ("relative_error", "median error, share"), ("precision", "precision"), ("recall", "recall"), ("f1", "F1"),
        )  # fmt: skip
        every = [Row(head, _cells(own, field, setups), not field.endswith("_error")) for field, head in wanted]
        rows = tuple(row for row in every if any(isinstance(c, Figure) and c.value is not None for c in row.cells))
        found.append(Rows(name, _range([s.instances for s in own.values()], "instances"), rows))
    return tuple(found)


def _label_rows(scores: Sequence[SetupScore], level: str, setups: Sequence[str]) -> Rows:
    rows = []
    for name in dict.fromkeys(s.name for s in scores if s.level == level):
        own = {s.setup: s for s in scores if s.level == level and s.name == name}
        note = _range([s.instances for s in own.values()], "instances")
        rows.append(Row(name, _cells(own, "exact", setups), is_shaded=True, note=note))
    return Rows(level, "", tuple(rows))


def _cells(own: Mapping[str, SetupScore], field: str, setups: Sequence[str]) -> tuple[Cell, ...]:
    return tuple(getattr(own[setup], field) if setup in own else None for setup in setups)


def _tag_rows(scores: Sequence[SetupScore], tags: Iterable[SetupTag], setups: Sequence[str]) -> tuple[Rows, ...]:
    """Return what is not right of each task, the failures most often shown first."""
    counts = {(t.task, t.tag, t.setup): t.replies for t in tags}
    found = []
    for task in dict.fromkeys(s.name for s in scores):
        own = {s.setup: s for s in scores if s.name == task}
        names = sorted({tag for name, tag, _ in counts if name == task})
        shown = [Row(tag, tuple(counts.get((task, tag, setup), 0) for setup in setups)) for tag in names]
        shown.sort(key=lambda row: -sum(cell for cell in row.cells if isinstance(cell, int)))
        last = (
            Row("abstained", _cells(own, "abstained", setups)),
            Row("no known failure", _cells(own, "untagged", setups)),
        )
        rows = [Row("not right", _cells(own, "wrong", setups)), *shown, *(row for row in last if any(row.cells))]
        found.append(Rows(task, _range([s.replies for s in own.values()], "replies a setup"), tuple(rows)))
    return tuple(found)


def _range(counts: Sequence[int], what: str) -> str:
    low, high = min(counts), max(counts)
    return f"{low} {what}" if low == high else f"{low} to {high} {what}"
