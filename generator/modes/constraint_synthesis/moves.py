"""The moves of a planner: each says one event, with values that the trade would know."""

from __future__ import annotations

from dataclasses import dataclass, field
from random import Random

from generator.language.people import People
from generator.modes.constraint_synthesis.amounts import Amounts
from generator.records import Event
from generator.states.update_chain.chain import InvalidChainError
from generator.states.update_chain.forward import Sheet
from generator.states.update_chain.world import World

MOST_CHANGES = 3
# Steps that leave the cell as it is.
STILL = frozenset({"hypo", "hearsay", "foreign", "scoped", "cancel", "restore", "cond.unmet"})
# Steps that lean on the one before them: nothing else may touch the cell in between.
LEANING = frozenset({"revert.prev", "revert.first", "correct", "cond.met", "cond.unmet"})


class PlanError(Exception):
    """This draw leads nowhere; draw again."""


@dataclass
class Track:
    """Steps on one cell, in order. `owner` names the gadget they belong to, if any."""

    item: str
    field: str
    steps: list[str]
    owner: str = ""
    tag: str = ""


@dataclass
class Moves:
    """The state of a plan, kept as it goes. All draws come from `rng`.

    taken: every value a cell has had or that was said of it, true or not. frozen: cells that may
    not move any more. locked: cells that one track alone may touch. welded: indices of events
    that must follow at once.
    """

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

    def _step(self, track: Track) -> None:
        kind = track.steps.pop(0)
        item, name = track.item, track.field
        cell = (item, name)
        if kind not in STILL and cell in self.frozen:
            raise PlanError("a copied value would move")
        # Asked before anything is said: a track that is given up must leave no event behind.
        if kind not in STILL and kind != "correct" and self.changes.get(cell, 0) >= MOST_CHANGES:
            raise PlanError(f"{item}.{name} changes too often")
        handler = getattr(self, "_" + kind.replace(".", "_"))
        handler(track, item, name)
        # Between a change and what takes it back, nothing else may touch the cell.
        following = track.steps[0] if track.steps else ""
        if following in LEANING or (kind in {"hypo", "cond"} and following):
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
            and self.changes.get((other, name), 0) < MOST_CHANGES
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
        now = self._now(item, name)
        if now in self.taken[other, name] or not self.amounts.is_sensible(other, name, now):
            raise PlanError("a swap into a value already said, or one that the other row would not have")
        self._say(Event("swap", item, name, other=other))
        self._changed(item, name)
        self._changed(other, name)

    def _bulk_rows(self, name: str) -> list[str]:
        return [i for i in self.sheet.live() if i != self.control]

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
            if all(
                n + sign * moved[1] not in t and self.amounts.is_sensible(i, name, n + sign * moved[1])
                for i, n, t in cells
            ):
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
