"""Worlds and drawn instances for the tests of single travel tasks."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import Any, get_args

import pytest

from generator.content import default_root
from generator.records import Lang, Split
from generator.seeds import stream
from generator.travel.factory import load_knobs
from generator.travel.instance import draw_sound
from generator.travel.scene import Draft, Scene, Stage
from generator.travel.tasks import find_task
from generator.travel.wording import load_book
from generator.travel.world import import_world, make_world
from generator.travel.world.town import Size

SOURCE = Path(__file__).parents[3] / "shared/boulder/db"
IMPORT = "import"
_ABSENT = pytest.mark.skipif(not SOURCE.is_dir(), reason="the imported world is not at hand")
WORLDS = ["en", "zh", pytest.param(IMPORT, marks=_ABSENT)]
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
