"""Worlds for tests: those of the content, and one made by hand that needs no content."""

from __future__ import annotations

from functools import cache

from generator.content import default_root
from generator.language.people import People
from generator.modes.constraint_synthesis.amounts import Amounts
from generator.modes.constraint_synthesis.kit import load_kits
from generator.modes.constraint_synthesis.voice import load_worlds
from generator.modes.protocol import Kit
from generator.records import Event, Lang, canonical_json
from generator.states.update_chain.chain import Chain, Request
from generator.states.update_chain.world import World

LANGS: tuple[Lang, ...] = ("zh", "en")


@cache
def worlds(lang: Lang) -> tuple[World, ...]:
    """Return all worlds of a language, of both splits."""
    return tuple(load_worlds(default_root(), lang))


def all_worlds() -> tuple[World, ...]:
    """Return every world of the content."""
    return tuple(w for lang in LANGS for w in worlds(lang))


def world(name: str) -> World:
    """Return a world by `lang/id`."""
    lang, _, wanted = name.partition("/")
    return next(w for w in all_worlds() if w.lang == lang and w.id == wanted)


@cache
def amounts(name: str) -> Amounts:
    """Return the amounts of a world by `lang/id`."""
    return Amounts(world(name))


@cache
def people(lang: Lang) -> People:
    """Return the people of a language."""
    return People(lang)


@cache
def kits(lang: Lang) -> tuple[Kit, ...]:
    """Return the worlds of a language with their voice, of the eval split."""
    return tuple(load_kits(default_root(), lang, "eval"))


def kit(name: str) -> Kit:
    """Return an eval world with its voice by `lang/id`."""
    lang, _, wanted = name.partition("/")
    return next(k for k in kits("zh" if lang == "zh" else "en") if k.id == wanted)


@cache
def bench() -> World:
    """Return a world made by hand that has every family, every operation and every kind of rule.

    It is for the two code paths alone: its wording says nothing.
    """
    model = worlds("zh")[0]
    clocks = {"id": "start", "family": "clock", "labels": ["t"], "names": ["t"], "step": 15, "changes": [15, 30]}
    dates = {"id": "due", "family": "date", "labels": ["d"], "names": ["d"], "step": 1, "changes": [1, 2]}
    weight = {"id": "weight", "family": "measure", "labels": ["w"], "names": ["w"], "step": 0.5, "changes": [1, 2],
              "scale": 10, "units": ["kg"]}  # fmt: skip
    qty = {"id": "qty", "family": "count", "labels": ["q"], "names": ["q"], "step": 1, "changes": [1, 2]}
    columns = [
        ("load", "measure", "product", ("qty", "weight"), None),
        ("ends", "date", "shift", ("due", "weight"), None),
        ("both", "count", "add", ("qty", "qty"), None),
        ("rest", "count", "subtract", ("both", "qty", "qty"), None),
        ("square", "count", "product", ("qty", "qty"), None),
    ]
    figures = [
        ("pieces", "count", "sum", ("qty",), None),
        ("mass", "measure", "sum", ("load",), None),
        ("lines", "count", "count_rows", ("qty",), None),
        ("first", "clock", "earliest", ("start",), None),
        ("last", "date", "latest", ("due",), None),
        ("share", "measure", "percent", ("mass", "rate"), "unit"),
        ("exact", "measure", "percent", ("mass", "rate"), None),
        ("coins", "money", "percent", ("pieces", "rate"), "unit"),
        ("gross", "measure", "add", ("mass", "share"), None),
        ("net", "measure", "subtract", ("gross", "share", "share"), None),
        ("freeze", "date", "workdays_before", ("last", "lead"), None),
        ("launch", "date", "workdays_after", ("last", "lead"), None),
    ]
    again = model.rules[0].model_dump(mode="json") if model.rules else {}
    rules = [
        {**again, "id": "rate", "family": "percent", "values": [5, 10]},
        {**again, "id": "lead", "family": "measure", "values": [3, 4]},
    ]
    bands = {"qty": [1, 40], "weight": [1, 50], "start": ["08:00", "18:00"], "due": ["03-01", "10-30"]}
    items = [{"id": f"item_{c}", "names": [f"n{c}"], "bands": bands} for c in "abcdefgh"]
    made = {
        **model.model_dump(mode="json"),
        "id": "bench",
        "fields": [qty, weight, clocks, dates],
        "items": items,
        "columns": [_derived(*c) for c in columns],
        "figures": [_derived(*f) for f in figures],
        "rules": rules,
        "requests": [
            {"id": f"r{chr(97 + n)}", "kind": "sheet", "columns": ["qty"], "texts": ["x", "y"]} for n in range(6)
        ],
    }
    # `strict` refuses a list for a tuple unless it comes from JSON.
    return World.model_validate_json(canonical_json(made))


@cache
def odd_bench() -> World:
    """Return a world with the corners that no trade of the content has.

    A measure times money, a column that follows from a column, a scale where none belongs, shares
    of money that are not rounded, and operations where they make no sense.
    """
    qty = {"id": "qty", "family": "count", "labels": ["q"], "names": ["q"], "step": 1, "changes": [1, 2], "scale": 10}
    weight = {"id": "weight", "family": "measure", "labels": ["w"], "names": ["w"], "step": 0.5, "changes": [1, 2],
              "scale": 10, "units": ["kg"]}  # fmt: skip
    price = {"id": "price", "family": "money", "labels": ["p"], "names": ["p"], "step": 1, "changes": [1, 2],
             "scale": 100}  # fmt: skip
    columns = [
        ("cost", "money", "product", ("weight", "price"), None),
        ("goods", "money", "product", ("qty", "price"), None),
        ("again", "money", "product", ("qty", "cost"), None),
        ("odd_column", "count", "sum", ("qty",), None),
    ]
    figures = [
        ("pieces", "count", "sum", ("qty", "weight"), None),
        ("cheapest", "money", "earliest", ("price", "qty"), None),
        ("dearest", "money", "latest", ("price", "qty"), None),
        ("bill", "money", "sum", ("cost",), None),
        ("tip", "money", "percent", ("bill", "rate"), None),
        ("odd_figure", "count", "product", ("pieces", "pieces"), None),
    ]
    bands = {"qty": [1, 40], "weight": [1, 50], "price": [1, 90]}
    made = {
        **bench().model_dump(mode="json"),
        "id": "odd_bench",
        "fields": [qty, weight, price],
        "items": [{"id": f"item_{c}", "names": [f"n{c}"], "bands": bands} for c in "abcdefgh"],
        "columns": [_derived(*c) for c in columns],
        "figures": [_derived(*f) for f in figures],
    }
    return World.model_validate_json(canonical_json(made))


def measures_multiplied() -> tuple[World, Chain]:
    """Return a chain of a world that multiplies a measure by a measure, both in tenths."""
    price = {"id": "price", "family": "measure", "labels": ["p"], "names": ["p"], "step": 1, "changes": [1, 2],
             "scale": 10, "units": ["m"]}  # fmt: skip
    base = odd_bench().model_dump(mode="json")
    columns = [_derived("area", "measure", "product", ("weight", "price"), None)]
    made = {**base, "fields": [*base["fields"][:2], price], "columns": columns, "figures": []}
    row = Event("intro", "item_a", values=(("qty", 1), ("weight", 25), ("price", 40)))
    request = Request(id="asked", rows=(), columns=("area",), figures=())
    return World.model_validate_json(canonical_json(made)), Chain((row,), request)


def _derived(name: str, family: str, op: str, args: tuple[str, ...], rounding: str | None) -> dict[str, object]:
    return {"id": name, "labels": [name], "family": family, "op": op, "args": args, "round": rounding}
