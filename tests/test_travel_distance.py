"""Distance: a straight line between two places named; every band in turn; no wrong way comes close to the answer."""

from __future__ import annotations

import json
from collections import Counter
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st
from support.draws import WORLDS, drawn_in, heard_in_every_setup, stage_of

from generator.content import default_root
from generator.records import Lang
from generator.scoring.read import read
from generator.travel.answers import reply_say
from generator.travel.scene import Draft, HearingError, RedrawError, Scene, Stage, Told
from generator.travel.shown import PlaceRow, Rows
from generator.travel.tasks.distance import BANDS, TASK
from generator.travel.tasks.errands import book_rooms
from generator.travel.truth.distance import DistanceQuery
from generator.travel.truth.plane import Point
from generator.travel.wording import Say, Vocabulary, load_book, read_line, say
from generator.travel.world.schema import with_fields
from generator.travel.world.town import Size

PROFILES = ("easy", "standard", "hard")
ROWS = Rows(
    places=(
        PlaceRow("hotel", "H1", "Mill Inn", "West", "hotel", Point(1000, 1000)),
        PlaceRow("restaurant", "R1", "Green Spoon", "West", "thai", Point(1300, 600)),
        PlaceRow("attraction", "A1", "Weir", "West", "weir", Point(0, 0)),
    )
)
WAYS = ("city-blocks", "longer-side", "shorter-side", "from-origin")


def stage(world: str, size: Size = "standard") -> Stage:
    return stage_of(world, "distance", size)


def drawn(world: str, profile: str, size: Size = "standard") -> tuple[tuple[Draft, DistanceQuery], ...]:
    return drawn_in("distance", "distance", world, profile, size)


def ask(h: str = "Mill Inn", r: str = "Green Spoon") -> Say:
    return say("ask.distance", h=h, r=r)


def test_the_distance_is_the_straight_line_between_the_two_named() -> None:
    query = TASK.query(Told((ask(),), ROWS))
    assert query == DistanceQuery(Point(1000, 1000), Point(1300, 600))
    assert TASK.solve(query) == TASK.resolve(query) == 500


DOUBTFUL = {
    "nothing asked": (),
    "two questions": (ask(), ask(r="Elsewhere")),
    "a hotel not shown": (ask(h="Elsewhere"),),
    "a restaurant not shown": (ask(r="Elsewhere"),),
    "a sight for a restaurant": (ask(r="Weir"),),
    "the two exchanged": (ask(h="Green Spoon", r="Mill Inn"),),
}


@pytest.mark.parametrize("case", DOUBTFUL)
def test_what_is_open_is_not_guessed(case: str) -> None:
    with pytest.raises(HearingError):
        TASK.query(Told(DOUBTFUL[case], ROWS))


@given(x=st.integers(-4000, 4000), y=st.integers(-4000, 4000), east=st.integers(0, 6000), north=st.integers(0, 6000))
def test_an_answer_that_a_wrong_way_comes_close_to_is_an_edge(x: int, y: int, east: int, north: int) -> None:
    query = DistanceQuery(Point(east, north), Point(east + x, north + y))
    metres, wrong = int(str(TASK.solve(query))), TASK.alternatives(query)
    close = any(100 * abs(int(str(wrong[way])) - metres) <= 3 * metres for way in WAYS)
    assert bool(TASK.edges(query)) == (close or metres < 50 or 0 in (x, y))


@pytest.mark.parametrize("world", WORLDS)
@pytest.mark.parametrize("profile", PROFILES)
def test_draws_are_sound_and_bands_are_even(world: str, profile: str) -> None:
    bands = {band.name: band for band in BANDS}
    for draft, query in drawn(world, profile):
        metres, wrong = int(str(TASK.solve(query))), TASK.alternatives(query)
        band = bands[draft.cell["band"]]
        assert band.least - 1 <= metres <= band.most and metres < 10_000
        assert all(abs(int(str(wrong[way])) - metres) > 0.03 * metres for way in WAYS)
        assert wrong.keys() == set(TASK.failures)
        assert len(draft.rows.of("hotel")) > 1 and len(draft.rows.of("restaurant")) > 1
    assert set(Counter(draft.cell["band"] for draft, _ in drawn(world, profile)).values()) == {10}


@pytest.mark.parametrize("world", WORLDS)
def test_no_constant_earns_much(world: str) -> None:
    metres = sorted(int(str(TASK.solve(query))) for _, query in drawn(world, "standard"))
    closeness = max(sum(1 / (1 + abs(m - guess) / 500) for m in metres) / len(metres) for guess in metres)
    assert closeness < 0.5
    assert Counter(metres).most_common(1)[0][1] <= 4


@pytest.mark.parametrize("lang", ["en", "zh"])
def test_a_small_town_gives_the_nearest_band_it_has(lang: str) -> None:
    assert len(drawn(lang, "standard", "small")) == 40


@pytest.mark.parametrize("world", WORLDS)
def test_a_room_is_booked_that_the_hotel_has_for_as_many_as_it_sleeps(world: str) -> None:
    for draft, _ in drawn(world, "standard"):
        (today,) = (int(str(s["date"])) for s in draft.today)
        booking = draft.beats[1]
        wish, call, claim = booking.user[0], booking.calls[0], booking.assistant[0]
        row = draft.rows.place(str(wish["h"]))
        assert row is not None and json.loads(call.result)["ok"]
        room = row.room(str(wish["r"]))
        assert room is not None and 2 <= int(str(wish["g"])) <= room[1] and int(str(wish["n"])) > 2
        assert claim.kind == "booked.rooms" and set(claim.args) == {a for a in wish.args if a[0] != "g"}
        assert int(str(wish["date"])) > today
        given = json.loads(call.arguments)
        assert given["rooms"] == [{"room": wish["r"], "guests": wish["g"]}] and given["nights"] == wish["n"]
        assert draft.says[-1]["h"] == given["hotel"]


def test_a_hotel_of_single_rooms_is_not_booked() -> None:
    hotel = stage("en").hotels[0]
    single = with_fields(hotel, rooms=(with_fields(hotel.rooms[0], kind="single", sleeps=1),))
    with pytest.raises(RedrawError):
        book_rooms(Scene(stage("en"), 739_800, 600), single, Random(1))


@pytest.mark.parametrize("lang", ["en", "zh"])
def test_every_setup_says_what_was_drawn(lang: str) -> None:
    for made, query in heard_in_every_setup(TASK, stage(lang)):
        assert {"metres": TASK.solve(query)} == made.answer


@pytest.mark.parametrize("lang", ["en", "zh"])
def test_every_wording_reads_back_and_every_reply_is_read(lang: Lang) -> None:
    book = load_book(default_root(), lang, "CNY" if lang == "zh" else "GBP")
    for turn in range(30):
        line = book.line(ask(), Random(turn))
        heard = read_line(book, line.text, Vocabulary(place=frozenset(["Mill Inn", "Green Spoon"])))
        assert heard is not None and heard.say == ask() and heard.role == "question"
        reply = book.line(reply_say("distance", 60 * turn + 51), Random(turn)).text
        assert read("distance", reply, lang=lang) == 60 * turn + 51
        assert read("distance", line.text, lang=lang) is None
