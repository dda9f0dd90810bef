"""Which candidates a reply selects, and in which order it puts them."""

import re
from collections.abc import Sequence

from generator.scoring.read.names import ONLY, Named, drop_corrected, find_named
from generator.scoring.read.text import Clauses, Plain

_NONE = re.compile(
    r"^\W*无\W*$|为空|空集|(?:都|全都|一家都|一个都|均)[^，。]{0,4}(?:不|没)|没有(?:一家|一个|任何|符合|满足)|无一|"
    r"(?:一|"
    r"哪)[家个]也[不没]|没有[^，。]{0,8}(?:可选|可用|能|营业|开)|没有.{0,8}(?:符合|满足)|"
    r"\bnone\b|\bneither\b|\bnothing\b|\bnot (?:a single|any)\b|\bno (?:restaurants?|hotels?|places?|options?|"
    r"candidates?|one|venues?)\b",
    re.IGNORECASE,
)
_ALL_BUT = re.compile(
    r"(?<![排剔])除了?[^。；\n]{1,40}?(?:外|以外|之外)?[，,]?\s?(?:其余|其他|其它|剩下|剩余|别的|都|全部|均)|"
    r"只有[^。；\n]{1,40}?(?:不|没)[^。；\n]{0,8}[，,；;]\s?(?:其余|其他|其它|剩下|别的)|"
    r"\b(?:all|every(?:thing|one|body)?|any)\b[^.;\n]{0,40}\b(?:except|but|apart from|other than)\b|"
    r"\b(?:except(?: for)?|apart from|other than)\b[^.;\n]{1,60}\b(?:all|every|the rest|the others)\b",
    re.IGNORECASE,
)
_ALL = re.compile(
    r"(?:全部|所有|[两三四五六七八九十]家?个?|它们|他们|这些)[^，。不没]{0,6}都(?!不|没)(?:符合|满足|营业|可以|行|"
    r"开|有)|全都(?:符合|满足|营业|可以|行|开)|"
    r"\ball (?:of them|of these|(?:the )?(?:two|three|four|five|six|seven|eight))\b(?! (?:closed|are not|are closed))",
    re.IGNORECASE,
)
_CONCLUDING = re.compile(
    r"因此|所以|综上|总之|最终|最后结论|符合[^，。:：\n]{0,12}(?:的|有|是)|满足[^，。:：\n]{0,12}(?:的|有|是)|"
    r"\b(?:so|therefore|thus|hence|in (?:summary|conclusion|short)|final(?:ly| answer| list)?)\b",
    re.IGNORECASE,
)


def read_list(plain: Plain, candidates: Sequence[str]) -> list[str] | None:
    """Return the candidates a reply selects, in its order; [] if it says none, None if it does not answer."""
    text = plain.text
    named = find_named(plain, candidates)
    if named and (only := ONLY.search(text)):
        return list(dict.fromkeys(n.name for n in named if only.start() <= n.start < only.end())) or None
    if named and (all_but := _ALL_BUT.search(text)):
        # "all but X" names X after the phrase, "除了X其余" inside it.
        end = all_but.end() if re.search("[一-龥]$", all_but[0]) else Clauses(text).sentence(all_but.start())[1]
        out = {n.name for n in named if all_but.start() <= n.start < max(end, all_but.end())}
        if out:
            return [name for name in candidates if name not in out]
    kept = drop_corrected(text, [n for n in named if not n.is_out])
    concluding = _in_conclusion(text, kept)
    selected = list(dict.fromkeys(n.name for n in concluding or kept))
    rejected = {n.name for n in named if n.is_out}
    if not concluding:
        selected = [name for name in selected if name not in rejected]
    if selected and not (
        _NONE.search(text) and not concluding and not rejected and len(selected) == len(set(candidates))
    ):
        return selected
    if _NONE.search(text) or (rejected and len(rejected) == len(set(candidates))):
        return []
    return list(candidates) if _ALL.search(text) else None


def _in_conclusion(text: str, kept: Sequence[Named]) -> list[Named]:
    """Return the names in the last sentence that draws a conclusion, if an earlier one has weighed them."""
    clauses = Clauses(text)
    for found in reversed(list(_CONCLUDING.finditer(text))[-50:]):
        begin, end = clauses.sentence(found.start())
        inside = [n for n in kept if found.start() <= n.start < end]
        if inside and any(n.start < begin for n in kept):
            return inside
    return []


# --- orders ------------------------------------------------------------------------------------------------

_LAST = re.compile(r"最后|末尾|压轴|收尾|\b(?:last(?:ly)?|finally|final|at the end|end with|finish)\b", re.IGNORECASE)
_FIRST = re.compile(
    r"首先|第一|最先|打头|先(?!前|生)|起点|\b(?:first(?:ly)?|start(?:s|ing)? (?:with|at)|begin(?:s|ning)? (?:with|"
    r"at))\b",
    re.IGNORECASE,
)
_ORDINALS = (
    (2, re.compile(r"第二|其次|\bsecond(?:ly)?\b", re.IGNORECASE)),
    (3, re.compile(r"第三|\bthird(?:ly)?\b", re.IGNORECASE)),
    (4, re.compile(r"第四|\bfourth\b", re.IGNORECASE)),
    (5, re.compile(r"第五|\bfifth\b", re.IGNORECASE)),
)
_BEFORE_JOIN = re.compile(r"(?:之前|以前|前)[，,]?(?:先|要先)?[^，。]{0,6}", re.IGNORECASE)
_AFTER_JOIN = re.compile(r"[^,.]{0,16}\b(?:after|following)\b(?: visiting| seeing| the)?\s*(?:the )?", re.IGNORECASE)


def read_order(plain: Plain, candidates: Sequence[str]) -> list[str] | None:
    """Return the candidates in the order a reply gives them, whatever the order of its sentences; None for none.

    Names joined only by "or" or without any order are taken as they come.
    """
    text = plain.text
    kept = drop_corrected(text, [n for n in find_named(plain, candidates) if not n.is_out])
    last_seen: dict[str, Named] = {}
    arrows = re.search(r"→|->|➡|⇒|>", text) is not None
    chain = _arrow_chain(text, kept) if arrows else kept
    for n in chain:
        last_seen.setdefault(n.name, n)
    firsts = list(last_seen.values())
    if not firsts:
        return None
    if not arrows:
        firsts = _swap_pairs(text, firsts)
    clauses = Clauses(text)
    ranks = {n.name: (_rank(text, clauses, n, firsts), position) for position, n in enumerate(firsts)}
    return sorted(ranks, key=lambda name: ranks[name])


def _arrow_chain(text: str, kept: Sequence[Named]) -> Sequence[Named]:
    """Return the names of the last line with arrows, where there is one with two names."""
    for line in reversed(list(re.finditer(r"[^\n]*(?:→|->|➡|⇒|>)[^\n]*", text))[-50:]):
        inside = [n for n in kept if line.start() <= n.start < line.end()]
        if len(inside) > 1:
            return inside
    return kept


def _swap_pairs(text: str, firsts: list[Named]) -> list[Named]:
    """Return the names with "B before A" and "A after B" told in their order of time."""
    out = list(firsts)
    for index in range(len(out) - 1):
        between = text[out[index].end : out[index + 1].start]
        lead = text[max(0, out[index].start - 12) : out[index].start]
        said_before = re.search(r"\bbefore\b[^.]{0,10}$", lead, re.I) and re.match(r"\s?,", between)
        if len(between) < 40 and (_BEFORE_JOIN.fullmatch(between) or said_before or _AFTER_JOIN.fullmatch(between)):
            out[index], out[index + 1] = out[index + 1], out[index]
    return out


def _rank(text: str, clauses: Clauses, named: Named, others: Sequence[Named]) -> float:
    """Return the place that the words of its clause give a name.

    50 keeps the order of the text, between first and last.
    """
    begin, end = clauses.clause(named.start)
    begin = max([begin, *(o.end for o in others if o.end <= named.start)])
    end = min([end, *(o.start for o in others if o.start > named.start)])
    near = text[max(begin, named.start - 40) : min(end, named.end + 40)]
    lead = text[max(begin, named.start - 40) : named.start]
    if number := re.search(
        r"(?:^|\n)\s{0,4}([0-9]{1,2})[.)、:]\s?\W{0,4}$", text[max(0, named.start - 12) : named.start]
    ):
        return 10 + int(number[1])
    if _LAST.search(near):
        return 99
    for place, words in _ORDINALS:
        if words.search(near):
            return 10 + place
    if _FIRST.search(near) and not re.search(r"然后|再|接着|\bthen\b", lead, re.I):
        return 1
    return 50
