"""A read-only SQLite cache of a world, for tool calls. It lies outside the build and can be thrown away.

Every value reaches SQLite as a parameter. Rows come back in the order in which the world lists them, never
more than asked for, and with the number that matched, so that nothing is cut off silently.
"""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from types import TracebackType
from typing import Generic, NamedTuple, Self, TypeVar

from generator.errors import ExitCode, GenError
from generator.travel.world.schema import (
    DAY_MINUTES,
    TABLES,
    Attraction,
    Band,
    Hotel,
    Restaurant,
    RoomKind,
    Row,
    Train,
    World,
)
from generator.travel.world.store import world_digest

MAX_ROWS = 100
DEFAULT_ROWS = 20
R = TypeVar("R", Attraction, Hotel, Restaurant, Train)
Value = str | int | None

_SCHEMA = """
CREATE TABLE meta (digest TEXT NOT NULL);
CREATE TABLE place (
    kind_of TEXT NOT NULL, rank INTEGER NOT NULL, id TEXT NOT NULL UNIQUE, name TEXT NOT NULL, area TEXT NOT NULL,
    kind TEXT NOT NULL, band TEXT, stars INTEGER, fee INTEGER, amenities TEXT, rooms TEXT, body TEXT NOT NULL,
    PRIMARY KEY (kind_of, rank)
) WITHOUT ROWID;
CREATE TABLE train (
    rank INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE, origin TEXT NOT NULL, destination TEXT NOT NULL,
    days INTEGER NOT NULL, departs INTEGER NOT NULL, arrives INTEGER NOT NULL, body TEXT NOT NULL
);
CREATE INDEX route ON train (origin, destination, departs);
"""


class Found(NamedTuple, Generic[R]):
    """The first rows that match, and how many match in all."""

    rows: tuple[R, ...]
    total: int


def build_cache(world: World, path: Path) -> str:
    """Write the cache of a world, replacing an older one, and return the world's digest."""
    draft = path.with_name(f"{path.name}.{os.getpid()}.part")
    digest = world_digest(world)
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        draft.unlink(missing_ok=True)
        with _closing(sqlite3.connect(draft)) as db:
            db.executescript(_SCHEMA)
            db.execute("INSERT INTO meta VALUES (?)", (digest,))
            for table in TABLES:
                for rank, row in enumerate(world.table(table)):
                    _insert(db, rank, row)
            db.commit()
        draft.replace(path)
    except (OSError, sqlite3.Error) as error:
        raise GenError(
            str(path), f"the cache cannot be written: {error}", "check folder and space", ExitCode.MACHINE
        ) from error
    return digest


def _insert(db: sqlite3.Connection, rank: int, row: Row) -> None:
    body = row.model_dump_json(exclude_none=True)
    if isinstance(row, Train):
        days = sum(1 << day for day in row.days)
        train = (rank, row.id, _key(row.origin), _key(row.destination), days, row.departs, row.arrives, body)
        db.execute("INSERT INTO train VALUES (?, ?, ?, ?, ?, ?, ?, ?)", train)
        return
    kind = row.cuisine if isinstance(row, Restaurant) else row.kind
    amenities = f",{','.join(row.amenities)}," if isinstance(row, Hotel) else None
    rooms = f",{','.join(r.kind for r in row.rooms)}," if isinstance(row, Hotel) else None
    stars = row.stars if isinstance(row, Hotel) else None
    fee = row.fee if isinstance(row, Attraction) else None
    table = type(row).__name__.lower()
    values = (
        table,
        rank,
        row.id,
        _key(row.name),
        _key(row.area),
        _key(kind),
        row.band,
        stars,
        fee,
        amenities,
        rooms,
        body,
    )
    db.execute("INSERT INTO place VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)", values)


class WorldCache:
    """Answers queries about one world. Use it as a context manager; one thread at a time."""

    def __init__(self, path: Path, digest: str | None = None) -> None:
        """Open a cache; with a digest, only if it is the cache of that very world.

        Raises:
            GenError: There is no such cache, it is damaged, or it is of another world.
        """
        where, fix = str(path), "build the cache again with build_cache"
        if not path.is_file():
            raise GenError(where, "no such cache", fix)
        try:
            self._db = sqlite3.connect(f"{path.resolve().as_uri()}?mode=ro&immutable=1", uri=True)
            self._db.execute("PRAGMA query_only = ON")
            self.digest: str = self._db.execute("SELECT digest FROM meta").fetchone()[0]
        except (sqlite3.Error, TypeError) as error:
            raise GenError(where, f"no cache of a world: {error}", fix) from error
        if digest is not None and digest != self.digest:
            self.close()
            raise GenError(where, "the cache is of another world", fix)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self.close()

    def close(self) -> None:
        """Close the file."""
        self._db.close()

    def find_trains(
        self,
        origin: str,
        destination: str,
        day: int,
        after: int = 0,
        before: int = DAY_MINUTES,
        limit: int = DEFAULT_ROWS,
    ) -> Found[Train]:
        """Return the trains of a route that leave on a weekday at or after `after` and strictly before `before`.

        Raises:
            GenError: The weekday is not 0..6 or the limit not 1..100; so for every query.
        """
        if not 0 <= day <= 6:
            raise GenError("find_trains", f"weekday {day!r}", "0 is Monday, 6 is Sunday", ExitCode.USAGE)
        where = ["origin = ?", "destination = ?", "days & ? <> 0", "departs >= ?", "departs < ?"]
        values: list[Value] = [_key(origin), _key(destination), 1 << day, after, before]
        return self._find(Train, "train", where, values, limit)

    def find_hotels(
        self,
        area: str | None = None,
        kind: str | None = None,
        stars: int | None = None,
        band: Band | None = None,
        room: RoomKind | None = None,
        amenities: Sequence[str] = (),
        name: str | None = None,
        limit: int = DEFAULT_ROWS,
    ) -> Found[Hotel]:
        """Return the hotels that meet every condition; `area` is an area's id, `stars` exact."""
        where, values = _conditions(area=area, kind=kind, stars=stars, band=band, name=name)
        for column, word in [("rooms", room)] * (room is not None) + [("amenities", a) for a in amenities]:
            where.append(f"instr({column}, ?) > 0")
            values.append(f",{word},")
        return self._find(Hotel, "place", where, values, limit)

    def find_restaurants(
        self,
        area: str | None = None,
        cuisine: str | None = None,
        band: Band | None = None,
        name: str | None = None,
        limit: int = DEFAULT_ROWS,
    ) -> Found[Restaurant]:
        """Return the restaurants that meet every condition."""
        where, values = _conditions(area=area, kind=cuisine, band=band, name=name)
        return self._find(Restaurant, "place", where, values, limit)

    def find_attractions(
        self,
        area: str | None = None,
        kind: str | None = None,
        max_fee: int | None = None,
        name: str | None = None,
        limit: int = DEFAULT_ROWS,
    ) -> Found[Attraction]:
        """Return the attractions that meet every condition; with `max_fee`, only those whose fee is known."""
        where, values = _conditions(area=area, kind=kind, name=name)
        if max_fee is not None:
            where.append("fee <= ?")
            values.append(max_fee)
        return self._find(Attraction, "place", where, values, limit)

    def _find(self, model: type[R], table: str, where: list[str], values: list[Value], limit: int) -> Found[R]:
        if not 1 <= limit <= MAX_ROWS:
            raise GenError("limit", f"{limit!r} rows", f"ask for 1 to {MAX_ROWS}", ExitCode.USAGE)
        if table == "place":
            where, values = [*where, "kind_of = ?"], [*values, model.__name__.lower()]
        # `table` and `where` are words of this module; whatever a caller sent is in `values`.
        clause = f"FROM {table} WHERE {' AND '.join(where)}"
        try:
            total = self._db.execute(f"SELECT count(*) {clause}", values).fetchone()[0]
            bodies = self._db.execute(f"SELECT body {clause} ORDER BY rank LIMIT ?", [*values, limit]).fetchall()
        except (sqlite3.Error, OverflowError, UnicodeEncodeError) as error:
            raise GenError("query", f"{values!r}: {error}", "give texts and whole numbers", ExitCode.USAGE) from error
        return Found(tuple(model.model_validate_json(body) for (body,) in bodies), total)


def _conditions(**given: Value) -> tuple[list[str], list[Value]]:
    wanted = {column: value for column, value in given.items() if value is not None}
    folded: list[Value] = [_key(v) if isinstance(v, str) else v for v in wanted.values()]
    return [f"{column} = ?" for column in wanted], folded


def _key(text: str) -> str:
    return text.casefold()


@contextmanager
def _closing(db: sqlite3.Connection) -> Iterator[sqlite3.Connection]:
    try:
        yield db
    finally:
        db.close()
