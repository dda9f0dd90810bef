"""Runs and builds in, one report out."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

from generator import __version__
from generator.errors import ExitCode, GenError
from generator.records import Key, Task
from generator.report.browsed import ReplyInfo
from generator.report.browsing import reply_info, task_info, tools_of
from generator.report.figures import cost_rows, effect_rows, headline_rows, item_rows, order_setups, scatters_of
from generator.report.further import further_tables
from generator.report.judged import judged_runs, open_notes
from generator.report.readings import look_into
from generator.report.requests import NOTHING, first_prompt, requests_of
from generator.report.setups import Told, setup_rows
from generator.report.sources import Judgements, RunLike, Source, build_of, open_sources, scored_row
from generator.report.structure import Report, RunInfo, Table
from generator.report.words import mode_words
from generator.scoring.statistics.headline import Setting
from generator.scoring.statistics.rows import Row
from generator.scoring.statistics.summary import summarise

MAX_REPLIES = 20_000
"""Replies that a page can hold and stay usable; figures are over all of them all the same."""

LIMITS = (
    "Ranges are 95 % intervals over worlds, with twins and setups kept together; those marked \u201ctasks\u201d are "
    "over single tasks. Scores are not comparable with those of other seeds, languages or papers."
)


def gather_report(
    runs: Sequence[RunLike], *, builds: Sequence[Path] = (), public: bool = False,
    judgements: Judgements | None = None, pairs: Sequence[tuple[str, str]] | None = None,
    setting: Setting | None = None, tables: Sequence[Table] = (),
) -> Report:  # fmt: skip
    """Return the report of some runs.

    Args:
        runs: Runs in the order in which they are shown.
        builds: Build folders to use instead of the ones that the runs name.
        public: Leave out tasks, keys and replies.
        judgements: What a judge said of a reply's items; None reads what `gen run --judge` left in the run's folder.
        pairs: Pairs of labels to compare, declared beforehand; None compares all.
        setting: Resamples, level and seed of the intervals.
        tables: Tables of the caller's, shown after the report's own.

    Raises:
        GenError: There is no run, a run is empty, or its build cannot be read.
    """
    if not runs:
        raise GenError("gen report", "no run", "name at least one folder that `gen run` wrote", ExitCode.USAGE)
    sources = open_sources(runs, builds)
    found = _read(sources, judgements, with_replies=not public)
    summary = summarise(found.rows, setting, pairs=pairs)
    order_setups(summary)
    order = list(dict.fromkeys(source.label for source in sources))
    summary["runs"] = {label: summary["runs"][label] for label in order if label in summary["runs"]}
    currencies = {s.label: str(s.run.about.get("currency") or "") for s in sources}
    estimand = str(summary["about"]["estimand"]).replace("importance_upper", "the upper bound")
    setups = setup_rows(found.told)
    tasks = [] if public else _tasks(sources, {row.result.task_id for row in found.rows})
    return Report(
        program=f"Made by turnproof {__version__}.", estimand=estimand, interval=LIMITS,
        runs=tuple(_run_info(label, [s for s in sources if s.label == label]) for label in order),
        headline=headline_rows(summary), costs=cost_rows(summary, currencies), effects=effect_rows(summary),
        scatters=scatters_of(summary), item_counts=item_rows(summary),
        judged=judged_runs(sources), setups=setups.scores, setup_tests=setups.tests, setup_tags=setups.tags,
        setup_lengths=setups.lengths, tables=(*further_tables(summary), *tables),
        tools=tools_of(task for task, _ in tasks), tasks=tuple(task_info(task, key) for task, key in tasks),
        replies=tuple(found.replies), warnings=tuple(_warnings(sources, found.hidden)),
    )  # fmt: skip


@dataclass
class _Found:
    """What the runs hold: rows for the statistics, replies for the browser, and what travel tasks say of setups."""

    rows: list[Row] = field(default_factory=list)
    replies: list[ReplyInfo] = field(default_factory=list)
    told: Told = field(default_factory=Told)
    hidden: int = 0


def _read(sources: Sequence[Source], judgements: Judgements | None, *, with_replies: bool) -> _Found:
    found = _Found()
    for source in sources:
        requests = requests_of(source.run) if source.is_travel else NOTHING
        with open_notes(source.run) as said:
            for row in source.run.rows():
                key, place = source.key(row.task_id), (row.task_id, row.condition, row.roll)
                reading = look_into(key, row.reply, row.result)
                found.rows.append(scored_row(source, row, reading))
                found.told.add(source, row.result, requests.prompts.get(place, first_prompt(row)))
                if not with_replies or row.status == "pending":
                    continue
                if len(found.replies) == MAX_REPLIES:
                    found.hidden += 1
                    continue
                judged = judgements(source.run, row) if judgements else said(row)
                own = source.run.own_turns(row.task_id, row.condition, row.roll) if row.condition == "own" else ()
                asked = requests.asked.get(place, ())
                found.replies.append(
                    reply_info(source.label, key, row, reading, judged=judged, own=own, asked=asked)
                )  # fmt: skip
    if not found.rows:
        raise GenError("gen report", "the runs hold no replies", "finish `gen run` first")
    return found


def _run_info(label: str, sources: Sequence[Source]) -> RunInfo:
    first = sources[0].run.about
    settings = [(str(name), str(value)) for name, value in sorted((first.get("settings") or {}).items())]
    if first.get("configuration"):
        settings.insert(0, ("configuration", str(first["configuration"])))
    counts = [s.run.about.get("counts") or {} for s in sources]
    failed, pending = (sum(int(c.get(name) or 0) for c in counts) for name in ("failed", "pending"))
    notes = []
    if failed:
        notes.append(f"{failed} replies failed for good: they are in the coverage and in no other figure")
    if pending:
        notes.append(f"not finished: {pending} replies are still to come and count as missing in the coverage")
    return RunInfo(
        label=label, model=str(first.get("model", "unnamed")), is_instrument=sources[0].is_instrument,
        builds=tuple(dict.fromkeys(_build_words(s) for s in sources)),
        rolls=max(int(s.run.about.get("rolls") or 1) for s in sources),
        conditions=tuple(dict.fromkeys(str(c) for s in sources for c in s.run.about.get("conditions") or ())),
        settings=tuple(settings), notes=tuple(notes),
    )  # fmt: skip


def _build_words(source: Source) -> str:
    about = build_of(source.run)
    pool = ", whole pool" if about.get("pool") else ""
    return f"mode {about.get('mode')}, {about.get('lang')}{pool}, {str(about.get('commitment'))[:12]}"


def _tasks(sources: Sequence[Source], seen: set[str]) -> list[tuple[Task, Key]]:
    found: dict[str, tuple[Task, Key]] = {}
    for source in sources:
        for task in source.tasks.values():
            if task.id in seen and task.id not in found:
                found[task.id] = (task, source.key(task.id))
    return list(found.values())


def _warnings(sources: Sequence[Source], hidden: int) -> list[str]:
    found = []
    builds: dict[tuple[str, str], set[str]] = {}
    for source in sources:
        about = build_of(source.run)
        builds.setdefault((str(about.get("mode")), str(about.get("lang"))), set()).add(str(about.get("commitment")))
    for (mode, lang), several in builds.items():
        if len(several) > 1:
            found.append(
                f"Mode {mode_words(mode)}, {lang}: the runs answer {len(several)} builds. Two seeds differ in "
                "difficulty unless forms are equated: compare runs of one build only."
            )
    if hidden:
        found.append(f"The browser leaves out {hidden:,} of the replies; all figures are over all of them.")
    return found
