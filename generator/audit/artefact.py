"""Audit of a pool: can a linear classifier tell evidence from distractors, or twins apart, by surface?

Needs the extra `pool` (scikit-learn). Two classifiers are tried, both cross-validated by leaving whole
worlds out: one on *form* (length, position, digits, punctuation, openers), which the policy bounds, and one on
form and character 3-grams, whose area is printed beside it. Chat about neighbours shares no words
with a purchase list, so words always tell an irrelevant topic apart; they must not tell twins apart.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

from generator.audit.policy import Policy
from generator.errors import ExitCode, GenError
from generator.records import AuditFinding, Key, Task

LEAST_OF_A_CLASS = 20
MOST_OF_A_CLASS = 4000
_STOPS = "，,。.；;！!：:"
_NUMERALS = "一二两三四五六七八九十百千万"


class Sample(NamedTuple):
    """One text: its world, its place in the dialogue (0 first, 1 last), whether it opens like a turn, its class."""

    text: str
    world: str
    place: float
    opens: bool
    label: int


def audit_pool(
    pool: Sequence[tuple[Task, Key]], policy: Policy, is_near: Callable[[Key, str], bool], openers: Sequence[str]
) -> tuple[list[AuditFinding], dict[str, float | None]]:
    """Return findings over a pool, and the areas under the ROC curve that they rest on.

    An area is None where a class or a second world is missing: then nothing can be said.

    Args:
        is_near: Whether a distractor turn of a task is near-domain (reads as somebody else's event).
        openers: Words that turns of this language may open with.

    Raises:
        GenError: scikit-learn is not installed.
    """
    evidence, free, near, twins = _sort(pool, is_near, tuple(openers))
    both = [*_thin(evidence), *_thin(free)]
    areas = {
        "form: evidence or free distractor": area_of(both, words=False),
        "form: evidence or near-domain": area_of([*_thin(evidence), *_thin(near)], words=False),
        "words: evidence or free distractor": area_of(both, words=True),
        "words: base or twin, by other turns": area_of(twins, words=True),
    }
    limits = {
        "form: evidence or free distractor": policy.artefact_auc_max,
        "form: evidence or near-domain": policy.artefact_auc_near_max,
        "words: base or twin, by other turns": policy.artefact_auc_twin_max,
    }
    findings = []
    for name, limit in limits.items():
        area = areas[name]
        if area is not None and area > limit:
            what = f"{name}: the area under the curve is {area:.3f}, more than {limit}"
            findings.append(AuditFinding(audit="artefact", where="pool", what=what))
    return findings, areas


def _sort(
    pool: Sequence[tuple[Task, Key]], is_near: Callable[[Key, str], bool], openers: tuple[str, ...]
) -> tuple[list[Sample], list[Sample], list[Sample], list[Sample]]:
    evidence: list[Sample] = []
    free: list[Sample] = []
    near: list[Sample] = []
    twins: list[Sample] = []
    paired = {k.twin_of for _, k in pool if k.twin_of}
    for task, key in pool:
        users = [m.content for m in task.messages if m.role == "user"]
        turns = {e.turn for e in key.evidence if e.role == "user"}
        world = key.factors.world
        for turn, text in enumerate(users[:-1]):
            place = turn / max(1, len(users) - 1)
            opens = text.lower().startswith(openers)
            kind = evidence if turn in turns else near if is_near(key, text) else free
            kind.append(Sample(text, world, place, opens, int(turn in turns)))
        if key.twin_of or key.id in paired:
            rest = "\n".join(t for n, t in enumerate(users) if n not in turns)
            twins.append(Sample(rest, world, 0.0, False, int(key.twin_of is not None)))
    return evidence, free, near, twins


def _thin(samples: list[Sample]) -> list[Sample]:
    """Return at most so many samples, evenly taken: the area needs no more, and the time does."""
    step = max(1, -(-len(samples) // MOST_OF_A_CLASS))
    return samples[::step]


def area_of(samples: Sequence[Sample], *, words: bool) -> float | None:
    """Return the area under the ROC curve of a linear classifier, cross-validated by world; None if undefined."""
    labels = [s.label for s in samples]
    worlds = [s.world for s in samples]
    if min(labels.count(0), labels.count(1)) < LEAST_OF_A_CLASS or len(set(worlds)) < 2:
        return None
    learn = _sklearn()
    form = learn["pipe"](learn["function"](_form), learn["scale"]())
    features: Any = form
    if words:
        grams = learn["tfidf"](analyzer="char", ngram_range=(3, 3), min_df=3, max_features=20_000)
        features = learn["union"]([("form", form), ("grams", learn["pipe"](learn["function"](_texts), grams))])
    model = learn["pipe"](features, learn["logistic"](max_iter=400))
    folds = learn["folds"](n_splits=min(5, len(set(worlds))))
    scores = learn["predict"](model, list(samples), labels, groups=worlds, cv=folds, method="decision_function")
    return round(float(learn["auc"](labels, scores)), 4)


def _texts(samples: Sequence[Sample]) -> list[str]:
    return [s[0] for s in samples]


def _form(samples: Sequence[Sample]) -> list[list[float]]:
    rows = []
    for text, _, place, opens, _ in samples:
        digits = sum(c.isdigit() or c in _NUMERALS for c in text)
        stops = sum(c in _STOPS for c in text)
        ends = [float(text[-1:] in "？?"), float(text[-1:] in "。.")]
        rows.append([len(text), len(text) ** 0.5, digits, float(digits > 0), stops, *ends, place, float(opens)])
    return rows


def _sklearn() -> dict[str, Any]:
    try:
        from sklearn.feature_extraction.text import TfidfVectorizer  # noqa: PLC0415
        from sklearn.linear_model import LogisticRegression  # noqa: PLC0415
        from sklearn.metrics import roc_auc_score  # noqa: PLC0415
        from sklearn.model_selection import GroupKFold, cross_val_predict  # noqa: PLC0415
        from sklearn.pipeline import FeatureUnion, make_pipeline  # noqa: PLC0415
        from sklearn.preprocessing import FunctionTransformer, StandardScaler  # noqa: PLC0415
    except ImportError as error:
        fix = "install the extra: pip install 'turnproof[pool]'"
        raise GenError("gen audit --pool", "scikit-learn is not installed", fix, ExitCode.USAGE) from error
    return {
        "tfidf": TfidfVectorizer, "logistic": LogisticRegression, "auc": roc_auc_score, "folds": GroupKFold,
        "predict": cross_val_predict, "union": FeatureUnion, "pipe": make_pipeline, "function": FunctionTransformer,
        "scale": StandardScaler,
    }  # fmt: skip
