"""Audits of scoring: items against truth, and the checker against constructed replies."""

from __future__ import annotations

from random import Random

from generator.audit.case import Case
from generator.records import AuditFinding, Item, Reply, Verdict
from generator.scoring.metrics import score_reply
from generator.seeds import stream


def audit_items(case: Case) -> list[AuditFinding]:
    """Reject when items and truth entries do not match one to one, or an item contradicts the truth."""
    found = []
    paths = [i.truth_path for i in case.key.items]
    for path in sorted(set(paths) ^ set(case.key.answer)):
        what = "an item without a truth entry" if path in paths else "a truth entry without an item"
        found.append(case.finding("items", f"{what}: {path}"))
    if len(set(paths)) != len(paths) or len({i.id for i in case.key.items}) != len(paths):
        found.append(case.finding("items", "two items share an id or a truth entry"))
    for item in case.key.items:
        value = item.params.get("value")
        if not item.truth_path.endswith(".absent") and value != case.key.answer.get(item.truth_path):
            found.append(
                case.finding(
                    "items", f"item {item.id} wants {value}, the truth is {case.key.answer.get(item.truth_path)}"
                )
            )
        if value in item.stale:
            found.append(case.finding("items", f"item {item.id} lists the right value as stale"))
        if not item.gate and item.weight not in (1, 2, 3):
            found.append(case.finding("items", f"item {item.id} weighs {item.weight}"))
    return found


def audit_checker(case: Case) -> list[AuditFinding]:
    """Reject when the witness is not at full score, a mutation loses the wrong items, or a rewording loses any.

    Which mutations and rewordings are tried is drawn from the task's id, a full matrix for the
    share that the policy names: so an audit of the files tries the same.
    """
    rng = stream(0, case.task.id, "checker")
    full = rng.random() < case.policy.checker_full_share
    return [*_witness(case, rng, full), *_mutations(case, rng, full), *_controls(case)]


def _verdicts(case: Case, text: str) -> dict[str, Verdict]:
    return score_reply(case.key, Reply(task_id=case.task.id, reply=text)).items


def _lost(verdicts: dict[str, Verdict]) -> set[str]:
    return {name for name, verdict in verdicts.items() if verdict is not Verdict.HIT}


def _witness(case: Case, rng: Random, full: bool) -> list[AuditFinding]:
    found = []
    text = case.mode.write_reply(case.mode.view_in(case.key), case.key.answer, rng)
    lost = _lost(_verdicts(case, text))
    if lost:
        return [case.finding("checker", f"the full-score reply loses {_named(case, lost)}: {text[:200]!r}")]
    names = case.mode.reword_names
    for name in names if full else rng.sample(names, min(len(names), case.policy.checker_rewordings)):
        lost = _lost(_verdicts(case, case.mode.reword_reply(case.mode.view_in(case.key), text, name, rng)))
        if lost:
            found.append(case.finding("checker", f"the harmless rewording {name!r} loses {_named(case, lost)}"))
    return found


def _mutations(case: Case, rng: Random, full: bool) -> list[AuditFinding]:
    found = []
    items = [i for i in case.key.items if "value" in i.params]
    for item in items if full else rng.sample(items, min(len(items), case.policy.checker_mutations)):
        wrong = _wrong_value(item, rng)
        text = case.mode.write_reply(case.mode.view_in(case.key), {**case.key.answer, item.truth_path: wrong}, rng)
        lost = _lost(_verdicts(case, text))
        if lost != {item.id}:
            found.append(
                case.finding(
                    "checker",
                    f"with {item.truth_path} wrong ({wrong}) the reply loses {_named(case, lost)}: {text[:300]!r}",
                )
            )
    return found


def _wrong_value(item: Item, rng: Random) -> int:
    stale = [v for v in item.stale if isinstance(v, int)]
    if stale and rng.random() < 0.7:
        return rng.choice(stale)
    value = int(item.params["value"])
    return value + rng.choice([1, 2, 3]) * (100 if value >= 10_000 and value % 100 == 0 else 1)


def _controls(case: Case) -> list[AuditFinding]:
    found = []
    for name, text in case.mode.control_replies(case.key, case.users[-1]).items():
        result = score_reply(case.key, Reply(task_id=case.task.id, reply=text))
        if result.importance:
            found.append(
                case.finding("checker", f"the control reply {name!r} reaches importance {result.importance:.2f}")
            )
    return found


def _named(case: Case, lost: set[str]) -> str:
    paths = sorted(i.truth_path for i in case.key.items if i.id in lost)
    return ", ".join(paths[:6]) + (" …" if len(paths) > 6 else "") if paths else "nothing"
