"""Simulated respondents over the tasks of a build, whatever line they come from."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from pathlib import Path

from generator.engine.loaded import Build
from generator.modes import find_mode
from generator.modes.protocol import Kit
from generator.records import Message, Task
from generator.respondents import respond, respondent_names
from generator.respondents.travel import respond_travel, travel_respondents
from generator.stages.pipeline import Workshop, open_workshop
from generator.stages.travel import MODE as TRAVEL
from generator.stages.travel import open_travel
from generator.travel.prompts import Stationery


class Respondents:
    """Answers tasks of one build by the name of a respondent, without its prefix."""

    def __init__(self, build: Build, overlay: Path | None = None) -> None:
        self._build, self._overlay = build, overlay
        self._kit = lru_cache(maxsize=4096)(self._find_kit)
        self._stationery = lru_cache(maxsize=4)(self._find_stationery)

    def names(self) -> tuple[str, ...]:
        """Return the names of all respondents that some task of the build knows."""
        found: dict[str, None] = {}
        for mode in dict.fromkeys(task.mode for task in self._build.tasks):
            found |= dict.fromkeys(travel_respondents() if mode == TRAVEL else respondent_names(find_mode(mode)))
        return tuple(found)

    def respond(self, name: str, task: Task, messages: Sequence[Message], roll: int) -> str:
        """Return the reply of a respondent to messages of a task.

        Raises:
            GenError: No respondent has this name, or the content does not fit the build.
        """
        if task.mode == TRAVEL:
            return respond_travel(
                name, self._stationery(str(self._build.key(task.id).state["currency"])), messages, task.id, roll
            )
        shop, kit = self._kit(task.id, task.mode)
        return respond(name, shop.mode, kit, messages, task.id, roll)

    def _find_kit(self, task_id: str, mode: str) -> tuple[Workshop, Kit]:
        spec = self._build.spec
        shop = open_workshop(mode, spec.lang, spec.split, self._overlay)
        return shop, shop.kit(self._build.key(task_id).factors.world)

    def _find_stationery(self, currency: str) -> Stationery:
        spec = self._build.spec
        return open_travel(spec.lang, spec.split, self._overlay).factory.stationery(currency)
