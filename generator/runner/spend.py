"""Money and tokens: estimates before a call, and budgets that are kept before they are overrun."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Callable, Mapping, Sequence
from decimal import Decimal
from typing import Any, Protocol, runtime_checkable

from generator.endpoints import Prices, Usage, cost_of
from generator.records import Message, canonical_json

ASSUMED_OUTPUT = 800
"""Tokens that a reply is assumed to have where the settings give no limit and nothing was measured yet."""

_WIDE = re.compile("[\u2e80-\u9fff\uac00-\ud7af\uf900-\ufaff\uff00-\uffef]")


def estimate_tokens(messages: Sequence[Message], tools: Sequence[Mapping[str, Any]] = ()) -> int:
    """Return about how many tokens a prompt has: 0.8 a Chinese character, 1 per 4 others, 4 a message.

    A rule of thumb over several tokenisers (they differ by 30 % and more); meant for dry runs and budgets only.
    """
    text = "".join(m.content for m in messages) + "".join(canonical_json(dict(t)) for t in tools)
    wide = len(_WIDE.findall(text))
    return round(0.8 * wide + (len(text) - wide) / 4) + 4 * len(messages) + 3


def output_limit(settings: Mapping[str, Any]) -> int | None:
    """Return the most tokens that a reply may have under these settings; None if they do not say."""
    for name in ("max_completion_tokens", "max_tokens"):
        value = settings.get(name)
        if isinstance(value, int) and value > 0:
            return value
    return None


def estimate_cost(prompt: int, output: int | None, prices: Prices | None) -> Decimal:
    """Return about what a call costs; 0 without prices. output: the most tokens of its reply, None if not known."""
    if prices is None:
        return Decimal(0)
    tokens = ASSUMED_OUTPUT if output is None else output
    return (prompt * prices.input + tokens * prices.output) / Decimal(1_000_000)


class LimitReachedError(Exception):
    """The next call would go past a limit that the user set."""


class Budget:
    """Admits calls while they fit. What is in flight counts at its estimate, so that the sum cannot be overrun.

    Where the settings limit a reply's tokens the bound is firm; else a reply is taken to be twice the mean so far.
    """

    def __init__(
        self, prices: Prices | None, *, max_cost: Decimal | None = None, max_calls: int | None = None,
        output: int | None = None, spent: Decimal = Decimal(0), calls: int = 0,
    ) -> None:  # fmt: skip
        self.prices, self.max_cost, self.max_calls, self.output = prices, max_cost, max_calls, output
        self.spent, self.calls = spent, calls
        self._reserved = Decimal(0)
        self._flying = 0
        self._told = self._replies = 0
        self._waiters: list[asyncio.Future[None]] = []

    async def admit(self, prompt: int) -> Decimal:
        """Return the money reserved for a call whose prompt has about `prompt` tokens; waits for calls in flight.

        Raises:
            LimitReachedError: It does not fit, and nothing in flight could make room.
        """
        self._check_calls()
        wanted = await self._make_room(self._estimate(prompt), self._check_calls)
        self.calls += 1
        return wanted

    async def reserve(self, wanted: Decimal) -> Decimal:
        """Return money reserved for something else than a call of the model, such as a judge's; see `admit`.

        Raises:
            LimitReachedError: It does not fit, and nothing in flight could make room.
        """
        return await self._make_room(wanted, lambda: None)

    def release(self, reserved: Decimal, spent: Decimal) -> None:
        """Give back what `reserve` returned, and count what was spent of it."""
        self._land(reserved, spent)

    async def _make_room(self, wanted: Decimal, check: Callable[[], None]) -> Decimal:
        while self.max_cost is not None and self.spent + self._reserved + wanted > self.max_cost:
            if not self._flying:
                raise LimitReachedError(
                    f"--max-cost {self.max_cost}: {self.spent:.4f} spent, the next call may cost {wanted:.4f}"
                )
            waiter = asyncio.get_running_loop().create_future()
            self._waiters.append(waiter)
            await waiter
            check()
        self._flying += 1
        self._reserved += wanted
        return wanted

    def settle(
        self, reserved: Decimal, usage: Usage | None, *, failed: bool = False, is_sent: bool = True
    ) -> Decimal | None:
        """Return what a call cost, None if that is not known; an unknown cost of an answer counts as reserved."""
        self.calls -= not is_sent
        cost = cost_of(usage, self.prices) if usage is not None else None
        if usage is not None and usage.output is not None:
            self._told += usage.output
            self._replies += 1
        self._land(reserved, cost if cost is not None else Decimal(0) if failed else reserved)
        return cost

    def _land(self, reserved: Decimal, spent: Decimal) -> None:
        self._flying -= 1
        self._reserved -= reserved
        self.spent += spent
        waiters, self._waiters = self._waiters, []
        for waiter in waiters:
            if not waiter.done():
                waiter.set_result(None)

    def _check_calls(self) -> None:
        if self.max_calls is not None and self.calls >= self.max_calls:
            raise LimitReachedError(f"--limit {self.max_calls}: {self.calls} calls were sent")

    def _estimate(self, prompt: int) -> Decimal:
        if self.prices is None:
            return Decimal(0)
        mean = 2 * self._told // self._replies if self._replies else ASSUMED_OUTPUT
        return estimate_cost(prompt, self.output if self.output is not None else max(mean, 1), self.prices)


@runtime_checkable
class Budgeted(Protocol):
    """What spends money beside the model and is told of the budget that it must fit, None for no budget."""

    budget: Budget | None
