"""English numbers, times and dates in running text."""

from __future__ import annotations

import datetime as dt
import re
from collections.abc import Callable
from decimal import Decimal
from functools import lru_cache

from generator.language.lexicon import Lexicon
from generator.language.numerals import EN_NUMERAL, parse_en
from generator.language.units import CLOCK_SHIFTS, DATE_SHIFTS, HALF_HOUR, MONEY_SIGNS, MONEY_WORDS, MONTHS, WEEKDAYS_EN
from generator.language.vocabulary import Vocabulary

# A full stop ends a clause only before white space or the end: £2.40 and 8.30am hold theirs.
MARKS = r"[.!;](?=\s|$)[.!;]*\s*|\n+|[,:…()\"“”](?!\d)\s*|\s[-–—]\s|—|\?+\s*"
_FOLD = str.maketrans({"’": "'", "‘": "'", " ": " "})

_DIGITS = r"(?:\d{1,3}(?:,\d{3})+(?!\d)|\d+)(?:\.\d+)?"
_NUM = rf"(?:{_DIGITS}|{EN_NUMERAL})"
_MONTH = "|".join(m.lower() for m in MONTHS)
_DAY = "|".join(d.lower() for d in WEEKDAYS_EN)


# The class letters of names (see the lexer): a form's "the" before one goes, as it does before a name in a turn.
_ARTICLE = re.compile("\\bthe (?=[\ue001-\ue005])")


def fold(text: str) -> str:
    """Return text in lower case with plain apostrophes and spaces."""
    return _ARTICLE.sub("", text.translate(_FOLD).lower())


def patterns(vocabulary: Vocabulary, lexicon: Lexicon) -> list[tuple[str, str]]:
    """Return (class, regex source) in order of precedence."""
    counted = _words({u.lower() for u in vocabulary.units_of("count")})
    shifts = set(CLOCK_SHIFTS["en"]) if vocabulary.fields_of("clock") else set()
    shifts |= set(DATE_SHIFTS["en"]) if vocabulary.fields_of("date") else set()
    units = _words({u.lower() for u in vocabulary.units_of("measure")} | shifts)
    sign = re.escape(MONEY_SIGNS[vocabulary.currency])
    money = _words(set(MONEY_WORDS[vocabulary.currency]))
    nth = r"\d{1,2}(?:st|nd|rd|th)?"
    found = [
        ("date", rf"(?:\b(?:{_DAY}),? )?(?:\bthe )?\b{nth}(?: of)? (?:{_MONTH})\b|\b(?:{_MONTH}) {nth}\b"),
        ("vague", _vague()),
    ]
    if vocabulary.fields_of("clock"):
        found.append(("clock", r"\b(?:\d{1,2}(?:[.:]\d{2})?\s?[ap]m\b|\d{1,2}:\d{2}\b)"))
    found.append(("money", rf"{sign}\s?{_DIGITS}"))
    if shifts:
        found.append(("measure", "|".join(rf"\b{h}\b" for h in HALF_HOUR["en"])))
    # One alternative for all that begins with a number: trying the numeral anew for each unit is
    # what reading English would spend most of its time on. The parser looks at what follows.
    loose = rf"[- ](?:odd|ish|something)\b| (?:or|to) {_NUM}\b"
    tails = [loose, r"\s?%", r" per ?cent\b", rf" (?:{money})\b"]
    tails += [rf"\s?(?:{units})\b"] if units else []
    tails += [rf" (?:{counted})\b"] if counted else []
    found.append(("quantity", rf"\b(?=[\da-z]){_NUM}(?:{'|'.join(tails)}|\b)"))
    return found


def parser(vocabulary: Vocabulary) -> Callable[[str, re.Match[str]], tuple[str, str | int | Decimal, str]]:
    """Return the function that turns a match into (class, value, unit)."""
    year = vocabulary.year
    kinds = dict.fromkeys(MONEY_WORDS[vocabulary.currency], "money") | {"": "number"}
    kinds |= dict.fromkeys({"%", "per cent", "percent"}, "percent")
    kinds |= {u.lower(): "measure" for u in vocabulary.units_of("measure")}
    kinds |= dict.fromkeys({*CLOCK_SHIFTS["en"], *DATE_SHIFTS["en"]}, "measure")
    kinds |= {u.lower(): "count" for u in vocabulary.units_of("count")}

    @lru_cache(maxsize=65_536)
    def parse(group: str, text: str) -> tuple[str, str | int | Decimal, str]:
        if group == "date":
            return _date(text, year)
        if group == "clock":
            return _clock(text)
        if group == "vague":
            return "vague", text, ""
        if group == "measure" and text in HALF_HOUR["en"]:
            return "measure", Decimal("0.5"), "hour"
        found = _LEADING.match(text)
        number = _number(found.group(1)) if found else None
        if found is None or number is None:
            return "vague", text, ""
        unit = found.group(2).strip()
        if group == "money":
            return "money", number, unit
        return (kinds[unit], number, unit) if unit in kinds else ("vague", text, "")

    return lambda group, found: parse(group, found.group())


_LEADING = re.compile(rf"[^\w\s]?\s?({_NUM})\s?(.*)")


def _number(text: str) -> Decimal | None:
    return Decimal(text.replace(",", "")) if text[0].isdigit() and text[-1].isdigit() else parse_en(text)


def _vague() -> str:
    loose = r"\b(?:a couple|a few|several|a dozen or so|half a dozen|dozens|a handful|a score)(?: of)?(?: dozen)?\b"
    about = "about|around|roughly|some|over|under|nearly|almost|up to|at least|at most"
    return rf"{loose}|\b(?:{about}) {_NUM}\b|\b\d+(?:ish|k\d*)\b|\b\d+[-–]\d+\b"


def _words(words: set[str]) -> str:
    return "|".join(re.escape(w) for w in sorted(words, key=lambda w: (-len(w), w)))


def _date(text: str, year: int) -> tuple[str, str | int | Decimal, str]:
    month = next(i for i, m in enumerate(MONTHS, 1) if m.lower() in text)
    day = int(re.search(r"\d+", text).group())  # type: ignore[union-attr]  # the pattern has digits
    try:
        date = dt.date(year, month, day)
    except ValueError:
        return "vague", text, ""
    said = next((i for i, d in enumerate(WEEKDAYS_EN) if d.lower() in text), None)
    return ("date", date.toordinal(), "") if said in (None, date.weekday()) else ("vague", text, "")


def _clock(text: str) -> tuple[str, str | int | Decimal, str]:
    numbers = [int(x) for x in re.findall(r"\d+", text)]
    hour, minute = numbers[0], numbers[1] if len(numbers) > 1 else 0
    if text.endswith("m"):
        hour = hour % 12 + (12 if text.endswith("pm") else 0)
    value = hour * 60 + minute
    return ("clock", value, "") if value < 1440 and minute < 60 else ("vague", text, "")
