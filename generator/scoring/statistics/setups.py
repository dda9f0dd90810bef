"""Travel results by setup: means of every metric, what failed and how long replies are, and tests between setups.

Setups of an instance ask the same question, so tests are paired by instance: McNemar on the first roll, Wilcoxon on
closeness, and a bootstrap over instances for the difference. The p-values of one table are one family (Holm).
"""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import combinations
from statistics import fmean, median
from typing import Any

from generator.records import Result
from generator.scoring.plain import NO_ANSWER
from generator.scoring.statistics.paired import holm, mcnemar, wilcoxon
from generator.scoring.statistics.proportions import wilson
from generator.scoring.statistics.resample import bootstrap_mean

Json = dict[str, Any]
CLOSENESS = "closeness"
ALL = "all"
MATCHED, FULL_LENGTH = "length-matched", "dialogue"
RESAMPLES = 1_000
SATURATED = 0.97
SATURATED_LEAST = 20
"""Exact score from which on a task in a setup is called saturated, and the instances it takes to say so."""


@dataclass(frozen=True, slots=True)
class SetupReply:
    """One scored reply with what its task says of it. `prompt_tokens` is None where no endpoint told them."""

    instance: str
    task: str
    setup: str
    labels: tuple[str, ...]
    roll: int
    strict: float
    metrics: Mapping[str, float] = field(default_factory=dict)
    tags: tuple[str, ...] = ()
    abstained: bool = False
    length: int | None = None
    prompt_tokens: float | None = None

    @property
    def is_missing(self) -> bool:
        """Return whether no answer was found in the reply."""
        return NO_ANSWER in self.tags


def setup_reply(
    result: Result, instance: str, state: Mapping[str, Any], setup: str, tokens: float | None = None
) -> SetupReply | None:
    """Return the reply as the tables take it; None where the call failed, which is counted in coverage."""
    if result.strict is None:
        return None
    labels = (str(state["reasoning"]), str(state["knowledge"]))
    return SetupReply(
        instance, str(state["travel"]), setup, labels, result.roll, float(result.strict), result.metrics, result.tags,
        result.abstained, result.length, tokens,
    )  # fmt: skip


def summarise_setups(
    replies: Iterable[SetupReply], order: Sequence[str], *, tolerance: float = 0.03, resamples: int = RESAMPLES,
    seed: int = 0,
) -> Json:  # fmt: skip
    """Return blocks per setup (over all, per task, per label), tests between setups, how prompts matched in length,
    and which tasks a setup saturates.

    Args:
        replies: Scored replies of one model, in any order.
        order: Setups in the order of the tables; the first that occurs is the reference of the tests per task.
        tolerance: Share by which prompt tokens of the length-matched setup may differ from the dialogue's.
        resamples: Of each bootstrap.
        seed: Root seed of the bootstraps.
    """
    groups: dict[str, list[SetupReply]] = defaultdict(list)
    for reply in replies:
        groups[reply.setup].append(reply)
    names = [n for n in order if n in groups] + sorted(set(groups) - set(order))
    return {
        "setups": {name: _blocks(groups[name]) for name in names},
        "tests": _tests({name: groups[name] for name in names}, resamples, seed),
        "prompt_tokens": _matched(groups, tolerance),
        "saturated": [
            [name, task]
            for name in names
            for task in sorted({r.task for r in groups[name]})
            if _is_saturated([r for r in groups[name] if r.task == task])
        ],
    }


def _is_saturated(replies: Sequence[SetupReply]) -> bool:
    """Return whether nearly everything is right: such a side of a pair tells nobody apart."""
    strict = _by_instance(replies, lambda r: r.strict)
    return len(strict) >= SATURATED_LEAST and fmean(strict.values()) >= SATURATED


def _blocks(replies: Sequence[SetupReply]) -> Json:
    tasks = sorted({r.task for r in replies})
    labels = sorted({label for r in replies for label in r.labels})
    return {
        ALL: _block(replies),
        "tasks": {task: _block([r for r in replies if r.task == task]) for task in tasks},
        "labels": {label: _block([r for r in replies if label in r.labels]) for label in labels},
    }


def _block(replies: Sequence[SetupReply]) -> Json:
    """Return the figures of a group. Rolls of an instance are averaged first; a metric is over those that have it."""
    strict = _by_instance(replies, lambda r: r.strict)
    metrics = sorted({name for r in replies for name in r.metrics if not name.endswith("_error")})
    errors = sorted({name for r in replies for name in r.metrics if name.endswith("_error")})
    # Instances are the units, a share of rolls counting as a share of one: narrower with more rolls than this says.
    interval = wilson(round(sum(strict.values())), len(strict)) if strict else None
    lengths = [r.length for r in replies if r.length is not None]
    return {
        "replies": len(replies),
        "instances": len(strict),
        "strict": fmean(strict.values()),
        "strict_interval": [interval.low, interval.high] if interval else None,
        "metrics": {name: _mean_metric(replies, name) for name in metrics},
        "errors": {name: _median_error(replies, name) for name in errors},
        "no_answer": sum(r.is_missing for r in replies),
        "abstained": sum(r.abstained for r in replies),
        "tags": dict(sorted(Counter(t for r in replies for t in r.tags).items())),
        "length": {"mean": fmean(lengths), "median": median(lengths)} if lengths else None,
    }


def _by_instance(replies: Sequence[SetupReply], value: Any) -> dict[str, float]:
    found: dict[str, list[float]] = defaultdict(list)
    for reply in replies:
        found[reply.instance].append(value(reply))
    return {name: fmean(values) for name, values in sorted(found.items())}


def _median_error(replies: Sequence[SetupReply], name: str) -> float | None:
    """Return the median error of replies that ask for a number, one without a number being infinitely off.

    None where over half give no number, and for errors in metres and minutes together.
    """
    asked = [r for r in replies if CLOSENESS in r.metrics]
    if name == "absolute_error" and len({r.task for r in asked}) > 1:
        return None
    found = median(r.metrics.get(name, math.inf) for r in asked) if asked else math.inf
    return found if math.isfinite(found) else None


def _mean_metric(replies: Sequence[SetupReply], name: str) -> float:
    having = [r for r in replies if name in r.metrics]
    return fmean(_by_instance(having, lambda r: r.metrics[name]).values())


def _tests(groups: Mapping[str, Sequence[SetupReply]], resamples: int, seed: int) -> list[Json]:
    """Return the tests of every pair over all tasks, and of each setup against the first per task."""
    names = list(groups)
    found: list[Json] = []
    for one, other in combinations(names, 2):
        found += _pair(ALL, one, other, groups[one], groups[other], resamples, seed)
    for task in sorted({r.task for replies in groups.values() for r in replies}):
        own = {name: [r for r in groups[name] if r.task == task] for name in names}
        for other in names[1:]:
            found += _pair(task, names[0], other, own[names[0]], own[other], resamples, seed)
    adjusted = holm({str(n): test["p"] for n, test in enumerate(found)})
    return [{**test, "p_holm": adjusted[str(n)]} for n, test in enumerate(found)]


def _pair(
    task: str, one: str, other: str, mine: Sequence[SetupReply], theirs: Sequence[SetupReply], resamples: int, seed: int
) -> list[Json]:  # fmt: skip
    found = []
    left, right = ({r.instance: r.strict for r in group if r.roll == 1} for group in (mine, theirs))
    both = sorted(left.keys() & right.keys())
    if both:
        only_one = sum(left[i] == 1 and right[i] != 1 for i in both)
        only_other = sum(right[i] == 1 and left[i] != 1 for i in both)
        # The test is of roll 1, where answers are right or wrong; the difference is of the means that the tables show.
        whole = [_by_instance(group, lambda r: r.strict) for group in (mine, theirs)]
        differences = [whole[1][i] - whole[0][i] for i in both]
        p = mcnemar(only_one, only_other).p
        found.append(_test(task, one, other, "strict", "mcnemar", p, differences, resamples, seed))
    close = [
        _by_instance([r for r in group if CLOSENESS in r.metrics], lambda r: r.metrics[CLOSENESS])
        for group in (mine, theirs)
    ]
    both = sorted(close[0].keys() & close[1].keys())
    if both:
        differences = [close[1][i] - close[0][i] for i in both]
        p = wilcoxon(differences).p
        found.append(_test(task, one, other, CLOSENESS, "wilcoxon", p, differences, resamples, seed))
    return found


def _test(
    task: str, one: str, other: str, measure: str, name: str, p: float | None, differences: Sequence[float],
    resamples: int, seed: int,
) -> Json:  # fmt: skip
    """Return one test: the difference is the second setup's mean minus the first's."""
    label = f"{task}/{one}/{other}/{measure}"
    drawn = bootstrap_mean(differences, resamples=resamples, seed=seed, name=label)
    return {
        "task": task, "one": one, "other": other, "measure": measure, "n": len(differences), "test": name,
        "difference": fmean(differences), "p": p,
        "interval": [drawn.interval.low, drawn.interval.high] if drawn.interval else None,
    }  # fmt: skip


def _matched(groups: Mapping[str, Sequence[SetupReply]], tolerance: float) -> Json | None:
    """Return how often prompt tokens of the length-matched setup miss the dialogue's; None where none were told."""
    told = [
        {r.instance: r.prompt_tokens for r in groups.get(name, ()) if r.prompt_tokens}
        for name in (MATCHED, FULL_LENGTH)
    ]
    shares = [abs(told[0][i] - told[1][i]) / told[1][i] for i in sorted(told[0].keys() & told[1].keys())]
    if not shares:
        return None
    return {
        "pairs": len(shares), "tolerance": tolerance, "beyond": sum(s > tolerance for s in shares),
        "median_share": median(shares), "largest_share": max(shares),
    }  # fmt: skip
