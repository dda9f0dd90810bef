"""What a result of a travel task holds beside its verdict: metrics, tags, and whether the reply declines."""

from __future__ import annotations

import math
from fractions import Fraction
from typing import Any

from generator.records import Item, Key, Result
from generator.scoring.checks import ReplyContext
from generator.scoring.plain.answers import NUMBERS, Given, Value, kind_of, target_of
from generator.scoring.plain.checks import given_in
from generator.scoring.plain.metrics import (
    DISTANCE_HALF_M,
    FREQUENCY_HALF_MIN,
    Score,
    YesNo,
    score_exact,
    score_number,
    score_set,
    score_yesno,
)
from generator.scoring.plain.tags import tags_of

_SIDES: dict[str, YesNo] = {"yes": "yes", "no": "no", "unknown": "unknown"}


def is_travel(key: Key) -> bool:
    """Return whether a key is of a travel task."""
    return "travel" in key.state


def travel_extras(key: Key, context: ReplyContext, status: str) -> dict[str, Any]:
    """Return the fields `metrics`, `tags` and `abstained` of a result; what is not to be scored is no answer.

    Args:
        key: The key; its plain item is what is measured.
        context: The reply.
        status: What became of it, as `reply_status` says. A failed call has nothing to measure.
    """
    item = next((i for i in key.items if i.check.startswith("plain.")), None)
    if item is None or status == "error":
        return {}
    given = given_in(item, context) if status == "ok" else Given(None, abstains=status == "refusal", is_blank=True)
    score = score_given(item, given)
    errors = {"absolute_error": score.absolute_error, "relative_error": score.relative_error}
    known = {name: error for name, error in errors.items() if error is not None and math.isfinite(error)}
    return {
        "metrics": {**score.values, **known},
        "tags": tags_of(key, item, given),
        "abstained": score.is_abstention,
    }


def score_given(item: Item, given: Given) -> Score:
    """Return the score of what a reply gives: metres and minutes for numbers, all else right or wrong, or by set."""
    kind, target, value = kind_of(item), target_of(item), given.value
    if kind in NUMBERS:
        scale, half = (10, FREQUENCY_HALF_MIN) if kind == "frequency" else (1, DISTANCE_HALF_M)
        return score_number(_scaled(value, scale), _scaled(target, scale) or 0, half, abstains=given.abstains)
    if kind == "list":
        wanted = target if isinstance(target, tuple) else ()
        return score_set(value if isinstance(value, tuple) else None, wanted, abstains=given.abstains)
    if kind == "yesno":
        score = score_yesno(_side(value), _side(target) or "unknown")
        return Score(score.values, score.is_missing, score.is_abstention or given.abstains)
    return score_exact(value, [target], abstains=given.abstains)


def _scaled(value: Value | None, scale: int) -> Fraction | None:
    return Fraction(value) / scale if isinstance(value, int | Fraction) else None


def _side(value: Value | None) -> YesNo | None:
    return _SIDES.get(value) if isinstance(value, str) else None


_EXACT = frozenset({"exact", "within_1_percent"})


def judged_extras(result: Result, *, is_hit: bool) -> dict[str, Any]:
    """Return metrics and tags of a result whose answer a judge found right, or wrong, where the checks said otherwise.

    A right answer has every score, and no error or failure. Of a wrong one nobody has read a value: what the checks
    measured stays, but for exactness.
    """
    scores = {name: value for name, value in result.metrics.items() if not name.endswith("_error")}
    if is_hit:
        return {"metrics": dict.fromkeys(scores, 1.0), "tags": (), "abstained": False}
    return {"metrics": {**result.metrics, **{name: 0.0 for name in scores if name in _EXACT}}}
