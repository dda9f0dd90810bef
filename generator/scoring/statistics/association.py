"""Correlations, rank correlations, and the statistics of single items. Nothing varies, nothing correlates: None."""

from __future__ import annotations

import math
from collections.abc import Sequence

from generator.scoring.statistics.basic import clip, finite, is_constant, mean, midranks, same_length


def pearson(one: Sequence[float], other: Sequence[float]) -> float | None:
    """Return Pearson's correlation, shapes (n,), in [-1, 1].

    None for fewer than two pairs, or if a side does not vary: then there is none, not zero.

    Raises:
        ValueError: The lengths differ, or a value is not finite.
    """
    same_length(one, other)
    left, right = finite(one, "one"), finite(other, "other")
    if len(left) < 2 or is_constant(left) or is_constant(right):
        return None
    left_mean, right_mean = mean(left) or 0.0, mean(right) or 0.0
    left, right = [x - left_mean for x in left], [y - right_mean for y in right]
    norm = math.hypot(*left) * math.hypot(*right)
    return clip(math.fsum(x * y for x, y in zip(left, right, strict=True)) / norm, -1.0) if norm > 0 else None


def point_biserial(correct: Sequence[bool], rest_score: Sequence[float]) -> float | None:
    """Return the point-biserial discrimination of one item.

    Args:
        correct: One entry per respondent, shape (n,).
        rest_score: Points without this item, shape (n,), same order; with the item in it the figure is too high.

    Returns:
        A correlation in [-1, 1]; None if a side does not vary: then there is none, not zero.

    Raises:
        ValueError: The lengths differ, or a score is not finite.

    Source: Crocker and Algina (1986), on item analysis.
    """
    return pearson([1.0 if hit else 0.0 for hit in correct], rest_score)


def spearman(one: Sequence[float], other: Sequence[float]) -> float | None:
    """Return Spearman's rank correlation with midranks for ties; None and errors as in `pearson`.

    Values that agree to twelve decimals tie, as they do in `kendall_tau_b`: the rest is rounding noise.
    """
    same_length(one, other)
    return pearson(midranks(_rounded(one, "one")), midranks(_rounded(other, "other")))


def kendall_tau_b(one: Sequence[float], other: Sequence[float]) -> float | None:
    """Return Kendall's tau-b, which corrects for ties on either side, in [-1, 1].

    Every pair is looked at: 1,000 entries take a third of a second. None for fewer than two entries, or if all entries
    of a side tie.

    Raises:
        ValueError: The lengths differ, or a value is not finite.

    Source: Kendall (1945).
    """
    same_length(one, other)
    left, right = _rounded(one, "one"), _rounded(other, "other")
    agree = left_pairs = right_pairs = 0
    for place, (x, y) in enumerate(zip(left, right, strict=True)):
        for before in range(place):
            x_sign = (x > left[before]) - (x < left[before])
            y_sign = (y > right[before]) - (y < right[before])
            agree += x_sign * y_sign
            left_pairs += x_sign * x_sign
            right_pairs += y_sign * y_sign
    if not left_pairs or not right_pairs:
        return None
    return clip(agree / math.sqrt(left_pairs * right_pairs), -1.0)


def p_correct(hits: Sequence[bool | float | None]) -> float | None:
    """Return an item's difficulty index: its mean score in [0, 1] over the respondents that have one.

    Higher is easier. None entries (item not scored) are left out; None if nothing is left.

    Raises:
        ValueError: A score is not finite or lies outside [0, 1].
    """
    seen = finite(hit for hit in hits if hit is not None)
    if any(not 0 <= score <= 1 for score in seen):
        raise ValueError("item scores must lie in [0, 1]")
    return mean(seen)


def r_rest(matrix: Sequence[Sequence[float | None]]) -> list[float | None]:
    """Return the corrected item-total correlation of every item: with the other items' mean, the item left out.

    Args:
        matrix: Score of respondent i on item j, shape (respondents, items); None where it was not scored. A
            respondent takes part in an item's figure if it has a score on that item and on at least one other.

    Returns:
        Shape (items,). None where fewer than two respondents take part, or a side does not vary (everyone hits, say).

    Without missing entries the mean of the others orders as their sum does: the usual figure.

    Raises:
        ValueError: Rows differ in length, or a score is not finite.

    Source: Crocker and Algina (1986), chapter 14.
    """
    rows = [[None if score is None else finite([score])[0] for score in row] for row in matrix]
    for row in rows[1:]:
        same_length(rows[0], row)
    sums = [(math.fsum(s for s in row if s is not None), sum(s is not None for s in row)) for row in rows]
    found = []
    for item in range(len(rows[0]) if rows else 0):
        own: list[float] = []
        rest: list[float] = []
        for row, (total, count) in zip(rows, sums, strict=True):
            score = row[item]
            if score is not None and count > 1:
                own.append(score)
                rest.append((total - score) / (count - 1))
        found.append(pearson(own, rest))
    return found


def _rounded(values: Sequence[float], what: str) -> list[float]:
    return [round(value, 12) for value in finite(values, what)]
