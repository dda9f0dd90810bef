"""A pool is a set of shards; the content of a shard is a pure function of content, spec and number."""

from __future__ import annotations

import multiprocessing
import os
from collections.abc import Callable, Iterator
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool

from generator.engine.lines import Made, Sources, open_line
from generator.errors import ExitCode, GenError
from generator.stages.pipeline import Spec

SHARD = 8


def run_shard(spec: Spec, seed: int, sources: Sources, first: int, count: int) -> list[Made]:
    """Return the outcomes of `count` indices from `first` on."""
    line = open_line(spec, sources)
    return [line.run(spec, seed, index) for index in range(first, first + count)]


def run_pool(spec: Spec, seed: int, sources: Sources, workers: int, progress: Callable[[int], None]) -> Iterator[Made]:
    """Yield the outcomes of all indices of a pool in order, whatever the number of workers.

    Raises:
        GenError: A worker died.
    """
    shards = [(first, min(SHARD, spec.pool - first)) for first in range(0, spec.pool, SHARD)]
    if workers <= 1:
        for first, count in shards:
            yield from run_shard(spec, seed, sources, first, count)
            progress(count)
        return
    # Spawned, not forked: a worker then holds nothing but what it loads itself, on every platform.
    context = multiprocessing.get_context("spawn")
    with ProcessPoolExecutor(max_workers=min(workers, len(shards)), mp_context=context) as executor:
        futures = [executor.submit(run_shard, spec, seed, sources, first, count) for first, count in shards]
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
