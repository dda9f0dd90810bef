"""Figures over several runs: cost and the Pareto front, difficulty and discrimination of tasks."""

from __future__ import annotations

from collections.abc import Sequence
from decimal import Decimal
from statistics import StatisticsError, correlation, fmean

from generator.report.headline import clusters_of, figure_of, task_means
from generator.report.sources import Row, Source
from generator.report.structure import Cost, Figure, Scatter, ScatterPoint

MIN_CONFIGURATIONS = 8


def cost_rows(sources: Sequence[Source], rows: Sequence[Row]) -> tuple[Cost, ...]:
    """Return cost by run and condition, with the Pareto front of each currency and condition marked."""
    groups: dict[tuple[str, str], list[Row]] = {}
    for row in rows:
        groups.setdefault((row.run, row.condition), []).append(row)
    by_label = {source.label: source for source in sources}
    found = [_cost(by_label[run], condition, group) for (run, condition), group in groups.items()]
    return tuple(row.model_copy(update={"is_on_front": _is_on_front(row, found)}) for row in found)


def _cost(source: Source, condition: str, rows: list[Row]) -> Cost:
    importance = figure_of(task_means(rows, lambda r: r.importance), clusters_of(rows), "no reply was scored")
    usage = [row.usage_all for row in rows if row.usage_all]
    why = "an instrument costs nothing" if source.is_instrument else "no prices" if usage else "no tokens told"
    total = sum((row.cost_all for row in rows if row.cost_all is not None), Decimal(0))
    is_priced = any(row.cost_all is not None for row in rows)
    return Cost(
        run=source.label, is_instrument=source.is_instrument, condition=condition,
        importance=importance.model_copy(update={"task_low": None, "task_high": None}),
        currency=str(source.run.about.get("currency") or "") if is_priced else "",
        final_per_task=_mean([row.cost for row in rows], why), all_per_task=_mean([row.cost_all for row in rows], why),
        whole_run=Figure(value=float(total)) if is_priced else Figure(why=why),
        tokens_in=sum(u.get("input", 0) for u in usage), tokens_cached=sum(u.get("cached", 0) for u in usage),
        tokens_out=sum(u.get("output", 0) for u in usage),
    )  # fmt: skip


def _mean(costs: Sequence[Decimal | None], why: str) -> Figure:
    told = [float(cost) for cost in costs if cost is not None]
    return Figure(value=fmean(told)) if told else Figure(why=why)


def _is_on_front(row: Cost, rows: Sequence[Cost]) -> bool:
    """Return whether no other real run of the same condition and currency is at least as good and better in one."""
    cost, value = row.final_per_task.value, row.importance.value
    if cost is None or value is None or row.is_instrument:
        return False
    for other in rows:
        price, score = other.final_per_task.value, other.importance.value
        if other.is_instrument or price is None or score is None:
            continue
        if (other.condition, other.currency) != (row.condition, row.currency):
            continue
        if price <= cost and score >= value and (price, score) != (cost, value):
            return False
    return True


def scatter_of(rows: Sequence[Row]) -> Scatter:
    """Return difficulty × discrimination over the real configurations (condition full, roll 1) that answered all tasks.

    Needs eight of them: fewer give a correlation that says nothing.
    """
    scores: dict[str, dict[str, float]] = {}
    for row in rows:
        if row.condition == "full" and row.roll == 1 and not row.is_instrument and row.strict is not None:
            scores.setdefault(row.run, {})[row.task] = row.strict
    count = len(scores)
    if count < MIN_CONFIGURATIONS:
        why = (
            f"discrimination is a correlation over configurations and needs at least {MIN_CONFIGURATIONS} real ones "
            f"under condition full; this report has {count}. Simulated respondents do not count."
        )
        return Scatter(configurations=count, why=why)
    common = sorted(set.intersection(*(set(found) for found in scores.values())))
    points = []
    for task in common:
        own = [found[task] for found in scores.values()]
        rest = [sum(found[other] for other in common) - found[task] for found in scores.values()]
        try:
            points.append(ScatterPoint(task=task, p_correct=fmean(own), r_rest=correlation(own, rest)))
        except StatisticsError:
            continue  # one side does not vary: there is no correlation, which is not a correlation of zero
    why = "" if points else "no task was answered by all configurations with scores that vary"
    return Scatter(configurations=count, points=tuple(points), why=why)
