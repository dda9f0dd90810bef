"""`gen judge calibrate`, `gen judge sample` and `gen judge labels`."""

from __future__ import annotations

import asyncio
import json
from contextlib import ExitStack
from pathlib import Path
from typing import Any

from generator.cli.configured import configuration_of
from generator.cli.progress import say
from generator.content import default_root
from generator.endpoints import Client, Configuration
from generator.engine.files import dump_json, write_text
from generator.engine.loaded import Build, load_build
from generator.errors import ExitCode, GenError
from generator.runner.judge import (
    JUDGE_STORE,
    LABELS,
    Calibration,
    Judge,
    JudgeStore,
    KindRates,
    calibrate_judge,
    correct_run,
    draw_sample,
    read_labels,
)
from generator.runner.view import RunView, load_run
from generator.scoring.statistics import Interval


def calibrate(
    folder: Path, model: str | None, *, base_url: str | None = None, api_key_env: str | None = None,
    config: Path | None = None, sets: tuple[str, ...] = (), headers: tuple[str, ...] = (), timeout: float | None = None,
    allow_insecure: bool = False, n: int = 40, seed: int = 0, run: Path | None = None, cache: Path | None = None,
    out: Path | None = None, pool: bool = False, content: Path | None = None, quiet: bool = False,
    as_json: bool = False,
) -> int:  # fmt: skip
    """Print how well a judge tells constructed hits from misses; with a run, the Rogan-Gladen analysis of it too.

    Args:
        folder: The build whose keys the replies are made from.
        model: The judge, or the name of a configuration in `config`.
        n: Replies to construct, one a task.
        seed: Of what is made wrong in them.
        run: A run whose judged items the analysis is of.
        cache: SQLite file that keeps rulings; without one every call is made anew.
        out: JSON file to write as well.

    Raises:
        GenError: An option is wrong (2), or build or run cannot be read.
    """
    chosen = configuration_of(
        model, config, base_url=base_url, headers=headers, sets=sets, api_key_env=api_key_env, timeout_s=timeout,
        allow_insecure=allow_insecure or None,
    )  # fmt: skip
    build = load_build(folder, pool=pool)
    with ExitStack() as stack:
        store = stack.enter_context(JudgeStore(cache)) if cache else None
        found = asyncio.run(_calibrate(chosen, store, build, content, n, seed))
    made: dict[str, Any] = found.as_json()
    if run is not None:
        with JudgeStore(run / JUDGE_STORE, read_only=True) as judged:
            corrected = correct_run(found, judged.all_notes())
        made["run"] = {**corrected._asdict(), "interval": corrected.interval and list(corrected.interval)}
    if out is not None:
        write_text(out, dump_json(made))
    if as_json:
        print(json.dumps(made, ensure_ascii=False))
    else:
        _print_calibration(found, made.get("run"))
    if found.dropped:
        say(f"{found.dropped} items left out: the checks contradict the construction", quiet=quiet)
    whole = found.rates[0]
    if whole.errors and not whole.hits + whole.misses:
        say("no verdict could be read: is this the address of a chat model?")
        return ExitCode.ENDPOINT
    return ExitCode.GOOD


def sample(
    run: Path, out: Path, *, n: int = 100, seed: int = 0, build: Path | None = None, force: bool = False,
    quiet: bool = False,
) -> int:  # fmt: skip
    """Write a random sample of a run's judged items for people to label, and print the file's path.

    Args:
        run: The run's folder.
        out: The file, .jsonl or .csv.
        n: Items to draw.
        seed: Of the draw.
        build: The run's build, where it is no longer where it was.
        force: Replace the file.

    Raises:
        GenError: Nothing was judged, the build does not fit, or the file exists (2).
    """
    if out.exists() and not force:
        raise GenError(str(out), "exists already", "add --force to replace it, or choose another name", ExitCode.USAGE)
    view = load_run(run)
    count = draw_sample(view, _build_of(view, build), out, n=n, seed=seed)
    print(out)
    say(f"{count} items: write hit or miss into label, from the top; then gen judge labels {run} {out}", quiet=quiet)
    say("the file holds wanted values of the keys: keep it private", quiet=quiet)
    return ExitCode.GOOD


def labels(run: Path, file: Path, *, quiet: bool = False, as_json: bool = False) -> int:
    """Check a labelled file, write `labels.jsonl` into the run, and print agreement and the corrected share of hits.

    Raises:
        GenError: The file is no sample of this run, or its labels are not readable.
    """
    found = read_labels(load_run(run), file)
    if as_json:
        print(json.dumps(found.as_json(), ensure_ascii=False))
    else:
        kappa, ppi = found.kappa, found.ppi
        print(f"{found.labelled} labels of {found.population} judged items, {found.sampled} drawn")
        if not found.labelled:
            print(f"no labels: nothing is corrected; share of hits as judged {_share(ppi.naive)}")
        else:
            print(f"Cohen's kappa, judge and person: {_share(kappa.value)} (n = {kappa.n}) {kappa.reason}".rstrip())
            print(f"share of hits among judged items: {_share(ppi.estimate)} {_span(ppi.interval)} with labels (PPI)")
            if ppi.caution:
                print(f"  {ppi.caution}")
    say(f"wrote {run / LABELS}", quiet=quiet)
    return ExitCode.GOOD


async def _calibrate(
    chosen: Configuration, store: JudgeStore | None, build: Build, content: Path | None, n: int, seed: int
) -> Calibration:
    async with Client(chosen) as client:
        return await calibrate_judge(Judge(client, store, default_root(content)), build, n=n, seed=seed)


def _build_of(view: RunView, folder: Path | None) -> Build:
    about = view.about["build"]
    build = load_build(folder or Path(str(about["folder"])), pool=bool(about.get("pool")))
    if build.manifest.get("seed_commitment") != about.get("commitment"):
        raise GenError(str(build.folder), "not the build that the run answered", "name it with --build")
    return build


def _print_calibration(found: Calibration, run: dict[str, Any] | None) -> None:
    print(f"{found.judge}: {found.label}")
    print(f"{found.replies} constructed replies; intervals are Clopper-Pearson, 95 %")
    for rates in found.rates:
        print(f"{rates.kind}: {_rate(rates)}; {rates.unsure} unsure, {rates.errors} errors")
    if run is not None:
        share = f"share of hits {_share(run['estimate'])} {_span(run['interval'])} {run['reason']}"
        print(f"{run['label']}: {share}".rstrip())


def _rate(rates: KindRates) -> str:
    one = f"sensitivity {_share(rates.sensitivity)} {_span(rates.sensitivity_interval)} of {rates.hits}"
    return f"{one}; specificity {_share(rates.specificity)} {_span(rates.specificity_interval)} of {rates.misses}"


def _share(value: float | None) -> str:
    return "not defined" if value is None else f"{value:.3f}"


def _span(interval: Interval | list[float] | None) -> str:
    return "(no interval)" if interval is None else f"[{interval[0]:.3f}, {interval[1]:.3f}]"
