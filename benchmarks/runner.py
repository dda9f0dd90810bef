"""Requests per second and CPU per request of whole runs, beside a bare aiohttp loop and bare `AsyncOpenAI`.

    python -m benchmarks.runner [--quick] [--width N …] [--latency MS …] [--out FOLDER]

The same work for all: 30-message Chinese dialogues of 7 KB, answered by a server in a process of its own with the
sheet that the request wants, after 0 and 200 ms. A run is measured from its plan to its last file: store, scoring,
progress bar and exports included, after one small run that loads everything. CPU is that of the calling process, all
threads. `--out` says on which disk the stores lie: a commit waits for it.
"""

from __future__ import annotations

import argparse
import asyncio
import io
import json
import multiprocessing
import tempfile
import time
from contextlib import redirect_stderr
from pathlib import Path
from random import Random

from benchmarks.__main__ import make_many
from benchmarks.endpoints import MESSAGES, USAGE, Figure, bare_aiohttp, bare_package, measure
from benchmarks.serving import serve
from generator.cli.running import _progress
from generator.endpoints import Configuration
from generator.engine.loaded import Build
from generator.records import Message
from generator.respondents import respond
from generator.runner import Options, make_plan, run_session
from generator.stages.pipeline import Spec, open_workshop
from generator.stages.s1_anchor import Settings

ROLLS = 4
WANTED_CPU_MS, WANTED_SHARE, WANTED_RATE = 3.0, 0.7, 250


class Terminal(io.StringIO):
    """A terminal that nobody looks at: the progress bar is drawn."""

    def isatty(self) -> bool:
        """Claim to be one."""
        return True


def make_build(n: int) -> tuple[Build, str]:
    """Return a build of `n` tasks with the dialogue of the other measurements, and the right reply to the first."""
    shop = open_workshop("iii", "zh", "eval")
    made = make_many(shop, Settings(turns=8, distractors=7), 1, 5)[0]
    reply = respond("oracle", shop.mode, made.kit, made.messages, "first")
    messages = tuple(Message.model_validate(m) for m in [*MESSAGES[:-1], {**MESSAGES[-1], "role": "user"}])
    tasks, keys = [], {}
    for nth in range(n):
        name = f"{Random(nth).getrandbits(64):016x}"
        tasks.append(made.task().model_copy(update={"id": name, "messages": messages}))
        keys[name] = made.key().model_copy(update={"id": name})
    spec = Spec(mode="iii", lang="zh", n=n, pool=n)
    return Build(Path("benchmark"), {"seed_commitment": "none"}, spec, tuple(tasks), keys), reply


def body_of(reply: str) -> str:
    """Return the body of a chat completion that says `reply`."""
    choice = {"index": 0, "finish_reason": "stop", "message": {"role": "assistant", "content": reply}}
    return json.dumps(
        {"id": "c", "object": "chat.completion", "created": 1, "model": "m", "choices": [choice], "usage": USAGE}
    )


def measure_run(url: str, width: int, count: int, build: Build, home: Path) -> Figure:
    """Return the figures of a run of `count` replies."""
    some = Build(build.folder, build.manifest, build.spec, build.tasks[: count // ROLLS], build.keys)
    made = Configuration(name="m", model="m", base_url=url, concurrency=width, settings={"temperature": 0})
    plan = make_plan(some, "m", made, ["full"], ROLLS)
    with tempfile.TemporaryDirectory(dir=home) as scratch:
        started, used = time.perf_counter(), time.process_time()
        with redirect_stderr(Terminal()), _progress("benchmark", quiet=False) as watch:
            session = run_session(plan, Path(scratch) / "run", Options(concurrency=width), watch=watch)
        seconds, used = time.perf_counter() - started, time.process_time() - used
    assert session.view.about["counts"]["scored"] == len(some.tasks) * ROLLS, session.outcome
    assert session.summary["iii"]["strict"] == 1.0
    done = len(some.tasks) * ROLLS
    return Figure(done / seconds, 1000 * used / done)


def main() -> None:
    """Print one line for every way, latency and width, and whether the wanted figures are reached."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--quick", action="store_true", help="fewer requests")
    parser.add_argument("--out", type=Path, default=Path(tempfile.gettempdir()), help="where the stores lie")
    parser.add_argument("--width", type=int, nargs="*", default=[16, 64, 256], help="requests at once")
    parser.add_argument("--latency", type=int, nargs="*", default=[0, 200], help="milliseconds")
    asked = parser.parse_args()
    context = multiprocessing.get_context("spawn")
    build, reply = make_build(1280)
    for latency_ms in asked.latency:
        ours, theirs = context.Pipe(duplex=False)
        server = context.Process(target=serve, args=(theirs, latency_ms / 1000, body_of(reply)), daemon=True)
        server.start()
        url = f"http://127.0.0.1:{ours.recv()}/v1"
        measure_run(url, 4, 8, build, asked.out)
        for width in asked.width:
            count = (12 if asked.quick else 30) * min(width, 128) if latency_ms else (600 if asked.quick else 2000)
            bare = asyncio.run(measure(bare_aiohttp, url, width, count))
            show(latency_ms, width, "bare aiohttp", bare, bare.rate)
            show(latency_ms, width, "gen run", measure_run(url, width, count, build, asked.out), bare.rate)
            few = count // 4
            show(latency_ms, width, "bare AsyncOpenAI", asyncio.run(measure(bare_package, url, width, few)), bare.rate)
        server.terminate()
        server.join()


def show(latency_ms: int, width: int, name: str, figure: Figure, bare: float) -> None:
    """Print one line."""
    verdict = ""
    if name == "gen run":
        is_share = (latency_ms, width) == (200, 64)
        is_fast = figure.rate >= WANTED_SHARE * bare if is_share else figure.rate >= min(WANTED_RATE, 0.7 * bare)
        wanted = f"{WANTED_SHARE:.0%} of bare" if is_share else f"{WANTED_RATE}/s, or 70 % of bare if that is less"
        is_cheap = figure.cpu_ms <= WANTED_CPU_MS
        verdict = f"  {'reached' if is_fast else 'MISSED'}: {wanted}; {'reached' if is_cheap else 'MISSED'}: 3 ms"
    print(
        f"{latency_ms:>4} ms x {width:<3}  {name:<17} {figure.rate:>6.0f} requests/s  {figure.rate / bare:>5.0%} of "
        f"bare  {figure.cpu_ms:.2f} ms CPU a request{verdict}",
        flush=True,
    )


if __name__ == "__main__":
    main()
