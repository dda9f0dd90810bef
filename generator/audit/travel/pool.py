"""Audits of a set of travel instances: repeats, and strategies that earn something without looking at the question."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from statistics import fmean

from generator.audit.policy import Policy
from generator.records import AuditFinding, Key, Task, digest_of
from generator.scoring.plain.metrics import DISTANCE_HALF_M, FREQUENCY_HALF_MIN
from generator.scoring.statistics import pearson
from generator.travel.answers import Values
from generator.travel.tasks import find_task

HALF = {"distance": DISTANCE_HALF_M, "frequency": 10 * FREQUENCY_HALF_MIN}
"""Errors at which closeness is one half, in the unit of the answer: metres, tenths of a minute."""


def state_digest(key: Key) -> str:
    """Return the digest of what an instance asks, whatever its words: what is said, without date and time, and data."""
    says = [said for said in key.state["says"] if said[0] != "today"]
    return digest_of([key.state["travel"], says, [call[2] for call in key.state["calls"]]])


def duplicates_of(
    pool: Mapping[int, tuple[Task, Key]], earlier: Sequence[tuple[Task, Key]] = ()
) -> dict[int, AuditFinding]:
    """Return findings by index: instances that ask what an earlier one asks. Setups of an instance count once."""
    seen = {state_digest(key): task.id for task, key in earlier}
    found: dict[int, AuditFinding] = {}
    for index in sorted(pool):
        task, key = pool[index]
        digest = state_digest(key)
        if digest in seen:
            found[index] = AuditFinding(audit="duplicate", where=task.id, what=f"asks what {seen[digest]} asks")
        else:
            seen[digest] = task.id
    return found


def trivial_scores(keys: Sequence[Key]) -> dict[str, dict[str, float]]:
    """Return, per task, the exact score of each strategy that does not look at the question.

    Strategies: the task's shortcuts, the most common answer (`majority`), and for numbers the closeness of the best
    constant (`constant-closeness`).
    """
    groups: dict[str, list[Key]] = defaultdict(list)
    for key in keys:
        groups[str(key.state["travel"])].append(key)
    scores: dict[str, dict[str, float]] = {}
    for name in sorted(groups):
        task, own = find_task(name), groups[name]
        found: dict[str, float] = {}
        for shortcut in task.shortcuts:
            found[shortcut] = round(fmean(float(shortcut in k.state["harmless"]) for k in own), 4)
        counts = Counter(digest_of(k.answer) for k in own)
        found["majority"] = round(max(counts.values()) / len(own), 4)
        if task.answer in HALF:
            found["constant-closeness"] = round(_best_constant([k.answer for k in own], HALF[task.answer]), 4)
        scores[name] = found
    return scores


def _best_constant(answers: Sequence[Values], half: int) -> float:
    values = sorted(next(iter(answer.values())) for answer in answers)
    return max(fmean(1 / (1 + abs(value - guess) / half) for value in values) for guess in values)


def audit_travel_pool(keys: Sequence[Key], policy: Policy) -> list[AuditFinding]:
    """Reject a set in which a trivial strategy scores more than the policy allows, per task with enough instances."""
    counts = Counter(str(k.state["travel"]) for k in keys)
    found = []
    for task, scores in trivial_scores(keys).items():
        if counts[task] < policy.travel.trivial_least:
            continue
        for name, score in scores.items():
            is_close = name == "constant-closeness"
            limit = policy.travel.constant_closeness_max if is_close else _limit(task, policy)
            if score > limit:
                what = f"{name!r} scores {score:.2f} over {counts[task]} instances, {limit:.2f} is allowed"
                found.append(AuditFinding(audit="balance", where=task, what=what))
    return [*found, *_told_classes(keys, policy)]


WORDINGS = ("demand", "sunset")
"""Strata that show in how a question is put; those of the answer are called class."""


def _told_classes(keys: Sequence[Key], policy: Policy) -> Iterator[AuditFinding]:
    """Yield where the wording of a question goes with the class of its answer."""
    groups: dict[tuple[str, str], list[tuple[str, str]]] = defaultdict(list)
    for key in keys:
        cell = key.state["cell"]
        for name in WORDINGS:
            if name in cell and "class" in cell:
                groups[str(key.state["travel"]), name].append((cell[name], cell["class"]))
    for (task, name), pairs in sorted(groups.items()):
        if len(pairs) < policy.travel.trivial_least:
            continue
        for said, given in sorted(set(pairs)):
            phi = pearson([float(a == said) for a, _ in pairs], [float(b == given) for _, b in pairs]) or 0.0
            if abs(phi) > policy.travel.told_class_max:
                what = f"{name} {said!r} tells that the answer is {given!r}: phi {phi:.2f}"
                yield AuditFinding(audit="balance", where=task, what=what)


def _limit(task: str, policy: Policy) -> float:
    """Return what a strategy may score: of two answers, one is right half of the time and a little more by chance."""
    return policy.travel.yesno_max if find_task(task).answer == "yesno" else policy.travel.trivial_max
