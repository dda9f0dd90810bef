"""The original release: read from what a model sees, compared with its targets, its result files scored."""

from __future__ import annotations

import csv
import json
import os
from collections.abc import Callable
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest
from support.released import release, write_release

from generator.cli.labs import lab_boulder, score_boulder
from generator.errors import ExitCode, GenError
from generator.scoring.statistics import ppi_mean
from generator.travel.boulder.answers import Conventions, minutes, pence, solve_shown
from generator.travel.boulder.lab import compare_folder
from generator.travel.boulder.phrases import read_rooms, read_travellers
from generator.travel.boulder.released import TASKS, UnreadError, find_names, show, views_of
from generator.travel.boulder.result_files import read_reply
from generator.travel.boulder.results import score_results
from generator.travel.boulder.values import is_equal, read_stored, score_value
from generator.travel.truth.ticket_price import Traveller

_BESIDE = Path(__file__).resolve().parents[2] / "shared" / "boulder"
RELEASED = Path(os.environ.get("TURNPROOF_BOULDER", _BESIDE))
at_hand = pytest.mark.skipif(not (RELEASED / "benchmark").is_dir(), reason="the original release is not at hand")

KNOWN = {
    ("accommodation_price", "1", "room exception ambiguous", False),
    ("train_departure_time", "1", "same-hour train dropped", True),
    ("train_departure_frequency", "1", "interval from stored metadata", True),
    ("shortest_walking_path", "1", "route tie, one of several kept", True),
}


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return write_release(tmp_path)


# --- the lab ---------------------------------------------------------------------------------------------


@at_hand
def test_the_release_agrees_but_for_its_known_faults() -> None:
    report = compare_folder(RELEASED / "benchmark")
    agreements = {task.task: (task.agreements, task.examples) for task in report.tasks}
    assert agreements == dict.fromkeys(TASKS, (100, 100)) | {
        "train_departure_time": (98, 100),
        "train_departure_frequency": (99, 100),
    }
    assert {(f.task, f.id, f.reason) for task in report.tasks for f in task.findings} == {
        ("train_departure_time", "35", "same-hour train dropped"),
        ("train_departure_time", "44", "same-hour train dropped"),
        ("train_departure_frequency", "99", "interval from stored metadata"),
        ("accommodation_price", "90", "room exception ambiguous"),
    }
    others = {name: count for task in report.tasks for name, count in task.other_readings.items()}
    assert others["window divided by trains"] == 13
    assert others["90-degree sector around the named direction"] == 75
    assert others["each exception changes its room's nights"] == 86
    assert lab_boulder(RELEASED / "benchmark", as_json=False) == ExitCode.GOOD


def test_known_faults_are_recognised_in_made_up_files(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    report = compare_folder(folder)
    assert {(f.task, f.id, f.reason, f.counts) for task in report.tasks for f in task.findings} == KNOWN
    assert all(len(f.views) == len(views_of(release()[f.task][1])) for task in report.tasks for f in task.findings)
    assert lab_boulder(folder, as_json=False) == ExitCode.GOOD
    printed = capsys.readouterr()
    assert "train_departure_time: 1 of 2 agree" in printed.out
    assert "3 disagreements, 0 without a known reason" in printed.err
    assert lab_boulder(folder, as_json=True) == ExitCode.GOOD
    assert json.loads(capsys.readouterr().out)["explained"] is True


TAMPERED: dict[str, Callable[[dict[str, Any]], object]] = {
    "train_ticket_price": lambda e: e.update(total_price=45.11),
    "accommodation_price": lambda e: e.update(total_price=580.0),
    "train_departure_time": lambda e: e.update(last_departure_time="19:05"),
    "restaurants_opening_hours": lambda e: e.update(matching_restaurants=[]),
    "train_departure_frequency": lambda e: e["targets"].update(average_interval_minutes=24.0),
    "directional_relations": lambda e: e["targets"].update(is_correct=False),
    "hotel_to_restaurant_distance": lambda e: e["targets"].update(distance=987.0),
    "shortest_walking_path": lambda e: e["targets"].update(optimal_route_order=["mill", "gate"]),
}


@pytest.mark.parametrize("task", TASKS)
def test_a_disagreement_without_a_reason_is_a_finding(
    task: str, folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = folder / f"{task}.json"
    whole = json.loads(path.read_text())
    TAMPERED[task](whole["examples"][0])
    path.write_text(json.dumps(whole))
    assert lab_boulder(folder, as_json=False) == ExitCode.FINDINGS
    assert "NO KNOWN REASON" in capsys.readouterr().out
    unexplained = [f for t in compare_folder(folder).tasks for f in t.findings if f.counts and f.reason is None]
    assert {(f.task, f.id) for f in unexplained} == {(task, "0")}


@pytest.mark.parametrize("task", TASKS)
def test_answers_do_not_come_from_what_is_stored(task: str) -> None:
    for example in release()[task]:
        shown_to_models = ("messages", "sunset_time")
        bare = {key: value for key, value in example.items() if key in shown_to_models}
        for view in views_of(example):
            assert solve_shown(task, show(bare, view)) == solve_shown(task, show(example, view))


def test_an_absent_task_or_an_unreadable_example_is_no_pass(folder: Path) -> None:
    (folder / "directional_relations.json").unlink()
    report = compare_folder(folder)
    assert report.absent == ("directional_relations",)
    assert lab_boulder(folder, as_json=False) == ExitCode.FINDINGS
    write_release(folder)
    path = folder / "train_ticket_price.json"
    path.write_text(path.read_text().replace("one first class", "one gold class"))
    (finding,) = compare_folder(folder).tasks[0].findings
    assert finding.ours.startswith("not read")
    assert finding.reason is None


@pytest.mark.parametrize(
    ("name", "text", "match"),
    [
        ("x.json", "{", "cannot be read"),
        ("x.json", "[]", "no list 'examples'"),
        ("x.json", '{"examples": [{"messages": []}]}', "no list 'examples'"),
        ("x.json", '{"examples": []}', "unknown task 'x'"),
        ("directions.json", '{"examples": [{"messages": [{"role": "user", "content": "?"}]}]}', "no target"),
        ("x.txt", "", "no JSON files"),
    ],
)
def test_other_files_are_refused(tmp_path: Path, name: str, text: str, match: str) -> None:
    (tmp_path / name).write_text(text)
    with pytest.raises(GenError, match=match):
        compare_folder(tmp_path)


def test_two_files_of_one_task_are_refused(folder: Path) -> None:
    (folder / "directions.json").write_text((folder / "directional_relations.json").read_text())
    with pytest.raises(GenError, match="a second file of directional_relations"):
        compare_folder(folder)


def test_conventions_change_answers() -> None:
    examples = release()
    rooms = show(examples["accommodation_price"][1], "isolated")
    assert [float(a) for a in solve_shown("accommodation_price", rooms) if a is not None and not isinstance(a, tuple)]
    assert len(solve_shown("accommodation_price", rooms)) == 2
    assert len(solve_shown("accommodation_price", rooms, Conventions(rooms="each-exception"))) == 1
    sunset = show(examples["train_departure_time"][0], "dialogue")
    assert solve_shown("train_departure_time", sunset) == ("17:30",)
    assert solve_shown("train_departure_time", sunset, Conventions(sunset="at-or-before")) == ("18:45",)
    often = show(examples["train_departure_frequency"][0], "isolated")
    assert solve_shown("train_departure_frequency", often) == (20,)
    assert solve_shown("train_departure_frequency", often, Conventions(frequency="window-per-train")) == (30,)


# --- wording ---------------------------------------------------------------------------------------------

TICKETS = {
    "There are two of us. Both want return tickets, both of them first class - one with a 50% discount, the other"
    " with a 20% discount. How much would it cost?": [Traveller(True, True, 5000), Traveller(True, True, 2000)],
    "There are three of us. All of them need one-way tickets, one standard class, and two first class - one with a"
    " 33% discount, the other without discount.": [
        Traveller(),
        Traveller(is_first=True, discount_bp=3300),
        Traveller(is_first=True),
    ],
    "There are three of us. All of us are buying return tickets, one with a 20% discount, the others without"
    " discount.": [
        Traveller(True, discount_bp=2000),
        Traveller(True),
        Traveller(True),
    ],
    "tickets for five people. I would like a first class return ticket. Four colleagues want one-way tickets, two"
    " with 60% discounts, one with a 33% discount, another without discount.": [
        Traveller(True, True),
        Traveller(discount_bp=6000),
        Traveller(discount_bp=6000),
        Traveller(discount_bp=3300),
        Traveller(),
    ],
}


@pytest.mark.parametrize("text", TICKETS)
def test_tickets_are_read(text: str) -> None:
    assert list(read_travellers(text)) == TICKETS[text]


@pytest.mark.parametrize(
    "text",
    [
        "We want tickets.",
        "There are two of us. I need a one-way ticket.",
        "There are two of us. Both want seats.",
        "There are two of us. Everybody wants return tickets.",
        "There are two of us. Both want return tickets, one with a big discount.",
        "There are three of us. All of them want return tickets, one with a 20% discount, one without discount.",
    ],
)
def test_tickets_that_are_not_understood_are_refused(text: str) -> None:
    with pytest.raises(UnreadError):
        read_travellers(text)


@pytest.mark.parametrize(
    "text",
    [
        "a hotel",
        "for two nights for two people in a suite",
        "for two nights for two people in a double room. One person will check out much later",
        "for two nights for two people in a family room",
    ],
)
def test_rooms_that_are_not_understood_are_refused(text: str) -> None:
    with pytest.raises(UnreadError):
        read_rooms(text, {"double": 4000})


@pytest.mark.parametrize(
    ("task", "old", "new"),
    [
        ("restaurants_opening_hours", "Friday", "Someday"),
        ("restaurants_opening_hours", "open on", "shut on"),
        ("train_departure_time", "Sunset time", "Dusk"),
        ("train_departure_time", "17:30", "17.30"),
        ("train_departure_frequency", "between noon", "after noon"),
        ("directional_relations", "north of Cafe", "near Cafe"),
        ("directional_relations", "[100, 100]", "[52.2, 0.1]"),
        ("hotel_to_restaurant_distance", "to Old Inn", "to New Inns"),
        ("shortest_walking_path", "[0, 0]", "[0]"),
        ("train_ticket_price", '"price_standard"', '"price"'),
    ],
)
def test_what_is_not_understood_is_never_guessed(task: str, old: str, new: str) -> None:
    example = release()[task][0]
    for message in example["messages"]:
        message["content"] = (message["content"] or "").replace(old, new)
    with pytest.raises(UnreadError):
        solve_shown(task, show(example, "isolated"))


def test_plain_values() -> None:
    assert (pence("17.10 pounds"), pence("47")) == (1710, 4700)
    assert (minutes("24:05"), minutes("midnight"), minutes("7:32")) == (1445, 0, 452)
    for value, read in (("?", pence), ("17.1 pounds", pence), ("7.32", minutes)):
        with pytest.raises(UnreadError):
            read(value)
    assert find_names("Pico City Centre and pico", ["pico", "pico city centre"]) == [
        "pico city centre",
        "pico",
    ]


# --- result files ----------------------------------------------------------------------------------------


def _result(task: str, kind: str, target: Any, response: str | None, **rest: Any) -> dict[str, Any]:
    messages = [{"role": "user", "content": release()[task][0]["messages"][0]["content"]}]
    return {
        "id": 0, "setup_id": "baseline", "model": "m", "task_name": task, "answer_type": kind, "messages": messages,
        "cot": None, "response": response, "target": target, "tool_calls": [], "parser_enum": None, **rest,
    }  # fmt: skip


REPLIES = (
    ("train_ticket_price", "amount", 45.1, "The total is £45.10.", "exact"),
    ("train_departure_time", "times", "17:30", "The last suitable departure is at 17:30.", "exact"),
    ("restaurants_opening_hours", "restaurants", [{"name": "wok"}], "Only Wok is open for that long.", "exact"),
    ("train_departure_frequency", "frequency", 20.0, "On average, trains run every 20 minutes.", "closeness"),
    ("directional_relations", "directions", True, "Yes, it is.", "exact"),
    ("hotel_to_restaurant_distance", "distance", 987.4, "It is about 987.4 meters away.", "closeness"),
    ("shortest_walking_path", "order", ["gate", "mill"], "First visit Gate, then Mill.", "exact"),
)


@pytest.mark.parametrize(("task", "kind", "target", "response", "metric"), REPLIES, ids=lambda v: str(v)[:20])
def test_replies_are_read_and_scored(
    task: str, kind: str, target: Any, response: str, metric: str, tmp_path: Path
) -> None:
    good = _result(task, kind, target, response)
    rows = [good, _result(task, kind, target, None), _result(task, kind, target, "Shall I book it for you?")]
    path = tmp_path / "out.jsonl"
    path.write_text("\n".join(json.dumps(row) for row in rows) + "\n\n")
    (cell,) = score_results(path).cells
    assert cell.n == 3
    assert cell.scores["ours"].means[metric] == pytest.approx(1 / 3)
    assert cell.scores["ours"].missing + cell.scores["ours"].abstained >= 2
    assert "stored" not in cell.scores


@pytest.mark.parametrize(
    ("task", "kind", "target", "response"),
    [
        ("restaurants_opening_hours", "restaurants", [{"name": "wok"}], "Only Wok is open for that long."),
        ("shortest_walking_path", "order", ["gate", "mill"], "Start with Gate, then go on to Mill."),
    ],
)
def test_names_come_from_the_dialogue_too(task: str, kind: str, target: Any, response: str, tmp_path: Path) -> None:
    """No names are listed: they are in the tool results, and of a route those that the question says."""
    row = _result(task, kind, target, response)
    row["messages"] = [{"role": "system", "content": "You are helpful."}, *release()[task][0]["messages"][1:]]
    path = tmp_path / "out.jsonl"
    path.write_text(json.dumps(row))
    assert score_results(path).cells[0].scores["ours"].means["exact"] == 1


def test_refusals_are_counted_apart(tmp_path: Path) -> None:
    replies = ("£45.10 in total.", None, "I'm sorry, but I can't help with that.", "You never told me the fares.")
    path = tmp_path / "out.jsonl"
    path.write_text("\n".join(json.dumps(_result("train_ticket_price", "amount", 45.1, r)) for r in replies))
    summary = score_results(path).cells[0].scores["ours"]
    assert (summary.n, summary.missing, summary.abstained, summary.means["exact"]) == (4, 3, 2, 0.25)


def test_each_kind_has_its_scale_and_its_equality() -> None:
    assert score_value("distance", Decimal(1500), Decimal(1000)).values["closeness"] == 0.5
    assert score_value("frequency", Decimal(25), Decimal(20)).values["closeness"] == 0.5
    assert score_value("amount", Decimal("83.50"), Decimal("83.49999999")).values["exact"] == 1
    assert score_value("amount", Decimal("84.49"), Decimal("83.50")).values["exact"] == 0
    assert is_equal("distance", Decimal("3"), Decimal("3.01"))
    assert not is_equal("distance", Decimal("3"), Decimal("-3"))
    assert is_equal("restaurants", ("a", "b"), ("b", "a"))
    assert not is_equal("order", ("a", "b"), ("b", "a"))
    assert is_equal("directions", "unknown", None)
    assert not is_equal("amount", Decimal(0), None)


def test_stored_parses_are_compared_with_ours(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    task, kind, target, response, _ = REPLIES[0]
    rows = [
        _result(task, kind, target, response, parsed_answer="45.10"),
        _result(task, kind, target, response, parsed_answer="1,030.00"),
        _result(task, kind, target, response, parsed_answer=None),
        _result(task, kind, target, response),
    ]
    path = tmp_path / "out.jsonl"
    path.write_text("\n".join(json.dumps(row) for row in rows))
    (cell,) = score_results(path).cells
    assert cell.scores["ours"].means == {"exact": 1}
    assert cell.scores["stored"].means == {"exact": 0.25}
    assert cell.scores["stored"].missing == 2
    assert cell.same == {"ours = stored": 1}
    assert score_boulder(path, None, as_json=False) == ExitCode.GOOD
    assert "ours = stored in 1 of 4" in capsys.readouterr().out
    assert score_boulder(path, None, as_json=True) == ExitCode.GOOD
    assert json.loads(capsys.readouterr().out)["cells"][0]["scores"]["ours"]["means"] == {"exact": 1.0}


def test_labels_correct_the_stored_parser(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """The parser finds half of twenty replies right; of ten checked parses two were not as it says."""
    task = "train_ticket_price"
    replies, labels = tmp_path / "out.jsonl", tmp_path / "labels.csv"
    rows = [_result(task, "amount", 45.1, "£45.10", parsed_answer="45.10" if n % 2 else "44.00") for n in range(20)]
    replies.write_text("\n".join(json.dumps(row) for row in rows))
    head = "task,model,setup_id,parsed_answer,target,correct,corrected_parsed_answer"
    checked = [f"{task},m,baseline,{'45.10' if n % 2 else '44.00'},45.1,1," for n in range(8)]
    checked += [f"{task},m,baseline,45.10,45.1,0,44.00" for _ in range(2)]
    labels.write_text("\n".join([head, *checked]) + "\n")
    (cell,) = score_results(replies, labels).cells
    assert cell.metric == "exact"
    assert cell.corrected is not None
    truth, said = [0.0, 1.0] * 4 + [0.0, 0.0], [0.0, 1.0] * 4 + [1.0, 1.0]
    assert cell.corrected == ppi_mean(truth, said, [0.0, 1.0] * 10)
    assert cell.corrected.estimate is not None
    assert cell.corrected.estimate < 0.5
    assert score_results(replies).cells[0].corrected is None
    assert score_boulder(replies, labels, as_json=False) == ExitCode.GOOD
    assert "corrected by 10 labels (PPI)" in capsys.readouterr().out
    assert score_boulder(replies, labels, as_json=True) == ExitCode.GOOD
    assert json.loads(capsys.readouterr().out)["cells"][0]["corrected"]["n_labelled"] == 10


def test_a_total_of_rounded_tickets_is_as_good_where_no_rule_is_said(tmp_path: Path) -> None:
    path = tmp_path / "out.jsonl"
    for answer, right in (("13.42", 1), ("13.43", 1), ("13.44", 0)):
        row = _result("train_ticket_price", "amount", 13.4268, f"The total is £{answer}.")
        row["messages"][0]["content"] = (
            "compute the total price for train tickets for two people. Both need one-way tickets, both with 33%"
            ' discounts.\n\nTrains:\n{"price_standard": "10.02 pounds", "price_first_class": "15.00 pounds"}'
        )
        path.write_text(json.dumps(row))
        assert score_results(path).cells[0].scores["ours"].means["exact"] == right


def test_lists_cannot_be_read_without_the_names_shown() -> None:
    assert read_reply("order", "1. Gate 2. Mill", "", []) is None
    assert read_reply("order", "1. Mill\n2. Gate", "", ["gate", "mill"]) == ("mill", "gate")
    assert read_reply("restaurants", "None of them.", "", ["wok"]) == ()
    assert read_reply("frequency", "About 15 minutes.", "How often?", []) == 15
    assert read_reply("frequency", "The journey takes 15 minutes.", "How often?", []) is None


@pytest.mark.parametrize(
    ("kind", "stored", "value"),
    [
        ("amount", "1030 pounds", "1030"),
        ("amount", "null", None),
        ("amount", "a lot", None),
        ("amount", True, None),
        ("times", "7:32:00", "07:32"),
        ("directions", True, "yes"),
        ("directions", "Yes.", "yes"),
        ("directions", "south", None),
        ("restaurants", "1. wok\n2. wok\n3. Grill", ("wok", "grill")),
        ("restaurants", [None, {"name": "wok"}], ("wok",)),
        ("restaurants", [], ()),
        ("restaurants", "", None),
        ("order", 7, None),
    ],
)
def test_unclean_values_are_normalised(kind: str, stored: Any, value: Any) -> None:
    found = read_stored(kind, stored)
    assert (str(found) if kind == "amount" and found is not None else found) == value


def test_labels_are_scored_and_what_is_left_out_is_counted(tmp_path: Path) -> None:
    columns = ["task", "model", "setup_id", "parsed_answer", "target", "correct", "corrected_parsed_answer"]
    rows = [
        ["directional_relations", "m", "baseline", "yes", "True", "1", ""],
        ["directional_relations", "m", "baseline", "unknown", "False", "0", "no"],
        ["directional_relations", "m", "baseline", "no", "False", "", ""],
        ["directional_relations", "m", "baseline", "True", "south", "1", ""],
        ["directional_relations", " ", "", "", "", "97.6%", ""],
    ]
    path = tmp_path / "labels.csv"
    with path.open("w", newline="") as file:
        csv.writer(file).writerows([columns, *rows])
    report = score_results(path)
    (cell,) = report.cells
    assert (cell.n, cell.scores["stored"].means["exact"], cell.scores["label"].means["exact"]) == (2, 0.5, 1)
    assert report.skipped == {"no verdict": 1, "target is none of its task": 1, "summary row": 1}


@pytest.mark.parametrize(
    ("name", "text", "match"),
    [
        ("x.jsonl", "", "no results"),
        (
            "x.jsonl",
            '{"answer_type": "amount"}\n{"answer_type": "poem", "target": 1}',
            r"line 1: no field.*line 2: unk",
        ),
        ("x.jsonl", '{"answer_type": "amount", "target": null, "response": ""}', "line 1: target None"),
        ("x.csv", "task,model\n", "no columns"),
    ],
)
def test_faulty_result_files_are_refused(tmp_path: Path, name: str, text: str, match: str) -> None:
    (tmp_path / name).write_text(text)
    with pytest.raises(GenError, match=match):
        score_results(tmp_path / name)


@at_hand
def test_the_original_labels_are_read_whole() -> None:
    report = score_results(RELEASED / "parser_validation.csv")
    assert sum(cell.n for cell in report.cells) + sum(report.skipped.values()) == 5767
    assert report.skipped["summary row"] == 7
    assert report.skipped["no verdict"] == 3
