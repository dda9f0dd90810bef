"""Yes or no."""

import re

from generator.scoring.read.context import correction_ends
from generator.scoring.read.text import Plain

_UNKNOWN = re.compile(
    r"不(?:太)?(?:清楚|确定|知道|好说|了解)|无法(?:比较|分辨|回答|判断|确定|确认|得知|查)|没法(?:判断|确定|确认)|"
    r"难以(?:判断|确定)|说不准|不一定|未知|没有(?:提到|说明|相关信息|这方面)|没提到|取决于|要看|得看|信息不足|"
    r"不能确定|不能判断|需要(?:再)?(?:确认|核实)|尚不|\b(?:can't|cannot|can not|couldn't|unable to) (?:tell|say|"
    r"determine|confirm|be sure|know|verify)|\bnot (?:sure|certain|clear|known)\b|\b(?:don't|do not) (?:know|"
    r"have)\b|\b(?:can't|cannot) be (?:certain|sure)\b|\bunknown\b|\bunclear\b|\bunsure\b|\bdepends?\b|"
    r"\bno (?:information|idea|way to (?:tell|know))\b|\bhard to (?:say|tell)\b|\bmaybe\b|\bperhaps\b|"
    r"\bneither confirm",
    re.IGNORECASE,
)
_DOUBLE = re.compile(
    r"(?:不能说|不是|并非|并不是|没说|不会|不至于|不可能|没有不|不无|没有哪.{0,4})[^，。,.]{0,3}(?:没有?|不|"
    r"无)[^，。,.]{0,10}|不得不|不能不|没有?不|谁说(?:没|不)|非.{1,6}不可|\b(?:not|isn't|wasn't|"
    r"can't) (?:\w{1,12} ){0,2}(?:untrue|impossible|without|unavailable|false|wrong|unlikely|no\b)|"
    r"\bnot un(?!til|der|less|i)\w{3,12}|\b(?:can't|cannot) say [^.,]{0,24}\bno\b|\bnot true\b[^.]{0,20}\b(?:no|"
    r"not)\b|\bcan't say (?:there's|there is|it's|that there) (?:no|not)\b|\bit's not that (?:there's|there is|"
    r"there are) no\b",
    re.IGNORECASE,
)
_NO_FIRST = re.compile(
    r"(?:答案?[:：是]\s?)?(?:不(?!过|仅|但|只|错|用担心|好意思|得不|能不|能说|客气|管|论|少)|否(?!则)|"
    r"没(?:有(?!问题|关系|错|事|限制|影响|矛盾|冲突)|(?!有|问题|关系|错|事|[记弄搞说]错))|无(?!疑|需|论)|"
    r"已?(?:经)?(?:关门|"
    r"闭馆|停业|客满)|您?[记弄搞说]错|不太对|并不|并非|不是(?!说?没|不)|无法|恐怕不|未(?!来)|别|不可|"
    r"\b(?:no\b(?! (?:problem|worries|"
    r"doubt|matter))|nope|nay|not\b(?! only)|unfortunately|never|negative|false\b|incorrect\b))",
    re.IGNORECASE,
)
_YES_FIRST = re.compile(
    r"(?:答案?[:：是]\s?)?(?:是的?(?![否吗])|在的|您?没有?[记弄搞说]错|对(?!不起|比|于)|有(?!点|些|没有)|可以|"
    r"能(?!否)|行(?![李程业])|成立|"
    r"来得及|赶得上|需要|已(?:经)?[开有含可]|营业|开放|开门|含|包含|没有?问题|没关系|没错|不错|绝对(?!不)|存在|"
    r"当然(?!不)|肯定|确实|会(?!议)|允许|支持|好的|嗯|\b(?:you(?:'re| are) (?:quite |absolutely )?(?:right|"
    r"correct)|that(?:'s| is) (?:right|correct|true)|yes|yeah|yep|exactly|"
    r"yup|indeed|certainly|of course|absolutely|sure|correct\b|right\b|true\b|definitely|affirmative|no worries|"
    r"no problem|no doubt))",
    re.IGNORECASE,
)
_NO_ANY = re.compile(
    r"不可以|不能(?!不)|不行|不允许|不支持|不是|不在|不会|不提供|不接受|不符合|没有(?!问题|限制|影响|矛盾|冲突)|"
    r"禁止|并不|并非|无法|未(?:提供|开放|开通)|不(?=及|上|含|包|带|满足|需要|收|够|开|营|对|属|存)|"
    r"\b(?:no\b(?! (?:problem|doubt|worries|limit|restriction|contradiction|conflict))|not\b(?! only)|isn't|"
    r"aren't|doesn't|don't|can't|cannot|won't|wasn't|weren't|hasn't|wouldn't|didn't|impossible|unavailable|closed|full|"
    r"prohibited|forbidden|unsatisfiable|(?<!no )contradict\w*|neither)\b",
    re.IGNORECASE,
)
_YES_ANY = re.compile(
    r"可以|能够?|允许|支持|存在|有|是|会|确实|的确|提供|属于|符合|满足|欢迎|\b(?:is|are|does|do|can|will|has|have|"
    r"was|were|"
    r"exists?|works?|available|allowed|welcome|possible|satisfiable)\b",
    re.IGNORECASE,
)
_OPENING = re.compile(
    r"^(?:[\s\"'“「*#>:：，,。.!！]|好的?[，,!！]|您好[，,!！。]?|抱歉[，,]?|很抱歉[，,]?|很?遗憾[，,]?|这家|酒店|"
    r"它|他|她|我们|这里|那里|目前|经查[，,询]?|根据.{1,20}?[，,]|(?:yes/no|i(?:'d| would) say|well|sorry|"
    r"i'm afraid|unfortunately|answer|the answer is|so)[\s,:]|(?:final )?(?:answer|答案|结论)\s?(?:是|[:：]|"
    r"is))+",
    re.IGNORECASE,
)


_OPPOSITES = (
    ("东", "西"), ("南", "北"), ("左", "右"), ("前", "后"), ("早", "晚"), ("east", "west"), ("north", "south"),
    ("left", "right"), ("before", "after"), ("earlier", "later"), ("cheaper", "dearer"), ("open", "closed"),
)  # fmt: skip


def read_yesno(plain: Plain, ask: str) -> str:
    """Return "yes", "no" or "unknown"; unknown also covers a reply that says neither.

    The last correction decides, then what the reply opens with, then, after working, its last verdict, else the first
    clause that asserts or denies. Two negations make a yes.
    """
    return read_side(plain, ask) or "unknown"


def read_side(plain: Plain, ask: str) -> str:
    """Return the same, but "" for a reply that neither takes a side nor says that it cannot."""
    text = _without_questions((plain.boxed or plain.text).strip()[:_LONGEST])
    for end in reversed(correction_ends(text)[-20:]):
        # 抱歉 at the beginning takes nothing back: there must be a verdict before it.
        if _judge(text[:end]) and (verdict := _judge(text[end:])):
            return verdict
    if _WORKING.search(text) and not _opens_with_verdict(text):
        return _judge_by_heading(text, ask) or _judge_last(text)
    return _judge_by_place(text, ask) or _judge(text)


_LONGEST = 20_000
_WORKING = re.compile(
    r"[(（]\s?[-−]?\d+(?:\.\d+)?\s?[,，]\s?[-−]?\d|\b[xy]\s?[=:]\s?[-−]?\d|Δ|\bd[xy]\b|\d\s?(?:°|度|degrees)|坐标|"
    r"方位角|"
    r"\bcoordinates?\b|\bbearing\b|\d\s?(?:m|km|metres?|meters?|米|公里)(?![a-z])[^.。]{0,40}(?:east|west|north|"
    r"south|[东西南北])",
    re.IGNORECASE,
)
_PLAIN_SIDE = re.compile(
    r"(?:^|[\s,:：，。*\"'“(]|所以|因此|那就)(?:(?P<yes>yes|是的?|对的?|成立)|(?P<no>no|否|不是的?|不对|"
    r"不成立))(?=$|[\s,，。.:：!！;；*\"'”)])",
    re.IGNORECASE,
)
_STRONG_YES = re.compile(
    r"确实|的确|正是|肯定的|没错|\b(?:it|they) (?:is|does|do|are)\W*$|\b(?:indeed|certainly|does lie|does in fact|"
    r"is correct|is true|is right|correct)\b",
    re.IGNORECASE,
)
_STRONG_NO = re.compile(
    r"不(?:在|是|算|属|对|符|位|能[算说]|成立)|并非|而非|没有?(?:在|落)|\b(?:not|isn't|doesn't|does not|incorrect|"
    r"false|neither)\b",
    re.IGNORECASE,
)
_HEADING = re.compile(
    r"\b(?P<ns>north|south)?[- ]?(?P<ew>east|west)?(?:ern|ward|wards|erly)?\b|(?P<zh>[东西][南北]|[南北][东西]|"
    r"[东西南北])",
    re.IGNORECASE,
)
_SENTENCES = re.compile(r"[。；！？;!?\n]|\.(?=\s|$)")
_SO = re.compile(
    r"所以|因此|结论|总之|\b(?:so|therefore|thus|hence|which (?:is|means)|that (?:is|means)|making it)\b", re.IGNORECASE
)


def _without_questions(text: str) -> str:
    """Return the text without the questions that it asks back; an offer to book is no verdict."""
    kept, last = [], 0
    for mark in re.finditer(r"[。；！？;!?\n]|\.\s", text):
        sentence, last = text[last : mark.end()], mark.end()
        if mark[0] not in "？?":
            kept.append(sentence)
    return ("".join(kept) + text[last:]).strip()


def _opens_with_verdict(text: str) -> bool:
    body = _strip_opening(text)
    return bool(_NO_FIRST.match(body) or _YES_FIRST.match(body) or _DOUBLE.match(body))


def _judge_last(text: str) -> str:
    """Return the verdict of the last sentence that has one; what is merely stated in the working has none."""
    for sentence in reversed(_SENTENCES.split(text)):
        plain = list(_PLAIN_SIDE.finditer(sentence))
        if plain:
            return "yes" if plain[0]["yes"] else "no"
        if _DOUBLE.search(sentence):
            return "yes"
        if _STRONG_NO.search(sentence):
            return "no"
        if _STRONG_YES.search(sentence):
            return "yes"
    return "unknown" if _UNKNOWN.search(text) else ""


def _judge_by_heading(text: str, ask: str) -> str:
    """Return whether the heading that the last conclusion names is the one asked for; "" if either is not one."""
    asked = _headings(ask)
    for sentence in reversed(_SENTENCES.split(text)):
        if len(asked) != 1 or not _SO.search(sentence):
            continue
        found = _headings(sentence)
        if len(found) == 1 and not _STRONG_NO.search(sentence):
            return "yes" if found == asked else "no"
    return ""


def _headings(text: str) -> set[str]:
    """Return the headings named in a text, as "n", "ne" and so on."""
    found = set()
    for match in _HEADING.finditer(text):
        if match["zh"]:
            letters = sorted((_ZH_SIDES[char] for char in match["zh"]), key="nsew".index)
        else:
            letters = [part[0].lower() for part in (match["ns"], match["ew"]) if part]
        if letters:
            found.add("".join(letters))
    return found


_ZH_SIDES = {"东": "e", "西": "w", "南": "s", "北": "n"}


def _judge_by_place(text: str, ask: str) -> str:
    """Return the verdict of a reply that only states the fact asked about, or its opposite: 它在东边."""
    first = re.split(r"[，。；！？,;!?\n]|\.\s", _strip_opening(text), maxsplit=1)[0].lower()
    if _NO_FIRST.match(first) or _YES_FIRST.match(first) or _NO_ANY.search(first) or _UNKNOWN.search(text):
        return ""
    for pair in _OPPOSITES:
        for asked, other in (pair, pair[::-1]):
            if asked in ask.lower() and other not in ask.lower() and (asked in first) != (other in first):
                return "yes" if asked in first else "no"
    return ""


def _judge(text: str) -> str:
    body = _strip_opening(text)
    if not body:
        return ""
    first = re.split(r"[，。；！？,;!?\n]|\.\s|\s[–—-]\s", body, maxsplit=1)[0]
    if _DOUBLE.search(first):
        return "yes"
    opens_no, opens_yes = _NO_FIRST.match(body), _YES_FIRST.match(body)
    if opens_no and not _UNKNOWN.match(body):
        return "no"
    if _UNKNOWN.search(body[:200]) and not (opens_yes and not _UNKNOWN.search(first)):
        return "unknown"
    if opens_yes:
        return "no" if _NO_ANY.search(first) and not _YES_FIRST.fullmatch(first.strip()) else "yes"
    for clause in re.split(r"[。；！？;!?\n]|\.\s", body):
        head = re.split(r"[，,]\s?(?:不过|但|只是|but|though|although)", clause, maxsplit=1)[0]
        if _DOUBLE.search(head):
            return "yes"
        if _NO_ANY.search(head):
            return "no"
        if _YES_ANY.search(head):
            return "yes"
    return ""


def _strip_opening(text: str) -> str:
    found = _OPENING.match(text)
    return text[found.end() :].lstrip() if found else text.lstrip()
