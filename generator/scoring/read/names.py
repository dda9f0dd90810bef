"""Which candidates a reply chooses, selects or puts in order."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

from generator.scoring.read.context import correction_ends
from generator.scoring.read.text import Clauses, Plain, make_plain

_MOST_MENTIONS = 1500


@dataclass(frozen=True, slots=True)
class Named:
    """A candidate where it is named; `is_out` says that the words around it reject it."""

    name: str
    start: int
    end: int
    is_out: bool
    is_chosen: bool


_OUT_BEFORE = re.compile(
    r"(?:不是|并非|而非|而不是|不选|不去|不要|不推荐|不建议|不考虑|不再|别去|别选|放弃|排除|除了|除|移除|删除|删掉|"
    r"剔除|去掉|取消|避开|舍弃|没有选|不含|不包括|不在|\b(?:not|isn't|neither|nor|no longer|rather than|"
    r"instead of|except(?: for)?|apart from|other than|excluding|avoid|skip|rule[sd]? out|unlike|removed?|"
    r"dropped|deleted|forget|never|don't|cannot|can't|without)\b(?! only))(?:[^，,是、:：]|"
    r"[、,](?=[^，,]{0,30}[、,和与])){0,30}$",
    re.IGNORECASE,
)
_OUT_AFTER = re.compile(
    r"^[^，。；;!！\n]{0,30}?(?:不营业|不开门|没开|休息|店休|已?关门|关闭|停业|打烊|不推荐|不合适|不适合|不符合|"
    r"不满足|不行|不考虑|排除|闭[馆园店]|歇业|不开|未开|取消|太远|太贵|客满|满房|订满|售罄|超预算|超出预算|超标|"
    r"不可以|不能|不参加|不负责|不来|离职|退出|换[成到为]|请假|超了|除外|被排除|没位|没有(?:位|房|车位|停车)|"
    r"不可?停车|不接待|不在|\b(?:is|are|was|were|will be|be) (?:both |all |already |also |currently )?(?:closed|"
    r"full|sold out|not (?:open|available|suitable|possible|an option|allowed|included|in)|too|out|unavailable|"
    r"excluded|shut|over budget|fully booked)\b|\b(?:isn't|aren't) (?:open|available|suitable|possible|"
    r"an option|allowed|included|in)\b|\b(?:is not|are not|isn't|aren't)(?=\s{0,2}(?:[.,;!)]|$))|\b(?:doesn't|"
    r"don't|won't|cannot|can't)\b|\bclosed\b|"
    r"(?<!not )(?<!n't )\btoo [a-z]{3,}|\breplaced (?:by|with)\b|\b(?:ruled out|fails?|excluded|sold out)\b)",
    re.IGNORECASE,
)
# Said of the name right before: "York? No, Hull", "York at first, then Hull".
_OUT_AT_ONCE = re.compile(r"\s?(?:[?？]\s?(?:不|no\b)|(?:at first|initially|originally)\b)", re.IGNORECASE)
# The end matters: in "A, not recommended" this is said of A, in "A，不推荐B" of B.
_LATER_OUT = re.compile(
    r"[^。；;!！\n]{0,40}(?:不推荐|排除|店休|停业|超预算|超出预算|不考虑|不符合(?:条件|要求)?|不满足(?:条件|要求)?|"
    r"不合适|不营业|\bit(?:'s| is) out|\bruled out)(?=[，。；;,.!！)\n]|\s?$)",
    re.IGNORECASE,
)
# 除了甲，都不开放 leaves nothing but 甲.
ONLY = re.compile(
    r"(?<![排剔])除了?[^。；\n]{1,40}?(?:外|以外|之外)?[，,]?\s?(?:其余|其他|其它|别的)?[^，。]{0,4}(?:都|全|"
    r"均)(?:不|没|满|关|停|闭)"
)
_HISTORY = re.compile(
    r"(?:(?:(?<![一-龥])|(?<=[您你我们在]))(?:之前|以前|此前|先前)|原来|原本|原先|原定|本来|起初|一开始|最初|曾|"
    r"上次|不再|\b(?:no longer|used to|previously|originally|formerly|earlier|at first|initially|instead of|"
    r"rather than|(?:moved|changed|switched) (?:away )?from)\b)",
    re.IGNORECASE,
)
_NOW = re.compile(
    r"而是|改[为成到要去住订]|改口|换[成到为]|现在|现由|改由|后来|还是|但|\b(?:but|now|moved to|changed to|"
    r"instead,)|\bfrom\b[^,.;]{1,40}\bto\b",
    re.IGNORECASE,
)
_THAN = re.compile(r"(?:\bthan|\bover|比起?|相比|不如|胜过|优于)\s?$", re.IGNORECASE)
_COMPARED_ZH = re.compile(r"^\s?(?:更|要?[近远好坏大小贵高低]|便宜|舒服|安静)")
_CHOSEN = re.compile(
    r"(?:推荐|建议|(?<!备)选择?|就[是去订住选]|订(?:了|的)?|预[订定]|安排|定在|按|负责人是|答案|最终|最后|所以|"
    r"因此|还是去?|改[为成到要去住订]|换成|首选|最[^，。]{1,4}的(?:就?是)|而是|\b(?:go (?:for|with)|recommend|"
    r"pick|choose|chose|suggest|book(?:ed)?|ship to|answer|best|select(?:ed)?|opt for|take|try|so|therefore|"
    r"moved to|is|it's|instead)\b)[^，,。；;\n]{0,24}$",
    re.IGNORECASE,
)
_CHOSEN_AFTER = re.compile(
    r"[^，。,.;；]{0,8}?(?:更|最)(?:合适|好|适合|划算|方便|推荐)|\s?(?:is|would be) (?:the |my )?(?:best|better|"
    r"top|first)",
    re.IGNORECASE,
)
_OUT_HEADING = re.compile(
    r"(?:不营业|不符合|不满足|不可|不行|不推荐|关门|休息|停业|排除|已满|\b(?:closed|excluded|not (?:open|available|"
    r"included)|unavailable|ruled out|full|not suitable))[^:：\n]{0,12}[:：][^:：\n]{0,80}$",
    re.IGNORECASE,
)
_BAD_MARKS = "❌✗✘✖⛔🚫⚠×"
_GOOD_MARKS = "✅✔✓☑"
_MARK = re.compile(f"[{_BAD_MARKS}{_GOOD_MARKS}]")
_EITHER = re.compile(r"\s*(?:\bor\b|或者?|还是|/)\s*", re.IGNORECASE)


def find_named(plain: Plain, candidates: Sequence[str]) -> list[Named]:
    """Return where candidates are named, the longest winning where they overlap, in text order."""
    text = plain.text.lower()
    keys = _keys(candidates)
    if not keys:
        return []
    words = sorted(keys, key=len, reverse=True)
    pattern = re.compile("|".join(_bounded(word) for word in words))
    found = [(m.start(), m.end(), keys[re.sub(r"\s+", " ", m[0])]) for m in pattern.finditer(text)]
    found = found[-_MOST_MENTIONS:]
    spans = [(start, end) for start, end, _ in found]
    around = mask_names(plain.text, spans)
    clauses, lasts = Clauses(around), last_of_each(around, spans)
    return [
        Named(name, start, end, *_judge(around, clauses, spans, (index, lasts[index])))
        for index, (start, end, name) in enumerate(found)
    ]


def mask_names(text: str, spans: Sequence[tuple[int, int]]) -> str:
    """Return the text with names made meaningless, all places as they were.

    What is said of names is read around them: 曾姐 is no "formerly", and a Fish Bar no exception.
    """
    parts, at = [], 0
    for start, end in spans:
        parts += [text[at:start], "".join("囍" if c > "\u2e80" else "x" for c in text[start:end])]
        at = end
    return "".join([*parts, text[at:]])


def _keys(candidates: Sequence[str]) -> dict[str, str]:
    """Return what a name may be called, by what it is: without its article, with "and" for &, a long one cut short.

    What could be two of the names, or a part of another, is neither.
    """
    keys = {_key(name): name for name in candidates}
    keys.pop("", None)
    others: dict[str, set[str]] = {}
    for key, name in keys.items():
        bare = key.removeprefix("the ")
        swapped = bare.replace(" & ", " and ") if "&" in bare else bare.replace(" and ", " & ")
        words = bare.split(" ")
        shorter = [" ".join(words[:count]) for count in range(2, len(words)) if len(words) > 3]
        for other in (bare, swapped, bare.replace("'", ""), *shorter):
            others.setdefault(other, set()).add(name)
    for other, names in others.items():
        is_part = any(other in key for key, name in keys.items() if name not in names)
        if len(names) == 1 and not is_part and len(other) > _SHORTEST and other.split(" ")[-1] not in _LINKS:
            keys.setdefault(other, *names)
    return keys


_SHORTEST = 5
_LINKS = ("and", "of", "the", "&", "at", "in")


def _key(name: str) -> str:
    return re.sub(r"\s+", " ", make_plain(name).text.lower()).strip()


def _bounded(word: str) -> str:
    """Return a pattern for a name that is not a part of another word: Hull is not in hullabaloo, 3.07 not in 13.07."""
    left = r"(?<![a-z0-9.-])" if word[0].isascii() and word[0].isalnum() else r"(?<![0-9])" if word[0] == "-" else ""
    right = r"(?![a-z0-9])(?!\.[0-9])" if word[-1].isascii() and word[-1].isalnum() else ""
    return left + re.escape(word).replace(r"\ ", r"\s{1,3}") + right


def _judge(text: str, clauses: Clauses, spans: Sequence[tuple[int, int]], at: tuple[int, int]) -> tuple[bool, bool]:
    """Return whether the words around a name reject it, and whether they choose it.

    `at` is the number of the name and that of the last one enumerated with it.
    """
    index, last = at
    start, end = spans[index]
    begin, stop = clauses.clause(start)
    stop = max(stop, clauses.clause(max(start, end - 1))[1])
    begin = max(begin, start - 60)
    lead = text[begin:start]
    cut = max((m.end() for m in _NOW.finditer(lead)), default=0)
    lead = lead[cut:]
    following = spans[index + 1][0] if index + 1 < len(spans) else len(text)
    tail = text[end : min(stop, end + 40)]
    beside = _tail_after(text, spans, last)
    line = text.rfind("\n", 0, start) + 1
    mark = _mark_of(text, line, start, (end, following))
    said = text[max(clauses.sentence(start)[0], start - 90) : start]
    out = bool(
        _OUT_HEADING.search(said)
        or (mark and mark in _BAD_MARKS)
        or _OUT_BEFORE.search(lead)
        or _HISTORY.search(lead)
        or _THAN.search(lead)
        or _OUT_AFTER.match(beside)
        or _OUT_AT_ONCE.match(text, end)
        or _LATER_OUT.match(text[end : min(following + 1, end + 60, _line_end(text, end))])
        or (lead.endswith("比") and _COMPARED_ZH.match(tail))
    )
    out = out and not (mark and mark in _GOOD_MARKS)
    return out, bool(_CHOSEN.search(text[begin:start]) or _CHOSEN_AFTER.match(tail))


# On one line: a list item is no sibling of the next paragraph's subject.
SIBLING = re.compile(
    r"[ \"'“”」「]*(?:、|,|，|和|与|及|以及|或者?|and|or|&|, ?and)?(?: the)?[ \"'“”「]*", re.IGNORECASE
)
_AND = re.compile(r"和|与|及|\band\b|&", re.IGNORECASE)
_COLLECTIVE = re.compile(r"\s?(?:这?[两三四五六七八九十0-9]{1,2}家)?[^，。、]{0,3}?(?:都|均|全|一律)")


def _mark_of(text: str, line: int, start: int, gap: tuple[int, int]) -> str:
    """Return the tick or cross of a name: the one before it in a line that begins with one, else the next after it."""
    opening = text[line : line + 8].strip("-*•·0123456789. ")
    found = _MARK.findall(text[max(line, start - 8) : start])
    if found and opening[:1] and opening[0] in _BAD_MARKS + _GOOD_MARKS:
        return str(found[-1])
    after = _MARK.search(text, gap[0], min(_line_end(text, gap[0]), gap[0] + 40, gap[1]))
    return after[0] if after else ""


def _line_end(text: str, position: int) -> int:
    end = text.find("\n", position, position + 80)
    return position + 80 if end < 0 else end


def last_of_each(text: str, spans: Sequence[tuple[int, int]]) -> list[int]:
    """Return for each name the number of the last one enumerated with it: "A and B are closed" speaks of A too.

    After "and", a comma begins something else. So does 逗号 anywhere, unless what follows is said of them all.
    """
    joints = [_joint(text, one[1], other[0]) for one, other in pairwise(spans)]
    ends = [0] * len(spans)
    for index in range(len(spans) - 1, -1, -1):
        ends[index] = ends[index + 1] if index < len(joints) and joints[index] else index
    found: list[int] = []
    while len(found) < len(spans):
        last, is_ending = len(found), False
        while last < len(joints) and joints[last]:
            is_comma = joints[last] in ",，"
            is_apart = joints[last] == "，" and not _COLLECTIVE.match(text, spans[ends[last]][1])
            if (is_comma and is_ending) or is_apart:
                break
            is_ending = is_ending or joints[last] == "&"
            last += 1
        found += [last] * (last + 1 - len(found))
    return found


def _joint(text: str, end: int, start: int) -> str:
    """Return what joins two names: a comma, "，", "&" for all kinds of and, "、" for the rest; "" for nothing."""
    if not SIBLING.fullmatch(text, end, start):
        return ""
    if _AND.search(text, end, start):
        return "&"
    return next((mark for mark in ",，" if mark in text[end:start]), "、")


def _tail_after(text: str, spans: Sequence[tuple[int, int]], last: int) -> str:
    """Return what is said of the names of an enumeration after the last of them."""
    end = spans[last][1]
    return text[end : min(end + 40, spans[last + 1][0]) if last + 1 < len(spans) else end + 40]


def read_name(plain: Plain, candidates: Sequence[str], any_of: Sequence[str]) -> str | None:
    """Return the one candidate a reply commits to; None for none, or for two that stand side by side.

    Where `any_of` names several right ones, a reply that offers only those has chosen the first it names.
    """
    named = find_named(plain, candidates)
    text = mask_names(plain.text, [(n.start, n.end) for n in named])
    if named and (only := ONLY.search(text)):
        left = {n.name for n in named if only.start() <= n.start < only.end()}
        return left.pop() if len(left) == 1 else None
    kept = drop_corrected(text, [n for n in named if not n.is_out])
    names = {n.name for n in kept}
    if len(names) == 1:
        return kept[-1].name
    if not names:
        return None
    if any_of and names <= set(any_of):
        return kept[0].name
    chosen = [n for n in kept if n.is_chosen]
    if not chosen:
        bold = {n.name for n in kept if plain.text[n.start : n.end] in plain.bold}
        return bold.pop() if len(bold) == 1 else None
    last = chosen[-1]
    return None if _has_rival(text, kept, last) else last.name


def _has_rival(text: str, kept: Sequence[Named], chosen: Named) -> bool:
    """Return whether the chosen name is one side of "A or B" or "A、B"."""
    for one, other in pairwise(kept):
        between = text[one.end : other.start]
        if one.name != other.name and chosen in (one, other) and len(between) < 12:
            bare = between.strip(" \"'”“」「,")
            if _EITHER.fullmatch(bare) or bare in ("、", "和", "与", "及", "and", "&", ""):
                return True
    return False


def drop_corrected(text: str, kept: list[Named]) -> list[Named]:
    """Return the names after the last phrase that takes back what was said before, or all if none follows one."""
    ends = [end for end in correction_ends(text) if any(n.start >= end for n in kept)]
    return [n for n in kept if n.start >= ends[-1]] if ends else kept
