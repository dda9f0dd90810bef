"""Mode III as the stages see it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from generator.modes.constraint_synthesis.failures import OWN, SHORTCUTS
from generator.modes.constraint_synthesis.hear import answer_heard, fail, hear, values_of
from generator.modes.constraint_synthesis.kit import check_kit, load_kits
from generator.modes.constraint_synthesis.sheet_items import alternatives_of, items_of, view_of
from generator.modes.constraint_synthesis.state import ChainState, draw_state, duty_of, record_of
from generator.modes.constraint_synthesis.twins import twins_of
from generator.modes.protocol import AnswerValues, Kit, Mode, ScriptTurn
from generator.states.update_chain.backward import answer_backward
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
    groups = dict.fromkeys(t.group for t in state.turns)
    return {group: duty_of(kit.world, state, group) or "none" for group in groups}


def _record(kit: Kit, state: ChainState) -> dict[str, Any]:
    return {**record_of(kit, state), "view": view_of(kit, state).model_dump(mode="json")}


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
    view=view_of,
    twin=twins_of,
    duties=_duties,
    check=check_kit,
)
