"""Audits of travel instances: sound ones pass, and every fault that the original release had is caught."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from dataclasses import dataclass

import pytest
from support.journeys import (
    LANGS,
    NAMES,
    case_of,
    cases,
    drawn,
    line,
    remade,
    shop,
    with_key,
    with_messages,
    with_text,
)

from generator.audit.travel import TRAVEL_AUDITS, TravelCase, audit_instance
from generator.audit.travel.pool import audit_travel_pool, duplicates_of, trivial_scores
from generator.records import AuditFinding, Key, Lang, Message
from generator.seeds import stream
from generator.travel.answers import decode, reply_say
from generator.travel.setups import WITH_HISTORY
from generator.travel.world import Stakes


def audits_of(case: TravelCase) -> set[str]:
    return {finding.audit for finding in audit_instance(case)}


@pytest.mark.parametrize("lang", LANGS)
@pytest.mark.parametrize("name", NAMES)
def test_a_sound_instance_passes_every_audit(lang: Lang, name: str) -> None:
    for number in range(2):
        assert audit_instance(case_of(lang, name, number)) == []


@dataclass(frozen=True)
class Fault:
    """A fault of a kind that the original release has, planted in a sound instance, and the audits that must see it."""

    name: str
    task: str
    plant: Callable[[TravelCase], TravelCase]
    caught_by: frozenset[str]


FAULTS: list[Fault] = []


def fault(name: str, task: str, *caught_by: str) -> Callable[[Callable[[TravelCase], TravelCase]], None]:
    def enter(plant: Callable[[TravelCase], TravelCase]) -> None:
        FAULTS.append(Fault(name, task, plant, frozenset(caught_by)))

    return enter


def answer_of(case: TravelCase) -> dict[str, int]:
    return dict(case.key.answer)


def fact(case: TravelCase, kind: str) -> str:
    """Return the first sentence of a kind, as some setup has it."""
    for hearing in case.hearings().values():
        for heard in hearing.sentences:
            if heard.line is not None and heard.line.say.kind == kind:
                return heard.text
    raise AssertionError(kind)


def clock(minute: int) -> str:
    return f"{minute % 1440 // 60:02d}:{minute % 60:02d}"


# --- targets -------------------------------------------------------------------------------------------------------


@fault("a wrong amount", "ticket-price", "derivable", "unchanged")
def _(case: TravelCase) -> TravelCase:
    return with_key(case, answer={"total": answer_of(case)["total"] + 1})


@fault("a target from which a train that leaves and arrives in one hour was dropped", "sunset-train", "derivable")
def _(case: TravelCase) -> TravelCase:
    earlier = next(a for a in case.key.alternatives if a.name == "one-too-early")
    return with_key(case, answer=earlier.value)


@fault("an interval copied from stored metadata", "frequency", "derivable")
def _(case: TravelCase) -> TravelCase:
    usual = next(a for a in case.key.alternatives if a.name == "usual-gap")
    return with_key(case, answer=usual.value)


@fault("another convention for the target: window by number of trains", "frequency", "derivable")
def _(case: TravelCase) -> TravelCase:
    other = next(a for a in case.key.alternatives if a.name == "window-per-train")
    return with_key(case, answer=other.value)


@fault("an item that wants another value than the key", "distance", "unchanged", "checker")
def _(case: TravelCase) -> TravelCase:
    item = case.key.items[0]
    wrong = item.model_copy(update={"params": {**item.params, "value": item.params["value"] * 2}})
    return with_key(case, items=(wrong,))


# --- margins -------------------------------------------------------------------------------------------------------


@fault("a train that arrives in the minute of sunset", "sunset-train", "unique")
def _(case: TravelCase) -> TravelCase:
    said = next(line for line in drawn(case.kit.book.lang, "sunset-train")[0].today if line.say.kind == "sun.sets")
    query = case.query
    right = answer_of(case)["departs"]
    arrives = next(r.arrives_min for r in query.rides if r.departs_min == right)
    moved = said.text.replace(clock(int(str(said.say["t"]))), clock(arrives + 1))
    return with_text(case, said.text, moved)


@fault("two stops on one point", "walking-order", "unique", "derivable")
def _(case: TravelCase) -> TravelCase:
    instance, _ = drawn(case.kit.book.lang, "walking-order")
    rows = [r for call in instance.calls if call.rows for r in call.rows.places if r.name in case.key.answer]
    first, second = rows[0].point, rows[1].point
    old, new = (f'"location": [{p.x_m}, {p.y_m}]' for p in (second, first))
    return with_text(case, old, new)


@fault("a direction on the line between two sectors", "direction", "unique")
def _(case: TravelCase) -> TravelCase:
    query = case.query
    place, reference = query.place, query.reference
    # Far out on the boundary 22.5 degrees off north, east, south or west.
    step = {"north": (5412, 13066), "north-east": (13066, 5412), "east": (13066, 5412), "south-east": (13066, -5412)}
    east, north = step.get(query.asked, (-5412, -13066))
    old = f'"location": [{place.x_m}, {place.y_m}]'
    return with_text(case, old, f'"location": [{reference.x_m + east}, {reference.y_m + north}]')


@fault("an alternative that is the answer", "booking-price", "unique")
def _(case: TravelCase) -> TravelCase:
    first, *rest = case.key.alternatives
    return with_key(case, alternatives=(first.model_copy(update={"value": case.key.answer}), *rest))


# --- words ---------------------------------------------------------------------------------------------------------


@fault("an exception that does not say which room", "booking-price", "derivable")
def _(case: TravelCase) -> TravelCase:
    instance, _ = drawn(case.kit.book.lang, "booking-price")
    old = next(f.text for f in instance.facts if f.say.kind.startswith("guest."))
    new = {"en": "Two people in double rooms check in one day earlier.", "zh": "双人间有两个人早到一天。"}
    return with_text(case, old, new[case.kit.book.lang])


@fault("a group that is not as many as its tickets", "ticket-price", "derivable")
def _(case: TravelCase) -> TravelCase:
    book = case.kit.book
    old = fact(case, "party")
    count = book.slots["count"]
    form = next(
        f for f in book.forms["party"] if f.pattern.fullmatch(old) or f.pattern.fullmatch(old[0].lower() + old[1:])
    )
    text = "".join(p if isinstance(p, str) else count.write(12) for p in form.parts)
    return with_text(case, old, text[0].upper() + text[1:] if book.lang == "en" else text)


@fault("a time of 24:00", "opening-hours", "derivable")
def _(case: TravelCase) -> TravelCase:
    instance, _ = drawn(case.kit.book.lang, "opening-hours")
    window = next(h for h in (*instance.facts, instance.question) if h.say.get("a") is not None)
    return with_text(case, window.text, window.text.replace(clock(int(str(window.say["b"]))), "24:00"))


@fault("a convention that is not said", "ticket-price", "derivable", "same facts")
def _(case: TravelCase) -> TravelCase:
    return with_text(case, fact(case, "rule.return"), "", ("isolated",))


@fault("the sun's time in one form only", "sunset-train", "derivable", "same facts")
def _(case: TravelCase) -> TravelCase:
    return with_text(case, fact(case, "sun.sets"), "", ("isolated",))


@fault("an ablation without its question", "walking-order", "derivable")
def _(case: TravelCase) -> TravelCase:
    return with_text(case, fact(case, "ask.walking-order"), "", ("dialogue-single-turn",))


@fault("a concise prompt without its number", "distance", "derivable", "instructions")
def _(case: TravelCase) -> TravelCase:
    limit = case.kit.concise()
    return with_text(case, limit, limit.replace(str(case.kit.prompts.concise_sentences), ""), ("dialogue-concise",))


@fault("a slot that was never filled", "distance", "shape")
def _(case: TravelCase) -> TravelCase:
    return with_text(case, fact(case, "ask.distance"), "{{ question }}", ("isolated",))


@fault("an instruction of another setup", "frequency", "instructions")
def _(case: TravelCase) -> TravelCase:
    style = case.kit.prompts.style.strip()
    return with_text(case, style, f"{style}\n\n{case.kit.prompts.reasoning.strip()}", ("isolated-role",))


@fault("other units in one setup", "direction", "derivable", "same facts")
def _(case: TravelCase) -> TravelCase:
    instance, _ = drawn(case.kit.book.lang, "direction")
    row = next(r for call in instance.calls if call.rows for r in call.rows.places)
    old = f'"location": [{row.point.x_m}, {row.point.y_m}]'
    return with_text(case, old, f'"location": [{row.point.x_m // 10}, {row.point.y_m // 10}]', ("isolated",))


@fault("data of another order in one setup", "opening-hours", "derivable", "same facts")
def _(case: TravelCase) -> TravelCase:
    instance, _ = drawn(case.kit.book.lang, "opening-hours")
    result = json.loads(instance.calls[0].result)
    result["restaurants"].reverse()
    return with_text(case, instance.calls[0].result, json.dumps(result, ensure_ascii=False), ("isolated",))


# --- history -------------------------------------------------------------------------------------------------------


@fault("a table booked on a day on which the place is closed", "direction", "history")
def _(case: TravelCase) -> TravelCase:
    instance, _stage = drawn(case.kit.book.lang, "direction")
    call = next(c for c in instance.calls if c.tool == "book_table")
    args = json.loads(call.arguments)
    return with_text(case, f'"time": "{args["time"]}"', '"time": "04:00"', ("dialogue",))


@fault("a kind of room that the hotel has not", "distance", "history")
def _(case: TravelCase) -> TravelCase:
    instance, _stage = drawn(case.kit.book.lang, "distance")
    call = next(c for c in instance.calls if c.tool == "book_hotel")
    guests = json.loads(call.arguments)["rooms"][0]["guests"]
    return with_text(case, f'"guests": {guests}', '"guests": 12', ("dialogue",))


@fault("a booking that is announced and was never made", "direction", "history")
def _(case: TravelCase) -> TravelCase:
    def without_call(messages: list[Message]) -> list[Message]:
        at = next(n for n, m in enumerate(messages) if any(c.function.name == "book_table" for c in m.tool_calls))
        return messages[:at] + messages[at + 2 :]

    return with_messages(case, "dialogue", without_call)


@fault("a history that calls a tool which is not offered", "ticket-price", "shape")
def _(case: TravelCase) -> TravelCase:
    def renamed(messages: list[Message]) -> list[Message]:
        return [
            m.model_copy(
                update={
                    "tool_calls": tuple(
                        c.model_copy(update={"function": c.function.model_copy(update={"name": "find_train"})})
                        for c in m.tool_calls
                    )
                }
            )
            for m in messages
        ]

    return with_messages(case, "dialogue", renamed)


@fault("a call without the filter that its result has", "sunset-train", "history")
def _(case: TravelCase) -> TravelCase:
    instance, _ = drawn(case.kit.book.lang, "sunset-train")
    args = json.loads(instance.calls[0].arguments)
    return with_text(case, f', "after": "{args["after"]}"', "", ("dialogue",))


@fault("a number found that is another", "booking-price", "history")
def _(case: TravelCase) -> TravelCase:
    instance, _ = drawn(case.kit.book.lang, "booking-price")
    said = next(line for b in instance.beats for line in b.assistant if line.say.kind == "found.hotels")
    count = case.kit.book.slots["count"]
    written = count.write(int(str(said.say["n"])))
    new = said.text.replace(written, count.write(int(str(said.say["n"])) + 1)).replace(
        written.capitalize(), count.write(int(str(said.say["n"])) + 1).capitalize()
    )
    return with_text(case, said.text, new, ("dialogue", "dialogue-no-tools"))


@fault("a result without its call", "frequency", "shape")
def _(case: TravelCase) -> TravelCase:
    return with_messages(case, "dialogue", lambda ms: [m for m in ms if not m.tool_calls])


@fault("more data than fit", "frequency", "shape")
def _(case: TravelCase) -> TravelCase:
    limit = case.policy.travel.characters_max
    return with_messages(
        case, "dialogue",
        lambda ms: [m.model_copy(update={"content": m.content + " " * limit}) if m.role == "tool" else m for m in ms],
    )  # fmt: skip


@fault("an aside about the trade", "ticket-price", "derivable")
def _(case: TravelCase) -> TravelCase:
    words = {"en": ("My train was late yesterday.", "Trains often are."), "zh": ("昨天的火车又晚点。", "火车常晚点。")}
    user, reply = words[case.kit.book.lang]

    def aside(messages: list[Message]) -> list[Message]:
        chat = [Message(role="user", content=user), Message(role="assistant", content=reply)]
        return [messages[0], *chat, *messages[1:]]

    return with_messages(case, "dialogue", aside)


# --- leaks, freeze, length, checks ---------------------------------------------------------------------------------


@fault("a reply in the history that gives the answer away", "frequency", "leak")
def _(case: TravelCase) -> TravelCase:
    def telling(messages: list[Message]) -> list[Message]:
        at = max(n for n, m in enumerate(messages) if m.role == "assistant" and m.content)
        kind = case.task_kind.answer
        text = case.kit.book.line(reply_say(kind, decode(kind, case.key.answer)), stream(1, "fault", "words")).text
        joint = case.kit.book.joint
        return [
            m.model_copy(update={"content": f"{m.content}{joint}{text}"}) if n == at else m
            for n, m in enumerate(messages)
        ]

    return with_messages(case, "dialogue", telling)


@fault("names to be ordered that are listed in the right order", "walking-order", "leak", "unchanged")
def _(case: TravelCase) -> TravelCase:
    item = case.key.items[0]
    right = sorted(case.key.answer, key=lambda n: case.key.answer[n])
    return with_key(case, items=(item.model_copy(update={"params": {**item.params, "candidates": right}}),))


@fault("a state that was altered after the freeze", "direction", "unchanged")
def _(case: TravelCase) -> TravelCase:
    return with_key(case, state={**case.key.state, "number": 99})


@fault("keys of one instance that differ", "direction", "unchanged")
def _(case: TravelCase) -> TravelCase:
    keys = dict(case.keys)
    keys["dialogue"] = keys["dialogue"].model_copy(update={"digest": "0" * 64})
    return remade(case, keys=keys)


@fault("a length that is not matched", "opening-hours", "instructions")
def _(case: TravelCase) -> TravelCase:
    inert = case.kit.prompts.padding[0]

    def longer(messages: list[Message]) -> list[Message]:
        last = messages[-1]
        more = case.kit.book.joint.join([inert] * 12)
        return [*messages[:-1], last.model_copy(update={"content": f"{more}\n\n{last.content}"})]

    return with_messages(case, "length-matched", longer)


@fault("padding in a setup that has none", "distance", "instructions")
def _(case: TravelCase) -> TravelCase:
    first = case.kit.prompts.padding[0]
    return with_messages(
        case, "isolated", lambda ms: [ms[0].model_copy(update={"content": f"{first}\n\n{ms[0].content}"})]
    )


@fault("a fact that changes nothing and is not declared to", "booking-price", "needed")
def _(case: TravelCase) -> TravelCase:
    return with_key(case, state={**case.key.state, "idle": []})


@pytest.mark.parametrize("lang", LANGS)
@pytest.mark.parametrize("planted", FAULTS, ids=lambda f: f.name)
def test_planted_faults_are_caught(planted: Fault, lang: Lang) -> None:
    number = 0
    sound = case_of(lang, planted.task, number)
    assert audit_instance(sound) == []
    found = audits_of(planted.plant(sound))
    assert found & planted.caught_by, found


def test_every_audit_has_a_fault_that_it_catches() -> None:
    """`inert` has its own below, duplicate and balance theirs."""
    caught = {name for planted in FAULTS for name in planted.caught_by}
    assert set(TRAVEL_AUDITS) - caught == {"inert"}


def test_inert_perturbations_leave_answers_and_variant_ones_would_not(monkeypatch: pytest.MonkeyPatch) -> None:
    from generator.audit.travel import inert  # noqa: PLC0415

    for case in cases(langs=("en",)):
        always = case.policy.model_copy(update={"travel": case.policy.travel.model_copy(update={"inert_share": 1.0})})
        forced = TravelCase(case.tasks, case.keys, case.kit, case.stage, always)
        assert inert.audit_inert(forced) == []
        # A search that the stakes do not know of may lose or gain rows: then the audit must see another answer.
        monkeypatch.setattr(inert, "stakes_of", lambda case: Stakes())
        changed = [
            inert.audit_inert(TravelCase(case.tasks, _renamed(case.keys, n), case.kit, case.stage, always))
            for n in range(6)
        ]
        monkeypatch.undo()
        if case.task_kind.name in {"opening-hours", "frequency"}:
            assert any(changed), case.task_kind.name


def _renamed(keys: dict[str, Key], number: int) -> dict[str, Key]:
    return {setup: key.model_copy(update={"id": f"{key.id}-{number}"}) for setup, key in keys.items()}


# --- pools ---------------------------------------------------------------------------------------------------------


def keys_of(lang: Lang, name: str, count: int) -> list[Key]:
    return [case_of(lang, name, n, ("isolated",)).key for n in range(count)]


@pytest.mark.parametrize("lang", LANGS)
def test_trivial_strategies_earn_little(lang: Lang) -> None:
    keys = [key for name in NAMES for key in keys_of(lang, name, 40)]
    assert audit_travel_pool(keys, shop(lang).policy) == []
    scores = trivial_scores(keys)
    assert set(scores) == set(NAMES)
    assert scores["direction"]["majority"] == 0.5


def test_a_pool_in_which_a_strategy_earns_much_is_caught() -> None:
    policy = shop("en").policy
    yes = [k for k in keys_of("en", "direction", 60) if k.answer["holds"]]
    assert {f.audit for f in audit_travel_pool(yes, policy)} == {"balance"}
    tickets = keys_of("en", "ticket-price", 24)
    easy = [k.model_copy(update={"state": {**k.state, "harmless": ["one-traveller"]}}) for k in tickets]
    found = audit_travel_pool(easy, policy)
    assert any("one-traveller" in f.what for f in found)
    near = [k.model_copy(update={"answer": {"metres": 2000 + n}}) for n, k in enumerate(keys_of("en", "distance", 24))]
    assert any("constant-closeness" in f.what for f in audit_travel_pool(near, policy))


def test_wording_that_tells_the_class_of_the_answer_is_caught() -> None:
    """The original asked "for the entire time" only where some restaurant matched."""
    policy = shop("en").policy
    keys = keys_of("en", "opening-hours", 40)
    assert not [f for f in audit_travel_pool(keys, policy) if "tells" in f.what]
    leaky = [
        k.model_copy(update={"state": {**k.state, "cell": {**k.state["cell"], "demand": _demand(k)}}}) for k in keys
    ]
    assert [f for f in audit_travel_pool(leaky, policy) if "tells" in f.what]


def _demand(key: Key) -> str:
    return "loose" if key.state["cell"]["class"] == "none" else "strict"


def test_duplicates_are_found_whatever_their_words() -> None:
    one, other = (case_of("en", "distance", n, ("isolated",)) for n in (0, 1))
    pool = {0: (one.tasks["isolated"], one.key), 1: (other.tasks["isolated"], other.key)}
    assert duplicates_of(pool) == {}
    again = (one.tasks["isolated"].model_copy(update={"id": "again"}), one.key.model_copy(update={"id": "again"}))
    assert list(duplicates_of({**pool, 2: again})) == [2]
    assert list(duplicates_of({0: again}, [pool[0]])) == [0]


def test_findings_name_the_setup() -> None:
    case = with_text(case_of("en", "distance"), fact(case_of("en", "distance"), "ask.distance"), "", ("isolated",))
    found: Iterator[AuditFinding] = iter(audit_instance(case))
    assert all("isolated" in f.what or "distance" in f.what for f in found)
    assert line("en").audits[-1] == "balance"
    assert WITH_HISTORY
