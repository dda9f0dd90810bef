"""Reading the JSON tables of a folder; whatever is damaged is an error with file and line."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from generator.errors import ExitCode, GenError
from generator.travel.world.importer.rules import Tally
from generator.travel.world.schema import TABLES, Table

MAX_BYTES = 50_000_000
RawRow = dict[str, Any]


def file_name(table: Table) -> str:
    """Return the file that holds a table."""
    return f"{table}_db.json"


def read_folder(folder: Path, tally: Tally) -> tuple[dict[Table, list[RawRow]], dict[str, int]]:
    """Return the rows of all four tables, and how many rows each file held.

    Raises:
        GenError: The folder or files are missing or unreadable; all missing files are named at once.
    """
    if not folder.is_dir():
        raise GenError(str(folder), "no such folder", "name a folder that holds " + ", ".join(map(file_name, TABLES)))
    missing = [file_name(t) for t in TABLES if not (folder / file_name(t)).is_file()]
    if missing:
        raise GenError(str(folder), f"missing {', '.join(missing)}", "copy the files in; an empty table is []")
    tables: dict[Table, list[RawRow]] = {}
    read: dict[str, int] = {}
    for table in TABLES:
        rows = _read(folder / file_name(table))
        read[table] = len(rows)
        tables[table] = [row for row in rows if isinstance(row, dict)]
        for number, row in enumerate(rows):
            if not isinstance(row, dict):
                tally.note("row-not-object", table, f"row {number}: {row!r}")
    return tables, read


def _read(path: Path) -> list[Any]:
    where = str(path)
    try:
        if path.stat().st_size > MAX_BYTES:
            raise GenError(where, f"larger than {MAX_BYTES:,} bytes", "import a smaller table")
        text = path.read_text(encoding="utf-8-sig")
    except UnicodeDecodeError as error:
        raise GenError(where, f"not UTF-8 at byte {error.start}", "save the file as UTF-8") from error
    except OSError as error:
        raise GenError(where, f"cannot be read: {error.strerror}", "check its rights", ExitCode.MACHINE) from error
    try:
        rows = json.loads(text, parse_constant=_refuse, object_pairs_hook=_object)
    except json.JSONDecodeError as error:
        raise GenError(f"{where}:{error.lineno}", f"not JSON: {error.msg}", "mend the file at that line") from error
    except (ValueError, RecursionError) as error:
        raise GenError(where, f"not JSON: {error}", "mend the file") from error
    if not isinstance(rows, list):
        raise GenError(where, f"holds {type(rows).__name__}, not a list of rows", "wrap the rows in [ and ]")
    return rows


def _refuse(name: str) -> None:
    raise ValueError(f"the number {name}")


def _object(pairs: list[tuple[str, Any]]) -> RawRow:
    found = dict(pairs)
    if len(found) < len(pairs):
        keys = [key for key, _ in pairs]
        raise ValueError(f"an object has the key {next(k for k in keys if keys.count(k) > 1)!r} twice")
    return found
