"""The judge's own store, `judge.sqlite` in a run's folder: rulings by content, notes by reply and item, and calls."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator, Sequence
from contextlib import closing
from decimal import Decimal
from pathlib import Path
from typing import NamedTuple, Self

from generator.endpoints import Prices
from generator.engine.files import refusals
from generator.errors import GenError
from generator.records import Frozen, Verdict
from generator.runner.judge_costs import CALLS
from generator.runner.schema import JUDGE_STORE, to_json, tokens_of

_TABLES = """
CREATE TABLE IF NOT EXISTS rulings (digest TEXT PRIMARY KEY, body TEXT NOT NULL) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS notes (
  task TEXT NOT NULL, condition TEXT NOT NULL, roll INTEGER NOT NULL, judge TEXT NOT NULL, item TEXT NOT NULL,
  body TEXT NOT NULL, PRIMARY KEY (task, condition, roll, judge, item)
) WITHOUT ROWID;
"""


class JudgedItem(Frozen):
    """What a judge said of one item. On an error, `error` says why, and there is no verdict to count."""

    item: str
    verdict: Verdict
    quote: str = ""
    reason: str = ""
    judge: str = ""
    error: str = ""


class Place(NamedTuple):
    """One reply of a run."""

    task_id: str
    condition: str
    roll: int


class JudgeStore:
    """Keeps rulings and notes; close it, or use `with`. `read_only` never creates anything.

    Raises:
        GenError: There is no such file to read, it is damaged, or the machine refused.
    """

    def __init__(self, path: Path, *, read_only: bool = False) -> None:
        if read_only and not path.is_file():
            raise GenError(str(path), "nothing was judged in this run", "run it with --judge unsure or --judge all")
        try:
            with refusals(path):
                if not read_only:
                    path.touch(mode=0o600)
                self._link = sqlite3.connect(path, timeout=30, isolation_level=None, check_same_thread=False)
            if read_only:
                self._link.execute("PRAGMA query_only=ON")
                self._link.execute("SELECT 1 FROM notes LIMIT 1")
            else:
                self._link.execute("PRAGMA journal_mode=WAL")
                self._link.executescript(_TABLES + CALLS)
        except sqlite3.DatabaseError as error:
            raise GenError(str(path), f"the store cannot be read: {error}", "move it away and judge again") from error

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *gone: object) -> None:
        self.close()

    def close(self) -> None:
        """Close the file."""
        self._link.close()

    def find(self, digest: str) -> str | None:
        """Return a kept ruling."""
        row = self._link.execute("SELECT body FROM rulings WHERE digest = ?", (digest,)).fetchone()
        return None if row is None else str(row[0])

    def keep(self, digest: str, body: str) -> None:
        """Keep a ruling; only whole ones are ever kept, so that a fault is asked about again."""
        self._link.execute("INSERT OR REPLACE INTO rulings VALUES (?, ?)", (digest, body))

    def count(
        self, judge: str, status: str, usage: dict[str, int] | None, cost: Decimal | None, prices: Prices | None
    ) -> None:
        """Count one call of a judge, whatever became of it."""
        sql = (
            "INSERT INTO calls (judge, status, input, cached, output, reasoning, cost, currency) "
            "VALUES (?, ?, ?, ?, ?, ?, ?, ?)"
        )
        price = None if cost is None else str(cost)
        self._link.execute(sql, (judge, status, *tokens_of(usage), price, prices.currency if prices else None))

    def note(self, place: Place, judged: Sequence[JudgedItem]) -> None:
        """Keep what judges said of a reply, in place of all that any judge said of it before."""
        self._link.execute("BEGIN IMMEDIATE")
        try:
            self._link.execute("DELETE FROM notes WHERE task = ? AND condition = ? AND roll = ?", place)
            for one in judged:
                row = (*place, one.judge, one.item, to_json(one.model_dump(mode="json")))
                self._link.execute("INSERT OR REPLACE INTO notes VALUES (?, ?, ?, ?, ?, ?)", row)
        except BaseException:
            self._link.execute("ROLLBACK")
            raise
        self._link.execute("COMMIT")

    def notes(self, place: Place) -> tuple[JudgedItem, ...]:
        """Return what was said of one reply, by item and judge."""
        query = "SELECT body FROM notes WHERE task = ? AND condition = ? AND roll = ? ORDER BY item, judge"
        return tuple(JudgedItem.model_validate_json(body) for (body,) in self._link.execute(query, place))

    def all_notes(self) -> Iterator[tuple[Place, JudgedItem]]:
        """Yield everything that was said, in a fixed order."""
        query = "SELECT task, condition, roll, body FROM notes ORDER BY task, condition, roll, item, judge"
        for task, condition, roll, body in self._link.execute(query):
            yield Place(task, condition, roll), JudgedItem.model_validate_json(body)


def read_notes(folder: Path, place: Place) -> tuple[JudgedItem, ...]:
    """Return what judges said of one reply of a run, () if nothing was judged: for the report."""
    path = folder / JUDGE_STORE
    if not path.is_file():
        return ()
    with closing(JudgeStore(path, read_only=True)) as store:
        return store.notes(place)
