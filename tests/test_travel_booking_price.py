"""Booking price: who sleeps where and when is read from names; forgetting a rule costs; traps are traps."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from itertools import combinations
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from support.draws import DAYS, WORLDS, drawn_in, stage_of

from generator.content import default_root
from generator.records import Lang
from generator.travel.factory import load_knobs
from generator.travel.hearing import hear
from generator.travel.instance import make_instance
from generator.travel.prompts import open_stationery
from generator.travel.scene import Draft, HearingError, Stage, Told
from generator.travel.setups import SETUPS
from generator.travel.shown import PlaceRow, Rows
from generator.travel.tasks.booking_price import SHIFTS, TASK
from generator.travel.truth import booking_price
from generator.travel.truth.booking_price import Booking, Room, Shift
from generator.travel.truth.plane import Point
from generator.travel.wording import Say, Vocabulary, load_book, read_line, say
from generator.travel.wording.slots import make_slots

PROFILES = ("easy", "standard", "hard")
INN = PlaceRow(
    "hotel", "H1", "Mill Inn", "West", "hotel", Point(0, 0),
    rooms=(("single", 1, 5000), ("double", 2, 7000), ("family", 4, 11_000)),
)  # fmt: skip
ROOMS = (
    say("room.shared", who=("Ben", "I"), r="double"),
    say("room.alone", p="Cara", r="single"),
    say("room.shared", who=("Dan", "Meg", "Tom"), r="family"),
)
CHOICE, NIGHTS = say("take.hotel", h="Mill Inn"), say("stay.nights", n=4)


def other(kind: str, n: int, *who: str) -> Say:
    return say(f"guest.{kind}", who=who, n=n)


def told(*others: Say, rooms: tuple[Say, ...] = ROOMS, rest: tuple[Say, ...] = (CHOICE, NIGHTS)) -> Told:
    return Told((*rest, *rooms, *others), Rows(places=(INN,)))


def stage(world: str) -> Stage:
    return stage_of(world, "booking", "standard", "train")


def drawn(world: str, profile: str, count: int = 40) -> tuple[tuple[Draft, Booking], ...]:
    return drawn_in("booking-price", "booking", world, profile, "standard", "train", count)


def test_the_booking_is_what_was_said() -> None:
    booking = TASK.query(told(other("later", 1, "Ben"), other("stays-on", 2, "Cara"), other("leaves", 1, "Dan", "Tom")))
    assert booking == Booking(
        4,
        (Room("double", 7000, 2), Room("single", 5000, 1), Room("family", 11_000, 3)),
        (Shift(0, 0, 1, 0), Shift(1, 0, 0, 2), Shift(2, 0, 0, -1), Shift(2, 2, 0, -1)),
    )
    assert TASK.solve(booking) == TASK.resolve(booking) == 4 * 7000 + 6 * 5000 + 4 * 11_000


@pytest.mark.parametrize(
    ("others", "nights"),
    [
        ((other("later", 1, "Ben"),), 4),
        ((other("later", 1, "Ben", "I"),), 3),
        ((other("later", 1, "Ben"), other("later", 2, "I")), 3),
        ((other("later", 3, "Ben"), other("leaves", 1, "I")), 4),
        ((other("earlier", 2, "I"),), 6),
        ((other("stays-on", 1, "Ben"), other("earlier", 1, "Ben")), 6),
        ((other("leaves", 1, "Ben", "I"), other("later", 1, "Ben", "I")), 2),
    ],
)
def test_a_room_is_paid_for_while_somebody_stays(others: tuple[Say, ...], nights: int) -> None:
    booking = TASK.query(told(*others, rooms=ROOMS[:1]))
    assert TASK.solve(booking) == TASK.resolve(booking) == nights * 7000


DOUBTFUL = {
    "no hotel": told(rest=(NIGHTS,)),
    "two hotels": told(rest=(CHOICE, say("take.hotel", h="Elsewhere"), NIGHTS)),
    "a hotel not shown": told(rest=(say("take.hotel", h="Elsewhere"), NIGHTS)),
    "no nights": told(rest=(CHOICE,)),
    "nights twice": told(say("stay.nights", n=3)),
    "no rooms": told(rooms=()),
    "a room said twice": told(rooms=(*ROOMS, ROOMS[0])),
    "one person in two rooms": told(rooms=(*ROOMS, say("room.alone", p="Ben", r="single"))),
    "one person twice in a room": told(rooms=(say("room.shared", who=("Ben", "Ben"), r="double"),)),
    "more guests than it sleeps": told(rooms=(say("room.shared", who=("Ben", "I", "Cara"), r="double"),)),
    "a kind of room it has not": told(rooms=(say("room.alone", p="Ben", r="suite"),)),
    "an unknown person": told(other("later", 1, "Zoe")),
    "a date said twice": told(other("later", 1, "Ben"), other("later", 1, "Ben")),
    "two arrivals": told(other("later", 1, "Ben"), other("earlier", 1, "Ben")),
    "no night left": told(other("later", 4, "Ben")),
    "no night left between": told(other("later", 2, "Ben"), other("leaves", 2, "Ben")),
}


@pytest.mark.parametrize("case", DOUBTFUL)
def test_what_is_open_or_contradictory_is_not_guessed(case: str) -> None:
    with pytest.raises(HearingError):
        TASK.query(DOUBTFUL[case])


def test_a_room_that_stands_empty_between_is_an_edge() -> None:
    gap = TASK.query(told(other("leaves", 3, "Ben"), other("later", 2, "I")))
    assert "stay-with-a-gap" in TASK.edges(gap)
    handed_over = TASK.query(told(other("leaves", 3, "Ben"), other("later", 1, "I")))
    assert "stay-with-a-gap" not in TASK.edges(handed_over)


def test_an_exception_without_effect_is_no_edge_but_a_harmless_failure_is() -> None:
    assert TASK.edges(TASK.query(told(other("later", 1, "Ben")))) == ()
    assert "each-exception-counts-is-right" in TASK.edges(TASK.query(told(other("later", 1, "Cara"))))
    assert "per-person-is-right" in TASK.edges(TASK.query(told(rooms=ROOMS[1:2])))


@pytest.mark.parametrize("world", WORLDS)
@pytest.mark.parametrize("profile", PROFILES)
def test_draws_are_sound_and_no_rule_may_be_forgotten(world: str, profile: str) -> None:
    for draft, booking in drawn(world, profile):
        total, wrong = booking_price.solve(booking), booking_price.alternatives(booking)
        assert wrong.keys() == set(TASK.failures)
        assert (wrong["exception-ignored"] == total) == (draft.cell["exception"] == "idle")
        assert all(wrong[n] != total for n in ("each-exception-counts", "per-person", "one-night-short"))
        assert all(wrong[n] != total for n in TASK.shortcuts)
        assert min(wrong.values()) > 0
        assert len(booking.rooms) >= 2 and len({r.kind for r in booking.rooms}) >= 2 and booking.shifts


@pytest.mark.parametrize("world", WORLDS)
@pytest.mark.parametrize("profile", PROFILES)
def test_one_in_four_has_exceptions_that_change_nothing(world: str, profile: str) -> None:
    cells = Counter(draft.cell["exception"] for draft, _ in drawn(world, profile))
    assert cells == {"idle": 10, "real": 30}
    rooms = Counter(draft.cell["rooms"] for draft, _ in drawn(world, profile))
    low, high = load_knobs(default_root(), TASK, profile).rooms
    assert {int(n) for n in rooms} == set(range(low, high + 1))


@pytest.mark.parametrize("world", WORLDS)
def test_the_hotel_is_one_of_several_and_the_user_sleeps_in_it_once(world: str) -> None:
    me = stage(world).book.words.me
    for draft, _ in drawn(world, "standard"):
        assert len(draft.rows.of("hotel")) > 1
        said = Told(draft.says, draft.rows)
        names = [n for s in said.all("room.shared", "room.alone") for n in (s.get("who") or (s["p"],))]  # type: ignore[union-attr]
        assert names.count(me) == 1 and len(set(names)) == len(names)


@pytest.mark.parametrize("world", WORLDS)
def test_every_fact_is_needed_but_for_the_exceptions_called_idle(world: str) -> None:
    for draft, booking in drawn(world, "standard"):
        for place, what in enumerate(draft.says):
            if not what.kind.startswith(("room.", "guest.", "stay.", "take.")):
                continue
            rest = Told((*draft.says[:place], *draft.says[place + 1 :]), draft.rows)
            try:
                changes = TASK.solve(TASK.query(rest)) != TASK.solve(booking)
            except HearingError:
                changes = True
            assert changes or what.kind in draft.idle


def test_who_comes_or_goes_and_how_varies() -> None:
    says = [s for draft, _ in drawn("en", "hard") for s in draft.says if s.kind in SHIFTS]
    assert {s.kind for s in says} == set(SHIFTS)
    sizes = Counter(len(s["who"]) for s in says)  # type: ignore[arg-type]
    assert sizes[1] > 5 and sizes[2] + sizes[3] + sizes[4] > 5


@pytest.mark.parametrize("lang", ["en", "zh"])
def test_every_setup_says_what_was_drawn(lang: str) -> None:
    scene = stage(lang)
    kit = open_stationery(default_root(), scene.book, [TASK.domains])
    knobs = load_knobs(default_root(), TASK, "hard")
    for number in range(8):
        made = make_instance(TASK, scene, knobs, number, 5, f"hear/{number}", DAYS)
        for setup in SETUPS.values():
            heard = hear(kit, setup(made, kit).messages)
            assert heard.unread == ()
            assert {"total": TASK.solve(heard.query())} == made.answer


@pytest.mark.parametrize("lang", ["en", "zh"])
def test_every_wording_reads_back(lang: Lang) -> None:
    book = load_book(default_root(), lang, "CNY" if lang == "zh" else "GBP")
    people = book.words.people
    for what in _sayings(people, book.words.me):
        for turn in range(24):
            line = book.line(what, Random(turn))
            read = read_line(book, line.text, Vocabulary(place=frozenset(["Mill Inn"])))
            assert read is not None and read.say == what and read.role == "fact"


def _sayings(people: tuple[str, ...], me: str) -> Iterator[Say]:
    for who in ((people[0],), (me,), (people[1], me), tuple(people[2:5])):
        for kind, n in ((k, n) for k in SHIFTS for n in (1, 2, 3)):
            yield say(kind, who=who, n=n)
        yield say("room.shared", who=who, r="family") if len(who) > 1 else say("room.alone", p=who[0], r="single")
    yield from (say("stay.nights", n=n) for n in (2, 7, 13))


@settings(deadline=None, max_examples=60)
@given(lang=st.sampled_from(["en", "zh"]), picks=st.lists(st.integers(0, 40), min_size=1, max_size=8, unique=True))
def test_lists_of_people_read_back(lang: Lang, picks: list[int]) -> None:
    words = load_book(default_root(), lang, "CNY").words
    names = tuple((*words.people, words.me)[n] for n in picks)
    slot = make_slots(words, "CNY")["people"]
    assert slot.read(slot.write(names)) == names


@pytest.mark.parametrize("lang", ["en", "zh"])
def test_no_name_is_hidden_in_another(lang: Lang) -> None:
    words = load_book(default_root(), lang, "CNY").words
    assert len(words.people) >= 40
    if lang == "zh":
        assert not [(a, b) for a, b in combinations((*words.people, words.me), 2) if a in b or b in a]
