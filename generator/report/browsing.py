"""Tasks and replies as the browser of replies shows them."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import TYPE_CHECKING

from generator.records import Factors, Key, Task, Verdict
from generator.report.readings import Reading
from generator.report.structure import JudgeNote, ReplyInfo, TaskInfo, Turn
from generator.report.values import item_info
from generator.scoring.checks import view_of
from generator.scoring.metrics import MAX_CHARS

if TYPE_CHECKING:
    from generator.runner.view import RunRow

LETTERS = {Verdict.HIT: "h", Verdict.MISS: "m", Verdict.UNSURE: "u", Verdict.ERROR: "e"}


def task_info(task: Task, key: Key) -> TaskInfo:
    """Return a task: dialogue with evidence marks, items in words."""
    marks = {(e.turn, e.role): e for e in key.evidence}
    turns, turn = [], -1
    for message in task.messages:
        turn += message.role == "user"
        mark = marks.get((turn, message.role)) if message.role in {"user", "assistant"} else None
        said = message.content or "; ".join(f"{c.function.name} {c.function.arguments}" for c in message.tool_calls)
        group, duty = (mark.group, mark.duty) if mark else ("", "")
        turns.append(
            Turn.model_validate({"role": message.role, "turn": turn, "text": said, "group": group, "duty": duty})
        )
    view = view_of(key.state)
    return TaskInfo(
        id=task.id, mode=task.mode, lang=task.lang, setup=task.setup, world=key.factors.world,
        factors=tuple(_factors(key.factors)), turns=tuple(turns),
        items=tuple(item_info(item, view, key.alternatives) for item in key.items),
    )  # fmt: skip


def _factors(factors: Factors) -> list[tuple[str, str]]:
    found = [
        ("register", factors.register_name), ("exchanges", str(factors.turns)), ("distance", str(factors.distance)),
        ("distractors", str(factors.distractors)), ("gap share", f"{factors.gap_share:g}"),
    ]  # fmt: skip
    return [*found, ("mechanisms", ", ".join(factors.mechanisms))] if factors.mechanisms else found


def reply_info(
    label: str, key: Key, row: RunRow, reading: Reading, *, judged: Sequence[JudgeNote] = (), own: Sequence[str] = ()
) -> ReplyInfo:
    """Return a reply; its text is cut where scoring cuts it. `own` are the turns that the model wrote before it."""
    reply, result = row.reply, row.result
    text = (reply.reply or "") if reply else ""
    ends = result.items if result else {}
    return ReplyInfo(
        task=row.task_id, run=label, roll=row.roll, condition=row.condition, status=row.status,
        verdicts="".join(LETTERS[ends[i.id]] if i.id in ends else "-" for i in key.items),
        importance=result.importance if result else None, strict=result.strict if result else None,
        text=text[:MAX_CHARS], cut=max(0, len(text) - MAX_CHARS),
        reasoning=((reply.reasoning or "") if reply else "")[:MAX_CHARS],
        refusal=((reply.refusal or "") if reply else "")[:MAX_CHARS],
        finish=(reply.finish_reason or "") if reply else "",
        calls=tuple(json.dumps(c, ensure_ascii=False)[:MAX_CHARS] for c in reply.tool_calls) if reply else (),
        fault=row.error or "", read_as=reading.shown, own=tuple(own), judged=tuple(judged),
    )  # fmt: skip
