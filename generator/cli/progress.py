"""Progress on stderr, off when nobody watches."""

from __future__ import annotations

import contextlib
import sys
from collections.abc import Callable, Iterator


@contextlib.contextmanager
def progress_bar(total: int, what: str, *, quiet: bool) -> Iterator[Callable[[int], None]]:
    """Give a function that is told how many more are done."""
    if quiet or not sys.stderr.isatty():
        yield lambda done: None
        return
    from rich.console import Console  # noqa: PLC0415
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn  # noqa: PLC0415

    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    with Progress(*columns, console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task(what, total=total)
        yield lambda done: bar.advance(task, done)


MOVED = "the content has changed since this build was made: what it says may no longer be read"


def say(words: str, *, quiet: bool = False) -> None:
    """Print words to stderr."""
    if not quiet:
        print(words, file=sys.stderr)
