"""The command line: what it prints, how it ends, and that it leaves nothing half-written behind."""

from __future__ import annotations

import errno
import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import generator.engine.build as engine_build
import pytest
from generator.cli import run as run_command
from generator.engine.files import read_lines
from generator.errors import ExitCode
from generator.records import Key, Reply, Result, Task
from support.builds import SEED, Ran, build, copy_of, gen, gen_apart, left_behind

Caps = pytest.CaptureFixture[str]


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a small build."""
    out = tmp_path_factory.mktemp("builds") / "small"
    build(out)
    return out


def fault(ran: Ran, code: ExitCode, *words: str) -> None:
    """Hold an error to the design: its code, where, what and how to fix it, nothing on stdout."""
    assert ran.code == code, ran.err
    assert ran.out == ""
    assert ran.err.startswith("error: ")
    assert "\n  fix: " in ran.err
    for word in words:
        assert word in ran.err, ran.err


# Good ---------------------------------------------------------------------------------------


def test_help_and_version(capsys: Caps) -> None:
    shown = gen(capsys, "--help")
    assert shown.code == 0
    for command in ("build", "show", "audit", "verify", "run", "score", "worlds"):
        assert command in shown.out
        assert gen(capsys, command, "--help").code == 0
    assert gen(capsys, "--version").out.startswith("turnproof ")
    assert gen(capsys).code == ExitCode.USAGE


def test_build_says_where_and_how_many(capsys: Caps, tmp_path: Path) -> None:
    ran = gen(capsys, "build", "--mode", "iii", "--n", 1, "--pool", 2, "--seed", SEED, "--workers", 1, "--out", tmp_path / "b")
    assert ran.code == 0
    assert ran.out.strip() == str(tmp_path / "b")
    assert "1 tasks released out of a pool of 2" in ran.err
    quiet = gen(
        capsys, "build", "--mode", "iii", "--n", 1, "--pool", 1, "--seed", SEED, "--workers", 1, "--out", tmp_path / "c",
        "-q",
    )  # fmt: skip
    assert quiet.err == ""


def test_build_as_json_and_default_place(capsys: Caps, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    ran = gen(capsys, "build", "--mode", "iii", "--n", 1, "--pool", 2, "--workers", 1, "--json", "--lang", "en")
    report = json.loads(ran.out)
    assert report["released"] == 1
    assert Path(report["out"]) == Path("build") / f"iii-en-{report['seed_commitment'][:8]}"
    assert (tmp_path / report["out"] / "tasks.jsonl").is_file()


def test_fewer_than_asked_for_is_a_finding(capsys: Caps, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    kept = engine_build.run_pool
    monkeypatch.setattr(engine_build, "run_pool", lambda *a: list(kept(*a))[:1])
    ran = gen(capsys, "build", "--mode", "iii", "--n", 2, "--pool", 2, "--seed", SEED, "--workers", 1, "--out", tmp_path / "b")
    assert ran.code == ExitCode.FINDINGS
    assert "1 fewer than asked for" in ran.err


def test_show_lists_and_shows(capsys: Caps, built: Path) -> None:
    tasks = read_lines(built / "tasks.jsonl", Task)
    listed = gen(capsys, "show", built)
    assert all(t.id in listed.out for t in tasks)
    rows = json.loads(gen(capsys, "show", built, "--json").out)
    assert {r["id"] for r in rows} == {t.id for t in tasks}
    one = gen(capsys, "show", built, tasks[0].id[:9])
    assert all(m.content in one.out for m in tasks[0].messages)
    assert "digest" not in one.out
    assert "digest" in gen(capsys, "show", built, tasks[0].id, "--key").out
    record = json.loads(gen(capsys, "show", built, tasks[0].id, "--key", "--json").out)
    assert record["key"]["id"] == record["task"]["id"] == tasks[0].id
    assert "key" not in json.loads(gen(capsys, "show", built, tasks[0].id, "--json").out)
    assert gen(capsys, "show", built, "--pool").code == 0


def test_audit_of_a_sound_build(capsys: Caps, built: Path) -> None:
    ran = gen(capsys, "audit", built)
    assert (ran.code, ran.out) == (0, "")
    assert "2 tasks, 0 findings" in ran.err
    assert json.loads(gen(capsys, "audit", built, "--json").out)["findings"] == []


def test_audit_against_itself_finds_duplicates(capsys: Caps, built: Path) -> None:
    ran = gen(capsys, "audit", built, "--against", built)
    assert ran.code == ExitCode.FINDINGS
    assert ran.out.count("duplicate") == 2


def test_audit_of_a_tampered_build(capsys: Caps, built: Path, tmp_path: Path) -> None:
    spoilt = copy_of(built, tmp_path / "spoilt")
    keys = read_lines(spoilt / "private" / "keys.jsonl", Key)
    path = sorted(keys[0].answer)[0]
    keys[0] = keys[0].model_copy(update={"answer": {**keys[0].answer, path: keys[0].answer[path] + 1}})
    (spoilt / "private" / "keys.jsonl").write_text("".join(k.model_dump_json() + "\n" for k in keys), encoding="utf-8")
    ran = gen(capsys, "audit", spoilt)
    assert ran.code == ExitCode.FINDINGS
    assert "digest: private/keys.jsonl" in ran.out
    assert f"derivable: {keys[0].id}" in ran.out
    findings = json.loads(gen(capsys, "audit", spoilt, "--json").out)["findings"]
    assert {"digest", "derivable"} <= {f["audit"] for f in findings}


def test_verify_same_and_different(capsys: Caps, built: Path, tmp_path: Path) -> None:
    ran = gen(capsys, "verify", built, "--workers", 1)
    assert (ran.code, ran.out) == (0, "")
    assert json.loads(gen(capsys, "verify", built, "--workers", 1, "--json").out) == {"same": True, "differences": []}
    spoilt = copy_of(built, tmp_path / "spoilt")
    (spoilt / "private" / "secret.json").write_text(json.dumps({"seed": str(SEED + 1)}), encoding="utf-8")
    other = gen(capsys, "verify", spoilt, "--workers", 1)
    assert other.code == ExitCode.FINDINGS
    assert "the secret is not the seed" in other.out
    assert "tasks.jsonl: another digest" in other.out
    assert left_behind(tmp_path) == ["spoilt"]


def test_run_with_the_oracle_is_strict_everywhere(capsys: Caps, built: Path, tmp_path: Path) -> None:
    out = tmp_path / "run"
    summary = json.loads(gen(capsys, "run", built, "--model", "sim/oracle", "--out", out, "--json").out)
    assert (summary["iii"]["strict"], summary["iii"]["importance"], summary["iii"]["n"]) == (1.0, 1.0, 6)
    results = read_lines(out / "results.jsonl", Result)
    assert {r.strict for r in results} == {1}
    replies = read_lines(out / "replies.jsonl", Reply)
    assert len({(r.task_id, r.roll) for r in replies}) == 6
    words = gen(capsys, "run", built, "--model", "sim/stale-value", "--out", tmp_path / "stale", "--rolls", 1)
    assert "strict 0.000" in words.out
    assert "an instrument, not a model" in words.err
    scored = gen(capsys, "score", built, "--replies", out / "replies.jsonl", "--json")
    assert json.loads(scored.out)["iii"] == summary["iii"]


def test_score_of_replies_written_by_hand(capsys: Caps, built: Path, tmp_path: Path) -> None:
    keys = read_lines(built / "private" / "keys.jsonl", Key)
    lines = [
        {"task_id": keys[0].id, "reply": "不知道"},
        {"task_id": keys[0].id, "roll": 2, "reply": "", "finish_reason": "length"},
        {"task_id": keys[1].id, "reply": None, "refusal": "I cannot help with that."},
    ]
    (tmp_path / "replies.jsonl").write_text("".join(json.dumps(r) + "\n" for r in lines), encoding="utf-8")
    ran = gen(capsys, "score", built, "--replies", tmp_path / "replies.jsonl", "--json", "--out", tmp_path / "r.jsonl")
    assert ran.code == 0
    summary = json.loads(ran.out)
    assert summary["iii"]["importance"] == 0
    assert summary["all"]["replies"] == 3
    assert len(read_lines(tmp_path / "r.jsonl", Result)) == 3
    one = gen(capsys, "score", built, "--replies", _write(tmp_path / "one.jsonl", lines[:1]))
    assert "1 tasks of the build have no reply" in one.err


def test_worlds_are_listed(capsys: Caps) -> None:
    rows = json.loads(gen(capsys, "worlds", "--lang", "zh", "--json").out)
    assert {"office_purchasing", "clinic_roster"} <= {r["id"] for r in rows}
    assert {r["split"] for r in rows} == {"eval", "train"}
    assert "office_move" in gen(capsys, "worlds", "--lang", "en").out


# Wrong command line: 2 ----------------------------------------------------------------------


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (("build", "--mode", "ix", "--n", "1"), ("--mode ix", "no such mode", "iii")),
        (("build",), ("--mode",)),
        (("build", "--mode", "iii", "--n", "0"), ("--n",)),
        (("build", "--mode", "iii", "--n", "many"), ("many",)),
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
    fault(gen(capsys, "run", built, "--model", "sim/oracle", "--out", tmp_path), ExitCode.USAGE, "exists already")
    out = tmp_path / "run"
    fault(gen(capsys, "run", built, "--model", "sim/nobody", "--out", out), ExitCode.USAGE, "sim/oracle")
    fault(gen(capsys, "run", built, "--model", "gpt", "--out", out), ExitCode.USAGE, "simulated")
    fault(
        gen(capsys, "run", built, "--model", "sim/oracle", "--condition", "deaf", "--out", out),
        ExitCode.USAGE, "user-only",
    )  # fmt: skip
    assert left_behind(tmp_path) == []


# Unreadable content or input: 3 -------------------------------------------------------------


def _write(path: Path, rows: list[dict[str, Any]]) -> Path:
    path.write_text("".join(json.dumps(r) + "\n" for r in rows), encoding="utf-8")
    return path


def test_broken_overlay_names_file_and_line(capsys: Caps, tmp_path: Path) -> None:
    world = tmp_path / "mine" / "ground_truth" / "update_chains" / "zh" / "broken.yaml"
    world.parent.mkdir(parents=True)
    for text, words in (("id: [1, 2\nlang: zh\n", ("broken.yaml",)), ("id: broken\nlang: zh\n", ("broken.yaml", "split"))):
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
    import shutil  # noqa: PLC0415

    public = copy_of(built, tmp_path / "public")
    shutil.rmtree(public / "private")
    task = read_lines(public / "tasks.jsonl", Task)[0]
    assert gen(capsys, "show", public, task.id).code == 0
    fault(gen(capsys, "show", public, task.id, "--key"), ExitCode.CONTENT, "private part")
    fault(gen(capsys, "audit", public), ExitCode.CONTENT, "private")
    fault(gen(capsys, "verify", public), ExitCode.CONTENT, "secret.json")
    replies = _write(tmp_path / "r.jsonl", [{"task_id": task.id, "reply": "x"}])
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
        ran = gen(capsys, "score", built, "--replies", _write(tmp_path / "r.jsonl", rows))
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
