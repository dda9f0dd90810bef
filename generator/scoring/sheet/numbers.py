"""Numbers as a reply writes them, and their reading as integers of a field's family."""

from __future__ import annotations

import datetime
import re
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction

from generator.language.numerals import parse_en, parse_zh
from generator.scoring.sheet.reading import Value
from generator.scoring.sheet.units import MONTH_FIRST, UNITS

MAX_DIGITS = 30
"""No figure of a sheet is longer; Python refuses to read integers of thousands of digits."""
OFF_GRID = Value(frozenset())

MONTHS = ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec")
_DAY_PARTS_LATE = {"下午", "傍晚", "晚上", "晚间", "夜里", "午后", "晚", "pm", "p.m", "p.m.", "afternoon", "evening"}
_DAY_PARTS_EARLY = {"凌晨", "清晨", "早上", "早晨", "上午", "am", "a.m", "a.m.", "morning", "早"}


@dataclass(frozen=True, slots=True)
class Num:
    """One written number: `kind` is what its marks say ("bare" if nothing), `amount` its figure in main units."""

    start: int
    end: int
    kind: str
    amount: Fraction
    raw: str
    unit: str = ""
    reading: Value | None = None


@dataclass(frozen=True, slots=True)
class FieldReader:
    """What the conversion needs of a field: `dimension` and `factor` are those of its first known unit."""

    id: str
    family: str
    units: frozenset[str]
    scale: int
    dimension: str
    factor: Fraction


def read_amount(raw: str) -> Fraction | None:
    """Return the figure of a numeral token (digits, Chinese or English words), None if it is none."""
    plain = raw.replace(",", "").replace(" ", "")
    if len(plain) > MAX_DIGITS * 2:
        return None
    if plain.replace(".", "", 1).isdecimal() and plain.isascii():
        return Fraction(plain)
    value: Decimal | None = parse_zh(plain, strict=False)
    if value is None:
        value = parse_en(raw)
    return None if value is None else Fraction(value)


def convert(num: Num, field: FieldReader, year_of: datetime.date, *, told: bool = False) -> Value | None:
    """Return the number read in a field's family; None if its marks say that it is something else.

    Args:
        num: The number.
        field: The field that it may belong to.
        year_of: Today, for dates without a year.
        told: The field's own label or table column says that the number is its value: unknown marks are forgiven.
    """
    kind, family = num.kind, field.family
    if family in {"clock", "date"}:
        return _convert_moment(num, family, year_of)
    if kind in {"clock", "date"}:
        return None
    if num.unit and num.unit in field.units and family != "percent":
        return _scaled(num.amount * _unit_ratio(num.unit, field), field, family)
    if family == "count":
        is_plain = kind in {"bare", "count"} or (told and (kind == "people" or num.unit == "块"))
        return _scaled(num.amount, field, family) if is_plain else None
    if family == "money":
        # 块 is a classifier, too, and in a sheet with whiteboards or rugs it was taken for one
        is_money = kind in {"bare", "money"} or (told and num.unit == "块")
        return _scaled(num.amount, field, family) if is_money else None
    if family == "percent":
        return _scaled(num.amount, field, family) if kind == "percent" or (told and kind == "bare") else None
    # 号源 in 个号 is a measure of things: "160 个" is how people write it
    is_named = told or any(unit.startswith(num.unit) for unit in field.units)
    is_countable = kind == "count" and not field.dimension and is_named
    if kind == "bare" or (kind == field.dimension and kind) or is_countable:
        return _scaled(num.amount * _unit_ratio(num.unit, field), field, family)
    return None


def _unit_ratio(unit: str, field: FieldReader) -> Fraction:
    known = UNITS.get(unit)
    if known is None or known[0] != field.dimension:
        return Fraction(1)
    return known[1] / field.factor


def _scaled(amount: Fraction, field: FieldReader, family: str) -> Value:
    scale = {"money": 100, "percent": 100, "count": 1}.get(family, field.scale)
    value = amount * scale
    return Value(frozenset({int(value)})) if value.denominator == 1 else OFF_GRID


_DOTTED = re.compile(r"(\d{1,2})[.:](\d{2})")
_SLASHED = re.compile(r"(\d{1,2})[/.-](\d{1,2})")


def _convert_moment(num: Num, family: str, today: datetime.date) -> Value | None:
    if num.kind == family:
        return num.reading
    if num.kind != "bare":
        return None
    if family == "clock" and (found := _DOTTED.fullmatch(num.raw)):
        return read_clock(int(found[1]), int(found[2]), "")
    if family == "date" and (found := _SLASHED.fullmatch(num.raw)):
        return read_date(None, int(found[1]), int(found[2]), today)
    return None


def read_clock(hour: int, minute: int, part: str) -> Value:
    """Return minutes after midnight; an hour of 1 to 11 without part of day may also mean the afternoon."""
    if hour > 24 or minute > 59:
        return OFF_GRID
    if part in _DAY_PARTS_LATE and hour < 12:
        # 晚上一点 is an hour after midnight
        hour = hour + 12 if not (part in {"晚上", "夜里", "晚"} and 0 < hour < 4) else hour
    elif part in _DAY_PARTS_EARLY and hour == 12:
        hour = 0
    elif part == "中午" and hour in {1, 2}:
        hour += 12
    minutes = (hour % 24) * 60 + minute
    if not part and 1 <= hour <= 11:
        return Value(frozenset({minutes}), frozenset({minutes + 720}))
    return Value(frozenset({minutes}))


def read_date(year: int | None, month: int, day: int, today: datetime.date) -> Value:
    """Return the day's ordinal; without a year, this year's, the last and the next one's are all right."""
    sure = set()
    for candidate in (year,) if year is not None else (today.year, today.year - 1, today.year + 1):
        full = candidate + 2000 if candidate < 100 else candidate
        try:
            sure.add(datetime.date(full, month, day).toordinal())
        except ValueError:
            continue
    return Value(frozenset(sure))


def read_slashed(first: int, second: int, year: int | None, lang: str, currency: str, today: datetime.date) -> Value:
    """Return the reading of 5/3: month first in Chinese and in dollars, day first otherwise.

    The other order, if it is a date at all, is kept as a doubt in English.
    """
    month_first = lang == "zh" or currency.lower() in MONTH_FIRST
    month, day = (first, second) if month_first else (second, first)
    value = read_date(year, month, day, today)
    if lang == "zh":
        return value
    other = read_date(year, day, month, today)
    return Value(value.sure, other.sure - value.sure) if value.sure else other
