"""What the browser of replies reads: short names, and every text once, since a report has thousands of replies."""

from __future__ import annotations

from typing import Any

from generator.records import canonical_json
from generator.report.browsed import Call, ReplyInfo, TaskInfo, Turn
from generator.report.structure import Report

BREAK = "\n\n"
"""Between paragraphs. Setups of an instance share most of theirs, and each is kept once."""


class Pool:
    """Values numbered in the order in which they first come."""

    def __init__(self) -> None:
        self._places: dict[str, int] = {}
        self.values: list[Any] = []

    def place(self, value: Any) -> int:
        """Return the number of a JSON-able value, put in if it is new."""
        mark = value if isinstance(value, str) else canonical_json(value)
        found = self._places.setdefault(mark, len(self.values))
        if found == len(self.values):
            self.values.append(value)
        return found


def payload_of(report: Report, modes: dict[str, str]) -> dict[str, Any]:
    """Return the payload; `modes` are their numbers as people write them."""
    texts, factors = Pool(), Pool()
    places = {task.id: n for n, task in enumerate(report.tasks)}
    runs = {run.label: n for n, run in enumerate(report.runs)}
    tools = {tool.id: n for n, tool in enumerate(report.tools)}
    seen: dict[str, int] = {}
    tasks = []
    for place, task in enumerate(report.tasks):
        items = _items(task)
        like = seen.setdefault(canonical_json(items), place)
        tasks.append(
            {
                "id": task.id, "mode": modes.get(task.mode, task.mode), "lang": task.lang, "setup": task.setup,
                "world": task.world, "factors": factors.place(task.factors),
                "turns": [_turn(turn, texts) for turn in task.turns],
                **({"items": items} if like == place else {"like": like}),
                **({"name": task.name, "instance": task.instance} if task.name else {}),
                **({"tools": [tools[name] for name in task.tools]} if task.tools else {}),
            }
        )  # fmt: skip
    return {
        "runs": [[run.label, int(run.is_instrument)] for run in report.runs],
        "setups": list(dict.fromkeys(score.setup for score in report.setups)),
        "tools": [[tool.name, tool.text, tool.parameters] for tool in report.tools],
        "texts": texts.values, "factors": factors.values, "tasks": tasks,
        "replies": [_reply(r, places[r.task], runs[r.run]) for r in report.replies if r.task in places],
    }  # fmt: skip


def _turn(turn: Turn, texts: Pool) -> list[Any]:
    """Return role, turn, paragraphs, evidence and duty of a message; then calls, or the tool that it is from."""
    found: list[Any] = [turn.role, turn.turn, [texts.place(p) for p in turn.text.split(BREAK)], turn.group, turn.duty]
    if turn.calls:
        found.append([[c.name, texts.place(c.arguments)] for c in turn.calls])
    elif turn.answers:
        found.append(turn.answers)
    return found


def _items(task: TaskInfo) -> list[Any]:
    return [
        [i.id, i.kind, i.weight, int(i.is_gate), i.label, i.expected,
         [[s.shown, list(s.failures)] for s in i.stale], i.note]
        for i in task.items
    ]  # fmt: skip


def _reply(reply: ReplyInfo, task: int, run: int) -> dict[str, Any]:
    further = (
        ("cut", reply.cut), ("think", reply.reasoning), ("refusal", reply.refusal), ("finish", reply.finish),
        ("asked", _calls(reply.asked)), ("calls", _calls(reply.calls)), ("fault", reply.fault),
        ("read", dict(reply.read_as)), ("own", list(reply.own)),
        ("judged", [[j.item, j.verdict, j.quote, j.reason, j.judge] for j in reply.judged]),
        ("metrics", reply.metrics), ("tags", reply.tags), ("abstains", int(reply.is_abstention)),
        ("length", reply.length),
    )  # fmt: skip
    return {
        "t": task, "r": run, "k": reply.roll, "c": reply.condition, "s": reply.status, "v": reply.verdicts,
        "i": reply.importance, "x": reply.strict, "a": reply.text,
    } | {name: value for name, value in further if value}  # fmt: skip


def _calls(calls: tuple[Call, ...]) -> list[list[str]]:
    return [[call.name, call.arguments] for call in calls]
