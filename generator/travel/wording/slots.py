"""Typed slots: how a value is written, which text can be one, and what that text says."""

from __future__ import annotations

import datetime as dt
import re
from collections.abc import Callable
from typing import NamedTuple

from generator.travel.wording.words import Words
from generator.travel.world.schema import DAY_MINUTES

Value = int | str | tuple[str, ...]
FULL = 10_000
TERMS = ("room", "class", "ticket", "heading", "band", "currency")
"""Filters whose values are terms of `words.yaml`."""
NAMES = ("place", "station", "area", "kind")
"""Filters whose values are names of the data."""
LISTS = ("places",)
PEOPLE = ("person", "people")
"""Filters whose values are names of `words.yaml`: one, or a list of them."""
FILTERS = (
    "count",
    "money",
    "percent",
    "discount",
    "tenths",
    "time",
    "dur",
    "date",
    "day",
    "degrees",
    *TERMS,
    *NAMES,
    *LISTS,
    *PEOPLE,
)
NUMERIC = frozenset({"count", "money", "percent", "discount", "tenths", "time", "dur", "degrees"})


class Slot(NamedTuple):
    """A kind of slot: a pattern without groups, a writer, and a reader that returns None for what it is not."""

    pattern: str
    write: Callable[[Value], str]
    read: Callable[[str], Value | None]


def make_slots(words: Words, currency: str) -> dict[str, Slot]:
    """Return every kind of slot of a language, by filter."""
    found = {
        "count": Slot(
            _either(words.count_of) + r"|\d{1,4}", lambda v: _count(words, v), lambda t: _read_count(words, t)
        ),
        "money": _money(words.currency[currency]),
        "percent": Slot(r"\d{1,2}%", lambda v: f"{_int(v) // 100}%", lambda t: 100 * int(t[:-1])),
        "discount": _discount(words),
        "tenths": Slot(r"\d{1,4}(?:\.\d)?", lambda v: f"{_int(v) / 10:.1f}", _read_tenths),
        "time": Slot(r"\d{2}:\d{2}", lambda v: f"{_int(v) % DAY_MINUTES // 60:02d}:{_int(v) % 60:02d}", _read_time),
        "dur": _duration(words),
        "date": _date(words),
        "day": Slot(_either(words.weekdays), lambda v: words.weekdays[_int(v)], words.weekdays.index),
        "degrees": Slot(r"-?\d{1,3}\.\d{1,4}", lambda v: f"{_int(v) / FULL:.4f}", _read_degrees),
    }
    for family in TERMS:
        terms = words.terms.get(family, {})
        back = words.term_of.get(family, {})
        found[family] = Slot(_either(back) if back else r"(?!)", lambda v, t=terms: t[str(v)], back.get)  # type: ignore[misc]
    for family in NAMES:
        found[family] = Slot(
            r".{1,120}?", lambda v: words.names.get(str(v), str(v)), lambda t: words.data_name_of.get(t, t)
        )
    for family in LISTS:
        found[family] = Slot(r".{1,600}?", lambda v: join_names(words, v), lambda t: t)
    return found | _people(words)


def _people(words: Words) -> dict[str, Slot]:
    """Return the slots of people; only known names are read, since Chinese has no spaces to end others."""
    known = frozenset((*words.people, words.me))
    one = f"(?:{_either(known)})"
    more = f"(?:{re.escape(words.list_comma)}{one})*{re.escape(words.list_last)}{one}"
    return {
        "person": Slot(one, str, lambda t: t),
        "people": Slot(
            f"{one}(?:{more})?", lambda v: join_names(words, v), lambda t: split_names(words, t, known.__contains__)
        ),
    }


def join_names(words: Words, names: Value) -> str:
    """Return names as a list: "A, B and C"."""
    assert isinstance(names, tuple)
    if len(names) == 1:
        return names[0]
    return words.list_comma.join(names[:-1]) + words.list_last + names[-1]


def split_names(words: Words, text: str, is_name: Callable[[str], bool]) -> tuple[str, ...] | None:
    """Return the names that a list holds, None if it is no list of names; a name may hold "and" itself."""
    if is_name(text):
        return (text,)
    for mark in (words.list_last, words.list_comma):
        at = text.find(mark)
        while at >= 0:
            head, tail = text[:at], text[at + len(mark) :]
            # The last separator is followed by one name; the comma by a list.
            if is_name(head):
                rest = (
                    ((tail,) if is_name(tail) else None)
                    if mark == words.list_last
                    else split_names(words, tail, is_name)
                )
                if rest is not None:
                    return (head, *rest)
            at = text.find(mark, at + 1)
    return None


def _int(value: Value) -> int:
    assert isinstance(value, int)
    return value


def _either(words: object) -> str:
    return "|".join(re.escape(w) for w in sorted(words, key=lambda w: (-len(w), w)))  # type: ignore[call-overload]


def _count(words: Words, value: Value) -> str:
    number = _int(value)
    if number in words.counts_before:
        return words.counts_before[number]
    return words.counts[number] if 0 <= number < len(words.counts) else str(number)


def _read_count(words: Words, text: str) -> int | None:
    return int(text) if text.isascii() and text.isdigit() else words.count_of.get(text)


def _money(pattern: str) -> Slot:
    before, _, after = pattern.partition("{}")
    shape = re.escape(before) + r"\d{1,7}(?:\.\d{2})?" + re.escape(after)

    def write(value: Value) -> str:
        minor = _int(value)
        # A sign after the number (85元) is written without empty decimals, as people do; £17.00 keeps them.
        whole = after and minor % 100 == 0
        return pattern.replace("{}", str(minor // 100) if whole else f"{minor // 100}.{minor % 100:02d}")

    def read(text: str) -> int | None:
        number = text[len(before) : len(text) - len(after)]
        pounds, _, pence = number.partition(".")
        return 100 * int(pounds) + int(pence or 0)

    return Slot(shape, write, read)


def _discount(words: Words) -> Slot:
    """Return the slot of a Chinese discount, which names what is left: 八折 is 20 % off, 六七折 33 %."""
    digits = words.counts[1:10]
    shape = f"打(?:{'|'.join(digits)}){{1,2}}折"

    def write(value: Value) -> str:
        left = 100 - _int(value) // 100
        tens, ones = divmod(left, 10)
        if not tens:
            raise ValueError(f"{left} % left has no usual word")
        return f"打{digits[tens - 1]}{digits[ones - 1] if ones else ''}折"

    def read(text: str) -> int:
        tens, ones = digits.index(text[1]) + 1, digits.index(text[2]) + 1 if len(text) == 4 else 0
        return 100 * (100 - 10 * tens - ones)

    return Slot(shape, write, read)


def _read_tenths(text: str) -> int:
    whole, _, tenth = text.partition(".")
    return 10 * int(whole) + int(tenth or 0)


def _read_time(text: str) -> int | None:
    hour, minute = int(text[:2]), int(text[3:])
    return 60 * hour + minute if hour < 24 and minute < 60 else None


def _read_degrees(text: str) -> int:
    sign, number = (-1, text[1:]) if text.startswith("-") else (1, text)
    whole, _, part = number.partition(".")
    return sign * (FULL * int(whole) + int(part.ljust(4, "0")))


def _duration(words: Words) -> Slot:
    before, _, after = words.minutes.partition("{}")
    back = {text: n for n, text in words.durations.items()}
    shape = _either(back) + "|" + re.escape(before) + r"\d{1,4}" + re.escape(after)

    def read(text: str) -> int:
        return back[text] if text in back else int(text[len(before) : len(text) - len(after)])

    return Slot(shape, lambda v: words.durations.get(_int(v)) or words.minutes.replace("{}", str(v)), read)


def _date(words: Words) -> Slot:
    """Return the slot of a full date with its weekday; a weekday that is not the date's is no date."""
    shape = re.escape(words.date)
    months = _either(words.months) if words.months else r"\d{1,2}"
    for name, part in (
        ("year", r"\d{4}"),
        ("month", months),
        ("day", r"\d{1,2}"),
        ("weekday", _either(words.weekdays)),
    ):
        shape = shape.replace(re.escape("{" + name + "}"), f"(?P<{name}>{part})")
    whole = re.compile(shape)

    def write(value: Value) -> str:
        date = dt.date.fromordinal(_int(value))
        month = words.months[date.month - 1] if words.months else str(date.month)
        return words.date.format(year=date.year, month=month, day=date.day, weekday=words.weekdays[date.weekday()])

    def read(text: str) -> int | None:
        found = whole.fullmatch(text)
        if found is None:
            return None
        month = words.months.index(found["month"]) + 1 if words.months else int(found["month"])
        try:
            date = dt.date(int(found["year"]), month, int(found["day"]))
        except ValueError:
            return None
        return date.toordinal() if words.weekdays[date.weekday()] == found["weekday"] else None

    bare = shape
    for name in ("year", "month", "day", "weekday"):
        bare = bare.replace(f"(?P<{name}>", "(?:")
    return Slot(bare, write, read)
