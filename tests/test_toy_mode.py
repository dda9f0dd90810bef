"""A mode that the program has never heard of goes through every stage, audit and score."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from pathlib import Path

import pytest
from toy.mode import MODE

import generator
from generator import modes
from generator.audit import AUDITS, Case, audit_case
from generator.audit.policy import Policy, RespondentClasses, load_policy, load_preset
from generator.content import ContentRoot, default_root
from generator.engine.loaded import audit_build
from generator.modes import find_mode
from generator.modes.protocol import RedrawError
from generator.records import Reply
from generator.respondents import panel_of, respond
from generator.scoring.metrics import score_reply
from generator.stages.candidate import Candidate, make_candidate
from generator.stages.pipeline import Spec, Workshop, run_index
from generator.stages.s1_anchor import Settings, anchor_of
from generator.stages.topics import fit_topics, load_topics

OVERLAY = Path(__file__).resolve().parent / "toy" / "content"
SEED = 20270301
WANTED = 12


@pytest.fixture(scope="module")
def policy() -> Policy:
    classes = RespondentClasses(own=MODE.failure_names, shortcut=MODE.shortcut_names)
    known = load_policy(default_root())
    return known.model_copy(update={"respondents": {**known.respondents, MODE.number: classes}})


@pytest.fixture(scope="module")
def shop(policy: Policy) -> Workshop:
    content = default_root(OVERLAY)
    kits = MODE.load(content, "en", "eval")
    topics = load_topics(content, "en")
    return Workshop(
        MODE, content, policy, load_preset(content), kits, {k.id: fit_topics(k, topics, "eval") for k in kits}
    )


@pytest.fixture(scope="module")
def candidates(shop: Workshop) -> list[Candidate]:
    """Every candidate that could be drawn: neither audited nor picked."""
    found = []
    for index in range(WANTED):
        anchor = anchor_of(MODE, shop.kits, SEED, index, Settings())
        found.append(make_candidate(MODE, anchor, shop.topics[anchor.kit.id], SEED))
    return found


def case_of(shop: Workshop, candidate: Candidate) -> Case:
    return Case(MODE, candidate.kit, candidate.task(), candidate.key(), shop.policy)


def test_every_draw_becomes_a_candidate(candidates: list[Candidate]) -> None:
    for candidate in candidates:
        assert candidate.task().mode == "toy"
        assert candidate.key().items
        assert candidate.factors().mechanisms == MODE.failure_names
        assert candidate.factors().distractors == candidate.anchor.distractors


def test_two_makings_are_the_same(shop: Workshop, candidates: list[Candidate]) -> None:
    again = make_candidate(MODE, candidates[0].anchor, shop.topics["house"], SEED)
    assert again.task() == candidates[0].task()
    assert again.key() == candidates[0].key()


def test_every_candidate_is_derivable_from_its_text(shop: Workshop, candidates: list[Candidate]) -> None:
    for candidate in candidates:
        case = case_of(shop, candidate)
        assert case.heard is not None
        assert MODE.answer_heard(candidate.kit, case.heard) == candidate.answer


@pytest.mark.parametrize("audit", sorted(AUDITS))
def test_every_audit_can_judge_it(shop: Workshop, candidates: list[Candidate], audit: str) -> None:
    """Only `voice` may find something here and there: whether turn lengths are uneven is left to chance."""
    findings = [f for c in candidates for f in AUDITS[audit](case_of(shop, c))]
    allowed = WANTED // 3 if audit == "voice" else 0
    assert len(findings) <= allowed, Counter(f.what for f in findings)


def test_planted_faults_are_found(shop: Workshop, candidates: list[Candidate]) -> None:
    """The audits judge the toy; they do not wave it through."""
    case = case_of(shop, candidates[0])
    key = case.key
    path = sorted(key.answer)[0]
    lied = Case(case.mode, case.kit, case.task, key.model_copy(update={"answer": {**key.answer, path: 1}}), case.policy)
    assert {f.audit for f in audit_case(lied)} == {"derivable"}
    cut = case.task.model_copy(update={"messages": case.task.messages[2:]})
    assert audit_case(Case(case.mode, case.kit, cut, key, case.policy))


def test_respondents_answer_and_are_scored(candidates: list[Candidate]) -> None:
    for candidate in candidates[:4]:
        key = candidate.key()
        for name in ("oracle", *MODE.failure_names, *MODE.shortcut_names, *panel_of(MODE)):
            text = respond(name, MODE, candidate.kit, candidate.messages, candidate.id)
            result = score_reply(key, Reply(task_id=candidate.id, reply=text))
            assert result.importance is not None
            assert (result.strict == 1) == (name == "oracle") or name.startswith("noisy")
        assert score_reply(key, Reply(task_id=candidate.id, reply="")).importance == 0


def test_the_pipeline_runs_it_to_the_end(shop: Workshop) -> None:
    spec = Spec(mode="toy", lang="en", n=6, pool=6)
    outcomes = [run_index(shop, spec, SEED, index) for index in range(6)]
    assert [len(o.candidates) for o in outcomes] == [1] * 6
    assert all(len(o.panel) == len(panel_of(MODE)) for o in outcomes)


def test_it_has_twins(shop: Workshop) -> None:
    spec = Spec(mode="toy", lang="en", n=4, pool=4, twins=True)
    pairs = [o.candidates for o in (run_index(shop, spec, SEED, index) for index in range(4)) if o.candidates]
    assert len(pairs) >= 2
    for base, twin in pairs:
        assert twin.twin_of == base.id
        assert twin.answer != base.answer
        assert base.twin_reply
        assert sum(a != b for a, b in zip(base.messages, twin.messages, strict=True)) <= 2


def test_one_line_in_the_list_is_all_that_the_rest_needs(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, policy: Policy
) -> None:
    """With the mode in the list and its content in an overlay, `generator.build` makes and scores a set of it."""
    monkeypatch.setattr(modes, "MODES", (*modes.MODES, MODE))
    assert find_mode("toy") is MODE
    overlay = _overlay(tmp_path / "overlay")
    out = tmp_path / "set"
    report = generator.build("toy", n=3, lang="en", pool=5, seed=SEED, out=out, content=overlay)
    assert report.released == 3
    made = generator.load(out)
    assert {t.mode for t in made.tasks} == {"toy"}
    assert audit_build(made, overlay, []) == []
    kit = MODE.load(default_root(overlay), "en", "eval")[0]
    replies = [Reply(task_id=t.id, reply=respond("oracle", MODE, kit, t.messages, t.id)) for t in made.tasks]
    assert [r.strict for r in generator.score(made, replies).results] == [1, 1, 1]


def _overlay(folder: Path) -> Path:
    """Return the toy's content with a policy that classes its respondents."""
    for path in OVERLAY.rglob("*.yaml"):
        copy = folder / path.relative_to(OVERLAY)
        copy.parent.mkdir(parents=True, exist_ok=True)
        copy.write_bytes(path.read_bytes())
    known = default_root().text("audits/policy.yaml").rstrip("\n")
    own, shortcut = (", ".join(names) for names in (MODE.failure_names, MODE.shortcut_names))
    (folder / "audits").mkdir()
    (folder / "audits" / "policy.yaml").write_text(
        f"{known}\n  toy:\n    own: [{own}]\n    shortcut: [{shortcut}]\n", encoding="utf-8"
    )
    assert isinstance(ContentRoot(default_root().base, folder).load("audits/policy.yaml", Policy), Policy)
    return folder


def test_a_draw_that_fails_is_a_redraw_and_no_crash(shop: Workshop) -> None:
    def never(*_: object) -> object:
        raise RedrawError("never")

    broken = replace(shop, mode=replace(MODE, draw=never))
    outcome = run_index(broken, Spec(mode="toy", lang="en", n=1, pool=1), SEED, 0)
    assert not outcome.candidates
    assert {r["audit"] for r in outcome.rejections} == {"draw"}
