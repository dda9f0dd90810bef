"""Would the two code paths notice a slip in each other? Mutants of one are held against the other.

A mutant is killed when, on some chain of the corpus, its answer is not the answer of the other path,
or it breaks, or it refuses what the other follows. The few that no chain can tell from the original
are listed with the reason.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cache
from pathlib import Path
from random import Random
from typing import NamedTuple

import pytest
from support.chains import INVALID, bench_chain, outcome, planned_corpus
from support.equivalents import EQUIVALENT
from support.hand_made import INVALID_UNASKED, hand_made
from support.mutate import Mutant, load_mutant, mutants_of

from generator.states.update_chain import backward, forward
from generator.states.update_chain.chain import Answer, Chain
from generator.states.update_chain.world import World

PLANNED = 150
SAMPLE = 40
LEAST_KILLED = 0.95


class Side(NamedTuple):
    """A code path, its file, its entry, and functions that no answer goes through."""

    source: Path
    entry: str
    true: Callable[[World, Chain], Answer]
    skipped: frozenset[str]


SIDES = {
    # `copy` is not on the way to an answer: test_update_chain tests it.
    "forward": Side(Path(forward.__file__), "answer_forward", forward.answer_forward, frozenset({"copy", "__init__"})),
    "backward": Side(Path(backward.__file__), "answer_backward", backward.answer_backward, frozenset({"__init__"})),
}
OTHER = {"forward": "backward", "backward": "forward"}


@cache
def corpus(side: str) -> tuple[tuple[World, Chain, Answer | str], ...]:
    """Return chains with what the other path says of them; of what only the replay refuses, with that."""
    chains = [*hand_made().values(), *planned_corpus(PLANNED)]
    found = [(w, c, outcome(SIDES[OTHER[side]].true, w, c)) for w, c in chains]
    if side == "forward":
        # The look-back follows these; that the replay must refuse them is its contract.
        found += [(*bench_chain(*events), INVALID) for events in INVALID_UNASKED.values()]
    return tuple(found)


def survives(side: str, mutant: Mutant) -> bool:
    """Return whether no chain of the corpus tells the mutant from the other path."""
    module = load_mutant(SIDES[side].source, mutant, f"mutant_{side}")
    path = getattr(module, SIDES[side].entry, None)
    if path is None:
        return False
    return all(outcome(path, w, c) == expected for w, c, expected in corpus(side))


@cache
def mutants(side: str) -> list[Mutant]:
    return mutants_of(SIDES[side].source, SIDES[side].skipped)


def judge(side: str, tried: Sequence[Mutant]) -> tuple[float, list[str]]:
    """Return the share killed of the non-equivalent mutants, and the names of those that live."""
    counted = [m for m in tried if m.name not in EQUIVALENT[side]]
    living = [m.name for m in counted if survives(side, m)]
    return 1 - len(living) / len(counted), living


@pytest.mark.parametrize("side", SIDES)
def test_unmutated_path_agrees_over_the_corpus(side: str) -> None:
    module = load_mutant(SIDES[side].source, None, f"copy_of_{side}")
    path = getattr(module, SIDES[side].entry)
    for place, chain, expected in corpus(side):
        assert outcome(path, place, chain) == expected, chain


@pytest.mark.parametrize("side", SIDES)
def test_sample_of_mutants_is_killed(side: str) -> None:
    sample = Random(3).sample(mutants(side), SAMPLE // 2)
    share, living = judge(side, sample)
    assert share == 1, living


@pytest.mark.slow
@pytest.mark.parametrize("side", SIDES)
def test_equivalents_exist(side: str) -> None:
    """An entry that names no mutant is out of date."""
    assert set(EQUIVALENT[side]) <= {m.name for m in mutants(side)}


@pytest.mark.slow
@pytest.mark.parametrize("side", SIDES)
def test_mutants_are_killed(side: str) -> None:
    share, living = judge(side, mutants(side))
    print(f"{side}: {len(mutants(side))} mutants, {len(EQUIVALENT[side])} equivalent, killed {share:.3f}")
    assert share >= LEAST_KILLED, "\n".join(living)


@pytest.mark.slow
@pytest.mark.parametrize("side", SIDES)
def test_equivalents_live(side: str) -> None:
    """An entry whose mutant is killed after all excuses nothing and must go."""
    listed = [m for m in mutants(side) if m.name in EQUIVALENT[side]]
    # Two changes of one statement may share a name; one of them must live.
    living = {m.name for m in listed if survives(side, m)}
    assert living == {m.name for m in listed}
