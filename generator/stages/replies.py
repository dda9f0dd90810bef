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
        kind = f"ack.{reply_type(turn.events)}"
        narrow = f"{kind}.{turn.events[0].kind}"
        single = len({e.kind for e in turn.events}) == 1
        event = (
            Event(narrow)
            if single and self.speech.wordings_for(Event(narrow), reply=True) and self.rng.random() < 0.5
            else Event(kind)
        )
        text = self._say(event)
        if text is None:
            raise RedrawError(f"no wording of {event.kind} reads back")
        return text, False

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
