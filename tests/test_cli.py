"""The command line: what it prints, how it ends, and that it leaves nothing half-written behind."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from support.builds import SEED, build, copy_of, gen, left_behind, write_rows
from support.cases import shop

import generator.engine.build as engine_build
from generator.engine.files import read_lines
from generator.engine.loaded import load_build
from generator.engine.shards import run_pool
from generator.errors import ExitCode
from generator.records import Key, Result, Task
from generator.respondents import respond

Caps = pytest.CaptureFixture[str]


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a small build."""
    out = tmp_path_factory.mktemp("builds") / "small"
    build(out)
    return out


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
    ran = gen(
        capsys, "build", "--mode", "iii", "--n", 1, "--pool", 2, "--seed", SEED, "--workers", 1, "--out", tmp_path / "b"
    )
    assert ran.code == 0
    assert ran.out.strip() == str(tmp_path / "b")
    assert "1 tasks released out of a pool of 2" in ran.err
    quiet = gen(
        capsys, "build", "--mode", "iii", "--n", 1, "--pool", 1, "--seed", SEED, "--workers", 1, "-q",
        "--out", tmp_path / "c",
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
    monkeypatch.setattr(engine_build, "run_pool", lambda *a: list(run_pool(*a))[:1])
    ran = gen(
        capsys, "build", "--mode", "iii", "--n", 2, "--pool", 2, "--seed", SEED, "--workers", 1, "--out", tmp_path / "b"
    )
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
    summary = json.loads(gen(capsys, "run", built, "--model", "sim/oracle", "--out", tmp_path / "run", "--json").out)
    assert (summary["iii"]["strict"], summary["iii"]["importance"], summary["iii"]["n"]) == (1.0, 1.0, 6)
    assert summary["iii"]["rankable"] is True
    words = gen(capsys, "run", built, "--model", "sim/stale-value", "--out", tmp_path / "stale", "--rolls", 1)
    assert words.code == 0
    assert "strict 0.000" in words.out
    assert "an instrument, not a model" in words.err


def test_score_of_the_witness_is_full(capsys: Caps, built: Path, tmp_path: Path) -> None:
    loaded = load_build(built)
    rows: list[dict[str, object]] = []
    for task in loaded.tasks:
        kit = shop("zh").kit(loaded.key(task.id).factors.world)
        rows.append({"task_id": task.id, "reply": respond("oracle", shop("zh").mode, kit, task.messages, task.id)})
    scored = json.loads(gen(capsys, "score", built, "--replies", write_rows(tmp_path / "r.jsonl", rows), "--json").out)
    assert (scored["iii"]["strict"], scored["iii"]["importance"]) == (1.0, 1.0)


def test_score_of_replies_written_by_hand(capsys: Caps, built: Path, tmp_path: Path) -> None:
    keys = read_lines(built / "private" / "keys.jsonl", Key)
    lines: list[dict[str, object]] = [
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
    one = gen(capsys, "score", built, "--replies", write_rows(tmp_path / "one.jsonl", lines[:1]))
    assert "1 tasks of the build have no reply" in one.err


def test_worlds_are_listed(capsys: Caps) -> None:
    rows = json.loads(gen(capsys, "worlds", "--lang", "zh", "--json").out)
    assert {"office_purchasing", "clinic_roster"} <= {r["id"] for r in rows}
    assert {r["split"] for r in rows} == {"eval", "train"}
    assert "office_move" in gen(capsys, "worlds", "--lang", "en").out
