"""Counterfactual twins: one needed event changed, another verdict state."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random

from generator.modes.constraint_synthesis.failures import OWN
from generator.modes.constraint_synthesis.state import ChainState, undiagnosed
from generator.modes.protocol import Kit
from generator.records import Event
from generator.states.update_chain.backward import answer_backward
from generator.states.update_chain.chain import InvalidChainError
from generator.states.update_chain.forward import Sheet, answer_forward
from generator.states.update_chain.world import World

AWAY_FROM_END = 8
MOST_CELLS = 3


def twins_of(kit: Kit, state: ChainState, rng: Random) -> list[ChainState]:
    """Return twins, best first: a change of type before a change of value, few cells before many.

    The changed turn lies before the last eight (or, in a short dialogue, in its first half);
    nothing that a reply reads back later may depend on it.
    """
    world: World = kit.world
    truth = answer_forward(world, state.chain)
    limit = max(len(state.turns) - AWAY_FROM_END, len(state.turns) // 2)
    found: list[tuple[int, int, int, ChainState]] = []
    for at, turn in enumerate(state.turns[:limit]):
        for place, event in enumerate(turn.events):
            for rank, changed in _edits(kit, event, rng):
                events = (*turn.events[:place], changed, *turn.events[place + 1 :])
                turns = (*state.turns[:at], turn._replace(events=events, echo=None), *state.turns[at + 1 :])
                twin = state._replace(turns=turns)
                try:
                    answer = answer_forward(world, twin.chain)
                    if answer != answer_backward(world, twin.chain) or not _replies_hold(world, twin):
                        continue
                except InvalidChainError:
                    continue
                cells = _moved_cells(world, state, twin)
                if answer != truth and turn.echo is None and 1 <= cells <= MOST_CELLS:
                    kept = {m: p for m, p in state.gadgets.items() if m not in undiagnosed(world, twin, answer)}
                    twin = twin._replace(gadgets=kept)
                    if kept and "control" not in undiagnosed(world, twin, answer):
                        found.append((rank, cells, at, twin))
    found.sort(key=lambda f: f[:3])
    return [twin for *_, twin in found]


def _edits(kit: Kit, event: Event, rng: Random) -> Iterator[tuple[int, Event]]:
    """Yield (rank, event): rank 0 changes the type, rank 1 an outcome or a way, rank 2 a value."""
    match event.kind:
        case "hypo" | "hearsay":
            yield 0, event._replace(kind="set")
        case "foreign" | "scoped":
            yield 0, event._replace(kind="set", tag=None)
        case "set":
            yield 0, event._replace(kind="hypo")
            yield 0, event._replace(kind="foreign", tag=kit.extra["people"].fill(rng.choice(kit.world.owners), rng))
        case "cond.met":
            yield 0, event._replace(kind="cond.unmet")
        case "cond.unmet":
            yield 0, event._replace(kind="cond.met")
        case "revert.prev":
            yield 1, event._replace(kind="revert.first")
        case "revert.first":
            yield 1, event._replace(kind="revert.prev")
        case "adjust.up":
            yield 2, event._replace(kind="adjust.down")
        case "adjust.down":
            yield 2, event._replace(kind="adjust.up")


def _moved_cells(world: World, state: ChainState, twin: ChainState) -> int:
    """Count the base cells and rows that end otherwise."""
    ends = []
    for chain in (state.chain, twin.chain):
        sheet = Sheet(world)
        for event in chain.events:
            sheet.apply(event)
        ends.append(({c: v[-1] for c, v in sheet.history.items()}, sheet.cancelled))
    (mine, gone), (other, gone_too) = ends
    return sum(mine[c] != other.get(c) for c in mine) + len(gone ^ gone_too)


def _replies_hold(world: World, state: ChainState) -> bool:
    """Return whether every value that a reply reads back is still right, and every change plausible."""
    sheet = Sheet(world)
    for turn in state.turns:
        for event in turn.events:
            sheet.apply(event)
        if turn.echo is not None and sheet.value(turn.echo.item, turn.echo.field) != turn.echo.value:
            return False
    return all(value > 0 for past in sheet.history.values() for value in past)


def declares(state: ChainState) -> tuple[str, ...]:
    """Return the mechanisms that the state declares, in a fixed order."""
    return tuple(m for m in OWN if m in state.gadgets)
