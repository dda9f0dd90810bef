"""How clauses become a turn in Chinese and in English."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random
from typing import NamedTuple

from generator.language.forms import Register
from generator.language.speech import Speech
from generator.records import Lang

FULL_STOPS: dict[Register, float] = {"formal": 0.95, "colloquial": 0.62, "elliptical": 0.4}
OPENERS: dict[Register, float] = {"formal": 0.03, "colloquial": 0.16, "elliptical": 0.1}
GLUED = frozenset({"对了", "那", "还有", "另外"})
_ENDS = "。？！?!.…"


class Joinery(NamedTuple):
    """Joins of one language and register. `proper` are names that keep their capital anywhere."""

    lang: Lang
    openers: tuple[str, ...]
    register: Register
    proper: tuple[str, ...] = ()

    def sentences(self, parts: Sequence[str]) -> str:
        """Return parts as sentences of one message."""
        stop = "。" if self.lang == "zh" else "."
        ended = [p if p[-1] in _ENDS else p + stop for p in (x.strip() for x in parts) if p]
        return ("" if self.lang == "zh" else " ").join(ended)

    def turn(self, opening: str, clauses: Sequence[tuple[str, str]], aside: str, rng: Random) -> str:
        """Return a user turn: an opening sentence, (reason, clause) pairs, and an aside."""
        # After an opening sentence or an answer nothing else needs to be opened.
        share = 0.0 if opening else OPENERS[self.register]
        body = self._zh(clauses, share, rng) if self.lang == "zh" else self._en(clauses, share, rng)
        parts = [p for p in (opening, body, aside) if p]
        last = parts[-1]
        text = self.sentences(parts)
        if last is body and last[-1] not in _ENDS and rng.random() > FULL_STOPS[self.register]:
            text = text[:-1]
        if self.lang == "en" and self.register == "elliptical" and rng.random() < 0.3:
            text = self._small(text)
        return text

    def _small(self, text: str) -> str:
        """Return the text with its first letter small, unless it begins with a name or with I."""
        word = text.split(" ", 1)[0].split("'", 1)[0]
        if word == "I" or word.isupper() or not word[:1].isalpha() or text.startswith(self.proper):
            return text
        return text[0].lower() + text[1:]

    def _zh(self, clauses: Sequence[tuple[str, str]], share: float, rng: Random) -> str:
        text = ""
        for number, (reason, clause) in enumerate(clauses):
            if number:
                text += "" if text[-1] in _ENDS else rng.choice("；；。，")
            elif not reason and rng.random() < share:
                opener = rng.choice(self.openers)
                # 「对了椅子少要两把」 is said in one breath, 「哦椅子」 is not.
                text += opener + ("" if opener in GLUED and rng.random() < 0.5 else "，")
            if reason:
                text += reason.rstrip("。，") + rng.choice("，，。")
            text += clause
        return text.rstrip("。")

    def _en(self, clauses: Sequence[tuple[str, str]], share: float, rng: Random) -> str:
        text = ""
        for number, (reason, clause) in enumerate(clauses):
            joint = ""
            if number:
                joint = " " if text[-1] in _ENDS else rng.choice(["; ", ". ", ". ", ", "])
            elif not reason and rng.random() < share:
                text += rng.choice(self.openers).capitalize() + ", "
            if reason:
                so = rng.random() < 0.35
                reason_text = _capital(reason.rstrip(".,")) + (", so " if so else ". ")
                text += joint + reason_text
            else:
                text += joint
            starts = not text or text.rstrip()[-1] in _ENDS
            text += _capital(clause) if starts else self._small(clause)
        return text.rstrip(".")


def joinery_of(speech: Speech, register: Register) -> Joinery:
    """Return the joins of a world's language for one register."""
    vocabulary = speech.vocabulary
    names = [n for item in vocabulary.items for n in item.names] + list(vocabulary.owners)
    names += [n for wordings in (*vocabulary.scopes.values(), *vocabulary.conditions.values()) for n in wordings]
    proper = tuple(sorted(n for n in names if n[:1].isupper()))
    return Joinery(vocabulary.lang, speech.lexicon.neutral_openers, register, proper)


def _capital(text: str) -> str:
    return text[:1].upper() + text[1:]
