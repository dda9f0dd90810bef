"""What a task is drawn from, and what a draw is: beats of a conversation, not yet in words."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any, NamedTuple

from generator.travel.shown import Rows, Shower, join_rows
from generator.travel.tools import Call, Desk, MemorySource
from generator.travel.wording import Say
from generator.travel.wording.book import Book
from generator.travel.world.perturb_specs import kind_of
from generator.travel.world.schema import Attraction, Hotel, Restaurant, Train, World

SENTENCE_MARKS = ".?!。？！\n"
Cell = Mapping[str, str]


class RedrawError(Exception):
    """This draw cannot become an instance; another one may."""


@dataclass(frozen=True)
class Stage:
    """A world made ready for drawing: its rows by what questions ask for, and a desk that answers tool calls."""

    name: str
    world: World
    book: Book

    @cached_property
    def desk(self) -> Desk:
        """The tools over this world."""
        return Desk(self.world, MemorySource(self.world), Shower(self.world, self.book.words.weekdays))

    @cached_property
    def area_name(self) -> dict[str, str]:
        """Names of areas by id."""
        return {a.id: a.name for a in self.world.areas}

    @cached_property
    def hotels(self) -> tuple[Hotel, ...]:
        """Hotels whose names can be told in a sentence."""
        return tuple(h for h in self.world.hotels if _can_be_named(h.name))

    @cached_property
    def restaurants(self) -> tuple[Restaurant, ...]:
        """Restaurants whose names can be told in a sentence."""
        return tuple(r for r in self.world.restaurants if _can_be_named(r.name))

    @cached_property
    def attractions(self) -> tuple[Attraction, ...]:
        """Attractions whose names can be told in a sentence."""
        return tuple(a for a in self.world.attractions if _can_be_named(a.name))

    @cached_property
    def routes(self) -> tuple[tuple[str, str], ...]:
        """Routes that trains run on, sorted."""
        return tuple(r for r in self.world.routes if _can_be_named(r[0] + r[1]))

    @cached_property
    def trains(self) -> dict[tuple[str, str, int], tuple[Train, ...]]:
        """Trains by origin, destination and weekday, by departure."""
        found: dict[tuple[str, str, int], list[Train]] = defaultdict(list)
        for train in self.world.trains:
            for day in train.days:
                found[(*train.route, day)].append(train)
        return {key: tuple(sorted(trains, key=lambda t: (t.departs, t.id))) for key, trains in found.items()}

    def searchable(self, table: str) -> dict[tuple[str | None, str | None], int]:
        """Return how many rows each search by area (name) and kind finds; None is no condition."""
        return self._searchable[table]

    @cached_property
    def _searchable(self) -> dict[str, dict[tuple[str | None, str | None], int]]:
        found: dict[str, dict[tuple[str | None, str | None], int]] = {}
        tables: dict[str, tuple[Hotel, ...] | tuple[Restaurant, ...] | tuple[Attraction, ...]] = {
            "hotel": self.world.hotels,
            "restaurant": self.world.restaurants,
            "attraction": self.world.attractions,
        }
        for table, rows in tables.items():
            counts: dict[tuple[str | None, str | None], int] = defaultdict(int)
            for row in rows:
                area, kind = self.area_name[row.area], kind_of(row)
                for key in ((area, kind), (area, None), (None, kind)):
                    counts[key] += 1
            found[table] = dict(sorted(counts.items(), key=lambda item: (item[0][0] or "", item[0][1] or "")))
        return found


@dataclass(frozen=True)
class Scene:
    """Where and when one instance plays: `today` is a proleptic ordinal, `now` minutes after midnight."""

    stage: Stage
    today: int
    now: int

    @property
    def desk(self) -> Desk:
        """The tools."""
        return self.stage.desk

    @property
    def weekday(self) -> int:
        """Today's weekday, Monday being 0."""
        return (self.today - 1) % 7


class Beat(NamedTuple):
    """One exchange: what the user says, the calls that it leads to, and what the assistant says then."""

    user: tuple[Say, ...]
    calls: tuple[Call, ...] = ()
    assistant: tuple[Say, ...] = ()


class Draft(NamedTuple):
    """A drawn instance before it is worded.

    beats: the last one holds the question, and has neither calls nor a reply. today: what is said of date, time and
    sun. cell: strata that selection keeps in balance, as the class of the answer. idle: kinds of facts that change
    nothing here, as a trap.
    """

    beats: tuple[Beat, ...]
    today: tuple[Say, ...]
    cell: Cell
    idle: tuple[str, ...] = ()

    @property
    def says(self) -> tuple[Say, ...]:
        """Everything that the user says, in order."""
        return tuple(s for beat in self.beats for s in beat.user)

    @property
    def rows(self) -> Rows:
        """All rows that the calls brought."""
        return join_rows(call.rows for beat in self.beats for call in beat.calls if call.rows is not None)


class Told(NamedTuple):
    """What a question rests on, drawn or heard: what was said (facts, rules, date, question), and the rows shown."""

    says: tuple[Say, ...]
    rows: Rows

    def one(self, kind: str) -> Say:
        """Return the one thing of a kind that was said.

        Raises:
            HearingError: It was not said, or differently twice.
        """
        found = list(dict.fromkeys(s for s in self.says if s.kind == kind))
        if len(found) != 1:
            raise HearingError(f"{kind!r} is said {len(found)} times")
        return found[0]

    def all(self, *kinds: str) -> tuple[Say, ...]:
        """Return all that was said of some kinds, in order."""
        return tuple(s for s in self.says if s.kind in kinds)


class HearingError(Exception):
    """What is said does not determine an answer."""


def _can_be_named(name: str) -> bool:
    return not any(mark in name for mark in SENTENCE_MARKS)


def whole(value: Any) -> int:
    """Return a slot's value that is a number.

    Raises:
        HearingError: It is none.
    """
    if not isinstance(value, int):
        raise HearingError(f"{value!r} is no number")
    return value
