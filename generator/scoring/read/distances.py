"""Distances in metres."""

import re
from collections.abc import Iterator
from decimal import Decimal

from generator.scoring.read.context import Mention, look_around
from generator.scoring.read.numbers import find_numbers, is_range, join_range
from generator.scoring.read.quantities import pick
from generator.scoring.read.text import Plain

_HALF = Decimal("0.5")
_DISTANCE_UNITS = (
    (Decimal(1000), r"公里|千米|km\b|kilomet(?:er|re)s?\b|k(?=\s?(?:away|run|walk))"),
    (Decimal("1609.344"), r"英里|miles?\b|mi\b"),
    (Decimal(1852), r"海里|nautical miles?\b"),
    (Decimal("0.3048"), r"英尺|(?:feet|foot|ft)\b"),
    (Decimal("0.9144"), r"码(?!头)|(?:yards?|yds?)\b"),
    (Decimal("0.01"), r"厘米|公分|cm\b"),
    (Decimal(500), r"华里|里(?![面边程头昂亚斯斯])(?:路|地)?"),
    (Decimal(1), r"米(?![饭线粉色])|met(?:er|re)s?\b|m(?![a-zA-Z0-9²/])"),
)
_DISTANCE_UNIT = re.compile(
    r"[\s-]{0,2}(?P<half_before>(?<=[个])半|半)?(?:"
    + "|".join(f"(?P<u{i}>{words})" for i, (_, words) in enumerate(_DISTANCE_UNITS))
    + r")(?P<half_after>半)?(?P<more>多)?",
    re.IGNORECASE,
)
_HALF_UNIT = re.compile(
    r"半(?:个)?(?P<zh>公里|英里|里)(?:地|路)?|\bhalf a (?P<en>mile|kilomet(?:re|er))\b|"
    r"\b(?:a )?quarter of a (?P<q>mile)\b|\b(?P<one>a) mile(?P<and> and a half)?\b|\ba (?P<km>kilomet(?:re|"
    r"er))\b",
    re.IGNORECASE,
)
_SIZE = re.compile(r"身高|儿童|高度?|海拔|宽|面积|层高|深|\b(?:tall|height|wide|deep|high)\b", re.IGNORECASE)


def read_distance(plain: Plain, ask: str, *, use_middle: bool) -> Decimal | None:
    """Return the metres that the reply states; None for walking time alone, bounds and open ranges."""
    found: list[Mention[Decimal]] = []
    for piece in sorted(
        [*_find_distances(plain.text), *_find_half_distances(plain.text)], key=lambda m: (m.start, -m.end)
    ):
        if found and piece.start < found[-1].end:
            continue
        if found and is_range(plain.text, found[-1].end, piece.start, found[-1].start):
            found[-1] = join_range(found[-1], piece, use_middle=use_middle)
        elif (
            found
            and piece.value is not None
            and found[-1].value is not None
            and _is_odd_metres(plain.text, found[-1], piece)
        ):
            found[-1] = Mention(found[-1].value + piece.value, found[-1].start, piece.end)
        elif not (found and _is_conversion(plain.text, found[-1], piece)):
            found.append(piece)
    return pick(
        plain,
        look_around(plain, found),
        ask,
        lambda c: not _SIZE.search(c.before[-6:] + c.after[:7]) or bool(_SIZE.search(ask)),
    )


def _is_conversion(text: str, earlier: Mention[Decimal], later: Mention[Decimal]) -> bool:
    """Return whether the later length tells the earlier one in another unit: 1.2 miles (1.9 km)."""
    if not earlier.value or not later.value or later.start - earlier.end > 16:
        return False
    is_close = abs(later.value - earlier.value) / earlier.value < Decimal("0.1")
    return (
        is_close
        and re.match(r"\s?(?:\(|,?\s?(?:i\.e\.|or |约合|合|即|也就是|相当于))", text[earlier.end : later.start])
        is not None
    )


def _is_odd_metres(text: str, earlier: Mention[Decimal], later: Mention[Decimal]) -> bool:
    """Return whether 300米 follows 1公里 directly, so that both are one length."""
    return (
        later.start - earlier.end <= 1
        and not text[earlier.end : later.start].strip()
        and (later.value or 0) < (earlier.value or 0)
    )


def _find_distances(text: str) -> Iterator[Mention[Decimal]]:
    numbers = list(find_numbers(text))
    for index, number in enumerate(numbers):
        unit, end = _DISTANCE_UNIT.match(text, number.end), number.end
        if unit:
            end = unit.end()
        else:
            following = numbers[index + 1] if index + 1 < len(numbers) else None
            if following and is_range(text, number.end, following.start, number.start):
                unit = _DISTANCE_UNIT.match(text, following.end)
        if unit is None:
            continue
        value = None if unit["more"] else number.value
        if value is not None:
            factor = next(factor for i, (factor, _) in enumerate(_DISTANCE_UNITS) if unit[f"u{i}"])
            value = (value + (_HALF if unit["half_before"] or unit["half_after"] else 0)) * factor
        yield Mention(value, number.start, end)


def _find_half_distances(text: str) -> Iterator[Mention[Decimal]]:
    for match in _HALF_UNIT.finditer(text):
        mile = Decimal("1609.344")
        if match["zh"]:
            value = {"公里": Decimal(500), "英里": mile / 2, "里": Decimal(250)}[match["zh"]]
        elif match["en"]:
            value = mile / 2 if match["en"].lower() == "mile" else Decimal(500)
        elif match["q"]:
            value = mile / 4
        else:
            value = Decimal(1000) if match["km"] else mile * (Decimal("1.5") if match["and"] else 1)
        yield Mention(value, match.start(), match.end())
