"""Checks of plain answers: `plain.amount`, `plain.time`, and so on, one for each kind of answer."""

from __future__ import annotations

from generator.records import Item, SheetView, Verdict
from generator.scoring.checks import ReplyContext, register
from generator.scoring.plain.answers import KINDS, Given, is_same, kind_of, read_given, target_of


def given_in(item: Item, context: ReplyContext) -> Given:
    """Return what a reply gives for an item, read once however often it is asked for."""
    place = f"plain/{item.id}"
    if place not in context.memo:
        context.memo[place] = read_given(item, context.text)
    found = context.memo[place]
    assert isinstance(found, Given)
    return found


def check_plain(item: Item, context: ReplyContext, view: SheetView | None) -> Verdict:
    """Return whether the reply gives the right answer; params value or values, and what reading needs.

    Unsure: nothing could be read from a reply that says something and does not decline. Where the key's answer is
    that there is none, only a person can tell whether the reply says so.
    """
    given, target = given_in(item, context), target_of(item)
    if given.value is None:
        is_open = not given.is_blank and (target is None or not given.abstains)
        return Verdict.UNSURE if is_open else Verdict.MISS
    return Verdict.HIT if is_same(kind_of(item), given.value, target) else Verdict.MISS


for _kind in KINDS:
    register(f"plain.{_kind}")(check_plain)
