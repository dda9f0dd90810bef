"""What instances are made with: worlds, knobs, dates, and the stationery of a language."""

from __future__ import annotations

import datetime as dt
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path
from typing import Any

from generator.content import ContentRoot
from generator.errors import ExitCode, GenError
from generator.records import Frozen, Lang, Split
from generator.seeds import stream
from generator.travel.options import TravelOptions
from generator.travel.prompts import Stationery, open_stationery
from generator.travel.scene import Stage
from generator.travel.tasks import find_task, known_tasks
from generator.travel.tasks.protocol import TravelTask
from generator.travel.wording import load_book
from generator.travel.world import Applied, ImportReport, World, import_world, make_world, perturb
from generator.travel.world.town import Size

PER_WORLD = 256
"""Instances that play in one world."""
MOST_WORLDS = 32
"""Worlds kept ready in a process."""
NEED_STRENGTH = 0.6
"""Strength of perturbations that a task needs of an imported world."""


class Calendar(Frozen):
    """The days on which instances play: content of `templates/travel/calendar.yaml`, both inclusive."""

    first: dt.date
    last: dt.date


@dataclass(frozen=True)
class Factory:
    """Worlds and wording for one language; imported worlds are read once, invented ones made as they are needed.

    report: what the import did with every anomaly that it met.
    """

    content: ContentRoot
    lang: Lang
    split: Split
    imported: World | None = None
    report: ImportReport | None = None
    _stages: dict[tuple[int, TravelOptions, int, tuple[str, ...]], Stage] = field(
        default_factory=dict, compare=False, repr=False
    )
    _logs: dict[str, tuple[Applied, ...]] = field(default_factory=dict, compare=False, repr=False)

    def dates(self) -> tuple[int, int]:
        """Return the first and last day as proleptic ordinals."""
        calendar = _calendar(self.content)
        return calendar.first.toordinal(), calendar.last.toordinal()

    def stage(self, seed: int, options: TravelOptions, number: int, needs: tuple[str, ...] = ()) -> Stage:
        """Return world number `number` of a build, ready for drawing.

        `needs` are perturbations without which an imported world offers a task too little; see `TravelTask.needs`.

        Raises:
            GenError: Content is invalid, or a perturbation unknown.
        """
        needs = needs if self.imported else ()
        key = (seed, options, number, needs)
        if key not in self._stages:
            if len(self._stages) > MOST_WORLDS:
                self._stages.clear()
            name = world_name(number, needs)
            self._stages[key] = self.stage_of(name, self._world(seed, options, number, needs))
        return self._stages[key]

    def stage_of(self, name: str, world: World) -> Stage:
        """Return a world ready for drawing and for tool calls."""
        return Stage(name, world, load_book(self.content, self.lang, world.currency))

    def stationery(self, currency: str) -> Stationery:
        """Return prompts, tools and forms."""
        return _stationery(self.content, self.lang, currency)

    def _world(self, seed: int, options: TravelOptions, number: int, needs: tuple[str, ...]) -> World:
        name = f"travel/world/{number}"
        size: Size = options.size
        made = self.imported or make_world(self.lang, size, stream(seed, name, "s1"), self.content, self.split)
        steps = ((options.perturb, options.strength, "perturb"), (needs, NEED_STRENGTH, "needs"))
        log: list[Applied] = []
        for names, strength, stage in steps:
            if names:
                done = perturb(made, names, strength, stream(seed, name, stage), content=self.content)
                log += done.log
                made = done.world
        self._logs[world_name(number, needs)] = tuple(log)
        return made

    def log(self, name: str) -> tuple[Applied, ...]:
        """Return what perturbations changed in a world that was made here."""
        return self._logs.get(name, ())


def world_name(number: int, needs: tuple[str, ...] = ()) -> str:
    """Return what a world is called in a build: "w0", or "w0-retime" where a task needed that."""
    return "-".join([f"w{number}", *needs])


def parse_world_name(name: str) -> tuple[int, tuple[str, ...]]:
    """Return number and needs of a world's name."""
    number, *needs = name.removeprefix("w").split("-")
    return int(number), tuple(needs)


def open_factory(content: ContentRoot, lang: Lang, split: Split, folder: Path | None = None) -> Factory:
    """Return a factory; with a folder, its world is imported from there.

    Raises:
        GenError: The folder cannot be imported.
    """
    made = import_world(folder) if folder else None
    return Factory(content, lang, split, made.world if made else None, made.report if made else None)


def tasks_of(options: TravelOptions) -> tuple[TravelTask, ...]:
    """Return the tasks of a build, in their order.

    Raises:
        GenError: One is unknown.
    """
    wanted = {find_task(name).name for name in options.tasks}
    return tuple(t for t in known_tasks() if not wanted or t.name in wanted)


@lru_cache(maxsize=128)
def load_knobs(content: ContentRoot, task: TravelTask, profile: str) -> Any:
    """Return a task's knobs for a profile.

    Raises:
        GenError: The file is faulty, or has no such profile.
    """
    name = f"templates/travel/tasks/{task.name}.yaml"
    profiles: dict[str, Any] = content.load(name, dict[str, task.knobs])  # type: ignore[name-defined]
    if profile not in profiles:
        raise GenError(name, f"no profile {profile!r}", f"choose one of: {', '.join(profiles)}", ExitCode.USAGE)
    return profiles[profile]


@lru_cache(maxsize=8)
def _calendar(content: ContentRoot) -> Calendar:
    calendar: Calendar = content.load("templates/travel/calendar.yaml", Calendar)
    return calendar


@lru_cache(maxsize=16)
def _stationery(content: ContentRoot, lang: Lang, currency: str) -> Stationery:
    domains: Sequence[Any] = [t.domains for t in known_tasks()]
    return open_stationery(content, load_book(content, lang, currency), list(domains))
