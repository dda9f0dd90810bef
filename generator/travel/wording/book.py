"""All forms of one language: what may be said, in which words, and as what it counts."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property, lru_cache
from random import Random
from typing import Annotated, Literal, NamedTuple

from pydantic import BeforeValidator, Field

from generator.content import ContentRoot
from generator.errors import GenError
from generator.language.notation import Part, parse_form
from generator.language.notation import Slot as Gap
from generator.records import Frozen, Lang
from generator.travel.wording.slots import FILTERS, NUMERIC, Slot, Value, make_slots
from generator.travel.wording.words import Words

Role = Literal["fact", "question", "rule", "today", "errand", "claim", "chat", "heading", "reply"]
"""fact: of the user, needed for the answer, in every setup. question: what is asked. rule: a convention. today: date
and time. errand: a wish of the user that the answer does not rest on, history only. claim: what the assistant says of
data or of what it did. chat: says nothing. heading: stands above data. reply: an answer to the question."""
FOLDER = "templates/travel"
_SMALL = frozenset({"count", "dur"})


@dataclass(frozen=True, slots=True)
class Say:
    """One thing that is said: its kind, and the values of its slots by name, sorted."""

    kind: str
    args: tuple[tuple[str, Value], ...] = ()

    def __getitem__(self, name: str) -> Value:
        return dict(self.args)[name]

    def get(self, name: str) -> Value | None:
        """Return the value of a slot, None if nothing was said of it."""
        return dict(self.args).get(name)


def say(kind: str, /, **args: Value) -> Say:
    """Return what is said."""
    return Say(kind, tuple(sorted(args.items())))


class Line(NamedTuple):
    """One sentence: what it says, in which words, and as what it counts."""

    say: Say
    text: str
    role: Role


def _as_source(value: object) -> object:
    return {"text": value} if isinstance(value, str) else value


class FormSource(Frozen):
    """A form as its writer typed it.

    fixes: values that the words imply without a slot. many: slots (counts, or lists) that must be two or more.
    """

    text: str = Field(min_length=1)
    fixes: dict[str, int | str] = Field(default_factory=dict)
    many: tuple[str, ...] = ()


class Group(Frozen):
    """All forms of one thing to say. `only` are the tasks in which it occurs; none named means any."""

    say: str = Field(pattern=r"^[a-z][a-z.-]*$")
    role: Role
    only: tuple[str, ...] = ()
    forms: tuple[Annotated[FormSource, BeforeValidator(_as_source)], ...] = Field(min_length=1)


@dataclass(frozen=True)
class Form:
    """One wording: its parts, how it is matched, and the names that it binds."""

    where: str
    kind: str
    role: Role
    parts: tuple[Part, ...]
    pattern: re.Pattern[str]
    gaps: tuple[Gap, ...]
    fixes: tuple[tuple[str, int | str], ...]
    many: tuple[str, ...]
    head: str
    tail: str

    @cached_property
    def begins_small(self) -> bool:
        """Whether the sentence begins with a word that is written small elsewhere."""
        first = self.parts[0]
        return isinstance(first, Gap) and first.filter in _SMALL

    @cached_property
    def names(self) -> frozenset[str]:
        """The names of all values that it tells."""
        return frozenset([*(g.name for g in self.gaps), *(name for name, _ in self.fixes)])

    def tells(self, what: Say) -> bool:
        """Return whether the form can say this."""
        given = dict(what.args)
        return (
            self.names == given.keys()
            and all(given[name] == value for name, value in self.fixes)
            and all(size_of(given[name]) > 1 for name in self.many)
        )


@dataclass(frozen=True)
class Book:
    """The forms of a language, ready to render and to read."""

    lang: Lang
    words: Words
    slots: dict[str, Slot]
    forms: dict[str, tuple[Form, ...]]
    roles: dict[str, Role]

    @property
    def joint(self) -> str:
        """What stands between two sentences."""
        return "" if self.lang == "zh" else " "

    def all_forms(self) -> Iterator[Form]:
        """Yield every form."""
        for forms in self.forms.values():
            yield from forms

    def line(self, what: Say, rng: Random) -> Line:
        """Return a sentence that says it, in words drawn at random.

        Raises:
            GenError: No form can say it.
        """
        fitting = [form for form in self.forms.get(what.kind, ()) if form.tells(what)]
        if not fitting:
            names = ", ".join(name for name, _ in what.args) or "nothing"
            raise GenError(f"{FOLDER}/{self.lang}", f"no form says {what.kind!r} with {names}", "add one")
        form = fitting[0] if len(fitting) == 1 else rng.choice(fitting)
        given = dict(what.args)
        text = "".join(p if isinstance(p, str) else self.slots[p.filter].write(given[p.name]) for p in form.parts)
        return Line(what, text[0].upper() + text[1:] if form.begins_small else text, form.role)


def size_of(value: Value) -> int:
    """Return how many a value stands for."""
    return value if isinstance(value, int) else len(value) if isinstance(value, tuple) else 1


@lru_cache(maxsize=16)
def load_book(content: ContentRoot, lang: Lang, currency: str) -> Book:
    """Return the forms of a language, loaded once a process.

    Raises:
        GenError: A form is outside the notation, or a slot or currency is unknown.
    """
    words: Words = content.load(f"{FOLDER}/{lang}/words.yaml", Words)
    if currency not in words.currency:
        raise GenError(f"{FOLDER}/{lang}/words.yaml", f"no words for {currency}", "add it under `currency`")
    slots = make_slots(words, currency)
    forms: dict[str, list[Form]] = {}
    roles: dict[str, Role] = {}
    for name in content.files(f"{FOLDER}/{lang}/forms"):
        groups: tuple[Group, ...] = content.load(name, tuple[Group, ...])
        for group in groups:
            if group.say in roles:
                raise GenError(name, f"{group.say!r} is given twice", "put all its forms under one entry")
            roles[group.say] = group.role
            forms[group.say] = [f for n, s in enumerate(group.forms, 1) for f in _compile(name, n, group, s, slots)]
    return Book(lang, words, slots, {kind: tuple(found) for kind, found in forms.items()}, roles)


def _compile(name: str, number: int, group: Group, source: FormSource, slots: dict[str, Slot]) -> Iterator[Form]:
    where = f"{name}: {group.say} no. {number}"
    for parts in parse_form(where, source.text.strip(), FILTERS, NUMERIC):
        gaps = tuple(p for p in parts if isinstance(p, Gap))
        clash = {g.name for g in gaps} & source.fixes.keys()
        if clash:
            raise GenError(where, f"{sorted(clash)[0]!r} is a slot and fixed", "keep one of the two")
        pattern = "".join(
            re.escape(p) if isinstance(p, str) else f"(?P<{p.name}>{slots[p.filter].pattern})" for p in parts
        )
        head, tail = parts[0], parts[-1]
        yield Form(
            where, group.say, group.role, parts, re.compile(pattern), gaps, tuple(sorted(source.fixes.items())),
            source.many, head if isinstance(head, str) else "", tail if isinstance(tail, str) else "",
        )  # fmt: skip
