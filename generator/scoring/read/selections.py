"""What a long answer says of each name: sections, tables and sentences that take names in or leave them out."""

import re
from bisect import bisect_right
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from generator.scoring.read.names import Named, last_of_each
from generator.scoring.read.text import TABLE_MARK, Clauses

Side = Literal["in", "out", ""]

_OUT_HEADING = re.compile(
    r"\b(?:not|no|none|closed|closes?|too (?:early|late|short)|excluded?|ruled out|others?|rest|fail)\b|n't\b|"
    r"不|没|关|休|停|打烊|排除|其他|其余|其它|太[早晚]",
    re.IGNORECASE,
)
_IN_HEADING = re.compile(
    r"\b(?:open(?! (?:at|from|until|till))|fits?|match(?:es)?|works?|suitable|qualif\w+|available|meets?|yes|stays?|"
    r"options?|choices?)\b|符合|满足|营业|全程|可以|可选|开着|能去|合适",
    re.IGNORECASE,
)
_COUNT = re.compile(
    r"(?:\b(?:one|two|three|four|five|six|seven|eight|nine|ten|[1-9][0-9]?|these|those|following|both|are|is|be)\b"
    r"[^.:!?\n]{0,60}|(?:有|共|是|以下|如下|这|下面)[^。：:！？\n]{0,36})[:：]\s*$",
    re.IGNORECASE,
)
_HEADING = re.compile(r"[^\n]{0,200}[:：][ \t*]*$")
_ITEM = re.compile(rf"\s{{0,8}}(?:[-*•·✅✔☑❌✗✘]|[0-9]{{1,2}}[.)、]|[①-⑳]|{TABLE_MARK.strip()})")
_YES_CELL = re.compile(r"(?:yes|✅|✔️?|✓|☑|是|符合|满足|可以|行|全程(?:营业|开放?)?|open)\W*", re.IGNORECASE)
_NO_CELL = re.compile(r"(?:no|❌|✗|✘|✖|否|不(?:符合|满足|可以|行|能|营业)?|closed|关门|休息)\W*", re.IGNORECASE)
_VERDICT_TAIL = re.compile(
    r"(?:[,，:：;→–—-]|->|=>|\))\s*(?P<word>yes|no|是|否|符合|不符合|满足|不满足)\W*$", re.IGNORECASE
)
_IN_AFTER = re.compile(
    r"[^.。;；!?！？\n]{0,48}?(?:\bopen (?:for |during |through|the (?:whole|entire|full)|"
    r"all (?:the|of|that|day|through|along)|then\b|long enough)|\bstays? open (?:for|the|all|throughout)|\bcovers?\b|"
    r"\bfits?\b|(?<!n't )(?<!not )\b(?:both |all )?works?\b|\bwould (?:both |all )?(?:work|do|be fine)|"
    r"\b(?:the )?only (?:one|place|restaurant)|\bmeets?\b|\bqualif\w+|"
    r"全程|从头到尾|(?<!不)符合|(?<!不)满足|(?<!不)可以|都开着|一直开着|能覆盖|没问题)",
    re.IGNORECASE,
)
_CLOSES = re.compile(
    r"[^.。;；!?！？\n]{0,40}?(?:\b(?:closes?|shuts?|stops?|reopens|opens|doesn't open|only opens?|isn't open|won't|"
    r"not open)\b|关门|打烊|关了|才开|不开|休息|店休|停业|只开|就关|要到|太[早晚])",
    re.IGNORECASE,
)
# Said of all names in the sentence: 甲馆不远，乙馆也不贵，都符合.
_ALL_OF_THEM = re.compile(
    r"[^。；;!！？?\n]{0,12}[，,]\s?(?:[三四五六七八九两]家)?(?:全?都|均)(?:符合|满足|可以|行|开着|营业|能)|"
    r"[^.;!?\n]{0,32},? (?:so|and) (?:both|all)(?: of them|(?: of)? these|(?: the)? (?:two|three|four|five|six))? "
    r"(?:are (?:open|fine|ok)|stay|would|fit|works?|cover|meet)",
    re.IGNORECASE,
)
_IN_BEFORE = re.compile(
    r"(?:(?:从头|全程|一直|符合|满足|开着|可以|能|合适)[^，。；]{0,20}的(?:店|餐厅|馆子)?(?:就?[是有]|只有|"
    r"为)[^，。；]{0,4}|"
    r"(?:可以|推荐|建议|不妨|能)(?:去|选|考虑|到)[^，。；]{0,4}|\byou (?:can|could|might|may) (?:go to|choose|try|"
    r"pick|book|eat at) (?:the )?|"
    r"\b(?:open|fits?|fitting|suitable|available|works?|match\w*|meets?)\b[^.;]{0,48}\b(?:are|is|be)\b:?\s*"
    r"(?:just |only |both )?(?:the )?)$",
    re.IGNORECASE,
)
_NONE_FIRST = re.compile(
    r"^(?:\W|unfortunately|i'm (?:afraid|sorry)|sorry|but\b|no,|很?遗憾|很?抱歉|不好意思|[您你]好|可惜)*(?:"
    r"(?:it looks like |there (?:is|are) )?(?:none\b|no (?:restaurants?|place|one|venue)|not (?:one|a single|any)\b|"
    r"neither\b|not(?=\s{0,2}(?:[.,;!]|$))|there (?:isn't|aren't|is not|are not) (?:a|any|one)|nothing\b)|"
    r"[^，。,.\n]{0,16}?(?:都不|均不|全都不|没有一家|一家(?:都|也)没|没有[哪任]|无一))",
    re.IGNORECASE,
)
_COUNTS = {"two": 2, "three": 3, "four": 4, "five": 5, "两": 2, "二": 2, "三": 3, "四": 4, "五": 5}
_THOSE = re.compile(
    r"\b(?:so|and|that means) (?:those|these|both|the first)(?: (?P<n>two|three|four|five))? (?:\w+ )?(?:fit|work|"
    r"qualify|"
    r"are (?:open|fine|ok|the ones)|will do|would do|match|cover)|这(?P<zh>[两二三四五])家(?:店|都|是|"
    r"均)?(?:没问题|可以|符合|满足|能|行|全程|"
    r"一直|合适)",
    re.IGNORECASE,
)
# Names told of "the others" after those that were chosen.
_OTHERS = re.compile(
    r"\b(?:the )?(?:remaining|others|rest|other (?:\w+ )?(?:places|restaurants|ones|two|three|four|five))\b|"
    r"其[他余它]|剩下"
)
_PARENTHESES = re.compile(r"\([^()\n]{0,120}\)|\[[^\[\]\n]{0,120}\]")
_STOP = re.compile(r"[.。;；!?！？]")


@dataclass(frozen=True)
class _Line:
    """A line, where it starts, the side of the section it stands in, and how many names it has."""

    start: int
    body: str
    section: Side
    names: int


@dataclass(frozen=True)
class _Group:
    """Names enumerated side by side: from `first` to `last`, with the sentence they stand in."""

    first: int
    last: int
    begin: int
    end: int


def says_none_first(text: str) -> bool:
    """Return whether a reply opens by saying that no candidate will do."""
    return _NONE_FIRST.match(text) is not None


def judge_names(text: str, named: Sequence[Named]) -> list[Side]:
    """Return of each mention whether the reply takes the name in, leaves it out, or says neither."""
    # What stands in parentheses after a name is about it, and does not part it from what is said of it.
    flat = _PARENTHESES.sub(lambda m: " " * len(m[0]), text)
    lines = _split(text, named)
    starts = [line.start for line in lines]
    sides: list[Side] = []
    for group in _group(flat, named):
        worded = _by_words(flat, named, group)
        for one in named[group.first : group.last + 1]:
            line = lines[bisect_right(starts, one.start) - 1]
            sides.append("out" if one.is_out else _by_line(text, line, one) or worded)
    return _referred(text, named, sides)


def _referred(text: str, named: Sequence[Named], sides: list[Side]) -> list[Side]:
    """Return the sides with those of "A is open till ten and B till eleven, so those two fit" put in."""
    for found in list(_THOSE.finditer(text))[:20]:
        count = _COUNTS.get((found["n"] or found["zh"] or "two").lower(), 2)
        before: list[str] = []
        for at in range(len(named) - 1, -1, -1):
            one = named[at]
            if one.end <= found.start() and not one.is_out and (one.name in before or len(before) < count):
                before = before if one.name in before else [*before, one.name]
                sides[at] = "in"
    return sides


def _split(text: str, named: Sequence[Named]) -> list[_Line]:
    """Return the lines of a text; the items below a heading have the heading's side."""
    ends = [m.end() for m in re.finditer("\n", text)]
    count = Counter(bisect_right(ends, n.start) for n in named)
    lines: list[_Line] = []
    start, is_fresh = 0, False
    section: Side = ""
    for number, body in enumerate(text.split("\n")):
        is_item = _ITEM.match(body) is not None
        if _HEADING.fullmatch(body):
            section, is_fresh = _side_of_heading(body), True
        elif body.strip() and not is_item and not is_fresh:
            section = ""
        lines.append(_Line(start, body, section if is_item or is_fresh else "", count[number]))
        is_fresh = is_fresh and not body.strip()
        start += len(body) + 1
    return lines


def _side_of_heading(line: str) -> Side:
    if _OUT_HEADING.search(line):
        return "out"
    return "in" if _IN_HEADING.search(line) or _COUNT.search(line) else ""


def _by_line(text: str, line: _Line, one: Named) -> Side:
    """Return the side that a table cell, the end of the line, or the section's heading gives."""
    if line.body.startswith(TABLE_MARK.strip()):
        cell = line.body.rpartition(":")[2].strip()
        return "in" if _YES_CELL.fullmatch(cell) else "out" if _NO_CELL.fullmatch(cell) else ""
    verdict = _VERDICT_TAIL.search(line.body[-40:]) if line.names == 1 else None
    if verdict:
        return "in" if _YES_CELL.fullmatch(verdict["word"]) else "out"
    if line.section:
        return line.section
    # "three: A, B and C", "符合的：甲、乙" in one line
    lead = text[max(line.start, one.start - 400) : one.start]
    head = re.match(r"(?:[^:：]|:(?=[0-9])){0,80}[:：](?![0-9])", lead) if len(lead) == one.start - line.start else None
    return _side_of_heading(head[0]) if head and not _STOP.search(lead) else ""


def _group(flat: str, named: Sequence[Named]) -> list[_Group]:
    """Return the names in groups of those enumerated."""
    clauses = Clauses(flat)
    lasts = last_of_each(flat, [(n.start, n.end) for n in named])
    found: list[_Group] = []
    for last in dict.fromkeys(lasts):
        first = found[-1].last + 1 if found else 0
        end = clauses.sentence(max(named[last].end - 1, 0))[1]
        found.append(_Group(first, last, clauses.sentence(named[first].start)[0], end))
    return found


def _by_words(flat: str, named: Sequence[Named], group: _Group) -> Side:
    """Return the side that the words before or after enumerated names give them."""
    start, end = named[group.first].start, named[group.last].end
    before = named[group.first - 1].end if group.first else 0
    taken = _IN_BEFORE.search(flat[max(group.begin, before, start - 80) : start])
    if taken and not _OUT_HEADING.search(taken[0]):
        return "in"
    last = group.last
    while last + 1 < len(named) and last - group.last < 12 and named[last + 1].start < group.end:
        last += 1
    if _ALL_OF_THEM.match(flat, named[last].end):
        return "in"
    following = named[group.last + 1].start if group.last + 1 < len(named) else len(flat)
    tail = flat[end : min(group.end, following, end + 200)]
    says_in, says_out = _IN_AFTER.match(tail), _CLOSES.match(tail)
    if says_in and not (says_out and says_out.end() < says_in.end()):
        return "in"
    lead = flat[max(group.begin, start - 160) : start]
    return "out" if says_out or _OTHERS.search(lead) else ""
