"""Hear a dialogue: resolve what its turns lean on, and read the request."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from generator.language.reader import Reader
from generator.modes.constraint_synthesis.failures import FAILURES
from generator.modes.constraint_synthesis.requests import read_request
from generator.modes.protocol import AnswerValues, Exchange, Heard, HearingError, Kit
from generator.records import Event
from generator.states.update_chain.chain import CELL_EVENTS, INERT, Answer, Chain, InvalidChainError, Request
from generator.states.update_chain.forward import answer_forward

NEEDS_ITEM = CELL_EVENTS | {"cancel", "restore", "hypo", "scoped", "hearsay", "question"}
# What a reader may lean on: something real that was said of one row.
REAL = CELL_EVENTS | {"intro"}
MOST_BETWEEN = 2


def hear(kit: Kit, exchanges: Sequence[Exchange]) -> Heard:
    """Return the events of every user turn but the last, and the request that the last one makes.

    Raises:
        HearingError: A turn leaves a residue, an ellipsis has no certain antecedent, or the last
            turn is no request.
    """
    if not exchanges:
        raise HearingError("an empty dialogue")
    request = read_request(kit, exchanges[-1].text)
    if request is None:
        raise HearingError("the last turn makes no request that is known")
    turns: list[tuple[Event, ...]] = []
    reader = kit.voice.speech.reader
    focus = _Focus()
    for number, exchange in enumerate(exchanges[:-1]):
        if exchange.user.residue:
            raise HearingError(f"turn {number + 1}: unread words about the list: {exchange.user.residue[0]!r}")
        events: list[Event] = []
        for said in exchange.user.said:
            event = said.event
            if event.item is None and event.kind in NEEDS_ITEM:
                event = event._replace(item=_resolve(focus, event, said.classifier, number, reader))
            focus.note(event, number)
            events.append(event)
        focus.close(exchange, number)
        turns.append(tuple(events))
    return Heard(tuple(turns), request)


class _Focus:
    """What an ellipsis may lean on: by the last evidence, and by the last mention."""

    def __init__(self) -> None:
        self.turn = -1
        self.items: list[str] = []
        self.event: Event | None = None
        self.mentioned: str | None = None
        self.rival_number = False

    def note(self, event: Event, turn: int) -> None:
        if event.kind == "foreign":
            # Somebody else's row is named, but is never what 「再少两把」 leans on.
            self.mentioned = event.item
            return
        if turn != self.turn:
            self.turn, self.items, self.rival_number = turn, [], False
        self.event = event
        for item in (event.item, event.other):
            if item is not None:
                self.items.append(item)
                self.mentioned = item

    def close(self, exchange: Exchange, turn: int) -> None:
        """Take in what was named besides, and whether a turn of chat holds a number one could mean."""
        for item in (*exchange.user.named[-1:], *exchange.assistant.named):
            self.mentioned = item
        if turn != self.turn and exchange.user.has_number:
            self.rival_number = True


def _resolve(focus: _Focus, event: Event, classifier: str, turn: int, reader: Reader) -> str:
    where = f"turn {turn + 1}: {event.kind} without its row"
    if focus.event is None or len(set(focus.items)) != 1:
        raise HearingError(f"{where}: the turn before it is not about one row")
    item = focus.items[0]
    if focus.mentioned != item:
        raise HearingError(f"{where}: another row was named since")
    if focus.rival_number:
        raise HearingError(f"{where}: another number was said since")
    if focus.event.kind not in REAL:
        raise HearingError(f"{where}: it leans on something that changed nothing")
    if turn - focus.turn > MOST_BETWEEN + 1:
        raise HearingError(f"{where}: too far from what it leans on")
    if event.kind == "correct" and turn - focus.turn != 1:
        raise HearingError(f"{where}: a correction must follow at once")
    if classifier and not reader.fits(item, classifier):
        raise HearingError(f"{where}: the classifier {classifier!r} does not fit")
    return item


def values_of(answer: Answer) -> AnswerValues:
    """Return an answer as one mapping: values by path, and `row.absent` = 1 for rows that must not appear."""
    return {**answer.values, **{f"{row}.absent": 1 for row in answer.absent}}


def answer_heard(kit: Kit, heard: Heard) -> AnswerValues:
    """Return the answer that the heard events give.

    Raises:
        HearingError: The events cannot be followed.
    """
    events = tuple(e for turn in heard.turns for e in turn)
    try:
        return values_of(answer_forward(kit.world, Chain(events, heard.request)))
    except InvalidChainError as error:
        raise HearingError(str(error)) from error


def fail(name: str, kit: Kit, heard: Heard) -> AnswerValues:
    """Return the answer of a named respondent over the heard events."""
    request: Any = heard.request
    if not isinstance(request, Request):
        raise HearingError("no request")
    return values_of(FAILURES[name](kit.world, heard.turns, request))


def is_inert(event: Event) -> bool:
    """Return whether the event changes nothing whatever it says."""
    return event.kind in INERT
