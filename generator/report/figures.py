"""From the statistics' summary to the rows of the report: nothing is computed here, only said."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from generator.report.setups import setup_place
from generator.report.structure import Cost, Effect, Figure, Headline, ItemCount, Scatter, ScatterPoint
from generator.scoring.statistics.ranking import pareto_front
from generator.stages.travel import MODE as TRAVEL

Json = dict[str, Any]

FACTORS = {
    "core_thirds": "core exchanges", "distractors_thirds": "distractor exchanges", "gap_share_thirds": "gap share",
}  # fmt: skip
_FEW = "fewer than ten clusters"


def order_setups(summary: Json) -> None:
    """Put setups in the order in which builds have them, within modes and languages, in place."""
    for found in summary["runs"].values():
        found["groups"].sort(
            key=lambda g: (g["mode"] == "all", g["mode"], g["lang"], setup_place(g["setup"]), g["condition"])
        )
    summary["blocks"].sort(key=lambda b: (b["lang"], setup_place(b["setup"]), b["condition"]))


def groups_of(summary: Json, *, pooled: bool) -> Iterator[tuple[str, bool, Json]]:
    """Yield (run, is simulated, group); groups over all modes only if `pooled` and the run has several modes."""
    for run, found in summary["runs"].items():
        modes: dict[tuple[str, str, str], int] = {}
        for group in found["groups"]:
            place = (group["lang"], group["setup"], group["condition"])
            modes[place] = modes.get(place, 0) + (group["mode"] != "all")
        for group in found["groups"]:
            is_whole = group["mode"] == "all"
            if not is_whole or (pooled and modes[group["lang"], group["setup"], group["condition"]] > 1):
                yield run, bool(found["is_simulated"]), group


def figure_from(found: Json | None, why: str) -> Figure:
    """Return a summary's figure; `why` is said where it has no value."""
    if found is None or found["value"] is None:
        return Figure(why=why)
    ends = found["by_world"] or found.get("wilson") or (None, None)
    tasks = found["by_task"] or (None, None)
    note = _note(found["note"])
    return Figure(value=found["value"], low=ends[0], high=ends[1], task_low=tasks[0], task_high=tasks[1], why=note)


def _note(text: Any) -> str:
    """Return a summary's note as it fits under a figure; that there are few worlds is said once a row instead."""
    if str(text).startswith(_FEW):
        return ""
    return "Wilson interval: all tasks equal" if "Wilson" in str(text) else str(text)


def bare(found: Json | None, why: str) -> Figure:
    """Return a figure without its intervals."""
    figure = figure_from(found, why)
    return Figure(value=figure.value, why="" if figure.value is not None else why)


def headline_rows(summary: Json) -> tuple[Headline, ...]:
    """Return the headline rows."""
    return tuple(_headline(run, sim, group) for run, sim, group in groups_of(summary, pooled=True))


def _headline(run: str, is_simulated: bool, group: Json) -> Headline:
    nothing = "no reply was scored"
    notes = []
    if group["importance"]["few_clusters"]:
        notes.append("under ten worlds: the interval is too narrow")
    if group["tasks_without_score"]:
        notes.append(f"{group['tasks_without_score']} tasks have no scored reply and are in no figure")
    return Headline(
        run=run, is_instrument=is_simulated, mode=group["mode"], lang=group["lang"], setup=group["setup"],
        condition=group["condition"], tasks=group["tasks"], worlds=group["importance"]["clusters"],
        rolls=len(group["rolls"]["per_roll"]), replies=group["replies"], scored=group["scored"],
        is_ranked=bool(group["is_ranked"]) and not is_simulated,
        importance=figure_from(group["importance"], nothing),
        importance_upper=bare(group["importance_upper"], nothing),
        importance_equal=bare(group["importance_equal_weights"], nothing),
        strict=figure_from(group["strict"], nothing),
        gate_rate=figure_from(group["gate_rate"], "no gate" if group["scored"] else nothing),
        coverage=Figure(value=group["coverage"], why="" if group["coverage"] is not None else "no reply was planned"),
        gap=Figure(value=group["gap"], why="" if group["gap"] is not None else nothing),
        statuses=tuple(sorted(group["statuses"].items())), notes=tuple(notes),
    )  # fmt: skip


def effect_rows(summary: Json) -> tuple[Effect, ...]:
    """Return the effects of every factor with at least two levels, mode by mode."""
    return tuple(
        _effect(run, group, factor, level, found)
        for run, _, group in groups_of(summary, pooled=False)
        for factor, levels in group["by"].items()
        if len(levels) > 1
        for level, found in levels.items()
    )


def _effect(run: str, group: Json, factor: str, level: str, found: Json) -> Effect:
    low, high = found["interval"] or (None, None)
    note = _note(found["note"])
    is_defined = found["effect"] is not None
    return Effect(
        run=run, mode=group["mode"], lang=group["lang"], setup=group["setup"], condition=group["condition"],
        factor=_factor(group["mode"], factor), level=level, tasks=found["n"],
        importance=Figure(value=found["importance"], why="no reply was scored" if found["importance"] is None else ""),
        difference=Figure(value=found["effect"], low=low if is_defined else None, high=high if is_defined else None,
                          why=note or ("" if is_defined else "every task has this level")),
        over=found["interval_over"],
    )  # fmt: skip


def _factor(mode: str, factor: str) -> str:
    # What drives a travel task is which task it is.
    return "task" if mode == TRAVEL and factor == "mechanism" else FACTORS.get(factor, factor)


def item_rows(summary: Json) -> tuple[ItemCount, ...]:
    """Return how items ended, by kind, mode by mode."""
    return tuple(
        ItemCount(
            run=run, mode=group["mode"], lang=group["lang"], setup=group["setup"], condition=group["condition"],
            kind=kind, items=found["n"], hit=found["n"] - found["misses"] - found["unsure"], miss=found["misses"],
            unsure=found["unsure"],
            miss_rate=Figure(value=found["rate"], low=(found["interval"] or (None,))[0],
                             high=(found["interval"] or (None,))[-1]),
        )
        for run, _, group in groups_of(summary, pooled=False)
        for kind, found in group["items"]["by_kind"].items()
    )  # fmt: skip


def cost_rows(summary: Json, currencies: Mapping[str, str]) -> tuple[Cost, ...]:
    """Return cost by run, language, setup and condition, with the front among real runs of one currency marked."""
    rows = [
        _cost(run, bool(found["is_simulated"]), group, currencies.get(run, ""))
        for run, found in summary["runs"].items()
        for group in found["groups"]
        if group["mode"] == "all" and group["cost"]["whole"]["input_tokens"]["known"]
    ]
    points: dict[tuple[str, str, str, str], dict[str, tuple[float | None, float | None]]] = {}
    for row in rows:
        if not row.is_instrument:
            points.setdefault(_axis(row), {})[row.run] = (row.whole.value, row.importance.value)
    fronts = {place: pareto_front(found) for place, found in points.items()}
    return tuple(row.model_copy(update={"is_on_front": row.run in fronts.get(_axis(row), ())}) for row in rows)


def _axis(row: Cost) -> tuple[str, str, str, str]:
    return (row.lang, row.setup, row.condition, row.currency)


def _cost(run: str, is_simulated: bool, group: Json, currency: str) -> Cost:
    final, whole = group["cost"]["final"], group["cost"]["whole"]
    is_priced = whole["money"]["known"] > 0
    why = "no prices in the configuration"

    def money(value: float | None) -> Figure:
        return Figure(value=value, why="" if value is not None else why)

    return Cost(
        run=run, is_instrument=is_simulated, lang=group["lang"], setup=group["setup"], condition=group["condition"],
        importance=figure_from(group["importance"], "no reply was scored"), currency=currency if is_priced else "",
        final=money(final["money"]["per_reply"]), whole=money(whole["money"]["per_reply"]),
        total=money(whole["money"]["total"]), tokens_in=int(whole["input_tokens"]["total"] or 0),
        tokens_cached=int(whole["cached_tokens"]["total"] or 0), tokens_out=int(whole["output_tokens"]["total"] or 0),
    )  # fmt: skip


def scatters_of(summary: Json) -> tuple[Scatter, ...]:
    """Return difficulty × discrimination of each language, setup and condition."""
    found = []
    for block in summary["blocks"]:
        told = block["task_statistics"]
        points = tuple(
            ScatterPoint(task=task, p_correct=one["p_correct"], r_rest=one["r_rest"])
            for task, one in told["tasks"].items()
            if one["p_correct"] is not None and one["r_rest"] is not None
        )
        why = str(told["note"]) and f"{told['note']}; this report has {told['configurations']}"
        if not points and not why:
            why = "no task has scores that vary over the configurations"
        found.append(
            Scatter(
                lang=block["lang"], setup=block["setup"], condition=block["condition"],
                configurations=told["configurations"], points=points, why=why,
            )
        )  # fmt: skip
    return tuple(found)
