"""Audits of the answer: derivable, unique, unchanged, needed, user-only."""

from __future__ import annotations

from generator.audit.case import Case
from generator.language.reader import Reading
from generator.modes.protocol import Exchange, HearingError
from generator.records import AuditFinding, freeze

_SILENCE = Reading((), (), (), False)


def audit_derivable(case: Case) -> list[AuditFinding]:
    """Reject when the reader cannot replay the finished dialogue to the frozen answer."""
    try:
        heard = case.mode.hear(case.kit, case.exchanges)
        answer = case.mode.answer_heard(case.kit, heard)
    except HearingError as error:
        return [case.finding("derivable", str(error))]
    if answer != case.key.answer:
        return [case.finding("derivable", f"the dialogue gives another answer at {_differs(answer, case.key.answer)}")]
    return []


def audit_unique(case: Case) -> list[AuditFinding]:
    """Reject when the code paths differ, the answer is empty, or an alternative equals it."""
    found = []
    try:
        state = case.mode.load_state(case.kit, case.key.state)
        forward, backward = case.mode.answer(case.kit, state), case.mode.resolve(case.kit, state)
    except (ValueError, KeyError) as error:
        return [case.finding("unique", f"the stored state cannot be followed: {error}")]
    if forward != backward:
        found.append(case.finding("unique", f"the two code paths differ at {_differs(forward, backward)}"))
    if forward != case.key.answer:
        found.append(case.finding("unique", f"the state gives another answer at {_differs(forward, case.key.answer)}"))
    if not case.key.answer or not case.key.alternatives:
        found.append(case.finding("unique", "no answer, or no wrong alternative to it"))
    for alternative in case.key.alternatives:
        if alternative.value == case.key.answer:
            found.append(case.finding("unique", f"the alternative {alternative.name!r} equals the answer"))
    return found


def audit_unchanged(case: Case) -> list[AuditFinding]:
    """Reject when the freeze is broken, or dropping, moving or doubling what is irrelevant changes the answer."""
    if freeze(case.key.state, case.key.answer, case.key.items) != case.key.digest:
        return [case.finding("unchanged", "state, answer or items were altered after the freeze")]
    found = []
    otherwise = _says_otherwise(case)
    if otherwise:
        found.append(case.finding("unchanged", otherwise))
    if case.answer_without({n for run in case.runs for n in run}) != case.key.answer:
        found.append(case.finding("unchanged", "without distractors the answer is another"))
    for run in case.runs:
        where = f"exchanges {run.start + 1} to {run.stop}"
        if case.answer_without(set(run)) != case.key.answer:
            found.append(case.finding("unchanged", f"without {where} the answer is another"))
        doubled = [*case.exchanges[: run.stop], *case.exchanges[run.start : run.stop], *case.exchanges[run.stop :]]
        if len(run) <= 1 and case.answer_of(doubled) != case.key.answer:
            found.append(case.finding("unchanged", f"{where} said twice give another answer"))
        if case.answer_of(_moved_to_end(case, run)) != case.key.answer:
            found.append(case.finding("unchanged", f"{where} moved before the request give another answer"))
    return found


def _says_otherwise(case: Case) -> str | None:
    """Return where an evidence turn says something else than the frozen state, or None.

    The answer may not hang on a bait, but the alternatives in the key do.
    """
    if case.heard is None:
        return None
    script = case.mode.script(case.kit, case.mode.load_state(case.kit, case.key.state))
    said = [case.heard.turns[turn] for turn in sorted(case.group_of) if turn < len(case.heard.turns)]
    wanted = [turn.events for turn in script]
    if said == wanted:
        return None
    pairs = enumerate(zip(said, wanted, strict=False), 1)
    at = next((n for n, (one, other) in pairs if one != other), min(len(said), len(wanted)) + 1)
    return f"evidence turn {at} says something else than the frozen state"


def _moved_to_end(case: Case, run: range) -> list[Exchange]:
    """Before the request every segment may stand: no pair is welded there."""
    rest = [e for n, e in enumerate(case.exchanges) if n not in run]
    return [*rest[:-1], *case.exchanges[run.start : run.stop], rest[-1]]


def audit_needed(case: Case) -> list[AuditFinding]:
    """Reject when a group is neither needed nor bait, or a requested value hangs on none."""
    found = []
    supported: set[str] = set()
    truth = case.key.answer
    wrong = {name: case.respond(name) for name in case.mode.failure_names}
    for group in case.groups:
        dropped = {turn for turn, owner in case.group_of.items() if owner == group}
        answer = case.answer_without(dropped)
        if answer != truth:
            supported |= {p for p, v in truth.items() if answer is None or answer.get(p) != v}
        elif not _lures(case, dropped, wrong):
            found.append(case.finding("needed", f"group {group} is neither needed nor bait", f"{case.task.id} {group}"))
    for path in sorted(set(truth) - supported):
        found.append(case.finding("needed", f"{path} hangs on no evidence"))
    return found


def _lures(case: Case, dropped: set[int], wrong: dict[str, dict[str, int]]) -> bool:
    rest = [e for n, e in enumerate(case.exchanges) if n not in dropped]
    try:
        heard = case.mode.hear(case.kit, rest)
    except HearingError:
        return True
    return any(case.mode.fail(name, case.kit, heard) != answer for name, answer in wrong.items())


def audit_user_only(case: Case) -> list[AuditFinding]:
    """Reject when the user's turns alone do not determine the answer, unless the task is marked for it."""
    alone = [e._replace(assistant=_SILENCE) for e in case.exchanges]
    holds = case.answer_of(alone) == case.key.answer
    if not holds and "user-only" in case.task.conditions:
        return [case.finding("user-only", "without the assistant's words the answer is lost")]
    return []


def _differs(one: dict[str, int], other: dict[str, int]) -> str:
    paths = sorted(p for p in set(one) | set(other) if one.get(p) != other.get(p))
    return f"{paths[0]!r} ({one.get(paths[0])} against {other.get(paths[0])})" if paths else "nothing"
