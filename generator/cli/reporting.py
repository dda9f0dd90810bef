"""`gen report`."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from generator.cli.progress import say
from generator.content import default_root
from generator.engine.files import dump_json, refusals, write_text
from generator.errors import ExitCode, GenError
from generator.report import gather_report, render_page, write_tables
from generator.report.structure import JudgedRun
from generator.report.words import show_share
from generator.runner.view import load_run


def report(
    runs: Sequence[Path], out: Path, *, json_out: Path | None = None, csv_out: Path | None = None,
    builds: Sequence[Path] = (), public: bool = False, content: Path | None = None, force: bool = False,
    quiet: bool = False,
) -> int:  # fmt: skip
    """Write the page and, where asked, its JSON and CSVs; print the page's path.

    Raises:
        GenError: A run or build cannot be read, a target exists, or the machine refused.
    """
    for target in (out, json_out, csv_out):
        if target is not None and target.exists() and not force:
            fix = "add --force to replace it, or choose another name"
            raise GenError(str(target), "exists already", fix, ExitCode.USAGE)
    made = gather_report([load_run(folder) for folder in runs], builds=builds, public=public)
    files = {out: render_page(made, default_root(content))}
    if json_out is not None:
        files[json_out] = dump_json(made.model_dump(mode="json"))
    for path, text in files.items():
        with refusals(path):
            path.parent.mkdir(parents=True, exist_ok=True)
        write_text(path, text, private=bool(made.tasks))
    if csv_out is not None:
        with refusals(csv_out):
            csv_out.mkdir(parents=True, exist_ok=True)
        for name, text in write_tables(made).items():
            write_text(csv_out / name, text, private=bool(made.tasks))
    print(out)
    warnings = [*made.warnings, *map(_tell_judged, made.judged)]
    _tell(len(made.tasks), [run.label for run in made.runs if run.is_instrument], warnings, quiet)
    return ExitCode.GOOD


def _tell_judged(one: JudgedRun) -> str:
    plain, mended = one.hits_uncorrected, one.hits_corrected
    said = f"{one.run}: share of hits among {one.items} judged items {show_share(plain.value)} uncorrected"
    if mended.value is None:
        return f"{said}; {mended.why}"
    return f"{said}, {show_share(mended.value)} with {one.labels} labels (PPI)"


def _tell(tasks: int, instruments: list[str], warnings: list[str], quiet: bool) -> None:
    if tasks:
        say("the page holds the keys of its tasks: keep it private, or make one with --public", quiet=quiet)
    if instruments:
        say(f"instruments, not models: {', '.join(instruments)}", quiet=quiet)
    for warning in warnings:
        say(warning, quiet=quiet)
