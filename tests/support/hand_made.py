"""Short chains made by hand: every kind of event, every operation, every way to be invalid.

Each stands after two introductions. `item_a` starts with qty 12, weight 2.5, 09:00
and 16 June 2027 (a Wednesday); `item_b` with 20, 4.0, 10:00, 18 June.
"""

from __future__ import annotations

from functools import cache

from generator.records import Event
from generator.states.update_chain.chain import Chain, Request
from generator.states.update_chain.world import World
from support.chains import ask, bench_chain, day, intro
from support.worlds import bench, odd_bench

A, B, C = "item_a", "item_b", "item_c"


def ev(
    kind: str, item: str | None = None, value: int | None = None, field: str | None = "qty", **more: object
) -> Event:
    """Return an event, of the quantity unless another field is named."""
    return Event(kind, item, field, value, **more)  # type: ignore[arg-type]


def rate(points: int) -> Event:
    """Return the rule of the rate, in basis points."""
    return Event("rule", values=(("rate", points),))


def lead(days: int) -> Event:
    """Return the rule of the lead time."""
    return Event("rule", values=(("lead", days),))


def due(item: str, month: int, number: int) -> Event:
    """Return a change of a due date."""
    return ev("set", item, day(month, number), "due")


VALID: dict[str, tuple[Event, ...]] = {
    "nothing happens": (),
    "set": (ev("set", A, 9),),
    "set twice": (ev("set", A, 9), ev("set", A, 7)),
    "set of another field": (ev("set", A, 30, "weight"),),
    "set of both rows": (ev("set", A, 9), ev("set", B, 15)),
    "adjust up": (ev("adjust.up", A, 3),),
    "adjust down": (ev("adjust.down", A, 3),),
    "adjust both ways": (ev("adjust.up", A, 4), ev("adjust.down", A, 1)),
    "percent up": (ev("percent.up", B, 1000),),
    "percent down": (ev("percent.down", B, 2500),),
    "percent after adjust": (ev("adjust.down", B, 4), ev("percent.down", B, 2500)),
    "copy": (ev("copy", A, other=B),),
    "copy before the source moves": (ev("copy", A, other=B), ev("set", B, 31)),
    "copy after the source moved": (ev("set", B, 31), ev("copy", A, other=B)),
    "swap": (ev("swap", A, other=B),),
    "swap and back": (ev("swap", A, other=B), ev("swap", B, other=A)),
    "swap then one moves": (ev("swap", A, other=B), ev("adjust.up", B, 2)),
    "swap after a change": (ev("set", A, 15), ev("swap", B, other=A)),
    "swap of another field": (ev("swap", A, other=B, field="weight"), ev("set", A, 9)),
    "revert.prev": (ev("set", A, 9), ev("revert.prev", A)),
    "revert.prev of the second": (ev("set", A, 9), ev("set", A, 7), ev("revert.prev", A)),
    "revert.prev of a swap": (ev("swap", A, other=B), ev("revert.prev", B)),
    "revert.prev of a copy": (ev("copy", A, other=B), ev("revert.prev", A)),
    "revert.prev of a bulk": (ev("bulk.adjust.up", None, 5), ev("revert.prev", A)),
    "revert.prev of a corrected value": (ev("set", A, 9), ev("correct", A, 8), ev("revert.prev", A)),
    "revert.prev of a corrected second value": (
        ev("adjust.up", A, 1), ev("set", A, 9), ev("correct", A, 8), ev("revert.prev", A), ev("adjust.up", A, 2),
    ),
    "revert.prev of a met condition": (
        ev("cond", A, 9, tag="k"), ev("cond.met", field=None, tag="k"), ev("revert.prev", A),
    ),
    "revert.first": (ev("set", A, 9), ev("set", A, 7), ev("revert.first", A)),
    "revert.first at once": (ev("set", A, 9), ev("revert.first", A), ev("adjust.up", A, 2)),
    "revert.first with other rows between": (ev("set", A, 9), ev("set", B, 11), ev("revert.first", A)),
    "cancel": (ev("cancel", A, field=None),),
    "cancel and restore": (ev("set", A, 9), ev("cancel", A, field=None), ev("restore", A, field=None)),
    "cancel, restore, cancel": tuple(ev(kind, A, field=None) for kind in ("cancel", "restore", "cancel")),
    "cancel of the other row": (ev("cancel", B, field=None), ev("set", A, 9)),
    "bulk adjust up": (ev("bulk.adjust.up", None, 5),),
    "bulk adjust down": (ev("bulk.adjust.down", None, 5),),
    "bulk percent up": (ev("bulk.percent.up", None, 2500),),
    "bulk percent down": (ev("bulk.percent.down", None, 2500),),
    "bulk with an exception": (ev("bulk.adjust.up", None, 5, other=B),),
    "bulk with the first row excepted": (ev("bulk.percent.down", None, 1000, other=A),),
    "bulk before a row comes": (ev("bulk.adjust.up", None, 5), intro(C, 30), ev("adjust.up", B, 1)),
    "bulk while a row is off": (
        ev("cancel", A, field=None), ev("bulk.adjust.up", None, 5), ev("restore", A, field=None),
    ),
    "bulk after a row is back": (
        ev("cancel", A, field=None), ev("restore", A, field=None), ev("bulk.adjust.up", None, 5),
    ),
    "bulk of another field": (ev("bulk.adjust.up", None, 15, "start"), ev("set", A, 9)),
    "condition met": (ev("cond", A, 9, tag="k"), ev("cond.met", field=None, tag="k")),
    "condition unmet": (ev("cond", A, 9, tag="k"), ev("cond.unmet", field=None, tag="k")),
    "condition open": (ev("cond", A, 9, tag="k"),),
    "condition said anew": (
        ev("cond", A, 9, tag="k"), ev("cond.unmet", field=None, tag="k"), ev("cond", B, 15, tag="k"),
        ev("cond.met", field=None, tag="k"),
    ),
    "condition replaced": (
        ev("cond", A, 9, tag="k"), ev("cond", A, 10, tag="k"), ev("cond.met", field=None, tag="k"),
    ),
    "two conditions": (
        ev("cond", A, 9, tag="k"), ev("cond", B, 15, tag="m"), ev("cond.met", field=None, tag="m"),
        ev("cond.unmet", field=None, tag="k"),
    ),
    "two conditions met in turn": (
        ev("cond", A, 9, tag="k"), ev("cond", A, 30, "weight", tag="m"), ev("cond.met", field=None, tag="k"),
        ev("cond.met", field=None, tag="m"),
    ),
    "condition met after a change": (
        ev("cond", A, 9, tag="k"), ev("adjust.up", A, 1), ev("cond.met", field=None, tag="k"), ev("adjust.up", A, 1),
    ),
    "correct": (ev("set", A, 9), ev("correct", A, 8)),
    "correct without its row and field": (ev("set", A, 9), ev("correct", None, 8, None)),
    "correct of an adjustment": (ev("adjust.up", A, 3), ev("correct", A, 8)),
    "waver": (ev("waver", A, 9, first=7),),
    "waver and revert": (ev("set", A, 5), ev("waver", A, 9, first=7), ev("revert.prev", A)),
    "scoped": (ev("scoped", A, 9, tag="s"), ev("adjust.up", A, 1)),
    "named only, while it is off": (ev("cancel", A, field=None), ev("hypo", A, 9)),
    "something else with the condition's mark": (
        ev("cond", A, 9, tag="k"), ev("scoped", B, 9, tag="k"), ev("cond.met", field=None, tag="k"),
    ),
    "inert": (
        ev("hypo", A, 9), ev("hearsay", A, 8), ev("question", A), ev("foreign", A, 5, tag="somebody"),
        ev("adjust.up", A, 1),
    ),
    "inert of a row that is nowhere": (ev("foreign", C, 5, tag="they"), ev("hypo", B, 5)),
    "dates move": (due(A, 6, 17), ev("adjust.up", A, 2, "due"), ev("adjust.down", B, 3, "due")),
    "clocks move": (ev("adjust.down", A, 45, "start"), ev("set", B, 480, "start")),
}  # fmt: skip

EDGES: dict[str, tuple[tuple[Event, ...], tuple[str, ...], tuple[str, ...]]] = {
    "product of a measure": ((), ("load",), ("mass",)),
    "product that stays whole by luck": ((ev("set", A, 25, "weight"), ev("set", A, 3)), ("load", "square"), ()),
    "shift by whole days": ((ev("set", A, 30, "weight"),), ("ends",), ()),
    "add and subtract": ((ev("set", A, 9),), ("both", "rest"), ()),
    "sum, count, earliest, latest": ((ev("set", A, 615, "start"),), (), ("pieces", "lines", "first", "last")),
    "earliest and latest with a row off": (
        (intro(C, 5, 10, 420, day(7, 1)), ev("cancel", A, field=None)), ("qty",), ("first", "last", "lines", "pieces"),
    ),
    "rounded up": ((rate(777), ev("set", A, 13)), (), ("share",)),
    "rounded down": ((rate(712), ev("set", A, 13)), (), ("share", "gross", "net")),
    "rounded to nothing over": ((rate(1000),), (), ("share", "exact")),
    "coins up": ((rate(5_000_000), ev("set", A, 17)), (), ("coins",)),
    "coins just below the edge": ((rate(42_800), ev("set", A, 15)), (), ("coins",)),
    "coins just above the edge": ((rate(42_900), ev("set", A, 15)), (), ("coins",)),
    "a rule said again": ((rate(1000), ev("set", A, 9), rate(500), lead(3)), (), ("share",)),
    "a rule that was only asked about": (
        (rate(1000), Event("question", A, "qty", values=(("rate", 500),))), (), ("share",),
    ),
    "coins a hair above the edge": ((rate(14_286), ev("set", A, 15)), (), ("coins",)),
    "coins a hair below the edge": ((rate(14_285), ev("set", A, 15)), (), ("coins",)),
    "one working day": ((lead(1),), (), ("freeze", "launch")),
    "one working day from a Saturday": ((lead(1), due(B, 6, 19)), (), ("freeze", "launch")),
    "no working day from a Saturday": ((lead(0), due(B, 6, 19)), (), ("freeze", "launch")),
    "no working day from a Sunday": ((lead(0), due(B, 6, 20)), (), ("freeze", "launch")),
    "a week from a Saturday": ((lead(5), due(B, 6, 19)), (), ("freeze", "launch")),
    "two weeks from a Saturday": ((lead(10), due(B, 6, 19)), (), ("freeze", "launch")),
    "two rules": ((lead(3), rate(500), lead(4)), (), ("share", "freeze", "launch")),
    "working days over a weekend": ((lead(3),), (), ("freeze", "launch")),
    "working days, a whole week": ((lead(5),), (), ("freeze", "launch")),
    "working days, more than a week": ((lead(8),), (), ("freeze", "launch")),
    "working days, two weeks and a bit": ((lead(12), due(B, 6, 21)), (), ("freeze", "launch")),
    "no working day": ((lead(0),), (), ("freeze", "launch")),
    "from a Saturday": ((lead(6), due(B, 6, 19)), (), ("freeze", "launch")),
    "from a Sunday": ((lead(5), due(B, 6, 20)), (), ("freeze", "launch")),
    "from a Sunday, eleven": ((lead(11), due(B, 6, 20)), (), ("freeze", "launch")),
    "from a Saturday, four": ((lead(4), due(B, 6, 19)), (), ("freeze", "launch")),
    "over the year's end": ((lead(4), due(B, 12, 31)), (), ("freeze", "launch")),
    "some rows only": ((ev("set", A, 9), ev("cancel", B, field=None)), ("qty",), ()),
}  # fmt: skip

INVALID_ASKED: dict[str, tuple[tuple[Event, ...], tuple[str, ...]]] = {
    "percent that is not whole": ((ev("percent.up", A, 333),), ()),
    "bulk percent that is not whole": ((ev("bulk.percent.down", None, 777),), ()),
    "revert of what never changed": ((ev("revert.prev", A),), ()),
    "correct of nothing": ((ev("correct", A, 8),), ()),
    "correct after a swap": ((ev("swap", A, other=B), ev("correct", A, 8)), ()),
    "correct after a met condition": (
        (ev("cond", A, 9, tag="k"), ev("cond.met", field=None, tag="k"), ev("correct", A, 8)), (),
    ),
    "condition that nobody made": ((ev("cond.met", field=None, tag="k"),), ()),
    "condition met twice": (
        (ev("cond", A, 9, tag="k"), ev("cond.met", field=None, tag="k"), ev("cond.met", field=None, tag="k")), (),
    ),
    "condition met after it was dropped": (
        (ev("cond", A, 9, tag="k"), ev("cond.unmet", field=None, tag="k"), ev("cond.met", field=None, tag="k")), (),
    ),
    "set without a value": ((ev("set", A),), ()),
    "adjust without a value": ((ev("adjust.up", A),), ()),
    "percent without a value": ((ev("percent.up", A),), ()),
    "condition without a value": ((ev("cond", A, tag="k"), ev("cond.met", field=None, tag="k")), ()),
    "copy from nowhere": ((ev("copy", A, other=C),), ()),
    "swap with nowhere": ((ev("swap", A, other=C),), ()),
    "a rule that was never said": ((lead(3),), ("share",)),
    "a lead that was never said": ((rate(500),), ("freeze",)),
    "a rounding tie": ((rate(15_625),), ("coins",)),
    "a tie in a share": ((rate(705), ev("set", A, 8)), ("share",)),
    "a share with no rounding said": ((rate(777),), ("exact",)),
    "earliest of no row": ((ev("cancel", A, field=None), ev("cancel", B, field=None)), ("first",)),
    "latest of no row": ((ev("cancel", A, field=None), ev("cancel", B, field=None)), ("last",)),
}  # fmt: skip

# Faults that only the replay sees: the look-back asks for nothing that hangs on them.
INVALID_UNASKED: dict[str, tuple[Event, ...]] = {
    "cancelled twice": (ev("cancel", A, field=None), ev("cancel", A, field=None)),
    "restored while it stands": (ev("restore", A, field=None),),
    "cancelled while unknown": (ev("cancel", C, field=None),),
    "introduced twice": (intro(A, 5),),
    "a condition dropped that nobody made": (ev("cond.unmet", field=None, tag="k"),),
    "a condition on a row that is nowhere": (ev("cond", C, 5, tag="k"),),
    "a scoped value of a row that is nowhere": (ev("scoped", C, 5, tag="s"),),
    "a scoped value that is missing": (ev("scoped", A, tag="s"),),
    "set of a row that is nowhere": (ev("set", C, 5),),
    "correct of a row that was not said": (ev("set", A, 9), ev("correct", B, 8)),
    "correct after a rule": (ev("set", A, 9), rate(500), ev("correct", A, 8)),
    "correct after a scoped value": (ev("set", A, 9), ev("scoped", A, 7, tag="s"), ev("correct", A, 8)),
    "correct after a bulk": (ev("bulk.adjust.up", None, 5), ev("correct", B, 8)),
    "correct after a new row": (ev("set", A, 9), intro(C, 5), ev("correct", A, 8)),
    "correct after a cancelled row": (ev("set", A, 9), ev("cancel", B, field=None), ev("correct", A, 8)),
    "correct after a condition": (ev("set", A, 9), ev("cond", A, 7, tag="k"), ev("correct", A, 8)),
    "correct after a dropped condition": (
        ev("cond", A, 7, tag="k"),
        ev("set", A, 9),
        ev("cond.unmet", field=None, tag="k"),
        ev("correct", A, 8),
    ),
    "correct of a correction": (ev("set", A, 9), ev("correct", A, 8), ev("correct", A, 7)),
    "swap of two, correct of one": (ev("set", A, 9), ev("swap", A, other=B), ev("correct", B, 8)),
    "correct of a field that was not said": (ev("set", A, 9), ev("correct", A, 30, "weight")),
}


def _edge(name: str) -> tuple[World, Chain]:
    events, columns, figures = EDGES[name]
    rows = (A,) if name == "some rows only" else ()
    return bench_chain(*events, columns=columns, figures=figures, rows=rows)


@cache
def hand_made() -> dict[str, tuple[World, Chain]]:
    """Return every chain that both paths can follow or both refuse, by name."""
    found = {name: bench_chain(*events) for name, events in VALID.items()}
    found |= {f"edge: {name}": _edge(name) for name in EDGES}
    found |= {
        f"invalid: {name}": bench_chain(*events, columns=("qty",), figures=figures)
        for name, (events, figures) in INVALID_ASKED.items()
    }
    found["invalid: a shift by part of a day"] = bench_chain(ev("set", A, 25, "weight"), columns=("ends",))
    return found | _of_few_rows() | _odd()


def _of_few_rows() -> dict[str, tuple[World, Chain]]:
    """Chains that do not begin with two whole rows."""
    bare = Event("intro", A, values=(("qty", 4),))
    backwards = [intro(f"item_{c}", 3) for c in "hgfedcb"]
    off = [ev("cancel", f"item_{c}", field=None) for c in "gcehbdf"]
    chains: dict[str, tuple[tuple[Event, ...], Request]] = {
        "no row at all": ((), ask(("qty",), ("pieces", "lines"))),
        "one row and a bulk": ((intro(A), ev("bulk.adjust.up", None, 5)), ask(("qty",))),
        "a row without the field that is moved in bulk": (
            (bare, intro(B, 20), ev("bulk.adjust.up", None, 15, "start")), ask(("qty",)),
        ),
        "first value right before a change": (
            (intro(B), intro(A), ev("set", A, 9), ev("revert.first", A)), ask(("qty",)),
        ),
        "many rows off": ((*backwards, intro(A), *off), ask(("qty",))),
        "a column that stays whole": ((intro(A, 3, 25),), ask(("load", "square"), ("mass",))),
        "invalid: fields without a value": ((bare,), ask(("qty", "weight"))),
        "invalid: a field without a value": ((bare,), ask(("weight",))),
        "invalid: back to a value that never was": ((bare, ev("revert.prev", A, field="weight")), ask(("weight",))),
        "invalid: correct as the first word": ((ev("correct", A, 8), bare), ask(("weight",))),
        "invalid: copy from a row that comes later": (
            (intro(A), ev("copy", A, other=B), intro(B)), ask(("qty",), (), (A,)),
        ),
    }  # fmt: skip
    found = {name: (bench(), Chain(events, request)) for name, (events, request) in chains.items()}
    found["a row that is nowhere"] = bench_chain(ev("set", A, 9), rows=("item_h", A), columns=("qty",))
    return found


def _odd() -> dict[str, tuple[World, Chain]]:
    """Chains of the world with corners: 12 of 2.5 kg at 3.00 and 20 of 4.0 kg at 5.10."""
    opening = (
        Event("intro", A, values=(("qty", 12), ("weight", 25), ("price", 300))),
        Event("intro", B, values=(("qty", 20), ("weight", 40), ("price", 510))),
    )
    chains: dict[str, tuple[tuple[Event, ...], Request]] = {
        "weight times price": ((), ask(("cost", "goods", "again"), ("bill",))),
        "the first of two columns counts": ((), ask((), ("pieces", "cheapest", "dearest"))),
        "a share of money to the penny": ((rate(1000), ev("set", A, 320, "price")), ask((), ("tip",))),
        "invalid: a share of a penny": ((rate(333),), ask((), ("tip",))),
        "invalid: weight times price is no whole penny": ((ev("set", A, 301, "price"),), ask(("cost",))),
        "invalid: a column of a figure's making": ((), ask(("odd_column",))),
        "invalid: a figure of a column's making": ((), ask((), ("odd_figure",))),
    }
    return {name: (odd_bench(), Chain((*opening, *events), request)) for name, (events, request) in chains.items()}
