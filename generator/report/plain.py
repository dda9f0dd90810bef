"""Plain answers in words: what was asked for, what a reply gave, and the wrong answers of known failures."""

from __future__ import annotations

from fractions import Fraction

from generator.records import Item, Key, Reply
from generator.report.browsed import ItemInfo, StaleValue
from generator.report.values import SIGNS
from generator.scoring.plain import decode, read_given, target_of

Value = int | Fraction | str | tuple[str, ...]
NOTHING = "no answer"
_PREFIX = "plain."


def is_plain(item: Item) -> bool:
    """Return whether an item is one plain answer."""
    return item.check.startswith(_PREFIX)


def show_plain(kind: str, value: Value | None, currency: str) -> str:
    """Return a plain answer in its usual writing."""
    if value is None:
        return NOTHING
    if isinstance(value, tuple):
        if kind == "order":
            return "; ".join(f"{place} {name}" for place, name in enumerate(value, 1))
        return "; ".join(value) or "none of them"
    if isinstance(value, str):
        return value
    if kind == "amount":
        return SIGNS.get(currency, f"{currency} ") + _number(Fraction(value) / 100, 2)
    if kind == "time":
        return f"{int(value) // 60:02d}:{int(value) % 60:02d}"
    return f"{_number(Fraction(value) / 10, 0)} min" if kind == "frequency" else f"{_number(Fraction(value), 0)} m"


def _number(value: Fraction, least: int) -> str:
    """Return a number with as many digits as it has, at least `least` and at most four."""
    text = f"{float(value):,.4f}"
    whole, _, digits = text.partition(".")
    digits = digits.rstrip("0").ljust(least, "0")
    return (f"{whole}.{digits}" if digits else whole).replace("-", "\u2212")


def plain_item(item: Item, key: Key) -> ItemInfo:
    """Return the item of a plain answer in words, with the wrong answers by the failures that give them."""
    kind, currency = item.check.removeprefix(_PREFIX), str(key.state.get("currency", ""))
    expected = show_plain(kind, target_of(item), currency)
    wrong: dict[str, list[str]] = {}
    for alternative in key.alternatives:
        wrong.setdefault(show_plain(kind, decode(kind, alternative.value), currency), []).append(alternative.name)
    return ItemInfo(
        id=item.id, kind=item.kind, weight=item.weight, is_gate=item.gate, label=item.id, expected=expected,
        stale=tuple(StaleValue(shown=shown, failures=tuple(names)) for shown, names in wrong.items()),
        note=item.clarification,
    )  # fmt: skip


def read_plain(item: Item, key: Key, reply: Reply) -> str:
    """Return the answer that the checks read in a reply."""
    kind = item.check.removeprefix(_PREFIX)
    return show_plain(kind, read_given(item, reply.reply or "").value, str(key.state.get("currency", "")))
