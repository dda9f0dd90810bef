"""Chains for tests: planned ones by world and seed, and short ones made by hand."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cache
from random import Random

from generator.modes.constraint_synthesis.failures import OWN
from generator.modes.constraint_synthesis.moves import PlanError
from generator.modes.constraint_synthesis.plan import Planned, Planner
from generator.records import Event
from generator.states.update_chain.chain import Answer, Chain, InvalidChainError, Request
from generator.states.update_chain.world import World
from support.worlds import all_worlds, amounts, bench, people, world

TRIES = 60
INVALID = "invalid"
Path = Callable[[World, Chain], Answer]


def ask(columns: Sequence[str], figures: Sequence[str] = (), rows: Sequence[str] = ()) -> Request:
    """Return a request."""
    return Request(id="asked", rows=tuple(rows), columns=tuple(columns), figures=tuple(figures))


def outcome(path: Path, place: World, chain: Chain) -> Answer | str:
    """Return the answer of a code path, `invalid` where it refuses, `crash: …` where it breaks."""
    try:
        return path(place, chain)
    except InvalidChainError:
        return INVALID
    except Exception as error:
        return f"crash: {type(error).__name__}"


@cache
def planned(name: str, seed: int, steps: int = 14, rows: int = 6, mechanisms: tuple[str, ...] = ("",)) -> Planned:
    """Return a planned chain of a world; the first of a few draws that fits together."""
    place = world(name)
    for number in range(TRIES):
        rng = Random(f"{name}/{seed}/{number}")
        wanted = mechanisms if mechanisms != ("",) else tuple(rng.sample(OWN, rng.choice([1, 2, 3])))
        try:
            return Planner(place, amounts(name), people(place.lang), rng).plan(steps, rows, wanted)
        except PlanError:
            continue
    raise AssertionError(f"no chain for {name}, {seed}, {mechanisms}")


def asking_all(place: World, events: Sequence[Event], *, rows: Sequence[str] = ()) -> Chain:
    """Return a chain that asks for every field, column and figure, rules being said where none was."""
    said = {name for e in events if e.kind == "rule" for name, _ in e.values}
    missing = [
        Event("rule", values=((r.id, r.values[0] * (100 if r.family == "percent" else 1)),))
        for r in place.rules
        if r.id not in said
    ]
    columns = [f.id for f in place.fields] + [c.id for c in place.columns]
    return Chain((*events, *missing), ask(columns, [f.id for f in place.figures], rows))


@cache
def planned_corpus(count: int) -> tuple[tuple[World, Chain], ...]:
    """Return planned chains over all worlds in turn: as asked, and asking for everything."""
    found = []
    places = all_worlds()
    for number in range(count):
        place = places[number % len(places)]
        plan = planned(f"{place.lang}/{place.id}", number, 10 + number % 12, 4 + number % 5)
        everything = asking_all(place, plan.events)
        found.append((place, Chain(plan.events, plan.request) if number % 3 == 0 else everything))
    return tuple(found)


def day(month: int, number: int, year: int = 2027) -> int:
    """Return a date as the records have it."""
    import datetime as dt  # noqa: PLC0415

    return dt.date(year, month, number).toordinal()


def intro(item: str, qty: int = 12, weight: int = 25, start: int = 540, due: int = 0) -> Event:
    """Return the introduction of a row of the bench world; weight is in tenths."""
    values = (("qty", qty), ("weight", weight), ("start", start), ("due", due or day(6, 16)))
    return Event("intro", item, values=values)


def bench_chain(
    *events: Event,
    columns: Sequence[str] = ("qty", "weight", "start", "due"),
    figures: Sequence[str] = (),
    rows: Sequence[str] = (),
) -> tuple[World, Chain]:
    """Return a chain of the bench world over two rows, `item_a` (12) and `item_b` (20)."""
    opening = (intro("item_a"), intro("item_b", qty=20, weight=40, start=600, due=day(6, 18)))
    return bench(), Chain((*opening, *events), ask(columns, figures, rows))
