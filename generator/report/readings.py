"""What a reply said where it missed: the value that the checks read, and the failures that would give it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from generator.records import Alternative, Item, Key, Reply, Result, Verdict
from generator.report.plain import is_plain, read_plain
from generator.report.values import field_of, show_value
from generator.scoring.checks import ReplyContext, view_of

_CELLS = frozenset({"cell", "scoped_cell", "figure"})


class Reading(NamedTuple):
    """A reply looked into once.

    taken: missed item → failures whose wrong value the reply gives there; None where there is nothing to look into
    (no sheet, or no reply that was checked). shown: (missed item, its value in words) where the reply has one.
    """

    taken: dict[str, tuple[str, ...]] | None
    shown: tuple[tuple[str, str], ...]


def look_into(key: Key, reply: Reply | None, result: Result | None) -> Reading:
    """Return what a reply says in place of the values that it missed."""
    view = view_of(key.state)
    if result is None or result.importance is None or result.status != "ok" or reply is None:
        return Reading(None, ())
    if view is None:
        return _look_plain(key, reply, result)
    taken: dict[str, tuple[str, ...]] = {}
    shown = []
    for item, values in _missed(key, reply, result):
        taken[item.id] = tuple(a.name for a in key.alternatives if a.value.get(item.truth_path) in values)
        if values:
            words = " or ".join(show_value(value, field_of(item, view), view) for value in sorted(values))
            shown.append((item.id, words))
    for item in key.items:
        if item.check == "absent" and result.items.get(item.id) == Verdict.MISS:
            taken[item.id] = tuple(a.name for a in key.alternatives if _lists(item, a))
    return Reading(taken, tuple(shown))


def _look_plain(key: Key, reply: Reply, result: Result) -> Reading:
    """Return what a reply answers plainly. Which failures that shows is among its tags."""
    missed = (i for i in key.items if is_plain(i) and result.items.get(i.id) == Verdict.MISS)
    return Reading(None, tuple((i.id, read_plain(i, key, reply)) for i in missed))


def _lists(item: Item, alternative: Alternative) -> bool:
    """Return whether a wrong answer has values in the row that must be absent."""
    row = item.truth_path.removesuffix("absent")
    return any(path.startswith(row) and path != item.truth_path for path in alternative.value)


def _missed(key: Key, reply: Reply, result: Result) -> Iterator[tuple[Item, frozenset[int]]]:
    """Yield each missed item of a cell or figure with the values that the reply states for it."""
    missed = [i for i in key.items if i.check in _CELLS and result.items.get(i.id) == Verdict.MISS]
    if not missed:
        return
    sheet = ReplyContext(reply.reply or "", view_of(key.state), key.items).sheet
    for item in missed:
        if item.check == "figure":
            cell = sheet.figure(item.params["figure"])
        elif item.check == "scoped_cell":
            cell = sheet.cell(item.params["row"], item.params["column"], item.params["scope_names"])
        else:
            cell = sheet.cell(item.params["row"], item.params["column"])
        yield item, (cell.value.sure or cell.value.maybe) | cell.others if cell else frozenset()
