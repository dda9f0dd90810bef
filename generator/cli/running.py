"""`gen run` and `gen score`."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from generator.cli.progress import say
from generator.engine.files import dump_lines, write_text
from generator.engine.loaded import load_build
from generator.engine.runs import read_replies, run_simulated, score_replies, write_run
from generator.errors import ExitCode, GenError


def run(
    folder: Path, model: str, out: Path, *, rolls: int, condition: str, pool: bool, content: Path | None, force: bool,
    quiet: bool, as_json: bool,
) -> int:  # fmt: skip
    """Answer with a simulated respondent, score, and print the means."""
    if out.exists() and not force:
        raise GenError(
            str(out), "the folder exists already", "add --force to replace it, or choose another --out", ExitCode.USAGE
        )
    build = load_build(folder, pool=pool)
    replies = run_simulated(build, model, rolls, condition, content)
    report = score_replies(build, replies)
    write_run(out, build, model, replies, report, force=force)
    _print(report.summary, as_json)
    say(f"{model} is a simulated respondent: an instrument, not a model", quiet=quiet)
    return ExitCode.GOOD


def score(folder: Path, replies: Path, out: Path | None, *, pool: bool, quiet: bool, as_json: bool) -> int:
    """Score replies from a file and print the means."""
    build = load_build(folder, pool=pool)
    report = score_replies(build, read_replies(replies))
    if out is not None:
        write_text(out, dump_lines([r.model_dump_json() for r in report.results]))
    _print(report.summary, as_json)
    missing = report.summary["all"]["tasks_without_reply"]
    if missing:
        say(f"{missing} tasks of the build have no reply and are in no mean", quiet=quiet)
    return ExitCode.GOOD


def _print(summary: dict[str, Any], as_json: bool) -> None:
    if as_json:
        print(json.dumps(summary, ensure_ascii=False))
        return
    for mode, means in summary.items():
        if mode == "all":
            continue
        upper = f", {_share(means['importance_upper'])} if every unsure item is a hit"
        print(f"mode {mode}: importance {_share(means['importance'])}{upper}; strict {_share(means['strict'])}")
        print(f"  {means['n']} replies, coverage {_share(means['coverage'])}, {means['statuses']}")
        if not means["rankable"]:
            print("  coverage is too low to rank this")
    print(f"importance with equal weights: {_share(summary['all']['importance_equal_weights'])}")


def _share(value: float | None) -> str:
    return "not defined" if value is None else f"{value:.3f}"
