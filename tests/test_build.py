"""Builds: what is public tells nothing, the same seed gives the same bytes, and tampering is seen."""

from __future__ import annotations

import json
import stat
from pathlib import Path

import pytest
from support.builds import SEED, build, copy_of, gen_apart, left_behind
from support.cases import shop
from support.worlds import LANGS

from generator.audit.duplicate import state_digest
from generator.engine.build import PRIVATE, PUBLIC, compare_manifests, make_build
from generator.engine.files import fresh_folder, read_json, read_lines, sha256_of, write_text
from generator.engine.lines import Sources
from generator.engine.loaded import audit_build, check_digests, load_build
from generator.engine.runs import score_replies, show_messages
from generator.engine.shards import default_workers, run_pool
from generator.errors import ExitCode, GenError
from generator.records import Key, Lang, Reply, Task
from generator.respondents import respond
from generator.seeds import commit_seed
from generator.stages.pipeline import Spec, run_index

FILES = (*PUBLIC, *PRIVATE)


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a small build of three pairs."""
    out = tmp_path_factory.mktemp("builds") / "pairs"
    report = build(out, n=3, pool=5, twins=True)
    assert (report.released, report.missing) == (3, 0)
    return out


# What is there ------------------------------------------------------------------------------


def test_every_file_of_the_design_is_there(built: Path) -> None:
    for name in (*FILES, "manifest.json", "private/secret.json", "private/build.log.json"):
        assert (built / name).is_file(), name
    manifest = read_json(built / "manifest.json")
    assert set(manifest["files"]) == set(FILES)
    assert all(sha256_of(built / name) == digest for name, digest in manifest["files"].items())
    assert manifest["seed_commitment"] == commit_seed(SEED)
    assert manifest["counts"]["released"] == 3
    assert manifest["counts"]["tasks"] == 6
    assert stat.S_IMODE((built / "private" / "secret.json").stat().st_mode) == 0o600


def test_tasks_and_keys_match_and_come_by_id(built: Path) -> None:
    tasks = read_lines(built / "tasks.jsonl", Task)
    keys = read_lines(built / "private" / "keys.jsonl", Key)
    assert [t.id for t in tasks] == [k.id for k in keys] == sorted(t.id for t in tasks)
    selection = read_json(built / "private" / "selection.json")
    assert set(selection["chosen"]) == {k.id for k in keys if k.twin_of is None}
    pool = {t.id for t in read_lines(built / "private" / "pool" / "tasks.jsonl", Task)}
    assert {t.id for t in tasks} <= pool


def test_public_files_hold_nothing_of_the_key(built: Path) -> None:
    public = {name: (built / name).read_text(encoding="utf-8") for name in (*PUBLIC, "manifest.json")}
    keys = read_lines(built / "private" / "keys.jsonl", Key)
    for name, text in public.items():
        assert str(SEED) not in text, name
        assert hex(SEED)[2:] not in text, name
        for key in keys:
            assert key.digest not in text
            assert state_digest(key) not in text
    fields = set(Key.model_fields) - set(Task.model_fields)
    for line in public["tasks.jsonl"].splitlines():
        record = json.loads(line)
        assert set(record) == set(Task.model_fields)
        assert not {f'"{field}":' for field in fields} & set(line.split())
        for field in fields | {"twin", "alternative", "stale", "evidence", "mechanism"}:
            assert f'"{field}"' not in line
        assert "twin" not in line
    assert "answer" not in public["manifest.json"]
    ids = {k.id for k in keys}
    assert not any(i in public["README.md"] or i in public["manifest.json"] for i in ids)


def test_manifest_of_a_pair_build_names_the_option_only(built: Path) -> None:
    manifest = read_json(built / "manifest.json")
    assert manifest["spec"].pop("twins") is True
    # A count of candidates that had no twin says nothing of any task.
    manifest["counts"]["rejections"].pop("twin", None)
    assert "twin" not in json.dumps(manifest)
    assert "twin" not in (built / "README.md").read_text(encoding="utf-8").lower()


def test_every_released_task_can_be_derived_and_scored(built: Path) -> None:
    loaded = load_build(built)
    assert audit_build(loaded) == []
    for condition in ("full", "user-only"):
        replies = []
        for task in loaded.tasks:
            kit = shop("zh").kit(loaded.key(task.id).factors.world)
            messages = show_messages(task.messages, condition, task.lang)
            text = respond("oracle", shop("zh").mode, kit, messages, task.id)
            replies.append(Reply(task_id=task.id, condition=condition, reply=text))
        summary = score_replies(loaded, replies).summary
        assert (summary["iii"]["strict"], summary["iii"]["importance"]) == (1.0, 1.0), condition


def test_pool_reads_every_audited_candidate(built: Path) -> None:
    assert len(load_build(built, pool=True).tasks) >= len(load_build(built).tasks)


# The same bytes -----------------------------------------------------------------------------


def digests(folder: Path) -> dict[str, str]:
    return {name: sha256_of(folder / name) for name in (*FILES, "manifest.json")}


def test_bytes_do_not_depend_on_workers_or_hash_seed(tmp_path: Path) -> None:
    """Two processes with other hash seeds, one of them with two workers over two shards."""
    common = ("build", "--mode", "iii", "--n", 3, "--pool", 10, "--seed", SEED, "--quiet")
    one = gen_apart(*common, "--workers", 1, "--out", tmp_path / "one", hash_seed=1)
    two = gen_apart(*common, "--workers", 2, "--out", tmp_path / "elsewhere" / "two", hash_seed=2)
    assert (one.code, two.code) == (0, 0), one.err + two.err
    assert digests(tmp_path / "one") == digests(tmp_path / "elsewhere" / "two")


def test_bytes_do_not_depend_on_what_was_built_before(built: Path, tmp_path: Path) -> None:
    build(tmp_path / "again", n=3, pool=5, twins=True)
    assert digests(tmp_path / "again") == digests(built)
    assert compare_manifests(read_json(built / "manifest.json"), read_json(tmp_path / "again" / "manifest.json")) == []


@pytest.mark.parametrize("lang", LANGS)
def test_neighbouring_seeds_share_no_state(lang: Lang) -> None:
    spec = Spec(mode="iii", lang=lang, n=4, pool=4)
    found = [
        {state_digest(c.key()) for n in range(4) for c in run_index(shop(lang), spec, seed, n).candidates}
        for seed in (SEED, SEED + 1, SEED + 2)
    ]
    assert all(found)
    assert not found[0] & found[1] and not found[1] & found[2] and not found[0] & found[2]


def test_candidate_does_not_depend_on_the_size_of_its_pool() -> None:
    small, large = (Spec(mode="iii", lang="zh", n=1, pool=p) for p in (2, 11))
    first = [next(iter(run_pool(s, SEED, Sources(), 1, lambda done: None))) for s in (small, large)]
    assert first[0].tasks == first[1].tasks


def test_fresh_seed_is_another_each_time(tmp_path: Path) -> None:
    spec = Spec(mode="iii", lang="zh", n=1, pool=1)
    commitments = {make_build(spec, tmp_path / f"b{n}").seed_commitment for n in range(2)}
    assert len(commitments) == 2
    seeds = {int(read_json(tmp_path / f"b{n}" / "private" / "secret.json")["seed"]) for n in range(2)}
    assert all(s.bit_length() > 90 for s in seeds)


# Tampering ----------------------------------------------------------------------------------


@pytest.mark.parametrize("name", FILES)
def test_altered_file_is_found_by_its_digest(built: Path, tmp_path: Path, name: str) -> None:
    spoilt = copy_of(built, tmp_path / "spoilt")
    (spoilt / name).write_bytes((spoilt / name).read_bytes() + b"\n")
    assert [f.where for f in check_digests(load_build(spoilt))] == [name]


def test_missing_file_is_found(built: Path, tmp_path: Path) -> None:
    spoilt = copy_of(built, tmp_path / "spoilt")
    (spoilt / "README.md").unlink()
    found = check_digests(load_build(spoilt))
    assert [(f.audit, f.where, f.what) for f in found] == [("digest", "README.md", "the file is missing")]


def test_task_twice_in_a_file_is_refused(built: Path, tmp_path: Path) -> None:
    spoilt = copy_of(built, tmp_path / "spoilt")
    lines = (spoilt / "tasks.jsonl").read_text(encoding="utf-8").splitlines(keepends=True)
    (spoilt / "tasks.jsonl").write_text("".join([*lines, lines[0]]), encoding="utf-8")
    with pytest.raises(GenError, match="two tasks have the id"):
        load_build(spoilt)


# Files --------------------------------------------------------------------------------------


def test_lines_may_end_as_windows_ends_them(tmp_path: Path) -> None:
    task = Task(id="a", mode="iii", lang="zh", messages=(), instance_id="b")
    text = "\ufeff" + task.model_dump_json() + "\r\n\r\n" + task.model_copy(update={"id": "c"}).model_dump_json()
    (tmp_path / "t.jsonl").write_bytes(text.encode())
    assert [t.id for t in read_lines(tmp_path / "t.jsonl", Task)] == ["a", "c"]


def test_line_separators_inside_a_text_do_not_end_a_line(tmp_path: Path) -> None:
    task = Task(id="a\u2028b\x85c", mode="iii", lang="zh", messages=(), instance_id="b")
    (tmp_path / "t.jsonl").write_text(task.model_dump_json() + "\n", encoding="utf-8")
    assert read_lines(tmp_path / "t.jsonl", Task) == [task]


@pytest.mark.parametrize("content", [b"{", b"[]", b"\xff\xfe", b""])
def test_broken_json_names_the_file(tmp_path: Path, content: bytes) -> None:
    (tmp_path / "m.json").write_bytes(content)
    with pytest.raises(GenError) as caught:
        read_json(tmp_path / "m.json")
    assert "m.json" in caught.value.where
    assert caught.value.code is ExitCode.CONTENT


def test_folder_takes_its_place_whole_or_not_at_all(tmp_path: Path) -> None:
    with pytest.raises(RuntimeError), fresh_folder(tmp_path / "out", force=False) as folder:
        write_text(folder / "a", "half")
        raise RuntimeError
    assert left_behind(tmp_path) == []
    with fresh_folder(tmp_path / "out", force=False) as folder:
        write_text(folder / "a", "whole")
    with pytest.raises(GenError) as caught, fresh_folder(tmp_path / "out", force=False):
        raise AssertionError
    assert caught.value.code is ExitCode.USAGE
    with pytest.raises(RuntimeError), fresh_folder(tmp_path / "out", force=True) as folder:
        write_text(folder / "a", "newer")
        raise RuntimeError
    assert (tmp_path / "out" / "a").read_text() == "whole"
    with fresh_folder(tmp_path / "out", force=True) as folder:
        write_text(folder / "b", "newest")
    assert left_behind(tmp_path / "out") == ["b"]
    assert left_behind(tmp_path) == ["out"]


def test_workers_are_one_to_four() -> None:
    assert 1 <= default_workers() <= 4
