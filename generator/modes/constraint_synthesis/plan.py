"""Plan an update chain: gadgets on reserved rows, a control row, filler; state kept as it goes."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from generator.modes.constraint_synthesis.moves import MOST_CHANGES, Moves, PlanError, Track
from generator.records import Event
from generator.states.update_chain.chain import Request
from generator.states.update_chain.world import RequestDef

# Which steps make a gadget. Each leaves the cell on a value of its own for its failure:
# a relative change after the trap keeps the trap's effect visible to the end.
GADGETS: dict[str, tuple[tuple[str, ...], ...]] = {
    "stale-value": (("adjust",), ("set",), ("percent",), ("waver",), ("adjust", "adjust")),
    "ignores-retractions": (
        ("set", "revert.prev", "adjust"),
        ("set", "correct", "adjust"),
        ("adjust", "revert.prev", "adjust"),
    ),
    "takes-hypothetical": (
        ("hypo", "adjust"),
        ("cond", "cond.unmet", "adjust"),
        ("hypo", "bulk"),
        ("hearsay", "adjust"),
    ),
    "misses-bulk": (("bulk", "adjust"),),
    "wrong-scope": (("scoped", "adjust"), ("foreign", "adjust")),
}
FILLER: tuple[tuple[int, tuple[str, ...]], ...] = (
    (6, ("adjust",)), (3, ("set",)), (3, ("percent",)), (1, ("waver",)), (2, ("copy",)), (2, ("swap",)),
    (2, ("cond", "cond.met")), (1, ("cond", "cond.unmet")), (2, ("cancel",)), (2, ("cancel", "restore")),
    (2, ("set", "correct")), (2, ("set", "revert.prev", "set")), (2, ("adjust", "set", "revert.first")),
    (2, ("scoped",)), (2, ("hypo", "adjust")), (3, ("adjust", "adjust")), (1, ("foreign",)),
)  # fmt: skip


@dataclass(frozen=True)
class Planned:
    """A chain before it is cut into turns.

    welded: indices of events that must be said right after the one before them.
    gadgets: mechanism -> the cell (`row.field`) on which it shows.
    """

    events: tuple[Event, ...]
    request: Request
    welded: frozenset[int]
    gadgets: dict[str, str]
    control: str


class Planner(Moves):
    """Draws one chain: what is to happen to which row, and in which order it is said."""

    def plan(self, steps: int, rows: int, mechanisms: Sequence[str]) -> Planned:
        """Return a chain of about `steps` events besides introductions, over `rows` rows.

        Raises:
            PlanError: The draws do not fit together.
        """
        request = self.rng.choice([r for r in self.world.requests if r.columns])
        fields = self._askable(request)
        items = [i.id for i in self.world.items]
        self.rng.shuffle(items)
        items = items[:rows]
        self.control, reserved, rest = items[0], items[1 : 1 + len(mechanisms)], items[1 + len(mechanisms) :]
        self.tags = [c.id for c in self.world.conditions]
        tracks = [self._gadget(m, item, fields) for m, item in zip(mechanisms, reserved, strict=True)]
        tracks += self._filler(rest, fields, steps - sum(len(t.steps) for t in tracks))
        gadgets = {t.owner: f"{t.item}.{t.field}" for t in tracks if t.owner}
        self._play(items, tracks, self._rules(request))
        shown = self._rows_asked(request, items, gadgets)
        return Planned(
            tuple(self.events),
            Request(id=request.id, rows=shown, columns=request.columns, figures=request.figures),
            frozenset(self.welded),
            gadgets,
            self.control,
        )

    def _askable(self, request: RequestDef) -> list[str]:
        """Fields that a requested column shows or follows from."""
        graph = self.world.graph
        return [
            f.id
            for f in self.world.fields
            if f.id in request.columns or any(f.id in graph.pred[c] for c in request.columns if c in graph)
        ]

    def _rows_asked(self, request: RequestDef, items: list[str], gadgets: dict[str, str]) -> tuple[str, ...]:
        if request.kind != "part":
            return ()
        kept = {cell.split(".")[0] for cell in gadgets.values()} | {self.control}
        live = [i for i in items if i not in self.sheet.cancelled and (i in kept or self.rng.random() < 0.55)]
        order = [i.id for i in self.world.items]
        return tuple(sorted(live, key=order.index))

    def _gadget(self, mechanism: str, item: str, fields: list[str]) -> Track:
        options = GADGETS[mechanism]
        cell = self.rng.choice([f for f in fields if mechanism != "misses-bulk" or self._is_bulkable(f)] or fields)
        fitting = [
            o
            for o in options
            if ("percent" not in o or self.world.field_by_id[cell].percents)
            and ("bulk" not in o or self._is_bulkable(cell))
        ]
        if not fitting:
            raise PlanError(f"no gadget for {mechanism} on {cell}")
        return self._track(item, cell, self.rng.choice(fitting), mechanism)

    def _is_bulkable(self, name: str) -> bool:
        """Whether people would change the field of all rows at once: there is one word for the amount."""
        field = self.world.field_by_id[name]
        return bool(field.percents) or field.family != "count" or bool(field.units)

    def _filler(self, items: list[str], fields: list[str], steps: int) -> list[Track]:
        if not items:
            raise PlanError("no row for filler")
        weights = [w for w, _ in FILLER]
        # One track a cell: what happens to a cell is told as one story.
        cells = [(item, name) for item in items for name in fields]
        self.rng.shuffle(cells)
        tracks: list[Track] = []
        for item, name in cells:
            if steps <= 0:
                break
            for kinds in (k for _, k in self.rng.choices(FILLER, weights, k=4)):
                if self._suits(kinds, name, len(items), tracks):
                    tracks.append(self._track(item, name, kinds, ""))
                    steps -= len(kinds)
                    break
        return tracks

    def _suits(self, kinds: tuple[str, ...], name: str, rows: int, tracks: list[Track]) -> bool:
        if "percent" in kinds and not self.world.field_by_id[name].percents:
            return False
        if kinds == ("cancel",):
            # A list keeps most of its rows.
            return rows >= 3 and not any(t.steps == ["cancel"] for t in tracks)
        return "cond" not in kinds or any(
            c.id in self.tags and (not c.fields or name in c.fields) for c in self.world.conditions
        )

    def _track(self, item: str, cell: str, kinds: Sequence[str], owner: str) -> Track:
        tag = ""
        if "cond" in kinds:
            fitting = [c for c in self.world.conditions if c.id in self.tags and (not c.fields or cell in c.fields)]
            if not fitting:
                raise PlanError("no condition left")
            tag = self.rng.choice(fitting).id
            self.tags.remove(tag)
        return Track(item, cell, list(kinds), owner, tag)

    def _rules(self, request: RequestDef) -> list[Event]:
        wanted: list[str] = []
        rules = {r.id: r for r in self.world.rules}
        queue = list(request.figures)
        while queue:
            name = queue.pop()
            derived = self.world.derived_by_id.get(name)
            if derived is not None:
                queue += list(derived.args)
            elif name in rules and name not in wanted:
                wanted.append(name)
        events = []
        for name in sorted(wanted):
            rule = rules[name]
            factor = 100 if rule.family == "percent" else 1
            values = self.rng.sample(rule.values, 2)
            events.append(Event("rule", tag="first", values=((name, values[0] * factor),)))
            if self.rng.random() < 0.35:
                events.append(Event("rule", tag="again", values=((name, values[1] * factor),)))
        return events

    def _play(self, items: list[str], tracks: list[Track], rules: list[Event]) -> None:
        """Say everything in an order that keeps each track's own."""
        rng = self.rng
        self.tracks = tracks
        opening = items.copy()
        rng.shuffle(opening)
        start = min(len(opening), rng.choice([2, 2, 3]))
        for item in opening[:start]:
            self._introduce(item)
        waiting = opening[start:]
        current: Track | None = None
        while tracks or waiting or rules:
            if waiting and ((len(self.events) < 2 * len(items) and rng.random() < 0.5) or not self._ready(tracks)):
                self._introduce(waiting.pop(0))
                if waiting and rng.random() < 0.5:
                    self._introduce(waiting.pop(0))
                continue
            if (rules and rng.random() < 0.12) or not tracks:
                if rules:
                    self._say(rules.pop(0))
                else:
                    self._introduce(waiting.pop(0))
                continue
            ready = self._ready(tracks)
            if not ready:
                self._give_up(
                    [t for t in tracks if not t.owner and t.steps[0] not in {"restore", "cond.met", "cond.unmet"}]
                )
                continue
            if current is None or current not in ready or rng.random() > 0.35:
                current = rng.choice(ready)
            try:
                self._step(current)
            except PlanError:
                if current.owner or current.tag:
                    raise
                current.steps.clear()
                self.locked.pop((current.item, current.field), None)
            if not current.steps:
                tracks.remove(current)
                current = None

    def _give_up(self, blocked: list[Track]) -> None:
        """Drop the first filler track that cannot go on."""
        if not blocked:
            raise PlanError("the tracks block each other")
        self.tracks.remove(blocked[0])
        self.locked.pop((blocked[0].item, blocked[0].field), None)

    def _ready(self, tracks: list[Track]) -> list[Track]:
        return [t for t in tracks if t.item in self.sheet.rows and self._may(t)]

    def _may(self, track: Track) -> bool:
        kind = track.steps[0]
        cell = (track.item, track.field)
        if kind == "restore":
            return True
        if track.item in self.sheet.cancelled:
            return False
        held = self.locked.get(cell)
        if held is not None and held is not track:
            return False
        if kind == "bulk":
            return self._may_bulk(track.field, track)
        if kind in {"copy", "cancel"} and track.steps[1:] != ["restore"]:
            # What is copied may not move again, and nothing may be changed in bulk while a row is off.
            return not any("bulk" in t.steps for t in self.tracks)
        return True

    def _may_bulk(self, name: str, track: Track) -> bool:
        affected = self._bulk_rows(name)
        return (
            not self.sheet.cancelled
            and len(affected) >= 2
            and not any(cell[1] == name and owner is not track for cell, owner in self.locked.items())
            and not any((i, name) in self.frozen for i in affected)
            and all(self.changes.get((i, name), 0) < MOST_CHANGES for i in affected)
        )
