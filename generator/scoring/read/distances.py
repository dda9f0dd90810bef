"""Distances in metres."""

import re
from collections.abc import Iterator
from decimal import Decimal

from generator.scoring.read.context import Context, Mention, look_around
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


_COMPASS = r"(?:north|south|east|west)"
# One side of the triangle: how far east, how far north.
_SIDE_BEFORE = re.compile(
    rf"(?:Δ\s?[xy]|\bd[xy]|\b[xy]|{_COMPASS}[- ](?:{_COMPASS}|and)\w*|\bhorizontal\w*|\bvertical\w*|东西|南北|"
    rf"[横纵][向方]?|"
    r"[以偏往向在的]?正?[东南西北]{1,2}[边面侧方]?)(?:\s|的|[方走再]?向|距离|坐?标?相?差|间隔|又?是|为|约|大概|偏|"
    r"difference|"
    r"distance|offset|is|of|about|[:=≈|()])*$",
    re.IGNORECASE,
)
_SIDE_AFTER = re.compile(
    rf"\s?(?:\(?(?:further |more |due |to (?:the|its) |in the |along the )*(?:{_COMPASS}|[xy](?![a-z])|horizontal|"
    rf"vertical)|"
    r"(?:往|向|偏|以)[东南西北])",
    re.IGNORECASE,
)
_DELTA = re.compile(r"Δ|\bd[xy]\b|\b[xy]\b|difference|相?差", re.IGNORECASE)
_SPEED = re.compile(r"\s?(?:/|per\b|an?\b|每)\s?(?:m(?:in)?|h|s|分|小?时|秒)", re.IGNORECASE)
_SPEED_BEFORE = re.compile(r"每(?:分钟?|小时|秒)[^，。]{0,4}$")
_ROUTE = re.compile(
    r"沿[街路着]|绕|步行|走路|走过去|开车|驾车|打车|骑|\b(?:walk\w*|streets?|roads?|on foot|driv\w+|taxi|cab|bus|"
    r"cycl\w+|"
    r"detour|route)\b",
    re.IGNORECASE,
)
_DIRECT = re.compile(
    r"直线|相距|距离|间距|\b(?:straight|direct|crow|distance|apart|away|between)\b|\bfrom\b", re.IGNORECASE
)
_BARE = re.compile(
    r"(?:[=≈≒]|\b(?:is|are|about|approximately|to|answer|distance)|[是为于约:：])\s{0,3}$", re.IGNORECASE
)
_BARE_LABEL = re.compile(r"distance|metre|meter|距离|米|sqrt|√|根号", re.IGNORECASE)


def read_distance(plain: Plain, ask: str, *, use_middle: bool) -> Decimal | None:
    """Return the metres that the reply states; None for walking time alone, bounds and open ranges.

    One side of the way (400 m east) or a way along streets is no distance if another length is there. Without any
    unit, the last number that the reply gives as the distance is in metres.
    """
    found = _join(plain.text, use_middle=use_middle)
    contexts = look_around(plain, found)
    stated = [c for c in contexts if not _is_side(c)]
    if not stated and len(contexts) == 1 and not _DELTA.search(contexts[0].before):
        stated = contexts  # "850 m to the north" and no more
    straight = [c for c in stated if not _is_route(c, ask)]
    direct = [c for c in straight if _DIRECT.search(c.before) or _DIRECT.search(c.after[:24])]
    value = pick(
        plain,
        direct if any(not c.is_dropped and c.value is not None for c in direct) else stated,
        ask,
        lambda c: not _SIZE.search(c.before[-6:] + c.after[:7]) or bool(_SIZE.search(ask)),
    )
    return _read_bare(plain.text) if value is None and not found else value


def _is_side(context: Context[Decimal]) -> bool:
    near = context.before[-24:]
    is_speed = _SPEED.match(context.after) or _SPEED_BEFORE.search(near)
    return bool(is_speed or _SIDE_BEFORE.search(near) or _SIDE_AFTER.match(context.after))


def _is_route(context: Context[Decimal], ask: str) -> bool:
    if _ROUTE.search(ask):
        return False
    return bool(_ROUTE.search(context.before) and not _DIRECT.search(context.before))


def _read_bare(text: str) -> Decimal | None:
    """Return the last number without a unit that follows "is", "=" and their like, if the reply is about metres."""
    alone = list(find_numbers(text))
    if len(alone) == 1 and not re.sub(r"[\W_]", "", text[: alone[0].start] + text[alone[0].end :]):
        return alone[0].value
    if not _BARE_LABEL.search(text):
        return None
    found = None
    for number in find_numbers(text):
        before, after = text[max(0, number.start - 24) : number.start], text[number.end : number.end + 8]
        is_end = re.match(r"\s*(?:$|[\n,，。;；)]|\.(?![0-9]))", after) is not None
        if number.value is not None and is_end and _BARE.search(before) and not re.search(r"[(（]\S*$", before):
            found = number.value * (1000 if re.search(r"km|kilomet|公里|千米", before, re.IGNORECASE) else 1)
    return found


def _join(text: str, *, use_middle: bool) -> list[Mention[Decimal]]:
    """Return the lengths in a text, those that are one length in two pieces, or told twice, as one."""
    found: list[Mention[Decimal]] = []
    for piece in sorted([*_find_distances(text), *_find_half_distances(text)], key=lambda m: (m.start, -m.end)):
        last = found[-1] if found else None
        if last is None or (piece.start >= last.end and not _belongs(text, last, piece)):
            found.append(piece)
        elif piece.start < last.end:
            continue
        elif is_range(text, last.end, piece.start, last.start) and not _is_close(last, piece):
            found[-1] = join_range(last, piece, use_middle=use_middle)
        elif _is_odd_metres(text, last, piece):
            found[-1] = Mention((last.value or 0) + (piece.value or Decimal(0)), last.start, piece.end)
        elif _digits(text, piece) > _digits(text, last):
            found[-1] = piece
    return found


def _belongs(text: str, earlier: Mention[Decimal], later: Mention[Decimal]) -> bool:
    is_joined = is_range(text, earlier.end, later.start, earlier.start)
    return is_joined or _is_odd_metres(text, earlier, later) or _is_conversion(text, earlier, later)


def _is_close(earlier: Mention[Decimal], later: Mention[Decimal]) -> bool:
    if not earlier.value or not later.value:
        return False
    return abs(later.value - earlier.value) / earlier.value < Decimal("0.1")


def _digits(text: str, mention: Mention[Decimal]) -> int:
    """Return how many figures a length is told with: 2.2 km has two, 2,236 m four."""
    number = re.match(r"[0-9][0-9,]*(?:\.[0-9]+)?", text[mention.start : mention.end])
    return len(number[0].replace(",", "").replace(".", "").lstrip("0")) if number else 1


_CONVERTED = re.compile(
    r"\s?(?:\(|[,，]?\s?(?:i\.e\.|or |约合|合|差不多|大?约|即|也就是|相当于|that is)|[–—-]{1,2}\s|[:：])|"
    r"[^.。;；\n]{0,30}\((?:about |roughly |约)?$",
    re.IGNORECASE,
)


def _is_conversion(text: str, earlier: Mention[Decimal], later: Mention[Decimal]) -> bool:
    """Return whether the later length tells the earlier one in another unit: 1.2 miles (1.9 km)."""
    if later.start - earlier.end > 36 or not _is_close(earlier, later):
        return False
    return _CONVERTED.match(text[earlier.end : later.start]) is not None


def _is_odd_metres(text: str, earlier: Mention[Decimal], later: Mention[Decimal]) -> bool:
    """Return whether 300米 follows 1公里 directly, so that both are one length."""
    return (
        earlier.value is not None
        and later.value is not None
        and later.start - earlier.end <= 1
        and not text[earlier.end : later.start].strip()
        and later.value < earlier.value
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
