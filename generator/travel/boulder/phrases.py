"""The sentences in which the original project words a group's tickets and rooms, read into typed inputs."""

from __future__ import annotations

import re
from collections.abc import Mapping

from generator.travel.boulder.released import UnreadError
from generator.travel.truth.booking_readings import RoomGroup, VagueBooking, VagueShift
from generator.travel.truth.ticket_price import Traveller

_NUMBERS = ("zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten")
_N = "|".join(_NUMBERS[1:])
_CAPACITY = {"single": 1, "double": 2, "family": 4}
"""Guests a room holds; the original never says it, but its rooms are filled to it."""
_KINDS = "|".join(_CAPACITY)

_TICKETS = re.compile(
    r"(?P<who>.+?) (?:would like|am buying|are buying|is buying|needs?|wants?)"
    r" (?:an? )?(?P<first>first class )?(?P<way>one-way|return) tickets?(?:,? (?P<rest>.+))?",
    re.IGNORECASE,
)
_WHO = re.compile(
    rf"(?:(?P<number>{_N}) (?:of us|of them|more person|more people|people|persons?|travell?ers?|colleagues|friends)|"
    r"(?P<pair>both(?: of (?:us|them))?|(?:a friend|my (?:friend|colleague)) and I)|"
    r"(?P<single>I|another person)|(?P<all>all of (?:us|them)))",
    re.IGNORECASE,
)
_CLASS_PART = re.compile(
    rf"(?:(?P<number>{_N}|both of them|all of them) )?"
    r"(?P<class>first class|standard class|regular class|standard tickets?|regular tickets?)"
    r"(?: - (?P<each>.+)| (?P<same>with(?:out)? .+))?",
    re.IGNORECASE,
)
_DISCOUNT_PART = re.compile(
    rf"(?:(?P<number>{_N}|both|all|the other|the others|another) )?with(?:(?P<none>out) discounts?"
    r"| (?:an? )?(?P<percent>\d+)% discounts?)",
    re.IGNORECASE,
)
_NIGHTS = re.compile(rf"\bfor ({_N}) nights?\b", re.IGNORECASE)
_PEOPLE = re.compile(rf"\bfor ({_N}) people\b", re.IGNORECASE)
_GROUP_SIZE = re.compile(rf"\b(?:for|are) ({_N}) (?:people|of us)\b", re.IGNORECASE)
_OWN_SINGLES = re.compile(r"each in their own (single) room", re.IGNORECASE)
_ALL_TOGETHER = re.compile(rf"(?:nights|people) in (a|{_N}) ({_KINDS}) rooms?", re.IGNORECASE)
_SPLIT = re.compile(
    rf"(?P<some>{_N}) (?:person|people) will (?:share|each stay in|stay in) (?:an?|their own) (?P<kind>{_KINDS}) room"
    rf" and the others will (?P<other>each stay in their own single room|share (?:an? )?(?:{_KINDS}) rooms?)",
    re.IGNORECASE,
)
_SHIFT = re.compile(
    rf"(?P<people>{_N}) (?:person|people)(?: in (?:an? )?(?P<kind>{_KINDS}) rooms?)? will check (?P<end>in|out)"
    rf" (?P<days>{_N}) days? (?P<way>earlier|later)",
    re.IGNORECASE,
)


def read_travellers(text: str) -> tuple[Traveller, ...]:
    """Return the travellers that a ticket question describes.

    Raises:
        UnreadError: A sentence is not understood, or the people do not add up to the number said.
    """
    size = _GROUP_SIZE.search(text)
    if size is None:
        raise UnreadError(f"no number of people in {text!r}")
    said = re.split(r"(?:people|of us)\.", text[size.start() :], maxsplit=1)[-1]
    said = said.split("A return ticket costs")[0].split("How much")[0]
    travellers: list[Traveller] = []
    for sentence in filter(None, (s.strip() for s in re.split(r"\.(?:\s|$)", said))):
        travellers += _read_tickets(sentence, _number(size[1]))
    if len(travellers) != _number(size[1]):
        raise UnreadError(f"{len(travellers)} tickets for {size[1]} people in {said!r}")
    return tuple(travellers)


def read_rooms(text: str, nightly_minor: Mapping[str, int]) -> VagueBooking:
    """Return the booking that a hotel question describes, the prices given by kind of room in minor units.

    Raises:
        UnreadError: The rooms are not understood, or the hotel has no such room.
    """
    nights, people = _NIGHTS.search(text), _PEOPLE.search(text)
    if nights is None or people is None:
        raise UnreadError(f"no nights or people in {text!r}")

    def group(kind: str, count: int, rooms: int) -> RoomGroup:
        if kind not in nightly_minor:
            raise UnreadError(f"the hotel has no {kind} room")
        return RoomGroup(kind, nightly_minor[kind], _CAPACITY[kind], count, rooms)

    everyone = _number(people[1])
    if _OWN_SINGLES.search(text):
        groups = [group("single", everyone, everyone)]
    elif together := _ALL_TOGETHER.search(text):
        groups = [group(together[2].lower(), everyone, _number(together[1]))]
    elif split := _SPLIT.search(text):
        some, kind = _number(split["some"]), split["kind"].lower()
        rest = everyone - some
        other = next(k for k in _CAPACITY if k in split["other"].lower())
        is_one = re.search(r"share an? ", split["other"], re.IGNORECASE)
        groups = [
            group(kind, some, some if kind == "single" else 1),
            group(other, rest, 1 if is_one else -(-rest // _CAPACITY[other])),
        ]
    else:
        raise UnreadError(f"rooms in {text!r}")
    shifts = tuple(_read_shift(found) for found in _SHIFT.finditer(text))
    if len(shifts) != len(re.findall(r"\bwill check\b", text)):
        raise UnreadError(f"other dates in {text!r}")
    return VagueBooking(_number(nights[1]), tuple(groups), shifts)


def _read_shift(found: re.Match[str]) -> VagueShift:
    days = _number(found["days"]) * (-1 if found["way"].lower() == "earlier" else 1)
    is_arrival = found["end"].lower() == "in"
    kind = found["kind"].lower() if found["kind"] else None
    return VagueShift(_number(found["people"]), kind, days if is_arrival else 0, 0 if is_arrival else days)


def _read_tickets(sentence: str, group: int) -> list[Traveller]:
    found = _TICKETS.fullmatch(sentence)
    if found is None:
        raise UnreadError(f"tickets in {sentence!r}")
    count = _count_people(found["who"], group)
    is_return, is_first = found["way"].lower() == "return", found["first"] is not None
    rest = found["rest"]
    if rest is None:
        return count * [Traveller(is_return, is_first)]
    travellers: list[Traveller] = []
    for part in re.split(r",? and (?=(?:\w+ )?(?:first|standard|regular))", rest, flags=re.IGNORECASE):
        if by_class := _CLASS_PART.fullmatch(part):
            of_class = by_class["class"].lower() == "first class"
            number = _part_size(by_class["number"], count)
            said = by_class["each"] or by_class["same"]
            discounts = _read_discounts(said, number, sentence) if said else number * [0]
            travellers += [Traveller(is_return, of_class, bp) for bp in discounts]
        else:
            travellers += [Traveller(is_return, is_first, bp) for bp in _read_discounts(part, count, sentence)]
    if len(travellers) != count:
        raise UnreadError(f"{len(travellers)} tickets for {count} people in {sentence!r}")
    return travellers


def _read_discounts(text: str, count: int, sentence: str) -> list[int]:
    """Return a discount for each of `count` people, in basis points."""
    found: list[int] = []
    for part in re.split(r", (?:and )?", text):
        read = _DISCOUNT_PART.fullmatch(part)
        if read is None:
            raise UnreadError(f"discount {part!r} in {sentence!r}")
        word = (read["number"] or "all").lower()
        if word in ("both", "all", "the others"):
            number = count - len(found)
        else:
            number = 1 if word in ("another", "the other") else _number(word)
        found += number * [0 if read["none"] else 100 * int(read["percent"])]
    return found


def _count_people(who: str, group: int) -> int:
    found = _WHO.fullmatch(who)
    if found is None:
        raise UnreadError(f"people {who!r}")
    if found["number"]:
        return _number(found["number"])
    return 2 if found["pair"] else 1 if found["single"] else group


def _part_size(word: str | None, count: int) -> int:
    if word is None or word.lower() in ("both of them", "all of them"):
        return count
    return _number(word)


def _number(word: str) -> int:
    return 1 if word.lower() == "a" else _NUMBERS.index(word.lower())
