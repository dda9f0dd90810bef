"""Commands about replies: run, score, report, mock."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import typer

from generator.cli.options import AsJson, BuildFolder, Content, Force, Quiet


def _share(what: str) -> Any:
    return typer.Option(min=0.0, max=1.0, help=f"Share of calls that {what}.")


def add_run_commands(app: typer.Typer) -> None:
    """Add the commands to the program."""
    for command in (run, score, report, mock):
        app.command()(command)


def run(
    folder: BuildFolder,
    model: Annotated[str | None, typer.Option(help="A model, or a simulated respondent such as sim/oracle.")] = None,
    base_url: Annotated[str | None, typer.Option(help="An OpenAI-compatible endpoint.")] = None,
    api_key_env: Annotated[str | None, typer.Option(help="Variable that holds the key.")] = None,
    config: Annotated[Path | None, typer.Option(help="YAML file of configurations; --model names one.")] = None,
    out: Annotated[
        Path | None, typer.Option(metavar="RUN", help="Folder of the run; run again to continue it.")
    ] = None,
    rolls: Annotated[int, typer.Option(min=1, max=100, help="Replies to each task.")] = 3,
    concurrency: Annotated[int | None, typer.Option(min=1, help="Calls at once, at most.")] = None,
    condition: Annotated[list[str] | None, typer.Option(help="full, user-only or own; may be repeated.")] = None,
    preset: Annotated[str | None, typer.Option(help="paper: the published protocol.")] = None,
    sets: Annotated[list[str] | None, typer.Option("--set", help="Body field, e.g. temperature=0.")] = None,
    header: Annotated[list[str] | None, typer.Option(help="Extra header, NAME=VALUE.")] = None,
    seed: Annotated[int | None, typer.Option(min=0, help="Seed sent with each call.")] = None,
    timeout: Annotated[float | None, typer.Option(min=0.1, help="Seconds a call may take.")] = None,
    allow_insecure: Annotated[bool, typer.Option("--allow-insecure", help="Send a key over plain http.")] = False,
    judge: Annotated[str, typer.Option(help="none, unsure (items a check cannot decide) or all.")] = "none",
    judges: Annotated[list[str] | None, typer.Option(help="Configurations that judge; may be repeated.")] = None,
    max_cost: Annotated[str | None, typer.Option(help="Stop before spending more.")] = None,
    limit: Annotated[int | None, typer.Option(min=1, help="Stop after so many calls.")] = None,
    dry_run: Annotated[bool, typer.Option("--dry-run", help="Say calls, tokens and cost; call nothing.")] = False,
    pool: Annotated[bool, typer.Option("--pool", help="Run on the whole pool.")] = False,
    content: Content = None,
    force: Force = False,
    quiet: Quiet = False,
    as_json: AsJson = False,
) -> int:
    """Have a model or a simulated respondent answer a build, and score it."""
    from generator.cli import running  # noqa: PLC0415

    return running.run(
        folder, model, out, base_url=base_url, api_key_env=api_key_env, config=config, rolls=rolls,
        concurrency=concurrency, condition=condition or (), preset=preset, pool=pool, sets=sets or (),
        headers=header or (), seed=seed, timeout=timeout, allow_insecure=allow_insecure, judge=judge,
        judges=judges or (), max_cost=max_cost, limit=limit, dry_run=dry_run, content=content, force=force,
        quiet=quiet, as_json=as_json,
    )  # fmt: skip


def score(
    folder: BuildFolder,
    replies: Annotated[Path, typer.Option(help="JSON Lines: task_id, roll, condition, reply, finish_reason, …")],
    out: Annotated[Path | None, typer.Option(help="Write the results of each reply to this file.")] = None,
    pool: Annotated[bool, typer.Option("--pool", help="The replies are to the whole pool.")] = False,
    quiet: Quiet = False,
    as_json: AsJson = False,
) -> int:
    """Score replies made elsewhere."""
    from generator.cli import running  # noqa: PLC0415

    return running.score(folder, replies, out, pool=pool, quiet=quiet, as_json=as_json)


def report(
    runs: Annotated[list[Path], typer.Argument(metavar="RUN…", help="Folders that `gen run` wrote.")],
    out: Annotated[Path, typer.Option(help="The page to write.")] = Path("report.html"),
    json_out: Annotated[Path | None, typer.Option("--json", help="Write the figures as JSON as well.")] = None,
    csv_out: Annotated[Path | None, typer.Option("--csv", help="Folder for the tables as CSV.")] = None,
    build: Annotated[list[Path] | None, typer.Option(help="Builds, if they moved since the runs.")] = None,
    public: Annotated[bool, typer.Option("--public", help="Leave answers and dialogues out.")] = False,
    content: Content = None,
    force: Force = False,
    quiet: Quiet = False,
) -> int:
    """Write one page that says what the runs show, and how sure that is."""
    from generator.cli import reporting  # noqa: PLC0415

    return reporting.report(
        runs, out, json_out=json_out, csv_out=csv_out, builds=build or (), public=public, content=content, force=force,
        quiet=quiet,
    )  # fmt: skip


def mock(
    folder: BuildFolder,
    port: Annotated[int, typer.Option(min=0, max=65535, help="Port; 0 takes a free one.")] = 0,
    latency_ms: Annotated[float, typer.Option(min=0.0, help="Milliseconds before each answer.")] = 0.0,
    error_rate: Annotated[float, _share("fail with a 5xx")] = 0.0,
    rate_limit: Annotated[float, _share("get a 429")] = 0.0,
    retry_after: Annotated[float, typer.Option(min=0.0, help="Seconds that a 429 asks to wait.")] = 0.2,
    hangup: Annotated[float, _share("are hung up on")] = 0.0,
    malformed: Annotated[float, _share("get a body that is no JSON")] = 0.0,
    cut: Annotated[float, _share("get a body cut short")] = 0.0,
    truncate: Annotated[float, _share("end at the token limit")] = 0.0,
    refusal: Annotated[float, _share("are refused")] = 0.0,
    empty: Annotated[float, _share("get an empty reply")] = 0.0,
    seed: Annotated[int, typer.Option(min=0, help="Seed of the faults.")] = 0,
    pool: Annotated[bool, typer.Option("--pool", help="Answer the whole pool.")] = False,
    content: Content = None,
    quiet: Quiet = False,
    as_json: AsJson = False,
) -> int:
    """Serve a build's simulated respondents as an OpenAI-compatible endpoint on this machine."""
    from generator.cli import mocking  # noqa: PLC0415

    return mocking.mock(
        folder, port=port, latency_ms=latency_ms, error_rate=error_rate, rate_limit=rate_limit, retry_after=retry_after,
        hangup=hangup, malformed=malformed, cut=cut, truncate=truncate, refusal=refusal, empty=empty, seed=seed,
        pool=pool, content=content, quiet=quiet, as_json=as_json,
    )  # fmt: skip
