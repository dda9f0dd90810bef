"""Replies read from files, the scores of replies made anywhere, and what a condition shows."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from generator.engine.files import read_lines
from generator.engine.loaded import Build
from generator.errors import GenError
from generator.records import Message, Reply, Result, Verdict
from generator.scoring.metrics import MIN_COVERAGE, aggregate, equal_importance, score_reply
from generator.scoring.statistics.setups import SetupReply, setup_reply, summarise_setups
from generator.stages.travel import MODE as TRAVEL
from generator.travel.setups import SETUPS

NEUTRAL = {"zh": "嗯。", "en": "Okay."}


class RunReport(NamedTuple):
    """Scores of a set of replies: per mode, and how many failed."""

    results: list[Result]
    summary: dict[str, Any]


def show_messages(messages: Sequence[Message], condition: str, lang: str) -> tuple[Message, ...]:
    """Return the messages as a condition shows them: `user-only` keeps nothing that the assistant said."""
    if condition == "full":
        return tuple(messages)
    return tuple(m if m.role == "user" else m.model_copy(update={"content": NEUTRAL[lang]}) for m in messages)


def score_replies(build: Build, replies: Iterable[Reply]) -> RunReport:
    """Return the score of every reply, and their means.

    Raises:
        GenError: A reply is of no task of this build, or two have the same task, roll and condition.
    """
    results = []
    seen: set[tuple[str, int, str]] = set()
    known = {t.id for t in build.tasks}
    for reply in replies:
        mark = (reply.task_id, reply.roll, reply.condition)
        if reply.task_id not in known:
            raise GenError(
                f"reply to {reply.task_id!r}",
                "no such task in this build",
                "score it against the build it was made for",
            )
        if mark in seen:
            raise GenError(f"reply to {reply.task_id!r}", f"roll {reply.roll} is there twice", "number the rolls")
        seen.add(mark)
        results.append(score_reply(build.key(reply.task_id), reply))
    return RunReport(results, summarise(build, results))


Tokens = Mapping[tuple[str, int], int]
"""Prompt tokens by task id and roll."""


def summarise(build: Build, results: Iterable[Result], tokens: Tokens | None = None) -> dict[str, Any]:
    """Return the means per mode, under `all` what concerns the whole, under `setups` what compares travel setups.

    Results may stream by. With several conditions there is one entry per mode and condition, named `iii/own`: no
    figure mixes them.
    """
    told: list[SetupReply] = []
    tasks = {t.id: t for t in build.tasks if t.mode == TRAVEL}
    modes = {t.id: t.mode for t in build.tasks}
    slim: dict[str, list[Result]] = {}
    answered: set[str] = set()
    equal, shares, replies = 0.0, 0, 0
    for result in results:
        replies += 1
        answered.add(result.task_id)
        share = equal_importance(build.key(result.task_id), result)
        if share is not None:
            equal, shares = equal + share, shares + 1
        slim.setdefault(result.condition, []).append(_without_items(result))
        task = tasks.get(result.task_id)
        if task is not None:
            count = (tokens or {}).get((result.task_id, result.roll))
            reply = setup_reply(result, task.instance_id, build.key(task.id).state, task.setup, count)
            told += [reply] if reply is not None else []
    summary: dict[str, Any] = {}
    for condition in sorted(slim):
        for mode, score in sorted(aggregate(slim[condition], modes).items()):
            summary[mode if len(slim) == 1 else f"{mode}/{condition}"] = {
                "condition": condition, "importance": score.importance, "importance_upper": score.importance_upper,
                "strict": score.strict, "n": score.n, "coverage": score.coverage,
                "rankable": score.coverage >= MIN_COVERAGE, "statuses": dict(sorted(score.statuses.items())),
            }  # fmt: skip
    summary["all"] = {
        "importance_equal_weights": equal / shares if shares else None,
        "tasks_without_reply": len(modes.keys() - answered),
        "replies": replies,
    }
    if told:
        summary["setups"] = summarise_setups(told, tuple(SETUPS))
    return summary


_FIELDS = set(Result.model_fields)


def _without_items(result: Result) -> Result:
    """Return what means need of a result: a run of 100,000 replies must not be held with all its items."""
    return Result.model_construct(
        _FIELDS, task_id=sys.intern(result.task_id), roll=result.roll, condition=sys.intern(result.condition),
        status=sys.intern(result.status), items=_NO_ITEMS, importance=result.importance, strict=result.strict,
        importance_upper=result.importance_upper,
    )  # fmt: skip


_NO_ITEMS: dict[str, Verdict] = {}


def read_replies(path: Path) -> list[Reply]:
    """Return the replies of a JSON Lines file.

    Raises:
        GenError: The file is missing or a line is no reply.
    """
    replies = read_lines(path, Reply)
    if not replies:
        raise GenError(str(path), "no replies", "each line must be one reply: task_id, roll, condition, reply, …")
    return replies
