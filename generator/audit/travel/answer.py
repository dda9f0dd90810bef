"""Audits of the answer: derivable from every setup's text, unique, the same facts everywhere, every fact needed."""

from __future__ import annotations

from collections.abc import Iterator

from generator.audit.travel.case import TravelCase
from generator.records import AuditFinding, freeze
from generator.travel.answers import encode
from generator.travel.asides import why_not
from generator.travel.hearing import Hearing
from generator.travel.scene import HearingError, Told
from generator.travel.setups import WITH_HISTORY

# What the user looks for shapes the data shown, which are in the text anyway: such facts need not decide the answer.
CONTEXT = "want."


def audit_derivable(case: TravelCase) -> list[AuditFinding]:
    """Reject when a reader cannot recover the frozen answer from a setup's text, or a sentence is unread."""
    found = []
    for setup, heard in case.heard.items():
        if not isinstance(heard, Hearing):
            found.append(case.finding("derivable", heard, setup))
            continue
        if heard.task.name != case.key.state["travel"]:
            found.append(case.finding("derivable", f"the question is one of {heard.task.name}", setup))
            continue
        try:
            query = heard.query()
        except HearingError as error:
            found.append(case.finding("derivable", str(error), setup))
            continue
        given = encode(heard.task.answer, heard.task.solve(query), heard.task.candidates(query))
        if given != case.keys[setup].answer:
            found.append(case.finding("derivable", f"the text gives {given}, the key {case.keys[setup].answer}", setup))
        found += [case.finding("derivable", what, setup) for what in _unread(case, setup, heard)]
    return found


def _unread(case: TravelCase, setup: str, hearing: Hearing) -> Iterator[str]:
    """Yield sentences that no form says, but for whole messages of chat about other things."""
    read = {h.message for h in hearing.sentences if h.line is not None}
    names = [*(p.name for p in hearing.rows.places)]
    for heard in hearing.unread:
        if heard.role == "system" or heard.message in read or setup not in WITH_HISTORY:
            yield f"nobody can tell what {heard.text!r} says"
        elif reason := why_not(heard.text, case.kit.screen, names):
            yield f"{heard.text!r} is no chat about other things: {reason}"


def audit_unique(case: TravelCase) -> list[AuditFinding]:
    """Reject when the instance sits on an edge, the code paths differ, or an alternative is the answer."""
    task, query = case.task_kind, case.query
    if query is None:
        return [case.finding("unique", "the text determines no question")]
    found = [case.finding("unique", f"on an edge: {edge}") for edge in task.edges(query)]
    candidates = task.candidates(query)
    right = encode(task.answer, task.solve(query), candidates)
    if encode(task.answer, task.resolve(query), candidates) != right:
        found.append(case.finding("unique", "the two code paths differ"))
    for alternative in case.key.alternatives:
        if alternative.value == case.key.answer:
            found.append(case.finding("unique", f"the alternative {alternative.name!r} is the answer"))
    return found


def audit_frozen(case: TravelCase) -> list[AuditFinding]:
    """Reject when a key is not what was frozen, or the keys of an instance differ."""
    found = []
    for setup, key in case.keys.items():
        if freeze(key.state, key.answer, key.items) != key.digest:
            found.append(case.finding("unchanged", "state, answer or items are not those that were frozen", setup))
        if (key.digest, key.answer, key.items) != (case.key.digest, case.key.answer, case.key.items):
            found.append(case.finding("unchanged", "the key differs from that of the first setup", setup))
    return found


def audit_same_facts(case: TravelCase) -> list[AuditFinding]:
    """Reject when two setups do not carry the same facts, conventions, date, question and rows."""
    hearings = case.hearings()
    if len(hearings) < 2:
        return []
    (first, one), *others = hearings.items()
    found = []
    for setup, other in others:
        for role in ("fact", "question", "rule", "today"):
            mine, theirs = ([line.text for line in h.lines(role)] for h in (one, other))
            if mine != theirs:
                lost = [t for t in mine if t not in theirs] or [t for t in theirs if t not in mine] or theirs
                found.append(case.finding("same facts", f"{role} differs from {first}: {lost[:2]}", setup))
        if one.rows != other.rows:
            found.append(case.finding("same facts", f"the data differ from those of {first}", setup))
    return found


def audit_needed(case: TravelCase) -> list[AuditFinding]:
    """Reject when a fact can be left out and the answer is still there: it is neither needed nor a wish to look up."""
    hearing = next(iter(case.hearings().values()), None)
    if hearing is None or case.query is None:
        return []
    told = hearing.told
    found = []
    for place, what in enumerate(told.says):
        line = next((h.line for h in hearing.sentences if h.line and h.line.say == what), None)
        if line is None or line.role != "fact" or what.kind.startswith(CONTEXT):
            continue
        rest = Told((*told.says[:place], *told.says[place + 1 :]), told.rows)
        if _answer_of(case, rest) == case.key.answer and not _is_idle(case, what.kind):
            found.append(case.finding("needed", f"the answer is the same without {line.text!r}"))
    return found


def _is_idle(case: TravelCase, kind: str) -> bool:
    """Return whether the instance declares that facts of this kind are bait that changes nothing."""
    return kind in case.key.state.get("idle", ())


def _answer_of(case: TravelCase, told: Told) -> dict[str, int] | None:
    task = case.task_kind
    try:
        query = task.query(told)
    except HearingError:
        return None
    return encode(task.answer, task.solve(query), task.candidates(query))
