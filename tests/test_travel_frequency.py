"""The frequency task: what is read of it, what is drawn, and how its answers spread."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from datetime import date
from functools import cache
from typing import Any

import pytest
from support import draws
from support.draws import imported_only
from support.travel import town

from generator.content import default_root
from generator.records import Lang
from generator.seeds import stream
from generator.travel.factory import load_knobs
from generator.travel.hearing import hear
from generator.travel.instance import Instance, draw_sound, make_instance
from generator.travel.prompts import Stationery, open_stationery
from generator.travel.scene import HearingError, Scene, Stage, Told
from generator.travel.setups import SETUPS
from generator.travel.shown import Rows, TrainRow
from generator.travel.tasks.frequency import BANDS, TASK, edges, query
from generator.travel.truth.frequency import FrequencyQuery, inside
from generator.travel.wording import Say, load_book, say

DATES = (date(2026, 3, 1).toordinal(), date(2027, 10, 31).toordinal())
PROFILES = ("easy", "standard", "hard")
TIMES = (360, 380, 410, 450, 470, 530, 600, 660)
WANT = say("want.day-trains", a="Ash", b="Elm", d=2)
ROWS = Rows(tuple(TrainRow(f"T{n}", "Ash", "Elm", 2, t, t + 40, (("standard", 500),)) for n, t in enumerate(TIMES)))


@cache
def stage_of(lang: Lang) -> Stage:
    world = town(lang, "standard")
    return Stage("w0", world, load_book(default_root(), lang, world.currency))


def knobs_of(profile: str = "standard") -> Any:
    return load_knobs(default_root(), TASK, profile)


def drawn(stage: Stage, number: int, profile: str = "standard") -> tuple[Any, FrequencyQuery]:
    scene = Scene(stage, DATES[0] + number, 600)
    return draw_sound(TASK, scene, knobs_of(profile), number, stream(4, f"frequency/{number}", "s2"))


def told(*says: Say) -> Told:
    return Told(says, ROWS)


def test_the_window_is_heard_with_the_question_or_before_it() -> None:
    with_it = query(told(WANT, say("ask.frequency", f=370, t=500)))
    before = query(told(WANT, say("leave.window", f=370, t=500), say("ask.frequency")))
    assert with_it == before == FrequencyQuery(TIMES, 370, 500)


@pytest.mark.parametrize(
    "says",
    [
        (say("ask.frequency", f=370, t=500),),
        (WANT,),
        (WANT, say("ask.frequency")),
        (WANT, say("leave.window", f=370, t=500)),
        (WANT, say("leave.window", f=370, t=500), say("leave.window", f=370, t=510), say("ask.frequency")),
        (WANT, say("leave.window", f=370, t=500), say("ask.frequency", f=370, t=510)),
        (WANT, say("want.day-trains", a="Ash", b="Elm", d=3), say("ask.frequency", f=370, t=500)),
        (say("want.day-trains", a="Elm", b="Ash", d=2), say("ask.frequency", f=370, t=500)),
        (say("want.day-trains", a="Ash", b="Elm", d=3), say("ask.frequency", f=370, t=500)),
        (WANT, say("ask.frequency", f=500, t=370)),
        (WANT, say("ask.frequency", f=500, t=500)),
    ],
)
def test_what_is_missing_or_contradictory_is_not_guessed(says: tuple[Say, ...]) -> None:
    with pytest.raises(HearingError):
        query(told(*says))


def test_edges_name_even_gaps_few_trains_and_near_failures() -> None:
    assert "even-gaps" in edges(FrequencyQuery((60, 120, 180, 240, 300, 350), 50, 310))
    assert "too-few-trains" in edges(FrequencyQuery((60, 90, 180, 340), 50, 200))
    assert "too-few" in edges(FrequencyQuery((60, 90, 180), 65, 100))
    # 100 minutes for five trains, and 20 minutes between them.
    assert "window-per-train-is-near" in edges(FrequencyQuery((60, 75, 95, 115, 140, 300), 50, 150))
    assert "usual-gap-is-near" in edges(FrequencyQuery((60, 80, 95, 120, 140, 300), 50, 148))


@pytest.mark.parametrize("lang", ["en", "zh"])
@pytest.mark.parametrize("profile", PROFILES)
def test_draws_are_sound(lang: Lang, profile: str) -> None:
    knobs = knobs_of(profile)
    for number in range(12):
        draft, asked = drawn(stage_of(lang), number, profile)
        times = inside(asked)
        answer = TASK.solve(asked)
        assert edges(asked) == () and answer == TASK.resolve(asked) and isinstance(answer, int)
        assert knobs.departures[0] <= len(times) <= knobs.departures[1]
        assert len(asked.departures_min) == len(draft.rows.trains) <= 40
        assert 0 <= asked.start_min < times[0] <= times[-1] < asked.end_min < 1440
        assert asked.start_min % 5 == asked.end_min % 5 == 0
        # No failure is within the one per cent that is forgiven, nor near it.
        assert all(abs(v - answer) > answer / 50 for v in TASK.alternatives(asked).values() if isinstance(v, int))
        assert set(TASK.alternatives(asked)) == set(TASK.failures)


@pytest.mark.parametrize("lang", ["en", "zh"])
def test_answers_spread(lang: Lang) -> None:
    found = [drawn(stage_of(lang), number) for number in range(40)]
    bands = Counter(draft.cell["band"] for draft, _ in found)
    assert all(bands[band] >= 4 for band in BANDS) and max(bands.values()) <= 16
    answers = Counter(TASK.solve(asked) for _, asked in found)
    assert max(answers.values()) <= 6
    # Most windows do not both begin and end on the hour.
    assert sum(asked.start_min % 60 == asked.end_min % 60 == 0 for _, asked in found) <= 8


def test_a_world_without_the_band_due_gives_another_one() -> None:
    stage = stage_of("en")
    # Trains every 60 and 70 minutes: no band but the last can be met.
    some = stage.world.trains[0]
    departs = [360, 420, 490, 550, 620, 690, 750, 820, 880, 950]
    trains = tuple(
        some.model_copy(update={"id": f"T{t}", "days": (0,), "departs": t, "arrives": t + 30}) for t in departs
    )
    slow = replace(stage, world=stage.world.model_copy(update={"trains": trains}))
    for number in range(4):
        draft, _ = drawn(slow, number)
        assert draft.cell["band"] == "over-55"


@cache
def instances(lang: Lang) -> tuple[Stationery, tuple[Instance, ...]]:
    stage = stage_of(lang)
    made = (make_instance(TASK, stage, knobs_of(), n, 6, f"f/{n}", DATES) for n in range(12))
    return open_stationery(default_root(), stage.book, [TASK.domains]), tuple(made)


@pytest.mark.parametrize("lang", ["en", "zh"])
def test_every_setup_is_heard_back(lang: Lang) -> None:
    kit, found = instances(lang)
    for instance in found:
        for setup in SETUPS.values():
            hearing = hear(kit, setup(instance, kit).messages)
            assert hearing.unread == () and {"tenths": TASK.solve(hearing.query())} == instance.answer


@pytest.mark.parametrize("lang", ["en", "zh"])
def test_claims_are_true(lang: Lang) -> None:
    kit, found = instances(lang)
    kinds = Counter[str]()
    for instance in found:
        hearing = hear(kit, SETUPS["dialogue"](instance, kit).messages)
        times = [t.departs for t in hearing.rows.trains]
        for line in hearing.lines("claim"):
            kinds[line.say.kind] += 1
            if line.say.kind == "found.day-trains":
                assert line.say["n"] == len(times)
            else:
                assert line.say.kind == "tell.first-last"
                assert (line.say["f"], line.say["l"]) == (min(times), max(times))
    assert kinds.keys() == {"found.day-trains", "tell.first-last"}
    assert {len(i.facts) for i in found} == {1, 2}


@imported_only
@pytest.mark.parametrize("profile", PROFILES)
def test_the_imported_town_has_instances(profile: str) -> None:
    # It has even gaps on all routes but two, so there are only a few.
    answers = Counter(
        TASK.solve(drawn(draws.stage_of(draws.IMPORT, "imported"), number, profile)[1]) for number in range(12)
    )
    assert len(answers) >= 2
