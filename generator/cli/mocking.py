"""`gen mock`."""

from __future__ import annotations

import asyncio
import json
from pathlib import Path

from generator.cli.progress import say
from generator.endpoints.transport import INSTALL
from generator.engine.loaded import load_build
from generator.errors import ExitCode, GenError
from generator.runner.mock import Faults, Mock


def mock(
    folder: Path,
    *,
    port: int = 0,
    latency_ms: float = 0.0,
    error_rate: float = 0.0,
    rate_limit: float = 0.0,
    retry_after: float = 0.2,
    hangup: float = 0.0,
    malformed: float = 0.0,
    cut: float = 0.0,
    truncate: float = 0.0,
    refusal: float = 0.0,
    empty: float = 0.0,
    seed: int = 0,
    pool: bool = False,
    content: Path | None = None,
    quiet: bool = False,
    as_json: bool = False,
) -> int:
    """Serve a build's simulated respondents until Ctrl-C; the base URL goes to stdout as soon as it answers."""
    try:
        from generator.runner.mock_server import serve_until_stopped  # noqa: PLC0415
    except ImportError as error:
        raise GenError(f"package {error.name}", "not installed", INSTALL, ExitCode.USAGE) from error
    faults = Faults(
        error_rate=error_rate, rate_limit=rate_limit, retry_after_s=retry_after, hangup=hangup, malformed=malformed,
        cut=cut, truncate=truncate, refusal=refusal, empty=empty, seed=seed,
    )  # fmt: skip
    answerer = Mock(load_build(folder, pool=pool), faults, content)

    def ready(url: str) -> None:
        shown = json.dumps({"base_url": url, "models": answerer.models}) if as_json else url
        print(shown, flush=True)
        say(f"try: gen run {folder} --model sim/oracle --base-url {url} --out RUN; Ctrl-C stops this", quiet=quiet)

    asyncio.run(serve_until_stopped(answerer, port, latency_ms, ready))
    counts = ", ".join(f"{name} {count}" for name, count in sorted(answerer.asked.items())) or "none"
    say(f"stopped; requests: {counts}", quiet=quiet)
    return ExitCode.GOOD
