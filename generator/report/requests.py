"""What the store of a run tells of single requests: tokens of the first prompt, tool calls before the reply."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Mapping
from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from generator.errors import GenError
from generator.report.sources import RunLike
from generator.runner.schema import PROMPT_TOKENS, STORE, connect

if TYPE_CHECKING:
    from generator.runner.view import RunRow

Place = tuple[str, str, int]
"""Task, condition and roll."""

_CALLS = (
    "SELECT j.task, j.condition, j.roll, c.body FROM calls c JOIN jobs j ON j.id = c.job "
    "WHERE c.final = 1 AND c.status = 'answered' AND EXISTS (SELECT 1 FROM calls d WHERE d.job = c.job AND d.turn = "
    "c.turn AND d.round > c.round AND d.status = 'answered') ORDER BY c.job, c.round, c.attempt"
)


class Requests(NamedTuple):
    """By task, condition and roll: prompt tokens before any tool was called, and the calls made before the reply."""

    prompts: Mapping[Place, int]
    asked: Mapping[Place, list[dict[str, Any]]]


NOTHING = Requests({}, {})


def first_prompt(row: RunRow) -> int | None:
    """Return the tokens of a reply's first prompt where one request was made for it, so that no tool was called."""
    return row.usage.get("input") if row.usage is not None and row.attempts == 1 else None


def requests_of(run: RunLike) -> Requests:
    """Return what a run's store tells of its requests; nothing for a run that has no store.

    Raises:
        GenError: The store cannot be read.
    """
    folder = getattr(run, "folder", None)
    if not isinstance(folder, Path) or not (folder / STORE).is_file():
        return NOTHING
    asked: dict[Place, list[dict[str, Any]]] = {}
    try:
        with closing(connect(folder / STORE)) as link:
            prompts = {(task, condition, roll): count for task, condition, roll, count in link.execute(PROMPT_TOKENS)}
            for task, condition, roll, body in link.execute(_CALLS):
                asked.setdefault((task, condition, roll), []).extend(json.loads(body).get("tool_calls") or ())
    except sqlite3.DatabaseError as error:
        raise GenError(str(folder / STORE), f"the store cannot be read: {error}", "run again with --force") from error
    return Requests(prompts, asked)
