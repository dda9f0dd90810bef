"""Perturbations: seeded, composable, logged, held to what they declare; the inert ones touch no answer."""

from __future__ import annotations

import math
from collections import Counter
from functools import cache
from itertools import pairwise
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from support.travel import hotel, odd_folder, town, write_folder

from generator.content import ContentRoot, default_root
from generator.errors import ExitCode, GenError
from generator.seeds import stream
from generator.travel.world import (
    Applied,
    Group,
    Stakes,
    World,
    follow_ids,
    import_world,
    load_perturbations,
    perturb,
    world_digest,
)
from generator.travel.world.perturb import OPERATORS
from generator.travel.world.perturb_values import Edit, Scene
from generator.travel.world.schema import TABLES, Hours, Table, with_fields

NAMES = sorted(load_perturbations(default_root()))
INERT = sorted(name for name, spec in load_perturbations(default_root()).items() if spec.kind == "inert")
WORLDS = ("zh", "en", "imported")


@cache
def world_of(name: str) -> World:
    if name == "imported":
        with TemporaryDirectory() as folder:
            return import_world(odd_folder(Path(folder))).world
    return town("zh") if name == "zh" else town("en")


def run(world: World, names: list[str], strength: float = 0.7, seed: int = 1, stakes: Stakes = Stakes()) -> Any:  # noqa: B008
    return perturb(world, names, strength, stream(seed, "t", "p"), stakes)


def rows_by_id(world: World, table: Table) -> dict[str, dict[str, Any]]:
    return {row.id: row.model_dump(mode="json") for row in world.table(table)}


def replay(world: World, applied: Applied) -> dict[Table, dict[str, dict[str, Any]]]:
    """Return the rows that a log leads to, out of the rows before."""
    rows = {table: rows_by_id(world, table) for table in TABLES}
    for change in applied.changes:
        if change.table == "area" or change.touch == "order":
            continue
        table = rows[change.table]
        if change.touch == "rows-added":
            table[change.id] = change.after
        elif change.touch == "rows-dropped":
            assert table.pop(change.id) == change.before
        else:
            assert table[change.id][change.touch] == change.before
            table[change.id][change.touch] = change.after
    return {table: {row["id"]: row for row in found.values()} for table, found in rows.items()}


def test_there_is_one_of_each_kind_that_the_issue_names() -> None:
    assert set(NAMES) >= {
        "rename", "move", "jitter", "reprice", "retime", "reorder", "re-id", "add-rows", "drop-rows", "stretch-hours",
    }  # fmt: skip
    assert INERT == ["add-rows", "drop-rows", "re-id", "reorder"]


@settings(max_examples=40, deadline=None)
@given(st.sampled_from(WORLDS), st.sampled_from(NAMES), st.floats(0.01, 1), st.integers(0, 10**6))
def test_a_perturbation_does_what_it_logs_and_logs_what_it_declares(
    where: str, name: str, strength: float, seed: int
) -> None:
    world = world_of(where)
    edited, (applied,) = run(world, [name], strength, seed)
    spec = load_perturbations(default_root())[name]
    assert {(c.table, c.touch) for c in applied.changes} <= {
        (t, f) for t, fields in spec.touches.items() for f in fields
    }
    assert replay(world, applied) == {table: rows_by_id(edited, table) for table in TABLES}
    assert (applied.digest_before, applied.digest_after) == (world_digest(world), world_digest(edited))
    for table in TABLES:
        kept = [r.id for r in edited.table(table) if r.id in rows_by_id(world, table)]
        before = [r.id for r in world.table(table) if r.id in set(kept)]
        assert kept == before or name == "reorder"
    assert with_fields(edited, attractions=(), hotels=(), restaurants=(), trains=(), areas=()) == with_fields(
        world, attractions=(), hotels=(), restaurants=(), trains=(), areas=()
    )


@settings(max_examples=15, deadline=None)
@given(st.sampled_from(WORLDS), st.integers(0, 10**6), st.floats(0.3, 1), st.permutations(INERT))
def test_inert_perturbations_leave_alone_what_answers_rest_on(
    where: str, seed: int, strength: float, names: list[str]
) -> None:
    world = world_of(where)
    hotel_row, place = world.hotels[seed % len(world.hotels)], world.restaurants[seed % len(world.restaurants)]
    stakes = Stakes(
        frozenset({hotel_row.id, world.attractions[0].id}),
        frozenset({world.routes[seed % len(world.routes)]}),
        frozenset({Group("restaurant", place.area, place.cuisine), Group("attraction", world.attractions[-1].area)}),
    )
    edited, log = run(world, names, strength, seed, stakes)
    there = stakes._replace(ids=follow_ids(stakes.ids, log))
    assert stakes.content(world)
    assert there.content(edited) == stakes.content(world)
    (route,) = stakes.routes
    for day in range(7):
        old, new = (
            sorted((t.departs, t.arrives, t.fares) for t in w.trains if t.route == route and day in t.days)
            for w in (world, edited)
        )
        assert old == new


def test_inert_perturbations_do_change_something() -> None:
    for name in INERT:
        assert run(town("en", "standard"), [name]).log[0].changes


@settings(max_examples=8, deadline=None)
@given(st.sampled_from(WORLDS), st.permutations(NAMES), st.integers(0, 10**6))
def test_all_at_full_strength_twice_over_make_a_sound_world(where: str, names: list[str], seed: int) -> None:
    edited, log = run(world_of(where), [*names, *names[::-1]], 1, seed)
    assert len(log) == 2 * len(NAMES)
    assert all(a.digest_after == b.digest_before for a, b in pairwise(log))
    assert World.model_validate_json(edited.model_dump_json()) == edited


@pytest.mark.parametrize("name", NAMES)
def test_the_same_seed_gives_the_same_world_and_another_does_not(name: str) -> None:
    world = town("en", "standard")
    assert run(world, [name]) == run(world, [name])
    assert run(world, [name], seed=2).world != run(world, [name]).world
    assert run(world, [name], 0).world is world


def test_a_second_perturbation_moves_no_value_of_the_first() -> None:
    world = town("en")
    alone, joined = run(world, ["reprice"]), run(world, ["stretch-hours", "reprice"])
    assert alone.log[0].changes == joined.log[1].changes
    twice = run(world, ["retime", "retime"])
    assert twice.log[0].changes != twice.log[1].changes


def test_more_strength_is_more_change() -> None:
    world = town("en", "standard")
    for name in ("rename", "re-id", "reorder", "add-rows", "drop-rows"):
        sizes = [sum(len(c.after or "x") for c in run(world, [name], s).log[0].changes) for s in (0.1, 0.9)]
        assert sizes[0] < sizes[1] or name == "reorder"


def test_what_is_unknown_is_refused() -> None:
    with pytest.raises(GenError, match="retimes") as caught:
        run(town("en"), ["retimes"])
    assert "retime" in caught.value.fix
    for strength in (-0.1, 1.1, math.nan):
        with pytest.raises(GenError, match="from 0 to 1"):
            run(town("en"), ["retime"], strength)


def test_a_rigid_motion_keeps_distances_exactly() -> None:
    for seed in range(6):
        world = town("zh")
        edited = run(world, ["move"], 1, seed).world
        old, new = ([p.point for p in (*w.places(),)] + [(a.x, a.y) for a in w.areas] for w in (world, edited))
        assert old != new
        assert [math.dist(old[0], p) for p in old] == [math.dist(new[0], p) for p in new]


def test_a_map_with_compass_names_is_shifted_but_never_turned(tmp_path: Path) -> None:
    hotels = [hotel(), hotel(id="1", name="other", location=[9000, 100])]
    world = import_world(write_folder(tmp_path, hotels=hotels)).world
    for seed in range(12):
        edited = run(world, ["move"], 1, seed).world
        assert len({(b.x - a.x, b.y - a.y) for a, b in zip(world.places(), edited.places(), strict=True)}) == 1


def test_jitter_moves_a_little_and_parts_shared_points(tmp_path: Path) -> None:
    hotels = [hotel(id=str(n), name=f"h{n}") for n in range(9)]
    world = import_world(write_folder(tmp_path, hotels=hotels)).world
    edited = run(world, ["jitter"], 1).world
    assert max(Counter(p.point for p in edited.places()).values()) == 1
    assert all(math.dist(a.point, b.point) <= 170 for a, b in zip(world.places(), edited.places(), strict=True))


@settings(max_examples=15, deadline=None)
@given(st.sampled_from(WORLDS), st.integers(0, 10**6), st.floats(0.05, 1))
def test_prices_keep_to_their_steps_and_what_is_free_stays_free(where: str, seed: int, strength: float) -> None:
    world = world_of(where)
    edited = run(world, ["reprice"], strength, seed).world
    steps = [math.gcd(*(f.price for t in w.trains for f in t.fares)) for w in (world, edited)]
    assert steps[1] % steps[0] == 0
    for a, b in zip(world.attractions, edited.attractions, strict=True):
        assert (not a.fee) == (not b.fee)
    for old, new in zip(world.trains, edited.trains, strict=True):
        assert abs(new.fares[0].price - old.fares[0].price) <= 0.25 * strength * old.fares[0].price + steps[0]


@settings(max_examples=15, deadline=None)
@given(st.sampled_from(WORLDS), st.integers(0, 10**6), st.floats(0.05, 1))
def test_trains_keep_their_time_under_way_and_part_company(where: str, seed: int, strength: float) -> None:
    world = world_of(where)
    edited = run(world, ["retime"], strength, seed).world
    assert [t.duration for t in edited.trains] == [t.duration for t in world.trains]
    pairs = zip(world.trains, edited.trains, strict=True)
    assert all(abs(a.departs - b.departs) <= max(1, round(15 * strength)) for a, b in pairs)
    shared = [
        sum(n - 1 for n in Counter((t.route, d, t.departs) for t in w.trains for d in t.days).values())
        for w in (world, edited)
    ]
    assert shared[1] <= shared[0]


@settings(max_examples=15, deadline=None)
@given(st.sampled_from(WORLDS), st.integers(0, 10**6), st.floats(0.05, 1))
def test_closed_days_stay_closed_and_who_never_shuts_stays_open(where: str, seed: int, strength: float) -> None:
    world = world_of(where)
    edited = run(world, ["stretch-hours"], strength, seed).world
    for old, new in zip(hours_of(world), hours_of(edited), strict=True):
        if old is None or new is None:
            assert old is new is None
            continue
        assert [len(day) for day in old.week] == [len(day) for day in new.week]
        for before, after in zip(old.week, new.week, strict=True):
            for a, b in zip(before, after, strict=True):
                assert (b.opens - a.opens) % 15 == (b.closes - a.closes) % 15 == 0
                assert b == a or a.closes - a.opens < 1440


def hours_of(world: World) -> list[Hours | None]:
    return [a.hours for a in world.attractions] + [r.hours for r in world.restaurants]


def test_new_names_hold_no_other_and_stations_stay_apart() -> None:
    world = town("zh", "standard")
    edited = run(world, ["rename"], 1).world
    names = [p.name for p in edited.places()]
    assert not [(a, b) for a in names for b in names if a != b and a in b]
    assert not set(names) & {p.name for p in world.places()}
    assert len(edited.routes) == len(world.routes)
    assert all(world.station in t.route for t in edited.trains)
    kinds = {p.id: getattr(p, "kind", None) for p in world.places()}
    assert kinds == {p.id: getattr(p, "kind", None) for p in edited.places()}


def test_dropping_leaves_one_of_each_and_adding_keeps_apart() -> None:
    world = town("en", "standard")
    for seed in range(3):
        left = run(world, ["drop-rows"] * 6, 1, seed).world
        assert left.routes == world.routes
        assert {r.cuisine for r in left.restaurants} == {r.cuisine for r in world.restaurants}
        more = run(world, ["add-rows"], 1, seed).world
        assert len(more.hotels) > len(world.hotels)
        assert max(Counter(p.point for p in more.places()).values()) == 1


def test_new_ids_were_never_used() -> None:
    world = town("en", "standard")
    edited, log = run(world, ["re-id"], 1)
    old, new = ({row.id for row in w.rows()} for w in (world, edited))
    assert not old & new
    assert follow_ids(frozenset(old), log) == new


def test_an_undeclared_or_falsely_inert_change_is_a_fault_of_ours(monkeypatch: pytest.MonkeyPatch) -> None:
    world = town("en")
    train = world.trains[0]
    later = with_fields(train, arrives=train.arrives + 1)
    pairs = [(row, later if row is train else row) for row in world.trains]

    def sneak(_: Any, __: Scene) -> Edit:
        return Edit({"train": list(pairs)})

    monkeypatch.setitem(OPERATORS, "reorder", sneak)
    with pytest.raises(GenError, match=r"train\.arrives") as caught:
        run(world, ["reorder"])
    assert caught.value.code is ExitCode.BUG

    def lose(_: Any, __: Scene) -> Edit:
        return Edit({"train": [(row, None if row is train else row) for row in world.trains]})

    monkeypatch.setitem(OPERATORS, "drop_rows", lose)
    assert len(run(world, ["drop-rows"]).world.trains) == len(world.trains) - 1
    with pytest.raises(GenError, match="not inert") as caught:
        run(world, ["drop-rows"], stakes=Stakes(routes=frozenset({train.route})))
    assert caught.value.code is ExitCode.BUG


def test_a_name_used_twice_is_refused(content_folder: Any, content: ContentRoot) -> None:
    text = content.text("templates/perturbations/retime.yaml")
    with pytest.raises(GenError, match="used twice"):
        load_perturbations(
            content_folder({"templates/perturbations/a.yaml": text, "templates/perturbations/b.yaml": text})
        )


def test_an_unknown_operator_is_refused(content_folder: Any, content: ContentRoot) -> None:
    text = content.text("templates/perturbations/retime.yaml").replace("operator: retime", "operator: retimed")
    with pytest.raises(GenError, match="'retimed'"):
        load_perturbations(content_folder({"templates/perturbations/a.yaml": text}))


def test_the_guide_lists_every_perturbation_as_it_is(content: ContentRoot) -> None:
    guide = (Path(__file__).resolve().parents[1] / "docs" / "travel-world.md").read_text(encoding="utf-8")
    for name, spec in load_perturbations(content).items():
        assert f"| `{name}` | {spec.kind} | {spec.does} | {spec.strength} |" in guide
