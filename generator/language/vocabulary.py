"""What a world calls things: the public vocabulary that the reader is given."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from generator.records import Family, Lang


@dataclass(frozen=True)
class ItemName:
    """An item: its names (the full one first) and, in Chinese, its classifier."""

    id: str
    names: tuple[str, ...]
    classifier: str = ""


@dataclass(frozen=True)
class FieldName:
    """A field: what it is called, its family, and the words that follow its numbers.

    `units` are surface words ("度", "minutes"), the usual one first. A count field without
    units takes the classifier of its item. `scale` is the divisor of a measure, 100 for money.
    """

    id: str
    family: Family
    names: tuple[str, ...]
    units: tuple[str, ...] = ()
    scale: int = 1
    is_rule: bool = False


@dataclass(frozen=True)
class Vocabulary:
    """The words of one world. `conditions` and `scopes` map an id to its wordings.

    An `@` in an owner stands for a short family or first name, drawn when it is said.
    """

    lang: Lang
    year: int
    currency: str
    items: tuple[ItemName, ...]
    fields: tuple[FieldName, ...]
    owners: tuple[str, ...] = ()
    conditions: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    scopes: Mapping[str, tuple[str, ...]] = field(default_factory=dict)

    def field_of(self, field_id: str) -> FieldName:
        """Return a field by id.

        Raises:
            KeyError: There is none.
        """
        for entry in self.fields:
            if entry.id == field_id:
                return entry
        raise KeyError(field_id)

    def item_of(self, item_id: str) -> ItemName:
        """Return an item by id.

        Raises:
            KeyError: There is none.
        """
        for entry in self.items:
            if entry.id == item_id:
                return entry
        raise KeyError(item_id)

    def fields_of(self, family: str) -> list[FieldName]:
        """Return the fields of items of one family, in order; rules are left out."""
        return [entry for entry in self.fields if entry.family == family and not entry.is_rule]

    def units_of(self, family: str) -> set[str]:
        """Return every unit word of one family, of rules as well."""
        return {unit for entry in self.fields if entry.family == family for unit in entry.units}
