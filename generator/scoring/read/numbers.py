"""Numbers in running text, with the vague ones marked, and the kind `number`."""

import re
from collections import deque
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from decimal import Decimal

from generator.language.numerals import EN_NUMERAL, ZH_NUMERAL, parse_en, parse_zh
from generator.scoring.read.context import Context, Mention, keep_committed, look_around, settle
from generator.scoring.read.text import Plain

# A reply with more numbers than this is a flood; what it settles on stands at its end.
_MOST_NUMBERS = 4000
_TOKEN = re.compile(rf"(?P<zh>{ZH_NUMERAL})|(?P<en>{EN_NUMERAL})")
_SCALE = re.compile(
    r"[\s-]{0,2}(k\b|hundred\b|thousand\b|million\b|billion\b|mn\b|bn\b|m(?=\s?(?:usd|gbp|eur|dollars|pounds)))", re.I
)
_CURRENCY_CODE = re.compile(r"(?<![A-Za-z])(?:USD|GBP|EUR|CNY|RMB|HKD|JPY)$")
_VAGUE_AFTER = re.compile(r"\s?(?:多(?!少)|来(?=[个块元万千百人张天岁公里])|余(?!额|款)|几(?!乎))")
_VAGUE_BEFORE = re.compile(r"(?:几|数|上|好|a few|several|a couple of|couple of|many|some)\s?$", re.IGNORECASE)
_PAIR = re.compile(r"[一二两三四五六七八][二两三四五六七八九]")
_DASH = r"[-–—―‐‑‒−~～〜∼]{1,2}"
RANGE_MARK = re.compile(
    rf"\s{{0,3}}(?:{_DASH}|至|(?:一直|直)?到|\bto\b|\bor\b(?= so)|\bthrough\b|\buntil\b|\btill\b)\s{{0,3}}",
    re.IGNORECASE,
)
_RANGE_AND = re.compile(r"\s{0,3}(?:and|和|与|到|至)\s{0,3}", re.IGNORECASE)
_CHANGED_FROM = re.compile(
    r"\b(?:went|rose|fell|dropped|changed|increased|reduced|cut|up|down|moved|gone|rescheduled|shifted|postponed|"
    r"switched|"
    r"adjusted|updated|revised|raised|lowered|brought|forward)\b[^.]{0,10}\bfrom\s?(?:the )?$",
    re.IGNORECASE,
)
_BETWEEN = re.compile(r"(?:\bbetween\b|介于|在)\s{0,2}\S{0,3}\s{0,2}$", re.IGNORECASE)


# 一点二公里, 二十三点五分钟: without such a unit after it 点 tells the time.
_SPOKEN_POINT = re.compile(r"点([零〇一二三四五六七八九]+)(?=\s?(?:公里|千米|英里|米|分钟|小时))")


@dataclass(frozen=True, slots=True)
class Number:
    """A numeral in the text; `value` None means an estimate such as 两三, 二十多 or "a few hundred"."""

    value: Decimal | None
    start: int
    end: int
    raw: str


def find_numbers(text: str) -> Iterator[Number]:
    """Yield the last few thousand numerals of a text in order, each the longest that can be read there."""
    done = 0
    for token in deque(_TOKEN.finditer(text), maxlen=_MOST_NUMBERS):
        raw, start, end = token[0], token.start(), token.end()
        if start < done:
            continue
        if token["en"]:
            value = parse_en(raw)
        else:
            before = text[start - 1] if start else " "
            is_glued = raw[0].isascii() and before.isascii() and (before.isalpha() or before in "_.")
            if is_glued and not _CURRENCY_CODE.search(text[max(0, start - 4) : start]):
                continue
            scale = _SCALE.match(text, end) if raw[-1].isdigit() else None
            if scale:
                end = scale.end()
                unit = scale[1].lower()
                value = parse_en(raw + " " + ("mn" if unit == "m" else unit))
            else:
                value = parse_zh(raw, strict=False)
        if value is None and not _is_estimate(raw, text, start):
            continue
        if value is not None and (point := _SPOKEN_POINT.match(text, end)):
            digits = "".join(str("零一二三四五六七八九".find(d.replace("〇", "零"))) for d in point[1])
            value, end = value + Decimal(f"0.{digits}"), point.end()
        if _is_vague(text, raw, start, end):
            value = None
        done = end
        yield Number(value, start, end, text[start:end])


def _is_vague(text: str, raw: str, start: int, end: int) -> bool:
    """Return whether 多, 几 or "a few" beside a numeral blurs it; "some 20" is still a number."""
    if _VAGUE_AFTER.match(text, end):
        return not raw.isascii() or text[end : end + 1] in ("多", "来", "余", "几")
    return not raw.isascii() and _VAGUE_BEFORE.search(text[max(0, start - 12) : start]) is not None


def _is_estimate(raw: str, text: str, start: int) -> bool:
    """Return whether an unreadable numeral is an estimate (四五十, 几百) and not a word such as 千万 or 万一."""
    if raw.isascii():
        return bool(_VAGUE_BEFORE.search(text[max(0, start - 12) : start]))
    return bool(_PAIR.search(raw)) or bool(raw[0] in "十百千万" and start and text[start - 1] in "几数上好")


def is_range(text: str, left_end: int, right_start: int, left_start: int) -> bool:
    """Return whether what stands between two values makes them the ends of one range."""
    if right_start - left_end > 12 or _CHANGED_FROM.search(text[max(0, left_start - 24) : left_start]):
        return False
    if RANGE_MARK.fullmatch(text, left_end, right_start):
        return True
    between = _BETWEEN.search(text[max(0, left_start - 14) : left_start])
    return bool(between and _RANGE_AND.fullmatch(text, left_end, right_start))


# --- the kind `number` -------------------------------------------------------------------------------------

_NOT_A_COUNT_BEFORE = re.compile(
    r"(?:[A-Za-z]-?|第|№|#|\bno\.?\s?|\bnumber |\broom |\bflat |\bplatform |\bgate |[0-9]:|[¥$£€]\s?|编号|号码|"
    r"电话|房号|周|星期|礼拜)$",
    re.IGNORECASE,
)
_NOT_A_COUNT_AFTER = re.compile(
    r"\s?(?:[%％‰]|号(?!人)|次(?:列车|航班|车)|年(?!级)|月(?!份?的?费)|日|[点时](?!间)|:[0-9]|：[0-9]|"
    r"[/-][0-9]{1,2}[/-]|元|块|圆|角|折|"
    r"英镑|美元|(?:st|nd|rd|th|am|pm|a\.m|p\.m|o'clock)\b|(?:dollars|pounds|euros|USD|GBP|CNY|RMB|percent|per cent)\b)",
    re.IGNORECASE,
)
_CLASSIFIER = re.compile(
    r"\s?[个名位人张件间台辆本份只条把套盒箱瓶包袋双项家处座层次批组户棵支枝块页篇门部艘架匹头桶排桌天晚夜岁倍班趟站种遍席]"
)
_SAID_BARE = re.compile(r"(?:[是为共有约=:：]|总计|合计|总数|总共|一共|is|are|equals?|:|answer)\s*$", re.IGNORECASE)
_ZH_ASK_NOISE = re.compile(r"数量|总数|数目|多少|总|数|的|几|一共|请|有")
_EN_ASK_NOISE = frozenset(
    ["number", "of", "the", "total", "how", "many", "count", "a", "an", "are", "there", "in", "is", "for", "to"]
)
_TOTAL = re.compile(r"总|一共|共|合计|\b(?:total|altogether|in all|all told|all in all)\b", re.IGNORECASE)


def read_number(plain: Plain, ask: str, *, use_middle: bool) -> Decimal | None:
    """Return the count or plain number a reply gives for `ask`; None if it commits to none.

    A `\\boxed` number is the answer. Money, times, dates, percentages, ordinals and identifiers are not counts.
    """
    if plain.boxed is not None and (boxed := read_boxed(plain.boxed)) is not None:
        return boxed
    wanted = _ask_words(ask)
    mentions = find_counts(plain.text, use_middle=use_middle)
    contexts = look_around(plain, mentions)
    scores = {id(c): _score(c, wanted, ask) for c in contexts}
    best = max((scores[id(c)] for c in contexts if not c.is_dropped), default=0)
    kept = keep_committed(plain, contexts, lambda c: scores[id(c)] >= min(best, 1))
    best = max((scores[id(c)] for c in kept), default=0)
    top = [c for c in kept if scores[id(c)] == best]
    totals = [c for c in top if _TOTAL.search(c.before) or _TOTAL.search(c.after[:30]) or re.search(r"=\s*$", c.before)]
    top = totals or top
    if len({c.value for c in top}) > 1 and (best == 0 or _is_one_sentence(plain, top)) and not totals:
        return None
    return settle(top)


def _is_one_sentence(plain: Plain, contexts: Sequence[Context[Decimal]]) -> bool:
    start, end = contexts[0].mention.start, contexts[-1].mention.start
    return not re.search(r"[。；！？;!?\n]|\. ", plain.text[start : min(end, start + 400)])


def read_boxed(body: str) -> Decimal | None:
    """Return the number in a `\\boxed{…}`: of `x=18` the right-hand side, units ignored."""
    found = [n.value for n in find_numbers(body.rpartition("=")[2])]
    return found[0] if len(found) == 1 else None


def find_counts(text: str, *, use_middle: bool) -> list[Mention[Decimal]]:
    """Return the numbers that can be counts, ranges joined."""
    found: list[Mention[Decimal]] = []
    for number in find_numbers(text):
        if not _is_count(text, number):
            continue
        if number.value and re.search(r"(?<![0-9A-Za-z)一-龥]) ?[-−]$", text[max(0, number.start - 3) : number.start]):
            number = replace(number, value=-number.value)  # noqa: PLW2901
        if found and is_range(text, found[-1].end, number.start, found[-1].start):
            found[-1] = join_range(found[-1], Mention(number.value, number.start, number.end), use_middle=use_middle)
        else:
            found.append(Mention(number.value, number.start, number.end))
    return found


def join_range(low: Mention[Decimal], high: Mention[Decimal], *, use_middle: bool) -> Mention[Decimal]:
    """Return one mention for both ends of a range: their middle if the task wants it, else no single value."""
    middle = (low.value + high.value) / 2 if use_middle and low.value is not None and high.value is not None else None
    return Mention(middle, low.start, high.end, high.unit)


def _is_count(text: str, number: Number) -> bool:
    before = text[max(0, number.start - 8) : number.start]
    if _NOT_A_COUNT_BEFORE.search(before) or _NOT_A_COUNT_AFTER.match(text, number.end):
        return False
    if number.raw[0] in "零〇" and len(number.raw) > 1:
        return False
    if re.fullmatch(r"0[0-9]+|[0-9]{8,}", number.raw):
        return False
    if len(number.raw) == 1 and not number.raw.isascii():
        # 一起, 四川, 三明治: a lone character is a number only with something to count, or said on its own.
        alone = not text[number.end : number.end + 1].isalnum() and bool(
            _SAID_BARE.search(before) or not before.strip()
        )
        return alone or _CLASSIFIER.match(text, number.end) is not None
    return True


def _ask_words(ask: str) -> list[str]:
    if ask.isascii():
        words = re.findall(r"[a-z]+", ask.lower())
        return [_stem(word) for word in words if word not in _EN_ASK_NOISE]
    return [word for word in _ZH_ASK_NOISE.split(ask) if word]


def _stem(word: str) -> str:
    return re.sub(r"(?:ies|es|s|y)$", "", word) if len(word) > 3 else word


def _score(context: Context[Decimal], wanted: Sequence[str], ask: str) -> int:
    """Return how well the words around a number fit the question: what it counts weighs most."""
    after, clause = context.after.lower(), context.clause.lower()
    if ask.isascii():
        near = [_stem(word) for word in re.findall(r"[a-z]+", after)[:4]]
        around = {_stem(word) for word in re.findall(r"[a-z]+", clause)}
        return sum(3 * (word in near) + (word in around) for word in wanted)
    score = 0
    for word in wanted:
        score += 3 * (word[-1] in after[:1] or (len(word) > 1 and word[-2:] in after[:8]))
        score += sum(word[i : i + 2] in clause for i in range(max(1, len(word) - 1)))
    return score
