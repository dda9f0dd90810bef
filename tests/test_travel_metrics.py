"""Scores of travel answers: a missing answer is a miss everywhere and stays in every mean."""

from __future__ import annotations

import math
from decimal import Decimal
from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from generator.scoring.plain.metrics import (
    Score,
    YesNo,
    score_exact,
    score_number,
    score_set,
    score_yesno,
    summarise,
)

UNHURRIED = settings(deadline=None)  # cores are shared: a pause is no fault
NAMES = st.sets(st.sampled_from("abcdefg"))


@pytest.mark.parametrize(
    ("answer", "target", "precision", "recall", "f1", "exact"),
    [
        (["a", "b"], ["b", "a"], 1, 1, 1, 1),
        (["a"], ["a", "b", "c"], 1, 1 / 3, 0.5, 0),
        (["a", "a", "x"], ["a"], 0.5, 1, 2 / 3, 0),
        ([], [], 1, 1, 1, 1),
        ([], ["a"], 0, 0, 0, 0),
        (["a"], [], 0, 0, 0, 0),
        (None, ["a"], 0, 0, 0, 0),
        (None, [], 0, 0, 0, 0),
    ],
)
def test_sets(
    answer: list[str] | None, target: list[str], precision: float, recall: float, f1: float, exact: float
) -> None:
    score = score_set(answer, target)
    assert score.values == pytest.approx({"precision": precision, "recall": recall, "f1": f1, "exact": exact})
    assert score.is_missing == (answer is None)


@UNHURRIED
@given(NAMES, NAMES)
def test_f1_is_symmetric_and_the_harmonic_mean(answer: set[str], target: set[str]) -> None:
    one, other = score_set(answer, target).values, score_set(target, answer).values
    assert one["f1"] == other["f1"]
    assert one["precision"] == other["recall"]
    assert (one["exact"] == 1) == (answer == target) == (one["f1"] == 1)
    if one["precision"] + one["recall"]:
        assert one["f1"] == pytest.approx(2 * one["precision"] * one["recall"] / (one["precision"] + one["recall"]))


def test_exact_answers() -> None:
    assert score_exact("19:34", ["19:34"]).values == {"exact": 1}
    assert score_exact(8449, [8350]).values == {"exact": 0}
    assert score_exact(("a", "b"), [("b", "a"), ("a", "b")]).values == {"exact": 1}
    missing = score_exact(None, [None])  # even an accepted "nothing" is not what no answer says
    assert missing.values == {"exact": 0}
    assert missing.is_missing
    with pytest.raises(ValueError, match="no accepted"):
        score_exact("x", [])


@pytest.mark.parametrize(
    ("answer", "target", "exact", "abstains", "missing"),
    [
        ("yes", "yes", 1, False, False),
        ("no", "yes", 0, False, False),
        ("unknown", "yes", 0, True, False),
        ("unknown", "unknown", 1, False, False),
        ("yes", "unknown", 0, False, False),
        (None, "unknown", 0, False, True),
    ],
)
def test_yes_no_unknown(answer: YesNo | None, target: YesNo, exact: float, abstains: bool, missing: bool) -> None:
    score = score_yesno(answer, target)
    assert (score.values["exact"], score.is_abstention, score.is_missing) == (exact, abstains, missing)


def test_numbers() -> None:
    assert score_number(2000, 1500, 500).values == {"closeness": 0.5, "within_1_percent": 0}
    close = score_number(Decimal("1003.5"), 1000, 500)
    assert close.values == pytest.approx({"closeness": 1 / 1.007, "within_1_percent": 1})
    assert (close.absolute_error, close.relative_error) == (3.5, 0.0035)
    assert score_number(Fraction(5), 0, 5).relative_error == math.inf
    missing = score_number(None, 1000, 500, abstains=True)
    assert missing.values == {"closeness": 0, "within_1_percent": 0}
    assert missing.absolute_error == math.inf
    assert missing.is_missing and missing.is_abstention
    with pytest.raises(ValueError, match="above zero"):
        score_number(1, 1, 0)


def test_nothing_is_dropped_from_a_mean() -> None:
    # one right answer and three refusals: a mean over what was answered would say 1
    scores = [score_number(100, 100, 500), *(score_number(None, 100, 500, abstains=True) for _ in range(3))]
    summary = summarise(scores)
    assert summary.means == {"closeness": 0.25, "within_1_percent": 0.25}
    assert (summary.n, summary.missing, summary.abstained) == (4, 3, 3)
    assert summary.median_absolute_error is None
    half = summarise([score_number(v, 100, 500) for v in (100, 110, None)])
    assert half.median_absolute_error == 10
    assert half.median_relative_error == pytest.approx(0.1)


def test_only_like_scores_are_summed_up() -> None:
    with pytest.raises(ValueError, match="no scores"):
        summarise([])
    with pytest.raises(ValueError, match="different metrics"):
        summarise([Score({"exact": 1.0}), Score({"f1": 1.0})])
    assert summarise([Score({"exact": 1.0})]).median_absolute_error is None


@UNHURRIED
@given(st.lists(st.none() | st.integers(0, 10_000), min_size=1), st.integers(0, 10_000))
def test_a_missing_answer_never_helps(answers: list[int | None], target: int) -> None:
    with_missing = summarise([*(score_number(a, target, 500) for a in answers), score_number(None, target, 500)])
    without = summarise([score_number(a, target, 500) for a in answers])
    assert all(with_missing.means[name] <= without.means[name] for name in without.means)
