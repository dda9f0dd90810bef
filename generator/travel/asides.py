"""Chat that has nothing to do with the journey: which texts may be, and where they are put."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from random import Random
from typing import NamedTuple

from generator.seeds import Deck
from generator.travel.instance import Aside, Instance
from generator.travel.scene import RedrawError

_FIGURES = re.compile(r"\d")


class Chat(NamedTuple):
    """One topic's exchanges: wordings of the user and of the assistant."""

    id: str
    exchanges: tuple[tuple[tuple[str, ...], tuple[str, ...]], ...]


def why_not(text: str, words: Sequence[str], names: Sequence[str] = ()) -> str | None:
    """Return what keeps a text from being chat about other things: a figure, a word of the trade, a name."""
    folded = text.lower()
    if _FIGURES.search(text):
        return "it holds a figure"
    for word in words:
        # English words are looked for whole: "straight" is no "right".
        if re.search(rf"\b{re.escape(word)}", folded) if word.isascii() else word in folded:
            return f"it holds {word!r}"
    for name in names:
        if name.lower() in folded:
            return f"it names {name!r}"
    return None


def screened(chats: Sequence[Chat], words: Sequence[str]) -> tuple[Chat, ...]:
    """Return the topics with the wordings that pass; a topic ends before an exchange that has none left."""
    found = []
    for chat in chats:
        kept: list[tuple[tuple[str, ...], tuple[str, ...]]] = []
        for user, assistant in chat.exchanges:
            mine = tuple(t for t in user if why_not(t, words) is None)
            theirs = tuple(t for t in assistant if why_not(t, words) is None)
            if not mine or not theirs:
                break
            kept.append((mine, theirs))
        if kept:
            found.append(Chat(chat.id, tuple(kept)))
    return tuple(found)


def put_asides(instance: Instance, chats: Sequence[Chat], history: int, distractors: int, rng: Random) -> Instance:
    """Return the instance with exchanges about other things: before it, and between its own.

    Raises:
        RedrawError: There are fewer topics than that takes.
    """
    if not history and not distractors:
        return instance
    deck = Deck(rng)
    used: set[str] = set()
    asides: list[Aside] = []
    gaps = [0] * history + sorted(rng.randint(1, len(instance.beats) - 1) for _ in range(distractors))
    while gaps:
        chat = deck.draw("topics", chats)
        if chat.id in used:
            raise RedrawError("too few topics for so many asides")
        used.add(chat.id)
        # One topic's exchanges stay together: as many as the gap still takes.
        room = gaps.count(gaps[0])
        for user, assistant in chat.exchanges[:room]:
            asides.append(Aside(gaps.pop(0), rng.choice(user), rng.choice(assistant)))
    return replace(instance, asides=tuple(asides))
