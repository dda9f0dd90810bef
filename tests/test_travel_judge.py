"""Judges of travel answers: what they are told, and replies constructed for their calibration."""

from __future__ import annotations

import pytest
from support.journeys import LANGS, NAMES, case_of, drawn

from generator.records import Lang, Verdict
from generator.runner.judge.calibration import construct_travel_reply
from generator.runner.judge.wants import wants_of
from generator.scoring.metrics import score_reply
from generator.seeds import stream


@pytest.mark.parametrize("lang", LANGS)
def test_constructed_replies_get_the_verdict_they_were_made_for(lang: Lang) -> None:
    seen: set[Verdict] = set()
    for name in NAMES:
        for number in range(4):
            case = case_of(lang, name, number, ("isolated",))
            made, dropped = construct_travel_reply(case.kit.book, case.key, stream(3, f"{name}/{number}", "judge"))
            assert dropped == 0
            assert score_reply(case.key, made.reply).items == made.truth
            seen |= set(made.truth.values())
    assert seen == {Verdict.HIT, Verdict.MISS}


@pytest.mark.parametrize("lang", LANGS)
def test_a_judge_is_told_the_answer_as_people_write_it(lang: Lang) -> None:
    for name in NAMES:
        case = case_of(lang, name, 0, ("isolated",))
        (want,) = wants_of(case.key.items, None)
        answer = case.key.answer
        assert want.note
        if name in {"ticket-price", "booking-price"}:
            assert want.value == f"{answer['total'] // 100}.{answer['total'] % 100:02d}"
        if name == "sunset-train":
            assert want.value == f"{answer['departs'] // 60:02d}:{answer['departs'] % 60:02d}"
        if name == "walking-order":
            assert [n.strip() for n in want.value.split("→")] == sorted(answer, key=lambda n: answer[n])
        if name == "opening-hours":
            assert want.value == (", ".join(n for n in answer if answer[n]) or "none (无)")
        if name == "direction":
            assert want.value == ("yes" if answer["holds"] else "no")
        assert drawn(lang, name)
