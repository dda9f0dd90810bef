"""Travel instances a second and core, per task, as multiples of the calibration loop; ratios to the original beside.

    python -m benchmarks.travel [--quick]

An instance is drawn, answered twice, put into words, frozen, and told isolated and as a dialogue; no audits.
"""

from __future__ import annotations

import argparse
import time
from statistics import median

from benchmarks.__main__ import calibrate
from generator.records import Lang
from generator.stages.pipeline import Spec
from generator.stages.travel import draw_index, open_travel, records_of, run_travel, shapes_of
from generator.travel.options import TravelOptions
from generator.travel.scene import RedrawError
from generator.travel.setups import SETUPS
from generator.travel.tasks import known_tasks

WANTED = 500
# Examples a second of the original generator, in process, on two shared cores; its frequency task on stand-in data.
ORIGINAL = {
    "ticket-price": 25, "booking-price": 200, "sunset-train": 25, "opening-hours": 57, "frequency": 1.7,
    "direction": 56, "distance": 64, "walking-order": 88,
}  # fmt: skip
BOTH = ("isolated", "dialogue")


def per_second(lang: Lang, task: str, count: int, seed: int) -> float:
    """Return instances a second of processor time, worlds being made already."""
    shop = open_travel(lang, "eval")
    spec = Spec(mode="travel", lang=lang, n=1, pool=1, travel=TravelOptions(tasks=(task,)))
    draw_index(shop, spec, seed, 0)
    started = time.process_time()
    for index in range(count):
        try:
            instance, stage = draw_index(shop, spec, seed, index)
        except RedrawError:
            continue
        records_of(instance, stage, shapes_of(shop, instance, stage, BOTH), spec, seed, index)
    return count / (time.process_time() - started)


def audited_per_second(lang: Lang, count: int, seed: int) -> float:
    """Return instances a second in every setup with every audit."""
    shop = open_travel(lang, "eval")
    spec = Spec(mode="travel", lang=lang, n=1, pool=1, travel=TravelOptions(setups=tuple(SETUPS)))
    run_travel(shop, spec, seed, 0)
    started = time.process_time()
    for index in range(count):
        run_travel(shop, spec, seed, index)
    return count / (time.process_time() - started)


def measure(count: int) -> None:
    """Print all figures."""
    unit = median(calibrate() for _ in range(5))
    print(f"calibration loop: {unit * 1000:.1f} ms = 1 unit; wanted: {WANTED} instances/s a core")
    langs: tuple[Lang, ...] = ("zh", "en")
    for lang in langs:
        for task in known_tasks():
            rate = median(per_second(lang, task.name, count, seed) for seed in (1, 2, 3))
            ratio = rate / ORIGINAL[task.name] if task.name in ORIGINAL else 0.0
            print(
                f"  {lang} {task.name:<14} {rate:>6.0f} instances/s  {1 / rate / unit:>8.4f} units an instance"
                f"  {ratio:>6.0f} times the original"
            )
        print(f"  {lang} all setups, all audits {audited_per_second(lang, count, 4):>6.0f} instances/s a core")


def main() -> None:
    """Run."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--quick", action="store_true", help="fewer repetitions")
    measure(40 if parser.parse_args().quick else 200)


if __name__ == "__main__":
    main()
