"""The dataset card of a build."""

from __future__ import annotations

from collections import Counter
from typing import Any

from generator.records import Key
from generator.stages.pipeline import Spec

CLAIMS = """## What is claimed, and no more

* Every answer was fixed and hashed before distractors were added, is derived by two independent
  code paths, and is recovered by a reader from the dialogue's text alone.
* Removing, moving or doubling irrelevant turns does not change it; each evidence turn is needed
  for the answer or lures a named wrong one.
* Scoring items were tried on full-score replies, harmless rewordings and targeted mutations.
* Instances are fresh, but the wording patterns are public; a private overlay hides them.
* Chinese and English use different worlds and are never compared. Two seeds differ in difficulty.
* Screened with simulated respondents, which are instruments: **not selected on model results**.
  Scores are not comparable with those of any published benchmark.
* A seed given by hand with fewer than 64 bits can be found from its commitment.
"""


def write_card(spec: Spec, counts: dict[str, Any], figures: dict[str, Any], keys: list[Key]) -> str:
    """Return the card in Markdown. It holds no seed, no answer and no task id."""
    values = sorted(len(k.items) for k in keys)
    turns = sorted(k.factors.turns for k in keys)
    spans = figures["spans"]
    pairs = {**figures["designed"], **figures["following"]}
    mechanisms = Counter(m for k in keys for m in k.factors.mechanisms)
    lines = [
        f"# Turnproof mode {spec.mode.upper()} ({spec.lang})",
        "",
        f"{counts['released']} instances ({counts['tasks']} tasks) out of a pool of {counts['pool']},",
        f"profile `{spec.profile}`.",
        "",
        CLAIMS,
        "## Counts",
        "",
        "| what | value |",
        "|---|---|",
        f"| instances released | {counts['released']} |",
        f"| turns (exchanges) | {_range(turns)} |",
        f"| scoring items | {_range(values)} |",
        *[f"| world {name} | {n} |" for name, n in counts["worlds"].items()],
        *[f"| mechanism {name} | {n} |" for name, n in sorted(mechanisms.items())],
        "",
        "## Factors over the audited pool",
        "",
        "| factor | min | median | max |",
        "|---|---|---|---|",
        *[f"| {name} | {s['min']} | {s['median']} | {s['max']} |" for name, s in spans.items()],
        "",
        "Designed factors are uncorrelated by design; total length and distance follow from them.",
        "",
        "| pair | r |",
        "|---|---|",
        *[f"| {pair} | {'fixed' if r is None else r} |" for pair, r in pairs.items()],
        "",
        "## Licence",
        "",
        "CC BY 4.0. Names of people and companies are invented.",
        "",
    ]
    return "\n".join(lines)


def _range(values: list[int]) -> str:
    return f"{values[0]} to {values[-1]}, median {values[len(values) // 2]}" if values else "none"
