"""Read what a server sent: a chat completion, or an error in one of its many shapes."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from typing import Any

from pydantic_core import from_json

from generator.endpoints.completion import Completion, Status, Usage

MAX_ERROR = 2_000
"""Characters kept of a server's words."""

_THINK = re.compile(r"<(think|thinking|reasoning)>(.*?)(?:</\1>|\Z)", re.DOTALL)
_TRUNCATED = frozenset({"length", "max_tokens", "max_output_tokens"})
_FILTERED = frozenset({"content_filter", "safety", "prohibited_content", "recitation", "blocklist"})
_FILTER_CODES = frozenset({"content_filter", "content_policy_violation"})
# A 429 with one of these is an empty account: waiting does not fill it.
_NO_MONEY = frozenset({"insufficient_quota", "billing_hard_limit_reached", "billing_not_active"})
_AUTH_CODES = frozenset({401, 403})


class _MalformedError(Exception):
    """The body is no chat completion."""


def read_completion(body: bytes, http_status: int = 200) -> Completion:
    """Return the completion that a body holds; its status is `malformed` where it holds none.

    An error under status 200, at the top or in the choice, counts as the error it is.
    """
    try:
        tree = _parse(body)
        if not isinstance(tree, dict):
            raise _MalformedError(f"a JSON {type(tree).__name__} instead of an object")
        if not tree.get("choices") and tree.get("error"):
            return _upstream(tree["error"], http_status)
        choice = _first(tree.get("choices"))
        if choice.get("error"):
            return _upstream(choice["error"], http_status)
        return _read_choice(tree, choice, http_status)
    except _MalformedError as fault:
        shown = body[:200].decode("utf-8", "replace")
        return Completion(
            Status.MALFORMED, error=f"no chat completion: {fault}; it begins {shown!r}", http_status=http_status
        )


def read_error(http_status: int, body: bytes | str) -> Completion:
    """Return the failure that a response of status 300 and above stands for, with the server's words."""
    text = body.decode("utf-8", "replace") if isinstance(body, bytes) else body
    try:
        tree = json.loads(text)
    except ValueError:
        tree = None
    words, code = _words_of(tree) if tree is not None else (text.strip(), "")
    return _failed(_status_of(http_status, code), f"HTTP {http_status}: {words}", http_status)


def _parse(body: bytes) -> Any:
    try:
        return from_json(body, allow_inf_nan=True)
    except ValueError as error:
        first = error
    try:
        # Half a surrogate pair in an escape: the fast parser refuses it, the reply is whole all the same.
        return json.loads(body)
    except (ValueError, RecursionError):
        raise _MalformedError(f"not JSON ({first})") from first


def _first(choices: Any) -> dict[str, Any]:
    if not isinstance(choices, list) or not choices or not isinstance(choices[0], dict):
        raise _MalformedError("no choices")
    return choices[0]


def _read_choice(tree: Mapping[str, Any], choice: Mapping[str, Any], http_status: int) -> Completion:
    message = choice.get("message")
    if not isinstance(message, dict):
        raise _MalformedError("no message in the choice")
    text = _text_of(message.get("content"))
    refusal = _string(message.get("refusal")) or None
    calls = _calls_of(message.get("tool_calls"))
    finish = _string(choice.get("finish_reason")) or None
    if finish == "error":
        return _upstream(choice.get("native_finish_reason") or "the choice ends in an error", http_status)
    return Completion(
        _outcome(text, refusal, finish, has_calls=bool(calls)), text=text, reasoning=_reasoning_of(message, text),
        tool_calls=calls, finish_reason=finish, refusal=refusal, usage=_usage_of(tree.get("usage")),
        http_status=http_status, model=_string(tree.get("model")) or None, response_id=_string(tree.get("id")) or None,
    )  # fmt: skip


def _outcome(text: str | None, refusal: str | None, finish: str | None, *, has_calls: bool) -> Status:
    reason = (finish or "").lower()
    if reason in _FILTERED:
        return Status.CONTENT_FILTER
    if refusal or reason == "refusal":
        return Status.REFUSAL
    if reason in _TRUNCATED:
        return Status.LENGTH
    if has_calls:
        return Status.OK
    answer = text or ""
    if "<" in answer:
        answer = _THINK.sub("", answer)
    return Status.OK if answer.strip() else Status.EMPTY


def _text_of(content: Any) -> str | None:
    if content is None or isinstance(content, str):
        return content
    if isinstance(content, list):
        parts = [p.get("text") for p in content if isinstance(p, dict) and p.get("type") in {"text", "output_text"}]
        if all(isinstance(p, str) for p in parts):
            return "".join(p for p in parts if isinstance(p, str))
    raise _MalformedError(f"the content is a {type(content).__name__}")


def _reasoning_of(message: Mapping[str, Any], text: str | None) -> str | None:
    for name in ("reasoning_content", "reasoning"):
        value = message.get(name)
        if value:
            return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
    if text and "<" in text:
        if "</think>" in text and "<think>" not in text:  # some chat templates open the block in the prompt
            return text.partition("</think>")[0].strip() or None
        thoughts = [found.group(2).strip() for found in _THINK.finditer(text)]
        return "\n\n".join(t for t in thoughts if t) or None
    return None


def _calls_of(calls: Any) -> tuple[dict[str, Any], ...]:
    if not calls:
        return ()
    if not isinstance(calls, list):
        raise _MalformedError("tool_calls is no list")
    found = []
    for number, call in enumerate(calls):
        function = call.get("function") if isinstance(call, dict) else None
        if not isinstance(function, dict) or not isinstance(function.get("name"), str):
            raise _MalformedError("a tool call without a function name")
        arguments = function.get("arguments")
        if not isinstance(arguments, str):  # some servers send the object itself
            arguments = json.dumps({} if arguments is None else arguments, ensure_ascii=False)
        named = {"name": function["name"], "arguments": arguments}
        found.append({"id": _string(call.get("id")) or f"call_{number}", "type": "function", "function": named})
    return tuple(found)


def _usage_of(usage: Any) -> Usage:
    if not isinstance(usage, dict):
        return Usage()
    prompt, completion = (usage.get(f"{side}_tokens_details") for side in ("prompt", "completion"))
    cached = _count(prompt.get("cached_tokens")) if isinstance(prompt, dict) else None
    return Usage(
        input=_count(usage.get("prompt_tokens")),
        cached=_count(usage.get("prompt_cache_hit_tokens")) if cached is None else cached,
        output=_count(usage.get("completion_tokens")),
        reasoning=_count(completion.get("reasoning_tokens")) if isinstance(completion, dict) else None,
    )


def _upstream(error: Any, http_status: int) -> Completion:
    """Return an error that a gateway passed on under status 200; without a code it counts as a server's."""
    words, code = _words_of({"error": error})
    number = int(code) if code.isdigit() else 0
    status = _status_of(number, code) if number >= 400 or code in _FILTER_CODES | _NO_MONEY else Status.SERVER_ERROR
    return _failed(status, f"an error under HTTP {http_status}: {words}", http_status)


def _failed(status: Status, words: str, http_status: int) -> Completion:
    finish = "content_filter" if status is Status.CONTENT_FILTER else None
    return Completion(status, error=words[:MAX_ERROR].rstrip(": "), http_status=http_status, finish_reason=finish)


def _status_of(http_status: int, code: str) -> Status:
    if code in _FILTER_CODES:
        return Status.CONTENT_FILTER
    if http_status == 429:
        return Status.HTTP_ERROR if code in _NO_MONEY else Status.RATE_LIMIT
    if http_status == 408:
        return Status.TIMEOUT
    if http_status >= 500:
        return Status.SERVER_ERROR
    return Status.AUTH if http_status in _AUTH_CODES else Status.HTTP_ERROR


def _words_of(tree: Any) -> tuple[str, str]:
    """Return the message and the code of an error body, whatever its shape."""
    error = tree.get("error", tree) if isinstance(tree, dict) else tree
    if not isinstance(error, dict):
        return _string(error), ""
    words = error.get("message") or error.get("detail") or error.get("msg") or error
    code = error.get("code") or error.get("type") or ""
    return _string(words), _string(code)


def _string(value: Any) -> str:
    if value is None:
        return ""
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False, default=str)


def _count(value: Any) -> int | None:
    return value if isinstance(value, int) and not isinstance(value, bool) and value >= 0 else None
