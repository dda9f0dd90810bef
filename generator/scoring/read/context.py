"""What the words around a value say about it: denied, past, a bound, supposed, corrected."""

import re
from bisect import bisect_right
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Generic, TypeVar

from generator.scoring.read.text import TABLE_MARK, Clauses, Plain

V = TypeVar("V")

# Values near the end decide; a reply that names more than this many is a list of everything.
_MOST_MENTIONS = 1500
_NEAR = 80


@dataclass(frozen=True, slots=True)
class Mention(Generic[V]):
    """One value in the text; `value` None means that a number is there but no single value is."""

    value: V | None
    start: int
    end: int
    unit: str = ""
    first: V | None = None
    last: V | None = None


@dataclass(frozen=True, slots=True)
class Context(Generic[V]):
    """A mention with its surroundings.

    `lead` runs from the start of the clause, `before` from the previous mention if that is nearer, `after` to
    the next mention or the end of the clause, `story` from the start of the sentence.
    """

    mention: Mention[V]
    lead: str
    before: str
    after: str
    story: str
    clause: str
    is_dropped: bool
    is_weak: bool
    is_listed: bool
    is_bold: bool

    @property
    def value(self) -> V | None:
        """The mention's value."""
        return self.mention.value


_ZH_HISTORY = (
    r"原价|原来|原本|原先|原定|原计划|原报|(?:(?<![一-龥0-9])|(?<=[您你我们比和按说在]))(?:之前|先前|以前|此前)|从前|"
    r"上次|上一轮|最初|起初|"
    r"一开始|本来|曾经|曾|旧[的价]?|当初|刚才|早前|划线价|市场价|门市价"
)
_EN_HISTORY = (
    r"\b(?:previous(?:ly)?|original(?:ly)?|earlier|initial(?:ly)?|formerly|former|used to|at first|no longer|had|"
    r"before that|down from|up from|(?:changed|moved|went|rose|fell|dropped|reduced|increased|gone) (?:up |"
    r"down )?from|list price|rrp|usual(?:ly)?|normally)\b"
)
_PAST = re.compile(r"昨[天日]|\b(?:was|were|yesterday)\b", re.IGNORECASE)
_CHANGED = (
    r"(?:改|换|变|更新|调整|修改|推迟|提前|延后|延|顺延|提高|提升|上调|下调|降低|上涨|下降|缩短|延长|增加|减少|加|"
    r"减|升|降|涨|调)"
    r"(?:到|至|为|成|约|在)"
)
_EN_CHANGED = (
    r"(?:changed|moved|went|rose|fell|dropped|reduced|increased|gone|rescheduled|shifted|postponed|switched|adjusted|"
    r"updated|revised|pushed|raised|cut|lowered|brought)"
)
_NOW = re.compile(
    rf"而是|{_CHANGED}|现在|如今|目前|现价|现为|后来|实际|打.{{1,4}}折后|折后|优惠后|"
    r"(?:[0-9](?:st|nd|rd|th)?|[a-z]day|m\.) to(?: the)?\s?$|"
    rf"\b(?:now|but|{_EN_CHANGED} to|is now|new|instead(?! of))\b",
    re.IGNORECASE,
)
_HISTORY = re.compile(
    rf"{_ZH_HISTORY}|{_EN_HISTORY}|\b{_EN_CHANGED} (?:up |down |over |back |forward )?from\b", re.IGNORECASE
)
# "Not £45" denies a value, "it's not cheap: £45" does not: only small words may stand between.
_SMALL_WORDS = r"(?:(?:at|on|in|for|the|an?|about|be|costs?|by|until|from|to|going|just)\s){0,3}"
_DENIED_BEFORE = re.compile(
    r"(?:不是(?!说)|并非|而非|不再是|不会是|不该是|不应是|不应该是|绝不是|不为|不等于|不要(?!忘|急|迟)|不用(?!担心|"
    r"急)|无需|"
    r"别(?!忘|急|迟|担心))[^是，、:]{0,8}$|"
    rf"(?:\bnot|n't|\bno longer|\bnever|\brather than|\binstead of|\bother than|\bunlike)\s{_SMALL_WORDS}$",
    re.IGNORECASE,
)
_DENIED_AFTER = re.compile(
    r"^[^，。,.]{0,10}?(?:是错|不对|有误|作废|取消|停运|停诊|停开|不行|不成立|不算数|"
    rf"(?:已|被)?{_CHANGED}|\bis wrong|\bwas wrong|\bis incorrect|\bis cancell?ed|\bwas cancell?ed|"
    rf"\bis out\b|\bby mistake\b|\bno longer|\b(?:has |was )?{_EN_CHANGED} to|\bbecame\b)",
    re.IGNORECASE,
)
_BOUND_BEFORE = re.compile(
    r"(?:至少|起码|不少于|不低于|不小于|不多于|低于|小于|少于|大于|多于|超过|超出|高于|不高于|最多|最少|不到|未到|"
    r"上限|下限|顶多|起价|"
    r"≥|≤|(?<=\S) ?[<>]=?|"
    r"\b(?:at least|at most|no more than|not more than|no less than|not less than|more than|less than|fewer than|under|"
    r"over|below|above|up to|start(?:s|ing)? (?:at|from)|prices from|from|minimum(?: of)?|maximum(?: of)?|"
    r"exceed\w{0,3}|"
    r"upwards of))\s{0,2}(?:是|为|要|在|约|of|about)?\s{0,2}$",
    re.IGNORECASE,
)
_BOUND_AFTER = re.compile(
    r"^\s{0,2}(?:以上|以下|以内|之内|起(?![飞床点])|起步|打底|封顶|上下限|\+|or (?:more|less|fewer|over|under|"
    r"above|below)\b|"
    r"and (?:up|over|above)\b|plus\b|minimum|maximum)",
    re.IGNORECASE,
)
_SUPPOSED = re.compile(
    r"如果|若|要是|假如|假设|万一|除非|倘若|\b(?:if|unless|suppose|supposing|were you to|would)\b", re.IGNORECASE
)
# "It would be £80, but it is £60": what comes after is not supposed.
_TURN = re.compile(r"，但(?:是)?|不过|, but\b", re.IGNORECASE)
_ASKED = re.compile(r"[吗么呢]?[？?]\s*$")
_CORRECTION = re.compile(
    r"更正|纠正|修正|改正|订正|说错|算错|写错|搞错|弄错|看错|记错|口误|笔误|不好意思|抱歉|对不起|重新[计核]?算|"
    r"应为|应该是|应当是|正确的|"
    r"准确地说|准确来说|等等|等一下|不对|哦不|啊不|\b(?:correct(?:ion|ed)|sorry|apolog\w{1,6}|actually|"
    r"wait(?=\s?(?:[,.!…—–:-]|no\b|a (?:moment|second|minute)|that|$))|"
    r"scratch that|"
    r"i mean|i meant|make (?:that|it)|my mistake|my bad|should (?:be|read|have been)|oops|hang on|hold on|"
    r"on second thou\w+|"
    r"strike that)|(?<=[.;,] )no, ",
    re.IGNORECASE,
)
_LIST_LINE = re.compile(rf"\s{{0,8}}(?:[-*•·]|[0-9]{{1,2}}[.)、]|[①-⑳]|{TABLE_MARK.strip()})\s{{0,3}}")


def correction_ends(text: str) -> list[int]:
    """Return where each phrase ends that takes back what was said before it."""
    return [m.end() for m in _CORRECTION.finditer(text)]


def look_around(
    plain: Plain,
    mentions: Sequence[Mention[V]],
    *,
    clauses: Clauses | None = None,
    allow_history: bool = False,
    allow_bounds: bool = False,
) -> list[Context[V]]:
    """Return the contexts of mentions, which must be in text order and apart.

    Args:
        plain: The reply.
        mentions: What was found in it.
        clauses: The borders of `plain.text`, if the caller has them already.
        allow_history: The question asks for the old value, so that "originally" is no reason to drop one.
        allow_bounds: "by" and "before" do not make a deadline less of an answer.
    """
    clauses = clauses or Clauses(plain.text)
    first = max(0, len(mentions) - _MOST_MENTIONS)
    found = []
    for index in range(first, len(mentions)):
        previous = mentions[index - 1].end if index else 0
        following = mentions[index + 1].start if index + 1 < len(mentions) else len(plain.text)
        found.append(_look(plain, mentions[index], (previous, following), clauses, (allow_history, allow_bounds)))
    return found


def _look(
    plain: Plain, mention: Mention[V], rivals: tuple[int, int], clauses: Clauses, allowed: tuple[bool, bool]
) -> Context[V]:
    text, (previous, following) = plain.text, rivals
    begin, end = clauses.clause(mention.start)
    end = clauses.clause(max(mention.start, mention.end - 1))[1]
    if len(text[begin : mention.start].strip(" \t:*-•·>#\"'“”「")) < 2 and previous <= begin:
        # "合计：" on a line of its own still names the value on the next line, unless it had a value itself.
        earlier = clauses.clause(max(0, begin - 2))[0]
        begin = earlier if previous <= earlier else begin
    begin = max(begin, mention.start - _NEAR)
    lead, before = text[begin : mention.start], text[max(begin, previous) : mention.start]
    after = text[mention.end : min(end, following, mention.end + _NEAR)]
    sentence, sentence_end = clauses.sentence(mention.start)
    story = text[max(sentence, mention.start - 2 * _NEAR) : mention.start]
    recent = _after_last(_NOW, lead)
    history = bool(_HISTORY.search(recent)) and not allowed[0]
    bound = bool(_BOUND_BEFORE.search(before) or _BOUND_AFTER.search(after)) and not allowed[1]
    denied = bool(_DENIED_BEFORE.search(recent[-40:]) or _DENIED_AFTER.search(text[mention.end : mention.end + 40]))
    asked = bool(_ASKED.search(text[max(mention.end, sentence_end - 4) : sentence_end]))
    line = text.rfind("\n", 0, mention.start) + 1
    return Context(
        mention=mention,
        lead=lead,
        before=before,
        after=after,
        story=story,
        clause=text[begin : min(end, mention.end + _NEAR)],
        is_dropped=history or bound or denied,
        is_weak=bool(_PAST.search(recent[-24:]) or _SUPPOSED.search(_after_last(_TURN, story)) or asked),
        is_listed=bool(_LIST_LINE.match(text, line, line + 20)),
        is_bold=text[mention.start : mention.end] in plain.bold,
    )


def _after_last(pattern: re.Pattern[str], text: str) -> str:
    end = 0
    for found in pattern.finditer(text):
        end = found.end()
    return text[end:]


def keep_committed(
    plain: Plain, contexts: Iterable[Context[V]], is_eligible: Callable[[Context[V]], bool]
) -> list[Context[V]]:
    """Return the contexts that count: not dropped, and not taken back by a correction that gives another value.

    Supposed and questioned values are kept only if there is nothing else.
    """
    kept = [context for context in contexts if not context.is_dropped]
    ends = correction_ends(plain.text)
    last = max((c.mention.start for c in kept if is_eligible(c) and not c.is_weak), default=0)
    cut = bisect_right(ends, last)
    if cut:
        border = ends[cut - 1]
        kept = [c for c in kept if c.mention.end > border] if any(c.mention.end <= border for c in kept) else kept
    firm = [context for context in kept if not context.is_weak]
    return firm or kept


_CONCLUSION = re.compile(
    r"所以|因此|因而|故|综上|总之|最终|最后|结论|答案|建议|推荐|应[该乘选]|请[乘选]|选择?|"
    r"\b(?:so|therefore|thus|hence|in conclusion|finally|answer|recommend|best|go (?:for|with)|take|choose|"
    r"on average)\b",
    re.IGNORECASE,
)


def settle(contexts: Sequence[Context[V]]) -> V | None:
    """Return the one value that contexts of equal standing agree on.

    The last one wins; but values side by side in a list, or joined by "or", are offers, among which only a
    concluding word or emphasis decides.
    """
    if not contexts:
        return None
    values = {context.value for context in contexts}
    if len(values) == 1:
        return contexts[-1].value
    concluded = [c for c in contexts if _CONCLUSION.search(c.story) and not c.is_listed]
    if concluded:
        return None if _is_offer(contexts, concluded[-1]) else concluded[-1].value
    free = [c for c in contexts if not c.is_listed]
    if free and not _is_offer(free, free[-1]):
        return free[-1].value
    bold = {c.value for c in contexts if c.is_bold}
    return bold.pop() if len(bold) == 1 else None


_OFFER = re.compile(r"\s*(?:或者?|还是|、|和|与|及|以及|/|or|and|,\s*or)\s*", re.IGNORECASE)


def _is_offer(contexts: Sequence[Context[V]], chosen: Context[V]) -> bool:
    """Return whether the chosen value stands beside another one as an alternative."""
    return any(other.mention.end <= chosen.mention.start and _OFFER.fullmatch(chosen.before) for other in contexts)
