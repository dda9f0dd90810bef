"""Build hook: put the content folders into the wheel as ``generator/_content``."""

from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

CONTENT = ("templates", "ground_truth", "audits/policy.yaml", "audits/presets")


class ContentHook(BuildHookInterface[Any]):
    """Ship content inside the wheel; an editable install reads it in place."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Add the folders unless the build is editable."""
        if version == "editable":
            return
        for name in CONTENT:
            build_data["force_include"][name] = f"generator/_content/{name}"
