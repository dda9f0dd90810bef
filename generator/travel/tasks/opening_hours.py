"""Opening hours: which of the restaurants shown are open in a window, throughout or for at least so many minutes."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from random import Random
from typing import Any, Literal, NamedTuple

from pydantic import Field

from generator.records import Frozen
from generator.travel.scene import SENTENCE_MARKS, Beat, Draft, HearingError, RedrawError, Scene, Told, whole
from generator.travel.shown import PlaceRow
from generator.travel.tasks.common import search_places, today_says
from generator.travel.tasks.opening_windows import APART, EARLY, RELATIONS, WIDE, WITHIN, draw_window
from generator.travel.tasks.protocol import TravelTask
from generator.travel.truth import opening_hours
from generator.travel.truth.allen import Interval, Relation
from generator.travel.truth.opening_hours import HoursQuery, Place, clock_interval, join, open_minutes
from generator.travel.wording import Say, say
from generator.travel.world.schema import DAY_MINUTES

AnswerClass = Literal["none", "all", "some"]
CLASSES: tuple[AnswerClass, ...] = ("some", "some", "none", "some", "some", "all", "some", "some")
DAYS, TRIES = 3, 8
ANY_RELATION, NO_MIDNIGHT, REAL_SUBSET = 0.2, 0.08, 0.03
"""Shares of draws that give up something of what is due: in some worlds no place is open past midnight."""
TRAPS = {
    True: ("containment-inverted", "any-overlap", "opens-in-time"),
    False: ("containment-inverted", "throughout", "opens-in-time"),
}
"""Failures that must not come out right, by whether all of the window is asked for."""


class Knobs(Frozen):
    """Ranges are inclusive. places: restaurants shown. window: minutes, more where it is to hold an opening.

    least: minutes of opening that are asked for. apart: share that tells the window before the question.
    """

    places: tuple[int, int]
    window: tuple[int, int]
    least: tuple[int, ...] = Field(min_length=2)
    apart: float = Field(ge=0, le=1)


class Due(NamedTuple):
    """What an instance is to be. relations: of the window to an opening of one of the places, one of these."""

    is_strict: bool
    kind: AnswerClass
    relations: tuple[Relation, ...]
    is_over_midnight: bool


class Found(NamedTuple):
    """A sound question: its weekday, its query, and the relation that it was drawn with."""

    day: int
    asked: HoursQuery
    relation: Relation


def draw(scene: Scene, knobs: Knobs, number: int, rng: Random) -> Draft:
    """Return restaurants found by one search, and a window in which the answer is of the class that is due."""
    beat, call = search_places(scene, "restaurant", rng, *knobs.places, chat=(say("chat.hello"),))
    assert call.rows is not None
    rows = call.rows.of("restaurant")
    if any(row.week is None or any(mark in row.name for mark in SENTENCE_MARKS) for row in rows):
        raise RedrawError("a restaurant without hours, or whose name cannot be told")
    due = _relax(_due(number), rng.random())
    found = _find(rows, due, knobs, rng)
    cell = {
        "demand": "strict" if due.is_strict else "loose",
        "class": due.kind,
        "relation": str(found.relation),
        "midnight": "yes" if due.is_over_midnight else "no",
    }
    return Draft((beat, *_beats(rows, found, rng.random() < knobs.apart, rng)), today_says(scene), cell)


def _due(number: int) -> Due:
    """Return what is due; the periods 2, 8 (of pairs), 13 and 3 share no factor, so that none foretells another."""
    is_strict, is_over_midnight = number % 2 == 0, number % 3 == 2
    kind = CLASSES[number // 2 % len(CLASSES)]
    possible = _possible(is_strict, kind, is_over_midnight)
    turn, at = divmod(number, len(RELATIONS))
    relation = RELATIONS[at] if RELATIONS[at] in possible else possible[turn % len(possible)]
    return Due(is_strict, kind, (relation,), is_over_midnight)


def _relax(due: Due, chance: float) -> Due:
    """Return what may stand in for it, most often itself: any relation, no midnight, real subsets for none or all."""
    if chance >= ANY_RELATION:
        return due
    kind = "some" if chance < REAL_SUBSET else due.kind
    is_over_midnight = due.is_over_midnight and chance >= NO_MIDNIGHT
    return Due(due.is_strict, kind, _possible(due.is_strict, kind, is_over_midnight), is_over_midnight)


def _possible(is_strict: bool, kind: AnswerClass, is_over_midnight: bool) -> tuple[Relation, ...]:
    """Return the relations that leave room for the class: the place whose opening it is fits, or does not."""
    found = [r for r in RELATIONS if not (is_over_midnight and r in EARLY)]
    if kind == "none":
        return tuple(r for r in found if r not in WITHIN and (is_strict or r not in WIDE))
    if kind == "all":
        return tuple(r for r in found if (r in WITHIN if is_strict else r not in APART))
    return tuple(found)


def _find(rows: Sequence[PlaceRow], due: Due, knobs: Knobs, rng: Random) -> Found:
    """Return a sound question of the class that is due.

    Raises:
        RedrawError: There is none among some tries.
    """
    for day in rng.sample(range(7), DAYS):
        places = tuple(Place(row.name, join(_openings(row, day))) for row in rows)
        openings = [o for place in places for o in place.openings if 0 <= o.start < DAY_MINUTES]
        if due.is_over_midnight and due.is_strict and due.kind != "none":
            # Who is open throughout is open past midnight.
            openings = openings if any(o.end > DAY_MINUTES for o in openings) else []
        for _ in range(TRIES if openings else 0):
            relation = rng.choice(due.relations)
            window = draw_window(rng.choice(openings), relation, due.is_over_midnight, knobs.window, rng)
            asked = None if window is None else _ask(places, window, due, knobs.least, rng)
            if asked is not None and not edges(asked):
                return Found(day, asked, relation)
    raise RedrawError(f"no window for {due.kind}")


def _ask(
    places: tuple[Place, ...], window: Interval, due: Due, leasts: Sequence[int], rng: Random
) -> HoursQuery | None:
    """Return a question about a window whose answer is of the class that is due, None if there is none."""
    minutes = [open_minutes(place, window) for place in places]
    if due.is_strict:
        fitting = sum(m == window.length for m in minutes)
        return HoursQuery(places, window) if _class_of(fitting, len(places)) == due.kind else None
    # Where it can be met, more is asked for than there is before midnight: who stops there must be wrong.
    is_late = (
        due.kind == "some"
        and window.end > DAY_MINUTES
        and any(o.start < DAY_MINUTES < o.end for p in places for o in p.openings)
    )
    for least in rng.sample(leasts, len(leasts)):
        if is_late and window.start + least <= DAY_MINUTES:
            continue
        if least < window.length and _class_of(sum(m >= least for m in minutes), len(places)) == due.kind:
            return HoursQuery(places, window, least)
    return None


def _class_of(fitting: int, places: int) -> AnswerClass:
    return "none" if fitting == 0 else "all" if fitting == places else "some"


def _beats(rows: Sequence[PlaceRow], found: Found, is_apart: bool, rng: Random) -> tuple[Beat, ...]:
    """Return what follows the search: an exchange that changes nothing, the window with the question or before it."""
    asked = found.asked
    window = {"d": found.day, "a": asked.window.start, "b": asked.window.end % DAY_MINUTES}
    least = {} if asked.at_least_min is None else {"m": asked.at_least_min}
    between = _exchange(rows, rng)
    if is_apart:
        told = Beat((say("visit.window", **window),), (), (say("chat.visit-heard"), say("chat.anything-else")))
        return between, told, Beat((say("ask.opening-hours", **least),))
    return between, Beat((say("chat.before-hours"), say("ask.opening-hours", **window, **least)))


def _exchange(rows: Sequence[PlaceRow], rng: Random) -> Beat:
    row = rng.choice(rows)
    kind = rng.choice(("undecided", "seat", "price"))
    if kind == "price" and row.band is not None:
        return Beat((say("about.price", x=row.name),), (), (say("tell.price", x=row.name, p=row.band),))
    if kind == "seat":
        return Beat((say("wish.seat"),), (), (say("chat.seat-heard"), say("chat.anything-else")))
    return Beat((say("chat.undecided"),), (), (say("chat.take-your-time"),))


def query(told: Told) -> HoursQuery:
    """Return the restaurants shown with their hours round the day asked about, the window, and what is asked of it."""
    wanted, asked = told.one("want.restaurants"), told.one("ask.opening-hours")
    rows = told.rows.of("restaurant")
    if not rows or any(
        (wanted.get("area") or row.area, wanted.get("kind") or row.kind) != (row.area, row.kind) for row in rows
    ):
        raise HearingError("the restaurants shown are not those wanted")
    windows = {_told_window(s) for s in (asked, *told.all("visit.window")) if s.get("a") is not None}
    if len(windows) != 1:
        raise HearingError(f"{len(windows)} windows are told")
    day, start, end = windows.pop()
    if start == end:
        raise HearingError("the window ends when it starts")
    places = tuple(Place(row.name, _openings(row, day)) for row in rows)
    least = asked.get("m")
    return HoursQuery(places, clock_interval(start, end), None if least is None else whole(least))


def _told_window(told: Say) -> tuple[int, int, int]:
    return whole(told["d"]), whole(told["a"]), whole(told["b"])


def _openings(row: PlaceRow, day: int) -> tuple[Interval, ...]:
    """Return the openings of a day and its neighbours, in minutes after the day's midnight."""
    if row.week is None:
        raise HearingError(f"the hours of {row.name!r} are not shown")
    return tuple(
        Interval(opens + shift * DAY_MINUTES, closes + shift * DAY_MINUTES)
        for shift in (-1, 0, 1)
        for opens, closes in row.week[(day + shift) % 7]
    )


def edges(asked: HoursQuery) -> tuple[str, ...]:
    """Return why the query is on an edge: a threshold, or a failure that happens to come out right."""
    answer, wrong = opening_hours.solve(asked), opening_hours.alternatives(asked)
    found = [*opening_hours.edges(asked)]
    if 0 < len(answer) < len(asked.places):
        found += [f"{name}-is-right" for name in TRAPS[asked.at_least_min is None] if wrong[name] == answer]
    elif wrong["any-overlap"] == ():
        found.append("all-shut")
    return tuple(found)


def alternatives(asked: HoursQuery) -> Mapping[str, tuple[str, ...]]:
    """Return the truth's wrong selections, and the first place shown alone."""
    return opening_hours.alternatives(asked) | {"first": (asked.places[0].id,)}


def candidates(asked: HoursQuery) -> tuple[str, ...]:
    """Return the names of the restaurants shown, in order."""
    return tuple(place.id for place in asked.places)


def params(asked: HoursQuery) -> dict[str, Any]:
    """Return what a check needs to read a selection."""
    return {"candidates": list(candidates(asked))}


FAILURES = (
    "containment-inverted", "any-overlap", "throughout", "some-of-it", "midnight-ignored", "opens-in-time", "all",
    "none", "first",
)  # fmt: skip
TASK = TravelTask(
    name="opening-hours",
    reasoning="temporal",
    knowledge="commonsense",
    answer="list",
    domains=("restaurants",),
    rules=("rule.hours", "rule.next-day", "rule.closing-minute", "rule.over-midnight", "rule.minutes-add"),
    knobs=Knobs,
    draw=draw,
    query=query,
    solve=opening_hours.solve,
    resolve=opening_hours.resolve,
    edges=edges,
    alternatives=alternatives,
    failures=FAILURES,
    shortcuts=("all", "none", "first"),
    candidates=candidates,
    params=params,
)
