"""Sums of money: which of the prices in a reply answers the question."""

import re
from decimal import Decimal

from generator.scoring.read.context import Context, keep_committed, look_around, settle
from generator.scoring.read.money import ROLES, find_amounts, last_role
from generator.scoring.read.numbers import read_boxed
from generator.scoring.read.text import Clauses, Plain

# In order: the first that fits a question is what it asks for.
_ROLE_AFTER = re.compile(
    r"^\s{0,2}(?:的|是|为|\(|for the |as (?:a |the )?|in |is the |as )?\s{0,2}(?:"
    + "|".join(
        f"(?P<{name}>{ROLES[name]})"
        for name in ("deposit", "down", "balance", "refund", "discount", "fee", "per", "total")
    )
    + r"|(?P<extra>\b(?:more|extra|on top)\b))",
    re.IGNORECASE,
)
_PER_AFTER = re.compile(rf"^\s{{0,2}}(?:{ROLES['per']})", re.IGNORECASE)
_TOTAL_AFTER = re.compile(r"\b(?:in total|altogether|in all|all in|all told|total)\b", re.IGNORECASE)
_ASKS_TOTAL = re.compile(
    r"总|合计|一共|共计|应付|价|费用|多少钱|\b(?:total|price|cost|fare|amount|how much|pay|bill)\b", re.IGNORECASE
)
_HISTORY_ASKED = re.compile(r"原价|原来|之前|original|previous|old ", re.IGNORECASE)

_OPERATOR_AFTER = re.compile(
    r"^\s{0,3}(?:(?:/|每|per )\s?[一-龥a-z]{1,6}\s{0,2})?(?:[一-龥]\s{0,2})?[+×*÷·xX−]\s{0,3}[\d¥$£€一-龥(]|"
    r"^\s{0,3}[-–/]\s{0,3}[¥$£€]?[\d][\d,.]{0,12}\s?[元]?\s{0,3}="
)
_OPERATOR_FIRST = re.compile(
    r"\s{0,2}(?:(?:[/每]|per )\s?[一-龥a-z]{1,6}\s{0,2}|each\s|"
    r"[人位张晚天间件份]\s?)?[+×*÷=xX−]"
)
# What an equation, or a price less its discount, comes to.
_RESULT = re.compile(
    r"(?:=\s*\S?|\b(?:less|minus|off)\b[^.;]{0,24}\b(?:is|makes|leaves|gives)|"
    r"折(?:扣|之|以)?后?(?:就?是|为|只[需要]|要|需要?付?)|"
    r"\bdiscount\b[^.;]{0,40}\b(?:it's|it is|that's|that is|comes? to|you(?:'d| would|'ll| will)? pay))\s*$",
    re.IGNORECASE,
)
# "总价从3000元降到2580元": the second value is what the first one was.
_CHANGED_TO = re.compile(r"\s?(?:[一-龥]{1,3}(?:到|至|为|成)|→|->|to)\s?$", re.IGNORECASE)
_SAME_AGAIN = re.compile(r"^\W*(?:i\.?\s?e\.?|即|也就是|亦即|折合|相当于|that is|or)\W*$", re.IGNORECASE)
_FREE = re.compile(
    r"免费(?!取消|停车|早餐|接送|接机|WIFI|无线|改签|退|咨询|热线|电话|寄存|试|客服|续|升|观看|参观时间)|不收费|"
    r"不(?:会)?收取?任何费用|"
    r"不要钱|分文不取|不需要支付任?何?费?|"
    r"无需(?:支付|付费|付款|缴费)|不用(?:付|花)钱|零费用|"
    r"\b(?:free of charge|no charge|no fees?|at no cost|nothing to pay|won't cost (?:you )?anything|complimentary|"
    r"costs? nothing|"
    r"(?:is|are|it's|that's|entirely|completely|totally) free)\b(?! to | of (?!charge))",
    re.IGNORECASE,
)


def read_amount(plain: Plain, ask: str, currency: str | None, *, use_middle: bool) -> Decimal | None:
    """Return the sum that answers `ask`, in the main unit of `currency`; None if the reply commits to none.

    Values of another currency, parts, bounds, old and denied prices never count; "free" is 0 if no price stands.
    """
    if plain.boxed is not None and (boxed := read_boxed(plain.boxed)) is not None:
        return boxed
    role, words = _classify(ask)
    mentions = find_amounts(plain.text, currency, words, use_middle=use_middle)
    contexts = look_around(plain, mentions, allow_history=bool(_HISTORY_ASKED.search(ask)))
    roles = _assign_roles(contexts)

    def fits(context: Context[Decimal]) -> bool:
        return roles[id(context)] == role or any(word in (context.before + context.after).lower() for word in words)

    kept = keep_committed(plain, contexts, lambda c: fits(c) or roles[id(c)] == "")
    operands = {id(c) for c in kept if _OPERATOR_AFTER.match(c.after) or re.search(r"[0-9]\s?[x×*]\s?$", c.before)}
    firm = [c for c in kept if id(c) not in operands]
    matched = [c for c in firm if fits(c)]
    if matched:
        return _choose(matched, is_total=role == "total")
    loose = [c for c in firm if roles[id(c)] == ""]
    if whole := _of_parts(loose):
        return whole
    if loose or any(roles[id(c)] for c in firm):
        return settle(loose) if len({c.value for c in loose}) == 1 else _settle_concluded(loose)
    return Decimal(0) if not kept and _is_free(plain.text) else None


def _choose(matched: list[Context[Decimal]], *, is_total: bool) -> Decimal | None:
    """Return the last of the fitting values; of totals, an estimate does not undo a sum stated before."""
    stated = [c for c in matched if c.value is not None]
    if not stated:
        return None
    if is_total:
        whole = [c for c in stated if not c.is_listed and not re.search(r"其中|包括|including|of which", c.story)]
        grand = [
            c
            for c in whole or stated
            if re.search(r"总|合计|应付|实付|total|altogether|in all", c.before + c.after[:14])
        ]
        return _of_parts(grand or whole) or (grand or whole or stated)[-1].value
    return settle(stated)


def _of_parts(totals: list[Context[Decimal]]) -> Decimal | None:
    """Return the total of several that the others, totals of parts, add up to; None if there is none."""
    values = [c.value for c in totals if c.value is not None]
    top = max(values, default=None)
    parts = [value for value in values if value != top]
    return top if len(parts) > 1 and top in (sum(parts), sum(set(parts))) else None


def _settle_concluded(loose: list[Context[Decimal]]) -> Decimal | None:
    """Return the value of several unlabelled ones that a concluding word or emphasis singles out."""
    concluded = [
        c for c in loose if re.search(r"所以|因此|最终|最后|现价|\b(?:so|therefore|thus|hence)\b", c.story, re.I)
    ]
    if concluded:
        return concluded[-1].value
    results = [c for c in loose if _RESULT.search(c.before)]
    sums = [c for c in results if re.search(r"\+[^=]*=\s*\S?\s*$", c.lead)]
    if sums or len(results) == 1:
        return (sums or results)[-1].value
    bold = {c.value for c in loose if c.is_bold}
    return bold.pop() if len(bold) == 1 else None


def _classify(ask: str) -> tuple[str, list[str]]:
    """Return the role a question asks for, and its own words where it names none of the known roles."""
    for name, words in ROLES.items():
        if name not in ("part", "total", "extra") and re.search(words, ask, re.IGNORECASE):
            return name, []
    generic = not ask or _ASKS_TOTAL.search(ask)
    if ask.isascii():
        noise = "the total price cost amount of for how much is a in to fare sum pay bill what overall"
        own = [word for word in re.findall(r"[a-z]{3,}", ask.lower()) if word not in noise.split()]
    else:
        own = [word for word in re.split(r"总价|价格|总|费用|金额|多少钱|的|合计|一共", ask) if len(word) > 1]
    return ("total" if generic else "own"), own


def _assign_roles(contexts: list[Context[Decimal]]) -> dict[int, str]:
    """Return the role of each value by its context's id; the result of a sum has the label the sum began with."""
    roles: dict[int, str] = {}
    previous, label, is_sum = "", "", False
    for context in contexts:
        before, role = context.before, _role_of(context)
        if _OPERATOR_FIRST.match(before):
            is_sum = is_sum or "+" in before
            if role in ("", "per", "part") and re.search(r"=\s*$", before):
                role = "" if is_sum and label in ("part", "fee", "per", "extra") else label
        else:
            label, is_sum = last_role(before), False
            role = "" if role in ("per", "part") and re.search(r"=\s*$", before) else role
            if (not role and _SAME_AGAIN.match(before)) or (label == "" and _CHANGED_TO.match(before)):
                role = previous
        roles[id(context)] = previous = role
    return roles


def _role_of(context: Context[Decimal]) -> str:
    if _PER_AFTER.match(context.after):
        return "per"
    after = _ROLE_AFTER.match(context.after)
    if after and after.lastgroup:
        return after.lastgroup
    before = last_role(context.before)
    if before in ("discount", "per") and _RESULT.search(context.before):
        return ""
    if before and before != "part":
        return before
    if _TOTAL_AFTER.search(context.after[:40]) or re.search(r"\bcomes? to\b", context.before):
        return "total"
    return before


def _is_free(text: str) -> bool:
    clauses = Clauses(text)
    for found in _FREE.finditer(text):
        begin = clauses.clause(found.start())[0]
        lead = text[max(begin, found.start() - 40) : found.start()]
        if not re.search(
            r"不|非|\bnot\b|n't|儿童|婴儿|小孩|under-|child|infant|停车|早餐|parking|breakfast|wi-?fi|如果|若|\bif\b",
            lead,
            re.I,
        ):
            return True
    return False
