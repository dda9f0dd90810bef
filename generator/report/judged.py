"""What judges said of a run: notes for the browser of replies, agreement, and the share of hits with labels."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

from pydantic import ValidationError

from generator.engine.files import read_json, read_text
from generator.errors import GenError
from generator.records import Verdict
from generator.report.browsed import JudgeNote
from generator.report.sources import RunLike, Source, build_of
from generator.report.structure import Figure, JudgedRun
from generator.runner.judge import JUDGE_STORE, LABELS, JudgedItem, JudgeStore, Place, judge_agreement
from generator.runner.judge.labelling import SAMPLE, Label, LabelReport, Unit, join_units, report_labels

if TYPE_CHECKING:
    from generator.runner.view import RunRow

MAX_NOTE = 2_000
"""Characters of a quote or a reason that the page shows: a judge may write any number."""
NO_LABELS = "no human labels: not corrected"
OLD_LABELS = "labels are of an earlier judging: not corrected; draw a sample again"
NOTHING = "no judged item ended in a verdict"

Said = Callable[["RunRow"], Sequence[JudgeNote]]


def judge_folder(run: RunLike) -> Path | None:
    """Return the folder with a run's notes; None if nobody judged the run as it stands."""
    folder = getattr(run, "folder", None)
    # A run that was scored again without a judge keeps the notes of before: they are not of its verdicts.
    if not isinstance(folder, Path) or not run.about.get("judge"):
        return None
    return folder if (folder / JUDGE_STORE).is_file() else None


@contextmanager
def open_notes(run: RunLike) -> Iterator[Said]:
    """Give what returns the notes on a reply of a run; they are empty where no judge was asked.

    Raises:
        GenError: The notes cannot be read.
    """
    folder = judge_folder(run)
    if folder is None:
        yield lambda row: ()
        return
    with JudgeStore(folder / JUDGE_STORE, read_only=True) as store:
        yield lambda row: [note_of(one) for one in store.notes(Place(row.task_id, row.condition, row.roll))]


def note_of(one: JudgedItem) -> JudgeNote:
    """Return what a judge said as the page shows it; an error tells its reason."""
    return JudgeNote(
        item=one.item, verdict=one.verdict.value, quote=_cut(one.quote), reason=_cut(one.error or one.reason),
        judge=one.judge,
    )  # fmt: skip


def _cut(text: str) -> str:
    return text if len(text) <= MAX_NOTE else text[:MAX_NOTE] + "\u2026"


def judged_runs(sources: Sequence[Source]) -> tuple[JudgedRun, ...]:
    """Return the figures of every run that was judged, one per run and build.

    Raises:
        GenError: Notes or labels cannot be read.
    """
    return tuple(_judged_run(source, folder) for source in sources if (folder := judge_folder(source.run)))


def _judged_run(source: Source, folder: Path) -> JudgedRun:
    judges: dict[str, None] = {}
    errors: set[tuple[Place, str]] = set()

    def watched(store: JudgeStore) -> Iterator[tuple[Place, JudgedItem]]:
        for place, one in store.all_notes():
            judges[one.judge] = None
            if one.verdict is Verdict.ERROR:
                errors.add((place, one.item))
            yield place, one

    with JudgeStore(folder / JUDGE_STORE, read_only=True) as store:
        units = join_units(watched(store))
        alpha = judge_agreement(store.all_notes()) if len(judges) > 1 else None
    hits = sum(unit.verdict is Verdict.HIT for unit in units)
    labels = _labels(folder, units)
    about = build_of(source.run)
    return JudgedRun(
        run=source.label, is_instrument=source.is_instrument, mode=str(about.get("mode")), lang=str(about.get("lang")),
        which=str((source.run.about.get("judge") or {}).get("which")), judges=tuple(sorted(judges)), items=len(units),
        errors=len(errors - {(unit.place, unit.item) for unit in units}),
        hits_uncorrected=Figure(value=hits / len(units)) if units else Figure(why=NOTHING),
        hits_corrected=_corrected(labels), labels=labels.labelled if isinstance(labels, LabelReport) else 0,
        kappa=Figure(value=labels.kappa.value, why=labels.kappa.reason) if isinstance(labels, LabelReport)
        else Figure(why=labels),
        alpha=Figure(value=alpha.value, why=alpha.reason) if alpha else Figure(why="fewer than two judges"),
        alpha_items=alpha.n if alpha else 0, **_spent(source.run.about.get("judge_calls") or {}),
    )  # fmt: skip


def _spent(told: dict[str, Any]) -> dict[str, Any]:
    """Return what asking came to, from what a run says of itself."""
    calls, unpriced, costs = int(told.get("calls") or 0), int(told.get("unpriced") or 0), told.get("costs") or {}
    usage = told.get("usage") or {}
    why = f"{unpriced} calls without a known cost" if unpriced else ""
    if len(costs) == 1:
        (currency, cost), *_ = costs.items()
        figure = Figure(value=float(cost), why=why)
    else:
        currency, figure = "", Figure(why="several currencies" if costs else why or "no call was made")
    return {
        "calls": calls, "tokens_in": int(usage.get("input") or 0), "tokens_out": int(usage.get("output") or 0),
        "cost": figure, "currency": currency,
    }  # fmt: skip


def _corrected(labels: LabelReport | str) -> Figure:
    if isinstance(labels, str):
        return Figure(why=labels)
    low, high = labels.ppi.interval or (None, None)
    return Figure(value=labels.ppi.estimate, low=low, high=high, why=labels.ppi.caution)


def _labels(folder: Path, units: Sequence[Unit]) -> LabelReport | str:
    """Return what people's labels say, or why there is nothing to correct with."""
    path = folder / LABELS
    if not path.is_file():
        return NO_LABELS
    try:
        labels = [Label.model_validate_json(line) for line in read_text(path).splitlines() if line.strip()]
    except ValidationError as error:
        fix = "write it again with gen judge labels"
        raise GenError(str(path), "not what gen judge labels wrote", fix) from error
    if not labels:
        return NO_LABELS
    # Labels are of a random sample of what was judged then: of anything else they say nothing.
    said = {unit.id: unit.verdict for unit in units}
    drawn_of = read_json(folder / SAMPLE).get("population") if (folder / SAMPLE).is_file() else None
    if drawn_of != len(units) or any(said.get(one.id) is not one.judged for one in labels):
        return OLD_LABELS
    return report_labels(units, labels, len(labels))
