"""Files of a build: written beside their place, synced, and renamed, so that none is ever half there."""

from __future__ import annotations

import contextlib
import errno
import hashlib
import json
import os
import shutil
import tempfile
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, TypeVar

from pydantic import BaseModel, ValidationError

from generator.errors import ExitCode, GenError

M = TypeVar("M", bound=BaseModel)


def write_text(path: Path, text: str, *, private: bool = False) -> None:
    """Write a file whole or not at all; a private one is readable by its owner only.

    Raises:
        GenError: The machine refused (disk full, no permission).
    """
    with refusals(path):
        handle, name = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.")
        try:
            with os.fdopen(handle, "w", encoding="utf-8", newline="\n") as file:
                file.write(text)
                file.flush()
                os.fsync(file.fileno())
            if not private:
                Path(name).chmod(0o644)
            Path(name).replace(path)
        except BaseException:
            Path(name).unlink(missing_ok=True)
            raise


@contextlib.contextmanager
def refusals(path: Path) -> Iterator[None]:
    """Turn the machine's refusals into an error that says what to do.

    Raises:
        GenError: With exit code 5.
    """
    try:
        yield
    except OSError as error:
        reason = error.strerror or str(error)
        fixes = {
            errno.ENOSPC: "free some space, then run the same command again",
            errno.EACCES: "choose a folder you may write to",
        }
        fix = fixes.get(error.errno or 0, "mend the folder or choose another with --out")
        raise GenError(str(path), reason, fix, ExitCode.MACHINE) from error


@contextlib.contextmanager
def fresh_folder(target: Path, *, force: bool) -> Iterator[Path]:
    """Give a folder to fill; it takes its place only when the block ends well.

    Raises:
        GenError: The target exists and `force` is off, or the machine refused.
    """
    if target.exists() and not force:
        raise GenError(
            str(target),
            "the folder exists already",
            "add --force to replace it, or choose another --out",
            ExitCode.USAGE,
        )
    with refusals(target):
        target.parent.mkdir(parents=True, exist_ok=True)
        made = Path(tempfile.mkdtemp(dir=target.parent, prefix=f".{target.name}."))
        made.chmod(0o755)
    try:
        yield made
        with refusals(target):
            _take_place(made, target)
    finally:
        shutil.rmtree(made, ignore_errors=True)


def _take_place(made: Path, target: Path) -> None:
    if not target.exists():
        made.replace(target)
        return
    # The old folder is moved aside first: at every moment one whole folder exists.
    aside = Path(tempfile.mkdtemp(dir=target.parent, prefix=f".{target.name}.old."))
    old = aside / target.name
    target.replace(old)
    try:
        made.replace(target)
    except BaseException:
        old.replace(target)
        raise
    finally:
        if not old.exists() or target.exists():
            shutil.rmtree(aside, ignore_errors=True)


def dump_lines(rows: list[str]) -> str:
    """Return JSON lines as the text of a file."""
    return "".join(row + "\n" for row in rows)


def dump_json(value: Any) -> str:
    """Return JSON for a file that people read as well."""
    return json.dumps(value, ensure_ascii=False, indent=1, sort_keys=True) + "\n"


def sha256_of(path: Path) -> str:
    """Return the SHA-256 of a file's bytes."""
    return hashlib.sha256(path.read_bytes()).hexdigest()


def read_lines(path: Path, model: type[M]) -> list[M]:
    """Return the records of a JSON Lines file; a BOM, CRLF and a missing last newline are fine.

    Raises:
        GenError: The file is missing or a line is not such a record; names file and line.
    """
    text = read_text(path)
    found = []
    for number, line in enumerate(text.split("\n"), 1):
        if not line.strip():
            continue
        try:
            found.append(model.model_validate_json(line))
        except ValidationError as error:
            fault = error.errors()[0]
            field = ".".join(str(p) for p in fault["loc"]) or "(line)"
            raise GenError(
                f"{path}:{number}", f"{field}: {fault['msg']}", f"each line must be one {model.__name__}"
            ) from error
    return found


def read_text(path: Path) -> str:
    """Return a text file's content.

    Raises:
        GenError: It is missing or not UTF-8.
    """
    try:
        return path.read_text(encoding="utf-8-sig").replace("\r\n", "\n")
    except IsADirectoryError as error:
        raise GenError(str(path), "a folder, where a file is wanted", "name the file in it") from error
    except FileNotFoundError as error:
        raise GenError(
            str(path), "the file is missing", "name a folder that `gen build` wrote, or build it again"
        ) from error
    except UnicodeDecodeError as error:
        raise GenError(str(path), f"not UTF-8 at byte {error.start}", "the file is damaged; build it again") from error
    except OSError as error:
        raise GenError(
            str(path), error.strerror or str(error), "check the path and its permissions", ExitCode.MACHINE
        ) from error


def read_json(path: Path) -> dict[str, Any]:
    """Return a JSON object of a file.

    Raises:
        GenError: The file is missing or holds no JSON object.
    """
    try:
        value = json.loads(read_text(path))
    except json.JSONDecodeError as error:
        raise GenError(
            f"{path}:{error.lineno}", f"not JSON: {error.msg}", "the file is damaged; build it again"
        ) from error
    if not isinstance(value, dict):
        raise GenError(str(path), "not a JSON object", "the file is damaged; build it again")
    return value


def write_all(folder: Path, files: Mapping[str, str]) -> None:
    """Write several files below a folder, creating subfolders.

    Raises:
        GenError: The machine refused.
    """
    for name, text in files.items():
        path = folder / name
        with refusals(path):
            path.parent.mkdir(parents=True, exist_ok=True)
        write_text(path, text)
