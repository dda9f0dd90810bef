"""Tests of paired differences and their effect sizes.

One rule for all of them: differences below 1e-12 are zero, and if every difference is zero the answer is "no
difference" with p = 1, at any n. No pairs at all: not defined, None.
"""

from __future__ import annotations

import math
from collections.abc import Hashable, Mapping, Sequence
from typing import Literal, NamedTuple

from generator.scoring.statistics.basic import TINY, finite, mean, midranks, normal_p, same_length, variance
from generator.seeds import stream

EXACT_RANKS = 300
"""Non-zero differences up to which the signed-rank distribution is computed in full (0.1 s at the limit)."""

EXACT_FLIPS = 14
"""Non-zero differences up to which all 2^m sign patterns are enumerated."""

FLIPS = 10_000

Method = Literal["exact", "normal", "monte carlo", "no difference", "not defined"]


class PairedTest(NamedTuple):
    """A two-sided test. n: pairs given; used: units with a difference, on which it rests. p is in (0, 1] or None."""

    statistic: float | None
    p: float | None
    n: int
    used: int
    method: Method


def wilcoxon(differences: Sequence[float], zeros: Literal["drop", "pratt"] = "drop") -> PairedTest:
    """Return the two-sided Wilcoxon signed-rank test.

    Args:
        differences: One minus other, per pair, shape (n,).
        zeros: "drop" removes pairs without a difference before ranking (Wilcoxon's own way and scipy's default);
            "pratt" ranks them and drops their ranks then, so that many ties weaken small differences.

    The statistic is the smaller of the two rank sums. Up to 300 differences p is exact, *given* the ranks: ties
    share midranks and the distribution is that of these midranks under random signs, so it holds with ties too.
    Beyond, the normal approximation with the ties' own variance, without continuity correction.

    Raises:
        ValueError: A difference is not finite, or `zeros` is unknown.

    Source: Wilcoxon (1945); Pratt (1959); conditional distribution: Lehmann (1975), section 3.
    """
    if zeros not in {"drop", "pratt"}:
        raise ValueError(f"zeros={zeros!r}: choose drop or pratt")
    signed = _signed_ranks(differences, zeros)
    if not signed:
        return _trivial(len(differences))
    plus = math.fsum(rank for rank in signed if rank > 0)
    minus = math.fsum(-rank for rank in signed if rank < 0)
    low = min(plus, minus)
    if len(signed) <= EXACT_RANKS:
        p = _rank_sum_p([round(2 * abs(rank)) for rank in signed], round(2 * low))
        return PairedTest(low, p, len(differences), len(signed), "exact")
    spread = math.sqrt(math.fsum(rank * rank for rank in signed)) / 2
    return PairedTest(low, normal_p((plus - minus) / 2 / spread), len(differences), len(signed), "normal")


def sign_flip(
    differences: Sequence[float], clusters: Sequence[Hashable] | None = None, *,
    flips: int = FLIPS, seed: int = 0, name: str = "sign-flip",
) -> PairedTest:  # fmt: skip
    """Return the two-sided sign-flip permutation test of a mean difference of zero.

    Args:
        differences: One minus other, per pair, shape (n,).
        clusters: Cluster of each pair: all its signs are flipped together, since its pairs are not independent.
        flips: Random sign patterns where there are too many to enumerate.
        seed: Root seed of the stream.
        name: Name of the stream.

    The statistic is the mean difference. Up to 14 units (pairs or clusters) whose sum is not zero all sign patterns
    are counted; beyond, p = (1 + as extreme) / (1 + flips), which is never 0. Null: each unit's differences are
    symmetric about zero.

    Raises:
        ValueError: A difference is not finite, lengths differ, or flips < 1.

    Source: Fisher (1935), section 21; the +1: Phipson and Smyth (2010).
    """
    values = finite(differences, "differences")
    if flips < 1:
        raise ValueError(f"flips {flips!r} is below 1")
    if clusters is not None:
        same_length(values, clusters)
        sums: dict[Hashable, list[float]] = {}
        for value, cluster in zip(values, clusters, strict=True):
            sums.setdefault(cluster, []).append(value)
        units = [math.fsum(part) for part in sums.values()]
    else:
        units = values
    units = [unit for unit in units if abs(unit) > TINY]
    if not units:
        return _trivial(len(values))
    total = math.fsum(units)
    # Sums of the same numbers in another order differ by rounding; they count as equal.
    bar = abs(total) - 1e-9 * math.fsum(map(abs, units))
    if len(units) <= EXACT_FLIPS:
        patterns = _sign_sums(units)
        p = sum(abs(pattern) >= bar for pattern in patterns) / len(patterns)
        return PairedTest(total / len(values), p, len(values), len(units), "exact")
    # A byte of random bits picks the sum of eight signed units from a table.
    tables = [_sign_sums(units[start : start + 8]) for start in range(0, len(units), 8)]
    rng = stream(seed, name, "sign-flip")
    masks = [len(table) - 1 for table in tables]
    extreme = 0
    for _ in range(flips):
        bits = rng.randbytes(len(tables))
        drawn = sum(table[byte & mask] for table, byte, mask in zip(tables, bits, masks, strict=True))
        extreme += abs(drawn) >= bar
    return PairedTest(total / len(values), (1 + extreme) / (1 + flips), len(values), len(units), "monte carlo")


def mcnemar(only_one: int, only_other: int) -> PairedTest:
    """Return the exact two-sided McNemar test of discordant pairs.

    Args:
        only_one: Tasks that only the first got right.
        only_other: Tasks that only the second got right.

    The statistic is the smaller count, n and `used` their sum; no discordant pair is "no difference".

    Raises:
        ValueError: A count is negative.

    Source: McNemar (1947), exact binomial form.
    """
    if only_one < 0 or only_other < 0:
        raise ValueError(f"counts {only_one!r} and {only_other!r} must not be negative")
    n, low = only_one + only_other, min(only_one, only_other)
    if n == 0:
        return PairedTest(0.0, 1.0, 0, 0, "no difference")
    tail, term = 0, 1
    for hits in range(low + 1):
        tail += term
        term = term * (n - hits) // (hits + 1)
    return PairedTest(float(low), min(1.0, 2 * tail / 2**n), n, n, "exact")


def holm(p_values: Mapping[str, float | None]) -> dict[str, float | None]:
    """Return Holm's adjusted p-values of a declared family, in the family's order.

    A test that was not defined (None) stays None but counts in the family's size: it was declared.

    Raises:
        ValueError: A p-value lies outside [0, 1].

    Source: Holm (1979).
    """
    for label, p in p_values.items():
        if p is not None and not 0 <= p <= 1:
            raise ValueError(f"p-value {p!r} of {label!r} is not in [0, 1]")
    known = sorted(((p, label) for label, p in p_values.items() if p is not None), key=lambda pair: pair[0])
    adjusted: dict[str, float | None] = dict.fromkeys(p_values)
    highest = 0.0
    for place, (p, label) in enumerate(known):
        highest = max(highest, min(1.0, (len(p_values) - place) * p))
        adjusted[label] = highest
    return adjusted


def rank_biserial(differences: Sequence[float], zeros: Literal["drop", "pratt"] = "drop") -> float | None:
    """Return the matched-pairs rank-biserial correlation, in [-1, 1]; 1 if every difference is positive.

    0 if every difference is zero (neither side is ahead); None for no pairs. `zeros` as in `wilcoxon`.

    Raises:
        ValueError: A difference is not finite.

    Source: Kerby (2014), simple difference formula.
    """
    signed = _signed_ranks(differences, zeros)
    if not signed:
        return 0.0 if len(differences) else None
    return math.fsum(signed) / math.fsum(map(abs, signed))


def cohens_dz(differences: Sequence[float]) -> float | None:
    """Return the mean difference over the standard deviation of differences (n - 1).

    None for fewer than two pairs, and where the differences do not vary: there is no scale to measure by.

    Raises:
        ValueError: A difference is not finite.

    Source: Cohen (1988), section 2.3.5.
    """
    values = finite(differences, "differences")
    centre, spread = mean(values), variance(values, 1)
    if centre is None or spread is None or spread <= TINY**2:
        return None
    return centre / math.sqrt(spread)


def _signed_ranks(differences: Sequence[float], zeros: str) -> list[float]:
    values = finite(differences, "differences")
    # Rounding first: 0.3 - 0.2 and 0.1 are one difference, and tie.
    rounded = [round(value, 12) for value in values]
    kept = rounded if zeros == "pratt" else [value for value in rounded if value]
    ranks = midranks([abs(value) for value in kept])
    return [math.copysign(rank, value) for rank, value in zip(ranks, kept, strict=True) if value]


def _trivial(n: int) -> PairedTest:
    return PairedTest(0.0, 1.0, n, 0, "no difference") if n else PairedTest(None, None, 0, 0, "not defined")


def _rank_sum_p(ranks: Sequence[int], low: int) -> float:
    """Return the two-sided p-value of a rank sum <= `low` under random signs; ranks are integers.

    The generating function, the product of (1 + x^rank), is kept in one big integer with `width` bits a coefficient.
    """
    divisor = math.gcd(*ranks)
    width = len(ranks) + 2
    mask = (1 << width * (low // divisor + 1)) - 1
    counts = 1
    for rank in ranks:
        counts += (counts << width * (rank // divisor)) & mask
    # The sum of the digits of a number in base B is congruent to it modulo B - 1, and below B - 1 here.
    tail = (counts & mask) % ((1 << width) - 1)
    return min(1.0, tail / (1 << (len(ranks) - 1)))


def _sign_sums(units: Sequence[float]) -> list[float]:
    sums = [0.0]
    for unit in units:
        sums = [part + unit for part in sums] + [part - unit for part in sums]
    return sums
