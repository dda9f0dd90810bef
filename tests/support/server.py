"""A server of a few scripted answers on 127.0.0.1, down to the bytes: what no decent web framework would send."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from types import TracebackType
from typing import Any, Self

CALLED = "/v1/chat/completions"


@dataclass(frozen=True)
class Sent:
    """One scripted response.

    status 0 hangs up before a word. `claimed` bytes are announced instead of the body's length (the rest never
    comes); `delay` and `drip` are seconds before the response and between its bytes.
    """

    status: int = 200
    body: bytes = b""
    headers: dict[str, str] = field(default_factory=dict)
    claimed: int | None = None
    delay: float = 0.0
    drip: float = 0.0


@dataclass(frozen=True)
class Got:
    """One request as it came; header names are in lower case."""

    path: str
    headers: dict[str, str]
    body: bytes

    def json(self) -> Any:
        return json.loads(self.body)


Script = Sequence[Sent] | Callable[[Got, int], Sent]


class Server:
    """Answers request n by entry n of the script, or by its last; `got` are the requests, `finished` those answered."""

    def __init__(self, script: Script) -> None:
        self.script = script
        self.got: list[Got] = []
        self.finished = 0
        self.connections = 0
        self.at_once = 0
        self.most_at_once = 0

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self._port}/v1"

    async def __aenter__(self) -> Self:
        self._server = await asyncio.start_server(self._serve, "127.0.0.1", 0)
        self._port = int(self._server.sockets[0].getsockname()[1])
        self._tasks: set[asyncio.Task[None]] = set()
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._server.close()
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        task = asyncio.current_task()
        assert task is not None
        self._tasks.add(task)
        self.connections += 1
        try:
            while await self._exchange(reader, writer):
                pass
        except (ConnectionError, asyncio.IncompleteReadError, asyncio.CancelledError):
            pass
        finally:
            writer.close()
            self._tasks.discard(task)

    async def _exchange(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> bool:
        first, *lines = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1").strip().split("\r\n")
        headers = {name.lower(): value.strip() for name, _, value in (line.partition(":") for line in lines)}
        body = await reader.readexactly(int(headers.get("content-length", "0")))
        got = Got(first.split()[1], headers, body)
        number = len(self.got)
        self.got.append(got)
        self.at_once += 1
        self.most_at_once = max(self.most_at_once, self.at_once)
        try:
            script = self.script
            sent = script(got, number) if callable(script) else script[min(number, len(script) - 1)]
            await asyncio.sleep(sent.delay)
            return await _write(writer, sent)
        finally:
            self.at_once -= 1
            self.finished += 1


async def _write(writer: asyncio.StreamWriter, sent: Sent) -> bool:
    if sent.status == 0:
        return False
    length = len(sent.body) if sent.claimed is None else sent.claimed
    headers = {"Content-Type": "application/json", "Content-Length": str(length)} | sent.headers
    head = f"HTTP/1.1 {sent.status} Said\r\n" + "".join(f"{k}: {v}\r\n" for k, v in headers.items()) + "\r\n"
    writer.write(head.encode("latin-1"))
    if sent.drip:
        for byte in sent.body:
            writer.write(bytes([byte]))
            await writer.drain()
            await asyncio.sleep(sent.drip)
    else:
        writer.write(sent.body)
    await writer.drain()
    return length == len(sent.body)


def reply(text: str | None = "好的", finish: str | None = "stop", **message: Any) -> Sent:
    """Return an ordinary chat completion."""
    choice = {"index": 0, "finish_reason": finish, "message": {"role": "assistant", "content": text, **message}}
    usage = {"prompt_tokens": 11, "completion_tokens": 7, "prompt_tokens_details": {"cached_tokens": 3}}
    return Sent(body=json.dumps({"id": "c1", "model": "m-2026", "choices": [choice], "usage": usage}).encode())


def fault(status: int, message: str = "no", code: str | None = None, **headers: str) -> Sent:
    """Return an error in the shape of OpenAI's."""
    named = {name.replace("_", "-"): value for name, value in headers.items()}
    return Sent(status, json.dumps({"error": {"message": message, "code": code}}).encode(), named)
