"""Perturbing a world: named changes from content, seeded, composable, logged, and held to what they declare."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from itertools import pairwise
from random import Random
from typing import Any, NamedTuple

from generator.content import ContentRoot, default_root
from generator.errors import ExitCode, GenError
from generator.records import Frozen
from generator.seeds import stream
from generator.travel.world.perturb_rows import add_rows, drop_rows, re_id, reorder
from generator.travel.world.perturb_specs import AnySpec, Applied, Change, Stakes, load_perturbations
from generator.travel.world.perturb_values import Edit, Pairs, Scene, move, rename, reprice, retime, stretch
from generator.travel.world.schema import TABLES, Table, World, with_fields
from generator.travel.world.store import FIELDS, world_digest

NOTHING_RESTS = Stakes()
OPERATORS: dict[str, Callable[[Any, Scene], Edit]] = {
    "rename": rename,
    "move": move,
    "reprice": reprice,
    "retime": retime,
    "stretch": stretch,
    "reorder": reorder,
    "re_id": re_id,
    "add_rows": add_rows,
    "drop_rows": drop_rows,
}


class Perturbed(NamedTuple):
    """A perturbed world, and what was done to it, in order."""

    world: World
    log: tuple[Applied, ...]


def perturb(
    world: World,
    names: Sequence[str],
    strength: float,
    rng: Random,
    stakes: Stakes = NOTHING_RESTS,
    content: ContentRoot | None = None,
) -> Perturbed:
    """Return the world after the named perturbations, one after the other.

    Args:
        world: Left as it is.
        names: Names of `templates/perturbations`; one may occur twice.
        strength: 0 changes nothing, 1 is the most that a perturbation does; each file says what it means.
        rng: One number is drawn. Each perturbation has a stream of its own, so another name moves none.
        stakes: The rows that answers rest on; inert perturbations leave them alone.
        content: Where perturbations and towns are read from.

    Raises:
        GenError: A name is unknown, or the strength not in [0, 1].
    """
    content = content or default_root()
    specs = load_perturbations(content)
    unknown = [name for name in names if name not in specs]
    if unknown:
        raise GenError("--perturb", f"unknown {unknown!r}", f"there are {', '.join(specs)}", ExitCode.USAGE)
    if not 0 <= strength <= 1:
        raise GenError("--strength", f"{strength!r}", "give a number from 0 to 1", ExitCode.USAGE)
    seed, seen = rng.getrandbits(128), Counter[str]()
    log: list[Applied] = []
    before = world_digest(world)
    for name in names:
        seen[name] += 1
        own = stream(seed, f"{name}:{seen[name]}", "perturb")
        edited, changes = _apply(specs[name], world, strength, own, stakes, content)
        after = world_digest(edited)
        log.append(
            Applied(
                name=name,
                kind=specs[name].kind,
                strength=strength,
                changes=changes,
                digest_before=before,
                digest_after=after,
            )
        )
        world, before, stakes = edited, after, stakes._replace(ids=follow_ids(stakes.ids, log[-1:]))
    return Perturbed(world, tuple(log))


def follow_ids(ids: frozenset[str], log: Sequence[Applied]) -> frozenset[str]:
    """Return what ids are called after a log."""
    for applied in log:
        new = {c.before: c.after for c in applied.changes if c.touch == "id"}
        ids = frozenset(new.get(i, i) for i in ids)
    return ids


def _apply(
    spec: AnySpec, world: World, strength: float, rng: Random, stakes: Stakes, content: ContentRoot
) -> tuple[World, tuple[Change, ...]]:
    if strength == 0:
        return world, ()
    scene = Scene(world, strength, rng, stakes, content)
    edit = OPERATORS[spec.operator](spec, scene)
    tables = {FIELDS[table]: tuple(new for _, new in pairs if new is not None) for table, pairs in edit.tables.items()}
    areas = tuple(new for _, new in edit.areas) if edit.areas else world.areas
    edited = with_fields(world, **tables, areas=areas)
    changes = (
        *_area_changes(edit),
        *(c for table in TABLES for c in _changes(world, table, edit.tables.get(table, []))),
    )
    strays = sorted({f"{c.table}.{c.touch}" for c in changes if c.touch not in spec.touches.get(c.table, ())})
    if strays:
        raise GenError(f"perturbation {spec.name!r}", f"changed {strays!r} undeclared", "declare it", ExitCode.BUG)
    if spec.kind == "inert":
        moved = {c.before: c.after for c in changes if c.touch == "id"}
        there = stakes._replace(ids=frozenset(moved.get(i, i) for i in stakes.ids))
        if stakes.content(world) != there.content(edited):
            raise GenError(f"perturbation {spec.name!r}", "not inert", "file a bug with the seed", ExitCode.BUG)
    return edited, changes


def _area_changes(edit: Edit) -> Iterator[Change]:
    for old, new in edit.areas:
        yield from _field_changes("area", old.id, old, new)


def _changes(world: World, table: Table, pairs: Pairs) -> Iterator[Change]:
    rank = {row.id: n for n, row in enumerate(world.table(table))}
    kept: list[int] = []
    for old, new in pairs:
        if old is None and new is not None:
            yield Change(table=table, id=new.id, touch="rows-added", before=None, after=new.model_dump(mode="json"))
        elif old is not None and new is None:
            yield Change(table=table, id=old.id, touch="rows-dropped", before=old.model_dump(mode="json"), after=None)
        elif old is not None and new is not None:
            kept.append(rank[old.id])
            if old is not new:
                yield from _field_changes(table, old.id, old, new)
    if any(b < a for a, b in pairwise(kept)):
        ids = [row.id for row in world.table(table)]
        after = [ids[n] for n in kept]
        yield Change(table=table, id="*", touch="order", before=ids, after=after)


def _field_changes(table: Any, ident: str, old: Frozen, new: Frozen) -> Iterator[Change]:
    a, b = old.model_dump(mode="json"), new.model_dump(mode="json")
    for field, value in a.items():
        if b[field] != value:
            yield Change(table=table, id=ident, touch=field, before=value, after=b[field])  # type: ignore[arg-type]
