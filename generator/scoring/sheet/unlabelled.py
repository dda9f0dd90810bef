"""Numbers without a label: placed by order and family, and doubted where several columns would fit."""

from __future__ import annotations

from generator.scoring.sheet.binding import Group, Place, Term, bind_column
from generator.scoring.sheet.sink import Sink


def flush_group(sink: Sink, group: Group, place: Place, order: tuple[str, ...] | None) -> None:
    """Place what still waits: in order if one to one, else by family; what fits several columns is a doubt.

    Args:
        sink: Where mentions go.
        group: The rows and their waiting numbers, which are used up.
        place: How to record.
        order: Columns as a heading line gave them, None for the view's order.
    """
    if group.apart and len(group.rows) > 1:
        _flush_apart(sink, group, place)
        return
    for aside in (False, True):
        terms = [term for term in group.loose if term.aside == aside]
        if terms:
            _assign(sink, group, terms, place, order or sink.lex.requested)
    group.loose = []


def _flush_apart(sink: Sink, group: Group, place: Place) -> None:
    """Place "10 and 12 respectively": the n-th number belongs to the n-th row."""
    rows, terms = group.rows, group.loose
    group.loose = []
    if len(terms) % len(rows):
        return
    for index, row in enumerate(rows):
        part = Group((row,), group.strength, group.sticky, scope=group.scope)
        part.loose = terms[index :: len(rows)] if len(terms) == len(rows) else []
        flush_group(sink, part, place, None)


def _assign(sink: Sink, group: Group, terms: list[Term], place: Place, asked: tuple[str, ...]) -> None:
    free = [column for column in asked if column not in group.bound]
    if len(terms) == len(free):
        values = [sink.read(term.num, column, told=False) for term, column in zip(terms, free, strict=True)]
        if all(value is not None for value in values):
            _bind_in_order(sink, group, terms, free, place)
            return
    spare = [column for column in sink.lex.columns if column not in group.bound]
    marked = [term for term in terms if term.num.kind != "bare"]
    bare = [term for term in terms if term.num.kind == "bare"]
    for kind in dict.fromkeys(term.num.kind for term in marked):
        same = [term for term in marked if term.num.kind == kind]
        for pool in (free, spare):
            fits = [c for c in pool if c not in group.bound and sink.read(same[0].num, c, told=False) is not None]
            named = [c for c in fits if same[0].num.unit in sink.lex.fields[c].units]
            fits = named if len(named) == len(same) else fits
            if len(fits) == len(same):
                _bind_in_order(sink, group, same, fits, place)
                break
        else:
            _doubt(sink, group, same, free, place)
    if bare:
        left = [column for column in free if column not in group.bound]
        if len(left) == len(bare) and all(
            sink.read(t.num, c, told=False) is not None for t, c in zip(bare, left, strict=True)
        ):
            _bind_in_order(sink, group, bare, left, place)
        else:
            _doubt(sink, group, bare, left, place)


def _bind_in_order(sink: Sink, group: Group, terms: list[Term], columns: list[str], place: Place) -> None:
    for term, column in zip(terms, columns, strict=True):
        value = sink.read(term.num, column, told=False)
        if value is not None:
            bind_column(sink, group, column, value, term, place, labelled=False)


def _doubt(sink: Sink, group: Group, terms: list[Term], columns: list[str], place: Place) -> None:
    for term in terms:
        for column in columns:
            if column not in group.bound and (value := sink.read(term.num, column, told=False)) is not None:
                bind_column(sink, group, column, value, term, place, labelled=False, doubtful=True)
