"""The `gen` commands. What they need is imported when they run, so that `gen --help` is quick."""

from __future__ import annotations

from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer

from generator import __version__
from generator.cli.app_judge import judge
from generator.cli.app_labs import labs
from generator.cli.app_runs import add_run_commands
from generator.cli.options import AsJson, BuildFolder, Content, Force, Quiet

app = typer.Typer(
    name="gen", no_args_is_help=True, pretty_exceptions_enable=False, rich_markup_mode=None,
    help="Build, audit and score multi-turn dialogue benchmarks whose every task is machine-checked.",
)  # fmt: skip


class LangName(StrEnum):
    """Languages."""

    zh = "zh"
    en = "en"


class ProfileName(StrEnum):
    """How long and how noisy."""

    easy = "easy"
    standard = "standard"
    hard = "hard"


class SizeName(StrEnum):
    """Sizes of invented towns."""

    small = "small"
    standard = "standard"
    large = "large"


class SunsetName(StrEnum):
    """Whether the time of sunset is said."""

    given = "given"
    withheld = "withheld"


class RegisterName(StrEnum):
    """How people talk."""

    formal = "formal"
    colloquial = "colloquial"
    elliptical = "elliptical"


def _version(wanted: bool) -> None:
    if wanted:
        print(f"turnproof {__version__}")
        raise typer.Exit


@app.callback()
def root(
    version: Annotated[
        bool, typer.Option("--version", callback=_version, is_eager=True, help="Show the version.")
    ] = False,
) -> None:
    """Build, audit and score multi-turn dialogue benchmarks whose every task is machine-checked."""


@app.command()
def build(
    mode: Annotated[str, typer.Option(help="Mode: iii, or travel (also: boulder).")],
    n: Annotated[int, typer.Option(min=1, help="Instances to release (pairs with --twins).")] = 50,
    lang: Annotated[LangName, typer.Option(help="Language of the dialogues.")] = LangName.zh,
    seed: Annotated[int | None, typer.Option(min=0, help="Seed; without it 128 fresh bits are drawn.")] = None,
    out: Annotated[Path | None, typer.Option(help="Folder to write; default build/<mode>-<lang>-<hash>.")] = None,
    pool: Annotated[int | None, typer.Option(min=1, help="Candidates to make; default n x 85/35.")] = None,
    profile: Annotated[ProfileName, typer.Option(help="How long and how noisy.")] = ProfileName.standard,
    turns: Annotated[int | None, typer.Option(min=4, max=40, help="Core exchanges of each dialogue.")] = None,
    distractors: Annotated[int | None, typer.Option(min=0, max=60, help="Irrelevant exchanges.")] = None,
    gap: Annotated[float | None, typer.Option(min=0.0, max=1.0, help="Part of them after the last evidence.")] = None,
    register: Annotated[RegisterName | None, typer.Option(help="How people talk.")] = None,
    twins: Annotated[bool, typer.Option("--twins", help="Release counterfactual pairs.")] = False,
    per_task: Annotated[bool, typer.Option("--per-task", help="Travel: --n instances of each task.")] = False,
    tasks: Annotated[str | None, typer.Option(help="Travel: tasks, comma-separated; default all.")] = None,
    setups: Annotated[str | None, typer.Option(help="Travel: setups, comma-separated, or all.")] = None,
    world: Annotated[Path | None, typer.Option(help="Travel: folder of a world to import (MultiWOZ style).")] = None,
    perturb: Annotated[str | None, typer.Option(help="Travel: perturbations, comma-separated.")] = None,
    strength: Annotated[float | None, typer.Option(min=0, max=1, help="Travel: how strong they are.")] = None,
    history: Annotated[int | None, typer.Option(min=0, max=40, help="Travel: earlier exchanges about others.")] = None,
    sunset: Annotated[SunsetName | None, typer.Option(help="Travel: tell the time of sunset, or the place.")] = None,
    size: Annotated[SizeName | None, typer.Option(help="Travel: size of invented towns.")] = None,
    workers: Annotated[int | None, typer.Option(min=1, help="Processes; default: up to four.")] = None,
    content: Content = None,
    force: Force = False,
    quiet: Quiet = False,
    as_json: AsJson = False,
) -> int:
    """Build a set of released tasks: pool, audits, selection, card."""
    from generator.cli import building  # noqa: PLC0415

    return building.build(
        mode=mode, n=n, lang=lang.value, seed=seed, out=out, pool=pool, profile=profile.value, turns=turns,
        distractors=distractors, gap=gap, register=register.value if register else None, twins=twins, workers=workers,
        content=content, force=force, quiet=quiet, as_json=as_json, world=world, per_task=per_task,
        travel={
            "tasks": _names(tasks), "setups": _names(setups), "perturb": _names(perturb), "strength": strength,
            "history": history, "size": size.value if size else None,
            "sunset": sunset.value if sunset else None,
        },
    )  # fmt: skip


def _names(text: str | None) -> tuple[str, ...]:
    return tuple(name.strip() for name in (text or "").split(",") if name.strip())


@app.command()
def show(
    folder: BuildFolder,
    task: Annotated[str | None, typer.Argument(metavar="[ID]", help="Task id, or how it begins.")] = None,
    nth: Annotated[int | None, typer.Option(min=1, help="Show the task with this number in the list.")] = None,
    key: Annotated[bool, typer.Option("--key", help="Show evidence, answer and items as well.")] = False,
    pool: Annotated[bool, typer.Option("--pool", help="Look at the whole pool.")] = False,
    as_json: AsJson = False,
) -> int:
    """Show a task as a person would read it; without an id, list the tasks."""
    from generator.cli import showing  # noqa: PLC0415

    return showing.show(folder, task, nth=nth, with_key=key, pool=pool, as_json=as_json)


@app.command()
def audit(
    folder: BuildFolder,
    against: Annotated[list[Path] | None, typer.Option(help="Earlier builds that must not be repeated.")] = None,
    pool_wide: Annotated[
        bool, typer.Option("--pool", help="Also look for artefacts over the pool (extra `pool`).")
    ] = False,
    content: Content = None,
    quiet: Quiet = False,
    as_json: AsJson = False,
) -> int:
    """Run every audit again, from the files alone."""
    from generator.cli import checking  # noqa: PLC0415

    return checking.audit(folder, against or [], pool_wide=pool_wide, content=content, quiet=quiet, as_json=as_json)


@app.command()
def verify(
    folder: BuildFolder,
    workers: Annotated[int | None, typer.Option(min=1, help="Processes; default: up to four.")] = None,
    content: Content = None,
    world: Annotated[Path | None, typer.Option(help="Travel: the folder of the imported world.")] = None,
    quiet: Quiet = False,
    as_json: AsJson = False,
) -> int:
    """Regenerate a build from its manifest and secret and compare digests."""
    from generator.cli import checking  # noqa: PLC0415

    return checking.verify(
        folder, workers=workers, content=content, world=world, quiet=quiet, as_json=as_json
    )  # fmt: skip


@app.command()
def worlds(
    mode: Annotated[str, typer.Option(help="Mode: iii, or travel for its towns.")] = "iii",
    lang: Annotated[LangName | None, typer.Option(help="One language only.")] = None,
    check: Annotated[bool, typer.Option("--check", help="Read every wording back over drawn values.")] = False,
    content: Content = None,
    as_json: AsJson = False,
) -> int:
    """List the worlds, or check their wording."""
    from generator.cli import showing  # noqa: PLC0415

    langs = [lang.value] if lang else ["zh", "en"]
    return showing.worlds(mode, langs, check=check, content=content, as_json=as_json)


add_run_commands(app)
app.add_typer(judge, name="judge", help="Judges of unsure items: checked, sampled, labelled.")
app.add_typer(labs, name="lab", help="Laboratories: other projects' data, read and compared.")
