"""Requests to the mock endpoint read, and the task found that they belong to."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from hashlib import blake2b
from typing import Any, Literal, NamedTuple

from pydantic_core import from_json

from generator.endpoints import ROLL_HEADER
from generator.records import Task

_GIVEN = frozenset({"system", "user"})
_ROLL = re.compile(rf"(?:{ROLL_HEADER}\s*[:=]\s*)?(\d+)", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Spoken:
    """One response. `end`: whole, cut (half the body, then closed) or hangup (closed without a word)."""

    status: int
    body: bytes
    headers: dict[str, str] = field(default_factory=dict)
    end: Literal["whole", "cut", "hangup"] = "whole"


class Place(NamedTuple):
    """Where in a task some messages end; `turn` counts user messages from 1."""

    task: Task
    turn: int
    is_final: bool


class RefusedError(Exception):
    """The request is not one that can be answered."""

    def __init__(self, status: int, words: str, code: str) -> None:
        super().__init__(words)
        self.spoken = error_body(status, words, code)


class Marks(NamedTuple):
    """Digests of the user messages, of these with the system message, and of all messages, and the bytes of all."""

    users: bytes
    given: bytes
    all: bytes
    size: int


def marks_of(messages: Sequence[Any]) -> Marks:
    """Return the marks of chat messages as JSON has them."""
    users, given, everything, size = blake2b(digest_size=16), blake2b(digest_size=16), blake2b(digest_size=16), 0
    for message in messages:
        text = text_of(message).encode("utf-8", "replace")
        size += len(text) + sum(_call_size(call) for call in message.get("tool_calls") or ())
        mark = b"%d:" % len(text)
        everything.update(message["role"].encode() + mark + text)
        if message["role"] in _GIVEN:
            given.update(mark + text)
        if message["role"] == "user":
            users.update(mark + text)
    return Marks(users.digest(), given.digest(), everything.digest(), size)


def _call_size(call: Any) -> int:
    function = call.get("function", {}) if isinstance(call, dict) else {}
    return len(str(function.get("name", ""))) + len(str(function.get("arguments", "")).encode("utf-8", "replace"))


def index_tasks(tasks: Sequence[Task]) -> dict[bytes, Place]:
    """Return every beginning of every task that ends with a user message; a whole task goes before a beginning.

    Each is entered with its system message and, where no other task has the same, without: a client may put in its own.
    """
    found: dict[bytes, Place] = {}
    whole: dict[bytes, Place] = {}
    for task in tasks:
        given = [{"role": m.role, "content": m.content} for m in task.messages if m.role in _GIVEN]
        head = given[0]["role"] == "system"
        for turn in range(1, len(given) - head + 1):
            is_final = turn == len(given) - head
            marks = marks_of(given[: turn + head])
            for mark in (marks.given, marks.users):
                (whole if is_final else found).setdefault(mark, Place(task, turn, is_final))
    return found | whole


def read_request(body: bytes) -> dict[str, Any]:
    """Return the body of a chat request.

    Raises:
        RefusedError: It is none, or asks for what the mock cannot do.
    """
    try:
        asked = from_json(body)
    except ValueError as error:
        raise RefusedError(400, f"the body is not JSON: {error}", "invalid_json") from error
    messages = asked.get("messages") if isinstance(asked, dict) else None
    if not isinstance(messages, list) or not messages or not isinstance(asked.get("model"), str):
        raise RefusedError(400, "model (text) and messages (a list) are needed", "invalid_request")
    roles = {"system", "user", "assistant", "tool"}
    if not all(isinstance(m, dict) and m.get("role") in roles for m in messages):
        raise RefusedError(400, "a message needs a role: system, user, assistant or tool", "invalid_request")
    if asked.get("stream"):
        raise RefusedError(400, "the mock does not stream; leave out stream", "unsupported")
    if asked.get("n") not in (None, 1):
        raise RefusedError(400, "the mock gives one choice; leave out n", "unsupported")
    return dict(asked)


def text_of(message: Mapping[str, Any]) -> str:
    """Return the text of a message, its parts joined; "" where it has none."""
    content = message.get("content")
    if isinstance(content, list):
        return "".join(str(part.get("text", "")) for part in content if isinstance(part, dict))
    return content if isinstance(content, str) else ""


def roll_of(asked: Mapping[str, Any], headers: Mapping[str, str]) -> int:
    """Return the roll: of the header, else of the `user` field, else the seed, else 1."""
    for told in (headers.get(ROLL_HEADER) or headers.get(ROLL_HEADER.lower()), asked.get("user")):
        found = _ROLL.fullmatch(told) if isinstance(told, str) else None
        if found:
            return int(found[1])
    seed = asked.get("seed")
    return seed if isinstance(seed, int) else 1


def error_body(status: int, words: str, code: str, retry_after: str | None = None) -> Spoken:
    """Return an error in the API's shape; `retry_after` is a number of seconds or a date."""
    body = to_json({"error": {"message": words, "type": code, "param": None, "code": code}})
    return Spoken(status, body, {"Retry-After": retry_after} if retry_after else {})


def to_json(tree: Any) -> bytes:
    """Return compact JSON as UTF-8."""
    return json.dumps(tree, ensure_ascii=False, separators=(",", ":")).encode("utf-8", "replace")
