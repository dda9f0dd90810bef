"""What came of a call: a frozen record, with a status of its own for every way a call can end."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any


class Status(StrEnum):
    """How a call ended. The first five are the model's own outcomes and are scored; the rest are failed calls."""

    OK = "ok"
    LENGTH = "length"
    REFUSAL = "refusal"
    CONTENT_FILTER = "content_filter"
    EMPTY = "empty"
    MALFORMED = "malformed"
    TRANSPORT = "transport"
    TIMEOUT = "timeout"
    RATE_LIMIT = "rate_limit"
    SERVER_ERROR = "server_error"
    HTTP_ERROR = "http_error"
    AUTH = "auth"

    @property
    def is_failure(self) -> bool:
        """Tell whether the call itself failed: to be listed and tried again later, never scored."""
        return self not in _OUTCOMES

    @property
    def is_retried(self) -> bool:
        """Tell whether a call that ends so is tried again, within bounds."""
        return self in _RETRIED


_OUTCOMES = frozenset({Status.OK, Status.LENGTH, Status.REFUSAL, Status.CONTENT_FILTER, Status.EMPTY})
_RETRIED = frozenset({Status.MALFORMED, Status.TRANSPORT, Status.TIMEOUT, Status.RATE_LIMIT, Status.SERVER_ERROR})


@dataclass(frozen=True, slots=True)
class Usage:
    """Tokens as the server counts them; None where it does not say.

    `cached` is part of `input`, `reasoning` is part of `output`.
    """

    input: int | None = None
    cached: int | None = None
    output: int | None = None
    reasoning: int | None = None

    def counts(self) -> dict[str, int] | None:
        """Return the counts that are known by name; None if there are none."""
        pairs = (("input", self.input), ("cached", self.cached), ("output", self.output), ("reasoning", self.reasoning))
        return {name: count for name, count in pairs if count is not None} or None


@dataclass(frozen=True, slots=True)
class Completion:
    """The outcome of one call, all its attempts included. Keys are redacted and half surrogates replaced.

    text: the answer as it came, think blocks included; None if the server sent none.
    reasoning: reasoning fields, or else the content of think blocks; kept apart from the answer.
    tool_calls: as the chat API has them: id, type, function {name, arguments (a JSON string)}.
    usage: of the last attempt; what failed attempts cost is unknown.
    attempts: requests sent, at least 1. seconds: duration of the last one.
    waited: seconds spent beside it: in the queue, backing off, and on attempts that failed.
    error: the server's words, or ours about the transport; None unless something went wrong.
    http_status: of the last response; None if there was none. model: as the server reports it.
    """

    status: Status
    text: str | None = None
    reasoning: str | None = None
    tool_calls: tuple[dict[str, Any], ...] = ()
    finish_reason: str | None = None
    refusal: str | None = None
    usage: Usage = field(default_factory=Usage)
    attempts: int = 1
    seconds: float = 0.0
    waited: float = 0.0
    error: str | None = None
    http_status: int | None = None
    model: str | None = None
    response_id: str | None = None
