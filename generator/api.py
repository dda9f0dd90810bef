"""The Python interface: `build`, `load`, `score`, `dataset`."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

from generator.engine.build import BuildReport, make_build
from generator.engine.lines import Sources, open_line
from generator.engine.loaded import Build, load_build
from generator.engine.runs import RunReport, score_replies
from generator.engine.specs import TRAVEL_NAMES, make_spec
from generator.errors import GenError
from generator.records import Key, Lang, Reply, Task
from generator.travel.options import TravelOptions

DATASET_ATTEMPTS = 40
_TRAVEL = frozenset(TravelOptions.model_fields) - {"world"}


def build(
    mode: str,
    *,
    n: int = 50,
    lang: Lang = "zh",
    out: str | Path | None = None,
    seed: int | None = None,
    pool: int | None = None,
    twins: bool = False,
    profile: str = "standard",
    content: str | Path | None = None,
    world: str | Path | None = None,
    per_task: bool = False,
    workers: int = 1,
    force: bool = False,
    **factors: Any,
) -> BuildReport:
    """Build a set of released tasks, as `gen build` does, and return what it came to.

    `factors` are turns, distractors, gap and register_name; for travel distractors, setups, tasks, perturb, strength,
    history and size. `world` and `per_task` are for travel only.

    Raises:
        GenError: Content is invalid, an option does not go with the mode, the folder exists, or the machine refused.
    """
    travel = {name: factors.pop(name) for name in tuple(factors) if name in _TRAVEL}
    folder = Path(world) if world else None
    spec = make_spec(
        mode, lang=lang, n=n, pool=pool, world=folder, per_task=per_task, travel=travel, profile=profile, twins=twins,
        **factors,
    )  # fmt: skip
    return make_build(
        spec, Path(out) if out else None, seed=seed, overlay=Path(content) if content else None, world=folder,
        workers=workers, force=force,
    )  # fmt: skip


def load(folder: str | Path, *, pool: bool = False) -> Build:
    """Return a build: its tasks and, where the private part is there, its keys.

    Raises:
        GenError: The folder is no build, or a file is damaged.
    """
    return load_build(Path(folder), pool=pool)


def score(made: Build | str | Path, replies: Iterable[Reply | dict[str, Any]]) -> RunReport:
    """Return the score of each reply and their means.

    A reply may be a record or a mapping with `task_id` and `reply`, as in a replies file.

    Raises:
        GenError: A reply is of no task of the build, or two have the same roll.
    """
    records = [r if isinstance(r, Reply) else Reply.model_validate(r, strict=False) for r in replies]
    return score_replies(made if isinstance(made, Build) else load(made), records)


class Dataset:
    """An endless, indexable stream of training tasks: worlds and topics that no build draws from."""

    def __init__(
        self, mode: str, lang: Lang, seed: int, profile: str = "standard", content: Path | None = None,
        setup: str = "dialogue",
    ) -> None:  # fmt: skip
        travel = {"setups": (setup,)} if mode in TRAVEL_NAMES else {}
        self._spec = make_spec(mode, lang=lang, n=1, pool=1, profile=profile, split="train", travel=travel)
        self._line = open_line(self._spec, Sources(content))
        self._seed = seed

    def __getitem__(self, at: int) -> tuple[Task, Key]:
        """Return task number `at` and its key, audited; the same for the same seed.

        Raises:
            IndexError: `at` is negative.
            GenError: No sound task was found for this number.
        """
        if at < 0:
            raise IndexError("a stream has no end to count from")
        made = self._line.run(self._spec, self._seed, at, DATASET_ATTEMPTS)
        if not made.tasks:
            raise GenError(
                f"dataset[{at}]", "no sound task was found", "take the next number, and please report this one"
            )
        return Task.model_validate_json(made.tasks[0]), Key.model_validate_json(made.keys[0])

    def __iter__(self) -> Iterator[tuple[Task, Key]]:
        """Yield tasks from number 0 on, without end."""
        at = 0
        while True:
            yield self[at]
            at += 1


def dataset(
    mode: str, lang: Lang = "zh", seed: int = 0, *, profile: str = "standard", content: str | Path | None = None,
    setup: str = "dialogue",
) -> Dataset:  # fmt: skip
    """Return a stream of training tasks over the `train` split; needs no build folder. `setup` is for travel.

    Raises:
        GenError: Content is invalid, or has no world of that split.
    """
    return Dataset(mode, lang, seed, profile, Path(content) if content else None, setup)
