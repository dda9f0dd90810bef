"""One attempt over the `openai` package: its auth, its errors, its pool of aiohttp connections.

Measured on openai 3.3, 30 messages and 9 KB, CPU of one request: `chat.completions.create` 4.0 ms, nearly all of it
in the recursive transform of the request; `post(body=…, cast_to=ChatCompletion)` 0.46 ms; `post(content=…,
cast_to=Response)`, as here, 0.32 ms; a bare aiohttp POST 0.08 ms. See `benchmarks/endpoints.py`.
"""

from __future__ import annotations

import asyncio
import os
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, NamedTuple

from generator.endpoints.completion import Completion, Status
from generator.endpoints.configuration import Configuration
from generator.endpoints.keys import Keys
from generator.endpoints.reading import read_completion, read_error
from generator.endpoints.retry import read_retry_after
from generator.errors import ExitCode, GenError

if TYPE_CHECKING:
    import httpx2
    from openai import AsyncOpenAI

INSTALL = "pip install 'turnproof[run]'"
ROLL_HEADER = "X-Turnproof-Roll"
ATTEMPT_HEADER = "x-stainless-retry-count"
"""The `openai` package's own header: 0 for the first attempt."""


class Answer(NamedTuple):
    """What one attempt brought, and the seconds that the server asks to wait before another."""

    completion: Completion
    retry_after: float | None = None


class Transport:
    """Sends prepared bodies; `wall` gives seconds since the epoch.

    Raises:
        GenError: Exit code 2; the packages of the extra `run` are not installed.
    """

    def __init__(self, configuration: Configuration, keys: Keys, wall: Callable[[], float]) -> None:
        try:  # half a second, and an extra, that only runs with an endpoint should need
            import aiohttp  # noqa: F401, PLC0415 - what the package's pool stands on
            import httpx2  # noqa: PLC0415
            import openai  # noqa: PLC0415
        except ImportError as error:
            raise GenError(f"package {error.name}", "not installed", INSTALL, ExitCode.USAGE) from error
        self._errors = (openai.APIStatusError, openai.APITimeoutError, openai.APIConnectionError)
        self._response = httpx2.Response
        self._wall = wall
        # Whole, since the package parses the parts of a relative one for every request.
        self._url = f"{configuration.base_url}/chat/completions"
        self._timeout_s = configuration.timeout_s
        self._headers: dict[str, Any] = {}
        if not keys.bearer and not any(name.lower() == "authorization" for name in keys.headers):
            self._headers["Authorization"] = openai.Omit()
        # A header that names the benchmark would let a provider tell its requests apart: for `gen mock` only.
        self._names_roll = configuration.is_loopback
        self._client = _open(configuration, keys)

    async def close(self) -> None:
        """Close all connections."""
        await self._client.close()

    async def send(self, content: bytes, roll: int, tries: int) -> Answer:
        """Return what one attempt brought; an answer that comes after the timeout is never seen.

        Args:
            content: The request body.
            roll: From 1.
            tries: Attempts so far, this one included.
        """
        status_error, timeout_error, connection_error = self._errors
        headers = dict(self._headers)
        if tries > 1:  # the package itself says 0 of every request, since the retries are ours
            headers[ATTEMPT_HEADER] = str(tries - 1)
        if self._names_roll:
            headers[ROLL_HEADER] = str(roll)
        try:
            # The package's timeouts are per read: a server that drips would be waited for without end.
            async with asyncio.timeout(self._timeout_s):
                response = await self._client.post(
                    self._url, content=content, cast_to=self._response, options={"headers": headers}
                )
                body = response.content
        except status_error as error:
            return self._refused(error.response)
        except TimeoutError:
            return Answer(Completion(Status.TIMEOUT, error=f"no whole answer within {self._timeout_s:g} s"))
        except (timeout_error, connection_error) as error:
            return Answer(_broken(error))
        return self._accepted(response, body)

    def _accepted(self, response: httpx2.Response, body: bytes) -> Answer:
        got = read_completion(body, response.status_code)
        wait = read_retry_after(response.headers, self._wall()) if got.status.is_failure else None
        return Answer(got, wait)

    def _refused(self, response: httpx2.Response) -> Answer:
        got = read_error(response.status_code, response.content)
        return Answer(got, read_retry_after(response.headers, self._wall()))


def _open(configuration: Configuration, keys: Keys) -> AsyncOpenAI:
    import httpx2  # noqa: PLC0415
    from openai import AsyncOpenAI, DefaultAioHttpClient, Omit  # noqa: PLC0415

    width = configuration.concurrency
    pool = DefaultAioHttpClient(
        limits=httpx2.Limits(max_connections=width, max_keepalive_connections=width, keepalive_expiry=15),
        timeout=httpx2.Timeout(configuration.timeout_s, connect=configuration.connect_timeout_s, pool=None),
        follow_redirects=False,  # a key goes where the configuration says, nowhere else
        trust_env=not configuration.is_loopback,  # this machine is not reached through a proxy
    )
    headers: dict[str, Any] = {name: Omit() for name in _inherited_headers()}
    headers |= keys.headers
    client = AsyncOpenAI(
        api_key=keys.bearer, admin_api_key="", base_url=configuration.base_url, max_retries=0,
        default_headers=headers, http_client=pool,
    )  # fmt: skip
    if client.base_url.host != "api.openai.com":
        # The package takes these from the environment for any address; they are nobody else's business.
        client.organization = client.project = None
    return client


def _inherited_headers() -> list[str]:
    """Return the headers that the package would add from its own environment variable, to any address."""
    lines = os.environ.get("OPENAI_CUSTOM_HEADERS", "").split("\n")
    return [line.partition(":")[0].strip() for line in lines if ":" in line]


def _broken(error: BaseException) -> Completion:
    """Return the failure of a connection: the pool names hang-ups and timeouts alike, their cause tells which."""
    root, is_timeout = error, isinstance(error, TimeoutError)
    while root.__cause__ is not None:
        root = root.__cause__
        is_timeout = is_timeout or isinstance(root, TimeoutError)
    words = f"{type(root).__name__}: {root}".rstrip(": ")
    return Completion(Status.TIMEOUT if is_timeout else Status.TRANSPORT, error=words)
