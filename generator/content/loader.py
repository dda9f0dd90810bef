"""Find, overlay, read and validate content files."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path, PurePosixPath
from typing import Any, TypeVar

import yaml
from pydantic import TypeAdapter, ValidationError

from generator.errors import GenError

MAX_BYTES = 5_000_000
FOLDERS = ("templates", "ground_truth", "audits")
# Review ledgers and seeded faults are for maintainers: they never change what is built.
NOT_BUILT_FROM = ("templates/pages/", "templates/prompts/")
NOT_CONTENT = ("audits/review/", "audits/faults/")

T = TypeVar("T")
_Base: Any = getattr(yaml, "CSafeLoader", yaml.SafeLoader)


class _Loader(_Base):  # type: ignore[misc]
    """The safe loader that also refuses a key given twice, which would silently hide the first."""

    def construct_mapping(self, node: yaml.MappingNode, deep: bool = False) -> dict[Any, Any]:
        """Return a mapping whose keys were all different."""
        seen: set[str] = set()
        for key, _ in node.value:
            if key.value in seen:
                raise yaml.constructor.ConstructorError(None, None, f"key {key.value!r} is given twice", key.start_mark)
            seen.add(str(key.value))
        return dict(super().construct_mapping(node, deep))


@dataclass(frozen=True)
class ContentRoot:
    """The content that a build stands on: a base folder and, on top of it, a private overlay."""

    base: Path
    overlay: Path | None = None
    _paths: dict[str, Path] = field(default_factory=dict, compare=False, repr=False)

    def files(self, folder: str, suffix: str = ".yaml") -> list[str]:
        """Return the content names under `folder`, sorted; an overlay file replaces its namesake."""
        prefix = folder.rstrip("/") + "/"
        return sorted(n for n in self.index() if n.startswith(prefix) and n.endswith(suffix))

    def index(self) -> dict[str, Path]:
        """Return every content file by its name relative to the root.

        Raises:
            GenError: A link leads out of its folder.
        """
        if not self._paths:
            found: dict[str, Path] = {}
            for root in (self.base, self.overlay):
                if root is not None:
                    found.update(_scan(root))
            self._paths.update(dict(sorted(found.items())))
        return self._paths

    def text(self, name: str) -> str:
        """Return the text of one file.

        Raises:
            GenError: It is missing, too large, or not UTF-8.
        """
        path = self.index().get(name)
        if path is None:
            raise GenError(name, "no such content file", f"add it below {self.base.name!r} or to the overlay")
        if path.stat().st_size > MAX_BYTES:
            raise GenError(name, f"larger than {MAX_BYTES:,} bytes", "split the file")
        try:
            return path.read_text(encoding="utf-8-sig")
        except UnicodeDecodeError as error:
            raise GenError(name, f"not UTF-8 at byte {error.start}", "save the file as UTF-8") from error

    def load(self, name: str, model: Any) -> Any:
        """Return one YAML file validated as `model` (a pydantic model or any type an adapter takes).

        Raises:
            GenError: With file, line and field of every fault.
        """
        text = self.text(name)
        tree = _parse(name, text)
        try:
            return _adapter(model).validate_python(tree, strict=False)
        except ValidationError as error:
            raise GenError(name, _explain(name, text, error), "mend the fields named above") from error

    def digests(self) -> dict[str, str]:
        """Return the SHA-256 of every content file that a build depends on, by name."""
        return {
            name: hashlib.sha256(path.read_bytes()).hexdigest()
            for name, path in self.index().items()
            if not name.startswith(NOT_BUILT_FROM)
        }


def _scan(root: Path) -> dict[str, Path]:
    found: dict[str, Path] = {}
    for folder in FOLDERS:
        home = root / folder
        for path in home.rglob("*"):
            name = PurePosixPath(path.relative_to(root)).as_posix()
            if not path.is_file() or name.startswith(NOT_CONTENT) or path.suffix not in {".yaml", ".md", ".j2"}:
                continue
            if not path.resolve().is_relative_to(home.resolve()):
                raise GenError(name, "the path leaves its folder", "copy the file in instead of linking to it")
            found[name] = path
    return found


def _parse(name: str, text: str) -> Any:
    try:
        # Anchors let a small file unfold into a huge one; look for them only where their signs occur.
        if "&" in text or "*" in text:
            for event in yaml.parse(text, Loader=_Loader):
                if isinstance(event, yaml.AliasEvent):
                    mark = event.start_mark
                    where = f"{name}:{mark.line + 1}" if mark else name
                    raise GenError(where, "YAML aliases are refused", "write the value out")
        return yaml.load(text, Loader=_Loader)
    except yaml.YAMLError as error:
        mark = getattr(error, "problem_mark", None)
        where = f"{name}:{mark.line + 1}" if mark else name
        problem = getattr(error, "problem", None) or "not readable as YAML"
        raise GenError(where, str(problem), "mend the YAML at that line") from error


@lru_cache(maxsize=64)
def _adapter(model: Any) -> TypeAdapter[Any]:
    return TypeAdapter(model)


def _explain(name: str, text: str, error: ValidationError) -> str:
    root = yaml.compose(text, Loader=yaml.SafeLoader)
    rows = []
    for fault in error.errors():
        line = _line_of(root, fault["loc"])
        path = ".".join(str(part) for part in fault["loc"]) or "(whole file)"
        shown = repr(fault.get("input"))
        rows.append(f"line {line}, {path}: {fault['msg']} (got {shown[:80]})")
    return "; ".join(rows)


def _line_of(node: Any, loc: tuple[int | str, ...]) -> int:
    line = node.start_mark.line + 1 if node is not None else 1
    for part in loc:
        if isinstance(node, yaml.SequenceNode) and isinstance(part, int) and part < len(node.value):
            node = node.value[part]
        elif isinstance(node, yaml.MappingNode):
            node = next((value for key, value in node.value if key.value == str(part)), None)
        else:
            continue  # a union tag or the like: pydantic names it, the file does not
        if node is None:
            break
        line = node.start_mark.line + 1
    return line


def default_root(overlay: Path | None = None) -> ContentRoot:
    """Return the content beside the package in a checkout, or inside it when installed.

    Raises:
        GenError: No content is found, or the overlay is no folder.
    """
    if overlay is not None and not overlay.is_dir():
        raise GenError(str(overlay), "the overlay is no folder", "name a folder that holds templates/ or ground_truth/")
    package = Path(__file__).resolve().parents[1]
    for base in (package.parent, package / "_content"):
        if (base / "templates").is_dir() and (base / "ground_truth").is_dir():
            return ContentRoot(base, overlay)
    raise GenError(str(package), "the content folders are missing", "reinstall turnproof")
