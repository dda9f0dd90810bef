"""Names and typed numbers in running text: what is exact, what is loose, and where a clause ends."""

from __future__ import annotations

import datetime as dt
from collections.abc import Callable
from decimal import Decimal

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from generator.language import lexer as lx
from generator.language.lexer import Lexer
from generator.language.speech import Speech
from generator.language.units import MONEY_WORDS
from generator.modes.protocol import Kit
from generator.records import Lang

Speak = Callable[[Lang, str], Speech]
KINDS = {
    lx.ITEM: "item", lx.FIELD: "field", lx.OWNER: "owner", lx.CONDITION: "cond", lx.SCOPE: "scope",
    lx.NUMBER: "number", lx.COUNT: "count", lx.MONEY: "money", lx.PERCENT: "percent", lx.DISCOUNT: "discount",
    lx.MEASURE: "measure", lx.CLOCK: "clock", lx.DATE: "date", lx.EACH: "each", lx.VAGUE: "vague",
}  # fmt: skip


def tokens(lexer: Lexer, text: str) -> list[tuple[str, object, str]]:
    return [(KINDS[t.letter], t.value, t.unit) for c in lexer.split(text) for t in c.tokens]


def day(month: int, number: int) -> int:
    return dt.date(2027, month, number).toordinal()


EXACT_ZH = [
    ("office_purchasing", "12把", ("count", 12, "把")),
    ("office_purchasing", "12 把", ("count", 12, "把")),
    ("office_purchasing", "１２把", ("count", 12, "把")),
    ("office_purchasing", "十二把", ("count", 12, "把")),
    ("office_purchasing", "两把", ("count", 2, "把")),
    ("office_purchasing", "一百二十把", ("count", 120, "把")),
    ("office_purchasing", "800元", ("money", 800, "元")),
    ("office_purchasing", "1,820元", ("money", 1820, "元")),
    ("office_purchasing", "¥1,200", ("money", 1200, "")),
    ("office_purchasing", "￥800", ("money", 800, "")),
    ("office_purchasing", "1.2万", ("money", 12000, "")),
    ("office_purchasing", "六百八", ("number", 680, "")),
    ("office_purchasing", "两千八", ("number", 2800, "")),
    ("office_purchasing", "一千零五十", ("number", 1050, "")),
    ("office_purchasing", "一万二", ("number", 12000, "")),
    ("office_purchasing", "680", ("number", 680, "")),
    ("office_purchasing", "5%", ("percent", 5, "%")),
    ("office_purchasing", "５％", ("percent", 5, "%")),
    ("office_purchasing", "5.5%", ("percent", Decimal("5.5"), "%")),
    ("office_purchasing", "百分之十五", ("percent", 15, "")),
    ("office_purchasing", "五个点", ("percent", 5, "个点")),
    ("office_purchasing", "九折", ("discount", 1000, "")),
    ("office_purchasing", "八五折", ("discount", 1500, "")),
    ("office_purchasing", "85折", ("discount", 1500, "")),
    ("office_purchasing", "每把", ("each", "每", "把")),
    ("office_purchasing", "一把", ("each", "一", "把")),
    ("lab_protocol", "58.5微升", ("measure", Decimal("58.5"), "微升")),
    ("lab_protocol", "五十八微升", ("measure", 58, "微升")),
    ("clinic_roster", "8:30", ("clock", 510, "")),
    ("clinic_roster", "八点半", ("clock", 510, "")),
    ("clinic_roster", "下午三点一刻", ("clock", 915, "")),
    ("clinic_roster", "中午12点", ("clock", 720, "")),
    ("clinic_roster", "中午1点", ("clock", 780, "")),
    ("clinic_roster", "晚上8点05分", ("clock", 1205, "")),
    ("clinic_roster", "半小时", ("measure", Decimal("0.5"), "小时")),
    ("clinic_roster", "两个小时", ("measure", 2, "个小时")),
    ("release_plan", "5月3号", ("date", day(5, 3), "")),
    ("release_plan", "五月三日", ("date", day(5, 3), "")),
    ("release_plan", "十二月二十五号", ("date", day(12, 25), "")),
    ("release_plan", "5月3号（周一）", ("date", day(5, 3), "")),
    ("release_plan", "两周", ("measure", 2, "周")),
]
EXACT_EN = [
    ("office_move", "12", ("number", 12, "")),
    ("office_move", "twelve", ("number", 12, "")),
    ("office_move", "a dozen", ("number", 12, "")),
    ("office_move", "twenty-five", ("number", 25, "")),
    ("office_move", "one hundred and twenty", ("number", 120, "")),
    ("office_move", "1,200", ("number", 1200, "")),
    ("office_move", "£140", ("money", 140, "")),
    ("office_move", "£1,400.50", ("money", Decimal("1400.50"), "")),
    ("office_move", "140 quid", ("money", 140, "quid")),
    ("office_move", "three hundred pounds", ("money", 300, "pounds")),
    ("office_move", "10%", ("percent", 10, "%")),
    ("office_move", "ten per cent", ("percent", 10, "per cent")),
    ("lab_prep", "58.5 ml", ("measure", Decimal("58.5"), "ml")),
    ("lab_prep", "three tubes", ("count", 3, "tubes")),
    ("clinic_rota", "8.30am", ("clock", 510, "")),
    ("clinic_rota", "08:30", ("clock", 510, "")),
    ("clinic_rota", "12am", ("clock", 0, "")),
    ("clinic_rota", "12pm", ("clock", 720, "")),
    ("clinic_rota", "half an hour", ("measure", Decimal("0.5"), "hour")),
    ("clinic_rota", "3 nurses", ("measure", 3, "nurses")),
    ("release_plan", "3 May", ("date", day(5, 3), "")),
    ("release_plan", "the 3rd of May", ("date", day(5, 3), "")),
    ("release_plan", "May 3rd", ("date", day(5, 3), "")),
    ("release_plan", "Monday 3 May", ("date", day(5, 3), "")),
    ("release_plan", "two weeks", ("measure", 2, "weeks")),
]


@pytest.mark.parametrize(("lang", "world", "text", "token"), [
    *(("zh", w, t, k) for w, t, k in EXACT_ZH), *(("en", w, t, k) for w, t, k in EXACT_EN),
])  # fmt: skip
def test_exact_words_have_one_type_and_one_value(
    speech: Speak, lang: Lang, world: str, text: str, token: tuple[str, object, str]
) -> None:
    found = tokens(speech(lang, world).lexer, text)
    # Percent words keep their unit or not; what counts is type and value.
    assert [(k, v) for k, v, _ in found] == [token[:2]]
    if token[0] not in {"percent", "clock", "date"}:
        assert found[0][2] == token[2]


LOOSE_ZH = {
    "office_purchasing": [
        "三四把", "两三把", "三五把", "十几把", "几把", "好几把", "几十把", "二十多把", "二十来把", "百来把",
        "12把左右", "十二把上下", "十把出头", "十二把半", "三四十把", "二三十把", "万把块", "三四百块", "五六百",
        "八百多", "800多", "五千出头", "3k", "1.2w", "个把", "俩", "仨", "半打", "三四个点", "百分之三四",
        "七八折", "八九折",
    ],
    "clinic_roster": ["八九点", "七八点半", "八点五六分", "25:30", "十来分钟", "几分钟", "晚上十二点"],
    "release_plan": ["三四天", "三天半", "十几天", "2月30号", "13月1号", "5月3号（周二）", "五月十五六号"],
    "lab_protocol": ["三四十微升", "十来管", "五十多微升"],
}  # fmt: skip
LOOSE_EN = {
    "office_move": [
        "a couple", "a couple of dozen", "a few", "several", "half a dozen", "a dozen or so", "dozens", "a handful",
        "two or three", "2-3", "2 to 3", "10–12", "about 12", "around twenty", "nearly 30", "up to 12", "at least 5",
        "twenty-odd", "twelve-ish", "12ish", "12k", "2 hundred pounds", "1.5 thousand quid", "a few hundred pounds",
    ],
    "clinic_rota": ["25:00", "8.75pm"],
    "release_plan": ["Tuesday 3 May", "31 June", "two or three days"],
}  # fmt: skip


@pytest.mark.parametrize(("lang", "world", "text"), [
    *(("zh", w, t) for w, texts in LOOSE_ZH.items() for t in texts),
    *(("en", w, t) for w, texts in LOOSE_EN.items() for t in texts),
])  # fmt: skip
def test_loose_words_are_no_exact_amount(speech: Speak, lang: Lang, world: str, text: str) -> None:
    """People mean about; so the class that no form contains must be among the tokens, or no number at all."""
    kinds = {k for k, _, _ in tokens(speech(lang, world).lexer, text)}
    exact = kinds - {"vague"}
    assert "vague" in kinds or not exact


@pytest.mark.parametrize("text", ["一下", "一起去", "万一", "一般般", "统一安排", "周三再说", "三天两头", "乱七八糟"])
def test_chinese_words_that_only_look_like_numbers(speech: Speak, text: str) -> None:
    assert tokens(speech("zh", "office_purchasing").lexer, text) == []


@pytest.mark.parametrize("text", ["one of those days", "no one knows", "in one go", "the other one", "24/7"])
def test_english_words_that_only_look_like_numbers(speech: Speak, text: str) -> None:
    assert tokens(speech("en", "office_move").lexer, text) == []


def test_a_full_width_comma_parts_two_numbers(speech: Speak) -> None:
    """Folded first, 「1820，680」 would be 1,820,680."""
    lexer = speech("zh", "office_purchasing").lexer
    assert tokens(lexer, "1820，680") == [("number", 1820, ""), ("number", 680, "")]
    assert tokens(lexer, "1，820元") == [("number", 1, ""), ("money", 820, "元")]
    assert tokens(lexer, "1,820元") == [("money", 1820, "元")]


@pytest.mark.parametrize(("lang", "world", "text", "ends"), [
    ("zh", "office_purchasing", "好。行，走", [lx.STRONG, lx.WEAK, lx.STRONG]),
    ("zh", "office_purchasing", "好；行？走", [lx.STRONG, lx.ASKING, lx.STRONG]),
    ("zh", "office_purchasing", "好，。行", [lx.STRONG, lx.STRONG]),
    ("zh", "office_purchasing", "好\n行", [lx.STRONG, lx.STRONG]),
    ("zh", "office_purchasing", "。。，好", [lx.STRONG]),
    ("en", "office_move", "Fine. Go, then", [lx.STRONG, lx.WEAK, lx.STRONG]),
    ("en", "office_move", "Fine; is it? Yes", [lx.STRONG, lx.ASKING, lx.STRONG]),
    ("en", "office_move", "at £2.40 each. Right", [lx.STRONG, lx.STRONG]),
    ("en", "office_move", "sit-stand - yes", [lx.WEAK, lx.STRONG]),
])  # fmt: skip
def test_marks_end_clauses(speech: Speak, lang: Lang, world: str, text: str, ends: list[str]) -> None:
    assert [c.end for c in speech(lang, world).lexer.split(text)] == ends


def test_a_point_inside_a_number_ends_no_clause(speech: Speak) -> None:
    assert tokens(speech("en", "clinic_rota").lexer, "8.30am") == [("clock", 510, "")]
    assert len(speech("en", "office_move").lexer.split("it's £1,400.50 now.")) == 1


@pytest.mark.parametrize("lang", ["zh", "en"])
def test_every_name_of_every_world_is_one_token(kits: Callable[[Lang], list[Kit]], lang: Lang) -> None:
    for kit in kits(lang):
        words, lexer = kit.voice.speech.vocabulary, kit.voice.speech.lexer
        for item in words.items:
            for name in item.names:
                assert [(k, v) for k, v, _ in tokens(lexer, name)] == [("item", item.id)], (kit.id, name)
        for field in words.fields:
            for name in field.names:
                assert [(k, v) for k, v, _ in tokens(lexer, name)] == [("field", field.id)], (kit.id, name)
        for group, kind in ((words.conditions, "cond"), (words.scopes, "scope")):
            for key, wordings in group.items():
                for said in wordings:
                    assert [(k, v) for k, v, _ in tokens(lexer, said)] == [(kind, key)], (kit.id, said)


@pytest.mark.parametrize("lang", ["zh", "en"])
def test_every_owner_of_every_world_is_one_token_with_its_name(kits: Callable[[Lang], list[Kit]], lang: Lang) -> None:
    names = ["周", "王", "欧"] if lang == "zh" else ["Dan", "Siobhan", "Bo"]
    for kit in kits(lang):
        for owner in kit.voice.speech.vocabulary.owners:
            for name in names:
                said = owner.replace("@", name)
                found = tokens(kit.voice.speech.lexer, said)
                assert [(k, v) for k, v, _ in found] == [("owner", said)], (kit.id, said)


@pytest.mark.parametrize("lang", ["zh", "en"])
def test_no_classifier_or_unit_is_a_unit_of_money(kits: Callable[[Lang], list[Kit]], lang: Lang) -> None:
    """「三块」 could be three tiles or three yuan: no form could tell which."""
    for kit in kits(lang):
        words = kit.voice.speech.vocabulary
        money = {w.lower() for w in MONEY_WORDS[words.currency]}
        units = {i.classifier for i in words.items if i.classifier} | words.units_of("count")
        units |= words.units_of("measure")
        assert not {u.lower() for u in units} & money, kit.id


@pytest.mark.parametrize("lang", ["zh", "en"])
def test_no_name_begins_with_a_classifier(kits: Callable[[Lang], list[Kit]], lang: Lang) -> None:
    """「三张张力计」: the count would eat the first letter of the name."""
    for kit in kits(lang):
        words = kit.voice.speech.vocabulary
        units = {i.classifier for i in words.items if i.classifier} | words.units_of("count")
        for item in words.items:
            assert not [n for n in item.names if lang == "zh" and n.startswith(tuple(units))], (kit.id, item.id)


@settings(max_examples=150, deadline=None)
@given(st.text(alphabet="椅子三十万百1２,，。.？ 把块%折点个约k¥a-~《》\n", max_size=24))
def test_splitting_any_chinese_text_loses_no_word(speech: Speak, text: str) -> None:
    lexer = speech("zh", "office_purchasing").lexer
    for clause in lexer.split(text):
        assert clause.skeleton
        assert len(clause.tokens) == sum("\ue000" < c < "\uf000" for c in clause.skeleton)


@settings(max_examples=150, deadline=None)
@given(st.text(alphabet="chairs 12.,£%?!-'’k\nof or to and a", max_size=32))
def test_splitting_any_english_text_loses_no_word(speech: Speak, text: str) -> None:
    lexer = speech("en", "office_move").lexer
    for clause in lexer.split(text):
        assert clause.skeleton
        assert len(clause.tokens) == sum("\ue000" < c < "\uf000" for c in clause.skeleton)
