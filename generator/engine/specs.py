"""A spec from what a user asked for, the same for the command line and the Python interface."""

from __future__ import annotations

import math
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from pydantic import ValidationError

from generator.errors import ExitCode, GenError
from generator.modes import find_mode
from generator.records import Lang
from generator.stages.pipeline import POOL_RATIO, Spec
from generator.stages.travel import MODE as TRAVEL
from generator.travel.factory import tasks_of
from generator.travel.options import TravelOptions
from generator.travel.setups import check_setups
from generator.travel.world import import_world, world_digest

TRAVEL_NAMES = (TRAVEL, "boulder")
_NOTHING = (None, (), False)


def make_spec(
    mode: str, *, lang: Lang, n: int, pool: int | None = None, world: Path | None = None, per_task: bool = False,
    travel: Mapping[str, Any] | None = None, **factors: Any,
) -> Spec:  # fmt: skip
    """Return a spec.

    Args:
        n: Instances to release; of each travel task with `per_task`.
        pool: Candidates, by default n x 85/35.
        world: Folder of a world to import, for travel.
        travel: Fields of `TravelOptions` but the world; what is None or empty is left to its default.
        factors: Further fields of `Spec`.

    Raises:
        GenError: There is no such mode, task or setup, or an option does not go with the mode.
    """
    given: dict[str, Any] = {"mode": mode, "lang": lang, **factors}
    if mode in TRAVEL_NAMES:
        options = _travel_options(given, travel or {}, world)
        n *= len(tasks_of(options)) if per_task else 1
        given |= {"mode": TRAVEL, "travel": options}
    else:
        find_mode(mode)
        _refuse(mode, {"world": world, "per_task": per_task, **(travel or {})})
    return Spec.model_validate({**given, "n": n, "pool": max(n, pool or math.ceil(n * POOL_RATIO))}, strict=False)


def _travel_options(given: Mapping[str, Any], travel: Mapping[str, Any], world: Path | None) -> TravelOptions:
    for name in ("turns", "gap", "register_name"):
        if given.get(name) is not None:
            option = "--register" if name == "register_name" else f"--{name}"
            raise GenError(option, "travel instances have no such factor", "leave it out", ExitCode.USAGE)
    if given.get("twins"):
        raise GenError("--twins", "travel instances have setups, not twins", "leave it out", ExitCode.USAGE)
    options = {name: value for name, value in travel.items() if value not in _NOTHING}
    if "setups" in options:
        options["setups"] = check_setups(options["setups"])
    if world is not None:
        options["world"] = world_digest(import_world(world).world)
    try:
        return TravelOptions.model_validate(options, strict=False)
    except ValidationError as error:
        fault = error.errors()[0]
        where = "--" + ".".join(map(str, fault["loc"]))
        raise GenError(where, fault["msg"], "see `gen build --help`", ExitCode.USAGE) from error


def _refuse(mode: str, options: Mapping[str, Any]) -> None:
    given = [name for name, value in sorted(options.items()) if value not in _NOTHING]
    if given:
        option = "--" + given[0].replace("_", "-")
        raise GenError(option, f"mode {mode} has no such option", "it goes with --mode travel", ExitCode.USAGE)
