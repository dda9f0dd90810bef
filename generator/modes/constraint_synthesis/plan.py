"""Plan an update chain: gadgets on reserved rows, a control row, filler; state kept as it goes."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from random import Random

from generator.language.people import People
from generator.modes.constraint_synthesis.amounts import Amounts
from generator.records import Event
from generator.states.update_chain.chain import InvalidChainError, Request
from generator.states.update_chain.forward import Sheet
from generator.states.update_chain.world import RequestDef, World

MOST_CHANGES = 3
# Which steps make a gadget. Each leaves the cell on a value of its own for its failure:
# a relative change after the trap keeps the trap's effect visible to the end.
GADGETS: dict[str, tuple[tuple[str, ...], ...]] = {
    "stale-value": (("adjust",), ("set",), ("percent",), ("waver",), ("adjust", "adjust")),
    "ignores-retractions": (("set", "revert.prev", "adjust"), ("set", "correct", "adjust"), ("adjust", "revert.prev", "adjust")),
    "takes-hypothetical": (("hypo", "adjust"), ("cond", "cond.unmet", "adjust"), ("hypo", "bulk"), ("hearsay", "adjust")),
    "misses-bulk": (("bulk", "adjust"),),
    "wrong-scope": (("scoped", "adjust"), ("foreign", "adjust")),
}
FILLER: tuple[tuple[int, tuple[str, ...]], ...] = (
    (6, ("adjust",)), (3, ("set",)), (3, ("percent",)), (1, ("waver",)), (2, ("copy",)), (2, ("swap",)),
    (2, ("cond", "cond.met")), (1, ("cond", "cond.unmet")), (2, ("cancel",)), (2, ("cancel", "restore")),
    (2, ("set", "correct")), (2, ("set", "revert.prev", "set")), (2, ("adjust", "set", "revert.first")),
    (2, ("scoped",)), (2, ("hypo", "adjust")), (3, ("adjust", "adjust")), (1, ("foreign",)),
)  # fmt: skip


@dataclass
class Track:
    """Steps on one cell, in order. `owner` names the gadget they belong to, if any."""

    item: str
    field: str
    steps: list[str]
    owner: str = ""
    tag: str = ""


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


class PlanError(Exception):
    """This draw leads nowhere; draw again."""


@dataclass
class Planner:
    """Draws one chain. All draws come from `rng`."""

    world: World
    amounts: Amounts
    people: People
    rng: Random
    sheet: Sheet = field(init=False)
    events: list[Event] = field(default_factory=list)
    taken: dict[tuple[str, str], set[int]] = field(default_factory=dict)
    changes: dict[tuple[str, str], int] = field(default_factory=dict)
    frozen: set[tuple[str, str]] = field(default_factory=set)
    locked: dict[tuple[str, str], Track] = field(default_factory=dict)
    welded: set[int] = field(default_factory=set)
    tags: list[str] = field(default_factory=list)
    control: str = ""
    tracks: list[Track] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.sheet = Sheet(self.world)

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
        self.rng.shuffle(self.tags)
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
            if ("percent" not in o or self.world.field_by_id[cell].percents) and ("bulk" not in o or self._is_bulkable(cell))
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
        tracks: list[Track] = []
        per_cell: dict[tuple[str, str], int] = {}
        dropped = 0
        for _ in range(6 * steps):
            if steps <= 0:
                break
            kinds = self.rng.choices(FILLER, weights)[0][1]
            item, name = self.rng.choice(items), self.rng.choice(fields)
            if "percent" in kinds and not self.world.field_by_id[name].percents:
                continue
            if "cond" in kinds and len(self.tags) < 1:
                continue
            if kinds == ("cancel",):
                # A list keeps most of its rows.
                if dropped or len(items) < 3:
                    continue
                dropped += 1
            count = sum(k not in {"hypo", "scoped", "foreign", "cond", "cancel", "restore"} for k in kinds)
            if per_cell.get((item, name), 0) + count > 2 or any(t.item == item and t.field == name for t in tracks):
                continue
            per_cell[item, name] = per_cell.get((item, name), 0) + count
            tracks.append(self._track(item, name, kinds, ""))
            steps -= len(kinds)
        return tracks

    def _track(self, item: str, cell: str, kinds: Sequence[str], owner: str) -> Track:
        tag = ""
        if "cond" in kinds:
            if not self.tags:
                raise PlanError("no condition left")
            tag = self.tags.pop()
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
            if waiting and (len(self.events) < 2 * len(items) and rng.random() < 0.5 or not self._ready(tracks)):
                self._introduce(waiting.pop(0))
                if waiting and rng.random() < 0.5:
                    self._introduce(waiting.pop(0))
                continue
            if rules and rng.random() < 0.12 or not tracks:
                if rules:
                    self._say(rules.pop(0))
                else:
                    self._introduce(waiting.pop(0))
                continue
            ready = self._ready(tracks)
            if not ready:
                self._give_up([t for t in tracks if not t.owner and t.steps[0] not in {"restore", "cond.met", "cond.unmet"}])
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

    def _bulk_rows(self, name: str) -> list[str]:
        return [i for i in self.sheet.live() if i != self.control]

    def _introduce(self, item: str) -> None:
        values = tuple((f.id, self.amounts.first(item, f.id, self.rng)) for f in self.world.fields)
        for name, value in values:
            self.taken[item, name] = {value}
        self._say(Event("intro", item, values=values))

    def _say(self, event: Event) -> None:
        try:
            self.sheet.apply(event)
        except InvalidChainError as error:
            raise PlanError(str(error)) from error
        self.events.append(event)

    def _changed(self, item: str, name: str) -> None:
        cell = (item, name)
        self.taken[cell].add(self.sheet.value(item, name))
        self.changes[cell] = self.changes.get(cell, 0) + 1
        if self.changes[cell] > MOST_CHANGES:
            raise PlanError(f"{item}.{name} changes too often")

    def _step(self, track: Track) -> None:
        kind = track.steps.pop(0)
        item, name = track.item, track.field
        cell = (item, name)
        if kind not in {"hypo", "hearsay", "foreign", "scoped", "cancel", "restore", "cond.unmet"} and cell in self.frozen:
            raise PlanError("a copied value would move")
        handler = getattr(self, "_" + kind.replace(".", "_"))
        handler(track, item, name)
        # Between a change and what takes it back, nothing else may touch the cell.
        following = track.steps[0] if track.steps else ""
        if following in {"revert.prev", "revert.first", "correct", "cond.met", "cond.unmet"} or kind in {"hypo", "cond"} and following:
            self.locked[cell] = track
        else:
            self.locked.pop(cell, None)
        if following == "correct":
            self._step(track)

    def _now(self, item: str, name: str) -> int:
        return self.sheet.value(item, name)

    def _new(self, item: str, name: str) -> int:
        value = self.amounts.near(item, name, self._now(item, name), self.taken[item, name], self.rng)
        if value is None:
            raise PlanError("no value left nearby")
        self.taken[item, name].add(value)
        return value

    def _set(self, track: Track, item: str, name: str) -> None:
        self._say(Event("set", item, name, self._new(item, name)))
        self._changed(item, name)

    def _waver(self, track: Track, item: str, name: str) -> None:
        first = self._new(item, name)
        self._say(Event("waver", item, name, self._new(item, name), first=first))
        self._changed(item, name)

    def _correct(self, track: Track, item: str, name: str) -> None:
        self.welded.add(len(self.events))
        self._say(Event("correct", item, name, self._new(item, name)))

    def _adjust(self, track: Track, item: str, name: str) -> None:
        moved = self.amounts.shift(item, name, self._now(item, name), self.taken[item, name], self.rng)
        if moved is None:
            if track.owner:
                raise PlanError("no difference fits")
            self._set(track, item, name)
            return
        self._say(Event(f"adjust.{moved[0]}", item, name, moved[1]))
        self._changed(item, name)

    def _percent(self, track: Track, item: str, name: str) -> None:
        cells = [(item, self._now(item, name), self.taken[item, name])]
        moved = self.amounts.share(name, cells, self.rng)
        if moved is None:
            self._adjust(track, item, name)
            return
        self._say(Event(f"percent.{moved[0]}", item, name, moved[1]))
        self._changed(item, name)

    def _revert_prev(self, track: Track, item: str, name: str) -> None:
        self._say(Event("revert.prev", item, name))
        self._changed(item, name)

    def _revert_first(self, track: Track, item: str, name: str) -> None:
        self._say(Event("revert.first", item, name))
        self._changed(item, name)

    def _cancel(self, track: Track, item: str, name: str) -> None:
        if any(i == item for i, _ in self.locked) or any(i == item for i, _ in self.frozen):
            raise PlanError("a row that others lean on")
        self._say(Event("cancel", item))

    def _restore(self, track: Track, item: str, name: str) -> None:
        self._say(Event("restore", item))

    def _partner(self, item: str, name: str) -> str:
        now = self._now(item, name)
        low, high = self.amounts.bands[item, name]
        slack = (high - low) // 4
        others = [
            other
            for other in self.sheet.live()
            if other not in (item, self.control)
            and not any(t.item == other and t.field == name and t.steps for t in self.tracks)
            and (other, name) not in self.locked
            and (other, name) not in self.frozen
            and self._now(other, name) not in self.taken[item, name]
            and abs(self._now(other, name) - now) <= max(1, now * 0.4)
            and low - slack <= self._now(other, name) <= high + slack
        ]
        if not others:
            raise PlanError("no row to copy from")
        return self.rng.choice(others)

    def _copy(self, track: Track, item: str, name: str) -> None:
        source = self._partner(item, name)
        self._say(Event("copy", item, name, other=source))
        self._changed(item, name)
        # Whether a copy follows its source later is open to doubt, so neither may move again.
        self.frozen |= {(item, name), (source, name)}

    def _swap(self, track: Track, item: str, name: str) -> None:
        other = self._partner(item, name)
        if self._now(item, name) in self.taken[other, name]:
            raise PlanError("a swap into a value already said")
        self._say(Event("swap", item, name, other=other))
        self._changed(item, name)
        self._changed(other, name)

    def _bulk(self, track: Track, item: str, name: str) -> None:
        affected = self._bulk_rows(name)
        cells = [(i, self._now(i, name), self.taken[i, name]) for i in affected]
        excepted = self.control if self.control in self.sheet.rows else None
        field = self.world.field_by_id[name]
        whole = field.family == "count" and not field.units
        moved = self.amounts.share(name, cells, self.rng) if whole or self.rng.random() < 0.6 else None
        if moved is None and whole:
            raise PlanError("no share fits all rows")
        if moved is not None:
            event = Event(f"bulk.percent.{moved[0]}", field=name, value=moved[1], other=excepted)
        else:
            event = self._bulk_adjust(name, cells, excepted)
        self._say(event)
        for i in affected:
            self._changed(i, name)

    def _bulk_adjust(self, name: str, cells: list[tuple[str, int, set[int]]], excepted: str | None) -> Event:
        for _ in range(8):
            item, now, taken = self.rng.choice(cells)
            moved = self.amounts.shift(item, name, now, taken, self.rng)
            if moved is None:
                continue
            sign = 1 if moved[0] == "up" else -1
            if all(n + sign * moved[1] not in t and self.amounts.is_sensible(i, name, n + sign * moved[1]) for i, n, t in cells):
                return Event(f"bulk.adjust.{moved[0]}", field=name, value=moved[1], other=excepted)
        raise PlanError("no bulk change fits all rows")

    def _cond(self, track: Track, item: str, name: str) -> None:
        self._say(Event("cond", item, name, self._new(item, name), tag=track.tag))

    def _cond_met(self, track: Track, item: str, name: str) -> None:
        self._say(Event("cond.met", tag=track.tag))
        self._changed(item, name)

    def _cond_unmet(self, track: Track, item: str, name: str) -> None:
        self._say(Event("cond.unmet", tag=track.tag))

    def _hypo(self, track: Track, item: str, name: str) -> None:
        self._say(Event("hypo", item, name, self._new(item, name)))

    def _hearsay(self, track: Track, item: str, name: str) -> None:
        self._say(Event("hearsay", item, name, self._new(item, name)))

    def _scoped(self, track: Track, item: str, name: str) -> None:
        scope = self.rng.choice(self.world.scopes)
        self._say(Event("scoped", item, name, self._new(item, name), tag=scope.id))

    def _foreign(self, track: Track, item: str, name: str) -> None:
        owner = self.people.fill(self.rng.choice(self.world.owners), self.rng)
        self._say(Event("foreign", item, name, self._new(item, name), tag=owner))
