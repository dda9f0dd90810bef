"""Compares our answers to released examples with the targets stored beside them, and says why they differ."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from decimal import Decimal
from fractions import Fraction
from itertools import pairwise
from pathlib import Path
from typing import Any, NamedTuple

from generator.errors import GenError
from generator.travel.boulder.answers import (
    Answer,
    Conventions,
    frequency_query,
    solve_shown,
    sunset_query,
    walk_query,
)
from generator.travel.boulder.released import (
    TASKS,
    ReleasedFile,
    Row,
    Shown,
    UnreadError,
    View,
    open_released,
    show,
    views_of,
)
from generator.travel.shown import clock
from generator.travel.truth import frequency, sunset_train, walking_order

OTHER_READINGS = (
    ("train_departure_frequency", "window divided by trains", Conventions(frequency="window-per-train")),
    ("directional_relations", "45-degree sector around the named direction", Conventions(direction="sector-45")),
    ("directional_relations", "90-degree sector around the named direction", Conventions(direction="sector-90")),
    ("accommodation_price", "each exception changes its room's nights", Conventions(rooms="each-exception")),
    ("train_departure_time", "arriving at the very minute is in time", Conventions(sunset="at-or-before")),
)
"""Conventions that the original's words allow as well, to see how many targets hang on the choice."""

_ROUTE_TIE_M = 0.001
_EXACT = Decimal("1e-6")


@dataclass(frozen=True)
class Finding:
    """One example that disagrees, or that the words do not determine.

    reason: the known cause, recognised from the data; None if there is none. counts: whether it is a disagreement.
    """

    task: str
    id: str
    views: tuple[View, ...]
    ours: str
    stored: str
    reason: str | None
    counts: bool


class TaskReport(NamedTuple):
    """What came of one task: examples, those that agree in every view, and what is to be said of single ones."""

    task: str
    examples: int
    agreements: int
    findings: tuple[Finding, ...]
    other_readings: dict[str, int]


class LabReport(NamedTuple):
    """All tasks of a folder, and the tasks that have no file in it."""

    tasks: tuple[TaskReport, ...]
    absent: tuple[str, ...]

    @property
    def is_explained(self) -> bool:
        """Return whether every task is there and every disagreement has a reason."""
        return not self.absent and all(f.reason for task in self.tasks for f in task.findings if f.counts)


def compare_folder(folder: Path, conventions: Conventions | None = None) -> LabReport:
    """Return the comparison of every released file in a folder, in the order of `TASKS`.

    Raises:
        GenError: The folder is none, holds no JSON file, two of one task, or one that is no file of examples.
    """
    paths = sorted(folder.glob("*.json")) if folder.is_dir() else []
    if not paths:
        raise GenError(str(folder), "no JSON files here", "name the folder of the original's released examples")
    files: dict[str, ReleasedFile] = {}
    for path in paths:
        opened = open_released(path)
        if opened.task in files:
            raise GenError(str(path), f"a second file of {opened.task}", f"keep it or {files[opened.task].path.name}")
        files[opened.task] = opened
    reports = tuple(compare_file(files[task], conventions) for task in TASKS if task in files)
    return LabReport(reports, tuple(task for task in TASKS if task not in files))


def compare_file(released: ReleasedFile, conventions: Conventions | None = None) -> TaskReport:
    """Return the comparison of one file: an example agrees if our answer in every view allows the stored target."""
    findings = [f for e in released.examples for f in _findings(released.task, e, conventions or Conventions())]
    disagreeing = {f.id for f in findings if f.counts}
    others = {
        name: sum(_is_plainly_stored(released.task, e, other) for e in released.examples)
        for task, name, other in OTHER_READINGS
        if task == released.task
    }
    return TaskReport(
        released.task, len(released.examples), len(released.examples) - len(disagreeing), tuple(findings), others
    )


def stored_target(task: str, example: Row) -> Any:
    """Return the target as the original stores it.

    Raises:
        GenError: The example has none.
    """
    try:
        if task in ("train_ticket_price", "accommodation_price"):
            return example["total_price"]
        if task == "train_departure_time":
            return example["last_departure_time"]
        if task == "restaurants_opening_hours":
            return [row["name"] for row in example["matching_restaurants"]]
        field = {
            "train_departure_frequency": "average_interval_minutes",
            "directional_relations": "is_correct",
            "hotel_to_restaurant_distance": "distance",
            "shortest_walking_path": "optimal_route_order",
        }[task]
        return example["targets"][field]
    except (KeyError, TypeError) as error:
        raise GenError(f"{task}, example {example.get('id')!r}", "no target", "give the released file whole") from error


def is_same(task: str, ours: Answer, stored: Any) -> bool:
    """Return whether an exact answer is the stored one, at the precision in which it is stored."""
    if task in ("train_ticket_price", "accommodation_price"):
        return isinstance(ours, Fraction) and abs(ours - Fraction(stored)) < Fraction(1, 10**6)
    if task == "train_departure_frequency":
        # stored to a tenth, by a float that may round a half either way
        return isinstance(ours, Fraction) and abs(ours - Fraction(str(stored))) <= Fraction(1, 20)
    if task == "hotel_to_restaurant_distance":
        return isinstance(ours, Decimal) and abs(ours - Decimal(stored)) < _EXACT
    if task == "restaurants_opening_hours":
        return isinstance(ours, tuple) and sorted(ours) == sorted(stored)
    if task == "shortest_walking_path":
        return isinstance(ours, tuple) and list(ours) == list(stored)
    return ours is not None and ours == stored


def _findings(task: str, example: Row, conventions: Conventions) -> Iterator[Finding]:
    """Yield what is to be said of one example, once for all views that say the same."""
    stored = stored_target(task, example)
    said: dict[tuple[str, str | None, bool], list[View]] = {}
    for view in views_of(example):
        try:
            shown = show(example, view)
            answers = solve_shown(task, shown, conventions)
        except UnreadError as error:
            said.setdefault((f"not read: {error}", None, True), []).append(view)
            continue
        ours = " or ".join(_say(a) for a in answers)
        if any(is_same(task, a, stored) for a in answers):
            if len(answers) > 1:
                said.setdefault((ours, "room exception ambiguous", False), []).append(view)
        else:
            said.setdefault((ours, _explain(task, shown, example, answers), True), []).append(view)
    for (ours, reason, counts), views in said.items():
        yield Finding(task, str(example.get("id")), tuple(views), ours, _say(stored), reason, counts)


def _explain(task: str, shown: Shown, example: Row, answers: Sequence[Answer]) -> str | None:
    """Return the known cause of a disagreement, if the data show it; the causes are the original's faults."""
    stored = stored_target(task, example)
    if task == "train_departure_time":
        query = sunset_query(shown)
        kept = tuple(r for r in query.rides if not sunset_train.leaves_and_arrives_in_one_hour(r))
        for reason, changed in (
            ("same-hour train dropped", replace(query, rides=kept)),
            ("train arriving in the sunset minute counted as before", replace(query, sunset_min=query.sunset_min + 1)),
        ):
            found = sunset_train.solve(changed)
            if found is not None and clock(found) == stored:
                return reason
    if task == "train_departure_frequency" and _is_of_a_neighbouring_period(shown, example):
        return "interval from stored metadata"
    if task == "shortest_walking_path":
        walk = walk_query(shown)
        best = [a for a in answers if isinstance(a, tuple)]
        if set(stored) == {stop.id for stop in walk.stops} and all(
            abs(walking_order.route_length(walk, stored) - walking_order.route_length(walk, order))
            < _ROUTE_TIE_M * walking_order.METRE
            for order in best
        ):
            return "route tie, one of several kept"
    return None


def _is_of_a_neighbouring_period(shown: Shown, example: Row) -> bool:
    """Return whether the stored interval is not the mean of the very departures that are stored with it.

    Its source then is the timetable's own list of periods: the gaps left when the window's first or last departure
    is taken for the end of another period are all of the stored length.
    """
    query = frequency_query(shown)
    times = frequency.inside(query)
    targets = example["targets"]
    if [clock(t) for t in times] != targets.get("departure_times"):
        return False
    stored = Fraction(str(targets["average_interval_minutes"]))
    return any(
        len(part) > 1 and {Fraction(b - a) for a, b in pairwise(part)} == {stored} for part in (times[1:], times[:-1])
    )


def _is_plainly_stored(task: str, example: Row, conventions: Conventions) -> bool:
    """Return whether a convention gives the stored target, and nothing else, in the first view."""
    try:
        answers = solve_shown(task, show(example, views_of(example)[0]), conventions)
    except UnreadError:
        return False
    return all(is_same(task, a, stored_target(task, example)) for a in answers)


def _say(value: Any) -> str:
    if isinstance(value, Fraction):
        return f"{float(value):.4f}".rstrip("0").rstrip(".")
    if isinstance(value, Decimal):
        return f"{value:.3f}"
    if isinstance(value, list | tuple):
        return ", ".join(map(str, value)) or "none"
    return "nothing" if value is None else str(value)
