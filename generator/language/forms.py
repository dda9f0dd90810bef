"""Forms: one clause or sentence pattern with typed slots, compiled for the words of a world."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Literal, NamedTuple

from pydantic import Field

from generator.errors import GenError
from generator.language import lexer as lx
from generator.language.notation import Part, Slot, parse_form
from generator.language.vocabulary import FieldName, Vocabulary
from generator.records import Family, Frozen

Register = Literal["formal", "colloquial", "elliptical"]
REGISTERS: tuple[Register, ...] = ("formal", "colloquial", "elliptical")

# Slot name -> attribute of an event. A slot of any other name is a field of `values`.
SLOT_ATTRIBUTES = {
    "x": "item", "y": "other", "f": "field", "v": "value", "n": "value", "r": "value", "d": "value",
    "u": "first", "o": "tag", "c": "tag", "s": "tag", "k": "each",
}  # fmt: skip
SLOT_FILTERS = {
    "x": "item", "y": "item", "f": "field", "v": "value", "n": "delta", "r": "percent", "d": "discount", "u": "value",
    "o": "owner", "c": "cond", "s": "scope", "k": "each",
}  # fmt: skip
_LETTERS = {"item": lx.ITEM, "owner": lx.OWNER, "cond": lx.CONDITION, "scope": lx.SCOPE, "field": lx.FIELD,
            "each": lx.EACH, "percent": lx.PERCENT, "discount": lx.DISCOUNT}  # fmt: skip


class FormSource(Frozen):
    """A form as its writer typed it.

    for: the families that its value, delta or implied field may have.
    register: where it belongs; none named means anywhere.
    reason: the form already says why, so that no reason is put before it.
    line: where it stands in its file, put in when the file is loaded; 0 if unknown.
    """

    text: str
    families: tuple[Family, ...] = Field(default=(), alias="for")
    register_names: tuple[Register, ...] = Field(default=REGISTERS, alias="register")
    reason: bool = False
    tag: str | None = None
    line: int = 0


class FormGroup(Frozen):
    """All forms of one kind of event."""

    event: str
    forms: tuple[FormSource, ...] = Field(min_length=1)


class Read(Frozen):
    """How a skeleton is read: the kind of event and what its tokens bind, in order."""

    kind: str
    slots: tuple[tuple[str, str], ...]
    family: str | None
    field: str | None
    tag: str | None


@dataclass(frozen=True)
class Wording:
    """One wording of one form, for one family of values, in one world."""

    form: str
    skeleton_id: str
    kind: str
    parts: tuple[Part, ...]
    family: str | None
    attributes: frozenset[str]
    register_names: tuple[Register, ...]
    carries_reason: bool
    tag: str | None
    asking: bool
    fields: frozenset[str]


def number_lines(text: str, groups: Sequence[FormGroup]) -> list[FormGroup]:
    """Return the groups with the line of each form in the text they were read from.

    YAML forgets lines; a form's own text finds them again, searched in order, since a file keeps its order.
    """
    at, numbered = 0, []
    for group in groups:
        forms = []
        for form in group.forms:
            found = text.find(form.text, at)
            at = max(at, found)
            line = text.count("\n", 0, found) + 1 if found >= 0 else 0
            forms.append(form.model_copy(update={"line": line}))
        numbered.append(group.model_copy(update={"forms": tuple(forms)}))
    return numbered


def compile_forms(
    groups: Iterable[tuple[str, FormGroup]], vocabulary: Vocabulary, lexer: lx.Lexer
) -> tuple[list[Wording], dict[str, Read], dict[str, str]]:
    """Return the wordings, how each skeleton reads, and which form each skeleton is of, in one world.

    Raises:
        GenError: Two forms share a skeleton and differ in meaning; a name or number stands in
            a literal; a form is outside the notation.
    """
    wordings: list[Wording] = []
    book = _Book({}, {})
    faults: list[GenError] = []
    count: Counter[tuple[str, str]] = Counter()
    for where, group in groups:
        for source in group.forms:
            count[where, group.event] += 1
            line = f":{source.line}" if source.line else ""
            form = f"{where}: {group.event} no. {count[where, group.event]}"
            # All faults of all forms are told at once: a writer mends a file, not a line.
            try:
                wordings += _compile_one(form, group.event, source, vocabulary, lexer, book)
            except GenError as fault:
                faults.append(GenError(fault.where.replace(where, where + line, 1), fault.what, fault.fix, fault.code))
    if len(faults) == 1:
        raise faults[0]
    if faults:
        lines = "".join(f"\n  {fault.where}: {fault.what}" for fault in faults)
        raise GenError("forms", f"{len(faults)} forms are refused{lines}", faults[0].fix)
    return wordings, book.reads, book.owners


class _Book(NamedTuple):
    reads: dict[str, Read]
    owners: dict[str, str]


def _compile_one(
    form: str, kind: str, source: FormSource, vocabulary: Vocabulary, lexer: lx.Lexer, book: _Book
) -> list[Wording]:
    wordings = []
    for pick, parts in enumerate(parse_form(form, source.text)):
        for family in source.families or (None,):
            wording = _wording(form, pick, kind, source, parts, family, vocabulary)
            if wording is None:
                continue
            for skeleton, read in _skeletons(wording, vocabulary, lexer):
                known = book.reads.setdefault(skeleton, read)
                if known != read:
                    raise GenError(
                        form,
                        f"skeleton {_legible(skeleton)!r} already means {known.kind!r} in {book.owners[skeleton]}",
                        "make the two wordings differ",
                    )
                book.owners.setdefault(skeleton, form)
            wordings.append(wording)
    return wordings


def _wording(
    form: str,
    pick: int,
    kind: str,
    source: FormSource,
    parts: tuple[Part, ...],
    family: Family | None,
    words: Vocabulary,
) -> Wording | None:
    slots = [p for p in parts if isinstance(p, Slot)]
    for slot in slots:
        wanted = SLOT_FILTERS.get(slot.name)
        if wanted is not None and slot.filter != wanted:
            raise GenError(
                form, f"slot {slot.name!r} with filter {slot.filter!r}", f"write {{{{ {slot.name}|{wanted} }}}}"
            )
        if wanted is None and slot.filter not in {"value", "percent"}:
            raise GenError(form, f"field slot {slot.name!r} with filter {slot.filter!r}", "use value or percent")
    attributes = {SLOT_ATTRIBUTES.get(s.name, "values") for s in slots}
    named = frozenset(s.name for s in slots if s.name not in SLOT_ATTRIBUTES)
    fields = words.fields_of(family) if family else []
    tells = any(s.filter in {"value", "delta", "field"} for s in slots)
    if family and (not fields or (len(fields) > 1 and not tells)):
        return None  # the world has no such field, or the wording does not say which
    if not family and any(s.filter in {"value", "delta"} and s.name in SLOT_ATTRIBUTES for s in slots):
        raise GenError(form, "a value without a family", "add for: [count, money, measure, clock or date]")
    known = {f.id for f in words.fields}
    if named - known:
        raise GenError(
            form, f"slot {sorted(named - known)[0]!r} is neither a slot name nor a field", "see docs/forms.md"
        )
    if "k" in {s.name for s in slots} and not any(i.classifier for i in words.items):
        return None
    rows_differ = words.lang == "zh" and family == "count" and not fields[0].units
    if rows_differ and kind.startswith("bulk") and any(s.filter == "delta" for s in slots):
        return None  # rows with classifiers of their own have no one word for "two more of each"
    last = parts[-1] if parts else ""
    asking = isinstance(last, str) and last.rstrip().endswith(("？", "?"))
    return Wording(
        form, f"{form}/{pick}", kind, parts, family, frozenset(attributes - {"each"}), source.register_names,
        source.reason, source.tag, asking, named,
    )  # fmt: skip


def _skeletons(wording: Wording, words: Vocabulary, lexer: lx.Lexer) -> Iterable[tuple[str, Read]]:
    slots = [p for p in wording.parts if isinstance(p, Slot)]
    fields = words.fields_of(wording.family) if wording.family else []
    implied = fields[0].id if len(fields) == 1 else None
    options: list[list[str]] = [[]]
    for slot in slots:
        options = [[*o, letter] for o in options for letter in _letters(slot, wording.family, words)]
    for letters in options:
        bound = tuple((SLOT_ATTRIBUTES.get(s.name, s.name), letter) for s, letter in zip(slots, letters, strict=True))
        read = Read(kind=wording.kind, slots=bound, family=wording.family, field=implied, tag=wording.tag)
        yield _skeleton(wording, letters, lexer), read


def _skeleton(wording: Wording, letters: list[str], lexer: lx.Lexer) -> str:
    # Slots are set in before lexing, so that literals are cut exactly as a turn would be.
    queue = iter(letters)
    text = "".join(p if isinstance(p, str) else next(queue) for p in wording.parts)
    skeleton, tokens = lexer.skeleton(text)
    if tokens:
        raise GenError(
            wording.form,
            f"a name or number inside the literal text: {tokens[0].value!r}",
            "make it a slot, or add the word to the idioms of the lexicon",
        )
    return skeleton + ("？" if wording.asking else "")


def _letters(slot: Slot, family: str | None, words: Vocabulary) -> list[str]:
    fixed = _LETTERS.get(slot.filter)
    if fixed:
        return [fixed]
    field = words.field_of(slot.name) if slot.name not in SLOT_ATTRIBUTES else words.fields_of(family or "")[0]
    if slot.filter == "delta" and field.family in {"clock", "date"}:
        return [lx.MEASURE]
    return value_letters(field, words)


def value_letters(field: FieldName, words: Vocabulary) -> list[str]:
    """Return the classes in which a value of the field may be lexed."""
    if field.family == "count":
        return [lx.COUNT] if words.lang == "zh" or field.units else [lx.NUMBER]
    if field.family == "money":
        return [lx.MONEY, lx.NUMBER] if words.lang == "zh" else [lx.MONEY]
    return [{"measure": lx.MEASURE, "clock": lx.CLOCK, "date": lx.DATE, "percent": lx.PERCENT}[field.family]]


def _legible(skeleton: str) -> str:
    names = {
        lx.ITEM: "I", lx.OWNER: "O", lx.CONDITION: "K", lx.SCOPE: "S", lx.FIELD: "F", lx.NUMBER: "N", lx.COUNT: "C",
        lx.MONEY: "M", lx.PERCENT: "R", lx.DISCOUNT: "D", lx.MEASURE: "U", lx.CLOCK: "T", lx.DATE: "Y", lx.EACH: "E",
    }  # fmt: skip
    return "".join(names.get(c, c) for c in skeleton)
