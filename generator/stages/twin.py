"""Counterfactual twins: the same dialogue with one turn about something else."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from generator.modes.protocol import Mode, RedrawError, ScriptTurn
from generator.records import freeze
from generator.seeds import stream
from generator.stages.candidate import Candidate
from generator.stages.ellipsis import Antecedent
from generator.stages.s3_dialogue import Dialogue, Turn, Writer
from generator.stages.s5_distractors import assemble

MOST_TRIED = 8


def twin_states(candidate: Candidate, attempt: int = 0) -> list[Any]:
    """Return states that could be the twin's, best first."""
    rng = stream(candidate.seed, f"{candidate.id}/{attempt}", "twin")
    return list(candidate.mode.twin(candidate.kit, candidate.state, rng))[:MOST_TRIED]


def make_twin(candidate: Candidate, state: Any, attempt: int = 0) -> Candidate:
    """Return the twin over a state: one user turn and the reply to it are worded anew, all else is the same.

    Raises:
        RedrawError: The changed turn cannot be worded.
    """
    mode, kit = candidate.mode, candidate.kit
    rng = stream(candidate.seed, f"{candidate.id}/{attempt}", "twin-words")
    dialogue = _reword(mode, candidate, state, rng)
    answer = mode.answer(kit, state)
    if mode.resolve(kit, state) != answer:
        raise RedrawError("the two code paths differ")
    record, items = mode.state_record(kit, state), mode.items(kit, state)
    name = f"{mode.number}/{kit.lang}/{candidate.anchor.number}/{candidate.attempt}"
    assembled = assemble(
        kit, dialogue, candidate.segments, mode.duties(kit, state), stream(candidate.seed, name, "s5-openers")
    )
    return replace(
        candidate, state=state, record=record, answer=answer, alternatives=mode.alternatives(kit, state), items=items,
        digest=freeze(record, answer, items), dialogue=dialogue, assembled=assembled, twin_of=candidate.id,
    )  # fmt: skip


def _reword(mode: Mode, candidate: Candidate, state: Any, rng: Any) -> Dialogue:
    before, after = mode.script(candidate.kit, candidate.state), mode.script(candidate.kit, state)
    changed = [n for n, (one, other) in enumerate(zip(before, after, strict=True)) if one.events != other.events]
    if len(changed) != 1:
        raise RedrawError("a twin differs in one turn")
    at = changed[0]
    writer = Writer(candidate.kit, candidate.anchor.register, rng)
    _remember(writer, after[:at])
    old: Turn = candidate.dialogue.turns[at]
    if old.asks or (at and candidate.dialogue.turns[at - 1].asks):
        raise RedrawError("the turn is part of a question and its answer")
    following = after[at + 1] if at + 1 < len(after) else None
    new = writer.write(after[at], first=at == 0, following=following, may_ask=False)
    turn = new._replace(leans=new.leans or old.leans)
    if new.leans and not old.leans:
        raise RedrawError("the twin's turn would have to stay behind the one before it")
    turns = (*candidate.dialogue.turns[:at], turn, *candidate.dialogue.turns[at + 1 :])
    return candidate.dialogue._replace(turns=turns)


def _remember(writer: Writer, earlier: tuple[ScriptTurn, ...]) -> None:
    for turn in earlier:
        named = [i for e in turn.events for i in (e.item, e.other) if i]
        writer.introduced.update(named)
        writer.antecedent = Antecedent.after(turn.events, named)
