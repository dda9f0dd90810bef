"""Runs and the builds that they answer, put together: one tidy row per planned reply."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol

from generator.engine.loaded import Build, load_build
from generator.errors import GenError
from generator.records import Key, Task, Verdict
from generator.report.structure import JudgeNote, ReplyInfo
from generator.scoring.metrics import MAX_CHARS, equal_importance

if TYPE_CHECKING:
    from generator.runner.view import RunRow

LETTERS = {Verdict.HIT: "h", Verdict.MISS: "m", Verdict.UNSURE: "u", Verdict.ERROR: "e"}


class RunLike(Protocol):
    """What a report needs of a run; `generator.runner.view.RunView` is one."""

    @property
    def about(self) -> dict[str, Any]:
        """Model, configuration, build, conditions, rolls, prices; see `load_run`."""
        ...

    def rows(self) -> Iterator[RunRow]:
        """Yield every planned reply."""
        ...


Judgements = Callable[[RunLike, "RunRow"], Sequence[JudgeNote]]


@dataclass(frozen=True)
class Source:
    """A run with its label and, where it was found, its build."""

    label: str
    run: RunLike
    build: Build | None
    tasks: Mapping[str, Task]

    @property
    def is_instrument(self) -> bool:
        """Whether a simulated respondent answered."""
        return bool(self.run.about.get("instrument"))

    def key(self, task_id: str) -> Key | None:
        """Return a task's key, None where the private part is not there."""
        return self.build.keys.get(task_id) if self.build else None


@dataclass(frozen=True, slots=True)
class Row:
    """One planned reply with its scores; they are None where nothing was scored."""

    run: str
    is_instrument: bool
    task: str
    instance: str
    mode: str
    lang: str
    setup: str
    world: str | None
    condition: str
    roll: int
    status: str
    verdicts: str
    importance: float | None
    upper: float | None
    equal: float | None
    strict: float | None
    strict_upper: float | None
    gate: float | None
    cost: Decimal | None
    cost_all: Decimal | None
    usage_all: dict[str, int] | None

    @property
    def group(self) -> tuple[str, str, str, str, str]:
        """Run, mode, language, setup, condition: what one headline row is about."""
        return (self.run, self.mode, self.lang, self.setup, self.condition)


def open_sources(runs: Sequence[RunLike], builds: Sequence[Path] = ()) -> list[Source]:
    """Return the runs with labels and builds; a build named by hand is used where its seed commitment fits.

    Raises:
        GenError: A build named by hand is none.
    """
    by_hand = [load_build(folder) for folder in builds]
    loaded: dict[tuple[str, bool], Build | None] = {}
    labels = _labels([str(run.about.get("model", "unnamed")) for run in runs], runs)
    sources = []
    for label, run in zip(labels, runs, strict=True):
        about = run.about.get("build") or {}
        build = next((b for b in by_hand if b.manifest.get("seed_commitment") == about.get("commitment")), None)
        place = (str(about.get("folder", "")), bool(about.get("pool")))
        if build is None:
            if place not in loaded:
                loaded[place] = _load(*place, str(about.get("commitment")))
            build = loaded[place]
        elif place[1]:
            build = load_build(build.folder, pool=True)
        sources.append(Source(label, run, build, {t.id: t for t in build.tasks} if build else {}))
    return sources


def _load(folder: str, pool: bool, commitment: str) -> Build | None:
    """Return the build that a run names, None if it is gone or another one has taken its place."""
    try:
        build = load_build(Path(folder), pool=pool)
    except GenError:
        return None
    return build if build.manifest.get("seed_commitment") == commitment else None


def _labels(models: Sequence[str], runs: Sequence[RunLike]) -> list[str]:
    """Return unique names: the model, with its configuration where several share it, with a number where that fails."""
    names = [
        f"{model}, {run.about['configuration']}"
        if models.count(model) > 1 and run.about.get("configuration") not in {None, "", model}
        else model
        for model, run in zip(models, runs, strict=True)
    ]
    found: list[str] = []
    for name in names:
        number, label = 1, name
        while label in found:
            number += 1
            label = f"{name} ({number})"
        found.append(label)
    return found


def tidy(source: Source, row: RunRow) -> Row:
    """Return a run's row with everything that figures are made of."""
    task, key, result = source.tasks.get(row.task_id), source.key(row.task_id), row.result
    verdicts = _letters(key, row)
    is_scored = result is not None and result.importance is not None
    gates = [v for v, item in zip(verdicts, key.items, strict=True) if item.gate] if key and is_scored else []
    about = source.run.about.get("build") or {}
    return Row(
        run=source.label, is_instrument=source.is_instrument, task=row.task_id,
        instance=task.instance_id if task else row.task_id, mode=row.mode,
        lang=task.lang if task else str(about.get("lang", "not told")), setup=task.setup if task else "dialogue",
        world=key.factors.world if key else None, condition=row.condition, roll=row.roll, status=row.status,
        verdicts=verdicts,
        importance=result.importance if result else None,
        upper=result.importance_upper if result and is_scored else None,
        equal=equal_importance(key, result) if key and result else None,
        strict=None if result is None or result.strict is None else float(result.strict),
        strict_upper=float(not set(verdicts) - {"h", "u"}) if is_scored and verdicts else None,
        gate=float(set(gates) == {"h"}) if gates else None,
        cost=row.cost, cost_all=row.cost_all, usage_all=row.usage_all,
    )  # fmt: skip


def _letters(key: Key | None, row: RunRow) -> str:
    """Return a letter per item in the key's order; without a key in the result's own order."""
    if row.result is None:
        return ""
    verdicts = row.result.items
    names = [item.id for item in key.items] if key else sorted(verdicts)
    return "".join(LETTERS[verdicts[name]] if name in verdicts else "-" for name in names)


def reply_info(source: Source, row: RunRow, verdicts: str, judged: Sequence[JudgeNote] = ()) -> ReplyInfo:
    """Return a reply as the browser shows it; its text is cut where scoring cuts it."""
    reply, result = row.reply, row.result
    text = (reply.reply or "") if reply else ""
    return ReplyInfo(
        task=row.task_id, run=source.label, roll=row.roll, condition=row.condition, status=row.status,
        verdicts=verdicts, importance=result.importance if result else None, strict=result.strict if result else None,
        text=text[:MAX_CHARS], cut=max(0, len(text) - MAX_CHARS),
        reasoning=((reply.reasoning or "") if reply else "")[:MAX_CHARS],
        refusal=((reply.refusal or "") if reply else "")[:MAX_CHARS],
        finish=(reply.finish_reason or "") if reply else "",
        calls=tuple(json.dumps(c, ensure_ascii=False)[:MAX_CHARS] for c in reply.tool_calls) if reply else (),
        fault=row.error or "", judged=tuple(judged),
    )  # fmt: skip
