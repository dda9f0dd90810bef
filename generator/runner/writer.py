"""The one thread that writes to a run's store: what is asked for within a few milliseconds shares a commit."""

from __future__ import annotations

import asyncio
import contextlib
import queue
import sqlite3
import threading
import time
from typing import Any, NamedTuple

from generator.errors import ExitCode, GenError

GATHER = 0.004
"""Seconds that a commit waits for company; the design allows 50 ms."""
LARGEST = 2000
SEEN_EVERY = 1.0


class Wish(NamedTuple):
    """Statements to be committed together, and who waits for it."""

    statements: tuple[tuple[str, tuple[Any, ...]], ...]
    done: asyncio.Future[None] | None


class Writer:
    """Commits wishes in the order in which they came."""

    def __init__(self, link: sqlite3.Connection, session: int, where: str) -> None:
        self._link, self._session, self._where = link, session, where
        self._wishes: queue.SimpleQueue[Wish | None] = queue.SimpleQueue()
        self._fault: GenError | None = None
        self._seen = 0.0
        self._thread = threading.Thread(target=self._work, name="store", daemon=True)
        self._thread.start()

    def put(self, *statements: tuple[str, tuple[Any, ...]]) -> None:
        """Ask for statements to be committed, without waiting.

        Raises:
            GenError: An earlier commit failed.
        """
        if self._fault is not None:
            raise self._fault
        self._wishes.put(Wish(statements, None))

    async def commit(self, *statements: tuple[str, tuple[Any, ...]]) -> None:
        """Return when the statements, and all that were asked for before, are on the disk.

        Raises:
            GenError: The machine refused.
        """
        if self._fault is not None:
            raise self._fault
        done = asyncio.get_running_loop().create_future()
        self._wishes.put(Wish(statements, done))
        # Shielded: a caller that is cancelled must not make the batch's future unusable.
        await asyncio.shield(done)

    def close(self) -> None:
        """Return when all that was asked for is on the disk.

        Raises:
            GenError: The machine refused.
        """
        self._wishes.put(None)
        self._thread.join()
        if self._fault is not None:
            raise self._fault

    def _work(self) -> None:
        ending = False
        while not ending:
            first = self._wishes.get()
            batch: list[Wish] = []
            if first is None:
                break
            batch.append(first)
            if self._wishes.qsize() < LARGEST:
                time.sleep(GATHER)
            while len(batch) < LARGEST:
                try:
                    wish = self._wishes.get_nowait()
                except queue.Empty:
                    break
                if wish is None:
                    ending = True
                    break
                batch.append(wish)
            self._commit(batch)

    def _commit(self, batch: list[Wish]) -> None:
        if self._fault is None:
            try:
                self._link.execute("BEGIN IMMEDIATE")
                for wish in batch:
                    for sql, values in wish.statements:
                        self._link.execute(sql, values)
                now = time.time()
                if now - self._seen > SEEN_EVERY:
                    self._seen = now
                    self._link.execute("UPDATE sessions SET seen = ? WHERE id = ?", (now, self._session))
                self._link.execute("COMMIT")
            except sqlite3.OperationalError as error:
                what = f"the store cannot be written: {error}"
                fix = "free some space or mend the folder, then run the same command again"
                self._fault = GenError(self._where, what, fix, ExitCode.MACHINE)
            except Exception as error:
                # Whatever it is, those who wait must hear of it: a thread that dies silently would hang the run.
                what = f"a fault of ours: {type(error).__name__}: {error}"
                fix = "please report it; the same command goes on with what is there"
                self._fault = GenError(self._where, what, fix, ExitCode.BUG)
        waiting = [wish.done for wish in batch if wish.done is not None]
        for loop in {done.get_loop() for done in waiting}:
            # A loop that is closed has nobody waiting any more.
            with contextlib.suppress(RuntimeError):
                loop.call_soon_threadsafe(_settle, [d for d in waiting if d.get_loop() is loop], self._fault)


def _settle(waiting: list[asyncio.Future[None]], fault: GenError | None) -> None:
    for done in waiting:
        if done.done():
            continue
        if fault is None:
            done.set_result(None)
        else:
            done.set_exception(fault)
