"""Runs that are killed, and runs that are long: slow, each in processes of its own."""

from __future__ import annotations

import json
import os
import random
import signal
import sqlite3
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from support.builds import build
from support.runs import kept

from generator.runner import load_run
from generator.runner.schema import STORE, connect

pytestmark = pytest.mark.slow

TESTS = Path(__file__).resolve().parent
KILLS = 5
AT_ONCE = 16

SERVER = """
import asyncio, json, sys
from hashlib import sha256
from pathlib import Path
from generator.endpoints import ROLL_HEADER
from generator.engine.loaded import load_build
from generator.runner.mock import Faults, Mock
from generator.runner.mock_server import serve_until_stopped
folder, log, latency = Path(sys.argv[1]), open(sys.argv[2], "a", buffering=1), float(sys.argv[3])
mock = Mock(load_build(folder), Faults(
    error_rate=0.05, rate_limit=0.03, hangup=0.01, cut=0.01, malformed=0.01, truncate=0.1, refusal=0.03, empty=0.03,
    retry_after_s=0.05,
))
plain = mock.answer
def answer(body, headers):
    spoken = plain(body, headers)
    good = spoken.status == 200 and spoken.end == "whole" and spoken.body.endswith(b"}")
    log.write(json.dumps([sha256(body).hexdigest(), headers.get(ROLL_HEADER), good]) + "\\n")
    return spoken
mock.answer = answer
asyncio.run(serve_until_stopped(mock, 0, latency, lambda url: print(url, flush=True)))
"""

RUN = """
import sys
from pathlib import Path
from generator.cli.running import run
folder, url, out, condition, rolls, at_once = sys.argv[1:]
sys.exit(run(
    Path(folder), "sim/noisy-30", Path(out), base_url=url, condition=condition, rolls=int(rolls),
    concurrency=int(at_once), quiet=True, as_json=True,
))
"""


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Path:
    out = tmp_path_factory.mktemp("crash") / "build"
    build(out, n=20, pool=22)
    return out


@pytest.fixture
def server(built: Path, tmp_path: Path) -> Iterator[tuple[str, Path]]:
    log = tmp_path / "requests.log"
    command = [sys.executable, "-c", SERVER, str(built), str(log), "100"]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
    assert process.stdout is not None
    yield process.stdout.readline().strip(), log
    process.terminate()
    process.communicate(timeout=20)


def start(*arguments: object) -> subprocess.Popen[str]:
    env = {name: value for name, value in os.environ.items() if name != "OPENAI_API_KEY"}
    command = [sys.executable, "-c", RUN, *map(str, arguments)]
    return subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=env)


def good_answers(log: Path) -> Counter[tuple[str, str]]:
    rows = [json.loads(line) for line in log.read_text(encoding="utf-8").splitlines()]
    return Counter((digest, roll) for digest, roll, good in rows if good)


def killed(process: subprocess.Popen[str], store: Path, session: int, rng: random.Random) -> bool:
    """Kill a run at a random moment after its first intent; False if it ended before."""
    while process.poll() is None:
        if store.exists():
            with closing(sqlite3.connect(store)) as link:
                try:
                    (calls,) = link.execute("SELECT count(*) FROM calls WHERE session = ?", (session,)).fetchone()
                except sqlite3.OperationalError:
                    calls = 0
            if calls:
                break
        time.sleep(0.01)
    time.sleep(rng.uniform(0.0, 0.5))
    is_running = process.poll() is None
    process.send_signal(signal.SIGKILL)
    process.communicate()
    return is_running


@pytest.mark.parametrize(("condition", "rolls"), [("full", 24), ("own", 1)])
def test_five_kills_change_nothing(
    built: Path, server: tuple[str, Path], tmp_path: Path, condition: str, rolls: int
) -> None:
    url, log = server
    rng = random.Random(condition)
    calm, torn = tmp_path / "calm", tmp_path / "torn"
    asked: tuple[Any, ...] = (condition, rolls, AT_ONCE)
    out, err = (process := start(built, url, calm, *asked)).communicate(timeout=240)
    assert process.returncode == 0, out + err
    needed = good_answers(log)
    assert set(needed.values()) == {1}
    log.write_text("", encoding="utf-8")

    kills = sum(killed(start(built, url, torn, *asked), torn / STORE, n, rng) for n in range(1, KILLS + 1))
    assert kills == KILLS
    assert load_run(torn).about["counts"]["pending"] > 0
    out, err = (process := start(built, url, torn, *asked)).communicate(timeout=240)
    assert process.returncode == 0, out + err

    assert kept(load_run(torn)) == kept(load_run(calm))
    for name in ("replies.jsonl", "results.jsonl"):
        assert (torn / name).read_bytes() == (calm / name).read_bytes()
    about, before = load_run(torn).about, load_run(calm).about
    assert about["counts"]["planned"] == about["counts"]["scored"] == before["counts"]["scored"]
    assert about["usage"] == before["usage"]
    assert about["sessions"] == KILLS + 1
    with closing(connect(torn / STORE)) as link:
        twice = link.execute(
            "SELECT count(*) FROM (SELECT 1 FROM calls WHERE status = 'answered' GROUP BY job, turn, round "
            "HAVING count(*) > 1)"
        ).fetchone()[0]
        flying = dict(link.execute("SELECT session, count(*) FROM calls WHERE ended IS NULL GROUP BY session"))
    assert twice == 0  # no call whose answer was there was made again
    assert all(count <= AT_ONCE + AT_ONCE // 4 for count in flying.values())  # a few waited for their turn
    made = good_answers(log)
    assert set(made) == set(needed)
    assert sum(made.values()) - len(made) <= sum(flying.values()) == about["counts"]["lost"]


LONG = """
import json, re, resource, sys, time
from contextlib import nullcontext
from pathlib import Path
from support.runs import memory_build, plan_of
from generator.endpoints import Completion, Status, Usage
from generator.runner import Options, load_run, run_session
rolls, out = int(sys.argv[1]), Path(sys.argv[2])
def peak():
    # a child's ru_maxrss starts at what its parent held; VmHWM counts this process only
    status = Path("/proc/self/status")
    if status.exists():
        return int(re.search(r"VmHWM:\\s+(\\d+)", status.read_text())[1]) / 1024
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / (2**20 if sys.platform == "darwin" else 1024)
marks, count = [], 0
class Quick:
    async def answer(self, task, roll, messages, *, is_final):
        global count
        count += 1
        if count % 5000 == 0:
            marks.append(round(peak()))
        text = f"| 品名 | 数量 |\\n| --- | --- |\\n| 显示器 | {roll} 台 |\\n" * 2
        return Completion(Status.OK, text, finish_reason="stop", usage=Usage(input=3000, cached=0, output=900))
started, cpu = time.perf_counter(), time.process_time()
session = run_session(
    plan_of(rolls=rolls, n=4), out, Options(concurrency=64), opening=lambda: nullcontext(Quick())
)
seen = sum(1 for _ in load_run(out).rows())
print(json.dumps({
    "marks": marks, "peak": round(peak()), "seen": seen, "code": int(session.code), "cpu": time.process_time() - cpu,
    "seconds": time.perf_counter() - started, "mib": round((out / "run.sqlite").stat().st_size / 2**20),
}))
"""


def test_memory_is_flat_over_100_000_replies(tmp_path: Path) -> None:
    rolls = int(os.environ.get("TURNPROOF_LONG_ROLLS", "25000"))
    done = subprocess.run(
        [sys.executable, "-c", LONG, str(rolls), str(tmp_path / "r")], capture_output=True, text=True, check=True,
        env={**os.environ, "PYTHONPATH": str(TESTS)}, timeout=900,
    )  # fmt: skip
    found = json.loads(done.stdout)
    print(found)
    assert found["seen"] == 4 * rolls
    assert found["code"] == 0
    assert found["peak"] < 500
    assert found["peak"] - found["marks"][0] < 120
