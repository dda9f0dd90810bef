"""Tags of a reply: the failures whose wrong answer it gives, and what is wrong with it by itself."""

from __future__ import annotations

from fractions import Fraction

from generator.records import Item, Key
from generator.scoring.plain.answers import (
    NAMED,
    Given,
    Value,
    candidates_of,
    decode,
    departures_of,
    is_same,
    kind_of,
    target_of,
)

NO_ANSWER, NOT_IN_DATA, SWAPPED = "no-answer", "not-in-data", "units-swapped"
# Minor units for whole ones; kilometres, miles and feet for metres; hours and seconds for minutes.
_FACTORS: dict[str, tuple[Fraction, ...]] = {
    "amount": (Fraction(100), Fraction(1, 100)),
    "distance": (Fraction(1000), Fraction(1, 1000)),
    "frequency": (Fraction(60), Fraction(1, 60)),
}
_NEAR = Fraction(1, 100)
_HALF_DAY = 720


def tags_of(key: Key, item: Item, given: Given) -> tuple[str, ...]:
    """Return the tags of what a reply gives, each once; none for a right answer."""
    kind, target = kind_of(item), target_of(item)
    if given.value is None:
        return (NO_ANSWER,)
    if is_same(kind, given.value, target):
        return ()
    found = [a.name for a in key.alternatives if is_same(kind, given.value, decode(kind, a.value))]
    if is_foreign(item, given.value):
        found.append(NOT_IN_DATA)
    if target is not None and is_swapped(kind, given.value, target):
        found.append(SWAPPED)
    return tuple(dict.fromkeys(found))


def is_foreign(item: Item, value: Value) -> bool:
    """Return whether an answer is, or names, what the data shown do not have; False where the item does not say."""
    if kind_of(item) in NAMED:
        assert isinstance(value, tuple)
        return bool(set(value) - set(candidates_of(item)))
    departures = departures_of(item)
    return kind_of(item) == "time" and bool(departures) and value not in departures


def is_swapped(kind: str, value: Value, target: Value) -> bool:
    """Return whether an answer is right but for its unit, or a time right but for the half of the day."""
    if kind == "time":
        assert isinstance(value, int) and isinstance(target, int)
        return abs(value - target) == _HALF_DAY
    if kind not in _FACTORS or not target:
        return False
    assert isinstance(value, int | Fraction) and isinstance(target, int | Fraction)
    ratio = Fraction(value) / Fraction(target)
    return any(abs(ratio / factor - 1) <= _NEAR for factor in _FACTORS[kind])
