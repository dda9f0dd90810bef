"""The report page in a real browser: attacks, filter, deep links, definitions, theme, phone, axe-core.

Needs Chromium (Debian's `chromium`), Node.js and `npm ci --prefix tests/browser`; skipped, and said so, without them.
"""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest
from support.builds import build as make_build
from support.report_runs import NASTY, make_page, nasty, simulated

from generator.engine.loaded import load_build

HOME = Path(__file__).resolve().parent / "browser"
CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser")
NODE = shutil.which("node")


def missing() -> str:
    """Return what a browser test lacks on this machine, nothing if it can run."""
    if CHROMIUM is None or NODE is None:
        return "no Chromium or no Node.js on this machine"
    return "" if (HOME / "node_modules" / "playwright-core").is_dir() else "run npm ci --prefix tests/browser first"


@pytest.mark.slow
@pytest.mark.skipif(bool(missing()), reason=missing())
def test_page_in_chromium(tmp_path: Path) -> None:
    make_build(tmp_path / "build", n=len(NASTY), pool=len(NASTY) + 2)
    made = load_build(tmp_path / "build")
    runs = [
        simulated(made, "oracle"), simulated(made, "stale-value", rolls=1),
        simulated(made, "noisy-20", "acme/large", price="0.0123"),
        simulated(made, "noisy-60", "acme/small", price="0.002"),
        simulated(made, "noisy-60", "acme/small", condition="user-only", rolls=1), nasty(made),
    ]  # fmt: skip
    page = make_page(tmp_path, runs)
    command = [str(NODE), str(HOME / "check.cjs"), str(CHROMIUM), str(page)]
    done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=540)
    assert done.returncode == 0, done.stdout + done.stderr
    assert "0 failed" in done.stdout
