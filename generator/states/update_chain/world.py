"""Worlds of Mode III: content of `ground_truth/update_chains/<lang>/<world>.yaml`."""

from __future__ import annotations

import datetime as dt
from functools import cached_property
from typing import Literal

import networkx as nx
from pydantic import ConfigDict, Field, model_validator

from generator.records import Family, Frozen, Lang, Split

Human = int | float | str
REASON_KINDS = (
    "set", "adjust.up", "adjust.down", "percent.up", "percent.down", "copy", "swap", "revert.prev", "revert.first",
    "cancel", "restore", "bulk", "bulk.up", "bulk.down", "scoped", "correct",
)  # fmt: skip
Op = Literal[
    "product", "sum", "add", "subtract", "percent", "count_rows", "earliest", "latest", "shift", "workdays_before",
    "workdays_after",
]  # fmt: skip


class FieldDef(Frozen):
    """A base field of every row.

    labels: column heads, the usual one first. names: what people call it in a clause.
    step: the trade's smallest sensible step. changes: by how much it is usually moved.
    All numbers are as people write them (yuan, not fen; "08:30"; "05-03").
    """

    id: str = Field(pattern=r"^[a-z_]+$")
    family: Literal["count", "money", "measure", "clock", "date"]
    labels: tuple[str, ...] = Field(min_length=1)
    names: tuple[str, ...] = Field(min_length=1)
    units: tuple[str, ...] = ()
    scale: int = 1
    step: int | float
    changes: tuple[int | float, ...] = Field(min_length=2)
    percents: tuple[int, ...] = ()
    workday: bool = False


class ItemDef(Frozen):
    """A row: names (full first), classifier, and the band of each field in the trade."""

    id: str = Field(pattern=r"^[a-z_]+$")
    names: tuple[str, ...] = Field(min_length=1)
    classifier: str = ""
    bands: dict[str, tuple[Human, Human]]


class Derived(Frozen):
    """A column or figure that follows from others. `round` names the unit it is rounded to."""

    id: str = Field(pattern=r"^[a-z_]+$")
    labels: tuple[str, ...] = Field(min_length=1)
    family: Family
    op: Op
    args: tuple[str, ...]
    units: tuple[str, ...] = ()
    round: Literal["unit"] | None = None


class RuleDef(Frozen):
    """A number that a derived value depends on and that the dialogue must state.

    family percent (5 is 5 %), or measure (days, people) with `units`. forms hold one slot
    named by the rule's id; `again` are wordings for a later change of the same rule.
    """

    id: str = Field(pattern=r"^[a-z_]+$")
    family: Literal["percent", "measure"]
    units: tuple[str, ...] = ()
    values: tuple[int, ...] = Field(min_length=2)
    forms: tuple[str, ...] = Field(min_length=3)
    again: tuple[str, ...] = Field(min_length=3)


class ConditionDef(Frozen):
    """Something undecided: `said` are clauses for "if …", met and unmet are whole sentences.

    fields: which fields it may decide; all, if none is named.
    """

    id: str = Field(pattern=r"^[a-z_]+$")
    fields: tuple[str, ...] = ()
    said: tuple[str, ...] = Field(min_length=2)
    met: tuple[str, ...] = Field(min_length=3)
    unmet: tuple[str, ...] = Field(min_length=3)


class ScopeDef(Frozen):
    """A batch or a day that a change may be limited to."""

    id: str = Field(pattern=r"^[a-z_]+$")
    names: tuple[str, ...] = Field(min_length=1)


class Chat(Frozen):
    """One exchange of chat: interchangeable wordings of each side."""

    user: tuple[str, ...] = Field(min_length=2)
    assistant: tuple[str, ...] = Field(min_length=2)


class NearTopic(Frozen):
    """A near-domain distractor: forms with an owner, read as foreign, and what follows."""

    families: tuple[Literal["count", "money", "measure", "clock", "date"], ...] = Field(min_length=1)
    forms: tuple[str, ...] = Field(min_length=2)
    assistant: tuple[str, ...] = Field(min_length=2)
    follow: tuple[Chat, ...] = ()


class Clarify(Frozen):
    """A question of the assistant and answers that also stand without it."""

    ask: tuple[str, ...] = Field(min_length=2)
    answer: tuple[str, ...] = Field(min_length=2)
    thanks: tuple[str, ...] = Field(min_length=2)


class RequestDef(Frozen):
    """What the last turn may ask for. `{{ rows|rows }}` stands for the rows of a partial request."""

    id: str = Field(pattern=r"^[a-z_]+$")
    kind: Literal["sheet", "part", "message"]
    columns: tuple[str, ...]
    figures: tuple[str, ...] = ()
    texts: tuple[str, ...] = Field(min_length=2)
    before: tuple[str, ...] = ()
    after: tuple[str, ...] = ()


class World(Frozen):
    """One trade: what is counted, what follows from it, and how people there talk."""

    model_config = ConfigDict(frozen=True, extra="forbid", strict=False)

    id: str = Field(pattern=r"^[a-z_]+$")
    lang: Lang
    split: Split
    title: str
    currency: str
    year: int = 2027
    days: tuple[str, str] = ("03-01", "10-30")
    says_today: tuple[str, ...] = ()
    fields: tuple[FieldDef, ...] = Field(min_length=2, max_length=4)
    items: tuple[ItemDef, ...] = Field(min_length=8)
    columns: tuple[Derived, ...] = ()
    figures: tuple[Derived, ...] = ()
    rules: tuple[RuleDef, ...] = ()
    conditions: tuple[ConditionDef, ...] = Field(min_length=4)
    owners: tuple[str, ...] = Field(min_length=6)
    scopes: tuple[ScopeDef, ...] = Field(min_length=2)
    openings: tuple[str, ...] = Field(min_length=6)
    intros: tuple[str, ...] = Field(min_length=12)
    reasons: dict[str, tuple[str, ...]]
    asides: tuple[str, ...] = Field(min_length=12)
    near: tuple[NearTopic, ...] = Field(min_length=4)
    clarify: tuple[Clarify, ...] = Field(min_length=3)
    requests: tuple[RequestDef, ...] = Field(min_length=6)

    @model_validator(mode="after")
    def _names_resolve(self) -> World:
        fields = {f.id for f in self.fields}
        nodes = fields | {c.id for c in self.columns} | {f.id for f in self.figures} | {r.id for r in self.rules}
        for derived in (*self.columns, *self.figures):
            missing = [a for a in derived.args if a not in nodes]
            if missing:
                raise ValueError(f"{derived.id}: unknown argument {missing[0]!r}")
        for item in self.items:
            if set(item.bands) != fields:
                raise ValueError(f"item {item.id}: bands must name exactly the fields {sorted(fields)}")
        shown = fields | {c.id for c in self.columns}
        for request in self.requests:
            unknown = [c for c in request.columns if c not in shown] + [
                f for f in request.figures if f not in {x.id for x in self.figures}
            ]
            if unknown:
                raise ValueError(f"request {request.id}: unknown column or figure {unknown[0]!r}")
            if request.kind == "part" and not all("rows|rows" in t.replace(" ", "") for t in request.texts):
                raise ValueError(f"request {request.id}: a partial request must hold {{{{ rows|rows }}}}")
        bad = [k for k in self.reasons if k.split("@")[0] not in REASON_KINDS]
        if bad:
            raise ValueError(
                f"reasons: unknown kind {bad[0]!r}; known are {', '.join(REASON_KINDS)}, each with @field or not"
            )
        if not nx.is_directed_acyclic_graph(self.graph):
            raise ValueError("columns and figures depend on each other in a circle")
        return self

    @cached_property
    def graph(self) -> nx.DiGraph[str]:
        """The dependency graph over fields, columns, figures and rules."""
        graph: nx.DiGraph[str] = nx.DiGraph()
        graph.add_nodes_from(f.id for f in self.fields)
        for derived in (*self.columns, *self.figures):
            graph.add_edges_from((argument, derived.id) for argument in derived.args)
            graph.add_node(derived.id)
        return graph

    @cached_property
    def order(self) -> tuple[str, ...]:
        """Derived ids, arguments before what follows from them."""
        derived = {d.id for d in (*self.columns, *self.figures)}
        return tuple(n for n in nx.lexicographical_topological_sort(self.graph) if n in derived)

    @cached_property
    def closure(self) -> dict[str, frozenset[str]]:
        """Each column and figure with every derived value that it follows from, itself included."""
        derived = {d.id for d in (*self.columns, *self.figures)}
        return {name: frozenset((nx.ancestors(self.graph, name) | {name}) & derived) for name in derived}

    @cached_property
    def field_by_id(self) -> dict[str, FieldDef]:
        """Base fields by id."""
        return {f.id: f for f in self.fields}

    @cached_property
    def item_by_id(self) -> dict[str, ItemDef]:
        """Rows by id."""
        return {i.id: i for i in self.items}

    @cached_property
    def derived_by_id(self) -> dict[str, Derived]:
        """Columns and figures by id."""
        return {d.id: d for d in (*self.columns, *self.figures)}


def to_typed(family: Family, scale: int, year: int, value: Human) -> int:
    """Return a human number as a typed integer.

    Raises:
        ValueError: A time or date is not written as "HH:MM" or "MM-DD".
    """
    if family == "clock":
        hour, minute = str(value).split(":")
        return int(hour) * 60 + int(minute)
    if family == "date":
        month, day = str(value).split("-")
        return dt.date(year, int(month), int(day)).toordinal()
    factor = {"count": 1, "money": 100, "measure": scale, "percent": 100}[family]
    return round(float(value) * factor)
