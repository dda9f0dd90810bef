"""A bare endpoint that the benchmarks measure against: it answers the same body to everything."""

from __future__ import annotations

import asyncio
from multiprocessing.connection import Connection

from aiohttp import web


def serve(pipe: Connection, latency_s: float, body: str) -> None:
    """Answer until the process is ended; the port goes down the pipe."""

    async def handle(request: web.Request) -> web.Response:
        await request.read()
        await asyncio.sleep(latency_s)
        return web.Response(text=body, content_type="application/json")

    async def run() -> None:
        app = web.Application()
        app.router.add_post("/v1/chat/completions", handle)
        runner = web.AppRunner(app, access_log=None)
        await runner.setup()
        await web.TCPSite(runner, "127.0.0.1", 0).start()
        pipe.send(runner.addresses[0][1])
        await asyncio.Event().wait()

    asyncio.run(run())
