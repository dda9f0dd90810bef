"""Headline rows: means over tasks of means over rolls, with intervals over worlds and over tasks."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from statistics import fmean

from generator.report.sources import Row
from generator.report.structure import Figure, Headline, ItemCount
from generator.scoring.metrics import MIN_COVERAGE
from generator.scoring.statistics.resample import FEW_CLUSTERS, Bootstrap, bootstrap_mean, join_clusters

ESTIMAND = (
    "the mean over the tasks of a mode and language of a task's mean over its scored rolls, for tasks like these drawn "
    "from worlds like these, under the condition named in the row. Unsure items count as misses; failed calls are left "
    "out and show in the coverage. No figure is averaged over modes, languages, setups or conditions."
)
INTERVAL = (
    "Ranges are 95 % percentile bootstrap intervals over worlds, with twins and setups kept together; those named "
    "\u201ctasks\u201d are over single tasks. Scores are not comparable with those of other seeds, languages or papers."
)


def headline_rows(rows: Sequence[Row]) -> tuple[Headline, ...]:
    """Return one headline row per run, mode, language, setup and condition, in the order of the rows."""
    groups: dict[tuple[str, str, str, str, str], list[Row]] = {}
    for row in rows:
        groups.setdefault(row.group, []).append(row)
    return tuple(_headline(group) for group in groups.values())


def task_means(rows: Sequence[Row], figure: Callable[[Row], float | None]) -> dict[str, float]:
    """Return the mean over the rolls of each task on which the figure is defined, in the order of the rows."""
    found: dict[str, list[float]] = {}
    for row in rows:
        value = figure(row)
        if value is not None:
            found.setdefault(row.task, []).append(value)
    return {task: fmean(values) for task, values in found.items()}


def clusters_of(rows: Sequence[Row]) -> dict[str, int]:
    """Return the cluster of each task: tasks of one world, or of one instance, are together."""
    tasks = {row.task: row for row in rows}
    if not tasks:
        return {}
    numbers = join_clusters([r.world for r in tasks.values()], [r.instance for r in tasks.values()])
    return dict(zip(tasks, numbers, strict=True))


def figure_of(means: dict[str, float], clusters: dict[str, int], why: str) -> Figure:
    """Return the mean with both intervals; `why` is said where there is no value at all."""
    if not means:
        return Figure(why=why)
    values = list(means.values())
    over = bootstrap_mean(values, [clusters[task] for task in means], name="report")
    single = bootstrap_mean(values, name="report/tasks")
    return Figure(
        value=over.estimate, low=_low(over), high=_high(over), task_low=_low(single), task_high=_high(single),
        why="" if over.interval else f"no interval: {over.reason}",
    )  # fmt: skip


def _low(found: Bootstrap) -> float | None:
    return found.interval.low if found.interval else None


def _high(found: Bootstrap) -> float | None:
    return found.interval.high if found.interval else None


def _headline(rows: list[Row]) -> Headline:
    first, clusters = rows[0], clusters_of(rows)
    scored = [row for row in rows if row.importance is not None]
    nothing = "no reply was scored"

    def figure(pick: Callable[[Row], float | None], why: str = nothing) -> Figure:
        return figure_of(task_means(scored, pick), clusters, why)

    coverage = len(scored) / len(rows)
    pending = sum(row.status == "pending" for row in rows)
    worlds = {row.world for row in rows} - {None}
    notes = []
    if not worlds:
        notes.append("the keys are not at hand: worlds are not known, intervals are over instances")
    elif len(set(clusters.values())) < FEW_CLUSTERS:
        notes.append(f"fewer than {FEW_CLUSTERS} worlds: the interval over worlds is too narrow")
    if pending:
        notes.append(f"not finished: {pending} replies are still to come")
    gates = task_means(scored, lambda row: row.gate)
    no_key = nothing if not scored else "the keys are not at hand"
    return Headline(
        run=first.run, is_instrument=first.is_instrument, mode=first.mode, lang=first.lang, setup=first.setup,
        condition=first.condition, tasks=len(clusters), clusters=len(set(clusters.values())),
        rolls=len({row.roll for row in rows}), replies=len(rows), scored=len(scored),
        is_ranked=coverage >= MIN_COVERAGE and not first.is_instrument,
        importance=figure(lambda row: row.importance), importance_upper=_bare(figure(lambda row: row.upper)),
        importance_equal=_bare(figure(lambda row: row.equal, no_key)), strict=figure(lambda row: row.strict),
        strict_upper=_bare(figure(lambda row: row.strict_upper)),
        gate_rate=figure_of(gates, clusters, nothing if not scored else "no gate" if worlds else no_key),
        coverage=Figure(value=coverage), statuses=tuple(sorted(Counter(row.status for row in rows).items())),
        notes=tuple(notes),
    )  # fmt: skip


def _bare(figure: Figure) -> Figure:
    """Return the figure without intervals: a bound has none of its own."""
    return Figure(value=figure.value, why="" if figure.value is not None else figure.why)


def count_items(rows: Sequence[Row], kinds: dict[str, tuple[str, ...]]) -> tuple[ItemCount, ...]:
    """Return how items ended by run, condition and kind; `kinds` gives the kind of each item of a task, in order."""
    counts: dict[tuple[str, str, str], Counter[str]] = {}
    for row in rows:
        for letter, kind in zip(row.verdicts, kinds.get(row.task, ()), strict=False):
            counts.setdefault((row.run, row.condition, kind), Counter())[letter] += 1
    return tuple(
        ItemCount(
            run=run,
            condition=condition,
            kind=kind,
            hit=found["h"],
            miss=found["m"],
            unsure=found["u"],
            error=found["e"],
        )
        for (run, condition, kind), found in counts.items()
    )
