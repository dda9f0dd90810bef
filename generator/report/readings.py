"""What a reply said where it missed: the value that the checks read, and the failures that would give it."""

from __future__ import annotations

from collections.abc import Iterator

from generator.records import Item, Key, Reply, Result, Verdict
from generator.report.values import field_of, show_value
from generator.scoring.checks import ReplyContext, view_of

_CELLS = frozenset({"cell", "scoped_cell", "figure"})


def taken_failures(key: Key, reply: Reply | None, result: Result) -> dict[str, tuple[str, ...]] | None:
    """Return missed item → failures whose wrong value the reply gives there.

    None where there is nothing to look into: no sheet, or no reply that was checked.
    """
    if result.importance is None or result.status != "ok" or reply is None or view_of(key.state) is None:
        return None
    found: dict[str, tuple[str, ...]] = {}
    for item, values in _missed(key, reply, result):
        found[item.id] = tuple(a.name for a in key.alternatives if a.value.get(item.truth_path) in values)
    for item in key.items:
        if item.check == "absent" and result.items.get(item.id) == Verdict.MISS:
            row = item.truth_path.removesuffix("absent")
            lists_it = [a for a in key.alternatives if any(p.startswith(row) for p in a.value if p != item.truth_path)]
            found[item.id] = tuple(a.name for a in lists_it)
    return found


def read_as(key: Key, reply: Reply | None, result: Result | None) -> tuple[tuple[str, str], ...]:
    """Return (item id, value in words) for every missed item of a sheet that the reply has a value for."""
    if result is None or result.importance is None or result.status != "ok" or reply is None:
        return ()
    view = view_of(key.state)
    if view is None:
        return ()
    return tuple(
        (item.id, " or ".join(show_value(value, field_of(item, view), view) for value in sorted(values)))
        for item, values in _missed(key, reply, result)
        if values
    )


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
