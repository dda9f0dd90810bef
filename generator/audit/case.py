"""A candidate as the audits see it: the public task, its key, and the world, from files alone."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from functools import cached_property

from generator.audit.policy import Policy
from generator.modes.protocol import AnswerValues, Exchange, Heard, HearingError, Kit, Mode, exchanges_of
from generator.records import AuditFinding, Item, Key, Task


@dataclass(frozen=True)
class Case:
    """One task with its key, its world and the policy that it is held to."""

    mode: Mode
    kit: Kit
    task: Task
    key: Key
    policy: Policy

    @cached_property
    def exchanges(self) -> list[Exchange]:
        """Every user turn with its reply, read."""
        return exchanges_of(self.kit, self.task.messages)

    @cached_property
    def users(self) -> list[str]:
        """The user's messages."""
        return [m.content for m in self.task.messages if m.role == "user"]

    @cached_property
    def replies(self) -> list[str]:
        """The assistant's messages."""
        return [m.content for m in self.task.messages if m.role == "assistant"]

    @cached_property
    def group_of(self) -> dict[int, str]:
        """Evidence group of each exchange that has one."""
        return {e.turn: e.group for e in self.key.evidence}

    @cached_property
    def groups(self) -> list[str]:
        """Evidence groups in order."""
        return list(dict.fromkeys(e.group for e in self.key.evidence))

    @cached_property
    def runs(self) -> list[range]:
        """Maximal runs of irrelevant exchanges; the last message is the request and belongs to none."""
        found: list[range] = []
        start: int | None = None
        last = len(self.users) - 1
        for turn in range(last + 1):
            if turn < last and turn not in self.group_of:
                start = turn if start is None else start
            elif start is not None:
                found.append(range(start, turn))
                start = None
        return found

    @cached_property
    def heard(self) -> Heard | None:
        """What the dialogue says, or None if it cannot be followed."""
        try:
            return self.mode.hear(self.kit, self.exchanges)
        except HearingError:
            return None

    def answer_without(self, dropped: Collection[int]) -> AnswerValues | None:
        """Return the answer with some exchanges left out, or None where there is none."""
        return self.answer_of([e for n, e in enumerate(self.exchanges) if n not in dropped])

    def answer_of(self, exchanges: Sequence[Exchange]) -> AnswerValues | None:
        """Return the answer that a list of exchanges gives, or None where there is none."""
        try:
            return self.mode.answer_heard(self.kit, self.mode.hear(self.kit, exchanges))
        except HearingError:
            return None

    def respond(self, name: str) -> AnswerValues:
        """Return the answer of a named respondent; nothing where it cannot even start."""
        return self.mode.fail(name, self.kit, self.heard) if self.heard is not None else {}

    def finding(self, audit: str, what: str, where: str = "") -> AuditFinding:
        """Return a finding about this task."""
        return AuditFinding(audit=audit, where=where or self.task.id, what=what)


def score_values(items: Sequence[Item], values: AnswerValues) -> tuple[float, int]:
    """Return (importance, strict) of an answer given as values: no text, no reading of it.

    A row that must not appear counts as kept out when no value of it is given; but an answer
    without any value keeps nothing out, it is no answer.
    """
    total = sum(i.weight for i in items) or 1
    rows = {path.split(".")[0] for path in values if not path.endswith(".absent")}
    hits = 0
    missed = 0
    for item in items:
        if item.truth_path.endswith(".absent"):
            hit = bool(rows) and item.truth_path.split(".")[0] not in rows
        else:
            hit = values.get(item.truth_path) == item.params.get("value")
        hits += item.weight if hit else 0
        missed += not hit
    return hits / total, int(not missed)
