"""What a group's scores hang on: levels of each factor and the slope of each numeric one, with intervals."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from generator.scoring.statistics.association import pearson
from generator.scoring.statistics.basic import TINY, is_constant, mean
from generator.scoring.statistics.headline import Json, Setting
from generator.scoring.statistics.resample import FEW_CLUSTERS, Bootstrap, draw_means, sum_up
from generator.scoring.statistics.rows import TaskScore

_LABELS: dict[str, Callable[[TaskScore], tuple[str, ...]]] = {
    "world": lambda task: (task.factors.world,),
    "register": lambda task: (task.factors.register_name,),
    "profile": lambda task: (task.factors.profile,),
    "mechanism": lambda task: task.factors.mechanisms,
}
_NUMBERS: dict[str, Callable[[TaskScore], float]] = {
    "core": lambda task: task.factors.core,
    "distractors": lambda task: task.factors.distractors,
    "gap_share": lambda task: task.factors.gap_share,
    "turns": lambda task: task.factors.turns,
    "distance": lambda task: task.factors.distance,
}
_DRAWN = ("core", "distractors", "gap_share")
"""Numeric factors that stage 1 draws; turns and distance follow from them."""


def thirds(values: Sequence[float]) -> list[str | None]:
    """Return the third that each value falls in, as its range ("5-12"); shape (n,).

    Cuts stand between distinct values, as near to equal thirds as ties allow; values that do not vary are None.
    """
    if is_constant(values):
        return [None] * len(values)
    ordered = sorted(values)
    n = len(ordered)
    low, high = ordered[(n - 1) // 3], ordered[(2 * n - 1) // 3]
    places = [0 if value <= low else 1 if value <= high else 2 for value in values]
    ranges = {}
    for place in set(places):
        inside = [value for value, at in zip(values, places, strict=True) if at == place]
        ranges[place] = f"{min(inside):g}" if is_constant(inside) else f"{min(inside):g}-{max(inside):g}"
    return [ranges[place] for place in places]


def break_down(tasks: Sequence[TaskScore], setting: Setting, name: str) -> dict[str, dict[str, Json]]:
    """Return factor -> level -> {n, importance, strict, effect, interval, interval_over, note} of one group of tasks.

    Levels are worlds, registers, profiles, mechanisms (a task may have several) and thirds of core, distractors and
    gap share. `effect` is the level's mean importance minus that of all other tasks, with its percentile interval
    over worlds; for a level that lies within one world, over tasks. The factors are balanced by design, so effects
    are not adjusted for each other. A level that every task has has no effect (None).
    """
    levels: dict[str, list[tuple[str, ...]]] = {f: [get(task) for task in tasks] for f, get in _LABELS.items()}
    for factor in _DRAWN:
        parts = thirds([_NUMBERS[factor](task) for task in tasks])
        levels[f"{factor}_thirds"] = [() if part is None else (part,) for part in parts]
    members = {
        (factor, level): [level in several for several in labels]
        for factor, labels in levels.items()
        for level in sorted({label for several in labels for label in several}, key=_by_number)
    }
    effects = _effects(tasks, members, setting, name)
    found: dict[str, dict[str, Json]] = {factor: {} for factor in levels}
    for (factor, level), is_in in members.items():
        inside = [task for task, member in zip(tasks, is_in, strict=True) if member]
        effect, over = effects[factor, level]
        found[factor][level] = {
            "n": len(inside),
            "importance": mean([task.importance for task in inside]),
            "strict": mean([task.strict for task in inside]),
            "effect": effect.estimate,
            "interval": effect.interval,
            "interval_over": over,
            "few_clusters": effect.few_clusters,
            "note": effect.reason,
        }
    return found


def slopes(tasks: Sequence[TaskScore], setting: Setting, name: str) -> dict[str, Json]:
    """Return the effect of each numeric factor: change of mean importance per unit, with its interval over worlds.

    `slope` is of the least-squares line (per exchange; per 1.0 of gap share), `r` the correlation behind it; None
    where the factor does not vary. `balance` is the largest abs(r) with another drawn factor: the design keeps it
    within 0.1, and a slope is not adjusted for it. `is_drawn` is False for turns and distance, which follow from
    the others.
    """
    columns = {factor: [float(get(task)) for task in tasks] for factor, get in _NUMBERS.items()}
    scores = [task.importance for task in tasks]
    middle = mean(scores) or 0.0
    centred = {factor: [x - (mean(column) or 0.0) for x in column] for factor, column in columns.items()}
    # A slope needs four means only, so that all factors share one set of samples.
    parts = {"y": [score - middle for score in scores]}
    for factor, column in centred.items():
        parts |= {
            f"x {factor}": column,
            f"xx {factor}": [x * x for x in column],
            f"xy {factor}": [x * y for x, y in zip(column, parts["y"], strict=True)],
        }
    clusters = [task.cluster for task in tasks]
    units = len(set(clusters))
    draws = draw_means(parts, clusters, resamples=setting.resamples, seed=setting.seed, name=f"{name}/slopes")
    found = {}
    for factor, column in columns.items():
        x, xx, xy = (f"{part} {factor}" for part in ("x", "xx", "xy"))
        is_flat = is_constant(column)
        floor = 0.0 if is_flat else TINY * max(parts[xx])
        estimate = None if is_flat else _slope(0.0, 0.0, mean(parts[xx]), mean(parts[xy]), floor)
        drawn = [_slope(*four, floor) for four in zip(draws[x], draws["y"], draws[xx], draws[xy], strict=True)]
        boot = sum_up(estimate, drawn, setting.level, units, units < FEW_CLUSTERS)
        others = [abs(pearson(column, columns[other]) or 0.0) for other in _DRAWN if other != factor]
        found[factor] = {
            "slope": boot.estimate,
            "interval": boot.interval,
            "r": pearson(column, scores),
            "n": len(tasks),
            "few_clusters": boot.few_clusters,
            "note": boot.reason,
            "balance": max(others, default=0.0),
            "is_drawn": factor in _DRAWN,
        }
    return found


def _effects(
    tasks: Sequence[TaskScore], members: Mapping[tuple[str, str], Sequence[bool]], setting: Setting, name: str
) -> dict[tuple[str, str], tuple[Bootstrap, str]]:
    scores = [task.importance for task in tasks]
    clusters = [task.cluster for task in tasks]
    inner = {mark for mark, is_in in members.items() if len({c for c, m in zip(clusters, is_in, strict=True) if m}) < 2}
    found = {}
    for over, marks in (("worlds", [m for m in members if m not in inner]), ("tasks", sorted(inner))):
        # An effect is made of three means: of scores, of membership, and of their product.
        parts: dict[str, list[float]] = {"score": scores}
        for factor, level in marks:
            is_in = members[factor, level]
            parts[f"in {factor} {level}"] = [float(member) for member in is_in]
            parts[f"sum {factor} {level}"] = [s if m else 0.0 for s, m in zip(scores, is_in, strict=True)]
        groups = clusters if over == "worlds" else None
        units = len(set(clusters)) if over == "worlds" else len(tasks)
        draws = draw_means(parts, groups, resamples=setting.resamples, seed=setting.seed, name=f"{name}/{over}")
        for factor, level in marks:
            columns = ("score", f"in {factor} {level}", f"sum {factor} {level}")
            estimate = _effect(*(mean(parts[column]) or 0.0 for column in columns))
            drawn = [_effect(*three) for three in zip(*(draws[column] for column in columns), strict=True)]
            few = over == "worlds" and units < FEW_CLUSTERS
            found[factor, level] = (sum_up(estimate, drawn, setting.level, units, few), over)
    return found


def _effect(score: float, share: float, part: float) -> float | None:
    """Return mean inside minus mean outside, from the mean score, the share inside and the mean of score x inside."""
    if share < TINY or 1 - share < TINY:
        return None
    return part / share - (score - part) / (1 - share)


def _slope(x: float, y: float, xx: float | None, xy: float | None, floor: float) -> float | None:
    spread = (xx or 0.0) - x * x
    return ((xy or 0.0) - x * y) / spread if spread > floor else None


def _by_number(label: str) -> tuple[float, str]:
    head = label.split("-", maxsplit=1)[0]
    return (float(head), label) if head.replace(".", "", 1).isdecimal() else (0.0, label)
