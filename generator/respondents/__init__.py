"""Simulated respondents: they answer from the text, through the reader. Instruments, not models."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random

from generator.errors import ExitCode, GenError
from generator.modes.protocol import AnswerValues, HearingError, Kit, Mode, exchanges_of
from generator.records import Message
from generator.seeds import stream

PREFIX = "sim/"
NOISY = "noisy-"
PANEL_NOISE = (10, 20, 30, 45, 60, 80)


def respondent_names(mode: Mode) -> tuple[str, ...]:
    """Return the names, without prefix, of all respondents that a mode knows."""
    noisy = tuple(f"{NOISY}{percent}" for percent in PANEL_NOISE)
    return ("oracle", *mode.failure_names, *mode.shortcut_names, "half-done", *noisy)


def panel_of(mode: Mode) -> tuple[str, ...]:
    """Return the simulated panel that stage 6 screens with: own failures and several levels of noise."""
    return (*mode.failure_names, "half-done", *(f"{NOISY}{percent}" for percent in PANEL_NOISE))


def respond_values(
    name: str, mode: Mode, kit: Kit, messages: Sequence[Message], task_id: str, roll: int = 1
) -> AnswerValues:
    """Return the values that a respondent would give; nothing where the dialogue cannot be followed.

    Raises:
        GenError: No respondent has this name.
    """
    if name not in respondent_names(mode) and not noise_of(name):
        known = ", ".join(PREFIX + n for n in respondent_names(mode))
        raise GenError(PREFIX + name, "no such simulated respondent", f"choose one of: {known}", ExitCode.USAGE)
    try:
        heard = mode.hear(kit, exchanges_of(kit, messages))
        truth = mode.answer_heard(kit, heard)
    except HearingError:
        return {}
    if name == "oracle":
        return truth
    if name == "half-done":
        paths = sorted(p for p in truth if not p.endswith(".absent"))
        return {p: truth[p] for p in paths[: (len(paths) + 1) // 2]}
    noise = noise_of(name)
    if noise:
        stale = mode.fail(mode.failure_names[0], kit, heard)
        return _disturb(truth, stale, noise / 100, stream(roll, task_id, name))
    return mode.fail(name, kit, heard)


def write_answer(mode: Mode, kit: Kit, messages: Sequence[Message], values: AnswerValues, rng: Random) -> str:
    """Return a reply that shows the values, laid out by what the dialogue asks for."""
    if not values:
        return "这个我不太确定，没有记下来。" if kit.lang == "zh" else "I am not sure, I did not keep track of that."
    heard = mode.hear(kit, exchanges_of(kit, messages))
    return mode.write_reply(mode.view_heard(kit, heard), values, rng)


def respond(name: str, mode: Mode, kit: Kit, messages: Sequence[Message], task_id: str, roll: int = 1) -> str:
    """Return the reply of a respondent to a task; the same for the same roll.

    Raises:
        GenError: No respondent has this name.
    """
    values = respond_values(name, mode, kit, messages, task_id, roll)
    return write_answer(mode, kit, messages, values, stream(roll, task_id, f"{name}/words"))


def noise_of(name: str) -> int:
    """Return the percent of noise that a respondent's name asks for; 0 when it names none."""
    digits = name.removeprefix(NOISY)
    return int(digits) if name.startswith(NOISY) and digits.isdigit() and 0 < int(digits) < 100 else 0


def _disturb(truth: AnswerValues, stale: AnswerValues, share: float, rng: Random) -> AnswerValues:
    """Return the truth with each value, by chance, stale or left out."""
    values: AnswerValues = {}
    for path in sorted(truth):
        if path.endswith(".absent") or rng.random() > share:
            values[path] = truth[path]
        elif path in stale and stale[path] != truth[path]:
            values[path] = stale[path]
        elif rng.random() < 0.5:
            values[path] = truth[path] + max(1, truth[path] // 10)
    return values
