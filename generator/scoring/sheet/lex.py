"""Tokens of a line: names, labels, numbers with their marks, operators, and the words that change what counts."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any

from generator.scoring.sheet.lexicon import Lexicon, Word
from generator.scoring.sheet.numbers import MONTHS, Num, read_amount, read_clock, read_date, read_slashed
from generator.scoring.sheet.patterns import ZH_DAY_PARTS, ZH_DIGITS
from generator.scoring.sheet.reading import Value
from generator.scoring.sheet.units import UNITS

_MULTIPLES = {"万": 10_000, "亿": 100_000_000, "千": 1000}
_ZH_RUN = re.compile(f"[{ZH_DIGITS}]+")
_ZH_FULL = re.compile("[十百千万拾佰仟〇零]")
_PART = re.compile(rf"{ZH_DAY_PARTS}|morning|afternoon|evening|[ap]\.?m")
_PIECES = re.compile(rf"\d+|[{ZH_DIGITS}]+|半|刻|[a-z]+")
_TRAILING_WORD = re.compile(r"\s?([a-z]{2,}|[一-鿿])")
# Words after a bare number that do not make it a number of something else.
_LIGHT = {
    "at", "for", "in", "to", "and", "or", "from", "by", "on", "is", "now", "not", "but", "plus", "of", "total",
    "gives", "makes", "after", "since", "new", "as", "then", "so", "once", "off", "with", "which", "inc", "incl",
    "ex", "vat", "exactly", "altogether", "overall", "between", "the", "same",
    *"的共后为是整左起到且并即也均含不按合计减加得约吧了哦啦呢没已未请现比因对小单另再算",
}  # fmt: skip
_LESS_AFTER = re.compile(
    r"\s(?:fewer|less|more|extra|off|cheaper|saved|saving|higher|lower|up|down)\b"
    r"|\s?(?:的)?(?:差额|差价|优惠|折扣|涨幅|降幅)"
)


@dataclass(frozen=True, slots=True)
class Tok:
    """A token; `weak` numbers (一, one) count only where a label or cell asks for a number."""

    kind: str
    start: int
    end: int
    num: Num | None = None
    word: Word | None = None
    weak: bool = False
    foreign: bool = False
    delta: bool = False
    text: str = ""


def tokenize(text: str, lex: Lexicon) -> list[Tok]:
    """Return the tokens of flattened text; what is no token is the gap between two."""
    out: list[Tok] = []
    for found in lex.pattern.finditer(text):
        kind = found.lastgroup or ""
        if out and out[-1].foreign and not text[out[-1].end : found.start()].strip():
            # the word after the number is one that the sheet knows
            out[-1] = replace(out[-1], foreign=False)
        if kind == "word":
            token = found[0]
            word = lex.words.get(token) or lex.words.get(" ".join(token.split()))
            if word is not None:
                out.append(Tok("word", found.start(), found.end(), word=word, text=token))
        elif kind == "num":
            tok = _number(found, text, lex)
            if tok is not None:
                out.append(tok)
        elif kind in _MOMENTS:
            value, family = _MOMENTS[kind](found[0], lex)
            num = Num(found.start(), found.end(), family, Fraction(0), found[0], "", value)
            out.append(Tok("num", found.start(), found.end(), num=num))
        elif kind == "zhpct":
            amount = read_amount(found[0][3:])
            if amount is not None:
                out.append(Tok("num", *found.span(), num=Num(*found.span(), "percent", amount, found[0], "%")))
        else:
            out.append(Tok(kind.rstrip("_"), found.start(), found.end(), text=found[0]))
        if len(out) > 1 and out[-1].kind == out[-2].kind == "num":
            joined = _join_times(out[-2].num, out[-1].num, text)
            if joined is not None:
                out[-2:] = [Tok("num", joined.start, joined.end, num=joined)]
    return out


def _join_times(left: Num | None, right: Num | None, text: str) -> Num | None:
    """Return "1 hour 30 minutes" as one number in the smaller unit, None if the two are apart."""
    if left is None or right is None or left.kind != "time" or right.kind != "time":
        return None
    larger, smaller = UNITS[left.unit][1], UNITS[right.unit][1]
    if larger <= smaller or text[left.end : right.start].strip() not in {"", "and", "又", "零"}:
        return None
    amount = left.amount * larger / smaller + right.amount
    return Num(left.start, right.end, "time", amount, text[left.start : right.end], right.unit)


def _number(found: re.Match[str], text: str, lex: Lexicon) -> Tok | None:
    figure, unit, sign = found["fig"], (found["unit"] or "").strip().lstrip("-"), found["cur"]
    amount = read_amount(figure)
    if amount is None:
        return None
    if found["mul"]:
        amount *= _MULTIPLES[found["mul"].strip()]
    end = found.end()
    if unit.startswith("per") and unit.endswith("cent"):
        unit = "%"
    is_words = not figure[0].isdigit()
    if not unit and not found["mul"] and end < len(text) and text[end].isascii() and text[end].isalnum():
        scaled = text[end] == "k" and not text[end + 1 : end + 2].isalnum()
        if not scaled:
            # 118each and 10x680 are numbers; B2417 and 4k are not
            if not re.match(r"x\s?[\d£$¥€]|each|ea\b|x\s", text[end : end + 5]):
                return None
        else:
            amount, end = amount * 1000, end + 1
    kind = _kind_of(unit, bool(sign), lex)
    weak = False
    if is_words and not unit and not sign:
        if _ZH_RUN.fullmatch(figure):
            weak = not (len(figure) > 1 and _ZH_FULL.search(figure))
        else:
            weak = figure in {"one", "a"}
    after = _TRAILING_WORD.match(text, end)
    foreign = bool(not unit and not sign and after and after[1] not in _LIGHT)
    delta = bool(_LESS_AFTER.match(text, end))
    num = Num(found.start(), end, kind, amount, figure, unit)
    return Tok("num", found.start(), end, num=num, weak=weak, foreign=foreign, delta=delta)


def _kind_of(unit: str, has_sign: bool, lex: Lexicon) -> str:
    if has_sign:
        return "money"
    if not unit:
        return "bare"
    if any(unit in units for units in lex.row_units.values()):
        return "count"
    known = UNITS.get(unit)
    if known is not None:
        return known[0]
    families = {reader.family for reader in lex.fields.values() if unit in reader.units}
    return "count" if families <= {"count"} else families.pop() if len(families) == 1 else "bare"


def _whole(piece: str) -> int:
    amount = read_amount(piece)
    return int(amount) if amount is not None else 99


def _read_zh_clock(text: str, lex: Lexicon) -> tuple[Value, str]:
    part = _PART.search(text)
    rest = text[part.end() :] if part else text
    pieces = _PIECES.findall(rest)
    hour = _whole(pieces[0])
    minute = 0
    if "半" in rest:
        minute = 30
    elif "刻" in rest:
        minute = 15 * _whole(pieces[1])
    elif len(pieces) > 1:
        minute = _whole(pieces[1])
    return read_clock(hour, minute, part[0] if part else ""), "clock"


def _read_zh_date(text: str, lex: Lexicon) -> tuple[Value, str]:
    numbers = [_whole(piece) for piece in _PIECES.findall(text)]
    year = numbers[0] if len(numbers) == 3 else None
    return read_date(year, numbers[-2], numbers[-1], lex.today), "date"


def _read_en_date(text: str, lex: Lexicon) -> tuple[Value, str]:
    month = next(MONTHS.index(word[:3]) + 1 for word in re.findall(r"[a-z]{3,}", text) if word[:3] in MONTHS)
    numbers = [int(n) for n in re.findall(r"\d+", text)]
    return read_date(numbers[1] if len(numbers) > 1 else None, month, numbers[0], lex.today), "date"


def _read_iso(text: str, lex: Lexicon) -> tuple[Value, str]:
    year, month, day = (int(n) for n in re.findall(r"\d+", text))
    return read_date(year, month, day, lex.today), "date"


def _read_slash(text: str, lex: Lexicon) -> tuple[Value, str]:
    numbers = [int(n) for n in text.split("/")]
    year = numbers[2] if len(numbers) > 2 else None
    return read_slashed(numbers[0], numbers[1], year, lex.lang, lex.currency, lex.today), "date"


_SPECIAL = {"noon": 720, "midday": 720, "midnight": 0}


def _read_en_clock(text: str, lex: Lexicon) -> tuple[Value, str]:
    found = _PART.search(text)
    part = found[0].replace(".", "") if found else ""
    for word, minutes in _SPECIAL.items():
        if text.startswith(word):
            return Value(frozenset({minutes})), "clock"
    digits = [int(n) for n in re.findall(r"\d+", text)]
    if digits:
        return read_clock(digits[0], digits[1] if len(digits) > 1 else 0, part), "clock"
    amount = read_amount(text.split()[2])
    if amount is None:
        return Value(frozenset()), "clock"
    hour, minute = int(amount), 30 if text.startswith("half") else 15
    if text.startswith("quarter to"):
        hour, minute = hour - 1 or 12, 45
    return read_clock(hour, minute, part), "clock"


def _read_clock(text: str, lex: Lexicon) -> tuple[Value, str]:
    found = _PART.search(text)
    digits = [int(n) for n in re.findall(r"\d+", text)]
    value = read_clock(digits[0], digits[1], found[0].replace(".", "") if found else "")
    # 08:30 is written by a 24-hour hand
    is_padded = re.search(r"(?<!\d)0\d:", text) is not None
    return (Value(value.sure) if is_padded else value), "clock"


_MOMENTS: dict[str, Any] = {
    "zhclock": _read_zh_clock, "zhdate": _read_zh_date, "endate": _read_en_date, "iso": _read_iso,
    "slash": _read_slash, "enclock": _read_en_clock, "clock": _read_clock,
}  # fmt: skip
