"""How many requests may be under way at once: fewer after each 429, slowly more again."""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager


class Limiter:
    """An adaptive limit for one endpoint: halved on 429, one more for every window of successes.

    It starts at the hard limit and never goes beyond it, nor below one. Places are given in order of asking.
    """

    def __init__(
        self, hard: int, clock: Callable[[], float], sleep: Callable[[float], Awaitable[None]] = asyncio.sleep
    ) -> None:
        self.hard = hard
        self._limit = float(hard)
        self._busy = 0
        self._queue: deque[asyncio.Future[None]] = deque()
        self._clock, self._sleep = clock, sleep
        self._lowered = float("-inf")
        self._held_until = float("-inf")

    @property
    def limit(self) -> int:
        """The present limit."""
        return int(self._limit)

    @property
    def busy(self) -> int:
        """Requests under way."""
        return self._busy

    @asynccontextmanager
    async def place(self) -> AsyncIterator[None]:
        """Hold one place; waits until there is one and no hold is on."""
        await self._enter()
        try:
            while (left := self._held_until - self._clock()) > 0:
                await self._sleep(left)
            yield
        finally:
            self._leave()

    def succeeded(self) -> None:
        """Note a request that the endpoint took."""
        if self._limit < self.hard:
            self._limit = min(self.hard, self._limit + 1 / self._limit)
            self._wake()

    def refused(self, sent: float, hold_s: float) -> None:
        """Note a 429 to a request sent at `sent`; nobody sends for the next `hold_s` seconds.

        Requests that were under way when the limit was last lowered do not lower it again: one burst is one sign.
        """
        now = self._clock()
        self._held_until = max(self._held_until, now + hold_s)
        if sent > self._lowered:
            self._lowered = now
            self._limit = max(1.0, self._limit / 2)

    async def _enter(self) -> None:
        if self._busy < self.limit and not self._queue:
            self._busy += 1
            return
        turn: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._queue.append(turn)
        try:
            await turn
        except asyncio.CancelledError:
            if turn.done() and not turn.cancelled():
                self._leave()  # the place was given in the very moment of leaving
            raise

    def _leave(self) -> None:
        self._busy -= 1
        self._wake()

    def _wake(self) -> None:
        while self._queue and self._busy < self.limit:
            turn = self._queue.popleft()
            if not turn.done():
                self._busy += 1
                turn.set_result(None)
