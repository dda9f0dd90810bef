"""What the assistant says to a turn. An acknowledgement is a claim about the list, so it is typed."""

from __future__ import annotations

from random import Random

from generator.language.forms import Register
from generator.language.speech import deck_draw
from generator.modes.acknowledge import reply_type
from generator.modes.protocol import Kit, RedrawError, ScriptTurn
from generator.records import Event
from generator.seeds import Deck

REDRAWS = 12
NARROW_SHARE = 0.5


class Replier:
    """Draws replies of one dialogue."""

    def __init__(self, kit: Kit, deck: Deck, register: Register, rng: Random) -> None:
        self.speech, self.deck, self.rng = kit.voice.speech, deck, rng
        # One voice through a dialogue: an assistant that is formal here and slangy there is nobody.
        self.tone: Register = "formal" if register == "formal" else "colloquial"

    def reply(self, turn: ScriptTurn) -> tuple[str, bool]:
        """Return the reply and whether it reads a value back.

        Raises:
            RedrawError: No wording reads back as what it must say.
        """
        if turn.echo is not None:
            text = self._say(turn.echo)
            if text is not None:
                return text, True
            if turn.echo.kind == "answer":
                raise RedrawError("no wording of an answer reads back")
        event = self._acknowledgement(turn.events)
        text = self._say(event)
        if text is None:
            raise RedrawError(f"no wording of {event.kind} reads back")
        return text, False

    def _acknowledgement(self, events: tuple[Event, ...]) -> Event:
        """Return the claim to make: of the kind of event behind it where the wording fits only that."""
        kind = f"ack.{reply_type(events)}"
        narrow = Event(f"{kind}.{events[0].kind}")
        # "Added" and 「往上调了」 are said of amounts; a time or date is moved.
        moved = any("adjust" in e.kind and self._family(e) in {"clock", "date"} for e in events)
        single = len({e.kind for e in events}) == 1
        fits = single and not moved and self.speech.wordings_for(narrow, reply=True)
        return narrow if fits and self.rng.random() < NARROW_SHARE else Event(kind)

    def _family(self, event: Event) -> str:
        return self.speech.vocabulary.field_of(event.field).family if event.field else ""

    def _say(self, event: Event) -> str | None:
        options = self.speech.wordings_for(event, reply=True)
        for _ in range(REDRAWS if options else 0):
            wording = deck_draw(self.deck, self.rng, f"reply/{event.kind}/{event.field}", options, self.tone)
            text = self.speech.render(wording, event, self.rng)
            text = text[:1].upper() + text[1:]
            if text[-1] not in "。？！?!.…":
                text += "。" if self.speech.vocabulary.lang == "zh" else "."
            if self.speech.is_read_back(text, event, reply=True):
                return text
        return None
