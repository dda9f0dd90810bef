"""`gen lab …`."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from generator.cli.options import AsJson

labs = typer.Typer(no_args_is_help=True, rich_markup_mode=None)


@labs.command("boulder")
def lab_boulder(
    folder: Annotated[Path, typer.Argument(metavar="DIR", help="The released example files of the BOULDER project.")],
    as_json: AsJson = False,
) -> int:
    """Solve released BOULDER examples from what a model sees; explain every disagreement with their targets."""
    from generator.cli import labs as commands  # noqa: PLC0415

    return commands.lab_boulder(folder, as_json)


@labs.command("score-boulder")
def score_boulder(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="A result file of the BOULDER project.")],
    labels: Annotated[
        Path | None, typer.Option(help="CSV of checked parses: corrects for parser errors (PPI).")
    ] = None,
    as_json: AsJson = False,
) -> int:
    """Score a result file of the BOULDER project with our metrics."""
    from generator.cli import labs as commands  # noqa: PLC0415

    return commands.score_boulder(file, labels, as_json)
