"""Every wording read back over drawn values: what a form says must be read as that, and as nothing else."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random

from generator.language.notation import Slot as Gap
from generator.travel.shown import Shower
from generator.travel.wording.book import Book, Form, Line, Say
from generator.travel.wording.reader import ReadingError, Vocabulary, read_line, split_sentences
from generator.travel.wording.slots import TERMS, Value
from generator.travel.world.schema import World

DRAWS = 6


def vocabulary_of_world(book: Book, world: World) -> Vocabulary:
    """Return all names of a world, as a text that showed everything would know them."""
    shower = Shower(world, book.words.weekdays)
    return Vocabulary(
        place=frozenset(p.name for p in world.places()),
        station=frozenset(end for route in world.routes for end in route),
        area=frozenset(shower.area_name.values()),
        kind=frozenset(
            [
                *(a.kind for a in world.attractions),
                *(h.kind for h in world.hotels),
                *(r.cuisine for r in world.restaurants),
            ]
        ),
    )


def check_book(book: Book, world: World, rng: Random, draws: int = DRAWS) -> Iterator[str]:
    """Yield what is wrong with the forms of a language in one world."""
    vocabulary = vocabulary_of_world(book, world)
    for form in book.all_forms():
        for _ in range(draws):
            fault = _fault(book, form, vocabulary, rng)
            if fault:
                yield f"{form.where}: {fault}"
                break


def _fault(book: Book, form: Form, vocabulary: Vocabulary, rng: Random) -> str | None:
    args: dict[str, Value] = dict(form.fixes)
    for gap in form.gaps:
        args[gap.name] = _draw(book, form, gap, vocabulary, rng)
    what = Say(form.kind, tuple(sorted(args.items())))
    text = "".join(p if isinstance(p, str) else book.slots[p.filter].write(args[p.name]) for p in form.parts)
    text = text[0].upper() + text[1:] if form.begins_small else text
    if form.role != "heading" and split_sentences(text, book.lang) != [text]:
        return f"{text!r} is not one sentence"
    try:
        read: Line | None = read_line(book, text, vocabulary)
    except ReadingError as error:
        return str(error)
    if read is None:
        return f"{text!r} is not read"
    return None if read.say == what else f"{text!r} is read as {read.say}"


def _draw(book: Book, form: Form, gap: Gap, vocabulary: Vocabulary, rng: Random) -> Value:
    words, least = book.words, 2 if gap.name in form.many else 1
    if gap.filter in TERMS:
        return rng.choice(sorted(words.terms[gap.filter]))
    if gap.filter in {"place", "station", "area", "kind"}:
        names: frozenset[str] = getattr(vocabulary, gap.filter)
        return rng.choice(sorted(names))
    if gap.filter in {"places", "people"}:
        pool = sorted(vocabulary.place) if gap.filter == "places" else sorted((*words.people, words.me))
        return tuple(rng.sample(pool, rng.randint(least, 4)))
    if gap.filter == "person":
        return rng.choice((*words.people, words.me))
    ranges = {
        "count": (least, 14), "money": (1, 99_999), "tenths": (10, 1999), "time": (0, 1439), "date": (738_000, 742_000),
        "day": (0, 6), "degrees": (-899_999, 899_999),
    }  # fmt: skip
    if gap.filter in {"percent", "discount"}:
        return 100 * rng.randint(5, 70)
    if gap.filter == "dur":
        return rng.choice([*words.durations, 40, 75, 200])
    low, high = ranges[gap.filter]
    return rng.randint(low, high)
