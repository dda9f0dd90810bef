"""Audit of the history: every call is answered as the world would, and every claim of the assistant is true."""

from __future__ import annotations

import datetime as dt
import json
from collections.abc import Callable, Iterator
from typing import Any

from generator.audit.travel.case import TravelCase
from generator.errors import GenError
from generator.records import AuditFinding, Task
from generator.travel.hearing import Hearing, Made
from generator.travel.setups import WITH_TOOLS
from generator.travel.shown import Rows, clock, read_result
from generator.travel.wording import Line, Say
from generator.travel.world.schema import DAY_MINUTES

_BOOKINGS = {"booked.table": "book_table", "booked.rooms": "book_hotel"}
_FOUND = {"found.trains": "search_trains", "found.hotels": "search_hotels",
          "found.restaurants": "search_restaurants", "found.attractions": "search_attractions",
          "found.day-trains": "search_trains"}  # fmt: skip


def audit_history(case: TravelCase) -> list[AuditFinding]:
    """Reject a result that the world does not give, a claim that is not true, and a booking that nothing made."""
    found = []
    for setup, hearing in case.hearings().items():
        task = case.tasks[setup]
        found += [case.finding("history", what, setup) for what in _call_faults(case, hearing)]
        found += [case.finding("history", what, setup) for what in _claim_faults(case, task, hearing)]
    return found


def _call_faults(case: TravelCase, hearing: Hearing) -> Iterator[str]:
    for made in hearing.calls:
        try:
            again = case.stage.desk.call(made.tool, json.loads(made.arguments))
        except (GenError, json.JSONDecodeError) as error:
            yield f"{made.tool} does not take {made.arguments}: {error}"
            continue
        if again.result != made.result:
            yield f"{made.tool} gives another result for {made.arguments}"
        if again.rows is None and not json.loads(again.result).get("ok"):
            yield f"{made.tool} refuses {made.arguments}"


def _claim_faults(case: TravelCase, task: Task, hearing: Hearing) -> Iterator[str]:
    claims = [h for h in hearing.sentences if h.line is not None and h.line.role == "claim"]
    for heard in claims:
        assert heard.line is not None
        if heard.role != "assistant":
            yield f"not the assistant says {heard.text!r}"
            continue
        earlier = [c for c in hearing.calls if c.message < heard.message]
        if task.setup in WITH_TOOLS:
            reason = _untrue(case, heard.line, hearing, earlier)
        else:
            # Without calls, the data that they brought stand in the text from the start.
            reason = _untrue_of_data(case, heard.line, hearing)
        if reason:
            yield f"{heard.text!r}: {reason}"


def _untrue(case: TravelCase, line: Line, hearing: Hearing, earlier: list[Made]) -> str | None:
    what = line.say
    if what.kind in _FOUND:
        last = next((c for c in reversed(earlier) if c.tool == _FOUND[what.kind]), None)
        if last is None or last.result is None:
            return "nothing was looked up"
        return None if json.loads(last.result)["total"] == what["n"] else "another number was found"
    if what.kind in _BOOKINGS:
        tool = _BOOKINGS[what.kind]
        made = [json.loads(c.arguments) for c in earlier if c.tool == tool]
        return None if any(_same_booking(what, args) for args in made) else f"no {tool} with these arguments was called"
    weekdays = case.kit.book.words.weekdays
    shown = [rows for c in earlier if c.result and (rows := read_result(c.result, weekdays)) is not None]
    return _untrue_of_rows(
        what, Rows(tuple(t for r in shown for t in r.trains), tuple(p for r in shown for p in r.places))
    )


def _untrue_of_data(case: TravelCase, line: Line, hearing: Hearing) -> str | None:
    what = line.say
    if what.kind in _FOUND:
        return None if what["n"] in _totals(case, what.kind) else "another number was found"
    if what.kind in _BOOKINGS:
        return None if hearing.bookings else "no booking stands in the data"
    return _untrue_of_rows(what, hearing.rows)


def _totals(case: TravelCase, kind: str) -> set[int]:
    """Return how many rows each search of the instance found, by its own record of calls."""
    totals = set()
    for tool, arguments, _ in case.key.state["calls"]:
        if tool == _FOUND[kind]:
            totals.add(int(json.loads(case.stage.desk.call(tool, json.loads(arguments)).result)["total"]))
    return totals


def _untrue_of_rows(what: Say, rows: Rows) -> str | None:
    check = _ABOUT_ROWS.get(what.kind)
    if check is None:
        return f"no audit knows whether {what.kind!r} is true"
    return check(what, rows)


def _train_arrives(what: Say, rows: Rows) -> str | None:
    fits = any(t.departs == what["t"] and t.arrives % DAY_MINUTES == what["e"] for t in rows.trains)
    return None if fits else "no train shown leaves and arrives so"


def _place_told(what: Say, rows: Rows) -> str | None:
    row = rows.place(str(what["x"]))
    if row is None:
        return "it is not shown"
    said = {"kind": row.kind, "area": row.area, "p": row.band}
    wrong = [name for name, value in said.items() if what.get(name) not in (None, value)]
    return f"its {wrong[0]} is another" if wrong else None


def _first_and_last(what: Say, rows: Rows) -> str | None:
    times = [t.departs for t in rows.trains]
    is_so = bool(times) and (min(times), max(times)) == (what["f"], what["l"])
    return None if is_so else "the first or last train is another"


_ABOUT_ROWS: dict[str, Callable[[Say, Rows], str | None]] = {
    "train.arrives": _train_arrives,
    "tell.place": _place_told,
    "tell.restaurant": _place_told,
    "tell.price": _place_told,
    "tell.first-last": _first_and_last,
}


def _same_booking(what: Say, args: dict[str, Any]) -> bool:
    date = dt.date.fromordinal(_int(what["date"])).isoformat()
    if what.kind == "booked.table":
        told = (what["r"], date, clock(_int(what["t"])), what["g"])
        return (args["restaurant"], args["date"], args["time"], args["people"]) == told
    rooms = [r["room"] for r in args["rooms"]]
    return (args["hotel"], args["arrival"], args["nights"], rooms) == (what["h"], date, what["n"], [what["r"]])


def _int(value: object) -> int:
    assert isinstance(value, int)
    return value
