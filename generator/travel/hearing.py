"""What a reader makes of an instance's messages: nothing but the text, the forms, and the prompts, which are public."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from generator.records import Message
from generator.travel.prompts import Stationery
from generator.travel.scene import HearingError, Told
from generator.travel.shown import Rows, join_rows, read_result
from generator.travel.tasks import known_tasks
from generator.travel.tasks.protocol import TravelTask
from generator.travel.wording import Line, ReadingError, Vocabulary, read_line, split_sentences

Caches = dict[Vocabulary, Vocabulary]


class Heard(NamedTuple):
    """One sentence, and where it stands. `line` is None where no form says it."""

    message: int
    role: str
    text: str
    line: Line | None


class Made(NamedTuple):
    """A tool call in the history, with its result."""

    message: int
    id: str
    tool: str
    arguments: str
    result: str | None


@dataclass(frozen=True)
class Hearing:
    """All that the messages say. `blocks` are the prompt blocks met; `padding` counts inert sentences."""

    task: TravelTask
    sentences: tuple[Heard, ...]
    calls: tuple[Made, ...]
    rows: Rows
    blocks: tuple[str, ...]
    padding: int
    bookings: tuple[str, ...]

    @property
    def told(self) -> Told:
        """What the question rests on."""
        wanted = {"fact", "question", "rule", "today"}
        return Told(tuple(h.line.say for h in self.sentences if h.line and h.line.role in wanted), self.rows)

    def lines(self, *roles: str) -> tuple[Line, ...]:
        """Return the sentences of some roles, in order."""
        return tuple(h.line for h in self.sentences if h.line and h.line.role in roles)

    @property
    def unread(self) -> tuple[Heard, ...]:
        """Sentences that no form says."""
        return tuple(h for h in self.sentences if h.line is None)

    def query(self) -> Any:
        """Return the query that the text determines.

        Raises:
            HearingError: It determines none, or a convention that the task needs is not said.
        """
        told = self.told
        for rule in self.task.rules:
            told.one(rule)
        return self.task.query(told)


def hear(kit: Stationery, messages: Sequence[Message], caches: Caches | None = None) -> Hearing:
    """Return what the messages say; `caches` keep sentences read with the same names known.

    Raises:
        HearingError: A sentence can be read in two ways, data are garbled, or no question or two are asked.
    """
    weekdays = kit.book.words.weekdays
    results: list[Rows] = []
    bookings: list[str] = []
    pieces: list[tuple[int, str, str]] = []
    blocks: list[str] = []
    padding = 0
    known, inert = kit.known_blocks, kit.inert
    for number, message in enumerate(messages):
        for block in message.content.split("\n\n"):
            if message.role == "system" and block in known:
                blocks.append(known[block])
                continue
            for line in block.split("\n"):
                if line.startswith("{"):
                    _take_data(line, weekdays, results, bookings)
                    continue
                for sentence in split_sentences(line, kit.book.lang):
                    if sentence in inert:
                        padding += 1
                    else:
                        pieces.append((number, message.role, sentence))
    rows = join_rows(results)
    vocabulary = vocabulary_of(rows, messages)
    if caches is not None:
        vocabulary = caches.setdefault(vocabulary, vocabulary)
    try:
        heard = tuple(Heard(n, role, text, read_line(kit.book, text, vocabulary)) for n, role, text in pieces)
    except ReadingError as error:
        raise HearingError(str(error)) from error
    return Hearing(_task_of(heard), heard, _calls(messages), rows, tuple(blocks), padding, tuple(bookings))


def vocabulary_of(rows: Rows, messages: Sequence[Message] = ()) -> Vocabulary:
    """Return the names that the data show; of calls, also what was looked for."""
    words: dict[str, set[str]] = {"area": set(), "kind": set()}
    for message in messages:
        for call in message.tool_calls:
            given = _object(call.function.arguments)
            for name, filter_name in (("area", "area"), ("kind", "kind"), ("cuisine", "kind")):
                if isinstance(given.get(name), str):
                    words[filter_name].add(given[name])
    return Vocabulary(
        place=frozenset(p.name for p in rows.places),
        station=frozenset([*(t.origin for t in rows.trains), *(t.destination for t in rows.trains)]),
        area=frozenset([*words["area"], *(p.area for p in rows.places)]),
        kind=frozenset([*words["kind"], *(p.kind for p in rows.places)]),
    )


def _take_data(line: str, weekdays: Sequence[str], results: list[Rows], bookings: list[str]) -> None:
    try:
        rows = read_result(line, weekdays)
    except ValueError as error:
        raise HearingError(f"data cannot be read: {error}") from error
    if rows is not None:
        results.append(rows)
    elif "ok" in _object(line):
        bookings.append(line)
    else:
        raise HearingError(f"data of no known shape: {line[:60]!r}")


def _object(text: str) -> dict[str, Any]:
    try:
        found = json.loads(text)
    except json.JSONDecodeError as error:
        raise HearingError(f"no JSON: {text[:60]!r}") from error
    if not isinstance(found, dict):
        raise HearingError(f"no JSON object: {text[:60]!r}")
    return found


def _calls(messages: Sequence[Message]) -> tuple[Made, ...]:
    results = {m.tool_call_id: m.content for m in messages if m.role == "tool"}
    return tuple(
        Made(number, call.id, call.function.name, call.function.arguments, results.get(call.id))
        for number, message in enumerate(messages)
        for call in message.tool_calls
    )


def _task_of(heard: Sequence[Heard]) -> TravelTask:
    asked = {h.line.say.kind for h in heard if h.line and h.line.role == "question"}
    found = [t for t in known_tasks() if f"ask.{t.name}" in asked]
    if len(asked) != 1 or len(found) != 1:
        raise HearingError(f"{len(asked)} questions are asked")
    return found[0]
