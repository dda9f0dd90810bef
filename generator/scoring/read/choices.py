"""An option letter, and whether a reply abstains."""

import re

from generator.scoring.read.text import Plain

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
