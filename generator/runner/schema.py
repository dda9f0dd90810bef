"""The tables of a run's SQLite file, and how text is put into them."""

from __future__ import annotations

import json
import re
import sqlite3
from pathlib import Path
from typing import Any

from generator.endpoints import mend_surrogates

STORE = "run.sqlite"
JUDGE_STORE = "judge.sqlite"
FORMAT = 1
CONDITIONS = ("full", "user-only", "own")
"""Conditions in the order in which they are run and shown."""
COUNTED = ("input", "cached", "output", "reasoning")
"""What a usage mapping holds: tokens; `cached` is part of `input`, `reasoning` part of `output`."""
MOST_TOKENS = 10**12

TABLES = """
CREATE TABLE IF NOT EXISTS meta (name TEXT PRIMARY KEY, body TEXT NOT NULL) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS sessions (
  id INTEGER PRIMARY KEY, pid INTEGER NOT NULL, started REAL NOT NULL, seen REAL NOT NULL, ended REAL, outcome TEXT
);
CREATE TABLE IF NOT EXISTS jobs (
  id INTEGER PRIMARY KEY, place INTEGER NOT NULL, task TEXT NOT NULL, mode TEXT NOT NULL,
  rank INTEGER NOT NULL, condition TEXT NOT NULL, roll INTEGER NOT NULL,
  state TEXT NOT NULL DEFAULT 'open', error TEXT,
  UNIQUE (task, condition, roll)
);
CREATE UNIQUE INDEX IF NOT EXISTS jobs_in_order ON jobs (place, rank, roll);
CREATE TABLE IF NOT EXISTS calls (
  id INTEGER PRIMARY KEY, job INTEGER NOT NULL, turn INTEGER NOT NULL, round INTEGER NOT NULL, attempt INTEGER NOT NULL,
  final INTEGER NOT NULL, session INTEGER NOT NULL, sent REAL NOT NULL, ended REAL, status TEXT, body TEXT,
  seconds REAL, tries INTEGER, input INTEGER, cached INTEGER, output INTEGER, reasoning INTEGER, cost TEXT,
  UNIQUE (job, turn, round, attempt)
);
CREATE TABLE IF NOT EXISTS replies (job INTEGER PRIMARY KEY, body TEXT NOT NULL);
CREATE TABLE IF NOT EXISTS results (job INTEGER PRIMARY KEY, body TEXT NOT NULL);
"""
PROMPT_TOKENS = (
    "SELECT j.task, j.condition, j.roll, c.input FROM calls c JOIN jobs j ON j.id = c.job "
    "WHERE c.turn = 0 AND c.round = 0 AND c.input IS NOT NULL"
)
"""Task, condition, roll and what the endpoint counted for the task as it was sent, before any tool was called."""
# jobs.state: open, done, failed. A job is done when its result is there; a failed one is tried again by the next
# run of the same command.
# calls: the row without `ended` is the intent; `status` is what became of it, `tries` the HTTP requests it took.

_HALF = re.compile("[\ud800-\udfff]")


def whole(value: Any) -> Any:
    """Return a JSON-able value in which every string is whole."""
    if isinstance(value, str):
        return mend_surrogates(value)
    if isinstance(value, dict):
        return {mend_surrogates(str(k)): whole(v) for k, v in value.items()}
    if isinstance(value, list | tuple):
        return [whole(v) for v in value]
    return value


def to_json(value: Any) -> str:
    """Return JSON that SQLite can hold: NULs are escaped, and half surrogates too where there are any."""
    text = json.dumps(value, ensure_ascii=False, separators=(",", ":"))
    return json.dumps(value, separators=(",", ":")) if _HALF.search(text) else text


def tokens_of(usage: dict[str, int] | None) -> list[int | None]:
    """Return the columns of `COUNTED`. A server may claim any number; SQLite holds 64 bits, and sums must fit too."""
    told = usage or {}
    return [None if (n := told.get(name)) is None else max(0, min(n, MOST_TOKENS)) for name in COUNTED]


def connect(path: Path, *, writer: bool = False) -> sqlite3.Connection:
    """Return a connection; a reader sees a consistent state even while another process writes."""
    link = sqlite3.connect(path, timeout=30, isolation_level=None, check_same_thread=False)
    if writer:
        link.execute("PRAGMA journal_mode=WAL")
        link.execute("PRAGMA synchronous=FULL")
        link.executescript(f"BEGIN IMMEDIATE;{TABLES}COMMIT;")
    else:
        link.execute("PRAGMA query_only=ON")
    return link
