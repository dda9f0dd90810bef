"""Scores of replies to travel tasks: verdicts, metrics, tags, and defects that would let a wrong answer through."""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping
from fractions import Fraction
from typing import Any, NamedTuple

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from generator.errors import GenError
from generator.records import Alternative, Factors, Item, Key, Reply, Result, Verdict
from generator.scoring.checks import CHECKS, ReplyContext, run_check
from generator.scoring.metrics import score_reply
from generator.scoring.plain import KINDS, answers, checks, decode, extras, is_same, target_of
from generator.scoring.plain.metrics import score_set

HIT, MISS, UNSURE, ERROR = Verdict.HIT, Verdict.MISS, Verdict.UNSURE, Verdict.ERROR
PLACES = ["Bella Roma", "Golden Wok", "Nandos", "The Anchor"]
STOPS = ["Botanic Garden", "Castle Mound", "Old Mill"]


def key_of(kind: str, params: dict[str, Any], wrong: Mapping[str, dict[str, int]] | None = None) -> Key:
    """Return the key of a travel task with one item."""
    item = Item(id="answer", kind=kind, weight=3, check=f"plain.{kind}", params=params, truth_path="x")
    factors = Factors(world="w", profile="p", register_name="colloquial", core=1, distractors=0, gap_share=0.0)
    state = {"travel": kind, "answer_kind": kind, "reasoning": "spatial", "knowledge": "formal"}
    others = tuple(Alternative(name=name, value=value) for name, value in (wrong or {}).items())
    return Key(
        id="t", digest="", state=state, answer={}, alternatives=others, items=(item,), evidence=(), factors=factors,
        split="eval",
    )  # fmt: skip


AMOUNT = key_of("amount", {"value": 8420, "currency": "GBP"}, {"return-ignored": {"total": 4210}})
TIME = key_of("time", {"value": 1174, "departures": ["18:34", "19:34", 1204]}, {"too-late": {"departs": 1204}})
FREQUENCY = key_of("frequency", {"value": 543}, {"usual-gap": {"tenths": 600}})
DISTANCE = key_of("distance", {"value": 1204}, {"city-blocks": {"metres": 1700}, "longer-side": {"metres": 900}})
YES = key_of("yesno", {"value": 1}, {"reversed": {"holds": 0}})
LIST = key_of(
    "list",
    {"candidates": PLACES, "values": {"Bella Roma": 1, "Golden Wok": 1, "Nandos": 0, "The Anchor": 0}},
    {"all": dict.fromkeys(PLACES, 1), "none": dict.fromkeys(PLACES, 0)},
)
NONE = key_of("list", {"candidates": PLACES, "values": dict.fromkeys(PLACES, 0)}, {"all": dict.fromkeys(PLACES, 1)})
ORDER = key_of(
    "order",
    {"candidates": STOPS, "values": {"Castle Mound": 1, "Botanic Garden": 2, "Old Mill": 3}},
    {"as-named": {"Botanic Garden": 1, "Castle Mound": 2, "Old Mill": 3}},
)


def score(key: Key, text: str | None, **more: Any) -> Result:
    return score_reply(key, Reply(task_id="t", reply=text, **more))


class Case(NamedTuple):
    """A reply to a key, how it ends, and some of its metrics."""

    key: Key
    text: str
    end: Verdict
    metrics: dict[str, float]


CASES = {
    "amount right": Case(AMOUNT, "That comes to £84.20 (i.e. 8420p).", HIT, {"exact": 1}),
    "amount a penny off": Case(AMOUNT, "That comes to £84.21.", MISS, {"exact": 0}),
    "amount half a pound off": Case(AMOUNT, "That comes to £84.", MISS, {"exact": 0}),
    "amount not rounded": Case(AMOUNT, "That comes to £84.204.", MISS, {"exact": 0}),
    "amount declined": Case(AMOUNT, "I'm sorry, I can't tell from what I have here.", MISS, {"exact": 0}),
    "amount not read": Case(AMOUNT, "Shall I book the 09:24 for you?", UNSURE, {"exact": 0}),
    "time right": Case(TIME, "The last train leaves at 7:34 pm.", HIT, {"exact": 1}),
    "time a minute off": Case(TIME, "The last train leaves at 19:35.", MISS, {"exact": 0}),
    "interval right": Case(FREQUENCY, "A train every 54.3 minutes on average.", HIT, {"within_1_percent": 1}),
    "interval in the tolerance": Case(FREQUENCY, "A train every 54.8 minutes on average.", HIT, {"closeness": 10 / 11}),
    "interval beyond it": Case(FREQUENCY, "A train every 54.9 minutes on average.", MISS, {"within_1_percent": 0}),
    "interval far off": Case(FREQUENCY, "A train every 59.3 minutes on average.", MISS, {"closeness": 0.5}),
    "distance right": Case(DISTANCE, "It's 1.204 km in a straight line.", HIT, {"closeness": 1}),
    "distance in the tolerance": Case(DISTANCE, "It's about 1.2 km.", HIT, {"within_1_percent": 1}),
    "distance beyond it": Case(DISTANCE, "It's about 1,220 metres.", MISS, {"within_1_percent": 0}),
    "distance far off": Case(DISTANCE, "It's 1,704 metres.", MISS, {"closeness": 0.5}),
    "distance not given": Case(DISTANCE, "It's a short walk.", UNSURE, {"closeness": 0, "within_1_percent": 0}),
    "yes": Case(YES, "Yes, it does.", HIT, {"exact": 1}),
    "no": Case(YES, "No, it lies in another direction.", MISS, {"exact": 0}),
    "yes or no unknown": Case(YES, "I don't know where that is.", MISS, {"exact": 0}),
    "yes or no not answered": Case(YES, "Would you like a table there?", UNSURE, {"exact": 0}),
    "list right": Case(LIST, "Golden Wok and Bella Roma.", HIT, {"exact": 1, "f1": 1}),
    "list one of two": Case(LIST, "Only Bella Roma.", MISS, {"precision": 1, "recall": 0.5, "exact": 0}),
    "list repeated": Case(LIST, "Bella Roma, Golden Wok, and again Bella Roma.", HIT, {"precision": 1, "exact": 1}),
    "list one too many": Case(LIST, "Bella Roma, Golden Wok and Nandos.", MISS, {"recall": 1, "precision": 2 / 3}),
    "list with a closed one": Case(LIST, "Bella Roma and Golden Wok. Nandos is closed by then.", HIT, {"exact": 1}),
    "list says none": Case(LIST, "None of them is.", MISS, {"exact": 0, "f1": 0}),
    "list made up": Case(LIST, "- Bella Roma\n- Golden Wok\n- Dragon Palace", MISS, {"precision": 2 / 3, "exact": 0}),
    "none is right": Case(NONE, "None of them is open then.", HIT, {"exact": 1, "precision": 1}),
    "none is not no answer": Case(NONE, "Shall I book a table?", UNSURE, {"exact": 0, "precision": 0}),
    "none is not declining": Case(NONE, "I don't have their opening hours, so I can't tell.", MISS, {"exact": 0}),
    "order right": Case(ORDER, "Castle Mound → Botanic Garden → Old Mill", HIT, {"exact": 1}),
    "order otherwise": Case(ORDER, "First the Botanic Garden, then Castle Mound, then Old Mill.", MISS, {"exact": 0}),
    "order cut short": Case(ORDER, "Castle Mound, then the Botanic Garden.", MISS, {"exact": 0}),
}


@pytest.mark.parametrize("case", CASES.values(), ids=CASES)
def test_cases(case: Case) -> None:
    result = score(case.key, case.text)
    assert result.items == {"answer": case.end}
    assert result.strict == int(case.end == HIT)
    assert {name: result.metrics[name] for name in case.metrics} == pytest.approx(case.metrics)
    assert result.length == len(case.text)


def test_every_kind_has_a_check() -> None:
    assert {f"plain.{kind}" for kind in KINDS} <= set(CHECKS)


# --- what is no answer ----------------------------------------------------------------------------------------------

KEYS = (AMOUNT, TIME, FREQUENCY, DISTANCE, YES, LIST, NONE, ORDER)
ENDS: dict[str, dict[str, Any]] = {
    "empty": {"text": ""},
    "empty, with a tool call": {"text": "", "tool_calls": ({"id": "c"},)},
    "refused": {"text": "I can't help with that.", "refusal": "no"},
    "truncated": {"text": "£84.20 19:34 yes", "finish_reason": "length"},
}


@pytest.mark.parametrize("key", KEYS, ids=lambda k: k.items[0].check)
@pytest.mark.parametrize("end", ENDS.values(), ids=ENDS)
def test_no_answer_is_a_miss_in_every_metric(key: Key, end: dict[str, Any]) -> None:
    given = dict(end)
    result = score(key, given.pop("text"), **given)
    assert result.items == {"answer": MISS}
    assert result.metrics
    assert set(result.metrics.values()) == {0.0}
    assert "absolute_error" not in result.metrics
    assert result.tags == ("no-answer",)
    assert result.abstained == ("refusal" in given)
    assert result.length == len(end["text"])


@pytest.mark.parametrize("key", KEYS, ids=lambda k: k.items[0].check)
def test_a_failed_call_is_no_score_at_all(key: Key) -> None:
    result = score(key, None, finish_reason=None)
    assert (result.status, result.items, result.strict) == ("error", {"answer": ERROR}, None)
    assert (result.metrics, result.tags, result.abstained, result.length) == ({}, (), False, None)


def test_declining_is_told_from_what_could_not_be_read() -> None:
    assert score(DISTANCE, "I don't have the coordinates, so I can't say.").abstained
    assert not score(DISTANCE, "It's a short walk.").abstained
    unknown = score(YES, "I can't tell from the data.")
    assert (unknown.abstained, unknown.items["answer"]) == (True, MISS)


def test_reasoning_is_not_part_of_the_answer_or_its_length() -> None:
    result = score(AMOUNT, "<think>£12.00? £99.00?</think>£84.20")
    assert result.items == {"answer": HIT}
    assert result.length == len("£84.20")


def test_errors_are_in_metres_and_minutes_and_shares_of_the_target() -> None:
    far = score(DISTANCE, "It's 1,704 metres.").metrics
    assert far["absolute_error"] == 500
    assert far["relative_error"] == pytest.approx(500 / 1204)
    assert score(FREQUENCY, "Every 59.3 minutes on average.").metrics["absolute_error"] == pytest.approx(5)


# --- tags -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("key", "text", "expected"),
    [
        (AMOUNT, "£42.10 in total.", ("return-ignored",)),
        (AMOUNT, "£8,420 in total.", ("units-swapped",)),
        (AMOUNT, "£99.00 in total.", ()),
        (AMOUNT, "£84.20 in total.", ()),
        (TIME, "Take the 20:04.", ("too-late",)),
        (TIME, "Take the 20:15.", ("not-in-data",)),
        (TIME, "Take the 7:34 am.", ("not-in-data", "units-swapped")),
        (FREQUENCY, "Every 60 minutes on average.", ("usual-gap",)),
        (FREQUENCY, "Every 54.3 hours on average.", ("units-swapped",)),
        (DISTANCE, "It's 1,700 m away.", ("city-blocks",)),
        (DISTANCE, "It's 1.204 m away.", ("units-swapped",)),
        (DISTANCE, "It's 1,204 km away.", ("units-swapped",)),
        (YES, "No.", ("reversed",)),
        (YES, "I'm not sure.", ()),
        (LIST, "All of them: Bella Roma, Golden Wok, Nandos and The Anchor.", ("all",)),
        (LIST, "None of them.", ("none",)),
        (LIST, "- Bella Roma\n- Dragon Palace", ("not-in-data",)),
        (ORDER, "Botanic Garden, Castle Mound, Old Mill", ("as-named",)),
        (ORDER, "Where are they?", ("no-answer",)),
    ],
)
def test_tags(key: Key, text: str, expected: tuple[str, ...]) -> None:
    assert score(key, text).tags == expected


# --- the reader is told nothing of the answer -----------------------------------------------------------------------


@pytest.mark.parametrize("key", KEYS, ids=lambda k: k.items[0].check)
def test_the_reader_is_not_shown_the_target(key: Key, monkeypatch: pytest.MonkeyPatch) -> None:
    seen: list[dict[str, Any]] = []

    def spy(kind: str, text: str, **params: Any) -> None:
        seen.append(params)

    monkeypatch.setattr(answers, "read", spy)
    score(key, "Something or other.")
    (params,) = seen
    assert set(params) <= {"lang", "ask", "currency", "candidates", "departures"}
    assert "candidates" not in params or list(params["candidates"]) == sorted(params["candidates"])


@settings(deadline=None, max_examples=60)
@given(st.permutations(STOPS), st.permutations(STOPS), st.integers(0, 9))
def test_an_order_is_read_as_said_whatever_the_target(said: list[str], target: list[str], seed: int) -> None:
    shuffled = random.Random(seed).sample(STOPS, len(STOPS))
    params = {"candidates": shuffled, "values": {name: place for place, name in enumerate(target, 1)}}
    result = score(key_of("order", params), f"First {said[0]}, then {said[1]}, and {said[2]} last.")
    assert (result.items["answer"] == HIT) == (said == target)


@settings(deadline=None, max_examples=60)
@given(st.sets(st.sampled_from(PLACES), min_size=1), st.sets(st.sampled_from(PLACES)))
def test_a_list_is_right_only_as_a_whole(said: set[str], target: set[str]) -> None:
    params = {"candidates": PLACES, "values": {name: int(name in target) for name in PLACES}}
    result = score(key_of("list", params), f"Open then: {', '.join(sorted(said))}.")
    assert (result.items["answer"] == HIT) == (said == target) == (result.metrics["exact"] == 1)


@settings(deadline=None, max_examples=80)
@given(st.integers(1, 500_000), st.integers(-300, 300))
def test_amounts_are_right_to_the_penny_only(target: int, error: int) -> None:
    said = max(0, target + error)
    text = f"The total is £{said // 100:,}.{said % 100:02d}."
    result = score(key_of("amount", {"value": target}), text)
    assert (result.items["answer"] == HIT) == (said == target)


# --- faults ---------------------------------------------------------------------------------------------------------


def failing() -> set[str]:
    """Return the cases that do not end as they should."""
    found = set()
    for name, case in CASES.items():
        result = score(case.key, case.text)
        metrics = {m: round(result.metrics.get(m, -1), 9) for m in case.metrics}
        if result.items["answer"] != case.end or metrics != {m: round(v, 9) for m, v in case.metrics.items()}:
            found.add(name)
    return found


_same, _read, _given, _set = answers.is_same, answers.read_given, answers.Given, score_set


def _rounds_to_pounds(kind: str, said: Any, target: Any) -> bool:
    return round(said / 100) == round(target / 100) if kind == "amount" and said else _same(kind, said, target)


def _is_content_with_a_part(kind: str, said: Any, target: Any) -> bool:
    return set(said) <= set(target) if kind == "list" and said is not None else _same(kind, said, target)


def _counts_repeats(kind: str, said: Any, target: Any) -> bool:
    return len(said) == len(target) and _same(kind, said, target) if kind == "list" else _same(kind, said, target)


def _ignores_order(kind: str, said: Any, target: Any) -> bool:
    return sorted(said) == sorted(target) if kind == "order" and said else _same(kind, said, target)


def _is_lenient(kind: str, said: Any, target: Any) -> bool:
    is_number = kind in ("frequency", "distance") and said is not None
    return abs(Fraction(said) - target) <= target / 10 if is_number else _same(kind, said, target)


def _is_severe(kind: str, said: Any, target: Any) -> bool:
    return said == target if kind in ("frequency", "distance") else _same(kind, said, target)


def _takes_nothing_for_none(item: Item, text: str) -> answers.Given:
    found = _read(item, text)
    return _given(()) if item.kind == "list" and found.value is None else found


def _takes_none_for_nothing(item: Item, text: str) -> answers.Given:
    found = _read(item, text)
    return _given(None) if found.value == () else found


def _forgets_to_decline(item: Item, text: str) -> answers.Given:
    return _given(_read(item, text).value)


def _reads_first_thousand(item: Item, text: str) -> answers.Given:
    return _read(item, text[:12])


def _scores_precision(given: Any, target: Any, **more: Any) -> Any:
    found = _set(given, target, **more)
    return found.__class__({**found.values, "exact": found.values["precision"]}, found.is_missing)


DEFECTS: dict[str, tuple[Any, str, Callable[..., Any]]] = {
    "rounds amounts to pounds": (checks, "is_same", _rounds_to_pounds),
    "any right name will do": (checks, "is_same", _is_content_with_a_part),
    "order does not matter": (checks, "is_same", _ignores_order),
    "ten per cent will do": (checks, "is_same", _is_lenient),
    "no tolerance": (checks, "is_same", _is_severe),
    "nothing is none": (checks, "read_given", _takes_nothing_for_none),
    "none is nothing": (checks, "read_given", _takes_none_for_nothing),
    "declining is unread": (checks, "read_given", _forgets_to_decline),
    "reads the beginning only": (checks, "read_given", _reads_first_thousand),
    "exact is precision": (extras, "score_set", _scores_precision),
}


@pytest.mark.parametrize("defect", DEFECTS.values(), ids=DEFECTS)
def test_a_planted_defect_is_caught(
    defect: tuple[Any, str, Callable[..., Any]], monkeypatch: pytest.MonkeyPatch
) -> None:
    assert failing() == set()
    monkeypatch.setattr(*defect)
    assert failing()


def test_repeats_would_be_caught() -> None:
    assert _same("list", ("a", "b", "a"), ("a", "b"))
    assert not _counts_repeats("list", ("a", "b", "a"), ("a", "b"))


# --- records --------------------------------------------------------------------------------------------------------


def test_old_results_load_and_new_ones_come_back() -> None:
    old = '{"task_id":"t","roll":1,"condition":"full","status":"ok","items":{"a":"hit"},"importance":1.0,"strict":1}'
    loaded = Result.model_validate_json(old)
    assert (loaded.metrics, loaded.tags, loaded.abstained, loaded.length) == ({}, (), False, None)
    new = score(LIST, "Only Bella Roma.")
    assert Result.model_validate_json(new.model_dump_json()) == new


def test_other_tasks_have_a_length_and_no_more() -> None:
    state = {"view": {"lang": "en", "today": "2026-05-01", "currency": "GBP", "rows": [], "columns": []}}
    item = Item(id="a", kind="figure", weight=1, check="figure", params={"figure": "x", "value": 1}, truth_path="x")
    key = AMOUNT.model_copy(update={"state": state, "items": (item,)})
    result = score(key, "x: 1")
    assert (result.metrics, result.tags, result.abstained, result.length) == ({}, (), False, 4)


def test_targets_are_what_values_stand_for() -> None:
    assert target_of(LIST.items[0]) == ("Bella Roma", "Golden Wok")
    assert target_of(ORDER.items[0]) == ("Castle Mound", "Botanic Garden", "Old Mill")
    assert target_of(YES.items[0]) == "yes"
    assert decode("time", {}) is None
    assert not is_same("time", None, None)


def test_no_right_answer_is_for_a_person_to_tell() -> None:
    nothing = key_of("time", {"values": {}})
    assert score(nothing, "No train gets there before sunset.").items == {"answer": UNSURE}
    assert score(nothing, "Take the 19:34.").items == {"answer": MISS}


def test_faults_of_a_key_say_where() -> None:
    lacking = key_of("amount", {}).items[0]
    with pytest.raises(GenError, match="lacks parameter"):
        run_check(lacking, ReplyContext("£1"))
    with pytest.raises(GenError, match="no plain answer"):
        answers.kind_of(lacking.model_copy(update={"check": "plain.colour"}))
