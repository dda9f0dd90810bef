"""Chinese numbers, times and dates in running text."""

from __future__ import annotations

import datetime as dt
import re
from collections.abc import Callable
from decimal import Decimal
from functools import lru_cache

from generator.language.lexicon import Lexicon
from generator.language.numerals import parse_zh
from generator.language.units import CLOCK_SHIFTS, DATE_SHIFTS, HALF_HOUR, MONEY_WORDS
from generator.language.vocabulary import Vocabulary

MARKS = r"[。；！!;\n，,、…—：:（）()“”\"「」『』～~]+|[?？]+"
_FOLD = {0xFF10 + i: ord("0") + i for i in range(10)} | {0xFF05: ord("%"), 0xFF0E: ord("."), 0x3000: ord(" ")}

_ZH_DIGITS = "零〇一二两三四五六七八九十百千万"
_DIGITS = r"(?:\d{1,3}(?:,\d{3})+(?!\d)|\d+)(?:\.\d+)?"
_RUN = f"[{_ZH_DIGITS}]+"
_NUM = f"(?:{_DIGITS}|{_RUN})"
_DAY_PARTS = "清晨|早上|上午|中午|下午|傍晚|晚上|凌晨"


def fold(text: str) -> str:
    """Return text with full-width digits, percent sign and point made narrow; commas stay as they are."""
    return text.translate(_FOLD)


def patterns(vocabulary: Vocabulary, lexicon: Lexicon) -> list[tuple[str, str]]:
    """Return (class, regex source) in order of precedence."""
    classifiers = _words({i.classifier for i in vocabulary.items if i.classifier} | vocabulary.units_of("count"))
    shifts = set(CLOCK_SHIFTS["zh"]) if vocabulary.fields_of("clock") else set()
    shifts |= set(DATE_SHIFTS["zh"]) if vocabulary.fields_of("date") else set()
    units = _words(vocabulary.units_of("measure") | shifts)
    half = "|".join(HALF_HOUR["zh"])
    money = _words(set(MONEY_WORDS[vocabulary.currency]))
    any_unit = "|".join(x for x in (units, classifiers, money) if x)
    found = [
        (
            "date",
            r"(?:\d{1,2}|[一二三四五六七八九十]{1,3})月(?:\d{1,2}|[一二三四五六七八九十]{1,3})[号日](?:（周[一二三四五六日]）)?",
        ),
        ("percent", rf"百分之{_RUN}|{_NUM}\s?%|{_NUM}个(?:百分)?点(?!\d)"),
        ("vague", _vague(any_unit)),
        ("discount", r"[一二三四五六七八九]{1,2}折|\d{1,2}折"),
    ]
    if vocabulary.fields_of("clock"):
        minutes = r"点(?:半|一刻|三刻|整|(?:\d{1,2}|[零一二三四五六七八九十]{1,4})分)?"
        found.append(
            ("clock", rf"(?:{_DAY_PARTS})?(?:\d{{1,2}}:\d{{2}}|(?:\d{{1,2}}|[一二两三四五六七八九十]{{1,3}}){minutes})")
        )
    found.append(("money", rf"[¥￥]\s?{_DIGITS}万?|{_NUM}\s?(?:{money})|\d+(?:\.\d+)?万"))
    if units:
        found.append(("measure", rf"{half}|{_NUM}\s?(?:{units})" if shifts else rf"{_NUM}\s?(?:{units})"))
    if classifiers:
        found += [("each", rf"[一每](?:{classifiers})"), ("count", rf"{_NUM}\s?(?:{classifiers})")]
    # A lone Chinese digit is more often part of a word than a number.
    found.append(("number", rf"{_DIGITS}|[{_ZH_DIGITS}]{{2,}}"))
    return found


def parser(vocabulary: Vocabulary) -> Callable[[str, re.Match[str]], tuple[str, str | int | Decimal, str]]:
    """Return the function that turns a match into (class, value, unit)."""
    year = vocabulary.year

    @lru_cache(maxsize=65_536)
    def parse(group: str, text: str) -> tuple[str, str | int | Decimal, str]:
        if group == "date":
            return _date(text, year)
        if group == "clock":
            return _clock(text)
        if group == "each":
            return "each", text[0], text[1:]
        if group == "vague":
            return "vague", text, ""
        if group == "measure" and text in HALF_HOUR["zh"]:
            return "measure", Decimal("0.5"), "小时"
        if group == "discount":
            return _discount(text)
        number, unit = _split(text)
        return (group, number, unit) if number is not None else ("vague", text, "")

    return lambda group, found: parse(group, found.group())


def _vague(units: str) -> str:
    loose = rf"{_NUM}\s?(?:来|多|几|余)(?:{units})?|[几数][十百千万]+(?:{units})?|好几(?:{units})|几(?:{units})"
    tails = rf"{_NUM}\s?(?:{units})(?:半|出头|左右|上下)|{_NUM}(?:出头|左右|上下)"
    words = r"\d+(?:\.\d+)?[千kKwW]\d*|万把|个把|百十|俩|仨|半打"
    return f"{loose}|{tails}|{words}"


def _words(words: set[str]) -> str:
    return "|".join(re.escape(w) for w in sorted(words, key=lambda w: (-len(w), w)))


_LEADING = re.compile(rf"(?:百分之|[¥￥]\s?)?({_NUM}万?)\s?(.*)")


def _split(text: str) -> tuple[Decimal | None, str]:
    found = _LEADING.fullmatch(text)
    if found is None:
        return None, ""
    number = found.group(1)
    if number[0].isdigit():
        scale = 10_000 if number.endswith("万") else 1
        return Decimal(number.removesuffix("万").replace(",", "")) * scale, found.group(2)
    return parse_zh(number), found.group(2)


def _discount(text: str) -> tuple[str, str | int | Decimal, str]:
    digits = text.removesuffix("折")
    if not digits.isdigit() or not digits.isascii():
        digits = "".join(str("零一二三四五六七八九".index(c)) for c in digits)
        if len(digits) == 2 and int(digits[1]) == int(digits[0]) + 1:
            return "vague", text, ""  # 七八折 is somewhere between the two
    left = int(digits) * (100 if len(digits) == 2 else 1000)
    return "discount", 10_000 - left, ""


def _date(text: str, year: int) -> tuple[str, str | int | Decimal, str]:
    month, rest = text.split("月", 1)
    day, weekday = re.split("[号日]", rest, maxsplit=1)
    numbers = [int(x) if x.isdigit() and x.isascii() else int(parse_zh(x) or 0) for x in (month, day)]
    try:
        date = dt.date(year, numbers[0], numbers[1])
    except ValueError:
        return "vague", text, ""
    if weekday and "一二三四五六日"[date.weekday()] != weekday[2]:
        return "vague", text, ""
    return "date", date.toordinal(), ""


def _whole(text: str) -> int | None:
    number = Decimal(text) if text.isdigit() and text.isascii() else parse_zh(text)
    return None if number is None else int(number)


_CLOCK = re.compile(rf"({_DAY_PARTS})?(\d{{1,2}}|[一二两三四五六七八九十]+)(?::(\d\d)|点(半|一刻|三刻|整|.*分)?)")


def _clock(text: str) -> tuple[str, str | int | Decimal, str]:
    found = _CLOCK.fullmatch(text)
    if found is None:
        return "vague", text, ""
    part, hours, minutes, words = found.groups()
    hour = _whole(hours)
    if words and words.endswith("分"):
        minute = _whole(words[:-1])
    else:
        minute = int(minutes) if minutes else {"半": 30, "一刻": 15, "三刻": 45}.get(words or "", 0)
    if hour is None or minute is None or (hour == 12 and part in {"晚上", "凌晨"}):
        return "vague", text, ""  # 八九点 is somewhere between; 晚上十二点 is of which day?
    if part in {"下午", "傍晚", "晚上"} and hour < 12:
        hour += 12
    if part == "中午" and hour < 4:
        hour += 12
    value = hour * 60 + minute
    return ("clock", value, "") if value < 1440 and minute < 60 else ("vague", text, "")
