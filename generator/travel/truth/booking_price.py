"""The price of hotel rooms for a group: a room stays booked, at one price a night, while one guest stays in it."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, replace


@dataclass(frozen=True, slots=True)
class Room:
    """A room of some kind, its price a night in minor units, and how many guests sleep in it."""

    kind: str
    nightly_minor: int
    guests: int

    def __post_init__(self) -> None:
        if self.guests < 1:
            raise ValueError(f"a booked room has a guest, not {self.guests!r}")


@dataclass(frozen=True, order=True, slots=True)
class Shift:
    """One guest who keeps other dates: days added to arrival and departure, earlier being negative."""

    room: int
    guest: int
    arrive: int = 0
    depart: int = 0


@dataclass(frozen=True, slots=True)
class Booking:
    """Rooms for some nights; `shifts` names the guests with other dates by room and place in it, from 0."""

    nights: int
    rooms: tuple[Room, ...]
    shifts: tuple[Shift, ...] = ()

    def __post_init__(self) -> None:
        for shift in self.shifts:
            if not (0 <= shift.room < len(self.rooms) and 0 <= shift.guest < self.rooms[shift.room].guests):
                raise ValueError(f"no guest {shift.guest!r} in room {shift.room!r}")
        if any(stay.end <= stay.start for stays in _dates(self) for stay in stays):
            raise ValueError(f"a guest stays at least a night, which these forbid: {self.shifts!r}")


@dataclass(frozen=True, slots=True)
class _Stay:
    start: int
    end: int


def solve(booking: Booking) -> int:
    """Return the total in minor units: per room, the guests' stays joined to stretches, and their nights."""
    total = 0
    for room, stays in zip(booking.rooms, _dates(booking), strict=True):
        nights, until = 0, min(s.start for s in stays)
        for stay in sorted(stays, key=lambda s: (s.start, s.end)):
            nights += max(0, stay.end - max(stay.start, until))
            until = max(until, stay.end)
        total += nights * room.nightly_minor
    return total


def resolve(booking: Booking) -> int:
    """Return the total again: night by night, the rooms in which somebody sleeps."""
    moved = [abs(s.arrive) + abs(s.depart) for s in booking.shifts]
    span = range(-sum(moved), booking.nights + sum(moved))
    return sum(
        room.nightly_minor
        for night in span
        for index, room in enumerate(booking.rooms)
        if any(_sleeps(booking, index, guest, night) for guest in range(room.guests))
    )


def edges(booking: Booking) -> tuple[str, ...]:
    """Return what makes the total doubtful.

    `stay-with-a-gap`: a room stands empty between two guests, so that it might be given back.
    `shift-without-effect`: a guest's other dates change no price, which is a trap rather than an edge where the
    rule is said; the caller decides.
    """
    found = []
    for stays in _dates(booking):
        ordered = sorted(stays, key=lambda s: (s.start, s.end))
        until = ordered[0].end
        for stay in ordered[1:]:
            if stay.start > until:
                found.append("stay-with-a-gap")
            until = max(until, stay.end)
    total = solve(booking)
    for shift in booking.shifts:
        if solve(replace(booking, shifts=tuple(s for s in booking.shifts if s != shift))) == total:
            found.append("shift-without-effect")
    return tuple(dict.fromkeys(found))


def alternatives(booking: Booking) -> dict[str, int]:
    """Return the totals of solvers that err.

    `exception-ignored` forgets the other dates, `exception-inverted` takes earlier for later,
    `each-exception-counts` charges every one although another guest keeps the room, `exception-to-all` moves the
    whole room; `per-person` charges every guest, `one-night-short` counts the days between, `first-room-only` and
    `one-kind` stop early.
    """
    rooms, nights = booking.rooms, booking.nights
    everyone = tuple(
        replace(shift, guest=guest) for shift in booking.shifts for guest in range(rooms[shift.room].guests)
    )
    kinds = Counter(room.kind for room in rooms)
    usual = next(r for r in rooms if kinds[r.kind] == max(kinds.values())) if rooms else None
    return {
        "exception-ignored": nights * sum(r.nightly_minor for r in rooms),
        "exception-inverted": _total_or_plain(
            booking, tuple(replace(s, arrive=-s.arrive, depart=-s.depart) for s in booking.shifts)
        ),
        "each-exception-counts": total_by_exception(booking),
        "exception-to-all": _total_or_plain(booking, everyone),
        "per-person": nights * sum(r.nightly_minor * r.guests for r in rooms),
        "one-night-short": solve(booking) - sum(r.nightly_minor for r in rooms),
        "first-room-only": nights * rooms[0].nightly_minor if rooms else 0,
        "one-kind": nights * len(rooms) * usual.nightly_minor if usual else 0,
    }


def total_by_exception(booking: Booking) -> int:
    """Return the total if each exception changes its room's nights, whoever else stays in it."""
    total = booking.nights * sum(r.nightly_minor for r in booking.rooms)
    return total + sum((s.depart - s.arrive) * booking.rooms[s.room].nightly_minor for s in booking.shifts)


def _total_or_plain(booking: Booking, shifts: tuple[Shift, ...]) -> int:
    try:
        return solve(replace(booking, shifts=shifts))
    except ValueError:
        return booking.nights * sum(r.nightly_minor for r in booking.rooms)


def _dates(booking: Booking) -> list[list[_Stay]]:
    """Return, per room, every guest's first and last day, the group's arrival being day 0."""
    moved: dict[tuple[int, int], tuple[int, int]] = {}
    for shift in booking.shifts:
        arrive, depart = moved.get((shift.room, shift.guest), (0, 0))
        moved[shift.room, shift.guest] = arrive + shift.arrive, depart + shift.depart
    return [
        [
            _Stay(arrive, booking.nights + depart)
            for arrive, depart in (moved.get((index, guest), (0, 0)) for guest in range(room.guests))
        ]
        for index, room in enumerate(booking.rooms)
    ]


def _sleeps(booking: Booking, room: int, guest: int, night: int) -> bool:
    own = [s for s in booking.shifts if (s.room, s.guest) == (room, guest)]
    return sum(s.arrive for s in own) <= night < booking.nights + sum(s.depart for s in own)
