"""A pool is a set of shards; the content of a shard is a pure function of content, spec and number."""

from __future__ import annotations

import multiprocessing
import os
from collections.abc import Callable, Iterator
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from pathlib import Path
from typing import Any, NamedTuple

from generator.errors import ExitCode, GenError
from generator.stages.pipeline import Spec, open_workshop, run_index

SHARD = 8


class Made(NamedTuple):
    """What one index came to, as text: safe to hand between processes, the same for any worker."""

    number: int
    tasks: tuple[str, ...]
    keys: tuple[str, ...]
    rejections: tuple[dict[str, Any], ...]
    panel: tuple[float, ...]


def run_shard(spec: Spec, seed: int, overlay: str | None, first: int, count: int) -> list[Made]:
    """Return the outcomes of `count` indices from `first` on."""
    shop = open_workshop(spec.mode, spec.lang, spec.split, Path(overlay) if overlay else None)
    made = []
    for index in range(first, first + count):
        outcome = run_index(shop, spec, seed, index)
        made.append(
            Made(
                index,
                tuple(c.task().model_dump_json() for c in outcome.candidates),
                tuple(c.key().model_dump_json() for c in outcome.candidates),
                outcome.rejections,
                outcome.panel,
            )
        )
    return made


def run_pool(
    spec: Spec, seed: int, overlay: Path | None, workers: int, progress: Callable[[int], None]
) -> Iterator[Made]:
    """Yield the outcomes of all indices of a pool in order, whatever the number of workers.

    Raises:
        GenError: A worker died.
    """
    shards = [(first, min(SHARD, spec.pool - first)) for first in range(0, spec.pool, SHARD)]
    where = str(overlay) if overlay else None
    if workers <= 1:
        for first, count in shards:
            yield from run_shard(spec, seed, where, first, count)
            progress(count)
        return
    # Spawned, not forked: a worker then holds nothing but what it loads itself, on every platform.
    context = multiprocessing.get_context("spawn")
    with ProcessPoolExecutor(max_workers=min(workers, len(shards)), mp_context=context) as executor:
        futures = [executor.submit(run_shard, spec, seed, where, first, count) for first, count in shards]
        try:
            for future, (_, count) in zip(futures, shards, strict=True):
                yield from future.result()
                progress(count)
        except BrokenProcessPool as error:
            fix = "run it again with fewer --workers"
            raise GenError("engine", "a worker process died", fix, ExitCode.MACHINE) from error
        except BaseException:
            executor.shutdown(wait=False, cancel_futures=True)
            raise


def default_workers() -> int:
    """Return how many processes to use: the processors this process may run on, four at most."""
    usable = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    return max(1, min(4, usable))
