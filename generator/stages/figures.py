"""Figures about a pool: how factors fell out, and how far they go together."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations
from statistics import median
from typing import Any

from generator.language.forms import REGISTERS
from generator.records import Factors
from generator.scoring.statistics import pearson

DESIGNED = ("core", "distractors", "gap_share", "register")


def balance_of(factors: Sequence[Factors]) -> dict[str, Any]:
    """Return correlations between the designed factors, and of what follows from them, and ranges.

    Correlations are Pearson's over candidates, None where a factor is fixed; register is its
    place in formal, colloquial, elliptical.
    """
    columns: dict[str, list[float]] = {
        "core": [f.core for f in factors],
        "distractors": [f.distractors for f in factors],
        "gap_share": [f.gap_share for f in factors],
        "register": [REGISTERS.index(f.register_name) for f in factors],
        "turns": [f.turns for f in factors],
        "distance": [f.distance for f in factors],
    }
    designed: dict[str, float | None] = {}
    following: dict[str, float | None] = {}
    for one, other in combinations(columns, 2):
        r = pearson(columns[one], columns[other])
        place = designed if one in DESIGNED and other in DESIGNED else following
        place[f"{one}~{other}"] = None if r is None else round(r, 3)
    spans = {
        name: {"min": min(values), "median": median(values), "max": max(values)}
        for name, values in columns.items()
        if values
    }
    known = [abs(r) for r in designed.values() if r is not None]
    return {"designed": designed, "following": following, "spans": spans, "max_designed": max(known) if known else None}
