"""What a run is made of: which replies are wanted, what identifies the run, what it will take."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from decimal import Decimal
from itertools import accumulate
from typing import Any

from generator import __version__
from generator.endpoints import Configuration, Prices
from generator.engine.loaded import Build
from generator.errors import ExitCode, GenError
from generator.records import Task, digest_of
from generator.respondents import PREFIX
from generator.runner.conditions import check_names, is_allowed, shown_messages, turns_of
from generator.runner.spend import ASSUMED_OUTPUT, estimate_tokens, output_limit


@dataclass(frozen=True)
class Plan:
    """The replies that a run wants. `refused` counts the tasks of each condition that may not be run under it."""

    build: Build
    model: str
    configuration: Configuration | None
    conditions: tuple[str, ...]
    rolls: int
    pool: bool = False
    refused: dict[str, int] = field(default_factory=dict)

    def jobs(self) -> Iterator[tuple[int, str, str, str, int]]:
        """Yield (place, task id, mode, condition, roll), the rolls of a task together: providers cache prefixes."""
        for place, task in enumerate(self.build.tasks):
            for condition in self.conditions:
                if is_allowed(task, condition):
                    for roll in range(1, self.rolls + 1):
                        yield place, task.id, task.mode, condition, roll

    @property
    def prices(self) -> Prices | None:
        """The prices of the configuration, None if it has none."""
        return self.configuration.prices if self.configuration else None

    @property
    def output_limit(self) -> int | None:
        """The most tokens of a reply that the settings allow, None if they do not say."""
        return (
            output_limit({**self.configuration.settings, **self.configuration.extra_body}) if self.configuration else 0
        )


def make_plan(
    build: Build, model: str, configuration: Configuration | None, conditions: Sequence[str], rolls: int, *,
    pool: bool = False,
) -> Plan:  # fmt: skip
    """Return the plan of a run; `configuration` is None for a simulated respondent.

    Raises:
        GenError: A condition is unknown, or no task may be run under it.
    """
    names = check_names(conditions)
    refused = {}
    for name in names:
        left_out = sum(not is_allowed(task, name) for task in build.tasks)
        if left_out == len(build.tasks):
            what = "no task of this build is marked for it"
            raise GenError(f"--condition {name}", what, "choose --condition full", ExitCode.USAGE)
        if left_out:
            refused[name] = left_out
    return Plan(build, model, configuration, names, rolls, pool, refused)


def spec_of(plan: Plan) -> dict[str, Any]:
    """Return what must be the same for a run to be continued: all that a reply depends on but condition and roll."""
    made = plan.configuration
    spec: dict[str, Any] = {
        "model": plan.model, "tasks": digest_of([t.model_dump(mode="json") for t in plan.build.tasks]),
        "build": plan.build.manifest.get("seed_commitment"),
    }  # fmt: skip
    if made is not None:
        spec |= {
            "base_url": made.base_url, "headers": dict(made.headers), "seed": made.seed,
            "settings": dict(made.settings), "extra_body": dict(made.extra_body),
        }  # fmt: skip
    return spec


def about_of(plan: Plan) -> dict[str, Any]:
    """Return what readers of a run are told about it; see `generator.runner.view.load_run`."""
    made, build = plan.configuration, plan.build
    prices = made.prices.model_dump(mode="json") if made and made.prices else None
    currency = prices.pop("currency") if prices else None
    settings: dict[str, Any] = {}
    if made is not None:
        settings = {**made.settings, **({"extra_body": made.extra_body} if made.extra_body else {})}
        settings |= {"seed": made.seed} if made.seed is not None else {}
    return {
        "model": plan.model, "configuration": made.name if made else plan.model, "pair": made.pair if made else None,
        "settings": settings, "base_url": made.base_url if made else None,
        "instrument": plan.model.startswith(PREFIX),
        "build": {
            "folder": str(build.folder), "commitment": build.manifest.get("seed_commitment"),
            "digest": digest_of([t.id for t in build.tasks]), "mode": build.spec.mode, "lang": build.spec.lang,
            "split": build.spec.split, "pool": plan.pool, "tasks": len(build.tasks),
        },
        "conditions": list(plan.conditions), "rolls": plan.rolls, "refused": plan.refused, "currency": currency,
        "prices": prices, "version": __version__,
    }  # fmt: skip


@dataclass(frozen=True)
class Forecast:
    """What a condition will take. Tokens are estimates; `cost` ignores prefix caches and is None without prices."""

    condition: str
    replies: int
    requests: int
    prompt_tokens: int
    output_tokens: int
    cost: Decimal | None
    final_cost: Decimal | None


def forecast(plan: Plan) -> list[Forecast]:
    """Return requests, tokens and money per condition, without any call.

    Prompt tokens follow `estimate_tokens`; a final reply is taken to have `ASSUMED_OUTPUT` tokens (or the settings'
    limit, if that is less), a turn in between as many as the released assistant turn.
    """
    found = []
    output = min(ASSUMED_OUTPUT, plan.output_limit or ASSUMED_OUTPUT)
    for condition in plan.conditions:
        tasks = [task for task in plan.build.tasks if is_allowed(task, condition)]
        sums = [_take(task, condition, output) for task in tasks]
        requests, prompt, out, final = (plan.rolls * sum(column) for column in zip(*sums, strict=True))
        final_out = plan.rolls * len(tasks) * output
        found.append(
            Forecast(
                condition, plan.rolls * len(tasks), requests, prompt, out,
                _money(plan.prices, prompt, out), _money(plan.prices, final, final_out),
            )
        )  # fmt: skip
    return found


def _take(task: Task, condition: str, output: int) -> tuple[int, int, int, int]:
    """Return requests, prompt tokens, output tokens and prompt tokens of the final turn of one reply to a task."""
    if condition != "own":
        prompt = estimate_tokens(shown_messages(task, condition, ()), task.tools)
        return 1, prompt, output, prompt
    fixed = estimate_tokens((), task.tools)
    heads = list(accumulate(estimate_tokens([m]) - estimate_tokens(()) for m in task.messages))
    asked = [heads[n] + fixed for n, m in enumerate(task.messages) if m.role == "user"]
    between = sum(estimate_tokens([m]) for m in task.messages if m.role == "assistant")
    assert len(asked) == turns_of(task, condition)
    return len(asked), sum(asked), between + output, asked[-1]


def _money(prices: Prices | None, prompt: int, output: int) -> Decimal | None:
    return None if prices is None else (prompt * prices.input + output * prices.output) / Decimal(1_000_000)
