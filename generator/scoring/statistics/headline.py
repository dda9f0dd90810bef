"""Figures with their intervals, and the headline of a group of replies."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Hashable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from generator.scoring.metrics import MIN_COVERAGE
from generator.scoring.statistics.basic import LEVEL, Interval, is_constant, mean
from generator.scoring.statistics.proportions import wilson
from generator.scoring.statistics.resample import RESAMPLES, Bootstrap, bootstrap_means
from generator.scoring.statistics.rows import Row, TaskScore, score_tasks
from generator.scoring.statistics.tries import best_of_k, mean_tries, worst_of_k

Json = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Setting:
    """How intervals are made: resamples, confidence level, root seed of the streams."""

    resamples: int = RESAMPLES
    level: float = LEVEL
    seed: int = 0


def figures(
    columns: Mapping[str, Sequence[float]], clusters: Sequence[Hashable], setting: Setting, name: str
) -> dict[str, Json]:
    """Return each column's mean with the intervals of both bootstraps.

    Args:
        columns: Figure -> one value per task in [0, 1], shape (tasks,).
        clusters: Cluster of each task.
        setting: Resamples, level, seed.
        name: Name of the stream.

    Returns:
        Per figure: `value`, `n` (tasks), `by_world` and `by_task` (intervals or None), `clusters`, `few_clusters`,
        `wilson` and `note`. Where every task scored 0, or every task 1, a bootstrap has no width: `wilson` then holds
        the score interval of that many tasks, which takes them as independent.
    """
    by_world, by_task = (
        bootstrap_means(
            columns, groups, resamples=setting.resamples, level=setting.level, seed=setting.seed, name=f"{name}/{over}"
        )
        for over, groups in (("worlds", clusters), ("tasks", None))
    )
    return {label: _figure(values, by_world[label], by_task[label], setting.level) for label, values in columns.items()}


def difference_figure(
    values: Sequence[float], clusters: Sequence[Hashable], setting: Setting, name: str
) -> dict[str, Any]:
    """Return the mean of paired differences as a figure; differences have no score interval at their ends."""
    return figures({"difference": values}, clusters, setting, name)["difference"] | {"wilson": None}


def headline(rows: Sequence[Row], setting: Setting, name: str) -> Json:
    """Return the headline of one run's replies in one condition: coverage, figures, several tries.

    Means are of a task's rolls first, then of tasks; replies in error are left out and counted in `coverage`.
    """
    tasks = score_tasks(rows)
    scored = sum(row.result.importance is not None for row in rows)
    coverage = scored / len(rows) if rows else None
    columns = {
        "importance": [task.importance for task in tasks],
        "importance_upper": [task.upper for task in tasks],
        "importance_equal_weights": [task.equal for task in tasks],
        "strict": [task.strict for task in tasks],
    }
    found: Json = {
        "replies": len(rows),
        "scored": scored,
        "coverage": coverage,
        "is_ranked": coverage is not None and coverage >= MIN_COVERAGE,
        "tasks": len(tasks),
        "tasks_without_score": len({row.result.task_id for row in rows}) - len(tasks),
        "statuses": dict(sorted(Counter(row.result.status for row in rows).items())),
        **figures(columns, [task.cluster for task in tasks], setting, name),
    }
    gated = [task for task in tasks if task.gate is not None]
    rates = [task.gate for task in gated if task.gate is not None]
    found["gate_rate"] = figures({"gate": rates}, [task.cluster for task in gated], setting, name)["gate"]
    strict, importance = found["strict"]["value"], found["importance"]["value"]
    found["gap"] = None if importance is None else importance - strict
    found["rolls"] = _several(tasks)
    return found


def _several(tasks: Sequence[TaskScore]) -> Json:
    """Return mean, best-of-k and all-k bounds; k is the number of rolls that most tasks reach in full."""
    counts = [len(task.rolls) for task in tasks]
    k = max(counts, default=0)
    full = [task for task in tasks if len(task.rolls) == k]

    def average(figure: Callable[[TaskScore], float | None]) -> float | None:
        return mean([value for task in full if (value := figure(task)) is not None])

    tries = [(len(task.rolls), sum(task.strict_rolls.values())) for task in tasks]
    return {
        "k": k,
        "tasks_with_k": len(full),
        "mean_of_k": average(lambda task: task.importance),
        "best_of_k": average(lambda task: task.best),
        "all_of_k": average(lambda task: task.worst),
        "items_hit_in_any": average(lambda task: task.any_roll),
        "items_hit_in_all": average(lambda task: task.all_rolls),
        "strict": [mean_tries(tries, size) for size in range(1, k + 1)],
        "importance": [
            {"k": size, "best": average(lambda t: best_of_k([*t.rolls.values()], size)),  # noqa: B023 - used at once
             "worst": average(lambda t: worst_of_k([*t.rolls.values()], size))}  # noqa: B023
            for size in range(1, k + 1)
        ],
        "per_roll": {
            roll: mean([task.rolls[roll] for task in tasks if roll in task.rolls])
            for roll in sorted({roll for task in tasks for roll in task.rolls})
        },
    }  # fmt: skip


def _figure(values: Sequence[float], by_world: Bootstrap, by_task: Bootstrap, level: float) -> Json:
    n = len(values)
    edge: Interval | None = None
    note = by_world.reason
    if n >= 2 and is_constant(values) and round(values[0], 9) in {0, 1}:
        edge = wilson(n if values[0] > 0.5 else 0, n, level)
        note = "every task has the same score: Wilson interval, tasks taken as independent"
    elif by_world.few_clusters and not note:
        note = "fewer than ten clusters: the interval over worlds is too narrow"
    return {
        "value": by_world.estimate,
        "n": n,
        "by_world": by_world.interval,
        "by_task": by_task.interval,
        "wilson": edge,
        "clusters": by_world.units,
        "few_clusters": by_world.few_clusters,
        "note": note,
    }
