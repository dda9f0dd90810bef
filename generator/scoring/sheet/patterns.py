"""The one pattern that cuts a line into tokens. Every branch is linear: no nested unbounded repeats."""

# ruff: noqa: E501 (a marker and its words stay on one line: they are read as one list)
from __future__ import annotations

import re
from collections.abc import Iterable

from generator.language.numerals import EN_NUMERAL
from generator.scoring.sheet.units import CURRENCY_SIGNS, UNITS

DIGITS = r"\d{1,3}(?:,\d{3})+(?!\d)(?:\.\d+)?|\d+(?:\.\d+)?"
ZH_DIGITS = "零〇一二三四五六七八九十百千万亿两壹贰叁肆伍陆柒捌玖拾佰仟"
ZH_DAY_PARTS = r"凌晨|清晨|早上|早晨|上午|中午|午后|下午|傍晚|晚上|晚间|夜里|早|晚"
_HOUR = rf"(?:\d{{1,2}}|[{ZH_DIGITS}]{{1,3}})"
_MONTH = r"(?:jan|feb|mar|apr|may|june?|july?|aug|sept?|oct|nov|dec)[a-z]{0,6}\.?"

# kind -> words; a kind is the marker that the line reader acts on
_MARKERS_ZH = {
    "hypo": r"如果|假如|假设|要是|若是|万一|倘若|若(?=改|换|按|用|要)|备选|可选方案|本来想|曾考虑|考虑过",
    "correct": r"更正|纠正|订正|勘误|说错了|写错了|算错了|抱歉|不对,|应为|应该是|应是|正确的?(?:是|为)|改正",
    "neg": r"不是|并非|而不是|而非|不按|不用|不再按|不再是|不再用|不算|没有按|没按|别按|不采用|非(?=\d)|不含|不包括",
    "now": r"(?:调整|修改|变更|更新|恢复|还原|退回|改回|回到|增加|减少|下调|上调|上涨|下降|调低|调高|降低|提高|加|减|增|降|涨|升|改|变|调|更改|换)(?:到|成|为|至|回)"
    r"|现在|现为|现按|现改|现(?=\d|¥)|目前|最终|最新|如今|而是|还是|恢复|仍是|仍为|仍按|改(?=\d)",
    "hist": r"原来|原本|原先|原定|原价|原为|原是|原计划|原报价|原单价|原数量|原(?=\s?[\d¥(:])|之前|先前|此前|早先|以前|最早|最初|最开始|一开始|起初|开始时"
    r"|改前|变更前|调整前|修改前|更新前|旧价|旧的|旧版|旧|上一版|前一版|曾经|曾|本来|初始|(?:从|由)(?=\s?(?:最初的|原来的)?[¥\d零一二两三四五六七八九十]|(?:[^，。,;\n]|,(?=\d)){1,18}(?:恢复|调整|调|改|降|升|减|增|涨|变|换)[回到至为成])",
    "part": r"其中|内含|含有|包含|包括|含(?=\s?[\d一二两三四五六七八九十])|里有|里面有|预留|备用",
    "cancel": r"取消|作废|删除|删掉|删去|去掉|划掉|剔除|移除|撤销|撤掉|撤下|不要了|不要|不买了|不买|不需要|不订了|不订|不列|不再|没戏|没谈成|未谈成|没成|失效|不成立"
    r"|已删|已撤|已减|已退|退掉|砍掉|免了|无需|作罢|不计入|未计入|不在(?:内|单)|暂不|搁置|不适用",
    "delta": r"(?:少要|少订|少买|少了|少|多要|多订|多了|多|减少|减去|减掉|减了|减|增加|加了|加上|加订|加|增订|扣除|扣掉|扣|去掉|退了|退|省了|省下|节省|省|涨了|涨|降了|降|下降|便宜了|便宜|贵了|贵|相差|差|追加|补)了?(?=\s?[¥\d零一二两三四五六七八九十百])",
    "all": r"各|均为|均是|均|都是|都为|都要|都",
    "resp": r"分别",
    "sum": r"合计|总计|共计|总共|一共|汇总",
    "per": r"每(?:一)?(?:CLASS)?|单个|/\s?(?:CLASS|个|件|单位)",
}  # fmt: skip
_MARKERS_EN = {
    "hypo": r"\b(?:if|would have|would be|could be|might|hypothetical(?:ly)?|considered|had we|asked about|what-if|quote only)\b",
    "correct": r"\b(?:correction|corrected|should (?:be|read|have been)|sorry|apologies|i misstated|actually|rather, it)\b",
    "neg": r"\b(?:not|isn't|rather than|instead of|as opposed to|no longer|excluding|without|n't)\b",
    "now": r"\b(?:now|currently|back (?:up |down )?to|reverted to|reverts to|returned to|restored to|changed to|revised to|updated to|reduced to|cut to|increased to|raised to|dropped to|down to|up to the|lowered to|moved to|but|final(?:ly)?|latest|set to|becomes|goes? (?:back )?to)\b",
    "hist": r"\b(?:originally|original|previous(?:ly)?|earlier|before|initial(?:ly)?|formerly|former|used to be|old|prior|first|at first|was|were|had been|had quoted|had said|from(?=\s[£$€]?\d|\s[^,.;\n]{1,24}\bto\b)|up from|down from)\b",
    "part": r"\b(?:including|includes?|incl\.?|of which|with)\b(?=\s(?:[a-z]{1,10}\s)?(?:\d|one|two|three|four|five|six))",
    "cancel": r"\b(?:cancell?ed|removed|dropped|deleted|scrapped|withdrawn|struck|fell through|fallen through|off the (?:list|table|order|sheet)|not needed|not required|no longer|taken off|taken out|took out|taken off|left out|left off|excluded|omitted|void|n/a|nil|not included|won't|isn't happening|came off|no)\b",
    "delta": r"\b(?:by|less|minus|lose|lost|losing|saves?|saved|saving|add(?:ed|ing|s)?|remov(?:ed|ing)|took off|taking off|knocked off|fewer)(?=\s(?:[£$€]?\d|one|two|three|four|five|six|seven|eight|nine|ten|a couple))",
    "all": r"\bof each\b|\bboth\b|\ball at\b|\ball\b(?=\s\d)",
    "resp": r"\brespectively\b",
    "sum": r"\b(?:grand totals?|totals?|in all|altogether|overall|sum)\b",
    "per": r"\b(?:each|apiece|a piece|per (?:head|item|unit|piece|one)|per|ea)\b|/\s?(?:each|ea|unit|item|pc|piece|CLASS)\b",
}  # fmt: skip


def trie(words: Iterable[str]) -> str:
    """Return a pattern that matches the longest of the words at a position, without trying each in turn."""
    groups: dict[str, list[str]] = {}
    is_end = False
    for word in sorted(set(words)):
        if word:
            groups.setdefault(word[0], []).append(word[1:])
        else:
            is_end = True
    if not groups:
        return ""
    parts = []
    for head, tails in groups.items():
        body = trie(tails)
        parts.append((r"\s{1,3}" if head == " " else re.escape(head)) + body)
    joined = parts[0] if len(parts) == 1 and not is_end else f"(?:{'|'.join(parts)})"
    return f"{joined}?" if is_end else joined


def _literals(words: Iterable[str]) -> str:
    """Return the alternatives of literals: Chinese ones anywhere, others only as whole words."""
    chosen = {word for word in words if word}
    latin = {word for word in chosen if word[0].isascii() and word[0].isalnum()}
    other = chosen - latin
    parts = []
    if other:
        parts.append(trie(other))
    if latin:
        parts.append(rf"(?<![a-z0-9]){trie(latin)}(?![a-z0-9])")
    return "|".join(parts) or "(?!)"


def build_pattern(words: frozenset[str], units: frozenset[str], lang: str, *, has_dates: bool) -> re.Pattern[str]:
    """Return the token pattern of a view; the name of the matching group is the token's kind."""
    known = units | set(UNITS)
    latin = trie(u for u in known if u[0].isascii() and u[0].isalnum())
    signs = trie(u for u in known if not (u[0].isascii() and u[0].isalnum()))
    unit = rf"(?:\s?(?:{signs})|\s?-?(?:{latin})(?![a-z0-9]))"
    number = DIGITS if lang == "zh" else rf"{DIGITS}|{EN_NUMERAL}"
    classes = "|".join(sorted((re.escape(u) for u in known if not u.isascii()), key=lambda u: (-len(u), u)))
    markers = _MARKERS_ZH if lang == "zh" else _MARKERS_EN
    if lang == "en":
        classes = "|".join(sorted((re.escape(u) for u in units if u.isalpha()), key=lambda u: (-len(u), u))) or "each"
    slashed = r"(?P<slash>(?<![\d./])\d{1,2}/\d{1,2}(?:/(?:\d{4}|\d{2}))?(?![\d/]|\.\d))|" if has_dates else ""
    zh_moments = (
        rf"(?P<zhdate>(?:(?:\d{{4}}|[{ZH_DIGITS}]{{4}})\s?年\s?)?{_HOUR}\s?月\s?{_HOUR}\s?[日号])"
        rf"|(?P<zhclock>(?:(?:{ZH_DAY_PARTS})\s?)?{_HOUR}\s?(?:点|时(?!间|长|候|段))(?:\s?(?:半|整|钟|[一三]刻|{_HOUR}\s?分?(?!\s?[月元%\d])))?)|"
    )
    en_moments = (
        rf"(?P<endate>\b(?:\d{{1,2}}(?:st|nd|rd|th)?\s(?:of\s)?{_MONTH}(?:,?\s\d{{4}})?|{_MONTH}\s\d{{1,2}}(?:st|nd|rd|th)?\b(?:,?\s\d{{4}})?)(?!\d))"
        r"|(?P<enclock>\b(?:\d{1,2}(?:[.:]\d{2})?\s?[ap]\.?m\b\.?|(?:half past|quarter past|quarter to)\s[a-z]{3,6}|\d{1,2}\so'clock|noon|midday|midnight)"
        r"(?:\s(?:in the (?:morning|afternoon|evening)|[ap]\.?m\b\.?))?)|"
    )
    money = rf"(?:[{CURRENCY_SIGNS}]|rmb|cny|gbp|usd|eur|us\$)\s?"
    zh_number = rf"|(?<!第)(?<![周期礼])[{ZH_DIGITS}]{{1,16}}(?!分之)" if lang == "zh" else ""
    pattern = (
        rf"(?P<word>{_literals(words)})"
        rf"|(?P<iso>(?<!\d)\d{{4}}\s?[-/.年]\s?\d{{1,2}}\s?[-/.月]\s?\d{{1,2}}(?:\s?[日号])?(?!\d))"
        rf"|{slashed}{zh_moments if lang == 'zh' else en_moments}"
        rf"(?P<clock>(?:(?:{ZH_DAY_PARTS})\s?)?(?<![\d.])\d{{1,2}}:\d{{2}}(?::\d{{2}})?(?!\d)(?:\s?[ap]\.?m\b\.?)?)"
        rf"|(?P<zhpct>百分之(?:{DIGITS}|[{ZH_DIGITS}]{{1,8}}))"
        rf"|(?P<num>(?P<cur>{money})?(?<![\da-wyz_#.])(?<![a-z]x)(?P<fig>{number}{zh_number})(?P<mul>\s?[万亿千](?![{ZH_DIGITS}]))?(?P<unit>{unit}|\sper\scent\b)?)"
    )
    for kind, words_of in markers.items():
        pattern += f"|(?P<{kind}>{words_of.replace('CLASS', f'(?:{classes})')})"
    at = r"\bat(?=\s?[£$€]?\d)|@|按(?=\s?[¥\d])" if lang == "zh" else r"@|\bat(?=\s(?:[£$€]|\d))"
    pattern += (
        rf"|(?P<at>{at})|(?P<times>×|\*|乘以|乘|\bx\b|(?<![a-z])x(?=\d))|(?P<eq>=)|(?P<plus>\+)|(?P<arrow>→)"
        r"|(?P<stop>[。;!?\n]|(?<!\.[a-z])\.(?=\s|$))|(?P<comma>[,，])|(?P<list>、)|(?P<open>\()|(?P<close>\))|(?P<colon>:)|(?P<slash_>/)"
        r"|(?P<dash>—+|-+|~|至)|(?P<join>和|与|跟|及|以及|&|\band\b)|(?P<or>或者?|\bor\b)"
    )
    return re.compile(pattern)
