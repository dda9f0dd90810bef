"""The travel world: its invariants, invented towns, sunset, storage and the cache that answers queries."""

from __future__ import annotations

import datetime as dt
import math
import os
import sqlite3
import subprocess
import sys
from collections.abc import Callable
from functools import cache
from itertools import combinations, pairwise
from pathlib import Path
from statistics import median
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pydantic import ValidationError
from support.travel import town

from generator.content import ContentRoot, default_root
from generator.errors import GenError
from generator.records import Lang, Split
from generator.seeds import stream
from generator.travel.world import World, WorldCache, build_cache, make_world, read_world, world_digest, write_world
from generator.travel.world.clock import clock, sunset
from generator.travel.world.schema import (
    Attraction,
    Fare,
    Hotel,
    Hours,
    Restaurant,
    Room,
    Sky,
    Span,
    Train,
    with_fields,
)
from generator.travel.world.sqlite import MAX_ROWS
from generator.travel.world.store import parse_world, world_text
from generator.travel.world.synthetic import fill_town
from generator.travel.world.town import Size, Town, load_towns

LANGS: tuple[Lang, ...] = ("zh", "en")
SIZES: tuple[Size, ...] = ("small", "standard", "large")
SPLITS: tuple[Split, ...] = ("train", "eval")
TOWNS: dict[str, Town] = {t.id: t for lang in LANGS for t in load_towns(default_root(), lang)}
EMPTY: tuple[Span, ...] = ()


@cache
def filled(town_id: str, size: Size = "standard", seed: int = 7) -> World:
    """Return an invented world of a given town, made once a session."""
    return fill_town(TOWNS[town_id], size, stream(seed, "test", "filled"))


def apart(world: World) -> list[float]:
    return [math.dist(a.point, b.point) for a, b in combinations(world.attractions, 2)]


def monday_gaps(world: World) -> list[list[int]]:
    routes: dict[tuple[str, str], list[int]] = {}
    for train in world.trains:
        if 0 in train.days:
            routes.setdefault(train.route, []).append(train.departs)
    return [[b - a for a, b in pairwise(times)] for times in routes.values()]


def week(*first: Span, last: tuple[Span, ...] = EMPTY) -> Hours:
    return Hours(week=(first, EMPTY, EMPTY, EMPTY, EMPTY, EMPTY, last))


@pytest.mark.parametrize(
    "spans",
    [
        (Span(600, 600),),
        (Span(600, 500),),
        (Span(-5, 500),),
        (Span(1440, 1500),),
        (Span(600, 2041),),
        (Span(600, 720), Span(720, 800)),
        (Span(600, 720), Span(700, 800)),
        (Span(800, 900), Span(600, 700)),
    ],
)
def test_bad_spans_are_refused(spans: tuple[Span, ...]) -> None:
    with pytest.raises(ValidationError):
        week(*spans)


def test_sunday_night_may_not_run_into_monday_morning() -> None:
    assert week(Span(120, 600), last=(Span(1200, 1560),)).is_open(0, 119)
    with pytest.raises(ValidationError, match="past midnight"):
        week(Span(119, 600), last=(Span(1200, 1560),))


def test_open_is_half_open() -> None:
    hours = week(Span(600, 720), Span(1320, 1500))
    assert [hours.is_open(0, m) for m in (599, 600, 719, 720, 1439)] == [False, True, True, False, True]
    assert [hours.is_open(1, m) for m in (0, 59, 60)] == [True, True, False]


@given(st.lists(st.tuples(st.integers(0, 1439), st.integers(1, 1440)), max_size=4), st.integers(0, 6))
def test_hours_that_are_accepted_come_back_from_json(pairs: list[tuple[int, int]], day: int) -> None:
    spans = tuple(sorted(Span(a, a + n) for a, n in pairs))
    try:
        hours = Hours.model_validate({"week": tuple(spans if d == day else () for d in range(7))})
    except ValidationError:
        return
    assert Hours.model_validate_json(hours.model_dump_json()) == hours
    assert sum(hours.is_open(d, m) for d in range(7) for m in range(1440)) == sum(b - a for a, b in spans)


TRAIN = Train(
    id="T1", origin="A", destination="B", days=(0, 4), departs=1430, arrives=1450,
    fares=(Fare(travel_class="standard", price=500), Fare(travel_class="first", price=750)),
)  # fmt: skip


def test_a_train() -> None:
    assert (TRAIN.duration, TRAIN.fare("first"), TRAIN.route) == (20, 750, ("A", "B"))
    assert with_fields(TRAIN, fares=TRAIN.fares[:1]).fare("first") is None


@pytest.mark.parametrize(
    "fields",
    [
        {"destination": "A"},
        {"arrives": 1430},
        {"arrives": 1430 + 1441},
        {"departs": 1440},
        {"days": ()},
        {"days": (4, 0)},
        {"days": (0, 0)},
        {"days": (7,)},
        {"fares": ()},
        {"fares": TRAIN.fares[::-1]},
        {"fares": (TRAIN.fares[0], Fare(travel_class="first", price=500))},
        {"id": "T 1"},
        {"origin": ""},
    ],
)
def test_bad_trains_are_refused(fields: dict[str, Any]) -> None:
    with pytest.raises(ValidationError):
        with_fields(TRAIN, **fields)


def test_bad_hotels_are_refused() -> None:
    hotel = town("en").hotels[0]
    double, single = Room(kind="double", sleeps=2, price=1), Room(kind="single", sleeps=1, price=1)
    assert with_fields(hotel, rooms=(single, double)).room("family") is None
    for fields in ({"rooms": (double, single)}, {"rooms": (double, double)}, {"amenities": ("b", "a")}, {"stars": 0}):
        with pytest.raises(ValidationError):
            with_fields(hotel, **fields)
    with pytest.raises(ValidationError):
        Room(kind="single", sleeps=1, price=0)


def test_a_world_keeps_ids_names_and_areas_apart() -> None:
    world = town("en")
    one, two, *rest = world.restaurants
    for broken in (
        {"restaurants": (one, with_fields(two, id=one.id), *rest)},
        {"restaurants": (one, with_fields(two, id=world.trains[0].id), *rest)},
        {"restaurants": (one, with_fields(two, name=one.name.upper()), *rest)},
        {"restaurants": (with_fields(one, area="nowhere"), two, *rest)},
        {"areas": (*world.areas, world.areas[0])},
    ):
        with pytest.raises(ValidationError):
            with_fields(world, **broken)


@pytest.mark.parametrize("town_id", TOWNS)
@pytest.mark.parametrize("size", SIZES)
def test_an_invented_town_is_plausible(town_id: str, size: Size) -> None:
    world, source = filled(town_id, size), TOWNS[town_id]
    counts = source.sizes[size]
    assert len(world.attractions) == counts.attractions
    assert len(world.hotels) == counts.hotels
    assert len(world.restaurants) == counts.restaurants
    assert len(world.routes) == 2 * counts.lines
    places = list(world.places())
    assert min(math.dist(a.point, b.point) for a, b in combinations(places, 2)) >= source.spacing - 1
    names = [p.name.casefold() for p in places]
    assert not [(a, b) for a in names for b in names if a != b and a in b]
    assert len({p.address for p in places}) == len(places)
    assert world.notice == ""
    assert all(world.station in train.route for train in world.trains)
    leaving = [(t.route, day, t.departs) for t in world.trains for day in t.days]
    assert len(set(leaving)) == len(leaving)


@pytest.mark.parametrize("town_id", TOWNS)
def test_an_invented_town_has_what_the_tasks_need(town_id: str) -> None:
    world = filled(town_id)
    assert any(t.arrives >= 1440 for t in world.trains)
    assert sum(t.departs // 60 == t.arrives // 60 for t in world.trains) > 50
    assert len({t.days for t in world.trains}) > 3
    weeks = [r.hours.week for r in world.restaurants if r.hours]
    assert any(len(day) == 2 for w in weeks for day in w)
    assert any(not day for w in weeks for day in w)
    assert any(span.closes > 1440 for w in weeks for day in w for span in day)
    assert {a.band for a in world.attractions} == {"free", "cheap", "moderate", "expensive"}
    assert {h.band for h in world.hotels} == {r.band for r in world.restaurants} == {"cheap", "moderate", "expensive"}
    assert all(a.fee is not None and (a.fee == 0) == (a.band == "free") for a in world.attractions)
    singles = [(s.price, d.price) for h in world.hotels if (s := h.room("single")) and (d := h.room("double"))]
    assert singles and all(a < b for a, b in singles)
    gaps = monday_gaps(world)
    assert all(gap > 0 for route in gaps for gap in route)
    # A route with a train every two hours has too few gaps a day to say much.
    assert all(len(set(route)) > 2 for route in gaps if len(route) > 12)
    assert 1000 < median(apart(world)) < max(apart(world)) < 7000


@pytest.mark.parametrize("town_id", TOWNS)
def test_a_town_has_room_and_names_for_any_seed(town_id: str) -> None:
    for seed in range(4):
        assert len(list(filled(town_id, "large", seed).rows())) > 1000


@pytest.mark.parametrize("lang", LANGS)
@pytest.mark.parametrize("split", SPLITS)
def test_either_split_has_towns_and_trains_of_every_frequency(lang: Lang, split: Split, content: ContentRoot) -> None:
    towns = load_towns(content, lang, split)
    assert {make_world(lang, "small", stream(seed, "t", "w"), content, split).name for seed in range(12)} == {
        t.name for t in towns
    }
    usual = sorted(median(gaps) for t in towns for gaps in monday_gaps(filled(t.id)))
    assert usual[0] <= 15 and usual[-1] >= 120
    assert all(any(low <= gap < high for gap in usual) for low, high in ((15, 25), (25, 45), (45, 90)))


@pytest.mark.parametrize("lang", LANGS)
def test_towns_of_a_language_share_no_names(lang: Lang) -> None:
    own = {
        t.id: {t.name.casefold()}
        | {word.casefold() for word in t.words}
        | {name.casefold() for area in t.areas for name in (area.name, *(s.name for s in area.streets))}
        | {line.station.casefold() for line in t.railway.lines}
        for t in TOWNS.values()
        if t.lang == lang
    }
    assert not {(a, b): both for a, b in combinations(own, 2) if (both := own[a] & own[b])}


@pytest.mark.parametrize("town_id", TOWNS)
def test_what_a_town_calls_things_fits_into_a_sentence(town_id: str) -> None:
    world, source = filled(town_id, "large"), TOWNS[town_id]
    said = [p.name for p in world.places()] + [a.name for a in world.areas] + [end for r in world.routes for end in r]
    kinds = [k.name for k in (*source.attractions, *source.hotels)]
    cuisines = [c.name for c in source.cuisines]
    assert not [name for name in (*said, *kinds, *cuisines) if set(name) & set(".?!。？！,、")]
    if source.lang == "en":
        assert all(name.isascii() for name in (*said, *kinds, *cuisines))
        # Forms write "a" before a kind, and a cuisine before "food".
        assert not [kind for kind in kinds if kind[0] not in "bcdfghjklmnpqrstvwxyz"]
        assert not [cuisine for cuisine in cuisines if cuisine != cuisine.lower() or cuisine.endswith(" food")]
    else:
        assert not [name for name in (*said, *kinds, *cuisines) if any(c.isascii() for c in name)]


def test_neighbouring_seeds_share_no_row(content: ContentRoot) -> None:
    one, two = (make_world("en", "small", stream(seed, "t", "w"), content) for seed in (1, 2))
    assert not set(one.rows()) & set(two.rows())


SCRIPT = """
from generator.content import default_root
from generator.seeds import stream
from generator.travel.world import load_perturbations, make_world, perturb, world_digest
names = list(load_perturbations(default_root()))
for lang in ("zh", "en"):
    for seed in (1, 2):
        world = make_world(lang, "small", stream(seed, "t", "w"))
        print(world_digest(world), world_digest(perturb(world, names, 0.5, stream(seed, "t", "p")).world))
"""


def test_the_same_bytes_under_any_hash_seed() -> None:
    said = [
        subprocess.run(
            [sys.executable, "-c", SCRIPT], env={**os.environ, "PYTHONHASHSEED": salt}, check=True, capture_output=True
        ).stdout
        for salt in ("1", "2")
    ]
    assert said[0] == said[1]
    assert len(set(said[0].split())) == 8


LONDON = Sky(latitude_e4=515074, longitude_e4=-1278, utc_offset=0, summer_time="eu")
QINGBO = Sky(latitude_e4=302500, longitude_e4=1187000, utc_offset=480)


@pytest.mark.parametrize(
    ("sky", "day", "says"),
    [
        (LONDON, dt.date(2024, 2, 29), "17:39"),
        (LONDON, dt.date(2025, 3, 29), "18:28"),
        (LONDON, dt.date(2025, 3, 30), "19:30"),
        (LONDON, dt.date(2025, 6, 21), "21:21"),
        (LONDON, dt.date(2025, 10, 26), "16:43"),
        (LONDON, dt.date(2025, 12, 21), "15:53"),
        (QINGBO, dt.date(2024, 2, 29), "18:03"),
        (QINGBO, dt.date(2025, 6, 21), "19:09"),
        (QINGBO, dt.date(2025, 10, 26), "17:22"),
        (QINGBO, dt.date(2025, 12, 21), "17:08"),
    ],
)
def test_sunset_is_that_of_astral_and_stays_so(sky: Sky, day: dt.date, says: str) -> None:
    """The values are those of astral 3.2: another version that moved one would move built instances."""
    hour, minute = map(int, says.split(":"))
    assert sunset(sky, day) == hour * 60 + minute


def test_sunset_moves_slowly_and_summer_time_by_an_hour() -> None:
    days = [dt.date(2025, 1, 1) + dt.timedelta(n) for n in range(365)]
    steps = {b: sunset(LONDON, b) - sunset(LONDON, a) for a, b in pairwise(days)}
    jumps = {day: step for day, step in steps.items() if abs(step) > 3}
    assert list(jumps) == [dt.date(2025, 3, 30), dt.date(2025, 10, 26)]
    assert [round(step / 60) for step in jumps.values()] == [1, -1]


def test_clock_runs_on_past_midnight() -> None:
    assert [clock(m) for m in (0, 65, 1439, 1445)] == ["00:00", "01:05", "23:59", "24:05"]


@pytest.mark.parametrize(
    ("old", "new", "says"),
    [
        ("hours: [gallery, house]", "hours: [gallary]", "no hours pattern 'gallary'"),
        ("pattern: slow}", "pattern: slwo}", "no railway pattern 'slwo'"),
        (
            "ends: [[1750, 1400], [2550, 1450]]",
            "ends: [[1750, 1400], [2550, 2950]]",
            "'Market Street' crosses the river",
        ),
        ("name: Sheep Row", "name: Bell Lane", "'Bell Lane' occurs twice"),
        ("{surname} Gallery", "{surnme} Gallery", "needs slots"),
        ("lines: 16", "lines: 17", "more lines"),
    ],
)
def test_faults_of_a_town_are_told(
    old: str, new: str, says: str, content: ContentRoot, content_folder: Callable[..., ContentRoot]
) -> None:
    text = content.text("ground_truth/travel/en_sallowby.yaml")
    assert old in text
    broken = content_folder({"ground_truth/travel/x.yaml": text.replace(old, new)})
    with pytest.raises(GenError, match=says):
        load_towns(broken, "en")


def test_a_missing_town_is_told(content_folder: Callable[..., ContentRoot]) -> None:
    with pytest.raises(GenError, match="no town for 'en'"):
        load_towns(content_folder({}), "en")


@pytest.mark.parametrize("lang", LANGS)
def test_a_world_comes_back_from_its_file(lang: Lang, tmp_path: Path) -> None:
    world = town(lang, "standard")
    digest = write_world(world, tmp_path / "deep" / "world.jsonl")
    assert digest == world_digest(world)
    again = read_world(tmp_path / "deep" / "world.jsonl", digest)
    assert again == world
    assert world_text(again) == world_text(world)
    assert [p.name for p in (tmp_path / "deep").iterdir()] == ["world.jsonl"]


@settings(max_examples=20, deadline=None)
@given(st.randoms(use_true_random=False))
def test_the_order_of_rows_is_kept_and_their_lines_sorted(rng: Any) -> None:
    world = town("zh")
    rows = list(world.restaurants)
    rng.shuffle(rows)
    shuffled = with_fields(world, restaurants=tuple(rows))
    assert parse_world(world_text(shuffled)) == shuffled
    assert (world_digest(shuffled) == world_digest(world)) == (tuple(rows) == world.restaurants)
    names = [line.split('"id":"')[1].split('"')[0] for line in world_text(shuffled).splitlines() if "cuisine" in line]
    assert names == sorted(names)


def test_damaged_worlds_are_refused_with_their_line(tmp_path: Path) -> None:
    text = world_text(town("en"))
    lines = text.splitlines()
    for broken, says in [
        (text.replace('"format":1', '"format":9'), "world:1: format 9"),
        ("\n".join(lines[1:]), "no head line"),
        ("\n".join([*lines, lines[0]]), "a second head"),
        ("\n".join([*lines, "{"]), f"world:{len(lines) + 1}: no row"),
        ("\n".join([*lines, lines[-1]]), "ranks of trains"),
        (text.replace('"table":"area"', '"table":"shop"'), "world:2: no row"),
        (text.replace('"stars":', '"star":', 1), "no row"),
        ("\n".join(line for line in lines if '"table":"area"' not in line), "no world"),
        ("[]", "world:1"),
    ]:
        with pytest.raises(GenError, match="fix:") as caught:
            parse_world(broken)
        assert says in str(caught.value)
    path = tmp_path / "world.jsonl"
    write_world(town("en"), path)
    with pytest.raises(GenError, match="digest differs"):
        read_world(path, "0" * 64)
    with pytest.raises(GenError, match="cannot be read"):
        read_world(tmp_path / "none.jsonl")
    path.write_bytes(b"\xff")
    with pytest.raises(GenError, match="not UTF-8"):
        read_world(path)


@pytest.fixture(scope="module")
def cache_path(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("cache") / "a b?#" / "world.sqlite"
    build_cache(town("en", "standard"), path)
    return path


@settings(max_examples=60, deadline=None)
@given(st.integers(0, 200), st.integers(0, 6), st.integers(0, 1440), st.integers(0, 1440), st.integers(1, MAX_ROWS))
def test_trains_found_are_those_of_a_plain_search(
    cache_path: Path, pick: int, day: int, after: int, before: int, limit: int
) -> None:
    world = town("en", "standard")
    origin, destination = world.routes[pick % len(world.routes)]
    plain = [
        t for t in world.trains if t.route == (origin, destination) and day in t.days and after <= t.departs < before
    ]
    with WorldCache(cache_path) as cache:
        found = cache.find_trains(origin.upper(), destination, day, after, before, limit)
    assert found.total == len(plain)
    assert list(found.rows) == plain[:limit]


def test_places_found_are_those_of_a_plain_search(cache_path: Path) -> None:
    world = town("en", "standard")

    def ids(rows: tuple[Attraction, ...] | tuple[Hotel, ...] | tuple[Restaurant, ...]) -> list[str]:
        return [row.id for row in rows]

    cuisine = world.restaurants[0].cuisine
    with WorldCache(cache_path, world_digest(world)) as cache:
        for area in (None, *[a.id for a in world.areas]):
            hotels = cache.find_hotels(area, room="family", amenities=("internet", "parking"), limit=100).rows
            assert ids(hotels) == [
                h.id
                for h in world.hotels
                if area in (None, h.area) and h.room("family") and {"internet", "parking"} <= set(h.amenities)
            ]
            found = cache.find_restaurants(area, cuisine=cuisine, limit=100).rows
            assert ids(found) == [r.id for r in world.restaurants if area in (None, r.area) and r.cuisine == cuisine]
            seen = cache.find_attractions(area, max_fee=500, limit=100).rows
            assert ids(seen) == [a.id for a in world.attractions if area in (None, a.area) and (a.fee or 0) <= 500]
        stars = cache.find_hotels(stars=4, band="expensive", kind="hotel").rows
        assert ids(stars) == [h.id for h in world.hotels if (h.stars, h.band, h.kind) == (4, "expensive", "hotel")]
        one = world.restaurants[3]
        assert cache.find_restaurants(name=one.name, band=one.band).rows == (one,)


@pytest.mark.parametrize("text", ["' OR 1=1 --", '"; DROP TABLE place; --', "%", "_", "*", "", "\x00", "x" * 10_000])
def test_what_is_asked_for_is_never_a_command(cache_path: Path, text: str) -> None:
    with WorldCache(cache_path) as cache:
        assert cache.find_trains(text, text, 0).total == 0
        assert cache.find_restaurants(area=text, cuisine=text, name=text).total == 0
        assert cache.find_hotels(kind=text).total == cache.find_attractions(kind=text).total == 0
        assert cache.find_hotels(amenities=(text,)).total == 0
        assert cache.find_hotels().total == len(town("en", "standard").hotels)


def test_the_cache_cannot_be_written_and_rows_are_bounded(cache_path: Path, tmp_path: Path) -> None:
    with WorldCache(cache_path) as cache:
        with pytest.raises(sqlite3.OperationalError, match=r"readonly|read-only"):
            cache._db.execute("DELETE FROM place")
        assert len(cache.find_restaurants().rows) == 20
        for limit in (0, -1, MAX_ROWS + 1):
            with pytest.raises(GenError, match="1 to 100"):
                cache.find_hotels(limit=limit)
        with pytest.raises(GenError, match="weekday"):
            cache.find_trains("a", "b", 7)
        with pytest.raises(GenError, match="whole numbers"):
            cache.find_trains("a", "b", 0, after=2**70)
        with pytest.raises(GenError, match="whole numbers"):
            cache.find_hotels(name="\ud800")
    with pytest.raises(GenError, match="another world"):
        WorldCache(cache_path, "0" * 64)
    with pytest.raises(GenError, match="no such cache"):
        WorldCache(tmp_path / "none.sqlite")
    (tmp_path / "bad.sqlite").write_text("no database at all, whatever it is called", encoding="utf-8")
    with pytest.raises(GenError, match="no cache of a world"):
        WorldCache(tmp_path / "bad.sqlite")


def test_a_cache_replaces_an_older_one(tmp_path: Path) -> None:
    path = tmp_path / "w.sqlite"
    worlds: list[World] = [town("en"), town("zh")]
    for world in worlds:
        digest = build_cache(world, path)
        with WorldCache(path, digest) as cache:
            assert cache.find_hotels(limit=100).rows == world.hotels
    assert [p.name for p in tmp_path.iterdir()] == ["w.sqlite"]
