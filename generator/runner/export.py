"""The files of a run that other programs read: written whole at the end of every session, row by row."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import IO, Any

from generator.engine.files import dump_json, refusals, write_text
from generator.engine.loaded import Build
from generator.engine.runs import summarise
from generator.records import Result
from generator.runner.schema import PROMPT_TOKENS, STORE, connect
from generator.runner.view import load_run

_ROWS = (
    "SELECT p.body, r.body FROM jobs j LEFT JOIN replies p ON p.job = j.id LEFT JOIN results r ON r.job = j.id "
    "WHERE j.state != 'open' ORDER BY j.place, j.rank, j.roll"
)


def export_run(folder: Path, build: Build) -> dict[str, Any]:
    """Write replies.jsonl, results.jsonl and run.json of a run and return the summary that the last one holds.

    A failed reply is in the results only, its items in error. Memory stays flat: rows go from file to file.

    Raises:
        GenError: The machine refused.
    """
    with refusals(folder):
        replies, results = (_Whole(folder / name) for name in ("replies.jsonl", "results.jsonl"))
        with replies as reply_file, results as result_file:
            summary = summarise(build, _pass_on(folder, reply_file, result_file), _prompt_tokens(folder))
    about = load_run(folder).about
    counts, costs = about["counts"], about["cost"]
    summary["all"] |= {"failed": counts["failed"], "pending": counts["pending"], "cost": costs["all"]}
    summary["all"]["judge_calls"] = about["judge_calls"]
    run = {
        "model": about["model"], "instrument": about["instrument"], "build": about["build"]["commitment"],
        "summary": summary, "about": about,
    }  # fmt: skip
    write_text(folder / "run.json", dump_json(run))
    return summary


def _pass_on(folder: Path, replies: IO[str], results: IO[str]) -> Iterator[Result]:
    with closing(connect(folder / STORE)) as link:
        for reply, result in link.execute(_ROWS):
            if reply is not None:
                replies.write(reply + "\n")
            if result is not None:
                results.write(result + "\n")
                yield Result.model_validate_json(result)


def _prompt_tokens(folder: Path) -> dict[tuple[str, int], int]:
    """Return what the endpoint counted for each task as it was sent, before any tool was called."""
    with closing(connect(folder / STORE)) as link:
        told = link.execute(PROMPT_TOKENS)
        return {(task, roll): count for task, condition, roll, count in told if condition == "full"}


class _Whole:
    """A text file that takes its place only when it is whole and on the disk."""

    def __init__(self, path: Path) -> None:
        self._path = path

    def __enter__(self) -> IO[str]:
        handle, name = tempfile.mkstemp(dir=self._path.parent, prefix=f".{self._path.name}.")
        self._made = Path(name)
        self._file = os.fdopen(handle, "w", encoding="utf-8", newline="\n")
        return self._file

    def __exit__(self, kind: type[BaseException] | None, *rest: object) -> None:
        try:
            if kind is None:
                self._file.flush()
                os.fsync(self._file.fileno())
                self._made.chmod(0o644)
                self._made.replace(self._path)
        finally:
            self._file.close()
            self._made.unlink(missing_ok=True)
