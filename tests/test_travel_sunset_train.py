"""Sunset train: sunset is heard or reckoned from what is said, with a margin; no place in the list is the answer's."""

from __future__ import annotations

import datetime as dt
import json
from collections import Counter
from dataclasses import replace
from functools import cache

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from support.draws import WORLDS, stage_of

from generator.content import default_root
from generator.seeds import stream
from generator.travel.factory import load_knobs
from generator.travel.hearing import hear
from generator.travel.instance import draw_sound, make_instance
from generator.travel.prompts import open_stationery
from generator.travel.scene import Draft, HearingError, RedrawError, Scene, Stage, Told
from generator.travel.setups import SETUPS
from generator.travel.shown import Rows, TrainRow, clock
from generator.travel.tasks.sunset_train import NEAR_GIVEN, NEAR_WITHHELD, TASK, Daylight, Knobs
from generator.travel.truth import sunset_train
from generator.travel.truth.sunset_train import Ride
from generator.travel.wording import Say, say
from generator.travel.world.clock import sunset
from generator.travel.world.schema import Sky

PROFILES = ("easy", "standard", "hard")
DATE = dt.date(2026, 6, 16)  # a Tuesday in summer time
DAYS = (dt.date(2026, 3, 1).toordinal(), dt.date(2027, 10, 31).toordinal())
TODAY = say("today", date=DATE.toordinal(), now=600)
WANTED, EARLIEST = say("want.train-today", a="Ely", b="Far End"), say("leave.after", t=700)
SETS = say("sun.sets", t=1000)
PLACE, AHEAD = say("sun.place", lat=524_100, lon=-11_200), say("sun.clock", z=60, s="ahead")
TIMES = ((640, 690), (720, 760), (780, 830), (845, 895), (905, 955), (950, 1020), (1010, 1060))
TRAINS = tuple(TrainRow(f"T{n}", "Ely", "Far End", 1, a, b, ()) for n, (a, b) in enumerate(TIMES))
ASKED = (TODAY, WANTED, EARLIEST)


def told(*says: Say, trains: tuple[TrainRow, ...] = TRAINS) -> Told:
    return Told(says, Rows(trains=trains))


def stage(world: str) -> Stage:
    return stage_of(world, "sunset", "standard", "train")


@cache
def drawn(world: str, profile: str, count: int = 42) -> tuple[tuple[Scene, Draft, Daylight], ...]:
    return tuple(draw(world, load_knobs(default_root(), TASK, profile), number) for number in range(count))


def draw(world: str, knobs: Knobs, number: int) -> tuple[Scene, Draft, Daylight]:
    # A date on which no route has a gap around sunset is given up, as builds do.
    for attempt in range(4):
        rng = stream(1, f"{world}/{number}/{attempt}", "s2")
        scene = Scene(stage(world), rng.randint(*DAYS), rng.randint(420, 1260))
        try:
            return (scene, *draw_sound(TASK, scene, knobs, number, rng))
        except RedrawError:
            continue
    raise AssertionError(f"nothing for {world} {number}")


def test_the_query_is_what_was_said() -> None:
    query = TASK.query(told(*ASKED, SETS))
    assert query == Daylight(tuple(Ride(a, b) for a, b in TIMES), 1000, 700, NEAR_GIVEN)
    assert TASK.solve(query) == TASK.resolve(query) == 905
    assert TASK.edges(query) == ()


def test_sunset_is_reckoned_from_what_is_said() -> None:
    query = TASK.query(told(*ASKED, PLACE, AHEAD))
    assert (query.sunset_min, query.near_min) == (21 * 60 + 28, NEAR_WITHHELD)
    winter = say("today", date=dt.date(2026, 12, 15).toordinal(), now=600)
    query = TASK.query(told(winter, WANTED, EARLIEST, PLACE, say("sun.clock", z=0, s="ahead")))
    assert query.sunset_min == 15 * 60 + 50


@settings(deadline=None, max_examples=80)
@given(day=st.integers(*DAYS), lat=st.integers(-550_000, 550_000), zone=st.integers(-8, 8), off=st.integers(-40, 40))
def test_reckoning_takes_the_offset_said_for_what_holds_today(day: int, lat: int, zone: int, off: int) -> None:
    lon, minutes = 10_000 * (15 * zone) + off * 1000, 60 * zone
    says = (
        say("today", date=day, now=0),
        WANTED,
        EARLIEST,
        say("sun.place", lat=lat, lon=lon),
        say("sun.clock", z=abs(minutes), s="behind" if minutes < 0 else "ahead"),
    )
    trains = tuple(t._replace(day=(day - 1) % 7) for t in TRAINS)
    sky = Sky(latitude_e4=lat, longitude_e4=lon, utc_offset=minutes)
    assert TASK.query(told(*says, trains=trains)).sunset_min == sunset(sky, dt.date.fromordinal(day))


DOUBTFUL = {
    "no date": told(WANTED, EARLIEST, SETS),
    "two dates": told(*ASKED, say("today", date=DATE.toordinal() + 7, now=600), SETS),
    "another weekday": told(say("today", date=DATE.toordinal() + 1, now=600), WANTED, EARLIEST, SETS),
    "no route": told(TODAY, EARLIEST, SETS),
    "another route": told(TODAY, say("want.train-today", a="Far End", b="Ely"), EARLIEST, SETS),
    "no earliest departure": told(TODAY, WANTED, SETS),
    "two earliest departures": told(*ASKED, say("leave.after", t=800), SETS),
    "no sun": told(*ASKED),
    "two sunsets": told(*ASKED, SETS, say("sun.sets", t=1001)),
    "a place without a clock": told(*ASKED, PLACE),
    "a clock without a place": told(*ASKED, AHEAD),
    "two places": told(*ASKED, PLACE, say("sun.place", lat=0, lon=0), AHEAD),
    "a sunset and a place": told(*ASKED, SETS, PLACE, AHEAD),
    "a place where it may not set": told(*ASKED, say("sun.place", lat=690_000, lon=0), AHEAD),
}


@pytest.mark.parametrize("case", DOUBTFUL)
def test_what_is_open_or_contradictory_is_not_guessed(case: str) -> None:
    with pytest.raises(HearingError):
        TASK.query(DOUBTFUL[case])


@pytest.mark.parametrize(
    ("change", "edge"),
    [
        ({"sunset_min": 955}, "near-sunset"),  # the very minute is too late, and too near to ask for
        ({"sunset_min": 952}, "near-sunset"),
        ({"sunset_min": 990, "near_min": NEAR_WITHHELD, "rides": (Ride(900, 976), Ride(960, 1030))}, "near-sunset"),
        ({"sunset_min": 700}, "no-train"),
        ({"sunset_min": 1064}, "last-is-right"),
        ({"sunset_min": 770}, "first-is-right"),
        ({"sunset_min": 902}, "departs-before-sunset-is-right"),
        ({"rides": (*(Ride(a, b) for a, b in TIMES), Ride(915, 950))}, "overtaking"),
        ({"sunset_min": 1040, "near_min": NEAR_WITHHELD, "earliest_min": 900}, None),
        ({"sunset_min": 990, "near_min": NEAR_WITHHELD, "rides": (Ride(700, 760), Ride(800, 860), Ride(980, 1040))},
         "clock-change-ignored-is-right"),
    ],
)  # fmt: skip
def test_edges(change: dict[str, object], edge: str | None) -> None:
    query = replace(TASK.query(told(*ASKED, SETS)), **change)
    assert (TASK.edges(query) == ()) if edge is None else (edge in TASK.edges(query))


@pytest.mark.parametrize("world", WORLDS)
@pytest.mark.parametrize("profile", PROFILES)
def test_draws_are_sound_and_no_failure_is_right(world: str, profile: str) -> None:
    guesses = 0
    for number, (scene, draft, query) in enumerate(drawn(world, profile)):
        right, wrong = TASK.solve(query), TASK.alternatives(query)
        assert wrong.keys() == set(TASK.failures)
        assert right is not None and TASK.edges(query) == ()
        ruled = ("departs-before-sunset", "first", "last", "first-too-late", "one-too-early", "arrival-said")
        assert all(wrong[name] not in (None, right) for name in ruled)
        is_given = draft.cell["sunset"] == "given"
        assert query.near_min == (NEAR_GIVEN if is_given else NEAR_WITHHELD)
        assert query.sunset_min == sunset(scene.stage.world.sky, dt.date.fromordinal(scene.today))
        guesses += wrong["hour-before-sunset"] == right
        assert not (is_given and number % 4 and wrong["hour-before-sunset"] == right)
    assert guesses < 16


@pytest.mark.parametrize("world", WORLDS)
@pytest.mark.parametrize("profile", PROFILES)
def test_no_place_in_the_list_is_the_usual_one(world: str, profile: str) -> None:
    low, high = load_knobs(default_root(), TASK, profile).places
    places = Counter(draft.cell["place"] for _, draft, _ in drawn(world, profile))
    assert {int(p) for p in places} == set(range(low, high + 1))
    assert max(places.values()) - min(places.values()) <= 1
    for _, draft, query in drawn(world, profile):
        shown = [r.departs_min for r in query.rides if r.departs_min >= query.earliest_min]
        right = sunset_train.solve(query)
        assert right is not None and shown.index(right) == int(draft.cell["place"])


def test_withheld_sunsets_meet_every_place() -> None:
    cells = Counter((d.cell["place"], d.cell["sunset"]) for _, d, _ in drawn("en", "hard"))
    assert sum(n for (_, sun), n in cells.items() if sun == "withheld") == 14
    assert {place for place, sun in cells if sun == "withheld"} == {str(n) for n in range(1, 8)}
    assert not [d for _, d, _ in drawn("en", "standard") if d.cell["sunset"] == "withheld"]


@pytest.mark.parametrize("world", WORLDS)
def test_trains_that_arrive_in_the_hour_they_leave_in_are_not_lost(world: str) -> None:
    knobs = Knobs(places=(1, 3), withheld_every=0)
    hours = Counter(draw(world, knobs, number)[1].cell["hours"] for number in range(150))
    assert hours["one"] >= 3 and hours["two"] >= 3


@pytest.mark.parametrize("world", WORLDS)
@pytest.mark.parametrize("profile", PROFILES)
def test_the_call_is_what_the_user_wants_and_shows_all_of_it(world: str, profile: str) -> None:
    for scene, draft, query in drawn(world, profile):
        said = Told((*draft.today, *draft.says), draft.rows)
        (call,) = (c for beat in draft.beats for c in beat.calls)
        earliest, wanted = said.one("leave.after")["t"], said.one("want.train-today")
        weekday = scene.stage.book.words.weekdays[scene.weekday]
        route = {"origin": wanted["a"], "destination": wanted["b"], "day": weekday, "after": clock(query.earliest_min)}
        assert json.loads(call.arguments) == route
        of_day = scene.stage.trains[str(wanted["a"]), str(wanted["b"]), scene.weekday]
        assert [t.departs for t in draft.rows.trains] == [t.departs for t in of_day if t.departs >= query.earliest_min]
        assert said.one("today")["now"] <= earliest  # type: ignore[operator]
        assert query.earliest_min % 5 == 0


@pytest.mark.parametrize("lang", ["en", "zh"])
def test_every_setup_says_what_was_drawn(lang: str) -> None:
    scene = stage(lang)
    kit = open_stationery(default_root(), scene.book, [TASK.domains])
    knobs = Knobs(places=(1, 2), withheld_every=2)
    heard_of = Counter[str]()
    for number in range(12):
        try:
            made = make_instance(TASK, scene, knobs, number, 5, f"hear/{number}", DAYS)
        except RedrawError:
            continue
        heard_of[made.cell["sunset"]] += 1
        for setup in SETUPS.values():
            heard = hear(kit, setup(made, kit).messages)
            assert heard.unread == ()
            assert {"departs": TASK.solve(heard.query())} == made.answer
    assert heard_of["given"] == 6 and heard_of["withheld"] >= 3


def test_the_answer_rests_on_what_is_said_of_the_sun_not_on_the_world() -> None:
    knobs = Knobs(places=(1, 3), withheld_every=1)
    _, draft, query = draw("en", knobs, 0)
    moved = tuple(say("sun.clock", z=360, s="ahead") if s.kind == "sun.clock" else s for s in draft.today)
    said = Told((*moved, *draft.says), draft.rows)
    assert TASK.query(said).sunset_min - query.sunset_min in range(290, 365)
    assert sunset_train.solve(TASK.query(said)) != sunset_train.solve(query)
