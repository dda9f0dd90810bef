"""Simulated respondents of the travel tasks: they read the messages as a reader does, and err by name."""

from __future__ import annotations

from collections.abc import Sequence

from generator.errors import ExitCode, GenError
from generator.records import Key, Message
from generator.respondents import NOISY, PREFIX, noise_of
from generator.seeds import stream
from generator.travel.answers import Raw, reply_say
from generator.travel.hearing import Hearing, hear
from generator.travel.prompts import Stationery
from generator.travel.scene import HearingError
from generator.travel.tasks import find_task, known_tasks

NO_DIALOGUE = "no-dialogue"
FAILURES = tuple(f"failure-{n}" for n in range(1, 6))
NOISE = (20, 45, 70)
GENERAL = ("oracle", NO_DIALOGUE, *FAILURES, *(f"{NOISY}{n}" for n in NOISE))


def travel_panel() -> tuple[str, ...]:
    """Return the panel that stage 6 screens with: the first failures of a task, and several levels of noise."""
    return (*FAILURES, *(f"{NOISY}{n}" for n in NOISE))


def travel_respondents() -> tuple[str, ...]:
    """Return the names, without prefix, of all respondents of the travel tasks: general ones, and failures."""
    return tuple(dict.fromkeys([*GENERAL, *(name for task in known_tasks() for name in task.failures)]))


def panel_scores(key: Key) -> tuple[float, ...]:
    """Return the importance of each member of the panel on an instance, in the order of `travel_panel`.

    A failure that gives the right answer here scores 1, as does one that the task does not know.
    """
    harmless, names = set(key.state["harmless"]), find_task(str(key.state["travel"])).failures
    own = [float(n >= len(names) or names[n] in harmless) for n in range(len(FAILURES))]
    noisy = [float(stream(0, key.digest, f"{NOISY}{percent}").random() > percent / 100) for percent in NOISE]
    return (*own, *noisy)


def answer_heard(name: str, hearing: Hearing, mark: str) -> Raw:
    """Return the answer that a respondent gives to what it heard; None where it gives none.

    `mark` names the random stream of noisy respondents. A failure that the task does not know answers right.

    Raises:
        HearingError: The text does not determine a question.
    """
    task, query = hearing.task, hearing.query()
    right, wrong = task.solve(query), task.alternatives(query)
    if name == NO_DIALOGUE:
        return None
    if name in FAILURES:
        place = FAILURES.index(name)
        return wrong[task.failures[place]] if place < len(task.failures) else right
    if noise := noise_of(name):
        rng = stream(0, mark, name)
        return wrong[rng.choice(task.failures)] if rng.random() < noise / 100 else right
    return wrong.get(name, right)


def respond_travel(name: str, kit: Stationery, messages: Sequence[Message], task_id: str, roll: int = 1) -> str:
    """Return the reply of a respondent to a task, the same for the same roll.

    Raises:
        GenError: No respondent has this name.
    """
    if name not in travel_respondents() and not noise_of(name):
        known = ", ".join(PREFIX + n for n in travel_respondents())
        raise GenError(PREFIX + name, "no such simulated respondent", f"choose one of: {known}", ExitCode.USAGE)
    try:
        hearing = hear(kit, messages)
        raw = answer_heard(name, hearing, f"{task_id}/{roll}")
    except HearingError:
        return kit.book.line(reply_say("amount", None), stream(roll, task_id, name)).text
    return kit.book.line(reply_say(hearing.task.answer, raw), stream(roll, task_id, name)).text
