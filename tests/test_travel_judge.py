"""Judges of travel answers: what they are told, and replies constructed for their calibration."""

from __future__ import annotations

import pytest
from support.journeys import LANGS, NAMES, case_of, drawn

from generator.records import Lang, Reply, Verdict
from generator.runner.judge.calibration import construct_travel_reply
from generator.runner.judge.judging import merge_judged
from generator.runner.judge.keeping import JudgedItem
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


def test_a_judge_that_settles_an_unread_answer_settles_its_metrics_too() -> None:
    case = case_of("en", "distance", 0, ("isolated",))
    read = score_reply(case.key, Reply(task_id=case.key.id, reply="Well, that is quite a stretch, as these things go."))
    assert read.items["answer"] is Verdict.UNSURE
    assert read.metrics["closeness"] == 0.0
    assert "no-answer" in read.tags

    def judged(verdict: Verdict) -> JudgedItem:
        return JudgedItem(item="answer", verdict=verdict)

    hit = merge_judged(case.key, read, {"answer": judged(Verdict.HIT)})
    assert (hit.strict, hit.metrics["closeness"], hit.tags) == (1, 1.0, ())
    miss = merge_judged(case.key, read, {"answer": judged(Verdict.MISS)})
    assert (miss.strict, miss.metrics) == (0, read.metrics)
    right = score_reply(case.key, Reply(task_id=case.key.id, reply=f"{case.key.answer['metres']} metres."))
    wrong = merge_judged(case.key, right, {"answer": judged(Verdict.MISS)})
    assert (wrong.strict, wrong.metrics["within_1_percent"]) == (0, 0.0)
