"""The modes. One line here is all that the rest of the program needs to know of a new one."""

from generator.errors import ExitCode, GenError
from generator.modes.constraint_synthesis.mode import MODE as CONSTRAINT_SYNTHESIS
from generator.modes.protocol import Mode

MODES: tuple[Mode, ...] = (CONSTRAINT_SYNTHESIS,)


def find_mode(number: str) -> Mode:
    """Return a mode by its number.

    Raises:
        GenError: There is none, or two share the number.
    """
    found = [m for m in MODES if m.number == number]
    if len(found) > 1:
        raise GenError(
            "generator/modes/__init__.py", f"two modes are numbered {number!r}", "renumber one", ExitCode.BUG
        )
    if not found:
        known = ", ".join(m.number for m in MODES)
        raise GenError(f"--mode {number}", "no such mode", f"choose one of: {known}", ExitCode.USAGE)
    return found[0]
