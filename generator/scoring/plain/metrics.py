"""Scores of plain answers, one by one and over many.

A reply from which nothing could be read (`None`) is a miss in every metric and stays in every mean. What is missing
is counted apart from what declines to answer ("unknown" where the truth is known, a refusal).
"""

from __future__ import annotations

import math
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction
from statistics import median
from typing import Literal

Number = int | Decimal | Fraction
YesNo = Literal["yes", "no", "unknown"]

DISTANCE_HALF_M = 500
"""Error in metres at which closeness is one half."""
FREQUENCY_HALF_MIN = 5
"""Error in minutes at which closeness is one half."""


@dataclass(frozen=True)
class Score:
    """One answer's scores, each in [0, 1], by metric.

    is_missing: nothing was read. is_abstention: the reply declines. absolute_error is in the answer's unit and
    relative_error a share of the target: infinite for a missing number, None for what is no number.
    """

    values: Mapping[str, float]
    is_missing: bool = False
    is_abstention: bool = False
    absolute_error: float | None = None
    relative_error: float | None = None


@dataclass(frozen=True)
class Summary:
    """Means over `n` answers, the missing ones among them; medians are None where over half have no number."""

    n: int
    missing: int
    abstained: int
    means: Mapping[str, float]
    median_absolute_error: float | None
    median_relative_error: float | None


def score_exact(answer: object, accepted: Collection[object], *, abstains: bool = False) -> Score:
    """Return whether the answer is one of those accepted: a time, an amount in minor units, an order as a tuple.

    Raises:
        ValueError: Nothing is accepted.
    """
    if not accepted:
        raise ValueError("no accepted answer")
    return Score({"exact": float(answer is not None and answer in accepted)}, answer is None, abstains)


def score_set(answer: Collection[str] | None, target: Collection[str], *, abstains: bool = False) -> Score:
    """Return precision, recall, F1 and exact match of a list, repeated names counting once.

    Both empty is right (all 1), one empty is wrong (all 0), and so is no answer, whatever the target.
    """
    if answer is None:
        return Score(dict.fromkeys(("precision", "recall", "f1", "exact"), 0.0), True, abstains)
    given, wanted = set(answer), set(target)
    if not given or not wanted:
        return Score(dict.fromkeys(("precision", "recall", "f1", "exact"), float(given == wanted)), False, abstains)
    shared = len(given & wanted)
    values = {
        "precision": shared / len(given),
        "recall": shared / len(wanted),
        "f1": 2 * shared / (len(given) + len(wanted)),
        "exact": float(given == wanted),
    }
    return Score(values, False, abstains)


def score_yesno(answer: YesNo | None, target: YesNo) -> Score:
    """Return whether yes, no or unknown was right; an unknown where the truth is known is an abstention."""
    return Score({"exact": float(answer == target)}, answer is None, answer == "unknown" != target)


def score_number(answer: Number | None, target: Number, half: Number, *, abstains: bool = False) -> Score:
    """Return how close a number is: 1 / (1 + error / half), and whether it is within one per cent.

    Raises:
        ValueError: `half` is not above zero.
    """
    if half <= 0:
        raise ValueError(f"the error that halves the score is above zero, not {half!r}")
    if answer is None:
        return Score({"closeness": 0.0, "within_1_percent": 0.0}, True, abstains, math.inf, math.inf)
    error, size = abs(Fraction(answer) - Fraction(target)), abs(Fraction(target))
    relative = error / size if size else None
    values = {
        "closeness": float(1 / (1 + error / Fraction(half))),
        "within_1_percent": float(error <= size / 100),
    }
    share = float(relative) if relative is not None else (math.inf if error else 0.0)
    return Score(values, False, abstains, float(error), share)


def summarise(scores: Sequence[Score]) -> Summary:
    """Return the means of every metric over all answers.

    Raises:
        ValueError: There is no score, or they are of different metrics.
    """
    if not scores:
        raise ValueError("no scores to sum up")
    names = list(scores[0].values)
    if any(set(score.values) != set(names) for score in scores):
        raise ValueError("scores of different metrics have no common mean")
    return Summary(
        n=len(scores),
        missing=sum(score.is_missing for score in scores),
        abstained=sum(score.is_abstention for score in scores),
        means={name: math.fsum(score.values[name] for score in scores) / len(scores) for name in names},
        median_absolute_error=_median([s.absolute_error for s in scores]),
        median_relative_error=_median([s.relative_error for s in scores]),
    )


def _median(errors: Sequence[float | None]) -> float | None:
    """Return the median, infinite errors included; None where it is itself infinite or there are no numbers."""
    if any(error is None for error in errors):
        return None
    found = median(error for error in errors if error is not None)
    return found if math.isfinite(found) else None
