"""A run read back: what the report and stage 6 use. Rows stream, so that a long run needs no memory."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from dataclasses import dataclass
from decimal import Decimal
from pathlib import Path
from typing import Any

from generator.errors import GenError
from generator.records import Reply, Result
from generator.runner.judge_costs import judge_spent
from generator.runner.schema import COUNTED, FORMAT, STORE, connect
from generator.scoring.metrics import reply_status


@dataclass(frozen=True, slots=True)
class RunRow:
    """One planned reply and what became of it.

    status: ok, empty, refusal, truncated (all scored), error (the call failed for good), pending (not yet run).
    usage, cost, seconds: Of the final turn (all its tool rounds); None where the endpoint told no tokens, or the
        configuration has no prices.
    usage_all, cost_all: Of every turn that the model wrote; the same as above but for condition `own`.
    attempts: HTTP requests made for all of it, repeats after a kill included.
    error: The server's words, redacted; None unless status is error.
    """

    task_id: str
    mode: str
    condition: str
    roll: int
    status: str
    reply: Reply | None
    result: Result | None
    usage: dict[str, int] | None
    cost: Decimal | None
    usage_all: dict[str, int] | None
    cost_all: Decimal | None
    seconds: float | None
    attempts: int
    error: str | None


@dataclass(frozen=True, slots=True)
class RunView:
    """A run folder. `about` is plain JSON; see `load_run` for its keys."""

    folder: Path
    about: dict[str, Any]

    def rows(self) -> Iterator[RunRow]:
        """Yield every planned reply, by task in the build's order, then condition, then roll."""
        with closing(connect(self.folder / STORE)) as link, closing(connect(self.folder / STORE)) as side:
            query = (
                "SELECT j.id, j.task, j.mode, j.condition, j.roll, j.state, j.error, p.body, r.body FROM jobs j "
                "LEFT JOIN replies p ON p.job = j.id LEFT JOIN results r ON r.job = j.id "
                "ORDER BY j.place, j.rank, j.roll"
            )
            for row in link.execute(query):
                yield _row(side, row)

    def own_turns(self, task_id: str, condition: str = "own", roll: int = 1) -> list[str]:
        """Return the assistant turns that the model wrote before its final one; empty unless condition is `own`."""
        with closing(connect(self.folder / STORE)) as link:
            query = (
                "SELECT c.body FROM calls c JOIN jobs j ON j.id = c.job WHERE j.task = ? AND j.condition = ? "
                "AND j.roll = ? AND c.final = 0 AND c.status = 'answered' ORDER BY c.turn, c.round"
            )
            bodies = [json.loads(body) for (body,) in link.execute(query, (task_id, condition, roll))]
        return [str(b.get("text") or "") for b in bodies if not b.get("tool_calls")]


def load_run(folder: Path) -> RunView:
    """Return a run, finished or not.

    `about` has: model, configuration (name), settings (redacted), base_url, instrument (True for sim/), build
    {folder, commitment, digest, mode, lang, pool, split, tasks}, conditions, rolls, refused, judge
    ({which, judges} or None), started and finished (ISO 8601;
    finished is None while jobs are open), seconds (working time of all sessions), sessions, currency, prices
    ({input, cached, output} per million, as strings, or None), counts {planned, scored, failed, pending, calls,
    lost}, cost {final, all} (strings, or None without prices), usage {final, all}, version; all of the model alone.
    judge_calls is what judges came to: {calls, usage, costs (strings by currency), unpriced}, None without calls.

    Raises:
        GenError: The folder is no run, or its store is damaged.
    """
    path = folder / STORE
    if not path.is_file():
        raise GenError(str(folder), "no run.sqlite here", "name a folder that `gen run` wrote")
    try:
        with closing(connect(path)) as link:
            about = _about(link, path)
    except sqlite3.DatabaseError as error:
        raise GenError(str(path), f"the store cannot be read: {error}", "run again with --force") from error
    judged = judge_spent(folder)
    return RunView(folder, {**about, "judge_calls": judged.as_json() if judged else None})


def _about(link: sqlite3.Connection, path: Path) -> dict[str, Any]:
    meta = {name: json.loads(body) for name, body in link.execute("SELECT name, body FROM meta")}
    if meta.get("format") != FORMAT or "about" not in meta:
        raise GenError(str(path), "not the store of a run of this version", "run again with --force")
    states = dict(link.execute("SELECT state, count(*) FROM jobs GROUP BY state"))
    calls, lost = link.execute("SELECT count(*), count(*) - count(ended) FROM calls").fetchone()
    seconds, started, seen, sessions = link.execute(
        "SELECT sum(coalesce(ended, seen) - started), min(started), max(coalesce(ended, seen)), count(*) FROM sessions"
    ).fetchone()
    final, whole = (_spent(link, "WHERE final = 1"), _spent(link, ""))
    counts = {
        "planned": sum(states.values()), "scored": states.get("done", 0), "failed": states.get("failed", 0),
        "pending": states.get("open", 0), "calls": calls, "lost": lost,
    }  # fmt: skip
    about: dict[str, Any] = meta["about"]
    return {
        **about, "started": iso(started), "finished": None if counts["pending"] else iso(seen),
        "seconds": round(seconds or 0.0, 3), "sessions": sessions, "counts": counts,
        "usage": {"final": final[0], "all": whole[0]},
        "cost": {"final": _said(final[1]), "all": _said(whole[1])},
    }  # fmt: skip


def iso(moment: float | None) -> str | None:
    """Return an instant in UTC, ISO 8601 to the second."""
    from datetime import UTC, datetime  # noqa: PLC0415

    return None if moment is None else datetime.fromtimestamp(moment, UTC).isoformat(timespec="seconds")


def _said(cost: Decimal | None) -> str | None:
    return None if cost is None else str(cost)


def _spent(link: sqlite3.Connection, where: str) -> tuple[dict[str, int] | None, Decimal | None]:
    sums = ", ".join(f"sum({name})" for name in COUNTED)
    found = link.execute(f"SELECT {sums} FROM calls {where}").fetchone()
    usage = None if found[0] is None and found[2] is None else dict(zip(COUNTED, (n or 0 for n in found), strict=True))
    glue = "AND" if where else "WHERE"
    cost = None
    for (text,) in link.execute(f"SELECT cost FROM calls {where} {glue} cost IS NOT NULL"):
        cost = (cost or Decimal(0)) + Decimal(text)
    return usage, cost


def _row(side: sqlite3.Connection, row: tuple[Any, ...]) -> RunRow:
    job, task, mode, condition, roll, state, error, reply, result = row
    final: list[tuple[Any, ...]] = []
    whole: list[tuple[Any, ...]] = []
    query = f"SELECT final, seconds, tries, cost, {', '.join(COUNTED)} FROM calls WHERE job = ?"
    for call in side.execute(query, (job,)):
        whole.append(call)
        if call[0]:
            final.append(call)
    scored = Result.model_validate_json(result) if result else None
    answer = Reply.model_validate_json(reply) if reply else None
    if state == "open":
        status = "pending"
    elif scored is not None:
        status = scored.status
    else:
        status = reply_status(answer) if answer is not None else "error"
    times = [c[1] for c in final if c[1] is not None]
    return RunRow(
        task_id=task, mode=mode, condition=condition, roll=roll, status=status,
        reply=answer, result=scored,
        usage=_usage(final), cost=_cost(final), usage_all=_usage(whole), cost_all=_cost(whole),
        seconds=sum(times) if times else None, attempts=sum(c[2] or 1 for c in whole), error=error,
    )  # fmt: skip


def _usage(calls: list[tuple[Any, ...]]) -> dict[str, int] | None:
    told = [c[4:] for c in calls if c[4] is not None or c[6] is not None]
    return {name: sum(c[n] or 0 for c in told) for n, name in enumerate(COUNTED)} if told else None


def _cost(calls: list[tuple[Any, ...]]) -> Decimal | None:
    told = [Decimal(c[3]) for c in calls if c[3] is not None]
    return sum(told, Decimal(0)) if told else None
