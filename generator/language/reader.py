"""The reader: from a turn's text to the events it says. It never sees a key."""

from __future__ import annotations

from decimal import Decimal
from functools import lru_cache
from typing import NamedTuple

from generator.language import lexer as lx
from generator.language.forms import Read
from generator.language.lexicon import Lexicon
from generator.language.units import CLOCK_SHIFTS, DATE_SHIFTS
from generator.language.vocabulary import FieldName, Vocabulary
from generator.records import Event

LONGEST_RUN = 4


class Said(NamedTuple):
    """An event as read, with the classifier that was said (an ellipsis must fit it) and the form."""

    event: Event
    classifier: str
    form: str


class Reading(NamedTuple):
    """What a turn says.

    said: events in order. residue: unread clauses that name an item or are a bare number, or
    hold a vague one beside an event. named: items in the order named.
    """

    said: tuple[Said, ...]
    residue: tuple[str, ...]
    named: tuple[str, ...]
    has_number: bool

    @property
    def events(self) -> tuple[Event, ...]:
        """The events without what was said around them."""
        return tuple(s.event for s in self.said)


class Reader:
    """Reads turns of one world. Readings are context-free and cached by text."""

    def __init__(
        self, vocabulary: Vocabulary, lexicon: Lexicon, lexer: lx.Lexer, reads: dict[str, Read], forms: dict[str, str]
    ) -> None:
        self._words, self._lexer, self._reads, self._forms = vocabulary, lexer, reads, forms
        english = vocabulary.lang == "en"
        self._openers = tuple(sorted((o.lower() if english else o for o in lexicon.openers), key=len, reverse=True))
        self._particles = tuple(sorted((p.lower() if english else p for p in lexicon.particles), key=len, reverse=True))
        self._hedges = tuple(lexicon.hedges)
        self._classifiers = {i.id: i.classifier for i in vocabulary.items}
        self.read = lru_cache(maxsize=32_768)(self._read)

    def _read(self, text: str) -> Reading:
        clauses = self._lexer.split(text)
        said: list[Said] = []
        unread: list[lx.Clause] = []
        at = 0
        while at < len(clauses):
            size, found = self._longest(clauses, at)
            if found is None:
                unread.append(clauses[at])
                at += 1
            else:
                said.append(found)
                at += size
        tokens = [t for c in clauses for t in c.tokens]
        hedged = [c for c in unread if said and c.end == lx.WEAK and c.skeleton.startswith(self._hedges)]
        return Reading(
            tuple(said),
            tuple(c.skeleton for c in unread if c in hedged or _is_residue(c, bool(said))),
            tuple(str(t.value) for t in tokens if t.letter == lx.ITEM),
            any(t.letter in lx.NUMERIC for t in tokens),
        )

    def _longest(self, clauses: list[lx.Clause], at: int) -> tuple[int, Said | None]:
        reach = 1
        while reach < LONGEST_RUN and at + reach < len(clauses) and clauses[at + reach - 1].end == lx.WEAK:
            reach += 1
        for size in range(reach, 0, -1):
            run = clauses[at : at + size]
            key = "，".join(c.skeleton for c in run)
            mark = "？" if run[-1].end == lx.ASKING else ""
            known = self._look_up(key, mark)
            if known is not None:
                found = self._bind(known, [t for c in run for t in c.tokens])
                if found is not None:
                    return size, found
        return 1, None

    def _look_up(self, key: str, mark: str) -> str | None:
        """Return the skeleton that the key is, an opener or a particle taken off if need be."""
        if key + mark in self._reads:
            return key + mark
        bare = self._strip(key, self._openers, front=True)
        for variant in (
            bare,
            self._strip(key, self._particles, front=False),
            self._strip(bare, self._particles, front=False),
        ):
            if variant and variant != key and variant + mark in self._reads:
                return variant + mark
        return None

    @staticmethod
    def _strip(key: str, affixes: tuple[str, ...], *, front: bool) -> str:
        for affix in affixes:
            if front and key.startswith(affix):
                return key[len(affix) :].lstrip(" ")
            if not front and key.endswith(affix):
                return key[: -len(affix)].rstrip(" ，")
        return key

    def _bind(self, skeleton: str, tokens: list[lx.Token]) -> Said | None:
        read = self._reads[skeleton]
        if len(tokens) != len(read.slots):
            return None
        bound: dict[str, str | int] = {}
        values: list[tuple[str, int]] = []
        classifier = ""
        field = read.field
        for (attribute, _), token in zip(read.slots, tokens, strict=True):
            if attribute in {"value", "first"}:
                resolved = self._number(token, read.family, read.kind)
                if resolved is None or (field and resolved[0] and resolved[0] != field and "field" not in bound):
                    return None
                field = resolved[0] or field
                bound[attribute] = resolved[1]
                classifier = token.unit if token.letter == lx.COUNT else classifier
            elif attribute == "each":
                classifier = token.unit
            elif attribute in {"item", "other", "tag", "field"}:
                bound[attribute] = str(token.value)
            else:
                number = self._typed(token, self._words.field_of(attribute))
                if number is None:
                    return None
                values.append((attribute, number))
                classifier = token.unit if token.letter == lx.COUNT else classifier
        if "field" in bound:
            if read.family and self._words.field_of(str(bound["field"])).family != read.family:
                return None
            field = str(bound["field"])
        event = self._event(read, bound, field, tuple(values), classifier)
        return Said(event, classifier, self._forms[skeleton]) if event is not None else None

    def _event(
        self,
        read: Read,
        bound: dict[str, str | int],
        field: str | None,
        values: tuple[tuple[str, int], ...],
        classifier: str,
    ) -> Event | None:
        item = str(bound["item"]) if "item" in bound else None
        if item is not None and classifier and not self.fits(item, classifier):
            return None
        order = {f.id: n for n, f in enumerate(self._words.fields)}
        return Event(
            kind=read.kind,
            item=item,
            field=field,
            value=int(bound["value"]) if "value" in bound else None,
            other=str(bound["other"]) if "other" in bound else None,
            tag=str(bound["tag"]) if "tag" in bound else read.tag,
            first=int(bound["first"]) if "first" in bound else None,
            values=tuple(sorted(values, key=lambda v: order[v[0]])),
        )

    def fits(self, item: str, classifier: str) -> bool:
        """Return whether the classifier or unit may go with the item."""
        if any(classifier in f.units for f in self._words.fields if f.family == "count"):
            return True
        return self._classifiers.get(item, "") in ("", classifier)

    def _number(self, token: lx.Token, family: str | None, kind: str) -> tuple[str, int] | None:
        if token.letter in {lx.PERCENT, lx.DISCOUNT}:
            scaled = Decimal(token.value) * (100 if token.letter == lx.PERCENT else 1)
            return ("", int(scaled)) if scaled == int(scaled) else None
        moves = family in {"clock", "date"} and token.letter == lx.MEASURE
        for field in self._words.fields_of(family or ""):
            number = _shift(token, field, self._words) if moves else self._typed(token, field)
            if number is not None:
                return field.id, number
        return None

    def _typed(self, token: lx.Token, field: FieldName) -> int | None:
        if token.letter in {lx.CLOCK, lx.DATE}:
            return int(token.value)
        if field.family == "measure" and token.unit not in {
            u.lower() if self._words.lang == "en" else u for u in field.units
        }:
            return None
        if field.family == "count" and field.units and token.unit not in field.units:
            return None
        scale = 1 if field.family == "count" else 100 if field.family == "money" else field.scale
        scaled = Decimal(token.value) * scale
        return int(scaled) if scaled == int(scaled) else None


def _shift(token: lx.Token, field: FieldName, words: Vocabulary) -> int | None:
    sizes = (CLOCK_SHIFTS if field.family == "clock" else DATE_SHIFTS)[words.lang]
    if token.unit not in sizes:
        return None
    scaled = Decimal(token.value) * sizes[token.unit]
    return int(scaled) if scaled == int(scaled) else None


def _is_residue(clause: lx.Clause, beside_event: bool) -> bool:
    letters = {t.letter for t in clause.tokens}
    if letters & {lx.ITEM, lx.FIELD}:
        return True
    return beside_event and (
        lx.VAGUE in letters or (len(clause.skeleton) == len(clause.tokens) and bool(letters & lx.NUMERIC))
    )
