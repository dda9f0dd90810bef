"""Golden snapshots: one instance of each travel task in each language, isolated and as a dialogue.

They move whenever wording, towns or a draw do. To write them anew, and then read the difference as a person would:

    TURNPROOF_REGENERATE=1 pytest tests/test_travel_golden.py
"""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from support.journeys import LANGS, NAMES, case_of

from generator.cli.showing import render_task
from generator.records import Lang

HOME = Path(__file__).parent / "golden"
SETUPS = ("isolated", "dialogue")


@pytest.mark.parametrize("lang", LANGS)
def test_instances_are_those_of_the_snapshot(lang: Lang) -> None:
    parts = []
    for name in NAMES:
        case = case_of(lang, name, 0, SETUPS)
        parts += [render_task(case.tasks[s], case.keys[s] if s == "dialogue" else None) for s in SETUPS]
    text = "\n\n".join(parts) + "\n"
    path = HOME / f"travel_{lang}.txt"
    if os.environ.get("TURNPROOF_REGENERATE"):
        path.write_text(text, encoding="utf-8")
    assert text == path.read_text(encoding="utf-8")
