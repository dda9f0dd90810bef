"""Sums of money in running text, and the words that say what a sum is."""

import re
from decimal import Decimal

from generator.language.numerals import parse_en, parse_zh
from generator.scoring.read.context import Mention
from generator.scoring.read.numbers import Number, find_numbers, is_range, join_range

_PREFIX = re.compile(
    r"(?:(?P<CNY>¥|\b(?:RMB|CNY)|人民币)|(?P<HKD>HK\$|\bHKD|港币)|(?P<USD>\bUS\$|\bUSD|\$|美元)|(?P<GBP>£|\bGBP|"
    r"英镑)|(?P<EUR>€|\bEUR|欧元))"
    r"[\s:：]{0,2}$",
    re.IGNORECASE,
)
_SUFFIX = re.compile(
    r"[\s(]{0,2}(?:(?P<USD>美元|美金|美刀|(?:US )?dollars?\b|USD\b|bucks\b)|(?P<GBP>英镑|pounds?\b(?! of| weight)|"
    r"quid\b|GBP\b)|"
    r"(?P<EUR>欧元|euros?\b|EUR\b|€)|(?P<HKD>港[元币]|HKD\b)|(?P<JPY>日元|yen\b|JPY\b)|"
    r"(?P<CNY>人民币|[元圆](?!旦)|块钱|块(?![地砖板牌蛋屏])|RMB\b|CNY\b|yuan\b))(?:钱|整)?",
    re.IGNORECASE,
)
_CENTS = re.compile(r"\s{0,2}(?P<tenth>[角毛](?:钱)?)|\s{0,2}(?P<penny>pence\b|p\b|cents?\b)", re.IGNORECASE)
_DIGIT = "[0-9零一二两三四五六七八九壹贰叁肆伍陆柒捌玖]"
_AFTER_YUAN = re.compile(
    rf"(?:零?(?P<jiao>{_DIGIT})[角毛])?(?:零?(?P<fen>{_DIGIT})(?:分|"
    rf"(?<=[角毛]{_DIGIT})(?![0-9A-Za-z一-龥.])))?(?:钱|整)?"
)
_SPOKEN_TENTH = re.compile(rf"({_DIGIT})(?:钱|(?![0-9A-Za-z.个位人名张件天晚次间份套角分年月日号点十百千万多几两]))")
_AND_CENTS = re.compile(
    r" (?:and )?([0-9]{1,2}|(?:ten|twenty|thirty|forty|fifty|sixty|seventy|eighty|ninety)(?:-[a-z]{3,5})?)"
    r"(?: (?:pence|cents?|p)\b|(?=[,.;!?)]|\s?$))"
)
ROLES = {
    "old": r"原价|原来的?价|划线价|市场价|\b(?:original price|list price|full price|rrp)\b",
    "deposit": r"押金|定金|订金|保证金|预付|\bdeposit\b|\bprepay\w*",
    "down": r"首付|头款|\bdown[- ]payment\b",
    "balance": r"尾款|余款|还差|剩余|剩下|欠款|\b(?:balance|remaining|remainder|outstanding)\b",
    "change": r"找零|找回|找您|找你|\bchange (?:due|back|is|of)|\bchange\b$",
    "refund": r"退款|退还|退回|\brefund\w*",
    "discount": r"优惠(?!后|价)了?|折扣(?!后|价)|减免(?!后)|立减|(?<!不)便宜了?|省下?了?|降了|降价|\b(?:discount|"
    r"sav(?:e|"
    r"es|ing|ings)|cheaper|off)\b",
    "fee": r"手续费|服务费|运费|邮费|配送费|税费|税金|保险费|餐费|停车费|小费|\b(?:service charge|shipping|"
    r"delivery|postage|tip|tax|vat|"
    r"booking fee|parking|insurance)\b",
    "extra": r"再[多加付补交]|另[加付收]|额外|加收|补差价?|\b(?:extra|additional|surcharge|supplement|add-on)\b",
    "per": r"人均|每[一]?(?:人|位|张|晚|天|夜|间|件|份|个|小时|月|年|本|套|公斤|斤|平米|平方|名|盒|瓶|箱|只|台)|"
    r"单价|一[张位晚]|"
    r"/\s?(?:人|位|张|晚|天|间|件|份|个|小时|月|本|套|night|person|day|head|hour|month|ticket|unit)|"
    r"\b(?:per|each|a head|apiece|a piece|unit price|a night|a person|every)\b",
    "total": r"总价|总额|总计|总共|总费用|总金额|总预算|总造价|总[的]?(?:报价|花费|价格|票价|房费|款|开支|支出|共)|"
    r"合计|共计|一共|应付|实付|全部|"
    r"加起来|(?<![公总一合])共(?![享有])|总数|"
    r"\b(?:(?:everything|all) together|add(?:s|ing|ed)? (?:\w+ ){0,2}(?:up|together)|total|altogether|in all|"
    r"all in|all told|overall|grand total|sum|"
    r"amounts? to|"
    r"comes? to|come to|makes|owes?)\b",
    "part": r"小计|其中|\bof which\b|包括|明细|儿童|成人|学生|老人|单程|套餐|早餐|停车|门票|\b(?:single|return|adults?|"
    r"child(?:ren)?|students?|seniors?|"
    r"early bird|regular|subtotal|breakdown|including|includes|standard|first class)\b",
}
_ROLE = re.compile("|".join(f"(?P<{name}>{words})" for name, words in ROLES.items()), re.IGNORECASE)
_COPULA = re.compile(
    r"(?:是|为|要|约|=|:|：|需|达|到|共|计|款|价|额|费|金|薪|差|零|付|\b(?:is|of|at|to|are|was|be|pay|total|costs?|"
    r"roughly|about|around|makes|owes))"
    r"\s{0,3}(?:大概|大约|约|只要|仅|about|around|roughly|just|only|:|：|=|≈|\(|\"|')?\s{0,3}$",
    re.IGNORECASE,
)
_NOT_MONEY_AFTER = re.compile(
    r"[ \t]?(?:[%％折号次班年月日点时分秒人位名张件个间晚天夜楼层室米岁度倍套份盒瓶周站台辆步站趟袋包斤克]|公里|"
    r"千米|公斤|小时|平|分钟|[:：/][0-9]|"
    r"-[0-9]|(?!in (?:total|all)|all|altogether|incl|including|for|as|so|and|plus|which|before|after|or|net|gross|"
    r"is|was|if|with|per|each|"
    r"at|on|but|due|today|now)[a-zA-Z]{2,})",
    re.IGNORECASE,
)
_PLAIN_BIG = re.compile(r"[一二两三四五六七八九十]{1,6}[百千万].*|[0-9.]+[万wWkK][0-9]?.*|[0-9]千[0-9]")


def last_role(text: str) -> str:
    """Return the role named nearest before a value; a total outranks what it is a total of."""
    names = [m.lastgroup or "" for m in _ROLE.finditer(text)]
    if "total" in names and names[-1] in ("part", "extra", "fee", "per"):
        return "total"
    return names[-1] if names else ""


def find_amounts(text: str, currency: str | None, words: list[str], *, use_middle: bool) -> list[Mention[Decimal]]:
    """Return the sums of money in `currency` or in none said, ranges joined."""
    found: list[Mention[Decimal]] = []
    numbers = list(find_numbers(text))
    end = 0
    for index, number in enumerate(numbers):
        if number.start < end:
            continue
        following = numbers[index + 1] if index + 1 < len(numbers) else None
        mention = _read_money(text, number, following, words)
        if mention is None and found and is_range(text, found[-1].end, number.start, found[-1].start):
            # £50–60: the sign stands only before the first of the two
            mention = Mention(number.value, number.start, number.end, found[-1].unit)
        if mention is None or (mention.unit and currency and mention.unit != currency):
            continue
        end = mention.end
        if (
            found
            and is_range(text, found[-1].end, mention.start, found[-1].start)
            and not text[end : end + 3].strip().startswith("=")
        ):
            found[-1] = join_range(found[-1], mention, use_middle=use_middle)
        else:
            found.append(mention)
    return found


def _read_money(text: str, number: Number, following: Number | None, words: list[str]) -> Mention[Decimal] | None:
    """Return a number as money: with a sign or unit, in a range with one that has it, or bare after a label."""
    prefix = _PREFIX.search(text[max(0, number.start - 5) : number.start])
    start = number.start - (len(prefix[0]) if prefix else 0)
    suffix = _SUFFIX.match(text, number.end)
    if suffix:
        value, end = _add_cents(text, number.value, suffix.end(), suffix.lastgroup or "")
        return Mention(value, start, end, suffix.lastgroup or "")
    if prefix:
        millions = re.compile(r"\s?m(?![a-zA-Z0-9])").match(text, number.end)
        value = number.value * 1_000_000 if millions and number.value is not None else number.value
        return Mention(value, start, millions.end() if millions else number.end, prefix.lastgroup or "")
    if (cents := _CENTS.match(text, number.end)) and number.value is not None:
        return Mention(number.value / (10 if cents["tenth"] else 100), start, cents.end())
    if following and is_range(text, number.end, following.start, number.start):
        is_money = _SUFFIX.match(text, following.end) or _is_bare_money(text, following, words)
        return (
            Mention(number.value, start, number.end)
            if is_money and not re.match(r"\s?=", text[following.end : following.end + 2])
            else None
        )
    return Mention(number.value, start, number.end) if _is_bare_money(text, number, words) else None


def _add_cents(text: str, value: Decimal | None, end: int, unit: str) -> tuple[Decimal | None, int]:
    """Return the value with its smaller units added: 七元六角五分, 八块五, 12 pounds 50."""
    if value is None:
        return None, end
    parts = _AFTER_YUAN.match(text, end)
    if unit == "CNY" and parts and (parts["jiao"] or parts["fen"]):
        return value + _digit(parts["jiao"]) / 10 + _digit(parts["fen"]) / 100, parts.end()
    if unit == "CNY" and text[end - 1] in "块元" and (tenth := _SPOKEN_TENTH.match(text, end)):
        return value + _digit(tenth[1]) / 10, tenth.end()
    if unit in ("USD", "GBP", "EUR") and (cents := _AND_CENTS.match(text, end)):
        return value + (parse_en(cents[1]) or Decimal(0)) / 100, cents.end()
    return value, end


def _digit(char: str | None) -> Decimal:
    return (parse_zh(char) if char else None) or Decimal(0)


def _is_bare_money(text: str, number: Number, words: list[str]) -> bool:
    """Return whether a number without any currency can be a sum: after a label, as a big spoken one, or alone."""
    if _NOT_MONEY_AFTER.match(text, number.end):
        return False
    before = text[max(0, number.start - 30) : number.start]
    if re.search(
        r"(?:[第#№]|号|[A-Za-z0-9]-)\s?$|(?:号码?|编号|电话|热线|拨打|order|no\.?|room|flight)[^，。,\n]{0,8}$",
        before,
        re.I,
    ):
        return False
    if not text[: number.start].strip(" \n\"'(:：") and not text[number.end : number.end + 12].strip(" \n.。)\"'！!"):
        return True
    if _PLAIN_BIG.fullmatch(number.raw) or re.search(r"[+×*xX]\s?[0-9.,]{1,12}[^0-9=，。,\n]{0,4}=\s?$", before):
        return True
    clause = re.split(r"[，。；\n]|, ", before.rstrip())[-1]
    labelled = last_role(clause) not in ("", "part") or any(word in clause.lower() for word in words)
    labelled = (
        labelled or re.search(r"价|费|薪|答案|结果|\b(?:answer|price|cost|fare|fee|amount)", clause, re.I) is not None
    )
    return labelled and _COPULA.search(clause) is not None
