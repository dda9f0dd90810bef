"""What every number of the report means, from the content folder."""

from __future__ import annotations

from collections.abc import Collection

from generator.content import ContentRoot
from generator.errors import GenError
from generator.records import Frozen

PLACE = "templates/pages/glossary.yaml"


class Term(Frozen):
    """One entry: `id` is what pages link to; `only` is the section that it belongs to, nothing for one of any page."""

    id: str
    name: str
    text: str
    only: str = ""


def load_glossary(root: ContentRoot, sections: Collection[str] = ()) -> dict[str, Term]:
    """Return the entries by id, in the order of the file; those of a section only where the page has it.

    Raises:
        GenError: The file is invalid or names an id twice.
    """
    entries: tuple[Term, ...] = root.load(PLACE, tuple[Term, ...])
    found: dict[str, Term] = {}
    for entry in entries:
        if entry.id in found:
            raise GenError(PLACE, f"two entries have the id {entry.id!r}", "join them")
        found[entry.id] = entry
    return {name: entry for name, entry in found.items() if not entry.only or entry.only in sections}
