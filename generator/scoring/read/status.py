"""Whether there is a reply to grade at all."""

import re

from generator.scoring.read.text import clean_reply

_REFUSAL = re.compile(
    r"(?:无法|不能|没办法|没法|不可以|不便|难以|恕难|拒绝)(?:为您|为你|帮您|帮你|给您|再|继续|直接|协助您?|满足您?|"
    r"提供这)?(?:继续|完成|协助|帮助|回答|处理|提供|满足|执行|参与|从命|讨论|支持)"
    r"[^，。]{0,10}(?:请求|要求|问题|任务|对话|内容|话题|帮助|协助|信息|服务|您|你|$|[，。！!])|"
    r"(?:无法|不能)(?:帮助|协助)(?:您|你)|(?:无法|不能|没法)帮(?:您|你)做?[这此那]|帮不了(?:您|你)|(?:我)?(?:必须|"
    r"不得不|只能)(?:礼貌地)?拒绝|恕(?:我)?(?:难从命|无法)|作为(?:一个)?(?:AI|人工智能|"
    r"语言模型)[^。]{0,20}(?:不能|无法)|"
    r"(?<!you )\b(?:can't|cannot|can not|won't|unable to|not able to|not going to|won't be able to) (?:help|assist|"
    r"do that|"
    r"comply|fulfil?l|complete|provide|share|answer|continue|"
    r"support|engage|discuss|participate|be of help)\b|\b(?:i|we) (?:must|have to|need to) (?:decline|refuse)\b|"
    r"\bi(?:'d| would)? (?:must )?(?:decline|refuse) to\b|"
    r"\bi (?:will not|won't) (?:do|help|assist|answer|provide|write)\b|\bagainst (?:my|our) (?:policy|"
    r"guidelines)\b|\bas an ai\b[^.]{0,30}\b(?:can't|cannot|unable|not able)\b|"
    r"\bi'm not comfortable\b",
    re.IGNORECASE,
)
_FILTERED = ("content_filter", "safety", "refusal", "prohibited_content", "recitation", "blocklist")
_BROKEN = (
    "error",
    "network_error",
    "abort",
    "cancelled",
    "failed",
    "malformed_function_call",
    "insufficient_system_resource",
)
# A refusal says little else: a long answer that cannot do one part of a task is still an answer.
_LONGEST_REFUSAL = 400


def read_status(
    text: str | None,
    *,
    finish_reason: str = "",
    refusal: str | None = None,
    error: object = None,
    reasoning: str | None = None,
) -> str:
    """Return "ok", "empty", "refusal", "truncated" or "error" for one reply.

    Args:
        text: What the endpoint returned as content; None counts as empty.
        finish_reason: As the endpoint gave it, "" if unknown.
        refusal: The refusal field of the message.
        error: An error object inside the choice.
        reasoning: The reasoning field: with no content, a reply cut inside it is truncated, not empty.
    """
    reason = finish_reason.lower()
    graded = clean_reply(text or "")
    if error or reason in _BROKEN:
        return "error"
    if refusal or reason in _FILTERED:
        return "refusal"
    if reason in ("length", "max_tokens", "max_output_tokens"):
        return "truncated"
    if not graded.strip(" \t\n.…-_*`\"'。"):
        return "truncated" if reasoning and not reason else "empty"
    if len(graded) <= _LONGEST_REFUSAL and _is_refusal(graded):
        return "refusal"
    return "ok"


def _is_refusal(text: str) -> bool:
    """Return whether the reply refuses and then gives nothing: an apology alone, or before an answer, is none."""
    found = _REFUSAL.search(text.replace("’", "'"))
    if found is None:
        return False
    rest = text[found.end() :]
    # Who lacks a fact abstains; who will not say it refuses.
    if re.search(r"因为您没|您(?:还)?没有?(?:告诉|提供|说)|\byou (?:haven't|didn't|never)\b", text, re.IGNORECASE):
        return False
    return found.start() < 120 and not re.search(
        r"(?:不过|但是?|\b(?:but|however|instead)\b)[^。.]{0,30}(?:\d|已|是|有|可以|here|is)", rest, re.IGNORECASE
    )
