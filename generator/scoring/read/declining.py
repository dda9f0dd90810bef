"""Whether a reply says that it cannot answer."""

import re

from generator.scoring.read.choices import is_abstaining
from generator.scoring.read.text import Clauses, Plain

_CANNOT = re.compile(
    r"(?:无法|没法|没办法|不能|不好|难以|暂时?不?|不便)(?:确[定认]|判断|回答|告诉|计算|知道|给出|得出|排出?)|"
    r"(?:无法|没法|没办法|不好|难以)[算说]|"
    r"[算说答看排](?:暂时)?不(?:出|了|准|好|清)|没有[^，。；]{0,20}(?:信息|记录|数据|资料|坐标|位置|时刻表|时间|"
    r"票价|价格)|"
    r"(?:信息|数据|资料)(?:不足|不够|不全|缺失)|不(?:太)?(?:清楚|知道|了解)|"
    r"\b(?:can't|cannot|can not|couldn't|could not|unable to|not able to|wouldn't be able to|won't be able to) "
    r"(?:\w{1,12} ){0,2}(?:say|tell|give|work|calculate|compute|determine|answer|know|find|see|provide|confirm|be sure|"
    r"decide|judge|figure)\b|"
    r"\b(?:don't|do not|didn't|haven't|wasn't|weren't|isn't|aren't) (?:\w{1,12} ){0,2}(?:have|know|given|see|got|"
    r"available|provided|included)\b|\bwithout (?:knowing|the|more)\b[^.]{0,40}\b(?:coordinates|locations?|times?|"
    r"fares?|"
    r"data|information|details)\b|\b(?:i'd|i would|we'd|i) need (?:to (?:know|see|have)|the|more|your)\b|"
    r"\b(?:not enough|insufficient|more) (?:information|data|details)\b|\bno idea\b",
    re.IGNORECASE,
)


def is_declining(plain: Plain) -> bool:
    """Return whether the reply says that it cannot tell, or was never told. It says nothing of an answer beside."""
    return is_abstaining(plain) or _CANNOT.search(plain.text) is not None


def without_declining(plain: Plain) -> Plain:
    """Return the reply without the sentences that decline: what they name is no answer."""
    clauses, kept, last = Clauses(plain.text), [], 0
    for found in _CANNOT.finditer(plain.text):
        begin, end = clauses.sentence(found.start())
        if begin >= last:
            kept.append(plain.text[last:begin])
            last = end
    return Plain("".join(kept) + plain.text[last:], plain.bold, plain.boxed)
