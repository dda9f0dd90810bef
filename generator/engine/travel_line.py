"""The line of the travel tasks: instances in several setups, over worlds that go with the build."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from generator.audit.policy import Policy, Preset
from generator.audit.travel import TRAVEL_AUDITS, TravelCase, audit_instance
from generator.audit.travel.pool import audit_travel_pool, duplicates_of, trivial_scores
from generator.engine.lines import Made, Sources
from generator.engine.travel_card import write_travel_card
from generator.errors import ExitCode, GenError
from generator.records import AuditFinding, Key, Task, canonical_json
from generator.respondents.travel import travel_panel
from generator.stages.pipeline import ATTEMPTS, Spec
from generator.stages.travel import TravelShop, open_travel, options_of, run_travel
from generator.travel.factory import parse_world_name, tasks_of
from generator.travel.scene import Stage
from generator.travel.setups import check_setups
from generator.travel.world import read_world, world_digest
from generator.travel.world.store import world_text

WORLDS = "worlds"


class TravelLine:
    """How travel instances are made, audited and chosen."""

    def __init__(self, shop: TravelShop) -> None:
        self.shop = shop
        self.audits = (*TRAVEL_AUDITS, "duplicate", "balance")
        self.panel = travel_panel()

    @property
    def policy(self) -> Policy:
        """The thresholds."""
        return self.shop.policy

    @property
    def preset(self) -> Preset:
        """The quotas."""
        return self.shop.preset

    def check(self, spec: Spec) -> None:
        """Make sure that the world at hand is the one that the spec names, and that setups and tasks exist.

        Raises:
            GenError: It is another or is missing, or a name is unknown.
        """
        options = options_of(spec)
        check_setups(options.setups)
        tasks_of(options)
        imported = self.shop.factory.imported
        given = world_digest(imported) if imported else None
        if options.world != given:
            what = "the build plays in an imported world" if given is None else "this is not the world of the build"
            raise GenError("--world", what, "name the folder that it was imported from", ExitCode.USAGE)

    def run(self, spec: Spec, seed: int, index: int, attempts: int = ATTEMPTS) -> Made:
        """Return what an index comes to after so many attempts at most."""
        outcome = run_travel(self.shop, spec, seed, index, attempts)
        return Made(
            index,
            tuple(t.model_dump_json() for t in outcome.tasks),
            tuple(k.model_dump_json() for k in outcome.keys),
            outcome.rejections,
            outcome.panel,
        )

    def strata(self, key: Key) -> dict[str, str]:
        """Return what selection keeps in balance, and the turn of an instance."""
        return {"task": str(key.state["travel"]), "number": str(key.state["number"])}

    def duplicates(
        self, pool: Mapping[int, tuple[Task, Key]], earlier: Sequence[tuple[Task, Key]] = ()
    ) -> dict[int, AuditFinding]:
        """Return findings about instances that repeat others."""
        return duplicates_of(pool, earlier)

    def audit_pool(self, keys: Sequence[Key]) -> list[AuditFinding]:
        """Return findings about base rates: strategies that do not look at the question."""
        return audit_travel_pool(keys, self.shop.policy)

    def figures(self, keys: Sequence[Key]) -> dict[str, Any]:
        """Return counts by cell, and what trivial strategies score, per task."""
        cells: dict[str, Counter[str]] = defaultdict(Counter)
        for key in keys:
            for name, value in key.state["cell"].items():
                cells[f"{key.state['travel']}: {name}"][value] += 1
        return {
            "cells": {name: dict(sorted(counts.items())) for name, counts in sorted(cells.items())},
            "trivial": trivial_scores(keys),
        }

    def card(self, spec: Spec, counts: dict[str, Any], figures: dict[str, Any], keys: list[Key]) -> str:
        """Return the dataset card."""
        imported = self.shop.factory.imported
        return write_travel_card(spec, options_of(spec), counts, figures, imported.notice if imported else "")

    def files(self, spec: Spec, seed: int, keys: Sequence[Key]) -> dict[str, str]:
        """Return the worlds that the audited pool plays in, what an import did, and what perturbations changed."""
        found = {}
        report = self.shop.factory.report
        if report is not None:
            found[f"{WORLDS}/import.txt"] = "".join(line + "\n" for line in report.lines())
        for name in sorted({str(k.state["world"]) for k in keys}):
            stage = self.shop.factory.stage(seed, options_of(spec), *parse_world_name(name))
            found[f"{WORLDS}/{name}.jsonl"] = world_text(stage.world)
            log = self.shop.factory.log(name)
            if log:
                lines = [canonical_json(applied.model_dump(mode="json")) for applied in log]
                found[f"{WORLDS}/{name}.perturbations.jsonl"] = "".join(line + "\n" for line in lines)
        return found

    def audit(self, folder: Path, tasks: Sequence[Task], keys: Mapping[str, Key]) -> list[AuditFinding]:
        """Return the findings of every audit over instances of a build.

        Raises:
            GenError: A world of the build is missing or damaged.
        """
        groups: dict[str, list[Task]] = defaultdict(list)
        for task in tasks:
            groups[task.instance_id].append(task)
        found = []
        for name in sorted(groups):
            own = sorted(groups[name], key=lambda t: t.setup)
            found += audit_instance(self.case(folder, own, [keys[t.id] for t in own]))
        firsts = [keys[min(own, key=lambda t: t.setup).id] for _, own in sorted(groups.items())]
        return [*found, *self.audit_pool(firsts)]

    def case(self, folder: Path, tasks: Sequence[Task], keys: Sequence[Key]) -> TravelCase:
        """Return an instance as the audits see it, over the world that lies in the build.

        Raises:
            GenError: The world is missing or damaged.
        """
        stage = load_stage(self.shop, folder, str(keys[0].state["world"]))
        return TravelCase.of(
            tasks, keys, self.shop.factory.stationery(stage.world.currency), stage, self.shop.policy
        )  # fmt: skip


def open_travel_line(spec: Spec, sources: Sources) -> TravelLine:
    """Return the travel line of a spec.

    Raises:
        GenError: Content is faulty, or the world is not the one that the spec names.
    """
    shop = open_travel(spec.lang, spec.split, sources.overlay, sources.world)
    return TravelLine(shop)


def load_stage(shop: TravelShop, folder: Path, name: str) -> Stage:
    """Return a world of a build, ready for tool calls.

    Raises:
        GenError: It is missing or damaged.
    """
    path = folder / WORLDS / f"{name}.jsonl"
    if not path.is_file():
        raise GenError(str(path), "the world of the build is missing", "build it again")
    known = _STAGES.get(path.resolve())
    stat = path.stat()
    if known is None or known[0] != (stat.st_mtime_ns, stat.st_size):
        known = (stat.st_mtime_ns, stat.st_size), shop.factory.stage_of(name, read_world(path))
        _STAGES[path.resolve()] = known
    return known[1]


_STAGES: dict[Path, tuple[tuple[int, int], Stage]] = {}
