"""Weights of the values asked for, and how much of an answer a wrong one still gets right."""

from __future__ import annotations

from generator.states.update_chain.chain import Answer
from generator.states.update_chain.world import World

# 3: a decision depends on it; 2: a value of its own; 1: follows from others in the same row.
WEIGHTS = {"cell": 2, "derived": 1, "figure": 3, "absent": 2}


def kind_of(world: World, path: str) -> str:
    """Return the item kind of a path of the answer."""
    row, name = path.split(".")
    return "figure" if row == "sheet" else "cell" if name in world.field_by_id else "derived"


def importance_of(world: World, truth: Answer, other: Answer) -> float:
    """Return the share of weighted values of `truth` that `other` has as well."""
    rows = {path.split(".")[0] for path in other.values}
    total = hits = 0
    for path, value in truth.values.items():
        weight = WEIGHTS[kind_of(world, path)]
        total += weight
        hits += weight * (other.values.get(path) == value)
    for row in truth.absent:
        total += WEIGHTS["absent"]
        hits += WEIGHTS["absent"] * (bool(rows) and row not in rows)
    return hits / total if total else 0.0
