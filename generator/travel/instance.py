"""One instance: drawn, answered by two code paths, put into words, frozen. Setups only arrange what is here."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from random import Random
from typing import Any, NamedTuple

from generator.records import Alternative, Item, Lang, digest_of, freeze
from generator.seeds import stream
from generator.travel.answers import Values, encode, make_items
from generator.travel.scene import Cell, Draft, HearingError, RedrawError, Scene, Stage, Told
from generator.travel.tasks.protocol import TravelTask
from generator.travel.tools import Call
from generator.travel.wording import Book, Line, Say, say

DRAWS = 400
"""Draws of one instance before its index is given up."""


class SpokenBeat(NamedTuple):
    """A beat in words."""

    user: tuple[Line, ...]
    calls: tuple[Call, ...]
    assistant: tuple[Line, ...]


class Aside(NamedTuple):
    """An exchange that has nothing to do with the journey. `gap`: before which beat it comes; 0 is history."""

    gap: int
    user: str
    assistant: str


@dataclass(frozen=True)
class Instance:
    """What all setups of one instance share.

    today: date, time and what is said of the sun. rules: conventions. headings: a line above each call's data.
    cell: strata of selection. asides: chat put in after the freeze, for setups that have a history.
    """

    task: TravelTask
    lang: Lang
    number: int
    world: str
    today: tuple[Line, ...]
    rules: tuple[Line, ...]
    beats: tuple[SpokenBeat, ...]
    headings: tuple[Line, ...]
    answer: Values
    alternatives: tuple[Alternative, ...]
    items: tuple[Item, ...]
    record: dict[str, Any]
    digest: str
    cell: Cell
    asides: tuple[Aside, ...] = ()
    extra: Mapping[str, Any] = field(default_factory=dict)

    @property
    def calls(self) -> tuple[Call, ...]:
        """Return all tool calls in order."""
        return tuple(call for beat in self.beats for call in beat.calls)

    @property
    def facts(self) -> tuple[Line, ...]:
        """Return what the user says that the answer may rest on, in order."""
        return tuple(line for beat in self.beats for line in beat.user if line.role == "fact")

    @property
    def question(self) -> Line:
        """Return what is asked."""
        return next(line for line in self.beats[-1].user if line.role == "question")


def draw_sound(task: TravelTask, scene: Scene, knobs: Any, number: int, rng: Random) -> tuple[Draft, Any]:
    """Return a draft and its query that two code paths agree on and that sits on no edge.

    Raises:
        RedrawError: None was found in `DRAWS` draws; says what was in the way most.
    """
    reasons: dict[str, int] = {}
    for _ in range(DRAWS):
        try:
            draft = task.draw(scene, knobs, number, rng)
            query = task.query(Told((*draft.says, *draft.today), draft.rows))
        except RedrawError as error:
            reasons[str(error)] = reasons.get(str(error), 0) + 1
            continue
        except HearingError as error:
            raise AssertionError(f"{task.name}: a draw that does not determine its query: {error}") from error
        faults = task.edges(query)
        if faults:
            reasons[faults[0]] = reasons.get(faults[0], 0) + 1
            continue
        if task.solve(query) != task.resolve(query):
            raise RedrawError("the two code paths differ")
        return draft, query
    worst = max(sorted(reasons), key=lambda r: reasons[r])
    raise RedrawError(f"no sound {task.name} in {DRAWS} draws, mostly: {worst}")


def make_instance(
    task: TravelTask, stage: Stage, knobs: Any, number: int, seed: int, name: str, dates: tuple[int, int]
) -> Instance:
    """Return instance number `number` of a task.

    Args:
        name: names the random streams: unique per index and attempt.
        dates: the first and last day it may play on, as ordinals.

    Raises:
        RedrawError: None was found.
    """
    rng = stream(seed, name, "s2")
    scene = Scene(stage, rng.randint(*dates), rng.randint(7 * 60, 21 * 60))
    draft, query = draw_sound(task, scene, knobs, number, rng)
    return word_instance(task, stage, draft, query, number, stream(seed, name, "s3"))


def word_instance(task: TravelTask, stage: Stage, draft: Draft, query: Any, number: int, rng: Random) -> Instance:
    """Return a sound draft in words, frozen."""
    book = stage.book
    solved = task.solve(query)
    candidates = task.candidates(query)
    answer = encode(task.answer, solved, candidates)
    values = {name: encode(task.answer, raw, candidates) for name, raw in sorted(task.alternatives(query).items())}
    wrong = tuple(Alternative(name=name, value=value) for name, value in values.items() if value != answer)
    items = make_items(task.answer, answer, task.params(query), book.words.clarifications[task.answer])
    calls = [call for beat in draft.beats for call in beat.calls]
    record = {
        "travel": task.name,
        "answer_kind": task.answer,
        "reasoning": task.reasoning,
        "knowledge": task.knowledge,
        "cell": dict(sorted(draft.cell.items())),
        "idle": list(draft.idle),
        "world": stage.name,
        "currency": stage.world.currency,
        "number": number,
        # Failures that happen to give the right answer here.
        "harmless": [name for name, value in values.items() if value == answer],
        "says": [[s.kind, [list(a) for a in s.args]] for s in (*draft.today, *draft.says)],
        "calls": [[c.tool, c.arguments, digest_of(c.result)] for c in calls],
    }
    record = _plain(record)
    # The freeze: from here on, answer and items are read, never written.
    digest = freeze(record, answer, items)
    return Instance(
        task=task,
        lang=book.lang,
        number=number,
        world=stage.name,
        today=tuple(book.line(s, rng) for s in draft.today),
        rules=tuple(book.line(_rule(book, kind, stage.world.currency), rng) for kind in task.rules),
        beats=tuple(
            SpokenBeat(
                tuple(book.line(s, rng) for s in beat.user),
                beat.calls,
                tuple(book.line(s, rng) for s in beat.assistant),
            )
            for beat in draft.beats
        ),
        headings=tuple(book.line(say(f"heading.{c.tool.replace('_', '-')}"), rng) for c in calls),
        answer=answer,
        alternatives=wrong,
        items=items,
        record=record,
        digest=digest,
        cell=draft.cell,
    )


def _rule(book: Book, kind: str, currency: str) -> Say:
    """Return a convention; one that names the currency names the world's."""
    names_it = any("u" in form.names for form in book.forms.get(kind, ()))
    return say(kind, u=currency) if names_it else say(kind)


def _plain(value: Any) -> Any:
    """Return a value with tuples as lists, as JSON has them."""
    if isinstance(value, dict):
        return {k: _plain(v) for k, v in value.items()}
    if isinstance(value, list | tuple):
        return [_plain(v) for v in value]
    return value
