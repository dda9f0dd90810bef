"""Calls to one endpoint: paced, retried within bounds, and every outcome a `Completion` instead of an exception."""

from __future__ import annotations

import asyncio
import json
import os
import time
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from random import Random
from types import TracebackType
from typing import Any, Self

from generator.endpoints.completion import Completion, Status
from generator.endpoints.configuration import Configuration
from generator.endpoints.keys import keys_of
from generator.endpoints.limiter import Limiter
from generator.endpoints.redaction import Redactor, mend_surrogates
from generator.endpoints.retry import RetryBudget, RetryPolicy
from generator.endpoints.transport import Answer, Transport
from generator.records import Message, digest_of

OUT_OF_BUDGET = "; not tried again: the run's retry budget is used up"


@dataclass(frozen=True, slots=True)
class Request:
    """A request made ready: built once per task, sent for each of its rolls.

    head: the JSON body as UTF-8, without its closing brace. digest: the SHA-256 of all that the reply may
    depend on but the roll.
    """

    head: bytes
    digest: str


class Client:
    """One endpoint. Open it in the event loop that uses it; close it, or use `async with`.

    budget: shared by the clients of a run. policy: by default bounded by the configuration's `max_retries`.
    clock, wall, sleep, rng, environ: for tests; `clock` and `wall` are seconds, of any and of the epoch.

    Raises:
        GenError: The key variable is not set, or a key would travel unencrypted.
    """

    def __init__(
        self,
        configuration: Configuration,
        *,
        budget: RetryBudget | None = None,
        policy: RetryPolicy | None = None,
        clock: Callable[[], float] = time.monotonic,
        wall: Callable[[], float] = time.time,
        sleep: Callable[[float], Awaitable[None]] = asyncio.sleep,
        rng: Random | None = None,
        environ: Mapping[str, str] | None = None,
    ) -> None:
        environ = os.environ if environ is None else environ
        self.configuration = configuration
        self.budget = budget or RetryBudget()
        self.limiter = Limiter(configuration.concurrency, clock, sleep)
        self._policy = policy or RetryPolicy(max_retries=configuration.max_retries)
        self._clock, self._sleep = clock, sleep
        self._rng = rng or Random()
        keys = keys_of(configuration, environ)
        self._redactor = Redactor(environ, keys.values)
        self._transport = Transport(configuration, keys, wall)

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self.close()

    async def close(self) -> None:
        """Close all connections."""
        await self._transport.close()

    def redact(self, text: str) -> str:
        """Return text without the key of this client, or any other."""
        return self._redactor.redact_error(text)

    def prepare(
        self,
        messages: Sequence[Message | Mapping[str, Any]],
        tools: Sequence[Mapping[str, Any]] = (),
        fields: Mapping[str, Any] | None = None,
    ) -> Request:
        """Return a request for these messages; half surrogates in them are replaced.

        `fields` of the body, such as response_format, win over the configuration's own.
        """
        kept = self.configuration
        body: dict[str, Any] = {"model": kept.model, "messages": [_as_dict(m) for m in messages]}
        body |= kept.settings | kept.extra_body | dict(fields or {})
        if tools:
            body["tools"] = list(tools)
        text = mend_surrogates(json.dumps(body, ensure_ascii=False, separators=(",", ":")))
        return Request(text[:-1].encode(), digest_of([kept.identity(), text]))

    async def complete(
        self,
        messages: Request | Sequence[Message | Mapping[str, Any]],
        tools: Sequence[Mapping[str, Any]] = (),
        *,
        roll: int = 1,
    ) -> Completion:
        """Return what became of one call, after all its attempts. Faults of the endpoint are never raised.

        Args:
            messages: Prepared, or made ready here.
            tools: Only with messages that are not prepared.
            roll: From 1; moves the seed, if there is one, so that rolls differ.
        """
        request = messages if isinstance(messages, Request) else self.prepare(messages, tools)
        seed = self.configuration.seed
        content = request.head + (b"}" if seed is None else b',"seed":%d}' % (seed + roll - 1))
        self.budget.note_call()
        started = self._clock()
        tries = failed = limited = 0
        while True:
            tries += 1
            answer, seconds = await self._attempt(content, roll, tries)
            status = answer.completion.status
            limited += status is Status.RATE_LIMIT
            failed += status is not Status.RATE_LIMIT
            refused = ""
            if self._policy.allows(status, failed, limited):
                if status is Status.RATE_LIMIT or self.budget.take():
                    await self._sleep(self._policy.delay(tries, answer.retry_after, self._rng))
                    continue
                refused = OUT_OF_BUDGET
            waited = max(0.0, self._clock() - started - seconds)
            return self._finish(answer.completion, tries, seconds, waited, refused)

    async def _attempt(self, content: bytes, roll: int, tries: int) -> tuple[Answer, float]:
        async with self.limiter.place():
            sent = self._clock()
            answer = await self._transport.send(content, roll, tries)
            seconds = self._clock() - sent
        status = answer.completion.status
        if status is Status.RATE_LIMIT:
            hold = min(answer.retry_after or 0.0, self._policy.retry_after_cap_s)
            self.limiter.refused(sent, hold)
        elif not status.is_failure:
            self.limiter.succeeded()
        return answer, seconds

    def _finish(self, got: Completion, tries: int, seconds: float, waited: float, refused: str) -> Completion:
        clean = self._clean
        error = None if got.error is None else mend_surrogates(self._redactor.redact_error(got.error)) + refused
        calls = got.tool_calls
        if calls:
            calls = tuple(json.loads(clean(json.dumps(call, ensure_ascii=False))) for call in calls)
        return replace(
            got, text=clean(got.text), reasoning=clean(got.reasoning), refusal=clean(got.refusal), tool_calls=calls,
            finish_reason=clean(got.finish_reason), model=clean(got.model), response_id=clean(got.response_id),
            error=error, attempts=tries, seconds=seconds, waited=waited,
        )  # fmt: skip

    def _clean(self, text: Any) -> Any:
        return mend_surrogates(self._redactor.redact(text)) if text else text


def _as_dict(message: Message | Mapping[str, Any]) -> dict[str, Any]:
    if not isinstance(message, Message):
        return dict(message)
    found: dict[str, Any] = {"role": message.role, "content": message.content}
    if message.tool_calls:
        found["tool_calls"] = [call.model_dump() for call in message.tool_calls]
    if message.tool_call_id is not None:
        found["tool_call_id"] = message.tool_call_id
    return found
