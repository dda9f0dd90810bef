"""Mode III as the stages see it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from generator.modes.constraint_synthesis.failures import OWN, SHORTCUTS, follow_leniently
from generator.modes.constraint_synthesis.hear import answer_heard, fail, hear, values_of
from generator.modes.constraint_synthesis.kit import check_kit, load_kits
from generator.modes.constraint_synthesis.sheet_items import alternatives_of, items_of, view_of
from generator.modes.constraint_synthesis.state import (
    ChainState,
    draw_state,
    duties_of,
    implausible,
    load_state,
    record_of,
)
from generator.modes.constraint_synthesis.twins import twins_of
from generator.modes.protocol import AnswerValues, Heard, Kit, Mode, RedrawError, ScriptTurn
from generator.modes.sheet_replies import REWORDING_NAMES, control_replies, reword_reply, view_in, write_reply
from generator.records import Event, SheetView
from generator.states.update_chain.backward import answer_backward
from generator.states.update_chain.chain import INERT
from generator.states.update_chain.forward import answer_forward


def _answer(kit: Kit, state: ChainState) -> AnswerValues:
    return values_of(answer_forward(kit.world, state.chain))


def _resolve(kit: Kit, state: ChainState) -> AnswerValues:
    return values_of(answer_backward(kit.world, state.chain))


def _script(kit: Kit, state: ChainState) -> tuple[ScriptTurn, ...]:
    return state.turns


def _diagnose(kit: Kit, state: ChainState) -> Mapping[str, str]:
    return {**state.gadgets, "control": state.control}


def _duties(kit: Kit, state: ChainState) -> Mapping[str, str]:
    duties: dict[str, str] = {}
    for group, duty in duties_of(kit.world, state).items():
        if duty is None:
            raise RedrawError(f"group {group} is neither needed nor bait")
        duties[group] = duty
    return duties


def _record(kit: Kit, state: ChainState) -> dict[str, Any]:
    return {**record_of(kit, state), "view": view_of(kit, state).model_dump(mode="json")}


def _view_heard(kit: Kit, heard: Heard) -> SheetView:
    turns = tuple(ScriptTurn(events, f"t{n}") for n, events in enumerate(heard.turns))
    return view_of(kit, ChainState(turns, heard.request, {}, ""))


def _value_after(kit: Kit, heard: Heard, turn: int, claim: Event) -> int | None:
    sheet = follow_leniently(kit.world, (e for events in heard.turns[: turn + 1] for e in events))
    past = sheet.history.get((str(claim.item), str(claim.field)))
    return past[-1] if past else None


MODE = Mode(
    number="iii",
    name="constraint synthesis",
    failure_names=OWN,
    shortcut_names=SHORTCUTS,
    load=load_kits,
    draw=draw_state,
    script=_script,
    state_record=_record,
    answer=_answer,
    resolve=_resolve,
    hear=hear,
    answer_heard=answer_heard,
    fail=fail,
    alternatives=alternatives_of,
    diagnose=_diagnose,
    items=items_of,
    view_in=view_in,
    view_heard=_view_heard,
    write_reply=write_reply,
    reword_reply=reword_reply,
    reword_names=REWORDING_NAMES,
    control_replies=control_replies,
    load_state=load_state,
    value_after=_value_after,
    implausible=implausible,
    inert_kinds=INERT,
    twin=twins_of,
    duties=_duties,
    check=check_kit,
)
