"""Words of a language that slots are written with: content of `templates/travel/<lang>/words.yaml`."""

from __future__ import annotations

from collections import Counter
from functools import cached_property
from typing import Annotated, Self

from pydantic import Field, model_validator

from generator.records import Frozen, Lang

Seven = Annotated[tuple[str, ...], Field(min_length=7, max_length=7)]


class Words(Frozen):
    """Words by what they stand for.

    counts: numbers from 0 on. counts_before: another word before a noun (两). weekdays: Monday first. months: January
    first, empty where months are numbers. currency: a pattern with {} by ISO code. durations: minutes to words, beside
    "N minutes". terms: by family, id to the words for it; a family's ids and words are each unique. names: words for
    terms of the data, which data spell otherwise ("british": "British"). people: names of those who travel with the
    user. me: how the user names themself among them; in English it is the subject of a sentence, last in a list.
    clarifications: what a judge is told, by kind of answer.
    """

    lang: Lang
    counts: tuple[str, ...] = Field(min_length=11)
    counts_before: dict[int, str] = Field(default_factory=dict)
    weekdays: Seven
    months: tuple[str, ...] = ()
    date: str
    currency: dict[str, str]
    minutes: str
    durations: dict[int, str]
    list_comma: str
    list_last: str
    terms: dict[str, dict[str, str]]
    names: dict[str, str] = Field(default_factory=dict)
    people: tuple[str, ...] = Field(min_length=20)
    me: str = Field(min_length=1)
    clarifications: dict[str, str]

    @model_validator(mode="after")
    def _check(self) -> Self:
        everybody = (*self.people, self.me)
        twice = sorted(n for n, count in Counter(everybody).items() if count > 1)
        if twice:
            raise ValueError(f"people named more than once: {twice!r}")
        marks = (self.list_comma, self.list_last)
        if split := sorted(n for n in everybody if any(mark in n for mark in marks)):
            raise ValueError(f"people whose names look like lists: {split!r}")
        return self

    @cached_property
    def count_of(self) -> dict[str, int]:
        """Return numbers by their word."""
        found = {word: n for n, word in enumerate(self.counts)}
        return found | {word: n for n, word in self.counts_before.items()}

    @cached_property
    def term_of(self) -> dict[str, dict[str, str]]:
        """Return, by family, ids by their words."""
        return {family: {word: ident for ident, word in words.items()} for family, words in self.terms.items()}

    @cached_property
    def data_name_of(self) -> dict[str, str]:
        """Return the data's spelling by the word for it."""
        return {word: name for name, word in self.names.items()}
