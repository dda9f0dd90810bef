"""Instances seen more than once: pair consistency of twins, and what probes say about a miss."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence

from generator.records import Verdict
from generator.scoring.statistics.basic import mean
from generator.scoring.statistics.headline import Json, Setting, figures
from generator.scoring.statistics.rows import Row, cluster_of


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
            clusters[instance] = cluster_of(pair[False])
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


def _is_strict(row: Row) -> bool | None:
    return bool(row.result.strict)


def _is_through(row: Row) -> bool | None:
    gates = [item.id for item in row.items if item.gate]
    return all(row.result.items.get(name) == Verdict.HIT for name in gates) if gates else None
