"""The rooms of the program: who may import whom, and that no room is left out of the contract."""

from __future__ import annotations

import subprocess
import sys
import tomllib
from pathlib import Path
from typing import Any

import grimp
import pytest

ROOT = Path(__file__).resolve().parents[1]


@pytest.fixture(scope="module")
def contracts() -> list[dict[str, Any]]:
    settings = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    found: list[dict[str, Any]] = settings["tool"]["importlinter"]["contracts"]
    return found


def rooms() -> set[str]:
    """Return every package and module right below `generator/`."""
    home = ROOT / "generator"
    found = {p.parent.name for p in home.glob("*/__init__.py")}
    return found | {p.stem for p in home.glob("*.py") if p.stem != "__init__"}


def test_the_contract_holds() -> None:
    script = "import sys; from importlinter.cli import lint_imports_command as run; sys.exit(run())"
    command = [sys.executable, "-c", script, "--config", str(ROOT / "pyproject.toml"), "--no-cache"]
    done = subprocess.run(command, cwd=ROOT, check=False, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr
    assert "0 broken" in done.stdout


def test_every_room_has_a_row(contracts: list[dict[str, Any]]) -> None:
    layers = next(c for c in contracts if c["type"] == "layers")
    listed = [name.strip(" ()") for row in layers["layers"] for name in row.replace(":", "|").split("|")]
    planned = {n.strip(" ()") for row in layers["layers"] for n in row.replace(":", "|").split("|") if "(" in n}
    assert len(listed) == len(set(listed))
    assert rooms() <= set(listed)
    assert set(listed) - rooms() <= planned
    assert layers["exhaustive"] is True
    assert layers["containers"] == ["generator"]


def test_only_modes_know_state_models_and_only_their_list_knows_a_mode() -> None:
    """What stands elsewhere meets a mode as a `Mode`: so that a new one is added in one place."""
    graph = grimp.build_graph("generator", cache_dir=None)
    found = []
    for module in sorted(graph.modules):
        for other in sorted(graph.find_modules_directly_imported_by(module)):
            room, home = module.split(".")[1:2], ".".join(other.split(".")[:3])
            is_mode = home.startswith("generator.modes.") and (ROOT / home.replace(".", "/") / "__init__.py").is_file()
            if other.startswith("generator.states.") and room not in (["modes"], ["states"]):
                found.append(f"{module} -> {other}")
            if is_mode and not module.startswith(home) and module != "generator.modes":
                found.append(f"{module} -> {other}")
    assert found == []


def test_exceptions_are_few_and_known(contracts: list[dict[str, Any]]) -> None:
    assert [c.get("ignore_imports", []) for c in contracts] == [["generator -> generator.api"]]


def test_the_help_of_the_command_line_loads_no_heavy_room() -> None:
    """`gen --help` must come at once: neither Faker nor networkx nor a single world."""
    code = (
        "import sys; from generator.cli import main; "
        "print(sorted({m.split('.')[0] for m in sys.modules} & {'faker', 'networkx', 'opencc', 'sklearn'}))"
    )
    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, check=True, capture_output=True, text=True)
    assert done.stdout.strip() == "[]"
