"""What asking a judge costs: counted in the judges' store, and held against the run's budget before it is spent."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager
from decimal import Decimal

from generator.endpoints import Client, Completion, cost_of
from generator.records import Message
from generator.runner.judge.asking import MAX_ASKED
from generator.runner.judge.keeping import JudgeStore
from generator.runner.spend import Budget, estimate_cost, estimate_tokens, output_limit

SCHEMA_TOKENS = 500
"""About what instructor adds to a prompt: the schema of an answer, and words around it."""

Heard = Callable[[Completion], None]


@asynccontextmanager
async def billed(
    client: Client, store: JudgeStore | None, budget: Budget | None, messages: Sequence[Message]
) -> AsyncIterator[Heard]:
    """Give what is to be told of every call of one question; money is reserved for as many answers as there may be.

    Only a judge whose prices are known, in the run's own currency, is held against the budget.

    Raises:
        LimitReachedError: The question does not fit.
    """
    made = client.configuration
    prices = made.prices
    if prices is None or budget is None or budget.prices is None or prices.currency != budget.prices.currency:
        budget = None
    each = estimate_cost(estimate_tokens(messages) + SCHEMA_TOKENS, output_limit(made.settings), prices)
    reserved = await budget.reserve(each * MAX_ASKED) if budget is not None else Decimal(0)
    spent = Decimal(0)

    def heard(completion: Completion) -> None:
        nonlocal spent
        cost = cost_of(completion.usage, prices)
        spent += cost if cost is not None else Decimal(0) if completion.status.is_failure else each
        if store is not None:
            store.count(made.name, completion.status.value, completion.usage.counts(), cost, prices)

    try:
        yield heard
    finally:
        if budget is not None:
            budget.release(reserved, spent)
