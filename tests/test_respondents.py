"""Simulated respondents: each answers from the text alone, and fails as its name says."""

from __future__ import annotations

from itertools import islice

import pytest
from support.cases import candidates, shop
from support.chains import ask, intro
from support.hand_made import A, B, ev, rate
from support.worlds import LANGS, bench

from generator.audit.case import score_values
from generator.errors import ExitCode, GenError
from generator.modes.constraint_synthesis.failures import FAILURES, OWN, SHORTCUTS, follow_leniently
from generator.modes.protocol import HearingError, exchanges_of
from generator.records import Event, Lang, Message, Reply
from generator.respondents import panel_of, respond, respond_values, respondent_names
from generator.scoring.metrics import score_reply
from generator.states.update_chain.chain import Answer

TASKS = 8
ASKED = ask(("qty",), ("pieces",))


def told(name: str, *events: Event) -> tuple[int | None, int | None]:
    """Return the quantities that a failure gives to a (first 12) and b (first 20), one event a turn."""
    opening = (intro(A), intro(B, qty=20))
    answer = FAILURES[name](bench(), [(e,) for e in (*opening, *events)], ASKED)
    return answer.values.get("item_a.qty"), answer.values.get("item_b.qty")


@pytest.mark.parametrize("lang", LANGS)
def test_oracle_gets_everything_right_in_words(lang: Lang) -> None:
    for made in islice(candidates(lang), TASKS):
        text = respond("oracle", made.mode, made.kit, made.messages, made.id)
        result = score_reply(made.key(), Reply(task_id=made.id, reply=text))
        assert (result.importance, result.strict) == (1.0, 1), text


@pytest.mark.parametrize("lang", LANGS)
def test_declared_mechanism_gives_its_alternative_and_is_not_strict(lang: Lang) -> None:
    for made in islice(candidates(lang), TASKS):
        key = made.key()
        for name in key.factors.mechanisms:
            values = respond_values(name, made.mode, made.kit, made.messages, made.id)
            named = next(a.value for a in key.alternatives if a.name == name)
            path = made.state.gadgets[name]
            assert values[path] == named[path] != made.answer[path]
            # Near-domain chat holds values of others beside those of the state, for this one to fall for.
            assert name == "wrong-scope" or values == named
            assert score_values(key.items, values)[1] == 0


@pytest.mark.parametrize("lang", LANGS)
def test_shortcuts_stay_below_the_policy_and_no_dialogue_gets_nothing(lang: Lang) -> None:
    policy = shop(lang).policy
    for made in islice(candidates(lang), TASKS):
        items = made.key().items
        for name in SHORTCUTS:
            values = respond_values(name, made.mode, made.kit, made.messages, made.id)
            assert score_values(items, values)[0] <= policy.shortcut_importance_max
        assert respond_values("no-dialogue", made.mode, made.kit, made.messages, made.id) == {}


@pytest.mark.parametrize("lang", LANGS)
def test_same_roll_gives_the_same_reply_and_another_roll_another(lang: Lang) -> None:
    made = next(candidates(lang))
    one = [respond("noisy-45", made.mode, made.kit, made.messages, made.id, roll) for roll in (1, 1, 2, 3, 4)]
    assert one[0] == one[1]
    assert len(set(one)) > 1


@pytest.mark.parametrize("lang", LANGS)
def test_noise_lowers_the_score_step_by_step(lang: Lang) -> None:
    means = []
    for noise in (10, 45, 80):
        scores = [
            score_values(m.items, respond_values(f"noisy-{noise}", m.mode, m.kit, m.messages, m.id, roll))[0]
            for m in islice(candidates(lang), 12)
            for roll in range(1, 5)
        ]
        means.append(sum(scores) / len(scores))
    assert means[0] > means[1] > means[2]


def test_half_done_gives_half_and_all_of_it_right() -> None:
    made = next(candidates("zh"))
    values = respond_values("half-done", made.mode, made.kit, made.messages, made.id)
    truth = made.answer
    assert all(truth[p] == v for p, v in values.items())
    shown = [p for p in truth if not p.endswith(".absent")]
    assert len(values) == (len(shown) + 1) // 2


def test_reply_to_a_dialogue_that_cannot_be_followed_is_no_answer() -> None:
    for lang in LANGS:
        made = next(candidates(lang))
        spoilt = (*made.messages[:-1], Message(role="user", content="?"))
        assert respond_values("oracle", made.mode, made.kit, spoilt, made.id) == {}
        text = respond("oracle", made.mode, made.kit, spoilt, made.id)
        assert text
        assert score_reply(made.key(), Reply(task_id=made.id, reply=text)).importance == 0
        with pytest.raises(HearingError):
            made.mode.hear(made.kit, exchanges_of(made.kit, spoilt))


@pytest.mark.parametrize("name", ["nobody", "noisy-0", "noisy-100", "noisy-x", "noisy-", ""])
def test_unknown_respondent_is_named_with_those_that_are_known(name: str) -> None:
    made = next(candidates("zh"))
    with pytest.raises(GenError) as caught:
        respond_values(name, made.mode, made.kit, made.messages, made.id)
    assert caught.value.code is ExitCode.USAGE
    assert "sim/oracle" in caught.value.fix


def test_panel_is_blind_to_the_oracle_and_holds_every_failure() -> None:
    mode = next(candidates("zh")).mode
    assert "oracle" not in panel_of(mode)
    assert set(OWN) <= set(panel_of(mode)) <= set(respondent_names(mode))
    classes = shop("zh").policy.respondents["iii"]
    assert classes.own == OWN
    assert set(classes.shortcut) == set(SHORTCUTS)


# What each failure does, one event at a time ------------------------------------------------


@pytest.mark.parametrize(
    ("name", "events", "wrong"),
    [
        ("stale-value", (ev("set", A, 9),), (12, 20)),
        ("stale-value", (ev("set", A, 9), ev("set", A, 7)), (9, 20)),
        ("ignores-retractions", (ev("set", A, 9), ev("revert.prev", A)), (9, 20)),
        ("ignores-retractions", (ev("set", A, 9), ev("correct", A, 8)), (9, 20)),
        ("ignores-retractions", (ev("cancel", A, field=None), ev("restore", A, field=None)), (None, 20)),
        ("takes-hypothetical", (ev("hypo", A, 9), ev("adjust.up", A, 1)), (10, 20)),
        ("takes-hypothetical", (ev("hearsay", A, 9),), (9, 20)),
        ("takes-hypothetical", (ev("cond", A, 9, tag="k"), ev("cond.unmet", field=None, tag="k")), (9, 20)),
        ("misses-bulk", (ev("bulk.adjust.up", None, 5), ev("adjust.up", A, 1)), (13, 20)),
        ("wrong-scope", (ev("scoped", A, 9, tag="s"),), (9, 20)),
        ("wrong-scope", (ev("foreign", B, 9, tag="they"), ev("adjust.up", B, 1)), (12, 10)),
        ("first-mention", (ev("set", A, 9), ev("adjust.up", B, 1)), (12, 20)),
        ("recent-mention", (ev("set", A, 9), ev("hypo", B, 5), ev("adjust.up", A, 1)), (9, 5)),
        ("keyword-search", (ev("adjust.up", A, 1), ev("hypo", B, 5)), (12, 5)),
        ("last-turn", (ev("set", A, 9),), (None, None)),
        ("window-8", tuple(ev("set", A, n) for n in range(1, 7)), (6, 20)),
        ("window-8", tuple(ev("set", A, n) for n in range(1, 9)), (None, None)),
        ("no-dialogue", (ev("set", A, 9),), (None, None)),
    ],
)
def test_failure_does_what_its_name_says(
    name: str, events: tuple[Event, ...], wrong: tuple[int | None, int | None]
) -> None:
    assert told(name, *events) == wrong


@pytest.mark.parametrize("name", list(OWN))
def test_own_failure_is_right_where_its_mechanism_is_not(name: str) -> None:
    plain = FAILURES[name](bench(), [(intro(A),), (intro(B, qty=20),)], ASKED)
    assert plain == Answer({"item_a.qty": 12, "item_b.qty": 20, "sheet.pieces": 32}, ())


def test_lenient_reader_passes_over_what_cannot_be_followed() -> None:
    sheet = follow_leniently(
        bench(), [intro(A), ev("set", B, 4), ev("restore", A, field=None), ev("set", A, 9), rate(5)]
    )
    assert (sheet.value(A, "qty"), sheet.rows) == (9, [A])
