"""The words of a language that belong to no world: content of `templates/forms/<lang>/lexicon.yaml`."""

from __future__ import annotations

from pydantic import Field

from generator.records import Frozen


class Lexicon(Frozen):
    """Words that the reader, the composer and the lexical screen need.

    idioms: words that hold a numeral or a name but mean none (一下, 万一).
    openers: what may be glued to the front of an event clause and is taken off in reading.
    neutral_openers: those of them that fit any news, and so are said.
    hedges: how a clause begins that takes back or hangs in the air what follows it.
    particles: what may be glued to its end.
    contexts: who, where and with whom, said at the start; @person, @company and @place are filled in.
    change_verbs: bare verbs of change, kept out of free distractor text.
    money_words: what follows an amount of money.
    """

    idioms: tuple[str, ...]
    openers: tuple[str, ...]
    neutral_openers: tuple[str, ...] = Field(min_length=4)
    particles: tuple[str, ...]
    hedges: tuple[str, ...] = Field(min_length=4)
    change_verbs: tuple[str, ...]
    contexts: tuple[str, ...] = Field(min_length=8)
    chat_openers: tuple[str, ...] = Field(min_length=6)
    back_openers: tuple[str, ...] = Field(min_length=4)
