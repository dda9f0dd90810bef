"""Who answers: an endpoint, or a simulated respondent in this process."""

from __future__ import annotations

import asyncio
import time
from collections import OrderedDict
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Protocol

from generator.endpoints import Completion, Status
from generator.engine.answering import Respondents
from generator.engine.loaded import Build
from generator.engine.runs import NEUTRAL
from generator.errors import ExitCode, GenError
from generator.records import Message, Task
from generator.respondents import PREFIX

if TYPE_CHECKING:
    from generator.endpoints import Client
    from generator.endpoints.client import Request


class Answerer(Protocol):
    """Whoever writes a turn. The same task, roll and messages may be asked for again after a kill."""

    async def answer(self, task: Task, roll: int, messages: Sequence[Message], *, is_final: bool) -> Completion:
        """Return the next turn, or how the call failed; raises nothing for a failed call."""
        ...


class Simulated:
    """A simulated respondent: reads the dialogue in this process, costs nothing, never fails."""

    def __init__(self, build: Build, model: str, overlay: Path | None = None) -> None:
        if not model.startswith(PREFIX):
            raise GenError(f"--model {model}", "not a simulated respondent", "name one as sim/…", ExitCode.USAGE)
        self._name, self._respondents = model.removeprefix(PREFIX), Respondents(build, overlay)
        # A name that a mode does not know is told now, before a run has left anything behind.
        for task in {task.mode: task for task in build.tasks}.values():
            self._write(task, 1, task.messages)

    def _write(self, task: Task, roll: int, messages: Sequence[Message]) -> str:
        return self._respondents.respond(self._name, task, messages, roll)

    async def answer(self, task: Task, roll: int, messages: Sequence[Message], *, is_final: bool) -> Completion:
        """Return a neutral word to a turn in between, and the respondent's answer to the last one."""
        started = time.perf_counter()
        # Answers take milliseconds of pure Python: the loop gets a turn between two of them.
        await asyncio.sleep(0)
        if not is_final:
            return Completion(Status.OK, NEUTRAL[task.lang], finish_reason="stop")
        text = self._write(task, roll, messages)
        return Completion(Status.OK, text, finish_reason="stop", seconds=time.perf_counter() - started)


class Endpoint:
    """A model behind an endpoint. A task's request is made ready once and sent for all its rolls."""

    def __init__(self, client: Client, kept: int = 64) -> None:
        self._client, self._kept = client, 2 * kept
        self._ready: OrderedDict[int, tuple[Sequence[Message], Request]] = OrderedDict()

    async def answer(self, task: Task, roll: int, messages: Sequence[Message], *, is_final: bool) -> Completion:
        """Return what became of the call."""
        return await self._client.complete(self._request(task, messages), roll=roll)

    def _request(self, task: Task, messages: Sequence[Message]) -> Request:
        # The messages are kept beside their id, so that no other object can get it.
        found = self._ready.get(id(messages))
        if found is None:
            found = messages, self._client.prepare(messages, task.tools)
            self._ready[id(messages)] = found
            if len(self._ready) > self._kept:
                self._ready.popitem(last=False)
        return found[1]
