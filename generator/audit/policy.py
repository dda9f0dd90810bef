"""Thresholds: content of `audits/policy.yaml`."""

from __future__ import annotations

from pydantic import Field

from generator.content import ContentRoot
from generator.records import Frozen


class Band(Frozen):
    """An inclusive range."""

    min: int
    max: int


class RespondentClasses(Frozen):
    """How a mode counts each simulated respondent."""

    own: tuple[str, ...]
    shortcut: tuple[str, ...]
    other: tuple[str, ...] = ()


class TravelPolicy(Frozen):
    """What counts as sound in travel instances; see the comments of the file."""

    characters_max: int
    length_matched_tolerance: float = Field(gt=0, le=0.05)
    inert_share: float = Field(ge=0, le=1)
    inert_strength: float = Field(gt=0, le=1)
    trivial_max: float = Field(ge=0, le=1)
    yesno_max: float = Field(ge=0.5, le=1)
    trivial_least: int = Field(ge=1)
    told_class_max: float = Field(gt=0, le=1)
    constant_closeness_max: float = Field(ge=0, le=1)


class Policy(Frozen):
    """What counts as sound; see the comments of the file."""

    shortcut_importance_max: float = Field(ge=0, le=1)
    no_dialogue_importance_max: float = Field(ge=0, le=1)
    own_mean_margin_min: float = Field(ge=0, le=1)
    length_spread_min: float
    length_spread_turns: int
    repeat_share_max: float
    turns: Band
    surface_overlap_max: float
    artefact_auc_max: float
    artefact_auc_near_max: float
    artefact_auc_twin_max: float
    checker_mutations: int
    checker_rewordings: int
    checker_full_share: float
    respondents: dict[str, RespondentClasses]
    travel: TravelPolicy


class Preset(Frozen):
    """How stage 6 assembles a set; see the comments of the file."""

    quotas: tuple[str, ...] = Field(min_length=1)
    core_bin: int = Field(ge=1)
    distractors_bin: int = Field(ge=1)
    saturated: float = Field(ge=0, le=1)
    hopeless: float = Field(ge=0, le=1)
    first: str | None = None


def load_preset(content: ContentRoot, name: str = "default") -> Preset:
    """Return a preset of quotas.

    Raises:
        GenError: It is missing or invalid.
    """
    preset: Preset = content.load(f"audits/presets/{name}.yaml", Preset)
    return preset


def load_policy(content: ContentRoot) -> Policy:
    """Return the policy.

    Raises:
        GenError: It is missing or invalid.
    """
    policy: Policy = content.load("audits/policy.yaml", Policy)
    return policy
