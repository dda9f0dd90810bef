"""One session of a run, from the plan to the files: what `gen run` and Python callers use."""

from __future__ import annotations

import asyncio
import contextlib
import os
import signal
from collections.abc import AsyncIterator, Callable
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from dataclasses import dataclass
from decimal import Decimal
from pathlib import Path
from typing import Any

from generator.endpoints import Client
from generator.endpoints.keys import keys_of
from generator.errors import ExitCode, GenError
from generator.runner.answerers import Answerer, Endpoint, Simulated
from generator.runner.export import export_run
from generator.runner.judge_costs import judge_spent
from generator.runner.plan import Plan, about_of, spec_of
from generator.runner.spend import Budget, Budgeted
from generator.runner.store import Store, open_store
from generator.runner.view import RunView, load_run
from generator.runner.work import AnswerTool, Judge, Outcome, Tally, Work

SIMULATED_AT_ONCE = 32
"""Simulated replies under way: they share commits, not time."""

Opening = Callable[[], AbstractAsyncContextManager[Answerer]]


@dataclass(frozen=True)
class Judging:
    """Who judges what: `which` is unsure or all, `judges` what tells them apart from others, one text a judge."""

    which: str
    judges: tuple[str, ...]
    opening: Callable[[], AbstractAsyncContextManager[Judge]]


@dataclass(frozen=True)
class Session:
    """What a session left: how it ended, the summary over the whole run, and the run itself."""

    outcome: Outcome
    summary: dict[str, Any]
    view: RunView

    @property
    def code(self) -> ExitCode:
        """The exit code that the design asks for."""
        if self.outcome.how == "interrupted":
            return ExitCode.INTERRUPTED
        if self.outcome.how == "limit":
            return ExitCode.LIMIT
        is_whole = self.outcome.how == "ended" and not self.view.about["counts"]["failed"]
        return ExitCode.GOOD if is_whole else ExitCode.ENDPOINT


@dataclass(frozen=True)
class Options:
    """How a session works: nothing here changes what a reply is.

    concurrency: Replies under way; None takes the configuration's.
    max_cost, limit: Money and calls that the whole run may come to, earlier sessions included.
        Judges count in the money, where their prices are known and in the model's currency, and not in the calls.
    """

    force: bool = False
    concurrency: int | None = None
    max_cost: Decimal | None = None
    limit: int | None = None
    overlay: Path | None = None


def run_session(
    plan: Plan, folder: Path, options: Options | None = None, *, opening: Opening | None = None,
    answer_tool: AnswerTool | None = None, judging: Judging | None = None, watch: Callable[[Tally], None] | None = None,
) -> Session:  # fmt: skip
    """Start or continue a run and return when it ended or was stopped; an interrupt is an outcome, not an exception.

    Raises:
        GenError: Another process holds the run, it was made with other settings, the key is missing, the machine
            refused, or content is at fault.
    """
    options = options or Options()
    if options.max_cost is not None and plan.prices is None:
        fix = "name prices in a configuration file (--config)"
        raise GenError(f"--max-cost {options.max_cost}", "no prices are known", fix, ExitCode.USAGE)
    opening = opening or _opening_of(plan, options)
    judge = {"which": judging.which, "judges": list(judging.judges)} if judging else None
    about = {**about_of(plan), "judge": judge}
    with open_store(folder, spec_of(plan), about, plan.jobs(), force=options.force) as store:
        budget = _budget_of(plan, store, options, folder)
        outcome = asyncio.run(_work(plan, store, budget, options, opening, answer_tool, judging, watch))
        store.close(outcome.how)
        return Session(outcome, export_run(folder, plan.build), load_run(folder))


async def _work(
    plan: Plan, store: Store, budget: Budget, options: Options, opening: Opening, answer_tool: AnswerTool | None,
    judging: Judging | None, watch: Callable[[Tally], None] | None,
) -> Outcome:  # fmt: skip
    default = plan.configuration.concurrency if plan.configuration else SIMULATED_AT_ONCE
    judged = judging.opening() if judging else contextlib.nullcontext(None)
    async with opening() as answerer, judged as judge:
        if isinstance(judge, Budgeted):
            judge.budget = budget
        work = Work(
            plan, store, answerer, budget, concurrency=options.concurrency or default, answer_tool=answer_tool,
            judge=judge, watch=watch,
        )  # fmt: skip
        with _signals(work):
            return await work.run()


def _budget_of(plan: Plan, store: Store, options: Options, folder: Path) -> Budget:
    spent = store.spent()
    cost = spent.cost
    if spent.answered and spent.lost:
        # What a killed session had in flight was probably billed: it counts at the mean of the others.
        cost += spent.cost / spent.answered * spent.lost
    judged = judge_spent(folder)
    if judged is not None and plan.prices is not None:
        cost += judged.costs.get(plan.prices.currency, Decimal(0))
    return Budget(
        plan.prices, max_cost=options.max_cost, max_calls=options.limit, output=plan.output_limit, spent=cost,
        calls=spent.calls,
    )  # fmt: skip


@contextlib.contextmanager
def _signals(work: Work) -> Any:
    """Let Ctrl-C and a polite kill end the session cleanly."""
    loop = asyncio.get_running_loop()
    taken = []
    for number in (signal.SIGINT, signal.SIGTERM):
        # Only the main thread of a Unix process can; elsewhere the interpreter's own handling stays.
        with contextlib.suppress(NotImplementedError, RuntimeError, ValueError):
            loop.add_signal_handler(number, work.interrupt)
            taken.append(number)
    try:
        yield
    finally:
        for number in taken:
            loop.remove_signal_handler(number)


def _opening_of(plan: Plan, options: Options) -> Opening:
    """Return how to get the answerer; what can be told to be wrong is told now, before any file is written."""
    made = plan.configuration
    if made is None:
        simulated = Simulated(plan.build, plan.model, options.overlay)
        return lambda: contextlib.nullcontext(simulated)
    concurrency = options.concurrency or made.concurrency
    configuration = made.model_copy(update={"concurrency": concurrency})
    keys_of(configuration, os.environ)

    @asynccontextmanager
    async def opening() -> AsyncIterator[Answerer]:
        async with Client(configuration) as client:
            yield Endpoint(client, concurrency)

    return opening
