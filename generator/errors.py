"""The one error type that users see, and the exit codes of the command line."""

from __future__ import annotations

from enum import IntEnum


class ExitCode(IntEnum):
    """What a `gen` command answers to its shell."""

    GOOD = 0
    FINDINGS = 1
    USAGE = 2
    CONTENT = 3
    ENDPOINT = 4
    MACHINE = 5
    LIMIT = 6
    BUG = 70
    INTERRUPTED = 130


class GenError(Exception):
    """A fault that a user can mend: where it is, what it is, how to fix it."""

    def __init__(self, where: str, what: str, fix: str, code: ExitCode = ExitCode.CONTENT) -> None:
        super().__init__(where, what, fix, code)
        self.where, self.what, self.fix, self.code = where, what, fix, code

    def __str__(self) -> str:
        return f"{self.where}: {self.what}\n  fix: {self.fix}"
