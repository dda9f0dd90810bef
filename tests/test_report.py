"""The report: what it says, that it says it the same way twice, and that nothing in it can act."""

from __future__ import annotations

import base64
import csv
import hashlib
import io
import json
import os
import re
import subprocess
import sys
from collections.abc import Callable
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from support.builds import build as make_build
from support.builds import gen
from support.report_runs import NASTY, HandRun, nasty, simulated

from generator.cli.reporting import report as report_command
from generator.content import default_root
from generator.engine.loaded import Build, load_build
from generator.errors import ExitCode, GenError
from generator.records import FieldView, SheetView
from generator.report import Report, gather_report, render_page, write_tables
from generator.report.browsed import JudgeNote
from generator.report.charts import draw_effect, draw_gap
from generator.report.page import embed_json
from generator.report.structure import Figure
from generator.report.tables import guard_cell
from generator.report.values import show_value
from generator.report.words import INVISIBLE, show_difference, show_marks, show_money, show_share
from generator.scoring.statistics.headline import Setting

QUICK = Setting(resamples=200)
Runs = Callable[..., HandRun]


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Build:
    """Return a build with a task for every attack."""
    folder = tmp_path_factory.mktemp("report") / "build"
    make_build(folder, n=len(NASTY), pool=len(NASTY) + 2)
    return load_build(folder)


@pytest.fixture(scope="module")
def runs(made: Build) -> Runs:
    """Return a function: the run of a simulated respondent, made once."""

    @cache
    def of(respondent: str, model: str | None = None, **more: Any) -> HandRun:
        return simulated(made, respondent, model, **{"rolls": 2, **more})

    return of


@pytest.fixture(scope="module")
def attacked(made: Build, runs: Runs) -> Report:
    """Return a report with instruments, real runs with prices, and a run that attacks the page."""
    found = [
        runs("oracle"), runs("stale-value"), runs("noisy-20", "acme/large", price="0.0123"),
        runs("noisy-60", "acme/small", price="0.002"), runs("noisy-60", "acme/small", condition="user-only"),
        nasty(made),
    ]  # fmt: skip
    return gather_report(found, setting=QUICK)


@pytest.fixture(scope="module")
def page(attacked: Report) -> str:
    """Return its page."""
    return render_page(attacked, default_root())


def payload_of(page: str) -> dict[str, Any]:
    found = re.search(r'<script type="application/json" id="payload">(.*?)</script>', page, re.S)
    assert found
    data: dict[str, Any] = json.loads(found.group(1))
    return data


def without_payload(page: str) -> str:
    return re.sub(r'(<script type="application/json" id="payload">).*?</script>', r"\1</script>", page, flags=re.S)


class TestSafety:
    def test_policy_allows_exactly_the_two_inline_blocks(self, page: str) -> None:
        policy = re.search(r'Content-Security-Policy" content="([^"]+)"', page)
        assert policy
        for tag, kind in (("script", "script-src"), ("style", "style-src")):
            texts = re.findall(rf"<{tag}>(.*?)</{tag}>", page, re.S)
            assert len(texts) == 1
            digest = base64.b64encode(hashlib.sha256(texts[0].encode()).digest()).decode()
            assert f"{kind} 'sha256-{digest}'" in policy.group(1)
        assert "default-src 'none'" in policy.group(1)
        assert "unsafe" not in policy.group(1)

    def test_page_refers_to_nothing_outside(self, page: str) -> None:
        html = without_payload(page)
        assert not re.search(r"(?:https?:)?//[a-z0-9.-]+\.[a-z]{2,}", html)
        assert not re.search(r"<(?:link|img|iframe|object|embed|base|form [^>]*action)\b", html)
        assert not re.search(
            r"\burl\(|@import|\bfetch\(|XMLHttpRequest|innerHTML|insertAdjacent|document\.write|eval\(", html
        )
        assert not re.search(r"<[^>]+\s(?:on\w+|style)=", re.sub(r"<script.*?</script>", "", html, flags=re.S))

    def test_payload_cannot_leave_its_element(self, page: str) -> None:
        text = re.search(r'id="payload">(.*?)</script>', page, re.S)
        assert text
        assert not set(text.group(1)) & set("<>&")
        assert not INVISIBLE.search(text.group(1))
        replies = [reply["a"] for reply in payload_of(page)["replies"]]
        assert all(any(attack == reply for reply in replies) for attack in NASTY)

    def test_foreign_words_outside_the_payload_are_escaped(self, page: str) -> None:
        html = without_payload(page)
        assert "evil/&lt;b&gt;model&lt;/b&gt;[U+202E]" in html
        assert "<b>model" not in html
        assert "window.pwned" not in html
        assert not INVISIBLE.search(html)

    @pytest.mark.parametrize("text", [*NASTY, "\ud800 lone", "</script>", "<!--", "\u2028", "]]>", "\x7f\x85"])
    def test_embedding_keeps_text_and_nothing_else(self, text: str) -> None:
        found = embed_json({"a": text})
        found.encode()
        assert not set(found) & set("<>&")
        assert json.loads(found)["a"] == re.sub("[\ud800-\udfff]", "\ufffd", text)

    def test_marks_write_every_control_out(self) -> None:
        assert show_marks("a\u202eb\u200b\x00\U000e0041") == "a[U+202E]b[U+200B][U+0000][U+E0041]"
        assert show_marks("行\n\t表") == "行\n\t表"

    def test_scripts_of_the_page_hold_no_end_of_script(self) -> None:
        for name in ("report.js.j2", "browse.js.j2"):
            assert not re.search(r"</script|<!--", default_root().text(f"templates/pages/{name}"))

    def test_template_marks_in_data_stay_text(self, made: Build) -> None:
        run = nasty(made, model="{{ 7*7 }}{% x %}")
        text = render_page(gather_report([run], setting=QUICK, public=True), default_root())
        assert "{{ 7*7 }}{% x %}" in text


class TestSameBytes:
    def test_same_input_same_bytes(self, attacked: Report, page: str) -> None:
        assert render_page(attacked, default_root()) == page
        assert write_tables(attacked) == write_tables(attacked)

    def test_another_process_and_hash_seed_move_nothing(
        self, made: Build, tmp_path: Path, capsys: pytest.CaptureFixture[str]
    ) -> None:
        run, here, there = tmp_path / "run", tmp_path / "here.html", tmp_path / "there.html"
        answered = gen(capsys, "run", made.folder, "--model", "sim/noisy-30", "--rolls", 1, "--out", run)
        assert answered.code == ExitCode.GOOD
        report_command([run], here)
        code = (
            "import sys; from pathlib import Path; from generator.cli.reporting import report; "
            "sys.exit(report([Path(sys.argv[1])], Path(sys.argv[2])))"
        )
        command = [sys.executable, "-c", code, str(run), str(there)]
        subprocess.run(command, check=True, env={**os.environ, "PYTHONHASHSEED": "1"}, capture_output=True, timeout=120)
        assert here.read_bytes() == there.read_bytes()
        assert str(tmp_path) not in here.read_text(encoding="utf-8")


class TestFigures:
    def test_every_row_names_its_condition(self, attacked: Report) -> None:
        places = {(row.run, row.condition) for row in attacked.headline}
        assert {("acme/small", "full"), ("acme/small", "user-only")} <= places
        assert len(places) == len(attacked.headline)

    def test_oracle_is_right_and_no_model(self, attacked: Report) -> None:
        row = next(row for row in attacked.headline if row.run == "sim/oracle")
        assert (row.importance.value, row.strict.value, row.is_instrument, row.is_ranked) == (1.0, 1.0, True, False)

    def test_failed_and_pending_replies_are_in_the_coverage_only(self, made: Build, attacked: Report) -> None:
        row = next(row for row in attacked.headline if row.run.startswith("evil"))
        assert (row.replies, row.scored) == (len(made.tasks) + 2, len(made.tasks))
        assert row.coverage.value == pytest.approx(row.scored / row.replies)
        assert not row.is_ranked
        assert dict(row.statuses)["pending"] == 1

    def test_no_gate_is_said(self, attacked: Report) -> None:
        assert all(row.gate_rate.value is None and row.gate_rate.why == "no gate" for row in attacked.headline)

    def test_nothing_undefined_shows_as_a_number(self, page: str) -> None:
        html = re.sub(r"<(script|style).*?</\1>", "", page, flags=re.S)
        words = re.sub(r"<[^>]+>", " ", html)
        assert not re.search(r"\b(?:nan|NaN|None|inf|null|undefined)\b", words)
        assert "not defined" in words

    def test_front_holds_real_runs_only(self, attacked: Report) -> None:
        full = {row.run: row.is_on_front for row in attacked.costs if row.condition == "full"}
        assert full == {"acme/large": True, "acme/small": True}

    def test_dearer_and_worse_is_off_the_front(self, runs: Runs) -> None:
        found = gather_report(
            [runs("oracle", "a", price="0.001"), runs("noisy-60", "b", price="0.002")], setting=QUICK, public=True
        )
        assert {row.run: row.is_on_front for row in found.costs} == {"a": True, "b": False}

    def test_scatter_needs_eight_real_configurations(self, runs: Runs) -> None:
        eight = [runs(f"noisy-{n}", f"m{n}", rolls=1) for n in (10, 20, 30, 45, 60, 80, 15)]
        few = gather_report([*eight, runs("oracle")], setting=QUICK, public=True)
        assert not few.scatters[0].points
        assert "8 real configurations; this report has 7" in few.scatters[0].why
        enough = gather_report([*eight, runs("noisy-50", "m50", rolls=1)], setting=QUICK, public=True)
        assert enough.scatters[0].points
        assert 'class="speck"' in render_page(enough, default_root())

    def test_one_task_that_is_all_miss_makes_a_page(self, made: Build) -> None:
        run = nasty(made)
        single = gather_report([HandRun(run.about, run.made[:1])], setting=QUICK)
        assert single.headline[0].importance.value == 0.0
        assert "<h1>" in render_page(single, default_root())

    def test_only_failures_make_a_page(self, made: Build) -> None:
        run = nasty(made)
        found = gather_report([HandRun(run.about, run.made[-2:])], setting=QUICK)
        assert found.headline[0].importance == Figure(why="no reply was scored")
        assert "no reply was scored" in render_page(found, default_root())

    def test_stale_respondent_is_explained(self, attacked: Report) -> None:
        failures = next(table for table in attacked.tables if table.id == "failures")
        stale = next(row for row in failures.rows if row[0] == "sim/stale-value" and row[4] == "stale-value")
        misses, taken = stale[6], stale[7]
        assert isinstance(misses, int)
        assert isinstance(taken, int)
        assert taken > 0.8 * misses > 0


class TestBrowser:
    def test_every_task_has_evidence_items_and_values(self, made: Build, attacked: Report) -> None:
        assert [task.id for task in attacked.tasks] == [task.id for task in made.tasks]
        for task in attacked.tasks:
            assert {turn.duty for turn in task.turns} >= {"", "needed"}
            assert len(task.turns) == len(made.task(task.id).messages)
            assert all(item.label and item.expected for item in task.items)

    def test_verdicts_stand_in_the_order_of_items(self, made: Build, attacked: Report) -> None:
        for reply in attacked.replies:
            assert len(reply.verdicts) == len(made.key(reply.task).items)
            assert set(reply.verdicts) <= set("hmue-")

    def test_misses_say_what_was_read(self, attacked: Report) -> None:
        tasks = {task.id: task for task in attacked.tasks}
        told = 0
        for reply in attacked.replies:
            if reply.run != "sim/stale-value":
                continue
            items = {item.id: item for item in tasks[reply.task].items}
            for name, shown in reply.read_as:
                told += 1
                assert shown != items[name].expected
                assert shown in {stale.shown for stale in items[name].stale}
        assert told > 10

    def test_public_report_holds_no_task(self, made: Build, runs: Runs) -> None:
        text = render_page(gather_report([runs("stale-value")], setting=QUICK, public=True), default_root())
        assert "payload" not in text.replace('getElementById("payload")', "")
        for task in made.tasks:
            assert task.id not in text
            assert task.messages[-1].content not in text

    def test_judgements_come_along(self, runs: Runs) -> None:
        note = JudgeNote(item="i01", verdict="hit", quote="<b>quote</b>", reason="because")
        found = gather_report([runs("oracle")], setting=QUICK, judgements=lambda run, row: [note])
        assert payload_of(render_page(found, default_root()))["replies"][0]["judged"][0][2] == "<b>quote</b>"


class TestSources:
    def test_same_run_twice_gets_a_number(self, runs: Runs) -> None:
        found = gather_report([runs("oracle"), runs("oracle")], setting=QUICK, public=True)
        assert [run.label for run in found.runs] == ["sim/oracle", "sim/oracle (2)"]

    def test_one_configuration_over_conditions_is_one(self, runs: Runs) -> None:
        found = gather_report([runs("oracle"), runs("oracle", condition="user-only")], setting=QUICK, public=True)
        assert [(run.label, run.conditions) for run in found.runs] == [("sim/oracle", ("full", "user-only"))]

    def test_other_settings_are_another_configuration(self, runs: Runs) -> None:
        one = runs("oracle", "m")
        other = replace(one, about={**one.about, "configuration": "m-hot", "settings": {"temperature": 1}})
        found = gather_report([one, other], setting=QUICK, public=True)
        assert [run.label for run in found.runs] == ["m", "m, m-hot"]

    def test_build_that_moved_is_found_by_hand(self, made: Build, runs: Runs) -> None:
        run = runs("oracle")
        gone = replace(run, about={**run.about, "build": {**run.about["build"], "folder": "/nowhere"}})
        with pytest.raises(GenError, match="cannot be read"):
            gather_report([gone], setting=QUICK)
        assert gather_report([gone], builds=[made.folder], setting=QUICK).tasks

    def test_another_build_in_its_place_is_refused(self, runs: Runs) -> None:
        run = runs("oracle")
        other = replace(run, about={**run.about, "build": {**run.about["build"], "commitment": "0" * 64}})
        with pytest.raises(GenError, match="another build"):
            gather_report([other], setting=QUICK)

    def test_no_run_is_a_wrong_command_line(self) -> None:
        with pytest.raises(GenError) as error:
            gather_report([])
        assert error.value.code == ExitCode.USAGE


class TestTables:
    @pytest.mark.parametrize("text", ["=1+1", "+1", "-1", "@SUM(A1)", "\t=1", "\r=1"])
    def test_formulas_are_quoted(self, text: str) -> None:
        assert guard_cell(text) == "'" + text

    @pytest.mark.parametrize(("value", "shown"), [(None, ""), (-0.5, "-0.5"), (3, "3"), (True, "yes"), ("a=b", "a=b")])
    def test_other_cells_stay(self, value: object, shown: str) -> None:
        assert guard_cell(value) == shown

    def test_no_cell_of_an_export_begins_a_formula(self, attacked: Report) -> None:
        tables = write_tables(attacked)
        assert {"headline.csv", "costs.csv", "effects.csv", "items.csv", "replies.csv", "misses.csv"} <= set(tables)
        for name, text in tables.items():
            rows = list(csv.reader(io.StringIO(text, newline="")))
            assert len({len(row) for row in rows}) == 1, name
            for cell in (cell for row in rows for cell in row):
                assert not cell.startswith(("=", "+", "@", "\t", "\r"))
                assert not cell.startswith("-") or float(cell) < 0
        assert any(
            row[-1].startswith("'=HYPERLINK") for row in csv.reader(io.StringIO(tables["replies.csv"], newline=""))
        )

    def test_command_writes_page_json_and_tables(
        self, made: Build, tmp_path: Path, capsys: pytest.CaptureFixture[str]
    ) -> None:
        run, out = tmp_path / "run", tmp_path / "out" / "report.html"
        assert gen(capsys, "run", made.folder, "--model", "sim/misses-bulk", "--out", run).code == ExitCode.GOOD
        assert report_command([run], out, json_out=tmp_path / "r.json", csv_out=tmp_path / "csv") == ExitCode.GOOD
        said = capsys.readouterr()
        assert said.out.strip() == str(out)
        assert "instruments, not models: sim/misses-bulk" in said.err
        assert out.stat().st_mode & 0o077 == 0  # it holds keys
        assert Report.model_validate_json((tmp_path / "r.json").read_text(encoding="utf-8")).runs[0].is_instrument
        assert (tmp_path / "csv" / "headline.csv").read_bytes().startswith(b"run,is_instrument,mode")
        with pytest.raises(GenError, match="exists already"):
            report_command([run], out)


class TestWords:
    @pytest.mark.parametrize(
        ("value", "shown"),
        [(None, "not defined"), (0.0, "0.000"), (-0.0, "0.000"), (0.0004, "<0.001"), (-0.0004, ">\u22120.001"),
         (0.5, "0.500"), (-0.25, "\u22120.250"), (1.0, "1.000")],
    )  # fmt: skip
    def test_shares(self, value: float | None, shown: str) -> None:
        assert show_share(value) == shown

    def test_differences_and_money(self) -> None:
        assert [show_difference(v) for v in (0.1, -0.1, 0.0, None)] == ["+0.100", "\u22120.100", "0.000", "not defined"]
        assert [show_money(v, "USD") for v in (0.0, 0.00012, 0.0123, 1234.5)] == [
            "0 USD", "0.000120 USD", "0.0123 USD", "1,234.50 USD",
        ]  # fmt: skip

    @pytest.mark.parametrize(
        ("family", "units", "scale", "value", "shown"),
        [("money", ("元",), 100, 2604050, "¥26,040.50"), ("money", ("元",), 100, 68000, "¥680"),
         ("clock", (), 1, 845, "14:05"), ("date", (), 1, 739_000, "2024-04-24"), ("percent", (), 100, 550, "5.5 %"),
         ("percent", (), 100, 500, "5 %"), ("measure", ("度",), 10, 585, "58.5度"),
         ("measure", ("kg",), 1000, 1025, "1.025 kg"), ("count", ("把",), 1, 1200, "1,200把"),
         ("count", (), 1, -3, "\u22123")],
    )  # fmt: skip
    def test_values(self, family: Any, units: tuple[str, ...], scale: int, value: int, shown: str) -> None:
        field = FieldView(id="f", labels=("f",), family=family, units=units, scale=scale)
        view = SheetView(lang="zh", today="2026-01-01", currency="CNY", rows=(), columns=(field,))
        assert show_value(value, field, view) == shown

    def test_charts_of_nothing_are_nothing(self) -> None:
        assert draw_gap(Figure(), Figure(value=1.0)) == ""
        assert draw_effect(Figure(), 0.5) == ""
