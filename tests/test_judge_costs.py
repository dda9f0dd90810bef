"""What judges cost: counted apart from the model, held against the budget, and gone with --force."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest
from aiohttp import web
from support.judging import JudgeServer, Says, key_of, ruling
from support.runs import Fake, plan_of

from generator.endpoints import Prices
from generator.errors import ExitCode
from generator.records import Reply, Verdict
from generator.runner import Judging, Options, Session, load_run, run_session
from generator.runner.judge import JUDGE_STORE, LABELS, Judge, JudgedItem, JudgeStore, Place, make_run_judge
from generator.runner.judge.labelling import SAMPLE
from generator.runner.judge_costs import judge_spent
from generator.runner.spend import Budget, LimitReachedError

PRICES = Prices(input=Decimal(10), output=Decimal(20))
EACH = Decimal("0.006")  # 400 tokens in, 100 out
REPLY = Reply(task_id="t", reply="折叠椅 123 元")


def told(text: str, usage: dict[str, int] | None = None) -> web.Response:
    """Return a completion that tells tokens."""
    choice = {"index": 0, "finish_reason": "stop", "message": {"role": "assistant", "content": text}}
    usage = usage or {"prompt_tokens": 400, "completion_tokens": 100, "total_tokens": 500}
    body = {"id": "j", "object": "chat.completion", "created": 0, "model": "j", "choices": [choice], "usage": usage}
    return web.json_response(body)


def says_miss(seen: Any, n: int) -> web.Response:
    return told(ruling(seen, "miss"))


def session_of(
    folder: Path, options: Options | None = None, *, says: Says = says_miss, prices: Prices | None = PRICES,
    names: Sequence[str] = ("one",), fake: Fake | None = None,
) -> Session:  # fmt: skip
    """Return a session of three tasks and two rolls whose replies are all judged."""

    @asynccontextmanager
    async def opening() -> AsyncIterator[Any]:
        server = JudgeServer(says)
        with JudgeStore(folder / JUDGE_STORE) as store:
            async with server:
                clients = [server.client(name, prices=prices, settings={"max_tokens": 100}) for name in names]
                yield make_run_judge([Judge(client, store) for client in clients], "all", store)
                for client in clients:
                    await client.close()

    judging = Judging("all", tuple(names), opening)
    return run_session(plan_of(), folder, options, opening=(fake or Fake()).opening, judging=judging)


def test_calls_tokens_and_money_are_told_apart_from_the_models(tmp_path: Path) -> None:
    session = session_of(tmp_path / "r", names=("one", "two"))
    about = session.view.about
    assert about["judge_calls"] == {
        "calls": 12, "usage": {"input": 4800, "cached": 0, "output": 1200, "reasoning": 0},
        "costs": {"USD": str(12 * EACH)}, "unpriced": 0,
    }  # fmt: skip
    assert about["usage"]["all"]["input"] == 6000  # the model's alone
    assert Decimal(about["cost"]["all"]) == 6 * Decimal("0.0024")
    assert session.summary["all"]["judge_calls"] == about["judge_calls"]
    assert json.loads((tmp_path / "r" / "run.json").read_text(encoding="utf-8"))["about"]["judge_calls"]["calls"] == 12


def test_every_answer_counts_and_what_was_kept_does_not(tmp_path: Path) -> None:
    async def work() -> None:
        server = JudgeServer(lambda seen, n: told("nonsense") if n == 0 else told(ruling(seen)))
        with JudgeStore(tmp_path / JUDGE_STORE) as store:
            async with server, server.client(prices=PRICES) as client:
                for _ in range(2):
                    await Judge(client, store).judge(key_of(), REPLY, "all")

    asyncio.run(work())
    spent = judge_spent(tmp_path)
    assert spent is not None
    assert (spent.calls, spent.costs, spent.unpriced) == (2, {"USD": 2 * EACH}, 0)


def test_without_prices_or_tokens_the_cost_is_not_known(tmp_path: Path) -> None:
    session = session_of(tmp_path / "r", prices=None)
    calls = session.view.about["judge_calls"]
    assert (calls["calls"], calls["costs"], calls["unpriced"]) == (6, {}, 6)
    silent = session_of(tmp_path / "s", says=lambda seen, n: ruling(seen)).view.about["judge_calls"]
    assert (silent["usage"], silent["costs"], silent["unpriced"]) == (None, {}, 6)


def test_failed_calls_are_counted(tmp_path: Path) -> None:
    session = session_of(tmp_path / "r", says=lambda seen, n: web.Response(status=500))
    calls = session.view.about["judge_calls"]
    assert (calls["calls"] >= 6, calls["costs"]) == (True, {})


def test_a_run_without_a_judge_tells_none(tmp_path: Path) -> None:
    session = run_session(plan_of(), tmp_path / "r", opening=Fake().opening)
    assert session.view.about["judge_calls"] is None
    (tmp_path / "r" / JUDGE_STORE).touch()
    assert load_run(tmp_path / "r").about["judge_calls"] is None


def test_judges_count_in_max_cost_and_a_higher_one_goes_on_without_asking_the_model_again(tmp_path: Path) -> None:
    most = Decimal("0.08")
    fake = Fake()
    session = session_of(tmp_path / "r", Options(max_cost=most, concurrency=2), fake=fake)
    assert session.code == ExitCode.LIMIT
    about = session.view.about
    spent = Decimal(about["cost"]["all"]) + Decimal(about["judge_calls"]["costs"]["USD"])
    assert 0 < about["judge_calls"]["calls"] < 6
    assert Decimal("0.01") < spent <= most
    again = session_of(tmp_path / "r", Options(max_cost=spent), fake=fake)
    assert again.code == ExitCode.LIMIT  # what earlier sessions spent on judges counts
    assert again.view.about["judge_calls"] == about["judge_calls"]
    assert session_of(tmp_path / "r", Options(max_cost=Decimal(1)), fake=fake).code == ExitCode.GOOD
    assert set(fake.calls.values()) == {1}
    assert load_run(tmp_path / "r").about["judge_calls"]["calls"] == 6


def test_judges_of_another_currency_are_not_held_against_it(tmp_path: Path) -> None:
    other = PRICES.model_copy(update={"currency": "CNY"})
    session = session_of(tmp_path / "r", Options(max_cost=Decimal("0.03")), prices=other)
    assert session.code == ExitCode.GOOD
    assert session.view.about["judge_calls"]["costs"] == {"CNY": str(6 * EACH)}


def test_a_reservation_is_given_back_and_waited_for() -> None:
    async def work() -> None:
        budget = Budget(PRICES, max_cost=Decimal(1))
        held = await budget.reserve(Decimal("0.8"))
        waiting = asyncio.create_task(budget.reserve(Decimal("0.5")))
        await asyncio.sleep(0)
        assert not waiting.done()
        budget.release(held, Decimal("0.1"))
        budget.release(await waiting, Decimal("0.5"))
        assert (budget.spent, budget.calls) == (Decimal("0.6"), 0)
        with pytest.raises(LimitReachedError):
            await budget.reserve(Decimal("0.5"))

    asyncio.run(work())


def test_force_takes_notes_sample_and_labels_away(tmp_path: Path) -> None:
    folder = tmp_path / "r"
    session_of(folder)
    with JudgeStore(folder / JUDGE_STORE) as store:
        store.note(Place("t", "full", 1), [JudgedItem(item="i01", verdict=Verdict.HIT, judge="one")])
    for name in (LABELS, SAMPLE):
        (folder / name).write_text("{}\n", encoding="utf-8")
    session = run_session(plan_of(), folder, Options(force=True), opening=Fake().opening)
    assert session.view.about["judge_calls"] is None
    assert not {JUDGE_STORE, LABELS, SAMPLE} & {path.name for path in folder.iterdir()}
