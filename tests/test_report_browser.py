"""The report page in a real browser: attacks, filter, deep links, definitions, theme, phone, axe-core; travel besides.

Needs Chromium (Debian's `chromium`), Node.js and `npm ci --prefix tests/browser`; skipped, and said so, without them.
"""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest
from support.builds import build as make_mode_build
from support.report_runs import NASTY, HandRun, about_of, make_page, nasty, row_of, simulated

from generator.engine.answering import Respondents
from generator.engine.build import make_build
from generator.engine.loaded import load_build
from generator.records import Lang, Reply
from generator.stages.pipeline import Spec
from generator.travel.options import TravelOptions
from generator.travel.setups import SETUPS

HOME = Path(__file__).resolve().parent / "browser"
CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser")
NODE = shutil.which("node")


def check(script: str, page: Path) -> None:
    """Drive a page with a script, which says what failed."""
    command = [str(NODE), str(HOME / script), str(CHROMIUM), str(page)]
    done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=540)
    assert done.returncode == 0, done.stdout + done.stderr
    assert "0 failed" in done.stdout


def missing() -> str:
    """Return what a browser test lacks on this machine, nothing if it can run."""
    if CHROMIUM is None or NODE is None:
        return "no Chromium or no Node.js on this machine"
    return "" if (HOME / "node_modules" / "playwright-core").is_dir() else "run npm ci --prefix tests/browser first"


@pytest.mark.slow
@pytest.mark.skipif(bool(missing()), reason=missing())
def test_page_in_chromium(tmp_path: Path) -> None:
    make_mode_build(tmp_path / "build", n=len(NASTY), pool=len(NASTY) + 2)
    made = load_build(tmp_path / "build")
    runs = [
        simulated(made, "oracle"), simulated(made, "stale-value", rolls=1),
        simulated(made, "noisy-20", "acme/large", price="0.0123"),
        simulated(made, "noisy-60", "acme/small", price="0.002"),
        simulated(made, "noisy-60", "acme/small", condition="user-only", rolls=1), nasty(made),
    ]  # fmt: skip
    check("check.cjs", make_page(tmp_path, runs))


@pytest.mark.slow
@pytest.mark.skipif(bool(missing()), reason=missing())
@pytest.mark.parametrize("lang", ["en", "zh"])
def test_travel_page_in_chromium(tmp_path: Path, lang: Lang) -> None:
    travel = TravelOptions(setups=tuple(SETUPS))
    make_build(Spec(mode="travel", lang=lang, n=16, pool=24, travel=travel), tmp_path / "build", seed=77)
    made = load_build(tmp_path / "build")
    crowd = Respondents(made)
    runs = []
    for name in ("noisy-45", "oracle"):
        rows = [
            row_of(made, Reply(task_id=task.id, reply=crowd.respond(name, task, task.messages, 1)))
            for task in made.tasks
        ]
        about = about_of(made, f"sim/{name}", is_instrument=True, rolls=1, conditions=["full"])
        runs.append(HandRun(about, tuple(rows)))
    check("travel.cjs", make_page(tmp_path, runs))
