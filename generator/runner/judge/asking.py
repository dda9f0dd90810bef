"""One question to a judge: through instructor, over our own client, with a plain fallback for simple servers.

The client paces, retries transport faults, redacts keys and never raises; instructor writes the schema into the request
and asks again, with the fault named, when an answer does not fit. It is given no context, so it reads no templates.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

from pydantic import ValidationError

from generator.endpoints import Client, Completion, Status
from generator.errors import ExitCode, GenError
from generator.records import Message
from generator.runner.judge.ruling import Ruling, find_ruling
from generator.scoring.read.text import clean_reply

MAX_ASKED = 3
"""Answers that a judge may give to one question: the first, and two more if they cannot be read."""

_SILENT = logging.NullHandler()
_OWN = frozenset({"messages", "model"})


class Asked(NamedTuple):
    """What came of a question: a ruling, or why there is none. asked: answers that were read or tried to be."""

    ruling: Ruling | None
    error: str
    asked: int


class _CallFailedError(Exception):
    """The call failed, or ended without words: nothing to be read."""


class _Line:
    """A chat-completions function, as instructor wants one, over our client."""

    def __init__(self, client: Client, model: type[Ruling], heard: Callable[[Completion], None]) -> None:
        self.client, self._model, self._heard = client, model, heard
        self.last: Completion | None = None
        self.asked = 0

    async def create(self, *, messages: list[dict[str, Any]], **fields: Any) -> Any:
        from openai.types.chat import ChatCompletion  # noqa: PLC0415 - heavy, and of the extra `run`

        if self.asked == MAX_ASKED:  # releases of instructor count tries differently
            raise _CallFailedError
        body = {name: value for name, value in fields.items() if name not in _OWN}
        request = self.client.prepare(messages, fields=body)
        self.last = completion = await self.client.complete(request, roll=1)
        self._heard(completion)
        if completion.status is not Status.OK:
            raise _CallFailedError
        self.asked += 1
        text = clean_reply(completion.text or "")  # a draft in a think block is no ruling
        found = find_ruling(text, self._model)
        # Where something fits, instructor is handed that alone; else it sees the text, and asks again.
        said = text if found is None else found.model_dump_json()
        message = {"role": "assistant", "content": said}
        choice = {"index": 0, "finish_reason": "stop", "message": message}
        return ChatCompletion.model_validate(
            {"id": "judge", "object": "chat.completion", "created": 0, "model": "judge", "choices": [choice]}
        )


async def ask(
    client: Client, messages: Sequence[Message], model: type[Ruling], *, plain: bool = False,
    heard: Callable[[Completion], None] = lambda completion: None,
) -> Asked:  # fmt: skip
    """Return a judge's ruling, or why there is none.

    Args:
        client: An open client of the judge.
        messages: The prompt.
        model: What the answer must fit.
        plain: Do not ask the server for JSON: it knows no `response_format`.
        heard: Told of every call, whatever became of it.

    Raises:
        GenError: The extra `run` is not installed.
    """
    try:
        import instructor  # noqa: PLC0415
        from instructor.core.exceptions import InstructorError  # noqa: PLC0415
    except ImportError as error:
        fix = "install turnproof[run]"
        raise GenError("the judge", f"{error.name} is not installed", fix, ExitCode.USAGE) from error

    # What it logs, an unreadable answer among it, is in our own error; without a handler it would go to stderr.
    logging.getLogger("instructor").addHandler(_SILENT)
    line = _Line(client, model, heard)
    mode = instructor.Mode.MD_JSON if plain else instructor.Mode.JSON_SCHEMA
    create: Any = instructor.patch(create=line.create, mode=mode)
    told = [{"role": m.role, "content": m.content} for m in messages]
    try:
        ruling = await create(response_model=model, max_retries=MAX_ASKED - 1, messages=told)
    except (InstructorError, _CallFailedError, ValidationError, ValueError) as error:
        return Asked(None, _reason(line, error), line.asked)
    if not isinstance(ruling, Ruling):
        return Asked(None, "unreadable: not a ruling", line.asked)
    return Asked(ruling, "", line.asked)


def _reason(line: _Line, error: Exception) -> str:
    last = line.last
    if last is not None and last.status is not Status.OK:
        return f"{last.status}: {last.error or last.refusal or last.finish_reason or 'no answer'}"
    words = line.client.redact(str(error.__cause__ or error)).split("\n")
    return f"unreadable after {line.asked} answers: {' '.join(w.strip() for w in words)[:300]}"


def is_refused_format(asked: Asked) -> bool:
    """Tell whether a server may have refused the question for its `response_format`."""
    return asked.ruling is None and asked.asked == 0 and asked.error.startswith(f"{Status.HTTP_ERROR}:")
