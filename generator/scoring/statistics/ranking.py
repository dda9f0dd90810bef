"""Orders of configurations: how firm they are, what picking leaders would give, and who is on the Pareto front."""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from statistics import fmean
from typing import NamedTuple

from generator.scoring.statistics.association import kendall_tau_b
from generator.scoring.statistics.basic import LEVEL, TINY, Interval, mean, midranks, quantile, same_length
from generator.scoring.statistics.resample import RESAMPLES, draw_means


class Place(NamedTuple):
    """Where one configuration stands. Rank 1 is best; tied ones share the mean of their places.

    ranks: percentile interval of its rank over resamples, None for fewer than two units. first: share of resamples
    in which it is best (ties shared).
    """

    name: str
    score: float
    rank: float
    ranks: Interval | None
    first: float | None


class Stability(NamedTuple):
    """The order of configurations over bootstrap samples of tasks.

    tau: mean Kendall tau-b of a resampled order with the order found; None if no resample orders anything.
    beats: (one, other) -> share of resamples in which one scores higher, half for ties; one entry per ordered pair.
    """

    places: tuple[Place, ...]
    tau: float | None
    n: int
    units: int
    beats: dict[tuple[str, str], float]


def rank_stability(
    scores: Mapping[str, Sequence[float]], clusters: Sequence[Hashable] | None = None, *,
    resamples: int = RESAMPLES, level: float = LEVEL, seed: int = 0, name: str = "ranks",
) -> Stability:  # fmt: skip
    """Return the order of configurations by mean score, and how it holds over resampled tasks.

    Args:
        scores: Configuration -> one score per task, shape (tasks,); the same tasks in one order for all.
        clusters: Cluster of each task; see `bootstrap_mean`, as for the rest.
        resamples: See `bootstrap_mean`.
        level: See `bootstrap_mean`.
        seed: See `bootstrap_mean`.
        name: See `bootstrap_mean`.

    Raises:
        ValueError: Lengths differ, or a score is not finite.
    """
    names = list(scores)
    draws = draw_means(scores, clusters, resamples=resamples, seed=seed, name=name)
    size = len(next(iter(scores.values()), []))
    units = size if clusters is None else len(set(clusters))
    if not names or not size:
        return Stability((), None, size, units, {})
    means = [mean(scores[label]) or 0.0 for label in names]
    ranks = _ranks(means)
    rounds = list(zip(*(draws[label] for label in names), strict=True))
    drawn = [_ranks(found) for found in rounds]
    taus = [tau for found in drawn if (tau := kendall_tau_b(ranks, found)) is not None]
    places = []
    for at, label in enumerate(names):
        column = sorted(found[at] for found in drawn)
        ends = Interval(quantile(column, (1 - level) / 2), quantile(column, (1 + level) / 2)) if column else None
        firsts = [(found[at] == min(found)) / found.count(min(found)) for found in drawn]
        places.append(Place(label, means[at], ranks[at], ends, mean(firsts)))
    beats = {
        (one, other): fmean((f[j] > f[i]) + 0.5 * (f[j] == f[i]) for f in drawn)
        for i, one in enumerate(names)
        for j, other in enumerate(names)
        if i != j and drawn
    }
    return Stability(tuple(sorted(places, key=lambda p: (p.rank, p.name))), mean(taus), size, units, beats)


def roll_stability(means: Mapping[str, Sequence[float]]) -> dict[str, float | int | None]:
    """Return how the order of configurations agrees between rolls.

    Args:
        means: Configuration -> mean score of each roll, shape (rolls,), rolls in one order for all.

    Returns:
        `rolls`, and the least and mean Kendall tau-b over all pairs of rolls; None with fewer than two rolls or
        configurations, or where a roll orders nothing.

    Raises:
        ValueError: Configurations differ in their number of rolls.
    """
    columns = list(means.values())
    for column in columns[1:]:
        same_length(columns[0], column)
    rounds = [_ranks(found) for found in zip(*columns, strict=True)]
    taus = [kendall_tau_b(one, other) for at, one in enumerate(rounds) for other in rounds[:at]]
    known = [tau for tau in taus if tau is not None]
    return {"rolls": len(rounds), "min_tau": min(known, default=None), "mean_tau": mean(known)}


class Composite(NamedTuple):
    """What choosing the best configuration per mode would reach.

    score: with leaders chosen on the tasks they are scored on, so it flatters. cross_fitted: each cluster of tasks
    is scored by the leader of the mode's other clusters, which does not. leaders: mode -> best ones (several if tied).
    """

    score: float | None
    cross_fitted: float | None
    best_single: str | None
    best_single_score: float | None
    leaders: dict[str, tuple[str, ...]]
    n: int


def leaders_composite(
    scores: Mapping[str, Sequence[float]], modes: Sequence[str], clusters: Sequence[Hashable] | None = None
) -> Composite:
    """Return the per-mode-leader composite, a mean over tasks as the headline is.

    Args:
        scores: Configuration -> one score per task, shape (tasks,), same tasks in one order for all.
        modes: Mode of each task, shape (tasks,).
        clusters: Cluster of each task, for cross-fitting; None leaves out single tasks.

    None for no configurations or tasks; `cross_fitted` is None too where a mode has a single cluster.

    Raises:
        ValueError: Lengths differ.
    """
    for values in scores.values():
        same_length(values, modes)
    if clusters is not None:
        same_length(clusters, modes)
    if not scores or not modes:
        return Composite(None, None, None, None, {}, len(modes))
    groups: Sequence[Hashable] = clusters if clusters is not None else range(len(modes))
    leaders: dict[str, tuple[str, ...]] = {}
    total, crossed = 0.0, 0.0
    is_crossed = True
    for mode in sorted(set(modes)):
        places = [place for place, label in enumerate(modes) if label == mode]
        leaders[mode] = _leaders(scores, places)
        total += sum(scores[leaders[mode][0]][place] for place in places)
        for group in dict.fromkeys(groups[place] for place in places):
            own = [place for place in places if groups[place] == group]
            rest = [place for place in places if groups[place] != group]
            is_crossed = is_crossed and bool(rest)
            chosen = _leaders(scores, rest) if rest else ()
            crossed += sum(fmean(scores[label][place] for label in chosen) for place in own) if chosen else 0.0
    singles = {label: fmean(values) for label, values in scores.items()}
    best = max(sorted(singles), key=singles.__getitem__)
    cross = crossed / len(modes) if is_crossed else None
    return Composite(total / len(modes), cross, best, singles[best], leaders, len(modes))


def pareto_front(points: Mapping[str, tuple[float | None, float | None]]) -> list[str]:
    """Return the names that no other beats: none is at most as dear and at least as good, and better in one of them.

    Args:
        points: Name -> (cost, score); lower cost and higher score are better. Points with a None take no part.

    Returns:
        Names by ascending cost, then name. Equal points are all on the front or all off it.
    """
    known = [(cost, -score, name) for name, (cost, score) in points.items() if cost is not None and score is not None]
    front: list[tuple[float, float, str]] = []
    for cost, loss, name in sorted(known):
        # Sorted by cost: a point is on the front if it beats the last one's score, or equals the last one.
        if not front or loss < front[-1][1] or (cost, loss) == front[-1][:2]:
            front.append((cost, loss, name))
    return [name for _, _, name in front]


def _ranks(means: Sequence[float]) -> list[float]:
    return midranks([-round(value, 12) for value in means])


def _leaders(scores: Mapping[str, Sequence[float]], places: Sequence[int]) -> tuple[str, ...]:
    means = {label: fmean(values[place] for place in places) for label, values in scores.items()}
    top = max(means.values())
    return tuple(sorted(label for label, value in means.items() if value >= top - TINY))
