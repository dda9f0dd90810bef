"""Runs and builds in, one report out."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path

from generator import __version__
from generator.errors import ExitCode, GenError
from generator.records import Factors, Key, Task
from generator.report.effects import factor_effects
from generator.report.headline import ESTIMAND, INTERVAL, count_items, headline_rows
from generator.report.panel import cost_rows, scatter_of
from generator.report.sources import Judgements, Row, RunLike, Source, open_sources, reply_info, tidy
from generator.report.structure import ReplyInfo, Report, RunInfo, Table, TaskInfo, Turn
from generator.report.values import item_info
from generator.scoring.checks import view_of

MAX_REPLIES = 20_000
"""Replies that a page can hold and stay usable; figures are over all of them all the same."""


def gather_report(
    runs: Sequence[RunLike], *, builds: Sequence[Path] = (), public: bool = False,
    judgements: Judgements | None = None, tables: Iterable[Table] = (),
) -> Report:  # fmt: skip
    """Return the report of some runs.

    Args:
        runs: Runs in the order in which they are shown.
        builds: Build folders that are tried before the one that a run names.
        public: Leave out tasks, keys and replies.
        judgements: What a judge said of a reply's items; None where no judge was used.
        tables: Further statistics.

    Raises:
        GenError: There is no run, a run is empty, or a build named by hand is none.
    """
    if not runs:
        raise GenError("gen report", "no run", "name at least one folder that `gen run` wrote", ExitCode.USAGE)
    sources = open_sources(runs, builds)
    rows: list[Row] = []
    replies: list[ReplyInfo] = []
    for source in sources:
        for row in source.run.rows():
            rows.append(tidy(source, row))
            if not public and row.status != "pending" and row.task_id in source.tasks and len(replies) < MAX_REPLIES:
                judged = judgements(source.run, row) if judgements else ()
                replies.append(reply_info(source, row, rows[-1].verdicts, judged))
    if not rows:
        raise GenError("gen report", "the runs hold no replies", "finish `gen run` first")
    keys = {task_id: key for source in sources if source.build for task_id, key in source.build.keys.items()}
    seen = {row.task for row in rows}
    factors: dict[str, Factors] = {task: key.factors for task, key in keys.items() if task in seen}
    return Report(
        program=f"Made by turnproof {__version__}.", estimand=ESTIMAND, interval=INTERVAL,
        runs=tuple(_run_info(source) for source in sources), headline=headline_rows(rows),
        costs=cost_rows(sources, rows) if any(row.usage_all for row in rows) else (),
        effects=factor_effects(rows, factors), scatter=scatter_of(rows),
        item_counts=count_items(rows, {task: tuple(i.kind for i in key.items) for task, key in keys.items()}),
        tables=tuple(tables), tasks=() if public else _tasks(sources, seen), replies=tuple(replies),
        warnings=tuple(_warnings(sources, rows, public)),
    )  # fmt: skip


def _run_info(source: Source) -> RunInfo:
    about = source.run.about
    build = about.get("build") or {}
    settings = [(str(name), str(value)) for name, value in sorted((about.get("settings") or {}).items())]
    if about.get("configuration"):
        settings.insert(0, ("configuration", str(about["configuration"])))
    counts = about.get("counts") or {}
    notes = []
    if counts.get("failed"):
        notes.append(f"{counts['failed']} replies failed for good and are left out of all figures")
    if counts.get("pending"):
        notes.append(f"not finished: {counts['pending']} replies are still to come")
    if source.build is None:
        notes.append("its build was not found: no dialogues, worlds or factors; name it with --build")
    return RunInfo(
        label=source.label, model=str(about.get("model", "unnamed")), is_instrument=source.is_instrument,
        build=f"mode {build.get('mode', 'not told')}, {build.get('lang', 'not told')}, "
        f"commitment {str(build.get('commitment') or 'none')[:12]}",
        rolls=int(about.get("rolls") or 1), conditions=tuple(about.get("conditions") or ()),
        settings=tuple(settings), notes=tuple(notes),
    )  # fmt: skip


def _tasks(sources: Sequence[Source], seen: set[str]) -> tuple[TaskInfo, ...]:
    found: dict[str, TaskInfo] = {}
    for source in sources:
        for task in source.tasks.values():
            if task.id in seen and task.id not in found:
                found[task.id] = task_info(task, source.key(task.id))
    return tuple(found.values())


def task_info(task: Task, key: Key | None) -> TaskInfo:
    """Return a task as the browser shows it: dialogue with evidence marks, items in words."""
    marks = {(e.turn, e.role): e for e in key.evidence} if key else {}
    turns, turn = [], -1
    for message in task.messages:
        turn += message.role == "user"
        mark = marks.get((turn, message.role)) if message.role in {"user", "assistant"} else None
        said = message.content or "; ".join(f"{c.function.name} {c.function.arguments}" for c in message.tool_calls)
        turns.append(
            Turn(
                role=message.role,
                turn=turn,
                text=said,
                group=mark.group if mark else "",
                duty=mark.duty if mark else "",
            )
        )
    view = view_of(key.state) if key else None
    return TaskInfo(
        id=task.id, mode=task.mode, lang=task.lang, setup=task.setup, world=key.factors.world if key else "not known",
        factors=tuple(_factors(key.factors)) if key else (), turns=tuple(turns),
        items=tuple(item_info(item, view, key.alternatives) for item in key.items) if key else (),
    )  # fmt: skip


def _factors(factors: Factors) -> list[tuple[str, str]]:
    found = [
        ("register", factors.register_name), ("exchanges", str(factors.turns)), ("distance", str(factors.distance)),
        ("distractors", str(factors.distractors)), ("gap share", f"{factors.gap_share:g}"),
    ]  # fmt: skip
    return [*found, ("mechanisms", ", ".join(factors.mechanisms))] if factors.mechanisms else found


def _warnings(sources: Sequence[Source], rows: Sequence[Row], public: bool) -> list[str]:
    found = []
    builds = {str((s.run.about.get("build") or {}).get("commitment")) for s in sources}
    if len(builds) > 1:
        found.append(
            "The runs answer different builds. Two seeds differ in difficulty unless forms are equated: compare rows "
            "of one build only."
        )
    if not public and sum(row.status != "pending" for row in rows) > MAX_REPLIES:
        found.append(f"The browser holds the first {MAX_REPLIES:,} replies; figures are over all of them.")
    return found
