"""Direction: the sector of a sight seen from a restaurant; yes and no even, headings even, histories true."""

from __future__ import annotations

import json
from collections import Counter
from datetime import date
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from support.draws import WORLDS, drawn_in, heard_in_every_setup, stage_of

from generator.content import default_root
from generator.records import Lang
from generator.scoring.read import read
from generator.seeds import stream
from generator.travel.answers import reply_say
from generator.travel.factory import load_knobs
from generator.travel.scene import Beat, Draft, HearingError, RedrawError, Scene, Stage, Told
from generator.travel.shown import PlaceRow, Rows, minutes
from generator.travel.tasks.direction import TASK, wanted_of
from generator.travel.tasks.errands import book_table, can_sleep, check_names, keys_for
from generator.travel.truth import direction
from generator.travel.truth.direction import HEADINGS, DirectionQuery
from generator.travel.truth.plane import Point
from generator.travel.wording import Say, Vocabulary, load_book, read_line, say
from generator.travel.world.schema import Hours, Restaurant, Span, with_fields

PROFILES = ("easy", "standard", "hard")
ROWS = Rows(
    places=(
        PlaceRow("restaurant", "R1", "Green Spoon", "West", "thai", Point(1000, 1000)),
        PlaceRow("attraction", "A1", "Hill Fort", "West", "fort", Point(1900, 1100)),
        PlaceRow("attraction", "A2", "Weir", "West", "weir", Point(1000, 300)),
    )
)


def stage(world: str) -> Stage:
    return stage_of(world, "direction")


def drawn(world: str, profile: str) -> tuple[tuple[Draft, DirectionQuery], ...]:
    return drawn_in("direction", "direction", world, profile)


def ask(x: str = "Hill Fort", r: str = "Green Spoon", h: str = "east") -> Say:
    return say("ask.direction", x=x, r=r, h=h)


def test_the_question_names_both_places_and_the_data_have_their_points() -> None:
    query = TASK.query(Told((ask(),), ROWS))
    assert query == DirectionQuery(Point(1900, 1100), Point(1000, 1000), "east")
    assert TASK.solve(query) == TASK.resolve(query) == "yes"
    assert TASK.solve(TASK.query(Told((ask(h="north-east"),), ROWS))) == "no"


DOUBTFUL = {
    "nothing asked": (),
    "two questions": (ask(), ask(h="north")),
    "a sight not shown": (ask(x="Elsewhere"),),
    "a restaurant not shown": (ask(r="Elsewhere"),),
    "a sight for a restaurant": (ask(r="Weir"),),
    "a restaurant for a sight": (ask(x="Green Spoon"),),
    "no heading": (ask(h="up"),),
}


@pytest.mark.parametrize("case", DOUBTFUL)
def test_what_is_open_is_not_guessed(case: str) -> None:
    with pytest.raises(HearingError):
        TASK.query(Told(DOUBTFUL[case], ROWS))


@pytest.mark.parametrize("world", WORLDS)
@pytest.mark.parametrize("profile", PROFILES)
def test_yes_and_no_are_even_and_so_are_headings(world: str, profile: str) -> None:
    cells = [draft.cell for draft, _ in drawn(world, profile)]
    assert Counter(c["class"] for c in cells) == {"yes": 20, "no": 20}
    for start in (0, 16):
        few = Counter((c["class"], c["heading"]) for c in cells[start : start + 16])
        assert set(few.values()) == {1} and len(few) == 16


@pytest.mark.parametrize("world", WORLDS)
@pytest.mark.parametrize("profile", PROFILES)
def test_draws_are_sound(world: str, profile: str) -> None:
    for draft, query in drawn(world, profile):
        assert TASK.edges(query) == () and direction.margin_deg(query) >= 10
        assert TASK.solve(query) == draft.cell["class"] and query.asked == draft.cell["heading"]
        assert TASK.alternatives(query).keys() == set(TASK.failures)
        assert len(draft.rows.of("restaurant")) > 1 and len(draft.rows.of("attraction")) > 1


@pytest.mark.parametrize("world", WORLDS)
def test_four_in_five_denied_directions_are_taken_for_yes_by_the_sign_alone(world: str) -> None:
    wrong = [TASK.alternatives(q) for d, q in drawn(world, "standard") if d.cell["class"] == "no"]
    assert sum(w["sign-only"] == "yes" for w in wrong) >= 16
    assert sum("yes" in (w["reversed"], w["axes-swapped"]) for w in wrong) >= 4
    affirmed = [TASK.alternatives(q) for d, q in drawn(world, "standard") if d.cell["class"] == "yes"]
    assert {w["reversed"] for w in affirmed} == {"no"}
    assert sum(w["axes-swapped"] == "no" for w in affirmed) >= 12


@given(number=st.integers(0, 10_000), turned=st.integers(0, 7))
def test_sectors_wanted_fit_the_reply(number: int, turned: int) -> None:
    wanted = wanted_of(number, turned)
    at = HEADINGS.index(wanted.asked)
    assert wanted.sectors and (at in wanted.sectors) == (wanted.reply == "yes")
    assert wanted_of(number + 80, turned) == wanted


@pytest.mark.parametrize("world", WORLDS)
def test_a_table_is_booked_when_the_restaurant_is_open_and_then_said_to_be(world: str) -> None:
    for draft, _ in drawn(world, "standard"):
        (today,) = (s["date"] for s in draft.today)
        booking = draft.beats[1]
        wish, call, claim = booking.user[0], booking.calls[0], booking.assistant[0]
        given = json.loads(call.arguments)
        row = next(r for r in stage(world).world.restaurants if r.name == given["restaurant"])
        when = date.fromisoformat(given["date"])
        assert row.hours is not None and json.loads(call.result)["ok"]
        assert all(row.hours.is_open(when.weekday(), minutes(given["time"]) + late) for late in (0, 60))
        assert 0 < when.toordinal() - int(str(today)) <= 7
        assert (claim.kind, claim.args) == ("booked.table", wish.args)
        assert (wish["r"], wish["date"], wish["g"]) == (given["restaurant"], when.toordinal(), given["people"])
        assert wish["r"] == draft.says[-1]["r"]


def restaurant(hours: Hours | None) -> Restaurant:
    return with_fields(stage("en").restaurants[0], hours=hours)


def week(*day: Span) -> Hours:
    return Hours(week=(day,) * 7)


@settings(deadline=None, max_examples=40)
@given(opens=st.integers(0, 86), length=st.integers(5, 60), seed=st.integers(0, 99))
def test_no_table_is_booked_for_less_than_an_hour(opens: int, length: int, seed: int) -> None:
    place = restaurant(week(Span(15 * opens, min(15 * (opens + length), 1440))))
    scene = Scene(_with(place), 739_800, 600)
    try:
        beat = book_table(scene, place, Random(seed))
    except RedrawError:
        return
    start = int(str(beat.user[0]["t"]))
    assert 15 * opens <= start and start + 60 < min(15 * (opens + length), 1440)


def _with(place: Restaurant) -> Stage:
    world = with_fields(stage("en").world, restaurants=(place,), attractions=(), hotels=(), trains=())
    return Stage("w1", world, stage("en").book)


@pytest.mark.parametrize("hours", [None, week(), week(Span(0, 300)), week(Span(700, 730))])
def test_a_restaurant_that_cannot_be_booked_is_drawn_again(hours: Hours | None) -> None:
    place = restaurant(hours)
    with pytest.raises(RedrawError):
        book_table(Scene(_with(place), 739_800, 600), place, Random(1))


def test_names_that_two_places_share_or_that_hold_another_are_drawn_again() -> None:
    desk, row = stage("en").desk, stage("en").restaurants[0]
    call = desk.call("search_restaurants", {"name": row.name})
    twin = PlaceRow("attraction", "A99", row.name.upper(), "West", "fort", Point(0, 0))
    check_names(stage("en"), [call, call], ["Weir", "Hill Fort"])
    with pytest.raises(RedrawError):
        check_names(stage("en"), [call, call._replace(rows=Rows(places=(twin,)))])
    with pytest.raises(RedrawError):
        check_names(stage("en"), [call], ["Weir", "The weir house"])


def test_searches_for_a_place_show_as_many_rows_as_they_may() -> None:
    for hotel in stage("en").hotels:
        assert can_sleep(hotel) == any(room.sleeps > 1 for room in hotel.rooms)
        for area, kind in keys_for(stage("en"), "hotel", hotel, (2, 5)):
            given = {k: v for k, v in (("area", area), ("kind", kind)) if v}
            rows = stage("en").desk.call("search_hotels", given).rows
            assert rows is not None and 2 <= len(rows.places) <= 5 and rows.place(hotel.name)


@pytest.mark.parametrize("lang", ["en", "zh"])
def test_every_setup_says_what_was_drawn(lang: str) -> None:
    for made, query in heard_in_every_setup(TASK, stage(lang)):
        assert {"holds": int(TASK.solve(query) == "yes")} == made.answer


@pytest.mark.parametrize("lang", ["en", "zh"])
def test_every_wording_reads_back_and_every_reply_is_read(lang: Lang) -> None:
    book = load_book(default_root(), lang, "CNY" if lang == "zh" else "GBP")
    for turn, heading in ((t, h) for t in range(12) for h in HEADINGS):
        line = book.line(ask(h=heading), Random(turn))
        heard = read_line(book, line.text, Vocabulary(place=frozenset(["Hill Fort", "Green Spoon"])))
        assert heard is not None and heard.say == ask(h=heading) and heard.role == "question"
    for turn, reply in ((t, r) for t in range(8) for r in ("yes", "no")):
        assert read("yesno", book.line(reply_say("yesno", reply), Random(turn)).text, lang=lang) == reply


def test_draws_repeat_byte_for_byte() -> None:
    knobs = load_knobs(default_root(), TASK, "standard")
    beats: list[tuple[Beat, ...]] = []
    for _ in range(2):
        scene = Scene(Stage("w0", stage("en").world, stage("en").book), 739_800, 600)
        beats.append(TASK.draw(scene, knobs, 3, stream(1, "again", "s2")).beats)
    assert beats[0] == beats[1]
