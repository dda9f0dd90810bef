"""Timetables of an invented railway: regular, but not perfectly so."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random

from generator.travel.world.schema import DAY_MINUTES, Fare, Train
from generator.travel.world.town import Line, Railway, Town, minutes_of

# Which days a train runs: most run daily, some not on Sundays, some on Fridays only, some at weekends only.
DAY_SETS: tuple[tuple[tuple[int, ...], int], ...] = (
    ((0, 1, 2, 3, 4, 5, 6), 66),
    ((0, 1, 2, 3, 4, 5), 14),
    ((0, 1, 2, 3, 4), 12),
    ((5, 6), 4),
    ((4,), 2),
    ((0, 2, 4), 2),
)
LEFT_OUT = 0.07
NUDGED = 0.16
NUDGE = (-4, -3, -2, 2, 3, 4)
SLOWER = 0.2
LONGER = (2, 3, 5, 8)
DEARER = (0.95, 1, 1, 1.05)


def draw_trains(town: Town, lines: int, rng: Random) -> tuple[Train, ...]:
    """Return the trains of the first `lines` lines, both ways, by route and departure; ids are drawn, not counted."""
    rail = town.railway
    drafts = [draft for line in rail.lines[:lines] for back in (False, True) for draft in _run(town, line, back, rng)]
    numbers = rng.sample(range(1000, 10_000), len(drafts))
    return tuple(
        Train.model_validate({"id": f"{rail.prefix}{number}", **draft})
        for number, draft in zip(numbers, drafts, strict=True)
    )


def _run(town: Town, line: Line, back: bool, rng: Random) -> Iterator[dict[str, object]]:
    rail = town.railway
    ends = (line.station, town.station) if back else (town.station, line.station)
    for departs in sorted(_departures(rail, line, back, rng)):
        takes = line.minutes + (rng.choice(LONGER) if rng.random() < SLOWER else 0)
        yield {
            "origin": ends[0],
            "destination": ends[1],
            "days": rng.choices([d for d, _ in DAY_SETS], [w for _, w in DAY_SETS])[0],
            "departs": departs,
            "arrives": departs + takes,
            "fares": _fares(town, line, departs, rng),
        }


def _departures(rail: Railway, line: Line, back: bool, rng: Random) -> set[int]:
    found: set[int] = set()
    # The way back is offset, as it is where trains turn round.
    offset = line.minutes % 20 + 3 if back else 0
    for start, end, headway in rail.patterns[line.pattern]:
        for minute in range(minutes_of(start) + offset, min(minutes_of(end) + offset, DAY_MINUTES), headway):
            if rng.random() >= LEFT_OUT:
                nudge = rng.choice(NUDGE) if rng.random() < NUDGED else 0
                found.add(min(minute + nudge, DAY_MINUTES - 1))
    return found


def _fares(town: Town, line: Line, departs: int, rng: Random) -> tuple[Fare, ...]:
    rail = town.railway
    spans = [tuple(map(minutes_of, peak.split("-"))) for peak in rail.peaks]
    peak = rail.peak if any(a <= departs < b for a, b in spans) else 1
    step = rail.price_step
    standard = max(step, round(line.fare * town.unit * peak * rng.choice(DEARER) / step) * step)
    first = max(standard + step, round(standard * rng.uniform(*rail.first) / step) * step)
    return Fare(travel_class="standard", price=standard), Fare(travel_class="first", price=first)
