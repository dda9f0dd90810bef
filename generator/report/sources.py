"""Runs and the builds that they answer, put together."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol

from generator.engine.loaded import Build, load_build
from generator.errors import GenError
from generator.records import Key, Result, Task, Verdict, canonical_json
from generator.report.readings import Reading
from generator.scoring.statistics.rows import Row, Usage, row_of
from generator.stages.travel import MODE as TRAVEL

if TYPE_CHECKING:
    from generator.report.browsed import JudgeNote
    from generator.runner.view import RunRow


class RunLike(Protocol):
    """What a report needs of a run; `generator.runner.view.RunView` is one."""

    @property
    def about(self) -> dict[str, Any]:
        """Model, configuration, build, conditions, rolls, prices; see `load_run`."""
        ...

    def rows(self) -> Iterator[RunRow]:
        """Yield every planned reply."""
        ...

    def own_turns(self, task_id: str, condition: str = "own", roll: int = 1) -> list[str]:
        """Return the assistant turns that the model wrote before its final one."""
        ...


Judgements = Callable[[RunLike, "RunRow"], Sequence["JudgeNote"]]


@dataclass(frozen=True)
class Source:
    """A run with its label and its build. Runs of one configuration over several builds share a label."""

    label: str
    run: RunLike
    build: Build
    tasks: Mapping[str, Task]

    @property
    def is_instrument(self) -> bool:
        """Whether a simulated respondent answered."""
        return bool(self.run.about.get("instrument"))

    @property
    def is_travel(self) -> bool:
        """Whether the build has travel tasks."""
        return any(task.mode == TRAVEL for task in self.tasks.values())

    def task(self, task_id: str) -> Task:
        """Return a task.

        Raises:
            GenError: The build does not hold it.
        """
        if task_id not in self.tasks:
            raise GenError(f"{self.build.folder}, task {task_id!r}", "not in the build that the run names", _FIX)
        return self.tasks[task_id]

    def key(self, task_id: str) -> Key:
        """Return a task's key.

        Raises:
            GenError: The private part is missing.
        """
        return self.build.key(task_id)


_FIX = "name the build that the run answered with --build"


def open_sources(runs: Sequence[RunLike], builds: Sequence[Path] = ()) -> list[Source]:
    """Return the runs with labels and builds; a build named by hand is used where its seed commitment fits.

    Raises:
        GenError: A build named by hand is none, or a run's build is not found.
    """
    by_hand = {str(b.manifest.get("seed_commitment")): b.folder for b in map(load_build, builds)}
    loaded: dict[tuple[Path, bool], Build] = {}
    sources = []
    for label, run in zip(_labels(runs), runs, strict=True):
        about = build_of(run)
        commitment = str(about.get("commitment"))
        place = (by_hand.get(commitment, Path(str(about.get("folder", "")))), bool(about.get("pool")))
        if place not in loaded:
            loaded[place] = _load(*place, commitment, label)
        build = loaded[place]
        sources.append(Source(label, run, build, {t.id: t for t in build.tasks}))
    return sources


def build_of(run: RunLike) -> dict[str, Any]:
    """Return what a run says of the build that it answers."""
    return run.about.get("build") or {}


def _load(folder: Path, pool: bool, commitment: str, label: str) -> Build:
    try:
        build = load_build(folder, pool=pool)
    except GenError as error:
        raise GenError(f"run {label!r}", f"its build cannot be read: {error.where}: {error.what}", _FIX) from error
    if build.manifest.get("seed_commitment") != commitment:
        raise GenError(f"run {label!r}", f"{folder} holds another build by now", _FIX)
    return build


def _labels(runs: Sequence[RunLike]) -> list[str]:
    """Return a label per run: the model, with its configuration where several share it.

    Runs of one configuration that answer different builds or conditions are one; the same ones twice are told apart
    by a number.
    """
    models = [str(run.about.get("model", "unnamed")) for run in runs]
    kinds = {(m, str(r.about.get("configuration"))) for m, r in zip(models, runs, strict=True)}
    answered: dict[str, set[tuple[str, str]]] = {}
    meanings: dict[str, str] = {}
    found = []
    for model, run in zip(models, runs, strict=True):
        about = run.about
        configuration = str(about.get("configuration") or model)
        is_shared = sum(kind[0] == model for kind in kinds) > 1 and configuration != model
        name = f"{model}, {configuration}" if is_shared else model
        meaning = canonical_json([model, configuration, about.get("settings"), about.get("base_url")])
        covers = {(str(build_of(run).get("commitment")), str(c)) for c in about.get("conditions") or ("full",)}
        number, label = 1, name
        while label in meanings and (meanings[label] != meaning or answered[label] & covers):
            number += 1
            label = f"{name} ({number})"
        meanings[label] = meaning
        answered.setdefault(label, set()).update(covers)
        found.append(label)
    return found


def scored_row(source: Source, row: RunRow, reading: Reading) -> Row:
    """Return a planned reply as statistics take it; one that never came, or is still to come, is a result in error."""
    key = source.key(row.task_id)
    result = row.result or Result(
        task_id=row.task_id, roll=row.roll, condition=row.condition, status=row.status,
        items={item.id: Verdict.ERROR for item in key.items}, importance=None, strict=None,
    )  # fmt: skip
    return row_of(
        source.label, result, source.task(row.task_id), key, is_simulated=source.is_instrument, taken=reading.taken,
        final=_usage(row.usage, row.cost, row.seconds), whole=_usage(row.usage_all, row.cost_all, None),
    )  # fmt: skip


def _usage(tokens: Mapping[str, int] | None, cost: Any, seconds: float | None) -> Usage | None:
    if tokens is None and cost is None:
        return None
    told = tokens or {}
    return Usage(
        input_tokens=told.get("input"), cached_tokens=told.get("cached"), output_tokens=told.get("output"),
        money=None if cost is None else float(cost), seconds=seconds,
    )  # fmt: skip
