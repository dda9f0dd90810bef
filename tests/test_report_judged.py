"""What a report says of a judged run: notes, agreement, and a share of hits that only labels may correct."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import pytest
from support.builds import build as make_build
from support.builds import gen
from support.report_runs import HandRun, simulated

from generator.cli.reporting import report as report_command
from generator.content import default_root
from generator.engine.loaded import Build, load_build
from generator.errors import ExitCode, GenError
from generator.records import Verdict
from generator.report import Report, gather_report, render_page, write_tables
from generator.report.judged import MAX_NOTE, NO_LABELS, OLD_LABELS, note_of
from generator.runner import load_run
from generator.runner.judge import JUDGE_STORE, LABELS, JudgedItem, JudgeStore, Place, judge_agreement
from generator.runner.judge.labelling import SAMPLE, judged_units
from generator.runner.store import open_store
from generator.scoring.statistics import ppi_mean
from generator.scoring.statistics.headline import Setting

QUICK = Setting(resamples=50)
HIT, MISS, ERROR = Verdict.HIT, Verdict.MISS, Verdict.ERROR


@dataclass(frozen=True)
class JudgedRun(HandRun):
    """A run made by hand with a folder for what judges said."""

    folder: Path


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Build:
    folder = tmp_path_factory.mktemp("judged") / "build"
    make_build(folder, n=3, pool=5)
    return load_build(folder)


@pytest.fixture
def judged(made: Build, tmp_path: Path) -> Callable[..., JudgedRun]:
    """Return a function: a run whose judges say what `verdict` makes of judge and number of the item."""

    def of(judges: Sequence[str] = ("one",), verdict: Callable[[str, int], Verdict] | None = None) -> JudgedRun:
        said = verdict or (lambda judge, n: HIT if n % 2 else MISS)
        run = simulated(made, "oracle", "acme/large", rolls=1)
        with JudgeStore(tmp_path / JUDGE_STORE) as store:
            for row in run.made:
                notes = [
                    JudgedItem(item=item.id, verdict=said(judge, n), quote=f"<b>{judge}</b>", reason="so", judge=judge)
                    for judge in judges
                    for n, item in enumerate(made.key(row.task_id).items)
                ]
                store.note(Place(row.task_id, row.condition, row.roll), notes)
        about = {**run.about, "judge": {"which": "all", "judges": list(judges)}}
        return JudgedRun(about, run.made, tmp_path)

    return of


def label_all(folder: Path, number: int, *, contrary: int = 0) -> list[dict[str, Any]]:
    """Write labels of the first items: as judged, but for the first `contrary` of them."""
    units = judged_units(folder)
    rows = []
    for n, unit in enumerate(units[:number]):
        other = HIT if unit.verdict is MISS else MISS
        place = unit.place._asdict()
        label = other if n < contrary else unit.verdict
        rows.append({"id": unit.id, **place, "item": unit.item, "label": label, "judged": unit.verdict})
    (folder / LABELS).write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    note = {"population": len(units), "ids": [row["id"] for row in rows], "seed": 0, "taken_of": ""}
    (folder / SAMPLE).write_text(json.dumps(note), encoding="utf-8")
    return rows


def shown(report: Report) -> str:
    page = render_page(report, default_root())
    return page[page.index('<section id="judged"') : page.index("</section>", page.index('<section id="judged"'))]


def test_notes_of_the_folder_are_in_the_browser(judged: Callable[..., JudgedRun], made: Build) -> None:
    found = gather_report([judged(("one", "two"))], setting=QUICK)
    notes = found.replies[0].judged
    assert len(notes) == 2 * len(made.key(found.replies[0].task).items)
    assert {(n.judge, n.quote, n.reason) for n in notes} == {("one", "<b>one</b>", "so"), ("two", "<b>two</b>", "so")}
    assert {n.verdict for n in notes} == {"hit", "miss"}
    assert "<b>one" not in render_page(found, default_root())


def test_an_error_tells_its_reason_and_long_words_are_cut() -> None:
    one = JudgedItem(item="i01", verdict=ERROR, quote="长" * 9_000, reason="so", judge="one", error="no quote")
    note = note_of(one)
    assert (note.verdict, note.reason, note.quote) == ("error", "no quote", "长" * MAX_NOTE + "…")


def test_several_judges_have_an_alpha_with_its_n(judged: Callable[..., JudgedRun]) -> None:
    run = judged(("one", "two"), lambda judge, n: HIT if n % 2 or (judge == "two" and n == 0) else MISS)
    found = gather_report([run], setting=QUICK)
    with JudgeStore(run.folder / JUDGE_STORE, read_only=True) as store:
        alpha = judge_agreement(store.all_notes())
    row = found.judged[0]
    assert alpha.value is not None
    assert (row.alpha.value, row.alpha_items, row.judges) == (alpha.value, alpha.n, ("one", "two"))
    assert f"{alpha.value:.3f}" in shown(found)
    assert f"n = {alpha.n}" in shown(found)


def test_one_judge_has_no_alpha(judged: Callable[..., JudgedRun]) -> None:
    row = gather_report([judged()], setting=QUICK).judged[0]
    assert (row.alpha.value, row.alpha.why) == (None, "fewer than two judges")


def test_without_labels_the_share_is_uncorrected_and_says_so(judged: Callable[..., JudgedRun]) -> None:
    run = judged()
    found = gather_report([run], setting=QUICK, public=True)
    row, units = found.judged[0], judged_units(run.folder)
    assert row.hits_uncorrected.value == sum(u.verdict is HIT for u in units) / len(units)
    assert (row.hits_corrected.value, row.hits_corrected.why, row.labels) == (None, NO_LABELS, 0)
    assert "no human labels: not corrected" in shown(found)
    assert f"{row.hits_uncorrected.value:.3f}" in shown(found)


def test_labels_correct_the_share_beside_the_uncorrected_one(judged: Callable[..., JudgedRun]) -> None:
    run = judged()
    rows = label_all(run.folder, 10, contrary=3)
    units = judged_units(run.folder)
    people, judge = ([float(row[name] is HIT) for row in rows] for name in ("label", "judged"))
    wanted = ppi_mean(people, judge, [float(unit.verdict is HIT) for unit in units[10:]])
    found = gather_report([run], setting=QUICK)
    row = found.judged[0]
    assert (row.labels, row.hits_corrected.value) == (10, wanted.estimate)
    assert wanted.interval is not None
    assert (row.hits_corrected.low, row.hits_corrected.high) == tuple(wanted.interval)
    assert row.hits_uncorrected.value != row.hits_corrected.value
    assert "10 labels" in shown(found)
    assert "not corrected" not in shown(found)
    assert json.loads(found.model_dump_json())["judged"][0]["hits_corrected"]["value"] == wanted.estimate
    assert write_tables(found)["judged.csv"].startswith("run,is_instrument,mode,lang,which,judges,items,errors")


def test_labels_of_an_earlier_judging_correct_nothing(judged: Callable[..., JudgedRun]) -> None:
    run = judged()
    label_all(run.folder, 10)
    judged(verdict=lambda judge, n: HIT)
    row = gather_report([run], setting=QUICK).judged[0]
    assert (row.hits_corrected.value, row.hits_corrected.why, row.labels) == (None, OLD_LABELS, 0)


def test_labels_of_fewer_judged_items_correct_nothing(judged: Callable[..., JudgedRun]) -> None:
    run = judged()
    label_all(run.folder, 10)
    with JudgeStore(run.folder / JUDGE_STORE) as store:
        store.note(Place("another", "full", 1), [JudgedItem(item="i01", verdict=HIT, judge="one")])
    assert gather_report([run], setting=QUICK).judged[0].hits_corrected.why == OLD_LABELS


def test_spoilt_labels_are_told(judged: Callable[..., JudgedRun]) -> None:
    run = judged()
    (run.folder / LABELS).write_text("{}\n", encoding="utf-8")
    with pytest.raises(GenError, match="gen judge labels"):
        gather_report([run], setting=QUICK)


def test_errors_are_counted_apart(judged: Callable[..., JudgedRun], made: Build) -> None:
    run = judged(verdict=lambda judge, n: ERROR if n == 0 else HIT)
    row = gather_report([run], setting=QUICK).judged[0]
    items = sum(len(made.key(one.task_id).items) for one in run.made)
    assert (row.items, row.errors) == (items - len(run.made), len(run.made))
    assert row.hits_uncorrected.value == 1.0


def test_what_judges_cost_is_told_apart(judged: Callable[..., JudgedRun]) -> None:
    run = judged()
    calls = {"calls": 7, "usage": {"input": 4000, "output": 500}, "costs": {"USD": "0.0120"}, "unpriced": 2}
    found = gather_report([replace(run, about={**run.about, "judge_calls": calls})], setting=QUICK)
    row = found.judged[0]
    assert (row.calls, row.tokens_in, row.tokens_out, row.cost.value, row.currency) == (7, 4000, 500, 0.012, "USD")
    for words in ("0.0120 USD", "7 calls, 4,000 in, 500 out", "2 calls without a known cost"):
        assert words in shown(found)
    assert "no call was made" in shown(gather_report([run], setting=QUICK))


def test_only_errors_make_a_page(judged: Callable[..., JudgedRun]) -> None:
    found = gather_report([judged(verdict=lambda judge, n: ERROR)], setting=QUICK)
    assert "no judged item ended in a verdict" in shown(found)


def test_notes_of_a_judge_that_was_taken_away_are_not_shown(judged: Callable[..., JudgedRun]) -> None:
    run = judged()
    found = gather_report([replace(run, about={**run.about, "judge": None})], setting=QUICK)
    assert not found.judged
    assert not found.replies[0].judged
    assert 'id="judged"' not in render_page(found, default_root())


def test_the_command_tells_the_share(made: Build, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    folder = tmp_path / "run"
    assert gen(capsys, "run", made.folder, "--model", "sim/oracle", "--out", folder).code == ExitCode.GOOD
    capsys.readouterr()
    assert report_command([folder], tmp_path / "plain.html") == ExitCode.GOOD
    assert "judged items" not in capsys.readouterr().err
    spec, about = spec_and_about(folder)
    with JudgeStore(folder / JUDGE_STORE) as store:
        for task in made.tasks:
            store.note(Place(task.id, "full", 1), [JudgedItem(item="i01", verdict=HIT, quote="q", judge="one")])
    with open_store(folder, spec, {**about, "judge": {"which": "all", "judges": ["one"]}}, ()):
        pass
    data = tmp_path / "judged.json"
    assert report_command([folder], tmp_path / "judged.html", json_out=data) == ExitCode.GOOD
    assert "among 3 judged items 1.000 uncorrected; no human labels: not corrected" in capsys.readouterr().err
    label_all(folder, 2)
    assert report_command([folder], tmp_path / "labelled.html") == ExitCode.GOOD
    assert "with 2 labels (PPI)" in capsys.readouterr().err


def spec_and_about(folder: Path) -> tuple[dict[str, Any], dict[str, Any]]:
    link = sqlite3.connect(folder / "run.sqlite")
    meta = {name: json.loads(body) for name, body in link.execute("SELECT name, body FROM meta")}
    link.close()
    assert load_run(folder).about["judge"] is None
    return meta["spec"], meta["about"]
