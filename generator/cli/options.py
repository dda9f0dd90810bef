"""Options that several commands share."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

BuildFolder = Annotated[Path, typer.Argument(metavar="BUILD", help="A folder that `gen build` wrote.")]
Content = Annotated[Path | None, typer.Option("--content", help="Private overlay laid over the content.")]
AsJson = Annotated[bool, typer.Option("--json", help="Print one JSON object instead of words.")]
Force = Annotated[bool, typer.Option("--force", help="Replace an existing folder.")]
Quiet = Annotated[bool, typer.Option("--quiet", "-q", help="Say nothing but errors.")]
