"""A ninth task is one module and its content: it is built, audited, run and scored with nothing else changed."""

from __future__ import annotations

from pathlib import Path

import pytest
from toy_travel.task import TASK

from generator.engine.build import make_build
from generator.engine.loaded import audit_build, load_build
from generator.records import Reply
from generator.runner import make_plan, run_session
from generator.scoring.metrics import score_reply
from generator.stages.pipeline import Spec
from generator.travel import tasks
from generator.travel.options import TravelOptions
from generator.travel.setups import SETUPS

OVERLAY = Path(__file__).parent / "toy_travel" / "content"


@pytest.fixture(autouse=True)
def _ninth(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tasks, "TASKS", (*tasks.TASKS, TASK))


def test_a_task_is_one_module_and_content(tmp_path: Path) -> None:
    options = TravelOptions(setups=tuple(SETUPS), tasks=(TASK.name,))
    spec = Spec(mode="travel", lang="en", n=4, pool=6, travel=options)
    out = tmp_path / "set"
    report = make_build(spec, out, seed=3, overlay=OVERLAY)
    assert report.released == 4
    made = load_build(out)
    assert len(made.tasks) == 4 * len(SETUPS)
    assert audit_build(made, OVERLAY) == []
    from generator.runner.session import Options  # noqa: PLC0415

    session = run_session(make_plan(made, "sim/oracle", None, ["full"], 1), tmp_path / "run", Options(overlay=OVERLAY))
    assert session.summary["travel"]["strict"] == 1.0
    wrong = run_session(make_plan(made, "sim/first", None, ["full"], 1), tmp_path / "first", Options(overlay=OVERLAY))
    assert wrong.summary["travel"]["strict"] == 0.0
    key = made.key(made.tasks[0].id)
    assert score_reply(key, Reply(task_id=key.id, reply="No idea, sorry.")).strict == 0


def test_a_task_without_its_content_says_what_is_missing(tmp_path: Path) -> None:
    from generator.errors import GenError  # noqa: PLC0415

    options = TravelOptions(tasks=(TASK.name,))
    spec = Spec(mode="travel", lang="en", n=1, pool=1, travel=options)
    with pytest.raises(GenError, match="cheapest-double"):
        make_build(spec, tmp_path / "none", seed=3)
