"""Counterfactual twins: one turn differs, the verdict differs, and a reply to one is wrong for the other."""

from __future__ import annotations

from functools import cache

import pytest
from support.cases import candidates, case_of, shop
from support.worlds import LANGS

from generator.audit import audit_case
from generator.audit.case import score_values
from generator.modes.protocol import RedrawError
from generator.records import Lang, Reply
from generator.scoring.metrics import score_reply
from generator.stages.candidate import Candidate
from generator.stages.pipeline import Spec, run_index
from generator.stages.twin import make_twin, twin_states

PAIRS = 6
languages = pytest.mark.parametrize("lang", LANGS)


@cache
def pairs(lang: Lang) -> tuple[tuple[Candidate, Candidate], ...]:
    """Return released pairs of a fixed seed."""
    spec = Spec(mode="iii", lang=lang, n=PAIRS, pool=PAIRS, twins=True)
    found = []
    for index in range(4 * PAIRS):
        outcome = run_index(shop(lang), spec, 77, index)
        if outcome.candidates:
            base, twin = outcome.candidates
            found.append((base, twin))
        if len(found) == PAIRS:
            break
    assert len(found) == PAIRS
    return tuple(found)


@languages
def test_one_turn_differs_and_nothing_else(lang: Lang) -> None:
    for base, twin in pairs(lang):
        assert len(base.messages) == len(twin.messages)
        changed = [n for n, (a, b) in enumerate(zip(base.messages, twin.messages, strict=True)) if a != b]
        users = [n for n in changed if base.messages[n].role == "user"]
        assert len(users) == 1
        # The reply to the changed turn may change with it.
        assert set(changed) <= {users[0], users[0] + 1}
        assert base.messages[-1] == twin.messages[-1]


@languages
def test_changed_turn_is_evidence_away_from_the_end(lang: Lang) -> None:
    for base, twin in pairs(lang):
        changed = next(n // 2 for n, (a, b) in enumerate(zip(base.messages, twin.messages, strict=True)) if a != b)
        for made in (base, twin):
            assert changed in {e.turn for e in made.assembled.evidence}


@languages
def test_verdicts_differ(lang: Lang) -> None:
    for base, twin in pairs(lang):
        assert base.answer != twin.answer
        assert base.digest != twin.digest
        assert base.id != twin.id
        assert base.task().instance_id == twin.task().instance_id
        assert (twin.twin_of, base.twin_of) == (base.id, None)


@languages
def test_each_is_sound_by_itself(lang: Lang) -> None:
    for made in (m for pair in pairs(lang) for m in pair):
        assert audit_case(case_of(made)) == []


@languages
def test_reply_to_one_is_right_there_and_wrong_for_the_other(lang: Lang) -> None:
    for base, twin in pairs(lang):
        for one, other in ((base, twin), (twin, base)):
            assert one.twin_reply
            right = score_reply(one.key(), Reply(task_id=one.id, reply=one.twin_reply))
            wrong = score_reply(other.key(), Reply(task_id=other.id, reply=one.twin_reply))
            assert (right.strict, right.importance) == (1, 1.0)
            assert wrong.strict == 0
            assert score_values(other.items, one.answer)[1] == 0


@languages
def test_twin_declares_a_mechanism_and_keeps_its_control(lang: Lang) -> None:
    for base, twin in pairs(lang):
        assert twin.factors().mechanisms
        assert set(twin.factors().mechanisms) <= set(base.factors().mechanisms)
        assert twin.state.control == base.state.control


@languages
def test_public_part_does_not_tell_which_is_which(lang: Lang) -> None:
    for base, twin in pairs(lang):
        for made in (base, twin):
            text = made.task().model_dump_json()
            assert "twin" not in text
            assert len(made.id) == 16
        kept = {"id", "messages"}
        left = base.task().model_dump(exclude=kept), twin.task().model_dump(exclude=kept)
        assert left[0] == left[1]


@languages
def test_twins_of_one_candidate_are_the_same_every_time(lang: Lang) -> None:
    made = next(candidates(lang))
    states = twin_states(made)
    assert states == twin_states(made)
    assert len(states) <= 8
    for number, state in enumerate(states):
        try:
            one, other = make_twin(made, state, number), make_twin(made, state, number)
        except RedrawError:
            continue
        assert one.messages == other.messages
        assert one.digest == other.digest
