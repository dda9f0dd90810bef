"""The importer: every anomaly by a stated rule, counted; damaged folders refused with place and remedy."""

from __future__ import annotations

import math
from pathlib import Path
from typing import Any

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from support.travel import attraction, hotel, odd_folder, restaurant, train, write_folder

from generator.errors import ExitCode, GenError
from generator.travel.world import ImportReport, World, import_world
from generator.travel.world.importer import RULES
from generator.travel.world.importer.cells import position_cells
from generator.travel.world.importer.hours_text import read_hours_text
from generator.travel.world.importer.plane import make_plane
from generator.travel.world.schema import Train


@pytest.fixture(scope="module")
def odd(tmp_path_factory: pytest.TempPathFactory) -> tuple[World, ImportReport]:
    world, report = import_world(odd_folder(tmp_path_factory.mktemp("odd")))
    return world, report


def test_every_rule_has_an_anomaly_that_uses_it(odd: tuple[World, ImportReport]) -> None:
    assert {r.rule for r in odd[1].rules} == set(RULES)


@pytest.mark.parametrize(
    ("rule", "table", "count"),
    [
        ("row-not-object", "attraction", 1),
        ("row-without-name", "attraction", 1),
        ("row-without-place", "attraction", 1),
        ("row-without-area", "attraction", 1),
        ("row-repeated", "attraction", 1),
        ("name-repeated", "attraction", 2),
        ("id-repeated", "attraction", 1),
        ("hours-seasonal", "attraction", 1),
        ("hours-unreadable", "attraction", 1),
        ("hours-past-midnight", "restaurant", 2),
        ("stars-zero", "hotel", 1),
        ("rooms-missing", "hotel", 1),
        ("arrives-24", "train", 1),
        ("arrives-wrapped", "train", 1),
        ("departs-24", "train", 1),
        ("time-from-duration", "train", 1),
        ("train-contradicts", "train", 1),
        ("train-without-price", "train", 1),
        ("fare-missing", "train", 1),
        ("first-not-dearer", "train", 1),
    ],
)
def test_a_rule_is_counted_once_a_use(odd: tuple[World, ImportReport], rule: str, table: str, count: int) -> None:
    assert odd[1].count(rule, table) == count


def test_rows_read_are_rows_kept_or_counted(odd: tuple[World, ImportReport]) -> None:
    world, report = odd
    left_out = {r for r, says in RULES.items() if says.startswith("left out") and not r.startswith(("room", "first"))}
    for table, read in report.read.items():
        lost = sum(r.count for r in report.rules if r.table == table and r.rule in left_out)
        assert read == report.kept[table] + lost
        assert report.kept[table] == len(world.table(table))  # type: ignore[arg-type]


def test_the_report_speaks(odd: tuple[World, ImportReport]) -> None:
    text = "\n".join(odd[1].lines())
    assert "attraction: 8 of 13 rows kept" in text
    assert "arrives-24" in text
    with pytest.raises(KeyError):
        odd[1].count("no-such-rule")


def trains_of(folder: Path, **fields: Any) -> tuple[Train, ...]:
    return import_world(write_folder(folder, trains=[train(**fields)])).world.trains


@pytest.mark.parametrize(
    ("fields", "days", "departs", "arrives"),
    [
        ({}, (0,), 540, 590),
        ({"leaveAt": "23:15", "arriveBy": "24:05"}, (0,), 1395, 1445),
        ({"leaveAt": "23:15", "arriveBy": "00:05"}, (0,), 1395, 1445),
        ({"leaveAt": "24:05", "arriveBy": "24:55", "day": "sunday"}, (0,), 5, 55),
        ({"leaveAt": "24:05", "arriveBy": "00:55", "day": "monday"}, (1,), 5, 55),
        ({"arriveBy": None}, (0,), 540, 590),
        ({"duration": "?"}, (0,), 540, 590),
    ],
)
def test_times(tmp_path: Path, fields: dict[str, Any], days: tuple[int, ...], departs: int, arrives: int) -> None:
    (read,) = trains_of(tmp_path, **fields)
    assert (read.days, read.departs, read.arrives) == (days, departs, arrives)


@pytest.mark.parametrize(
    "fields",
    [{"leaveAt": "9 o'clock"}, {"duration": "40 minutes"}, {"destination": "Mill Town"}, {"arriveBy": "09:00"}],
)
def test_what_contradicts_itself_is_left_out(tmp_path: Path, fields: dict[str, Any]) -> None:
    assert trains_of(tmp_path, **fields) == ()


@pytest.mark.parametrize(
    ("standard", "first", "fares"),
    [
        ("10.10 pounds", "15 pounds", (1010, 1500)),
        ("£7", "8", (700, 800)),
        ("?", "15.10 pounds", (None, 1510)),
        ("1 pound", "?", (100, None)),
        ("10.123 pounds", "11 pounds", (None, 1100)),
    ],
)
def test_fares(tmp_path: Path, standard: str, first: str, fares: tuple[int | None, int | None]) -> None:
    (read,) = trains_of(tmp_path, price_standard=standard, price_first_class=first)
    assert (read.fare("standard"), read.fare("first")) == fares


def test_the_one_price_of_the_original_is_standard(tmp_path: Path) -> None:
    row = train(price="23.60 pounds")
    del row["price_standard"], row["price_first_class"]
    world = import_world(write_folder(tmp_path, trains=[row])).world
    assert world.trains[0].fare("standard") == 2360


def test_trains_that_share_an_id_are_told_apart_whatever_their_order(tmp_path: Path) -> None:
    rows = [train(), train(day="friday"), train(leaveAt="10:00", arriveBy="10:50"), train(trainID="TR2")]
    one = import_world(write_folder(tmp_path / "a", trains=rows)).world
    two = import_world(write_folder(tmp_path / "b", trains=rows[::-1])).world
    assert {t.id for t in one.trains} == {"TR1.mon.0900", "TR1.fri.0900", "TR1.mon.1000", "TR2"}
    assert set(one.trains) == set(two.trains)


def test_private_fields_are_dropped_unless_kept(tmp_path: Path) -> None:
    folder = write_folder(tmp_path)
    dropped, kept = (import_world(folder, keep_private=keep).world for keep in (False, True))
    assert {(p.phone, p.postcode) for p in dropped.places()} == {(None, None)}
    assert [p.phone for p in kept.places()] == ["01", "02", "03"]


def test_the_notice_travels(tmp_path: Path) -> None:
    folder = write_folder(tmp_path)
    notice = import_world(folder).world.notice
    assert all(word in notice for word in ("MIT", "MultiWOZ", "BOULDER", "Copyright", "Permission is hereby granted"))
    assert import_world(folder, notice="mine").world.notice == "mine"


def test_the_world_is_as_written(tmp_path: Path) -> None:
    trains = [train(), train(trainID="TR2", departure="other end", destination="mill town")]
    world = import_world(write_folder(tmp_path, trains=trains)).world
    assert (world.name, world.station, world.currency, world.source) == ("Mill Town", "Mill Town", "GBP", "imported")
    assert [(a.id, a.name, a.compass) for a in world.areas] == [("west", "West", True)]
    assert [r.price for r in world.hotels[0].rooms] == [4000, 6000, 8500]
    assert world.hotels[0].amenities == ("internet",)
    assert world.attractions[0].fee == 400
    hours = world.restaurants[0].hours
    assert hours is not None
    assert hours.is_open(4, 1100) and hours.is_open(5, 119) and not hours.is_open(5, 120) and not hours.is_open(1, 700)


@pytest.mark.parametrize(
    ("row", "metres", "degrees"),
    [
        ({"location": [100, 200]}, (100, 200), None),
        ({"location": [10, 20]}, (10, 20), None),
        ({"location": [52.2, 0.12]}, None, (52.2, 0.12)),
        ({"location": "52.2, 0.12"}, None, (52.2, 0.12)),
        ({"location": {"lat": 52, "lon": 0}}, None, (52.0, 0.0)),
        ({"location": [100, 200], "location_gps": [52.2, 0.1]}, (100, 200), (52.2, 0.1)),
        ({"location": "?"}, None, None),
        ({"location": [None, 1]}, None, None),
        ({"location": [1, 2, 3]}, None, None),
        ({"location": ["nan", "1"]}, None, None),
        ({}, None, None),
    ],
)
def test_positions(row: dict[str, Any], metres: object, degrees: object) -> None:
    assert position_cells(row) == (metres, degrees)


def test_degrees_land_on_the_plane_of_the_metres(tmp_path: Path) -> None:
    grid = [
        hotel(id=str(n), name=f"h{n}", location=[700 * i, 1100 * j], location_gps=[52 + j / 100, 0.1 + i / 100])
        for n, (i, j) in enumerate((i, j) for i in range(3) for j in range(3))
    ]
    lone = restaurant(location=None, location_gps=[52.015, 0.115])
    world, report = import_world(write_folder(tmp_path, hotels=grid, restaurants=[lone], attractions=[]))
    assert world.restaurants[0].point == (1050, 1650)
    assert report.count("point-from-gps") == 1
    assert report.count("gps-disagrees") == 0


@given(
    st.floats(-55, 55), st.floats(-0.15, 0.15), st.floats(-0.15, 0.15), st.floats(-0.15, 0.15), st.floats(-0.15, 0.15)
)
def test_distances_on_the_plane_are_those_on_the_ground(lat: float, a: float, b: float, c: float, d: float) -> None:
    one, two = (lat + a, b), (lat + c, d)
    plane = make_plane([], [(lat - 0.15, -0.15), (lat + 0.15, 0.15)])
    assert plane is not None
    # The sphere stands in for the ellipsoid (0.56 % at most) and the projection errs by 0.4 %.
    phi = [math.radians(p[0]) for p in (one, two)]
    h = math.sin((phi[1] - phi[0]) / 2) ** 2
    h += math.cos(phi[0]) * math.cos(phi[1]) * math.sin(math.radians(two[1] - one[1]) / 2) ** 2
    ground = 2 * 6_371_008.8 * math.asin(math.sqrt(h))
    assert abs(math.dist(plane.place(one), plane.place(two)) - ground) <= 0.011 * ground + 2


DAILY = ["09:00-17:00"] * 7


@pytest.mark.parametrize(
    ("text", "rule", "week"),
    [
        ("always", "hours-always", ["00:00-24:00"] * 7),
        ("it opens daily from 9 a.m. to 5 p.m.", "hours-text-read", DAILY),
        ("09:00-17:00 daily", "hours-text-read", DAILY),
        ("from 9 a.m. to 5 p.m.", "hours-no-days", DAILY),
        ("it opens normally daily from 9 a.m. to 5 p.m.", "hours-hedged", DAILY),
        ("from 12 to 5 p.m. on sunday", "hours-suffix-borrowed", ["", "", "", "", "", "", "12:00-17:00"]),
        ("10 to 5 p.m. on sunday", "hours-suffix-borrowed", ["", "", "", "", "", "", "10:00-17:00"]),
        ("noon to midnight friday and saturday", "hours-text-read", ["", "", "", "", "12:00-24:00", "12:00-24:00", ""]),
        ("from 10:30 p.m. to 03:30 a.m on thursday", "hours-past-midnight", ["", "", "", "22:30-27:30", "", "", ""]),
        ("from 9 a.m. to 1 p.m. from saturday to monday", "hours-text-read",
         ["09:00-13:00", "", "", "", "", "09:00-13:00", "09:00-13:00"]),
        ("it opens on monday from 9 p.m. to 2 a.m.. it is closed on tuesday. from wednesday to sunday it opens from "
         "9 p.m. to 2 a.m.", "hours-text-read", ["21:00-26:00", "", *["21:00-26:00"] * 5]),
        ("from 9 a.m. to 5 p.m. every day except wednesday when it opens from 10 a.m. to 8 p.m.", "hours-text-read",
         ["09:00-17:00", "09:00-17:00", "10:00-20:00", *["09:00-17:00"] * 4]),
        ("on sunday, monday and bank holidays it opens from 1 p.m. to 5 p.m.", "hours-holidays",
         ["13:00-17:00", "", "", "", "", "", "13:00-17:00"]),
        ("tuesday 12 to 2 p.m. and 6 to 10 p.m.", "hours-text-read", ["", "12:00-14:00 18:00-22:00", *[""] * 5]),
    ],
)  # fmt: skip
def test_texts_that_are_understood(text: str, rule: str, week: list[str]) -> None:
    reading = read_hours_text(text)
    assert rule in reading.rules
    assert reading.hours is not None
    assert [
        " ".join(f"{a // 60:02}:{a % 60:02}-{b // 60:02}:{b % 60:02}" for a, b in d) for d in reading.hours.week
    ] == week


@pytest.mark.parametrize(
    ("text", "rule"),
    [
        ("it opens from may to september", "hours-seasonal"),
        ("daily from 9 a.m. to 5 p.m. except easter term", "hours-seasonal"),
        ("from 10 p.m. to 4 a.m. depending on whether there is an event", "hours-conditional"),
        ("at the social club from 9 p.m. to 11 p.m. on friday", "hours-unreadable"),
        ("9 to 5", "hours-unreadable"),
        ("monday", "hours-unreadable"),
        ("closed on monday", "hours-unreadable"),
        ("monday to 5 p.m.", "hours-unreadable"),
        ("from 25:00 to 26:00 daily", "hours-unreadable"),
        ("on monday 9 a.m. to 5 p.m., on monday 10 a.m. to 6 p.m.", "hours-unreadable"),
        ("from 9 a.m. to 1 p.m. and 12 p.m. to 5 p.m. daily", "hours-unreadable"),
        ("", "hours-unreadable"),
    ],
)
def test_texts_that_are_not_understood_leave_hours_unknown(text: str, rule: str) -> None:
    assert read_hours_text(text) == (None, (rule,))


@given(st.text(alphabet="0123456789:apm.,-&; mondayfrtu", max_size=60))
def test_no_text_is_too_odd(text: str) -> None:
    reading = read_hours_text(text)
    assert (reading.hours is None) == (
        len(reading.rules) == 1 and reading.rules[0] not in {"hours-text-read", "hours-always"}
    )


Damage = str | bytes


@pytest.mark.parametrize(
    ("content", "says"),
    [
        ('[{"id": 1,}]', "attraction_db.json:1: not JSON"),
        ('{"id": 1}', "holds dict, not a list"),
        ('[{"id": NaN}]', "the number NaN"),
        ('[{"id": 1, "id": 2}]', "the key 'id' twice"),
        (b"\xff\xfe", "not UTF-8"),
        ("[" * 100_000, "not JSON"),
    ],
)
def test_damaged_files_are_refused(tmp_path: Path, content: Damage, says: str) -> None:
    folder = write_folder(tmp_path)
    path = folder / "attraction_db.json"
    path.write_bytes(content if isinstance(content, bytes) else content.encode())
    with pytest.raises(GenError, match="fix:") as caught:
        import_world(folder)
    assert says in str(caught.value)
    assert caught.value.code is ExitCode.CONTENT


def test_missing_files_are_named_at_once(tmp_path: Path) -> None:
    folder = write_folder(tmp_path)
    (folder / "hotel_db.json").unlink()
    (folder / "train_db.json").unlink()
    with pytest.raises(GenError, match=r"missing hotel_db\.json, train_db\.json"):
        import_world(folder)
    with pytest.raises(GenError, match="no such folder"):
        import_world(folder / "nowhere")
    with pytest.raises(GenError, match="no row"):
        import_world(write_folder(tmp_path / "empty", [], [], [], []))


@pytest.mark.parametrize("hours", [[1], {"monday": 5}, {"moonday": {}}, {"monday": {"open": "9", "close": "5"}}, 17])
def test_hours_of_any_shape_end_as_unknown(tmp_path: Path, hours: object) -> None:
    rows = [restaurant(openhours=hours), restaurant(id="2", name="other")]
    world, report = import_world(write_folder(tmp_path, restaurants=rows))
    assert world.restaurants[0].hours is None
    assert report.count("hours-unreadable", "restaurant") == 1


JSON = st.recursive(
    st.none() | st.booleans() | st.integers(-10, 10**6) | st.floats(-100, 100) | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=4), inner, max_size=3),
    max_leaves=6,
)


def test_degrees_a_thousand_kilometres_off_are_no_location(tmp_path: Path) -> None:
    rows = [attraction(), attraction(id="2", name="other", location=[0, 11.5])]
    world, report = import_world(write_folder(tmp_path, attractions=rows))
    assert "other" not in [a.name.lower() for a in world.attractions]
    assert report.count("row-without-place", "attraction") == 1


@settings(max_examples=80, deadline=None)
@example(table="attraction", pick=4, value=[0, 11.5])
@given(table=st.sampled_from(["attraction", "hotel", "restaurant", "train"]), pick=st.integers(0, 20), value=JSON)
def test_any_value_in_any_field_is_met_by_a_rule(
    tmp_path_factory: pytest.TempPathFactory, table: str, pick: int, value: object
) -> None:
    row = {"attraction": attraction, "hotel": hotel, "restaurant": restaurant, "train": train}[table]()
    field = sorted(row)[pick % len(row)]
    row[field] = value
    folder = write_folder(tmp_path_factory.mktemp("any"), **{f"{table}s": [row]})
    world, report = import_world(folder)
    assert len(world.table(table)) == report.kept[table]  # type: ignore[arg-type]


def test_the_guide_lists_every_rule_as_it_is() -> None:
    guide = (Path(__file__).resolve().parents[1] / "docs" / "travel-world.md").read_text(encoding="utf-8")
    assert [f"| `{rule}` | {says} |" for rule, says in RULES.items() if f"| `{rule}` | {says} |" not in guide] == []
