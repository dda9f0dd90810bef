"""The opening-hours task: what is read of it, what is drawn, and how its answers spread."""

from __future__ import annotations

from collections import Counter
from datetime import date
from functools import cache
from random import Random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from support import draws
from support.draws import imported_only
from support.travel import town

from generator.content import default_root
from generator.records import Lang
from generator.seeds import stream
from generator.travel.answers import encode
from generator.travel.factory import load_knobs
from generator.travel.hearing import hear
from generator.travel.instance import Instance, draw_sound, make_instance
from generator.travel.prompts import Stationery, open_stationery
from generator.travel.scene import HearingError, Scene, Stage, Told
from generator.travel.setups import SETUPS
from generator.travel.shown import PlaceRow, Rows
from generator.travel.tasks.opening_hours import TASK, TRAPS, edges, query
from generator.travel.tasks.opening_windows import RELATIONS, draw_window
from generator.travel.truth.allen import Interval, Relation, relate
from generator.travel.truth.opening_hours import HoursQuery, Place, relations
from generator.travel.truth.plane import Point
from generator.travel.wording import Say, load_book, say

DATES = (date(2026, 3, 1).toordinal(), date(2027, 10, 31).toordinal())
PROFILES = ("easy", "standard", "hard")
DAY = 1440
Week = tuple[tuple[tuple[int, int], ...], ...]
WANT = say("want.restaurants", area="Quay", kind="thai")
ALWAYS = (((660, 1320),),) * 7


@cache
def stage_of(lang: Lang) -> Stage:
    world = town(lang, "standard")
    return Stage("w0", world, load_book(default_root(), lang, world.currency))


def drawn(stage: Stage, number: int, profile: str = "standard") -> tuple[Any, HoursQuery]:
    scene = Scene(stage, DATES[0] + number, 600)
    knobs = load_knobs(default_root(), TASK, profile)
    return draw_sound(TASK, scene, knobs, number, stream(4, f"hours/{number}", "s2"))


def row(name: str, week: Week | None, area: str = "Quay", kind: str = "thai") -> PlaceRow:
    return PlaceRow("restaurant", name, name, area, kind, Point(0, 0), week=week)


def told(*says: Say, rows: tuple[PlaceRow, ...] = (row("Fig", ALWAYS), row("Oak", ALWAYS))) -> Told:
    return Told(says, Rows((), rows))


def solved(week: Week, day: int, start: int, end: int, least: int | None = None) -> bool:
    """Return whether one place with these hours is in the answer."""
    more = {} if least is None else {"m": least}
    asked = query(told(WANT, say("ask.opening-hours", d=day, a=start, b=end, **more), rows=(row("Fig", week),)))
    assert TASK.solve(asked) == TASK.resolve(asked)
    return TASK.solve(asked) == ("Fig",)


# --- reading ---


def test_the_window_is_heard_with_the_question_or_before_it() -> None:
    with_it = query(told(WANT, say("ask.opening-hours", d=4, a=720, b=900, m=60)))
    before = query(told(WANT, say("visit.window", d=4, a=720, b=900), say("ask.opening-hours", m=60)))
    assert with_it == before
    assert with_it.window == Interval(720, 900) and with_it.at_least_min == 60
    assert TASK.candidates(with_it) == ("Fig", "Oak") and TASK.params(with_it) == {"candidates": ["Fig", "Oak"]}


@pytest.mark.parametrize(
    "says",
    [
        (say("ask.opening-hours", d=4, a=720, b=900),),
        (WANT,),
        (WANT, say("ask.opening-hours")),
        (WANT, say("visit.window", d=4, a=720, b=900)),
        (
            WANT,
            say("visit.window", d=4, a=720, b=900),
            say("visit.window", d=5, a=720, b=900),
            say("ask.opening-hours"),
        ),
        (WANT, say("visit.window", d=4, a=720, b=900), say("ask.opening-hours", d=4, a=720, b=915)),
        (WANT, say("visit.window", d=4, a=720, b=900), say("ask.opening-hours"), say("ask.opening-hours", m=60)),
        (WANT, say("want.restaurants", kind="thai"), say("ask.opening-hours", d=4, a=720, b=900)),
        (say("want.restaurants", area="Hill"), say("ask.opening-hours", d=4, a=720, b=900)),
        (say("want.restaurants", kind="greek"), say("ask.opening-hours", d=4, a=720, b=900)),
        (WANT, say("ask.opening-hours", d=4, a=720, b=720)),
    ],
)
def test_what_is_missing_or_contradictory_is_not_guessed(says: tuple[Say, ...]) -> None:
    with pytest.raises(HearingError):
        query(told(*says))


def test_hours_that_are_not_shown_are_not_guessed() -> None:
    asked = say("ask.opening-hours", d=4, a=720, b=900)
    with pytest.raises(HearingError, match="Oak"):
        query(told(WANT, asked, rows=(row("Fig", ALWAYS), row("Oak", None))))
    with pytest.raises(HearingError):
        query(told(WANT, asked, rows=()))


def test_both_ends_count_as_open() -> None:
    assert solved(ALWAYS, 0, 660, 1320) and solved(ALWAYS, 0, 1200, 1320)
    assert not solved(ALWAYS, 0, 1200, 1335) and not solved(ALWAYS, 0, 645, 720)


def test_windows_and_openings_run_past_midnight_into_the_right_day() -> None:
    sunday_only: Week = (*((),) * 6, ((1080, DAY + 120),))
    assert solved(sunday_only, 6, 1320, 60) and not solved(sunday_only, 0, 1320, 60)
    # Sunday's night is Monday's early morning.
    assert solved(sunday_only, 0, 30, 90) and not solved(sunday_only, 6, 30, 90)
    monday_only: Week = (((540, 1200),), *((),) * 6)
    assert solved(monday_only, 6, 1380, 600, least=60) and not solved(monday_only, 6, 1380, 600)
    never_shut: Week = (((0, DAY),),) * 7
    assert solved(never_shut, 3, 1320, 180)


def test_minutes_of_several_openings_add_up() -> None:
    split: Week = (((660, 720), (780, 840)),) * 7
    assert solved(split, 0, 600, 900, least=120) and not solved(split, 0, 600, 900, least=135)
    assert not solved(split, 0, 660, 840)


# --- windows ---


@given(st.integers(24, 90), st.integers(6, 60), st.sampled_from(RELATIONS), st.booleans(), st.integers())
def test_a_window_has_the_relation_it_is_drawn_for(
    opens: int, length: int, relation: Relation, is_over_midnight: bool, seed: int
) -> None:
    opening = Interval(15 * opens, 15 * (opens + length))
    window = draw_window(opening, relation, is_over_midnight, (60, 300), Random(seed))
    if window is not None:
        assert relate(window, opening) is relation
        assert (window.end > DAY) == is_over_midnight and window.end != DAY
        assert 0 <= window.start < DAY and 60 <= window.length <= 720


def test_every_relation_can_be_drawn() -> None:
    opening = Interval(690, 900)
    assert len(RELATIONS) == 13
    for relation in RELATIONS:
        assert any(draw_window(opening, relation, False, (60, 300), Random(n)) for n in range(40))


# --- drawing ---


@pytest.mark.parametrize("lang", ["en", "zh"])
@pytest.mark.parametrize("profile", PROFILES)
def test_draws_are_sound(lang: Lang, profile: str) -> None:
    for number in range(20):
        draft, asked = drawn(stage_of(lang), number, profile)
        answer, wrong = TASK.solve(asked), TASK.alternatives(asked)
        assert isinstance(answer, tuple) and edges(asked) == () and answer == TASK.resolve(asked)
        cell, is_strict = draft.cell, asked.at_least_min is None
        kind = "none" if not answer else "all" if len(answer) == len(asked.places) else "some"
        assert (cell["class"], cell["demand"]) == (kind, "strict" if is_strict else "loose")
        assert (cell["midnight"] == "yes") == (asked.window.end > DAY)
        backward = {str(relate(asked.window, o)) for p in asked.places for o in p.openings}
        assert cell["relation"] in backward and relations(asked)
        if kind == "some":
            assert all(wrong[name] != answer for name in TRAPS[is_strict])
        if not is_strict:
            assert 30 <= (asked.at_least_min or 0) < asked.window.length
        assert set(wrong) == set(TASK.failures) and set(TASK.shortcuts) <= set(wrong)


@pytest.mark.parametrize("lang", ["en", "zh"])
def test_classes_are_balanced(lang: Lang) -> None:
    cells = [drawn(stage_of(lang), number)[0].cell for number in range(48)]
    kinds = Counter((c["demand"], c["class"]) for c in cells)
    for demand in ("strict", "loose"):
        assert kinds[demand, "none"] <= 3 and kinds[demand, "all"] <= 3
        assert sum(n for (d, _), n in kinds.items() if d == demand) == 24
    assert Counter(c["midnight"] for c in cells)["yes"] in range(9, 17)
    assert len({c["relation"] for c in cells}) >= 12


def test_edges_name_idle_failures_and_shut_places() -> None:
    evening, lunch = Place("a", (Interval(1080, 1380),)), Place("b", (Interval(660, 840),))
    assert "all-shut" in edges(HoursQuery((evening, lunch), Interval(900, 1000)))
    # Who takes any overlap is right.
    assert "any-overlap-is-right" in edges(HoursQuery((evening, lunch), Interval(1100, 1200)))
    assert "throughout-is-right" in edges(HoursQuery((evening, lunch), Interval(1100, 1200), 60))


# --- wording ---


@cache
def instances(lang: Lang) -> tuple[Stationery, tuple[Instance, ...]]:
    stage, knobs = stage_of(lang), load_knobs(default_root(), TASK, "standard")
    made = (make_instance(TASK, stage, knobs, n, 6, f"o/{n}", DATES) for n in range(16))
    return open_stationery(default_root(), stage.book, [TASK.domains]), tuple(made)


@pytest.mark.parametrize("lang", ["en", "zh"])
def test_every_setup_is_heard_back(lang: Lang) -> None:
    kit, found = instances(lang)
    for instance in found:
        for setup in SETUPS.values():
            hearing = hear(kit, setup(instance, kit).messages)
            asked = hearing.query()
            assert hearing.unread == ()
            assert encode(TASK.answer, TASK.solve(asked), TASK.candidates(asked)) == instance.answer


@pytest.mark.parametrize("lang", ["en", "zh"])
def test_claims_are_true(lang: Lang) -> None:
    kit, found = instances(lang)
    for instance in found:
        hearing = hear(kit, SETUPS["dialogue"](instance, kit).messages)
        for line in hearing.lines("claim"):
            if line.say.kind == "found.restaurants":
                assert line.say["n"] == len(hearing.rows.places)
            else:
                assert line.say.kind == "tell.price"
                place = hearing.rows.place(str(line.say["x"]))
                assert place is not None and place.band == line.say["p"]
    assert {len(i.facts) for i in found} == {1, 2}


@pytest.mark.parametrize("lang", ["en", "zh"])
def test_a_question_does_not_tell_its_answer(lang: Lang) -> None:
    """Any wording fits any answer: what a form needs said is the same for all classes."""
    forms = stage_of(lang).book.forms["ask.opening-hours"]
    for names in ({"d", "a", "b"}, {"d", "a", "b", "m"}, set(), {"m"}):
        assert sum(form.names == names for form in forms) >= 3
    assert not any(form.fixes or form.many for form in forms)


@imported_only
@pytest.mark.parametrize("profile", PROFILES)
def test_the_imported_town_has_instances(profile: str) -> None:
    cells = [drawn(draws.stage_of(draws.IMPORT, "imported"), number, profile)[0].cell for number in range(24)]
    kinds = Counter(c["class"] for c in cells)
    assert kinds["some"] >= 16 and kinds["none"] <= 4 and kinds["all"] <= 4
    # Nobody in it is open past midnight, but one may ask.
    assert {c["midnight"] for c in cells} == {"yes", "no"}
