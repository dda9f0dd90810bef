"""Values as the original's result files store them, made comparable, and their scores by our metrics."""

from __future__ import annotations

import re
from collections.abc import Sequence
from decimal import Decimal, InvalidOperation
from fractions import Fraction
from typing import Any

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
from generator.travel.truth.rounding import round_half_up

Value = Decimal | str | bool | tuple[str, ...] | None

ANSWER_TYPES = ("amount", "times", "restaurants", "frequency", "directions", "distance", "order")
_SIDES: dict[str, YesNo] = {"yes": "yes", "no": "no", "unknown": "unknown"}
_NOTHING = ("", "null", "none", "nan", "n/a")
_NUMBER = re.compile(r"\D*?(-?\d[\d,]*(?:\.\d+)?)[^\d]*")
_TIME = re.compile(r"(\d{1,2}):([0-5]\d)(?::[0-5]\d)?")
_LINE = re.compile(r"^\s*(?:\d+[.)]|[-*])\s*")


def read_stored(kind: str, stored: Any, *, is_target: bool = False) -> Value:
    """Return a stored answer or target as a value; None if it holds none. Never raises for what it holds.

    Money and lengths become decimals, times "HH:MM", directions "yes", "no" or "unknown", lists tuples of
    lower-case names without repetition. An empty text is no answer, but as a target of a list it is the empty list.
    """
    if kind in ("restaurants", "order"):
        return _read_names(stored, is_target=is_target)
    if isinstance(stored, bool):
        return ("yes" if stored else "no") if kind == "directions" else None
    text = "" if stored is None else str(stored).strip()
    if text.lower() in _NOTHING:
        return None
    if kind == "directions":
        word = text.lower().strip(" .!\"'")
        return {"true": "yes", "false": "no"}.get(word, _SIDES.get(word))
    if kind == "times":
        found = _TIME.fullmatch(text)
        return f"{int(found[1]) % 24:02d}:{found[2]}" if found else None
    number = _NUMBER.fullmatch(text)
    try:
        return Decimal(number[1].replace(",", "")) if number else None
    except InvalidOperation:
        return None


def score_value(kind: str, value: Value, target: Value, *, also: Sequence[int] = (), declines: bool = False) -> Score:
    """Return our score of a value against a target, both as `read_stored` gives them.

    Args:
        kind: The original's answer type.
        value: What was read, None for nothing.
        target: The stored target. Amounts are compared in pence, both rounded half up.
        also: Other totals in pence that a rule of rounding gives, none having been stated.
        declines: Whether the reply refuses, or says that it cannot tell.
    """
    if kind == "amount":
        return score_exact(_pence(value), [_pence(target), *also], abstains=declines)
    if kind == "restaurants":
        return score_set(_names(value), _names(target) or (), abstains=declines)
    if kind == "directions":
        return score_yesno(_yesno(value), _yesno(target) or "unknown")
    if kind in ("distance", "frequency"):
        half = DISTANCE_HALF_M if kind == "distance" else FREQUENCY_HALF_MIN
        return score_number(_decimal(value), _decimal(target) or Decimal(0), half, abstains=declines)
    return score_exact(value, [target], abstains=declines)


def is_equal(kind: str, left: Value, right: Value) -> bool:
    """Return whether two parsers found the same: money to the penny, numbers to a hundredth, lists as sets."""
    if left is None or right is None:
        # "unknown" is how the original stores that a reply takes no side
        return left == right or (kind == "directions" and {left, right} == {None, "unknown"})
    if kind == "amount":
        return _pence(left) == _pence(right)
    if kind == "restaurants":
        return set(_names(left) or ()) == set(_names(right) or ())
    if isinstance(left, Decimal) and isinstance(right, Decimal):
        return abs(left - right) <= Decimal("0.01")
    return left == right


def _read_names(stored: Any, *, is_target: bool) -> tuple[str, ...] | None:
    if isinstance(stored, str):
        if stored.strip().lower() in _NOTHING:
            return () if is_target and not stored.strip() else None
        stored = [_LINE.sub("", line) for line in stored.splitlines() if line.strip()]
    if not isinstance(stored, Sequence):
        return None
    names = [entry.get("name") if isinstance(entry, dict) else entry for entry in stored]
    return tuple(dict.fromkeys(str(name).strip().lower() for name in names if name is not None))


def _pence(value: Value) -> int | None:
    return round_half_up(Fraction(100 * value)) if isinstance(value, Decimal) else None


def _decimal(value: Value) -> Decimal | None:
    return value if isinstance(value, Decimal) else None


def _names(value: Value) -> tuple[str, ...] | None:
    return value if isinstance(value, tuple) else None


def _yesno(value: Value) -> YesNo | None:
    return _SIDES.get(value) if isinstance(value, str) else None
