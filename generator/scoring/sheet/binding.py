"""From terms to cells: arithmetic patterns, labels, and unlabelled numbers by family and order."""

from __future__ import annotations

from dataclasses import dataclass, field

from generator.scoring.sheet.lexicon import Lexicon
from generator.scoring.sheet.numbers import OFF_GRID, Num
from generator.scoring.sheet.reading import Strength, Value
from generator.scoring.sheet.sink import Sink

_NO_PRICE = {"count", "percent", "clock", "date", "people"}


@dataclass(slots=True)
class Label:
    """A label that waits for its number. `colon` says that it stands for the whole of what follows."""

    columns: tuple[str, ...]
    figures: tuple[str, ...]
    colon: bool = False
    held: bool = False
    at: int = 0
    spare: Num | None = None


@dataclass(slots=True)
class Term:
    """A number in a line, with what was said of it."""

    num: Num
    label: Label | None = None
    each: bool = False
    aside: bool = False
    foreign: bool = False
    weak: bool = False


@dataclass(slots=True)
class Group:
    """The rows that the words so far are about, and the numbers that wait to be placed."""

    rows: tuple[str, ...]
    strength: Strength
    sticky: Label | None = None
    every: bool = False
    apart: bool = False
    only_labelled: bool = False
    queue: Label | None = None
    turn: int = 0
    scope: str | None = None
    loose: list[Term] = field(default_factory=list)
    bound: dict[str, Value] = field(default_factory=dict)


@dataclass(slots=True)
class Place:
    """How what is read now is to be recorded."""

    strength: Strength
    corrected: bool = False
    scope: str | None = None


def bind_column(sink: Sink, group: Group, column: str, value: Value, term: Term, place: Place, *, labelled: bool,
                doubtful: bool = False) -> None:  # fmt: skip
    """Record a value for every row of the group."""
    if not doubtful:
        group.bound[column] = value
    for row in group.rows:
        sink.put(
            row, column, value, place.strength, term.num.start, labelled=labelled, scope=place.scope or group.scope,
            corrected=place.corrected, doubtful=doubtful or (len(group.rows) > 1 and not group.every),
            backup=term.aside,
        )  # fmt: skip


def bind_labelled(sink: Sink, group: Group | None, term: Term, place: Place) -> None:
    """Record a term that has a label; a figure's label on a row's own product means the row's line."""
    label = term.label
    if label is None:
        return
    if label.figures and not (label.columns and group is not None):
        for figure in label.figures[:1]:
            value = sink.read(term.num, figure, told=True)
            if value is None:
                continue
            line = sink.lex.line
            if group is not None and line and line not in group.bound and value.sure == row_product(sink.lex, group):
                bind_column(sink, group, line, value, term, place, labelled=True)
                return
            sink.put(None, figure, value, place.strength, term.num.start, labelled=True, scope=place.scope,
                     corrected=place.corrected, backup=term.aside)  # fmt: skip
        return
    if group is None:
        return
    for column in label.columns[:1]:
        value = sink.read(term.num, column, told=True)
        if value is not None:
            bind_column(sink, group, column, value, term, place, labelled=True)


def row_product(lex: Lexicon, group: Group) -> frozenset[int]:
    """Return quantity times price of the group's row in minor units, if both are known."""
    count, price = group.bound.get(lex.qty or ""), group.bound.get(lex.price or "")
    if count is None or price is None or len(count.sure) != 1 or len(price.sure) != 1:
        return frozenset()
    return frozenset({min(count.sure) * min(price.sure)})


def place_expression(sink: Sink, group: Group | None, terms: list[Term], ops: list[str], place: Place) -> None:
    """Record the terms of one expression, `ops` being what stands between them."""
    if len(terms) == 1 or not ops:
        for term in terms:
            place_term(sink, group, term, place)
        return
    if "eq" in ops:
        _place_equation(sink, group, terms, ops, place)
    elif "at" in ops and not {term.num.kind for term in terms} <= {"bare", "count", "money"}:
        # "30 ml at 35 minutes" tells two values, not a quantity and a price
        for term in terms:
            place_term(sink, group, term, place)
    elif set(ops) <= {"times", "at"}:
        _place_product(sink, group, terms, place)
    elif set(ops) & {"times", "plus", "at"}:
        # a sum without its result commits only the terms that carry their own label
        if all(term.label is not None for term in terms):
            for term in terms:
                bind_labelled(sink, group, term, place)
    else:
        _place_alternatives(sink, group, terms, ops, place)


def _place_equation(sink: Sink, group: Group | None, terms: list[Term], ops: list[str], place: Place) -> None:
    last_eq = len(ops) - 1 - ops[::-1].index("eq")
    before = ops[:last_eq]
    start = len(before) - before[::-1].index("eq") if "eq" in before else 0
    parts, result = terms[start : last_eq + 1], terms[-1]
    first, own = terms[0].label, [term.label for term in parts]
    if result.label is None and first is not None and (first.colon or None in own):
        result.label, terms[0].label = first, None
    if all(label is not None for label in own[1:]):
        for term in parts:
            bind_labelled(sink, group, term, place)
    inner = before[start:]
    if group is not None and _is_product(inner):
        _place_product(sink, group, parts, place)
        if result.label is None and sink.lex.line and len(group.rows) == 1:
            value = sink.read(result.num, sink.lex.line, told=True)
            if value is not None:
                bind_column(sink, group, sink.lex.line, value, result, place, labelled=True)
            return
    elif result.label is None and group is not None and inner and set(inner) <= {"dash", "plus"}:
        place_term(sink, group, result, place)
        return
    if result.label is not None:
        bind_labelled(sink, group, result, place)


def _is_product(ops: list[str]) -> bool:
    return ops in (["times"], ["at"])


def _place_product(sink: Sink, group: Group | None, terms: list[Term], place: Place) -> None:
    """Record quantity and price of `10 × 680`; without any mark on either the two orders are both allowed."""
    lex = sink.lex
    if group is None:
        return
    if len(terms) != 2 or not lex.qty:
        return
    left, right = terms
    if left.label or right.label:
        for term in terms:
            if term.label:
                bind_labelled(sink, group, term, place)
            else:
                group.loose.append(term)
        return
    if "percent" in {left.num.kind, right.num.kind}:
        return
    money_left = _is_price(left) or right.num.kind == "count"
    money_right = _is_price(right) or left.num.kind == "count"
    if money_left == money_right:
        if lex.price and lex.price in lex.fields:
            _place_unordered(sink, group, left, right, place)
        return
    count, price = (right, left) if money_left else (left, right)
    value = sink.read(count.num, lex.qty, told=True)
    if value is not None and lex.qty not in group.bound:
        bind_column(sink, group, lex.qty, value, count, place, labelled=True)
    value = sink.read(price.num, lex.price, told=True) if lex.price else None
    if value is not None and lex.price and lex.price not in group.bound:
        bind_column(sink, group, lex.price, value, price, place, labelled=True)


def _is_price(term: Term) -> bool:
    return term.each or term.num.amount.denominator != 1 or term.num.kind not in {"bare", "count"}


def _place_unordered(sink: Sink, group: Group, left: Term, right: Term, place: Place) -> None:
    lex = sink.lex
    for column in (lex.qty, lex.price):
        if column is None or column in group.bound:
            continue
        readings = [sink.read(term.num, column, told=True) for term in (left, right)]
        sure = frozenset().union(*(value.sure for value in readings if value is not None))
        if sure:
            bind_column(sink, group, column, Value(sure, unordered=True), left, place, labelled=True)


def _place_alternatives(sink: Sink, group: Group | None, terms: list[Term], ops: list[str], place: Place) -> None:
    """Record `12 / 14 / 10`: for one label that is no single value; in a row it may be the columns in order."""
    label = terms[0].label or (group.sticky if group is not None else None)
    if label is not None and all(term.label is None for term in terms[1:]):
        fields = label.columns if group is not None and label.columns else label.figures
        for name in fields[:1]:
            values = [sink.read(term.num, name, told=True) for term in terms]
            kept = [value for value in values if value is not None]
            if len({value.sure for value in kept}) > 1:
                if name in sink.lex.columns and group is not None:
                    bind_column(sink, group, name, OFF_GRID, terms[0], place, labelled=True)
                elif name not in sink.lex.columns:
                    sink.put(None, name, OFF_GRID, place.strength, terms[0].num.start, labelled=True,
                             scope=place.scope, corrected=place.corrected)  # fmt: skip
                return
    if group is not None and label is None:
        free = [column for column in sink.lex.requested if column not in group.bound]
        fits = [c for c in free if all(sink.read(term.num, c, told=False) is not None for term in terms)]
        if len(terms) > len(free) and fits:
            bind_column(sink, group, fits[0], OFF_GRID, terms[0], place, labelled=True)
            return
    for term in terms:
        place_term(sink, group, term, place)


def place_term(sink: Sink, group: Group | None, term: Term, place: Place) -> None:
    """Record one number: by its label, by "each", or as one that waits for its row's others."""
    if group is not None and group.apart and len(group.rows) > 1 and _place_in_turn(sink, group, term, place):
        return
    if term.label is not None:
        bind_labelled(sink, group, term, place)
        return
    counted = sink.lex.words.get(term.num.unit) if term.num.unit else None
    if counted is not None and counted.figures and not counted.columns:
        # "140 guests": the unit is the figure's own name
        term.label = Label((), counted.figures)
        bind_labelled(sink, group, term, place)
        return
    if group is None:
        return
    lex = sink.lex
    if group.only_labelled and term.num.kind == "bare":
        return
    if term.each and lex.price and term.num.kind not in _NO_PRICE:
        value = sink.read(term.num, lex.price, told=True)
        if value is not None:
            bind_column(sink, group, lex.price, value, term, place, labelled=True)
        return
    if group.sticky is not None:
        term.label = group.sticky
        bind_labelled(sink, group, term, place)
        return
    if not term.foreign:
        group.loose.append(term)


def _place_in_turn(sink: Sink, group: Group, term: Term, place: Place) -> bool:
    """Record the n-th number after "数量分别为" for the n-th row; False if no column's label leads the numbers."""
    if term.label is not None and term.label.columns:
        group.queue, group.turn = term.label, 0
    if group.queue is None or group.turn >= len(group.rows) or (term.label and not term.label.columns):
        return False
    row = Group((group.rows[group.turn],), group.strength, scope=group.scope)
    term.label = group.queue
    group.turn += 1
    bind_labelled(sink, row, term, place)
    return True
