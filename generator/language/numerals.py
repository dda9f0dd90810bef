"""Reading and writing of number words, Chinese and English.

Nothing here knows about units, classifiers or sentences: a caller finds a token with `ZH_NUMERAL` or
`EN_NUMERAL` and hands the whole token to `parse_zh` or `parse_en`.
"""

import re
from decimal import Decimal
from itertools import pairwise

_LIMIT = 99_999_999
# No numeral is this long; a run of 十 thousands of characters long must not reach the recursion.
_LONGEST = 80

# --- Chinese -----------------------------------------------------------------------------------------------

_ZH_DIGITS = "零一二三四五六七八九"
_FORMAL = str.maketrans("〇壹贰貳叁參参肆伍陆陸柒捌玖拾佰仟萬億兩", "零一二二三三三四五六六七八九十百千万亿两")
_FULL_WIDTH = {0xFF10 + i: ord("0") + i for i in range(10)} | {0xFF0C: ord(","), 0xFF0E: ord(".")}

_ARABIC = r"(?:[0-9]{1,3}(?:[,，][0-9]{3})+(?![0-9])|[0-9]+)(?:\.[0-9]+)?"
_ZH_RUN = r"[零〇一二三四五六七八九十百千万亿两]"
_FORMAL_DIGIT = "[壹贰貳叁參肆伍陆陸柒捌玖]"
_FORMAL_UNIT = "[拾佰仟万萬亿億]"

ZH_NUMERAL = (
    "(?:"
    # Arabic digits, alone or with Chinese or spoken units: 1,280 / 1.28万 / 3万2 / 12万5千 / 25k
    rf"{_ARABIC}(?:[百千万亿]+(?:零?[0-9一二三四五六七八九两]{{1,4}}[十百千万亿]{{0,2}}){{0,8}}"
    r"|[kKwW](?:[0-9](?![0-9]))?(?![0-9A-Za-z]))?"
    # 伍 or 陆 alone is a surname or a place far more often than a digit
    rf"|(?:零?{_FORMAL_DIGIT}{_FORMAL_UNIT}{{1,2}})+零?{_FORMAL_DIGIT}?|{_FORMAL_DIGIT}(?=[元圆])"
    # 三点五万: only before a unit, since 三点五十 is a time
    rf"|{_ZH_RUN}+(?:点[零〇一二三四五六七八九]+[百千万亿]+)?"
    ")"
)

_DIGIT = r"[一二三四五六七八九]|[0-9]+(?:\.[0-9]+)?"
# 两 counts hundreds and upwards, and stands alone, but never follows another unit (二十两 is a weight).
_SECTION = re.compile(
    rf"(?:(?P<k>{_DIGIT}|两)千)?(?:(?P<zh>零)?(?P<h>{_DIGIT}|两)百)?(?:(?P<zt>零)?(?P<t>{_DIGIT})?(?P<ten>十))?"
    rf"(?:(?P<zo>零)?(?P<o>{_DIGIT}))?"
)
_PLAIN = re.compile(rf"{_ARABIC}")
_DIGIT_STRING = re.compile(r"[零一二三四五六七八九]+")
_SPOKEN_SCALE = re.compile(r"([0-9]+(?:\.[0-9]+)?)([kKwW])([0-9]?)")
_DECIMAL_WORDS = re.compile(r"([零一二三四五六七八九十百]+)点([零一二三四五六七八九]+)([百千万亿]*)")
_SCALES = {"百": 100, "千": 1000, "万": 10_000, "亿": 100_000_000, "k": 1000, "w": 10_000}


def parse_zh(text: str, *, strict: bool = True) -> Decimal | None:
    """Return the value of a whole string that is one Chinese numeral, or None.

    Formal (伍仟贰佰), mixed (1.28万), short (六百八 = 680, 一万二 = 12000) and year-like digit strings
    (二〇二五) are read; two neighbouring digits (三四, 二十一二) and 十几 are estimates, hence None.

    Args:
        text: The token, without classifier or unit; surrounding space is ignored.
        strict: Refuse the mixes of chat and speech, such as 2千3, 3.5千, 3万2, 25k and 1k2.
    """
    token = text.strip().translate(_FULL_WIDTH).translate(_FORMAL)
    if len(token) > _LONGEST:
        return None
    if _PLAIN.fullmatch(token):
        return Decimal(token.replace(",", ""))
    if token == "两":
        return Decimal(2)
    if _DIGIT_STRING.fullmatch(token) and len(token) > 1:
        return _read_digit_string(token)
    if words := _DECIMAL_WORDS.fullmatch(token):
        return _read_decimal_words(words)
    if spoken := _SPOKEN_SCALE.fullmatch(token):
        return None if strict else _read_spoken_scale(spoken)
    return _read_scaled(token.replace(",", ""), strict)


def _read_digit_string(token: str) -> Decimal | None:
    """Return 二〇二五 as 2025; None for 三四 and 三四五, which are estimates rather than numbers."""
    if len(token) < 4 and "零" not in token:
        return None
    return Decimal("".join(str(_ZH_DIGITS.index(char)) for char in token))


def _read_decimal_words(words: re.Match[str]) -> Decimal | None:
    whole = parse_zh(words[1])
    if whole is None:
        return None
    fraction = "".join(str(_ZH_DIGITS.index(char)) for char in words[2])
    value = Decimal(f"{whole}.{fraction}")
    for unit in words[3]:
        value *= _SCALES[unit]
    return value


def _read_spoken_scale(spoken: re.Match[str]) -> Decimal:
    scale = _SCALES[spoken[2].lower()]
    return Decimal(spoken[1]) * scale + Decimal(spoken[3] or 0) * scale / 10


def _read_scaled(token: str, strict: bool) -> Decimal | None:
    """Return the value of a numeral by its highest unit: what stands before it counts it, the rest is added."""
    for unit, scale in (("亿", 100_000_000), ("万", 10_000)):
        head, found, tail = token.rpartition(unit)
        if not found:
            continue
        count = Decimal(2) if head == "两" else _read_scaled(head, strict)
        if count is None or count == 0 or (unit == "万" and count >= 10_000):
            return None
        rest = _read_rest(tail, scale, strict)
        return None if rest is None else count * scale + rest
    return _read_section(token, strict)


def _read_rest(tail: str, scale: int, strict: bool) -> Decimal | None:
    """Return what follows 万 or 亿; a lone digit counts the next lower unit (一万二 = 12000)."""
    if not tail:
        return Decimal(0)
    if len(tail) == 1 and tail in _ZH_DIGITS[1:]:
        return Decimal(_ZH_DIGITS.index(tail)) * scale / 10
    if tail.isascii() and tail.isdigit():
        if strict or len(tail) == 2:
            return None
        return Decimal(tail) * (scale // 10 if len(tail) == 1 else 1)
    rest = _read_scaled(tail.removeprefix("零"), strict)
    return rest if rest is not None and rest < scale else None


def _read_section(token: str, strict: bool) -> Decimal | None:
    """Return the value of a numeral below 万, Arabic digits allowed before each unit; None if it is not one."""
    if token == "零":
        return Decimal(0)
    if _PLAIN.fullmatch(token):
        return Decimal(token)
    found = _SECTION.fullmatch(token) if token else None
    if found is None:
        return None
    digits = {place: _read_digit(found[place]) for place in ("k", "h", "t", "o")}
    if found["ten"] and digits["t"] is None:
        digits["t"] = Decimal(1)
    if strict and not _is_plain_mix(found):
        return None
    weights = {"k": 1000, "h": 100, "t": 10, "o": 1}
    # 三百五 is 350 and 三千五 is 3500, but 三百零五 and 三十五 mean what they say.
    if found["o"] and not found["zo"] and not found["ten"]:
        weights["o"] = 10 if digits["h"] is not None else 100 if digits["k"] is not None else 1
    return sum((value * weights[place] for place, value in digits.items() if value is not None), Decimal(0))


def _read_digit(char: str | None) -> Decimal | None:
    if char is None:
        return None
    if char == "两":
        return Decimal(2)
    return Decimal(_ZH_DIGITS.index(char)) if char in _ZH_DIGITS else Decimal(char)


def _is_plain_mix(found: re.Match[str]) -> bool:
    """Return whether Arabic digits, if any, are whole and each has its own unit."""
    if any("." in (found[place] or "") for place in ("k", "h", "t")):
        return False
    last = found["o"] or ""
    return not (last.isascii() and last)


def write_zh(n: int, *, short: bool = False, liang: bool = True) -> str:
    """Return a whole number in Chinese words.

    Args:
        n: 0 to 99,999,999.
        short: Drop the last unit where the reading stays certain: 六百八, 一千三百八, 一万二.
        liang: Write a leading 二 as 两, alone and before 百, 千 and 万, as before a classifier.

    Raises:
        ValueError: `n` is out of range.
    """
    if not 0 <= n <= _LIMIT:
        raise ValueError(f"cannot write {n!r} in Chinese: not in 0..{_LIMIT}")
    if n == 0:
        return "零"
    high, low = divmod(n, 10_000)
    text = _write_section(high) + "万" if high else ""
    if high and low:
        text += ("零" if low < 1000 else "") + _write_section(low, inner=low < 100)
    elif not high:
        text = _write_section(low)
    text = _shorten(text, n) if short else text
    return _use_liang(text) if liang else text


def _write_section(n: int, *, inner: bool = False) -> str:
    """Return 1..9999 in words; `inner` keeps the 一 of 一十 that a numeral's beginning drops."""
    text, gap = "", False
    for weight, unit in ((1000, "千"), (100, "百"), (10, "十"), (1, "")):
        digit = n // weight % 10
        if digit:
            text += ("零" if gap else "") + _ZH_DIGITS[digit] + unit
        gap = not digit and bool(text)
    return text if inner or not text.startswith("一十") else text[1:]


def _shorten(text: str, n: int) -> str:
    """Return the spoken short form, if the last two units are neighbours."""
    for weight, unit in ((10, "十"), (100, "百"), (1000, "千")):
        if n % weight == 0 and n // weight % 10 and n // (weight * 10) % 10:
            return text.removesuffix(unit)
        if n % (weight * 10):
            break
    return text


def _use_liang(text: str) -> str:
    """Return the text with a leading 二 as 两 where speech has it: 两, 两百二十, 两千, 两万, but 二十二."""
    return "两" + text[1:] if re.match("二(?:[百千万]|$)", text) else text


# --- English -----------------------------------------------------------------------------------------------

_UNITS = ["one", "two", "three", "four", "five", "six", "seven", "eight", "nine"]
_TEENS = ["ten", "eleven", "twelve", "thirteen", "fourteen", "fifteen", "sixteen", "seventeen", "eighteen", "nineteen"]
_TENS = ["twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety"]
_EN_SCALES = {"thousand": 1000, "million": 1_000_000, "billion": 1_000_000_000}

_SMALL = "|".join(sorted(["zero", *_UNITS, *_TEENS, *_TENS], key=len, reverse=True))
_BIG = "hundred|thousand|million|billion|dozen"
_GAP = r"[\s-]{1,3}"
# "and" joins only after a hundred or more: "between two and three" holds two numbers.
_AND = rf"(?:{_GAP}and(?={_GAP}(?:{_SMALL}|{_BIG})\b))?"
_EN_PART = rf"(?:(?:{_SMALL}|dozen)\b|(?:hundred|thousand|million|billion)\b{_AND})"

EN_NUMERAL = (
    r"(?i:\b(?:"
    rf"half{_GAP}an?{_GAP}(?:{_BIG})\b"
    rf"|(?:an?{_GAP}(?=(?:{_BIG})\b))?{_EN_PART}(?:{_GAP}{_EN_PART})*"
    rf"(?:{_GAP}and{_GAP}a{_GAP}half\b(?:{_GAP}(?:{_BIG})\b)?)?"
    rf"|{_ARABIC}(?:k\b|{_GAP}?(?:hundred|thousand|million|billion|mn|bn|dozen)\b)?"
    r"))"
)

_EN_FIGURE = re.compile(rf"({_ARABIC})\s*-?\s*(k|mn|bn|hundred|thousand|million|billion|dozen)?")
_FIGURE_SCALES = {
    "": 1,
    "k": 1000,
    "hundred": 100,
    "dozen": 12,
    "mn": 1_000_000,
    "bn": 1_000_000_000,
    **_EN_SCALES,
}


def parse_en(text: str) -> Decimal | None:
    """Return the value of a whole string that is one English numeral, or None.

    Figures with a scale (0.3 million, 1.5k), hundreds (twelve hundred and fifty), dozens and halves
    (two and a half thousand, half a million) are read. "nineteen eighty", "a few" and "hundreds" are None.
    """
    token = text.strip().lower().translate(_FULL_WIDTH)
    if len(token) > 2 * _LONGEST:
        return None
    if figure := _EN_FIGURE.fullmatch(token):
        return Decimal(figure[1].replace(",", "")) * _FIGURE_SCALES[figure[2] or ""]
    words = token.replace("-", " ").split()
    if words[:1] == ["half"] and words[1:2] in (["a"], ["an"]) and len(words) == 3:
        scale = _FIGURE_SCALES.get(words[2])
        return None if scale is None else Decimal(scale) / 2
    return None if words == ["a"] else (_read_with_half(words) or _read_words(words))


def _read_with_half(words: list[str]) -> Decimal | None:
    """Return "two and a half [thousand]"; None for anything else."""
    tail = words[-1:] if words and words[-1] in _FIGURE_SCALES else []
    body = words[: len(words) - len(tail)]
    if body[-3:] != ["and", "a", "half"]:
        return None
    whole = _read_words(body[:-3])
    return None if whole is None else (whole + Decimal("0.5")) * _FIGURE_SCALES[tail[0] if tail else ""]


def _read_words(words: list[str]) -> Decimal | None:
    if words == ["zero"]:
        return Decimal(0)
    if words[-1:] == ["dozen"]:
        count = 1 if words[:-1] == ["a"] else _read_below_thousand(words[:-1])
        return None if not count else Decimal(count * 12)
    total, part, used = 0, list[str](), [10**12]
    for word in words:
        if word not in _EN_SCALES:
            part.append(word)
            continue
        count = _read_below_thousand(part)
        used.append(_EN_SCALES[word])
        if not count:
            return None
        total, part = total + count * _EN_SCALES[word], []
    if any(later >= earlier for earlier, later in pairwise(used)):
        return None
    rest = _read_below_thousand(part[1:] if total and part[:1] == ["and"] and len(part) > 1 else part)
    if rest is None or (part and not rest) or not (total or part):
        return None
    return Decimal(total + rest) if rest < used[-1] else None


def _read_below_thousand(words: list[str]) -> int | None:
    """Return the value of words without a scale above hundred; 0 for none, None if they are no numeral."""
    if "hundred" in words:
        cut = words.index("hundred")
        head, tail = words[:cut], words[cut + 1 :]
        count = 1 if head in (["a"], ["one"]) else _read_below_hundred(head)
        rest = _read_below_hundred(tail[1:] if tail[:1] == ["and"] else tail)
        if not count or rest is None or tail == ["and"]:
            return None
        return count * 100 + rest
    return 1 if words == ["a"] else _read_below_hundred(words)


def _read_below_hundred(words: list[str]) -> int | None:
    if not words:
        return 0
    first = words[0]
    if len(words) == 1 and first in _UNITS:
        return _UNITS.index(first) + 1
    if len(words) == 1 and first in _TEENS:
        return _TEENS.index(first) + 10
    if first not in _TENS or len(words) > 2 or (len(words) == 2 and words[1] not in _UNITS):
        return None
    return (_TENS.index(first) + 2) * 10 + (_UNITS.index(words[1]) + 1 if len(words) == 2 else 0)


def write_en(n: int) -> str:
    """Return a whole number in British English words: "one hundred and twenty".

    Args:
        n: 0 to 999,999,999.

    Raises:
        ValueError: `n` is out of range.
    """
    if not 0 <= n < 1_000_000_000:
        raise ValueError(f"cannot write {n!r} in English: not in 0..999999999")
    if n == 0:
        return "zero"
    parts = [
        f"{_write_below_thousand(n // scale % 1000)} {word}"
        for word, scale in (("million", 1_000_000), ("thousand", 1000))
        if n // scale % 1000
    ]
    rest = n % 1000
    if rest:
        parts.append(("and " if parts and rest < 100 else "") + _write_below_thousand(rest))
    return " ".join(parts)


def _write_below_thousand(n: int) -> str:
    hundreds, rest = divmod(n, 100)
    head = f"{_UNITS[hundreds - 1]} hundred" if hundreds else ""
    if not rest:
        return head
    if rest < 10:
        tail = _UNITS[rest - 1]
    elif rest < 20:
        tail = _TEENS[rest - 10]
    else:
        tail = _TENS[rest // 10 - 2] + (f"-{_UNITS[rest % 10 - 1]}" if rest % 10 else "")
    return f"{head} and {tail}" if head else tail
