"""What a travel task offers. The rest of the program meets a task as this record only."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from random import Random
from typing import Any, Literal

from generator.records import Frozen
from generator.travel.answers import AnswerKind, Raw
from generator.travel.scene import Draft, Scene, Told
from generator.travel.tools import Domain


@dataclass(frozen=True)
class TravelTask:
    """One task: a module in `generator/travel/tasks` and its content in `templates/travel`.

    reasoning, knowledge: its labels. rules: kinds of what is said as conventions, all of them needed.
    knobs: the model of `templates/travel/tasks/<name>.yaml`, one per profile.
    draw: (scene, knobs, number, rng) to a draft, or RedrawError; `number` counts the task's instances, and cycles
    through the classes of its answer, so that base rates are even.
    query: what was told to the record that the truths take; HearingError when it does not determine one.
    solve, resolve: the answer by two code paths that share only the query. edges: why the query sits on an edge.
    failures: names of all alternatives. alternatives: wrong answers by the failure that gives them.
    shortcuts: those that do not look at the question.
    candidates: names that an answer chooses from or orders; empty for numbers.
    params: what a check of the reply needs beside the answer, as units or candidates.
    needs: perturbations of imported worlds without which they offer too little variety; invented worlds have it.
    """

    name: str
    reasoning: Literal["arithmetic", "spatial", "temporal"]
    knowledge: Literal["commonsense", "formal"]
    answer: AnswerKind
    domains: tuple[Domain, ...]
    rules: tuple[str, ...]
    knobs: type[Frozen]
    draw: Callable[[Scene, Any, int, Random], Draft]
    query: Callable[[Told], Any]
    solve: Callable[[Any], Raw]
    resolve: Callable[[Any], Raw]
    edges: Callable[[Any], tuple[str, ...]]
    alternatives: Callable[[Any], Mapping[str, Raw]]
    failures: tuple[str, ...] = ()
    shortcuts: tuple[str, ...] = ()
    candidates: Callable[[Any], tuple[str, ...]] = lambda query: ()
    params: Callable[[Any], dict[str, Any]] = lambda query: {}
    needs: tuple[str, ...] = ()
