"""Audit under inert perturbations: rows that no answer rests on change, come, go and move; the answer stays."""

from __future__ import annotations

import json

from generator.audit.travel.case import TravelCase
from generator.content import default_root
from generator.errors import GenError
from generator.records import AuditFinding
from generator.seeds import stream
from generator.travel.answers import Values, encode
from generator.travel.hearing import Hearing
from generator.travel.scene import HearingError, Stage, Told
from generator.travel.shown import join_rows
from generator.travel.world import Group, Stakes, load_perturbations, perturb
from generator.travel.world.schema import Table, World

_TABLES: dict[str, Table] = {
    "search_hotels": "hotel", "search_restaurants": "restaurant", "search_attractions": "attraction",
}  # fmt: skip


def audit_inert(case: TravelCase) -> list[AuditFinding]:
    """Reject when the answer changes in a world whose other rows were reordered, renumbered, added to or thinned.

    Which instances are tried is drawn from the id: an audit of the files tries the same.
    """
    rng = stream(0, case.key.id, "inert")
    if rng.random() >= case.policy.travel.inert_share:
        return []
    specs = load_perturbations(default_root())
    names = [name for name, spec in sorted(specs.items()) if spec.kind == "inert"]
    hearing = next(iter(case.hearings().values()), None)
    if hearing is None:
        return []
    changed = perturb(case.stage.world, names, case.policy.travel.inert_strength, rng, stakes_of(case))
    given = answer_in(case, hearing, changed.world)
    if given == case.key.answer:
        return []
    return [case.finding("inert", f"after {', '.join(names)} the answer is {given}, not {case.key.answer}")]


def stakes_of(case: TravelCase) -> Stakes:
    """Return the rows that the answer rests on: the routes and groups of places that were searched."""
    routes: set[tuple[str, str]] = set()
    groups: set[Group] = set()
    for tool, text, _ in case.key.state["calls"]:
        args = json.loads(text)
        if tool == "search_trains":
            routes.add((args["origin"], args["destination"]))
        elif tool in _TABLES:
            kind = args.get("cuisine", args.get("kind"))
            groups.add(Group(_TABLES[tool], case.stage.desk.area(args.get("area")), kind))
    return Stakes(routes=frozenset(routes), groups=frozenset(groups))


def answer_in(case: TravelCase, hearing: Hearing, world: World) -> Values | str:
    """Return the answer to what was said if the same calls are made in another world, or why there is none."""
    desk = Stage(case.stage.name, world, case.kit.book).desk
    try:
        calls = [desk.call(tool, json.loads(text)) for tool, text, _ in case.key.state["calls"]]
        rows = join_rows(call.rows for call in calls if call.rows is not None)
        query = case.task_kind.query(Told(hearing.told.says, rows))
    except (GenError, HearingError) as error:
        return str(error)
    # The order of rows is the order of candidates; an answer is a set or an order of names.
    given = encode(case.task_kind.answer, case.task_kind.solve(query), case.task_kind.candidates(query))
    return dict(sorted(given.items())) if given.keys() == case.key.answer.keys() else given
