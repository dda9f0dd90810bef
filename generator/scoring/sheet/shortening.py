"""Shorter English names that a reply may use: without the word that many rows share, the container or the unit."""

from __future__ import annotations

from collections import Counter

from generator.records import SheetView
from generator.scoring.sheet.text import fold, variants
from generator.scoring.sheet.units import CONTAINERS, SUM_WORDS

_SUM_LABELS = ("total", "in total", "in all", "overall total")
_MIN_CHARS = 3


def _stem(word: str) -> str:
    return min(variants(word, "en"), key=lambda form: (len(form), form))


def short_rows(view: SheetView) -> list[tuple[str, str]]:
    """Return pairs of a short name and the row it alone stands for: "asthma" for "asthma clinic".

    A name loses its last word only where other rows end in that word too, or where the word is a container;
    what two rows could be shortened to is left out.
    """
    if view.lang != "en":
        return []
    names = [(row.id, fold(name, "en").split()) for row in view.rows for name in row.names]
    shared = Counter(last for _, last in {(row, _stem(words[-1])) for row, words in names if words})
    found: dict[str, set[str]] = {}
    for row, words in names:
        short = " ".join(words[:-1])
        head = _stem(words[-1]) if words else ""
        if len(short) >= _MIN_CHARS and (shared[head] > 1 or head in CONTAINERS):
            found.setdefault(short, set()).add(row)
    return [(short, min(rows)) for short, rows in found.items() if len(rows) == 1]


def short_labels(view: SheetView) -> list[tuple[str, str]]:
    """Return pairs of a short label and its figure: "same-day" for "same-day slots", "total" for the one total."""
    if view.lang != "en":
        return []
    found: dict[str, set[str]] = {}
    totals = set[str]()
    for figure in view.figures:
        units = {fold(unit, "en") for unit in figure.units}
        for label in (fold(label, "en") for label in figure.labels):
            words = label.split()
            if len(words) > 1 and words[-1] in units and words[:-1] != ["total"]:
                found.setdefault(" ".join(words[:-1]), set()).add(figure.id)
            if SUM_WORDS.search(label):
                totals.add(figure.id)
    pairs = [(short, min(ids)) for short, ids in found.items() if len(ids) == 1]
    if len(totals) == 1 and not any(figure.family == "money" for figure in view.figures):
        pairs += [(label, min(totals)) for label in _SUM_LABELS]
    return pairs + _overlaps(view)


def _overlaps(view: SheetView) -> list[tuple[str, str]]:
    """Return "monthly rent roll" for the figure "rent roll" where "monthly rent" is a column's label."""
    found = []
    for figure in view.figures:
        for last in (fold(label, "en").split() for label in figure.labels):
            for column in view.columns:
                for first in (fold(label, "en").split() for label in column.labels):
                    for size in range(1, min(len(first), len(last))):
                        if first[-size:] == last[:size]:
                            found.append((" ".join(first + last[size:]), figure.id))
    return found
