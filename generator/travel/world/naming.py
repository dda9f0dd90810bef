"""Names of invented places: patterns of a town, filled from Faker and the town's own words."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from random import Random

from generator.errors import GenError
from generator.language.people import People
from generator.records import Lang

TRIES = 400


class Namer:
    """Draws names that are new, hold no other name and are held by none.

    A name inside another ("Rowan Inn", "The Rowan Inn") could not be told apart in a reply.
    """

    def __init__(self, lang: Lang, words: Sequence[str], taken: Iterable[str] = ()) -> None:
        self._people = People(lang)
        self._lang = lang
        self._words = words
        self._taken = {name.casefold() for name in taken}

    def draw(self, patterns: Sequence[str], rng: Random) -> str:
        """Return a new name after one of the patterns.

        Raises:
            GenError: The patterns and words are used up.
        """
        for _ in range(TRIES):
            name = self._fill(rng.choice(patterns), rng)
            key = name.casefold()
            if not any(key in other or other in key for other in self._taken):
                self._taken.add(key)
                return name
        raise GenError("ground_truth/travel", f"no new name after {patterns!r}", "add words or patterns to the town")

    def _fill(self, pattern: str, rng: Random) -> str:
        name = pattern.replace("{word}", rng.choice(self._words))
        if "{surname}" in name:
            name = name.replace("{surname}", self._surname(rng))
        if "{first}" in name:
            name = name.replace("{first}", self._people.call_name(rng))
        return name

    def _surname(self, rng: Random) -> str:
        if self._lang == "zh":
            return self._people.call_name(rng)
        # Faker's surnames may be double ("Smith-Jones"); its last part is a name by itself.
        return self._people.full_name(rng).split()[-1].split("-")[-1]
