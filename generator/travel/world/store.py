"""Worlds as canonical JSON Lines: one head line, one line an area, one line a row.

Rows are sorted by table and id, so that two files of one world can be compared line by line; `rank` is the
place of a row in its table, since the order in which a world lists its rows is part of it.
"""

from __future__ import annotations

import hashlib
import json
import os
from pathlib import Path
from typing import Any

from pydantic import ValidationError

from generator.errors import ExitCode, GenError
from generator.records import canonical_json
from generator.travel.world.schema import (
    TABLES,
    Area,
    Attraction,
    Hotel,
    Restaurant,
    Row,
    Table,
    Train,
    World,
    with_fields,
)

FORMAT = 1
MAX_BYTES = 200_000_000
MODELS: dict[Table, type[Row]] = {
    "attraction": Attraction,
    "hotel": Hotel,
    "restaurant": Restaurant,
    "train": Train,
}
FIELDS: dict[Table, str] = {table: f"{table}s" for table in TABLES}
_LISTS = ("areas", *FIELDS.values())


def world_text(world: World) -> str:
    """Return the canonical text of a world: the same bytes for equal worlds, on any machine."""
    head = world.model_dump(mode="json", exclude=set(_LISTS))
    lines = [canonical_json({"format": FORMAT, "table": "world", "row": head})]
    lines += [canonical_json({"table": "area", "rank": n, "row": _dump(a)}) for n, a in enumerate(world.areas)]
    for table in TABLES:
        ranked = sorted(enumerate(world.table(table)), key=lambda pair: pair[1].id)
        lines += [canonical_json({"table": table, "rank": n, "row": _dump(row)}) for n, row in ranked]
    return "\n".join(lines) + "\n"


def world_digest(world: World) -> str:
    """Return the SHA-256 of a world's canonical text."""
    return hashlib.sha256(world_text(world).encode()).hexdigest()


def write_world(world: World, path: Path) -> str:
    """Write a world and return its digest; the file is complete or not there."""
    text = world_text(world)
    draft = path.with_name(f"{path.name}.{os.getpid()}.part")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        draft.write_text(text, encoding="utf-8", newline="\n")
        draft.replace(path)
    except OSError as error:
        raise GenError(
            str(path), f"cannot be written: {error.strerror}", "check folder and space", ExitCode.MACHINE
        ) from error
    return hashlib.sha256(text.encode()).hexdigest()


def read_world(path: Path, digest: str | None = None) -> World:
    """Return the world of a file.

    Raises:
        GenError: The file is missing, damaged, of another format, or has not the digest asked for.
    """
    where = str(path)
    try:
        if path.stat().st_size > MAX_BYTES:
            raise GenError(where, f"larger than {MAX_BYTES:,} bytes", "this is no world that turnproof wrote")
        raw = path.read_bytes()
    except OSError as error:
        raise GenError(where, f"cannot be read: {error.strerror}", "name a world that `gen build` wrote") from error
    if digest is not None and hashlib.sha256(raw).hexdigest() != digest:
        raise GenError(where, "the digest differs", "the file was changed: build it again")
    try:
        return parse_world(raw.decode("utf-8"), where)
    except UnicodeDecodeError as error:
        raise GenError(where, f"not UTF-8 at byte {error.start}", "build the world again") from error


def parse_world(text: str, where: str = "world") -> World:
    """Return the world of a canonical text.

    Raises:
        GenError: With the line that is at fault.
    """
    lists: dict[str, list[tuple[int, Area | Row]]] = {name: [] for name in _LISTS}
    head: dict[str, Any] | None = None
    for number, line in enumerate(text.splitlines(), 1):
        try:
            entry = json.loads(line)
            table, row = entry["table"], entry["row"]
            if table == "world":
                if entry["format"] != FORMAT or head is not None:
                    raise GenError(
                        f"{where}:{number}", f"format {entry['format']!r}, or a second head", f"format is {FORMAT}"
                    )
                head = row
            elif table == "area":
                lists["areas"].append((entry["rank"], Area.model_validate_json(json.dumps(row))))
            else:
                lists[FIELDS[table]].append((entry["rank"], MODELS[table].model_validate_json(json.dumps(row))))
        except (KeyError, TypeError, ValueError) as error:
            raise GenError(f"{where}:{number}", f"no row of a world: {error}", "build the world again") from error
    if head is None:
        raise GenError(where, "no head line", "build the world again")
    for name, ranked in lists.items():
        if sorted(rank for rank, _ in ranked) != list(range(len(ranked))):
            raise GenError(where, f"the ranks of {name} have gaps or repeats", "build the world again")
    rows = {name: tuple(row for _, row in sorted(ranked, key=lambda p: p[0])) for name, ranked in lists.items()}
    try:
        head_model = World.model_validate_json(canonical_json({**head, "areas": []}))
        return with_fields(head_model, **rows)
    except (ValidationError, TypeError) as error:
        raise GenError(where, f"no world: {error}", "build the world again") from error


def _dump(row: Area | Row) -> dict[str, Any]:
    return row.model_dump(mode="json", exclude_none=True)
