"""Endpoints: every way a call can end, against a local server; pacing, retries, keys, settings and money."""

from __future__ import annotations

import asyncio
import json
import random
import sys
from collections.abc import Callable, Coroutine
from decimal import Decimal
from pathlib import Path
from typing import Any, TypeVar

import pytest
from hypothesis import given
from hypothesis import strategies as st
from support.server import Script, Sent, Server, fault, reply

from generator.endpoints import (
    Client,
    Completion,
    Configuration,
    Limiter,
    Prices,
    Redactor,
    RetryBudget,
    RetryPolicy,
    Status,
    Usage,
    cost_of,
    from_options,
    mend_surrogates,
    read_configurations,
    read_settings,
    redact,
)
from generator.endpoints.reading import read_completion, read_error
from generator.endpoints.retry import read_retry_after
from generator.errors import ExitCode, GenError
from generator.records import Message, ToolCall, ToolCallFunction

T = TypeVar("T")
KEY = "sk-test-0123456789abcdef"
ASKED = [Message(role="user", content="显示器先按三台算。")]
NEW_YEAR = 1_767_225_600.0  # 2026-01-01T00:00:00Z


class Time:
    """A clock that only sleeping moves."""

    def __init__(self) -> None:
        self.now = 1000.0
        self.slept: list[float] = []

    def __call__(self) -> float:
        return self.now

    async def sleep(self, seconds: float) -> None:
        self.slept.append(seconds)
        self.now += seconds
        await asyncio.sleep(0)


def opened(url: str, time: Time, budget: RetryBudget | None = None, **fields: Any) -> Client:
    values: dict[str, Any] = {"name": "test", "model": "m", "base_url": url, "timeout_s": 5.0} | fields
    return Client(
        Configuration(**values), budget=budget, clock=time, wall=lambda: NEW_YEAR, sleep=time.sleep,
        rng=random.Random(1), environ={"OPENAI_API_KEY": KEY},
    )  # fmt: skip


def ask(script: Script, **fields: Any) -> tuple[Completion, Server, Time]:
    """Return what became of one call to a scripted server."""

    async def run() -> tuple[Completion, Server, Time]:
        time = Time()
        async with Server(script) as server, opened(server.url, time, **fields) as client:
            return await client.complete(ASKED), server, time

    return asyncio.run(run())


# Every status


def call(name: str = "look", arguments: Any = "{}") -> dict[str, Any]:
    return {"id": "a", "type": "function", "function": {"name": name, "arguments": arguments}}


OUTCOMES: dict[str, tuple[Sent, Status]] = {
    "text": (reply("三台"), Status.OK),
    "parts": (reply([{"type": "text", "text": "三台"}]), Status.OK),  # type: ignore[arg-type]
    "no finish reason": (reply("三台", None), Status.OK),
    "tool call": (reply(None, "tool_calls", tool_calls=[call()]), Status.OK),
    "half a pair": (Sent(body=b'{"choices":[{"message":{"content":"a\\ud83d"},"finish_reason":"stop"}]}'), Status.OK),
    "cut by the token limit": (reply('{"显示器": 3, "鼠', "length"), Status.LENGTH),
    "reasoning ate the budget": (reply(None, "length", reasoning_content="嗯" * 50), Status.LENGTH),
    "refusal field": (reply(None, "stop", refusal="I can't."), Status.REFUSAL),
    "refusal reason": (reply("I can't.", "refusal"), Status.REFUSAL),
    "filtered reply": (reply("三", "content_filter"), Status.CONTENT_FILTER),
    "filtered prompt": (fault(400, "filtered", "content_filter"), Status.CONTENT_FILTER),
    "null": (reply(None), Status.EMPTY),
    "blank": (reply(" \n"), Status.EMPTY),
    "nothing but thought": (reply("<think>三台？</think>\n"), Status.EMPTY),
    "thought without end": (reply("<think>三台？"), Status.EMPTY),
}


@pytest.mark.parametrize("name", OUTCOMES)
def test_outcomes_of_the_model_are_final(name: str) -> None:
    sent, status = OUTCOMES[name]
    got, server, _ = ask([sent, reply("never asked for")])
    assert got.status is status
    assert not got.status.is_failure
    assert (got.attempts, len(server.got)) == (1, 1)


RETRIED: dict[str, tuple[Sent, Status]] = {
    "500": (fault(500), Status.SERVER_ERROR),
    "503 page": (Sent(503, b"<html>Busy</html>", {"Content-Type": "text/html"}), Status.SERVER_ERROR),
    "529": (fault(529), Status.SERVER_ERROR),
    "429": (fault(429), Status.RATE_LIMIT),
    "408": (fault(408), Status.TIMEOUT),
    "hang-up": (Sent(0), Status.TRANSPORT),
    "cut body": (Sent(200, b'{"choices": [', claimed=4000), Status.TRANSPORT),
    "cut JSON": (Sent(200, b'{"choices": [{"mess'), Status.MALFORMED),
    "page under 200": (Sent(200, b"<html>Welcome</html>"), Status.MALFORMED),
    "nothing under 200": (Sent(200, b""), Status.MALFORMED),
    "bytes under 200": (Sent(200, b'{"choices": [{"message": {"content": "\xff\xfe"}}]}'), Status.MALFORMED),
    "bad gzip": (Sent(200, b"not gzip", {"Content-Encoding": "gzip"}), Status.TRANSPORT),
    "list": (Sent(200, b"[]"), Status.MALFORMED),
    "no choices": (Sent(200, b'{"choices": []}'), Status.MALFORMED),
    "no message": (Sent(200, b'{"choices": [{}]}'), Status.MALFORMED),
    "number as content": (reply(7), Status.MALFORMED),  # type: ignore[arg-type]
    "nameless tool call": (reply(None, "stop", tool_calls=[{"function": {}}]), Status.MALFORMED),
    "deep nest": (Sent(200, b"[" * 100_000), Status.MALFORMED),
    "error under 200": (Sent(200, b'{"error": {"message": "upstream", "code": 502}}'), Status.SERVER_ERROR),
    "429 under 200": (Sent(200, b'{"error": {"message": "slow", "code": 429}}'), Status.RATE_LIMIT),
    "error in the choice": (
        Sent(200, b'{"choices": [{"error": {"message": "gone"}, "message": {"content": ""}}]}'), Status.SERVER_ERROR,
    ),
    "error as finish reason": (reply("", "error"), Status.SERVER_ERROR),
}  # fmt: skip


@pytest.mark.parametrize("name", RETRIED)
def test_passing_faults_are_retried_within_bounds(name: str) -> None:
    sent, status = RETRIED[name]
    got, server, _ = ask([sent, sent, reply("三台")])
    assert (got.status, got.text, got.attempts, len(server.got)) == (Status.OK, "三台", 3, 3)
    got, server, time = ask([sent], max_retries=2)
    assert got.status is status
    assert got.status.is_failure
    assert got.attempts == len(server.got) == (7 if status is Status.RATE_LIMIT else 3)
    assert got.error
    assert time.slept


FATAL: dict[str, tuple[Sent, Status]] = {
    "400": (fault(400, "max_tokens is too large"), Status.HTTP_ERROR),
    "401": (fault(401, "wrong key"), Status.AUTH),
    "403": (fault(403, "not yours"), Status.AUTH),
    "404": (fault(404, "no such model"), Status.HTTP_ERROR),
    "422": (Sent(422, b'{"detail": [{"msg": "field required"}]}'), Status.HTTP_ERROR),
    "empty account": (fault(429, "You exceeded your quota", "insufficient_quota"), Status.HTTP_ERROR),
    "redirect": (Sent(307, b"", {"Location": "http://127.0.0.1:9/v1/chat/completions"}), Status.HTTP_ERROR),
    "400 under 200": (Sent(200, b'{"error": {"message": "bad", "code": 400}}'), Status.HTTP_ERROR),
    "plain words": (Sent(404, b"404 page not found", {"Content-Type": "text/plain"}), Status.HTTP_ERROR),
}


@pytest.mark.parametrize("name", FATAL)
def test_lasting_faults_fail_at_once_with_the_servers_words(name: str) -> None:
    sent, status = FATAL[name]
    got, server, time = ask([sent, reply("never asked for")])
    assert (got.status, got.attempts, len(server.got), time.slept) == (status, 1, 1, [])
    body = sent.body.decode()
    words: Any = json.loads(body) if body.startswith("{") else {"error": {"message": body}}
    said = words["error"]["message"] if "error" in words else words["detail"][0]["msg"]
    assert said in (got.error or "")
    assert str(sent.status) in (got.error or "")


def test_an_address_that_nobody_listens_to_is_a_transport_failure() -> None:
    async def run() -> Completion:
        async with Server([reply()]) as server:
            url = server.url
        async with opened(url, Time(), max_retries=1) as client:
            return await client.complete(ASKED)

    got = asyncio.run(run())
    assert (got.status, got.attempts, got.http_status) == (Status.TRANSPORT, 2, None)
    assert "connect" in (got.error or "").lower()


def test_a_late_answer_is_discarded() -> None:
    late = Sent(200, reply("late").body, delay=0.3)
    got, server, _ = ask([late, reply("in time")], timeout_s=0.1)
    assert (got.status, got.text, got.attempts) == (Status.OK, "in time", 2)
    got, server, _ = ask([late], timeout_s=0.1, max_retries=1)
    assert (got.status, got.text, len(server.got)) == (Status.TIMEOUT, None, 2)


def test_a_dripping_answer_runs_into_the_timeout() -> None:
    got, _, _ = ask([Sent(200, reply("x" * 300).body, drip=0.02), reply("whole")], timeout_s=0.15)
    assert (got.status, got.text, got.attempts) == (Status.OK, "whole", 2)


def test_cancelling_a_call_gives_its_place_back() -> None:
    async def run() -> tuple[int, Completion]:
        time = Time()
        script = [Sent(200, reply("slow").body, delay=5), reply("next")]
        async with Server(script) as server, opened(server.url, time, concurrency=1) as client:
            first = asyncio.create_task(client.complete(ASKED))
            queued = asyncio.create_task(client.complete(ASKED))
            await asyncio.sleep(0.1)
            first.cancel()
            queued.cancel()
            await asyncio.gather(first, queued, return_exceptions=True)
            return client.limiter.busy, await client.complete(ASKED)

    busy, got = asyncio.run(run())
    assert (busy, got.text) == (0, "next")


# What is kept of a reply


def test_a_reply_keeps_text_usage_and_names() -> None:
    got, _, _ = ask([reply("三台")])
    assert (got.text, got.finish_reason, got.model, got.response_id) == ("三台", "stop", "m-2026", "c1")
    assert got.usage == Usage(input=11, cached=3, output=7)
    assert got.usage.counts() == {"input": 11, "cached": 3, "output": 7}
    assert (got.http_status, got.error, got.refusal) == (200, None, None)


@pytest.mark.parametrize(
    ("message", "thought"),
    [
        ({"content": "<think>a\nb</think>三台"}, "a\nb"),
        ({"content": "a\n</think>三台"}, "a"),
        ({"content": "三台", "reasoning_content": "a"}, "a"),
        ({"content": "三台", "reasoning": "a"}, "a"),
        ({"content": "三台", "reasoning": {"steps": ["a"]}}, '{"steps": ["a"]}'),
        ({"content": "三台 < 四台"}, None),
    ],
)
def test_reasoning_is_kept_apart_and_the_text_left_as_it_came(message: dict[str, Any], thought: str | None) -> None:
    got = read_completion(json.dumps({"choices": [{"message": message}]}).encode())
    assert (got.status, got.text, got.reasoning) == (Status.OK, message["content"], thought)


def test_half_a_surrogate_pair_is_replaced() -> None:
    body = rb'{"choices":[{"message":{"content":"a\ud83d","reasoning":"\ude00"},"finish_reason":"st\ud83d"}]}'
    got, _, _ = ask([Sent(body=body)])
    assert (got.text, got.reasoning, got.finish_reason) == ("a\ufffd", "\ufffd", "st\ufffd")
    json.dumps(got.text, ensure_ascii=False).encode()


@given(st.text(st.characters(codec=None, min_codepoint=0xD7F0, max_codepoint=0xE010) | st.characters()))
def test_mended_text_is_utf8_and_whole_text_stays(text: str) -> None:
    mended = mend_surrogates(text)
    mended.encode()
    assert mend_surrogates(mended) == mended
    if not any("\ud800" <= c <= "\udfff" for c in text):
        assert mended == text


def test_tool_calls_have_the_usual_shape() -> None:
    calls = [call("look", {"id": 3}), {"function": {"name": "book"}}]
    got = read_completion(reply(None, "tool_calls", tool_calls=calls).body)
    assert [c["function"] for c in got.tool_calls] == [
        {"name": "look", "arguments": '{"id": 3}'}, {"name": "book", "arguments": "{}"},
    ]  # fmt: skip
    assert [c["id"] for c in got.tool_calls] == ["a", "call_1"]
    assert all(ToolCall.model_validate(c) for c in got.tool_calls)


@pytest.mark.parametrize(
    ("usage", "counts"),
    [
        (None, Usage()),
        ({"prompt_tokens": 5}, Usage(input=5)),
        ({"prompt_tokens": "5", "completion_tokens": True}, Usage()),
        ({"prompt_tokens": 5, "prompt_cache_hit_tokens": 4}, Usage(input=5, cached=4)),
        ({"completion_tokens": 9, "completion_tokens_details": {"reasoning_tokens": 8}}, Usage(output=9, reasoning=8)),
        ({"completion_tokens": 9, "completion_tokens_details": None}, Usage(output=9)),
    ],
)
def test_usage_is_read_where_it_is_told(usage: Any, counts: Usage) -> None:
    body = json.dumps({"choices": [{"message": {"content": "a"}}], "usage": usage}).encode()
    assert read_completion(body).usage == counts


@given(st.binary(max_size=300))
def test_any_body_is_a_completion_or_malformed(body: bytes) -> None:
    assert read_completion(body).status in Status
    assert read_error(500, body).status is Status.SERVER_ERROR


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=5),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(
            st.sampled_from(["choices", "message", "content", "error", "code", "usage"]), inner, max_size=4
        )
    ),
)


@given(JSON)
def test_any_json_is_a_completion_or_malformed(tree: Any) -> None:
    body = json.dumps(tree).encode()
    assert read_completion(body).status in Status
    assert read_error(400, body).status.is_failure
    assert read_completion(json.dumps({"choices": [{"message": {"content": tree}}]}).encode()).status in Status


# What is sent


def test_a_prepared_request_is_sent_for_every_roll() -> None:
    async def run() -> list[Any]:
        async with Server([reply()]) as server:
            client = opened(
                server.url, Time(), seed=40, settings={"temperature": 0}, extra_body={"think": False},
                headers={"X-Team": "eval"},
            )  # fmt: skip
            async with client:
                called = ToolCall(id="a", function=ToolCallFunction(name="look", arguments="{}"))
                messages = [
                    *ASKED, Message(role="assistant", content="", tool_calls=(called,)),
                    Message(role="tool", content="3", tool_call_id="a"),
                ]  # fmt: skip
                request = client.prepare(messages, [{"type": "function", "function": {"name": "look"}}])
                assert request == client.prepare(messages, [{"type": "function", "function": {"name": "look"}}])
                assert request.digest != client.prepare(ASKED).digest
                for roll in (1, 2):
                    await client.complete(request, roll=roll)
        return server.got

    first, second = asyncio.run(run())
    assert first.path == "/v1/chat/completions"
    body = first.json()
    assert (body["seed"], second.json()["seed"]) == (40, 41)
    assert (body["model"], body["temperature"], body["think"]) == ("m", 0, False)
    assert body["messages"][0] == {"role": "user", "content": "显示器先按三台算。"}
    assert body["messages"][1]["tool_calls"][0]["function"]["name"] == "look"
    assert body["messages"][2]["tool_call_id"] == "a"
    assert body["tools"]
    assert first.headers["authorization"] == f"Bearer {KEY}"
    assert first.headers["x-team"] == "eval"
    assert first.headers["content-type"] == "application/json"
    assert (first.headers["x-turnproof-roll"], second.headers["x-turnproof-roll"]) == ("1", "2")
    assert body.keys() == {"model", "messages", "temperature", "think", "tools", "seed"}
    # Rolls share all but their end, so that a provider's prefix cache helps.
    assert first.body.replace(b"40}", b"41}") == second.body


def test_a_request_may_have_fields_of_its_own() -> None:
    async def run() -> Any:
        async with Server([reply()]) as server, opened(server.url, Time(), settings={"temperature": 1}) as client:
            request = client.prepare(ASKED, fields={"temperature": 0, "response_format": {"type": "json_object"}})
            assert request.digest != client.prepare(ASKED).digest
            await client.complete(request)
            return server.got[0].json()

    body = asyncio.run(run())
    assert (body["temperature"], body["response_format"]) == (0, {"type": "json_object"})
    assert body.keys() == {"model", "messages", "temperature", "response_format"}


def test_attempts_are_numbered_as_the_package_does() -> None:
    _, server, _ = ask([fault(500), reply()])
    assert [g.headers["x-stainless-retry-count"] for g in server.got] == ["0", "1"]


def test_environment_of_the_package_is_not_sent_to_strangers(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_ORG_ID", "org-private")
    monkeypatch.setenv("OPENAI_PROJECT_ID", "proj-private")
    monkeypatch.setenv("OPENAI_ADMIN_KEY", "sk-admin-0123456789")
    monkeypatch.setenv("OPENAI_CUSTOM_HEADERS", "X-Private: yes")
    monkeypatch.setenv("HTTP_PROXY", "http://127.0.0.1:9")
    _, server, _ = ask([reply()], api_key_env=None)
    sent = str(server.got[0].headers)
    assert "private" not in sent
    assert "admin" not in sent
    assert "authorization" not in server.got[0].headers


def test_connections_are_reused() -> None:
    async def run() -> int:
        async with Server([reply()]) as server, opened(server.url, Time()) as client:
            for _ in range(5):
                await client.complete(ASKED)
            return server.connections

    assert asyncio.run(run()) == 1


# Retries and pacing


def test_a_429_is_waited_for_as_long_as_the_server_says() -> None:
    got, _, time = ask([fault(429, Retry_After="7"), reply()])
    assert (got.status, got.attempts) == (Status.OK, 2)
    assert 7 <= sum(time.slept) <= 15
    assert got.waited == pytest.approx(sum(time.slept))
    date = "Thu, 01 Jan 2026 00:00:09 GMT"
    _, _, time = ask([fault(429, Retry_After=date), reply()])
    assert time.slept[0] >= 9


def test_a_wait_without_measure_is_capped() -> None:
    _, _, time = ask([fault(429, Retry_After="86400"), reply()])
    assert sum(time.slept) <= 250


@pytest.mark.parametrize(
    ("headers", "seconds"),
    [
        ({"retry-after": "3"}, 3), ({"retry-after": "0.25"}, 0.25),
        ({"retry-after-ms": "1500", "retry-after": "9"}, 1.5),
        ({"retry-after": "-4"}, 0), ({"retry-after": "Thu, 01 Jan 2026 00:00:30 GMT"}, 30),
        ({"retry-after": "Wed, 31 Dec 2025 00:00:00 GMT"}, 0), ({"retry-after": "soon"}, None), ({}, None),
        ({"retry-after": "nan"}, None), ({"retry-after": "inf"}, None), ({"retry-after": ""}, None),
    ],
)  # fmt: skip
def test_retry_after_is_read_in_all_its_forms(headers: dict[str, str], seconds: float | None) -> None:
    assert read_retry_after(headers, NEW_YEAR) == seconds


@given(st.integers(1, 2000), st.none() | st.floats(0, 1e9), st.integers())
def test_a_delay_is_bounded_and_not_below_what_the_server_asks(
    tries: int, retry_after: float | None, seed: int
) -> None:
    policy = RetryPolicy()
    delay = policy.delay(tries, retry_after, random.Random(seed))
    asked = min(retry_after or 0.0, policy.retry_after_cap_s)
    assert asked <= delay <= max(policy.longest_s, 1.1 * asked)


def test_backoff_grows_and_is_drawn_from_zero() -> None:
    policy = RetryPolicy(first_s=1, longest_s=8)
    longest = [max(policy.delay(n, None, random.Random(s)) for s in range(200)) for n in range(1, 7)]
    assert [round(x) for x in longest] == [1, 2, 4, 8, 8, 8]
    assert min(policy.delay(4, None, random.Random(s)) for s in range(200)) < 0.5


def test_an_outage_is_not_answered_with_many_times_the_load() -> None:
    async def run() -> tuple[int, list[Completion]]:
        budget = RetryBudget(floor=3, share=0.1)
        async with Server([fault(500)]) as server, opened(server.url, Time(), budget) as client:
            done = [await client.complete(ASKED) for _ in range(20)]
            return len(server.got), done

    requests, done = asyncio.run(run())
    assert requests == 20 + 3 + 2
    assert "budget" in (done[-1].error or "")
    assert all(d.status is Status.SERVER_ERROR for d in done)


def test_no_retries_means_none() -> None:
    for sent in (fault(429), fault(500)):
        got, server, _ = ask([sent], max_retries=0)
        assert (got.attempts, len(server.got)) == (1, 1)


def run_with_limiter(hard: int, body: Callable[[Limiter, Time], Coroutine[Any, Any, T]]) -> T:
    async def run() -> T:
        time = Time()
        return await body(Limiter(hard, time, time.sleep), time)

    return asyncio.run(run())


def test_the_limit_halves_once_a_burst_and_grows_slowly() -> None:
    async def body(limiter: Limiter, time: Time) -> None:
        sent = time()
        time.now += 1
        for _ in range(10):
            limiter.refused(sent, 0)
        assert limiter.limit == 8
        time.now += 1
        limiter.refused(time(), 0)
        assert limiter.limit == 4
        grown = []
        for _ in range(120):
            limiter.succeeded()
            grown.append(limiter.limit)
        assert grown == sorted(grown)
        assert grown[2] == 4
        assert 4 < grown[9] < 8
        for _ in range(1000):
            limiter.succeeded()
        assert limiter.limit == 16
        for _ in range(20):
            time.now += 1
            limiter.refused(time(), 0)
        assert limiter.limit == 1

    run_with_limiter(16, body)


def test_nobody_sends_before_the_time_that_a_429_named() -> None:
    async def body(limiter: Limiter, time: Time) -> None:
        limiter.refused(time(), 5)
        limiter.refused(time(), 2)
        entered = []

        async def enter() -> None:
            async with limiter.place():
                entered.append(time())

        await asyncio.gather(*(enter() for _ in range(6)))
        assert len(entered) == 6
        assert min(entered) == 1005

    run_with_limiter(4, body)


@given(st.lists(st.sampled_from(["ok", "429", "cancel"]), min_size=1, max_size=40), st.integers(1, 5))
def test_places_are_never_lost_nor_given_twice(ends: list[str], hard: int) -> None:
    async def body(limiter: Limiter, time: Time) -> None:
        most = 0

        async def work(end: str) -> None:
            nonlocal most
            async with limiter.place():
                most = max(most, limiter.busy)
                sent = time()
                await asyncio.sleep(0)
                time.now += 1
                if end == "429":
                    limiter.refused(sent, 0.5)
                else:
                    limiter.succeeded()

        tasks = [asyncio.create_task(work(end)) for end in ends]
        await asyncio.sleep(0)
        for end, task in zip(ends, tasks, strict=True):
            if end == "cancel":
                task.cancel()
                await asyncio.sleep(0)
        results = await asyncio.gather(*tasks, return_exceptions=True)
        assert all(r is None or isinstance(r, asyncio.CancelledError) for r in results)
        assert limiter.busy == 0
        assert most <= hard
        async with limiter.place():
            assert limiter.busy == 1

    run_with_limiter(hard, body)


def test_no_more_requests_at_once_than_allowed_and_fewer_after_429() -> None:
    async def run() -> tuple[int, int, set[Status]]:
        def script(_: Any, number: int) -> Sent:
            return fault(429, Retry_After="0.01") if number == 30 else Sent(200, reply().body, delay=0.01)

        async with Server(script) as server, opened(server.url, Time(), concurrency=8) as client:
            done = await asyncio.gather(*(client.complete(ASKED) for _ in range(40)))
            return server.most_at_once, client.limiter.limit, {d.status for d in done}

    most, limit, statuses = asyncio.run(run())
    assert most == 8
    assert 4 <= limit < 8
    assert statuses == {Status.OK}


# Keys


def test_a_key_is_not_sent_unencrypted() -> None:
    fields: dict[str, Any] = {"name": "a", "model": "m", "base_url": "http://10.0.0.7:8000/v1"}
    with pytest.raises(GenError, match="unencrypted") as caught:
        Client(Configuration(**fields), environ={"OPENAI_API_KEY": KEY})
    assert caught.value.code is ExitCode.USAGE
    assert KEY not in str(caught.value)
    header = fields | {"api_key_env": None, "headers": {"api-key": "${AZURE_KEY}"}}
    with pytest.raises(GenError, match="unencrypted"):
        Client(Configuration(**header), environ={"AZURE_KEY": KEY})
    for allowed in (fields | {"allow_insecure": True}, fields | {"api_key_env": None}):
        Client(Configuration(**allowed), environ={"OPENAI_API_KEY": KEY})


@pytest.mark.parametrize("host", ["127.0.0.1", "localhost", "[::1]", "127.9.9.9"])
def test_this_machine_may_be_called_without_key_or_encryption(host: str) -> None:
    configuration = Configuration(name="a", model="m", base_url=f"http://{host}:8000/v1")
    assert configuration.is_loopback
    Client(configuration, environ={})
    Client(configuration, environ={"OPENAI_API_KEY": KEY})


@pytest.mark.parametrize("host", ["127.0.0.1.example.com", "localhost.example.com", "0.0.0.0", "10.0.0.1", "[::2]"])
def test_other_machines_are_not_this_one(host: str) -> None:
    assert not Configuration(name="a", model="m", base_url=f"http://{host}/v1").is_loopback


def test_a_key_that_is_missing_or_no_header_is_said() -> None:
    configuration = Configuration(name="a", model="m")
    with pytest.raises(GenError, match="OPENAI_API_KEY is not set"):
        Client(configuration, environ={})
    with pytest.raises(GenError, match="cannot be sent") as caught:
        Client(configuration, environ={"OPENAI_API_KEY": "sk-“quoted”"})
    assert "quoted" not in str(caught.value)
    with pytest.raises(GenError, match="AZURE_KEY is not set"):
        Client(
            configuration.model_copy(update={"headers": {"api-key": "${AZURE_KEY}"}}), environ={"OPENAI_API_KEY": KEY}
        )


@pytest.mark.parametrize("package", ["openai", "aiohttp", "httpx2"])
def test_a_package_that_is_not_installed_is_named(monkeypatch: pytest.MonkeyPatch, package: str) -> None:
    monkeypatch.setitem(sys.modules, package, None)
    with pytest.raises(GenError, match=r"turnproof\[run\]") as caught:
        Client(Configuration(name="a", model="m", base_url="http://localhost/v1"), environ={})
    assert package in caught.value.where
    assert caught.value.code is ExitCode.USAGE


def test_a_header_may_refer_to_a_variable_and_is_redacted_like_a_key() -> None:
    async def run() -> tuple[Completion, Server]:
        environ = {"AZURE_ACCESS": "azure-0123456789"}
        async with Server([fault(401, "bad Token azure-0123456789")]) as server:
            headers = {"Authorization": "Token ${AZURE_ACCESS}"}
            configuration = Configuration(name="a", model="m", base_url=server.url, headers=headers)
            async with Client(configuration, environ=environ) as client:
                return await client.complete(ASKED), server

    got, server = asyncio.run(run())
    assert server.got[0].headers["authorization"] == "Token azure-0123456789"
    assert got.error == "HTTP 401: bad Token [redacted]"


def test_an_echoed_key_is_redacted_everywhere() -> None:
    got, _, _ = ask([fault(401, f"Incorrect API key provided: {KEY}.")])
    assert got.error == "HTTP 401: Incorrect API key provided: [redacted]."
    leak = reply(f"key {KEY}", KEY, reasoning=f"<{KEY}>", refusal=KEY, tool_calls=[call("look", KEY)])
    got, _, _ = ask([leak])
    assert KEY not in repr(got)
    assert got.text == "key [redacted]"
    for sent in (Sent(200, KEY.encode()), Sent(500, KEY.encode()), Sent(307, b"", {"Location": f"http://{KEY}/"})):
        got, _, _ = ask([sent], max_retries=0)
        assert KEY not in repr(got)


def test_key_variables_are_redacted_and_settings_are_not() -> None:
    environ = {
        "MISTRAL_API_KEY": "mistral-secret-1", "HF_TOKEN": "hf-secret-longer", "GH_TOKEN_2": "hf-secret",
        "TOKENIZERS_PARALLELISM": "false", "MAX_TOKENS": "100000000", "OPENAI_API_KEY": "EMPTY",
    }  # fmt: skip
    text = "mistral-secret-1 hf-secret-longer hf-secret false 100000000 EMPTY"
    assert redact(text, environ) == "[redacted] [redacted] [redacted] false 100000000 EMPTY"
    redactor = Redactor(environ, ["EMPTY"])
    assert redactor.redact("an EMPTY reply") == "an EMPTY reply"
    assert redactor.redact_error("key EMPTY, EMPTYING") == "key [redacted], EMPTYING"
    assert (
        redactor.redact_error("sent sk-abcdefghijklmnop1234 and Bearer zzz") == "sent [redacted] and Bearer [redacted]"
    )
    assert redactor.redact_error("task-abcdefghijklmnop1234") == "task-abcdefghijklmnop1234"


# Configurations


def test_a_file_names_configurations(tmp_path: Path) -> None:
    path = tmp_path / "models.yaml"
    path.write_text(
        """
configurations:
  - name: qwen-think
    model: qwen3
    base_url: http://127.0.0.1:8000/v1/
    settings: {temperature: 0.6, chat_template_kwargs: {enable_thinking: true}}
    prices: {input: 0.15, cached: "0.03", output: 2, currency: CNY}
    pair: qwen-plain
    seed: 7
    timeout_s: 30
  - {name: qwen-plain, model: qwen3, base_url: "http://127.0.0.1:8000/v1", api_key_env: null}
""",
        encoding="utf-8",
    )
    found = read_configurations(path)
    assert list(found) == ["qwen-think", "qwen-plain"]
    think = found["qwen-think"]
    assert think.base_url == "http://127.0.0.1:8000/v1"
    assert think.prices == Prices(input=Decimal("0.15"), cached=Decimal("0.03"), output=Decimal(2), currency="CNY")
    assert (think.timeout_s, think.seed, think.pair) == (30.0, 7, "qwen-plain")
    assert think.identity() != found["qwen-plain"].identity()
    assert Configuration.model_validate_json(think.model_dump_json()) == think


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("configurations: []", "no configurations"),
        ("configurations:\n- {name: a}", "line 2, configurations.0.model"),
        ("configurations:\n- {name: a, model: m}\n- {name: a, model: m}", "two configurations"),
        ("configurations:\n- {name: a, model: m, pair: b}", "pair 'b' is not there"),
        ("configurations:\n- {name: a, model: m, pair: a}", "compared with itself"),
        ("configurations:\n- &x {name: a, model: m}\n- *x", "aliases are refused"),
        ("configurations:\n- {name: a, model: m, base_url: 'ftp://x'}", "http:// or https://"),
        ("configurations:\n- {name: a, model: m, base_url: 'https://u:p@x/v1'}", "password"),
        ("configurations:\n- {name: a, model: m, base_url: 'https://x/v1?key=1'}", "no [?] or # part"),
        ("configurations:\n- {name: a, model: m, settings: {stream: true}}", "not a setting"),
        ("configurations:\n- {name: a, model: m, settings: {x: {api_key: q}}}", "holds a secret"),
        ("configurations:\n- {name: a, model: m, headers: {api-key: q}}", "holds a secret"),
        ("configurations:\n- {name: a, model: m, headers: {'a b': q}}", "is not one"),
        ("configurations:\n- {name: a, model: m, prices: {input: -1, output: 1}}", "prices.input"),
        ("configurations:\n- {name: a, model: m, concurrency: 0}", "concurrency"),
        ("configurations:\n- {name: a/b, model: m}", "name"),
        ("configurations: [", "line|YAML|expected"),
    ],
)
def test_a_faulty_file_is_explained(tmp_path: Path, text: str, said: str) -> None:
    path = tmp_path / "models.yaml"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(GenError, match=said) as caught:
        read_configurations(path)
    assert "models.yaml" in caught.value.where


def test_a_key_in_a_file_is_refused_and_not_shown(tmp_path: Path) -> None:
    path = tmp_path / "models.yaml"
    for line in (f"api_key: {KEY}", f"headers: {{Authorization: Bearer {KEY}}}", f"settings: {{api_key: {KEY}}}"):
        path.write_text(f"configurations:\n- name: a\n  model: m\n  {line}\n", encoding="utf-8")
        with pytest.raises(GenError) as caught:
            read_configurations(path)
        assert KEY not in str(caught.value)
    with pytest.raises(GenError, match="no such file"):
        read_configurations(tmp_path / "none.yaml")


def test_options_are_typed() -> None:
    sets = ["temperature=0", "top_p=0.9", 'stop=["a"]', "x=yes", "y=true", "z=null", 's="5"', "e=", "n.a=1", "n.b=NaN"]
    assert read_settings(sets) == {
        "temperature": 0, "top_p": 0.9, "stop": ["a"], "x": "yes", "y": True, "z": None, "s": "5", "e": "",
        "n": {"a": 1, "b": "NaN"},
    }  # fmt: skip


@pytest.mark.parametrize("sets", [["a"], ["=1"], ["a..b=1"], ["a=1", "a=2"], ["a=1", "a.b=2"], ["a.b=1", "a=2"]])
def test_faulty_options_are_refused(sets: list[str]) -> None:
    with pytest.raises(GenError) as caught:
        read_settings(sets)
    assert caught.value.code is ExitCode.USAGE


def test_options_make_or_change_a_configuration(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("OPENAI_BASE_URL", raising=False)
    made = from_options(
        "org/m", headers=["X-Team: eval"], sets=["temperature=0", "extra_body.think=false"], timeout_s=5, seed=None,
    )  # fmt: skip
    assert (made.name, made.base_url, made.timeout_s) == ("org_m", "https://api.openai.com/v1", 5.0)
    assert (made.settings, made.extra_body, made.headers) == ({"temperature": 0}, {"think": False}, {"X-Team": "eval"})
    changed = from_options(base=made, sets=["temperature=1"], concurrency=64)
    assert changed == made.model_copy(update={"settings": {"temperature": 1}, "concurrency": 64})
    monkeypatch.setenv("OPENAI_BASE_URL", "http://localhost:1/v1")
    assert from_options("m").base_url == "http://localhost:1/v1"
    assert from_options(base=made).base_url == made.base_url
    for wrong in (
        {"model": None},
        {"sets": ["extra_body=1"]},
        {"sets": ["seed=1"]},
        {"headers": ["x"]},
        {"timeout_s": 0},
    ):
        with pytest.raises(GenError) as caught:
            from_options(**({"model": "m"} | wrong))
        assert caught.value.code is ExitCode.USAGE


def test_only_what_a_reply_depends_on_is_its_identity() -> None:
    base = from_options("m", base_url="http://localhost/v1")
    for same in ({"timeout_s": 9}, {"concurrency": 3}, {"max_retries": 1}, {"name": "b"}, {"api_key_env": "B"}):
        assert from_options(base=base, **same).identity() == base.identity()
    others = [
        from_options(base=base, seed=1), from_options("n", base=base), from_options(base=base, sets=["top_p=1"]),
        from_options(base=base, base_url="http://localhost:1/v1"), from_options(base=base, headers=["A: b"]),
    ]  # fmt: skip
    assert len({base.identity(), *(o.identity() for o in others)}) == 6


# Money


def test_cost_counts_cached_tokens_at_their_own_price() -> None:
    prices = Prices(input=Decimal("0.15"), cached=Decimal("0.03"), output=Decimal("0.60"))
    usage = Usage(input=1_000_000, cached=400_000, output=500_000, reasoning=100_000)
    assert cost_of(usage, prices) == Decimal("0.09") + Decimal("0.012") + Decimal("0.30")
    assert cost_of(Usage(input=3, output=0), Prices(input=Decimal(1), output=Decimal(1))) == Decimal("0.000003")
    assert cost_of(Usage(input=5, cached=9, output=0), prices) == Decimal("0.00000015")
    assert cost_of(Usage(output=3), prices) is None
    assert cost_of(usage, None) is None


@given(st.integers(0, 10**7), st.integers(0, 10**7), st.integers(0, 10**7))
def test_cost_grows_with_tokens_and_falls_with_caching(prompt: int, cached: int, output: int) -> None:
    prices = Prices(input=Decimal("1.1"), cached=Decimal("0.3"), output=Decimal("4.4"))
    cost = cost_of(Usage(prompt, min(cached, prompt), output), prices)
    plain = cost_of(Usage(prompt, None, output), prices)
    more = cost_of(Usage(prompt + 1, min(cached, prompt), output + 1), prices)
    assert cost is not None
    assert plain is not None
    assert more is not None
    assert 0 <= cost <= plain
    assert cost < more
