"""Which configuration the options of a command name."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from generator.endpoints import Configuration, from_options, read_configurations
from generator.errors import ExitCode, GenError


def configuration_of(model: str | None, config: Path | None, **options: Any) -> Configuration:
    """Return a configuration: the one of a file that `model` names (or its only one), or of options alone.

    Raises:
        GenError: Exit code 2; the name is not in the file, or an option is wrong.
    """
    if config is None:
        return from_options(model, **options)
    known = read_configurations(config)
    if model is None and len(known) == 1:
        model = next(iter(known))
    if model not in known:
        what = "no configuration is named" if model is None else f"no configuration {model!r}"
        raise GenError(str(config), what, f"choose with --model one of: {', '.join(known)}", ExitCode.USAGE)
    return from_options(base=known[model], **options)
