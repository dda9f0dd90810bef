"""Audits of travel instances: an instance in all its setups in, findings out."""

from __future__ import annotations

from collections.abc import Callable

from generator.audit.travel.answer import (
    audit_derivable,
    audit_frozen,
    audit_needed,
    audit_same_facts,
    audit_unique,
)
from generator.audit.travel.case import TravelCase
from generator.audit.travel.checker import audit_checker
from generator.audit.travel.history import audit_history
from generator.audit.travel.inert import audit_inert
from generator.audit.travel.leak import audit_leak
from generator.audit.travel.shape import audit_instructions, audit_shape
from generator.records import AuditFinding

TravelAudit = Callable[[TravelCase], list[AuditFinding]]

TRAVEL_AUDITS: dict[str, TravelAudit] = {
    "shape": audit_shape,
    "derivable": audit_derivable,
    "unique": audit_unique,
    "unchanged": audit_frozen,
    "instructions": audit_instructions,
    "same facts": audit_same_facts,
    "history": audit_history,
    "leak": audit_leak,
    "needed": audit_needed,
    "checker": audit_checker,
    "inert": audit_inert,
}
STOPPERS = frozenset({"shape", "derivable", "unique"})


def audit_instance(case: TravelCase, *, first_only: bool = False) -> list[AuditFinding]:
    """Return every finding about an instance; `first_only` stops at the first audit that finds any."""
    findings: list[AuditFinding] = []
    for name, audit in TRAVEL_AUDITS.items():
        found = audit(case)
        findings += found
        if found and (first_only or name in STOPPERS):
            break
    return findings


__all__ = ["TRAVEL_AUDITS", "TravelAudit", "TravelCase", "audit_instance"]
