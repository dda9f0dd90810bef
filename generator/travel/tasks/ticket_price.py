"""Ticket price: what a party pays for a train that it chose, by class, single or return, and discounts."""

from __future__ import annotations

from random import Random

from pydantic import Field

from generator.records import Frozen
from generator.travel.scene import Beat, Draft, HearingError, RedrawError, Scene, Told, whole
from generator.travel.shown import TrainRow, clock
from generator.travel.tasks.common import find_trains, pick, today_says, trains_told
from generator.travel.tasks.protocol import TravelTask
from generator.travel.truth import ticket_price
from generator.travel.truth.ticket_price import TicketOrder, Traveller
from generator.travel.wording import Say, say

FIRST_CLASS = "first"


class Knobs(Frozen):
    """Ranges are inclusive. window: minutes in which the trains shown leave. discounts: whole per cent.

    groups: how many different tickets. discounted: share of groups that have a discount.
    """

    trains: tuple[int, int]
    window: tuple[int, int]
    groups: tuple[int, int]
    people: tuple[int, int]
    discounts: tuple[int, ...] = Field(min_length=1)
    discounted: float = Field(ge=0, le=1)


def draw(scene: Scene, knobs: Knobs, number: int, rng: Random) -> Draft:
    """Return a party and its train, one of several shown."""
    origin, destination, day = pick(rng, sorted(scene.stage.trains), "no trains")
    if (origin, destination) not in scene.stage.routes:
        raise RedrawError("a station cannot be named")
    trains = scene.stage.trains[origin, destination, day]
    first = pick(rng, trains, "no trains")
    after = first.departs - rng.randrange(0, 30) // 5 * 5 if first.departs >= 30 else first.departs
    after -= after % 5
    before = min(1440, after + rng.randint(*knobs.window) // 15 * 15)
    if before >= 1440:
        raise RedrawError("the window runs past midnight")
    call = find_trains(scene, origin, destination, day, after=clock(after), before=clock(before))
    assert call.rows is not None
    shown = call.rows.trains
    if not knobs.trains[0] <= len(shown) <= knobs.trains[1] or len({t.departs for t in shown}) < len(shown):
        raise RedrawError("too few or too many trains in the window")
    chosen = pick(rng, [t for t in shown if t.fare(FIRST_CLASS) is not None], "no train with two classes")
    groups = _groups(knobs, rng)
    asked = (say("party", n=sum(n for n, _ in groups)), *(_tickets(n, t) for n, t in groups), say("ask.ticket-price"))
    beats = (
        Beat(
            (say("chat.hello"), say("want.trains", a=origin, b=destination, d=day, after=after, before=before)),
            (call,),
            (say("found.trains", n=len(shown)), say("chat.which-train")),
        ),
        Beat(
            (say("take.train", t=chosen.departs),),
            (),
            (say("train.arrives", t=chosen.departs, e=chosen.arrives % 1440),),
        ),
        Beat((say("chat.before-booking"), *asked)),
    )
    return Draft(beats, today_says(scene), {"groups": str(len(groups))})


def _groups(knobs: Knobs, rng: Random) -> list[tuple[int, Traveller]]:
    people, count = rng.randint(*knobs.people), rng.randint(*knobs.groups)
    if count > people:
        raise RedrawError("more kinds of ticket than people")
    cuts = sorted(rng.sample(range(1, people), count - 1))
    sizes = [b - a for a, b in zip((0, *cuts), (*cuts, people), strict=True)]
    kinds: list[Traveller] = []
    for _ in sizes:
        discount = 100 * rng.choice(knobs.discounts) if rng.random() < knobs.discounted else 0
        kinds.append(Traveller(rng.random() < 0.5, rng.random() < 0.4, discount))
    if len(set(kinds)) < len(kinds):
        raise RedrawError("two groups with one kind of ticket")
    if not (any(k.is_first for k in kinds) and any(k.is_return for k in kinds) and any(k.discount_bp for k in kinds)):
        raise RedrawError("no rule to forget")
    return list(zip(sizes, kinds, strict=True))


def _tickets(n: int, kind: Traveller) -> Say:
    args = {"n": n, "c": "first" if kind.is_first else "standard", "k": "return" if kind.is_return else "single"}
    return say("tickets.reduced", **args, p=kind.discount_bp) if kind.discount_bp else say("tickets.full", **args)


def query(told: Told) -> TicketOrder:
    """Return the order: the fares of the train chosen, and a ticket for each of the party."""
    wanted, taken = told.one("want.trains"), told.one("take.train")
    trains = trains_told(told, wanted["a"], wanted["b"], wanted["d"])
    chosen = [t for t in trains if t.departs == taken["t"]]
    if len(chosen) != 1:
        raise HearingError("the train chosen is not among those shown")
    travellers = [
        Traveller(s["k"] == "return", s["c"] == "first", whole(s.get("p") or 0))
        for s in told.all("tickets.full", "tickets.reduced")
        for _ in range(whole(s["n"]))
    ]
    if len(travellers) != told.one("party")["n"]:
        raise HearingError("the tickets are not as many as the party")
    return TicketOrder(tuple(travellers), _fare(chosen[0], "standard"), _fare(chosen[0], FIRST_CLASS))


def _fare(train: TrainRow, travel_class: str) -> int:
    fare = train.fare(travel_class)
    if fare is None:
        raise HearingError(f"no {travel_class} class on the train")
    return fare


def edges(order: TicketOrder) -> tuple[str, ...]:
    """Return why the order is on an edge: rounding, or a rule that changes nothing."""
    total, wrong = ticket_price.solve(order), ticket_price.alternatives(order)
    ruled = ("discount-ignored", "class-ignored", "return-ignored", "standard-for-all", "one-traveller")
    idle = tuple(f"{name}-is-right" for name in ruled if wrong[name] == total)
    return (*ticket_price.edges(order), *idle)


TASK = TravelTask(
    name="ticket-price",
    reasoning="arithmetic",
    knowledge="commonsense",
    answer="amount",
    domains=("trains",),
    rules=("rule.fares", "rule.return", "rule.discount", "rule.rounding"),
    knobs=Knobs,
    draw=draw,
    query=query,
    solve=ticket_price.solve,
    resolve=ticket_price.resolve,
    edges=edges,
    alternatives=ticket_price.alternatives,
    failures=(
        "discount-ignored",
        "class-ignored",
        "return-ignored",
        "discount-kept",
        "return-as-one-discount",
        "discount-for-all",
        "standard-for-all",
        "one-traveller",
        "per-ticket-rounding",
        "per-way-rounding",
    ),
    shortcuts=("standard-for-all", "one-traveller"),
)
