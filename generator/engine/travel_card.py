"""The dataset card of a travel build."""

from __future__ import annotations

from typing import Any

from generator.stages.pipeline import Spec
from generator.travel.options import TravelOptions

CLAIMS = """## What is claimed, and no more

* Every answer is derived by two independent code paths, was fixed and hashed before the instance was put into
  setups, and is recovered by a reader from the text of every setup.
* All setups of an instance carry the same facts, conventions, date, question and data, in the same words.
* No instance sits on an edge: margins keep away from ties, sector boundaries, sunset minutes and rounding.
* The history is true: calls are answered as the world answers, claims hold of the data, bookings were made.
* Instances are fresh, but the wording patterns are public; a private overlay hides them.
* Chinese and English are never compared, invented towns being different ones. Two seeds differ in difficulty.
* Screened with simulated respondents, which are instruments: **not selected on model results**.
  Scores are not comparable with those of any published benchmark.
* A seed given by hand with fewer than 64 bits can be found from its commitment.
"""
IMPORTED = "How every anomaly of the imported data was met is counted in `worlds/import.txt`."
INVENTED = "Names of people, places and companies are invented."


def write_travel_card(
    spec: Spec, options: TravelOptions, counts: dict[str, Any], figures: dict[str, Any], notice: str
) -> str:
    """Return the card in Markdown. It holds no seed, no answer and no task id."""
    world = "an imported town" if options.world else "invented towns"
    changed = f", perturbed by {', '.join(options.perturb)} (strength {options.strength})" if options.perturb else ""
    trivial = figures["trivial"].items()
    lines = [
        f"# Turnproof travel ({spec.lang})",
        "",
        f"{counts['released']} instances ({counts['tasks']} tasks) out of a pool of {counts['pool']},",
        f"profile `{spec.profile}`, in {world}{changed}. Setups: {', '.join(options.setups)}.",
        "",
        CLAIMS,
        *([IMPORTED, ""] if options.world else []),
        "## Counts",
        "",
        "| what | value |",
        "|---|---|",
        f"| instances released | {counts['released']} |",
        *[f"| world {name} | {n} |" for name, n in counts["worlds"].items()],
        *[f"| {cell} (audited pool) | {_counted(values)} |" for cell, values in figures["cells"].items()],
        "",
        "## What trivial strategies score",
        "",
        "Exact answers over the audited pool; `constant-closeness` is the closeness of the best constant.",
        "",
        "| task | strategy | score |",
        "|---|---|---|",
        *[f"| {task} | {name} | {score:.2f} |" for task, scores in trivial for name, score in scores.items()],
        "",
        "## Licence",
        "",
        f"CC BY 4.0 for what is ours.\n\n{notice.strip()}" if notice else f"CC BY 4.0. {INVENTED}",
        "",
    ]  # fmt: skip
    return "\n".join(lines)


def _counted(values: dict[str, int]) -> str:
    return ", ".join(f"{name}: {count}" for name, count in values.items())
