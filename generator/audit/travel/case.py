"""An instance as the audits see it: its tasks in every setup, their keys, the world, and what a reader makes of it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from generator.audit.policy import Policy
from generator.records import AuditFinding, Key, Task
from generator.travel.hearing import Caches, Hearing, hear
from generator.travel.prompts import Stationery
from generator.travel.scene import HearingError, Stage
from generator.travel.tasks import find_task
from generator.travel.tasks.protocol import TravelTask


@dataclass(frozen=True)
class TravelCase:
    """One instance: tasks and keys by setup, in the order of the setups."""

    tasks: dict[str, Task]
    keys: dict[str, Key]
    kit: Stationery
    stage: Stage
    policy: Policy
    _caches: Caches = field(default_factory=dict, compare=False, repr=False)

    @classmethod
    def of(
        cls, tasks: Sequence[Task], keys: Sequence[Key], kit: Stationery, stage: Stage, policy: Policy
    ) -> TravelCase:
        """Return the case of an instance's tasks and keys, in one order."""
        setups = [t.setup for t in tasks]
        return cls(
            dict(zip(setups, tasks, strict=True)), dict(zip(setups, keys, strict=True)), kit, stage, policy
        )  # fmt: skip

    @property
    def key(self) -> Key:
        """The key of the first setup: all keys of an instance agree in what they hold of it."""
        return next(iter(self.keys.values()))

    @cached_property
    def task_kind(self) -> TravelTask:
        """The travel task."""
        return find_task(str(self.key.state["travel"]))

    @cached_property
    def heard(self) -> dict[str, Hearing | str]:
        """What a reader makes of each setup: a hearing, or why there is none."""
        found: dict[str, Hearing | str] = {}
        for setup, task in self.tasks.items():
            try:
                found[setup] = hear(self.kit, task.messages, self._caches)
            except HearingError as error:
                found[setup] = str(error)
        return found

    def hearings(self) -> dict[str, Hearing]:
        """Return the setups that can be heard."""
        return {setup: h for setup, h in self.heard.items() if isinstance(h, Hearing)}

    @cached_property
    def query(self) -> Any:
        """The query that the first setup's text determines, None if it determines none."""
        first = next(iter(self.heard.values()))
        if not isinstance(first, Hearing):
            return None
        try:
            return first.query()
        except HearingError:
            return None

    def finding(self, audit: str, what: str, setup: str = "") -> AuditFinding:
        """Return a finding about this instance, or about one of its setups."""
        where = self.tasks[setup].id if setup else self.key.id
        return AuditFinding(audit=audit, where=where, what=f"{setup}: {what}" if setup else what)
