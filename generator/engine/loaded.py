"""Read a build back: its tasks, its keys, and whether its files are what the manifest says."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from generator.content import default_root
from generator.engine.files import read_json, read_lines, sha256_of
from generator.engine.lines import Line, Sources, open_line
from generator.errors import ExitCode, GenError
from generator.records import AuditFinding, Key, Task, digest_of
from generator.stages.pipeline import Spec, Workshop, open_workshop
from generator.stages.travel import MODE as TRAVEL


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


def line_of(build: Build, overlay: Path | None) -> Line:
    """Return the line that a build came from; an imported world is read from the build itself.

    Raises:
        GenError: Content is faulty.
    """
    return open_line(build.spec, Sources(overlay))


def audit_build(build: Build, overlay: Path | None = None, earlier: Sequence[Build] = ()) -> list[AuditFinding]:
    """Return every finding of every audit over a build, from its files alone.

    Raises:
        GenError: The private part is missing, or the content does not fit.
    """
    findings = check_digests(build)
    line = line_of(build, overlay)
    keys = {task.id: build.key(task.id) for task in build.tasks}
    findings += line.audit(build.folder, build.tasks, keys)
    found = line.duplicates(
        dict(enumerate((t, keys[t.id]) for t in bases_of(build))),
        [(t, b.key(t.id)) for b in earlier for t in bases_of(b)],
    )
    return [*findings, *found.values()]


def bases_of(build: Build) -> list[Task]:
    """Return one task an instance: no twins, and of several setups the first."""
    found: dict[str, Task] = {}
    for task in build.tasks:
        key = build.keys.get(task.id)
        if key is None or key.twin_of is None:
            known = found.get(task.instance_id)
            if known is None or task.setup < known.setup:
                found[task.instance_id] = task
    return list(found.values())


def audit_artefacts(pool: Build, overlay: Path | None = None) -> tuple[list[AuditFinding], dict[str, float | None]]:
    """Return findings over a pool's surface, and the areas they rest on; needs the extra `pool`.

    Raises:
        GenError: scikit-learn is not installed, or the private part is missing.
    """
    if pool.spec.mode == TRAVEL:
        what = "travel instances have no evidence turns to be told from irrelevant ones by their form"
        raise GenError("--pool", what, "leave it out; base rates are audited anyway", ExitCode.USAGE)
    from generator.audit.artefact import audit_pool  # noqa: PLC0415 - scikit-learn is an extra

    shop = workshop_of(pool, overlay)
    readers = {k.id: k.voice.speech.reader for k in shop.kits}
    openers = shop.kits[0].voice.speech.lexicon.openers

    def is_near(key: Key, text: str) -> bool:
        return bool(readers[key.factors.world].read(text).said)

    return audit_pool([(t, pool.key(t.id)) for t in pool.tasks], shop.policy, is_near, openers)
