"""The Python interface, as a stranger would use it."""

from __future__ import annotations

from pathlib import Path

import pytest

import generator
from generator.errors import GenError
from generator.records import Reply


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    out = tmp_path_factory.mktemp("api") / "mine"
    report = generator.build("iii", n=3, lang="en", out=out, seed=11, pool=5, profile="easy")
    assert (report.released, report.missing, report.out) == (3, 0, out)
    return out


def test_a_build_is_loaded_and_scored(folder: Path) -> None:
    made = generator.load(folder)
    replies = [{"task_id": t.id, "reply": "I am not sure."} for t in made.tasks]
    run = generator.score(made, replies)
    assert [r.importance for r in run.results] == [0.0, 0.0, 0.0]
    assert run.summary["iii"]["n"] == 3


def test_a_reply_to_nothing_is_refused(folder: Path) -> None:
    with pytest.raises(GenError, match="no such task"):
        generator.score(folder, [Reply(task_id="nowhere", reply="12")])


def test_the_stream_is_indexable_and_the_same_for_a_seed() -> None:
    stream = generator.dataset("iii", "en", seed=5, profile="easy")
    task, key = stream[3]
    again, _ = generator.dataset("iii", "en", seed=5, profile="easy")[3]
    other, _ = generator.dataset("iii", "en", seed=6, profile="easy")[3]
    assert task == again
    assert task.messages != other.messages
    assert key.id == task.id
    assert key.split == "train"
    first, _ = next(iter(stream))
    assert first.id == stream[0][0].id
    with pytest.raises(IndexError):
        stream[-1]


def test_training_and_evaluation_share_no_world() -> None:
    stream = generator.dataset("iii", "zh", seed=5, profile="easy")
    report = {stream[n][1].factors.world for n in range(4)}
    assert report <= {"course_timetable", "group_travel", "release_plan", "renovation_budget"}


def test_an_unknown_name_is_no_attribute() -> None:
    with pytest.raises(AttributeError):
        generator.nothing  # noqa: B018
