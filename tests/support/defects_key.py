"""Defects of the key: of its state, items, mechanisms, evidence and digest, and tasks that are too easy."""

from __future__ import annotations

from generator.audit import Case
from generator.records import Event
from generator.stages.candidate import Candidate
from support.cases import (
    chat_turn,
    disown,
    find_turn,
    is_change,
    put_in,
    retell,
    script_of,
    turns_of,
    with_item,
    with_key,
    with_state,
    word,
)
from support.planting import defect

# unique -------------------------------------------------------------------------------------


@defect("unique")
def an_alternative_that_equals_the_truth(made: Candidate, case: Case) -> Case:
    extra = case.key.alternatives[0].model_copy(update={"name": "first-mention", "value": case.key.answer})
    return with_key(case, alternatives=(*case.key.alternatives, extra))


@defect("unique", "diagnostic")
def a_mechanism_whose_alternative_equals_the_truth(made: Candidate, case: Case) -> Case:
    mechanism = next(iter(case.mode.diagnose(case.kit, made.state)))
    same = [
        a.model_copy(update={"value": case.key.answer}) if a.name == mechanism else a for a in case.key.alternatives
    ]
    return with_key(case, alternatives=tuple(same))


@defect("unique", "diagnostic")
def no_alternative(made: Candidate, case: Case) -> Case:
    return with_key(case, alternatives=())


@defect("unique", "diagnostic", "unchanged")
def a_state_of_another_answer(made: Candidate, case: Case) -> Case:
    turns = [dict(t) for t in case.key.state["turns"]]
    at = next(n for n, t in enumerate(turns) if t["events"][0][0] in {"adjust.up", "adjust.down"})
    row = list(turns[at]["events"][0])
    row[3] *= 2
    turns[at] = {**turns[at], "events": [row]}
    return with_state(case, turns=turns)


@defect("unique", "voice", "unchanged")
def a_state_that_cannot_be_followed(made: Candidate, case: Case) -> Case:
    first = next(t for t in case.key.state["turns"] if t["events"][0][0] == "intro")
    return with_state(case, turns=[*case.key.state["turns"], first])


# items --------------------------------------------------------------------------------------


@defect("items", "checker")
def an_item_with_a_wrong_value(made: Candidate, case: Case) -> Case:
    params = case.key.items[0].params
    return with_item(case, 0, params={**params, "value": params["value"] + 1})


@defect("items", "checker")
def an_extra_item(made: Candidate, case: Case) -> Case:
    extra = case.key.items[0].model_copy(update={"id": "i99", "truth_path": "sheet.nothing"})
    return with_key(case, items=(*case.key.items, extra))


@defect("items")
def an_item_twice(made: Candidate, case: Case) -> Case:
    return with_key(case, items=(*case.key.items, case.key.items[0]))


@defect("items")
def a_missing_item(made: Candidate, case: Case) -> Case:
    return with_key(case, items=case.key.items[1:])


@defect("items")
def a_weight_of_seven(made: Candidate, case: Case) -> Case:
    return with_item(case, 0, weight=7)


@defect("items", "checker")
def the_right_value_as_a_stale_one(made: Candidate, case: Case) -> Case:
    return with_item(case, 0, stale=(case.key.items[0].params["value"],))


# no shortcut --------------------------------------------------------------------------------


@defect("no shortcut", "diagnostic", "unique")
def all_changes_removed(made: Candidate, case: Case) -> Case:
    kept = [t.events for t in made.state.turns if t.events[0].kind in {"intro", "rule"}]
    return retell(made, made.state._replace(turns=script_of(kept)))


@defect("no shortcut", "diagnostic")
def every_value_simply_said_last(made: Candidate, case: Case) -> Case:
    intros = [t.events for t in made.state.turns if t.events[0].kind in {"intro", "rule"}]
    fields = made.kit.world.field_by_id
    final = []
    for path, value in made.answer.items():
        row, name = path.split(".")
        if name in fields and (row, (name, value)) not in _first_values(made):
            final.append((Event("set", row, name, value),))
    return retell(made, made.state._replace(turns=script_of([*intros, *final])))


def _first_values(made: Candidate) -> set[tuple[str | None, tuple[str, int]]]:
    return {(e.item, pair) for t in made.state.turns for e in t.events if e.kind == "intro" for pair in e.values}


# diagnostic ---------------------------------------------------------------------------------


@defect("diagnostic")
def no_mechanism_declared(made: Candidate, case: Case) -> Case:
    return with_state(case, gadgets={})


@defect("diagnostic")
def a_mechanism_on_the_control_row(made: Candidate, case: Case) -> Case:
    control = case.key.state["control"]
    clean = next(p for p in sorted(case.key.answer) if p.startswith(control + "."))
    mechanism = next(iter(case.key.state["gadgets"]))
    return with_state(case, gadgets={**case.key.state["gadgets"], mechanism: clean})


@defect("diagnostic")
def a_control_row_that_is_none(made: Candidate, case: Case) -> Case:
    return with_state(case, control=next(iter(case.key.state["gadgets"].values())).split(".")[0])


@defect("diagnostic", fits=lambda m: len(m.alternatives) > 1)
def a_mechanism_missing_from_the_key(made: Candidate, case: Case) -> Case:
    mechanism = next(iter(case.key.state["gadgets"]))
    kept = tuple(a for a in case.key.alternatives if a.name != mechanism)
    return with_key(case, alternatives=kept)


# unchanged ----------------------------------------------------------------------------------


@defect("unchanged")
def a_digest_tampered_with(made: Candidate, case: Case) -> Case:
    return with_key(case, frozen=False, digest="0" * 64)


@defect("unchanged")
def a_clarification_altered_after_the_freeze(made: Candidate, case: Case) -> Case:
    items = (case.key.items[0].model_copy(update={"clarification": "anything goes"}), *case.key.items[1:])
    return with_key(case, frozen=False, items=items)


@defect("unchanged", "inert")
def evidence_passed_off_as_chat(made: Candidate, case: Case) -> Case:
    turn = find_turn(case, lambda events: events[0].kind.startswith("adjust"))
    return disown(case, turn)


# needed -------------------------------------------------------------------------------------


@defect("needed", "unchanged")
def a_question_that_bears_on_nothing(made: Candidate, case: Case) -> Case:
    turn = find_turn(case, is_change)
    event = dict(turns_of(case))[turn][0]
    heard = case.heard
    assert heard is not None
    at = max(case.group_of) + 1
    at = next(t for t in range(at, len(case.users)) if t not in case.group_of)
    now = case.mode.value_after(case.kit, heard, len(heard.turns) - 1, event)
    told = word(case, Event("answer", event.item, event.field, now), reply=True)
    return put_in(case, at, word(case, Event("question", event.item, event.field)), told, "g98")


@defect("needed", "voice", "unchanged")
def chat_declared_as_evidence(made: Candidate, case: Case) -> Case:
    turn = chat_turn(case)
    return put_in(case, turn, case.users[turn], case.replies[turn], "g99")


@defect("needed", "inert", "unchanged")
def no_evidence_declared(made: Candidate, case: Case) -> Case:
    for turn in sorted(case.group_of):
        case = disown(case, turn)
    return case


# checker ------------------------------------------------------------------------------------


@defect("checker")
def an_item_that_looks_at_another_row(made: Candidate, case: Case) -> Case:
    at, item = next((n, i) for n, i in enumerate(case.key.items) if i.check == "cell")
    other = next(
        i.params["row"]
        for i in case.key.items
        if i.check == "cell"
        and i.params["column"] == item.params["column"]
        and i.params["value"] != item.params["value"]
    )
    return with_item(case, at, params={**item.params, "row": other})


@defect("checker")
def two_rows_of_one_name(made: Candidate, case: Case) -> Case:
    view = case.key.state["view"]
    rows = [dict(r) for r in view["rows"]]
    shown = {p.split(".")[0] for p in case.key.answer}
    first, second = [n for n, r in enumerate(rows) if r["id"] in shown][:2]
    rows[second] = {**rows[second], "names": rows[first]["names"]}
    return with_state(case, view={**view, "rows": rows})


@defect("checker")
def a_row_missing_from_the_view(made: Candidate, case: Case) -> Case:
    view = case.key.state["view"]
    control = case.key.state["control"]
    return with_state(case, view={**view, "rows": [r for r in view["rows"] if r["id"] != control]})
