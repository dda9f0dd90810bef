"""The report of travel runs: tables of setups, that a fault in the rows shows in them, and dialogues with tools."""

from __future__ import annotations

import csv
import io
import json
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest
from support.builds import build as make_mode_build
from support.builds import gen, gen_apart
from support.report_runs import HandRun, about_of, row_of, simulated

from generator.content import default_root
from generator.engine.answering import Respondents
from generator.engine.build import make_build
from generator.engine.loaded import Build, load_build
from generator.errors import ExitCode
from generator.records import Reply, Task
from generator.report import Report, gather_report, render_page, write_tables
from generator.report.browsed import Call
from generator.report.glossary import load_glossary
from generator.report.payload import BREAK, Pool, payload_of
from generator.report.plain import show_plain
from generator.report.requests import requests_of
from generator.report.setup_view import setup_views
from generator.report.structure import SetupScore, SetupTest
from generator.runner.schema import STORE, connect
from generator.runner.view import RunRow
from generator.scoring.statistics.headline import Setting
from generator.scoring.statistics.setups import SATURATED, SATURATED_LEAST
from generator.stages.pipeline import Spec
from generator.travel.options import TravelOptions
from generator.travel.setups import SETUPS

QUICK = Setting(resamples=50)
MADE = ("isolated", "dialogue", "length-matched")
TASKS = ("direction", "distance", "opening-hours", "ticket-price")
EACH = 4
"""Instances of each task."""

Words = Callable[[Task, int], str | None]


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Build:
    """Return a build of four tasks in three setups."""
    out = tmp_path_factory.mktemp("travel-report") / "build"
    travel = TravelOptions(setups=MADE, tasks=TASKS)
    report = make_build(Spec(mode="travel", lang="en", n=16, pool=20, travel=travel), out, seed=77)
    assert report.released == len(TASKS) * EACH
    return load_build(out)


@pytest.fixture(scope="module")
def right(made: Build) -> Words:
    """Return what the oracle says to a task."""
    crowd = Respondents(made)
    said = {task.id: crowd.respond("oracle", task, task.messages, 1) for task in made.tasks}
    return lambda task, roll: said[task.id]


DECLINES = "I am sorry, I cannot tell."


def run_of(
    build: Build, words: Words, *, model: str = "acme/one", is_instrument: bool = False, rolls: int = 1,
    tokens: Callable[[Task], int | None] = lambda task: None,
) -> HandRun:  # fmt: skip
    """Return a run that answers with given words; None is a call that failed for good."""
    rows = []
    for task in build.tasks:
        for roll in range(1, rolls + 1):
            said = words(task, roll)
            reply = Reply(task_id=task.id, roll=roll, reply=said, finish_reason="stop" if said is not None else None)
            row = row_of(build, reply, error=None if said is not None else "503")
            count = tokens(task)
            rows.append(replace(row, usage=None if count is None else {"input": count, "cached": 0, "output": 9}))
    return HandRun(
        about_of(build, model, is_instrument=is_instrument, rolls=rolls, conditions=["full"]), tuple(rows)
    )  # fmt: skip


def only_in(setups: Sequence[str], right: Words) -> Words:
    """Return words that are right in some setups and decline in the others."""
    return lambda task, roll: right(task, roll) if task.setup in setups else DECLINES


def of_task(build: Build, task: Task) -> str:
    return str(build.key(task.id).state["travel"])


def score(report: Report, setup: str, level: str = "all", name: str = "") -> SetupScore:
    (found,) = [s for s in report.setups if (s.setup, s.level, s.name) == (setup, level, name)]
    return found


def compared(report: Report, other: str, measure: str = "strict", task: str = "all") -> SetupTest:
    (found,) = [
        t for t in report.setup_tests if (t.one, t.other, t.measure, t.task) == ("isolated", other, measure, task)
    ]
    return found


def section_of(page: str) -> str:
    found = re.search(r'<section id="setups".*?</section>', page, re.S)
    assert found
    return found.group()


def text_of(html: str) -> str:
    return " ".join(re.sub(r"<[^>]+>", " ", html).split())


def render(report: Report) -> str:
    return render_page(report, default_root())


def payload_in(page: str) -> dict[str, Any]:
    found = re.search(r'id="payload">(.*?)</script>', page, re.S)
    assert found
    data: dict[str, Any] = json.loads(found.group(1))
    return data


@pytest.fixture(scope="module")
def report(made: Build, right: Words) -> Report:
    """Return the report of a run that is right but in half of the dialogues."""
    found = {task.id: n for n, task in enumerate(t for t in made.tasks if t.setup == "dialogue")}
    run = run_of(made, lambda task, roll: DECLINES if found.get(task.id, 1) % 2 == 0 else right(task, roll))
    return gather_report([run], setting=QUICK)


@pytest.fixture(scope="module")
def page(report: Report) -> str:
    """Return its page."""
    return render(report)


@pytest.fixture(scope="module")
def plain(tmp_path_factory: pytest.TempPathFactory) -> Report:
    """Return a report without travel tasks."""
    folder = tmp_path_factory.mktemp("iii") / "build"
    make_mode_build(folder)
    return gather_report([simulated(load_build(folder), "stale-value", rolls=1)], setting=QUICK)


class TestScores:
    def test_setups_stand_in_the_order_of_builds(self, report: Report) -> None:
        assert [s.setup for s in report.setups if s.level == "all"] == ["isolated", "dialogue", "length-matched"]
        assert [row.setup for row in report.headline] == ["isolated", "dialogue", "length-matched"]

    def test_figures_are_those_of_the_replies(self, report: Report) -> None:
        whole, half = score(report, "isolated"), score(report, "dialogue")
        assert (whole.exact.value, whole.no_answer, whole.abstained, whole.wrong) == (1.0, 0, 0, 0)
        assert (half.exact.value, half.abstained, half.wrong, half.untagged) == (0.5, 8, 8, 0)
        # That it cannot tell is an answer to a question of yes or no: not a right one.
        sides = score(report, "dialogue", "task", "direction")
        assert half.no_answer == half.wrong - sides.wrong
        assert (sides.no_answer, sides.abstained) == (0, sides.wrong)
        assert (half.instances, half.replies) == (16, 16)
        assert half.exact.low is not None
        assert half.exact.high is not None
        assert half.exact.low < 0.5 < half.exact.high
        assert whole.length.value is not None

    def test_lists_and_numbers_have_measures_of_their_own(self, report: Report) -> None:
        lists, numbers = (score(report, "isolated", "task", name) for name in ("opening-hours", "distance"))
        assert (lists.f1.value, lists.precision.value, lists.recall.value) == (1.0, 1.0, 1.0)
        assert (lists.closeness.value, lists.closeness.why) == (None, "no number is asked for")
        assert (numbers.closeness.value, numbers.absolute_error.value, numbers.unit) == (1.0, 0.0, "m")
        assert (numbers.f1.value, numbers.f1.why) == (None, "no list is asked for")

    def test_labels_are_told_by_their_kind(self, report: Report) -> None:
        kinds = {(s.level, s.name) for s in report.setups if s.level in {"reasoning", "knowledge"}}
        assert kinds == {
            ("reasoning", "arithmetic"), ("reasoning", "spatial"), ("reasoning", "temporal"),
            ("knowledge", "commonsense"), ("knowledge", "formal"),
        }  # fmt: skip
        assert score(report, "isolated", "reasoning", "spatial").instances == 2 * EACH

    def test_a_failed_call_is_no_reply(self, made: Build, right: Words) -> None:
        lost = made.tasks[0]
        run = run_of(made, lambda task, roll: None if task.id == lost.id else right(task, roll))
        found = gather_report([run], setting=QUICK, public=True)
        assert score(found, lost.setup).replies == 15
        assert score(found, lost.setup).exact.value == 1.0
        assert f"{EACH - 1} to {EACH} instances" in text_of(section_of(render(found)))

    def test_a_reply_that_is_empty_is_wrong_and_no_abstention(self, made: Build) -> None:
        found = gather_report([run_of(made, lambda task, roll: "")], setting=QUICK, public=True)
        one = score(found, "dialogue")
        assert (one.exact.value, one.no_answer, one.abstained, one.untagged) == (0.0, 16, 0, 0)

    def test_intervals_are_over_instances_whatever_the_rolls(self, made: Build, right: Words) -> None:
        ones, twos = (
            score(gather_report([run_of(made, right, rolls=n)], setting=QUICK, public=True), "isolated") for n in (1, 2)
        )
        assert (ones.replies, twos.replies) == (16, 32)
        assert (ones.exact.low, ones.exact.high) == (twos.exact.low, twos.exact.high)

    def test_a_saturated_task_is_named(self, made: Build, right: Words, page: str) -> None:
        assert "Saturated" not in section_of(page)  # four instances are too few to say so
        found = gather_report([run_of(made, right)], setting=QUICK, public=True)
        marked = tuple(s.model_copy(update={"is_saturated": s.name == "distance"}) for s in found.setups)
        text = text_of(section_of(render(found.model_copy(update={"setups": marked}))))
        assert "Saturated : distance (every setup). They tell no run from another." in text

    def test_glossary_says_what_the_statistics_do(self) -> None:
        terms = load_glossary(default_root(), {"setups"})
        assert all(f"setup-{name}" in terms for name in SETUPS)
        assert f"at least {SATURATED_LEAST} instances of a task, {100 * SATURATED:.0f} %" in terms["saturated"].text


class TestTests:
    def test_difference_is_the_setup_less_the_reference(self, report: Report) -> None:
        found = compared(report, "dialogue")
        assert (found.instances, found.difference.value) == (16, -0.5)
        assert found.p.value == pytest.approx(2 / 2**8)  # eight pairs that only isolated gets right
        assert found.p_holm.value == pytest.approx(min(1.0, 2 / 2**8 * found.family))
        assert found.family == len(report.setup_tests)
        assert compared(report, "length-matched").difference.value == 0

    def test_every_setup_is_tested_overall_and_task_by_task(self, report: Report) -> None:
        marks = {(t.task, t.one, t.other, t.measure) for t in report.setup_tests}
        for task in (*TASKS, "all"):
            assert {("isolated", other) for other in MADE[1:]} <= {m[1:3] for m in marks if m[0] == task}
        assert ("all", "dialogue", "length-matched", "strict") in marks
        assert ("all", "isolated", "dialogue", "closeness") in marks

    def test_matrix_holds_each_pair_once_and_the_right_way_round(self, report: Report) -> None:
        (view,) = setup_views(report)
        found = {
            (one, test.other): (test.one, test.difference.value)
            for measure, rows in view.pairs
            if measure == "strict"
            for one, tests in rows
            for test in tests
            if test is not None
        }
        assert found == {
            ("isolated", "dialogue"): ("isolated", -0.5),
            ("isolated", "length-matched"): ("isolated", 0.0),
            ("dialogue", "length-matched"): ("dialogue", 0.5),
        }

    def test_page_says_differences_with_their_signs(self, page: str) -> None:
        text = text_of(section_of(page))
        assert "Differences from isolated" in text
        assert re.search(r"dialogue exact 16 −0\.500 −0\.\d+ to −0\.\d+ McNemar, exact 0\.008", text)


@dataclass(frozen=True)
class Fault:
    """A fault in what is reported, and a figure that must tell."""

    name: str
    plant: Callable[[Build, HandRun], tuple[Build, HandRun]]
    figure: Callable[[Report], object]


def shift_instances(build: Build, run: HandRun) -> tuple[Build, HandRun]:
    """Pair each dialogue with another instance."""
    own = [t for t in build.tasks if t.setup == "dialogue"]
    own.sort(key=lambda t: (of_task(build, t), t.instance_id))
    moved = {t.id: own[n - 1].instance_id for n, t in enumerate(own)}
    tasks = tuple(t.model_copy(update={"instance_id": moved.get(t.id, t.instance_id)}) for t in build.tasks)
    return replace(build, tasks=tasks), run


def part_instances(build: Build, run: HandRun) -> tuple[Build, HandRun]:
    """Give every task an instance of its own: nothing is paired any more."""
    tasks = tuple(t.model_copy(update={"instance_id": t.id}) for t in build.tasks)
    return replace(build, tasks=tasks), run


def swap_setups(build: Build, run: HandRun) -> tuple[Build, HandRun]:
    """Call isolated what is a dialogue, and the other way round."""
    names = {"isolated": "dialogue", "dialogue": "isolated"}
    tasks = tuple(t.model_copy(update={"setup": names.get(t.setup, t.setup)}) for t in build.tasks)
    return replace(build, tasks=tasks), run


def on_rows(change: Callable[[RunRow], RunRow]) -> Callable[[Build, HandRun], tuple[Build, HandRun]]:
    return lambda build, run: (build, replace(run, made=tuple(map(change, run.made))))


def without_tags(row: RunRow) -> RunRow:
    assert row.result
    return replace(row, result=row.result.model_copy(update={"tags": ()}))


def without_metrics(row: RunRow) -> RunRow:
    assert row.result
    return replace(row, result=row.result.model_copy(update={"metrics": {}}))


def longer(row: RunRow) -> RunRow:
    assert row.usage
    return replace(row, usage={**row.usage, "input": row.usage["input"] + 31})


FAULTS = (
    Fault("wrong pairing", shift_instances, lambda r: compared(r, "dialogue").p.value),
    Fault("no pairing", part_instances, lambda r: len(r.setup_tests)),
    Fault("setups swapped", swap_setups, lambda r: [s.exact.value for s in r.setups if s.level == "all"]),
    Fault("tags lost", on_rows(without_tags), lambda r: [(t.tag, t.replies) for t in r.setup_tags]),
    Fault("metrics lost", on_rows(without_metrics), lambda r: score(r, "isolated").closeness.value),
    Fault("longer prompts everywhere", on_rows(longer), lambda r: r.setup_lengths[0].largest_share.value),
)


class TestFaults:
    @pytest.mark.parametrize("fault", FAULTS, ids=lambda fault: fault.name)
    def test_a_fault_shows_in_the_tables_and_on_the_page(
        self, made: Build, right: Words, monkeypatch: pytest.MonkeyPatch, fault: Fault
    ) -> None:
        order = sorted(
            (t for t in made.tasks if t.setup == "dialogue"), key=lambda t: (of_task(made, t), t.instance_id)
        )
        bad = {t.instance_id for t in order[::2]}
        # Half of the instances are hard in both setups, and the dialogue is wrong in six more.
        more = {t.id for t in order[1:12:2]}

        def words(task: Task, roll: int) -> str | None:
            is_hard = task.instance_id in bad and task.setup != "length-matched"
            return DECLINES if is_hard or task.id in more else right(task, roll)

        def tokens(task: Task) -> int:
            return 1000 if task.setup == "dialogue" else 1040

        run = run_of(made, words, tokens=tokens)
        sound = gather_report([run], setting=QUICK, public=True)
        assert compared(sound, "dialogue").p.value == pytest.approx(2 / 2**6)
        build, faulty = fault.plant(made, run)
        monkeypatch.setattr("generator.report.sources.load_build", lambda folder, pool=False: build)
        spoilt = gather_report([faulty], setting=QUICK, public=True)
        assert fault.figure(sound) != fault.figure(spoilt)
        assert section_of(render(sound)) != section_of(render(spoilt))


class TestFailures:
    def test_failures_are_counted_by_setup(self, made: Build, right: Words) -> None:
        found = gather_report(
            [run_of(made, only_in(("isolated", "length-matched"), right))], setting=QUICK, public=True
        )
        tags = {(t.task, t.setup): (t.tag, t.replies) for t in found.setup_tags}
        assert tags == {(task, "dialogue"): ("no-answer", EACH) for task in TASKS if task != "direction"}
        (view,) = setup_views(found)
        rows = {group.name: {row.head: row.cells for row in group.rows} for group in view.tag_rows}
        counts = (0, EACH, 0)
        assert rows["distance"] == {"not right": counts, "no-answer": counts, "abstained": counts}
        assert rows["direction"] == {"not right": counts, "abstained": counts}

    def test_wrong_answers_of_no_known_failure_are_a_row(self, made: Build, right: Words) -> None:
        wrong = {"ticket-price": "That comes to £1,234,567.89 in total."}
        run = run_of(made, lambda task, roll: wrong.get(of_task(made, task), right(task, roll)))
        (view,) = setup_views(gather_report([run], setting=QUICK, public=True))
        rows = {group.name: {row.head: row.cells for row in group.rows} for group in view.tag_rows}
        assert rows["ticket-price"] == {"not right": (EACH,) * 3, "no known failure": (EACH,) * 3}
        assert rows["distance"] == {"not right": (0, 0, 0)}

    def test_named_failures_are_told(self, made: Build) -> None:
        crowd = Respondents(made)
        run = run_of(made, lambda task, roll: crowd.respond("discount-ignored", task, task.messages, roll))
        found = gather_report([run], setting=QUICK, public=True)
        counts = [t.replies for t in found.setup_tags if (t.task, t.tag) == ("ticket-price", "discount-ignored")]
        assert counts == [EACH] * 3
        assert not any(table.id == "failures" for table in found.tables)


class TestLengths:
    def test_not_told_is_said(self, report: Report, page: str) -> None:
        (told,) = report.setup_lengths
        assert (told.pairs, told.instances, told.median_share.value) == (0, 16, None)
        assert "not told. No endpoint told them for both setups of any of the 16 instances." in text_of(
            section_of(page)
        )

    def test_pairs_are_compared(self, made: Build, right: Words) -> None:
        far = made.tasks[[t.setup for t in made.tasks].index("length-matched")]

        def tokens(task: Task) -> int | None:
            return 1000 if task.setup == "dialogue" else 1040 if task.id == far.id else 1010

        found = gather_report([run_of(made, right, tokens=tokens)], setting=QUICK, public=True)
        (told,) = found.setup_lengths
        assert (told.pairs, told.beyond) == (16, 1)
        assert (told.median_share.value, told.largest_share.value) == pytest.approx((0.01, 0.04))
        assert "16 of 16 pairs 1 0.062 0.010 0.040" in text_of(section_of(render(found)))

    def test_a_reply_of_several_requests_tells_nothing_by_its_sum(self, made: Build, right: Words) -> None:
        run = run_of(made, right, tokens=lambda task: 1000)
        rounds = replace(run, made=tuple(replace(row, attempts=2) for row in run.made))
        (told,) = gather_report([rounds], setting=QUICK, public=True).setup_lengths
        assert told.pairs == 0

    def test_without_the_two_setups_there_is_nothing_to_match(self, made: Build, right: Words) -> None:
        run = run_of(made, right)
        kept = replace(run, made=tuple(row for row in run.made if made.task(row.task_id).setup != "length-matched"))
        found = gather_report([kept], setting=QUICK, public=True)
        assert not found.setup_lengths
        assert "Length of prompts" not in section_of(render(found))

    def test_store_tells_the_first_request_and_calls_before_the_reply(self, tmp_path: Path) -> None:
        call = {"id": "c1", "type": "function", "function": {"name": "search_trains", "arguments": "{}"}}
        bodies = [{"tool_calls": [call]}, {"text": "Nine.", "tool_calls": [call]}]
        with connect(tmp_path / STORE, writer=True) as link:
            link.execute("INSERT INTO jobs VALUES (1, 0, 't', 'travel', 0, 'full', 2, 'done', NULL)")
            for round_, (body, count) in enumerate(zip(bodies, (700, 950), strict=True)):
                values = (round_ + 1, 1, 0, round_, 1, 1, 1, 0.0, 1.0, "answered", json.dumps(body), 1.0, 1, count)
                link.execute(f"INSERT INTO calls VALUES ({','.join('?' * 14)}, 0, 5, 0, NULL)", values)

        @dataclass(frozen=True)
        class Stored(HandRun):
            folder: Path = tmp_path

        found = requests_of(Stored({}, ()))
        assert found.prompts == {("t", "full", 2): 700}
        assert found.asked == {("t", "full", 2): [call]}  # the call that the reply ends in is the reply's own
        assert requests_of(HandRun({}, ())).prompts == {}


class TestSeveralRuns:
    def test_each_run_has_its_tables_and_instruments_are_marked(self, made: Build, right: Words) -> None:
        one = run_of(made, right, model="sim/oracle", is_instrument=True)
        two = run_of(made, only_in(("isolated",), right), model="acme/two")
        found = gather_report([one, two], setting=QUICK, public=True)
        scores = {(s.run, s.setup): s.exact.value for s in found.setups if s.level == "all"}
        assert scores["sim/oracle", "dialogue"] == 1.0
        assert scores["acme/two", "dialogue"] == 0.0
        assert {s.run: s.is_instrument for s in found.setups} == {"sim/oracle": True, "acme/two": False}
        section = section_of(render(found))
        summaries = re.findall(r'<details class="run"( open)?><summary>(.*?)</summary>', section, re.S)
        assert [bool(is_open) for is_open, _ in summaries] == [True, False]
        assert "instrument, not a model" in summaries[0][1]
        assert "instrument" not in summaries[1][1]
        assert section.count("<h3>Scores</h3>") == 2

    def test_travel_and_another_mode_share_a_page(
        self, made: Build, right: Words, tmp_path_factory: pytest.TempPathFactory
    ) -> None:
        folder = tmp_path_factory.mktemp("mixed") / "build"
        make_mode_build(folder, lang="en")
        other = simulated(load_build(folder), "oracle", rolls=1)
        found = gather_report([run_of(made, right), other], setting=QUICK)
        assert {s.run for s in found.setups} == {"acme/one"}
        assert {task.name for task in found.tasks} == {*TASKS, ""}
        assert 'id="setups"' in render(found)


class TestOtherModes:
    def test_nothing_about_setups_is_there(self, plain: Report) -> None:
        assert (plain.setups, plain.setup_tests, plain.setup_tags, plain.setup_lengths, plain.tools) == ((),) * 5
        page = render(plain)
        html = re.sub(r"<(script|style).*?</\1>", "", page, flags=re.S)
        assert not re.search(r'id="(?:setups|h-setups|f-setup|f-name|f-tag|g-setup-|g-exact)|href="#setups', html)
        assert "Travel tasks," not in html
        assert not any(name.startswith("setup") for name in write_tables(plain))
        assert all(not term.only for term in load_glossary(default_root()).values())

    def test_setups_are_named_where_there_are_several_only(self, plain: Report, report: Report) -> None:
        plain_page, page = (re.sub(r"<(script|style).*?</\1>", "", render(r), flags=re.S) for r in (plain, report))
        assert 'data-label="condition">full</td>' in plain_page
        assert 'data-label="condition">full, dialogue</td>' in page
        assert "travel en, isolated</th>" in page
        assert "mode travel, en, dialogue, condition full" in page
        assert not re.search(r"\bTRAVEL\b", page)
        assert {row.factor for row in report.effects} >= {"task"}


class TestBrowser:
    def test_messages_keep_roles_calls_and_results(self, made: Build, report: Report) -> None:
        for shown in report.tasks:
            task = made.task(shown.id)
            assert [t.role for t in shown.turns] == [m.role for m in task.messages]
            assert [t.text for t in shown.turns] == [m.content for m in task.messages]
            called = {c.id: c.function.name for m in task.messages for c in m.tool_calls}
            for turn, message in zip(shown.turns, task.messages, strict=True):
                assert turn.calls == tuple(
                    Call(name=c.function.name, arguments=c.function.arguments) for c in message.tool_calls
                )
                assert turn.answers == called.get(message.tool_call_id or "", "")
            assert shown.name == of_task(made, task)
            assert shown.instance == task.instance_id
        dialogue = next(t for t in report.tasks if t.setup == "dialogue")
        assert {turn.role for turn in dialogue.turns} == {"system", "user", "assistant", "tool"}

    def test_tools_are_told_once(self, made: Build, report: Report) -> None:
        dialogue = next(t for t in report.tasks if t.setup == "dialogue")
        names = {tool.id: tool.name for tool in report.tools}
        offered = [tool["function"]["name"] for tool in made.task(dialogue.id).tools]
        assert [names[n] for n in dialogue.tools] == offered
        trains = next(tool for tool in report.tools if tool.name == "search_trains")
        assert dict(trains.parameters)["origin"].startswith("required; string; ")
        assert '"enum"' in dict(trains.parameters)["day"]

    def test_payload_gives_every_message_back(self, made: Build, report: Report, page: str) -> None:
        data = payload_in(page)
        for task in data["tasks"]:
            said = [BREAK.join(data["texts"][n] for n in turn[2]) for turn in task["turns"]]
            assert said == [m.content for m in made.task(task["id"]).messages]
            calls = [
                [c[0], data["texts"][c[1]]] for turn in task["turns"] if turn[5:] for c in turn[5] if turn[0] != "tool"
            ]
            assert calls == [
                [c.function.name, c.function.arguments] for m in made.task(task["id"]).messages for c in m.tool_calls
            ]
            items = task.get("items") or data["tasks"][task["like"]]["items"]
            own = next(t for t in report.tasks if t.id == task["id"])
            assert [i[5] for i in items] == [i.expected for i in own.items]

    def test_texts_stand_once(self, made: Build, report: Report) -> None:
        data = payload_of(report, {})
        assert len(set(data["texts"])) == len(data["texts"])
        whole = sum(len(m.content) for task in made.tasks for m in task.messages)
        assert sum(map(len, data["texts"])) < 0.6 * whole  # three setups; ten share far more
        assert sum("items" in task for task in data["tasks"]) <= len(TASKS) * EACH

    def test_pool_numbers_values_by_their_first_place(self) -> None:
        pool = Pool()
        assert [pool.place(v) for v in ("a", ["b", 1], "a", ["b", 1], "")] == [0, 1, 0, 1, 2]
        assert pool.values == ["a", ["b", 1], ""]

    def test_items_are_in_words(self, made: Build, report: Report) -> None:
        expected = {task.name: task.items[0].expected for task in report.tasks}
        assert expected["direction"] in {"yes", "no"}
        assert re.fullmatch(r"[\d,]+ m", expected["distance"])
        assert re.fullmatch(r"£[\d,]+\.\d\d", expected["ticket-price"])
        for task in report.tasks:
            (item,) = task.items
            names = [name for stale in item.stale for name in stale.failures]
            assert sorted(names) == sorted(a.name for a in made.key(task.id).alternatives)
            assert item.expected not in {stale.shown for stale in item.stale}

    def test_misses_say_what_was_read_and_which_failure_it_is(self, made: Build) -> None:
        crowd = Respondents(made)
        run = run_of(made, lambda task, roll: crowd.respond("discount-ignored", task, task.messages, roll))
        found = gather_report([run], setting=QUICK)
        tasks = {task.id: task for task in found.tasks}
        seen = 0
        for reply in found.replies:
            if tasks[reply.task].name != "ticket-price":
                continue
            (item,) = tasks[reply.task].items
            (shown,) = [s.shown for s in item.stale if "discount-ignored" in s.failures]
            assert reply.read_as == (("answer", shown),)
            assert "discount-ignored" in reply.tags
            assert not reply.is_abstention
            assert reply.length == len(reply.text)
            seen += 1
        assert seen == EACH * len(MADE)

    def test_calls_of_a_reply_are_shown_whatever_they_are(self, made: Build) -> None:
        run = run_of(made, lambda task, roll: "")
        odd = ({"id": "x", "function": {"name": "search_trains", "arguments": '{"day": "<b>"}'}}, {"function": "no"})
        first = run.made[0]
        assert first.reply
        called = replace(first, reply=first.reply.model_copy(update={"tool_calls": odd}))
        found = gather_report([HandRun(run.about, (called, *run.made[1:]))], setting=QUICK)
        reply = next(r for r in found.replies if r.task == first.task_id)
        assert reply.calls[0] == Call(name="search_trains", arguments='{"day": "<b>"}')
        assert reply.calls[1] == Call(name="", arguments='{"function": "no"}')
        assert "<b>" not in render(found)

    @pytest.mark.parametrize(
        ("kind", "value", "shown"),
        [("amount", 8025, "£80.25"), ("amount", 123456700, "£1,234,567.00"), ("amount", Fraction(803, 8), "£1.0037"),
         ("time", 5, "00:05"), ("frequency", Fraction(467), "46.7 min"), ("frequency", Fraction(600), "60 min"),
         ("distance", Fraction(1182), "1,182 m"), ("distance", Fraction(-5, 2), "\u22122.5 m"),
         ("yesno", "unknown", "unknown"), ("list", (), "none of them"), ("list", ("A", "B"), "A; B"),
         ("order", ("B", "A"), "1 B; 2 A"),
         ("order", None, "no answer")],
    )  # fmt: skip
    def test_plain_answers(self, kind: str, value: Any, shown: str) -> None:
        assert show_plain(kind, value, "GBP") == shown

    def test_a_currency_without_a_sign_is_named(self) -> None:
        assert show_plain("amount", 100, "CHF") == "CHF 1.00"


class TestPage:
    def test_section_has_headers_and_captions(self, page: str) -> None:
        section = section_of(page)
        tables = re.findall(r"<table.*?</table>", section, re.S)
        assert len(tables) >= 6
        for table in tables:
            assert re.search(r"<caption>[^<]+", table)
            assert not re.search(r"<thead[^>]*><tr[^>]*><td|<th(?![^>]*scope=)(?!ead)", table)

    def test_nothing_undefined_shows_as_a_number(self, page: str) -> None:
        html = re.sub(r"<(script|style).*?</\1>", "", page, flags=re.S)
        assert not re.search(r"\b(?:nan|NaN|None|inf|null|undefined)\b", re.sub(r"<[^>]+>", " ", html))

    def test_terms_are_in_the_glossary(self, page: str) -> None:
        for term in re.findall(r'data-term="([^"]+)"', page):
            assert f'id="g-{term}"' in page

    def test_public_report_has_figures_and_no_task(self, made: Build, right: Words) -> None:
        found = gather_report([run_of(made, right)], setting=QUICK, public=True)
        text = render(found)
        assert 'id="setups"' in text
        assert not (found.tasks or found.tools or found.replies)
        for task in made.tasks:
            assert task.id not in text
            assert task.instance_id not in text

    def test_tables_are_exported(self, report: Report) -> None:
        tables = write_tables(report)
        names = {"setups.csv", "setup-tests.csv", "setup-failures.csv", "setup-lengths.csv", "setup-replies.csv"}
        assert names <= set(tables)
        rows = list(csv.DictReader(io.StringIO(tables["setup-replies.csv"], newline="")))
        assert len(rows) == 48
        assert len({row["instance"] for row in rows}) == 16
        assert sum(row["abstained"] == "yes" for row in rows) == 8
        assert {len(row) for row in csv.reader(io.StringIO(tables["setups.csv"], newline=""))} == {
            len(next(csv.reader(io.StringIO(tables["setups.csv"], newline=""))))
        }

    def test_same_input_same_bytes(self, report: Report, page: str) -> None:
        assert render(report) == page
        assert Report.model_validate_json(report.model_dump_json()) == report

    def test_another_process_and_hash_seed_move_nothing(
        self, made: Build, tmp_path: Path, capsys: pytest.CaptureFixture[str]
    ) -> None:
        run = tmp_path / "run"
        answered = gen(capsys, "run", made.folder, "--model", "sim/noisy-45", "--rolls", 1, "--out", run)
        assert answered.code == ExitCode.GOOD
        for seed in (1, 2):
            done = gen_apart("report", run, "--out", tmp_path / f"{seed}.html", hash_seed=seed)
            assert done.code == ExitCode.GOOD, done.err
        assert (tmp_path / "1.html").read_bytes() == (tmp_path / "2.html").read_bytes()
        assert "instruments, not models: sim/noisy-45" in done.err
