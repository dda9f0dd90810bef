"""Worlds and drawn instances for the tests of single travel tasks."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any, get_args

import pytest

from generator.content import default_root
from generator.records import Lang, Split
from generator.seeds import stream
from generator.travel.factory import load_knobs
from generator.travel.hearing import hear
from generator.travel.instance import Instance, draw_sound, make_instance
from generator.travel.prompts import open_stationery
from generator.travel.scene import Draft, Scene, Stage
from generator.travel.setups import SETUPS
from generator.travel.tasks import find_task
from generator.travel.wording import load_book
from generator.travel.world import import_world, make_world
from generator.travel.world.town import Size

SOURCE = Path(__file__).parents[3] / "shared/boulder/db"
IMPORT = "import"
imported_only = pytest.mark.skipif(not SOURCE.is_dir(), reason="the imported world is not at hand")
WORLDS = ["en", "zh", pytest.param(IMPORT, marks=imported_only)]
DAYS = (739_700, 740_300)


@cache
def stage_of(world: str, name: str, size: Size = "standard", split: Split | None = None) -> Stage:
    """Return an invented world of a language, or the imported one; `name` tells worlds of one language apart."""
    if world == IMPORT:
        made = import_world(SOURCE).world
    else:
        lang: Lang = get_args(Lang)[get_args(Lang).index(world)]
        made = make_world(lang, size, stream(3, name, "s1"), default_root(), split)
    return Stage("w0", made, load_book(default_root(), made.lang, made.currency))


@cache
def drawn_in(
    task: str, name: str, world: str, profile: str, size: Size = "standard", split: Split | None = None, count: int = 40
) -> tuple[tuple[Draft, Any], ...]:
    """Return sound draws of a task, numbers from 0 on, with their queries."""
    kind = find_task(task)
    knobs, stage = load_knobs(default_root(), kind, profile), stage_of(world, name, size, split)
    found = []
    for number in range(count):
        rng = stream(1, f"{world}/{profile}/{number}", "s2")
        scene = Scene(stage, rng.randint(*DAYS), rng.randint(420, 1260))
        found.append(draw_sound(kind, scene, knobs, number, rng))
    return tuple(found)


def heard_in_every_setup(task: Any, stage: Stage) -> Iterator[tuple[Instance, Any]]:
    """Yield eight instances with the query that is heard in each of their setups, where no line may stay unread."""
    kit = open_stationery(default_root(), stage.book, [task.domains])
    knobs = load_knobs(default_root(), task, "standard")
    for number in range(8):
        made = make_instance(task, stage, knobs, number, 5, f"hear/{number}", DAYS)
        for setup in SETUPS.values():
            heard = hear(kit, setup(made, kit).messages)
            assert heard.unread == ()
            yield made, heard.query()
