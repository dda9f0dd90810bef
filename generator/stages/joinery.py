"""How clauses become a turn in Chinese and in English."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random
from typing import NamedTuple

from generator.language.forms import Register
from generator.language.lexicon import Lexicon
from generator.records import Lang

FULL_STOPS: dict[Register, float] = {"formal": 0.95, "colloquial": 0.62, "elliptical": 0.4}
OPENERS: dict[Register, float] = {"formal": 0.03, "colloquial": 0.16, "elliptical": 0.1}
_ENDS = "。？！?!.…"


class Joinery(NamedTuple):
    """Joins of one language and register."""

    lang: Lang
    openers: tuple[str, ...]
    register: Register

    def sentences(self, parts: Sequence[str]) -> str:
        """Return parts as sentences of one message."""
        stop = "。" if self.lang == "zh" else "."
        ended = [p if p[-1] in _ENDS else p + stop for p in (x.strip() for x in parts) if p]
        return ("" if self.lang == "zh" else " ").join(ended)

    def turn(self, opening: str, clauses: Sequence[tuple[str, str]], aside: str, rng: Random) -> str:
        """Return a user turn: an opening sentence, (reason, clause) pairs, and an aside."""
        body = self._zh(clauses, rng) if self.lang == "zh" else self._en(clauses, rng)
        parts = [p for p in (opening, body, aside) if p]
        last = parts[-1]
        text = self.sentences(parts)
        if last is body and last[-1] not in _ENDS and rng.random() > FULL_STOPS[self.register]:
            text = text[:-1]
        if self.lang == "en" and self.register == "elliptical" and rng.random() < 0.3 and not text.startswith("I"):
            text = text[0].lower() + text[1:]
        return text

    def _zh(self, clauses: Sequence[tuple[str, str]], rng: Random) -> str:
        text = ""
        for number, (reason, clause) in enumerate(clauses):
            if number:
                text += "" if text[-1] in _ENDS else rng.choice("；；。，")
            elif not reason and rng.random() < OPENERS[self.register]:
                opener = rng.choice(self.openers)
                text += opener + ("，" if rng.random() < 0.6 else "")
            if reason:
                text += reason.rstrip("。，") + rng.choice("，，。")
            text += clause
        return text.rstrip("。")

    def _en(self, clauses: Sequence[tuple[str, str]], rng: Random) -> str:
        text = ""
        for number, (reason, clause) in enumerate(clauses):
            joint = ""
            if number:
                joint = " " if text[-1] in _ENDS else rng.choice(["; ", ". ", ". ", ", "])
            elif not reason and rng.random() < OPENERS[self.register]:
                text += rng.choice(self.openers).capitalize() + ", "
            if reason:
                so = rng.random() < 0.35
                reason_text = _capital(reason.rstrip(".,")) + (", so " if so else ". ")
                text += joint + reason_text
            else:
                text += joint
            starts = not text or text.rstrip()[-1] in _ENDS
            text += _capital(clause) if starts else _small(clause)
        return text.rstrip(".")


def joinery_of(lang: Lang, lexicon: Lexicon, register: Register) -> Joinery:
    """Return the joins of a language for one register."""
    return Joinery(lang, lexicon.neutral_openers, register)


def _capital(text: str) -> str:
    return text[:1].upper() + text[1:]


def _small(text: str) -> str:
    """Lower the first letter, unless the word is a name or I."""
    word = text.split(" ", 1)[0].split("'", 1)[0]
    return text if word == "I" or word.isupper() or not word[:1].isalpha() else text[0].lower() + text[1:]
