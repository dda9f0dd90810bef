"""Names of invented people, companies and places, from Faker under a given stream."""

from __future__ import annotations

from functools import lru_cache
from random import Random
from typing import Any

from generator.records import Lang

LOCALES: dict[Lang, str] = {"zh": "zh_CN", "en": "en_GB"}
LONGEST = 10


@lru_cache(maxsize=4)
def _faker(lang: Lang) -> Any:
    # One locale an instance: with several, Faker ignores the stream it is given. Constructing
    # one costs as much as thirty names, so each process keeps it.
    from faker import Faker  # noqa: PLC0415 - importing Faker takes longer than `gen --help` may

    return Faker(LOCALES[lang])


class People:
    """Draws names in one language."""

    def __init__(self, lang: Lang) -> None:
        self.lang = lang

    def call_name(self, rng: Random) -> str:
        """Return what one calls a colleague: a surname of one character, or a first name."""
        fake = _faker(self.lang)
        fake.random = rng
        for _ in range(64):
            name = str(fake.last_name() if self.lang == "zh" else fake.first_name())
            if (
                (len(name) == 1)
                if self.lang == "zh"
                else (name.isascii() and name.isalpha() and 3 <= len(name) <= LONGEST)
            ):
                return name
        return "王" if self.lang == "zh" else "Dan"

    def full_name(self, rng: Random) -> str:
        """Return a full name."""
        fake = _faker(self.lang)
        fake.random = rng
        return f"{fake.first_name()} {fake.last_name()}" if self.lang == "en" else str(fake.name())

    def company(self, rng: Random) -> str:
        """Return the name of a company."""
        fake = _faker(self.lang)
        fake.random = rng
        return str(fake.company())

    def place(self, rng: Random) -> str:
        """Return the name of a town."""
        fake = _faker(self.lang)
        fake.random = rng
        return str(fake.city())

    def fill(self, pattern: str, rng: Random) -> str:
        """Return a pattern with its `@` replaced by the name of a colleague."""
        return pattern.replace("@", self.call_name(rng)) if "@" in pattern else pattern

    def fill_context(self, pattern: str, rng: Random) -> str:
        """Return a sentence with @person, @company and @place filled in."""
        for mark, draw in (("@person", self.full_name), ("@company", self.company), ("@place", self.place)):
            if mark in pattern:
                pattern = pattern.replace(mark, draw(rng))
        return pattern
