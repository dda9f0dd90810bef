"""The store: what is in it after crashes, quarrels and odd text."""

from __future__ import annotations

import asyncio
import json
import os
import signal
import sqlite3
import subprocess
import sys
import time
from contextlib import closing
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from generator.errors import ExitCode, GenError
from generator.records import Reply, Result, Verdict
from generator.runner import load_run
from generator.runner.schema import STORE, connect, to_json, whole
from generator.runner.store import Call, Job, Step, Store, open_store

SPEC = {"model": "m", "settings": {"temperature": 0}, "tasks": "d"}
ABOUT: dict[str, Any] = {"model": "m", "conditions": ["full"], "rolls": 2}
JOBS = [(0, "a", "iii", "full", 1), (0, "a", "iii", "full", 2), (1, "b", "iii", "full", 1), (1, "b", "iii", "full", 2)]
TEXT = st.text(st.characters(codec=None), max_size=60)
ODD = ["\ud83d", "\ude00\ud83d", "nul \0 nul", "\u202e", "字" * 200_000, "", "\r\n\u2028", '"\\']


def result_of(job: Job) -> Result:
    return Result(
        task_id=job.task_id, roll=job.roll, condition=job.condition, status="ok", items={"i": Verdict.HIT},
        importance=1.0, strict=1, importance_upper=1.0,
    )  # fmt: skip


def tried(store: Store, job: Job) -> int:
    return store.calls_of(job).get(Step(0, 0), Call(0, None)).attempts


async def answer(store: Store, job: Job, text: str) -> None:
    call = await store.intend(job, Step(0, 0), tried(store, job) + 1, is_final=True)
    usage = {"input": 10, "output": 5}
    body = {"status": "ok", "text": text}
    store.record(call, "answered", body, seconds=0.5, tries=2, usage=usage, cost=Decimal("0.001"))
    reply = Reply(task_id=job.task_id, roll=job.roll, condition=job.condition, reply=whole(text))
    await store.finish(job, reply, result_of(job))


def opened(folder: Path, spec: dict[str, Any] = SPEC, **more: Any) -> Any:
    return open_store(folder, spec, {**ABOUT, **more.pop("about", {})}, more.pop("jobs", JOBS), **more)


# Text -----------------------------------------------------------------------------------------


@pytest.mark.parametrize("text", ODD, ids=range(len(ODD)))
def test_odd_text_survives(tmp_path: Path, text: str) -> None:
    with opened(tmp_path / "r") as store:
        job = next(store.open_jobs())
        asyncio.run(answer(store, job, text))
    row = next(load_run(tmp_path / "r").rows())
    assert row.reply is not None
    assert row.reply.reply == whole(text)
    assert len(row.reply.reply or "") <= len(text)
    with closing(connect(tmp_path / "r" / STORE)) as link:
        (body,) = link.execute("SELECT body FROM calls").fetchone()
    assert json.loads(body)["text"] == text  # as the server sent it, half surrogates and all


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=200, deadline=None)
@given(st.recursive(TEXT | st.none() | st.integers(), lambda s: st.lists(s) | st.dictionaries(TEXT, s), max_leaves=8))
def test_json_is_utf8_and_comes_back(value: Any) -> None:
    text = to_json(value)
    assert "\0" not in text
    text.encode()
    assert json.loads(text) == value
    json.dumps(whole(value), ensure_ascii=False).encode()


def test_whole_text_joins_pairs_and_replaces_halves() -> None:
    assert whole("\ud83d\ude00") == "\U0001f600"
    assert whole({"a": ["x\ud83dy"], "\udc00": 1}) == {"a": ["x\ufffdy"], "\ufffd": 1}


# Intents and answers ----------------------------------------------------------------------------


def test_an_intent_is_on_the_disk_before_the_call(tmp_path: Path) -> None:
    async def look(store: Store) -> list[tuple[Any, ...]]:
        await store.intend(next(store.open_jobs()), Step(3, 1), 2, is_final=False)
        with closing(sqlite3.connect(tmp_path / "r" / STORE)) as other:
            return list(other.execute("SELECT turn, round, attempt, final, ended FROM calls"))

    with opened(tmp_path / "r") as store:
        assert asyncio.run(look(store)) == [(3, 1, 2, 0, None)]
        with closing(connect(tmp_path / "r" / STORE)) as link:
            assert link.execute("PRAGMA journal_mode").fetchone() == ("wal",)
        assert store._link.execute("PRAGMA synchronous").fetchone() == (2,)
    assert load_run(tmp_path / "r").about["counts"]["lost"] == 1


def test_what_is_done_is_not_open_again_and_answers_come_back(tmp_path: Path) -> None:
    with opened(tmp_path / "r") as store:
        asyncio.run(answer(store, next(store.open_jobs()), "一"))
    with opened(tmp_path / "r") as store:
        assert [(j.task_id, j.roll) for j in store.open_jobs()] == [("a", 2), ("b", 1), ("b", 2)]
        job = next(store.open_jobs())

        async def two_steps() -> None:
            call = await store.intend(job, Step(0, 0), 1, is_final=False)
            body = {"status": "ok", "text": "二"}
            store.record(call, "answered", body, seconds=1, tries=1, usage=None, cost=None)
            await store.intend(job, Step(1, 0), 1, is_final=True)

        asyncio.run(two_steps())
        found = store.calls_of(job)
    assert found[Step(0, 0)] == (1, {"status": "ok", "text": "二"})
    assert found[Step(1, 0)] == (1, None)


def test_jobs_come_in_order_across_pages(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("generator.runner.store.PAGE", 3)
    jobs = [(p, f"t{p}", "iii", c, r) for p in range(4) for c in ("own", "full") for r in (3, 1, 2)]
    with opened(tmp_path / "r", jobs=jobs) as store:
        found = [(j.place, j.condition, j.roll) for j in store.open_jobs()]
    assert found == [(p, c, r) for p in range(4) for c in ("full", "own") for r in (1, 2, 3)]


def test_many_wishes_share_a_commit(tmp_path: Path) -> None:
    async def crowd(store: Store) -> float:
        jobs = list(store.open_jobs())
        started = time.perf_counter()
        await asyncio.gather(*(store.intend(jobs[n % 4], Step(n, 0), 1, is_final=True) for n in range(400)))
        return time.perf_counter() - started

    commits: list[str] = []
    with opened(tmp_path / "r") as store:
        store._link.set_trace_callback(lambda sql: commits.append(sql) if sql == "COMMIT" else None)
        seconds = asyncio.run(crowd(store))
    assert len(commits) <= 8
    assert seconds < 2


def test_a_store_that_cannot_be_written_says_so(tmp_path: Path) -> None:
    async def fail(store: Store) -> None:
        store._link.execute("PRAGMA query_only=ON")
        await store.intend(next(store.open_jobs()), Step(0, 0), 1, is_final=True)

    with pytest.raises(GenError) as caught, opened(tmp_path / "r") as store:
        asyncio.run(fail(store))
    assert caught.value.code == ExitCode.MACHINE
    assert "cannot be written" in caught.value.what


def test_a_fault_of_ours_is_told_and_hangs_nobody(tmp_path: Path) -> None:
    async def twice(store: Store) -> None:
        job = next(store.open_jobs())
        for _ in range(2):
            await store.intend(job, Step(0, 0), 1, is_final=True)

    with pytest.raises(GenError, match="a fault of ours") as caught, opened(tmp_path / "r") as store:
        asyncio.run(twice(store))
    assert caught.value.code == ExitCode.BUG


Act = tuple[str, int]


async def act(store: Store, job: Job, what: str) -> None:
    if what == "answer":
        await answer(store, job, f"{job.task_id}{job.roll}")
        return
    call = await store.intend(job, Step(0, 0), tried(store, job) + 1, is_final=True)
    if what == "fail":
        store.record(call, "timeout", {"status": "timeout"}, seconds=1.0, tries=7, usage=None, cost=None)
        await store.finish(job, None, None, "timeout: \0 \ud83d")


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=10, deadline=None)
@given(
    acts=st.lists(st.tuples(st.sampled_from(["answer", "intend", "fail"]), st.integers(0, 3)), max_size=8),
    cut=st.floats(0, 1),
)
def test_a_store_cut_short_anywhere_holds_a_beginning_of_what_was_done(
    tmp_path_factory: pytest.TempPathFactory, acts: list[Act], cut: float
) -> None:
    """What is committed is there after power fails; a log that is torn loses its end, never its sense."""
    home = tmp_path_factory.mktemp("cut")
    done: list[int] = []
    with opened(home / "r") as store:
        jobs = list(store.open_jobs())
        for what, nth in acts:
            if nth in done:
                continue
            asyncio.run(act(store, jobs[nth], what))
            done += [nth] if what == "answer" else []
        for name, share in (("whole", 1.0), ("torn", cut)):
            (home / name).mkdir()
            for part in (STORE, f"{STORE}-wal"):
                (home / name / part).write_bytes((home / "r" / part).read_bytes())
            with (home / name / f"{STORE}-wal").open("r+b") as log:
                log.truncate(int(share * (home / name / f"{STORE}-wal").stat().st_size))
    with opened(home / "whole") as store:
        assert [j.id for j in store.open_jobs()] == [j.id for n, j in enumerate(jobs) if n not in done]
        assert store.spent().lost == load_run(home / "r").about["counts"]["lost"]
    with opened(home / "torn") as store:
        left = {j.id for j in store.open_jobs()}
    found = {(r.task_id, r.roll): r for r in load_run(home / "torn").rows()}
    kept = [n for n in done if jobs[n].id not in left]
    assert kept == done[: len(kept)]
    for n in kept:
        row = found[jobs[n].task_id, jobs[n].roll]
        assert row.reply is not None
        assert row.reply.reply == f"{jobs[n].task_id}{jobs[n].roll}"
        assert row.result is not None
        assert row.cost == Decimal("0.001")


# Whose run it is --------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "change",
    [{"model": "n"}, {"settings": {"temperature": 1}}, {"tasks": "e"}, {"seed": 4}],
    ids=lambda c: next(iter(c)),
)
def test_another_run_is_refused_and_told_apart(tmp_path: Path, change: dict[str, Any]) -> None:
    with opened(tmp_path / "r") as store:
        asyncio.run(answer(store, next(store.open_jobs()), "一"))
    with pytest.raises(GenError) as caught, opened(tmp_path / "r", {**SPEC, **change}):
        pass
    name, value = next(iter(change.items()))
    assert caught.value.code == ExitCode.USAGE
    assert f"{name} was {SPEC.get(name)!r}, now {value!r}" in caught.value.what
    assert "--force" in caught.value.fix
    assert load_run(tmp_path / "r").about["counts"]["scored"] == 1
    with opened(tmp_path / "r", {**SPEC, **change}, force=True) as store:
        assert store.count() == {"open": 4, "done": 0, "failed": 0}
        assert not store.is_resumed


def test_more_rolls_and_conditions_join_a_run(tmp_path: Path) -> None:
    with opened(tmp_path / "r") as store:
        asyncio.run(answer(store, next(store.open_jobs()), "一"))
    more = [*JOBS, (0, "a", "iii", "own", 1), (0, "a", "iii", "full", 3)]
    with opened(tmp_path / "r", jobs=more, about={"conditions": ["own"], "rolls": 3}) as store:
        assert store.count()["open"] == 5
    about = load_run(tmp_path / "r").about
    assert (about["conditions"], about["rolls"], about["sessions"]) == (["full", "own"], 3, 2)


def test_a_folder_of_something_else_is_left_alone(tmp_path: Path) -> None:
    (tmp_path / "letters.txt").write_text("dear", encoding="utf-8")
    with pytest.raises(GenError) as caught, opened(tmp_path):
        pass
    assert caught.value.code == ExitCode.USAGE
    with opened(tmp_path, force=True):
        pass
    assert (tmp_path / "letters.txt").read_text(encoding="utf-8") == "dear"


def test_a_damaged_store_is_an_error_and_force_mends_it(tmp_path: Path) -> None:
    (tmp_path / STORE).write_bytes(b"SQLite format 3\0" + b"\7" * 5000)
    for act in (lambda: opened(tmp_path).__enter__(), lambda: load_run(tmp_path)):
        with pytest.raises(GenError, match=r"damaged|cannot be read"):
            act()
    with opened(tmp_path, force=True) as store:
        assert store.count()["open"] == 4


def test_no_run_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(GenError, match="gen run"):
        load_run(tmp_path)


HOLD = """
import sys, time
from pathlib import Path
from generator.runner.lock import hold_lock
with hold_lock(Path(sys.argv[1])):
    print("held", flush=True)
    time.sleep(60)
"""


def test_two_processes_refuse_politely_and_a_dead_one_is_no_hindrance(tmp_path: Path) -> None:
    holder = subprocess.Popen([sys.executable, "-c", HOLD, str(tmp_path)], stdout=subprocess.PIPE, text=True)
    try:
        assert holder.stdout is not None
        assert holder.stdout.readline() == "held\n"
        for force in (False, True):
            with pytest.raises(GenError) as caught, opened(tmp_path, force=force):
                pass
            assert caught.value.code == ExitCode.MACHINE
            assert str(holder.pid) in caught.value.what
    finally:
        holder.send_signal(signal.SIGKILL)
        holder.wait()
        holder.communicate()
    with opened(tmp_path) as store:
        assert store.count()["open"] == 4
        assert (tmp_path / "run.lock").read_text(encoding="ascii").strip() == str(os.getpid())


# What readers see -------------------------------------------------------------------------------


def test_the_view_tells_cost_use_and_order(tmp_path: Path) -> None:
    with opened(tmp_path / "r") as store:
        for job in list(store.open_jobs())[::-1]:
            if job.roll == 1:
                asyncio.run(answer(store, job, "好"))
    view = load_run(tmp_path / "r")
    rows = list(view.rows())
    assert [(r.task_id, r.roll, r.status) for r in rows] == [
        ("a", 1, "ok"), ("a", 2, "pending"), ("b", 1, "ok"), ("b", 2, "pending"),
    ]  # fmt: skip
    assert rows[0].usage == rows[0].usage_all == {"input": 10, "cached": 0, "output": 5, "reasoning": 0}
    assert rows[0].cost == rows[0].cost_all == Decimal("0.001")
    assert (rows[0].seconds, rows[0].attempts) == (0.5, 2)
    assert (rows[1].usage, rows[1].cost, rows[1].reply, rows[1].result) == (None, None, None, None)
    assert view.about["cost"] == {"final": "0.002", "all": "0.002"}
    assert view.about["usage"]["all"]["output"] == 10
    assert view.about["finished"] is None
    assert view.about["counts"] == {"planned": 4, "scored": 2, "failed": 0, "pending": 2, "calls": 2, "lost": 0}
