"""A random sample of a run's judged items for people to label, and what their labels say of the judge."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby
from pathlib import Path
from typing import Any, NamedTuple

from generator.engine.files import dump_json, dump_lines, read_json, read_text, write_text
from generator.engine.loaded import Build
from generator.errors import GenError
from generator.records import Frozen, Key, Reply, Task, Verdict, digest_of
from generator.runner.judge.judging import join_judges
from generator.runner.judge.keeping import JudgedItem, JudgeStore, Place
from generator.runner.judge.wants import Want, wants_of
from generator.runner.schema import JUDGE_STORE
from generator.runner.view import RunView
from generator.scoring.checks import view_of
from generator.scoring.read.text import clean_reply
from generator.scoring.statistics import Agreement, PPIEstimate, cohens_kappa, ppi_mean
from generator.seeds import stream

LABELS = "labels.jsonl"
SAMPLE = "judge_sample.json"
COLUMNS = ("id", "wanted", "note", "dialogue", "reply", "label")
ANSWERS = ("hit", "miss")
_FORMULA = ("=", "+", "-", "@", "\t", "\r")


class Unit(NamedTuple):
    """One judged item of a run. id: says nothing of reply, item or verdict."""

    id: str
    place: Place
    item: str
    verdict: Verdict


class Label(Frozen):
    """One label of a person beside what the judge said, as `labels.jsonl` holds it."""

    id: str
    task_id: str
    condition: str
    roll: int
    item: str
    label: Verdict
    judged: Verdict


@dataclass(frozen=True, slots=True)
class LabelReport:
    """What labels say. kappa: Cohen's, judge and person. ppi: the share of hits among all judged items, corrected.

    population: judged items of the run; sampled, labelled: how many of them were drawn, and labelled.
    """

    population: int
    sampled: int
    labelled: int
    kappa: Agreement
    ppi: PPIEstimate

    def as_json(self) -> dict[str, Any]:
        """Return it as plain JSON."""
        return {
            "population": self.population, "sampled": self.sampled, "labelled": self.labelled,
            "kappa": {"statistic": "Cohen's kappa, judge and person", **self.kappa._asdict()},
            "hit_rate_of_judged_items": {
                **self.ppi._asdict(), "interval": None if self.ppi.interval is None else list(self.ppi.interval),
            },
        }  # fmt: skip


def judged_units(folder: Path) -> tuple[Unit, ...]:
    """Return the judged items of a run that ended in a verdict, judges joined, in a fixed order.

    Raises:
        GenError: Nothing was judged.
    """
    with JudgeStore(folder / JUDGE_STORE, read_only=True) as store:
        return join_units(store.all_notes())


def join_units(notes: Iterable[tuple[Place, JudgedItem]]) -> tuple[Unit, ...]:
    """Return notes, in the order in which a store has them, as units: one per item of a reply, errors left out."""
    units = []
    for (place, item), group in groupby(notes, lambda note: (note[0], note[1].item)):
        verdict = join_judges([{item: one} for _, one in group])[item].verdict
        if verdict is not Verdict.ERROR:
            units.append(Unit(digest_of([*place, item])[:16], place, item, verdict))
    return tuple(units)


def draw_sample(run: RunView, build: Build, out: Path, *, n: int = 100, seed: int = 0) -> int:
    """Write a random sample of a run's judged items to a file for labels, and return how many there are.

    The file shows dialogue, item and reply; neither model, judge nor verdict. Rows are in random order, so that the
    first k of them are a random sample too. What was drawn is noted in the run's folder.

    Args:
        run: Its folder holds what was judged.
        build: The build that it answered, with keys.
        out: A .jsonl or .csv file.
        n: Items to draw; all of them if there are fewer.
        seed: Of the draw.

    Raises:
        GenError: Nothing was judged, a key is missing, or the file's name has another ending.
    """
    units = judged_units(run.folder)
    if not units:
        raise GenError(str(run.folder), "no judged item ended in a verdict", "mend the judge and judge again")
    drawn = stream(seed, "", "judge-sample").sample(units, min(n, len(units)))
    wanted = {unit.place for unit in drawn}
    replies = {
        place: row.reply
        for row in run.rows()
        if row.reply is not None and (place := Place(row.task_id, row.condition, row.roll)) in wanted
    }
    tasks = {task.id: task for task in build.tasks}
    rows = []
    for unit in drawn:
        task, reply = tasks.get(unit.place.task_id), replies.get(unit.place)
        if task is None or reply is None:
            raise GenError(str(run.folder), f"task {unit.place.task_id}: not in build and run", "name the run's build")
        rows.append(_row(unit, task, build.key(task.id), reply))
    write_text(out, _dump(rows, out), private=True)
    note = {"seed": seed, "population": len(units), "ids": [unit.id for unit in drawn], "taken_of": _mark(units)}
    write_text(run.folder / SAMPLE, dump_json(note), private=True)
    return len(rows)


def _mark(units: Sequence[Unit]) -> str:
    return digest_of([[unit.id, unit.verdict.value] for unit in units])


def _row(unit: Unit, task: Task, key: Key, reply: Reply) -> dict[str, str]:
    item = next(i for i in key.items if i.id == unit.item)
    want = wants_of([item], view_of(key.state))[0]
    return {
        "id": unit.id, "wanted": say_want(want), "note": want.note,
        "dialogue": "\n".join(f"[{m.role}] {m.content}" for m in task.messages),
        "reply": clean_reply(reply.reply or ""), "label": "",
    }  # fmt: skip


def say_want(want: Want) -> str:
    """Return an item in a line, for a person: names and value, without a sentence of any language."""
    names = [" / ".join(part) for part in (want.row, want.field, want.scope) if part]
    if want.check == "absent":
        return f"{' · '.join(names)} = —"
    if want.value:
        return f"{' · '.join(names)} = {want.value}"
    return "; ".join(f"{name} = {text}" for name, text in want.params)


def _dump(rows: Sequence[Mapping[str, str]], out: Path) -> str:
    if out.suffix == ".jsonl":
        return dump_lines([json.dumps(row, ensure_ascii=False) for row in rows])
    if out.suffix != ".csv":
        raise GenError(str(out), "neither .jsonl nor .csv", "give --out a name that ends in one of them")
    text = io.StringIO()
    table = csv.DictWriter(text, COLUMNS, lineterminator="\n")
    table.writeheader()
    # A spreadsheet would run such a cell as a formula.
    table.writerows({k: "'" + v if v.startswith(_FORMULA) else v for k, v in row.items()} for row in rows)
    return text.getvalue()


def read_labels(run: RunView, file: Path) -> LabelReport:
    """Check a filled file, write `labels.jsonl` into the run's folder, and return what the labels say.

    Raises:
        GenError: The file is not a sample of this run as it stands, a label is neither hit nor miss, or labels are
            missing anywhere but at the end. All faults are told at once, and nothing is written.
    """
    if not (run.folder / SAMPLE).is_file():
        raise GenError(str(run.folder), "no sample was drawn of this run", "draw one with gen judge sample")
    note = read_json(run.folder / SAMPLE)
    units = judged_units(run.folder)
    if _mark(units) != note["taken_of"]:
        raise GenError(str(run.folder), "judged anew since the sample was drawn", "draw a sample again")
    rows = _load(file)
    labels = _check(file, rows, [str(name) for name in note["ids"]])
    by_id = {unit.id: unit for unit in units}
    found = [
        Label(
            id=name, task_id=by_id[name].place.task_id, condition=by_id[name].place.condition,
            roll=by_id[name].place.roll, item=by_id[name].item, label=Verdict(label), judged=by_id[name].verdict,
        )
        for name, label in labels.items()
    ]  # fmt: skip
    write_text(run.folder / LABELS, dump_lines([one.model_dump_json() for one in found]), private=True)
    return report_labels(units, found, len(note["ids"]))


def report_labels(units: Sequence[Unit], labels: Sequence[Label], sampled: int) -> LabelReport:
    """Return agreement and the corrected share of hits; unsure counts as no hit, as in the headline."""
    said = {one.id for one in labels}
    people = [float(one.label is Verdict.HIT) for one in labels]
    judge = [float(one.judged is Verdict.HIT) for one in labels]
    rest = [float(unit.verdict is Verdict.HIT) for unit in units if unit.id not in said]
    kappa = cohens_kappa(people, judge)
    return LabelReport(len(units), sampled, len(labels), kappa, ppi_mean(people, judge, rest))


def _load(file: Path) -> list[dict[str, Any]]:
    text = read_text(file)
    if file.suffix == ".csv":
        return [dict(row) for row in csv.DictReader(io.StringIO(text, newline=""))]
    rows = []
    for number, line in enumerate(text.split("\n"), 1):
        if line.strip():
            try:
                row = json.loads(line)
            except ValueError as error:
                raise GenError(f"{file}:{number}", "not JSON", "change nothing but the labels") from error
            rows.append(row if isinstance(row, dict) else {})
    return rows


def _check(file: Path, rows: Sequence[Mapping[str, Any]], drawn: Sequence[str]) -> dict[str, str]:
    """Return labels by id, in the order of the draw."""
    faults: list[str] = []
    labels: dict[str, str] = {}
    seen: set[str] = set()
    for number, row in enumerate(rows, 1):
        name, label = str(row.get("id", "")), str(row.get("label") or "").strip().lower()
        if name not in drawn or name in seen:
            faults.append(f"row {number}: id {name!r} is {'there twice' if name in seen else 'not of the sample'}")
        elif label and label not in ANSWERS:
            faults.append(f"row {number}: label {label!r} is neither hit nor miss")
        elif label:
            labels[name] = label
        seen.add(name)
    if not faults:
        done = [name in labels for name in drawn]
        if False in done and True in done[done.index(False) :]:
            place = done.index(False) + 1
            what = f"item {place} of the draw ({drawn[place - 1]}) has no label, but later ones have"
            faults.append(f"{what}: what was labelled is not random")
    if faults:
        raise GenError(str(file), "; ".join(faults[:20]), "label from the top, with hit or miss, and leave no gap")
    return {name: labels[name] for name in drawn if name in labels}
