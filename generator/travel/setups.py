"""Setups: pure functions from an instance to messages and tools. None adds, drops or rewords a fact.

Blocks of a prompt stand a blank line apart: prompt blocks (role, style …), the conventions, date and time, and each
call's data under its heading. See the table in `docs/travel.md`, which is made by comparing what these functions write.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

from generator.errors import ExitCode, GenError
from generator.records import Message, ToolCall, ToolCallFunction
from generator.travel.instance import Instance
from generator.travel.prompts import Stationery
from generator.travel.tools import DOMAINS, Call
from generator.travel.wording import Line

TOLERANCE = 0.01
"""Share by which the length-matched setup may miss the dialogue's length."""


class Shape(NamedTuple):
    """An instance as a model is shown it."""

    messages: tuple[Message, ...]
    tools: tuple[dict[str, Any], ...] = ()


Setup = Callable[[Instance, Stationery], Shape]


def isolated(instance: Instance, kit: Stationery) -> Shape:
    """Return one user message: conventions, date, data, facts, question."""
    return Shape((_user(_join(_known(instance, kit), _data(instance), [_asked(instance, kit)])),))


def isolated_role(instance: Instance, kit: Stationery) -> Shape:
    """Return the isolated message under the dialogue's role and style."""
    system = _system(kit.role(), kit.prompts.style)
    return Shape((system, *isolated(instance, kit).messages))


def isolated_multi_turn(instance: Instance, kit: Stationery) -> Shape:
    """Return the isolated prompt as system message, the dialogue's turns without calls, and the question last."""
    system = _system(kit.prompts.context, *_known(instance, kit), *_data(instance, with_bookings=True))
    return Shape((system, *_turns(instance, kit, with_calls=False)))


def dialogue(instance: Instance, kit: Stationery) -> Shape:
    """Return the whole dialogue with tool calls and all tools."""
    return _dialogue(instance, kit)


def dialogue_concise(instance: Instance, kit: Stationery) -> Shape:
    """Return the dialogue with a limit on sentences."""
    return _dialogue(instance, kit, kit.concise())


def dialogue_reasoning(instance: Instance, kit: Stationery) -> Shape:
    """Return the dialogue with the instruction to think first."""
    return _dialogue(instance, kit, kit.prompts.reasoning)


def dialogue_reduced_domains(instance: Instance, kit: Stationery) -> Shape:
    """Return the dialogue with role and tools for the task's own domains only."""
    return _dialogue(instance, kit, domains=instance.task.domains)


def dialogue_no_tools(instance: Instance, kit: Stationery) -> Shape:
    """Return the dialogue without calls and tools, the data being in the system message."""
    head = (kit.role(), kit.prompts.style, kit.prompts.context)
    system = _system(*head, *_known(instance, kit), *_data(instance, with_bookings=True))
    return Shape((system, *_turns(instance, kit, with_calls=False)))


def dialogue_single_turn(instance: Instance, kit: Stationery) -> Shape:
    """Return all that the user says of the question in one message, under the system message of `dialogue-no-tools`.

    Errands are not told, and so no booking is either.
    """
    head = (kit.role(), kit.prompts.style, kit.prompts.context)
    return Shape((_system(*head, *_known(instance, kit), *_data(instance)), _user(_asked(instance, kit))))


def length_matched(instance: Instance, kit: Stationery) -> Shape:
    """Return one turn, padded before, between and after the facts to the dialogue's length in characters.

    System message and tools are the dialogue's, byte for byte.
    """
    target = dialogue(instance, kit)
    system, tools = target.messages[0], target.tools
    bare = Shape((system, _user(_join(_data(instance), [_asked(instance, kit)]))), tools)
    missing = length_of(target) - length_of(bare)
    parts = _pad(instance, kit, max(0, missing))
    return Shape((system, _user(_join(*parts))), tools)


SETUPS: dict[str, Setup] = {
    "isolated": isolated,
    "dialogue": dialogue,
    "dialogue-concise": dialogue_concise,
    "isolated-multi-turn": isolated_multi_turn,
    "isolated-role": isolated_role,
    "dialogue-single-turn": dialogue_single_turn,
    "dialogue-reasoning": dialogue_reasoning,
    "dialogue-no-tools": dialogue_no_tools,
    "dialogue-reduced-domains": dialogue_reduced_domains,
    "length-matched": length_matched,
}
DEFAULT_SETUPS = ("isolated", "dialogue")
WITH_HISTORY = frozenset(name for name in SETUPS if name.startswith("dialogue") or name == "isolated-multi-turn") - {
    "dialogue-single-turn"
}
WITH_TOOLS = frozenset({
    "dialogue", "dialogue-concise", "dialogue-reasoning", "dialogue-reduced-domains", "length-matched",
})  # fmt: skip


def check_setups(names: Sequence[str]) -> tuple[str, ...]:
    """Return setups in their fixed order, each once; `all` is every one.

    Raises:
        GenError: One is unknown.
    """
    unknown = [n for n in names if n not in SETUPS and n != "all"]
    if unknown:
        fix = f"choose among: all, {', '.join(SETUPS)}"
        raise GenError(f"--setups {unknown[0]}", "no such setup", fix, ExitCode.USAGE)
    return tuple(n for n in SETUPS if n in names or "all" in names)


def length_of(shape: Shape) -> int:
    """Return the characters of all messages: contents, and names and arguments of calls."""
    return sum(
        len(m.content) + sum(len(c.function.name) + len(c.function.arguments) for c in m.tool_calls)
        for m in shape.messages
    )


def _dialogue(instance: Instance, kit: Stationery, *more: str, domains: Sequence[Any] = DOMAINS) -> Shape:
    head = (kit.role(domains), kit.prompts.style, kit.prompts.tools, *more)
    system = _system(*head, *_known(instance, kit))
    wanted = tuple(d for d in DOMAINS if d in domains)
    return Shape((system, *_turns(instance, kit, with_calls=True)), kit.tools[wanted])


def _known(instance: Instance, kit: Stationery) -> list[str]:
    return ["\n".join(line.text for line in instance.rules), _words(kit, instance.today)]


def _data(instance: Instance, *, with_bookings: bool = False) -> list[str]:
    """Return what the calls brought; bookings only where a history speaks of them."""
    pairs = zip(instance.headings, instance.calls, strict=True)
    return [f"{line.text}\n{call.result}" for line, call in pairs if with_bookings or call.rows is not None]


def _asked(instance: Instance, kit: Stationery) -> str:
    return _words(kit, (*instance.facts, instance.question))


def _turns(instance: Instance, kit: Stationery, *, with_calls: bool) -> list[Message]:
    found: list[Message] = []
    count = 0
    for number, beat in enumerate(instance.beats):
        for aside in instance.asides:
            if aside.gap == number:
                found += [_user(aside.user), Message(role="assistant", content=aside.assistant)]
        found.append(_user(_words(kit, beat.user)))
        for call in beat.calls if with_calls else ():
            found += _call(instance, call, count)
            count += 1
        if beat.assistant:
            found.append(Message(role="assistant", content=_words(kit, beat.assistant)))
    return found


def _call(instance: Instance, call: Call, number: int) -> list[Message]:
    mark = hashlib.sha256(f"{instance.digest}/{number}".encode()).hexdigest()[:12]
    ident = f"call_{mark}"
    made = ToolCall(id=ident, function=ToolCallFunction(name=call.tool, arguments=call.arguments))
    return [
        Message(role="assistant", content="", tool_calls=(made,)),
        Message(role="tool", content=call.result, tool_call_id=ident),
    ]


def _pad(instance: Instance, kit: Stationery, missing: int) -> list[list[str]]:
    """Return data and facts with inert sentences before, between and after, `missing` characters in all.

    The last sentence put in is the one that comes nearest to what is missing still.
    """
    joint, blank = kit.book.joint, "\n\n"
    pool = _rotated(kit.prompts.padding, instance.number)
    blocks: list[list[str]] = [[], [], []]
    left = missing
    for turn in range(len(pool) * 4):
        place = blocks[turn % 3]
        cost = len(joint) if place else len(blank)
        sentence = pool[turn % len(pool)]
        if left < cost + min(map(len, pool)) // 2:
            break
        if len(sentence) + cost > left:
            used = {s for block in blocks for s in block}
            room = left - cost
            # What was used already is taken again only where it fits much better.
            place.append(min(pool, key=lambda s: (abs(room - len(s)) + 8 * (s in used), s)))
            break
        place.append(sentence)
        left -= len(sentence) + cost
    before, between, after = ([joint.join(block)] if block else [] for block in blocks)
    facts = _words(kit, instance.facts)
    # The facts and the question stand apart here: the padding between them must not come to belong to either.
    if not after:
        return [before, _data(instance), between, [_asked(instance, kit)]]
    return [before, _data(instance), between, [facts] if facts else [], after, [instance.question.text]]


def _rotated(pool: Sequence[str], by: int) -> list[str]:
    at = by % len(pool)
    return [*pool[at:], *pool[:at]]


def _words(kit: Stationery, lines: Sequence[Line]) -> str:
    return kit.book.joint.join(line.text for line in lines)


def _join(*parts: Sequence[str]) -> str:
    return "\n\n".join(text for part in parts for text in part if text)


def _system(*blocks: str) -> Message:
    return Message(role="system", content="\n\n".join(b.strip() for b in blocks))


def _user(text: str) -> Message:
    return Message(role="user", content=text)
