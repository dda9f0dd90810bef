"""Scoring items of a sheet: one per value asked for, one per row that must not appear."""

from __future__ import annotations

from typing import Any

from generator.modes.constraint_synthesis.failures import FAILURES, OWN
from generator.modes.constraint_synthesis.hear import values_of
from generator.modes.constraint_synthesis.state import ChainState, turns_of
from generator.modes.constraint_synthesis.weights import WEIGHTS, kind_of
from generator.modes.protocol import AnswerValues, Kit
from generator.records import Alternative, FieldView, Item, RowView, SheetView
from generator.states.update_chain.forward import answer_forward, replay
from generator.states.update_chain.world import Derived, World

NAMED = (*OWN, "first-mention")

CLARIFY = {
    "zh": {
        "cell": "写法不限：全角半角、千分位、中文数字、带不带单位都可以；表格、列表或一段话都行。",
        "derived": "小计一类写对最后的数即可，算式写不写都行；单价或数量另记一项。",
        "figure": "名称相近即可；写成「2.604万」也算对；某一行错了只丢那一行。",
        "absent": "不列这一行，或写明已取消，都算对。",
    },
    "en": {
        "cell": "Any layout and any way of writing the figure will do; units and separators are free.",
        "derived": "Only the resulting figure counts; the working may be left out.",
        "figure": "Any label that says the same will do; a wrong line costs that line only.",
        "absent": "Leaving the row out, or saying that it is off, are both fine.",
    },
}


def view_of(kit: Kit, state: ChainState) -> SheetView:
    """Return what a reply is read against: all rows of the world, the columns and figures asked for.

    Rows that were never mentioned are harmless, and with them all tasks of a world and request
    share one view, whose patterns are compiled once.
    """
    world: World = kit.world
    return SheetView(
        lang=world.lang,
        today=f"{world.year}-01-01",
        currency=world.currency,
        rows=tuple(RowView(id=i.id, names=i.names, units=(i.classifier,) if i.classifier else ()) for i in world.items),
        columns=tuple(_column(world, name) for name in state.request.columns),
        figures=tuple(_derived(world, world.derived_by_id[name]) for name in state.request.figures),
    )


def _column(world: World, name: str) -> FieldView:
    field = world.field_by_id.get(name)
    if field is None:
        return _derived(world, world.derived_by_id[name])
    labels = tuple(dict.fromkeys((*field.labels, *field.names)))
    scale = 100 if field.family == "money" else field.scale
    return FieldView(id=name, labels=labels, family=field.family, units=field.units, scale=scale)


def _derived(world: World, derived: Derived) -> FieldView:
    scale = 100 if derived.family in {"money", "percent"} else _measure_scale(world, derived)
    return FieldView(id=derived.id, labels=derived.labels, family=derived.family, units=derived.units, scale=scale)


def _measure_scale(world: World, derived: Derived) -> int:
    """The scale of the measure that a derived measure is made of."""
    if derived.family != "measure":
        return 1
    for argument in derived.args:
        field = world.field_by_id.get(argument)
        if field is not None and field.family == "measure":
            return field.scale
        if argument in world.derived_by_id and world.derived_by_id[argument].family == "measure":
            return _measure_scale(world, world.derived_by_id[argument])
    return 1


def items_of(kit: Kit, state: ChainState) -> tuple[Item, ...]:
    """Return the scoring items, rows in the world's order, then figures, then absent rows."""
    world: World = kit.world
    answer = answer_forward(world, state.chain)
    stale = _stale_values(kit, state)
    place = {i.id: n for n, i in enumerate(world.items)}
    notes = CLARIFY[world.lang]
    items: list[Item] = []
    for path in sorted(answer.values, key=lambda p: place.get(p.split(".")[0], len(place))):
        row, name = path.split(".")
        value = answer.values[path]
        kind = kind_of(world, path)
        params: dict[str, Any] = (
            {"figure": name, "value": value} if row == "sheet" else {"row": row, "column": name, "value": value}
        )
        items.append(
            Item(
                id=f"i{len(items) + 1:02d}",
                kind=kind,
                weight=WEIGHTS[kind],
                check="figure" if row == "sheet" else "cell",
                params=params,
                clarification=notes[kind],
                truth_path=path,
                stale=tuple(v for v in stale.get(path, ()) if v != value),
            )
        )
    for row in answer.absent:
        items.append(
            Item(
                id=f"i{len(items) + 1:02d}",
                kind="absent",
                weight=WEIGHTS["absent"],
                check="absent",
                params={"row": row},
                clarification=notes["absent"],
                truth_path=f"{row}.absent",
            )
        )
    return tuple(items)


def _stale_values(kit: Kit, state: ChainState) -> dict[str, list[int]]:
    """Every other value that a path has had or could be mistaken to have, by path."""
    found: dict[str, list[int]] = {}
    turns = turns_of(state)
    for name in NAMED:
        for path, value in FAILURES[name](kit.world, turns, state.request).values.items():
            found.setdefault(path, []).append(value)
    sheet = replay(kit.world, state.chain.events)
    for (row, field), past in sheet.history.items():
        found.setdefault(f"{row}.{field}", []).extend(past[:-1])
    for turn in turns:
        for event in turn:
            if event.kind in {"hypo", "hearsay", "foreign", "scoped", "cond"} and event.value is not None:
                found.setdefault(f"{event.item}.{event.field}", []).append(event.value)
    return {path: sorted(set(values)) for path, values in found.items()}


def alternatives_of(kit: Kit, state: ChainState) -> tuple[Alternative, ...]:
    """Return the wrong answers of every own failure that changes something, in a fixed order."""
    truth = values_of(answer_forward(kit.world, state.chain))
    turns = turns_of(state)
    found = []
    for name in OWN:
        wrong: AnswerValues = values_of(FAILURES[name](kit.world, turns, state.request))
        if wrong != truth:
            found.append(Alternative(name=name, value=dict(sorted(wrong.items()))))
    return tuple(found)
