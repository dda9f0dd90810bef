"""Which of the departures in a reply it calls the last that will do, and which it calls too late."""

import re
from collections.abc import Sequence

from generator.scoring.read.context import Context
from generator.scoring.read.text import Clauses, Plain

_ASKS = re.compile(r"\b(?:last|latest)\b|末班|最后一班|最晚|最迟", re.IGNORECASE)
_LATER = re.compile(
    r"(?:\b(?:(?:the )?(?:next|following|subsequent|later)|(?:train|one|departure) after(?: (?:that|it|this))?|"
    r"after (?:that|it|which)|any later)\b[^.;:0-9]{0,40}|(?:再[晚往]|下一|(?<!最)后一|后面|之后|"
    r"接下来)[^。；;0-9]{0,16})$",
    re.IGNORECASE,
)
_TOO_LATE = re.compile(
    r"\btoo late\b|\bafter (?:the )?(?:sunset|sundown|dark|nightfall)\b|\b(?:already|be|is|gets) dark\b|"
    r"\b(?:won't|wouldn't|doesn't|does not|will not|can't|cannot) (?:get|arrive|make|be|reach|work|do)\b|"
    r"\b(?:miss(?:es)?|past|later than) (?:the )?sunset\b|\bafter the sun\b|\bonly (?:gets?|arrives?|pulls?)\b|"
    r"\bis (?:no good|out)\b|来不及|赶不上|才能?(?:到|抵达)|要?等到|太晚|晚了|迟了|(?:天|都)黑|日落(?:之|以)?后|"
    r"不行|不符合|[❌✗✘✖]",
    re.IGNORECASE,
)
_LAST = re.compile(r"\b(?:last|latest|final)\b[^.;!?]{0,80}$|(?:最后|最晚|最迟|末班)[^。；！？]{0,40}$", re.IGNORECASE)
_LAST_AFTER = re.compile(
    r"[^.;!?。；！？0-9]{0,24}(?:\b(?:at the latest|(?:is|as|that's) (?:the|your) (?:last|latest|final|best)|latest\b)|"
    r"(?:是|就是)最[后晚迟]|最[后晚迟]一[班趟])|\s?(?:train )?(?:the|your) (?:last|latest)\b",
    re.IGNORECASE,
)
_WORKED_OUT = re.compile(
    r"(?:=|\bpossible\b[^.;]{0,24}|\bbefore|之前|以前|日落[^。，]{0,6}|\bsunset\b[^.;,]{0,8})\s?$", re.IGNORECASE
)
# "Anything after the 16:17 is too late" names the last one that is not.
_BEYOND = re.compile(
    r"\b(?:anything|everything|any(?: other)?(?: train)?|(?:all )?(?:the )?(?:other )?trains|what (?:leaves|"
    r"comes)) (?:that leaves? )?"
    r"(?:after|later than|past) (?:the )?$",
    re.IGNORECASE,
)
_BEYOND_AFTER = re.compile(r"(?:那[班趟])?(?:之后|以后|往后)的?(?:车|班次)?(?:都|就|全)")
_BEFORE_IT = re.compile(r"\s?(?:之前|以前|前|日落)")
_REACH = 120


def asks_latest(ask: str) -> bool:
    """Return whether a question asks for the last of several departures."""
    return _ASKS.search(ask) is not None


def keep_latest(
    plain: Plain, contexts: list[Context[str]], roles: Sequence[str], departures: Sequence[str]
) -> list[Context[str]]:
    """Return the times that may be the last departure: those called the last, else all that are not called too late.

    `roles` says what each time is; "" and "depart" may be departures.
    """
    clauses = Clauses(plain.text)
    ways = [c for c, role in zip(contexts, roles, strict=True) if role in ("", "depart")]
    if departures:
        ways = [c for c in ways if c.value in departures] or ways
    left = [
        c
        for index, c in enumerate(ways)
        if not _is_too_late(plain.text, clauses, c, ways[index + 1] if index + 1 < len(ways) else None)
    ]
    left = left or ways
    named = [c for c in left if not c.is_dropped and _is_last(c)]
    return named or left or contexts


def _is_last(context: Context[str]) -> bool:
    if _WORKED_OUT.search(context.before) or _BEFORE_IT.match(context.after):
        return False
    return bool(_is_limit(context) or _LAST.search(context.lead) or _LAST_AFTER.match(context.after))


def _is_limit(context: Context[str]) -> bool:
    return bool(_BEYOND.search(context.before) or _BEYOND_AFTER.match(context.after))


def _is_too_late(text: str, clauses: Clauses, context: Context[str], following: Context[str] | None) -> bool:
    """Return whether the words up to the next departure, or those before it, say that this one will not do."""
    start, end = context.mention.start, context.mention.end
    if _is_limit(context):
        return False
    if _LATER.search(text[max(clauses.sentence(start)[0], start - 48) : start]):
        return True
    stop = min(
        clauses.sentence(max(start, end - 1))[1], end + _REACH, following.mention.start if following else len(text)
    )
    return _TOO_LATE.search(text[end:stop]) is not None
