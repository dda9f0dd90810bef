"""The run itself: workers that take one reply after the other, and end cleanly whatever comes."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field, fields
from decimal import Decimal
from functools import lru_cache
from typing import Any

from pydantic import ValidationError

from generator.endpoints import Completion, Status
from generator.errors import GenError
from generator.records import Key, Message, Reply, Result, Task, ToolCall
from generator.runner.answerers import Answerer
from generator.runner.conditions import said, shown_messages, turns_of
from generator.runner.plan import Plan
from generator.runner.schema import whole
from generator.runner.spend import Budget, LimitReachedError, estimate_tokens
from generator.runner.store import Call, Job, Step, Store
from generator.scoring.metrics import score_reply

MAX_ROUNDS = 8
"""Tool rounds within one turn; the reply after them stands as it is."""
SPARE = 4
"""One worker more for every so many places."""
GRACE = 10.0
"""Seconds that calls in flight are given to end after the first Ctrl-C."""
HOPELESS = 3
"""Calls that must fail for a reason that concerns all calls, none having succeeded, before a run gives up."""
_CONCERNS_ALL = frozenset({Status.AUTH, Status.TRANSPORT})
_NOT_THERE = frozenset({404, 405})
_LONG_REPLY = 20_000
_LISTED = 20
_KEPT = tuple(f.name for f in fields(Completion) if f.name != "usage")
_SHOW_EVERY = 0.2

AnswerTool = Callable[[Task, dict[str, Any]], str]
Judge = Callable[[Task, Key, Reply, Result], Awaitable[Result]]


@dataclass
class Tally:
    """Where a run stands. `done` and `failed` count replies, earlier sessions included for `done`."""

    planned: int
    done: int
    failed: int = 0
    cost: Decimal | None = None
    calls: int = 0


@dataclass
class Outcome:
    """How a session ended: `ended`, `interrupted`, `limit` or `hopeless`, with words, and what failed."""

    how: str = "ended"
    words: str = ""
    failed: int = 0
    failures: list[str] = field(default_factory=list)


class _StoppedError(Exception):
    """No new call may be made."""


class Work:
    """One session of a run over an open store."""

    def __init__(
        self, plan: Plan, store: Store, answerer: Answerer, budget: Budget, *, concurrency: int = 16,
        answer_tool: AnswerTool | None = None, judge: Judge | None = None,
        watch: Callable[[Tally], None] | None = None,
    ) -> None:  # fmt: skip
        self._plan, self._store, self._answerer, self._budget = plan, store, answerer, budget
        self._concurrency, self._answer_tool, self._judge, self._watch = concurrency, answer_tool, judge, watch
        self._places = asyncio.Semaphore(concurrency)
        counts = store.count()
        self._tally = Tally(sum(counts.values()), counts["done"])
        self._jobs = store.open_jobs()
        self._outcome = Outcome()
        self._is_stopping = False
        self._succeeded = False
        self._shown = 0.0
        self._workers: list[asyncio.Task[None]] = []
        self._prompt = lru_cache(maxsize=2 * concurrency)(self._make_prompt)

    async def run(self) -> Outcome:
        """Return how it ended, when all that was started is on the disk.

        Raises:
            GenError: Content or machine is at fault; what was finished before is kept.
        """
        # More workers than places: some wait for a commit while others wait for the model. Not many more, since
        # what a kill leaves unanswered counts as lost, sent or not.
        spare = max(1, self._concurrency // SPARE)
        count = max(1, min(self._concurrency + spare, self._tally.planned - self._tally.done))
        self._workers = [asyncio.create_task(self._serve()) for _ in range(count)]
        try:
            done, _ = await asyncio.wait(self._workers, return_when=asyncio.FIRST_EXCEPTION)
        finally:
            for worker in self._workers:
                worker.cancel()
            await asyncio.gather(*self._workers, return_exceptions=True)
        for worker in done:
            fault = None if worker.cancelled() else worker.exception()
            if fault is not None:
                raise fault
        self._show(always=True)
        return self._outcome

    def interrupt(self) -> None:
        """Stop: calls in flight may end within `GRACE` seconds; at the second time they are dropped at once."""
        if self._outcome.how == "interrupted":
            self._drop()
            return
        self._stop("interrupted", "interrupted")
        asyncio.get_running_loop().call_later(GRACE, self._drop)

    def _drop(self) -> None:
        for worker in self._workers:
            worker.cancel()

    def _stop(self, how: str, words: str) -> None:
        self._is_stopping = True
        if self._outcome.how == "ended" or how == "interrupted":
            self._outcome.how, self._outcome.words = how, words

    async def _serve(self) -> None:
        while not self._is_stopping:
            job = next(self._jobs, None)
            if job is None:
                return
            try:
                await self._do(job)
            except LimitReachedError as limit:
                self._stop("limit", str(limit))
            except _StoppedError:
                return

    async def _do(self, job: Job) -> None:
        task = self._plan.build.tasks[job.place]
        earlier = self._store.calls_of(job) if self._store.is_resumed else {}
        written: list[str] = []
        turns = turns_of(task, job.condition)
        completion = None
        for turn in range(turns):
            completion = await self._turn(job, task, turn, written, turn == turns - 1, earlier)
            if completion.status.is_failure:
                await self._fail(job, completion)
                return
            written.append(said(completion.text, task.lang))
        assert completion is not None
        reply = _reply_of(job, completion)
        await self._store.finish(job, reply, await self._score(task, reply))
        self._tally.done += 1
        self._show()

    async def _turn(
        self, job: Job, task: Task, turn: int, written: list[str], is_final: bool, earlier: dict[Step, Call]
    ) -> Completion:
        """Return the model's words at a turn, tool calls answered on the way."""
        if job.condition == "own":
            messages = shown_messages(task, job.condition, written)
            estimate = estimate_tokens(messages, task.tools) if self._budget.prices else 0
        else:
            messages, estimate = self._prompt(job.place, job.condition)
        for round_ in range(MAX_ROUNDS + 1):
            completion = await self._call(
                job, task, Step(turn, round_), messages, estimate, is_final, earlier.get(Step(turn, round_))
            )
            calls = completion.tool_calls
            if completion.status.is_failure or not calls or self._answer_tool is None or round_ == MAX_ROUNDS:
                break
            try:
                asked = tuple(ToolCall.model_validate(call) for call in calls)
                told = [_answered(self._answer_tool, task, call) for call in calls]
            except ValidationError:
                break
            messages = (*messages, Message(role="assistant", content=completion.text or "", tool_calls=asked))
            for call, words in zip(asked, told, strict=True):
                messages = (*messages, Message(role="tool", content=words, tool_call_id=call.id))
        return completion

    def _make_prompt(self, place: int, condition: str) -> tuple[tuple[Message, ...], int]:
        task = self._plan.build.tasks[place]
        messages = shown_messages(task, condition, ())
        return messages, estimate_tokens(messages, task.tools) if self._budget.prices else 0

    async def _call(
        self, job: Job, task: Task, step: Step, messages: tuple[Message, ...], estimate: int, is_final: bool,
        known: Call | None,
    ) -> Completion:  # fmt: skip
        """Return the stored answer of a step, or ask for one: intent first, response after."""
        if known is not None and known.body is not None:
            return _from_body(known.body)
        if self._is_stopping:
            raise _StoppedError
        reserved = await self._budget.admit(estimate)
        usage, failed, is_sent = None, True, False
        try:
            attempt = known.attempts + 1 if known else 1
            call = await self._store.intend(job, step, attempt, is_final=is_final)
            async with self._places:
                if self._outcome.how in {"interrupted", "hopeless"}:
                    self._store.withdraw(call)
                    raise _StoppedError
                is_sent = True
                completion = await self._answerer.answer(task, job.roll, messages, is_final=is_final)
            usage, failed = completion.usage, completion.status.is_failure
        finally:
            cost = self._budget.settle(reserved, usage, failed=failed, is_sent=is_sent)
        self._store.record(
            call, completion.status.value if failed else "answered", _to_body(completion),
            seconds=completion.seconds, tries=completion.attempts,
            usage=completion.usage.counts(), cost=cost,
        )  # fmt: skip
        self._succeeded = self._succeeded or not failed
        return completion

    async def _score(self, task: Task, reply: Reply) -> Result | None:
        """Return the scored reply, None where the build has no keys."""
        key = self._plan.build.keys.get(task.id)
        if key is None:
            return None
        if len(reply.reply or "") > _LONG_REPLY:
            result = await asyncio.to_thread(score_reply, key, reply)
        else:
            result = score_reply(key, reply)
        return result if self._judge is None else await self._judge(task, key, reply, result)

    async def _fail(self, job: Job, completion: Completion) -> None:
        words = completion.error or completion.status.value
        lost = Reply(task_id=job.task_id, roll=job.roll, condition=job.condition, finish_reason=None)
        key = self._plan.build.keys.get(job.task_id)
        await self._store.finish(job, None, score_reply(key, lost) if key else None, f"{completion.status}: {words}")
        self._tally.failed += 1
        self._outcome.failed += 1
        if len(self._outcome.failures) < _LISTED:
            place = f"task {job.task_id}, {job.condition}, roll {job.roll}"
            self._outcome.failures.append(f"{place}: {completion.status}: {words}")
        concerns_all = completion.status in _CONCERNS_ALL or completion.http_status in _NOT_THERE
        if concerns_all and not self._succeeded and self._outcome.failed >= HOPELESS:
            self._stop("hopeless", words)
        self._show()

    def _show(self, *, always: bool = False) -> None:
        now = time.monotonic()
        if self._watch is None or (now - self._shown < _SHOW_EVERY and not always):
            return
        self._shown = now
        self._tally.cost = self._budget.spent if self._budget.prices else None
        self._tally.calls = self._budget.calls
        self._watch(self._tally)


def _answered(answer_tool: AnswerTool, task: Task, call: dict[str, Any]) -> str:
    """Return what a tool says; a call that it refuses is told so, as a tool would."""
    try:
        return answer_tool(task, call)
    except GenError as error:
        return f"error: {error.what}"


def _to_body(completion: Completion) -> dict[str, Any]:
    # By hand, and not by `asdict`, which copies every reply.
    body = {name: getattr(completion, name) for name in _KEPT}
    body["usage"] = completion.usage.counts()
    return {name: value for name, value in body.items() if value not in (None, ())}


def _from_body(body: dict[str, Any]) -> Completion:
    kept = {name: body[name] for name in ("text", "reasoning", "finish_reason", "refusal") if name in body}
    calls = tuple(body.get("tool_calls", ()))
    return Completion(Status(body["status"]), tool_calls=calls, **kept)


def _reply_of(job: Job, completion: Completion) -> Reply:
    """Return the reply that is scored; a cut-off or filtered one says so in its finish reason."""
    forced = {Status.LENGTH: "length", Status.CONTENT_FILTER: "content_filter"}
    return Reply.model_validate(
        {
            "task_id": job.task_id, "roll": job.roll, "condition": job.condition,
            "finish_reason": forced.get(completion.status, whole(completion.finish_reason) or "stop"),
            "reply": whole(completion.text or ""), "refusal": whole(completion.refusal),
            "reasoning": whole(completion.reasoning),
            "tool_calls": tuple(whole(dict(c)) for c in completion.tool_calls),
        }
    )  # fmt: skip


__all__ = ["AnswerTool", "Judge", "Outcome", "Tally", "Work"]
