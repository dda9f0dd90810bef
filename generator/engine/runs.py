"""Replies of simulated respondents, and the scores of replies made anywhere."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from generator.engine.files import dump_json, dump_lines, fresh_folder, read_lines, write_text
from generator.engine.loaded import Build, workshop_of
from generator.errors import ExitCode, GenError
from generator.records import Message, Reply, Result
from generator.respondents import PREFIX, respond
from generator.scoring.metrics import MIN_COVERAGE, aggregate, equal_importance, score_reply

NEUTRAL = {"zh": "嗯。", "en": "Okay."}


class RunReport(NamedTuple):
    """Scores of a set of replies: per mode, and how many failed."""

    results: list[Result]
    summary: dict[str, Any]


def run_simulated(build: Build, model: str, rolls: int, condition: str, overlay: Path | None = None) -> list[Reply]:
    """Return the replies of a simulated respondent to every task, `rolls` to each.

    Raises:
        GenError: The name is not one of a simulated respondent, or the condition is unknown.
    """
    if not model.startswith(PREFIX):
        fix = "use a simulated respondent such as sim/oracle; real endpoints are not part of this version"
        raise GenError(f"--model {model}", "not a simulated respondent", fix, ExitCode.USAGE)
    if condition not in {"full", "user-only"}:
        raise GenError(f"--condition {condition}", "no such condition", "choose full or user-only", ExitCode.USAGE)
    shop = workshop_of(build, overlay)
    replies = []
    for task in build.tasks:
        kit = shop.kit(build.key(task.id).factors.world)
        messages = show_messages(task.messages, condition, task.lang)
        for roll in range(1, rolls + 1):
            text = respond(model.removeprefix(PREFIX), shop.mode, kit, messages, task.id, roll)
            replies.append(Reply(task_id=task.id, roll=roll, condition=condition, reply=text))
    return replies


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
    equal: list[float] = []
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
        key = build.key(reply.task_id)
        result = score_reply(key, reply)
        results.append(result)
        share = equal_importance(key, result)
        if share is not None:
            equal.append(share)
    return RunReport(results, _summary(build, results, equal))


def _summary(build: Build, results: list[Result], equal: list[float]) -> dict[str, Any]:
    modes = {t.id: t.mode for t in build.tasks}
    summary: dict[str, Any] = {}
    for mode, score in sorted(aggregate(results, modes).items()):
        summary[mode] = {
            "importance": score.importance, "importance_upper": score.importance_upper, "strict": score.strict,
            "n": score.n, "coverage": score.coverage, "rankable": score.coverage >= MIN_COVERAGE,
            "statuses": dict(sorted(score.statuses.items())),
        }  # fmt: skip
    asked = {(t.id) for t in build.tasks}
    summary["all"] = {
        "importance_equal_weights": sum(equal) / len(equal) if equal else None,
        "tasks_without_reply": len(asked - {r.task_id for r in results}),
        "replies": len(results),
    }
    return summary


def write_run(out: Path, build: Build, model: str, replies: list[Reply], report: RunReport, *, force: bool) -> None:
    """Write a run folder: replies, results and a summary.

    Raises:
        GenError: The folder exists, or the machine refused.
    """
    with fresh_folder(out, force=force) as folder:
        write_text(folder / "replies.jsonl", dump_lines([r.model_dump_json() for r in replies]))
        write_text(folder / "results.jsonl", dump_lines([r.model_dump_json() for r in report.results]))
        about = {
            "model": model,
            "instrument": model.startswith(PREFIX),
            "build": build.manifest["seed_commitment"],
            "summary": report.summary,
        }
        write_text(folder / "run.json", dump_json(about))


def read_replies(path: Path) -> list[Reply]:
    """Return the replies of a JSON Lines file.

    Raises:
        GenError: The file is missing or a line is no reply.
    """
    replies = read_lines(path, Reply)
    if not replies:
        raise GenError(str(path), "no replies", "each line must be one reply: task_id, roll, condition, reply, …")
    return replies
