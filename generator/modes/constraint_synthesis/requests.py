"""The last turn: say what is asked for, and read it back."""

from __future__ import annotations

import re
from random import Random
from typing import NamedTuple

from generator.language.notation import Slot, parse_form
from generator.modes.protocol import Kit
from generator.states.update_chain.chain import Request
from generator.states.update_chain.world import World


class Pattern(NamedTuple):
    """One wording of a request, to be said and to be found."""

    request: str
    parts: tuple[str | Slot, ...]
    regex: re.Pattern[str]


def make_patterns(world: World) -> tuple[Pattern, ...]:
    """Return every wording of every request of a world.

    Raises:
        GenError: A text is outside the notation.
    """
    names = sorted({n for i in world.items for n in i.names}, key=lambda n: (-len(n), n))
    rows = rf"((?:{'|'.join(map(re.escape, names))}|[、和，,\s]|and |the )+)"
    found = []
    for request in world.requests:
        for number, text in enumerate(request.texts, 1):
            for parts in parse_form(f"{world.id}: request {request.id} no. {number}", text):
                source = "".join(re.escape(p) if isinstance(p, str) else rows for p in parts)
                found.append(Pattern(request.id, parts, re.compile(source, re.IGNORECASE)))
    # The longest first, since the words of one request may stand inside another's.
    return tuple(sorted(found, key=lambda p: (-len(p.regex.pattern), p.request)))


def write_request(kit: Kit, request: Request, rng: Random) -> str:
    """Return the last user turn: a reason to ask, the request, perhaps a word after it."""
    world: World = kit.world
    definition = next(r for r in world.requests if r.id == request.id)
    pattern = rng.choice([p for p in kit.extra["patterns"] if p.request == request.id])
    rows = join_names([rng.choice(world.item_by_id[r].names) for r in request.rows], world.lang)
    text = "".join(p if isinstance(p, str) else rows for p in pattern.parts)
    stop = "" if text[-1] in "。？?.!" else ("。" if world.lang == "zh" else ".")
    before = rng.choice(definition.before) if definition.before else ""
    after = rng.choice(definition.after) if definition.after and rng.random() < 0.5 else ""
    gap = "" if world.lang == "zh" else " "
    return gap.join(x for x in (before.strip(), text + stop, after.strip()) if x)


def join_names(names: list[str], lang: str) -> str:
    """Return names as a list in a sentence."""
    if len(names) < 2:
        return "".join(names)
    if lang == "zh":
        return "、".join(names[:-1]) + "和" + names[-1]
    return ", ".join(names[:-1]) + " and " + names[-1]


def read_request(kit: Kit, text: str) -> Request | None:
    """Return the request that a turn makes, or None if it makes none that the world knows."""
    world: World = kit.world
    for pattern in kit.extra["patterns"]:
        found = pattern.regex.search(text)
        if found is None:
            continue
        rows: tuple[str, ...] = ()
        if found.groups():
            named = kit.voice.speech.reader.read(found.group(1)).named
            rows = tuple(dict.fromkeys(named))
            if not rows:
                continue
        definition = next(r for r in world.requests if r.id == pattern.request)
        order = [i.id for i in world.items]
        return Request(
            id=definition.id,
            rows=tuple(sorted(rows, key=order.index)),
            columns=definition.columns,
            figures=definition.figures,
        )
    return None
