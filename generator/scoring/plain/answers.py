"""Plain answers: what a key holds right, what a reply gives, and when the two are one.

Values by kind: amount in minor units, time in minutes after midnight, frequency in tenths of a minute, distance in
metres (these two exact, as a fraction), yesno "yes", "no" or "unknown", list and order tuples of names.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction
from typing import Any

from generator.errors import GenError
from generator.records import Item
from generator.scoring.read import clean_reply, read
from generator.scoring.read.declining import is_declining, without_declining
from generator.scoring.read.foreign import find_foreign
from generator.scoring.read.lists import read_list
from generator.scoring.read.orders import read_order
from generator.scoring.read.sides import read_side
from generator.scoring.read.text import make_plain

Value = int | Fraction | str | tuple[str, ...]

KINDS = ("amount", "time", "frequency", "distance", "yesno", "list", "order")
NUMBERS = frozenset({"frequency", "distance"})
NAMED = frozenset({"list", "order"})
TOLERANCE = {"frequency": 1, "distance": 1}
"""Error that is no error, in tenths of a minute and in metres; so is one per cent of the target."""
# What is asked for, where the item does not say: both languages, since a reader looks for either.
_LATEST = "last departure 末班车发车"
_PASSED = ("ask", "currency", "range")


@dataclass(frozen=True, slots=True)
class Given:
    """What a reply gives: `value` None is no answer. abstains: it says that it cannot tell, or will not."""

    value: Value | None
    abstains: bool = False
    is_blank: bool = False


def kind_of(item: Item) -> str:
    """Return the kind of answer that an item checks.

    Raises:
        GenError: It is no item of a plain check.
    """
    kind = item.check.removeprefix("plain.")
    if kind not in KINDS:
        raise GenError(f"item {item.id!r}", f"check {item.check!r} is of no plain answer", f"use one of {KINDS}")
    return kind


def target_of(item: Item) -> Value | None:
    """Return the right answer; None where the right answer is that there is none.

    Raises:
        KeyError: The item has neither `value` nor `values`.
    """
    if "value" in item.params:
        return decode(kind_of(item), {"": item.params["value"]})
    return decode(kind_of(item), item.params["values"])


def decode(kind: str, values: Mapping[str, int]) -> Value | None:
    """Return the answer that a key's values stand for; None for no values."""
    if not values:
        return None
    if kind == "list":
        return tuple(name for name, chosen in values.items() if chosen)
    if kind == "order":
        return tuple(sorted(values, key=lambda name: values[name]))
    (value,) = values.values()
    if kind == "yesno":
        return "yes" if value else "no"
    return Fraction(value) if kind in NUMBERS else value


def candidates_of(item: Item) -> tuple[str, ...]:
    """Return the names that a reply may choose from, in an order that tells nothing of the answer."""
    return tuple(sorted({*item.params.get("candidates", ()), *item.params.get("values", ())}))


def departures_of(item: Item) -> frozenset[int]:
    """Return the minutes after midnight at which the trains shown leave; none where the item does not say."""
    return frozenset(_minutes(time) for time in item.params.get("departures", ()))


def read_given(item: Item, text: str) -> Given:
    """Return what a reply gives for an item. The reader is told what the item asks for, never the right answer."""
    kind = kind_of(item)
    if not clean_reply(text).strip():
        return Given(None, is_blank=True)
    params: dict[str, Any] = {name: item.params[name] for name in _PASSED if name in item.params}
    if kind == "time":
        params.setdefault("ask", _LATEST)
        params["departures"] = sorted(f"{m // 60:02d}:{m % 60:02d}" for m in departures_of(item))
    if kind in NAMED:
        params["candidates"] = candidates_of(item)
    value = _read_value(kind, text, params)
    if value is None or value == "unknown":
        return Given(value, abstains=value is not None or is_declining(make_plain(text)))
    return Given(value)


def _read_value(kind: str, text: str, params: dict[str, Any]) -> Value | None:
    found = read(kind, text, lang="mix", **params)
    if found is None:
        return None
    plain = make_plain(text)
    if kind == "yesno" and found == "unknown" and not (read_side(plain, params.get("ask", "")) or is_declining(plain)):
        return None
    if kind == "order" and is_declining(plain):
        # Places named in a sentence that gives no order are in none.
        order = read_order(without_declining(plain), params["candidates"]) or []
        return tuple(order) if len(order) > 1 else None
    if found == [] and is_declining(plain) and read_list(without_declining(plain), params["candidates"]) is None:
        return None
    if kind == "list" and found:
        return (*_typed_names(found), *find_foreign(plain, params["candidates"]))
    return _typed(kind, found)


def is_same(kind: str, given: Value | None, target: Value | None) -> bool:
    """Return whether an answer is the right one: numbers within their tolerance, lists as sets, all else exactly."""
    if given is None or target is None:
        return False
    if kind in NUMBERS:
        assert isinstance(given, int | Fraction) and isinstance(target, int | Fraction)
        error, size = abs(Fraction(given) - Fraction(target)), abs(Fraction(target))
        return error <= TOLERANCE[kind] or 100 * error <= size
    if kind == "list":
        assert isinstance(given, tuple) and isinstance(target, tuple)
        return set(given) == set(target)
    return given == target


def _minutes(time: int | str) -> int:
    if isinstance(time, int):
        return time % 1440
    hours, minutes = time.split(":")[:2]
    return (60 * int(hours) + int(minutes)) % 1440


def _typed_names(found: Any) -> tuple[str, ...]:
    return tuple(str(name) for name in found)


def _typed(kind: str, found: Any) -> Value | None:
    """Return what a reader found as a value of its kind."""
    if kind == "time":
        return _minutes(str(found))
    if kind in NAMED:
        return _typed_names(found)
    if kind == "yesno":
        return str(found)
    assert isinstance(found, Decimal)
    exact = Fraction(found)
    if kind == "amount":
        # A sum that is no whole number of minor units was not rounded: no such sum is right, but it is an answer.
        return int(100 * exact) if (100 * exact).denominator == 1 else 100 * exact
    return 10 * exact if kind == "frequency" else exact
