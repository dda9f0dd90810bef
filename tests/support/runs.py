"""Runs for tests: small builds in memory, and an answerer that does as it is told."""

from __future__ import annotations

import asyncio
import hashlib
from collections import Counter
from collections.abc import Callable, Sequence
from contextlib import AbstractAsyncContextManager, nullcontext
from decimal import Decimal
from functools import cache
from itertools import islice
from pathlib import Path
from typing import Any

from generator.endpoints import Completion, Configuration, Prices, Status, Usage
from generator.engine.loaded import Build
from generator.records import Message, Task
from generator.runner import Plan, RunView, make_plan
from generator.runner.answerers import Answerer
from generator.stages.pipeline import Spec
from support.cases import candidates

PRICES = Prices(input=Decimal(2), output=Decimal(8), cached=Decimal(1))


@cache
def memory_build(n: int = 3) -> Build:
    """Return a build of `n` tasks that is in no folder."""
    made = list(islice(candidates("zh"), n))
    spec = Spec(mode="iii", lang="zh", n=n, pool=n)
    keys = {c.task().id: c.key() for c in made}
    return Build(Path("nowhere"), {"seed_commitment": "c0ffee"}, spec, tuple(c.task() for c in made), keys)


def plan_of(
    conditions: Sequence[str] = ("full",), rolls: int = 2, *, n: int = 3, build: Build | None = None, **fields: Any
) -> Plan:
    """Return the plan of a run of a model behind no endpoint at all."""
    made = Configuration(name="fake", model="fake-1", **{"prices": PRICES, "settings": {}, **fields})
    return make_plan(build or memory_build(n), "fake-1", made, conditions, rolls)


def words_of(task: Task, roll: int, messages: Sequence[Message]) -> str:
    """Return a reply that depends on all that a reply may depend on."""
    shown = hashlib.sha256("".join(m.role + m.content for m in messages).encode()).hexdigest()[:12]
    return f"好的，{task.id} 第 {roll} 次：{shown} 共 12 把"


class Fake:
    """Answers from a function; counts calls by task, roll and number of messages, and what is under way.

    `fate` may say otherwise than a good answer: a status, a whole completion, or None for the good one.
    """

    def __init__(
        self, fate: Callable[[Task, int, int], Completion | Status | None] = lambda task, roll, nth: None,
        *, seconds: float = 0.0, words: Callable[[Task, int, Sequence[Message]], str] = words_of,
        on_call: Callable[[int], None] = lambda nth: None,
    ) -> None:  # fmt: skip
        self.fate, self.seconds, self.words, self.on_call = fate, seconds, words, on_call
        self.calls: Counter[tuple[str, int, int]] = Counter()
        self.order: list[tuple[str, int]] = []
        self.shown: list[tuple[Message, ...]] = []
        self.busy = self.most_busy = 0

    async def answer(self, task: Task, roll: int, messages: Sequence[Message], *, is_final: bool) -> Completion:
        """Return what the fate of this call is."""
        mark = (task.id, roll, len(messages))
        self.calls[mark] += 1
        self.order.append((task.id, roll))
        self.shown.append(tuple(messages))
        self.on_call(len(self.order))
        self.busy += 1
        self.most_busy = max(self.most_busy, self.busy)
        try:
            await asyncio.sleep(self.seconds)
        finally:
            self.busy -= 1
        fate = self.fate(task, roll, self.calls[mark])
        if isinstance(fate, Completion):
            return fate
        if fate is not None and fate.is_failure:
            return Completion(fate, error=f"the server said {fate}", attempts=3)
        usage = Usage(input=1000, cached=400, output=100, reasoning=10)
        return Completion(fate or Status.OK, self.words(task, roll, messages), finish_reason="stop", usage=usage)

    def opening(self) -> AbstractAsyncContextManager[Answerer]:
        """Open nothing."""
        return nullcontext(self)


def kept(view: RunView) -> dict[tuple[str, str, int], tuple[str | None, str | None]]:
    """Return reply and verdicts of every row, as text: what a resumed run must have in common with another."""
    return {
        (r.task_id, r.condition, r.roll): (
            r.reply.model_dump_json() if r.reply else None, r.result.model_dump_json() if r.result else None
        )
        for r in view.rows()
    }  # fmt: skip
