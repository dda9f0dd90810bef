"""Clean cases, and small ways to spoil them: change a turn, put one in, take one out, alter the key."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cache
from random import Random
from typing import Any

from generator.audit import AUDITS, Case
from generator.modes.constraint_synthesis.state import ChainState
from generator.modes.protocol import ScriptTurn
from generator.records import Event, Evidence, Key, Lang, Message, Task, freeze
from generator.stages.candidate import Candidate
from generator.stages.pipeline import Spec, Workshop, open_workshop, run_index
from generator.stages.s3_dialogue import write_dialogue
from generator.stages.s5_distractors import assemble
from generator.states.update_chain.chain import CELL_EVENTS

SEED = 4_242
MOST_TRIED = 60


def shop(lang: Lang) -> Workshop:
    """Return the workshop of a language, the one that builds use."""
    return open_workshop("iii", lang, "eval", None)


@cache
def _candidate_at(lang: Lang, index: int) -> Candidate | None:
    outcome = run_index(shop(lang), Spec(mode="iii", lang=lang, n=1, pool=1), SEED, index)
    return outcome.candidates[0] if outcome.candidates else None


def candidates(lang: Lang) -> Iterator[Candidate]:
    """Yield audited candidates of a fixed seed."""
    for index in range(MOST_TRIED):
        found = _candidate_at(lang, index)
        if found is not None:
            yield found


def candidate(lang: Lang, fits: Callable[[Candidate], bool] = lambda c: True) -> Candidate:
    """Return the first audited candidate that fits."""
    found = next((c for c in candidates(lang) if fits(c)), None)
    assert found is not None, "no candidate of the pool fits"
    return found


def case_of(made: Candidate) -> Case:
    """Return a candidate as the audits see it."""
    return Case(made.mode, made.kit, made.task(), made.key(), shop(made.kit.lang).policy)


def failed_audits(case: Case) -> set[str]:
    """Return the names of all audits that find something, each run on its own."""
    return {name for name, audit in AUDITS.items() if audit(case)}


# The state and what is said of it -----------------------------------------------------------


def turns_of(case: Case) -> list[tuple[int, tuple[Event, ...]]]:
    """Return (exchange, resolved events) of every evidence exchange."""
    heard = case.heard
    assert heard is not None
    return [(turn, heard.turns[turn]) for turn in sorted(case.group_of)]


def find_turn(case: Case, fits: Callable[[tuple[Event, ...]], bool]) -> int:
    """Return the first evidence exchange whose events fit."""
    return next(turn for turn, events in turns_of(case) if fits(events))


def is_change(events: Sequence[Event]) -> bool:
    """Return whether a turn says one change of one cell."""
    return len(events) == 1 and events[0].kind in CELL_EVENTS - {"correct"}


def word(case: Case, event: Event, *, reply: bool = False, skip: int = 0) -> str:
    """Return a sentence that says an event and reads back."""
    speech, rng = case.kit.voice.speech, Random(5)
    for wording in list(speech.wordings_for(event, reply=reply))[skip:]:
        for _ in range(8):
            text = speech.render(wording, event, rng)
            if speech.is_read_back(text, event, reply=reply):
                return text
    raise AssertionError(f"no wording of {event}")


def chat_turn(case: Case, number: int = 0) -> int:
    """Return an irrelevant exchange that is free chat."""
    free = [t for run in case.runs for t in run if not case.exchanges[t].user.events]
    return free[number]


# Ways to spoil ------------------------------------------------------------------------------


def with_messages(case: Case, messages: Sequence[Message]) -> Case:
    """Return the case with other messages."""
    return replace(case, task=case.task.model_copy(update={"messages": tuple(messages)}))


def say(case: Case, turn: int, *, user: str | None = None, assistant: str | None = None) -> Case:
    """Return the case with other words in an exchange."""
    messages = list(case.task.messages)
    if user is not None:
        messages[2 * turn] = Message(role="user", content=user)
    if assistant is not None:
        messages[2 * turn + 1] = Message(role="assistant", content=assistant)
    return with_messages(case, messages)


def put_in(case: Case, at: int, user: str, assistant: str, group: str | None = None) -> Case:
    """Return the case with an exchange put in before exchange `at`, as evidence of `group` if one is named."""
    messages = list(case.task.messages)
    messages[2 * at : 2 * at] = [Message(role="user", content=user), Message(role="assistant", content=assistant)]
    evidence = [e.model_copy(update={"turn": e.turn + (e.turn >= at)}) for e in case.key.evidence]
    if group is not None:
        evidence.append(Evidence(group=group, turn=at, role="user", duty="needed"))
    return _with_evidence(with_messages(case, messages), evidence)


def take_out(case: Case, turn: int) -> Case:
    """Return the case without an exchange, its evidence gone as well."""
    messages = list(case.task.messages)
    del messages[2 * turn : 2 * turn + 2]
    evidence = [e.model_copy(update={"turn": e.turn - (e.turn > turn)}) for e in case.key.evidence if e.turn != turn]
    return _with_evidence(with_messages(case, messages), evidence)


def disown(case: Case, turn: int) -> Case:
    """Return the case with an evidence exchange passed off as irrelevant."""
    return _with_evidence(case, [e for e in case.key.evidence if e.turn != turn])


def _with_evidence(case: Case, evidence: Sequence[Evidence]) -> Case:
    ordered = tuple(sorted(evidence, key=lambda e: (e.turn, e.role != "user")))
    users = sum(m.role == "user" for m in case.task.messages)
    factors = case.key.factors.model_copy(update={"turns": users, "core": len({e.turn for e in ordered})})
    return with_key(case, evidence=ordered, factors=factors)


def with_key(case: Case, *, frozen: bool = True, **changes: Any) -> Case:
    """Return the case with an altered key; its digest is taken anew unless `frozen` is off."""
    key: Key = case.key.model_copy(update=changes)
    if frozen:
        key = key.model_copy(update={"digest": freeze(key.state, key.answer, key.items)})
    return replace(case, key=key)


def with_state(case: Case, **changes: Any) -> Case:
    """Return the case with other entries of the stored state."""
    return with_key(case, state={**case.key.state, **changes})


def with_item(case: Case, number: int, **changes: Any) -> Case:
    """Return the case with an altered scoring item."""
    items = list(case.key.items)
    items[number] = items[number].model_copy(update=changes)
    return with_key(case, items=tuple(items))


def retell(made: Candidate, state: ChainState, duties: Mapping[str, str] | None = None) -> Case:
    """Return a case over another state: dialogue, key and items are made of it, and nothing is checked."""
    mode, kit = made.mode, made.kit
    dialogue = write_dialogue(mode, kit, state, made.anchor.register, Random(9))
    segments = [s._replace(gap=len(dialogue.turns)) for s in made.segments]
    known = duties or dict.fromkeys((t.group for t in state.turns), "needed")
    answer, items, record = mode.answer(kit, state), mode.items(kit, state), mode.state_record(kit, state)
    told = replace(
        made,
        state=state,
        record=record,
        answer=answer,
        items=items,
        alternatives=mode.alternatives(kit, state),
        digest=freeze(record, answer, items),
        dialogue=dialogue,
        segments=tuple(segments),
        assembled=assemble(kit, dialogue, segments, known, Random(9)),
    )
    return case_of(told)


def script_of(events: Sequence[Sequence[Event]]) -> tuple[ScriptTurn, ...]:
    """Return turns over events, each a group of its own."""
    return tuple(ScriptTurn(tuple(turn), f"g{number:02d}") for number, turn in enumerate(events))


def swap_task(case: Case, **changes: Any) -> Case:
    """Return the case with an altered public part."""
    task: Task = case.task.model_copy(update=changes)
    return replace(case, task=task)
