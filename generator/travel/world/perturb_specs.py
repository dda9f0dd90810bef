"""What a perturbation is: content of `templates/perturbations/*.yaml`, what rests on a world, and the log."""

from __future__ import annotations

from typing import Annotated, Any, Literal, NamedTuple

from pydantic import ConfigDict, Field

from generator.content import ContentRoot
from generator.errors import GenError
from generator.records import Frozen, Lang, canonical_json
from generator.travel.world.schema import Attraction, Hotel, Restaurant, Row, Table, Train, World, table_of

FOLDER = "templates/perturbations"
Kind = Literal["inert", "variant"]
# What may happen to a table: one of its fields changes, rows come or go, their order changes.
Touch = Literal[
    "id", "name", "origin", "destination", "address", "x", "y", "fee", "rooms", "per_head", "fares", "departs",
    "arrives", "hours", "rows-added", "rows-dropped", "order",
]  # fmt: skip


class Spec(Frozen):
    """What every perturbation declares.

    kind: `inert` leaves alone whatever an answer may rest on; after a `variant` answers are derived again.
    touches: by table (or `area`), all that may change; anything else is a fault of the program.
    """

    model_config = ConfigDict(frozen=True, extra="forbid", strict=True, populate_by_name=True)

    name: str = Field(pattern=r"^[a-z][a-z-]*$")
    kind: Kind = Field(alias="class")
    does: str = Field(min_length=1)
    strength: str = Field(min_length=1)
    touches: dict[Table | Literal["area"], tuple[Touch, ...]]


class Rename(Spec):
    """New names. `generic` patterns serve kinds that no town knows; `{kind}` is the kind itself."""

    operator: Literal["rename"]
    generic: dict[Lang, tuple[str, ...]]
    stations: dict[Lang, tuple[str, ...]]


class Move(Spec):
    """The whole map shifted, and turned by quarters if `turn`; or every place by itself, by up to `jitter`."""

    operator: Literal["move"]
    shift: int = Field(default=0, ge=0, le=100_000)
    turn: bool = False
    jitter: int = Field(default=0, ge=0, le=1_000)


class Reprice(Spec):
    """Prices changed by up to the share `by`."""

    operator: Literal["reprice"]
    by: float = Field(gt=0, lt=1)


class Retime(Spec):
    """Trains moved by up to `minutes`."""

    operator: Literal["retime"]
    minutes: int = Field(gt=0, le=120)


class Stretch(Spec):
    """Opening and closing moved by up to `minutes`, in steps of `step`."""

    operator: Literal["stretch"]
    minutes: int = Field(gt=0, le=240)
    step: int = Field(gt=0, le=60)


class Reorder(Spec):
    """Rows listed in another order."""

    operator: Literal["reorder"]


class ReId(Spec):
    """New ids."""

    operator: Literal["re_id"]


class AddRows(Spec):
    """Rows like those that are there; at most the share `share` of a table. `generic` as for `Rename`."""

    operator: Literal["add_rows"]
    share: float = Field(gt=0, le=5)
    generic: dict[Lang, tuple[str, ...]]


class DropRows(Spec):
    """Rows left out; at most the share `share` of a table."""

    operator: Literal["drop_rows"]
    share: float = Field(gt=0, lt=1)


AnySpec = Annotated[
    Rename | Move | Reprice | Retime | Stretch | Reorder | ReId | AddRows | DropRows, Field(discriminator="operator")
]


def load_perturbations(content: ContentRoot) -> dict[str, AnySpec]:
    """Return every perturbation by name.

    Raises:
        GenError: A file is faulty, or two have one name.
    """
    found: dict[str, AnySpec] = {}
    for file in content.files(FOLDER):
        spec: AnySpec = content.load(file, AnySpec)
        if spec.name in found:
            raise GenError(file, f"the name {spec.name!r} is used twice", "give one of them another name")
        found[spec.name] = spec
    return found


class Group(NamedTuple):
    """Places of a table, optionally of one area (id) and one kind (of a restaurant, its cuisine)."""

    table: Table
    area: str | None = None
    kind: str | None = None


class Stakes(NamedTuple):
    """The rows that answers rest on: by id, every train of a route, every place of a group."""

    ids: frozenset[str] = frozenset()
    routes: frozenset[tuple[str, str]] = frozenset()
    groups: frozenset[Group] = frozenset()

    def holds(self, row: Row) -> bool:
        """Return whether an answer rests on the row."""
        return row.id in self.ids or self.claims(row)

    def claims(self, row: Row) -> bool:
        """Return whether the row belongs to a route or a group: a new such row would change answers."""
        if isinstance(row, Train):
            return row.route in self.routes
        return any(
            group.table == table_of(row) and group.area in (None, row.area) and group.kind in (None, kind_of(row))
            for group in self.groups
        )

    def content(self, world: World) -> tuple[str, ...]:
        """Return what the rows say, without ids and order: what must not change under an inert perturbation."""
        held = [row.model_dump(mode="json", exclude={"id"}) for row in world.rows() if self.holds(row)]
        return tuple(sorted(map(canonical_json, held)))


def kind_of(row: Attraction | Hotel | Restaurant) -> str:
    """Return the kind of a place; of a restaurant, its cuisine."""
    return row.cuisine if isinstance(row, Restaurant) else row.kind


class Change(Frozen):
    """One change of one row. For rows added or dropped, `before` or `after` is None and the other the row."""

    table: Table | Literal["area"]
    id: str
    touch: Touch
    before: Any
    after: Any


class Applied(Frozen):
    """One perturbation as it was applied."""

    name: str
    kind: Kind
    strength: float
    changes: tuple[Change, ...]
    digest_before: str
    digest_after: str
