"""Scores of one reply and of many: importance, strict, and what was left out of the means."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from generator.records import Item, Key, Reply, Result, Verdict
from generator.scoring.checks import ReplyContext, run_check, view_of
from generator.scoring.plain import is_travel, travel_extras
from generator.scoring.read.status import read_status
from generator.scoring.read.text import clean_reply
from generator.scoring.sheet import MAX_CHARS

__all__ = ["MAX_CHARS", "MIN_COVERAGE", "ModeScore", "aggregate", "equal_importance", "reply_status", "score_reply"]

MIN_COVERAGE = 0.98
"""Share of replies that must have arrived before a mean may be ranked."""

_NUMBER = re.compile(r"\d[\d,.]*")
# A refusal that is only guessed from words does not outweigh a reply with this many figures in it.
_FIGURES_OF_A_SHEET = 3


def reply_status(reply: Reply) -> str:
    """Return ok, empty, refusal, truncated or error: what became of a call, before anything is checked.

    A reply without text and without finish reason is a failed call. A short reply with three or more figures is
    never taken for a refusal unless the endpoint says so.
    """
    if reply.reply is None and reply.finish_reason is None and not reply.refusal:
        return "error"
    status = read_status(
        reply.reply, finish_reason=reply.finish_reason or "", refusal=reply.refusal, reasoning=reply.reasoning
    )
    is_guess = status == "refusal" and not reply.refusal and (reply.finish_reason or "stop") == "stop"
    if is_guess and len(_NUMBER.findall(clean_reply(reply.reply or ""))) >= _FIGURES_OF_A_SHEET:
        return "ok"
    if status == "empty" and reply.tool_calls:
        return "ok"
    return status


def score_reply(key: Key, reply: Reply) -> Result:
    """Return the scored reply; the text is read once, and only its first `MAX_CHARS` characters.

    Empty, refused and truncated replies miss every item and gate. A failed call has items in error and no scores.
    Travel tasks have metrics and tags besides; the length is that of what was said, without reasoning.

    Raises:
        GenError: An item's check is unknown or lacks a parameter, or the key has no items.
    """
    status = reply_status(reply)
    context = ReplyContext(reply.reply or "", view_of(key.state), key.items)
    if status == "error":
        verdicts = {item.id: Verdict.ERROR for item in key.items}
    elif status != "ok":
        verdicts = {item.id: Verdict.MISS for item in key.items}
    else:
        verdicts = {item.id: run_check(item, context) for item in key.items}
    importance, upper, strict = weigh(key.items, verdicts)
    return Result(
        task_id=reply.task_id, roll=reply.roll, condition=reply.condition, status=status, items=verdicts,
        importance=importance, strict=strict, importance_upper=upper,
        length=None if status == "error" else len(clean_reply(reply.reply or "")),
        **(travel_extras(key, context, status) if is_travel(key) else {}),
    )  # fmt: skip


def weigh(
    items: Sequence[Item], verdicts: Mapping[str, Verdict], *, equal: bool = False
) -> tuple[float | None, float | None, int | None]:
    """Return importance, its upper bound and strict; all None if an item is in error or there are no items to weigh.

    Importance is the weight of hits over the weight of all items in [0, 1]. Unsure is a miss below and a hit above.
    A missed gate sets importance and strict to 0; an unsure gate does so in the headline only.
    """
    total = sum((1 if equal else item.weight) for item in items if not item.gate)
    ends = [verdicts.get(item.id, Verdict.ERROR) for item in items]
    if Verdict.ERROR in ends or not items:
        return None, None, None
    gates = [end for item, end in zip(items, ends, strict=True) if item.gate]
    low = high = 0
    for item, end in zip(items, ends, strict=True):
        weight = 0 if item.gate else 1 if equal else item.weight
        low += weight * (end == Verdict.HIT)
        high += weight * (end in {Verdict.HIT, Verdict.UNSURE})
    is_open = all(gate == Verdict.HIT for gate in gates)
    may_open = Verdict.MISS not in gates
    whole = float(is_open) if not total else low / total * is_open
    upper = float(may_open) if not total else high / total * may_open
    return whole, upper, int(all(end == Verdict.HIT for end in ends))


def equal_importance(key: Key, result: Result) -> float | None:
    """Return the importance with all weights taken as 1; None if the call failed."""
    return weigh(key.items, result.items, equal=True)[0]


@dataclass(frozen=True, slots=True)
class ModeScore:
    """Means of one mode. A task's rolls are averaged first, then tasks; None where nothing could be scored.

    `n` counts replies, `scored` those that are no error, `tasks` the tasks with at least one scored reply;
    `is_ranked` is False below `MIN_COVERAGE`.
    """

    mode: str
    n: int
    scored: int
    tasks: int
    coverage: float
    is_ranked: bool
    importance: float | None
    importance_upper: float | None
    strict: float | None
    statuses: dict[str, int]


def aggregate(results: Iterable[Result], modes: Mapping[str, str] | None = None) -> dict[str, ModeScore]:
    """Return the means per mode, modes in name order.

    Args:
        results: Scored replies, in any order.
        modes: Mode of each task id; a task that it lacks, or None, goes under "".
    """
    groups: dict[str, list[Result]] = {}
    for result in results:
        groups.setdefault((modes or {}).get(result.task_id, ""), []).append(result)
    return {mode: _mean_of(mode, groups[mode]) for mode in sorted(groups)}


def _mean_of(mode: str, results: list[Result]) -> ModeScore:
    scored = [result for result in results if result.importance is not None]
    tasks: dict[str, list[Result]] = {}
    for result in scored:
        tasks.setdefault(result.task_id, []).append(result)

    def mean(name: str) -> float | None:
        per_task = [sum(float(getattr(result, name) or 0) for result in rolls) / len(rolls) for rolls in tasks.values()]
        return sum(per_task) / len(per_task) if per_task else None

    coverage = len(scored) / len(results)
    return ModeScore(
        mode=mode, n=len(results), scored=len(scored), tasks=len(tasks), coverage=coverage,
        is_ranked=coverage >= MIN_COVERAGE, importance=mean("importance"), importance_upper=mean("importance_upper"),
        strict=mean("strict"), statuses=dict(sorted(Counter(result.status for result in results).items())),
    )  # fmt: skip
