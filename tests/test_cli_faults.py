"""The command line when something is wrong: its exit code, its words, and nothing half-written behind it."""

from __future__ import annotations

import errno
import os
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from support.builds import SEED, build, copy_of, fault, gen, gen_apart, left_behind, write_rows

import generator.engine.build as engine_build
from generator.cli import run as run_command
from generator.engine.files import read_lines
from generator.errors import ExitCode
from generator.records import Task

Caps = pytest.CaptureFixture[str]


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a small build."""
    out = tmp_path_factory.mktemp("builds") / "small"
    build(out)
    return out


# Wrong command line: 2 ----------------------------------------------------------------------


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (("build", "--mode", "ix", "--n", "1"), ("--mode ix", "no such mode", "iii")),
        (("build",), ("--mode",)),
        (("build", "--mode", "iii", "--n", "0"), ("--n",)),
        (("build", "--mode", "iii", "--n", "many"), ("--n",)),
        (("build", "--mode", "iii", "--lang", "fr"), ("fr",)),
        (("build", "--mode", "iii", "--colour", "red"), ("--colour",)),
        (("build", "--mode", "iii", "--gap", "1.5"), ("--gap",)),
        (("build", "--mode", "iii", "--seed", "-1"), ("--seed",)),
        (("paint",), ("paint",)),
        (("show",), ("BUILD",)),
        (("worlds", "--mode", "ix"), ("no such mode",)),
    ],
)
def test_wrong_command_line(capsys: Caps, tmp_path: Path, arguments: tuple[str, ...], words: tuple[str, ...],
                            monkeypatch: pytest.MonkeyPatch) -> None:  # fmt: skip
    monkeypatch.chdir(tmp_path)
    fault(gen(capsys, *arguments), ExitCode.USAGE, *words)
    assert left_behind(tmp_path) == []


def test_existing_folder_is_kept_without_force(capsys: Caps, tmp_path: Path) -> None:
    (tmp_path / "b").mkdir()
    (tmp_path / "b" / "mine.txt").write_text("mine")
    common = ("build", "--mode", "iii", "--n", 1, "--pool", 1, "--seed", SEED, "--workers", 1, "--out", tmp_path / "b")
    fault(gen(capsys, *common), ExitCode.USAGE, "exists already", "--force")
    assert left_behind(tmp_path / "b") == ["mine.txt"]
    assert gen(capsys, *common, "--force").code == 0
    assert "mine.txt" not in left_behind(tmp_path / "b")
    assert left_behind(tmp_path) == ["b"]


def test_run_does_not_overwrite_and_knows_its_respondents(capsys: Caps, built: Path, tmp_path: Path) -> None:
    (tmp_path / "taken").mkdir()
    (tmp_path / "taken" / "mine.txt").write_text("mine")
    taken = gen(capsys, "run", built, "--model", "sim/oracle", "--out", tmp_path / "taken")
    fault(taken, ExitCode.USAGE, "exists already")
    assert left_behind(tmp_path / "taken") == ["mine.txt"]
    out = tmp_path / "run"
    fault(gen(capsys, "run", built, "--model", "sim/nobody", "--out", out), ExitCode.USAGE, "sim/oracle")
    fault(
        gen(capsys, "run", built, "--model", "sim/oracle", "--condition", "deaf", "--out", out),
        ExitCode.USAGE, "user-only",
    )  # fmt: skip
    assert left_behind(tmp_path) == ["taken"]


# Unreadable content or input: 3 -------------------------------------------------------------


def test_broken_overlay_names_file_and_line(capsys: Caps, tmp_path: Path) -> None:
    world = tmp_path / "mine" / "ground_truth" / "update_chains" / "zh" / "broken.yaml"
    world.parent.mkdir(parents=True)
    for text, words in (
        ("id: [1, 2\nlang: zh\n", ("broken.yaml",)),
        ("id: broken\nlang: zh\n", ("broken.yaml", "split")),
    ):
        world.write_text(text, encoding="utf-8")
        ran = gen(
            capsys, "build", "--mode", "iii", "--n", 1, "--content", tmp_path / "mine", "--workers", 1,
            "--out", tmp_path / "b",
        )  # fmt: skip
        fault(ran, ExitCode.CONTENT, *words)
        assert left_behind(tmp_path) == ["mine"]


@pytest.mark.parametrize("name", ["tasks.jsonl", "private/keys.jsonl"])
def test_damaged_line_is_named(capsys: Caps, built: Path, tmp_path: Path, name: str) -> None:
    spoilt = copy_of(built, tmp_path / "spoilt")
    lines = (spoilt / name).read_text(encoding="utf-8").splitlines()
    lines[1] = lines[1][:40]
    (spoilt / name).write_text("\n".join(lines), encoding="utf-8")
    for command in ("show", "audit", "verify"):
        fault(gen(capsys, command, spoilt), ExitCode.CONTENT, f"{name}:2")


@pytest.mark.parametrize("command", ["show", "audit", "verify"])
def test_folder_that_is_no_build(capsys: Caps, tmp_path: Path, command: str) -> None:
    fault(gen(capsys, command, tmp_path / "nowhere"), ExitCode.CONTENT, "nowhere")
    fault(gen(capsys, command, tmp_path), ExitCode.CONTENT, "manifest.json")
    (tmp_path / "manifest.json").write_text("{}")
    fault(gen(capsys, command, tmp_path), ExitCode.CONTENT, "manifest.json", "spec")


def test_private_part_is_needed_for_what_needs_it(capsys: Caps, built: Path, tmp_path: Path) -> None:
    public = copy_of(built, tmp_path / "public")
    shutil.rmtree(public / "private")
    task = read_lines(public / "tasks.jsonl", Task)[0]
    assert gen(capsys, "show", public, task.id).code == 0
    fault(gen(capsys, "show", public, task.id, "--key"), ExitCode.CONTENT, "private part")
    fault(gen(capsys, "audit", public), ExitCode.CONTENT, "private")
    fault(gen(capsys, "verify", public), ExitCode.CONTENT, "secret.json")
    replies = write_rows(tmp_path / "r.jsonl", [{"task_id": task.id, "reply": "x"}])
    fault(gen(capsys, "score", public, "--replies", replies), ExitCode.CONTENT, "private")


def test_replies_that_do_not_fit(capsys: Caps, built: Path, tmp_path: Path) -> None:
    task = read_lines(built / "tasks.jsonl", Task)[0]
    faults = {
        "no such task": [{"task_id": "f" * 16, "reply": "x"}],
        "twice": [{"task_id": task.id, "reply": "x"}] * 2,
        "r.jsonl:1": [{"reply": "x"}],
        "no replies": [],
    }
    for words, rows in faults.items():
        ran = gen(capsys, "score", built, "--replies", write_rows(tmp_path / "r.jsonl", rows))
        fault(ran, ExitCode.CONTENT, words)
    fault(gen(capsys, "score", built, "--replies", tmp_path / "none.jsonl"), ExitCode.CONTENT, "none.jsonl")


def test_task_that_is_not_there(capsys: Caps, built: Path) -> None:
    fault(gen(capsys, "show", built, "zzzz"), ExitCode.CONTENT, "zzzz")
    fault(gen(capsys, "show", built, ""), ExitCode.CONTENT, "2 tasks")


# The machine, Ctrl-C, and our own faults ----------------------------------------------------


def building(out: Path) -> tuple[object, ...]:
    return ("build", "--mode", "iii", "--n", 1, "--pool", 1, "--seed", SEED, "--workers", 1, "--out", out)


@pytest.mark.parametrize("after", [0, 3, 9])
def test_full_disk_leaves_nothing_behind(
    capsys: Caps, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, after: int
) -> None:
    done = iter(range(10**6))
    real = os.fsync

    def refuse(handle: int) -> None:
        if next(done) >= after:
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
        real(handle)

    monkeypatch.setattr(os, "fsync", refuse)
    fault(gen(capsys, *building(tmp_path / "b")), ExitCode.MACHINE, "No space left", "free some space")
    assert left_behind(tmp_path) == []


def test_folder_that_may_not_be_written(capsys: Caps, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*a: object, **k: object) -> None:
        raise PermissionError(errno.EACCES, os.strerror(errno.EACCES))

    monkeypatch.setattr("tempfile.mkdtemp", refuse)
    fault(gen(capsys, *building(tmp_path / "b")), ExitCode.MACHINE, "Permission denied", "may write to")


def test_place_below_a_file(capsys: Caps, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("x")
    fault(gen(capsys, *building(tmp_path / "file" / "b")), ExitCode.MACHINE)


def test_interrupt_leaves_nothing_behind(capsys: Caps, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupted(*a: object) -> list[object]:
        raise KeyboardInterrupt

    monkeypatch.setattr(engine_build, "run_pool", interrupted)
    ran = gen(capsys, *building(tmp_path / "b"))
    assert (ran.code, ran.out) == (ExitCode.INTERRUPTED, "")
    assert "interrupted" in ran.err
    assert left_behind(tmp_path) == []
    (tmp_path / "b").mkdir()
    assert gen(capsys, *building(tmp_path / "b"), "--force").code == ExitCode.INTERRUPTED
    assert left_behind(tmp_path) == ["b"]


def test_our_own_fault_is_seventy(capsys: Caps, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(*a: object) -> list[object]:
        raise ZeroDivisionError("oops")

    monkeypatch.setattr(engine_build, "run_pool", broken)
    monkeypatch.delenv("TURNPROOF_DEBUG", raising=False)
    fault(gen(capsys, *building(tmp_path / "b")), ExitCode.BUG, "a fault of ours", "ZeroDivisionError", "report it")
    assert left_behind(tmp_path) == []
    monkeypatch.setenv("TURNPROOF_DEBUG", "1")
    with pytest.raises(ZeroDivisionError):
        run_command([str(a) for a in building(tmp_path / "b")])


@pytest.mark.slow
def test_ctrl_c_of_a_real_process_leaves_nothing_behind(tmp_path: Path) -> None:
    command = [sys.executable, "-c", "from generator.cli import main; main()", "build", "--mode", "iii", "--n", "400",
               "--workers", "2", "--out", str(tmp_path / "b")]  # fmt: skip
    process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    for _ in range(100):
        time.sleep(0.2)
        if left_behind(tmp_path):
            break
    time.sleep(1.5)
    process.send_signal(signal.SIGINT)
    out, err = process.communicate(timeout=120)
    assert process.returncode == ExitCode.INTERRUPTED, err
    assert out == ""
    assert "Traceback" not in err, err
    assert left_behind(tmp_path) == []


def test_process_of_its_own_answers_alike(tmp_path: Path) -> None:
    ran = gen_apart("show", tmp_path / "nowhere")
    assert ran.code == ExitCode.CONTENT
    assert ran.err.startswith("error: ")
    assert ran.out == ""
