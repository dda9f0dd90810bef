"""Reading a plain value out of a reply: no model, no network, no guess."""

from collections.abc import Callable, Mapping
from decimal import Decimal
from typing import Any

from generator.scoring.read.amounts import read_amount
from generator.scoring.read.choices import is_abstaining, read_choice
from generator.scoring.read.conclusions import headline, stated_answer
from generator.scoring.read.dates import read_date
from generator.scoring.read.distances import read_distance
from generator.scoring.read.intervals import read_frequency
from generator.scoring.read.lists import read_list
from generator.scoring.read.names import read_name
from generator.scoring.read.numbers import read_number
from generator.scoring.read.orders import read_order
from generator.scoring.read.quantities import read_duration
from generator.scoring.read.sides import read_yesno
from generator.scoring.read.status import read_status
from generator.scoring.read.text import Plain, clean_reply, make_plain
from generator.scoring.read.times import read_time, read_time_range

__all__ = ["KINDS", "Value", "clean_reply", "read"]

Value = Decimal | str | bool | list[str] | None
_Params = Mapping[str, Any]


def _middle(params: _Params) -> bool:
    return params.get("range") == "mid"


_READERS: dict[str, Callable[[Plain, str, _Params], Value]] = {
    "amount": lambda plain, ask, p: read_amount(plain, ask, p.get("currency"), use_middle=_middle(p)),
    "number": lambda plain, ask, p: read_number(plain, ask, use_middle=_middle(p)),
    "time": lambda plain, ask, p: read_time(plain, ask, p.get("departures", ())),
    "time_range": lambda plain, ask, _: read_time_range(plain, ask),
    "date": lambda plain, ask, p: read_date(plain, ask, p.get("today"), p.get("locale", ""), p.get("week", "")),
    "duration": lambda plain, ask, p: read_duration(plain, ask, use_middle=_middle(p)),
    "frequency": lambda plain, ask, p: read_frequency(plain, ask, use_middle=_middle(p)),
    "distance": lambda plain, ask, p: read_distance(plain, ask, use_middle=_middle(p)),
    "name": lambda plain, _, p: read_name(plain, p["candidates"], p.get("any_of", ())),
    "list": lambda plain, _, p: read_list(plain, p["candidates"]),
    "order": lambda plain, _, p: read_order(plain, p["candidates"]),
    "yesno": lambda plain, ask, _: read_yesno(plain, ask),
    "choice": lambda plain, _, p: read_choice(plain, p.get("options", "ABCD")),
    "abstain": lambda plain, *_: is_abstaining(plain),
}
_LABELLED = frozenset(("amount", "time", "duration", "frequency", "distance", "list", "order", "yesno"))
_HEADED = _LABELLED - {"list", "order", "yesno"}
KINDS = (*_READERS, "final_text", "reply_status")
_PARAMS = frozenset((
    "ask", "currency", "range", "today", "locale", "week", "candidates", "any_of", "options", "departures",
    "finish_reason", "content", "reasoning", "refusal", "error",
))  # fmt: skip


def read(kind: str, text: str, *, lang: str = "zh", **params: Any) -> Value:
    """Return the plain value that a reply commits to; None if it commits to none.

    Args:
        kind: One of `KINDS`.
        text: The reply as received. Only its first 200,000 characters are read.
        lang: "zh", "en" or "mix"; both languages are read in any case, since replies mix them.
        params: `ask` (what is asked), `currency`, `range="mid"` (the middle of a range counts), `today`, `locale`,
            `week`, `candidates`, `any_of`, `options`, `departures` ("HH:MM", all that a time is one of, if known);
            for `reply_status` also `finish_reason`, `content`, `reasoning`, `refusal` and `error`.

    Returns:
        amount, number: Decimal. time: "HH:MM". time_range: both ends. date: "YYYY-MM-DD". duration, frequency:
        minutes. distance: metres. name: str. list, order: candidates, [] for "none of them". yesno: "yes", "no"
        or "unknown". choice: a letter. abstain: bool. final_text, reply_status: str.

    Raises:
        ValueError: The kind or language is unknown.
        TypeError: A parameter is unknown, or `candidates` is missing where it is needed.
    """
    if kind not in KINDS:
        raise ValueError(f"unknown kind {kind!r}; valid: {', '.join(KINDS)}")
    if lang not in ("zh", "en", "mix"):
        raise ValueError(f"unknown language {lang!r}; valid: zh, en, mix")
    if unknown := sorted(set(params) - _PARAMS):
        raise TypeError(f"unknown parameters {unknown!r}; valid: {', '.join(sorted(_PARAMS))}")
    if kind in ("name", "list", "order") and "candidates" not in params:
        raise TypeError(f"kind {kind!r} needs candidates")
    if kind == "final_text":
        return clean_reply(text)
    if kind == "reply_status":
        fields = {name: params.get(name) for name in ("refusal", "error", "reasoning")}
        return read_status(params.get("content") or text, finish_reason=params.get("finish_reason") or "", **fields)
    return _read_plain(kind, make_plain(text), params.get("ask") or "", params)


def _read_plain(kind: str, plain: Plain, ask: str, params: _Params) -> Value:
    """Return the value of a kind: from where the reply labels its answer, else from its headline, else from it all."""
    if kind in _LABELLED and plain.boxed is None:
        for part in (stated_answer(plain), headline(plain) if kind in _HEADED else None):
            found = None if part is None else _READERS[kind](part, ask, params)
            if found is not None and found != "unknown":
                return found
    return _READERS[kind](plain, ask, params)
