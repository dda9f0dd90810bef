"""Builds for tests: small ones in process, and the `gen` command with its output."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from generator.cli import run as run_command
from generator.engine.build import BuildReport, make_build
from generator.errors import ExitCode
from generator.records import Lang
from generator.stages.pipeline import Spec

SEED = 987_654_321_012_345_678_901


class Ran(NamedTuple):
    """What a command answered."""

    code: int
    out: str
    err: str


def build(out: Path, *, lang: Lang = "zh", n: int = 2, pool: int = 3, seed: int = SEED, **more: Any) -> BuildReport:
    """Write a small build in this process."""
    spec = Spec.model_validate({"mode": "iii", "lang": lang, "n": n, "pool": pool, **more})
    return make_build(spec, out, seed=seed)


def gen(capsys: pytest.CaptureFixture[str], *arguments: object) -> Ran:
    """Run a command in this process; its words must never be a traceback."""
    capsys.readouterr()
    code = run_command([str(a) for a in arguments])
    said = capsys.readouterr()
    assert "Traceback" not in said.out + said.err
    return Ran(int(code), said.out, said.err)


def gen_apart(*arguments: object, hash_seed: int | None = None, cwd: Path | None = None) -> Ran:
    """Run a command in a process of its own."""
    env = {**os.environ, **({"PYTHONHASHSEED": str(hash_seed)} if hash_seed is not None else {})}
    command = [sys.executable, "-c", "from generator.cli import main; main()", *map(str, arguments)]
    done = subprocess.run(command, capture_output=True, text=True, env=env, cwd=cwd, check=False, timeout=300)
    assert "Traceback" not in done.stdout + done.stderr
    return Ran(done.returncode, done.stdout, done.stderr)


def copy_of(folder: Path, target: Path) -> Path:
    """Return a copy of a build that may be spoilt."""
    shutil.copytree(folder, target)
    return target


def left_behind(folder: Path) -> list[str]:
    """Return what is in a folder, hidden leftovers included."""
    return sorted(p.name for p in folder.iterdir())


def fault(ran: Ran, code: ExitCode, *words: str) -> None:
    """Hold an error to the design: its code, where, what and how to fix it, nothing on stdout."""
    assert ran.code == code, ran.err
    assert ran.out == ""
    assert ran.err.startswith("error: ")
    assert "\n  fix: " in ran.err
    for word in words:
        assert word in ran.err, ran.err


def write_rows(path: Path, rows: Sequence[Mapping[str, object]]) -> Path:
    """Write rows as JSON Lines and return the path."""
    path.write_text("".join(json.dumps(r) + "\n" for r in rows), encoding="utf-8")
    return path
