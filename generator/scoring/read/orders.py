"""In which order a reply puts the candidates."""

import re
from collections.abc import Sequence

from generator.scoring.read.names import Named, drop_corrected, find_named, mask_names
from generator.scoring.read.text import Clauses, Plain

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
# 甲在乙之后去
_ZH_IN = re.compile(r"\s?(?:应该?|要|得|最好|可以)?(?:放|安排)?在\s?")
_ZH_AFTER = re.compile(r"\s?(?:之后|以后|后面|后)")
_AFTER_JOIN = re.compile(r"[^,.]{0,16}\b(?:after|following)\b(?: visiting| seeing| the)?\s*(?:the )?", re.IGNORECASE)


def read_order(plain: Plain, candidates: Sequence[str]) -> list[str] | None:
    """Return the candidates in the order a reply gives them, whatever the order of its sentences; None for none.

    Names joined only by "or" or without any order are taken as they come.
    """
    named = find_named(plain, candidates)
    text = mask_names(plain.text, [(n.start, n.end) for n in named])
    kept = drop_corrected(text, [n for n in named if not n.is_out])
    last_seen: dict[str, Named] = {}
    arrows = re.search(r"→|->|➡|⇒|>", text) is not None
    clauses = Clauses(text)
    chain = _arrow_chain(plain, kept) if arrows else _in_best_sentence(text, clauses, kept)
    for n in chain:
        last_seen.setdefault(n.name, n)
    firsts = list(last_seen.values())
    if not firsts:
        return None
    if not arrows:
        firsts = _swap_pairs(text, firsts)
    ranks = {n.name: (_rank(text, clauses, n, firsts), position) for position, n in enumerate(firsts)}
    return sorted(ranks, key=lambda name: ranks[name])


_ARROW_LINE = re.compile(r"[^\n]*(?:→|->|➡|⇒|>)[^\n]*")
_BEST = re.compile(
    r"最短|最省|最优|最佳|最近|最好|最合适|推荐|建议|应该|所以|因此|(?<!\w)顺序|✅|\b(?:shortest|best|optimal|"
    r"quickest|least|recommend\w*|suggest\w*|"
    r"should|so|therefore|thus|hence|i'd|i would|winner|minimi[sz]\w+)\b",
    re.IGNORECASE,
)
_WORSE = re.compile(r"对比|其他|其它|相比|\b(?:compar\w+|other|alternativ\w+|instead|whereas|longer)\b", re.IGNORECASE)
_OPTION = re.compile(
    r"(?:\b(?:option|route|order|path|plan)|方案|路线|走法)\s?([A-H1-9一二三四五六七八]\b|[一二三四五六七八])",
    re.IGNORECASE,
)


def _arrow_chain(plain: Plain, kept: Sequence[Named]) -> Sequence[Named]:
    """Return the names of the line with arrows that the reply settles on: the one it calls best, else the last."""
    lines = [
        (line, inside)
        for line in list(_ARROW_LINE.finditer(plain.text))[-200:]
        if len(inside := [n for n in kept if line.start() <= n.start < line.end()]) > 1
    ]
    most = max((len({n.name for n in inside}) for _, inside in lines), default=0)
    lines = [(line, inside) for line, inside in lines if len({n.name for n in inside}) == most]
    if not lines:
        return kept
    if len({tuple(n.name for n in inside) for _, inside in lines}) == 1:
        return lines[-1][1]
    chosen = [inside for line, inside in lines if _is_settled_on(plain, line)]
    if chosen:
        return chosen[-1]
    said = _in_best_sentence(plain.text, Clauses(plain.text), kept)
    return _chosen_option(plain.text, lines) or (said if len(said) < len(kept) else lines[-1][1])


def _is_settled_on(plain: Plain, line: re.Match[str]) -> bool:
    """Return whether a line of several is called the best: in itself, by the words above it, or by emphasis."""
    above = plain.text[: line.start()].rstrip("\n").rpartition("\n")[2]
    is_headed = above.rstrip().endswith((":", "：")) and _BEST.search(above) and not _WORSE.search(above)
    chain = re.split(r"(?:→|->|➡|⇒|>)", line[0])
    is_bold = any(
        re.search(r"→|->|➡|⇒|>", bold) and chain[-1].strip()[:6] in bold and bold.strip() in line[0]
        for bold in plain.bold.split("\n")
    )
    return bool(is_headed or is_bold or (_BEST.search(line[0]) and not _WORSE.search(line[0])))


def _chosen_option(text: str, lines: Sequence[tuple[re.Match[str], list[Named]]]) -> list[Named] | None:
    """Return the names of the line whose label a sentence calls the best: "Option B is the shortest"."""
    labels = {label[1].upper(): inside for line, inside in lines if (label := _OPTION.search(line[0]))}
    clauses = Clauses(text)
    for said in reversed(list(_OPTION.finditer(text))[-200:]):
        begin, end = clauses.sentence(said.start())
        is_chain = any(line.start() <= said.start() < line.end() for line, _ in lines)
        if not is_chain and said[1].upper() in labels and _BEST.search(text[begin:end]):
            return labels[said[1].upper()]
    return None


def _in_best_sentence(text: str, clauses: Clauses, kept: Sequence[Named]) -> Sequence[Named]:
    """Return the names of the last sentence that gives the best order of all, if the names stand elsewhere too."""
    every = {n.name for n in kept}
    for found in reversed(list(_BEST.finditer(text))[-80:]):
        begin, end = clauses.sentence(found.start())
        inside = [n for n in kept if begin <= n.start < end]
        if {n.name for n in inside} == every and len(inside) < len(kept):
            after = [n for n in inside if n.start >= found.start()]
            return after if {n.name for n in after} == every else inside
    return kept


def _swap_pairs(text: str, firsts: list[Named]) -> list[Named]:
    """Return the names with "B before A" and "A after B" told in their order of time."""
    out = list(firsts)
    for index in range(len(out) - 1):
        between = text[out[index].end : out[index + 1].start]
        lead = text[max(0, out[index].start - 32) : out[index].start]
        said_before = re.search(r"\bbefore\b[^.]{0,26}$", lead, re.I) and re.match(r"\s?,", between)
        behind = _ZH_AFTER.match(text, out[index + 1].end) if _ZH_IN.fullmatch(between) else None
        if len(between) < 40 and (
            behind or _BEFORE_JOIN.fullmatch(between) or said_before or _AFTER_JOIN.fullmatch(between)
        ):
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
