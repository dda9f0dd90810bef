"""Audits by simulated respondents: no shortcut, and diagnostic."""

from __future__ import annotations

from generator.audit.case import Case, score_values
from generator.records import AuditFinding


def audit_no_shortcut(case: Case) -> list[AuditFinding]:
    """Reject when a shortcut respondent exceeds the policy's importance."""
    found = []
    for name in case.policy.respondents[case.mode.number].shortcut:
        limit = case.policy.no_dialogue_importance_max if name == "no-dialogue" else case.policy.shortcut_importance_max
        importance, _ = score_values(case.key.items, case.respond(name))
        if importance > limit:
            found.append(
                case.finding("no shortcut", f"sim/{name} reaches importance {importance:.2f}, more than {limit}")
            )
    return found


def audit_diagnostic(case: Case) -> list[AuditFinding]:
    """Reject when a declared mechanism has no wrong value of its own, or spoils the control item.

    Only the mechanisms that the task declares are held to this: whatever else it is sensitive
    to is recorded among its alternatives and rejects nothing.
    """
    found = []
    declared = {m: p for m, p in case.mode.diagnose(case.kit, _state(case)).items() if m != "control"}
    if not declared:
        return [case.finding("diagnostic", "the task declares no mechanism")]
    control = str(case.mode.diagnose(case.kit, _state(case))["control"])
    own = case.policy.respondents[case.mode.number].own
    wrong = {name: case.respond(name) for name in own}
    margins = []
    for mechanism, path in declared.items():
        value = wrong[mechanism].get(path)
        importance, strict = score_values(case.key.items, wrong[mechanism])
        margins.append(1 - importance)
        if strict:
            found.append(case.finding("diagnostic", f"sim/{mechanism} gets everything right"))
        if value is None or value == case.key.answer.get(path):
            found.append(case.finding("diagnostic", f"sim/{mechanism} gives no wrong value at {path}"))
        elif any(wrong[o].get(path) == value for o in own if o != mechanism):
            found.append(case.finding("diagnostic", f"sim/{mechanism} is not alone with its value at {path}"))
        for clean in (p for p in case.key.answer if p.startswith(control + ".")):
            if wrong[mechanism].get(clean) != case.key.answer[clean]:
                found.append(case.finding("diagnostic", f"sim/{mechanism} spoils the control value {clean}"))
        if not any(a.name == mechanism and a.value.get(path) == value for a in case.key.alternatives):
            found.append(
                case.finding("diagnostic", f"the value of sim/{mechanism} at {path} is not the alternative in the key")
            )
    if sum(margins) / len(margins) < case.policy.own_mean_margin_min:
        found.append(
            case.finding("diagnostic", f"own respondents lose only {sum(margins) / len(margins):.3f} on average")
        )
    return found


def _state(case: Case) -> object:
    return case.mode.load_state(case.kit, case.key.state)
