"""Numerals are read as a whole or not at all, and what is written reads back."""

import re
from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from generator.language.numerals import EN_NUMERAL, ZH_NUMERAL, parse_en, parse_zh, write_en, write_zh

ZH = {
    "六百八": 680,
    "一万二": 12000,
    "一千三百八": 1380,
    "三千五": 3500,
    "两百五": 250,
    "一亿二": 120_000_000,
    "两千零五": 2005,
    "三百零五": 305,
    "十万零一千": 101_000,
    "一百二十八万六千四百": 1_286_400,
    "两千两百": 2200,
    "两万": 20000,
    "伍仟贰佰": 5200,
    "壹拾": 10,
    "叁佰": 300,
    "二〇二五": 2025,
    "〇五": 5,
    "零": 0,
    "十": 10,
    "十二": 12,
    "两": 2,
    "二十": 20,
    "一百一十": 110,
    "1.28万": 12800,
    "12万5千": 125_000,
    "1,280": 1280,
    "１，２８０": 1280,
    "三点五万": 35000,
    "三点一四": Decimal("3.14"),
    "3百": 300,
}
SPOKEN = {
    "2千3": 2300,
    "3.5千": 3500,
    "1k2": 1200,
    "25k": 25000,
    "37.5w": 375_000,
    "3万2": 32000,
    "3千5": 3500,
    "3百5": 350,
    "1万2345": 12345,
}
NO_ZH = [
    "三四",
    "二十一二",
    "十几",
    "十来",
    "千万",
    "万一",
    "百",
    "二十两",
    "三百两",
    "",
    "十十",
    "一万万",
    "3万25",
    "百分",
    "两三百",
    "五六十",
]
EN = {
    "twelve": 12,
    "ninety-two": 92,
    "twelve hundred and fifty": 1250,
    "three thousand two hundred": 3200,
    "a dozen": 12,
    "two dozen": 24,
    "1,250": 1250,
    "1.5k": 1500,
    "0.3 million": 300_000,
    "half a million": 500_000,
    "two and a half thousand": 2500,
    "a hundred": 100,
    "one hundred and twenty thousand": 120_000,
    "two million and five": 2_000_005,
    "zero": 0,
    "Twenty Five": 25,
    "half a dozen": 6,
    "3 thousand": 3000,
    "two and a half": Decimal("2.5"),
}
NO_EN = [
    "",
    "a",
    "and five",
    "one hundred and",
    "nineteen eighty",
    "hundred",
    "one thousand thousand",
    "one zero",
    "five million million",
    "few",
]


@pytest.mark.parametrize(("text", "value"), ZH.items())
def test_chinese_is_read(text: str, value: Decimal) -> None:
    assert parse_zh(text) == parse_zh(text, strict=False) == value


@pytest.mark.parametrize(("text", "value"), SPOKEN.items())
def test_spoken_mixes_are_read_only_on_request(text: str, value: Decimal) -> None:
    assert parse_zh(text) is None
    assert parse_zh(text, strict=False) == value


@pytest.mark.parametrize("text", NO_ZH)
def test_an_estimate_is_no_chinese_numeral(text: str) -> None:
    assert parse_zh(text, strict=False) is None


@pytest.mark.parametrize(("text", "value"), EN.items())
def test_english_is_read(text: str, value: Decimal) -> None:
    assert parse_en(text) == value


@pytest.mark.parametrize("text", NO_EN)
def test_other_words_are_no_english_numeral(text: str) -> None:
    assert parse_en(text) is None


@given(st.integers(0, 99_999_999), st.booleans(), st.booleans())
def test_written_chinese_reads_back(n: int, short: bool, liang: bool) -> None:
    text = write_zh(n, short=short, liang=liang)
    assert parse_zh(text) == n
    assert re.fullmatch(ZH_NUMERAL, text)


@given(st.integers(0, 999_999_999))
def test_written_english_reads_back(n: int) -> None:
    text = write_en(n)
    assert parse_en(text) == parse_en(text.upper()) == n
    assert re.fullmatch(EN_NUMERAL, text)


def test_speech_writes_the_forms_people_use() -> None:
    assert [write_zh(n) for n in (2, 12, 22, 200, 2000, 2200, 12000, 20002)] == [
        "两",
        "十二",
        "二十二",
        "两百",
        "两千",
        "两千二百",
        "一万二千",
        "两万零二",
    ]
    assert [write_zh(n, liang=False) for n in (2, 200, 20000)] == ["二", "二百", "二万"]
    assert [write_zh(n, short=True) for n in (680, 1380, 12000, 3500, 305, 10200)] == [
        "六百八",
        "一千三百八",
        "一万二",
        "三千五",
        "三百零五",
        "一万零二百",
    ]
    assert write_en(120) == "one hundred and twenty"
    assert write_en(1_002_003) == "one million two thousand and three"


@pytest.mark.parametrize("n", [-1, 1_000_000_000])
def test_out_of_range_is_refused(n: int) -> None:
    with pytest.raises(ValueError, match=str(n)):
        write_zh(n)
    with pytest.raises(ValueError, match=str(n)):
        write_en(n)


@pytest.mark.parametrize(
    ("text", "tokens"),
    [
        ("共1,280元", ["1,280"]),
        ("3万2的预算", ["3万2"]),
        ("大陆伍仟元", ["伍仟"]),
        ("三点五万和三点五十", ["三点五万", "三", "五十"]),
        ("月薪25k起", ["25k"]),
        ("队伍很长", []),
    ],
)
def test_the_lexer_takes_the_longest_chinese_numeral(text: str, tokens: list[str]) -> None:
    assert re.findall(ZH_NUMERAL, text) == tokens


@pytest.mark.parametrize(
    ("text", "tokens"),
    [
        ("between two and three thousand", ["two", "three thousand"]),
        ("one hundred and fifty people and two dogs", ["one hundred and fifty", "two"]),
        ("0.3 million dollars", ["0.3 million"]),
        ("someone often attends", []),
        ("a dozen eggs", ["a dozen"]),
    ],
)
def test_the_lexer_takes_the_longest_english_numeral(text: str, tokens: list[str]) -> None:
    assert re.findall(EN_NUMERAL, text) == tokens


@pytest.mark.parametrize(
    "flood", ["一" * 200_000, "万" * 200_000, "1," * 100_000, "one hundred and " * 12_000, "十万" * 100_000]
)
def test_floods_are_lexed_and_parsed(flood: str) -> None:
    for pattern, parse in ((ZH_NUMERAL, parse_zh), (EN_NUMERAL, parse_en)):
        for token in re.findall(pattern, flood):
            parse(token)
