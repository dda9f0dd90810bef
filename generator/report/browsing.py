"""Tasks and replies as the browser of replies shows them."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from generator.records import Factors, Key, Message, Result, Task, Verdict, digest_of
from generator.report.browsed import Call, JudgeNote, ReplyInfo, TaskInfo, ToolInfo, Turn
from generator.report.plain import is_plain, plain_item
from generator.report.readings import Reading
from generator.report.values import item_info
from generator.scoring.checks import view_of
from generator.scoring.metrics import MAX_CHARS
from generator.scoring.plain import is_travel

if TYPE_CHECKING:
    from generator.runner.view import RunRow

LETTERS = {Verdict.HIT: "h", Verdict.MISS: "m", Verdict.UNSURE: "u", Verdict.ERROR: "e"}


def task_info(task: Task, key: Key) -> TaskInfo:
    """Return a task: dialogue with evidence marks, items in words."""
    view = view_of(key.state)
    own = {"name": str(key.state["travel"]), "instance": task.instance_id} if is_travel(key) else {}
    return TaskInfo(
        id=task.id, mode=task.mode, lang=task.lang, setup=task.setup, world=key.factors.world,
        factors=tuple(_factors(key.factors, with_mechanisms=not own)), turns=tuple(_turns(task.messages, key)),
        items=tuple(
            plain_item(i, key) if is_plain(i) else item_info(i, view, key.alternatives) for i in key.items
        ),
        tools=tuple(tool_id(tool) for tool in task.tools), **own,
    )  # fmt: skip


def _turns(messages: Sequence[Message], key: Key) -> Iterable[Turn]:
    marks = {(e.turn, e.role): e for e in key.evidence}
    called = {c.id: c.function.name for message in messages for c in message.tool_calls}
    turn = -1
    for message in messages:
        turn += message.role == "user"
        mark = marks.get((turn, message.role)) if message.role in {"user", "assistant"} else None
        yield Turn(
            role=message.role, turn=turn, text=message.content,
            group=mark.group if mark else "", duty=mark.duty if mark else "",
            calls=tuple(Call(name=c.function.name, arguments=c.function.arguments) for c in message.tool_calls),
            answers=called.get(message.tool_call_id or "", ""),
        )  # fmt: skip


def _factors(factors: Factors, *, with_mechanisms: bool) -> list[tuple[str, str]]:
    found = [
        ("register", factors.register_name), ("exchanges", str(factors.turns)), ("distance", str(factors.distance)),
        ("distractors", str(factors.distractors)), ("gap share", f"{factors.gap_share:g}"),
    ]  # fmt: skip
    # A travel task's mechanism is its name, which stands there already.
    has_more = with_mechanisms and factors.mechanisms
    return [*found, ("mechanisms", ", ".join(factors.mechanisms))] if has_more else found


def tool_id(tool: Mapping[str, Any]) -> str:
    """Return what tells a tool from one of the same name that is worded otherwise."""
    return digest_of(tool)[:12]


def tools_of(tasks: Iterable[Task]) -> tuple[ToolInfo, ...]:
    """Return the tools that tasks offer, each once."""
    found: dict[str, ToolInfo] = {}
    for tool in (tool for task in tasks for tool in task.tools):
        name = tool_id(tool)
        if name not in found:
            found[name] = _tool(name, tool.get("function") or {})
    return tuple(found.values())


def _tool(name: str, function: Mapping[str, Any]) -> ToolInfo:
    schema = function.get("parameters") or {}
    needed = schema.get("required") or ()
    return ToolInfo(
        id=name, name=str(function.get("name", "")), text=str(function.get("description", "")),
        parameters=tuple(
            (str(parameter), _parameter(parts, is_needed=parameter in needed))
            for parameter, parts in (schema.get("properties") or {}).items()
        ),
    )  # fmt: skip


def _parameter(schema: Mapping[str, Any], *, is_needed: bool) -> str:
    """Return what a tool says of a parameter: what is needed and of what type first, the rest as it stands."""
    rest = {name: part for name, part in schema.items() if name not in {"type", "description"}}
    parts = (
        "required" if is_needed else "", str(schema.get("type", "")), str(schema.get("description", "")),
        json.dumps(rest, ensure_ascii=False) if rest else "",
    )  # fmt: skip
    return "; ".join(part for part in parts if part)


def reply_info(
    label: str, key: Key, row: RunRow, reading: Reading, *, judged: Sequence[JudgeNote] = (), own: Sequence[str] = (),
    asked: Sequence[Mapping[str, Any]] = (),
) -> ReplyInfo:  # fmt: skip
    """Return a reply; its text is cut where scoring cuts it.

    `own` are the turns that the model wrote before it, `asked` the tool calls on the way to it.
    """
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
        asked=tuple(map(_call, asked)), calls=tuple(map(_call, reply.tool_calls)) if reply else (),
        fault=row.error or "", read_as=reading.shown, own=tuple(own), judged=tuple(judged),
        **(_plain_parts(result) if result is not None and is_travel(key) else {}),
    )  # fmt: skip


def _plain_parts(result: Result) -> dict[str, Any]:
    return {
        "metrics": tuple(sorted(result.metrics.items())), "tags": result.tags, "is_abstention": result.abstained,
        "length": result.length,
    }  # fmt: skip


def _call(call: Mapping[str, Any]) -> Call:
    """Return a model's tool call; one that is not as the chat API has it is shown whole."""
    function = call.get("function")
    if not isinstance(function, Mapping) or not isinstance(function.get("arguments"), str):
        return Call(name="", arguments=json.dumps(call, ensure_ascii=False)[:MAX_CHARS])
    return Call(name=str(function.get("name", ""))[:MAX_CHARS], arguments=function["arguments"][:MAX_CHARS])
