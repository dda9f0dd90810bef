"""Yes or no, an option letter, and whether a reply abstains."""

import re

from generator.scoring.read.context import correction_ends
from generator.scoring.read.text import Plain

# --- yes or no ---------------------------------------------------------------------------------------------

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
    r"没(?:有(?!问题|关系|错|事|限制|影响|矛盾|冲突)|(?!有|问题|关系|错|事))|无(?!疑|需|论)|已?(?:经)?(?:关门|"
    r"闭馆|停业|客满)|并不|并非|不是(?!说?没|不)|无法|恐怕不|未(?!来)|别|不可|\b(?:no\b(?! (?:problem|worries|"
    r"doubt|matter))|nope|nay|not\b(?! only)|unfortunately|never|negative|false\b|incorrect\b))",
    re.IGNORECASE,
)
_YES_FIRST = re.compile(
    r"(?:答案?[:：是]\s?)?(?:是的?(?![否吗])|对(?!不起|比|于)|有(?!点|些|没有)|可以|能(?!否)|行(?![李程业])|成立|"
    r"来得及|赶得上|需要|已(?:经)?[开有含可]|营业|开放|开门|含|包含|没有?问题|没关系|没错|不错|绝对(?!不)|存在|"
    r"当然(?!不)|肯定|确实|会(?!议)|允许|支持|好的|嗯|\b(?:that(?:'s| is) (?:right|correct|true)|yes|yeah|yep|"
    r"yup|indeed|certainly|of course|absolutely|sure|correct\b|right\b|true\b|definitely|affirmative|no worries|"
    r"no problem|no doubt))",
    re.IGNORECASE,
)
_NO_ANY = re.compile(
    r"不可以|不能(?!不)|不行|不允许|不支持|不是|不在|不会|不提供|不接受|不符合|没有(?!问题|限制|影响|矛盾|冲突)|"
    r"禁止|并不|并非|无法|未(?:提供|开放|开通)|不(?=及|上|含|包|带|满足|需要|收|够|开|营|对|属|存)|"
    r"\b(?:no\b(?! (?:problem|doubt|worries|limit|restriction|contradiction|conflict))|not\b(?! only)|isn't|"
    r"aren't|doesn't|don't|can't|cannot|won't|wasn't|weren't|hasn't|impossible|unavailable|closed|full|"
    r"prohibited|forbidden|unsatisfiable|(?<!no )contradict\w*|neither)\b",
    re.IGNORECASE,
)
_YES_ANY = re.compile(
    r"可以|能够?|允许|支持|存在|有|是|会|提供|属于|符合|满足|欢迎|\b(?:is|are|does|do|can|will|has|have|was|were|"
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

    The last correction decides, then what the reply opens with, then the first clause that asserts or denies.
    Two negations make a yes.
    """
    text = (plain.boxed or plain.text).strip()[:4000]
    for end in reversed(correction_ends(text)[-20:]):
        # 抱歉 at the beginning takes nothing back: there must be a verdict before it.
        if _judge(text[:end]) and (verdict := _judge(text[end:])):
            return verdict
    return _judge_by_place(text, ask) or _judge(text) or "unknown"


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


# --- option letters ----------------------------------------------------------------------------------------


def read_choice(plain: Plain, options: str) -> str | None:
    """Return the option letter a reply commits to; None if it states none.

    A stated answer ("选C", "The answer is B") comes before a bare letter; the last one counts. A letter inside a
    word, or the article A, is never an option.
    """
    text = plain.text if plain.boxed is None else f"{plain.text}\nanswer: {plain.boxed}"
    letters = re.escape(options.upper())
    mark = rf"[(\[（【「\"'*\s]{{0,3}}(?P<letter>[{letters}])(?![A-Za-z'0-9])"
    stated = re.compile(
        r"(?:答案|正确选项|正解|应?选择?|选项|我选|故选|结论|最终|更正|应为|应该是|其实是|实际上?是|应是|就是|而是|"
        r"只剩(?:下)?|只有|剩下(?:的)?|改[为成选]|(?i:\b(?:ans|answer|option|choice|choose|pick|select|go with|"
        r"going with|i'd say|it's|it is|leaves|only|must be|should be|would be|final|correct(?:ion)?|but)\b))"
        rf"(?:\s?(?:应该|应当|应|是|为|选|[:：–-]|(?i:is|option|with|choice|one|answer|should be|"
        rf",))){{0,3}}\s?{mark}(?!\s?(?:项|选项)?(?:是错|错误|不对|不正确|有误|和|、))",
    )
    found = [m for m in stated.finditer(text) if not _is_denied(text, m) and not _is_article(text, m)]
    rejected = _rejected(text, letters)
    found = [m for m in found if m["letter"] not in rejected or m.start() > rejected[m["letter"]]]
    if found:
        is_open = re.match(
            rf"\W{{0,2}}(?:或者?|还是|or|/|、|和|and)\s?[{letters}](?![a-z])", text[found[-1].end() :][:12]
        )
        return None if is_open else str(found[-1]["letter"])
    lone = re.findall(
        rf"^\W{{0,6}}([{letters}])(?:选?项)?(?:\W{{0,4}}$|"
        rf"[.、)）:：，,]\s?(?![{letters}](?![a-z]))(?!(?:and|or)\b)\S)",
        text,
        re.MULTILINE,
    )
    if len(set(lone)) == 1:
        return str(lone[0])
    if small := re.fullmatch(rf"\W{{0,6}}([{letters.lower()}])\W{{0,6}}", text):
        return small[1].upper()
    tail = re.search(
        rf"(?<![A-Za-z])([{letters}])\s?(?:项|选项)?(?:说法|表述)?(?:是|才是)?(?:正确|对的|符合|"
        rf"(?i:is (?:the )?(?:only|correct|right|"
        rf"answer|best)))",
        text,
    )
    if tail and not re.search(r"不$", text[: tail.start()]):
        return str(tail[1])
    left = [letter for letter in options.upper() if letter not in rejected]
    return left[0] if len(left) == 1 and len(rejected) == len(options) - 1 else None


def _is_denied(text: str, found: re.Match[str]) -> bool:
    return re.search(
        r"不(?:该|应|能|要|是|会)?$|并非$|排除$|\b(?:not|isn't|never|don't|rule out|eliminate)\s?$",
        text[max(0, found.start() - 10) : found.start()],
        re.I,
    ) is not None or (re.search(r"不是|\bnot\b|n't", found[0], re.I) is not None)


def _is_article(text: str, found: re.Match[str]) -> bool:
    """Return whether the letter A starts a noun phrase: "the answer is A hard one"."""
    return (
        found["letter"] == "A"
        and re.match(r" [a-z]{2,}", text[found.end() : found.end() + 12]) is not None
        and (
            re.match(
                r" (?:because|since|as|is|and|for|which|not|but|here|rather|given|with)\b",
                text[found.end() : found.end() + 12],
            )
            is None
        )
    )


def _rejected(text: str, letters: str) -> dict[str, int]:
    """Return the options called wrong, each with the place where."""
    joined = r"\s?(?:、|,|，|和|与|及|and|or|&|/)\s?(?:and |or )?"
    group = rf"(?<![A-Za-z])(?P<all>[{letters}](?:{joined}[{letters}]){{0,8}})(?![A-Za-z])"
    after = re.compile(
        rf"{group}\s?(?:三|两|几)?(?:项|选项|个)?[^，。；,.;\n]{{0,10}}?(?:错|不对|不正确|有误|排除|无关|不符|"
        rf"不成立|不可能|不合|(?i:\bare (?:all |both |clearly )?(?:wrong|incorrect|false|out)|\bis (?:clearly |"
        rf"also )?(?:wrong|incorrect|false|out|not)|\bcan(?:not| be ruled out| be eliminated)|\bcontradict))"
    )
    before = re.compile(
        rf"(?:排除|不选|不是|不可能是|(?i:rule out|eliminate|not|neither|none of|can't be|cannot be))\s?(?:选项|"
        rf"(?i:option )s?)?\s?{group}"
    )
    out: dict[str, int] = {}
    for pattern in (after, before):
        for found in pattern.finditer(text):
            for letter in re.findall(rf"[{letters}]", found["all"]):
                out[letter] = max(out.get(letter, 0), found.start())
    return out


# --- abstention --------------------------------------------------------------------------------------------

_NEVER_TOLD = re.compile(
    r"(?:没有?|未曾?|从未|不曾|没)(?:跟我|和我|向我|对我|给我|您|你|在对话中|在(?:之前|前面)的?(?:对话|聊天)中?|"
    r"具体)?(?:提到?过?及?|说(?!错)过?|告诉过?|讲过?|透露|给出|提供过?|聊到?过?|记录|说明|交代|涉及)|"
    r"没有(?:关于|相关|这方面|这个|这条|该|任何)[^，。]{0,12}(?:信息|记录|内容|资料)|无法(?:得知|确定|知道|确认|"
    r"回答|判断)|不(?:知道|清楚|记得|掌握|了解)|(?:信息|记录|对话|聊天)(?:里|中)[^，。]{0,6}(?:没有|未|不包含|"
    r"找不到)|[查找]不到|没有?[查找]到|(?:资料|档案|记录)[里中][^，。]{0,4}没有?|只(?:说|提|告诉)(?:我)?过|"
    r"尚未提供|没有[^，。]{0,8}(?:信息|记录)|缺少|\b(?:don't|do not) (?:believe|think|recall) you(?:'ve|"
    r" have)? (?:ever )?(?:told|tell|mention|said|say)|\bnothing in (?:our|the|this)\b|"
    r"\bno [a-z]{2,12}(?: [a-z]{2,12})? (?:was|were|has been|have been) (?:given|mentioned|provided|specified|"
    r"stated|told)\b|\bbut not (?:about|the|your)\b|\b(?:no [a-z]{2,12}|never|didn't|"
    r"not) (?:ever )?c[ao]me up\b|\bnot aware of\b|\bonly (?:told|mentioned|said|gave)\b|\bnothing (?:was|"
    r"has been) (?:said|mentioned)\b|\b(?:'ve|have|has) not (?:shared|said|told)\b|\b(?:don't|do not|didn't|"
    r"did not|doesn't|haven't|have not|hasn't|has not|hadn't|never|wasn't|weren't|isn't|not been|"
    r"no one) (?:actually |ever |yet |seem to |currently )?(?:have|know|mention|mentioned|told|tell|say|said|"
    r"give|given|gave|provide|provided|specify|specified|share|shared|state|stated|see|find|told me|include|"
    r"included|record|recorded|disclose|disclosed|discuss|discussed)\b|\bno (?:information|record|mention|"
    r"details?|data|idea)\b|\b(?:can't|cannot|can not|couldn't|unable to) (?:tell|say|find|determine|know|"
    r"answer|see)\b|\bnot (?:mentioned|given|provided|specified|stated|told|known|available|discussed)\b|"
    r"\bwas never\b|\bnot sure\b|\bunknown\b",
    re.IGNORECASE,
)
_THEN_ANSWERS = re.compile(
    r"[，,。]\s?(?:所以)?(?:应该|可能|大概|估计|多半)(?:就?[是叫在])|我猜|(?:但|不过|可是|\b(?:but|however|still|"
    r"though)\b)[^。\n]{0,20}?(?:应该[是叫在]|可能[是叫在]|大概[是叫]|估计[是叫]|猜|一定[是叫]|叫|\b(?:probably|"
    r"likely|i(?:'d)? guess|it(?:'s| is| was| must be)|i(?:'d)? assume|i think))",
    re.IGNORECASE,
)


def is_abstaining(plain: Plain) -> bool:
    """Return whether the reply says that the information was never given, and does not guess it all the same."""
    found = _NEVER_TOLD.search(plain.text)
    if found is None:
        return False
    return _THEN_ANSWERS.search(plain.text, found.end()) is None
