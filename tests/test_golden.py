"""Golden answers: chains worked out on paper, and one whole task of each language as a snapshot.

The snapshots move whenever wording, worlds or the planner do. To write them anew, and then read the
difference as a person would:

    TURNPROOF_REGENERATE=1 pytest tests/test_golden.py
"""

from __future__ import annotations

import json
import os
from functools import cache
from typing import Any

import pytest
from support.golden import HOME, Worked, hand_worked
from support.worlds import LANGS

from generator.modes.constraint_synthesis.failures import FAILURES
from generator.modes.constraint_synthesis.state import ChainState
from generator.modes.protocol import ScriptTurn
from generator.records import Lang
from generator.stages.pipeline import Spec, open_workshop, run_index
from generator.states.update_chain.backward import answer_backward
from generator.states.update_chain.forward import answer_forward

REGENERATE = "TURNPROOF_REGENERATE"
SEED = 20_271_130
EVERY_KIND = {
    "intro", "set", "adjust.up", "adjust.down", "percent.up", "percent.down", "copy", "swap", "revert.prev",
    "revert.first", "cancel", "restore", "bulk.percent.up", "bulk.percent.down", "bulk.adjust.up",
    "bulk.adjust.down", "cond", "cond.met", "cond.unmet", "correct", "waver", "scoped", "hypo", "hearsay", "question",
    "foreign", "rule",
}  # fmt: skip

worked = pytest.mark.parametrize("task", hand_worked(), ids=lambda t: t.name)


def test_hand_worked_tasks_say_every_kind_of_event() -> None:
    assert len(hand_worked()) == 10
    assert {e.kind for t in hand_worked() for e in t.chain.events} == EVERY_KIND


@worked
def test_both_paths_give_the_answer_worked_by_hand(task: Worked) -> None:
    assert answer_forward(task.world, task.chain) == task.answer
    assert answer_backward(task.world, task.chain) == task.answer


@worked
def test_failures_give_the_alternatives_worked_by_hand(task: Worked) -> None:
    assert len(task.alternatives) == 2
    turns = [(event,) for event in task.chain.events]
    for name, expected in task.alternatives.items():
        assert FAILURES[name](task.world, turns, task.chain.request) == expected, name
        assert expected != task.answer


@worked
def test_hand_worked_chains_survive_the_key(task: Worked) -> None:
    """A chain stored as a state and loaded again has the same answer."""
    state = ChainState(tuple(ScriptTurn((e,), "g") for e in task.chain.events), task.chain.request, {}, "")
    assert answer_forward(task.world, state.chain) == task.answer


@cache
def built_task(lang: Lang) -> dict[str, Any]:
    """Return task and key of the first index of a fixed seed that comes to anything."""
    shop = open_workshop("iii", lang, "eval", None)
    spec = Spec(mode="iii", lang=lang, n=1, pool=1)
    outcome = next(o for o in (run_index(shop, spec, SEED, n) for n in range(9)) if o.candidates)
    candidate = outcome.candidates[0]
    return {"task": candidate.task().model_dump(mode="json"), "key": candidate.key().model_dump(mode="json")}


@pytest.mark.parametrize("lang", LANGS)
def test_whole_task_is_the_snapshot(lang: Lang) -> None:
    path = HOME / f"snapshot_{lang}.json"
    built = json.loads(json.dumps(built_task(lang)))
    if os.environ.get(REGENERATE):
        path.write_text(json.dumps(built, ensure_ascii=False, indent=1, sort_keys=True) + "\n", encoding="utf-8")
    assert path.exists(), f"no snapshot yet: write it with {REGENERATE}=1"
    stored = json.loads(path.read_text(encoding="utf-8"))
    for part in ("task", "key"):
        changed = sorted(k for k in {*stored[part], *built[part]} if stored[part].get(k) != built[part].get(k))
        assert not changed, f"{part} moved at {changed}: if that is meant, write it anew with {REGENERATE}=1"
