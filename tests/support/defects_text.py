"""Defects of the dialogue: of form, of meaning, of voice, and of what is irrelevant."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from random import Random

from generator.audit import Case
from generator.language.reader import Reading
from generator.modes.constraint_synthesis.state import ChainState
from generator.modes.protocol import Exchange, Heard, Kit
from generator.records import Event, Message
from generator.stages.candidate import Candidate
from support.cases import (
    chat_turn,
    find_turn,
    is_change,
    put_in,
    retell,
    say,
    script_of,
    take_out,
    turns_of,
    with_key,
    with_messages,
    word,
)
from support.planting import DEAF, defect, kinds, step_of

SILENCE = Reading((), (), (), False)


# shape --------------------------------------------------------------------------------------


@defect("shape")
def an_empty_turn(made: Candidate, case: Case) -> Case:
    return say(case, chat_turn(case), user="  ")


@defect("shape")
def braces_in_a_turn(made: Candidate, case: Case) -> Case:
    turn = chat_turn(case)
    return say(case, turn, assistant=case.replies[turn] + " {name}")


@defect("shape")
def a_mark_of_the_template_language(made: Candidate, case: Case) -> Case:
    turn = chat_turn(case)
    return say(case, turn, assistant=case.replies[turn] + " {% if %}")


@defect("shape")
def a_phone_number(made: Candidate, case: Case) -> Case:
    return say(case, chat_turn(case), user="13812345678")


@defect("shape")
def a_mail_address(made: Candidate, case: Case) -> Case:
    turn = chat_turn(case)
    return say(case, turn, user=case.users[turn] + " zhang.san@mail.cn")


@defect("shape")
def the_canary(made: Candidate, case: Case) -> Case:
    turn = chat_turn(case)
    return say(case, turn, user=case.users[turn] + " turnproof-canary-0123")


@defect("shape", *DEAF, "inert", "needed", "voice", "diagnostic")
def two_messages_of_the_user_in_a_row(made: Candidate, case: Case) -> Case:
    turn = chat_turn(case)
    messages = list(case.task.messages)
    messages.insert(2 * turn, Message(role="user", content=case.users[turn]))
    messages.insert(2 * turn + 1, Message(role="user", content=case.users[turn]))
    return with_messages(case, messages)


@defect("shape")
def the_request_answered(made: Candidate, case: Case) -> Case:
    return with_messages(case, [*case.task.messages, Message(role="assistant", content="42")])


@defect("shape")
def factors_of_another_dialogue(made: Candidate, case: Case) -> Case:
    return with_key(case, factors=case.key.factors.model_copy(update={"turns": len(case.users) + 1}))


@defect("shape")
def a_core_miscounted(made: Candidate, case: Case) -> Case:
    return with_key(case, factors=case.key.factors.model_copy(update={"core": len(case.groups) + 3}))


# derivable ----------------------------------------------------------------------------------


@defect("derivable", *DEAF, "voice", "no shortcut")
def a_value_altered_in_the_text(made: Candidate, case: Case) -> Case:
    for turn, events in turns_of(case):
        if len(events) == 1 and events[0].kind.startswith("adjust"):
            event = events[0]._replace(value=int(events[0].value or 0) + step_of(case, events[0]))
            spoilt = say(case, turn, user=word(case, event))
            if spoilt.answer_without(()) != case.key.answer:
                return spoilt
    raise AssertionError("no adjustment bears on the answer")


@defect("derivable", *DEAF, "voice")
def a_new_row_left_out(made: Candidate, case: Case) -> Case:
    return take_out(case, find_turn(case, lambda events: events[0].kind == "intro"))


@defect("derivable", *DEAF, "inert")
def a_row_named_in_passing(made: Candidate, case: Case) -> Case:
    name = case.kit.world.items[0].names[0]
    return say(case, chat_turn(case), user=f"{name}……" if case.kit.lang == "zh" else f"{name} hmm")


@defect("derivable", *DEAF)
def a_request_for_nothing_known(made: Candidate, case: Case) -> Case:
    last = "帮我弄一下吧" if case.kit.lang == "zh" else "Sort it out for me, would you?"
    return with_messages(case, [*case.task.messages[:-1], Message(role="user", content=last)])


@defect("derivable", "unchanged", "user-only", "unique", "items", "checker")
def a_wrong_gold(made: Candidate, case: Case) -> Case:
    path = sorted(p for p in case.key.answer if not p.endswith(".absent"))[0]
    return with_key(case, answer={**case.key.answer, path: case.key.answer[path] + 1})


# user-only ----------------------------------------------------------------------------------


def hear_through_the_reply(case: Case, turn: int) -> Case:
    """Return the case with a reader to whom the user's turn means nothing without the assistant's reply.

    The reader of Mode III takes no value from a reply, so the defect is planted in the reader.
    """
    text, real = case.users[turn], case.mode.hear

    def hear(kit: Kit, exchanges: Sequence[Exchange]) -> Heard:
        return real(
            kit, [e._replace(user=SILENCE) if e.text == text and not e.assistant.events else e for e in exchanges]
        )

    return replace(case, mode=replace(case.mode, hear=hear))


@defect("user-only")
def a_change_that_only_the_assistant_says(made: Candidate, case: Case) -> Case:
    turn = max(t for t, events in turns_of(case) if is_change(events) and bears(case, t))
    return hear_through_the_reply(case, turn)


@defect("user-only")
def a_row_that_only_the_assistant_says(made: Candidate, case: Case) -> Case:
    return hear_through_the_reply(case, find_turn(case, lambda events: events[0].kind == "intro"))


def bears(case: Case, turn: int) -> bool:
    """Return whether the answer is another without the exchange."""
    return case.answer_without({turn}) != case.key.answer


# inert --------------------------------------------------------------------------------------


@defect("inert")
def a_row_named_in_a_reply_to_chat(made: Candidate, case: Case) -> Case:
    return say(case, chat_turn(case), assistant=case.kit.world.items[0].names[0])


@defect("inert")
def a_verb_of_change_in_chat(made: Candidate, case: Case) -> Case:
    return say(case, chat_turn(case), user=case.kit.voice.speech.lexicon.change_verbs[0])


@defect("inert", "derivable", "unchanged", "user-only", "voice", "diagnostic", "no shortcut", "needed")
def an_active_event_in_chat(made: Candidate, case: Case) -> Case:
    event = next(e for _, events in turns_of(case) for e in events if e.kind in {"adjust.up", "adjust.down"})
    return say(case, chat_turn(case), user=word(case, event))


@defect("inert")
def a_value_of_the_answer_in_a_near_topic(made: Candidate, case: Case) -> Case:
    event, owner = _gold_of_others(case)
    return put_in(
        case, chat_turn(case), word(case, event._replace(tag=owner)), "嗯。" if case.kit.lang == "zh" else "Right."
    )


def _gold_of_others(case: Case) -> tuple[Event, str]:
    fields = case.kit.world.field_by_id
    path = next(p for p in sorted(case.key.answer) if p.split(".")[1] in fields and not p.startswith("sheet"))
    row, name = path.split(".")
    other = next(i.id for i in reversed(case.kit.world.items) if i.id != row)
    owner = case.kit.extra["people"].fill(case.kit.world.owners[0], Random(1))
    return Event("foreign", other, name, case.key.answer[path]), owner


# voice --------------------------------------------------------------------------------------


@defect("voice")
def an_echo_with_a_wrong_value(made: Candidate, case: Case) -> Case:
    turn = find_turn(case, is_change)
    event = dict(turns_of(case))[turn][0]
    claim = Event("echo", event.item, event.field)
    heard = case.heard
    assert heard is not None
    present = case.mode.value_after(case.kit, heard, turn, claim)
    wrong = claim._replace(value=int(present or 0) + step_of(case, event))
    return say(case, turn, assistant=word(case, wrong, reply=True))


@defect("voice")
def an_acknowledgement_of_nothing_after_a_change(made: Candidate, case: Case) -> Case:
    return say(case, find_turn(case, is_change), assistant=word(case, Event("ack.nothing"), reply=True))


@defect("voice")
def an_acknowledgement_of_another_kind(made: Candidate, case: Case) -> Case:
    turn = find_turn(case, lambda events: is_change(events) and events[0].kind != "swap")
    return say(case, turn, assistant=word(case, Event("ack.intro"), reply=True))


@defect("voice", fits=lambda m: "hypo" in kinds(m))
def a_change_claimed_after_a_mere_thought(made: Candidate, case: Case) -> Case:
    turn = find_turn(case, lambda events: events[0].kind == "hypo")
    return say(case, turn, assistant=word(case, Event("ack.applied"), reply=True))


@defect("voice")
def a_reply_that_claims_nothing_known(made: Candidate, case: Case) -> Case:
    return say(case, find_turn(case, is_change), assistant="天气不错。" if case.kit.lang == "zh" else "Nice weather.")


@defect("voice", fits=lambda m: sum(e.kind == "intro" for t in m.state.turns for e in t.events) >= 7)
def one_wording_again_and_again(made: Candidate, case: Case) -> Case:
    stop = "。" if case.kit.lang == "zh" else ". "
    for turn, events in turns_of(case):
        if events[0].kind == "intro":
            case = say(case, turn, user=stop.join(word(case, e) for e in events))
    return case


@defect("voice")
def turns_of_one_length(made: Candidate, case: Case) -> Case:
    plain = case.users[chat_turn(case)]
    lengths = sorted(len(case.users[t]) for t in case.group_of)
    text = (plain * 9)[: lengths[len(lengths) // 2]]
    for run in case.runs:
        for turn in run:
            case = say(case, turn, user=text)
    return case


@defect("voice")
def an_opener_without_a_cause(made: Candidate, case: Case) -> Case:
    turn = next(t for t in sorted(case.group_of) if t - 1 in case.group_of and t)
    back = case.kit.voice.speech.lexicon.back_openers[0]
    joint = "" if case.kit.lang == "zh" or back.endswith(" ") else " "
    return say(case, turn, user=back + joint + case.users[turn])


@defect("voice", "diagnostic", "needed", "no shortcut")
def a_value_that_no_trade_knows(made: Candidate, case: Case) -> Case:
    state: ChainState = made.state
    row = next(e.item for t in state.turns for e in t.events if e.kind == "intro" and e.item != state.control)
    field = next(f for f in made.kit.world.fields if f.family in {"count", "measure", "money"})
    high = made.kit.extra["amounts"].bands[row, field.id][1]
    far = Event("set", row, field.id, high * 9)
    turns = script_of([*(t.events for t in state.turns if not t.welded), (far,)])
    return retell(made, state._replace(turns=turns))
