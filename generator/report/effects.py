"""What factors do to importance: the mean at each level less the mean at the others, with its interval."""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from statistics import fmean

from generator.records import Factors
from generator.report.headline import clusters_of, figure_of, task_means
from generator.report.sources import Row
from generator.report.structure import Effect, Figure
from generator.scoring.statistics.basic import LEVEL, is_constant, quantile
from generator.scoring.statistics.resample import draw_means

GRADED = ("core", "distractors", "gap_share", "turns", "distance")
NAMES = {
    "register_name": "register",
    "gap_share": "gap share",
    "core": "core exchanges",
    "distractors": "distractor exchanges",
}
_FEW = 2
_THIRDS_FROM = 9


def factor_effects(rows: Sequence[Row], factors: Mapping[str, Factors]) -> tuple[Effect, ...]:
    """Return the effects of every run, mode, language and condition (setup dialogue), in the order of the rows."""
    groups: dict[tuple[str, str, str, str, str], list[Row]] = {}
    for row in rows:
        if row.importance is not None and row.task in factors:
            groups.setdefault(row.group, []).append(row)
    found: list[Effect] = []
    for (run, mode, lang, setup, condition), group in groups.items():
        if setup == "dialogue":
            found += _group_effects((run, mode, lang, condition), group, factors)
    return tuple(found)


def _group_effects(name: tuple[str, str, str, str], rows: list[Row], factors: Mapping[str, Factors]) -> list[Effect]:
    means = task_means(rows, lambda row: row.importance)
    clusters = clusters_of(rows)
    found = []
    for factor, levels in _levels({task: factors[task] for task in means}).items():
        # A world is the cluster itself: drawn as a whole it would never vary within a level.
        units: dict[str, int] = {task: n for n, task in enumerate(means)} if factor == "world" else clusters
        for level, tasks in levels.items():
            others = len(means) - len(tasks)
            if len(tasks) < _FEW or others < _FEW:
                continue
            mean = figure_of({task: means[task] for task in means if task in tasks}, units, "")
            found.append(
                Effect(
                    run=name[0], mode=name[1], lang=name[2], condition=name[3], factor=NAMES.get(factor, factor),
                    level=level, tasks=len(tasks), mean=Figure(value=mean.value, low=mean.low, high=mean.high),
                    difference=_difference(means, tasks, [units[task] for task in means]),
                )
            )  # fmt: skip
    return found


def _levels(factors: Mapping[str, Factors]) -> dict[str, dict[str, set[str]]]:
    """Return factor → level → tasks, of factors with at least two levels."""
    found: dict[str, dict[str, set[str]]] = {}
    for task, one in factors.items():
        for name in ("world", "profile", "register_name"):
            found.setdefault(name, {}).setdefault(str(getattr(one, name)), set()).add(task)
        for mechanism in one.mechanisms:
            found.setdefault("mechanism", {}).setdefault(mechanism, set()).add(task)
    for name in GRADED:
        found[name] = _thirds({task: float(getattr(one, name)) for task, one in factors.items()})
    return {
        name: dict(sorted(levels.items())) if name not in GRADED else levels
        for name, levels in found.items()
        if len(levels) > 1
    }


def _thirds(values: Mapping[str, float]) -> dict[str, set[str]]:
    """Return tasks by lower, middle and upper third; equal values stay together, and too few tasks give none."""
    ordered = sorted(values.values())
    if len(ordered) < _THIRDS_FROM:
        return {}
    edges = (quantile(ordered, 1 / 3), quantile(ordered, 2 / 3))
    bins: dict[int, set[str]] = {}
    for task, value in values.items():
        bins.setdefault((value > edges[0]) + (value > edges[1]), set()).add(task)
    found = {}
    for place in sorted(bins):
        inside = [values[task] for task in bins[place]]
        low, high = f"{min(inside):g}", f"{max(inside):g}"
        found[low if low == high else f"{low} to {high}"] = bins[place]
    return found


def _difference(means: Mapping[str, float], level: set[str], units: Sequence[Hashable]) -> Figure:
    inside = [float(task in level) for task in means]
    values = list(means.values())
    here = fmean(v for v, flag in zip(values, inside, strict=True) if flag)
    there = fmean(v for v, flag in zip(values, inside, strict=True) if not flag)
    columns = {
        "here": [v * flag for v, flag in zip(values, inside, strict=True)], "at": inside,
        "there": [v * (1 - flag) for v, flag in zip(values, inside, strict=True)],
    }  # fmt: skip
    draws = draw_means(columns, units, name="report/effect")
    # A sample without the level, or without the others, has no difference.
    differences = sorted(
        a / share - b / (1 - share)
        for a, share, b in zip(draws["here"], draws["at"], draws["there"], strict=True)
        if 0 < share < 1 - 1e-9
    )
    reason = ""
    if len(differences) < 0.95 * max(1, len(draws["at"])):
        reason = "no interval: most worlds hold one level only"
    elif is_constant(differences):
        reason = "no interval: the samples do not vary"
    if reason:
        return Figure(value=here - there, why=reason)
    low, high = quantile(differences, (1 - LEVEL) / 2), quantile(differences, (1 + LEVEL) / 2)
    return Figure(value=here - there, low=low, high=high)
