"""`gen build`."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any, cast

from generator.cli.progress import progress_bar, say
from generator.engine.build import BuildReport, make_build
from generator.engine.shards import default_workers
from generator.engine.specs import make_spec
from generator.errors import ExitCode
from generator.records import Lang
from generator.stages.travel import MODE as TRAVEL


def build(
    *,
    mode: str,
    n: int,
    lang: str,
    seed: int | None,
    out: Path | None,
    pool: int | None,
    content: Path | None,
    workers: int | None,
    force: bool,
    quiet: bool,
    as_json: bool,
    register: str | None,
    world: Path | None = None,
    per_task: bool = False,
    travel: dict[str, Any] | None = None,
    **factors: Any,
) -> int:
    """Build, say what came of it, and return the exit code: 1 if fewer than `n` were released."""
    spec = make_spec(
        mode, lang=cast(Lang, lang), n=n, pool=pool, world=world, per_task=per_task, travel=travel,
        register_name=register, **factors,
    )  # fmt: skip
    with progress_bar(spec.pool, f"mode {mode}, {lang}", quiet=quiet) as progress:
        report = make_build(
            spec,
            out,
            seed=seed,
            overlay=content,
            world=world,
            workers=workers or default_workers(),
            force=force,
            progress=progress,
        )
    if as_json:
        print(json.dumps(_as_dict(report), ensure_ascii=False))
    else:
        print(report.out)
    _tell(report, "instances" if spec.mode == TRAVEL else "tasks", quiet)
    return ExitCode.FINDINGS if report.missing else ExitCode.GOOD


def _as_dict(report: BuildReport) -> dict[str, Any]:
    return {
        "out": str(report.out), "released": report.released, "missing": report.missing, "pool": report.pool,
        "rejected": dict(sorted(report.rejected.items())), "seconds": round(report.seconds, 3),
        "seed_commitment": report.seed_commitment, "max_designed_correlation": report.figures.get("max_designed"),
    }  # fmt: skip


def _tell(report: BuildReport, noun: str, quiet: bool) -> None:
    reasons = ", ".join(f"{name} {count}" for name, count in report.rejected.most_common()) or "none"
    say(f"{report.released} {noun} released out of a pool of {report.pool} in {report.seconds:.1f} s", quiet=quiet)
    say(f"rejected on the way: {reasons}", quiet=quiet)
    if report.missing:
        say(f"{report.missing} fewer than asked for: raise --pool, or see private/rejected.jsonl for the reasons")
    report_file = report.out / "worlds" / "import.txt"
    if report_file.is_file():
        say(f"how anomalies of the imported world were met: {report_file}", quiet=quiet)
    say(f"read one with: gen show {report.out}", quiet=quiet)
