"""Read sentences back: every form is tried on the whole sentence, and what two forms read differently is refused."""

from __future__ import annotations

import re
from collections.abc import Collection
from dataclasses import dataclass, field

from generator.records import Lang
from generator.travel.wording.book import Book, Form, Line, Say, size_of
from generator.travel.wording.slots import NAMES, Value, split_names

_ENDS = {"en": re.compile(r"(?<=[.?!])\s+(?=\S)"), "zh": re.compile(r"(?<=[。？！])\s*(?=\S)")}


class ReadingError(Exception):
    """A sentence can be read in two ways."""


@dataclass(frozen=True)
class Vocabulary:
    """The names that a text may use, taken from the data it shows."""

    place: frozenset[str] = frozenset()
    station: frozenset[str] = frozenset()
    area: frozenset[str] = frozenset()
    kind: frozenset[str] = frozenset()
    cache: dict[str, Line | None] = field(default_factory=dict, compare=False, repr=False)

    def knows(self, filter_name: str, text: str) -> bool:
        """Return whether a text is a name of this kind."""
        names: Collection[str] = getattr(self, filter_name)
        return text in names


def split_sentences(text: str, lang: Lang) -> list[str]:
    """Return the sentences of a text; a line break ends one."""
    return [s.strip() for line in text.split("\n") for s in _ENDS[lang].split(line) if s.strip()]


def read_line(book: Book, text: str, vocabulary: Vocabulary) -> Line | None:
    """Return what a sentence says, None if no form says it.

    Raises:
        ReadingError: Two forms read it differently.
    """
    if text in vocabulary.cache:
        return vocabulary.cache[text]
    found: Line | None = None
    for form in book.all_forms():
        if not (text.startswith(form.head) and text.endswith(form.tail)):
            continue
        what = _read(book, form, text, vocabulary)
        if what is None:
            continue
        if found is not None and found.say != what:
            raise ReadingError(f"{text!r} says {found.say} and {what} ({form.where})")
        found = Line(what, text, form.role)
    vocabulary.cache[text] = found
    return found


def _read(book: Book, form: Form, text: str, vocabulary: Vocabulary) -> Say | None:
    match = form.pattern.fullmatch(text[0].lower() + text[1:] if form.begins_small else text)
    if match is None:
        return None
    args: dict[str, Value] = dict(form.fixes)
    for gap in form.gaps:
        value = book.slots[gap.filter].read(match[gap.name])
        if gap.filter == "places":
            value = split_names(book.words, match[gap.name], lambda t: vocabulary.knows("place", t))
        elif gap.filter in NAMES:
            # The data may hold the very word, or the term that it stands for.
            value = next((t for t in (str(value), match[gap.name]) if vocabulary.knows(gap.filter, t)), None)
        if value is None:
            return None
        args[gap.name] = value
    if any(size_of(args[name]) < 2 for name in form.many):
        return None
    return Say(form.kind, tuple(sorted(args.items())))
