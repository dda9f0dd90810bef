"""Which candidates a reply selects."""

import re
from collections.abc import Sequence

from generator.scoring.read.context import correction_ends
from generator.scoring.read.names import ONLY, Named, drop_corrected, find_named, mask_names
from generator.scoring.read.selections import judge_names, says_none_first
from generator.scoring.read.text import Clauses, Plain

_NONE = re.compile(
    r"^\W*无\W*$|为空|空集|(?:都|全都|一家都|一个都|均)[^，。]{0,4}(?:不|没)|没有(?:一家|一个|任何|符合|满足)|无一|"
    r"(?:一|"
    r"哪)[家个]也[不没]|没有[^，。]{0,8}(?:可选|可用|能|营业(?!时间)|开(?!门时间))|没有.{0,8}(?:符合|满足)|"
    r"(?:^|[:：\n])[ \t]{0,4}\[ ?\][ \t]{0,4}(?=$|\n)|\bthere (?:isn't|is not|aren't|are not) (?:a|any|one)\b|"
    r"\bnone\b|\bneither\b|\bnothing\b|\bnot (?:a single|any)\b|\bno (?:restaurants?|hotels?|places?|options?|"
    r"candidates?|one|venues?)\b",
    re.IGNORECASE,
)
# "all bar the Limpet", but not "the Fish Bar and the Limpet are open all day".
_ALL_BUT = re.compile(
    r"(?<![排剔])除了?[^。；\n]{1,40}?(?:外|以外|之外)?[，,]?\s?(?:其余|其他|其它|剩下|剩余|别的|都|全部|均)|"
    r"只有[^。；\n]{1,40}?(?:不|没)[^。；\n]{0,8}[，,；;]\s?(?:其余|其他|其它|剩下|别的)|"
    r"\b(?:all|every(?:thing|one|body)?|any)\b[^.;\n]{0,40}\b(?:except|but|apart from|other than|"
    r"with the exception of|aside from|(?-i:bar))\b|"
    r"\b(?:except(?: for)?|apart from|other than|with the exception of|aside from|(?-i:bar))\b[^.;\n]{1,60}\b(?:all|"
    r"every|the rest|the others)\b",
    re.IGNORECASE,
)
_ALL = re.compile(
    r"(?:全部|所有|[两三四五六七八九十]家?个?|它们|他们|这些)[^，。不没]{0,6}都(?!不|没)(?:符合|满足|营业|可以|行|"
    r"开|有)|全都(?:符合|满足|营业|可以|行|开)|"
    r"\ball (?:of them|of these|(?:the )?(?:two|three|four|five|six|seven|eight))\b(?! (?:closed?|shut|are not|"
    r"are closed|open (?:too )?late))",
    re.IGNORECASE,
)
_CONCLUDING = re.compile(
    r"因此|所以|综上|总之|最终|最后结论|符合[^，。:：\n]{0,12}(?:的|有|是)|满足[^，。:：\n]{0,12}(?:的|有|是)|"
    r"\b(?:so|therefore|thus|hence|in (?:summary|conclusion|short)|final(?:ly| answer| list)?)\b",
    re.IGNORECASE,
)


def read_list(plain: Plain, candidates: Sequence[str]) -> list[str] | None:
    """Return the candidates a reply selects, in its order; [] if it says none, None if it does not answer."""
    named = find_named(plain, candidates)
    text = mask_names(plain.text, [(n.start, n.end) for n in named])
    if named and (only := ONLY.search(text)):
        return list(dict.fromkeys(n.name for n in named if only.start() <= n.start < only.end())) or None
    if named and (all_but := _ALL_BUT.search(text)):
        # "all but X" names X after the phrase, "除了X其余" inside it.
        end = all_but.end() if re.search("[一-龥]$", all_but[0]) else Clauses(text).sentence(all_but.start())[1]
        out = {n.name for n in named if all_but.start() <= n.start < max(end, all_but.end())}
        if out:
            return [name for name in candidates if name not in out]
    if named and (weighed := _weigh(text, named)) is not None:
        return weighed
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
    if (
        _NONE.search(text)
        or (not named and says_none_first(text))
        or (rejected and len(rejected) == len(set(candidates)))
    ):
        return []
    return list(candidates) if _ALL.search(text) else None


def _weigh(text: str, named: Sequence[Named]) -> list[str] | None:
    """Return the names that a reply expressly takes in, or [] if it opens with "none"; None where it does neither."""
    if any(end > named[0].start for end in correction_ends(text)):
        return None
    sides = judge_names(text, named)
    taken = [n for n, side in zip(named, sides, strict=True) if side == "in"]
    if concluding := _in_conclusion(text, [n for n in named if not n.is_out]):
        return list(dict.fromkeys(n.name for n in concluding))
    if taken:
        left = {n.name for n, side in zip(named, sides, strict=True) if side == "out"}
        return [name for name in dict.fromkeys(n.name for n in taken) if name not in left] or None
    if says_none_first(text):
        return []
    left = {n.name for n, side in zip(named, sides, strict=True) if side == "out"}
    neutral = dict.fromkeys(n.name for n in named if n.name not in left)
    return list(neutral) if neutral and left else None


def _in_conclusion(text: str, kept: Sequence[Named]) -> list[Named]:
    """Return the names in the last sentence that draws a conclusion, if an earlier one has weighed them."""
    clauses = Clauses(text)
    for found in reversed(list(_CONCLUDING.finditer(text))[-50:]):
        begin, end = clauses.sentence(found.start())
        inside = [n for n in kept if found.start() <= n.start < end]
        if inside and any(n.start < begin for n in kept):
            return inside
    return []
