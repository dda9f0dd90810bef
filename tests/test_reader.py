"""The reader against sentences written without sight of any form, and what a turn may lean on."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from random import Random
from typing import Any, NamedTuple

import pytest
import yaml

from generator.language.reader import Reading
from generator.language.speech import Speech
from generator.modes.constraint_synthesis.hear import hear
from generator.modes.protocol import Exchange, HearingError, Kit, exchanges_of
from generator.records import Event, Lang, Message
from generator.states.update_chain.chain import INERT

Speak = Callable[[Lang, str], Speech]
GetKit = Callable[[Lang, str], Kit]
FAULTS: dict[Lang, dict[str, Any]] = {
    lang: yaml.safe_load((Path(__file__).parent / "faults" / f"{lang}.yaml").read_text(encoding="utf-8"))
    for lang in ("zh", "en")
}
HOME: dict[Lang, str] = {"zh": "office_purchasing", "en": "office_move"}
# What the held-out paraphrases call hypothetical or a change of mind is, in the end, no change.
HARMLESS = INERT | {"waver"}


def sentences(group: str) -> list[tuple[Lang, str]]:
    return [(lang, text) for lang, faults in FAULTS.items() for text in faults[group]]


def active(reading: Reading) -> list[Event]:
    return [e for e in reading.events if e.kind not in INERT]


# --- seeded faults --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("lang", "text"), sentences("events_nobody_reads"))
def test_a_change_said_freely_is_not_read_or_leaves_a_residue(speech: Speak, lang: Lang, text: str) -> None:
    reading = speech(lang, HOME[lang]).reader.read(text)
    assert not reading.events or reading.residue


@pytest.mark.parametrize(("lang", "text"), sentences("events_nobody_reads"))
def test_a_change_said_freely_beside_a_read_event_is_noticed_if_it_names_a_row(
    speech: Speak, lang: Lang, text: str
) -> None:
    one = speech(lang, HOME[lang])
    beside = "移动白板改成7面。" if lang == "zh" else "Put the mobile whiteboards down for 7. "
    alone, both = one.reader.read(text), one.reader.read(beside + text)
    assert both.events[0] == Event("set", "board", "qty", 7)
    if alone.named:
        assert both.residue or len(both.events) > 1


@pytest.mark.parametrize(("lang", "text"), sentences("foreign"))
def test_what_belongs_to_others_is_never_a_change(kits: Callable[[Lang], list[Kit]], lang: Lang, text: str) -> None:
    """In no world of the language."""
    for kit in kits(lang):
        assert active(kit.voice.speech.reader.read(text)) == [], kit.id


class Meaning(NamedTuple):
    """A paraphrase and the event that a person takes from it."""

    lang: Lang
    text: str
    event: Event


def meanings() -> list[Meaning]:
    found = []
    for lang, faults in FAULTS.items():
        for row in faults["paraphrases"]:
            kind, value = row["kind"], row.get("value")
            factor = 100 if row.get("field") == "price" or "percent" in kind else 1
            other = row.get("source") or row.get("from") or row.get("other") or row.get("with")
            event = Event(
                kind, row["item"], row.get("field"), None if value is None else factor * value, other
            )  # fmt: skip
            found.append(Meaning(lang, row["text"], event))
    return found


@pytest.mark.parametrize("meaning", meanings(), ids=lambda m: m.text[:40])
def test_a_paraphrase_is_read_rightly_or_not_at_all(speech: Speak, meaning: Meaning) -> None:
    one = speech(meaning.lang, HOME[meaning.lang])
    assert meaning.event.item in {i.id for i in one.vocabulary.items}
    reading = one.reader.read(meaning.text)
    # A thought that was dropped changes nothing: any active event would be wrong there.
    wanted = [] if meaning.event.kind in HARMLESS else [meaning.event]
    wrong = [e for e in active(reading) if e._replace(tag=None) not in wanted]
    assert not wrong or reading.residue


@pytest.mark.parametrize("lang", ["zh", "en"])
def test_seeded_sentences_are_about_rows_that_the_world_has(speech: Speak, lang: Lang) -> None:
    """A list of faults about rows that nobody knows would pass for the wrong reason."""
    reader = speech(lang, HOME[lang]).reader
    named = [
        bool(reader.read(text).named) for group in ("events_nobody_reads", "foreign") for text in FAULTS[lang][group]
    ]
    assert sum(named) >= len(named) / 4


# --- what the reader makes of a turn --------------------------------------------------------------------------------


@pytest.mark.parametrize(("text", "events"), [
    ("椅子改成12把", [Event("set", "chair", "qty", 12)]),
    ("对了，椅子改成12把吧", [Event("set", "chair", "qty", 12)]),
    ("对了椅子改成12把了。", [Event("set", "chair", "qty", 12)]),
    ("人体工学椅改成十二把！桌子改成10张", [Event("set", "chair", "qty", 12), Event("set", "desk", "qty", 10)]),
    ("冲过了，淡了点。行吧。椅子改成12把，实习生用旧的。", [Event("set", "chair", "qty", 12)]),
    ("椅子改成680", [Event("set", "chair", "price", 68000)]),
    ("椅子改成12把？", []),
    ("椅子不改成12把", []),
    ("谁说椅子改成12把", []),
    ("椅子改成12张", []),
    ("椅子改成12.5把", []),
    ("椅子改成三四把", []),
    ("椅子改成12把或13把", []),
    ("椅子改成负12把", []),
])  # fmt: skip
def test_chinese_turns(speech: Speak, text: str, events: list[Event]) -> None:
    reading = speech("zh", "office_purchasing").reader.read(text)
    assert list(reading.events) == events
    assert events or reading.residue


@pytest.mark.parametrize(("text", "events"), [
    ("Put the task chairs down for 12", [Event("set", "chair", "qty", 12)]),
    ("Also, put the chairs down for a dozen please.", [Event("set", "chair", "qty", 12)]),
    (
        "Chairs, make that twelve. Desks, make that 10",
        [Event("set", "chair", "qty", 12), Event("set", "desk", "qty", 10)],
    ),
    ("Long day. Go for the chairs at £140.50, thanks", [Event("set", "chair", "price", 14050)]),
    ("Go for the chairs at £140?", []),
    ("Don't go for the chairs at £140", []),
    ("Go for the chairs at $140", []),
    ("Go for the chairs at £140-150", []),
    ("Go for the chairs at £1.4k", []),
    ("Put the chairs down for about 12", []),
    ("Put the chairs down for 12.5", []),
    ("Put the chairs down for £12", []),
    ("Put the chairs down for -12", []),
])  # fmt: skip
def test_english_turns(speech: Speak, text: str, events: list[Event]) -> None:
    reading = speech("en", "office_move").reader.read(text)
    assert list(reading.events) == events
    assert events or reading.residue


@pytest.mark.parametrize(("lang", "text"), [
    ("zh", "椅子改成12把\n桌子改成10张"), ("zh", "椅子改成12把\n\n桌子改成10张\n"),
    ("zh", "「椅子改成12把」。桌子改成10张"), ("zh", "椅子改成12把……桌子改成10张"),
    ("en", "Chairs, make that 12\nDesks, make that 10"), ("en", "Put the chairs down for 12!\nDesks, make that 10\n"),
])  # fmt: skip
def test_line_breaks_and_double_marks_end_a_sentence(speech: Speak, lang: Lang, text: str) -> None:
    assert speech(lang, HOME[lang]).reader.read(text).events == (
        Event("set", "chair", "qty", 12), Event("set", "desk", "qty", 10),
    )  # fmt: skip


def test_readings_are_context_free_and_cached(speech: Speak) -> None:
    reader = speech("zh", "office_purchasing").reader
    assert reader.read("再加3把") is reader.read("再加3把")
    assert reader.read("再加3把").events == (Event("adjust.up", None, "qty", 3),)


# --- ellipsis: what hearing resolves, and what it refuses -----------------------------------------------------------

REQUEST = "帮我整理一下，我直接转到行政群里：品名、数量、单价、小计，货款合计，安装费，最后一个总计"
INTRO = "椅子12把，680一把"
INTROS = "椅子12把，680一把。桌子10张，1400一张。"


def heard(kit: Kit, *turns: str | tuple[str, str]) -> list[tuple[Event, ...]]:
    messages = []
    for turn in (*turns, REQUEST):
        user, reply = turn if isinstance(turn, tuple) else (turn, "好。")
        messages += [Message(role="user", content=user), Message(role="assistant", content=reply)]
    return list(hear(kit, exchanges_of(kit, messages[:-1])).turns)


def refused(kit: Kit, *turns: str | tuple[str, str]) -> str:
    with pytest.raises(HearingError) as caught:
        heard(kit, *turns)
    return str(caught.value)


@pytest.fixture
def office(kit: GetKit) -> Kit:
    return kit("zh", "office_purchasing")


CHAT = "孩子学校让周三带彩纸，我给忘了。"
MORE = Event("adjust.up", "chair", "qty", 3)


def test_an_ellipsis_takes_the_row_of_the_turn_before(office: Kit) -> None:
    assert heard(office, INTRO, "椅子改成15把", "再加3把")[-1] == (MORE,)


def test_an_ellipsis_may_follow_the_introduction(office: Kit) -> None:
    assert heard(office, INTRO, "再加3把")[-1] == (MORE,)


def test_an_ellipsis_may_follow_within_one_turn(office: Kit) -> None:
    assert heard(office, INTROS, "椅子改成15把；再加3把")[-1] == (Event("set", "chair", "qty", 15), MORE)


def test_ellipses_may_follow_each_other(office: Kit) -> None:
    turns = heard(office, INTRO, "椅子改成15把", "再加3把", "还是不够，再来2把", "价又涨了40")
    assert turns[3:] == [(Event("adjust.up", "chair", "qty", 2),), (Event("adjust.up", "chair", "price", 4000),)]


@pytest.mark.parametrize("between", [0, 1, 2])
def test_two_turns_of_other_chat_may_lie_between(office: Kit, between: int) -> None:
    assert heard(office, INTRO, "椅子改成15把", *[CHAT] * between, "再加3把")[-1] == (MORE,)


def test_the_same_row_named_by_the_assistant_is_no_rival(office: Kit) -> None:
    assert heard(office, INTRO, ("椅子改成15把", "椅子现在15把。"), "再加3把")[-1] == (MORE,)


def test_a_correction_at_once_is_understood(office: Kit) -> None:
    turns = heard(office, INTRO, "椅子改成15把", "不对，是16把")
    assert turns[-1] == (Event("correct", "chair", "qty", 16),)


@pytest.mark.parametrize("between", [3, 5])
def test_too_far(office: Kit, between: int) -> None:
    assert "too far" in refused(office, INTRO, "椅子改成15把", *[CHAT] * between, "再加3把")


def test_nothing_before_it(office: Kit) -> None:
    assert "not about one row" in refused(office, "再加3把")


def test_two_rows_before_it(office: Kit) -> None:
    assert "not about one row" in refused(office, INTROS, "再加3把")
    assert "not about one row" in refused(office, INTROS, "椅子改成15把；桌子改成11张", "再加3把")
    assert "not about one row" in refused(office, INTROS, "椅子改成15把；桌子改成11张；再加3张")


def test_another_row_named_by_the_assistant_since(office: Kit) -> None:
    assert "another row was named" in refused(office, INTROS, ("椅子改成15把", "桌子现在10张。"), "再加3把")


def test_another_row_of_somebody_else_named_since(office: Kit) -> None:
    told = refused(office, INTROS, "椅子改成15把", "隔壁公司的升降桌订了30张，阔气", "再加3把")
    assert "another row was named" in told


def test_the_same_row_of_somebody_else_with_a_number_of_its_own(office: Kit) -> None:
    """「隔壁公司的椅子订了30把，阔气」「再加3把」: whose? A rival number lies between."""
    assert "turn 4" in refused(office, INTROS, "椅子改成15把", "隔壁公司的椅子订了30把，阔气", "再加3把")


@pytest.mark.parametrize("text", [
    "有人说椅子要20把，我没听", "椅子差点订20把，想想算了", "椅子要是20把呢？",
])  # fmt: skip
def test_a_hypothetical_antecedent(office: Kit, text: str) -> None:
    if office.voice.speech.reader.read(text).events:
        assert "turn 4" in refused(office, INTROS, "椅子改成15把", text, "再加3把")
    else:
        assert "unread" in refused(office, INTROS, "椅子改成15把", text, "再加3把")


@pytest.mark.parametrize("kind", ["hypo", "hearsay", "question", "cond", "scoped", "cancel", "copy", "swap"])
def test_no_ellipsis_leans_on_what_changed_nothing_certain(office: Kit, kind: str) -> None:
    """For every kind that may not be leaned on, the first wording of the world's own forms."""
    event = {
        "cond": Event("cond", "chair", "qty", 20, tag="lift"),
        "scoped": Event("scoped", "chair", "qty", 20, tag="first"),
        "question": Event("question", "chair", "qty"), "cancel": Event("cancel", "chair"),
        "copy": Event("copy", "chair", "price", other="desk"), "swap": Event("swap", "chair", "price", other="desk"),
    }.get(kind, Event(kind, "chair", "qty", 20))  # fmt: skip
    text = say(office, event)
    assert "turn 4" in refused(office, INTROS, "椅子改成15把", text, "再加3把")


@pytest.mark.parametrize("kind", ["bulk.percent.up", "rule", "cond.met"])
def test_no_ellipsis_reaches_over_what_is_about_no_row(office: Kit, kind: str) -> None:
    event = {
        "bulk.percent.up": Event("bulk.percent.up", None, "price", 1000),
        "rule": Event("rule", tag="first", values=(("fee_rate", 500),)), "cond.met": Event("cond.met", tag="lift"),
    }[kind]  # fmt: skip
    assert "not about one row" in refused(office, INTROS, "椅子改成15把", say(office, event), "再加3把")


def test_a_classifier_that_does_not_fit(office: Kit) -> None:
    assert "does not fit" in refused(office, INTRO, "椅子改成15把", "再加3台")


def test_a_correction_that_comes_late(office: Kit) -> None:
    assert "at once" in refused(office, INTRO, "椅子改成15把", CHAT, "不对，是16把")
    assert "at once" in refused(office, INTRO, "椅子改成15把；不对，是16把")


def test_a_residue_rejects_the_dialogue(office: Kit) -> None:
    assert "unread words" in refused(office, INTRO, "椅子改成15把，四百五")
    assert "unread words" in refused(office, INTRO, "椅子这事回头说")


def test_a_last_turn_that_asks_for_nothing(office: Kit) -> None:
    messages = [Message(role="user", content=INTRO), Message(role="assistant", content="好。"),
                Message(role="user", content="好了就这样")]  # fmt: skip
    with pytest.raises(HearingError, match="no request"):
        hear(office, exchanges_of(office, messages))
    with pytest.raises(HearingError, match="empty"):
        hear(office, [])


def test_hearing_needs_no_assistant(office: Kit) -> None:
    silence = Reading((), (), (), False)
    users = [INTRO, "椅子改成15把", "再加3把", REQUEST]
    exchanges = [Exchange(office.voice.speech.reader.read(t), silence, t) for t in users]
    assert hear(office, exchanges).turns[-1] == (MORE,)


def say(kit: Kit, event: Event) -> str:
    speech = kit.voice.speech
    for wording in speech.wordings_for(event):
        text = speech.render(wording, event, Random(1))
        if speech.is_read_back(text, event):
            return text
    raise AssertionError(f"no wording of {event}")
