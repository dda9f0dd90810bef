"""`gen audit` and `gen verify`."""

from __future__ import annotations

import json
import tempfile
from pathlib import Path

from generator.cli.progress import MOVED, say
from generator.engine.build import compare_manifests, rebuild
from generator.engine.files import read_json
from generator.engine.loaded import audit_artefacts, audit_build, check_digests, has_moved, load_build
from generator.engine.shards import default_workers
from generator.errors import ExitCode, GenError
from generator.seeds import commit_seed


def audit(
    folder: Path, against: list[Path], *, pool_wide: bool, content: Path | None, quiet: bool, as_json: bool
) -> int:
    """Print every finding; the exit code is 1 if there is one."""
    build = load_build(folder)
    if has_moved(build, content):
        say(MOVED, quiet=quiet)
    findings = audit_build(build, content, [load_build(f) for f in against])
    figures: dict[str, float | None] = {}
    if pool_wide:
        more, figures = audit_artefacts(load_build(folder, pool=True), content)
        findings += more
    if as_json:
        rows = [f.model_dump(mode="json") for f in findings]
        print(json.dumps({"tasks": len(build.tasks), "findings": rows, "figures": figures}, ensure_ascii=False))
    else:
        for finding in findings:
            print(f"{finding.audit}: {finding.where}: {finding.what}")
        for name, value in figures.items():
            print(f"{name}: {value}")
    say(f"{len(build.tasks)} tasks, {len(findings)} findings", quiet=quiet)
    return ExitCode.FINDINGS if findings else ExitCode.GOOD


def verify(
    folder: Path, *, workers: int | None, content: Path | None, world: Path | None, quiet: bool, as_json: bool
) -> int:
    """Regenerate and compare; print what differs."""
    build = load_build(folder)
    secret = read_json(folder / "private" / "secret.json")
    try:
        seed = int(secret["seed"])
    except (KeyError, TypeError, ValueError) as error:
        raise GenError(str(folder / "private" / "secret.json"), "no seed", "the file is damaged") from error
    found = [f"{f.where}: {f.what}" for f in check_digests(build)]
    if commit_seed(seed) != build.manifest.get("seed_commitment"):
        found.append("the secret is not the seed that the manifest commits to")
    with tempfile.TemporaryDirectory(prefix="turnproof-") as scratch:
        manifest = rebuild(build.spec, seed, content, workers or default_workers(), Path(scratch) / "again", world)
    found += [f"regenerated: {difference}" for difference in compare_manifests(build.manifest, manifest)]
    if as_json:
        print(json.dumps({"same": not found, "differences": found}, ensure_ascii=False))
    else:
        for difference in found:
            print(difference)
    say("regenerated: every digest is the same" if not found else f"{len(found)} differences", quiet=quiet)
    return ExitCode.FINDINGS if found else ExitCode.GOOD
