"""What the mock endpoint says: simulated respondents in the shape of the chat API, with faults to order.

An answer is a function of the messages, the model and the roll; what a run stores of it (cut off, refused, empty) too.
A fault that is to be retried (429, 5xx, hang-up, …) is a function of the same and of the attempt: a run that is killed
and continued therefore ends with the same replies as one that was not.
"""

from __future__ import annotations

from collections import Counter, OrderedDict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from hashlib import blake2b
from pathlib import Path
from random import Random
from typing import Any

from generator.endpoints import ATTEMPT_HEADER
from generator.engine.answering import Respondents
from generator.engine.loaded import Build
from generator.engine.runs import NEUTRAL
from generator.errors import ExitCode, GenError
from generator.records import Message
from generator.respondents import PREFIX, noise_of
from generator.runner.mock_requests import (
    Place,
    RefusedError,
    Spoken,
    error_body,
    index_tasks,
    marks_of,
    read_request,
    roll_of,
    text_of,
    to_json,
)
from generator.seeds import stream

KEPT_REPLIES = 8192
CREATED = 1_767_225_600
"""Seconds since the epoch that every answer claims: an answer knows no clock."""

_PAGE = b"<html><body><h1>Welcome</h1></body></html>"


@dataclass(frozen=True, slots=True)
class Faults:
    """Shares of answers, in [0, 1], that go wrong.

    By attempt: error_rate (500, 502 or 503), rate_limit (429 with a Retry-After of `retry_after_s` seconds),
    hangup (closed without a word), malformed (status 200, no JSON), cut (status 200, half the body).
    By roll, for good: truncate (finish_reason length), refusal, empty.
    """

    error_rate: float = 0.0
    rate_limit: float = 0.0
    hangup: float = 0.0
    malformed: float = 0.0
    cut: float = 0.0
    truncate: float = 0.0
    refusal: float = 0.0
    empty: float = 0.0
    retry_after_s: float = 0.2
    seed: int = 0

    def __post_init__(self) -> None:
        """Refuse shares that are none.

        Raises:
            GenError: Exit code 2.
        """
        for names in (PASSING, LASTING):
            shares = [float(getattr(self, name)) for name in names]
            if not all(0 <= share <= 1 for share in shares) or sum(shares) > 1:
                where = ", ".join(f"--{name.replace('_', '-')}" for name in names)
                fix = "give shares between 0 and 1 that add up to 1 at most"
                raise GenError(where, f"shares {shares}", fix, ExitCode.USAGE)


PASSING = ("error_rate", "rate_limit", "hangup", "malformed", "cut")
LASTING = ("truncate", "refusal", "empty")


class Mock:
    """Answers requests over the tasks of a build; knows nothing of servers."""

    def __init__(self, build: Build, faults: Faults | None = None, overlay: Path | None = None) -> None:
        self.faults = faults or Faults()
        self.asked: Counter[str] = Counter()
        self._respondents = Respondents(build, overlay)
        self._places = index_tasks(build.tasks)
        self._names = self._respondents.names()
        self._replies: OrderedDict[tuple[str, int, bytes], str] = OrderedDict()
        self._attempts: Counter[tuple[str, int, bytes]] = Counter()

    @property
    def models(self) -> tuple[str, ...]:
        """The names of all respondents."""
        return tuple(PREFIX + name for name in self._names)

    def list_models(self) -> Spoken:
        """Return the answer to `GET /v1/models`."""
        rows = [{"id": name, "object": "model", "created": CREATED, "owned_by": "turnproof"} for name in self.models]
        return Spoken(200, to_json({"object": "list", "data": rows}))

    def answer(self, body: bytes, headers: Mapping[str, str]) -> Spoken:
        """Return the answer to `POST /v1/chat/completions`; header names in any case, or in lower case."""
        try:
            asked = read_request(body)
            name, messages = self._name_of(asked), asked["messages"]
            marks = marks_of(messages)
            place = self._places.get(marks.given) or self._places.get(marks.users)
            if place is None:
                words = "these are not the messages of a task of this build, nor the beginning of one"
                raise RefusedError(400, words, "unknown_task")
        except RefusedError as refused:
            return refused.spoken
        roll = roll_of(asked, headers)
        attempt = self._attempt_of(headers, (name, roll, marks.all))
        who = f"{name}/{roll}"
        where = f"{place.task.id}/{place.turn}"
        rng = stream(self.faults.seed, where, f"{who}/{attempt}/fault")
        fault = _draw(self.faults, PASSING, rng)
        self.asked[fault or "answered"] += 1
        if fault in {"error_rate", "rate_limit", "hangup"}:
            return self._fail(fault, rng)
        if fault == "malformed" and rng.random() < 0.5:
            return Spoken(200, _PAGE, {"Content-Type": "text/html"})
        text = self._reply(name, place, messages, roll, marks.all)
        whole = self._say(text, place, who, where, asked["model"], roll, marks.size)
        if fault == "malformed":
            return Spoken(200, whole[: len(whole) // 2])
        return Spoken(200, whole, end="cut" if fault else "whole")

    def _name_of(self, asked: Mapping[str, Any]) -> str:
        model = str(asked["model"])
        name = model.removeprefix(PREFIX)
        if not noise_of(name) and PREFIX + name not in self.models:
            words = f"no model {model!r}; there are: {', '.join(self.models)}"
            raise RefusedError(404, words, "model_not_found")
        return name

    def _attempt_of(self, headers: Mapping[str, str], key: tuple[str, int, bytes]) -> int:
        told = headers.get(ATTEMPT_HEADER, "")
        if told.isdigit():
            return int(told) + 1
        self._attempts[key] += 1
        return self._attempts[key]

    def _fail(self, fault: str, rng: Random) -> Spoken:
        if fault == "hangup":
            return Spoken(0, b"", end="hangup")
        if fault == "rate_limit":
            return error_body(429, "too many requests", "rate_limit_exceeded", f"{self.faults.retry_after_s:g}")
        return error_body(rng.choice((500, 502, 503)), "the mock was asked to fail", "server_error")

    def _reply(self, name: str, place: Place, messages: Sequence[Any], roll: int, digest: bytes) -> str:
        task = place.task
        if not place.is_final:
            return NEUTRAL[task.lang]
        key = (name, roll, digest)
        found = self._replies.get(key)
        if found is None:
            shown = [Message(role=m["role"], content=text_of(m)) for m in messages]
            found = self._replies[key] = self._respondents.respond(name, task, shown, roll)
            if len(self._replies) > KEPT_REPLIES:
                self._replies.popitem(last=False)
        return found

    def _say(self, text: str, place: Place, who: str, where: str, model: str, roll: int, size: int) -> bytes:
        rng = stream(self.faults.seed, where, f"{who}/outcome")
        outcome = _draw(self.faults, LASTING, rng)
        message: dict[str, Any] = {"role": "assistant", "content": text, "refusal": None}
        if outcome == "truncate":
            message["content"] = text[: int(len(text) * rng.uniform(0.2, 0.8))]
        elif outcome == "refusal":
            message |= {"content": None, "refusal": REFUSALS[place.task.lang]}
        elif outcome == "empty":
            message["content"] = ""
        finish = "length" if outcome == "truncate" else "stop"
        usage = _usage(size, len((message["content"] or "").encode()), roll)
        choice = {"index": 0, "message": message, "logprobs": None, "finish_reason": finish}
        name = blake2b(f"{who}/{where}".encode(), digest_size=12).hexdigest()
        return to_json(
            {
                "id": f"chatcmpl-{name}", "object": "chat.completion", "created": CREATED, "model": model,
                "choices": [choice], "usage": usage,
            }
        )  # fmt: skip


REFUSALS = {"zh": "抱歉，这个我不能帮忙。", "en": "I'm sorry, but I can't help with that."}


def _draw(faults: Faults, names: Sequence[str], rng: Random) -> str | None:
    left = rng.random()
    for name in names:
        left -= getattr(faults, name)
        if left < 0:
            return name
    return None


def _usage(sent: int, said: int, roll: int) -> dict[str, Any]:
    """Return token counts made up from bytes; later rolls find most of the prompt cached."""
    prompt, completion = sent // 3 + 4, said // 3
    return {
        "prompt_tokens": prompt, "completion_tokens": completion, "total_tokens": prompt + completion,
        "prompt_tokens_details": {"cached_tokens": 0 if roll == 1 else prompt // 128 * 128},
        "completion_tokens_details": {"reasoning_tokens": 0},
    }  # fmt: skip
