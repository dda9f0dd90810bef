"""Several rolls of one task: any of k, all of k, and the bounds that they span."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import comb

from generator.records import Item, Verdict
from generator.scoring.metrics import weigh
from generator.scoring.statistics.basic import finite, mean


def pass_at_k(n: int, hits: int, k: int) -> float | None:
    """Return the unbiased estimate of P(at least one of k tries succeeds); None if k > n: it cannot be estimated.

    Args:
        n: Tries made.
        hits: Tries that succeeded, 0..n.
        k: Tries asked about, at least 1.

    Raises:
        ValueError: A count makes no sense.

    Source: Chen et al. (2021), equation 1.
    """
    _check(n, hits, k)
    return None if k > n else 1 - comb(n - hits, k) / comb(n, k)


def pass_hat_k(n: int, hits: int, k: int) -> float | None:
    """Return the unbiased estimate of P(all of k tries succeed), pass^k; arguments and None as in `pass_at_k`.

    Source: Yao et al. (2024), tau-bench.
    """
    _check(n, hits, k)
    return None if k > n else comb(hits, k) / comb(n, k)


def best_of_k(scores: Sequence[float], k: int) -> float | None:
    """Return the expected highest of k of the scores, drawn without replacement; None if there are fewer than k.

    With k equal to the number of scores it is their maximum; with scores of 0 and 1 it is `pass_at_k`.

    Raises:
        ValueError: k < 1, or a score is not finite.
    """
    ordered = sorted(finite(scores, "scores"))
    _check(len(ordered), 0, k)
    if k > len(ordered):
        return None
    # The i-th smallest is the highest of comb(i, k - 1) of all draws, i counted from 0.
    return sum(score * comb(place, k - 1) for place, score in enumerate(ordered)) / comb(len(ordered), k)


def worst_of_k(scores: Sequence[float], k: int) -> float | None:
    """Return the expected lowest of k of the scores: what one may count on in all k. See `best_of_k`."""
    best = best_of_k([-score for score in scores], k)
    return None if best is None else -best


def merge_rolls(items: Sequence[Item], rolls: Sequence[Mapping[str, Verdict]]) -> tuple[float, float] | None:
    """Return importance if an item counts as hit in all rolls, and if it counts as hit in any of them.

    These bound what item-wise luck does to a task: "all-k" and "best-of-k" of the paper, item by item. Gates are
    merged likewise. Unsure counts as a miss. Rolls with an item in error are left out; None if none is left.

    Args:
        items: The task's items.
        rolls: Verdict by item id, one mapping per roll.
    """
    sound = [roll for roll in rolls if all(roll.get(item.id, Verdict.ERROR) != Verdict.ERROR for item in items)]
    if not sound:
        return None
    ends = []
    for merge in (all, any):
        verdicts = {
            item.id: Verdict.HIT if merge(roll[item.id] == Verdict.HIT for roll in sound) else Verdict.MISS
            for item in items
        }
        ends.append(weigh(items, verdicts)[0])
    low, high = ends
    return None if low is None or high is None else (low, high)


def mean_tries(counts: Sequence[tuple[int, int]], k: int) -> dict[str, float | int | None]:
    """Return pass@k and pass^k averaged over tasks.

    Args:
        counts: (tries, hits) of each task. Tasks with fewer than k tries are left out, and `n` says how many stayed.
        k: Tries asked about, at least 1.
    """
    kept = [(n, hits) for n, hits in counts if n >= k]
    any_of = [value for n, hits in kept if (value := pass_at_k(n, hits, k)) is not None]
    all_of = [value for n, hits in kept if (value := pass_hat_k(n, hits, k)) is not None]
    return {"k": k, "n": len(kept), "pass_at_k": mean(any_of), "pass_hat_k": mean(all_of)}


def _check(n: int, hits: int, k: int) -> None:
    if k < 1 or n < 0 or not 0 <= hits <= n:
        raise ValueError(f"{hits!r} hits of {n!r} tries, k = {k!r}: hits must be a count of 0..n, k at least 1")
