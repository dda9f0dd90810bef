"""What a group's misses hang on: levels of each factor, factor effects, items, failures, twins and probes."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from generator.records import Verdict
from generator.scoring.statistics.association import pearson
from generator.scoring.statistics.basic import is_constant, mean
from generator.scoring.statistics.headline import Json, Setting, figures
from generator.scoring.statistics.proportions import wilson
from generator.scoring.statistics.resample import Bootstrap, bootstrap_statistic
from generator.scoring.statistics.rows import Row, TaskScore

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
_DESIGNED = ("core", "distractors", "gap_share")
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
    """Return factor -> level -> {n, importance, strict, effect} for one group of tasks.

    Levels are worlds, registers, profiles, mechanisms (a task may have several) and thirds of core, distractors and
    gap share. `effect` is the level's mean importance minus that of all other tasks, with the percentile interval
    over worlds (over tasks for worlds themselves); the factors are balanced by design, so it is not adjusted.
    """
    found: dict[str, dict[str, Json]] = {}
    levels: dict[str, list[tuple[str, ...]]] = {f: [get(task) for task in tasks] for f, get in _LABELS.items()}
    for factor in _DESIGNED:
        parts = thirds([_NUMBERS[factor](task) for task in tasks])
        levels[f"{factor}_thirds"] = [() if part is None else (part,) for part in parts]
    for factor, labels in levels.items():
        names = sorted({label for several in labels for label in several}, key=_by_number)
        found[factor] = {
            level: _level(tasks, [level in several for several in labels], setting, f"{name}/{factor}/{level}")
            for level in names
        }
    return found


def slopes(tasks: Sequence[TaskScore], setting: Setting, name: str) -> dict[str, Json]:
    """Return the effect of each numeric factor: change of mean importance per unit, with interval over worlds.

    `slope` is of the least-squares line (per exchange; per 1.0 of gap share), `r` the correlation behind it. Not
    defined (None) where the factor does not vary. `balance` is the largest abs(r) with another drawn factor: the
    design keeps it near 0.1, and a slope is not adjusted for it. `turns` and `distance` follow from the others.
    """
    scores = [task.importance for task in tasks]
    columns = {factor: [get(task) for task in tasks] for factor, get in _NUMBERS.items()}
    found = {}
    for factor, column in columns.items():
        others = [abs(pearson(column, columns[f]) or 0.0) for f in _DESIGNED if f != factor]

        def slope(places: Sequence[int], x: Sequence[float] = column) -> float | None:
            return _slope([x[p] for p in places], [scores[p] for p in places])

        boot = _over(len(tasks), slope, [task.cluster for task in tasks], setting, f"{name}/{factor}")
        found[factor] = {
            "slope": boot.estimate, "interval": boot.interval, "r": pearson(column, scores), "n": len(tasks),
            "few_clusters": boot.few_clusters, "note": boot.reason, "balance": max(others, default=0.0),
            "is_drawn": factor in _DESIGNED,
        }  # fmt: skip
    return found


def item_misses(rows: Sequence[Row]) -> Json:
    """Return misses of single items, over all scored replies: by item kind, and by failure.

    `by_kind`: n, misses, unsure and the Wilson interval of the miss rate (items of a task are not independent: it is
    too narrow, and says `interval_of` independent items). `by_failure`: `exposed` items are those where the failure's
    wrong answer would miss, `misses` of them; `taken` of these misses have just its wrong value, None where replies
    were not looked into. An item may be exposed to several failures. `unexplained`: misses of items exposed to none,
    and of those whose value is no failure's, where known.
    """
    kinds: dict[str, Counter[str]] = {}
    failures: dict[str, Counter[str]] = {}
    loose: Counter[str] = Counter()
    looked = any(row.taken is not None for row in rows)
    for row in rows:
        if row.result.importance is None:
            continue
        for item in row.items:
            end = row.result.items.get(item.id, Verdict.ERROR)
            count = kinds.setdefault(f"{item.kind} (gate)" if item.gate else item.kind, Counter())
            count.update({"n": 1, str(end.value): 1})
            is_miss = end == Verdict.MISS
            for failure in row.exposed.get(item.id, ()):
                failures.setdefault(failure, Counter()).update({"exposed": 1, "misses": is_miss})
            if not is_miss:
                continue
            loose["misses"] += 1
            loose["unexposed"] += not row.exposed.get(item.id)
            for failure in (row.taken or {}).get(item.id, ()):
                failures.setdefault(failure, Counter())["taken"] += 1
            loose["other_value"] += row.taken is not None and not row.taken.get(item.id)
    return {
        "by_kind": {
            kind: {
                "n": c["n"], "misses": c["miss"], "unsure": c["unsure"], "rate": c["miss"] / c["n"],
                "interval": wilson(c["miss"], c["n"]), "interval_of": "independent items",
            } for kind, c in sorted(kinds.items())
        },
        "by_failure": {
            failure: {
                "exposed": c["exposed"], "misses": c["misses"], "taken": c["taken"] if looked else None,
                "rate": c["misses"] / c["exposed"] if c["exposed"] else None,
            } for failure, c in sorted(failures.items())
        },
        "misses": loose["misses"],
        "unexplained": {"unexposed": loose["unexposed"], "other_value": loose["other_value"] if looked else None},
    }  # fmt: skip


def pair_consistency(rows: Sequence[Row], setting: Setting, name: str) -> Json:
    """Return how often a task and its twin are both right, in the same roll.

    Args:
        rows: Replies of one run, mode and condition, twins among them.
        setting: Resamples, level, seed.
        name: Name of the stream.

    `strict`: both without a miss. `gate`: both gates hit, None without gates. Each has the consistency as a figure
    over instances (mean over rolls), and counts of `both`, `base_only`, `twin_only`, `neither`. Pairs with a reply
    missing or in error are left out: `incomplete`.
    """
    sides: dict[tuple[str, int, str], dict[bool, Row]] = {}
    for row in rows:
        sides.setdefault((row.instance_id, row.result.roll, row.setup), {})[row.is_twin] = row
    has_twin = {row.instance_id for row in rows if row.is_twin}
    pairs = [(place, pair) for place, pair in sorted(sides.items()) if place[0] in has_twin]
    whole = [
        (place[0], pair) for place, pair in pairs
        if len(pair) == 2 and all(row.result.importance is not None for row in pair.values())
    ]  # fmt: skip
    found: Json = {"instances": len({name for name, _ in whole}), "incomplete": len(pairs) - len(whole)}
    for figure, right in (("strict", _is_strict), ("gate", _is_through)):
        ends: Counter[str] = Counter()
        scores: dict[str, list[float]] = {}
        clusters: dict[str, str] = {}
        for instance, pair in whole:
            base, twin = right(pair[False]), right(pair[True])
            if base is None or twin is None:
                continue
            ends[("neither", "twin_only", "base_only", "both")[2 * base + twin]] += 1
            scores.setdefault(instance, []).append(float(base and twin))
            clusters[instance] = pair[False].factors.world
        means = [mean(values) or 0.0 for values in scores.values()]
        counts = {end: ends[end] for end in ("both", "base_only", "twin_only", "neither")}
        share = figures({"both": means}, list(clusters.values()), setting, f"{name}/{figure}")["both"]
        found[figure] = {"consistency": share, **counts} if scores else None
    return found


def probe_outcomes(outcomes: Sequence[tuple[bool | None, bool | None, bool | None]]) -> dict[str, int]:
    """Return counts of what became of instances with probes: right, did_not_know, forgot, violated, unknown.

    Args:
        outcomes: Per instance whether the knowledge probe, the recall probe and the task itself were right; None where
            that reply is missing or in error. Only a task that went wrong is explained: by the first probe that went
            wrong too, or, if none did, as a violation of what was known and remembered.
    """
    ends: Counter[str] = Counter()
    for knows, recalls, does in outcomes:
        if does is None or (not does and (knows is None or (knows and recalls is None))):
            ends["unknown"] += 1
        elif does:
            ends["right"] += 1
        else:
            ends["did_not_know" if not knows else "forgot" if not recalls else "violated"] += 1
    return {end: ends[end] for end in ("right", "did_not_know", "forgot", "violated", "unknown")}


def probes(rows: Sequence[Row], setups: Mapping[str, str]) -> dict[str, int]:
    """Return `probe_outcomes` of one run's replies, one entry per instance and roll that has a probe.

    Args:
        rows: Replies; a reply is right if its gates are hit, or without gates if strict.
        setups: {"knowledge": setup, "recall": setup}: names of the probes' setups; any other setup is the task.
    """
    kinds = {setup: kind for kind, setup in setups.items()}
    found: dict[tuple[str, int], dict[str, bool | None]] = {}
    for row in rows:
        if row.is_twin:
            continue
        right = None if row.result.importance is None else _is_through(row)
        if right is None and row.result.importance is not None:
            right = _is_strict(row)
        found.setdefault((row.instance_id, row.result.roll), {})[kinds.get(row.setup, "task")] = right
    ends = [d for d in found.values() if "knowledge" in d or "recall" in d]
    return probe_outcomes([(d.get("knowledge"), d.get("recall"), d.get("task")) for d in ends])


def _level(tasks: Sequence[TaskScore], is_in: Sequence[bool], setting: Setting, name: str) -> Json:
    scores = [task.importance for task in tasks]
    inside = [task for task, member in zip(tasks, is_in, strict=True) if member]

    def effect(places: Sequence[int]) -> float | None:
        own = [scores[place] for place in places if is_in[place]]
        rest = [scores[place] for place in places if not is_in[place]]
        return sum(own) / len(own) - sum(rest) / len(rest) if own and rest else None

    # A level that is one world has no second world to draw: its effect is resampled over tasks.
    is_world = len({task.cluster for task in inside}) < 2
    boot = _over(len(tasks), effect, None if is_world else [task.cluster for task in tasks], setting, name)
    return {
        "n": len(inside),
        "importance": mean([task.importance for task in inside]),
        "strict": mean([task.strict for task in inside]),
        "effect": boot.estimate,
        "interval": boot.interval,
        "interval_over": "tasks" if is_world else "worlds",
        "note": boot.reason,
    }


def _over(n: int, statistic: Any, clusters: Sequence[str] | None, setting: Setting, name: str) -> Bootstrap:
    return bootstrap_statistic(
        n, statistic, clusters, resamples=setting.resamples, level=setting.level, seed=setting.seed, name=name
    )


def _slope(x: Sequence[float], y: Sequence[float]) -> float | None:
    if len(x) < 2 or is_constant(x):
        return None
    x_mean, y_mean = sum(x) / len(x), sum(y) / len(y)
    square = sum((a - x_mean) ** 2 for a in x)
    return sum((a - x_mean) * (b - y_mean) for a, b in zip(x, y, strict=True)) / square


def _by_number(label: str) -> tuple[float, str]:
    head = label.split("-", maxsplit=1)[0]
    return (float(head), label) if head.replace(".", "", 1).isdigit() else (0.0, label)


def _is_strict(row: Row) -> bool | None:
    return bool(row.result.strict)


def _is_through(row: Row) -> bool | None:
    gates = [item.id for item in row.items if item.gate]
    return all(row.result.items.get(name) == Verdict.HIT for name in gates) if gates else None
