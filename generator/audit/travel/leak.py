"""Audit of leaks: nobody tells the answer, and the wording of a question does not depend on it."""

from __future__ import annotations

from collections.abc import Iterator

from generator.audit.travel.case import TravelCase
from generator.records import AuditFinding
from generator.travel.hearing import Hearing
from generator.travel.wording.slots import Value


def audit_leak(case: TravelCase) -> list[AuditFinding]:
    """Reject when a sentence of user or assistant names the answer: the amount, time, number, order or selection."""
    return [
        case.finding("leak", what, setup) for setup, hearing in case.hearings().items() for what in _told(case, hearing)
    ]


def _told(case: TravelCase, hearing: Hearing) -> Iterator[str]:
    kind, answer = case.task_kind.answer, case.key.answer
    if kind in {"yesno"}:
        return
    chosen = tuple(name for name, value in answer.items() if value)
    orders = {tuple(sorted(answer, key=lambda n: answer[n]))}
    for heard in hearing.sentences:
        if heard.line is None:
            continue
        for name, value in heard.line.say.args:
            if kind in {"list", "order"}:
                # A choice of stops names them in some order; only the right order gives it away.
                is_told = isinstance(value, tuple) and (value in orders if kind == "order" else value == chosen)
            else:
                is_told = _is_answer(kind, name, value, answer)
            if is_told:
                yield f"{heard.text!r} tells the answer"


def _is_answer(kind: str, slot: str, value: Value, answer: dict[str, int]) -> bool:
    """Return whether a value said is the answer: of one sort, not any equal number."""
    (right,) = answer.values()
    if kind == "time":
        # Times said by the user, such as the earliest departure, may not be it either.
        return value == right and slot in {"t", "time", "earliest", "e", "after", "before", "now"} and slot != "now"
    return value == right and slot in {"v", "money", "metres", "tenths"}
