"""`gen judge …`."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from generator.cli.options import AsJson, BuildFolder, Content, Force, Quiet

judge = typer.Typer(no_args_is_help=True, rich_markup_mode=None)
RunFolder = Annotated[Path, typer.Argument(metavar="RUN", help="A folder that `gen run` wrote.")]


@judge.command()
def calibrate(
    folder: BuildFolder,
    model: Annotated[str | None, typer.Option(help="The judge.")] = None,
    base_url: Annotated[str | None, typer.Option(help="An OpenAI-compatible endpoint.")] = None,
    api_key_env: Annotated[str | None, typer.Option(help="Variable that holds the key.")] = None,
    config: Annotated[Path | None, typer.Option(help="YAML file of configurations; --model names one.")] = None,
    sets: Annotated[list[str] | None, typer.Option("--set", help="Body field, e.g. temperature=0.")] = None,
    header: Annotated[list[str] | None, typer.Option(help="Extra header, NAME=VALUE.")] = None,
    timeout: Annotated[float | None, typer.Option(min=0.1, help="Seconds a call may take.")] = None,
    allow_insecure: Annotated[bool, typer.Option("--allow-insecure", help="Send a key over plain http.")] = False,
    n: Annotated[int, typer.Option(min=1, help="Constructed replies.")] = 40,
    seed: Annotated[int, typer.Option(min=0, help="Seed of what is constructed.")] = 0,
    run: Annotated[Path | None, typer.Option(help="A run to show the Rogan-Gladen analysis for.")] = None,
    cache: Annotated[Path | None, typer.Option(help="File that keeps verdicts.")] = None,
    out: Annotated[Path | None, typer.Option(help="Write the figures to this file.")] = None,
    pool: Annotated[bool, typer.Option("--pool", help="Construct from the whole pool.")] = False,
    content: Content = None,
    quiet: Quiet = False,
    as_json: AsJson = False,
) -> int:
    """Try a judge on replies whose hits and misses are known: an instrument check."""
    from generator.cli import judging  # noqa: PLC0415

    return judging.calibrate(
        folder, model, base_url=base_url, api_key_env=api_key_env, config=config, sets=tuple(sets or ()),
        headers=tuple(header or ()), timeout=timeout, allow_insecure=allow_insecure, n=n, seed=seed, run=run,
        cache=cache, out=out, pool=pool, content=content, quiet=quiet, as_json=as_json,
    )  # fmt: skip


@judge.command()
def sample(
    run: RunFolder,
    out: Annotated[Path, typer.Option(help="File to label, .csv or .jsonl.")],
    n: Annotated[int, typer.Option(min=1, help="Judged items to draw.")] = 100,
    seed: Annotated[int, typer.Option(min=0, help="Seed of the draw.")] = 0,
    build: Annotated[Path | None, typer.Option(help="The build, if it moved since the run.")] = None,
    force: Force = False,
    quiet: Quiet = False,
) -> int:
    """Draw a random sample of a run's own judged items for people to label."""
    from generator.cli import judging  # noqa: PLC0415

    return judging.sample(run, out, n=n, seed=seed, build=build, force=force, quiet=quiet)


@judge.command()
def labels(
    run: RunFolder,
    file: Annotated[Path, typer.Argument(metavar="FILE", help="The labelled sample.")],
    quiet: Quiet = False,
    as_json: AsJson = False,
) -> int:
    """Take people's labels in; only with them is anything corrected."""
    from generator.cli import judging  # noqa: PLC0415

    return judging.labels(run, file, quiet=quiet, as_json=as_json)
