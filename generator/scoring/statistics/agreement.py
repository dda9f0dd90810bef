"""Agreement of judges: Cohen's kappa for two, Krippendorff's alpha for any number with gaps."""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Sequence
from typing import NamedTuple

from generator.scoring.statistics.basic import same_length


class Agreement(NamedTuple):
    """A chance-corrected agreement, 1 for perfect, 0 for chance, below it for worse; None with its reason.

    n: units that could be compared. observed: share of agreeing pairs of ratings, in [0, 1].
    """

    value: float | None
    n: int
    observed: float | None
    reason: str = ""


def cohens_kappa(one: Sequence[Hashable | None], other: Sequence[Hashable | None]) -> Agreement:
    """Return Cohen's kappa of two raters, unweighted.

    Args:
        one: Ratings of the first rater, shape (n,), None where missing.
        other: Ratings of the second, same units in the same order. Units that either left out do not count.

    Not defined (None) for no common unit, and where both used one and the same category throughout: chance then
    agrees always, and the figure would be 0/0.

    Raises:
        ValueError: The lengths differ.

    Source: Cohen (1960).
    """
    same_length(one, other)
    pairs = [(a, b) for a, b in zip(one, other, strict=True) if a is not None and b is not None]
    n = len(pairs)
    if not n:
        return Agreement(None, 0, None, "no unit was rated by both")
    hits = sum(a == b for a, b in pairs)
    left, right = Counter(a for a, _ in pairs), Counter(b for _, b in pairs)
    chance = sum(left[category] * right[category] for category in left)
    if chance == n * n:
        return Agreement(None, n, hits / n, "both raters used one category only")
    return Agreement((n * hits - chance) / (n * n - chance), n, hits / n)


def krippendorff_alpha(units: Sequence[Sequence[Hashable | None]]) -> Agreement:
    """Return Krippendorff's alpha for nominal ratings.

    Args:
        units: Ratings of each unit, None where a rater left it out; raters need no order and may differ in number.
            Units with fewer than two ratings cannot be compared and do not count.

    Not defined (None) if no unit has two ratings, or if all ratings that can be compared are one category.

    Source: Krippendorff (2011), "Computing Krippendorff's alpha-reliability", nominal metric.
    """
    rated = [[rating for rating in unit if rating is not None] for unit in units]
    rated = [unit for unit in rated if len(unit) > 1]
    if not rated:
        return Agreement(None, 0, None, "no unit has two ratings")
    totals: Counter[Hashable] = Counter()
    agreeing = 0.0
    for unit in rated:
        counts = Counter(unit)
        totals.update(counts)
        # Every rating is compared with the unit's others; a unit weighs by its number of ratings.
        agreeing += sum(count * (count - 1) for count in counts.values()) / (len(unit) - 1)
    n = totals.total()
    chance = sum(count * (count - 1) for count in totals.values())
    observed = agreeing / n
    if len(totals) == 1:
        return Agreement(None, len(rated), observed, "all ratings are one category")
    expected = chance / (n * (n - 1))
    return Agreement(1 - (1 - observed) / (1 - expected), len(rated), observed)
