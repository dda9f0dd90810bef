"""Durations, in minutes."""

import re
from collections.abc import Callable, Iterator, Sequence
from decimal import Decimal

from generator.scoring.read.context import Context, Mention, keep_committed, look_around, settle
from generator.scoring.read.numbers import Number, find_numbers, is_range, join_range
from generator.scoring.read.text import Plain

_HALF = Decimal("0.5")

_DURATION_UNITS = (
    (Decimal(60), r"个?(?:小时|钟头)|(?:hours?|hrs?)\b|h(?![a-zA-Z])"),
    (Decimal(1), r"分钟?(?!之)|(?:minutes?|mins?)\b|m(?:in)?(?![a-zA-Z0-9/²])|['′](?![a-zA-Z])"),
    (Decimal(15), r"刻钟?"),
    (Decimal(1440), r"(?:整)?天(?!的)|days?\b"),
    (Decimal(1) / 60, r"秒钟?|(?:seconds?|secs?)\b"),
)
_DURATION_UNIT = re.compile(
    r"[\s-]{0,2}(?P<half_before>个?半|and a half[\s-])?(?:"
    + "|".join(f"(?P<u{i}>{words})" for i, (_, words) in enumerate(_DURATION_UNITS))
    + r")(?P<half_after>半(?!个?小时)| and a half\b)?(?P<quarter_after> and a quarter\b)?(?P<more>多|"
    r"(?= or (?:two|so few)))?",
    re.IGNORECASE,
)
_WORDED = re.compile(
    r"(?P<m30>半个?(?:小时|钟头|点钟)|\bhalf an hour\b|\bhalf[ -]hour\b|\bhalf[ -]hourly\b)"
    r"|(?P<m90>(?:\ban |\bone |(?<=every ))hour and a half\b)|(?P<m75>\ban hour and a quarter\b)|"
    r"(?P<m45>\bthree[ -]quarters of an hour\b)"
    r"|(?P<m15>\b(?:a )?quarter of an hour\b|\b(?:a )?quarter[ -]hour\b)"
    r"|(?P<m120>(?<=every )other hour\b)|(?P<m60>\b(?:an|one) hour\b(?! or two)|(?<=every )hour\b|(?<=每)小时|"
    r"(?<=每个)小时|\bhourly\b)|(?P<m720>半天|\bhalf a day\b)",
    re.IGNORECASE,
)
_SIZES = ("day", "hour", "minute", "second")
_JOIN = re.compile(r"\s{0,2}(?:零|又|and|,)?\s{0,2}", re.IGNORECASE)
_TAIL_MINUTES = re.compile(r"\s?([0-9]{1,2})(?![0-9:])(?:\s?m(?:ins?|inutes?)?\b|(?=\s|[。，,.;；)）]|$))")


def find_durations(text: str, *, use_middle: bool) -> list[Mention[Decimal]]:
    """Return the spans of time named in a text, in minutes; 两小时一刻 and "1h20" are one span, ranges are joined."""
    pieces = sorted([*_find_counted(text), *_find_worded(text)], key=lambda m: (m.start, -m.end))
    found: list[Mention[Decimal]] = []
    for piece in pieces:
        if found and piece.start < found[-1].end:
            continue
        if found and _continues(text, found[-1], piece):
            found[-1] = _add(found[-1], piece)
        elif found and is_range(text, found[-1].end, piece.start, found[-1].start):
            found[-1] = join_range(found[-1], piece, use_middle=use_middle)
        else:
            found.append(piece)
    return found


def _continues(text: str, earlier: Mention[Decimal], later: Mention[Decimal]) -> bool:
    """Return whether a smaller unit follows directly: 2小时 + 15分."""
    is_smaller = _SIZES.index(later.unit or "minute") > _SIZES.index(earlier.unit or "minute")
    return is_smaller and earlier.value is not None and _JOIN.fullmatch(text, earlier.end, later.start) is not None


def _add(earlier: Mention[Decimal], later: Mention[Decimal]) -> Mention[Decimal]:
    value = earlier.value + later.value if earlier.value is not None and later.value is not None else None
    return Mention(value, earlier.start, later.end, later.unit)


def _find_counted(text: str) -> Iterator[Mention[Decimal]]:
    numbers = list(find_numbers(text))
    for index, number in enumerate(numbers):
        unit = _DURATION_UNIT.match(text, number.end)
        if unit is None:
            following = numbers[index + 1] if index + 1 < len(numbers) else None
            if following and is_range(text, number.end, following.start, number.start):
                unit = _DURATION_UNIT.match(text, following.end)
                if unit:
                    yield Mention(_scale(number.value, unit), number.start, number.end, _unit_name(unit))
            continue
        value, end = _scale(number.value, unit), unit.end()
        if _unit_name(unit) == "hour" and value is not None and not unit["half_after"]:
            tail = _TAIL_MINUTES.match(text, end)
            if tail and int(tail[1]) < 60:
                value, end = value + int(tail[1]), tail.end()
        if not _is_clock_minute(text, number):
            yield Mention(value, number.start, end, _unit_name(unit))


def _is_clock_minute(text: str, number: Number) -> bool:
    before = text[max(0, number.start - 2) : number.start]
    if before.endswith("差") and not before.endswith("点差"):
        return (
            re.match(r"分钟?(?:就|到)?[0-9一二两三四五六七八九十]{1,3}点", text[number.end : number.end + 8])
            is not None
        )
    return re.search(r"点差?$|(?<!小)时$", before) is not None


def _unit_name(unit: re.Match[str]) -> str:
    return "hour" if unit["u0"] else "day" if unit["u3"] else "second" if unit["u4"] else "minute"


def _scale(value: Decimal | None, unit: re.Match[str]) -> Decimal | None:
    if value is None or unit["more"] is not None:
        return None
    factor = next(factor for i, (factor, _) in enumerate(_DURATION_UNITS) if unit[f"u{i}"])
    part = _HALF if unit["half_before"] or unit["half_after"] else _HALF / 2 if unit["quarter_after"] else 0
    return (value + part) * factor


def _find_worded(text: str) -> Iterator[Mention[Decimal]]:
    for match in _WORDED.finditer(text):
        minutes = int((match.lastgroup or "m0")[1:])
        yield Mention(Decimal(minutes), match.start(), match.end(), "hour" if minutes == 60 else "minute")


def read_duration(plain: Plain, ask: str, *, use_middle: bool) -> Decimal | None:
    """Return the minutes that something takes, as the reply says; None if it commits to no single length."""
    contexts = look_around(plain, find_durations(plain.text, use_middle=use_middle))
    return pick(plain, contexts, ask, lambda c: not re.search(r"每|隔|\bevery\b|\bper\b", c.before[-8:]))


def pick(
    plain: Plain, contexts: Sequence[Context[Decimal]], ask: str, is_possible: Callable[[Context[Decimal]], bool]
) -> Decimal | None:
    """Return the value whose surroundings share most with the question, the total or last one among equals."""
    words = ask_words(ask)
    possible = [c for c in contexts if is_possible(c)]

    def fit(context: Context[Decimal]) -> int:
        return sum(word in (context.before + context.after).lower() for word in words)

    kept = keep_committed(plain, possible, lambda c: fit(c) > 0 or not words)
    best = max((fit(c) for c in kept), default=0)
    top = [c for c in kept if fit(c) == best]
    totals = [
        c
        for c in top
        if re.search(r"总|一共|共|合计|全程|\b(?:total|altogether|in all|whole)\b", c.before + c.after[:16], re.I)
    ]
    stated = [c for c in totals or top if c.value is not None]
    return settle(stated)


_SAME = (("开车", "驾车", "车程", "自驾"), ("步行", "走路", "徒步"), ("骑车", "骑行"))


def ask_words(ask: str) -> list[str]:
    """Return the words of a question that tell one length from another."""
    if ask.isascii():
        noise = ("the", "for", "how", "long", "far", "what", "from", "distance", "duration", "time", "length")
        return [w for w in re.findall(r"[a-z]{3,}", ask.lower()) if w not in noise]
    text = re.sub(r"距离|时长|时间|多久|多远|多长|的", "", ask)
    words = [text[i : i + 2] for i in range(len(text) - 1)]
    return [same for word in words for same in next((group for group in _SAME if word in group), (word,))]
