"""What a mode offers, and what the stages, audits and respondents rely on.

The stages know no mode by name: they draw a state, have it said, and hear it back through
these functions. All of them are pure; randomness comes in as an argument.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from random import Random
from typing import Any, NamedTuple

from generator.content import ContentRoot
from generator.language.reader import Reading
from generator.language.speech import Speech
from generator.records import Alternative, Event, Item, Key, Lang, Message, Split

AnswerValues = dict[str, int]


class RedrawError(Exception):
    """This draw cannot become a task; another one may."""


class ScriptTurn(NamedTuple):
    """One exchange to be said.

    group: its evidence group. welded: it must follow the exchange before it at once.
    bait: the events change nothing (or nothing that is asked for) and only lure.
    echo: (event, value) that the assistant reads back, or None.
    """

    events: tuple[Event, ...]
    group: str
    welded: bool = False
    echo: Event | None = None


class NearSegment(NamedTuple):
    """A near-domain distractor: an event of somebody else, the forms that may say it, and the chat that follows."""

    event: Event
    forms: frozenset[str]
    assistant: tuple[str, ...]
    follow: tuple[tuple[tuple[str, ...], tuple[str, ...]], ...]


@dataclass(frozen=True)
class Voice:
    """How a world talks, beside its forms. All texts are free of events."""

    speech: Speech
    openings: tuple[str, ...]
    asides: tuple[str, ...]
    reasons: Callable[[Event], Sequence[str]]
    clarify: tuple[tuple[tuple[str, ...], tuple[str, ...], tuple[str, ...]], ...]
    request: Callable[[Any, Random], str]
    near: Callable[[Any, Random], NearSegment | None]


@dataclass(frozen=True)
class Kit:
    """A world made ready: its content, its voice, and whatever a mode wants at hand."""

    id: str
    lang: Lang
    split: Split
    world: Any
    voice: Voice
    extra: Mapping[str, Any] = field(default_factory=dict)


class Exchange(NamedTuple):
    """One user turn as heard, with the assistant's reply to it."""

    user: Reading
    assistant: Reading
    text: str = ""


class Heard(NamedTuple):
    """A dialogue as a reader has it: resolved events of every user turn, and the request."""

    turns: tuple[tuple[Event, ...], ...]
    request: Any


class HearingError(Exception):
    """The dialogue does not say what it must: something is unread, dangling or ambiguous."""


class Factor(NamedTuple):
    """What stage 1 wants of a draw."""

    core: int
    profile: str
    register: str
    mechanisms: tuple[str, ...]


@dataclass(frozen=True)
class Mode:
    """One mode: six of these, and the travel tasks, make the benchmark.

    draw: a state that offers `script`, or RedrawError.
    answer, resolve: the answer by two code paths that share only the records.
    hear: exchanges (the last holds the request) to events; HearingError when it cannot.
    answer_heard: the answer that the heard events give.
    fail: the answer of a named respondent over heard events.
    twin: states that differ in one event and in the answer, best first, with the turn changed.
    duties: evidence group -> needed or bait.
    diagnose: mechanism -> the path of the answer on which it shows, and `control` -> the row (or
        the like) on which every own failure is right.
    view_in, view_heard: what a reply is laid out by, from a key or from the dialogue alone.
    write_reply: a reply that shows given values (the witness, for the answer's own).
    reword_reply: a harmless rewording by name, of `reword_names`; control_replies: what must score 0.
    load_state: the state that `state_record` stored. value_after: what a cell holds after a turn.
    implausible: values or moves that the trade would not know.
    """

    number: str
    name: str
    failure_names: tuple[str, ...]
    shortcut_names: tuple[str, ...]
    load: Callable[[ContentRoot, Lang, Split | None], list[Kit]]
    draw: Callable[[Kit, Factor, Random], Any]
    script: Callable[[Kit, Any], tuple[ScriptTurn, ...]]
    state_record: Callable[[Kit, Any], dict[str, Any]]
    answer: Callable[[Kit, Any], AnswerValues]
    resolve: Callable[[Kit, Any], AnswerValues]
    hear: Callable[[Kit, Sequence[Exchange]], Heard]
    answer_heard: Callable[[Kit, Heard], AnswerValues]
    fail: Callable[[str, Kit, Heard], AnswerValues]
    alternatives: Callable[[Kit, Any], tuple[Alternative, ...]]
    diagnose: Callable[[Kit, Any], Mapping[str, str]]
    items: Callable[[Kit, Any], tuple[Item, ...]]
    view_in: Callable[[Key], Any]
    view_heard: Callable[[Kit, Heard], Any]
    write_reply: Callable[[Any, AnswerValues, Random], str]
    reword_reply: Callable[[Any, str, str, Random], str]
    reword_names: tuple[str, ...]
    control_replies: Callable[[Key, str], Mapping[str, str]]
    load_state: Callable[[Kit, Mapping[str, Any]], Any]
    value_after: Callable[[Kit, Heard, int, Event], int | None]
    implausible: Callable[[Kit, Any], list[str]]
    inert_kinds: frozenset[str]
    twin: Callable[[Kit, Any, Random], Sequence[Any]]
    duties: Callable[[Kit, Any], Mapping[str, str]]
    check: Callable[[Kit, ContentRoot], list[str]]


def exchanges_of(kit: Kit, messages: Sequence[Message]) -> list[Exchange]:
    """Return the user turns of a dialogue with the replies to them, read and cached by text."""
    read, read_reply = kit.voice.speech.reader.read, kit.voice.speech.reply_reader.read
    found: list[Exchange] = []
    for message in messages:
        if message.role == "user":
            found.append(Exchange(read(message.content), _NOTHING, message.content))
        elif message.role == "assistant" and found:
            found[-1] = found[-1]._replace(assistant=read_reply(message.content))
    return found


_NOTHING = Reading((), (), (), False)
