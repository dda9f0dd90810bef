"""Intervals between departures, in minutes."""

import re
from collections.abc import Iterator
from decimal import Decimal

from generator.scoring.read.context import Context, Mention, keep_committed, look_around, settle
from generator.scoring.read.numbers import find_numbers
from generator.scoring.read.quantities import ask_words, find_durations
from generator.scoring.read.text import Plain

_VEHICLE = r"(?:班|趟|列|次|辆|车)"
_EVERY_BEFORE = re.compile(
    r"(?:每隔?|间隔|相隔|隔|\bevery|\bevery other|\bintervals? (?:of|is|are)|\b(?:train|bus|ferry|tram|coach|"
    r"shuttle|boat|"
    r"service)s? (?:leaves?|runs?|departs?|goes|comes) every)"
    r"\s?(?:大?约|是|为|about|around|roughly)?\s?$",
    re.IGNORECASE,
)
_EVERY_AFTER = re.compile(
    rf"\s?(?:左右)?(?:就?有?(?:发|来|开)?一{_VEHICLE}|发(?:车|一)|(?:的)?间隔|\s?(?:intervals?|apart|between (?:trains|"
    rf"buses|services|departures))|-?minute (?:intervals?|service|frequency))",
    re.IGNORECASE,
)
_RATE = re.compile(
    rf"(?:每个?(?P<per>小时|钟头|半个?小时)|一个?(?:小时|钟头))\s?(?:大约|大概|约|有|发|开|会有|"
    rf"就有)?\s?(?P<n>[0-9一二两三四五六七八九十]{{1,3}}){_VEHICLE}",
)
_RATE_EN = re.compile(
    r"\b(?P<n>[0-9]{1,2}|[a-z]{2,8}|twice|once|three times|four times) (?:(?:trains?|buses|bus|ferries|trams?|"
    r"departures?|services?|times) )?"
    r"(?:an|per|every|each|a) hour\b",
    re.IGNORECASE,
)
_HOURLY = re.compile(r"\b(?P<half>half[- ]?hourly)\b|\b(?P<full>hourly|on the hour|once an hour)\b", re.IGNORECASE)
_MEAN = re.compile(r"平均|\baverag\w+|\bmean\b", re.IGNORECASE)


_MEAN_AFTER = re.compile(
    r"[^.;,，。；]{0,12}(?:\bon average\b|\bis (?:the|your) (?:average|mean)\b|\baverage\b|的?平均)", re.IGNORECASE
)
_EXTREME = re.compile(
    r"最短|最长|最小|最大|最少|最多|最密|最疏|最快|最慢|高峰|\b(?:shortest|longest|smallest|largest|minimum|maximum)\b",
    re.IGNORECASE,
)
# "Average interval (minutes): 54.3": the unit stands in the label, or nowhere.
_LABELLED = re.compile(
    r"(?:\b(?:average|mean|interval|frequency|gap)\b|平均|间隔)[^\n:：=≈]{0,32}[:：=≈]\s{0,3}(?:约|about |≈ ?)?$",
    re.IGNORECASE,
)
_GAPS = re.compile(
    r"\b(?:gaps?|intervals?|apart|wait(?:ing)?|between (?:trains|departures|services))\b|间隔|相隔|隔", re.IGNORECASE
)
_FILLER = re.compile(
    r"(?:[\W_]|大?约|大概|差不多|左右|吧|的|about|approximately|around|roughly|it's|it is|that's|that would be|so)*",
    re.IGNORECASE,
)
_LIST_SIDE = re.compile(r"\s{0,3}(?:[、,，和与&+]|and|or|或)\s{0,3}(?:and )?", re.IGNORECASE)


def read_frequency(plain: Plain, ask: str, *, use_middle: bool) -> Decimal | None:
    """Return the stated interval between departures in minutes; None if only counts or first and last are given.

    A mean comes before any other interval, and an interval before a rate such as "four an hour".
    """
    text = plain.text
    rates = [*_find_rates(text)]
    spans = [
        m
        for m in find_durations(text, use_middle=use_middle)
        if not any(r.start < m.end and m.start < r.end for r in rates)
    ]
    mentions = sorted([*spans, *rates], key=lambda m: m.start)
    kept = [c for c in keep_committed(plain, look_around(plain, mentions), lambda _: True) if c.value is not None]
    kept = [c for c in kept if not _EXTREME.search(c.before[-24:])] or kept
    intervals = [c for c in kept if c.mention in rates or _is_interval(text, c.mention)]
    means = [c for c in kept if _MEAN.search(c.lead) or _MEAN_AFTER.match(c.after)]
    means = means or [c for c in kept if _MEAN.search(c.story)]
    words = ask_words(ask)
    pools = (
        [c for c in means if c in intervals],
        [c for c in means if c.mention in spans and not _is_one_of_many(kept, c)],
        [c for c in intervals if any(word in c.clause.lower() for word in words)],
        [c for c in intervals if c.mention in spans],
        intervals,
        [c for c in kept if _GAPS.search(c.clause)] if len({c.value for c in kept}) == 1 else [],
    )
    found = next((pool for pool in pools if pool), None)
    return settle(found) if found else _read_labelled(text) or _read_lone(plain, kept)


def _read_labelled(text: str) -> Decimal | None:
    """Return the last number that a label calls the interval, in minutes unless the label says hours."""
    found = None
    for number in find_numbers(text):
        lead = _LABELLED.search(text[max(0, number.start - 60) : number.start])
        if lead and number.value is not None and re.match(r"\s*(?:$|\n|[,，。}.])", text[number.end : number.end + 6]):
            found = number.value * (60 if re.search(r"hour|小时", lead[0], re.IGNORECASE) else 1)
    return found


def _read_lone(plain: Plain, kept: list[Context[Decimal]]) -> Decimal | None:
    """Return the one span of time of a reply that says little else."""
    if len({c.value for c in kept}) != 1:
        return None
    rest = plain.text[: kept[0].mention.start] + plain.text[kept[0].mention.end :]
    return kept[0].value if _FILLER.fullmatch(rest) else None


def _is_one_of_many(kept: list[Context[Decimal]], context: Context[Decimal]) -> bool:
    """Return whether a span stands in an enumeration, as single gaps do."""
    at = kept.index(context)
    before = at and _LIST_SIDE.fullmatch(context.before)
    return bool(before or (at + 1 < len(kept) and _LIST_SIDE.fullmatch(context.after)))


def _is_interval(text: str, mention: Mention[Decimal]) -> bool:
    before = text[max(0, mention.start - 40) : mention.start]
    if re.search(r"(?:\bat least|\bat most|\bup to|至少|最多|不超过)\s?(?:every|每隔?)\s?$", before, re.IGNORECASE):
        return False
    return bool(_EVERY_BEFORE.search(before) or _EVERY_AFTER.match(text, mention.end))


def _find_rates(text: str) -> Iterator[Mention[Decimal]]:
    counts = {"once": 1, "twice": 2, "three times": 3, "four times": 4}
    for match in _RATE.finditer(text):
        number = next(find_numbers(match["n"]), None)
        if number and number.value:
            yield Mention((30 if "半" in (match["per"] or "") else 60) / number.value, match.start(), match.end())
    for match in _RATE_EN.finditer(text):
        word = match["n"].lower()
        number = next(find_numbers(word), None)
        count = Decimal(counts[word]) if word in counts else number.value if number else None
        if count:
            yield Mention(60 / count, match.start(), match.end())
    for match in _HOURLY.finditer(text):
        if not re.search(r"\bonce an hour", match[0], re.I):
            yield Mention(Decimal(30 if match["half"] else 60), match.start(), match.end())
