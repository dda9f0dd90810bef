"""Turnproof: author, prove, select and run multi-turn dialogue benchmarks.

>>> import generator
>>> report = generator.build("iii", n=50, lang="zh", out="build/mine")
>>> made = generator.load("build/mine")
>>> scores = generator.score(made, replies)
>>> task, key = generator.dataset("iii", "en", seed=7)[0]
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

__version__ = "0.1.0"

if TYPE_CHECKING:
    from generator.api import build, dataset, load, score

__all__ = ["__version__", "build", "dataset", "load", "score"]


def __getattr__(name: str) -> Any:
    # Loaded when first asked for, so that `gen --help` does not wait for the whole program.
    if name in {"build", "load", "score", "dataset"}:
        from generator import api  # noqa: PLC0415

        return getattr(api, name)
    raise AttributeError(f"module 'generator' has no attribute {name!r}")
