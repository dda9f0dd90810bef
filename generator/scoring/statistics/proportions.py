"""Intervals for proportions, which do not shrink to nothing at 0 % and 100 %."""

from __future__ import annotations

import math
from typing import NamedTuple

from generator.scoring.statistics.basic import LEVEL, Interval, check_level, clip, normal_quantile

_BISECTIONS = 100
_FRACTION_TERMS = 10_000


def wilson(hits: int, n: int, level: float = LEVEL) -> Interval | None:
    """Return Wilson's score interval of a proportion, inside [0, 1]; None for n = 0.

    Assumes independent trials: for tasks that share a world the bootstrap over worlds is wider and right.

    Raises:
        ValueError: `hits` is not in 0..n, or the level not in (0, 1).

    Source: Wilson (1927), without continuity correction.
    """
    _check_counts(hits, n)
    z = normal_quantile(level)
    if n == 0:
        return None
    share, square = hits / n, z * z
    centre = (share + square / (2 * n)) / (1 + square / n)
    half = z / (1 + square / n) * math.sqrt(share * (1 - share) / n + square / (4 * n * n))
    return Interval(0.0 if hits == 0 else clip(centre - half), 1.0 if hits == n else clip(centre + half))


def clopper_pearson(hits: int, n: int, level: float = LEVEL) -> Interval | None:
    """Return the exact binomial interval of a proportion: coverage never below `level`; None for n = 0.

    Raises:
        ValueError: `hits` is not in 0..n, or the level not in (0, 1).

    Source: Clopper and Pearson (1934); ends are beta quantiles, found by bisection.
    """
    _check_counts(hits, n)
    check_level(level)
    if n == 0:
        return None
    tail = (1 - level) / 2
    low = 0.0 if hits == 0 else _beta_quantile(tail, hits, n - hits + 1)
    high = 1.0 if hits == n else _beta_quantile(1 - tail, hits + 1, n - hits)
    return Interval(low, high)


class Corrected(NamedTuple):
    """A sensitivity analysis, never a headline: what the rate would be if the instrument errs as measured.

    estimate: clipped to [0, 1]; None if the instrument is no better than a coin. was_clipped says that the raw
    value lay outside, which is itself a sign that sensitivity or specificity do not carry over.
    """

    estimate: float | None
    interval: Interval | None
    was_clipped: bool
    reason: str
    label: str = "sensitivity analysis (Rogan-Gladen), not a corrected score"


def rogan_gladen(
    hits: int, n: int, sensitivity: float, specificity: float,
    n_sensitivity: int | None = None, n_specificity: int | None = None, level: float = LEVEL,
) -> Corrected:  # fmt: skip
    """Return the hit rate that a fallible instrument's `hits` of `n` point to.

    Args:
        hits: Items the instrument called a hit, of `n` judged.
        sensitivity: Share of true hits it calls a hit, in [0, 1].
        specificity: Share of true misses it calls a miss, in [0, 1].
        n_sensitivity: Constructed hits behind `sensitivity`; None takes it as known exactly.
        n_specificity: Constructed misses behind `specificity`; None takes it as known exactly.
        level: Confidence level.

    Raises:
        ValueError: A share lies outside [0, 1], a count is negative, or hits exceed n.

    Source: Rogan and Gladen (1978); interval of Lang and Reiczigel (2014), which adds z² trials to the sample and
    two to each instrument sample, so it has a width at 0 % and 100 % too.
    """
    _check_counts(hits, n)
    z = normal_quantile(level)
    for name, measured, known in (
        ("sensitivity", sensitivity, n_sensitivity),
        ("specificity", specificity, n_specificity),
    ):
        if not 0 <= measured <= 1 or (known is not None and known < 0):
            raise ValueError(f"{name} {measured!r} of {known!r} replies is not a share of a count")
    if n == 0:
        return Corrected(None, None, False, "nothing was judged")
    if n_sensitivity == 0 or n_specificity == 0:
        return Corrected(None, None, False, "the instrument was not calibrated")
    if sensitivity + specificity - 1 <= 0:
        return Corrected(None, None, False, "the instrument tells hits from misses no better than chance")
    raw = (hits / n + specificity - 1) / (sensitivity + specificity - 1)

    size = n + z * z
    share = (hits + z * z / 2) / size
    se, se_noise = _shrunk(sensitivity, n_sensitivity)
    sp, sp_noise = _shrunk(specificity, n_specificity)
    youden = se + sp - 1
    if youden <= 0:
        return Corrected(clip(raw), None, not 0 <= raw <= 1, "too few calibration replies for an interval")
    centre = (share + sp - 1) / youden
    shift = 2 * z * z * (centre * se_noise - (1 - centre) * sp_noise)
    spread = share * (1 - share) / size + centre**2 * se_noise + (1 - centre) ** 2 * sp_noise
    half = z * math.sqrt(spread) / youden
    interval = Interval(clip(centre + shift - half), clip(centre + shift + half))
    return Corrected(clip(raw), interval, not 0 <= raw <= 1, "")


def _shrunk(share: float, size: int | None) -> tuple[float, float]:
    """Return an instrument share with one hit and one miss added, and the variance of that share."""
    if size is None:
        return share, 0.0
    shrunk = (size * share + 1) / (size + 2)
    return shrunk, shrunk * (1 - shrunk) / (size + 2)


def _check_counts(hits: int, n: int) -> None:
    if n < 0 or not 0 <= hits <= n:
        raise ValueError(f"{hits!r} hits of {n!r}: hits must be a count from 0 to n")


def _beta_quantile(share: float, a: float, b: float) -> float:
    low, high = 0.0, 1.0
    for _ in range(_BISECTIONS):
        middle = (low + high) / 2
        if _beta_cdf(middle, a, b) < share:
            low = middle
        else:
            high = middle
    return (low + high) / 2


def _beta_cdf(x: float, a: float, b: float) -> float:
    """Return the regularised incomplete beta function, by Lentz's continued fraction.

    Source: DLMF 8.17.22; the reflection keeps it in its quickly converging half.
    """
    if x <= 0 or x >= 1:
        return 0.0 if x <= 0 else 1.0
    if x > (a + 1) / (a + b + 2):
        return 1 - _beta_cdf(1 - x, b, a)
    log_front = math.lgamma(a + b) - math.lgamma(a) - math.lgamma(b) + a * math.log(x) + b * math.log1p(-x)
    floor = 1e-300
    upper, lower = 1.0, 1 - (a + b) * x / (a + 1)
    lower = 1 / (lower if abs(lower) > floor else floor)
    product = lower
    for m in range(1, _FRACTION_TERMS):
        even = m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m))
        odd = -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1))
        step = 1.0
        for term in (even, odd):
            lower = 1 + term * lower
            lower = 1 / (lower if abs(lower) > floor else floor)
            upper = 1 + term / upper
            upper = upper if abs(upper) > floor else floor
            step = lower * upper
            product *= step
        if abs(step - 1) < 1e-15:
            break
    return math.exp(log_front) * product / a
