"""Scored replies with what a report groups them by, and their means per task."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from decimal import Decimal
from typing import NamedTuple

from generator.records import Factors, Item, Key, Lang, Result, Task, Verdict
from generator.scoring.metrics import weigh
from generator.scoring.statistics.basic import mean
from generator.scoring.statistics.tries import merge_rolls

_TOKENS = ("input_tokens", "cached_tokens", "output_tokens", "reasoning_tokens")


@dataclass(frozen=True, slots=True)
class Usage:
    """What a reply took: tokens, money in the configuration's currency, seconds. None where it is not known.

    Cached tokens are part of the input, reasoning tokens part of the output.
    """

    input_tokens: float | None = None
    cached_tokens: float | None = None
    output_tokens: float | None = None
    reasoning_tokens: float | None = None
    money: float | None = None
    seconds: float | None = None


def usage_of(
    tokens: Mapping[str, int] | None, money: Decimal | float | None = None, seconds: float | None = None
) -> Usage:
    """Return the usage that a store tells: tokens by `input`, `cached`, `output`, `reasoning`, any of them absent."""
    known = {f"{kind}_tokens": float(count) for kind, count in (tokens or {}).items() if f"{kind}_tokens" in _TOKENS}
    return Usage(**known, money=None if money is None else float(money), seconds=seconds)


def absent_result(task_id: str, roll: int, condition: str, status: str = "error") -> Result:
    """Return the result of a planned reply that failed or was never made: no scores, but counted in coverage."""
    return Result(
        task_id=task_id, roll=roll, condition=condition, status=status, items={}, importance=None, strict=None
    )


@dataclass(frozen=True, slots=True)
class Row:
    """One scored reply of one run.

    run: label of the configuration; several folders of one configuration may share it.
    instance_id: ties a task to its twin, setups and probes.
    is_twin: a counterfactual (or armed) twin, which counts in pair consistency only.
    is_simulated: a simulated respondent, an instrument: never in discrimination or difficulty.
    exposed: item id -> names of the failures whose wrong answer would miss this item (`exposed_failures`).
    taken: item id -> names of the failures whose wrong value the reply gave; None if replies were not looked into.
    final, whole: usage of the final turn and of all turns.
    """

    run: str
    result: Result
    mode: str
    lang: Lang
    instance_id: str
    items: tuple[Item, ...]
    factors: Factors
    setup: str = "dialogue"
    is_twin: bool = False
    is_simulated: bool = False
    exposed: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    taken: Mapping[str, tuple[str, ...]] | None = None
    final: Usage | None = None
    whole: Usage | None = None


def row_of(
    run: str, result: Result, task: Task, key: Key, *, is_simulated: bool = False,
    taken: Mapping[str, tuple[str, ...]] | None = None, final: Usage | None = None, whole: Usage | None = None,
) -> Row:  # fmt: skip
    """Return the row of a result, with what its task and key say.

    Raises:
        ValueError: Result, task and key are not of one id.
    """
    if not result.task_id == task.id == key.id:
        raise ValueError(f"result of {result.task_id!r}, task {task.id!r} and key {key.id!r} do not belong together")
    return Row(
        run=run, result=result, mode=task.mode, lang=task.lang, instance_id=task.instance_id, items=key.items,
        factors=key.factors, setup=task.setup, is_twin=key.twin_of is not None, is_simulated=is_simulated,
        exposed=exposed_failures(key), taken=taken, final=final, whole=whole,
    )  # fmt: skip


def exposed_failures(key: Key) -> dict[str, tuple[str, ...]]:
    """Return item id -> names of the alternatives whose answer differs from the truth where that item looks.

    An item about a row that must be absent is exposed to the alternatives that have a value in that row.
    """
    found = {}
    for item in key.items:
        path = item.truth_path
        names = []
        for alternative in key.alternatives:
            if path.endswith(".absent"):
                is_wrong = any(place.startswith(path.removesuffix("absent")) for place in alternative.value)
            else:
                is_wrong = path in key.answer and alternative.value.get(path) != key.answer[path]
            if is_wrong:
                names.append(alternative.name)
        found[item.id] = tuple(names)
    return found


class TaskScore(NamedTuple):
    """Means of one task over its scored rolls, each in [0, 1]. gate: None for a task without a gate.

    rolls, strict_rolls: importance, and whether nothing was missed, by scored roll. best, worst: highest and lowest
    importance over rolls. any_roll, all_rolls: importance if an item counts when any roll, or every roll, hit it.
    """

    task_id: str
    instance_id: str
    cluster: str
    factors: Factors
    importance: float
    upper: float
    equal: float
    strict: float
    gate: float | None
    rolls: dict[int, float]
    strict_rolls: dict[int, bool]
    best: float
    worst: float
    any_roll: float
    all_rolls: float


def check_rows(rows: Iterable[Row]) -> None:
    """Check that every reply is there once.

    Raises:
        ValueError: Two rows are of one run, task, condition and roll.
    """
    seen: set[tuple[str, str, str, int]] = set()
    for row in rows:
        mark = (row.run, row.result.task_id, row.result.condition, row.result.roll)
        if mark in seen:
            raise ValueError(f"run {mark[0]!r} has task {mark[1]!r}, condition {mark[2]!r}, roll {mark[3]} twice")
        seen.add(mark)


def cluster_of(row: Row) -> str:
    """Return the bootstrap cluster: the world, which is one of its mode and language. Twins and setups share it."""
    return f"{row.mode}/{row.lang}/{row.factors.world}"


def score_tasks(rows: Iterable[Row]) -> list[TaskScore]:
    """Return the means of each task over its rolls, by task id; replies in error are left out, and so are tasks of
    which every reply is. The rows are of one run and condition.
    """
    groups: dict[str, list[Row]] = {}
    for row in rows:
        if row.result.importance is not None:
            groups.setdefault(row.result.task_id, []).append(row)
    return [_score_task(sorted(groups[name], key=lambda row: row.result.roll)) for name in sorted(groups)]


def gate_of(row: Row) -> float | None:
    """Return the share of the row's gates that were hit; None without gates. Unsure is a miss."""
    gates = [item.id for item in row.items if item.gate]
    return mean([float(row.result.items.get(name) == Verdict.HIT) for name in gates])


def _score_task(rows: Sequence[Row]) -> TaskScore:
    first = rows[0]
    scores = {row.result.roll: row.result.importance or 0.0 for row in rows}
    values = list(scores.values())

    def average(figure: Callable[[Row], float | None]) -> float | None:
        return mean([value for row in rows if (value := figure(row)) is not None])

    bounds = merge_rolls(first.items, [row.result.items for row in rows])
    return TaskScore(
        task_id=first.result.task_id,
        instance_id=first.instance_id,
        cluster=cluster_of(first),
        factors=first.factors,
        importance=mean(values) or 0.0,
        upper=average(_upper_of) or 0.0,
        equal=average(lambda row: weigh(row.items, row.result.items, equal=True)[0]) or 0.0,
        strict=average(lambda row: float(row.result.strict or 0)) or 0.0,
        gate=average(gate_of),
        rolls=scores,
        strict_rolls={row.result.roll: bool(row.result.strict) for row in rows},
        best=max(values),
        worst=min(values),
        any_roll=bounds[1] if bounds else max(values),
        all_rolls=bounds[0] if bounds else min(values),
    )


def _upper_of(row: Row) -> float | None:
    upper = row.result.importance_upper
    return row.result.importance if upper is None else upper
