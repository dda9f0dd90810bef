"""The command line: parse, call, print, choose the exit code."""

from __future__ import annotations

import os
import signal
import sys
from types import FrameType
from typing import Any

from generator.errors import ExitCode, GenError


def main() -> None:
    """Run `gen` and leave with the exit code of the design."""
    # A polite kill cleans up like Ctrl-C does: no half folder stays behind.
    signal.signal(signal.SIGTERM, _interrupt)
    sys.exit(run(sys.argv[1:]))


def _interrupt(number: int, frame: FrameType | None) -> None:
    raise KeyboardInterrupt


def run(arguments: list[str]) -> int:
    """Return the exit code of a command line; words about it have gone to stderr."""
    try:
        return _run(arguments)
    except BrokenPipeError:
        # The reader of our output left; what was asked for is done.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return ExitCode.GOOD


def _run(arguments: list[str]) -> int:
    import typer  # noqa: PLC0415 - keeps `import generator.cli` light

    from generator.cli.app import app  # noqa: PLC0415

    # Typer used to build on click and now carries its own copy; its public names lead to either.
    usage_error: type[Exception] = typer.BadParameter.__bases__[0]
    try:
        code = app(args=arguments, prog_name="gen", standalone_mode=False)
        return _told(int(code)) if isinstance(code, int) else ExitCode.GOOD
    except GenError as error:
        _say(error)
        return error.code
    except usage_error as error:
        return _tell_usage(error)
    except typer.Exit as error:
        return _told(error.exit_code)
    except (KeyboardInterrupt, typer.Abort):
        return _told(ExitCode.INTERRUPTED)
    except BrokenPipeError:
        raise
    except OSError as error:
        place = str(error.filename or "the machine")
        _say(
            GenError(
                place, error.strerror or str(error), "mend that, then run the same command again", ExitCode.MACHINE
            )
        )
        return ExitCode.MACHINE
    except Exception as error:
        if os.environ.get("TURNPROOF_DEBUG"):
            raise
        fix = "please report it with the command line; TURNPROOF_DEBUG=1 shows where it happened"
        _say(GenError("gen", f"a fault of ours: {type(error).__name__}: {error}", fix, ExitCode.BUG))
        return ExitCode.BUG


def _told(code: int) -> int:
    """Return the code; of an interruption, which Typer may have caught before us, say so."""
    if code == ExitCode.INTERRUPTED:
        print("\ninterrupted; nothing half-written was left", file=sys.stderr)
    return code


def _tell_usage(error: Any) -> ExitCode:
    if type(error).__name__ == "NoArgsIsHelpError":
        print(error.ctx.get_help() if error.ctx else error.format_message())
        return ExitCode.USAGE
    where = error.ctx.command_path if error.ctx else "gen"
    _say(GenError(where, error.format_message().rstrip("."), f"see `{where} --help`", ExitCode.USAGE))
    return ExitCode.USAGE


def _say(error: GenError) -> None:
    print(f"error: {error}", file=sys.stderr)
