"""Runs beside each other: paired tests with Holm's correction, firmness of the order, leaders, Pareto, tasks."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import combinations
from typing import Any

from generator.scoring.statistics.association import p_correct, r_rest
from generator.scoring.statistics.headline import Json, Setting, difference_figure
from generator.scoring.statistics.paired import cohens_dz, holm, mcnemar, rank_biserial, sign_flip, wilcoxon
from generator.scoring.statistics.ranking import leaders_composite, rank_stability, roll_stability
from generator.scoring.statistics.rows import Row, TaskScore, score_tasks

MIN_PANEL = 8
"""Real configurations below which a task has no discrimination."""

_TESTS = ("wilcoxon", "sign_flip", "sign_flip_by_world", "mcnemar")


def compare_pair(one: Sequence[TaskScore], other: Sequence[TaskScore], setting: Setting, name: str) -> Json:
    """Return the paired comparison of two configurations on the tasks that both have scores for.

    `difference` (one minus other) is a figure of mean importance; the Wilcoxon and sign-flip tests are of these task
    differences, by task and, for sign-flip, by world; McNemar is of strict in the first roll both have.
    `only_one`, `only_other`: tasks left out because the other has no score.
    """
    right = {task.task_id: task for task in other}
    pairs = [(task, right[task.task_id]) for task in one if task.task_id in right]
    gaps = [a.importance - b.importance for a, b in pairs]
    clusters = [a.cluster for a, _ in pairs]
    firsts = [_first_strict(a, b) for a, b in pairs]
    tests = {
        "wilcoxon": wilcoxon(gaps),
        "sign_flip": sign_flip(gaps, seed=setting.seed, name=name),
        "sign_flip_by_world": sign_flip(gaps, clusters, seed=setting.seed, name=name),
        "mcnemar": mcnemar(firsts.count((True, False)), firsts.count((False, True))),
    }
    return {
        "n": len(pairs),
        "only_one": len(one) - len(pairs),
        "only_other": len(other) - len(pairs),
        "wins": sum(gap > 1e-12 for gap in gaps),
        "losses": sum(gap < -1e-12 for gap in gaps),
        "difference": difference_figure(gaps, clusters, setting, name),
        "rank_biserial": rank_biserial(gaps),
        "cohens_dz": cohens_dz(gaps),
        "tests": {test: result._asdict() if pairs else None for test, result in tests.items()},
    }


def compare_runs(
    tasks: Mapping[str, Mapping[str, Sequence[TaskScore]]], pairs: Sequence[tuple[str, str]] | None,
    setting: Setting, name: str,
) -> list[Json]:  # fmt: skip
    """Return every comparison of two declared families, Holm-corrected within its family and test.

    Args:
        tasks: Mode -> run -> scores of its tasks, one language, setup and condition.
        pairs: Pairs of runs to compare, declared before looking; None takes all.
        setting: Resamples, level, seed.
        name: Name of the streams.

    Family "overall" holds one comparison per pair over all tasks; family "per mode" one per pair and mode, if there
    are several modes.
    """
    runs = sorted({run for by_run in tasks.values() for run in by_run})
    chosen = list(combinations(runs, 2)) if pairs is None else [p for p in pairs if set(p) <= set(runs)]
    whole = {run: [task for by_run in tasks.values() for task in by_run.get(run, ())] for run in runs}
    families: dict[str, dict[str, Mapping[str, Sequence[TaskScore]]]] = {"overall": {"all": whole}}
    if len(tasks) > 1:
        families["per mode"] = dict(tasks.items())
    found = []
    for family, groups in families.items():
        made: list[Json] = [
            {"family": family, "mode": mode, "one": one, "other": other}
            | compare_pair(by_run.get(one, ()), by_run.get(other, ()), setting, f"{name}/{mode}/{one}/{other}")
            for mode, by_run in groups.items()
            for one, other in chosen
        ]
        for comparison in made:
            comparison["family_size"] = len(made)
        for test in _TESTS:
            ps = {str(at): (c["tests"][test] or {}).get("p") for at, c in enumerate(made)}
            for at, adjusted in holm(ps).items():
                if made[int(at)]["tests"][test]:
                    made[int(at)]["tests"][test]["p_holm"] = adjusted
        found += made
    return found


def order_runs(
    tasks: Mapping[str, Mapping[str, Sequence[TaskScore]]], ranked: Sequence[str], setting: Setting, name: str
) -> Json:
    """Return order, its stability over bootstrap and rolls, and the per-mode-leader composite of the ranked runs.

    All on the tasks that every ranked run has scores for (`n` of them): others would favour who failed on hard ones.

    Args:
        tasks: Mode -> run -> scores of its tasks.
        ranked: Runs with enough coverage, in any order.
        setting: Resamples, level, seed.
        name: Name of the streams.
    """
    runs = sorted(ranked)
    table: dict[str, dict[str, TaskScore]] = {
        run: {task.task_id: task for by_run in tasks.values() for task in by_run.get(run, ())} for run in runs
    }
    modes = {task.task_id: mode for mode, by_run in tasks.items() for several in by_run.values() for task in several}
    common = sorted(name for name in modes if runs and all(name in table[run] for run in runs))
    scores = {run: [table[run][name].importance for name in common] for run in runs}
    clusters = [table[runs[0]][name].cluster for name in common]
    options: dict[str, Any] = {"resamples": setting.resamples, "level": setting.level, "seed": setting.seed}
    stability = rank_stability(scores, clusters, **options, name=f"{name}/worlds")
    by_task = rank_stability(scores, **options, name=f"{name}/tasks")
    rolls = sorted(set.intersection(*(set(t.rolls) for run in runs for t in table[run].values()))) if common else []
    per_roll = {
        run: [sum(table[run][name].rolls[roll] for name in common) / len(common) for roll in rolls] for run in runs
    }
    composite = leaders_composite(scores, [modes[name] for name in common], clusters)
    return {
        "n": len(common),
        "clusters": stability.units,
        "places": [place._asdict() for place in stability.places],
        "mean_tau": stability.tau,
        "mean_tau_by_task": by_task.tau,
        "beats": [{"one": a, "other": b, "share": share} for (a, b), share in stability.beats.items()],
        "rolls": roll_stability(per_roll),
        "composite": composite._asdict(),
    }


def task_statistics(rows: Sequence[Row]) -> Json:
    """Return difficulty and discrimination of every task over the real configurations of one condition.

    Roll 1 only; simulated respondents and twins take no part. `p_correct` is the mean importance over
    configurations, `r_rest` the correlation with their mean on the other tasks: None below eight configurations, and
    where a side does not vary.
    """
    kept = [row for row in rows if not row.is_simulated and not row.is_twin and row.result.roll == 1]
    runs = sorted({row.run for row in kept})
    names = sorted({row.result.task_id for row in kept})
    scores = {(row.run, row.result.task_id): row.result.importance for row in kept}
    matrix = [[scores.get((run, name)) for name in names] for run in runs]
    rests = r_rest(matrix) if len(runs) >= MIN_PANEL else [None] * len(names)
    columns = [[row[at] for row in matrix] for at in range(len(names))]
    return {
        "configurations": len(runs),
        "note": "" if len(runs) >= MIN_PANEL else f"discrimination needs {MIN_PANEL} real configurations",
        "tasks": {
            name: {
                "p_correct": p_correct(column),
                "r_rest": rest,
                "n": sum(score is not None for score in column),
            }
            for name, column, rest in zip(names, columns, rests, strict=True)
        },
    }


def tasks_by_mode(rows: Sequence[Row]) -> dict[str, dict[str, list[TaskScore]]]:
    """Return mode -> run -> scores of its tasks, twins left out; modes and runs in name order."""
    groups: dict[str, dict[str, list[Row]]] = {}
    for row in sorted(rows, key=lambda r: (r.mode, r.run)):
        if not row.is_twin:
            groups.setdefault(row.mode, {}).setdefault(row.run, []).append(row)
    return {mode: {run: score_tasks(own) for run, own in by_run.items()} for mode, by_run in groups.items()}


def _first_strict(one: TaskScore, other: TaskScore) -> tuple[bool, bool] | None:
    shared = sorted(set(one.strict_rolls) & set(other.strict_rolls))
    return (one.strict_rolls[shared[0]], other.strict_rolls[shared[0]]) if shared else None
