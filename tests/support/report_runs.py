"""Runs made by hand for the report's tests: real tasks and keys, replies simulated or meant to attack the page."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from decimal import Decimal
from pathlib import Path
from typing import Any

from generator.content import default_root
from generator.engine.loaded import Build, workshop_of
from generator.engine.runs import show_messages
from generator.records import Reply
from generator.report import gather_report, render_page
from generator.respondents import respond
from generator.runner.view import RunRow
from generator.scoring.metrics import score_reply

NASTY = (
    "<script>window.pwned=1</script><img src=x onerror=window.pwned=1></script><!--<script>",
    "\u202egnp.exe \u2066x\u2069 \u200b zero \ufeff nul\x00 \x1b[31m red \U000e0041 \u2028 line",
    "{{ 7*7 }} {% raw %} ${7*7} #{7*7} {# #} %s",
    "javascript:window.pwned=1 &lt;b&gt; \" ' ` onmouseover=window.pwned=1",
    '=HYPERLINK("http://x") +1 -1 @SUM',
    "长" * 150_000 + "end-of-huge-reply",
    "\U0001f600" * 3_000 + " 𝟙𝟚",
    "| 品名 | 数量 |\n|---|---|\n| 椅子 | 10 |\n" * 3,
)


@dataclass(frozen=True)
class HandRun:
    """A run as the report sees one, without a store."""

    about: dict[str, Any]
    made: tuple[RunRow, ...]

    def rows(self) -> Iterator[RunRow]:
        """Yield the rows."""
        yield from self.made

    def own_turns(self, task_id: str, condition: str = "own", roll: int = 1) -> list[str]:
        """Return what the model is said to have written: two turns that attack the page."""
        return [f"own turn of {task_id} <b>1</b>", "own turn 2 \u202e"]


def about_of(build: Build, model: str, *, is_instrument: bool, rolls: int, conditions: Sequence[str]) -> dict[str, Any]:
    return {
        "model": model, "configuration": model, "instrument": is_instrument, "rolls": rolls,
        "conditions": list(conditions), "settings": {"temperature": 0}, "currency": "USD",
        "build": {
            "folder": str(build.folder), "commitment": build.manifest["seed_commitment"], "mode": build.spec.mode,
            "lang": build.spec.lang, "pool": False,
        },
        "counts": {"failed": 0, "pending": 0},
    }  # fmt: skip


def row_of(build: Build, reply: Reply, *, price: str | None = None, error: str | None = None) -> RunRow:
    result = score_reply(build.key(reply.task_id), reply)
    usage = {"input": 3000, "cached": 1000, "output": len(reply.reply or "") or 1, "reasoning": 0} if price else None
    cost = Decimal(price) if price else None
    return RunRow(
        task_id=reply.task_id, mode=build.task(reply.task_id).mode, condition=reply.condition, roll=reply.roll,
        status=result.status, reply=reply, result=result, usage=usage, cost=cost, usage_all=usage, cost_all=cost,
        seconds=0.5, attempts=1, error=error,
    )  # fmt: skip


def simulated(
    build: Build, respondent: str, model: str | None = None, *, rolls: int = 3, condition: str = "full",
    price: str | None = None,
) -> HandRun:  # fmt: skip
    """Return the run of a simulated respondent; with `model` it poses as a real one (a test's stand-in only)."""
    shop = workshop_of(build, None)
    replies = []
    for task in build.tasks:
        kit, shown = shop.kit(build.key(task.id).factors.world), show_messages(task.messages, condition, task.lang)
        for roll in range(1, rolls + 1):
            text = respond(respondent, shop.mode, kit, shown, task.id, roll)
            replies.append(Reply(task_id=task.id, roll=roll, condition=condition, reply=text))
    about = about_of(
        build, model or f"sim/{respondent}", is_instrument=model is None, rolls=rolls, conditions=[condition]
    )
    return HandRun(about, tuple(row_of(build, reply, price=price) for reply in replies))


def nasty(build: Build, model: str = "evil/<b>model</b>\u202e") -> HandRun:
    """Return a run whose replies attack the page, with a failed call and a pending one at the end."""
    rows = []
    for n, task in enumerate(build.tasks):
        text = NASTY[n % len(NASTY)]
        reply = Reply(task_id=task.id, reply=text, refusal=text[:99] if n % 3 == 0 else None, reasoning=text[:9000])
        rows.append(row_of(build, reply))
    failed = Reply(task_id=build.tasks[-1].id, roll=2, reply=None, finish_reason=None)
    rows.append(row_of(build, failed, error="503 <script>window.pwned=1</script>"))
    last = rows[0]
    rows.append(
        RunRow(
            task_id=last.task_id, mode=last.mode, condition="full", roll=3, status="pending", reply=None, result=None,
            usage=None, cost=None, usage_all=None, cost_all=None, seconds=None, attempts=0, error=None,
        )
    )  # fmt: skip
    return HandRun(about_of(build, model, is_instrument=False, rolls=3, conditions=["full"]), tuple(rows))


def make_page(folder: Path, runs: Sequence[HandRun]) -> Path:
    """Write a report page and return where it is."""
    page = folder / "report.html"
    page.write_text(render_page(gather_report(runs), default_root()), encoding="utf-8")
    return page
