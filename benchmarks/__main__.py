"""Measure the figures of the design that apply, and show where time goes.

    python -m benchmarks [--quick]

Times are medians; `units` are multiples of a calibration loop (a fixed piece of pure Python)
timed in the same run, so that runs on different or busy machines can be compared.
"""

from __future__ import annotations

import argparse
import cProfile
import io
import pstats
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from statistics import median

from generator.audit import Case, audit_case
from generator.modes.protocol import RedrawError, exchanges_of
from generator.stages.candidate import Candidate, make_candidate
from generator.stages.pipeline import Workshop, open_workshop
from generator.stages.s1_anchor import Settings, anchor_of

GEN = [sys.executable, "-c", "from generator.cli import main; main()"]


def calibrate() -> float:
    """Return the seconds of the calibration loop: dictionary, string and integer work."""
    started = time.perf_counter()
    table: dict[str, int] = {}
    for n in range(200_000):
        key = str(n % 997)
        table[key] = table.get(key, 0) + n
    return time.perf_counter() - started


def timed(work: Callable[[], object], times: int) -> float:
    """Return the median seconds of a piece of work."""
    found = []
    for _ in range(times):
        started = time.perf_counter()
        work()
        found.append(time.perf_counter() - started)
    return median(found)


def make_many(shop: Workshop, settings: Settings, count: int, seed: int) -> list[Candidate]:
    """Return candidates without audits: stages 1 to 5."""
    made = []
    for number in range(count):
        anchor = anchor_of(shop.mode, shop.kits, seed, number, settings)
        try:
            made.append(make_candidate(shop.mode, anchor, shop.topics[anchor.kit.id], seed))
        except RedrawError:
            continue
    return made


def measure_language(lang: str, count: int, unit: float) -> None:
    """Print reading speed, first-draw acceptance, and stages with and without audits."""
    shop = open_workshop("iii", lang, "eval")
    settings = Settings(turns=14, distractors=16)
    make_many(shop, settings, 4, 1)
    started = time.perf_counter()
    made = make_many(shop, settings, count, 2)
    plain = (time.perf_counter() - started) / count
    turns = sum(len(c.dialogue.turns) for c in made)
    redraws = sum(c.dialogue.redraws for c in made)
    texts = [[m.content for m in c.messages if m.role == "user"] for c in made]
    readers = [c.kit.voice.speech.reader for c in made]
    fresh = timed(lambda: [r._read(t) for r, ts in zip(readers, texts, strict=True) for t in ts], 3) / sum(
        map(len, texts)
    )
    for candidate in made:
        exchanges_of(candidate.kit, candidate.messages)
    cached = timed(lambda: [r.read(t) for r, ts in zip(readers, texts, strict=True) for t in ts], 3) / sum(
        map(len, texts)
    )
    started = time.perf_counter()
    clean = 0
    for c in made:
        clean += not audit_case(Case(shop.mode, c.kit, c.task(), c.key(), shop.policy))
    audited = (time.perf_counter() - started) / len(made)
    row(f"{lang}: stages 1-5, 30 turns", plain, unit, f"{1 / plain:.0f} tasks/s a core (wanted: 300)")
    row(f"{lang}: with every audit", plain + audited, unit, f"{1 / (plain + audited):.0f} tasks/s a core (wanted: 10)")
    row(f"{lang}: read 30 user turns, uncached", 30 * fresh, unit, "wanted: 2.5 ms")
    row(f"{lang}: read 30 user turns, cached", 30 * cached, unit, "wanted: 10 µs")
    print(f"  {lang}: turns accepted at first draw {100 * (1 - redraws / max(1, turns)):.1f} % (wanted: 98 %)")
    print(f"  {lang}: candidates that pass every audit at the first attempt {100 * clean / len(made):.1f} %")


def row(what: str, seconds: float, unit: float, note: str) -> None:
    """Print one figure."""
    print(f"  {what:<44} {seconds * 1000:>9.3f} ms  {seconds / unit:>9.4f} units  {note}")


def measure_commands(unit: float, n: int) -> None:
    """Print the time of whole commands."""
    row(
        "gen --help",
        timed(lambda: subprocess.run([*GEN, "--help"], check=True, capture_output=True), 5),
        unit,
        "wanted: 400 ms",
    )
    with tempfile.TemporaryDirectory() as scratch:
        out = str(Path(scratch) / "demo")
        command = [*GEN, "build", "--mode", "iii", "--n", str(n), "--out", out, "--quiet", "--seed", "1"]
        started = time.perf_counter()
        subprocess.run(command, check=True, capture_output=True)
        row(f"gen build --mode iii --n {n}", time.perf_counter() - started, unit, "wanted: 10 s for 50")


def profile(lang: str, count: int) -> None:
    """Print where the time of making and auditing candidates goes."""
    shop = open_workshop("iii", lang, "eval")
    profiler = cProfile.Profile()
    profiler.enable()
    for c in make_many(shop, Settings(), count, 3):
        audit_case(Case(shop.mode, c.kit, c.task(), c.key(), shop.policy))
    profiler.disable()
    text = io.StringIO()
    pstats.Stats(profiler, stream=text).sort_stats("tottime").print_stats(14)
    lines = [line for line in text.getvalue().splitlines() if line.strip()]
    print("\n".join(f"  {line}" for line in lines[4:]))


def main() -> None:
    """Run all measurements."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--quick", action="store_true", help="fewer repetitions")
    quick = parser.parse_args().quick
    unit = median(calibrate() for _ in range(5))
    print(f"calibration loop: {unit * 1000:.1f} ms = 1 unit")
    measure_commands(unit, 10 if quick else 50)
    for lang in ("zh", "en"):
        measure_language(lang, 30 if quick else 200, unit)
        print(f"  {lang}: where the time goes")
        profile(lang, 20 if quick else 60)
    unit_after = median(calibrate() for _ in range(5))
    print(f"calibration loop at the end: {unit_after * 1000:.1f} ms")


if __name__ == "__main__":
    main()
