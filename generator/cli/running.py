"""`gen run` and `gen score`."""

from __future__ import annotations

import contextlib
import json
import os
import sys
from collections.abc import AsyncIterator, Callable, Iterator, Sequence
from dataclasses import asdict
from decimal import Decimal
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

from generator.cli.configured import configuration_of
from generator.cli.progress import MOVED, say
from generator.endpoints import Client, Configuration, read_configurations
from generator.endpoints.keys import keys_of
from generator.engine.files import dump_lines, write_text
from generator.engine.loaded import Build, has_moved, load_build
from generator.engine.runs import read_replies, score_replies
from generator.errors import ExitCode, GenError
from generator.respondents import PREFIX
from generator.runner import Judging, Options, Plan, Session, Tally, forecast, load_run, make_plan, run_session
from generator.runner.schema import STORE

if TYPE_CHECKING:
    from generator.runner.judge import Which
    from generator.runner.work import AnswerTool
    from generator.runner.work import Judge as RunJudge

PAPER = "paper"


def run(
    folder: Path, model: str | None, out: Path | None, *, base_url: str | None = None, api_key_env: str | None = None,
    config: Path | None = None, rolls: int = 3, concurrency: int | None = None, condition: str | Sequence[str] = (),
    preset: str | None = None, pool: bool = False, sets: Sequence[str] = (), headers: Sequence[str] = (),
    seed: int | None = None, timeout: float | None = None, allow_insecure: bool = False, judge: str = "none",
    judges: Sequence[str] = (), max_cost: str | None = None, limit: int | None = None, dry_run: bool = False,
    content: Path | None = None, force: bool = False, quiet: bool = False, as_json: bool = False,
) -> int:  # fmt: skip
    """Have a model answer a build, score it, print the means, and return the exit code.

    Raises:
        GenError: An option is wrong (2), or the run cannot start.
    """
    chosen = _configuration(
        model, config, base_url=base_url, headers=headers, sets=sets, api_key_env=api_key_env, seed=seed,
        timeout_s=timeout, concurrency=concurrency, allow_insecure=allow_insecure or None,
    )  # fmt: skip
    build = load_build(folder, pool=pool)
    if model and model.startswith(PREFIX) and has_moved(build, content):
        say(MOVED, quiet=quiet)
    name = chosen.model if chosen else str(model)
    plan = make_plan(build, name, chosen, _conditions(condition, preset), rolls, pool=pool)
    for left_out, count in plan.refused.items():
        say(f"{count} tasks are not marked for condition {left_out} and are left out of it", quiet=quiet)
    if dry_run:
        return _tell_forecast(plan, out, as_json)
    if out is None:
        raise GenError("gen run", "no --out", "name the folder of the run with --out", ExitCode.USAGE)
    options = Options(
        force=force, concurrency=concurrency, max_cost=_money(max_cost), limit=limit, overlay=content
    )  # fmt: skip
    judging = _judging(judge, judges, config, out)
    with _progress(name, quiet=quiet) as watch, _tools(build, out, content) as answer_tool:
        session = run_session(plan, out, options, answer_tool=answer_tool, judging=judging, watch=watch)
    _print(session.summary, as_json)
    _tell_end(session, build, name, out, quiet)
    return session.code


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


def _configuration(model: str | None, config: Path | None, **options: Any) -> Configuration | None:
    """Return the configuration that the options name; None for a simulated respondent."""
    if model is not None and model.startswith(PREFIX) and config is None and options["base_url"] is None:
        useless = [n for n in ("api_key_env", "headers", "sets", "seed") if options[n]]
        if useless:
            what = f"a simulated respondent has no endpoint: {', '.join(useless)} would do nothing"
            fix = "leave these options out, or name the address of a mock with --base-url"
            raise GenError(f"--model {model}", what, fix, ExitCode.USAGE)
        return None
    return configuration_of(model, config, **options)


def _judging(which: str, names: Sequence[str], config: Path | None, out: Path) -> Judging | None:
    """Return who judges: configurations of the file by name; None for nobody."""
    where = f"--judge {which}"
    if which not in {"none", "unsure", "all"}:
        raise GenError(where, "no such choice", "choose none, unsure or all", ExitCode.USAGE)
    if which == "none":
        return None
    if config is None or not names:
        fix = "describe it in a configuration file and add --config FILE --judges NAME"
        raise GenError(where, "no judge is named", fix, ExitCode.USAGE)
    known = read_configurations(config)
    unknown = [name for name in names if name not in known]
    if unknown:
        what = f"no configuration {unknown[0]!r}"
        raise GenError(f"--judges {unknown[0]}", what, f"choose among: {', '.join(known)}", ExitCode.USAGE)
    chosen = [known[name] for name in names]
    for one in chosen:
        keys_of(one, os.environ)

    @contextlib.asynccontextmanager
    async def opening() -> AsyncIterator[RunJudge]:
        from generator.runner.judge import JUDGE_STORE, Judge, JudgeStore, make_run_judge  # noqa: PLC0415

        async with contextlib.AsyncExitStack() as stack:
            store = stack.enter_context(JudgeStore(out / JUDGE_STORE))
            clients = [await stack.enter_async_context(Client(one)) for one in chosen]
            yield make_run_judge([Judge(client, store) for client in clients], cast(Which, which), store)

    return Judging(which, tuple(f"{one.name} {one.identity()[:16]}" for one in chosen), opening)


@contextlib.contextmanager
def _tools(build: Build, out: Path, overlay: Path | None) -> Iterator[AnswerTool | None]:
    """Give what answers tool calls; None where no task offers tools."""
    from generator.runner.travel_tools import TravelTools, has_tools  # noqa: PLC0415

    if not has_tools(build) or not build.keys:
        yield None
        return
    with TravelTools(build, out, overlay) as tools:
        yield tools.answer


def _conditions(given: str | Sequence[str], preset: str | None) -> Sequence[str]:
    if preset not in {None, PAPER}:
        raise GenError(f"--preset {preset}", "no such preset", f"the only one is {PAPER}", ExitCode.USAGE)
    wanted = [given] if isinstance(given, str) else given
    return wanted or (["own"] if preset else ["full"])


def _money(text: str | None) -> Decimal | None:
    if text is None:
        return None
    try:
        value = Decimal(text)
    except ArithmeticError:
        value = Decimal("nan")
    if not value.is_finite() or value < 0:
        raise GenError(f"--max-cost {text}", "not an amount of money", "write it as 12.50", ExitCode.USAGE)
    return value


def _tell_forecast(plan: Plan, out: Path | None, as_json: bool) -> int:
    rows = forecast(plan)
    done = load_run(out).about["counts"]["scored"] if out is not None and (out / STORE).exists() else 0
    if as_json:
        listed = [{k: str(v) if isinstance(v, Decimal) else v for k, v in asdict(row).items()} for row in rows]
        print(json.dumps({"model": plan.model, "conditions": listed, "scored_already": done}, ensure_ascii=False))
        return ExitCode.GOOD
    currency = plan.prices.currency if plan.prices else ""
    for row in rows:
        print(f"condition {row.condition}: {row.replies} replies, {row.requests} requests")
        print(f"  about {row.prompt_tokens:,} prompt tokens and {row.output_tokens:,} output tokens")
        if row.cost is not None:
            print(f"  about {row.cost:.2f} {currency}, of which {row.final_cost:.2f} for final turns")
    if plan.prices is None:
        say("no prices are known, so no cost: name them in a configuration file (--config)")
    if done:
        say(f"{done} replies are there already and would not be asked for again")
    say("an estimate (no call was made): see estimate_tokens in generator/runner/spend.py")
    return ExitCode.GOOD


def _tell_end(session: Session, build: Build, model: str, out: Path, quiet: bool) -> None:
    outcome, counts = session.outcome, session.view.about["counts"]
    if model.startswith(PREFIX):
        say(f"{model} is a simulated respondent: an instrument, not a model", quiet=quiet)
    if not build.keys:
        say("the build has no keys: replies are kept and not scored", quiet=quiet)
    if counts["failed"]:
        say(f"{counts['failed']} replies failed for good and are in no mean:")
        for failure in outcome.failures:
            say(f"  {failure}")
        say("the same command tries them again")
    if outcome.how == "hopeless":
        say(f"stopped, since no call succeeds: {outcome.words}")
    elif outcome.how == "limit":
        say(f"stopped before going past {outcome.words}; raise it to go on")
    elif outcome.how == "interrupted":
        left = counts["pending"] + counts["failed"]
        say(f"interrupted; {counts['scored']} replies are kept in {out}; the same command goes on with {left} more")
    costs = session.view.about["cost"]
    if costs["all"] is not None:
        currency = session.view.about["currency"]
        say(f"cost {costs['all']} {currency}, of which {costs['final']} for final turns", quiet=quiet)


@contextlib.contextmanager
def _progress(what: str, *, quiet: bool) -> Iterator[Callable[[Tally], None] | None]:
    """Give a function that shows where a run stands: bar, rate, cost so far, time left; None if nobody watches."""
    if quiet or not sys.stderr.isatty():
        yield None
        return
    from rich.console import Console  # noqa: PLC0415
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn  # noqa: PLC0415

    columns = (
        TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TextColumn("{task.fields[rate]}"),
        TextColumn("{task.fields[rest]}"), TimeRemainingColumn(),
    )  # fmt: skip
    with Progress(*columns, console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task(what, total=None, rate="", rest="")

        def show(tally: Tally) -> None:
            speed = bar.tasks[0].speed
            rest = ([f"{tally.failed} failed"] if tally.failed else []) + (
                [f"cost {tally.cost:.2f}"] if tally.cost is not None else []
            )
            # What earlier sessions did is no part of this one's rate.
            if bar.tasks[0].total is None:
                bar.reset(task, total=tally.planned, completed=tally.done + tally.failed)
            bar.update(
                task, completed=tally.done + tally.failed,
                rate=f"{speed:.1f}/s" if speed else "", rest=", ".join(rest),
            )  # fmt: skip

        yield show


def _print(summary: dict[str, Any], as_json: bool) -> None:
    if as_json:
        print(json.dumps(summary, ensure_ascii=False))
        return
    for mode, means in summary.items():
        if mode in {"all", "setups"}:
            continue
        upper = f", {_share(means['importance_upper'])} if every unsure item is a hit"
        name = f"mode {mode.partition('/')[0]}, condition {means['condition']}"
        print(f"{name}: importance {_share(means['importance'])}{upper}; strict {_share(means['strict'])}")
        print(f"  {means['n']} replies, coverage {_share(means['coverage'])}, {means['statuses']}")
        if not means["rankable"]:
            print("  coverage is too low to rank this")
    print(f"importance with equal weights: {_share(summary['all']['importance_equal_weights'])}")
    if "setups" in summary:
        _print_setups(summary["setups"])


def _print_setups(setups: dict[str, Any]) -> None:
    """Print what compares setups: shares of exact answers, and their tests against the first setup."""
    first = next(iter(setups["setups"]))
    wanted = {"task": "all", "one": first, "measure": "strict"}
    against = {t["other"]: t for t in setups["tests"] if wanted.items() <= t.items()}
    print(f"{'setup':<26} {'exact':>6} {'closeness':>9} {'no answer':>9} {'length':>6}  against {first}")
    for name, blocks in setups["setups"].items():
        block, test = blocks["all"], against.get(name)
        close = block["metrics"].get("closeness")
        length = block["length"]["median"] if block["length"] else 0
        compared = ""
        if test is not None:
            low, high = test["interval"] or (test["difference"],) * 2
            compared = f"{test['difference']:+.3f} [{low:+.3f}, {high:+.3f}], p {test['p_holm']:.3g} (Holm)"
        shown = f"{_share(block['strict']):>6} {_share(close) if close is not None else '-':>9}"
        print(f"{name:<26} {shown} {block['no_answer']:>9} {length:>6.0f}  {compared}")
    if setups["saturated"]:
        listed = ", ".join(f"{task} ({name})" for name, task in setups["saturated"])
        print(f"saturated, so that they tell nobody apart: {listed}")
    tokens = setups["prompt_tokens"]
    if tokens is not None:
        share, missed = f"{100 * tokens['tolerance']:.0f} %", f"{tokens['beyond']} of {tokens['pairs']}"
        print(f"length-matched: prompt tokens differ from the dialogue's by more than {share} in {missed} pairs")


def _share(value: float | None) -> str:
    return "not defined" if value is None else f"{value:.3f}"
