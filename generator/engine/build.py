"""`gen build`: a pool, its audits, the selection, and a folder that says all about them."""

from __future__ import annotations

import hashlib
import platform
import time
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from importlib.metadata import version
from pathlib import Path
from typing import Any

from generator import __version__
from generator.content import default_root
from generator.engine.files import dump_json, dump_lines, fresh_folder, read_json, sha256_of, write_all, write_text
from generator.engine.lines import Line, Made, Sources, open_line
from generator.engine.shards import run_pool
from generator.records import Key, Task, canonical_json, digest_of
from generator.seeds import commit_seed, fresh_seed
from generator.stages.pipeline import Spec
from generator.stages.s6_select import Selection, screen_pool, select

PUBLIC = ("tasks.jsonl", "README.md")
PRIVATE = ("private/keys.jsonl", "private/audit.jsonl", "private/rejected.jsonl", "private/selection.json",
           "private/pool/tasks.jsonl", "private/pool/keys.jsonl")  # fmt: skip


@dataclass(frozen=True)
class BuildReport:
    """What a build came to. `missing` is how many tasks fewer than asked for were released."""

    out: Path
    released: int
    missing: int
    pool: int
    rejected: Counter[str]
    seconds: float
    seed_commitment: str
    figures: dict[str, Any] = field(default_factory=dict)


def make_build(
    spec: Spec,
    out: Path | None,
    *,
    seed: int | None = None,
    overlay: Path | None = None,
    world: Path | None = None,
    workers: int = 1,
    force: bool = False,
    progress: Callable[[int], None] = lambda done: None,
) -> BuildReport:
    """Write a build folder and return what it came to.

    `out` defaults to `build/<mode>-<lang>-<8 hex of the seed's commitment>`. `world` is a folder to import, for travel.

    Raises:
        GenError: Content is invalid, the folder exists, or the machine refused.
    """
    started = time.perf_counter()
    root = fresh_seed() if seed is None else seed
    commitment = commit_seed(root)
    target = out or Path("build") / f"{spec.mode}-{spec.lang}-{commitment[:8]}"
    sources = Sources(overlay, world)
    line = open_line(spec, sources)
    line.check(spec)
    with fresh_folder(target, force=force) as folder:
        made = list(run_pool(spec, root, sources, workers, progress))
        parts = _compose(spec, root, made, line)
        write_all(folder, parts.files)
        manifest = _manifest(spec, folder, commitment, overlay, parts)
        write_text(folder / "manifest.json", dump_json(manifest))
        write_text(folder / "private" / "secret.json", dump_json({"seed": str(root)}), private=True)
        seconds = time.perf_counter() - started
        log = {
            "seconds": round(seconds, 3),
            "workers": workers,
            "python": platform.python_version(),
            "machine": platform.machine(),
        }
        write_text(folder / "private" / "build.log.json", dump_json(log))
    released = len(parts.selection.chosen)
    return BuildReport(
        target, released, spec.n - released, spec.pool, parts.rejected, seconds, commitment, manifest["figures"]
    )


@dataclass(frozen=True)
class _Parts:
    files: dict[str, str]
    selection: Selection
    rejected: Counter[str]
    counts: dict[str, Any]
    figures: dict[str, Any]


def _compose(spec: Spec, seed: int, made: list[Made], line: Line) -> _Parts:
    """Return all digested files of a build but the manifest, from the outcomes of its pool."""
    tasks = {m.number: [Task.model_validate_json(t) for t in m.tasks] for m in made if m.tasks}
    keys = {m.number: [Key.model_validate_json(k) for k in m.keys] for m in made if m.tasks}
    rejections = [r for m in made for r in m.rejections]
    pairs = {index: (tasks[index][0], keys[index][0]) for index in tasks}
    for index, finding in line.duplicates(pairs).items():
        rejections.append(
            {
                "index": index,
                "attempt": 0,
                "world": keys[index][0].factors.world,
                "audit": "duplicate",
                "what": finding.what,
            }
        )
        del tasks[index], keys[index]
    panels = {keys[m.number][0].id: m.panel for m in made if m.number in keys}
    index_of = {keys[i][0].id: i for i in keys}
    strata = {name: line.strata(keys[index_of[name]][0]) for name in panels}
    selection = select(screen_pool(panels, strata), spec.n, line.preset)
    chosen = sorted(i for name in selection.chosen for i in [index_of[name]])
    files = _files(line, tasks, keys, rejections, selection, chosen, panels)
    audited = [k[0] for k in keys.values()]
    figures = line.figures(audited)
    counts = {
        "pool": spec.pool,
        "audited": len(keys),
        "released": len(chosen),
        "tasks": sum(len(tasks[i]) for i in chosen),
        "worlds": dict(sorted(Counter(keys[i][0].factors.world for i in chosen).items())),
        "rejections": dict(sorted(Counter(r["audit"] for r in rejections).items())),
    }
    files["README.md"] = line.card(spec, counts, figures, [keys[i][0] for i in chosen])
    files |= line.files(spec, seed, audited)
    return _Parts(files, selection, Counter(r["audit"] for r in rejections), counts, figures)


def _files(
    line: Line,
    tasks: dict[int, list[Task]],
    keys: dict[int, list[Key]],
    rejections: list[dict[str, Any]],
    selection: Selection,
    chosen: list[int],
    panels: dict[str, tuple[float, ...]],
) -> dict[str, str]:
    def lines(records: list[Any]) -> str:
        # By opaque id: the order of a public file must not give the index away.
        return dump_lines([r.model_dump_json() for r in sorted(records, key=lambda r: r.id)])

    screen = {
        name: {"screen_p": s.screen_p, "screen_r": s.screen_r, "panel": list(panels[name])}
        for name, s in sorted(selection.screen.items())
    }
    names = list(line.audits)
    audits: list[dict[str, Any]] = [
        {"id": key.id, "audits": names, "findings": []} for index in sorted(keys) for key in keys[index]
    ]
    return {
        "tasks.jsonl": lines([t for i in chosen for t in tasks[i]]),
        "private/keys.jsonl": lines([k for i in chosen for k in keys[i]]),
        "private/audit.jsonl": dump_lines([canonical_json(a) for a in sorted(audits, key=lambda a: a["id"])]),
        "private/rejected.jsonl": dump_lines(
            [canonical_json(r) for r in sorted(rejections, key=lambda r: (r["index"], r["attempt"]))]
        ),
        "private/selection.json": dump_json(
            {
                "panel": [f"sim/{n}" for n in line.panel],
                "chosen": sorted(selection.chosen),
                "dropped": dict(sorted(selection.dropped.items())),
                "screen": screen,
                "quotas": list(line.preset.quotas),
                "note": "screened with simulated respondents; not selected on model results",
            }
        ),
        "private/pool/tasks.jsonl": lines([t for i in tasks for t in tasks[i]]),
        "private/pool/keys.jsonl": lines([k for i in keys for k in keys[i]]),
    }


def _manifest(spec: Spec, folder: Path, commitment: str, overlay: Path | None, parts: _Parts) -> dict[str, Any]:
    content = default_root(overlay)
    canary = "turnproof-canary-" + hashlib.sha256(f"canary/{commitment}".encode()).hexdigest()[:32]
    return {
        "spec": spec.model_dump(mode="json"),
        "seed_commitment": commitment,
        "canary": canary,
        "versions": {"turnproof": __version__, "faker": version("faker"), "astral": version("astral")},
        "content_digest": digest_of(content.digests()),
        "overlay": overlay is not None,
        "files": {name: sha256_of(folder / name) for name in sorted({*PUBLIC, *PRIVATE, *parts.files})},
        "counts": parts.counts,
        "figures": parts.figures,
    }


def compare_manifests(old: dict[str, Any], new: dict[str, Any]) -> list[str]:
    """Return what differs between two manifests of what should be one build."""
    found = []
    for name in sorted(set(old.get("files", {})) | set(new["files"])):
        if old.get("files", {}).get(name) != new["files"].get(name):
            found.append(f"{name}: another digest")
    for entry in ("spec", "seed_commitment", "content_digest", "canary"):
        if old.get(entry) != new[entry]:
            found.append(f"{entry} differs")
    if old.get("versions") != new["versions"]:
        found.append(f"made with {old.get('versions')}, regenerated with {new['versions']}")
    return found


def rebuild(
    spec: Spec, seed: int, overlay: Path | None, workers: int, scratch: Path, world: Path | None = None
) -> dict[str, Any]:
    """Regenerate a build into `scratch` and return its manifest.

    Raises:
        GenError: As `make_build`.
    """
    make_build(spec, scratch, seed=seed, overlay=overlay, world=world, workers=workers)
    return read_json(scratch / "manifest.json")
