"""`gen mock`: replies of simulated respondents over HTTP, the same whatever happens, and faults to order."""

from __future__ import annotations

import asyncio
import json
import random
import signal
import socket
import subprocess
import sys
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
from support.builds import build as make

from generator.endpoints import ATTEMPT_HEADER, Client, Completion, Configuration, RetryPolicy, Status
from generator.engine.loaded import Build, load_build
from generator.engine.runs import NEUTRAL, score_replies, show_messages
from generator.errors import ExitCode, GenError
from generator.records import Message, Reply, Task
from generator.respondents import respond
from generator.runner.mock import Faults, Mock
from generator.runner.mock_requests import index_tasks
from generator.runner.mock_server import serving
from generator.stages.pipeline import open_workshop

BAD = Faults(error_rate=0.15, rate_limit=0.1, hangup=0.05, malformed=0.1, cut=0.1, retry_after_s=0.01)


@pytest.fixture(scope="module")
def build(tmp_path_factory: pytest.TempPathFactory) -> Build:
    out = tmp_path_factory.mktemp("mock") / "build"
    make(out, n=2, pool=4)
    return load_build(out)


@pytest.fixture(scope="module")
def mock(build: Build) -> Mock:
    return Mock(build)


def body(messages: Sequence[Message], model: str = "sim/oracle", **fields: Any) -> bytes:
    rows = [{"role": m.role, "content": m.content} for m in messages]
    return json.dumps({"model": model, "messages": rows, **fields}).encode()


def said(mock: Mock, messages: Sequence[Message], roll: int = 1, model: str = "sim/oracle", attempt: int = 1) -> Any:
    spoken = mock.answer(body(messages, model, seed=roll), {ATTEMPT_HEADER: str(attempt - 1)})
    assert (spoken.status, spoken.end) == (200, "whole"), spoken.body
    return json.loads(spoken.body)


def text(answer: Any) -> Any:
    return answer["choices"][0]["message"]["content"]


# Answers


@pytest.mark.parametrize("condition", ["full", "user-only"])
@pytest.mark.parametrize("model", ["sim/oracle", "sim/noisy-30", "sim/last-turn"])
def test_replies_are_those_of_the_respondents(build: Build, mock: Mock, condition: str, model: str) -> None:
    for task in build.tasks:
        shop = open_workshop(task.mode, task.lang, build.spec.split)
        kit = shop.kit(build.key(task.id).factors.world)
        shown = show_messages(task.messages, condition, task.lang)
        for roll in (1, 2):
            expected = respond(model.removeprefix("sim/"), shop.mode, kit, shown, task.id, roll)
            assert text(said(mock, shown, roll, model)) == expected


def test_answers_depend_on_messages_model_and_roll_alone(build: Build) -> None:
    asked = [(t, roll, model) for t in build.tasks for roll in (1, 2, 3) for model in ("sim/oracle", "noisy-45")]
    first, second = Mock(build), Mock(build)
    there = [first.answer(body(t.messages, m, seed=r), {}) for t, r, m in asked]
    again = [second.answer(body(t.messages, m, seed=r), {}) for t, r, m in reversed(asked)]
    assert there == again[::-1]
    assert len({s.body for s in there}) == len(asked)


def test_a_roll_may_come_as_header_user_or_seed(build: Build, mock: Mock) -> None:
    messages = build.tasks[0].messages
    expected = mock.answer(body(messages, seed=2), {})
    for fields, headers in (
        ({}, {"X-Turnproof-Roll": "2"}), ({}, {"x-turnproof-roll": "2"}), ({"user": "2"}, {}),
        ({"user": "X-Turnproof-Roll: 2", "seed": 9}, {}), ({"seed": 5}, {"X-Turnproof-Roll": "2"}),
    ):  # fmt: skip
        assert mock.answer(body(messages, **fields), headers) == expected
    assert mock.answer(body(messages), {}) == mock.answer(body(messages, seed=1, user="Ada"), {})
    assert mock.answer(body(messages), {}) != expected


def test_the_beginning_of_a_task_gets_a_neutral_word(build: Build, mock: Mock) -> None:
    """Under `own` the model writes every turn itself: what it said before is up to it."""
    task = build.tasks[0]
    shown: list[Message] = []
    users = [m for m in task.messages if m.role == "user"]
    for number, message in enumerate(users):
        shown.append(message)
        answer = text(said(mock, shown))
        assert (answer == NEUTRAL[task.lang]) is (number < len(users) - 1)
        shown.append(Message(role="assistant", content=answer))
    system = Message(role="system", content="Be brief.")
    assert text(said(mock, [system, users[0]])) == NEUTRAL[task.lang]


def test_a_whole_task_goes_before_the_beginning_of_another(build: Build) -> None:
    long = build.tasks[0]
    short = long.model_copy(update={"id": "short", "messages": long.messages[:1]})
    for tasks in ((long, short), (short, long)):
        places = list(index_tasks(tasks).values())
        turns = sum(m.role == "user" for m in long.messages)
        assert [p.turn for p in places if p.is_final and p.task.id == "short"] == [1]
        assert sorted(p.turn for p in places) == list(range(1, turns + 1))


def test_the_oracle_scores_through_the_mock_what_it_scores_without(build: Build, mock: Mock) -> None:
    replies = [Reply(task_id=t.id, reply=text(said(mock, t.messages))) for t in build.tasks]
    assert score_replies(build, replies).summary["iii"]["strict"] == 1.0


def test_usage_is_filled(build: Build, mock: Mock) -> None:
    usage = said(mock, build.tasks[0].messages)["usage"]
    assert usage["prompt_tokens"] > 100
    assert usage["completion_tokens"] > 0
    assert usage["total_tokens"] == usage["prompt_tokens"] + usage["completion_tokens"]
    assert usage["prompt_tokens_details"]["cached_tokens"] == 0
    later = said(mock, build.tasks[0].messages, roll=2)["usage"]
    assert 0 < later["prompt_tokens_details"]["cached_tokens"] <= later["prompt_tokens"]


def test_parts_of_text_are_text(build: Build, mock: Mock) -> None:
    rows = [{"role": m.role, "content": [{"type": "text", "text": m.content}]} for m in build.tasks[0].messages]
    spoken = mock.answer(json.dumps({"model": "sim/oracle", "messages": rows}).encode(), {})
    assert json.loads(spoken.body) == said(mock, build.tasks[0].messages)


ASK = {"model": "sim/oracle", "messages": [{"role": "user", "content": "hello"}]}


@pytest.mark.parametrize(
    ("asked", "status", "words"),
    [
        (ASK, 400, "not the messages of a task"),
        (ASK | {"model": "gpt-9"}, 404, "sim/oracle"),
        (ASK | {"model": "sim/noisy-100"}, 404, "no model"),
        (ASK | {"stream": True}, 400, "stream"),
        (ASK | {"n": 2}, 400, "one choice"),
        (ASK | {"messages": []}, 400, "messages"),
        (ASK | {"messages": [{"role": "king"}]}, 400, "role"),
        (ASK | {"messages": ["hello"]}, 400, "role"),
        ([1], 400, "messages"),
    ],
)
def test_what_cannot_be_answered_is_refused_in_words(mock: Mock, asked: Any, status: int, words: str) -> None:
    spoken = mock.answer(json.dumps(asked).encode(), {})
    assert spoken.status == status
    assert words in json.loads(spoken.body)["error"]["message"]


def test_a_body_that_is_no_json_is_refused(mock: Mock) -> None:
    assert mock.answer(b"{", {}).status == 400


# Faults


def outcomes(build: Build, faults: Faults, attempts: int = 1) -> Counter[str]:
    mock = Mock(build, faults)
    for task in build.tasks:
        for roll in range(150):
            for attempt in range(attempts):
                mock.answer(body(task.messages, "last-turn", seed=roll), {ATTEMPT_HEADER: str(attempt)})
    return mock.asked


def test_faults_come_in_their_shares(build: Build) -> None:
    asked = outcomes(build, BAD)
    total = asked.total()
    assert total == 150 * len(build.tasks)
    for name in ("error_rate", "rate_limit", "hangup", "malformed", "cut"):
        assert asked[name] / total == pytest.approx(getattr(BAD, name), abs=0.05), name
    assert outcomes(build, Faults()) == {"answered": total}
    assert outcomes(build, Faults(hangup=1.0)) == {"hangup": total}


def test_passing_faults_depend_on_the_attempt_and_lasting_ones_do_not(build: Build) -> None:
    lasting = Faults(truncate=0.3, refusal=0.2, empty=0.2)
    mock, again = Mock(build, lasting), Mock(build, lasting)
    kinds: Counter[str] = Counter()
    task = build.tasks[0]
    for roll in range(1, 101):
        answers = [said(m, task.messages, roll, attempt=n) for m, n in ((mock, 1), (mock, 2), (again, 7))]
        assert answers[0] == answers[1] == answers[2]
        choice = answers[0]["choices"][0]
        message = choice["message"]
        kinds["cut" if choice["finish_reason"] == "length" else "no" if message["refusal"] else "text"] += 1
    assert kinds["cut"] > 10
    assert kinds["no"] > 5
    statuses = {Mock(build, BAD).answer(body(task.messages), {ATTEMPT_HEADER: str(n)}).status for n in range(40)}
    assert {200, 429} <= statuses


def test_attempts_are_counted_where_the_client_does_not_tell(build: Build) -> None:
    told, untold = Mock(build, BAD), Mock(build, BAD)
    for attempt in range(12):
        asked = body(build.tasks[0].messages)
        assert untold.answer(asked, {}) == told.answer(asked, {ATTEMPT_HEADER: str(attempt)})


def test_a_429_says_how_long_to_wait(build: Build) -> None:
    spoken = Mock(build, Faults(rate_limit=1.0, retry_after_s=2)).answer(body(build.tasks[0].messages), {})
    assert (spoken.status, spoken.headers) == (429, {"Retry-After": "2"})


@pytest.mark.parametrize("shares", [{"error_rate": 1.5}, {"cut": -0.1}, {"hangup": 0.6, "cut": 0.6}, {"empty": 2}])
def test_shares_that_are_none_are_refused(shares: dict[str, float]) -> None:
    with pytest.raises(GenError) as caught:
        Faults(**shares)  # type: ignore[arg-type]
    assert caught.value.code is ExitCode.USAGE


# Over HTTP


def ask_all(mock: Mock, tasks: Sequence[Task], rolls: int = 8, **fields: Any) -> dict[tuple[str, int], Completion]:
    """Return what a client gets from a served mock; waits are cut short."""

    async def nap(seconds: float) -> None:
        await asyncio.sleep(min(seconds, 0.002))

    async def run() -> dict[tuple[str, int], Completion]:
        async with serving(mock) as url:
            configuration = Configuration(name="m", model="sim/oracle", base_url=url, api_key_env=None, **fields)
            policy = RetryPolicy(max_retries=12)
            async with Client(configuration, policy=policy, sleep=nap, rng=random.Random(1)) as client:
                asked = [(t.id, roll, client.prepare(t.messages)) for t in tasks for roll in range(1, rolls + 1)]
                got = await asyncio.gather(*(client.complete(r, roll=n) for _, n, r in asked))
        return {(name, roll): completion for (name, roll, _), completion in zip(asked, got, strict=True)}

    return asyncio.run(run())


def test_a_client_gets_every_reply_through_all_faults(build: Build) -> None:
    calm = ask_all(Mock(build), build.tasks)
    stormy = Mock(build, BAD)
    rough = ask_all(stormy, build.tasks)
    assert {k: c.text for k, c in rough.items()} == {k: c.text for k, c in calm.items()}
    assert {c.status for c in rough.values()} == {Status.OK}
    assert max(c.attempts for c in rough.values()) > 1
    assert sum(c.attempts for c in rough.values()) == stormy.asked.total()
    assert all(c.usage.input and c.usage.output for c in rough.values())
    assert all(c.attempts == 1 for c in calm.values())


@pytest.mark.parametrize(
    ("name", "status"),
    [
        ("error_rate", Status.SERVER_ERROR), ("rate_limit", Status.RATE_LIMIT), ("hangup", Status.TRANSPORT),
        ("malformed", Status.MALFORMED), ("cut", Status.TRANSPORT), ("truncate", Status.LENGTH),
        ("refusal", Status.REFUSAL), ("empty", Status.EMPTY),
    ],
)  # fmt: skip
def test_each_fault_is_what_it_is_called(build: Build, name: str, status: Status) -> None:
    faults = Faults(**{name: 1.0, "retry_after_s": 0})  # type: ignore[arg-type]
    got = ask_all(Mock(build, faults), build.tasks[:1], rolls=1)
    assert [c.status for c in got.values()] == [status]


def test_a_seed_in_the_configuration_numbers_the_rolls_too(build: Build) -> None:
    plain, seeded = (ask_all(Mock(build), build.tasks[:1], 3, **f) for f in ({}, {"seed": 1}))
    assert {k: c.text for k, c in plain.items()} == {k: c.text for k, c in seeded.items()}


def test_models_are_listed(mock: Mock) -> None:
    rows = json.loads(mock.list_models().body)["data"]
    assert {"sim/oracle", "sim/noisy-30"} <= {row["id"] for row in rows}


def test_a_port_that_is_taken_is_said(mock: Mock) -> None:
    async def run(port: int) -> None:
        async with serving(mock, port):
            pass

    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        with pytest.raises(GenError) as caught:
            asyncio.run(run(taken.getsockname()[1]))
    assert caught.value.code is ExitCode.MACHINE


def test_the_command_prints_its_address_and_stops_cleanly(build: Build) -> None:
    code = "import sys, pathlib; from generator.cli.mocking import mock; sys.exit(mock(pathlib.Path(sys.argv[1])))"
    command = [sys.executable, "-c", code, str(build.folder)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as served:
        assert served.stdout is not None
        url = served.stdout.readline().strip()
        assert url.startswith("http://127.0.0.1:")

        async def ask() -> Completion:
            configuration = Configuration(name="m", model="sim/oracle", base_url=url, api_key_env=None)
            async with Client(configuration) as client:
                return await client.complete(build.tasks[0].messages)

        assert asyncio.run(ask()).status is Status.OK
        served.send_signal(signal.SIGINT)
        out, err = served.communicate(timeout=10)
        assert (served.returncode, out) == (0, "")
        assert "answered 1" in err
        assert "Traceback" not in err


def test_without_its_packages_the_command_says_what_to_install(build: Build, monkeypatch: pytest.MonkeyPatch) -> None:
    from generator.cli.mocking import mock as command  # noqa: PLC0415

    monkeypatch.delitem(sys.modules, "generator.runner.mock_server")
    monkeypatch.setitem(sys.modules, "aiohttp", None)
    with pytest.raises(GenError, match=r"turnproof\[run\]"):
        command(build.folder)


def test_the_folder_must_be_a_build(tmp_path: Path) -> None:
    from generator.cli.mocking import mock as command  # noqa: PLC0415

    with pytest.raises(GenError):
        command(tmp_path / "none")
