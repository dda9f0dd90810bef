"""Runs: conditions, tools, failures, limits, interrupts, resumption, and what the command line makes of them."""

from __future__ import annotations

import json
import os
import signal
import threading
from contextlib import nullcontext
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest
from support.builds import gen
from support.runs import PRICES, Fake, kept, memory_build, plan_of

from generator.endpoints import Completion, Status, Usage
from generator.engine.files import read_lines
from generator.errors import ExitCode, GenError
from generator.records import Key, Message, Reply, Result, Task, Verdict
from generator.runner import Judging, Options, Plan, Session, forecast, load_run, make_plan, run_session, shown_messages
from generator.runner.spend import Budget, LimitReachedError, estimate_tokens
from generator.runner.work import MAX_ROUNDS

Caps = pytest.CaptureFixture[str]


def go(plan: Plan, out: Path, fake: Fake, *, tool: Any = None, watch: Any = None, **options: Any) -> Session:
    return run_session(
        plan, out, Options(**{"concurrency": 4, **options}), opening=fake.opening, answer_tool=tool, watch=watch
    )


# The plain case ---------------------------------------------------------------------------------


def test_every_reply_is_asked_for_once_and_scored(tmp_path: Path) -> None:
    plan, fake = plan_of(rolls=3), Fake(seconds=0.002)
    session = go(plan, tmp_path / "r", fake)
    assert session.code == ExitCode.GOOD
    assert set(fake.calls.values()) == {1}
    assert fake.most_busy <= 4
    rows = list(session.view.rows())
    assert [(r.task_id, r.roll) for r in rows] == [(t.id, k) for t in plan.build.tasks for k in (1, 2, 3)]
    assert all(r.status == "ok" and r.result and len(r.result.items) > 3 for r in rows)
    assert len({r.reply.reply for r in rows if r.reply}) == 9  # three rolls are three answers
    assert rows[0].cost == (600 * PRICES.input + 400 * Decimal(1) + 100 * PRICES.output) / 1_000_000
    about = session.view.about
    assert about["counts"] == {"planned": 9, "scored": 9, "failed": 0, "pending": 0, "calls": 9, "lost": 0}
    assert about["prices"] == {"input": "2", "output": "8", "cached": "1"}
    assert (about["currency"], about["instrument"], about["model"]) == ("USD", False, "fake-1")
    assert Decimal(about["cost"]["all"]) == sum(r.cost for r in rows if r.cost)


def test_rolls_of_a_task_are_asked_together(tmp_path: Path) -> None:
    fake = Fake()
    go(plan_of(rolls=3), tmp_path / "r", fake, concurrency=1)
    assert fake.order == [(t.id, k) for t in memory_build().tasks for k in (1, 2, 3)]


def test_the_exports_say_what_the_store_says(tmp_path: Path) -> None:
    session = go(plan_of(), tmp_path / "r", Fake(lambda t, r, n: Status.SERVER_ERROR if r == 2 else None))
    rows = list(session.view.rows())
    assert read_lines(tmp_path / "r" / "replies.jsonl", Reply) == [r.reply for r in rows if r.reply]
    assert read_lines(tmp_path / "r" / "results.jsonl", Result) == [r.result for r in rows]
    run = json.loads((tmp_path / "r" / "run.json").read_text(encoding="utf-8"))
    assert run["model"] == "fake-1"
    assert run["summary"] == session.summary
    assert run["summary"]["iii"]["coverage"] == 0.5
    assert not run["summary"]["iii"]["rankable"]
    assert not [p.name for p in (tmp_path / "r").iterdir() if p.name.startswith(".")]


def test_a_finished_run_asks_nothing_more(tmp_path: Path) -> None:
    go(plan_of(), tmp_path / "r", Fake())
    again = Fake()
    session = go(plan_of(), tmp_path / "r", again)
    assert not again.calls
    assert session.code == ExitCode.GOOD
    assert session.view.about["counts"]["calls"] == 6
    go(plan_of(rolls=3), tmp_path / "r", again)
    assert {roll for _, roll, _ in again.calls} == {3}


# Conditions -------------------------------------------------------------------------------------


def test_full_and_user_only_show_what_they_should(tmp_path: Path) -> None:
    fake = Fake()
    go(plan_of(["user-only", "full"], rolls=1, n=1), tmp_path / "r", fake, concurrency=1)
    (task,) = memory_build(1).tasks
    assert fake.shown[0] == task.messages
    assert [m.content for m in fake.shown[1] if m.role == "user"] == [
        m.content for m in task.messages if m.role == "user"
    ]
    assert {m.content for m in fake.shown[1] if m.role == "assistant"} == {"嗯。"}


def test_own_writes_every_turn_and_each_is_resumed_alone(tmp_path: Path) -> None:
    plan = plan_of(["own"], rolls=1, n=1)
    (task,) = plan.build.tasks
    users = [m.content for m in task.messages if m.role == "user"]
    whole = go(plan, tmp_path / "whole", Fake(), concurrency=1)
    broken = Fake(lambda t, r, n: Status.TRANSPORT if len(broken.order) == 5 else None)
    assert go(plan, tmp_path / "r", broken, concurrency=1).code == ExitCode.ENDPOINT
    rest = Fake()
    session = go(plan, tmp_path / "r", rest, concurrency=1)
    assert len(broken.order) + len(rest.order) == len(users) + 1
    assert kept(session.view) == kept(whole.view)
    last = rest.shown[-1]
    assert [m.content for m in last if m.role == "user"] == users
    assert [m.content for m in last if m.role == "assistant"] == session.view.own_turns(task.id)
    (row,) = session.view.rows()
    assert row.usage is not None
    assert row.usage_all is not None
    assert row.usage["output"] == 100
    assert row.usage_all["output"] == 100 * len(users)
    assert row.cost is not None
    assert row.cost_all == row.cost * len(users)
    assert row.attempts == len(users) + 3


def test_reasoning_and_silence_do_not_reach_later_turns() -> None:
    fake = Fake(words=lambda t, r, m: "<think>secret</think>" + ("" if len(m) == 1 else "记下了"))
    import tempfile  # noqa: PLC0415

    with tempfile.TemporaryDirectory() as scratch:
        go(plan_of(["own"], rolls=1, n=1), Path(scratch) / "r", fake, concurrency=1)
    said = [m.content for m in fake.shown[-1] if m.role == "assistant"]
    assert said[0] == "嗯。"
    assert set(said[1:]) == {"记下了"}


def test_own_is_refused_where_user_turns_do_not_tell_the_answer(tmp_path: Path) -> None:
    build = memory_build(2)
    deaf = build.tasks[0].model_copy(update={"conditions": ("full",)})
    mixed = make_plan(
        type(build)(build.folder, build.manifest, build.spec, (deaf, build.tasks[1]), build.keys),
        "m", plan_of().configuration, ["own", "full"], 1,
    )  # fmt: skip
    assert mixed.refused == {"own": 1}
    assert [(j[1], j[3]) for j in mixed.jobs()] == [
        (deaf.id, "full"), (build.tasks[1].id, "full"), (build.tasks[1].id, "own"),
    ]  # fmt: skip
    alone = type(build)(build.folder, build.manifest, build.spec, (deaf,), build.keys)
    for names in (["own"], ["user-only"], ["deaf"]):
        with pytest.raises(GenError) as caught:
            make_plan(alone, "m", None, names, 1)
        assert caught.value.code == ExitCode.USAGE


def test_several_conditions_are_never_mixed_in_a_figure(tmp_path: Path) -> None:
    session = go(plan_of(["full", "user-only"]), tmp_path / "r", Fake())
    assert sorted(session.summary) == ["all", "iii/full", "iii/user-only"]
    assert session.summary["iii/user-only"]["condition"] == "user-only"


# Tools ------------------------------------------------------------------------------------------


def calling(nth: int) -> Completion:
    function = {"name": "look_up", "arguments": json.dumps({"n": nth})}
    return Completion(Status.OK, tool_calls=({"id": f"c{nth}", "type": "function", "function": function},))


def test_tool_calls_are_answered_within_bounds(tmp_path: Path) -> None:
    asked: list[str] = []

    def tool(task: Task, call: dict[str, Any]) -> str:
        asked.append(call["function"]["arguments"])
        return "17"

    fake = Fake(lambda t, r, n: calling(len(fake.order)) if len(fake.order) <= 2 else None)
    session = go(plan_of(rolls=1, n=1), tmp_path / "r", fake, tool=tool, concurrency=1)
    assert len(asked) == 2
    assert [m.role for m in fake.shown[-1]][-4:] == ["assistant", "tool", "assistant", "tool"]
    assert fake.shown[-1][-1] == Message(role="tool", content="17", tool_call_id="c2")
    (row,) = session.view.rows()
    assert row.status == "ok"
    assert row.attempts == 3
    endless = Fake(lambda t, r, n: calling(len(endless.order)))
    session = go(plan_of(rolls=1, n=1), tmp_path / "s", endless, tool=tool, concurrency=1)
    assert len(endless.order) == MAX_ROUNDS + 1
    (row,) = session.view.rows()
    assert row.reply is not None
    assert row.reply.tool_calls


def test_a_tool_that_refuses_says_so_to_the_model(tmp_path: Path) -> None:
    def tool(task: Task, call: dict[str, Any]) -> str:
        raise GenError("tool", "no such city", "none")

    fake = Fake(lambda t, r, n: calling(1) if len(fake.order) == 1 else None)
    assert go(plan_of(rolls=1, n=1), tmp_path / "r", fake, tool=tool, concurrency=1).code == ExitCode.GOOD
    assert fake.shown[-1][-1].content == "error: no such city"


def test_without_tools_to_answer_a_call_is_the_reply(tmp_path: Path) -> None:
    session = go(plan_of(rolls=1, n=1), tmp_path / "r", Fake(lambda t, r, n: calling(1)))
    (row,) = session.view.rows()
    assert row.reply is not None
    assert row.reply.tool_calls[0]["id"] == "c1"


# What a call may come to -------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("completion", "status"),
    [
        (Completion(Status.LENGTH, "| 品名 |", finish_reason="length"), "truncated"),
        (Completion(Status.LENGTH, None, finish_reason="length", reasoning="嗯"), "truncated"),
        (Completion(Status.REFUSAL, None, refusal="no", finish_reason="stop"), "refusal"),
        (Completion(Status.CONTENT_FILTER, None, finish_reason="stop"), "refusal"),
        (Completion(Status.EMPTY, None, finish_reason="stop"), "empty"),
        (Completion(Status.EMPTY, "", finish_reason=None), "empty"),
        (Completion(Status.OK, "half \ud83d 12 34 56", finish_reason="stop"), "ok"),
        (Completion(Status.OK, "字" * 250_000, finish_reason="stop"), "ok"),
    ],
)  # fmt: skip
def test_the_models_own_ends_are_scored_and_not_tried_again(
    tmp_path: Path, completion: Completion, status: str
) -> None:
    session = go(plan_of(rolls=1, n=1), tmp_path / "r", Fake(lambda t, r, n: completion))
    assert session.code == ExitCode.GOOD
    (row,) = session.view.rows()
    assert row.status == status
    assert row.result is not None
    assert row.result.importance == 0


@pytest.mark.parametrize("kind", [s for s in Status if s.is_failure])
def test_failed_calls_are_listed_apart_and_tried_again(tmp_path: Path, kind: Status) -> None:
    bad = memory_build().tasks[1].id
    fake = Fake(lambda t, r, n: kind if t.id == bad and r == 1 else None)
    session = go(plan_of(), tmp_path / "r", fake, concurrency=1)
    assert session.code == ExitCode.ENDPOINT
    assert session.outcome.failures == [f"task {bad}, full, roll 1: {kind}: the server said {kind}"]
    lost = [r for r in session.view.rows() if r.status == "error"]
    assert [(r.task_id, r.roll, r.reply, r.attempts) for r in lost] == [(bad, 1, None, 3)]
    assert lost[0].result is not None
    assert lost[0].result.importance is None
    assert lost[0].error == f"{kind}: the server said {kind}"
    again = Fake()
    session = go(plan_of(), tmp_path / "r", again)
    assert list(again.calls) == [(bad, 1, len(memory_build().tasks[1].messages))]
    assert session.code == ExitCode.GOOD
    go(plan_of(), tmp_path / "whole", Fake())
    assert kept(session.view) == kept(load_run(tmp_path / "whole"))


@pytest.mark.parametrize(
    "end",
    [
        Completion(Status.AUTH, error="bad key", http_status=401), Completion(Status.TRANSPORT, error="refused"),
        Completion(Status.HTTP_ERROR, error="no such model", http_status=404),
    ],
    ids=lambda c: c.status.value,
)  # fmt: skip
def test_a_run_gives_up_when_no_call_can_succeed(tmp_path: Path, end: Completion) -> None:
    fake = Fake(lambda t, r, n: end)
    session = go(plan_of(rolls=20), tmp_path / "r", fake, concurrency=2)
    assert session.outcome.how == "hopeless"
    assert session.code == ExitCode.ENDPOINT
    assert len(fake.order) <= 4
    assert session.view.about["counts"]["pending"] >= 56


def test_bad_requests_do_not_end_a_run(tmp_path: Path) -> None:
    fake = Fake(lambda t, r, n: Completion(Status.HTTP_ERROR, error="too long", http_status=400))
    session = go(plan_of(rolls=3), tmp_path / "r", fake)
    assert (session.outcome.how, session.outcome.failed, len(fake.order)) == ("ended", 9, 9)


def test_no_claim_of_a_server_about_tokens_harms_the_store(tmp_path: Path) -> None:
    odd = Completion(Status.OK, "好", finish_reason="stop", usage=Usage(input=10**40, output=-5))
    session = go(plan_of(rolls=1, n=1, prices=None), tmp_path / "r", Fake(lambda t, r, n: odd))
    (row,) = session.view.rows()
    assert row.usage == {"input": 10**12, "cached": 0, "output": 0, "reasoning": 0}


def test_an_item_that_cannot_be_checked_ends_the_run_and_keeps_the_reply(tmp_path: Path) -> None:
    build = memory_build(1)
    (key,) = build.keys.values()
    odd = key.items[0].model_copy(update={"check": "no-such-check"})
    spoilt = key.model_copy(update={"items": (odd,)})
    plan = plan_of(rolls=1, build=type(build)(build.folder, build.manifest, build.spec, build.tasks, {key.id: spoilt}))
    with pytest.raises(GenError, match="no-such-check"):
        go(plan, tmp_path / "r", Fake())
    mended = Fake()
    session = go(plan_of(rolls=1, n=1), tmp_path / "r", mended)
    assert not mended.calls
    assert session.code == ExitCode.GOOD


def test_a_build_without_keys_is_run_and_not_scored(tmp_path: Path) -> None:
    build = memory_build(1)
    session = go(
        plan_of(build=type(build)(build.folder, build.manifest, build.spec, build.tasks, {})), tmp_path / "r", Fake()
    )
    assert session.code == ExitCode.GOOD
    assert [(r.status, r.result) for r in session.view.rows()] == [("ok", None)] * 2


# Judges -----------------------------------------------------------------------------------------


def judging(verdict: Verdict, asked: list[str], name: str = "j") -> Judging:
    async def judge(task: Task, key: Key, reply: Reply, result: Result) -> Result:
        asked.append(f"{task.id} {reply.roll}")
        return Result.model_validate({**result.model_dump(), "items": dict.fromkeys(result.items, verdict)})

    return Judging("unsure", (name,), lambda: nullcontext(judge))


def test_a_judge_comes_later_or_changes_without_a_call_to_the_model(tmp_path: Path) -> None:
    fake, asked = Fake(), list[str]()
    run_session(plan_of(), tmp_path / "r", opening=fake.opening)
    for name, verdict, times in (
        ("j", Verdict.ERROR, 6),
        ("j", Verdict.HIT, 12),
        ("j", Verdict.MISS, 12),
        ("k", Verdict.MISS, 18),
    ):
        session = run_session(plan_of(), tmp_path / "r", judging=judging(verdict, asked, name), opening=fake.opening)
        assert len(asked) == times  # an error is judged again, a verdict stays until the judge changes
        assert session.view.about["judge"] == {"which": "unsure", "judges": [name]}
    assert len(fake.order) == 6
    assert {v for r in session.view.rows() if r.result for v in r.result.items.values()} == {Verdict.MISS}


# Limits -----------------------------------------------------------------------------------------


def test_limit_stops_before_one_call_too_many(tmp_path: Path) -> None:
    fake = Fake()
    session = go(plan_of(rolls=4), tmp_path / "r", fake, limit=5)
    assert session.code == ExitCode.LIMIT
    assert len(fake.order) == 5
    assert go(plan_of(rolls=4), tmp_path / "r", fake, limit=5).code == ExitCode.LIMIT
    assert len(fake.order) == 5  # the limit is the whole run's
    assert go(plan_of(rolls=4), tmp_path / "r", fake, limit=12).code == ExitCode.GOOD


@pytest.mark.parametrize("concurrency", [1, 8])
def test_max_cost_is_never_overrun(tmp_path: Path, concurrency: int) -> None:
    each = Decimal("0.0024")
    plan = plan_of(rolls=8, settings={"max_tokens": 100})
    prompt = max(estimate_tokens(t.messages) for t in plan.build.tasks)
    most = Decimal(prompt * 2 + 100 * 8) / 1_000_000
    fake = Fake(seconds=0.001)
    session = go(plan, tmp_path / "r", fake, max_cost=Decimal("0.02"), concurrency=concurrency)
    assert session.code == ExitCode.LIMIT
    spent = Decimal(session.view.about["cost"]["all"])
    assert spent == each * len(fake.order)
    assert Decimal("0.02") - max(most, each) <= spent <= Decimal("0.02")


def test_max_cost_needs_prices(tmp_path: Path) -> None:
    with pytest.raises(GenError, match="prices"):
        go(plan_of(prices=None), tmp_path / "r", Fake(), max_cost=Decimal(1))
    assert not (tmp_path / "r").exists()


def test_an_answer_without_usage_counts_as_estimated() -> None:
    import asyncio  # noqa: PLC0415

    async def spend() -> int:
        budget = Budget(PRICES, max_cost=Decimal("0.01"), output=100)
        for calls in range(100):
            try:
                budget.settle(await budget.admit(1000), None)
            except LimitReachedError:
                return calls
        return 100

    assert asyncio.run(spend()) == 3  # 0.0028 each


def test_the_forecast_tells_calls_per_condition() -> None:
    plan = plan_of(["full", "own"], rolls=3, n=2)
    users = [sum(m.role == "user" for m in t.messages) for t in plan.build.tasks]
    full, own = forecast(plan)
    assert (full.requests, own.requests) == (6, 3 * sum(users))
    assert full.prompt_tokens == 3 * sum(estimate_tokens(t.messages) for t in plan.build.tasks)
    assert own.prompt_tokens > 5 * full.prompt_tokens
    assert full.cost == full.final_cost
    assert own.cost is not None
    assert own.final_cost is not None
    assert own.cost > own.final_cost
    exact = 0
    for task in plan.build.tasks:
        written = [m.content for m in task.messages if m.role == "assistant"]
        exact += sum(estimate_tokens(shown_messages(task, "own", written[:n])) for n in range(len(written) + 1))
    assert abs(own.prompt_tokens - 3 * exact) <= 0.03 * 3 * exact


# Stopping ---------------------------------------------------------------------------------------


def test_ctrl_c_keeps_what_is_done_and_the_run_goes_on(tmp_path: Path) -> None:
    def press(nth: int) -> None:
        if nth == 5:
            os.kill(os.getpid(), signal.SIGINT)

    fake = Fake(seconds=0.02, on_call=press)
    session = go(plan_of(rolls=5), tmp_path / "r", fake)
    assert session.code == ExitCode.INTERRUPTED
    counts = session.view.about["counts"]
    assert counts["scored"] == len(fake.order) < 15  # calls in flight were let end
    assert counts["lost"] == 0
    rest = Fake()
    assert go(plan_of(rolls=5), tmp_path / "r", rest).code == ExitCode.GOOD
    assert len(fake.order) + len(rest.order) == 15
    go(plan_of(rolls=5), tmp_path / "whole", Fake())
    assert kept(load_run(tmp_path / "r")) == kept(load_run(tmp_path / "whole"))


def test_a_second_ctrl_c_drops_what_is_in_flight(tmp_path: Path) -> None:
    def press(nth: int) -> None:
        if nth == 4:
            for wait in (0.05, 0.1):
                threading.Timer(wait, os.kill, (os.getpid(), signal.SIGINT)).start()

    fake = Fake(seconds=60, on_call=press)
    session = go(plan_of(rolls=5), tmp_path / "r", fake)
    assert session.code == ExitCode.INTERRUPTED
    lost = session.view.about["counts"]["lost"]
    assert 4 <= lost <= 5  # four in flight, and what waited for its turn
    assert go(plan_of(rolls=5), tmp_path / "r", Fake()).view.about["counts"]["calls"] == 15 + lost


def test_progress_is_told(tmp_path: Path) -> None:
    seen: list[tuple[int, int, Decimal | None]] = []
    watch = lambda tally: seen.append((tally.done, tally.planned, tally.cost))  # noqa: E731
    go(plan_of(), tmp_path / "r", Fake(), watch=watch)
    assert seen[-1] == (6, 6, Decimal("0.0024") * 6)


# The command line -------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Path:
    from support.builds import build  # noqa: PLC0415

    out = tmp_path_factory.mktemp("builds") / "small"
    build(out)
    return out


def test_simulated_respondents_go_through_the_same_store(capsys: Caps, built: Path, tmp_path: Path) -> None:
    ran = gen(capsys, "run", built, "--model", "sim/oracle", "--rolls", 2, "--out", tmp_path / "r", "--json")
    assert ran.code == 0
    assert json.loads(ran.out)["iii"]["strict"] == 1
    view = load_run(tmp_path / "r")
    assert view.about["instrument"] is True
    assert view.about["build"]["commitment"] == json.loads((built / "manifest.json").read_text())["seed_commitment"]
    assert [r.status for r in view.rows()] == ["ok"] * 4
    assert "instrument" in ran.err
    other = gen(capsys, "run", built, "--model", "sim/half-done", "--rolls", 2, "--out", tmp_path / "r")
    assert other.code == ExitCode.USAGE
    assert "model was 'sim/oracle', now 'sim/half-done'" in other.err


def test_an_unknown_respondent_leaves_nothing_behind(capsys: Caps, built: Path, tmp_path: Path) -> None:
    ran = gen(capsys, "run", built, "--model", "sim/nobody", "--out", tmp_path / "r")
    assert ran.code == ExitCode.USAGE
    assert not (tmp_path / "r").exists()


def test_no_key_leaves_nothing_behind(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("OPENAI_API_KEY", raising=False)
    with pytest.raises(GenError, match="OPENAI_API_KEY"):
        run_session(plan_of(), tmp_path / "r")
    assert not (tmp_path / "r").exists()


def test_dry_run_tells_and_does_nothing(
    capsys: Caps, built: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from generator.cli import running  # noqa: PLC0415

    config = tmp_path / "models.yaml"
    config.write_text(
        "configurations:\n  - name: plain\n    model: m\n    base_url: http://127.0.0.1:9/v1\n"
        "    prices: {input: 2, output: 8, currency: EUR}\n",
        encoding="utf-8",
    )
    code = running.run(built, "plain", None, config=config, rolls=3, condition=["full", "own"], dry_run=True)
    said = capsys.readouterr()
    assert code == ExitCode.GOOD
    assert "condition full: 6 replies, 6 requests" in said.out
    assert "EUR" in said.out
    assert "no call was made" in said.err
    assert running.run(built, None, None, config=config, preset="paper", dry_run=True, as_json=True) == ExitCode.GOOD
    assert [c["condition"] for c in json.loads(capsys.readouterr().out)["conditions"]] == ["own"]


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"model": None, "base_url": "http://127.0.0.1:9"}, "--model"),
        ({"model": "sim/oracle", "base_url": None, "seed": 3}, "no endpoint"),
        ({"model": "m", "preset": "poster"}, "preset"),
        ({"model": "m", "max_cost": "a lot"}, "amount"),
        ({"model": "m", "max_cost": "nan"}, "amount"),
        ({"model": "m", "max_cost": "1"}, "prices"),
        ({"model": "m", "judge": "all"}, "no judge is named"),
        ({"model": "m", "judge": "some"}, "no such choice"),
        ({"model": "m", "sets": ["temperature"]}, "--set"),
        ({"model": "m", "condition": ["deaf"]}, "condition"),
    ],
)
def test_wrong_options_are_wrong_command_lines(
    built: Path, tmp_path: Path, options: dict[str, Any], words: str
) -> None:
    from generator.cli import running  # noqa: PLC0415

    with pytest.raises(GenError, match=words) as caught:
        running.run(built, options.pop("model"), tmp_path / "r", **{"base_url": "http://127.0.0.1:9", **options})
    assert caught.value.code == ExitCode.USAGE
    assert not (tmp_path / "r").exists()
