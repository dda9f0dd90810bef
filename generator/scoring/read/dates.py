"""Calendar dates, absolute and relative to the day on which they are said."""

import calendar
import re
from datetime import date, timedelta

from generator.language.numerals import parse_en, parse_zh
from generator.scoring.read.context import Context, Mention, keep_committed, look_around, settle
from generator.scoring.read.numbers import is_range
from generator.scoring.read.text import Plain

_N = "[0-9零〇一二三四五六七八九十两]"
_MONTHS = ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"]
_MONTH = (
    r"(?:jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?|oct(?:ober)?|"
    r"nov(?:ember)?|dec(?:ember)?)\b\.?"
)
_WEEKDAYS = ["mon", "tue", "wed", "thu", "fri", "sat", "sun"]
_WEEKDAY = (
    r"(?:mon(?:day)?|tue(?:s(?:day)?)?|wed(?:nesday)?|thu(?:r(?:s(?:day)?)?)?|fri(?:day)?|"
    r"sat(?:urday)?|sun(?:day)?)\b\.?"
)
_RELATIVE = {
    "大前天": -3,
    "前天": -2,
    "昨天": -1,
    "昨日": -1,
    "昨晚": -1,
    "今天": 0,
    "今日": 0,
    "今晚": 0,
    "今早": 0,
    "明天": 1,
    "明日": 1,
    "明晚": 1,
    "明早": 1,
    "大后天": 3,
    "后天": 2,
    "后日": 2,
    "the day before yesterday": -2,
    "the day after tomorrow": 2,
    "day after tomorrow": 2,
    "yesterday": -1,
    "today": 0,
    "tonight": 0,
    "tomorrow": 1,
}
_RELATIVE_WORDS = "|".join(sorted(_RELATIVE, key=len, reverse=True))
_FIND = re.compile(
    rf"(?<![0-9])(?P<y>[0-9]{{4}})\s?[-/.年]\s?(?P<m>[0-9]{{1,2}})\s?[-/.月]\s?(?P<d>[0-9]{{1,2}})(?![0-9])[日号]?"
    rf"|(?P<zy>[零〇一二三四五六七八九]{{4}})年(?P<zym>{_N}{{1,3}})月(?P<zyd>{_N}{{1,3}})[日号]?"
    rf"|(?P<when>本|这个?|当|下个?|上个?|次)月(?:(?P<rel_d>{_N}{{1,3}})[日号]|(?P<last>的?(?:最后一[天日]|月?底|"
    rf"末))|(?P<first>的?(?:第一天|月?初一?)))"
    rf"|(?P<zrel>去年|前年|明年|后年)?的?(?<!{_N})(?P<zm>{_N}{{1,3}})月(?:份的?)?(?:(?P<zd>{_N}{{1,3}})(?:[日号]|"
    rf"(?!{_N}|[个天]))|(?P<zlast>底|最后一天))"
    rf"|(?P<monthend>月底|月末)"
    rf"|(?<![0-9])(?P<n1>[0-9]{{1,2}})[/.-](?P<n2>[0-9]{{1,2}})[/.-](?P<n3>[0-9]{{4}})(?![0-9])"
    rf"|(?P<week>下下|这个?|本|下个?|上个?|上上)?(?:周|星期|礼拜)(?P<wd>[一二三四五六日天])(?!年)"
    rf"|(?P<word>{_RELATIVE_WORDS})"
    rf"|(?P<num>{_N}{{1,3}})(?P<unit>天|日|个?星期|周|个?礼拜)(?:之|以)?(?P<dir>后|前)(?!的\S前)"
    rf"|(?P<mon1>{_MONTH})\s?(?:the )?(?P<day1>[0-9]{{1,2}})(?:st|nd|rd|th)?\b(?!:)(?:,?\s(?P<year1>[0-9]{{4}})\b)?"
    rf"|\b(?P<day2>[0-9]{{1,2}})(?:st|nd|rd|th)?\s(?:of )?(?P<mon2>{_MONTH})(?:,?\s(?P<year2>[0-9]{{4}})\b)?"
    rf"|\bthe (?P<day3>[0-9]{{1,2}})(?:st|nd|rd|th)\b(?! (?:floor|century|time|birthday|of (?!the month)))"
    rf"|\b(?:(?P<ewhen>next|this|last|coming|on|the following)\s)?(?P<ewd>{_WEEKDAY})(?P<wknext> (?:week|"
    rf"after next)\b)?"
    rf"|\b(?:the )?(?:end|last day) of (?P<emonth>{_MONTH})"
    r"|(?<![0-9号:])(?<![号:] )(?P<cy>20[0-9]{2})(?P<cm>0[1-9]|1[0-2])(?P<cd>[0-3][0-9])(?![0-9])"
    r"|(?<![0-9/])(?P<sm>1[0-2]|0?[1-9])/(?P<sd>1[3-9]|2[0-9]|3[01])(?![0-9/])"
    r"|\bin (?P<en>[a-z-]{1,12}|[0-9]{1,3}) (?P<eunit>days?|weeks?)\b(?! time\w)"
    r"|\b(?P<en2>[a-z-]{1,12}|[0-9]{1,3}) (?P<eunit2>days?|weeks?) (?P<edir>from (?:now|today)|later|ago)\b"
    r"|\b(?:the )?(?P<elast>last day of|end of) (?P<ewhich>the|this|next) month\b"
    rf"|(?<!{_N})(?<![月第])(?P<only>{_N}{{1,3}})号(?![楼线车厅店桌房院口门出站仓馆码])",
    re.IGNORECASE,
)


def read_date(plain: Plain, ask: str, today: str | None, locale: str, week: str) -> str | None:
    """Return the date "YYYY-MM-DD" that a reply settles on; None for none, or if day and month cannot be told apart.

    Args:
        plain: The reply.
        ask: What is asked; its words pick among several dates.
        today: The day the reply is given on; without it relative words have no date.
        locale: "en-GB" reads 03/04 as 3 April, "en-US" as 4 March, "" not at all.
        week: "this", "next" or "last": the week in which a bare weekday lies, "" for the next such day.
    """
    base = date.fromisoformat(today) if today else None
    mentions = _find_dates(plain.text, base, locale, week)
    contexts = look_around(
        plain, mentions, allow_bounds=True, allow_history=bool(re.search(r"原|之前|original|previous", ask))
    )
    words = _ask_words(ask)

    def fit(context: Context[str]) -> int:
        return sum(2 * (word in context.clause.lower()) + (word in context.story.lower()) for word in words)

    best = max((fit(c) for c in contexts if not c.is_dropped and c.value), default=0)
    kept = [c for c in keep_committed(plain, contexts, lambda c: fit(c) >= min(best, 1)) if not _is_cancelled(c)]
    best = max((fit(c) for c in kept), default=0)
    return settle([c for c in kept if fit(c) == best])


def _is_cancelled(context: Context[str]) -> bool:
    return bool(re.search(r"取消|作废|\bcancell?ed\b", context.after))


def _ask_words(ask: str) -> list[str]:
    if ask.isascii():
        return [
            w for w in re.findall(r"[a-z]{3,}", ask.lower()) if w not in ("date", "day", "the", "for", "what", "when")
        ]
    text = re.sub(r"日期|时间|的|哪天|几号", "", ask)
    return [text[i : i + 2] for i in range(len(text) - 1)] or ([text] if text else [])


def _find_dates(text: str, base: date | None, locale: str, week: str) -> list[Mention[str]]:
    found: list[Mention[str]] = []
    for match in _FIND.finditer(text):
        try:
            value = _resolve(match, base, locale, week)
        except (ValueError, OverflowError):
            continue
        if value is _SKIP:
            continue
        mention = Mention(
            value.isoformat() if value else None, match.start(), match.end(), "weekday" if _is_weekday(match) else ""
        )
        if found and is_range(text, found[-1].end, mention.start, found[-1].start):
            found[-1] = Mention(None, found[-1].start, mention.end)
        elif found and _is_gloss(text, found[-1], mention):
            # 10月16日（周四） and Saturday the 18th are one date; the weekday only confirms it.
            exact = found[-1] if mention.unit else mention
            found[-1] = Mention(exact.value, found[-1].start, mention.end, exact.unit)
        else:
            found.append(mention)
    return found


def _is_weekday(match: re.Match[str]) -> bool:
    return bool(match["wd"] or match["ewd"])


def _is_gloss(text: str, earlier: Mention[str], later: Mention[str]) -> bool:
    if bool(earlier.unit) == bool(later.unit):
        return False
    between = text[earlier.end : later.start]
    return (
        len(between) <= 8
        and re.fullmatch(r"[\s,，(（、]*(?:也就是|即|the)?[\s,，:：]*", between, re.IGNORECASE) is not None
    )


# No date at all, as against one that cannot be told.
_SKIP = date.min


def _resolve(match: re.Match[str], base: date | None, locale: str, week: str) -> date | None:
    if match["y"]:
        return date(int(match["y"]), int(match["m"]), int(match["d"]))
    if match["zy"]:
        return date(_zh(match["zy"]), _zh(match["zym"]), _zh(match["zyd"]))
    if match["n1"]:
        return _read_numeric(int(match["n1"]), int(match["n2"]), int(match["n3"]), locale)
    if match["cy"]:
        return date(int(match["cy"]), int(match["cm"]), int(match["cd"]))
    if (named := _read_named_month(match, base)) is not None:
        return named
    if base is None:
        return None
    if match["zm"]:
        month = _zh(match["zm"])
        if match["zrel"]:
            year = base.year + {"前年": -2, "去年": -1, "明年": 1, "后年": 2}[match["zrel"]]
            return _month_end(year, month) if match["zlast"] else date(year, month, _zh(match["zd"]))
        return _month_end(base.year, month) if match["zlast"] else _in_year(base, month, _zh(match["zd"]))
    if match["sm"]:
        return _in_year(base, int(match["sm"]), int(match["sd"]))
    if match["emonth"]:
        return _month_end(base.year, _MONTHS.index(match["emonth"][:3].lower()) + 1)
    if match["when"] or match["monthend"] or match["elast"]:
        return _read_month_part(match, base)
    if match["wd"]:
        return _on_weekday(base, "一二三四五六日".find(match["wd"].replace("天", "日")), match["week"] or "", week)
    if match["ewd"]:
        return _read_english_weekday(match, base, week)
    if match["word"]:
        return base + timedelta(_RELATIVE[match["word"].lower()])
    if match["day3"] or match["only"]:
        return _next_day_number(base, int(match["day3"]) if match["day3"] else _zh(match["only"]))
    return _read_offset(match, base)


def _read_numeric(first: int, second: int, year: int, locale: str) -> date | None:
    if first > 12 or locale.endswith(("GB", "AU", "NZ", "IE", "IN", "ZA", "FR", "DE", "ES", "IT")):
        return date(year, second, first)
    if second > 12 or locale.endswith("US"):
        return date(year, first, second)
    return date(year, first, second) if first == second else None


def _read_named_month(match: re.Match[str], base: date | None) -> date | None:
    name, day = match["mon1"] or match["mon2"], match["day1"] or match["day2"]
    if not name:
        return None
    month, year = _MONTHS.index(name[:3].lower()) + 1, match["year1"] or match["year2"]
    if year:
        return date(int(year), month, int(day))
    return _in_year(base, month, int(day)) if base else None


def _read_month_part(match: re.Match[str], base: date) -> date:
    which = match["when"] or match["ewhich"] or ""
    shift = 1 if (which[:1] in "下次" and which) or which == "next" else -1 if which[:1] == "上" else 0
    year, month = divmod(base.year * 12 + base.month - 1 + shift, 12)
    if match["rel_d"]:
        return date(year, month + 1, _zh(match["rel_d"]))
    return date(year, month + 1, 1) if match["first"] else _month_end(year, month + 1)


def _month_end(year: int, month: int) -> date:
    return date(year, month, calendar.monthrange(year, month)[1])


def _in_year(base: date, month: int, day: int) -> date:
    """Return the day in the year of `base`, or in the next one where that would be over half a year ago."""
    value = date(base.year, month, day)
    return date(base.year + 1, month, day) if (base - value).days > 183 else value


def _next_day_number(base: date, day: int) -> date:
    """Return the day of this month, or of the next month if it is over."""
    if day >= base.day:
        return date(base.year, base.month, day)
    year, month = divmod(base.year * 12 + base.month, 12)
    return date(year, month + 1, day)


_WEEK_SHIFT = {"下": 1, "下个": 1, "上": -1, "上个": -1, "下下": 2, "上上": -2, "next": 1, "last": -1}


def _on_weekday(base: date, weekday: int, said: str, week: str) -> date:
    """Return a weekday: in the week said, counted from Monday, or else in the task's week, or else the next one."""
    monday = base - timedelta(base.weekday())
    if said or week:
        return monday + timedelta(7 * _WEEK_SHIFT.get(said or week, 0) + weekday)
    # A weekday's name is not how one speaks of today.
    return base + timedelta((weekday - base.weekday() - 1) % 7 + 1)


def _read_english_weekday(match: re.Match[str], base: date, week: str) -> date:
    weekday, said = _WEEKDAYS.index(match["ewd"][:3].lower()), (match["ewhen"] or "").lower()
    # "Sat" and "may" are also words; a bare short form needs its capital.
    if len(match["ewd"].rstrip(".")) == 3 and not match["ewd"][0].isupper():
        return _SKIP
    if said == "last":
        # The latest one before today, which on a Tuesday is in the week before.
        return base - timedelta((base.weekday() - weekday - 1) % 7 + 1)
    if match["wknext"] or said in ("next", "the following"):
        return _on_weekday(base, weekday, "next", week)
    return _on_weekday(base, weekday, "这" if said == "this" else "", "" if said == "coming" else week)


def _read_offset(match: re.Match[str], base: date) -> date | None:
    if match["num"]:
        count, unit, is_back = _zh(match["num"]), match["unit"], match["dir"] == "前"
        return base + timedelta(count * (1 if unit in "天日" else 7) * (-1 if is_back else 1))
    text = (match["en"] or match["en2"] or "").lower()
    number = 1 if text in ("a", "an") else parse_en(text)
    if number is None:
        return _SKIP
    unit, is_back = match["eunit"] or match["eunit2"], (match["edir"] or "").lower() == "ago"
    return base + timedelta(int(number) * (7 if unit.lower().startswith("week") else 1) * (-1 if is_back else 1))


def _zh(text: str) -> int:
    value = parse_zh(text)
    if value is None:
        raise ValueError(f"no day or month: {text!r}")
    return int(value)
