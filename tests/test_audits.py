"""Seeded faults: every audit catches what it is for, and finds nothing in a clean task."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from itertools import islice
from random import Random

import pytest
import support.defects_key
import support.defects_text  # noqa: F401
from support.cases import (
    candidate,
    candidates,
    case_of,
    chat_turn,
    failed_audits,
    say,
    swap_task,
    turns_of,
    with_state,
    word,
)
from support.defects_text import a_row_that_only_the_assistant_says
from support.planting import DEFECTS, Defect, step_of
from support.worlds import LANGS

from generator.audit import AUDITS, Case, audit_case, audit_duplicates
from generator.audit.artefact import Sample, area_of, audit_pool
from generator.audit.duplicate import overlap, state_digest
from generator.records import Key, Lang, Task
from generator.stages.candidate import Candidate

CASES = [pytest.param(lang, d, id=f"{lang}: {d.audit}: {d.name}") for lang in LANGS for d in DEFECTS]


@pytest.mark.parametrize("lang", LANGS)
def test_clean_cases_have_no_findings(lang: Lang) -> None:
    for made in islice(candidates(lang), 6):
        assert audit_case(case_of(made)) == []


@pytest.mark.parametrize(("lang", "defect"), CASES)
def test_audit_catches_planted_defect(lang: Lang, defect: Defect) -> None:
    made = candidate(lang, defect.fits)
    clean = case_of(made)
    assert failed_audits(clean) == set()
    failed = failed_audits(defect.plant(made, clean))
    assert defect.audit in failed <= {defect.audit, *defect.also}


@pytest.mark.parametrize(("lang", "defect"), CASES)
def test_production_order_finds_every_planted_defect(lang: Lang, defect: Defect) -> None:
    """`audit_case` stops early where a dialogue cannot be followed; it must still find something."""
    made = candidate(lang, defect.fits)
    found = audit_case(defect.plant(made, case_of(made)))
    assert {f.audit for f in found} & {defect.audit, *defect.also}
    assert all(f.where and f.what for f in found)


def test_every_audit_has_two_planted_defects_at_least() -> None:
    planted = Counter(d.audit for d in DEFECTS)
    assert set(planted) == set(AUDITS)
    assert min(planted.values()) >= 2, planted


@pytest.mark.parametrize("lang", LANGS)
def test_first_only_stops_at_the_first_audit_that_finds_any(lang: Lang) -> None:
    made = candidate(lang)
    case = say(case_of(made), chat_turn(case_of(made)), user="13812345678 {name}")
    found = audit_case(case, first_only=True)
    assert {f.audit for f in found} == {"shape"}
    assert len(found) == 2


@pytest.mark.parametrize("lang", LANGS)
def test_task_marked_as_needing_the_assistant_may_need_it(lang: Lang) -> None:
    made = candidate(lang)
    case = a_row_that_only_the_assistant_says(made, case_of(made))
    assert "user-only" in failed_audits(case)
    assert "user-only" not in failed_audits(swap_task(case, conditions=("full",)))


@pytest.mark.parametrize("lang", LANGS)
def test_every_value_altered_in_the_text_is_seen(lang: Lang) -> None:
    """Also one that the answer does not hang on: the key's state, alternatives and stale values do."""
    unseen = []
    for made in islice(candidates(lang), 15):
        case = case_of(made)
        for turn, events in turns_of(case):
            single = len(events) == 1 and events[0].kind in {"set", "hypo", "scoped", "cond", "hearsay"}
            if single and case.exchanges[turn].user.said[0].event.item:
                event = events[0]._replace(value=int(events[0].value or 0) + step_of(case, events[0]))
                if not audit_case(say(case, turn, user=word(case, event))):
                    unseen.append((case.task.id, turn, event))
    assert not unseen


# duplicate ----------------------------------------------------------------------------------


def pair(made: Candidate) -> tuple[Case, Case]:
    """Return a case, and the same one under another id."""
    case = case_of(made)
    other = replace(
        case,
        task=case.task.model_copy(update={"id": "f" * 16}),
        key=case.key.model_copy(update={"id": "f" * 16}),
    )
    return case, other


@pytest.mark.parametrize("lang", LANGS)
def test_duplicate_catches_the_same_state_in_other_words(lang: Lang) -> None:
    case, other = pair(candidate(lang))
    for turn in sorted(other.group_of):
        other = say(other, turn, user=f"{Random(turn).random()}")
    pool = {0: (case.task, case.key), 1: (other.task, other.key)}
    found = audit_duplicates(pool, case.policy)
    assert list(found) == [1]
    assert "same state" in found[1].what


@pytest.mark.parametrize("lang", LANGS)
def test_duplicate_catches_nearly_the_same_words(lang: Lang) -> None:
    case, other = pair(candidate(lang))
    turns = [dict(t) for t in other.key.state["turns"]]
    other = with_state(other, turns=turns[:-1])
    assert state_digest(other.key) != state_digest(case.key)
    pool = {0: (case.task, case.key), 1: (other.task, other.key)}
    found = audit_duplicates(pool, case.policy)
    assert list(found) == [1]
    assert "nearly the words" in found[1].what


@pytest.mark.parametrize("lang", LANGS)
def test_duplicate_catches_a_task_of_an_earlier_build(lang: Lang) -> None:
    case, other = pair(candidate(lang))
    found = audit_duplicates({7: (other.task, other.key)}, case.policy, [(case.task, case.key)])
    assert list(found) == [7]


@pytest.mark.parametrize("lang", LANGS)
def test_duplicate_finds_nothing_in_a_clean_pool(lang: Lang) -> None:
    made = list(candidates(lang))[:20]
    pool = {n: (c.task(), c.key()) for n, c in enumerate(made)}
    assert audit_duplicates(pool, case_of(made[0]).policy) == {}
    assert overlap(frozenset(), frozenset()) == 0
    assert overlap(frozenset("ab"), frozenset("bc")) == 1 / 3


# artefact -----------------------------------------------------------------------------------


def samples(mark: str = "", times: int = 1) -> list[Sample]:
    """Return texts of two classes over four worlds; those of class 1 end in a mark, or are longer."""
    rng = Random(1)
    words = ["今天天气不错", "下午开会", "帮我看看这个", "晚上吃什么", "先这样吧", "明天再说"]
    found = []
    for number in range(240):
        label = rng.randrange(2)
        text = "".join(rng.sample(words, 3))
        found.append(
            Sample(text * (times if label else 1) + (mark if label else ""), f"w{number % 4}", 0.5, False, label)
        )
    return found


def test_artefact_tells_a_marked_class_and_not_a_mixed_one() -> None:
    for words in (False, True):
        assert float(area_of(samples(), words=words) or 1) < 0.65
        assert float(area_of(samples(times=3), words=words) or 0) > 0.95
    assert float(area_of(samples(mark="甲乙丙"), words=True) or 0) > 0.95


def test_artefact_says_nothing_where_nothing_can_be_said() -> None:
    assert area_of([], words=True) is None
    assert area_of([s._replace(world="w") for s in samples()], words=True) is None
    assert area_of([s._replace(label=0) for s in samples()], words=False) is None


def spoilt_pool(spoil: str) -> list[tuple[Task, Key]]:
    """Return tasks whose evidence turns, or whose twins, give themselves away."""
    pool = []
    for number, made in enumerate(list(islice(candidates("zh"), 30))):
        case = case_of(made)
        if spoil == "evidence":
            for turn in sorted(case.group_of):
                case = say(case, turn, user=(case.users[turn] + "，；。" * 9) * 3)
            pool.append((case.task, case.key))
            continue
        other = f"{number:016x}"
        twin = say(case, chat_turn(case), user=case.users[chat_turn(case)] + "～～～～")
        key = case.key.model_copy(update={"id": other, "twin_of": case.key.id})
        pool += [(case.task, case.key), (twin.task.model_copy(update={"id": other}), key)]
    return pool


@pytest.mark.parametrize("spoil", ["evidence", "twin"])
def test_artefact_catches_a_giveaway_in_a_pool(spoil: str) -> None:
    policy = case_of(next(candidates("zh"))).policy
    findings, areas = audit_pool(spoilt_pool(spoil), policy, lambda key, text: False, ())
    assert any(spoil in f.what for f in findings), areas
    assert all(f.audit == "artefact" for f in findings)
