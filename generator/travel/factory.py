"""What instances are made with: worlds, knobs, dates."""

from __future__ import annotations

from typing import Any

from generator.content import ContentRoot
from generator.errors import ExitCode, GenError
from generator.travel.tasks.protocol import TravelTask


def load_knobs(content: ContentRoot, task: TravelTask, profile: str) -> Any:
    """Return a task's knobs for a profile.

    Raises:
        GenError: The file is faulty, or has no such profile.
    """
    name = f"templates/travel/tasks/{task.name}.yaml"
    profiles: dict[str, Any] = content.load(name, dict[str, task.knobs])  # type: ignore[name-defined]
    if profile not in profiles:
        raise GenError(name, f"no profile {profile!r}", f"choose one of: {', '.join(profiles)}", ExitCode.USAGE)
    return profiles[profile]
