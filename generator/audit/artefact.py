"""Audit of a pool: can a linear classifier tell evidence from distractors, or twins apart, by surface alone?

Needs the extra `pool` (scikit-learn). Features are those that carry no meaning: length, position,
digits, punctuation, and character 3-grams. Cross-validation leaves whole worlds out, so that the
words of a trade give nothing away.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from generator.audit.policy import Policy
from generator.errors import ExitCode, GenError
from generator.records import AuditFinding, Key, Task

LEAST_OF_A_CLASS = 20


def audit_pool(pool: Sequence[tuple[Task, Key]], policy: Policy) -> tuple[list[AuditFinding], dict[str, float | None]]:
    """Return findings over a pool, and the areas under the ROC curve that they rest on.

    An area is None where a class or a second world is missing: then nothing can be said.

    Raises:
        GenError: scikit-learn is not installed.
    """
    evidence: list[tuple[str, str, int]] = []
    twins: list[tuple[str, str, int]] = []
    paired = {k.twin_of for _, k in pool if k.twin_of}
    for task, key in pool:
        users = [m.content for m in task.messages if m.role == "user"]
        turns = {e.turn for e in key.evidence if e.role == "user"}
        for turn, text in enumerate(users[:-1]):
            evidence.append((text, key.factors.world, int(turn in turns)))
        if key.twin_of or key.id in paired:
            rest = "\n".join(t for n, t in enumerate(users) if n not in turns)
            twins.append((rest, key.factors.world, int(key.twin_of is not None)))
    areas = {"evidence_auc": area_of(evidence), "twin_auc": area_of(twins)}
    limits = {"evidence_auc": policy.artefact_auc_max, "twin_auc": policy.artefact_auc_twin_max}
    findings = [
        AuditFinding(audit="artefact", where="pool", what=f"{name} is {area:.3f}, more than {limits[name]}")
        for name, area in areas.items()
        if area is not None and area > limits[name]
    ]
    return findings, areas


def area_of(rows: Sequence[tuple[str, str, int]]) -> float | None:
    """Return the area under the ROC curve of a classifier on surface features, cross-validated by world.

    Args:
        rows: (text, world, class 0 or 1).
    """
    classes = [c for *_, c in rows]
    worlds = [w for _, w, _ in rows]
    if min(classes.count(0), classes.count(1)) < LEAST_OF_A_CLASS or len(set(worlds)) < 2:
        return None
    learn = _sklearn()
    features = learn["union"](
        [
            ("chars", learn["tfidf"](analyzer="char", ngram_range=(3, 3), min_df=3, max_features=20_000)),
            ("shape", learn["pipe"](learn["function"](_shape), learn["scale"]())),
        ]
    )
    model = learn["pipe"](features, learn["logistic"](max_iter=400, C=1.0))
    folds = learn["folds"](n_splits=min(5, len(set(worlds))))
    texts = [t for t, *_ in rows]
    scores = learn["predict"](model, texts, classes, groups=worlds, cv=folds, method="decision_function")
    return round(float(learn["auc"](classes, scores)), 4)


def _shape(texts: Sequence[str]) -> list[list[float]]:
    return [
        [
            len(t),
            sum(c.isdigit() for c in t),
            sum(c in "，,。.；;！!" for c in t),
            float(t[-1:] in "？?"),
            float(t[-1:] in "。."),
        ]
        for t in texts
    ]


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
