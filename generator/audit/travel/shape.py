"""Audit of messages: valid for the chat API, nothing unrendered, every instruction there, no more than fits."""

from __future__ import annotations

import json
from collections.abc import Iterator

from generator.audit.travel.case import TravelCase
from generator.records import AuditFinding, Message, Task
from generator.travel.setups import WITH_TOOLS, Shape, length_of

# The prompt blocks that a setup carries, in any order; see generator.travel.setups.
BLOCKS: dict[str, frozenset[str]] = {
    "isolated": frozenset(),
    "isolated-role": frozenset({"role", "style"}),
    "isolated-multi-turn": frozenset({"context"}),
    "dialogue": frozenset({"role", "style", "tools"}),
    "dialogue-concise": frozenset({"role", "style", "tools", "concise"}),
    "dialogue-reasoning": frozenset({"role", "style", "tools", "reasoning"}),
    "dialogue-reduced-domains": frozenset({"role", "style", "tools"}),
    "dialogue-no-tools": frozenset({"role", "style", "context"}),
    "dialogue-single-turn": frozenset({"role", "style", "context"}),
    "length-matched": frozenset({"role", "style", "tools"}),
}
_UNRENDERED = ("{{", "}}", "{%", "{n}", "{domains}", "{area}", "<class", "None,", "=None")


def audit_shape(case: TravelCase) -> list[AuditFinding]:
    """Reject messages that no endpoint would take, or that hold what was not filled in."""
    return [case.finding("shape", what, setup) for setup, task in case.tasks.items() for what in _faults(case, task)]


def _faults(case: TravelCase, task: Task) -> Iterator[str]:
    yield from message_faults(task.messages)
    offered = {tool["function"]["name"] for tool in task.tools}
    for call in (c for m in task.messages for c in m.tool_calls):
        if call.function.name not in offered:
            yield f"a call of {call.function.name!r}, which is not offered"
    if bool(task.tools) != (task.setup in WITH_TOOLS):
        yield "tools are offered where none should be" if task.tools else "no tools are offered"
    for message in task.messages:
        said = "\n".join(line for line in message.content.split("\n") if not line.startswith("{"))
        yield from (f"{mark!r} is not filled in" for mark in _UNRENDERED if mark in said)
    if task.messages[-1].role != "user":
        yield "the last message is not the user's"
    aside = sum(len(m.content) for m in task.messages if m.role in {"user", "assistant"})
    if length_of(Shape(task.messages)) - aside > case.policy.travel.characters_max:
        yield f"more than {case.policy.travel.characters_max} characters of prompt and data"


def message_faults(messages: tuple[Message, ...]) -> Iterator[str]:
    """Yield what is wrong with the order, the calls and the ids of messages."""
    waiting: list[str] = []
    seen: set[str] = set()
    before = ""
    for number, message in enumerate(messages):
        if message.role == "system" and number:
            yield "a system message that is not the first"
        if message.role == "tool":
            if not waiting or message.tool_call_id != waiting.pop(0):
                yield "a tool result without its call"
        elif waiting:
            yield "a call without its result"
            waiting = []
        if message.role == "user" and before == "user":
            yield "two user messages in a row"
        if message.role == "assistant" and before == "assistant":
            yield "two assistant messages in a row"
        if message.role == "assistant" and before in {"", "system"}:
            yield "the assistant speaks first"
        if not message.content.strip() and not message.tool_calls:
            yield f"an empty {message.role} message"
        for call in message.tool_calls:
            if call.id in seen:
                yield f"the call id {call.id!r} is used twice"
            seen.add(call.id)
            waiting.append(call.id)
            if not _is_object(call.function.arguments):
                yield f"arguments of {call.function.name!r} that are no JSON object"
        before = message.role
    if waiting:
        yield "a call without its result"


def audit_instructions(case: TravelCase) -> list[AuditFinding]:
    """Reject when a setup lacks an instruction that it should carry, or carries another's; or misses its length."""
    found = []
    for setup, hearing in case.hearings().items():
        wanted, there = BLOCKS[setup], hearing.blocks
        if set(there) != wanted or len(there) != len(wanted):
            what = f"the instructions are {sorted(there)}, wanted are {sorted(wanted)}"
            found.append(case.finding("instructions", what, setup))
        if hearing.padding and setup != "length-matched":
            found.append(case.finding("instructions", "padding where none should be", setup))
    return [*found, *_matched(case)]


def _matched(case: TravelCase) -> Iterator[AuditFinding]:
    one, other = case.tasks.get("length-matched"), case.tasks.get("dialogue")
    if one is None or other is None:
        return
    if one.messages[0] != other.messages[0] or one.tools != other.tools:
        yield case.finding("instructions", "system message or tools are not the dialogue's", "length-matched")
    wanted, there = length_of(Shape(other.messages)), length_of(Shape(one.messages))
    if abs(there - wanted) > case.policy.travel.length_matched_tolerance * wanted:
        yield case.finding("instructions", f"{there} characters, the dialogue has {wanted}", "length-matched")


def _is_object(text: str) -> bool:
    try:
        return isinstance(json.loads(text), dict)
    except json.JSONDecodeError:
        return False
