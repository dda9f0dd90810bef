"""Audit of a pool: the same state, or nearly the same words, twice."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from generator.audit.policy import Policy
from generator.records import AuditFinding, Key, Task, digest_of

SHINGLE = 8


def state_digest(key: Key) -> str:
    """Return the digest of the canonical state: values and names, without how they are said."""
    return digest_of({"world": key.factors.world, "turns": key.state["turns"], "request": key.state["request"]})


def evidence_shingles(task: Task, key: Key) -> frozenset[str]:
    """Return the 8-character shingles of the evidence turns' user messages."""
    users = [m.content for m in task.messages if m.role == "user"]
    turns = sorted({e.turn for e in key.evidence if e.role == "user"})
    text = "\n".join(users[t] for t in turns if t < len(users))
    return frozenset(text[i : i + SHINGLE] for i in range(max(0, len(text) - SHINGLE + 1)))


def overlap(one: frozenset[str], other: frozenset[str]) -> float:
    """Return the Jaccard index of two sets, 0 if both are empty."""
    return len(one & other) / len(one | other) if one or other else 0.0


def audit_duplicates(
    pool: Mapping[int, tuple[Task, Key]], policy: Policy, earlier: Iterable[tuple[Task, Key]] = ()
) -> dict[int, AuditFinding]:
    """Return findings by index: members that repeat an earlier one of the pool, or of an earlier build.

    Twins and setups of one instance count once: the pool holds one member an instance.
    """
    states: dict[str, str] = {}
    shingles: list[tuple[str, str, frozenset[str]]] = []
    found: dict[int, AuditFinding] = {}

    def enter(task: Task, key: Key) -> str | None:
        digest, mine = state_digest(key), evidence_shingles(task, key)
        if digest in states:
            return f"the same state as {states[digest]}"
        for name, world, theirs in shingles:
            if world == key.factors.world and overlap(mine, theirs) > policy.surface_overlap_max:
                return f"nearly the words of {name}"
        states[digest] = task.id
        shingles.append((task.id, key.factors.world, mine))
        return None

    for task, key in earlier:
        enter(task, key)
    for index in sorted(pool):
        task, key = pool[index]
        what = enter(task, key)
        if what is not None:
            found[index] = AuditFinding(audit="duplicate", where=task.id, what=what)
    return found
