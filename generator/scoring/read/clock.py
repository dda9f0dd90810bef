"""Times of day, Chinese and English, on the 24-hour clock."""

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace

from generator.language.numerals import parse_en, parse_zh

_ZH_NUM = "[0-9零〇一二两三四五六七八九十廿]"
_PERIODS = {
    "dawn": "凌晨|清晨|早[上晨间]|上午|今早|明早|次晨|早(?=[0-9一二三四五六七八九十])",
    "noon": "中午|正午|午间",
    "afternoon": "下午|午后|傍晚|黄昏",
    "evening": "晚上|晚间|今晚|明晚|当晚|昨晚|后晚|夜晚|晚(?=[0-9一二三四五六七八九十差])",
    "night": "夜里|半夜|深夜|午夜|夜间|子夜|后半夜",
}
_PERIOD = "|".join(f"(?P<{name}>{words})" for name, words in _PERIODS.items())
_EN_PERIODS = (
    ("am", r"\s?(?:a\.m\.?|am\b|a\.m\b)|(?: o'clock)? in the (?:early )?morning\b"),
    (
        "pm",
        r"\s?(?:p\.m\.?|pm\b)|(?: o'clock)? (?:in the (?:afternoon|evening)|this (?:afternoon|evening)|tonight|"
        r"tomorrow evening)\b",
    ),
    ("late", r"(?: o'clock)? at night\b"),
)
_EN_AFTER = re.compile("|".join(f"(?P<{name}>{words})" for name, words in _EN_PERIODS), re.IGNORECASE)
_SAID = re.compile(
    rf"(?:(?:{_PERIOD})的?[\s:：]{{0,2}}(?:大约|大概|约|是|在)?\s?)?(?:"
    # 差十分八点, 差一刻九点
    rf"差(?:(?P<lack>{_ZH_NUM}{{1,3}})分钟?|(?P<lack_q>一刻)钟?)(?:到)?(?P<hour_l>{_ZH_NUM}{{1,3}})[点时]"
    # 八点差十分
    rf"|(?<!{_ZH_NUM})(?P<hour_b>{_ZH_NUM}{{1,3}})[点时]差(?:(?P<lack_b>{_ZH_NUM}{{1,3}})分|(?P<lack_bq>一刻))"
    # 三点, 三点半, 三点一刻, 十八时二十分, 9点05
    rf"|(?<!{_ZH_NUM})(?P<hour>{_ZH_NUM}{{1,3}})(?:点钟?|时(?![间长候速]))(?:过|零(?={_ZH_NUM}))?"
    rf"(?:(?P<half>半)|(?P<quarter>[一三123])刻|整|(?P<minute>[0-9]{{1,2}}|[零〇一二三四五六七八九十]{{2,3}}|十|"
    rf"[一二三四五六七八九](?=分)|(?<=[零过])[一二三四五六七八九])(?:分(?!钟[之左前])|(?!{_ZH_NUM}|"
    rf"[个人年月天号位张件元块公米岁%]|小时))|)"
    r"|(?<![\d.])(?<!\d:)(?P<h24>[0-2]?[0-9])\s?[:：]\s?(?P<m24>[0-5][0-9])(?::[0-5][0-9])?(?![0-9:])"
    r"|(?<![\dA-Za-z.])(?<!\d:)(?P<hh>[0-2]?[0-9])[hH](?P<hm>[0-5][0-9])?(?![0-9A-Za-z])"
    r"|(?<![\dA-Za-z.])(?<!\d:)(?P<mil>[0-2][0-9][0-5][0-9])\s?(?:hrs|hours|h)\b"
    ")",
    re.IGNORECASE,
)
_EN_HOUR = r"one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|1[0-2]|[1-9]"
# "9 to 11" is a range; figures tell minutes only with that word or with "past".
_EN_MINUTE = r"five|ten|twenty[ -]five|twenty|quarter|half|[1-5]?[0-9](?= minutes? | past )"
_EN_SAID = re.compile(
    rf"(?<!from (?=five|ten|twenty))\b(?:an?\s)?(?P<min>{_EN_MINUTE})(?: minutes?)? (?P<side>past|to|after|before|"
    rf"till) (?P<hour>{_EN_HOUR}|noon|midnight)\b(?!:)"
    rf"|\bhalf (?P<british>{_EN_HOUR})\b(?! (?:hours?|miles?|days?))"
    r"|(?<![\d:.£$€])(?P<dot_h>[01]?[0-9])[.:]?(?P<dot_m>[0-5][0-9])?(?=\s?(?:a\.m|p\.m|am\b|pm\b|o'clock|"
    r" in the (?:morning|afternoon|evening)| at night| tonight))"
    rf"|\b(?P<word>{_EN_HOUR})(?:[ -](?P<word_m>thirty|fifteen|forty-five|forty five|twenty|ten|oh five))?"
    r"(?=\s?(?:a\.m|p\.m|am\b|pm\b|o'clock| in the (?:morning|afternoon|evening)| at night| tonight))"
    r"|(?<![\d:.£$€])(?P<point_h>[0-2]?[0-9])\.(?P<point_m>[0-5][0-9])(?=\s?(?:hrs|h\b|to\b|"
    r"[-–]\s?[0-2]?[0-9]\.[0-5][0-9]|\s?$))"
    rf"|\b(?:at|by|until|till|before|after|around|about) (?P<at>{_EN_HOUR})\b(?=\s?[,.;!?)](?![0-9])|\s?$| sharp|"
    rf" on\b| tomorrow| today)"
    r"|\b(?P<noon>noon|midday)\b|\b(?P<midnight>midnight)\b",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class Clock:
    """A time as said: `minutes` after midnight, and the word that fixed the half of the day, "" for none.

    `is_open` says that a 12-hour reading is possible, so that a period told elsewhere may move it.
    """

    minutes: int
    start: int
    end: int
    period: str = ""
    is_open: bool = False

    def __str__(self) -> str:
        return f"{self.minutes // 60 % 24:02d}:{self.minutes % 60:02d}"


def move_to(clock: Clock, period: str) -> Clock:
    """Return the clock read in a part of the day: evening 8 is 20:00, night 1 is 01:00, dawn 12 is 00:00."""
    hour, minute = divmod(clock.minutes, 60)
    if hour > 12 or not period:
        return replace(clock, period=period or clock.period)
    small_hours = {"evening": 4, "late": 4, "night": 5}
    if period in ("am", "dawn"):
        hour = 0 if hour == 12 else hour
    elif period in small_hours:
        hour = 0 if hour == 12 else hour if hour <= small_hours[period] else hour + 12
    elif period in ("afternoon", "pm"):
        hour = hour if hour == 12 else hour + 12
    elif period == "noon":
        hour = hour + 12 if hour <= 3 else hour
    return replace(clock, minutes=hour * 60 + minute, period=period, is_open=False)


def find_clocks(text: str) -> list[Clock]:
    """Return the times of day in a text, in order and apart."""
    found = sorted([*_find_said(text), *_find_english(text)], key=lambda c: (c.start, -c.end))
    apart: list[Clock] = []
    for clock in found:
        if not apart or clock.start >= apart[-1].end:
            apart.append(clock)
        elif clock.end - clock.start > apart[-1].end - apart[-1].start:
            apart[-1] = clock
    return apart


def _find_said(text: str) -> Iterator[Clock]:
    for found in _SAID.finditer(text):
        read = _read_said(found)
        if read is None or _is_no_time(text, found, read[0]):
            continue
        hour, minute, is_open = read
        if hour > 26 or minute > 59:
            continue
        period = found.lastgroup if found.lastgroup in _PERIODS else ""
        period = next((name for name in _PERIODS if found[name]), period or "")
        if period == "dawn" and re.match("上午", found[0]) and hour == 12:
            period = "noon"
        clock = Clock(hour * 60 + minute, found.start(), found.end(), "", is_open)
        yield _finish(text, move_to(clock, period) if period else clock)


def _finish(text: str, clock: Clock) -> Clock:
    """Return the clock with an English word for the half of the day that follows it."""
    if clock.period:
        return clock
    if before := re.search(r"\b([AP])M\s?$", text[max(0, clock.start - 3) : clock.start]):
        return move_to(clock, "am" if before[1] == "A" else "pm")
    after = _EN_AFTER.match(text, clock.end)
    if after is None:
        return clock
    moved = move_to(clock, after.lastgroup or "")
    return replace(moved, end=after.end())


def _is_no_time(text: str, found: re.Match[str], hour: int) -> bool:
    """Return whether 三点 is points rather than a time, or a colon joins a score or ratio."""
    if found["hour"] and not (found["half"] or found["quarter"] or found["minute"]):
        before, after = text[max(0, found.start() - 3) : found.start()], text[found.end() : found.end() + 3]
        if re.search(r"[第这那下几哪]$|以下$|如下$|有$", before) and not any(found[name] for name in _PERIODS):
            return True
        if re.match(r"建议|意见|原因|要求|理由|说明|区别|提示|注意|[0-9]", after):
            return True
    return bool(found["h24"] and re.match(r"\s?(?:比例|的比例)", text[found.end() : found.end() + 4])) or hour > 26


def _read_said(found: re.Match[str]) -> tuple[int, int, bool] | None:
    if found["h24"]:
        return int(found["h24"]), int(found["m24"]), len(found["h24"]) == 1 or int(found["h24"]) in (10, 11, 12)
    if found["hh"]:
        return int(found["hh"]), int(found["hm"] or 0), False
    if found["mil"]:
        return int(found["mil"][:2]), int(found["mil"][2:]), False
    hour = _number(found["hour_l"] or found["hour_b"] or found["hour"])
    lack = found["lack"] or found["lack_b"]
    if hour is None:
        return None
    if lack or found["lack_q"] or found["lack_bq"]:
        short = _number(lack) if lack else 15
        return None if short is None or short > 59 else (*divmod((hour * 60 - short) % 1440, 60), hour <= 12)
    minute = 30 if found["half"] else 0
    if found["quarter"]:
        minute = 15 if found["quarter"] in "一1" else 45
    elif found["minute"]:
        minute_or_none = _number(found["minute"])
        if minute_or_none is None:
            return None
        minute = minute_or_none
    return hour, minute, hour <= 12


def _number(text: str) -> int | None:
    value = parse_zh(text)
    return None if value is None else int(value)


_MINUTES = {"quarter": 15, "half": 30, "oh five": 5}


def _find_english(text: str) -> Iterator[Clock]:
    for found in _EN_SAID.finditer(text):
        clock = _read_english(found)
        if clock is not None:
            yield _finish(text, clock)


def _read_english(found: re.Match[str]) -> Clock | None:
    start, end = found.span()
    if found["noon"] or found["midnight"]:
        return Clock(720 if found["noon"] else 0, start, end, "noon" if found["noon"] else "night")
    if found["min"]:
        minute, is_word = _en_number(found["min"]), found["hour"].lower() in ("noon", "midnight")
        hour = {"noon": 12, "midnight": 24}.get(found["hour"].lower()) or _en_number(found["hour"])
        after = found["side"].lower() in ("past", "after")
        total = hour * 60 + (minute if after else -minute)
        return Clock(total % 1440, start, end, "noon" if is_word else "", not is_word)
    if found["british"]:
        return Clock(_en_number(found["british"]) * 60 + 30, start, end, "", True)
    hour_text = found["dot_h"] or found["word"] or found["point_h"] or found["at"]
    minute_text = found["dot_m"] or found["word_m"] or found["point_m"]
    hour, minute = _en_number(hour_text), _en_number(minute_text) if minute_text else 0
    if found["at"]:
        start = found.start("at")
    return Clock(hour * 60 + minute, start, end, "", hour <= 12) if hour < 25 else None


def _en_number(text: str) -> int:
    key = text.lower()
    return _MINUTES[key] if key in _MINUTES else int(parse_en(key) or 0)
