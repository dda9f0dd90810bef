"""Answers of the travel tasks by kind: as values of a key, as scoring items, and as words."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Literal

from generator.records import Item
from generator.travel.wording import Say, say

AnswerKind = Literal["amount", "time", "frequency", "distance", "yesno", "list", "order"]
Raw = int | str | tuple[str, ...] | None
Values = dict[str, int]
_PATHS: dict[str, str] = {"amount": "total", "time": "departs", "frequency": "tenths", "distance": "metres"}
WEIGHT = 3


def encode(kind: AnswerKind, raw: Raw, candidates: Sequence[str] = ()) -> Values:
    """Return an answer as values by path; nothing for no answer.

    amount: minor units. time: minutes after midnight. frequency: tenths of a minute. distance: metres. yesno: 1 or 0.
    list: 1 or 0 by candidate. order: places from 1 by name.
    """
    if raw is None:
        return {}
    if kind in _PATHS:
        assert isinstance(raw, int)
        return {_PATHS[kind]: raw}
    if kind == "yesno":
        return {"holds": int(raw == "yes")}
    assert isinstance(raw, tuple)
    if kind == "list":
        return {name: int(name in raw) for name in candidates}
    return {name: place for place, name in enumerate(raw, 1)}


def decode(kind: AnswerKind, values: Values) -> Raw:
    """Return the answer that values stand for; None for no values."""
    if not values:
        return None
    if kind in _PATHS:
        return values[_PATHS[kind]]
    if kind == "yesno":
        return "yes" if values["holds"] else "no"
    if kind == "list":
        return tuple(name for name, chosen in values.items() if chosen)
    return tuple(sorted(values, key=lambda name: values[name]))


def make_items(kind: AnswerKind, answer: Values, params: dict[str, Any], clarification: str) -> tuple[Item, ...]:
    """Return the one scoring item of an instance."""
    path = _PATHS.get(kind, {"yesno": "holds", "list": "chosen", "order": "order"}.get(kind, kind))
    value = {"value": answer[path]} if path in answer and kind not in {"list", "order"} else {"values": answer}
    return (
        Item(
            id="answer", kind=kind, weight=WEIGHT, check=f"plain.{kind}", params={**params, **value},
            clarification=clarification, truth_path=path,
        ),
    )  # fmt: skip


def reply_say(kind: AnswerKind, raw: Raw) -> Say:
    """Return what a reply that gives an answer says; for no answer, that it cannot tell."""
    if raw is None:
        return say("reply.unsure")
    if kind == "list" and raw == ():
        return say("reply.none")
    if kind == "yesno":
        return say(f"reply.{raw}")
    return say(f"reply.{kind}", v=raw)
