"""Content made ready once a session, and small factories that several tests share.

`kits`, `speech` and `workshop` are functions: a worlds' worth of forms takes half a second to check,
so a test that needs one language does not pay for the other.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from pathlib import Path

import pytest

from generator.content import ContentRoot, default_root
from generator.language.speech import Speech
from generator.modes import find_mode
from generator.modes.protocol import Kit
from generator.records import Lang
from generator.stages.pipeline import Workshop, open_workshop

TESTS = Path(__file__).resolve().parent


@pytest.fixture(scope="session")
def content() -> ContentRoot:
    """Return the content of the checkout."""
    return default_root()


@pytest.fixture(scope="session")
def kits(content: ContentRoot) -> Callable[[Lang], list[Kit]]:
    """Return a function: every Mode III world of a language, of both splits."""

    @cache
    def of(lang: Lang) -> list[Kit]:
        return find_mode("iii").load(content, lang, None)

    return of


@pytest.fixture(scope="session")
def kit(kits: Callable[[Lang], list[Kit]]) -> Callable[[Lang, str], Kit]:
    """Return a function: one world by language and id."""
    return lambda lang, world: next(k for k in kits(lang) if k.id == world)


@pytest.fixture(scope="session")
def speech(kit: Callable[[Lang, str], Kit]) -> Callable[[Lang, str], Speech]:
    """Return a function: the language of one world, by language and id."""
    return lambda lang, world: kit(lang, world).voice.speech


@pytest.fixture(scope="session")
def workshop() -> Callable[[Lang], Workshop]:
    """Return a function: what the stages need to build Mode III in a language, of the eval split."""
    return lambda lang: open_workshop("iii", lang, "eval")


@pytest.fixture
def content_folder(tmp_path: Path) -> Callable[..., ContentRoot]:
    """Return a function: a content root over files given by name and text (or bytes), in a folder of its own."""

    def make(files: dict[str, str | bytes], overlay: dict[str, str | bytes] | None = None) -> ContentRoot:
        _write(tmp_path / "base", files)
        if overlay is None:
            return ContentRoot(tmp_path / "base")
        _write(tmp_path / "overlay", overlay)
        return ContentRoot(tmp_path / "base", tmp_path / "overlay")

    return make


def _write(root: Path, files: dict[str, str | bytes]) -> None:
    for folder in ("templates", "ground_truth", "audits"):
        (root / folder).mkdir(parents=True, exist_ok=True)
    for name, text in files.items():
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(text if isinstance(text, bytes) else text.encode())
