"""Stage 6: choose the released set from the audited pool, under quotas.

With simulated respondents this is a screen only: what is saturated, or lures none of the panel,
is dropped, and strata are kept in balance. `screen_p` and `screen_r` are never called difficulty
or discrimination.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from statistics import fmean
from typing import NamedTuple

from generator.audit.policy import Preset
from generator.scoring.statistics import pearson


class Screened(NamedTuple):
    """A pool member as selection sees it.

    strata: values that are kept in balance (world, register, thirds of core and distractors).
    screen_p: mean importance over the panel. screen_r: correlation of the panel's scores on
    this task with their totals on the others; None where a side does not vary.
    """

    id: str
    strata: Mapping[str, str]
    screen_p: float
    screen_r: float | None


class Selection(NamedTuple):
    """Chosen ids in order of choice, ids dropped with the reason, and the screen of every task."""

    chosen: tuple[str, ...]
    dropped: dict[str, str]
    screen: dict[str, Screened]


def screen_pool(scores: Mapping[str, Sequence[float]], strata: Mapping[str, Mapping[str, str]]) -> dict[str, Screened]:
    """Return the screen of each task.

    Args:
        scores: Task id -> importance of each panel member, shape (panel,), one order for all.
        strata: Task id -> its strata.

    Source: corrected item-total correlation, Crocker and Algina (1986), with tasks as items.
    """
    ids = sorted(scores)
    members = len(scores[ids[0]]) if ids else 0
    totals = [sum(scores[i][m] for i in ids) for m in range(members)]
    found = {}
    for name in ids:
        own = scores[name]
        r = pearson(own, [totals[m] - own[m] for m in range(members)])
        found[name] = Screened(name, strata[name], round(fmean(own), 6), None if r is None else round(r, 6))
    return found


def select(screen: Mapping[str, Screened], n: int, preset: Preset) -> Selection:
    """Return up to `n` tasks: sound screen first, strata in balance, then the higher screen_r.

    Args:
        preset: Names of strata in order of importance, each kept as even as the pool allows, and
            what counts as saturated or hopeless; `first` names a numeric stratum whose low values come first.
    """
    quotas = preset.quotas
    dropped: dict[str, str] = {}
    for name, task in sorted(screen.items()):
        if task.screen_p > preset.saturated:
            dropped[name] = "saturated: the whole panel gets it right"
        elif task.screen_p < preset.hopeless:
            dropped[name] = "nobody on the panel gets any of it right"
    left = {name: task for name, task in screen.items() if name not in dropped}
    counts: dict[str, Counter[str]] = {q: Counter() for q in quotas}
    chosen: list[str] = []
    while left and len(chosen) < n:
        best = min(left.values(), key=lambda t: _rank(t, counts, quotas, preset.first))
        chosen.append(best.id)
        del left[best.id]
        for quota in quotas:
            counts[quota][best.strata[quota]] += 1
    return Selection(tuple(chosen), dropped, dict(screen))


def _rank(
    task: Screened, counts: Mapping[str, Counter[str]], quotas: Sequence[str], first: str | None
) -> tuple[float, float, int, float, str]:
    leading = counts[quotas[0]][task.strata[quotas[0]]] if quotas else 0
    others = sum(counts[q][task.strata[q]] for q in quotas[1:])
    turn = int(task.strata[first]) if first is not None else 0
    discriminates = -(task.screen_r if task.screen_r is not None else -1.0)
    return (leading, others, turn, round(discriminates, 1), task.id)
