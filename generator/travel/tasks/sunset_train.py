"""Sunset train: the last departure that arrives before sunset, the time of which is said or must be reckoned."""

from __future__ import annotations

import datetime as dt
from collections.abc import Sequence
from dataclasses import dataclass
from random import Random

from pydantic import Field, ValidationError

from generator.records import Frozen
from generator.travel.scene import Beat, Draft, HearingError, RedrawError, Scene, Told, whole
from generator.travel.shown import clock
from generator.travel.tasks.common import find_trains, pick, trains_told
from generator.travel.tasks.protocol import TravelTask
from generator.travel.truth import sunset_train
from generator.travel.truth.sunset_train import Ride, SunsetQuery, leaves_and_arrives_in_one_hour
from generator.travel.wording import Say, say
from generator.travel.world.clock import is_summer_time, sunset
from generator.travel.world.schema import DAY_MINUTES, Sky, Train

NEAR_GIVEN, NEAR_WITHHELD = 3, 15
"""Minutes around sunset in which no train arrives: reckoning it by other formulas must give the same train."""
GUESS_EVERY = 4
"""In one instance of so many, guessing an hour's journey may give the answer; in the others it must not."""
EARLIEST, STEP, REACH = 7 * 60, 5, 60


class Knobs(Frozen):
    """places: the answer's place in the list shown, from 0, inclusive; an instance's number runs through them.

    withheld_every: of so many instances, one is not told when the sun sets; 0 is none.
    """

    places: tuple[int, int]
    withheld_every: int = Field(ge=0)


@dataclass(frozen=True, slots=True)
class Daylight(SunsetQuery):
    """The query, and how near to sunset no train may arrive."""

    near_min: int = NEAR_GIVEN


def draw(scene: Scene, knobs: Knobs, number: int, rng: Random) -> Draft:
    """Return a route of today and an earliest departure, from which the answer is some way down the list."""
    is_withheld = _is_withheld(knobs, number)
    origin, destination = pick(rng, scene.stage.routes, "no trains")
    trains = scene.stage.trains.get((origin, destination, scene.weekday), ())
    sets = sunset(scene.stage.world.sky, dt.date.fromordinal(scene.today))
    if not 0 < sets < DAY_MINUTES:
        raise RedrawError("the sun does not set today")
    # Few routes have a long enough gap around sunset for it to be reckoned; there, a guess is no help without it.
    right = _last_in_time(trains, sets, must_not_guess=not is_withheld and number % GUESS_EVERY != 0)
    place = _place(knobs, number)
    earliest = _earliest(trains, right - place, rng)
    near = NEAR_WITHHELD if is_withheld else NEAR_GIVEN
    if any(abs(t.arrives - sets) <= near for t in trains if t.departs >= earliest):
        raise RedrawError("near-sunset")
    call = find_trains(scene, origin, destination, scene.weekday, after=clock(earliest))
    assert call.rows is not None
    # The scene's time, where the earliest departure is still to come then.
    now = scene.now if scene.now <= earliest else earliest - rng.randint(2, 90)
    today = (say("today", date=scene.today, now=now), *_sun(scene, sets, is_withheld))
    beats = (
        Beat((say("chat.hello"), say("want.train-today", a=origin, b=destination)), (), (say("chat.from-when"),)),
        Beat((say("leave.after", t=earliest),), (call,), (say("found.trains", n=len(call.rows.trains)),)),
        Beat((say("chat.thanks"), say("ask.sunset-train"))),
    )
    one_hour = leaves_and_arrives_in_one_hour(Ride(trains[right].departs, trains[right].arrives))
    cell = {
        "sunset": "withheld" if is_withheld else "given",
        "place": str(place),
        "hours": "one" if one_hour else "two",
    }
    return Draft(beats, today, cell)


def _is_withheld(knobs: Knobs, number: int) -> bool:
    """Return whether sunset must be reckoned; shifted each round, so that it meets every place in the list."""
    every, round_ = knobs.withheld_every, number // _places(knobs)
    return bool(every) and (number + round_) % every == 0


def _places(knobs: Knobs) -> int:
    return knobs.places[1] - knobs.places[0] + 1


def _place(knobs: Knobs, number: int) -> int:
    return knobs.places[0] + number % _places(knobs)


def _last_in_time(trains: Sequence[Train], sets: int, must_not_guess: bool) -> int:
    """Return the place of the answer among all trains of the day."""
    right = next((n for n in range(len(trains) - 1, -1, -1) if trains[n].arrives < sets), -1)
    if right < 0 or right + 1 >= len(trains):
        raise RedrawError("the sun sets before the first train or after the last")
    if trains[right + 1].departs >= sets:
        raise RedrawError("the next train leaves in the dark")
    if must_not_guess and trains[right].departs < sets - 60 <= trains[right + 1].departs:
        raise RedrawError("guessing an hour's journey is right")
    return right


def _earliest(trains: Sequence[Train], first: int, rng: Random) -> int:
    """Return a minute that people would say, from which on the first train is the one at a place in the list."""
    if first < 0:
        raise RedrawError("too few trains before the answer")
    departs = trains[first].departs
    before = trains[first - 1].departs if first else 0
    fitting = range(-(-max(before + 1, departs - REACH, EARLIEST) // STEP) * STEP, departs + 1, STEP)
    return pick(rng, fitting, "no round minute between two trains")


def _sun(scene: Scene, sets: int, is_withheld: bool) -> tuple[Say, ...]:
    if not is_withheld:
        return (say("sun.sets", t=sets),)
    sky = scene.stage.world.sky
    is_summer = sky.summer_time == "eu" and is_summer_time(dt.date.fromordinal(scene.today))
    offset = sky.utc_offset + (60 if is_summer else 0)
    ahead = say("sun.clock", z=abs(offset), s="behind" if offset < 0 else "ahead")
    return (say("sun.place", lat=sky.latitude_e4, lon=sky.longitude_e4), ahead)


def query(told: Told) -> Daylight:
    """Return the trains of today's route from the earliest departure on, and when the sun sets."""
    wanted, date = told.one("want.train-today"), whole(told.one("today")["date"])
    trains = trains_told(told, wanted["a"], wanted["b"], (date - 1) % 7)
    rides = tuple(Ride(t.departs, t.arrives) for t in trains)
    earliest = whole(told.one("leave.after")["t"])
    if told.all("sun.sets"):
        if told.all("sun.place", "sun.clock"):
            raise HearingError("sunset is told, and is to be reckoned")
        return Daylight(rides, whole(told.one("sun.sets")["t"]), earliest, NEAR_GIVEN)
    return Daylight(rides, _reckoned(told, date), earliest, NEAR_WITHHELD)


def _reckoned(told: Told, date: int) -> int:
    """Return sunset by what is said of place and clock alone."""
    place, offset = told.one("sun.place"), told.one("sun.clock")
    ahead = whole(offset["z"]) * (-1 if offset["s"] == "behind" else 1)
    try:
        # The offset said holds today, summer time and all.
        sky = Sky(latitude_e4=whole(place["lat"]), longitude_e4=whole(place["lon"]), utc_offset=ahead)
    except ValidationError as error:
        raise HearingError(f"no sunset at {place} with the clock {ahead} minutes ahead") from error
    return sunset(sky, dt.date.fromordinal(date))


def edges(query: Daylight) -> tuple[str, ...]:
    """Return why the query is on an edge: an arrival near sunset, or a failure that changes nothing."""
    right, wrong = sunset_train.solve(query), sunset_train.alternatives(query)
    ruled = ["departs-before-sunset", "first", "last", "first-too-late", "one-too-early"]
    if query.near_min == NEAR_WITHHELD:
        ruled.append("clock-change-ignored")
    idle = tuple(f"{name}-is-right" for name in ruled if wrong[name] == right)
    return (*sunset_train.edges(query, query.near_min), *idle)


FAILURES = (
    "departs-before-sunset", "hour-before-sunset", "first-too-late", "one-too-early", "same-hour-train-dropped",
    "arrives-at-sunset", "clock-change-ignored", "arrival-said", "first", "last",
)  # fmt: skip
TASK = TravelTask(
    name="sunset-train",
    reasoning="temporal",
    knowledge="commonsense",
    answer="time",
    domains=("trains",),
    rules=("rule.sunset", "rule.one-sunset"),
    knobs=Knobs,
    draw=draw,
    query=query,
    solve=sunset_train.solve,
    resolve=sunset_train.resolve,
    edges=edges,
    alternatives=sunset_train.alternatives,
    failures=FAILURES,
    shortcuts=("first", "last"),
    params=lambda query: {"departures": [clock(ride.departs_min) for ride in query.rides]},
)
