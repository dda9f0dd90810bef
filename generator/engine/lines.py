"""Lines of production: how tasks of a kind are made, audited and chosen. One line for the modes, one for travel."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple, Protocol

from generator.audit import AUDITS, Case, audit_case, audit_duplicates
from generator.audit.policy import Policy, Preset
from generator.engine.card import write_card
from generator.errors import ExitCode, GenError
from generator.records import AuditFinding, Key, Task
from generator.respondents import panel_of
from generator.stages.figures import balance_of
from generator.stages.pipeline import ATTEMPTS, Spec, Workshop, open_workshop, run_index
from generator.stages.travel import MODE as TRAVEL


class Made(NamedTuple):
    """What one index came to, as text: safe to hand between processes, the same for any worker."""

    number: int
    tasks: tuple[str, ...]
    keys: tuple[str, ...]
    rejections: tuple[dict[str, Any], ...]
    panel: tuple[float, ...]


class Sources(NamedTuple):
    """Folders that a build stands on beside the content: an overlay, and a world to import. Neither is in its bytes."""

    overlay: Path | None = None
    world: Path | None = None


class Line(Protocol):
    """What the engine needs of a kind of task."""

    @property
    def policy(self) -> Policy:
        """The thresholds."""
        ...

    @property
    def preset(self) -> Preset:
        """The quotas."""
        ...

    @property
    def audits(self) -> tuple[str, ...]:
        """Names of the audits that every candidate passes."""
        ...

    @property
    def panel(self) -> tuple[str, ...]:
        """The simulated panel of stage 6."""
        ...

    def check(self, spec: Spec) -> None:
        """Make sure that what is at hand is what the spec was made with, before anything is built."""
        ...

    def run(self, spec: Spec, seed: int, index: int, attempts: int = ...) -> Made:
        """Return what an index comes to after so many attempts at most."""
        ...

    def strata(self, key: Key) -> dict[str, str]:
        """Return what selection keeps in balance."""
        ...

    def duplicates(
        self, pool: Mapping[int, tuple[Task, Key]], earlier: Sequence[tuple[Task, Key]] = ()
    ) -> dict[int, AuditFinding]:
        """Return findings about members of a pool that repeat others."""
        ...

    def audit_pool(self, keys: Sequence[Key]) -> list[AuditFinding]:
        """Return findings about a set as a whole."""
        ...

    def figures(self, keys: Sequence[Key]) -> dict[str, Any]:
        """Return figures about the audited pool."""
        ...

    def card(self, spec: Spec, counts: dict[str, Any], figures: dict[str, Any], keys: list[Key]) -> str:
        """Return the dataset card."""
        ...

    def files(self, spec: Spec, seed: int, keys: Sequence[Key]) -> dict[str, str]:
        """Return further public files by name."""
        ...

    def audit(self, folder: Path, tasks: Sequence[Task], keys: Mapping[str, Key]) -> list[AuditFinding]:
        """Return the findings of every audit over tasks of a build."""
        ...


class ModeLine:
    """The line of the modes: dialogues, each with a state of its own."""

    def __init__(self, shop: Workshop) -> None:
        self.shop = shop
        self.audits = (*AUDITS, "duplicate")
        self.panel = panel_of(shop.mode)

    @property
    def policy(self) -> Policy:
        """The thresholds."""
        return self.shop.policy

    @property
    def preset(self) -> Preset:
        """The quotas."""
        return self.shop.preset

    def check(self, spec: Spec) -> None:
        """Do nothing: a mode stands on the content, which the manifest has the digest of."""

    def run(self, spec: Spec, seed: int, index: int, attempts: int = ATTEMPTS) -> Made:
        """Return what an index comes to after so many attempts at most."""
        outcome = run_index(self.shop, spec, seed, index, attempts)
        return Made(
            index,
            tuple(c.task().model_dump_json() for c in outcome.candidates),
            tuple(c.key().model_dump_json() for c in outcome.candidates),
            outcome.rejections,
            outcome.panel,
        )

    def strata(self, key: Key) -> dict[str, str]:
        """Return what selection keeps in balance."""
        factors, preset = key.factors, self.shop.preset
        return {
            "world": factors.world,
            "register": factors.register_name,
            "core": str(factors.core // preset.core_bin),
            "distractors": str(factors.distractors // preset.distractors_bin),
            "mechanism": ",".join(factors.mechanisms[:1]),
        }

    def duplicates(
        self, pool: Mapping[int, tuple[Task, Key]], earlier: Sequence[tuple[Task, Key]] = ()
    ) -> dict[int, AuditFinding]:
        """Return findings about members of a pool that repeat others."""
        return audit_duplicates(pool, self.shop.policy, earlier)

    def audit_pool(self, keys: Sequence[Key]) -> list[AuditFinding]:
        """Return nothing: what concerns a pool of dialogues needs the extra `pool` and is asked for by itself."""
        return []

    def figures(self, keys: Sequence[Key]) -> dict[str, Any]:
        """Return figures about the audited pool."""
        return balance_of([k.factors for k in keys])

    def card(self, spec: Spec, counts: dict[str, Any], figures: dict[str, Any], keys: list[Key]) -> str:
        """Return the dataset card."""
        return write_card(spec, counts, figures, keys)

    def files(self, spec: Spec, seed: int, keys: Sequence[Key]) -> dict[str, str]:
        """Return nothing: a dialogue stands on the content alone."""
        return {}

    def audit(self, folder: Path, tasks: Sequence[Task], keys: Mapping[str, Key]) -> list[AuditFinding]:
        """Return the findings of every audit over tasks of a build.

        Raises:
            GenError: A world is not in the content.
        """
        return [f for task in tasks for f in audit_case(self.case(folder, task, keys[task.id]))]

    def case(self, folder: Path, task: Task, key: Key) -> Case:
        """Return a task as the audits see it.

        Raises:
            GenError: Its world is not in the content.
        """
        kit = next((k for k in self.shop.kits if k.id == key.factors.world), None)
        if kit is None:
            what = f"world {key.factors.world!r} is not in the content"
            raise GenError(str(folder), what, "name the overlay with --content")
        return Case(self.shop.mode, kit, task, key, self.shop.policy)


def open_line(spec: Spec, sources: Sources) -> Line:
    """Return the line of a spec, its content loaded once a process.

    Raises:
        GenError: There is no such mode, or content or world are faulty.
    """
    if spec.mode == TRAVEL:
        from generator.engine.travel_line import open_travel_line  # noqa: PLC0415 - a mode needs none of it

        return open_travel_line(spec, sources)
    if sources.world is not None:
        raise GenError("--world", "only travel builds play in a world", "leave it out", ExitCode.USAGE)
    return ModeLine(open_workshop(spec.mode, spec.lang, spec.split, sources.overlay))
