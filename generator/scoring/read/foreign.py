"""Names in an enumeration that are none of the candidates: places that a reply made up, or took from elsewhere."""

import re
from collections.abc import Sequence
from itertools import groupby

from generator.scoring.read.names import find_named
from generator.scoring.read.text import Plain

# A bullet or number, or the key of a JSON array, which stands before each of its entries.
_ITEM = re.compile(r"\s{0,8}(?:(?:[-*•·✅✔☑]|[0-9]{1,2}[.)、])\s{0,3}|(?P<key>[\w ]{0,24}): )(?P<head>\S[^\n]*)")
_CUT = re.compile(r"\s?(?:[(（:：,，;；|→✅❌✔✗]|\s[-–—]|-\s|[–—])")
_EN_NAME = re.compile(
    r"(?:[A-Z0-9][\w'’.&-]*|of|the|and|&|at|in|on|by|de|la|le)(?: (?:[A-Z0-9][\w'’.&-]*|of|the|and|&|at|in|on|by|"
    r"de|la|le)){0,6}"
)
_ZH_NAME = re.compile(r"[一-龥]{2,10}")
_NO_NAME = re.compile(
    r"hotel|start|return|back|lunch|dinner|finish|end|total|note|none|open|closed|hours?|option|answer|restaurant$|"
    r"酒店|宾馆|出发|返回|起点|终点|午餐|晚餐|合计|总|备注|注意|营业|其他|没有|答案|全程|都|的|了|是|在|有|到",
    re.IGNORECASE,
)  # fmt: skip
_FEWEST = 2


def find_foreign(plain: Plain, candidates: Sequence[str]) -> list[str]:
    """Return names that begin items of a list in which at least half of the items begin with a candidate.

    Nothing is returned for running text: what is a name there, only a person can tell.
    """
    found: list[str] = []
    items = [_ITEM.match(line) for line in plain.text.split("\n")]
    for kind, block in groupby(items, lambda item: (item is not None, item and item["key"])):
        heads = [_CUT.split(item["head"], maxsplit=1)[0].strip(" *\"'“”.。") for item in block if kind[0] and item]
        known = [bool(find_named(Plain(head, "", None), candidates)) for head in heads]
        if len(heads) >= _FEWEST and 2 * sum(known) >= len(heads):
            found += [h for h, is_known in zip(heads, known, strict=True) if not is_known and _is_name(h)]
    return list(dict.fromkeys(found))


def _is_name(head: str) -> bool:
    if _NO_NAME.search(head):
        return False
    return _EN_NAME.fullmatch(head) is not None or _ZH_NAME.fullmatch(head) is not None
