"""Stages 1 to 5 and the audits, for one index of a pool: a pure function of the spec."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from pathlib import Path
from typing import Any, NamedTuple

from generator.audit import Case, audit_case
from generator.audit.case import score_values
from generator.audit.policy import Policy, Preset, load_policy, load_preset
from generator.content import ContentRoot, default_root
from generator.language.forms import Register
from generator.modes import find_mode
from generator.modes.protocol import Kit, Mode, RedrawError
from generator.records import Frozen, Lang, Reply, Split
from generator.respondents import panel_of, respond_values
from generator.scoring.metrics import score_reply
from generator.seeds import stream
from generator.stages.candidate import Candidate, make_candidate
from generator.stages.s1_anchor import Settings, anchor_of
from generator.stages.topics import Topic, fit_topics, load_topics
from generator.stages.twin import make_twin, twin_states
from generator.travel.options import TravelOptions

ATTEMPTS = 4
# The pool of the published design: 85 candidates for 35 tasks.
POOL_RATIO = 85 / 35


class Spec(Frozen):
    """What is built: everything that decides the bytes, but the seed."""

    mode: str
    lang: Lang
    n: int
    pool: int
    profile: str = "standard"
    turns: int | None = None
    distractors: int | None = None
    gap: float | None = None
    register_name: Register | None = None
    twins: bool = False
    split: Split = "eval"
    travel: TravelOptions | None = None

    @property
    def settings(self) -> Settings:
        """The factors that are fixed by hand."""
        return Settings(self.profile, self.turns, self.distractors, self.gap, self.register_name)


@dataclass(frozen=True)
class Workshop:
    """Content made ready for one spec."""

    mode: Mode
    content: ContentRoot
    policy: Policy
    preset: Preset
    kits: list[Kit]
    topics: dict[str, list[Topic]]

    def kit(self, name: str) -> Kit:
        """Return a world by id."""
        return next(k for k in self.kits if k.id == name)


@lru_cache(maxsize=8)
def open_workshop(mode_number: str, lang: Lang, split: Split, overlay: Path | None = None) -> Workshop:
    """Return the content of a mode and language, loaded once a process.

    Raises:
        GenError: Content is missing or invalid.
    """
    content = default_root(overlay)
    mode = find_mode(mode_number)
    kits = mode.load(content, lang, split)
    topics = load_topics(content, lang)
    return Workshop(
        mode,
        content,
        load_policy(content),
        load_preset(content),
        kits,
        {k.id: fit_topics(k, topics, split) for k in kits},
    )


class Outcome(NamedTuple):
    """What became of one index: a candidate (with its twin), or the reasons why there is none.

    panel: importance of each member of the simulated panel, in the order of `panel_of`.
    """

    number: int
    candidates: tuple[Candidate, ...]
    rejections: tuple[dict[str, Any], ...]
    panel: tuple[float, ...]


def run_index(shop: Workshop, spec: Spec, seed: int, index: int, attempts: int = ATTEMPTS) -> Outcome:
    """Return the outcome of one index: a few attempts, each rejection kept with its reason."""
    rejections: list[dict[str, Any]] = []
    for attempt in range(attempts):
        anchor = anchor_of(shop.mode, shop.kits, seed, index, spec.settings, attempt)
        reject = {"index": index, "attempt": attempt, "world": anchor.kit.id}
        try:
            candidate = make_candidate(shop.mode, anchor, shop.topics[anchor.kit.id], seed, attempt)
        except RedrawError as error:
            rejections.append({**reject, "audit": "draw", "what": str(error)})
            continue
        findings = audit_case(_case(shop, candidate), first_only=True)
        if findings:
            rejections.append({**reject, "audit": findings[0].audit, "what": findings[0].what})
            continue
        if not spec.twins:
            return Outcome(index, (candidate,), tuple(rejections), _screen(shop, candidate))
        pair = _pair(shop, candidate)
        if pair:
            return Outcome(index, pair, tuple(rejections), _screen(shop, candidate))
        rejections.append({**reject, "audit": "twin", "what": "no twin passes every audit"})
    return Outcome(index, (), tuple(rejections), ())


def _case(shop: Workshop, candidate: Candidate) -> Case:
    return Case(shop.mode, candidate.kit, candidate.task(), candidate.key(), shop.policy)


def _pair(shop: Workshop, base: Candidate) -> tuple[Candidate, ...]:
    for number, state in enumerate(twin_states(base)):
        try:
            twin = make_twin(base, state, number)
        except RedrawError:
            continue
        if audit_case(_case(shop, twin), first_only=True):
            continue
        told = [_tell_apart(shop.mode, one, other) for one, other in ((base, twin), (twin, base))]
        if all(told):
            return (replace(base, twin_reply=told[0]), replace(twin, twin_reply=told[1]))
    return ()


def _tell_apart(mode: Mode, one: Candidate, other: Candidate) -> str | None:
    """Return a reply that is right for `one` and wrong for `other`, or None."""
    key = one.key()
    text = mode.write_reply(mode.view_in(key), one.answer, stream(one.seed, one.id, "twin-reply"))
    right = score_reply(key, Reply(task_id=one.id, reply=text)).strict
    wrong = score_reply(other.key(), Reply(task_id=other.id, reply=text)).strict
    return text if right == 1 and wrong == 0 else None


def _screen(shop: Workshop, candidate: Candidate) -> tuple[float, ...]:
    key = candidate.key()
    scores: Sequence[float] = [
        score_values(key.items, respond_values(name, shop.mode, candidate.kit, candidate.messages, candidate.id))[0]
        for name in panel_of(shop.mode)
    ]
    return tuple(round(s, 6) for s in scores)
