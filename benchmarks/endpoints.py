"""Requests per second and CPU per request of the endpoint client, beside a bare aiohttp loop and the bare package.

    python -m benchmarks.endpoints [--quick]

The same work for all: 30-message Chinese dialogues of 7 KB, answered by a server in a process of its own after 0
and 200 ms. CPU is that of the calling process.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import multiprocessing
import time
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from typing import Any, NamedTuple

import aiohttp
from openai import AsyncOpenAI, DefaultAioHttpClient
from openai.types.chat import ChatCompletion

from benchmarks.serving import serve
from generator.endpoints import Client, Configuration

SENTENCE = "显示器先按三台算，单价一千二百块，键盘的事回头再说。" * 3
MESSAGES = [{"role": "assistant" if n % 2 else "user", "content": SENTENCE} for n in range(30)]
BODY: dict[str, Any] = {"model": "m", "messages": MESSAGES, "temperature": 0}
USAGE = {"prompt_tokens": 2300, "completion_tokens": 400, "prompt_tokens_details": {"cached_tokens": 1024}}
CHOICE = {"index": 0, "finish_reason": "stop", "message": {"role": "assistant", "content": SENTENCE * 8}}
REPLY = json.dumps(
    {"id": "c", "object": "chat.completion", "created": 1, "model": "m", "choices": [CHOICE], "usage": USAGE}
)

Ask = Callable[[], Awaitable[object]]
Opened = Callable[[str, int], AbstractAsyncContextManager[Ask]]


class Figure(NamedTuple):
    """Requests per second, and milliseconds of CPU per request."""

    rate: float
    cpu_ms: float


@asynccontextmanager
async def bare_aiohttp(url: str, width: int) -> AsyncIterator[Ask]:
    """Give a POST of prepared bytes."""
    content = json.dumps(BODY, ensure_ascii=False).encode()
    headers = {"Content-Type": "application/json"}
    async with aiohttp.ClientSession(connector=aiohttp.TCPConnector(limit=width)) as session:

        async def ask() -> object:
            async with session.post(f"{url}/chat/completions", data=content, headers=headers) as response:
                return await response.json()

        yield ask


@asynccontextmanager
async def bare_package(url: str, width: int) -> AsyncIterator[Ask]:
    """Give the documented call of the package, with its own pool."""
    async with AsyncOpenAI(api_key="none", base_url=url, max_retries=0) as client:
        yield lambda: client.chat.completions.create(**BODY)


@asynccontextmanager
async def package_post(url: str, width: int) -> AsyncIterator[Ask]:
    """Give the call that skips the request transform, over aiohttp."""
    async with AsyncOpenAI(api_key="none", base_url=url, max_retries=0, http_client=DefaultAioHttpClient()) as client:
        yield lambda: client.post("/chat/completions", body=BODY, cast_to=ChatCompletion)


@asynccontextmanager
async def our_client(url: str, width: int) -> AsyncIterator[Ask]:
    """Give a call of the endpoint client: limiter, redaction and reading included."""
    configuration = Configuration(name="m", model="m", base_url=url, concurrency=width, settings={"temperature": 0})
    async with Client(configuration, environ={"OPENAI_API_KEY": "sk-0123456789"}) as client:
        request = client.prepare(MESSAGES)
        yield lambda: client.complete(request)


WAYS: dict[str, Opened] = {
    "bare aiohttp": bare_aiohttp, "endpoints.Client": our_client,
    "openai post()": package_post, "openai create()": bare_package,
}  # fmt: skip


async def measure(way: Opened, url: str, width: int, count: int) -> Figure:
    """Return the figures of `count` requests, `width` at once, after one that opens everything."""
    async with way(url, width) as ask:
        await ask()
        left = iter(range(count))

        async def work() -> None:
            for _ in left:
                await ask()

        started, used = time.perf_counter(), time.process_time()
        await asyncio.gather(*(work() for _ in range(width)))
        seconds, used = time.perf_counter() - started, time.process_time() - used
    return Figure(count / seconds, 1000 * used / count)


def main() -> None:
    """Print one line for every way, latency and width."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--quick", action="store_true", help="fewer requests")
    quick = parser.parse_args().quick
    context = multiprocessing.get_context("spawn")
    for latency_ms in (0, 200):
        ours, theirs = context.Pipe(duplex=False)
        server = context.Process(target=serve, args=(theirs, latency_ms / 1000, REPLY), daemon=True)
        server.start()
        url = f"http://127.0.0.1:{ours.recv()}/v1"
        for width in (16, 64, 256):
            count = (6 if quick else 20) * width if latency_ms else (300 if quick else 2000)
            best = 0.0
            for name, way in WAYS.items():
                slow = name == "openai create()"
                figure = asyncio.run(measure(way, url, width, count // 4 if slow else count))
                best = max(best, figure.rate)
                print(
                    f"{latency_ms:>4} ms x {width:<3}  {name:<17} {figure.rate:>6.0f} requests/s  "
                    f"{figure.rate / best:>5.0%} of the best  {figure.cpu_ms:.2f} ms CPU a request"
                )
        server.terminate()
        server.join()


if __name__ == "__main__":
    main()
