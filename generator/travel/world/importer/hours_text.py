"""Opening hours out of free English text. Every word must be understood, or the hours are unknown."""

from __future__ import annotations

import re
from typing import NamedTuple

from pydantic import ValidationError

from generator.travel.world.schema import DAY_MINUTES, Day, Hours, Span

DAYS = ("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday")
_DAY_OF = {name[:n]: i for i, name in enumerate(DAYS) for n in (3, len(name))} | {"tues": 1, "thur": 3, "thurs": 3}
_SEASON = re.compile(
    r"january|february|march|april|may|june|july|august|september|october|november|december|jan|feb|mar|apr|jun|jul|aug"
    r"|sept?|oct|nov|dec|easter|term|season|summer|winter|spring|autumn|holidays|christmas"
)
_CONDITION = re.compile(r"depending|whether|events?|appointment|request|key|borrowed|unless|other|times")
_NOISE = re.compile(r"it|opens?|opening|is|are|from|on|the|when|while")
_WORDS = {
    **dict.fromkeys(("to", "until", "till", "-", "–"), "to"),
    **dict.fromkeys(("and", ",", "&"), "and"),
    **dict.fromkeys(("daily", "everyday"), "every"),
    **dict.fromkeys((".", ";"), "stop"),
    "closed": "closed",
    "except": "except",
}
_TOKEN = re.compile(
    r"(?P<hour>\d{1,2})(?::(?P<minute>\d\d))?(?:\s?(?P<half>[ap])\.?\s?m\b\.?)?|(?P<word>[a-z']+|[^\sa-z\d])"
)
EVERY = frozenset(range(7))


class HoursReading(NamedTuple):
    """What came of a text: hours or None, and the rules that were used."""

    hours: Hours | None
    rules: tuple[str, ...]


class _Time(NamedTuple):
    hour: int
    minute: int
    half: str
    colon: bool


class _Atom(NamedTuple):
    """days: a set of weekdays; hours: one span; or the words closed, except, stop."""

    kind: str
    days: frozenset[int] = frozenset()
    span: Span = Span(0, 0)


class _UnreadableError(Exception):
    pass


def read_hours_text(text: str) -> HoursReading:
    """Return the opening hours that a text states."""
    plain = text.casefold().strip()
    if plain == "always":
        day: Day = (Span(0, DAY_MINUTES),)
        return HoursReading(Hours(week=(day,) * 7), ("hours-always",))
    words = sorted(re.findall(r"[a-z]+", plain.replace("bank holidays", "")))
    if any(map(_CONDITION.fullmatch, words)):
        return HoursReading(None, ("hours-conditional",))
    if any(map(_SEASON.fullmatch, words)):
        return HoursReading(None, ("hours-seasonal",))
    rules: list[str] = []
    try:
        week = _week(_atoms(_tokens(plain, rules), rules), rules)
        hours = Hours.model_validate({"week": week})
    except (_UnreadableError, ValidationError):
        return HoursReading(None, ("hours-unreadable",))
    return HoursReading(hours, ("hours-text-read", *sorted(set(rules))))


def _tokens(plain: str, rules: list[str]) -> list[str | int | _Time]:
    """Return words of the grammar, weekdays as numbers, and times."""
    if "bank holidays" in plain:
        rules.append("hours-holidays")
        plain = plain.replace("and bank holidays", "").replace("bank holidays", "")
    plain = plain.replace("every day", "daily")
    found: list[str | int | _Time] = []
    for match in _TOKEN.finditer(plain):
        word = match["word"]
        if match["hour"]:
            found.append(
                _Time(int(match["hour"]), int(match["minute"] or 0), match["half"] or "", bool(match["minute"]))
            )
        elif word in {"midnight", "noon"}:
            found.append(_Time(12, 0, "a" if word == "midnight" else "p", False))
        elif word in _DAY_OF:
            found.append(_DAY_OF[word])
        elif word in _WORDS:
            found.append(_WORDS[word])
        elif word == "normally":
            rules.append("hours-hedged")
        elif not _NOISE.fullmatch(word):
            raise _UnreadableError(word)
    return found


def _atoms(tokens: list[str | int | _Time], rules: list[str]) -> list[_Atom]:
    atoms: list[_Atom] = []
    joined = False
    at = 0
    while at < len(tokens):
        token = tokens[at]
        ranged = at + 2 < len(tokens) and tokens[at + 1] == "to"
        if isinstance(token, _Time):
            end = tokens[at + 2] if ranged else None
            if not isinstance(end, _Time):
                raise _UnreadableError(str(token))
            atoms.append(_Atom("hours", span=_span(token, end, rules)))
            at += 3
        elif isinstance(token, int) or token == "every":
            days, step = _days(tokens, at, ranged)
            if atoms and atoms[-1].kind == "days" and joined:
                days |= atoms.pop().days
            atoms.append(_Atom("days", days=days))
            at += step
        elif token == "to":
            raise _UnreadableError(token)
        else:
            joined = token == "and"
            if not joined:
                atoms.append(_Atom(token))
            at += 1
            continue
        joined = False
    return [atom for atom in atoms if atom.kind != "stop"]


def _days(tokens: list[str | int | _Time], at: int, ranged: bool) -> tuple[frozenset[int], int]:
    first, last = tokens[at], tokens[at + 2] if ranged else None
    if not isinstance(first, int):
        return EVERY, 1
    if isinstance(last, int):
        return frozenset((first + n) % 7 for n in range((last - first) % 7 + 1)), 3
    return frozenset({first}), 1


def _span(start: _Time, end: _Time, rules: list[str]) -> Span:
    closes = _minute(end)
    if not start.half and end.half:
        rules.append("hours-suffix-borrowed")
        opens = _minute(start._replace(half=end.half))
        opens = opens if opens < closes else _minute(start._replace(half="a"))
    else:
        opens = _minute(start)
    if closes <= opens:
        closes += DAY_MINUTES
    if closes > DAY_MINUTES:
        rules.append("hours-past-midnight")
    return Span(opens, closes)


def _minute(time: _Time) -> int:
    if time.minute > 59 or time.hour > (12 if time.half else 24) or not (time.half or time.colon):
        raise _UnreadableError(str(time))
    hour = time.hour % 12 + (12 if time.half == "p" else 0) if time.half else time.hour
    return (hour * 60 + time.minute) % DAY_MINUTES


class _WeekMaker:
    """Pairs days with hours: days before their hours, or hours before their days, throughout."""

    def __init__(self, days_first: bool) -> None:
        self.week: dict[int, Day] = {}
        self.days: frozenset[int] = frozenset()
        self.spans: list[Span] = []
        self.days_first = days_first
        self.closed = self.override = False

    def take(self, atom: _Atom, following: str) -> None:
        """Take in one atom, knowing the kind of the next."""
        if atom.kind == "closed":
            self.closed = True
        elif atom.kind == "except":
            if not self.week:
                raise _UnreadableError("except")
            self.days_first = self.override = True
        elif atom.kind == "days":
            if self.days:
                raise _UnreadableError("two sets of days")
            self.days = atom.days
            if self.closed or not self.days_first:
                self.settle()
        else:
            self.spans.append(atom.span)
            if self.days_first and following != "hours":
                self.settle()

    def settle(self) -> None:
        """Give the days at hand the hours at hand."""
        again = not self.override and bool(self.days & self.week.keys())
        if not self.days or not (self.spans or self.closed) or again:
            raise _UnreadableError("days and hours do not pair")
        self.week.update(dict.fromkeys(self.days, tuple(sorted(self.spans))))
        self.days, self.spans, self.closed = frozenset(), [], False


def _week(atoms: list[_Atom], rules: list[str]) -> tuple[Day, ...]:
    """Return the week that atoms state."""
    maker = _WeekMaker(days_first=bool(atoms) and atoms[0].kind == "days")
    for number, atom in enumerate(atoms):
        maker.take(atom, atoms[number + 1].kind if number + 1 < len(atoms) else "end")
    if maker.spans and not maker.week and not maker.days:
        rules.append("hours-no-days")
        maker.days = EVERY
        maker.settle()
    if maker.spans or maker.days or maker.closed or not any(maker.week.values()):
        raise _UnreadableError("something is left over")
    return tuple(maker.week.get(day, ()) for day in range(7))
