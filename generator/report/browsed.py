"""What the browser of replies shows, as data: tasks with their keys, and replies with their verdicts."""

from __future__ import annotations

from typing import Literal

from generator.records import Frozen, Lang


class Call(Frozen):
    """One tool call: the tool's name and its arguments, a JSON string."""

    name: str
    arguments: str


class Turn(Frozen):
    """One message of a task's dialogue. `turn` counts exchanges from 0, -1 before the first.

    `calls` are those of an assistant's message; `answers` is the tool whose result a tool's message is.
    """

    role: str
    turn: int
    text: str
    group: str = ""
    duty: Literal["", "needed", "bait"] = ""
    calls: tuple[Call, ...] = ()
    answers: str = ""


class ToolInfo(Frozen):
    """One tool that tasks offer: what it says of itself, and of each parameter. `id` tells like-named ones apart."""

    id: str
    name: str
    text: str
    parameters: tuple[tuple[str, str], ...] = ()


class StaleValue(Frozen):
    """A value that the right one must not be confused with, and the failures that give it."""

    shown: str
    failures: tuple[str, ...] = ()


class ItemInfo(Frozen):
    """One scoring item in words."""

    id: str
    kind: str
    weight: int
    is_gate: bool
    label: str
    expected: str
    stale: tuple[StaleValue, ...]
    note: str


class TaskInfo(Frozen):
    """One task with its key, as the miss browser shows it. Items are empty where the key is not there.

    `name` is that of a travel task and `instance` what its setups share; both are empty in other modes. `tools`
    are ids.
    """

    id: str
    mode: str
    lang: Lang
    setup: str
    world: str
    factors: tuple[tuple[str, str], ...]
    turns: tuple[Turn, ...]
    items: tuple[ItemInfo, ...]
    name: str = ""
    instance: str = ""
    tools: tuple[str, ...] = ()


class JudgeNote(Frozen):
    """What a judge said of one item."""

    item: str
    verdict: str
    quote: str
    reason: str
    judge: str = ""


class ReplyInfo(Frozen):
    """One reply with its verdicts: a letter per item of the task, in order (h, m, u, e; - for none).

    `read_as` gives, for missed items, the value that the checks read instead. `own` are the assistant turns
    that the model wrote itself before this reply, under condition own. `asked` are the tool calls that it made on the
    way to the reply, `calls` those that it ends in. The last four are of travel tasks.
    """

    task: str
    run: str
    roll: int
    condition: str
    status: str
    verdicts: str
    importance: float | None
    strict: int | None
    text: str
    cut: int = 0
    reasoning: str = ""
    refusal: str = ""
    finish: str = ""
    asked: tuple[Call, ...] = ()
    calls: tuple[Call, ...] = ()
    fault: str = ""
    read_as: tuple[tuple[str, str], ...] = ()
    own: tuple[str, ...] = ()
    judged: tuple[JudgeNote, ...] = ()
    metrics: tuple[tuple[str, float], ...] = ()
    tags: tuple[str, ...] = ()
    is_abstention: bool = False
    length: int | None = None
