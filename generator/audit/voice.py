"""Audit of voice: what the assistant claims is true, and nothing sounds like a template."""

from __future__ import annotations

from collections import Counter, defaultdict

from generator.audit.case import Case
from generator.modes.acknowledge import reply_type
from generator.records import AuditFinding, Event


def audit_voice(case: Case) -> list[AuditFinding]:
    """Reject false acknowledgements, repeats while others are unused, unlicensed openers, even lengths, odd values."""
    return [*_claims(case), *_repeats(case), *_openers(case), *_lengths(case), *_bands(case)]


def _claims(case: Case) -> list[AuditFinding]:
    found = []
    heard = case.heard
    for turn in sorted(case.group_of) if heard is not None else []:
        events = heard.turns[turn]  # type: ignore[union-attr]
        where = f"{case.task.id} exchange {turn + 1}"
        said = case.exchanges[turn].assistant.events
        if not said:
            found.append(
                case.finding("voice", f"the reply claims nothing that is known: {case.replies[turn]!r}", where)
            )
        for claim in said:
            if claim.kind in {"echo", "answer"}:
                present = case.mode.value_after(case.kit, heard, turn, claim)  # type: ignore[arg-type]
                if present != claim.value:
                    found.append(
                        case.finding(
                            "voice", f"the reply reads back a value that is not so: {case.replies[turn]!r}", where
                        )
                    )
            elif not _is_true(claim, events):
                found.append(
                    case.finding("voice", f"{claim.kind} after {events[0].kind}: {case.replies[turn]!r}", where)
                )
    return found


def _is_true(claim: Event, events: tuple[Event, ...]) -> bool:
    kind, _, narrow = claim.kind.removeprefix("ack.").partition(".")
    return kind == reply_type(events) and (not narrow or all(e.kind == narrow for e in events))


def _repeats(case: Case) -> list[AuditFinding]:
    """A form said twice while forms for the same thing were never used."""
    used: dict[tuple[str, str | None, bool], Counter[str]] = defaultdict(Counter)
    for turn in case.group_of:
        for said in case.exchanges[turn].user.said:
            used[said.event.kind, said.event.field, said.event.item is None][said.form] += 1
    speech = case.kit.voice.speech
    found = []
    for (kind, field, leaning), forms in used.items():
        known = {
            w.form
            for w in speech.wordings
            if w.kind == kind and (field is None or w.family == speech.vocabulary.field_of(field).family)
        }
        repeated = [form for form, count in forms.items() if count > max(1, len(known) // 4)]
        if repeated and len(forms) < len(known):
            found.append(
                case.finding("voice", f"{kind}{' (elliptical)' if leaning else ''} is worded alike again and again")
            )
    return found


def _openers(case: Case) -> list[AuditFinding]:
    """「回来说正事」 needs something to come back from."""
    found = []
    backs = case.kit.voice.speech.lexicon.back_openers
    for turn, text in enumerate(case.users):
        after_chat = turn > 0 and turn - 1 not in case.group_of
        if any(text.startswith(b.strip()) for b in backs) and not after_chat:
            found.append(
                case.finding("voice", f"an opener without cause: {text!r}", f"{case.task.id} exchange {turn + 1}")
            )
    return found


def _lengths(case: Case) -> list[AuditFinding]:
    lengths = sorted(len(t) for t in case.users)
    if len(lengths) < case.policy.length_spread_turns:
        return []
    low, high = lengths[len(lengths) // 10], lengths[-1 - len(lengths) // 10]
    if high < case.policy.length_spread_min * max(1, low):
        return [case.finding("voice", f"user turns are all of one length: p10 {low}, p90 {high}")]
    return []


def _bands(case: Case) -> list[AuditFinding]:
    return [
        case.finding("voice", what)
        for what in case.mode.implausible(case.kit, case.mode.load_state(case.kit, case.key.state))
    ]
