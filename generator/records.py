"""The vocabulary of the program: frozen records that every room shares.

Typed values are plain integers everywhere, read by their *family*:

=========  ====================================================================
family     integer
=========  ====================================================================
count      whole things
money      minor units (fen, pence, cents)
measure    units of 1/scale of the field's unit (scale 10: 58.5 degrees is 585)
clock      minutes after midnight, 0..1439
date       proleptic ordinal (`datetime.date.toordinal`)
percent    basis points: 5 % is 500
=========  ====================================================================
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping, Sequence
from enum import StrEnum
from typing import Any, Literal, NamedTuple

from pydantic import BaseModel, ConfigDict

Lang = Literal["zh", "en"]
Split = Literal["eval", "train"]
Family = Literal["count", "money", "measure", "clock", "date", "percent"]


class Frozen(BaseModel):
    """Base of every record: no unknown keys, no coercion, no mutation."""

    model_config = ConfigDict(frozen=True, extra="forbid", strict=True)


class Event(NamedTuple):
    """One thing that a clause says: the meaning that forms render and read back.

    A NamedTuple and not a model, since planning and replay make thousands a second.

    kind: what happens, with its direction where it has one (`adjust.down`).
    item, field: which cell; an item of None is elliptical and resolved in replay.
    value: the typed integer said; of `adjust.*` and `percent.*` its magnitude, above zero.
    other: a second item (source of a copy, partner of a swap, exception of a bulk change).
    tag: an owner, a condition, a scope or a rule, by id (an owner by its wording).
    first: the value said first and withdrawn within the same clause.
    values: several (field, value) pairs said at once, in field order.
    """

    kind: str
    item: str | None = None
    field: str | None = None
    value: int | None = None
    other: str | None = None
    tag: str | None = None
    first: int | None = None
    values: tuple[tuple[str, int], ...] = ()


class ToolCallFunction(Frozen):
    """Name and JSON-string arguments of a tool call, as the OpenAI chat API has them."""

    name: str
    arguments: str


class ToolCall(Frozen):
    """One tool call of an assistant message."""

    id: str
    type: Literal["function"] = "function"
    function: ToolCallFunction


class Message(Frozen):
    """One chat message, valid for an OpenAI-compatible endpoint."""

    role: Literal["system", "user", "assistant", "tool"]
    content: str
    tool_calls: tuple[ToolCall, ...] = ()
    tool_call_id: str | None = None


class Task(Frozen):
    """The public part of a task: what a model is shown."""

    id: str
    mode: str
    lang: Lang
    setup: str = "dialogue"
    messages: tuple[Message, ...]
    tools: tuple[dict[str, Any], ...] = ()
    conditions: tuple[str, ...] = ("full", "user-only")
    instance_id: str


class Item(Frozen):
    """One scoring item: atomic, weighted, hit or miss. A gate item has weight 0."""

    id: str
    kind: str
    weight: int
    gate: bool = False
    check: str
    params: dict[str, Any]
    clarification: str = ""
    truth_path: str
    stale: tuple[int | str, ...] = ()


class Alternative(Frozen):
    """A wrong answer, named by the failure that produces it."""

    name: str
    value: dict[str, int]


class Evidence(Frozen):
    """One message that belongs to an evidence group.

    `turn` counts exchanges from 0. `role` says whose message it is; `duty` whether the
    group is needed for the answer or is bait for a named respondent.
    """

    group: str
    turn: int
    role: Literal["user", "assistant"]
    duty: Literal["needed", "bait"]


class Factors(Frozen):
    """What stage 1 drew and what came of it; exchanges are counted, not messages."""

    world: str
    profile: str
    register_name: str
    core: int
    distractors: int
    gap_share: float
    turns: int = 0
    distance: int = 0
    mechanisms: tuple[str, ...] = ()


class Key(Frozen):
    """The private part of a task: what a model never sees."""

    id: str
    digest: str
    state: dict[str, Any]
    answer: dict[str, int]
    alternatives: tuple[Alternative, ...]
    items: tuple[Item, ...]
    evidence: tuple[Evidence, ...]
    factors: Factors
    split: Split
    twin_of: str | None = None
    twin_reply: str | None = None


class AuditFinding(Frozen):
    """One reason why a candidate is not sound."""

    audit: str
    where: str
    what: str


class Reply(Frozen):
    """One reply of a model, or of a simulated respondent."""

    task_id: str
    roll: int = 1
    condition: str = "full"
    reply: str | None = None
    tool_calls: tuple[dict[str, Any], ...] = ()
    finish_reason: str | None = "stop"
    refusal: str | None = None
    reasoning: str | None = None


class Verdict(StrEnum):
    """How one item ended."""

    HIT = "hit"
    MISS = "miss"
    UNSURE = "unsure"
    ERROR = "error"


class Result(Frozen):
    """The scored reply. `importance` and `strict` are None when the call itself failed.

    metrics: Further scores by name, all higher is better but for errors, which are left out where they are infinite.
    tags: Names of failures that the answer shows. abstained: The reply declines to answer. length: Characters of it.
    """

    task_id: str
    roll: int
    condition: str
    status: str
    items: dict[str, Verdict]
    importance: float | None
    strict: int | None
    importance_upper: float | None = None
    metrics: dict[str, float] = {}
    tags: tuple[str, ...] = ()
    abstained: bool = False
    length: int | None = None


class FieldView(Frozen):
    """A column or a single figure of a sheet, as scoring sees it.

    `labels` are what a reply may call it, the usual one first; `units` are the words that
    may follow its number. `scale` is the divisor of `measure`, 100 for money.
    """

    id: str
    labels: tuple[str, ...]
    family: Family
    units: tuple[str, ...] = ()
    scale: int = 1


class RowView(Frozen):
    """A row of a sheet: `names` are all that the dialogue calls it, the full one first."""

    id: str
    names: tuple[str, ...]
    units: tuple[str, ...] = ()


class SheetView(Frozen):
    """What a reply in the shape of a sheet is read against; part of a key's state.

    `columns` hold a value per row, `figures` one for the whole sheet. `rows` lists every
    row that was ever mentioned, also those that must not appear. Order is the usual one.
    """

    lang: Lang
    today: str
    currency: str
    rows: tuple[RowView, ...]
    columns: tuple[FieldView, ...]
    figures: tuple[FieldView, ...] = ()


def canonical_json(value: Any) -> str:
    """Return JSON with sorted keys and no spare space: the form that digests are taken of."""
    return json.dumps(value, ensure_ascii=False, sort_keys=True, separators=(",", ":"))


def digest_of(value: Any) -> str:
    """Return the SHA-256 of a JSON-able value's canonical form."""
    return hashlib.sha256(canonical_json(value).encode()).hexdigest()


def freeze(state: Mapping[str, Any], answer: Mapping[str, int], items: Sequence[Item]) -> str:
    """Return the digest that binds state, answer and items: stage 2 takes it, the audits take it again."""
    return digest_of({"state": state, "answer": answer, "items": [i.model_dump(mode="json") for i in items]})
