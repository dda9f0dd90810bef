"""The mock endpoint as a server on 127.0.0.1."""

from __future__ import annotations

import asyncio
import signal
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager

from aiohttp import web

from generator.errors import ExitCode, GenError
from generator.runner.mock import Mock
from generator.runner.mock_requests import Spoken

HOST = "127.0.0.1"
_MAX_BODY = 64 * 2**20


@asynccontextmanager
async def serving(mock: Mock, port: int = 0, latency_ms: float = 0.0) -> AsyncIterator[str]:
    """Give the base URL of a mock that answers as long as the block lasts; port 0 takes a free one.

    Raises:
        GenError: Exit code 5; the port is taken.
    """
    app = web.Application(client_max_size=_MAX_BODY)
    app.router.add_post("/v1/chat/completions", _handler(mock, latency_ms / 1000))
    app.router.add_get("/v1/models", _lister(mock))
    # Whoever stops the mock does not want to wait for requests that still sleep.
    runner = web.AppRunner(app, access_log=None, shutdown_timeout=0.5)
    await runner.setup()
    try:
        site = web.TCPSite(runner, HOST, port)
        try:
            await site.start()
        except OSError as error:
            what = error.strerror or str(error)
            raise GenError(
                f"--port {port}", what, "choose another port, or 0 for a free one", ExitCode.MACHINE
            ) from error
        taken = runner.addresses[0][1]
        yield f"http://{HOST}:{taken}/v1"
    finally:
        await runner.cleanup()


async def serve_until_stopped(mock: Mock, port: int, latency_ms: float, ready: Callable[[str], None]) -> None:
    """Serve until SIGINT or SIGTERM; `ready` is told the base URL.

    Raises:
        GenError: Exit code 5; the port is taken.
    """
    stop = asyncio.Event()
    loop = asyncio.get_running_loop()
    for number in (signal.SIGINT, signal.SIGTERM):
        loop.add_signal_handler(number, stop.set)
    async with serving(mock, port, latency_ms) as url:
        ready(url)
        await stop.wait()


def _handler(mock: Mock, latency: float) -> Callable[[web.Request], Awaitable[web.StreamResponse]]:
    async def handle(request: web.Request) -> web.StreamResponse:
        spoken = mock.answer(await request.read(), request.headers)
        if latency:
            await asyncio.sleep(latency)
        if spoken.end == "whole":
            return _response(spoken)
        if spoken.end == "cut":
            return await _cut(request, spoken)
        if request.transport is not None:
            request.transport.abort()
        return web.Response(status=500)

    return handle


def _lister(mock: Mock) -> Callable[[web.Request], Awaitable[web.StreamResponse]]:
    async def handle(_: web.Request) -> web.StreamResponse:
        return _response(mock.list_models())

    return handle


def _response(spoken: Spoken) -> web.Response:
    headers = {"Content-Type": "application/json"} | spoken.headers
    return web.Response(status=spoken.status, body=spoken.body, headers=headers)


async def _cut(request: web.Request, spoken: Spoken) -> web.StreamResponse:
    response = web.StreamResponse(status=spoken.status, headers={"Content-Type": "application/json"})
    response.content_length = len(spoken.body)
    await response.prepare(request)
    await response.write(spoken.body[: len(spoken.body) // 2])
    if request.transport is not None:
        request.transport.close()
    return response
