"""Update chains: what each event means, by both code paths, and that the two agree everywhere."""

from __future__ import annotations

import datetime as dt
from collections.abc import Callable

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from support.chains import INVALID, asking_all, bench_chain, day, intro, outcome, planned
from support.hand_made import INVALID_UNASKED, VALID, A, B, ev, hand_made
from support.worlds import all_worlds, bench, measures_multiplied, world

from generator.states.update_chain.backward import answer_backward
from generator.states.update_chain.chain import Answer, Chain, InvalidChainError, as_rows, from_rows
from generator.states.update_chain.forward import Sheet, answer_forward
from generator.states.update_chain.world import World, to_typed

PATHS: dict[str, Callable[[World, Chain], Answer]] = {"replay": answer_forward, "look back": answer_backward}
both_paths = pytest.mark.parametrize("path", PATHS.values(), ids=PATHS)

# What the quantities of item_a (first 12) and item_b (first 20) come to; None: the row is off.
QUANTITIES: dict[str, tuple[int | None, int | None]] = {
    "nothing happens": (12, 20),
    "set": (9, 20),
    "set twice": (7, 20),
    "set of another field": (12, 20),
    "set of both rows": (9, 15),
    "adjust up": (15, 20),
    "adjust down": (9, 20),
    "adjust both ways": (15, 20),
    "percent up": (12, 22),
    "percent down": (12, 15),
    "percent after adjust": (12, 12),
    "copy": (20, 20),
    "copy before the source moves": (20, 31),
    "copy after the source moved": (31, 31),
    "swap": (20, 12),
    "swap and back": (12, 20),
    "swap then one moves": (20, 14),
    "swap after a change": (20, 15),
    "swap of another field": (9, 20),
    "revert.prev": (12, 20),
    "revert.prev of the second": (9, 20),
    "revert.prev of a swap": (20, 20),
    "revert.prev of a copy": (12, 20),
    "revert.prev of a bulk": (12, 25),
    "revert.prev of a corrected value": (12, 20),
    "revert.prev of a corrected second value": (15, 20),
    "revert.prev of a met condition": (12, 20),
    "revert.first": (12, 20),
    "revert.first at once": (14, 20),
    "revert.first with other rows between": (12, 11),
    "cancel": (None, 20),
    "cancel and restore": (9, 20),
    "cancel, restore, cancel": (None, 20),
    "cancel of the other row": (9, None),
    "bulk adjust up": (17, 25),
    "bulk adjust down": (7, 15),
    "bulk percent up": (15, 25),
    "bulk percent down": (9, 15),
    "bulk with an exception": (17, 20),
    "bulk with the first row excepted": (12, 18),
    "bulk before a row comes": (17, 26),
    "bulk while a row is off": (12, 25),
    "bulk after a row is back": (17, 25),
    "bulk of another field": (9, 20),
    "condition met": (9, 20),
    "condition unmet": (12, 20),
    "condition open": (12, 20),
    "condition said anew": (12, 15),
    "condition replaced": (10, 20),
    "two conditions": (12, 15),
    "two conditions met in turn": (9, 20),
    "condition met after a change": (10, 20),
    "correct": (8, 20),
    "correct without its row and field": (8, 20),
    "correct of an adjustment": (8, 20),
    "waver": (9, 20),
    "waver and revert": (5, 20),
    "named only, while it is off": (None, 20),
    "something else with the condition's mark": (9, 20),
    "scoped": (13, 20),
    "inert": (13, 20),
    "inert of a row that is nowhere": (12, 20),
    "dates move": (12, 20),
    "clocks move": (12, 20),
}


def test_every_valid_chain_has_its_expectation() -> None:
    assert set(QUANTITIES) == set(VALID)


@both_paths
@pytest.mark.parametrize("name", VALID)
def test_event_means_what_the_guide_says(name: str, path: Callable[[World, Chain], Answer]) -> None:
    answer = path(*hand_made()[name])
    first, second = QUANTITIES[name]
    assert (answer.values.get("item_a.qty"), answer.values.get("item_b.qty")) == (first, second)
    assert answer.absent == tuple(r for r, v in ((A, first), (B, second)) if v is None)


@both_paths
def test_other_fields_and_rows_move_alone(path: Callable[[World, Chain], Answer]) -> None:
    values = path(*hand_made()["dates move"]).values
    assert values["item_a.due"] == day(6, 19)
    assert values["item_b.due"] == day(6, 15)
    assert path(*hand_made()["clocks move"]).values["item_a.start"] == 495
    assert path(*hand_made()["swap of another field"]).values["item_a.weight"] == 40
    assert path(*hand_made()["bulk of another field"]).values["item_b.start"] == 615
    assert path(*hand_made()["set of another field"]).values["item_a.weight"] == 30


@both_paths
@pytest.mark.parametrize("name", [n for n in hand_made() if n.startswith("invalid: ")])
def test_invalid_chain_is_refused_by_both(name: str, path: Callable[[World, Chain], Answer]) -> None:
    with pytest.raises(InvalidChainError):
        path(*hand_made()[name])


@pytest.mark.parametrize("name", INVALID_UNASKED)
def test_replay_refuses_what_the_answer_does_not_hang_on(name: str) -> None:
    """The look-back may pass over these, since no value that is asked for leads there: so the replay must not."""
    assert outcome(answer_forward, *bench_chain(*INVALID_UNASKED[name])) == INVALID


@pytest.mark.parametrize("name", hand_made())
def test_paths_agree_on_hand_made_chains(name: str) -> None:
    place, chain = hand_made()[name]
    assert outcome(answer_forward, place, chain) == outcome(answer_backward, place, chain)
    assert "crash" not in str(outcome(answer_forward, place, chain))


@settings(max_examples=150, deadline=None)
@given(
    name=st.sampled_from([f"{w.lang}/{w.id}" for w in all_worlds()]),
    seed=st.integers(0, 10**6),
    steps=st.integers(4, 24),
    rows=st.integers(4, 9),
    everything=st.booleans(),
)
def test_paths_agree_on_planned_chains(name: str, seed: int, steps: int, rows: int, everything: bool) -> None:
    plan = planned(name, seed, steps, rows)
    place = world(name)
    chain = asking_all(place, plan.events) if everything else Chain(plan.events, plan.request)
    forward, backward = outcome(answer_forward, place, chain), outcome(answer_backward, place, chain)
    assert forward == backward
    assert "crash" not in str(forward)


@settings(max_examples=80, deadline=None)
@given(name=st.sampled_from([f"{w.lang}/{w.id}" for w in all_worlds()]), seed=st.integers(0, 10**6))
def test_paths_agree_on_any_part_of_a_chain(name: str, seed: int) -> None:
    """A chain with an event left out is what the audits replay; it may be invalid, but then for both.

    What only the replay refuses (an event that no asked value hangs on) is the one exception.
    """
    plan = planned(name, seed % 50)
    place = world(name)
    at = seed % len(plan.events)
    chain = Chain((*plan.events[:at], *plan.events[at + 1 :]), plan.request)
    forward, backward = outcome(answer_forward, place, chain), outcome(answer_backward, place, chain)
    assert forward in (backward, INVALID)
    assert "crash" not in str(backward)


@settings(max_examples=60, deadline=None)
@given(name=st.sampled_from([f"{w.lang}/{w.id}" for w in all_worlds()]), seed=st.integers(0, 10**6))
def test_stored_events_come_back(name: str, seed: int) -> None:
    events = planned(name, seed % 200).events
    assert from_rows(as_rows(events)) == events


def test_product_of_two_scaled_measures() -> None:
    """2.5 times 4.0 is 10.0, which is 100 tenths."""
    assert outcome(answer_forward, *measures_multiplied()) == outcome(answer_backward, *measures_multiplied())


@both_paths
def test_unknown_kind_of_event_is_refused(path: Callable[[World, Chain], Answer]) -> None:
    with pytest.raises(InvalidChainError):
        path(*bench_chain(ev("set", A, 9), ev("set", A, 7), ev("frobnicate", A, 5)))


def test_correction_after_a_thought_about_another_row() -> None:
    chain = bench_chain(ev("set", A, 9), ev("hypo", B, 7), ev("correct", None, 8, None))
    assert outcome(answer_forward, *chain) == outcome(answer_backward, *chain)


# The sheet ----------------------------------------------------------------------------------


def test_lenient_sheet_goes_on_with_the_nearest_whole_value() -> None:
    sheet = Sheet(bench(), exact=False)
    for event in (intro(A), ev("percent.up", A, 333)):
        sheet.apply(event)
    assert sheet.value(A, "qty") == 12
    with pytest.raises(InvalidChainError):
        sheet.value(B, "qty")


@pytest.mark.parametrize(
    ("family", "scale", "value", "typed"),
    [
        ("count", 1, 12, 12), ("money", 1, 680, 68_000), ("money", 1, 12.5, 1_250), ("measure", 10, 58.5, 585),
        ("clock", 1, "08:30", 510), ("date", 1, "05-03", day(5, 3)), ("percent", 1, 5, 500),
    ],
)  # fmt: skip
def test_human_numbers_become_typed(family: str, scale: int, value: float | str, typed: int) -> None:
    assert to_typed(family, scale, 2027, value) == typed  # type: ignore[arg-type]


def test_planned_dates_and_years_are_of_the_world() -> None:
    for place in all_worlds():
        dates = [f.id for f in place.fields if f.family == "date"]
        for event in planned(f"{place.lang}/{place.id}", 1).events if dates else ():
            for name, value in event.values:
                assert name not in dates or dt.date.fromordinal(value).year == place.year
