"""Conditions: what of a dialogue a model is shown, and which turns it writes itself.

full       the dialogue as released; one call
user-only  every assistant turn replaced by a neutral word; one call
own        the model writes every assistant turn itself; one call a user turn
"""

from __future__ import annotations

from collections.abc import Sequence

from generator.engine.runs import NEUTRAL, show_messages
from generator.errors import ExitCode, GenError
from generator.records import Message, Task
from generator.runner.schema import CONDITIONS
from generator.scoring.read.text import clean_reply


def check_names(conditions: Sequence[str]) -> tuple[str, ...]:
    """Return conditions in their fixed order, each once.

    Raises:
        GenError: One is unknown.
    """
    for name in conditions:
        if name not in CONDITIONS:
            fix = f"choose among {', '.join(CONDITIONS)}"
            raise GenError(f"--condition {name}", "no such condition", fix, ExitCode.USAGE)
    return tuple(name for name in CONDITIONS if name in conditions)


def is_allowed(task: Task, condition: str) -> bool:
    """Tell whether a task may be run so; `own` needs what `user-only` needs: that user turns alone give the answer."""
    return condition in task.conditions or (condition == "own" and "user-only" in task.conditions)


def turns_of(task: Task, condition: str) -> int:
    """Return how many turns the model writes."""
    return sum(m.role == "user" for m in task.messages) if condition == "own" else 1


def shown_messages(task: Task, condition: str, written: Sequence[str]) -> tuple[Message, ...]:
    """Return what the model is shown before its next turn; `written` are the turns it wrote so far.

    Under `own`, every message between two user messages is replaced by the one that the model wrote there.
    """
    if condition != "own":
        return show_messages(task.messages, condition, task.lang)
    shown: list[Message] = []
    asked = 0
    for message in task.messages:
        if message.role == "system":
            shown.append(message)
        elif message.role == "user":
            if asked > 0:
                shown.append(Message(role="assistant", content=written[asked - 1]))
            shown.append(message)
            asked += 1
            if asked > len(written):
                break
    return tuple(shown)


def said(text: str | None, lang: str) -> str:
    """Return a turn of the model's own as later turns show it: without reasoning, never empty."""
    return clean_reply(text or "") or NEUTRAL[lang]
