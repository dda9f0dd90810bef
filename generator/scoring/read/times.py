"""Which of the times in a reply answers the question: the kinds `time` and `time_range`."""

import re
from collections.abc import Sequence
from dataclasses import replace

from generator.language.numerals import parse_en
from generator.scoring.read.clock import Clock, find_clocks, move_to
from generator.scoring.read.context import Context, Mention, correction_ends, keep_committed, look_around, settle
from generator.scoring.read.latest import asks_latest, keep_latest
from generator.scoring.read.numbers import is_range
from generator.scoring.read.text import TABLE_MARK, Plain

_ROLES = {
    "depart": r"发车|出发|开车|起飞|离开|启程|动身|开出|驶出|登机|\b(?:dep\b|depart\w*|leav\w+|sets? off|"
    r"takes? off|departure)\b",
    "arrive": r"到达|抵达|到站|进站|落地|降落|到(?=$|[了，。,;；)）\s])|\b(?:arr\b|arriv\w+|lands?|landing|gets? in|"
    r"due (?:in|at)|in at|"
    r"gets? there|reach\w*)\b",
    "sunset": r"日落|天黑|太阳(?:下山|落山)|\bsunset\b|\bsun(?:\s(?:goes|going|is|has gone) down|\s?sets?\b)|"
    r"\bsundown\b|\bgets dark\b",
    "sunrise": r"日出|天亮|\bsunrise\b",
    "check_in": r"入住|\bcheck[- ]?in\b",
    "check_out": r"退房|离店|\bcheck[- ]?out\b",
    "open": r"开门|开放|开馆|开园|\bopens?\b|\bopening\b",
    "close": r"关门|闭馆|打烊|闭园|停止|截止|\bclos(?:es?|ing)\b|\bshuts?\b",
    "begin": r"开始|开演|开场|开会|\bstart(?:s|ing)?\b|\bbegin\w*\b",
    "finish": r"结束|散场|散会|\bends?\b|\bending\b|\bfinish\w*\b",
}
_ROLE = re.compile("|".join(f"(?P<{name}>{words})" for name, words in _ROLES.items()), re.IGNORECASE)
_ROLE_AFTER = re.compile(
    r"\s{0,2}(?:就|才|准时|左右|整|可以?|[能会可](?=到)|is the (?:last |latest )?(?=arrival)|的?(?:车|航班|"
    r"班次)?)\s?(?:" + "|".join(f"(?P<{n}>{w})" for n, w in _ROLES.items()) + ")",
    re.IGNORECASE,
)
_SUN_LIMIT = re.compile(
    r"(?:日落|日出|天黑|天亮)[之以]?[前后]|(?:before|after) (?:the )?(?:sunset|sunrise|dark)", re.IGNORECASE
)
_ASK_PERIOD = (
    ("afternoon", r"下午|傍晚|\bafternoon\b"),
    ("evening", r"晚|\b(?:evening|tonight)\b"),
    ("dawn", r"上午|早|凌晨|\bmorning\b"),
)
_STARTS = ("depart", "open", "begin", "check_in")
_ENDS = ("arrive", "close", "finish", "check_out")
# A train, flight or bus by its number: a table or list gives its times, a later sentence may only name it.
_CODE = re.compile(r"(?<![A-Za-z0-9])[A-Z]{1,3}[0-9]{1,5}(?![A-Za-z0-9])")
_CODES = re.compile(rf"({_CODE.pattern})")


def read_time(plain: Plain, ask: str, departures: Sequence[str] = ()) -> str | None:
    """Return the time "HH:MM" that answers `ask`; None if the reply commits to none.

    24:05 is 00:05. A range has the start for a departure or opening, the end for an arrival or closing. Where a last
    departure is asked for, one that the reply calls too late is none, and what it calls the last comes first; of
    `departures`, all that there are, one is preferred to any other time.
    """
    plain = replace(plain, text=_recall_codes(plain.text))
    role = _asked_role(ask)
    contexts = look_around(plain, _find_times(plain.text, role, _asked_period(ask)), allow_bounds=True)
    roles = _assign_roles(contexts)
    if asks_latest(ask):
        contexts = keep_latest(plain, contexts, [roles[id(c)] for c in contexts], departures)
        roles |= {id(c): role for c in contexts if not roles[id(c)]}

    def fits(context: Context[str]) -> bool:
        return not role or roles[id(context)] == role

    kept = keep_committed(plain, contexts, lambda c: fits(c) or not roles[id(c)])
    words = [] if role else _ask_words(ask)
    for pool in (
        [c for c in kept if any(word in (c.before + c.after[:8]).lower() for word in words)],
        [c for c in kept if fits(c) and (role or not roles[id(c)].startswith("sun"))],
        [c for c in kept if not roles[id(c)]],
    ):
        stated = [c for c in pool if c.value is not None]
        if stated:
            return settle(stated)
    return None


def read_time_range(plain: Plain, ask: str) -> list[str] | None:
    """Return the start and end of the range of times that a reply states, ["HH:MM", "HH:MM"]; None for none.

    A period of the day said for one end covers the other where that keeps them in order.
    """
    mentions = [m for m in _find_times(plain.text, "", _asked_period(ask)) if m.first is not None]
    contexts = look_around(plain, mentions, allow_bounds=True)
    kept = keep_committed(plain, contexts, lambda _: True)
    words = _ask_words(ask)
    best = [c for c in kept if any(word in c.clause.lower() for word in words)] or kept
    if not best:
        return _join_ends(plain, ask)
    chosen = best[0] if best[0].mention.first and len(best) > 1 and best[1].clause == best[0].clause else best[-1]
    return [chosen.mention.first or "", chosen.mention.last or ""]


def _join_ends(plain: Plain, ask: str) -> list[str] | None:
    """Return the range of "starts at 14:00 and ends at 16:00"."""
    contexts = look_around(plain, _find_times(plain.text, "", _asked_period(ask)), allow_bounds=True)
    kept = keep_committed(plain, contexts, lambda _: True)
    roles = _assign_roles(kept)
    starts = [c.value for c in kept if roles[id(c)] in _STARTS and c.value]
    ends = [c.value for c in kept if roles[id(c)] in _ENDS and c.value]
    return [starts[-1], ends[-1]] if starts and ends else None


def _asked_role(ask: str) -> str:
    found = [m.lastgroup or "" for m in _ROLE.finditer(_SUN_LIMIT.sub(" ", ask))]
    return found[-1] if found else ""


def _ask_words(ask: str) -> list[str]:
    noise = ("时间", "上午", "下午", "晚上", "早上", "hours", "time", "when", "what")
    return [word for word in re.findall(r"[a-z]{4,}|[一-龥]{2}", ask.lower()) if word not in noise]


def _asked_period(ask: str) -> str:
    return next((period for period, words in _ASK_PERIOD if re.search(words, ask, re.IGNORECASE)), "")


def _find_times(text: str, role: str, period: str) -> list[Mention[str]]:
    """Return single times and ranges; a range has one value only if the role picks an end of it."""
    clocks, found, index = find_clocks(text), list[Mention[str]](), 0
    said = ""
    while index < len(clocks):
        clock = clocks[index]
        following = clocks[index + 1] if index + 1 < len(clocks) else None
        if following and (is_range(text, clock.end, following.start, clock.start) or _has_mark(text, clock, following)):
            low, high = _fit_range(_place(clock, period), following)
            value = str(low) if role in _STARTS else str(high) if role in _ENDS else None
            found.append(Mention(value, low.start, high.end, first=str(low), last=str(high)))
            index, said = index + 2, high.period
            continue
        bare = _bare_start(text, clock, clocks[index - 1].end if index else 0)
        if bare is not None:
            low, high = _fit_range(bare, clock)
            value = str(low) if role in _STARTS else str(high) if role in _ENDS else None
            found.append(Mention(value, low.start, high.end, first=str(low), last=str(high)))
            index += 1
            continue
        clock = _place(clock, period or (said if index and _goes_on(text, clocks[index - 1], clock) else ""))
        said = clock.period
        found.append(Mention(str(clock), clock.start, clock.end))
        index += 1
    return found


def _place(clock: Clock, period: str) -> Clock:
    return move_to(clock, period) if clock.is_open and not clock.period and period else clock


def _goes_on(text: str, earlier: Clock, clock: Clock) -> bool:
    """Return whether the time is told in the same part of the day as the one before.

    It takes its place (不是下午3点，是4点) or follows it in the same sentence (下午3点开始，5点结束).
    """
    between = text[earlier.end : clock.start]
    if len(between) > 24:
        return False
    later = move_to(clock, earlier.period).minutes
    if clock.minutes < earlier.minutes < later and not re.search(r"[。！？!?\n]|\. ", between):
        return True
    return bool(re.search(r"(?:而?是|改[为成到]|应为|but|not)\s?$", between) or correction_ends(between))


_TIME_MARK = re.compile(
    r"\s?(?:→|->)\s?|\s?(?:[-–—―‐‑‒−~～〜∼至到]{1,2}|to)\s?(?:第二天|次日|翌日|隔天|the next day|next day)的?\s?",
    re.IGNORECASE,
)


def _has_mark(text: str, clock: Clock, following: Clock) -> bool:
    """Return whether an arrow, or a dash and "the next day", joins two times."""
    return following.start - clock.end < 20 and _TIME_MARK.fullmatch(text, clock.end, following.start) is not None


_BARE = re.compile(
    r"(?<![\d:.£$€])\b([0-9]{1,2}|one|two|three|four|five|six|seven|eight|nine|ten|eleven|"
    r"twelve)(?:[.:]([0-5][0-9]))?\s?(?:[-–—―‐‑‒−~～〜∼至到]{1,2}|to|until|till|and)\s?$",
    re.IGNORECASE,
)


def _bare_start(text: str, clock: Clock, previous: int) -> Clock | None:
    """Return the start of "6 to 8:30 p.m." or "9-11点", whose first number has no mark of a time."""
    begin = max(previous, clock.start - 14)
    if military := re.search(r"(?<![0-9])([0-2][0-9])([0-5][0-9])\s?(?:[-–—]|to)\s?$", text[begin : clock.start]):
        return Clock(int(military[1]) * 60 + int(military[2]), begin + military.start(), begin + military.end())
    found = _BARE.search(text[begin : clock.start])
    hour = int(parse_en(found[1]) or 0) if found else 99
    if found is None or hour > 24:
        return None
    if re.search(r"\band\s?$", found[0], re.I) and not re.search(
        r"between\s?$", text[max(0, begin + found.start() - 9) : begin + found.start()], re.I
    ):
        return None
    minutes = hour * 60 + int(found[2] or 0)
    return Clock(minutes, begin + found.start(), begin + found.end(), "", hour <= 12)


def _fit_range(low: Clock, high: Clock) -> tuple[Clock, Clock]:
    """Return both ends with a period said for one applied to the other, if that keeps them in order."""
    if high.period and not low.period and low.is_open:
        moved = move_to(low, high.period)
        return (moved if moved.minutes < high.minutes else low), high
    if low.period and not high.period and high.is_open:
        moved = move_to(high, low.period)
        if low.period in ("dawn", "am") and high.minutes <= low.minutes:
            moved = move_to(high, "afternoon")
        return low, moved if moved.minutes > low.minutes else high
    return low, high


def _assign_roles(contexts: list[Context[str]]) -> dict[int, str]:
    roles = {}
    for index, context in enumerate(contexts):
        after = _ROLE_AFTER.match(context.after)
        before = [m.lastgroup or "" for m in _ROLE.finditer(_SUN_LIMIT.sub(" ", context.before))]
        said = after.lastgroup or "" if after else before[-1] if before else _role_outside(context)
        if after and said == "arrive" and index + 1 < len(contexts) and _is_named_by(context, contexts[index + 1]):
            said = ""
        roles[id(context)] = said
    return roles


_OPENED = re.compile(r"(?P<out>[^()（）.,;。，；]{0,24})[(（]\s?(?:at )?$")


def _role_outside(context: Context[str]) -> str:
    """Return the role that the words before a parenthesis give the time in it: after sunset (20:47)."""
    found = _OPENED.search(context.story)
    names = [m.lastgroup or "" for m in _ROLE.finditer(found["out"])] if found else []
    return names[-1] if names else ""


# "The 19:34 arrives at 20:24": the first time is the train's name, the second is when it arrives.
_TO_NEXT = re.compile(r"\s[a-z]+(?: in| there)?(?: (?:at|by|in|there|around|only|just|in [A-Z]\w+))*\s?", re.IGNORECASE)


def _is_named_by(context: Context[str], following: Context[str]) -> bool:
    between = following.mention.start - context.mention.end
    return len(context.after) == between and _TO_NEXT.fullmatch(context.after) is not None


def _recall_codes(text: str) -> str:
    """Return the text with the times of a train or flight repeated where a later sentence only names it."""
    times: dict[str, list[str]] = {}
    out = []
    for line in re.split(r"(?<=[；;。\n])", text):
        codes = set(_CODE.findall(line))
        clocks = find_clocks(line) if codes else []
        if len(codes) == 1 and clocks and len(line) < 200 and line.index(min(codes)) < clocks[0].start:
            times.setdefault(codes.pop(), []).append(line.split(TABLE_MARK.strip(), 1)[-1].strip())
            out.append(line)
            continue
        is_prose = not line.startswith(TABLE_MARK.strip())
        out.append("".join(_repeat(part, times, line) for part in _CODES.split(line)) if is_prose else line)
    return "".join(out)


def _repeat(code: str, times: dict[str, list[str]], line: str) -> str:
    cells = times.get(code)
    if not cells or len(cells) > 6:
        return code
    said = re.split(rf"{code}", line, maxsplit=1)[1][:40]
    if any(not re.search(r"arriv|到达", said[: c.start], re.I) for c in find_clocks(said)):
        return code
    facts = ", ".join(cell.replace(code, "").strip() for cell in cells)
    return f"{code} ({facts}) "
