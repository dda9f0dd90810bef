"""One function per audit: a case in, findings out. An audit that finds nothing says nothing."""

from __future__ import annotations

from collections.abc import Callable

from generator.audit.answer import audit_derivable, audit_needed, audit_unchanged, audit_unique, audit_user_only
from generator.audit.case import Case, score_values
from generator.audit.checking import audit_checker, audit_items
from generator.audit.duplicate import audit_duplicates
from generator.audit.noise import audit_inert, audit_shape
from generator.audit.respondents_audit import audit_diagnostic, audit_no_shortcut
from generator.audit.voice import audit_voice
from generator.records import AuditFinding

Audit = Callable[[Case], list[AuditFinding]]

# In this order: what is cheap and telling comes first, and a candidate that cannot be
# followed is not asked anything more.
AUDITS: dict[str, Audit] = {
    "shape": audit_shape,
    "derivable": audit_derivable,
    "unique": audit_unique,
    "items": audit_items,
    "user-only": audit_user_only,
    "inert": audit_inert,
    "voice": audit_voice,
    "no shortcut": audit_no_shortcut,
    "diagnostic": audit_diagnostic,
    "unchanged": audit_unchanged,
    "needed": audit_needed,
    "checker": audit_checker,
}
STOPPERS = frozenset({"shape", "derivable", "unique", "items"})


def audit_case(case: Case, *, first_only: bool = False) -> list[AuditFinding]:
    """Return every finding about a task, audit by audit; `first_only` stops at the first audit that finds any."""
    findings: list[AuditFinding] = []
    for name, audit in AUDITS.items():
        found = audit(case)
        findings += found
        if found and (first_only or name in STOPPERS):
            break
    return findings


__all__ = ["AUDITS", "Audit", "Case", "audit_case", "audit_duplicates", "score_values"]
