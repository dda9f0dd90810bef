"""Audit of scoring: the right answer, said in several ways, is a hit; every named wrong answer is none."""

from __future__ import annotations

from collections.abc import Iterator

from generator.audit.travel.case import TravelCase
from generator.records import AuditFinding, Reply, Verdict
from generator.scoring.metrics import score_reply
from generator.seeds import stream
from generator.travel.answers import Raw, decode, reply_say
from generator.travel.wording import say


def audit_checker(case: TravelCase) -> list[AuditFinding]:
    """Reject when a right reply is missed, a wrong one is not, or a reply without an answer scores."""
    found = []
    kind = case.task_kind.answer
    for text in replies_for(case, decode(kind, case.key.answer)):
        if not _is_hit(case, text):
            found.append(case.finding("checker", f"the right reply {text!r} is not a hit"))
    for alternative in case.key.alternatives:
        text = _one(case, decode(kind, alternative.value), alternative.name)
        if _is_hit(case, text):
            found.append(case.finding("checker", f"the reply of {alternative.name!r} is a hit: {text!r}"))
    controls = {
        "unsure": case.kit.book.line(say("reply.unsure"), stream(0, case.key.id, "unsure")).text,
        "echo": next(iter(case.hearings().values())).lines("question")[0].text,
    }
    for name, text in controls.items():
        if _is_hit(case, text):
            found.append(case.finding("checker", f"the control reply {name!r} is a hit: {text!r}"))
    return found


def replies_for(case: TravelCase, raw: Raw) -> Iterator[str]:
    """Yield replies that give an answer, in every wording there is."""
    what = reply_say(case.task_kind.answer, raw)
    book = case.kit.book
    for form in book.forms.get(what.kind, ()):
        if form.tells(what):
            given = dict(what.args)
            yield "".join(p if isinstance(p, str) else book.slots[p.filter].write(given[p.name]) for p in form.parts)


def _one(case: TravelCase, raw: Raw, name: str) -> str:
    return case.kit.book.line(reply_say(case.task_kind.answer, raw), stream(0, case.key.id, name)).text


def _is_hit(case: TravelCase, text: str) -> bool:
    result = score_reply(case.key, Reply(task_id=case.key.id, reply=text))
    return all(verdict == Verdict.HIT for verdict in result.items.values())
