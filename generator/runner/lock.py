"""One process a run: a lock that the kernel gives back when its holder dies."""

from __future__ import annotations

import contextlib
import errno
import os
from collections.abc import Iterator
from pathlib import Path

from generator.engine.files import refusals
from generator.errors import ExitCode, GenError

try:
    import fcntl
except ImportError:  # pragma: no cover - Windows has none; there, SQLite's own locks are all there is
    fcntl = None  # type: ignore[assignment]

LOCK = "run.lock"


@contextlib.contextmanager
def hold_lock(folder: Path) -> Iterator[None]:
    """Hold a run's lock for the length of a block; a lock left by a dead process is no hindrance.

    Raises:
        GenError: Another process works on this run (exit code 5), or the machine refused.
    """
    path = folder / LOCK
    with refusals(path):
        handle = os.open(path, os.O_RDWR | os.O_CREAT, 0o644)
    try:
        _take(handle, path, folder)
        os.ftruncate(handle, 0)
        os.pwrite(handle, f"{os.getpid()}\n".encode(), 0)
        yield
    finally:
        # The file stays: removing it would let a third process lock a name that a second one is about to lock.
        os.close(handle)


def _take(handle: int, path: Path, folder: Path) -> None:
    if fcntl is None:
        return
    try:
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError as error:
        if error.errno not in {errno.EWOULDBLOCK, errno.EACCES}:
            reason = error.strerror or str(error)
            raise GenError(str(path), reason, "put the run on a local disk", ExitCode.MACHINE) from error
        pid = os.pread(handle, 32, 0).decode("ascii", "replace").strip() or "unknown"
        raise GenError(
            str(folder),
            f"process {pid} is working on this run",
            "wait for it, or stop it and run the same command again",
            ExitCode.MACHINE,
        ) from error
