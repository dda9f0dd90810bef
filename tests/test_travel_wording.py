"""Forms of the travel tasks: what is said reads back as that; clashes, garbled notation, unknown names are told."""

from __future__ import annotations

import datetime as dt
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from support.journeys import LANGS

from generator.content import ContentRoot, default_root
from generator.errors import GenError
from generator.records import Lang
from generator.seeds import stream
from generator.travel.wording import ReadingError, Vocabulary, check_book, load_book, read_line, say, split_sentences
from generator.travel.wording.slots import join_names, split_names
from generator.travel.world.synthetic import fill_town
from generator.travel.world.town import load_towns

CURRENCY = {"en": "GBP", "zh": "CNY"}


@pytest.mark.parametrize("lang", LANGS)
def test_every_wording_reads_back_in_every_town(lang: Lang) -> None:
    root = default_root()
    for town in load_towns(root, lang):
        world = fill_town(town, "standard", stream(7, town.id, "forms"))
        assert list(check_book(load_book(root, lang, town.currency), world, stream(8, town.id, "forms"), 3)) == []


@pytest.mark.parametrize("lang", LANGS)
def test_every_wording_of_a_rule_is_one_and_questions_belong_to_tasks(lang: Lang) -> None:
    book = load_book(default_root(), lang, CURRENCY[lang])
    for kind, role in book.roles.items():
        if role == "rule":
            assert len(book.forms[kind]) == 1, kind
        if role == "question":
            assert kind.startswith("ask.")
            assert len(book.forms[kind]) >= 3, kind


def overlay(tmp_path: Path, text: str) -> ContentRoot:
    folder = tmp_path / "overlay" / "templates" / "travel" / "en" / "forms"
    folder.mkdir(parents=True)
    (folder / "more.yaml").write_text(text, encoding="utf-8")
    return default_root(tmp_path / "overlay")


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ('- {say: chat.hello, role: chat, forms: ["Hey."]}', "given twice"),
        ('- {say: chat.more, role: chat, forms: ["Hey {{ x }}."]}', "expression"),
        ('- {say: chat.more, role: chat, forms: ["Hey {{ x|colour }}."]}', "unknown filter"),
        ('- {say: chat.more, role: chat, forms: [{text: "Hey {{ n|count }}.", fixes: {n: 1}}]}', "is a slot and fixed"),
        ('- {say: chat.more, role: shout, forms: ["Hey."]}', "role"),
        ('- {say: chat.more, role: chat, forms: ["{{ n|count }}{{ m|time }}."]}', "touch"),
    ],
)
def test_faulty_forms_are_told_with_their_file(tmp_path: Path, text: str, words: str) -> None:
    with pytest.raises(GenError, match=words) as caught:
        load_book(overlay(tmp_path, text), "en", "GBP")
    assert "more.yaml" in caught.value.where


def test_two_forms_that_read_a_sentence_differently_are_an_error(tmp_path: Path) -> None:
    root = overlay(tmp_path, '- {say: fact.other, role: fact, forms: ["There are {{ n|count }} of us."]}')
    book = load_book(root, "en", "GBP")
    with pytest.raises(ReadingError):
        read_line(book, "There are three of us.", Vocabulary())
    world = fill_town(load_towns(root, "en")[0], "small", stream(1, "x", "forms"))
    assert any("fact.other" in fault or "party" in fault for fault in check_book(book, world, stream(2, "x", "forms")))


def test_what_no_form_says_is_told() -> None:
    book = load_book(default_root(), "en", "GBP")
    with pytest.raises(GenError, match="no form says 'party'"):
        book.line(say("party", n=3, m=4), stream(1, "x", "words"))


def test_names_are_known_from_the_data_only() -> None:
    book = load_book(default_root(), "en", "GBP")
    text = "We'll stay at The Old Limpet."
    assert read_line(book, text, Vocabulary()) is None
    read = read_line(book, text, Vocabulary(place=frozenset({"The Old Limpet"})))
    assert read is not None
    assert read.say == say("take.hotel", h="The Old Limpet")


@given(st.dates(dt.date(1990, 1, 1), dt.date(2090, 1, 1)), st.sampled_from(LANGS))
def test_dates_read_back_and_a_wrong_weekday_is_no_date(day: dt.date, lang: Lang) -> None:
    slot = load_book(default_root(), lang, CURRENCY[lang]).slots["date"]
    text = slot.write(day.toordinal())
    assert slot.read(text) == day.toordinal()
    weekdays = load_book(default_root(), lang, CURRENCY[lang]).words.weekdays
    wrong = text.replace(weekdays[day.weekday()], weekdays[(day.weekday() + 1) % 7])
    assert slot.read(wrong) is None


@given(st.integers(1, 9_999_999), st.sampled_from(LANGS))
def test_money_reads_back(minor: int, lang: Lang) -> None:
    slot = load_book(default_root(), lang, CURRENCY[lang]).slots["money"]
    assert slot.read(slot.write(minor)) == minor


@given(st.integers(1, 99).filter(lambda p: p < 90 or p % 10 == 0 or p < 90), st.just("zh"))
def test_chinese_discounts_name_what_is_left(percent: int, lang: Lang) -> None:
    slot = load_book(default_root(), lang, "CNY").slots["discount"]
    if percent > 90:
        with pytest.raises(ValueError, match="no usual word"):
            slot.write(100 * percent)
        return
    assert slot.read(slot.write(100 * percent)) == 100 * percent


@given(
    st.lists(
        st.sampled_from(["Rose and Crown", "Mill", "Old, New and Bold", "Tea and Co", "Bath"]), min_size=1, unique=True
    )
)
def test_lists_of_names_that_hold_and_read_back(names: list[str]) -> None:
    words = load_book(default_root(), "en", "GBP").words
    known = {"Rose and Crown", "Mill", "Old, New and Bold", "Tea and Co", "Bath"}
    assert split_names(words, join_names(words, tuple(names)), known.__contains__) == tuple(names)


def test_sentences_are_split_at_marks_and_lines() -> None:
    assert split_sentences("One. Two? Three!\nFour 17.10 pounds.", "en") == [
        "One.",
        "Two?",
        "Three!",
        "Four 17.10 pounds.",
    ]
    assert split_sentences("一。二？三", "zh") == ["一。", "二？", "三"]
