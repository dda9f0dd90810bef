"""The report's figures: rows of one or several runs in, one JSON-able structure out.

Groups are (mode, language, setup, condition) of a run, and the same over all modes of a language; languages are never
pooled or compared. Twins and probes never enter a headline: `n` counts released instances. Factor effects are given
per mode only.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from enum import Enum
from typing import Any, TypeVar

from generator.scoring.metrics import MIN_COVERAGE
from generator.scoring.statistics.basic import mean
from generator.scoring.statistics.comparing import compare_runs, order_runs, task_statistics, tasks_by_mode
from generator.scoring.statistics.factors import break_down, slopes
from generator.scoring.statistics.headline import Json, Setting, headline
from generator.scoring.statistics.misses import item_misses
from generator.scoring.statistics.ranking import pareto_front
from generator.scoring.statistics.resample import FEW_CLUSTERS
from generator.scoring.statistics.rows import Row, Usage, check_rows, score_tasks
from generator.scoring.statistics.twins import pair_consistency, probes

Mark = TypeVar("Mark", bound=tuple[str, ...])

ALL = "all"
PROBES = {"knowledge": "knowledge-probe", "recall": "recall-probe"}
_USAGE = ("input_tokens", "cached_tokens", "output_tokens", "reasoning_tokens", "money", "seconds")

ESTIMAND = (
    "Mean over tasks of the mean over a task's rolls, on replies that arrived (coverage says how many). Intervals over "
    "worlds: what another draw of worlds of this kind would give. Intervals over tasks: another draw of tasks from "
    "these worlds. Percentile bootstrap. Unsure items count as misses; importance_upper counts them as hits."
)


def summarise(
    rows: Iterable[Row], setting: Setting | None = None, *,
    pairs: Sequence[tuple[str, str]] | None = None, probe_setups: Mapping[str, str] | None = None,
) -> Json:  # fmt: skip
    """Return every figure of the report.

    Args:
        rows: Scored replies of one or several runs, in any order. A planned reply that was never made belongs here
            too (`absent_result`), or coverage cannot count it.
        setting: Resamples, confidence level, root seed; the defaults are 2,000, 0.95 and 0.
        pairs: Pairs of runs to test, declared beforehand; None tests all, and the correction grows with them.
        probe_setups: {"knowledge": setup, "recall": setup}; None takes `PROBES`.

    Returns:
        about: settings and definitions; runs: run -> groups; blocks: comparisons, order, Pareto front and task
        statistics per (language, setup, condition). None means "not defined"; there is no NaN.

    Raises:
        ValueError: A run has a task's roll twice in one condition.
    """
    setting = setting or Setting()
    table = sorted(rows, key=lambda r: (r.run, r.mode, r.result.condition, r.result.task_id, r.result.roll))
    check_rows(table)
    setups = dict(PROBES if probe_setups is None else probe_setups)
    shown = [row for row in table if row.setup not in setups.values()]
    runs: Json = {}
    for run in sorted({row.run for row in table}):
        own = [row for row in table if row.run == run]
        runs[run] = {
            "is_simulated": any(row.is_simulated for row in own),
            "groups": [_group(part, mark, setting) for mark, part in _grouped(own, setups)],
            "probes": [
                {"mode": mode, "lang": lang, "condition": condition} | probes(part, setups)
                for (mode, lang, condition), part in _split(own, lambda r: (r.mode, r.lang, r.result.condition))
                if any(row.setup in setups.values() for row in part)
            ],
        }
    blocks = [_block(part, mark, setting, pairs, runs) for mark, part in _split(shown, _block_of)]
    about = {
        "resamples": setting.resamples, "level": setting.level, "seed": setting.seed, "min_coverage": MIN_COVERAGE,
        "few_clusters": FEW_CLUSTERS, "estimand": ESTIMAND, "definitions": DEFINITIONS,
    }  # fmt: skip
    plain: Json = to_plain({"about": about, "runs": runs, "blocks": blocks})
    return plain


def cost_of(rows: Sequence[Row]) -> Json:
    """Return usage of one group's replies, failed ones included: they were paid for.

    For `final` (last turn) and `whole` (all turns), per kind: `per_reply` (mean over the replies that report it),
    `total` and `known` (how many do). Nothing reported is None, not zero.
    """
    found: Json = {}
    for part in ("final", "whole"):
        usages: list[Usage] = [usage for row in rows if (usage := getattr(row, part)) is not None]
        found[part] = {}
        for kind in _USAGE:
            known = [float(value) for usage in usages if (value := getattr(usage, kind)) is not None]
            found[part][kind] = {
                "per_reply": mean(known),
                "total": math.fsum(known) if known else None,
                "known": len(known),
            }
    return found


def to_plain(value: Any) -> Any:
    """Return a value as JSON has it: mappings with text keys, lists, and None for what is not finite."""
    if isinstance(value, Mapping):
        return {str(key): to_plain(part) for key, part in value.items()}
    if isinstance(value, str):
        return value.value if isinstance(value, Enum) else value
    if isinstance(value, Sequence):
        return [to_plain(part) for part in value]
    if isinstance(value, float) and not math.isfinite(value):
        return None
    return value


def _group(rows: Sequence[Row], mark: tuple[str, str, str, str], setting: Setting) -> Json:
    mode, lang, setup, condition = mark
    base = [row for row in rows if not row.is_twin]
    name = "/".join([*mark, rows[0].run])
    tasks = score_tasks(base)
    has_twins = len(base) < len(rows)
    return {
        "mode": mode,
        "lang": lang,
        "setup": setup,
        "condition": condition,
        **headline(base, setting, name),
        # Factors are balanced within a mode; over modes they would stand for what sets the modes apart.
        "by": None if mode == ALL else break_down(tasks, setting, name),
        "slopes": None if mode == ALL else slopes(tasks, setting, name),
        "items": item_misses(base, setting.level),
        "pairs": pair_consistency(rows, setting, f"{name}/pairs") if has_twins else None,
        "cost": cost_of(base),
    }


def _block(
    rows: Sequence[Row], mark: tuple[str, str, str], setting: Setting, pairs: Sequence[tuple[str, str]] | None,
    runs: Json,
) -> Json:  # fmt: skip
    lang, setup, condition = mark
    name = "/".join(mark)
    groups = {
        run: group
        for run, found in runs.items()
        for group in found["groups"]
        if (group["lang"], group["setup"], group["condition"]) == mark and group["mode"] == ALL
    }
    real = [run for run in groups if not runs[run]["is_simulated"]]
    # Instruments are ordered among themselves only where there is nothing else.
    judged = real or list(groups)
    tasks = tasks_by_mode([row for row in rows if row.run in judged])
    points = {
        run: (groups[run]["cost"]["whole"]["money"]["per_reply"], groups[run]["importance"]["value"]) for run in judged
    }
    return {
        "lang": lang,
        "setup": setup,
        "condition": condition,
        "is_simulated": not real,
        "unranked": sorted(run for run in judged if not groups[run]["is_ranked"]),
        "comparisons": compare_runs(tasks, pairs, setting, name),
        "order": order_runs(tasks, [run for run in judged if groups[run]["is_ranked"]], setting, f"{name}/order"),
        "pareto": pareto_front(points),
        "task_statistics": task_statistics(rows),
    }


def _grouped(rows: Sequence[Row], setups: Mapping[str, str]) -> list[tuple[tuple[str, str, str, str], list[Row]]]:
    shown = [row for row in rows if row.setup not in setups.values()]
    single = _split(shown, lambda row: (row.mode, *_block_of(row)))
    whole = [((ALL, *mark), part) for mark, part in _split(shown, _block_of)]
    return [*single, *whole]


def _block_of(row: Row) -> tuple[str, str, str]:
    return (row.lang, row.setup, row.result.condition)


def _split(rows: Sequence[Row], mark_of: Callable[[Row], Mark]) -> list[tuple[Mark, list[Row]]]:
    groups: dict[Mark, list[Row]] = {}
    for row in rows:
        groups.setdefault(mark_of(row), []).append(row)
    return sorted(groups.items(), key=lambda pair: pair[0])


DEFINITIONS = {
    "importance": "weight of hit items over weight of all items; 0 if a gate is missed",
    "importance_upper": "importance if every unsure item were a hit",
    "importance_equal_weights": "importance with every weight taken as 1",
    "strict": "share of replies without a single miss",
    "gate_rate": "share of gates hit, among tasks that have one",
    "gap": "importance minus strict",
    "coverage": "share of replies that arrived and were scored",
    "by_world": "percentile bootstrap interval over worlds (twins and setups stay with their world)",
    "by_task": "percentile bootstrap interval over tasks",
    "best_of_k": "mean over tasks of the highest of k rolls",
    "all_of_k": "mean over tasks of the lowest of k rolls",
    "items_hit_in_any": "importance if an item counts as hit when any roll hit it",
    "items_hit_in_all": "importance if an item counts as hit only when every roll hit it",
    "pass_at_k": "chance that at least one of k replies is strict",
    "pass_hat_k": "chance that all of k replies are strict (pass^k)",
    "effect": "mean importance of tasks at this level minus that of all other tasks",
    "slope": "change of mean importance per exchange, or per 1.0 of gap share",
    "consistency": "share of pairs in which a task and its twin are both right",
    "p_holm": "p-value after Holm's correction over the declared family",
    "rank_biserial": "share of rank sum that favours the first minus that which favours the second, -1 to 1",
    "cohens_dz": "mean difference over the standard deviation of differences",
    "composite": "score if every mode were answered by its best run; cross_fitted picks leaders on other worlds",
    "p_correct": "mean importance of a task over real configurations; higher is easier",
    "r_rest": "correlation of a task's score with the mean of the others over real configurations",
}
"""What each figure of the summary means, for a glossary."""
