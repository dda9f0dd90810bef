"""How a defect is entered: a function that spoils a clean case, and the audit that must see it."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from generator.audit import Case
from generator.records import Event
from generator.stages.candidate import Candidate

# What falls with a dialogue that cannot be followed to its answer.
DEAF = ("derivable", "unchanged", "user-only", "diagnostic")
Plant = Callable[[Candidate, Case], Case]


class Defect(NamedTuple):
    """A defect: the audit that must catch it, others that see it too (by hand), and how it is planted.

    fits: which candidates it can be planted in.
    """

    name: str
    audit: str
    plant: Plant
    also: tuple[str, ...] = ()
    fits: Callable[[Candidate], bool] = lambda made: True


DEFECTS: list[Defect] = []


def defect(audit: str, *also: str, fits: Callable[[Candidate], bool] = lambda made: True) -> Callable[[Plant], Plant]:
    """Enter a planter; its name says what is planted."""

    def enter(plant: Plant) -> Plant:
        DEFECTS.append(Defect(plant.__name__.replace("_", " "), audit, plant, also, fits))
        return plant

    return enter


def kinds(made: Candidate) -> set[str]:
    """Return the kinds of events that a candidate's state says."""
    return {e.kind for t in made.state.turns for e in t.events}


def step_of(case: Case, event: Event) -> int:
    """Return the trade's smallest step of the event's field."""
    return int(case.kit.extra["amounts"].steps[event.field])
