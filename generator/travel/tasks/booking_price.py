"""Booking price: what the rooms of a group cost that shares them by name, and whose members keep other dates."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from random import Random
from typing import NamedTuple

from generator.records import Frozen
from generator.travel.scene import Beat, Draft, HearingError, RedrawError, Scene, Told, whole
from generator.travel.shown import PlaceRow
from generator.travel.tasks.common import pick, place_told, search_places, today_says
from generator.travel.tasks.protocol import TravelTask
from generator.travel.truth import booking_price
from generator.travel.truth.booking_price import Booking, Room, Shift
from generator.travel.wording import Say, say
from generator.travel.wording.words import Words

IDLE_EVERY = 4
"""One instance in so many has exceptions that change nothing; who always forgets them is right no more often."""
SHIFTS: dict[str, tuple[int, int]] = {
    "guest.later": (1, 0), "guest.leaves": (0, -1), "guest.earlier": (-1, 0), "guest.stays-on": (0, 1),
}  # fmt: skip
"""Nights added to arrival and to departure, by what is said of a guest."""
SHORTER, LONGER = ("guest.later", "guest.leaves"), ("guest.earlier", "guest.stays-on")
SHORTER_SHARE = 0.7
TRIES = 8


class Knobs(Frozen):
    """Ranges are inclusive. hotels: how many are shown. exceptions: sentences about other dates."""

    hotels: tuple[int, int]
    rooms: tuple[int, int]
    nights: tuple[int, int]
    exceptions: tuple[int, int]


class Beds(NamedTuple):
    """Rooms, the names of their guests, and each guest's room and place in it."""

    rooms: tuple[Room, ...]
    guests: tuple[tuple[str, ...], ...]
    places: Mapping[str, tuple[int, int]]

    def shifts(self, others: Sequence[Say]) -> tuple[Shift, ...]:
        """Return the other dates that are said.

        Raises:
            HearingError: They are of nobody who has a bed, or of somebody's arrival or departure twice.
        """
        found: dict[tuple[str, bool], Shift] = {}
        for what in others:
            arrive, depart = (sign * whole(what["n"]) for sign in SHIFTS[what.kind])
            for name in _names(what):
                if name not in self.places:
                    raise HearingError(f"{name!r} has no room")
                if (name, bool(arrive)) in found:
                    raise HearingError(f"{name!r} comes or goes twice")
                found[name, bool(arrive)] = Shift(*self.places[name], arrive, depart)
        return tuple(found.values())


def draw(scene: Scene, knobs: Knobs, number: int, rng: Random) -> Draft:
    """Return a group, its hotel out of several shown, its rooms and its dates."""
    search, call = search_places(scene, "hotel", rng, *knobs.hotels, chat=(say("chat.hello"),))
    assert call.rows is not None
    named = {h.name for h in scene.stage.hotels}
    # Where one kind of room is all there is, who takes every room for that kind errs in nothing.
    fitting = [h for h in call.rows.places if h.name in named and len({price for _, _, price in h.rooms}) > 1]
    hotel = pick(rng, fitting, "no hotel with two kinds of room")
    party = _party(hotel, rng.randint(*knobs.rooms), scene.stage.book.words, rng)
    nights, is_idle = rng.randint(*knobs.nights), number % IDLE_EVERY == 0
    beds = read_beds(hotel, party)
    others = _exceptions(beds, nights, rng.randint(*knobs.exceptions), is_idle, rng)
    beats = (
        search._replace(assistant=(*search.assistant, say("chat.which-one"))),
        Beat(
            (say("take.hotel", h=hotel.name), say("chat.who-where"), *party),
            (),
            (say("chat.rooms-noted"),),
        ),
        Beat((say("chat.the-dates"), say("stay.nights", n=nights), *others, say("ask.booking-price"))),
    )
    cell = {"exception": "idle" if is_idle else "real", "rooms": str(len(party))}
    return Draft(beats, today_says(scene), cell, _without_effect(beds, nights, others))


def _party(hotel: PlaceRow, rooms: int, words: Words, rng: Random) -> tuple[Say, ...]:
    """Return who sleeps where, by room; there are two kinds of room at least, and somebody shares."""
    kinds = [*rng.sample(hotel.rooms, 2), *rng.choices(hotel.rooms, k=rooms - 2)]
    rng.shuffle(kinds)
    # Rooms are mostly full, as people book them.
    sizes = [rng.choice((sleeps, sleeps, rng.randint((sleeps + 1) // 2, sleeps))) for _, sleeps, _ in kinds]
    if max(sizes) < 2 or sum(sizes) > len(words.people):
        raise RedrawError("nobody shares, or too many people to name")
    names = iter(rng.sample(words.people, sum(sizes)))
    guests = [[next(names) for _ in range(size)] for size in sizes]
    # The user is one of them, and comes last in a list, as English wants it.
    rng.choice(guests)[-1] = words.me
    return tuple(
        say("room.shared", who=tuple(who), r=kind) if len(who) > 1 else say("room.alone", p=who[0], r=kind)
        for (kind, _, _), who in zip(kinds, guests, strict=True)
    )


def _exceptions(beds: Beds, nights: int, count: int, is_idle: bool, rng: Random) -> tuple[Say, ...]:
    """Return what is said of other dates, so that it changes the price, or (idle) does not.

    Raises:
        RedrawError: A few tries did not come to that.
    """
    plain = booking_price.solve(Booking(nights, beds.rooms))
    for _ in range(TRIES):
        others = _other_dates([w for w in beds.guests if len(w) > 1 or not is_idle], nights, count, is_idle, rng)
        try:
            booking = Booking(nights, beds.rooms, beds.shifts(others))
        except ValueError:
            # Somebody would not stay a night.
            continue
        total = booking_price.solve(booking)
        if (total == plain) == is_idle and total != booking_price.total_by_exception(booking):
            return others
    raise RedrawError("exceptions that change nothing, or ought not to change anything")


def _other_dates(rooms: list[tuple[str, ...]], nights: int, count: int, is_idle: bool, rng: Random) -> tuple[Say, ...]:
    """Return other dates of some guests; idle ones leave somebody behind in the room."""
    found: list[Say] = []
    taken: set[tuple[str, bool]] = set()
    for _ in range(count):
        kind = rng.choice(SHORTER if is_idle or rng.random() < SHORTER_SHARE else LONGER)
        is_arrival = SHIFTS[kind][0] != 0
        room = rng.choice(rooms)
        free = [name for name in room if (name, is_arrival) not in taken]
        most = min(len(free), len(room) - is_idle)
        if not most:
            continue
        chosen = rng.sample(free, rng.choice((1, rng.randint(1, most), most)))
        # In the order of the room: the user stays last.
        who = tuple(name for name in room if name in chosen)
        taken |= {(name, is_arrival) for name in who}
        found.append(say(kind, who=who, n=rng.randint(1, max(1, min(3, nights - 1)))))
    return tuple(found)


def _without_effect(beds: Beds, nights: int, others: tuple[Say, ...]) -> tuple[str, ...]:
    """Return the kinds of exceptions of which one can be left out and the price stays."""
    total = booking_price.solve(Booking(nights, beds.rooms, beds.shifts(others)))
    idle = [
        what.kind
        for place, what in enumerate(others)
        if booking_price.solve(Booking(nights, beds.rooms, beds.shifts(others[:place] + others[place + 1 :]))) == total
    ]
    return tuple(dict.fromkeys(idle))


def query(told: Told) -> Booking:
    """Return the booking: the rooms at the hotel's prices, the nights, and the guests with other dates."""
    hotel = place_told(told, told.one("take.hotel")["h"], "hotel")
    nights = whole(told.one("stay.nights")["n"])
    beds = read_beds(hotel, told.all("room.shared", "room.alone"))
    try:
        return Booking(nights, beds.rooms, beds.shifts(told.all(*SHIFTS)))
    except ValueError as error:
        raise HearingError(str(error)) from error


def read_beds(hotel: PlaceRow, said: Sequence[Say]) -> Beds:
    """Return who sleeps where, by what was said of each room.

    Raises:
        HearingError: Nobody sleeps anywhere, somebody twice, or a room is none of the hotel's or too small.
    """
    guests = tuple(map(_names, said))
    rooms = []
    for what, who in zip(said, guests, strict=True):
        kind, sleeps, price = hotel.room(str(what["r"])) or ("", 0, 0)
        if not 0 < len(who) <= sleeps:
            raise HearingError(f"{hotel.name!r} has no {what['r']!r} room for {len(who)}")
        rooms.append(Room(kind, price, len(who)))
    places = {name: (index, place) for index, who in enumerate(guests) for place, name in enumerate(who)}
    if not 0 < len(places) == sum(map(len, guests)):
        raise HearingError("nobody sleeps anywhere, or somebody twice")
    return Beds(tuple(rooms), guests, places)


def _names(what: Say) -> tuple[str, ...]:
    who = what.get("who")
    return who if isinstance(who, tuple) else (str(what["p"]),)


def edges(booking: Booking) -> tuple[str, ...]:
    """Return why the booking is on an edge: a room that stands empty between, or a failure that changes nothing.

    An exception without effect is a trap, not an edge: when a room is paid for is said.
    """
    total, wrong = booking_price.solve(booking), booking_price.alternatives(booking)
    found = [edge for edge in booking_price.edges(booking) if edge != "shift-without-effect"]
    ruled = ("per-person", "one-night-short", "first-room-only", "one-kind", "each-exception-counts")
    found += [f"{name}-is-right" for name in ruled if wrong[name] == total]
    return (*found, *(f"{name}-is-free" for name, value in wrong.items() if value <= 0))


FAILURES = (
    "exception-ignored", "exception-inverted", "each-exception-counts", "exception-to-all", "per-person",
    "one-night-short", "first-room-only", "one-kind",
)  # fmt: skip
TASK = TravelTask(
    name="booking-price",
    reasoning="arithmetic",
    knowledge="commonsense",
    answer="amount",
    domains=("hotels",),
    rules=("rule.room-prices", "rule.room-nights", "rule.group-dates"),
    knobs=Knobs,
    draw=draw,
    query=query,
    solve=booking_price.solve,
    resolve=booking_price.resolve,
    edges=edges,
    alternatives=booking_price.alternatives,
    failures=FAILURES,
    shortcuts=("first-room-only", "one-kind"),
)
