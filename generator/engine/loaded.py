"""Read a build back: its tasks, its keys, and whether its files are what the manifest says."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from generator.audit import Case, audit_case, audit_duplicates
from generator.content import default_root
from generator.engine.files import read_json, read_lines, sha256_of
from generator.errors import GenError
from generator.records import AuditFinding, Key, Task, digest_of
from generator.stages.pipeline import Spec, Workshop, open_workshop


@dataclass(frozen=True)
class Build:
    """A build folder. `keys` is empty where only the public part is there."""

    folder: Path
    manifest: dict[str, Any]
    spec: Spec
    tasks: tuple[Task, ...]
    keys: dict[str, Key]

    def task(self, task_id: str) -> Task:
        """Return a task by id, or by the beginning of its id.

        Raises:
            GenError: None or several match.
        """
        found = [t for t in self.tasks if t.id.startswith(task_id)]
        if len(found) != 1:
            what = "no task" if not found else f"{len(found)} tasks"
            raise GenError(
                str(self.folder), f"{what} with an id that begins with {task_id!r}", "see `gen show BUILD` for the ids"
            )
        return found[0]

    def key(self, task_id: str) -> Key:
        """Return the key of a task.

        Raises:
            GenError: The private part is missing.
        """
        if task_id not in self.keys:
            raise GenError(
                str(self.folder / "private"), f"no key of task {task_id}", "this needs the private part of the build"
            )
        return self.keys[task_id]


def load_build(folder: Path, *, pool: bool = False) -> Build:
    """Return a build; `pool` reads every audited candidate instead of the released tasks.

    Raises:
        GenError: The folder is no build, or a file is damaged.
    """
    if not folder.is_dir():
        raise GenError(str(folder), "no such folder", "name a folder that `gen build` wrote")
    manifest = read_json(folder / "manifest.json")
    try:
        spec = Spec.model_validate(manifest["spec"], strict=False)
    except (KeyError, ValueError) as error:
        raise GenError(
            str(folder / "manifest.json"), "no readable spec", "the file is damaged; build it again"
        ) from error
    home = folder / "private" / "pool" if pool else folder
    tasks = read_lines(home / "tasks.jsonl", Task)
    place = home / "keys.jsonl" if pool else folder / "private" / "keys.jsonl"
    keys = {k.id: k for k in read_lines(place, Key)} if place.exists() else {}
    seen: set[str] = set()
    for task in tasks:
        if task.id in seen:
            raise GenError(
                str(home / "tasks.jsonl"), f"two tasks have the id {task.id}", "the file is damaged; build it again"
            )
        seen.add(task.id)
    return Build(folder, manifest, spec, tuple(tasks), keys)


def check_digests(build: Build) -> list[AuditFinding]:
    """Return a finding for every file that is not what the manifest says."""
    found = []
    for name, digest in sorted(build.manifest.get("files", {}).items()):
        path = build.folder / name
        if not path.exists():
            found.append(AuditFinding(audit="digest", where=name, what="the file is missing"))
        elif sha256_of(path) != digest:
            found.append(AuditFinding(audit="digest", where=name, what="the file was altered after the build"))
    return found


def workshop_of(build: Build, overlay: Path | None) -> Workshop:
    """Return the content that a build stands on."""
    return open_workshop(build.spec.mode, build.spec.lang, build.spec.split, overlay)


def has_moved(build: Build, overlay: Path | None) -> bool:
    """Return whether the content is another than the build was made from: then its words may not be known."""
    return bool(build.manifest.get("content_digest") != digest_of(default_root(overlay).digests()))


def case_of(build: Build, shop: Workshop, task: Task) -> Case:
    """Return a task as the audits see it.

    Raises:
        GenError: Its world is not in the content.
    """
    key = build.key(task.id)
    kit = next((k for k in shop.kits if k.id == key.factors.world), None)
    if kit is None:
        raise GenError(
            str(build.folder), f"world {key.factors.world!r} is not in the content", "name the overlay with --content"
        )
    return Case(shop.mode, kit, task, key, shop.policy)


def audit_build(build: Build, overlay: Path | None = None, earlier: Sequence[Build] = ()) -> list[AuditFinding]:
    """Return every finding of every audit over a build, from its files alone.

    Raises:
        GenError: The private part is missing, or the content does not fit.
    """
    findings = check_digests(build)
    shop = workshop_of(build, overlay)
    for task in build.tasks:
        findings += audit_case(case_of(build, shop, task))
    bases = [t for t in build.tasks if build.key(t.id).twin_of is None]
    before = [(t, b.key(t.id)) for b in earlier for t in b.tasks]
    found = audit_duplicates({n: (t, build.key(t.id)) for n, t in enumerate(bases)}, shop.policy, before)
    return [*findings, *found.values()]


def audit_artefacts(pool: Build, overlay: Path | None = None) -> tuple[list[AuditFinding], dict[str, float | None]]:
    """Return findings over a pool's surface, and the areas they rest on; needs the extra `pool`.

    Raises:
        GenError: scikit-learn is not installed, or the private part is missing.
    """
    from generator.audit.artefact import audit_pool  # noqa: PLC0415 - scikit-learn is an extra

    shop = workshop_of(pool, overlay)
    readers = {k.id: k.voice.speech.reader for k in shop.kits}
    openers = shop.kits[0].voice.speech.lexicon.openers

    def is_near(key: Key, text: str) -> bool:
        return bool(readers[key.factors.world].read(text).said)

    return audit_pool([(t, pool.key(t.id)) for t in pool.tasks], shop.policy, is_near, openers)
