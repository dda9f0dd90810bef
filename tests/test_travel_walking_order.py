"""Walking order: the shortest walk through the sights chosen; no short cut orders them right."""

from __future__ import annotations

from collections import Counter
from itertools import combinations
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from support.draws import WORLDS, drawn_in, heard_in_every_setup, stage_of

from generator.content import default_root
from generator.records import Lang
from generator.scoring.read import read
from generator.travel.answers import encode, reply_say
from generator.travel.factory import load_knobs
from generator.travel.scene import Draft, HearingError, Stage, Told
from generator.travel.shown import PlaceRow, Rows
from generator.travel.tasks.walking_order import TASK, _nearest_first
from generator.travel.truth import walking_order
from generator.travel.truth.plane import Point
from generator.travel.truth.walking_order import Stop, WalkQuery
from generator.travel.wording import Say, Vocabulary, load_book, read_line, say
from generator.travel.world.town import Size

PROFILES = ("easy", "standard", "hard")
ROWS = Rows(
    places=(
        PlaceRow("hotel", "H1", "Mill Inn", "West", "hotel", Point(0, 0)),
        PlaceRow("hotel", "H2", "Attic", "West", "hotel", Point(0, 900)),
        PlaceRow("attraction", "A1", "Weir", "West", "weir", Point(-300, 0)),
        PlaceRow("attraction", "A2", "Hill Fort", "West", "fort", Point(200, 0)),
        PlaceRow("attraction", "A3", "Barn", "West", "barn", Point(900, 0)),
    )
)
TAKEN, ASKED = say("take.hotel", h="Mill Inn"), say("ask.walking-order")


def visit(*names: str) -> Say:
    return say("visit.sights", x=names)


def stage(world: str, size: Size = "standard") -> Stage:
    return stage_of(world, "walking", size)


def drawn(world: str, profile: str, size: Size = "standard") -> tuple[tuple[Draft, WalkQuery], ...]:
    return drawn_in("walking-order", "walking", world, profile, size)


def test_the_walk_starts_at_the_hotel_taken_and_ends_at_the_last_sight() -> None:
    walk = TASK.query(Told((TAKEN, visit("Barn", "Weir", "Hill Fort"), ASKED), ROWS))
    assert walk.start == Point(0, 0) and TASK.candidates(walk) == ("Barn", "Weir", "Hill Fort")
    assert TASK.solve(walk) == TASK.resolve(walk) == ("Weir", "Hill Fort", "Barn")
    wrong = TASK.alternatives(walk)
    assert wrong["nearest-neighbour"] == ("Hill Fort", "Weir", "Barn") == wrong["by-distance-from-start"]
    assert wrong["reversed"] == ("Barn", "Hill Fort", "Weir")
    assert TASK.params(walk) == {"candidates": ["Barn", "Weir", "Hill Fort"]}


THREE = visit("Barn", "Weir", "Hill Fort")
DOUBTFUL = {
    "no hotel": (THREE, ASKED),
    "two hotels": (TAKEN, say("take.hotel", h="Attic"), THREE, ASKED),
    "a hotel not shown": (say("take.hotel", h="Elsewhere"), THREE, ASKED),
    "a sight for a hotel": (say("take.hotel", h="Weir"), THREE, ASKED),
    "no sights": (TAKEN, ASKED),
    "sights said twice": (TAKEN, THREE, visit("Weir", "Barn"), ASKED),
    "a sight named twice": (TAKEN, visit("Weir", "Barn", "Weir"), ASKED),
    "a sight not shown": (TAKEN, visit("Weir", "Elsewhere"), ASKED),
    "a hotel among the sights": (TAKEN, visit("Weir", "Attic"), ASKED),
    "no list": (TAKEN, say("visit.sights", x="Weir"), ASKED),
    "too many": (TAKEN, visit(*(f"S{n}" for n in range(12))), ASKED),
    "nothing asked": (TAKEN, THREE),
}


@pytest.mark.parametrize("case", DOUBTFUL)
def test_what_is_open_or_contradictory_is_not_guessed(case: str) -> None:
    more = tuple(PlaceRow("attraction", f"B{n}", f"S{n}", "West", "fort", Point(100 * n, 50)) for n in range(12))
    with pytest.raises(HearingError):
        TASK.query(Told(DOUBTFUL[case], Rows(places=(*ROWS.places, *more))))


def test_an_order_that_needs_no_thought_is_an_edge() -> None:
    named = TASK.query(Told((TAKEN, visit("Weir", "Hill Fort", "Barn"), ASKED), ROWS))
    assert TASK.edges(named) == ("as-named-is-right",)
    onwards = WalkQuery(Point(0, 0), (Stop("far", Point(900, 0)), Stop("near", Point(200, 0))))
    assert "by-distance-from-start-is-right" in TASK.edges(onwards)
    even = WalkQuery(Point(0, 0), (Stop("a", Point(300, 0)), Stop("b", Point(-300, 0))))
    assert TASK.edges(even) == ("near-second",)
    beside = WalkQuery(Point(0, 0), (Stop("a", Point(900, 0)), Stop("b", Point(900, 40)), Stop("c", Point(-300, 0))))
    assert "same-place" in TASK.edges(beside)


@settings(deadline=None, max_examples=80)
@given(
    points=st.lists(
        st.tuples(st.integers(0, 4000), st.integers(0, 4000)), min_size=2, max_size=5, unique=True
    )
)  # fmt: skip
def test_nearest_first_is_the_truths_nearest_neighbour(points: list[tuple[int, int]]) -> None:
    walk = WalkQuery(Point(2000, 2000), tuple(Stop(str(n), Point(*p)) for n, p in enumerate(points)))
    assert _nearest_first(walk) == walking_order.alternatives(walk)["nearest-neighbour"]
    assert sorted(TASK.solve(walk)) == sorted(TASK.candidates(walk))  # type: ignore[arg-type]


@pytest.mark.parametrize("world", WORLDS)
@pytest.mark.parametrize("profile", PROFILES)
def test_draws_are_sound_and_no_short_cut_is_right(world: str, profile: str) -> None:
    for number, (draft, walk) in enumerate(drawn(world, profile)):
        best, wrong = TASK.solve(walk), TASK.alternatives(walk)
        assert wrong.keys() == set(TASK.failures)
        assert all(wrong[name] != best for name in ("as-named", "by-distance-from-start", "reversed"))
        right = wrong["nearest-neighbour"] == best
        assert (draft.cell["nearest"] == "right") == right and (not right or number % 4 == 0)
        assert draft.cell["stops"] == str(len(walk.stops))
        assert len(draft.rows.of("attraction")) > len(walk.stops) and len(draft.rows.of("hotel")) > 1
        encoded = encode("order", best, TASK.candidates(walk))
        assert sorted(encoded.values()) == list(range(1, len(walk.stops) + 1))


@pytest.mark.parametrize("world", WORLDS)
@pytest.mark.parametrize("profile", PROFILES)
def test_numbers_of_stops_are_even(world: str, profile: str) -> None:
    least, most = load_knobs(default_root(), TASK, profile).stops
    counts = Counter(int(draft.cell["stops"]) for draft, _ in drawn(world, profile))
    assert set(counts) == set(range(least, most + 1))
    assert max(counts.values()) - min(counts.values()) <= 4


@pytest.mark.parametrize("world", WORLDS)
def test_no_two_searches_find_one_sight_and_no_name_holds_another(world: str) -> None:
    searches = Counter[int]()
    for draft, walk in drawn(world, "standard"):
        shown = [p.id for call in draft.beats for c in call.calls if c.rows for p in c.rows.of("attraction")]
        assert len(set(shown)) == len(shown)
        searches[sum(s.kind == "want.attractions" for s in draft.says)] += 1
        names = [n.casefold() for n in TASK.candidates(walk)]
        assert not [(a, b) for a, b in combinations(names, 2) if a in b or b in a]
        start = walk.start
        assert all(((s.point.x_m - start.x_m) ** 2 + (s.point.y_m - start.y_m) ** 2) <= 5000**2 for s in walk.stops)
    assert set(searches) == {1, 2}


@pytest.mark.parametrize("lang", ["en", "zh"])
def test_a_small_town_has_fewer_stops_rather_than_none(lang: str) -> None:
    assert len(drawn(lang, "standard", "small")) == 40


@pytest.mark.parametrize("world", WORLDS)
def test_every_fact_but_a_wish_to_look_up_is_needed(world: str) -> None:
    for draft, _ in drawn(world, "easy"):
        for kind in ("take.hotel", "visit.sights", "ask.walking-order"):
            with pytest.raises(HearingError):
                TASK.query(Told(tuple(s for s in draft.says if s.kind != kind), draft.rows))


@pytest.mark.parametrize("lang", ["en", "zh"])
def test_every_setup_says_what_was_drawn(lang: str) -> None:
    for made, query in heard_in_every_setup(TASK, stage(lang)):
        assert encode("order", TASK.solve(query), TASK.candidates(query)) == made.answer


@pytest.mark.parametrize("lang", ["en", "zh"])
def test_every_wording_reads_back_and_every_reply_is_read(lang: Lang) -> None:
    book = load_book(default_root(), lang, "CNY" if lang == "zh" else "GBP")
    lists = [("Weir", "Bed and Breakfast Museum", "Barn"), ("Barn", "Weir"), ("Kiln", "Barn", "Weir", "Loft", "Cave")]
    if lang == "zh":
        lists = [("望江观", "清和园", "白露园"), ("清和公园", "望江观"), ("甲园", "乙园", "丙园", "丁园", "戊园")]
    for turn, names in ((t, n) for t in range(24) for n in lists):
        line = book.line(visit(*names), Random(turn))
        heard = read_line(book, line.text, Vocabulary(place=frozenset(names)))
        assert heard is not None and heard.say == visit(*names) and heard.role == "fact"
        reply = book.line(reply_say("order", names), Random(turn)).text
        assert read("order", reply, lang=lang, candidates=sorted(names)) == list(names)
        question = book.line(ASKED, Random(turn))
        assert read_line(book, question.text, Vocabulary()) == question
