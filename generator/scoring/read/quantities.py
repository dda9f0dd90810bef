"""Durations and intervals between departures, in minutes."""

import re
from collections.abc import Callable, Iterator, Sequence
from decimal import Decimal

from generator.scoring.read.context import Context, Mention, keep_committed, look_around, settle
from generator.scoring.read.numbers import Number, find_numbers, is_range, join_range
from generator.scoring.read.text import Plain

_HALF = Decimal("0.5")

# --- durations ---------------------------------------------------------------------------------------------

_DURATION_UNITS = (
    (Decimal(60), r"个?(?:小时|钟头)|(?:hours?|hrs?)\b|h(?![a-zA-Z])"),
    (Decimal(1), r"分钟?(?!之)|(?:minutes?|mins?)\b|m(?:in)?(?![a-zA-Z0-9/²])|['′](?![a-zA-Z])"),
    (Decimal(15), r"刻钟?"),
    (Decimal(1440), r"(?:整)?天(?!的)|days?\b"),
)
_DURATION_UNIT = re.compile(
    r"[\s-]{0,2}(?P<half_before>个?半)?(?:"
    + "|".join(f"(?P<u{i}>{words})" for i, (_, words) in enumerate(_DURATION_UNITS))
    + r")(?P<half_after>半| and a half\b)?(?P<quarter_after> and a quarter\b)?(?P<more>多|(?= or (?:two|so few)))?",
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
    is_smaller = ["day", "hour", "minute"].index(later.unit or "minute") > ["day", "hour", "minute"].index(
        earlier.unit or "minute"
    )
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
    return re.search(r"[点差]$|(?<!小)时$", text[max(0, number.start - 2) : number.start]) is not None


def _unit_name(unit: re.Match[str]) -> str:
    return "hour" if unit["u0"] else "day" if unit["u3"] else "minute"


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
    words = _ask_words(ask)
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


def _ask_words(ask: str) -> list[str]:
    if ask.isascii():
        noise = ("the", "for", "how", "long", "far", "what", "from", "distance", "duration", "time", "length")
        return [w for w in re.findall(r"[a-z]{3,}", ask.lower()) if w not in noise]
    text = re.sub(r"距离|时长|时间|多久|多远|多长|的", "", ask)
    words = [text[i : i + 2] for i in range(len(text) - 1)]
    return [same for word in words for same in next((group for group in _SAME if word in group), (word,))]


# --- intervals ---------------------------------------------------------------------------------------------

_VEHICLE = r"(?:班|趟|列|次|辆|车)"
_EVERY_BEFORE = re.compile(
    r"(?:每隔?|间隔|相隔|隔|\bevery|\bevery other|\bintervals? (?:of|is|are)|\b(?:train|bus|ferry|tram|coach|"
    r"shuttle|boat|"
    r"service)s? (?:leaves?|runs?|departs?|goes|comes) every)"
    r"\s?(?:大?约|是|为|about|around|roughly)?\s?$",
    re.IGNORECASE,
)
_EVERY_AFTER = re.compile(
    rf"\s?(?:左右)?(?:就?有?(?:发|来|开)?一{_VEHICLE}|发(?:车|一)|(?:的)?间隔|\s?(?:intervals?|apart|between (?:trains|"
    rf"buses|services|departures))|-?minute (?:intervals?|service|frequency))",
    re.IGNORECASE,
)
_RATE = re.compile(
    rf"(?:每个?(?P<per>小时|钟头|半个?小时)|一个?(?:小时|钟头))\s?(?:大约|大概|约|有|发|开|会有|"
    rf"就有)?\s?(?P<n>[0-9一二两三四五六七八九十]{{1,3}}){_VEHICLE}",
)
_RATE_EN = re.compile(
    r"\b(?P<n>[0-9]{1,2}|[a-z]{2,8}|twice|once|three times|four times) (?:(?:trains?|buses|bus|ferries|trams?|"
    r"departures?|services?|times) )?"
    r"(?:an|per|every|each|a) hour\b",
    re.IGNORECASE,
)
_HOURLY = re.compile(r"\b(?P<half>half[- ]?hourly)\b|\b(?P<full>hourly|on the hour|once an hour)\b", re.IGNORECASE)
_MEAN = re.compile(r"平均|on average|average", re.IGNORECASE)


def read_frequency(plain: Plain, ask: str, *, use_middle: bool) -> Decimal | None:
    """Return the stated interval between departures in minutes; None if only counts or first and last are given."""
    text = plain.text
    rates = [*_find_rates(text)]
    mentions = [
        m
        for m in find_durations(text, use_middle=use_middle)
        if not any(r.start < m.end and m.start < r.end for r in rates) and _is_interval(text, m)
    ]
    contexts = look_around(plain, sorted([*mentions, *rates], key=lambda m: m.start))
    kept = keep_committed(plain, contexts, lambda _: True)
    means = [c for c in kept if _MEAN.search(c.lead)]
    words = _ask_words(ask)
    fitting = [c for c in kept if any(word in c.clause.lower() for word in words)]
    return settle([c for c in means or fitting or kept if c.value is not None])


def _is_interval(text: str, mention: Mention[Decimal]) -> bool:
    before = text[max(0, mention.start - 40) : mention.start]
    if re.search(r"(?:\bat least|\bat most|\bup to|至少|最多|不超过)\s?(?:every|每隔?)\s?$", before, re.IGNORECASE):
        return False
    return bool(_EVERY_BEFORE.search(before) or _EVERY_AFTER.match(text, mention.end))


def _find_rates(text: str) -> Iterator[Mention[Decimal]]:
    counts = {"once": 1, "twice": 2, "three times": 3, "four times": 4}
    for match in _RATE.finditer(text):
        number = next(find_numbers(match["n"]), None)
        if number and number.value:
            yield Mention((30 if "半" in (match["per"] or "") else 60) / number.value, match.start(), match.end())
    for match in _RATE_EN.finditer(text):
        word = match["n"].lower()
        number = next(find_numbers(word), None)
        count = Decimal(counts[word]) if word in counts else number.value if number else None
        if count:
            yield Mention(60 / count, match.start(), match.end())
    for match in _HOURLY.finditer(text):
        if not re.search(r"\bonce an hour", match[0], re.I):
            yield Mention(Decimal(30 if match["half"] else 60), match.start(), match.end())
