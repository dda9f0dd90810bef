"""The price of train tickets for a group: class, single or return, a discount each; rounded once, half up."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, replace
from fractions import Fraction

from generator.travel.truth.rounding import is_tie, round_half_up

WHOLE = 10_000
"""Basis points of the full price."""


@dataclass(frozen=True, slots=True)
class Traveller:
    """One person's ticket; the discount is in basis points, 3300 for 33 %."""

    is_return: bool = False
    is_first: bool = False
    discount_bp: int = 0

    def __post_init__(self) -> None:
        if not 0 <= self.discount_bp < WHOLE:
            raise ValueError(f"a discount is from 0 up to below {WHOLE} basis points, not {self.discount_bp!r}")


@dataclass(frozen=True, slots=True)
class TicketOrder:
    """Who travels, and what a single ticket costs by class, in minor units."""

    travellers: tuple[Traveller, ...]
    standard_minor: int
    first_minor: int
    singles_per_return: int = 2


def solve(order: TicketOrder) -> int:
    """Return the total in minor units: traveller by traveller in ten-thousandths, rounded half up at the end."""
    scaled = 0
    for traveller in order.travellers:
        fare = order.first_minor if traveller.is_first else order.standard_minor
        legs = order.singles_per_return if traveller.is_return else 1
        scaled += fare * legs * (WHOLE - traveller.discount_bp)
    return (2 * scaled + WHOLE) // (2 * WHOLE)


def resolve(order: TicketOrder) -> int:
    """Return the total again: equal tickets grouped, each group's price a fraction, less the discounts given."""
    return round_half_up(exact_total(order))


def exact_total(order: TicketOrder) -> Fraction:
    """Return the total in minor units before it is rounded."""
    full, given = Fraction(0), Fraction(0)
    for kind, count in Counter(order.travellers).items():
        single = Fraction((order.standard_minor, order.first_minor)[kind.is_first])
        price = count * (single * order.singles_per_return if kind.is_return else single)
        full += price
        given += price * Fraction(kind.discount_bp, WHOLE)
    return full - given


def edges(order: TicketOrder) -> tuple[str, ...]:
    """Return what makes the total depend on how it is rounded.

    `rounding-tie`: the exact total ends in half a minor unit. `per-ticket-rounding`: rounding each ticket, or each
    way of a return, gives another total.
    """
    found = []
    if is_tie(exact_total(order)):
        found.append("rounding-tie")
    if {total_per_ticket(order), _total_per_way(order)} != {solve(order)}:
        found.append("per-ticket-rounding")
    return tuple(found)


def total_per_ticket(order: TicketOrder) -> int:
    """Return the total of tickets that are rounded one by one, half up."""
    return sum(round_half_up(exact_total(replace(order, travellers=(t,)))) for t in order.travellers)


def alternatives(order: TicketOrder) -> dict[str, int]:
    """Return the totals of solvers that err.

    The first three leave a rule out; `discount-kept` charges the discount itself; `return-as-one-discount` takes
    it off one way of a return only; `discount-for-all` gives everyone the largest; `standard-for-all` and
    `one-traveller` stop early.
    """
    people = order.travellers
    back = [replace(t, is_return=False, discount_bp=0) for t in people if t.is_return]
    largest = max((t.discount_bp for t in people), default=0)
    return {
        "discount-ignored": _total(order, (replace(t, discount_bp=0) for t in people)),
        "class-ignored": _total(order, (replace(t, is_first=False) for t in people)),
        "return-ignored": _total(order, (replace(t, is_return=False) for t in people)),
        "discount-kept": _total(
            order, (replace(t, discount_bp=WHOLE - t.discount_bp) if t.discount_bp else t for t in people)
        ),
        "return-as-one-discount": _total(order, [*(replace(t, is_return=False) for t in people), *back]),
        "discount-for-all": _total(order, (replace(t, discount_bp=largest) for t in people)),
        "standard-for-all": len(people) * order.standard_minor,
        "one-traveller": _total(order, people[:1]),
        "per-ticket-rounding": total_per_ticket(order),
        "per-way-rounding": _total_per_way(order),
    }


def _total(order: TicketOrder, travellers: Iterable[Traveller]) -> int:
    return solve(replace(order, travellers=tuple(travellers)))


def _total_per_way(order: TicketOrder) -> int:
    """Return the total with each single way rounded before a return doubles it."""
    total = 0
    for traveller in order.travellers:
        way = round_half_up(exact_total(replace(order, travellers=(replace(traveller, is_return=False),))))
        total += way * (order.singles_per_return if traveller.is_return else 1)
    return total
