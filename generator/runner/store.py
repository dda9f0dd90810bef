"""The store of a run: an intent before each call, the response after it, and what is left to do."""

from __future__ import annotations

import contextlib
import json
import os
import sqlite3
import time
from collections.abc import Iterable, Iterator
from decimal import Decimal
from pathlib import Path
from typing import Any, NamedTuple

from generator.endpoints import mend_surrogates
from generator.engine.files import refusals
from generator.errors import ExitCode, GenError
from generator.records import Reply, Result
from generator.runner.lock import LOCK, hold_lock
from generator.runner.schema import CONDITIONS, FORMAT, JUDGE_STORE, STORE, connect, to_json, tokens_of
from generator.runner.writer import Writer

DERIVED = (
    "replies.jsonl", "results.jsonl", "run.json", JUDGE_STORE, f"{JUDGE_STORE}-wal", f"{JUDGE_STORE}-shm",
    "judge_sample.json", "labels.jsonl",
)  # fmt: skip
PAGE = 500


class Job(NamedTuple):
    """One planned reply; `place` is its task's position in the build."""

    id: int
    place: int
    task_id: str
    condition: str
    roll: int


class Step(NamedTuple):
    """Where a call stands in its job: `turn` counts exchanges, `round` tool rounds within a turn, both from 0."""

    turn: int
    round: int


class Call(NamedTuple):
    """A call of an earlier session: how often it was sent, and the answer if there is one."""

    attempts: int
    body: dict[str, Any] | None


class Spent(NamedTuple):
    """What calls came to: how many were sent, how many of them left no trace, tokens told, and money."""

    calls: int
    lost: int
    answered: int
    output: int
    cost: Decimal


class Store:
    """A run's store, open for writing; get one from `open_store`."""

    def __init__(self, link: sqlite3.Connection, side: sqlite3.Connection, where: str) -> None:
        self._side = side
        now = time.time()
        made = link.execute("INSERT INTO sessions (pid, started, seen) VALUES (?, ?, ?)", (os.getpid(), now, now))
        self._session = int(made.lastrowid or 0)
        (last,) = link.execute("SELECT coalesce(max(id), 0) FROM calls").fetchone()
        self._next_call = int(last) + 1
        self.is_resumed = last > 0
        self._is_closed = False
        self._link = link
        self._writer = Writer(link, self._session, where)

    def open_jobs(self) -> Iterator[Job]:
        """Yield what has no result yet, rolls of a task together; a page at a time, so that memory stays flat."""
        at = (-1, -1, -1)
        while True:
            query = (
                "SELECT id, place, task, condition, roll, rank FROM jobs WHERE state != 'done' "
                "AND (place, rank, roll) > (?, ?, ?) ORDER BY place, rank, roll LIMIT ?"
            )
            page = self._side.execute(query, (*at, PAGE)).fetchall()
            if not page:
                return
            for id_, place, task, condition, roll, rank in page:
                at = (place, rank, roll)
                yield Job(id_, place, task, condition, roll)

    def count(self) -> dict[str, int]:
        """Return the number of jobs by state."""
        found = dict(self._side.execute("SELECT state, count(*) FROM jobs GROUP BY state"))
        return {name: found.get(name, 0) for name in ("open", "done", "failed")}

    def spent(self) -> Spent:
        """Return what the calls of all sessions so far came to, as far as they are committed."""
        calls, lost, answered, output = self._side.execute(
            "SELECT count(*), count(*) - count(ended), count(output), coalesce(sum(output), 0) FROM calls"
        ).fetchone()
        prices = self._side.execute("SELECT cost FROM calls WHERE cost IS NOT NULL")
        return Spent(calls, lost, answered, output, sum((Decimal(text) for (text,) in prices), Decimal(0)))

    def calls_of(self, job: Job) -> dict[Step, Call]:
        """Return what earlier sessions have of a job: per step the attempts and the last answer."""
        found: dict[Step, Call] = {}
        query = "SELECT turn, round, attempt, status, body FROM calls WHERE job = ? ORDER BY attempt"
        for turn, round_, attempt, status, body in self._side.execute(query, (job.id,)):
            step = Step(turn, round_)
            before = found.get(step)
            answer = json.loads(body) if status == "answered" else before.body if before else None
            found[step] = Call(attempt, answer)
        return found

    async def intend(self, job: Job, step: Step, attempt: int, *, is_final: bool) -> int:
        """Return the number of a call that may now be sent: its intent is on the disk."""
        call = self._next_call
        self._next_call += 1
        sql = "INSERT INTO calls (id, job, turn, round, attempt, final, session, sent) VALUES (?, ?, ?, ?, ?, ?, ?, ?)"
        values = (call, job.id, *step, attempt, int(is_final), self._session, time.time())
        await self._writer.commit((sql, values))
        return call

    def withdraw(self, call: int) -> None:
        """Take back the intent of a call that was not sent."""
        self._writer.put(("DELETE FROM calls WHERE id = ?", (call,)))

    def record(
        self, call: int, status: str, body: dict[str, Any], *, seconds: float, tries: int,
        usage: dict[str, int] | None, cost: Decimal | None,
    ) -> None:  # fmt: skip
        """Put down what became of a call: `answered`, or the kind of its failure."""
        sql = (
            "UPDATE calls SET ended = ?, status = ?, body = ?, seconds = ?, tries = ?, input = ?, cached = ?, "
            "output = ?, reasoning = ?, cost = ? WHERE id = ?"
        )
        price = None if cost is None else str(cost)
        self._writer.put((sql, (time.time(), status, to_json(body), seconds, tries, *tokens_of(usage), price, call)))

    async def finish(self, job: Job, reply: Reply | None, result: Result | None, error: str | None = None) -> None:
        """Return when the end of a job, and all recorded before it, is on the disk; `error` means it failed."""
        wishes: list[tuple[str, tuple[Any, ...]]] = []
        if reply is not None:
            wishes.append(("INSERT OR REPLACE INTO replies VALUES (?, ?)", (job.id, reply.model_dump_json())))
        if result is not None:
            wishes.append(("INSERT OR REPLACE INTO results VALUES (?, ?)", (job.id, result.model_dump_json())))
        state = "done" if error is None else "failed"
        words = None if error is None else mend_surrogates(error).replace("\0", "\ufffd")
        wishes.append(("UPDATE jobs SET state = ?, error = ? WHERE id = ?", (state, words, job.id)))
        await self._writer.commit(*wishes)

    def close(self, outcome: str) -> None:
        """Commit all that is waiting and say how the session ended; the first word counts.

        Raises:
            GenError: The machine refused.
        """
        if self._is_closed:
            return
        self._is_closed = True
        self._writer.put(
            ("UPDATE sessions SET ended = ?, outcome = ? WHERE id = ?", (time.time(), outcome, self._session))
        )
        self._writer.close()


@contextlib.contextmanager
def open_store(
    folder: Path, spec: dict[str, Any], about: dict[str, Any], jobs: Iterable[tuple[int, str, str, str, int]], *,
    force: bool = False,
) -> Iterator[Store]:  # fmt: skip
    """Give the store of a run: a new one, or that of an earlier session of the same run.

    Args:
        folder: The run's folder; made if it is not there.
        spec: What must be the same for a run to be continued; JSON with flat keys.
        about: What readers are told besides; `conditions` and `rolls` are merged with those of earlier sessions.
        jobs: (place of the task, task id, mode, condition, roll) of every reply wanted.
        force: Start anew.

    Raises:
        GenError: The spec differs or the folder holds something else (2), another process holds the run or the
            machine refused (5), the store is damaged (3).
    """
    path = folder / STORE
    _check_folder(folder, force=force)
    with refusals(folder):
        folder.mkdir(parents=True, exist_ok=True)
    with hold_lock(folder):
        if force:
            with refusals(folder):
                for name in (STORE, f"{STORE}-wal", f"{STORE}-shm", *DERIVED):
                    (folder / name).unlink(missing_ok=True)
        link, side = _connect_both(path)
        try:
            _agree(link, folder, spec, about)
            _plan(link, jobs)
            store = Store(link, side, str(path))
            outcome = "failed"
            try:
                yield store
                outcome = "ended"
            except (KeyboardInterrupt, GeneratorExit):
                outcome = "interrupted"
                raise
            finally:
                store.close(outcome)
        except sqlite3.Error as error:
            raise GenError(
                str(path),
                f"the store refuses: {error}",
                "mend the folder, or start anew with --force",
                ExitCode.MACHINE,
            ) from error
        finally:
            side.close()
            link.close()


def _connect_both(path: Path) -> tuple[sqlite3.Connection, sqlite3.Connection]:
    try:
        return connect(path, writer=True), connect(path)
    except sqlite3.OperationalError as error:
        fix = "choose a folder on a local disk that you may write to"
        raise GenError(str(path), f"the store cannot be opened: {error}", fix, ExitCode.MACHINE) from error
    except sqlite3.DatabaseError as error:
        raise GenError(str(path), f"the store is damaged: {error}", "start anew with --force") from error


def _check_folder(folder: Path, *, force: bool) -> None:
    if folder.exists() and not folder.is_dir():
        raise GenError(str(folder), "not a folder", "choose another --out", ExitCode.USAGE)
    if force or not folder.exists() or (folder / STORE).exists():
        return
    # A lock alone was left by a session that was killed before its store was there.
    if not (folder / LOCK).exists():
        what = "the folder exists already and holds no run that could go on"
        fix = "add --force to write here all the same, or choose another --out"
        raise GenError(str(folder), what, fix, ExitCode.USAGE)


def _agree(link: sqlite3.Connection, folder: Path, spec: dict[str, Any], about: dict[str, Any]) -> None:
    """Compare with what the store was made for, and put down what is new."""
    meta = {name: json.loads(body) for name, body in link.execute("SELECT name, body FROM meta")}
    if meta:
        before = meta.get("spec", {})
        differing = [
            f"{name} was {before.get(name)!r}, now {spec.get(name)!r}"
            for name in sorted({*before, *spec})
            if before.get(name) != spec.get(name)
        ]
        if meta.get("format") != FORMAT:
            differing.insert(0, f"store format was {meta.get('format')!r}, now {FORMAT!r}")
        if differing:
            fix = "run with the same settings to go on, --force to start anew, or choose another --out"
            raise GenError(str(folder), "another run: " + "; ".join(differing), fix, ExitCode.USAGE)
        earlier = meta["about"]
        wanted = {*earlier["conditions"], *about["conditions"]}
        conditions = [name for name in CONDITIONS if name in wanted]
        _score_again(link, is_judged_otherwise=earlier.get("judge") != about.get("judge"))
        about = {**about, "conditions": conditions, "rolls": max(earlier["rolls"], about["rolls"])}
    link.execute("BEGIN IMMEDIATE")
    for name, body in (("format", FORMAT), ("spec", spec), ("about", about)):
        link.execute("INSERT OR REPLACE INTO meta VALUES (?, ?)", (name, to_json(body)))
    link.execute("COMMIT")


def _score_again(link: sqlite3.Connection, *, is_judged_otherwise: bool) -> None:
    """Reopen what is done but must be scored again, from the answers that are there: no model is asked."""
    # A judge that failed left items in error; another judge leaves no result as it is.
    where = "" if is_judged_otherwise else """ AND id IN (SELECT job FROM results WHERE body LIKE '%":"error"%')"""
    link.execute(f"UPDATE jobs SET state = 'open' WHERE state = 'done'{where}")


def _plan(link: sqlite3.Connection, jobs: Iterable[tuple[int, str, str, str, int]]) -> None:
    sql = "INSERT OR IGNORE INTO jobs (place, task, mode, rank, condition, roll) VALUES (?, ?, ?, ?, ?, ?)"
    rows = ((place, task, mode, CONDITIONS.index(name), name, roll) for place, task, mode, name, roll in jobs)
    link.execute("BEGIN IMMEDIATE")
    link.executemany(sql, rows)
    link.execute("COMMIT")
