"""Tool calls of travel tasks, answered from the worlds of a build through read-only SQLite caches."""

from __future__ import annotations

import json
from pathlib import Path
from types import TracebackType
from typing import Any, Self

from generator.engine.loaded import Build
from generator.engine.travel_line import WORLDS, load_stage
from generator.errors import ExitCode, GenError
from generator.records import Task
from generator.stages.travel import MODE, TravelShop, open_travel
from generator.travel.shown import Shower
from generator.travel.tools import Desk
from generator.travel.world import WorldCache, build_cache


def has_tools(build: Build) -> bool:
    """Return whether some task of a build offers tools that this module answers."""
    return any(task.mode == MODE and task.tools for task in build.tasks)


class TravelTools:
    """Answers the calls of one run. Caches lie in the run's folder and can be thrown away."""

    def __init__(self, build: Build, folder: Path, overlay: Path | None = None) -> None:
        """Make ready to answer.

        Raises:
            GenError: A world of the build is missing or damaged.
        """
        self._build, self._folder = build, folder / WORLDS
        self._shop: TravelShop = open_travel(build.spec.lang, build.spec.split, overlay)
        self._desks: dict[str, Desk] = {}
        self._caches: list[WorldCache] = []
        # A world that is missing is told now: later it would be told to the model, as a call gone wrong.
        for name in sorted({str(build.key(t.id).state["world"]) for t in build.tasks if t.mode == MODE and t.tools}):
            load_stage(self._shop, build.folder, name)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        for cache in self._caches:
            cache.close()

    def answer(self, task: Task, call: dict[str, Any]) -> str:
        """Return what a tool says to a call as the chat API has it.

        Raises:
            GenError: There is no such tool, or it does not take these arguments.
        """
        function = call.get("function") or {}
        name = str(function.get("name"))
        offered = {tool["function"]["name"] for tool in task.tools}
        if name not in offered:
            raise GenError(f"tool {name}", f"no tool {name!r} is offered", "see the tools", ExitCode.USAGE)
        try:
            arguments = json.loads(function.get("arguments") or "{}")
        except json.JSONDecodeError as error:
            raise GenError(f"tool {name}", f"the arguments are no JSON: {error.msg}", "", ExitCode.USAGE) from error
        if not isinstance(arguments, dict):
            raise GenError(f"tool {name}", "the arguments are no JSON object", "", ExitCode.USAGE)
        return self._desk(str(self._build.key(task.id).state["world"])).call(name, arguments).result

    def _desk(self, world: str) -> Desk:
        if world not in self._desks:
            stage = load_stage(self._shop, self._build.folder, world)
            path = self._folder / f"{world}.sqlite"
            digest = build_cache(stage.world, path)
            cache = WorldCache(path, digest)
            self._caches.append(cache)
            self._desks[world] = Desk(stage.world, cache, Shower(stage.world, stage.book.words.weekdays))
        return self._desks[world]
