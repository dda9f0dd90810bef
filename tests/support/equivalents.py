"""Mutants that no chain can tell from the original, each with the reason."""

EQUIVALENT: dict[str, dict[str, str]] = {"forward": {}, "backward": {}}
