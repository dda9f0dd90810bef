"""Everything a world can say and understand: wordings, both readers, and rendering."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from random import Random

from generator.content import ContentRoot
from generator.errors import GenError
from generator.language.forms import FormGroup, Register, Wording, compile_forms, number_lines
from generator.language.lexer import Lexer
from generator.language.lexicon import Lexicon
from generator.language.notation import Slot
from generator.language.reader import Reader
from generator.language.surface import write_discount, write_percent, write_shift, write_value
from generator.language.vocabulary import Vocabulary
from generator.records import Event, Lang
from generator.seeds import Deck

Groups = list[tuple[str, FormGroup]]


@dataclass(frozen=True)
class SharedForms:
    """The forms of a language that belong to no world."""

    user: Groups
    assistant: Groups
    lexicon: Lexicon


def load_shared(content: ContentRoot, lang: Lang, set_name: str) -> SharedForms:
    """Return the shared forms of a language: `templates/forms/<lang>/<set_name>/` and its lexicon.

    Raises:
        GenError: A file is missing or invalid.
    """
    home = f"templates/forms/{lang}"

    def groups(folder: str) -> Groups:
        names = content.files(f"{home}/{folder}")
        if not names:
            raise GenError(f"{home}/{folder}", "no forms", "add a YAML file of forms")
        return [
            (name, group)
            for name in names
            for group in number_lines(content.text(name), content.load(name, list[FormGroup]))
        ]

    return SharedForms(
        groups(f"{set_name}/user"), groups(f"{set_name}/assistant"), content.load(f"{home}/lexicon.yaml", Lexicon)
    )


class Speech:
    """One world's language. Building it checks every form against every other."""

    def __init__(self, vocabulary: Vocabulary, shared: SharedForms, user: Groups, assistant: Groups) -> None:
        self.vocabulary, self.lexicon = vocabulary, shared.lexicon
        self.lexer = Lexer(vocabulary, shared.lexicon)
        self.wordings, reads, forms = compile_forms([*shared.user, *user], vocabulary, self.lexer)
        self.replies, reply_reads, reply_forms = compile_forms([*shared.assistant, *assistant], vocabulary, self.lexer)
        self.reader = Reader(vocabulary, shared.lexicon, self.lexer, reads, forms)
        self.reply_reader = Reader(vocabulary, shared.lexicon, self.lexer, reply_reads, reply_forms)
        self._index = _index(self.wordings)
        self._reply_index = _index(self.replies)
        self._fields = {f.id: f for f in vocabulary.fields}
        self._items = {i.id: i for i in vocabulary.items}

    def wordings_for(self, event: Event, *, elliptical: bool = False, reply: bool = False) -> Sequence[Wording]:
        """Return the wordings that can say `event`, without its item if `elliptical`."""
        index = self._reply_index if reply else self._index
        family = self._fields[event.field].family if event.field else None
        fields = frozenset(name for name, _ in event.values)
        item = event.item is not None and not elliptical
        found = index.get((event.kind, family, item, event.other is not None, fields), ())
        return [w for w in found if _can_say(w, event)]

    def render(self, wording: Wording, event: Event, rng: Random, *, full: bool = False) -> str:
        """Return the clause that says `event`; `full` asks for full item names."""
        parts = []
        for before, part, after in zip(("", *wording.parts), wording.parts, (*wording.parts[1:], ""), strict=False):
            glues = isinstance(after, Slot) and after.filter == "each"
            if isinstance(part, Slot) and part.filter == "each" and isinstance(before, Slot):
                # behind its price it is 360 一组; 360 每组 is how nobody talks
                parts.append("一" + self._classifier(event))
            else:
                parts.append(part if isinstance(part, str) else self._slot(part, event, rng, full, not glues))
        return "".join(parts)

    def _slot(self, slot: Slot, event: Event, rng: Random, full: bool, spelt: bool) -> str:
        if slot.filter == "item":
            item = self._items[str(event.item if slot.name == "x" else event.other)]
            return item.names[0] if full or len(item.names) == 1 else rng.choice(item.names[1:])
        if slot.filter == "owner":
            return str(event.tag)
        if slot.filter == "cond":
            return rng.choice(self.vocabulary.conditions[str(event.tag)])
        if slot.filter == "scope":
            return rng.choice(self.vocabulary.scopes[str(event.tag)])
        if slot.filter == "field":
            return rng.choice(self._fields[str(event.field)].names)
        if slot.filter == "each":
            return rng.choice("一每") + self._classifier(event)
        if slot.filter == "percent" and slot.name not in {"r", "d"}:
            return write_percent(dict(event.values)[slot.name], self.vocabulary.lang, rng)
        value = int(event.first if slot.name == "u" else dict(event.values).get(slot.name, event.value or 0))  # type: ignore[arg-type]
        if slot.filter == "percent":
            points = event.field is None or self._fields[event.field].family == "money"
            return write_percent(value, self.vocabulary.lang, rng, points=points)
        if slot.filter == "discount":
            return write_discount(value, rng)
        field = self._fields[
            slot.name if slot.name in self._fields and slot.name not in {"v", "n", "u"} else str(event.field)
        ]
        write = write_shift if slot.filter == "delta" else write_value
        return write(self.vocabulary, field, value, self._classifier(event), rng, spelt=spelt)

    def _classifier(self, event: Event) -> str:
        return self._items[event.item].classifier if event.item else ""

    def is_read_back(self, text: str, event: Event, *, elliptical: bool = False, reply: bool = False) -> bool:
        """Return whether the reader makes exactly `event` of `text`, and nothing is left over."""
        reading = (self.reply_reader if reply else self.reader).read(text)
        wanted = event._replace(item=None) if elliptical else event
        return reading.events == (wanted,) and not reading.residue


def _index(wordings: Iterable[Wording]) -> dict[tuple[str, str | None, bool, bool, frozenset[str]], list[Wording]]:
    index: dict[tuple[str, str | None, bool, bool, frozenset[str]], list[Wording]] = {}
    for w in wordings:
        key = (w.kind, w.family, "item" in w.attributes, "other" in w.attributes, w.fields)
        index.setdefault(key, []).append(w)
    return index


def _can_say(wording: Wording, event: Event) -> bool:
    if wording.tag is not None and wording.tag != event.tag:
        return False
    discount = any(isinstance(p, Slot) and p.filter == "discount" for p in wording.parts)
    return not discount or (event.value or 0) % 100 == 0


def deck_draw(deck: Deck, rng: Random, name: str, options: Sequence[Wording], register: Register) -> Wording:
    """Return one wording, no form being used twice before all are; forms of the register come first.

    The deck holds forms, not wordings: a form with many picks is not said more often.

    Raises:
        IndexError: There are no options.
    """
    fitting = [w for w in options if register in w.register_names] or list(options)
    forms = sorted({w.form for w in fitting})
    form = deck.draw(f"{name}/{register}/{len(forms)}", forms)
    return rng.choice([w for w in fitting if w.form == form])
