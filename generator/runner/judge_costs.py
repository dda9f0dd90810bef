"""What a run's judges came to, read from their own store: apart from the model's calls, tokens and money."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from decimal import Decimal
from pathlib import Path
from typing import Any, NamedTuple

from generator.errors import GenError
from generator.runner.schema import COUNTED, JUDGE_STORE, connect

CALLS = """
CREATE TABLE IF NOT EXISTS calls (
  id INTEGER PRIMARY KEY, judge TEXT NOT NULL, status TEXT NOT NULL, input INTEGER, cached INTEGER, output INTEGER,
  reasoning INTEGER, cost TEXT, currency TEXT
);
"""


class JudgeSpent(NamedTuple):
    """Calls of all judges of a run so far; what was kept from before and not asked again cost nothing.

    usage: Tokens by name, None if no server told any. costs: Money by currency. unpriced: Calls whose cost is not
    known, for want of prices or because the server told no tokens; failed ones are among them.
    """

    calls: int
    usage: dict[str, int] | None
    costs: dict[str, Decimal]
    unpriced: int

    def as_json(self) -> dict[str, Any]:
        """Return it as plain JSON, money as text."""
        return {**self._asdict(), "costs": {name: str(cost) for name, cost in self.costs.items()}}


def judge_spent(folder: Path) -> JudgeSpent | None:
    """Return what the judges of a run came to; None if nobody was asked.

    Raises:
        GenError: The judges' store is damaged.
    """
    path = folder / JUDGE_STORE
    if not path.is_file():
        return None
    try:
        with closing(connect(path)) as link:
            if not link.execute("SELECT 1 FROM sqlite_master WHERE name = 'calls'").fetchone():
                return None
            sums = ", ".join(f"sum({name})" for name in COUNTED)
            calls, priced, *told = link.execute(f"SELECT count(*), count(cost), {sums} FROM calls").fetchone()
            costs: dict[str, Decimal] = {}
            for currency, cost in link.execute("SELECT currency, cost FROM calls WHERE cost IS NOT NULL ORDER BY id"):
                costs[currency] = costs.get(currency, Decimal(0)) + Decimal(cost)
    except sqlite3.DatabaseError as error:
        raise GenError(str(path), f"the store cannot be read: {error}", "move it away and judge again") from error
    if not calls:
        return None
    is_told = any(n is not None for n in told)
    usage = dict(zip(COUNTED, (n or 0 for n in told), strict=True)) if is_told else None
    return JudgeSpent(calls, usage, dict(sorted(costs.items())), calls - priced)
