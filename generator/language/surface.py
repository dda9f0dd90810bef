"""Write typed values the way people say them; the lexer reads every one of them back."""

from __future__ import annotations

import datetime as dt
from decimal import Decimal
from random import Random

from generator.language.numerals import write_en, write_zh
from generator.language.units import CLOCK_SHIFTS, DATE_SHIFTS, HALF_HOUR, MONEY_SIGNS, MONEY_WORDS, MONTHS, WEEKDAYS_ZH
from generator.language.vocabulary import FieldName, Vocabulary

_ZH_DISCOUNT = "零一二三四五六七八九"


def plain_number(value: int, scale: int) -> str:
    """Return value/scale in digits without trailing zeros."""
    if value % scale == 0:
        return str(value // scale)
    return format((Decimal(value) / scale).normalize(), "f")


def write_value(
    vocabulary: Vocabulary, field: FieldName, value: int, classifier: str, rng: Random, *, spelt: bool = True
) -> str:
    """Return `value` of `field` as it may stand in a sentence; the wording is drawn.

    `spelt` allows a bare Chinese numeral, which glues to a classifier behind it (五百一台).

    Raises:
        ValueError: The family has no wording of its own (percent is written by `write_percent`).
    """
    chinese = vocabulary.lang == "zh"
    if field.family == "count":
        return _zh_count(value, _unit(field, classifier, rng), rng) if chinese else _en_count(value, field, rng)
    if field.family == "money":
        return (
            _zh_money(value, vocabulary.currency, rng, spelt) if chinese else _en_money(value, vocabulary.currency, rng)
        )
    if field.family == "measure":
        return _measure(value, field, chinese, rng)
    if field.family == "clock":
        return _zh_clock(value, rng) if chinese else _en_clock(value, rng)
    if field.family == "date":
        return _zh_date(value, rng) if chinese else _en_date(value, rng)
    raise ValueError(f"no wording for a {field.family} value")


def write_shift(
    vocabulary: Vocabulary, field: FieldName, value: int, classifier: str, rng: Random, *, spelt: bool = True
) -> str:
    """Return how far `field` moves: an amount, or a time in minutes or days for clock and date."""
    if field.family == "clock":
        return _shift(value, CLOCK_SHIFTS[vocabulary.lang], HALF_HOUR[vocabulary.lang], vocabulary, rng)
    if field.family == "date":
        return _shift(value, DATE_SHIFTS[vocabulary.lang], (), vocabulary, rng)
    return write_value(vocabulary, field, value, classifier, rng, spelt=spelt)


def write_percent(basis_points: int, lang: str, rng: Random, *, points: bool = True) -> str:
    """Return a percentage: 500 is 5 %. `points` allows 5个点, which is said of money and rates."""
    digits = plain_number(basis_points, 100)
    if lang == "en":
        return rng.choice([f"{digits}%", f"{digits} per cent", f"{digits}%"])
    options = [f"{digits}%"]
    if basis_points % 100 == 0:
        options += [f"百分之{write_zh(basis_points // 100, liang=False)}", *([f"{digits}个点"] if points else [])]
    return rng.choice(options)


def write_discount(basis_points: int, rng: Random) -> str:
    """Return the Chinese discount that takes `basis_points` off: 1000 is 九折.

    Raises:
        ValueError: The discount has more than two digits.
    """
    left, rest = divmod(10_000 - basis_points, 100)
    if rest or not 1 <= left < 100:
        raise ValueError(f"no 折 for {basis_points} basis points off")
    tens, ones = divmod(left, 10)
    if ones == tens + 1:
        return f"{tens}{ones}折"  # in words it would mean somewhere between the two
    words = _ZH_DISCOUNT[tens] + (_ZH_DISCOUNT[ones] if ones else "")
    return rng.choice([f"{words}折", f"{words}折", f"{tens}{ones or ''}折"])


def _unit(field: FieldName, classifier: str, rng: Random) -> str:
    return field.units[0] if field.units else classifier


def _zh_count(value: int, unit: str, rng: Random) -> str:
    # 一把 is what each one costs, never a count of one: see the lexer.
    if value < 2 or value > 99 or rng.random() < 0.5:
        return f"{value}{rng.choice(['', '', ' '])}{unit}"
    return write_zh(value) + unit


def _en_count(value: int, field: FieldName, rng: Random) -> str:
    number = write_en(value) if value <= 20 and rng.random() < 0.6 else str(value)
    return f"{number} {_en_unit(value, field)}" if field.units else number


def _en_unit(value: int, field: FieldName) -> str:
    """Return the unit word; a second one, if given, is the singular ([nurses, nurse])."""
    return field.units[1] if value == field.scale and len(field.units) > 1 else field.units[0]


def _zh_money(value: int, currency: str, rng: Random, spelt: bool) -> str:
    word, draw = rng.choice(MONEY_WORDS[currency][:2]), rng.random()
    whole, rest = divmod(value, 100)
    if rest:
        return plain_number(value, 100) + word
    if whole >= 10_000 and whole % 100 == 0 and draw < 0.5:
        return f"{plain_number(whole, 10_000)}万"
    if spelt and draw < 0.35 and whole % 10 == 0 and whole >= 100:
        return write_zh(whole, short=True)
    if draw < 0.65:
        return f"{whole}{rng.choice(['', ' '])}{word}"
    return str(whole)


def _en_money(value: int, currency: str, rng: Random) -> str:
    whole, rest = divmod(value, 100)
    if rest or whole == 1 or rng.random() < 0.7:
        amount = f"{whole:,}" if whole >= 10_000 or rng.random() < 0.5 else str(whole)
        return f"{MONEY_SIGNS[currency]}{amount}" + (f".{rest:02d}" if rest else "")
    word = rng.choice(MONEY_WORDS[currency])
    number = write_en(whole) if whole <= 20 and rng.random() < 0.5 else str(whole)
    return f"{number} {word}"


def _measure(value: int, field: FieldName, chinese: bool, rng: Random) -> str:
    number, unit = plain_number(value, field.scale), field.units[0]
    if chinese:
        if value % field.scale == 0 and 2 <= value // field.scale <= 99 and rng.random() < 0.3:
            return write_zh(value // field.scale) + unit
        return f"{number}{rng.choice(['', '', ' '])}{unit}"
    return f"{number} {_en_unit(value, field)}"


def _zh_clock(value: int, rng: Random) -> str:
    hour, minute = divmod(value, 60)
    if rng.random() < 0.4:
        return f"{hour}:{minute:02d}"
    if hour < 6 or hour > 21:
        return f"{hour}点{f'{minute}分' if minute else '整'}"
    part = "早上" if hour < 9 else "上午" if hour < 12 else "中午" if hour == 12 else "下午" if hour < 18 else "晚上"
    said = hour if hour <= 12 else hour - 12
    number = str(said) if rng.random() < 0.5 else write_zh(said)
    tail = {0: "", 30: "半", 15: "一刻", 45: "三刻"}.get(minute, f"{minute:02d}分" if minute else "")
    prefix = part if hour >= 12 or rng.random() < 0.5 else ""
    return f"{prefix}{number}点{tail}"


def _en_clock(value: int, rng: Random) -> str:
    hour, minute = divmod(value, 60)
    if rng.random() < 0.35:
        return f"{hour:02d}:{minute:02d}"
    half, said = ("am" if hour < 12 else "pm"), (hour % 12 or 12)
    return f"{said}{f'.{minute:02d}' if minute else ''}{half}"


def _zh_date(value: int, rng: Random) -> str:
    day = dt.date.fromordinal(value)
    draw = rng.random()
    if draw < 0.2:
        return f"{write_zh(day.month, liang=False)}月{write_zh(day.day, liang=False)}号"
    text = f"{day.month}月{day.day}{rng.choice('号日')}"
    return text + (f"（周{WEEKDAYS_ZH[day.weekday()]}）" if draw > 0.85 else "")


def _en_date(value: int, rng: Random) -> str:
    day = dt.date.fromordinal(value)
    month, draw = MONTHS[day.month - 1], rng.random()
    suffix = "th" if 10 < day.day < 14 else {1: "st", 2: "nd", 3: "rd"}.get(day.day % 10, "th")
    if draw < 0.3:
        return f"the {day.day}{suffix} of {month}"
    return f"{day.day} {month}" if draw < 0.75 else f"{month} {day.day}{suffix}"


def _shift(value: int, units: dict[str, int], half: tuple[str, ...], vocabulary: Vocabulary, rng: Random) -> str:
    if value == 30 and half and rng.random() < 0.6:
        return rng.choice(half)
    # A quarter is said of 15 and 45 minutes only; nobody says 两刻钟.
    words = [w for w, size in units.items() if value % size == 0 and (size != 15 or value in (15, 45))]
    # Prefer the largest unit, as people do: two weeks, not fourteen days.
    size = max(units[word] for word in words) if words else 1
    word = next(word for word, each in units.items() if each == size)
    number = value // size
    if vocabulary.lang == "zh":
        return (write_zh(number) if rng.random() < 0.6 or number == 1 else str(number)) + word
    if number == 1:
        return f"one {next(w for w, each in units.items() if each == size and not w.endswith('s'))}"
    return f"{write_en(number) if number <= 20 and rng.random() < 0.6 else number} {word}"
