"""Prediction-powered inference: correct a machine-scored mean by a random sample with human labels.

Apply it only where labels are a *random* sample of the run's own judged items. Without labels the uncorrected score
is printed, and says so.

A paired difference of two models on the same items is the mean of differences: pass `labels`, `predictions` and
`unlabelled` as differences, with `bounds=None`. A weighted sum over judged items (importance is one) is the mean of
values that were multiplied by count times weight.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import NamedTuple

from generator.scoring.statistics.basic import (
    LEVEL,
    Interval,
    clip,
    finite,
    is_constant,
    mean,
    normal_p,
    normal_quantile,
    same_length,
    variance,
)

BOUNDS = (0.0, 1.0)


class PPIEstimate(NamedTuple):
    """A mean corrected by labels.

    estimate, interval: clipped to the bounds; se is that of the unclipped estimate. None where `caution` says why.
    lam: tuning weight of the predictions, 0 (labels alone) to 1. naive: mean of the predictions to be corrected.
    rectifier: mean of labels minus `lam` times predictions. caution: what a reader must know, else empty.
    """

    estimate: float | None
    se: float | None
    interval: Interval | None
    lam: float | None
    naive: float | None
    rectifier: float | None
    n_labelled: int
    n_unlabelled: int
    is_clipped: bool
    caution: str


class PPIDifference(NamedTuple):
    """A difference of two means from *independent* samples, with the normal test of no difference."""

    estimate: float | None
    se: float | None
    interval: Interval | None
    z: float | None
    p: float | None
    reason: str


def power_tuning(labels: Sequence[float], predictions: Sequence[float], unlabelled: Sequence[float]) -> float:
    """Return the weight of the predictions that makes the estimate's variance smallest, clipped to [0, 1].

    0 if there is nothing to tune by: fewer than two labels, no unlabelled items, or predictions that do not vary.

    Raises:
        ValueError: Labels and predictions differ in length, or a value is not finite.

    Source: Angelopoulos, Duchi and Zrnic (2023), "PPI++", example 6.1: cov(Y, f) / ((1 + n/N) var(f)). Covariance over
    the labelled (divisor n), variance over all predictions (divisor n + N - 1), as in the package ppi-python.
    """
    same_length(labels, predictions)
    y, f, rest = finite(labels, "labels"), finite(predictions, "predictions"), finite(unlabelled, "unlabelled")
    if len(y) < 2 or not rest or is_constant([*f, *rest]):
        return 0.0
    y_mean, f_mean = mean(y) or 0.0, mean(f) or 0.0
    shared = math.fsum((a - y_mean) * (b - f_mean) for a, b in zip(y, f, strict=True)) / len(y)
    spread = variance([*f, *rest], 1) or 0.0
    return clip(shared / ((1 + len(y) / len(rest)) * spread))


def ppi_mean(
    labels: Sequence[float], predictions: Sequence[float], unlabelled: Sequence[float], *,
    lam: float | None = None, level: float = LEVEL, bounds: tuple[float, float] | None = BOUNDS,
) -> PPIEstimate:  # fmt: skip
    """Return the prediction-powered mean: lam * mean(unlabelled) + mean(labels - lam * predictions).

    Args:
        labels: Human labels of a random sample, shape (n,).
        predictions: What the machine said of the same items, shape (n,), same order.
        unlabelled: What the machine said of the other items, shape (N,). The labelled ones are not among them, or the
            two variances are not independent (BOULDER's pipeline leaves them in).
        lam: Tuning weight; None takes the best one (`power_tuning`), 1 is plain PPI, 0 the mean of the labels.
        level: Confidence level.
        bounds: Range of the mean, to which estimate and ends are clipped; None does not clip.

    The variance is lam² var(unlabelled)/N + var(labels - lam * predictions)/n, population variances; normal interval.
    Not defined: without labels (estimate None; `naive` stands), with one label or no variation (no interval: a normal
    one would have no width). If no label differs from its prediction the interval takes the machine as without error;
    `caution` says how large a share of errors so many labels leave open.

    Raises:
        ValueError: Lengths differ, a value is not finite, or bounds or level make no sense.

    Source: Angelopoulos et al. (2023), "Prediction-powered inference"; tuning: "PPI++" (2023).
    """
    same_length(labels, predictions)
    y, f, rest = finite(labels, "labels"), finite(predictions, "predictions"), finite(unlabelled, "unlabelled")
    z = normal_quantile(level)
    if bounds is not None and not bounds[0] < bounds[1]:
        raise ValueError(f"bounds {bounds!r} are not in ascending order")
    n, size = len(y), len(rest)
    naive = mean(rest) if rest else mean(f)
    if not n:
        return PPIEstimate(None, None, None, None, naive, None, 0, size, False, "no labels: the score is uncorrected")
    weight = power_tuning(y, f, rest) if lam is None else finite([lam], "lam")[0]
    if not rest:
        weight = 0.0
    residuals = [a - weight * b for a, b in zip(y, f, strict=True)]
    rectifier = mean(residuals) or 0.0
    raw = rectifier + (weight * (mean(rest) or 0.0) if rest else 0.0)
    low, high = bounds if bounds is not None else (-math.inf, math.inf)
    spread = (variance(residuals) or 0.0) / n + ((variance(rest) or 0.0) * weight**2 / size if rest else 0.0)
    caution = _caution(y, f, weight, residuals, level)
    is_flat = is_constant(residuals) and (not weight or is_constant(rest))
    if n < 2 or is_flat:
        caution = "one label: no interval" if n < 2 else f"nothing varies: no interval; {caution}".rstrip("; ")
        return PPIEstimate(
            clip(raw, low, high), None, None, weight, naive, rectifier, n, size, not low <= raw <= high, caution
        )
    se = math.sqrt(spread)
    ends = (raw - z * se, raw + z * se)
    interval = Interval(clip(ends[0], low, high), clip(ends[1], low, high))
    clipped = not (low <= ends[0] and ends[1] <= high)
    return PPIEstimate(clip(raw, low, high), se, interval, weight, naive, rectifier, n, size, clipped, caution)


def ppi_sample(
    predictions: Sequence[float], labels: Mapping[int, float], *,
    lam: float | None = None, level: float = LEVEL, bounds: tuple[float, float] | None = BOUNDS,
) -> PPIEstimate:  # fmt: skip
    """Return the prediction-powered mean of a list of machine scores, some of which have labels too.

    Args:
        predictions: Every machine score, shape (n + N,).
        labels: Place in `predictions` -> human label, of a random sample. They are taken out of the unlabelled.
        lam: See `ppi_mean`, as for the rest.
        level: See `ppi_mean`.
        bounds: See `ppi_mean`.

    Raises:
        ValueError: A place is not one of `predictions`, or as in `ppi_mean`.
    """
    for place in labels:
        if not 0 <= place < len(predictions):
            raise ValueError(f"label of place {place!r}: there are {len(predictions)} predictions")
    places = sorted(labels)
    rest = [score for place, score in enumerate(predictions) if place not in labels]
    return ppi_mean(
        [labels[p] for p in places], [predictions[p] for p in places], rest, lam=lam, level=level, bounds=bounds
    )


def ppi_pool(
    parts: Sequence[tuple[PPIEstimate, float]], level: float = LEVEL, bounds: tuple[float, float] | None = BOUNDS
) -> PPIEstimate:
    """Return the weighted mean of estimates from independent strata (modes that were sampled apart, say).

    Args:
        parts: (estimate, weight) of each stratum; weights are scaled to sum to 1.
        level: Confidence level.
        bounds: Range to which estimate and ends are clipped; None does not clip.

    Each stratum's clipped estimate counts, with its own standard error. None if a stratum has no estimate; no interval
    if one has no standard error. `lam` is None and `rectifier` the weighted mean: each stratum was tuned by itself.

    Raises:
        ValueError: No strata, a weight is negative, or all weights are zero.
    """
    weights = finite((weight for _, weight in parts), "weights")
    total = math.fsum(weights)
    if min(weights, default=-1) < 0 or total <= 0:
        raise ValueError(f"weights {weights!r} must be non-negative and not all zero")
    shares = [weight / total for weight in weights]
    strata = [stratum for stratum, _ in parts]
    labelled, rest = sum(s.n_labelled for s in strata), sum(s.n_unlabelled for s in strata)
    naive, rectifier, raw = (
        None if None in column else math.fsum(w * v for w, v in zip(shares, column, strict=True) if v is not None)
        for column in (
            [s.naive for s in strata], [s.rectifier for s in strata], [s.estimate for s in strata]
        )
    )  # fmt: skip
    cautions = "; ".join(dict.fromkeys(s.caution for s in strata if s.caution))
    if raw is None:
        return PPIEstimate(None, None, None, None, naive, rectifier, labelled, rest, False, cautions)
    low, high = bounds if bounds is not None else (-math.inf, math.inf)
    spread = [w * s.se for w, s in zip(shares, strata, strict=True) if s.se is not None]
    if len(spread) < len(strata):
        return PPIEstimate(clip(raw, low, high), None, None, None, naive, rectifier, labelled, rest, False, cautions)
    se = math.hypot(*spread)
    half = normal_quantile(level) * se
    ends = Interval(clip(raw - half, low, high), clip(raw + half, low, high))
    clipped = not low <= raw - half <= raw + half <= high
    return PPIEstimate(clip(raw, low, high), se, ends, None, naive, rectifier, labelled, rest, clipped, cautions)


def ppi_difference(one: PPIEstimate, other: PPIEstimate, level: float = LEVEL) -> PPIDifference:
    """Return one mean minus another, where no item is shared by the two samples.

    For two models on the same items use paired differences (see the module); this z-test would throw the pairing
    away. The difference is that of the clipped estimates.

    Not defined (None) if an estimate is; without a standard error on either side there is no interval and no p.

    Raises:
        ValueError: The level makes no sense.
    """
    quantile = normal_quantile(level)
    if one.estimate is None or other.estimate is None:
        return PPIDifference(None, None, None, None, None, "a side has no labels")
    difference = one.estimate - other.estimate
    if one.se is None or other.se is None:
        return PPIDifference(difference, None, None, None, None, "a side has no standard error")
    se = math.hypot(one.se, other.se)
    z = difference / se
    ends = Interval(difference - quantile * se, difference + quantile * se)
    return PPIDifference(difference, se, ends, z, normal_p(z), "")


def _caution(y: Sequence[float], f: Sequence[float], weight: float, residuals: Sequence[float], level: float) -> str:
    if weight and is_constant(residuals) and all(abs(a - b) < 1e-12 for a, b in zip(y, f, strict=True)):
        # Upper end of a one-sided exact interval at no error: "rule of three" in its exact form.
        bound = 1 - (1 - level) ** (1 / len(y))
        return f"no error among {len(y)} labels: up to {bound:.1%} of the machine's verdicts may still be wrong"
    return ""
