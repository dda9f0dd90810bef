"""Frequency: how many minutes lie on average between the trains that leave within a window of the day."""

from __future__ import annotations

import itertools
from bisect import bisect_right
from random import Random
from typing import NamedTuple

from pydantic import Field

from generator.records import Frozen
from generator.travel.scene import Beat, Draft, HearingError, RedrawError, Scene, Told, whole
from generator.travel.tasks.common import find_trains, pick, today_says, trains_told
from generator.travel.tasks.protocol import TravelTask
from generator.travel.tools import Call
from generator.travel.truth import frequency
from generator.travel.truth.frequency import FrequencyQuery
from generator.travel.wording import Say, say
from generator.travel.world.schema import DAY_MINUTES

LIMITS = (25, 35, 55)
"""Minutes at which one band of answers ends and the next begins."""
BANDS = ("under-25", "25-35", "35-55", "over-55")
TRIES = 80
CLEARANCE = 2
"""Minutes that a window keeps from any departure, so that it is plain which trains are within it."""
REACH = 60
"""Minutes that a window may begin before the day's first train, or end after its last."""
NEAR = 50
"""An alternative within a fiftieth (2 %) of the answer is too near: an answer within 1 % must be unmistakable."""


class Knobs(Frozen):
    """Ranges are inclusive. trains: of the day, all shown. departures: those within the window.

    apart: share of instances in which the window is told before the question.
    """

    trains: tuple[int, int]
    departures: tuple[int, int]
    apart: float = Field(ge=0, le=1)


class _Service(NamedTuple):
    origin: str
    destination: str
    day: int


def draw(scene: Scene, knobs: Knobs, number: int, rng: Random) -> Draft:
    """Return a route, a day and a window within it; the answer is in the band that is due, if any window gives one."""
    service, asked = _find(scene, knobs, number % len(BANDS), rng)
    call = find_trains(scene, *service)
    assert call.rows is not None
    if tuple(t.departs for t in call.rows.trains) != asked.departures_min:
        raise RedrawError("not all trains of the day are shown")
    beats = _beats(service, asked, call, is_apart=rng.random() < knobs.apart, rng=rng)
    return Draft(beats, today_says(scene), {"band": BANDS[_band(frequency.inside(asked))]})


def _find(scene: Scene, knobs: Knobs, due: int, rng: Random) -> tuple[_Service, FrequencyQuery]:
    """Return a service and a sound window; one of another band only after `TRIES` for the band that is due."""
    services = list(scene.stage.trains)
    second_best: tuple[_Service, FrequencyQuery] | None = None
    for _ in range(TRIES):
        service = _Service(*pick(rng, services, "no trains"))
        times = tuple(t.departs for t in scene.stage.trains[service])
        run = _run(times, knobs, rng)
        if run is None or service[:2] not in scene.stage.routes:
            continue
        is_due = _band(times[run[0] : run[1] + 1]) == due
        if not is_due and second_best is not None:
            continue
        asked = _window(times, *run, rng)
        if asked is not None and not edges(asked):
            if is_due:
                return service, asked
            second_best = service, asked
    if second_best is None:
        raise RedrawError("no window over uneven gaps")
    return second_best


def _run(times: tuple[int, ...], knobs: Knobs, rng: Random) -> tuple[int, int] | None:
    """Return where some departures begin and end, None if there are too few or too many, or they are evenly spaced."""
    size = rng.randint(*knobs.departures)
    if not max(size, knobs.trains[0]) <= len(times) <= knobs.trains[1]:
        return None
    first = rng.randrange(len(times) - size + 1)
    is_even = len({b - a for a, b in itertools.pairwise(times[first : first + size])}) < 2
    return None if is_even else (first, first + size - 1)


def _window(times: tuple[int, ...], first: int, last: int, rng: Random) -> FrequencyQuery | None:
    """Return a window that holds just these departures, None if there is no room between them and the next."""
    begin, end = times[first], times[last]
    before = max(0, begin - REACH, times[first - 1] + CLEARANCE if first else 0)
    after = min(DAY_MINUTES - 1, end + REACH, times[last + 1] - CLEARANCE if last + 1 < len(times) else DAY_MINUTES)
    start, stop = _spoken(before, begin - CLEARANCE, rng), _spoken(end + CLEARANCE, after, rng)
    return None if start is None or stop is None else FrequencyQuery(times, start, stop)


def _spoken(low: int, high: int, rng: Random) -> int | None:
    """Return a time from a stretch as people say it: to the quarter of an hour, or else to five minutes."""
    for step in (15, 5) if rng.random() < 0.5 else (5,):
        times = range(-(-low // step) * step, high + 1, step)
        if times:
            return rng.choice(times)
    return None


def _band(times: tuple[int, ...]) -> int:
    return bisect_right(LIMITS, (times[-1] - times[0]) / (len(times) - 1))


def _beats(service: _Service, asked: FrequencyQuery, call: Call, *, is_apart: bool, rng: Random) -> tuple[Beat, ...]:
    """Return the conversation: the window comes with the question, or before it."""
    window = {"f": asked.start_min, "t": asked.end_min}
    wish = say("want.day-trains", a=service.origin, b=service.destination, d=service.day)
    found = say("found.day-trains", n=len(asked.departures_min))
    ends = say("tell.first-last", f=asked.departures_min[0], l=asked.departures_min[-1])
    if is_apart:
        told = (found, ends) if rng.random() < 0.5 else (found,)
        heard = (say("chat.window-heard"), say("chat.anything-else"))
        return (
            Beat((say("chat.hello"), wish), (call,), told),
            Beat((say("chat.thanks"), say("leave.window", **window)), (), heard),
            Beat((say("ask.frequency"),)),
        )
    return (
        Beat((say("chat.hello"), wish), (call,), (found,)),
        Beat((say("about.first-last"),), (), (ends,)),
        Beat((say("chat.thanks"), say("ask.frequency", **window))),
    )


def query(told: Told) -> FrequencyQuery:
    """Return the departures of the day wanted, and the window, which is told with the question or before it."""
    wanted, asked = told.one("want.day-trains"), told.one("ask.frequency")
    trains = trains_told(told, wanted["a"], wanted["b"], wanted["d"])
    windows = {_ends(s) for s in (asked, *told.all("leave.window")) if s.get("f") is not None}
    if len(windows) != 1:
        raise HearingError(f"{len(windows)} windows are told")
    start, end = windows.pop()
    if end <= start:
        raise HearingError("the window ends before it starts")
    return FrequencyQuery(tuple(t.departs for t in trains), start, end)


def _ends(told: Say) -> tuple[int, int]:
    return whole(told["f"]), whole(told["t"])


def edges(asked: FrequencyQuery) -> tuple[str, ...]:
    """Return why the query is on an edge: the truth's reasons, too few or even gaps, or a failure that comes near."""
    answer, wrong = frequency.solve(asked), frequency.alternatives(asked)
    if answer is None:
        return frequency.edges(asked)
    times = frequency.inside(asked)
    found = [*frequency.edges(asked)]
    found += ["too-few-trains"] if len(times) < 4 else []
    found += ["even-gaps"] if len({b - a for a, b in itertools.pairwise(times)}) < 2 else []
    found += [f"{name}-is-near" for name, value in wrong.items() if _is_near(value, answer)]
    return tuple(found)


def _is_near(value: int | None, answer: int) -> bool:
    return value is not None and abs(value - answer) * NEAR <= answer


FAILURES = ("window-per-train", "gaps-miscounted", "whole-day", "usual-gap", "median-gap", "first-gap")
TASK = TravelTask(
    name="frequency",
    reasoning="temporal",
    knowledge="commonsense",
    answer="frequency",
    domains=("trains",),
    rules=("rule.gaps", "rule.gap-ends", "rule.gap-rounding"),
    knobs=Knobs,
    draw=draw,
    query=query,
    solve=frequency.solve,
    resolve=frequency.resolve,
    edges=edges,
    alternatives=frequency.alternatives,
    failures=FAILURES,
    shortcuts=("whole-day", "first-gap"),
    # Imported timetables repeat one gap all day.
    needs=("retime",),
)
