"""Stages 1 to 5 and the audits for one index of a travel pool: a pure function of the spec."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any, NamedTuple

from generator.audit.policy import Policy, Preset, load_policy, load_preset
from generator.audit.travel import TravelCase, audit_instance
from generator.content import default_root
from generator.records import Evidence, Factors, Key, Lang, Split, Task
from generator.respondents.travel import panel_scores
from generator.seeds import opaque_id, stream
from generator.stages.pipeline import ATTEMPTS, Spec
from generator.stages.topics import load_topics
from generator.travel.asides import Chat, put_asides, screened
from generator.travel.factory import PER_WORLD, Factory, load_knobs, open_factory, tasks_of
from generator.travel.instance import Instance, make_instance
from generator.travel.options import TravelOptions
from generator.travel.prompts import load_screen
from generator.travel.scene import RedrawError, Stage
from generator.travel.setups import SETUPS, WITH_HISTORY, Shape

MODE = "travel"


@dataclass(frozen=True)
class TravelShop:
    """Content made ready for travel builds of one language."""

    factory: Factory
    policy: Policy
    preset: Preset
    chats: tuple[Chat, ...]


@lru_cache(maxsize=8)
def open_travel(lang: Lang, split: Split, overlay: Path | None = None, world: Path | None = None) -> TravelShop:
    """Return the content of a language, loaded once a process; `world` is a folder to import.

    Raises:
        GenError: Content is missing or invalid, or the folder cannot be imported.
    """
    content = default_root(overlay)
    chats = [
        Chat(t.id, tuple((e.user, e.assistant) for e in t.exchanges))
        for t in load_topics(content, lang)
        if t.split == split
    ]
    return TravelShop(
        open_factory(content, lang, split, world),
        load_policy(content),
        load_preset(content, MODE),
        screened(chats, load_screen(content, lang)),
    )


class TravelOutcome(NamedTuple):
    """What became of one index: a task and a key per setup, or the reasons why there are none."""

    number: int
    tasks: tuple[Task, ...]
    keys: tuple[Key, ...]
    rejections: tuple[dict[str, Any], ...]
    panel: tuple[float, ...]


def options_of(spec: Spec) -> TravelOptions:
    """Return the travel options of a spec."""
    return spec.travel or TravelOptions()


def draw_index(shop: TravelShop, spec: Spec, seed: int, index: int, attempt: int = 0) -> tuple[Instance, Stage]:
    """Return the instance of an index with its asides, and its world; not yet audited.

    Raises:
        RedrawError: None was found.
    """
    options = options_of(spec)
    tasks = tasks_of(options)
    task, number = tasks[index % len(tasks)], index // len(tasks)
    stage = shop.factory.stage(seed, options, index // PER_WORLD, task.needs)
    knobs = load_knobs(shop.factory.content, task, spec.profile)
    if options.sunset is not None and hasattr(knobs, "withheld_every"):
        knobs = knobs.model_copy(update={"withheld_every": int(options.sunset == "withheld")})
    name = f"{MODE}/{spec.lang}/{index}/{attempt}"
    made = make_instance(task, stage, knobs, number, seed, name, shop.factory.dates())
    rng = stream(seed, name, "s5")
    return put_asides(made, shop.chats, options.history, spec.distractors or 0, rng), stage


def shapes_of(shop: TravelShop, instance: Instance, stage: Stage, setups: tuple[str, ...]) -> dict[str, Shape]:
    """Return an instance in several setups."""
    kit = shop.factory.stationery(stage.world.currency)
    return {name: SETUPS[name](instance, kit) for name in setups}


def run_travel(shop: TravelShop, spec: Spec, seed: int, index: int, attempts: int = ATTEMPTS) -> TravelOutcome:
    """Return the outcome of one index: a few attempts, each rejection kept with its reason."""
    rejections: list[dict[str, Any]] = []
    for attempt in range(attempts):
        reject = {"index": index, "attempt": attempt, "world": ""}
        try:
            instance, stage = draw_index(shop, spec, seed, index, attempt)
        except RedrawError as error:
            rejections.append({**reject, "audit": "draw", "what": str(error)})
            continue
        setups = options_of(spec).setups
        shapes = shapes_of(shop, instance, stage, setups)
        tasks, keys = records_of(instance, stage, shapes, spec, seed, index)
        case = TravelCase.of(tasks, keys, shop.factory.stationery(stage.world.currency), stage, shop.policy)
        findings = audit_instance(case, first_only=True)
        if findings:
            rejections.append(
                {
                    **reject,
                    "world": stage.name,
                    "audit": findings[0].audit,
                    "what": f"{instance.task.name}: {findings[0].what}",
                }
            )
            continue
        return TravelOutcome(index, tasks, keys, tuple(rejections), panel_scores(keys[0]))
    return TravelOutcome(index, (), (), tuple(rejections), ())


def records_of(
    instance: Instance, stage: Stage, shapes: Mapping[str, Shape], spec: Spec, seed: int, index: int
) -> tuple[tuple[Task, ...], tuple[Key, ...]]:
    """Return the public and the private part of every setup, in the order of the setups."""
    tasks, keys = [], []
    group = opaque_id(seed, MODE, spec.lang, str(index), "instance")
    for setup, shape in shapes.items():
        name = opaque_id(seed, MODE, spec.lang, str(index), setup)
        tasks.append(
            Task(
                id=name, mode=MODE, lang=spec.lang, setup=setup, messages=shape.messages, tools=shape.tools,
                conditions=("full",), instance_id=group,
            )
        )  # fmt: skip
        keys.append(
            Key(
                id=name, digest=instance.digest, state=instance.record, answer=instance.answer,
                alternatives=instance.alternatives, items=instance.items, evidence=_evidence(instance, shape),
                factors=_factors(instance, stage, shape, setup, spec), split=spec.split,
            )
        )  # fmt: skip
    return tuple(tasks), tuple(keys)


def _evidence(instance: Instance, shape: Shape) -> tuple[Evidence, ...]:
    told = [line.text for line in (*instance.facts, instance.question)]
    users = [m.content for m in shape.messages if m.role == "user"]
    return tuple(
        Evidence(group=f"said-{turn}", turn=turn, role="user", duty="needed")
        for turn, text in enumerate(users)
        if any(line in text for line in told)
    )


def _factors(instance: Instance, stage: Stage, shape: Shape, setup: str, spec: Spec) -> Factors:
    turns = sum(m.role == "user" for m in shape.messages)
    asides = len(instance.asides) if setup in WITH_HISTORY else 0
    return Factors(
        world=stage.name, profile=spec.profile, register_name="colloquial", core=turns - asides, distractors=asides,
        gap_share=0.0, turns=turns, distance=turns - 1, mechanisms=(instance.task.name,),
    )  # fmt: skip
