"""Every booking that a loosely worded one may mean: who sleeps where, and whose dates differ."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations, product

from generator.travel.truth.booking_price import Booking, Room, Shift, solve


@dataclass(frozen=True, slots=True)
class RoomGroup:
    """So many people in so many rooms of a kind that holds `capacity` each; who shares with whom is not said."""

    kind: str
    nightly_minor: int
    capacity: int
    people: int
    rooms: int


@dataclass(frozen=True, slots=True)
class VagueShift:
    """So many guests with other dates, in a room of `kind` (None: of any), which one not being said."""

    people: int
    kind: str | None = None
    arrive: int = 0
    depart: int = 0


@dataclass(frozen=True, slots=True)
class VagueBooking:
    """A booking as a sentence gives it."""

    nights: int
    groups: tuple[RoomGroup, ...]
    shifts: tuple[VagueShift, ...] = ()


def read_bookings(vague: VagueBooking) -> Iterator[Booking]:
    """Yield every booking that the words allow; people of different exceptions are different people."""
    for spreads in product(*(_spread(g.people, g.rooms, g.capacity) for g in vague.groups)):
        rooms = tuple(
            Room(group.kind, group.nightly_minor, guests)
            for group, spread in zip(vague.groups, spreads, strict=True)
            for guests in spread
        )
        for shifts in _place(vague.shifts, rooms, frozenset()):
            yield Booking(vague.nights, rooms, shifts)


def read_totals(vague: VagueBooking, price: Callable[[Booking], int] = solve) -> tuple[int, ...]:
    """Return the different totals that the words allow, in minor units, ascending; one if they determine it."""
    return tuple(sorted({price(booking) for booking in read_bookings(vague)}))


def _spread(people: int, rooms: int, capacity: int) -> list[tuple[int, ...]]:
    """Return the ways to put people into like rooms, none empty and none over its capacity, fullest first."""
    if rooms == 0:
        return [()] if people == 0 else []
    return [
        (first, *rest)
        for first in range(min(capacity, people - rooms + 1), 0, -1)
        for rest in _spread(people - first, rooms - 1, min(capacity, first))
    ]


def _place(
    shifts: Sequence[VagueShift], rooms: tuple[Room, ...], taken: frozenset[tuple[int, int]]
) -> Iterator[tuple[Shift, ...]]:
    if not shifts:
        yield ()
        return
    shift, rest = shifts[0], shifts[1:]
    beds = [(i, g) for i, r in enumerate(rooms) if shift.kind in (None, r.kind) for g in range(r.guests)]
    for chosen in combinations([bed for bed in beds if bed not in taken], shift.people):
        own = tuple(Shift(room, guest, shift.arrive, shift.depart) for room, guest in chosen)
        for others in _place(rest, rooms, taken | set(chosen)):
            yield (*own, *others)
