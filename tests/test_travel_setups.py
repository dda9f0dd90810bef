"""Setups: valid messages, the same facts in the same words, each instruction where it belongs, equal lengths."""

from __future__ import annotations

import json
import runpy
from pathlib import Path
from typing import Any

import pytest
from openai.types.chat import ChatCompletionMessageParam, ChatCompletionToolParam
from pydantic import ConfigDict, TypeAdapter
from support.journeys import ALL, LANGS, NAMES, case_of, cases, drawn, shop

from generator.audit.travel.shape import BLOCKS
from generator.endpoints import Client, Configuration
from generator.errors import GenError
from generator.records import Lang, Task
from generator.travel.setups import SETUPS, WITH_HISTORY, Shape, check_setups, length_of

MESSAGES: TypeAdapter[Any] = TypeAdapter(
    list[ChatCompletionMessageParam], config=ConfigDict(arbitrary_types_allowed=True)
)
TOOLS: TypeAdapter[Any] = TypeAdapter(list[ChatCompletionToolParam])


def as_sent(task: Task) -> list[dict[str, Any]]:
    """Return the messages as the runner sends them."""
    client = Client(Configuration(name="m", model="m", base_url="http://127.0.0.1:1/v1"))
    return list(json.loads(client.prepare(task.messages, task.tools).head + b"}")["messages"])


@pytest.mark.parametrize("lang", LANGS)
@pytest.mark.parametrize("name", NAMES)
def test_messages_and_tools_are_valid_for_the_chat_api(lang: Lang, name: str) -> None:
    for task in case_of(lang, name).tasks.values():
        rows = as_sent(task)
        MESSAGES.validate_python(rows)
        TOOLS.validate_python(list(task.tools))
        asked = [c for r in rows for c in r.get("tool_calls", ())]
        told = [r["tool_call_id"] for r in rows if r["role"] == "tool"]
        assert [c["id"] for c in asked] == told
        assert all(isinstance(json.loads(c["function"]["arguments"]), dict) for c in asked)


@pytest.mark.parametrize("lang", LANGS)
@pytest.mark.parametrize("name", NAMES)
def test_any_two_setups_carry_the_same_facts_in_the_same_words(lang: Lang, name: str) -> None:
    """Facts, conventions, date and question as sentences, and every row of data: equal in all setups."""
    instance, _ = drawn(lang, name)
    hearings = case_of(lang, name).hearings()
    assert set(hearings) == set(ALL)
    said = {
        setup: [[line.text for line in h.lines(role)] for role in ("fact", "question", "rule", "today")]
        for setup, h in hearings.items()
    }
    wanted = [
        [line.text for line in instance.facts],
        [instance.question.text],
        [line.text for line in instance.rules],
        [line.text for line in instance.today],
    ]
    assert all(lines == wanted for lines in said.values())
    assert len({json.dumps(h.rows, sort_keys=True, default=str) for h in hearings.values()}) == 1
    assert instance.facts
    assert len(instance.rules) >= 2


def test_data_are_byte_for_byte_the_same_wherever_they_stand() -> None:
    for case in cases():
        instance, _ = drawn(case.kit.book.lang, case.task_kind.name)
        for task in case.tasks.values():
            text = "\n".join(m.content for m in task.messages)
            assert all(text.count(call.result) == 1 for call in instance.calls if call.rows is not None)


def test_a_setup_is_a_pure_function_of_the_instance() -> None:
    instance, stage = drawn("en", "ticket-price")
    kit = shop("en").factory.stationery(stage.world.currency)
    for setup in SETUPS.values():
        assert setup(instance, kit) == setup(instance, kit)


def test_instructions_are_those_of_the_setup() -> None:
    assert set(BLOCKS) == set(SETUPS)
    for case in cases(NAMES[:2]):
        for setup, hearing in case.hearings().items():
            assert set(hearing.blocks) == BLOCKS[setup]
        concise = case.tasks["dialogue-concise"].messages[0].content
        assert str(case.kit.prompts.concise_sentences) in case.kit.concise()
        assert case.kit.concise() in concise


def test_reduced_domains_offer_only_the_tools_of_the_task() -> None:
    for case in cases():
        names = {t["function"]["name"] for t in case.tasks["dialogue-reduced-domains"].tools}
        everything = {t["function"]["name"] for t in case.tasks["dialogue"].tools}
        assert len(everything) == 7
        assert names < everything
        called = {c.function.name for m in case.tasks["dialogue"].messages for c in m.tool_calls}
        assert called <= names


def test_length_matched_has_the_dialogues_length_and_its_instructions() -> None:
    for lang in LANGS:
        for name in NAMES:
            for number in range(3):
                case = case_of(lang, name, number, ("dialogue", "length-matched"))
                one, other = case.tasks["length-matched"], case.tasks["dialogue"]
                assert one.messages[0] == other.messages[0]
                assert one.tools == other.tools
                assert sum(m.role == "user" for m in one.messages) == 1
                lengths = [length_of(Shape(t.messages)) for t in (one, other)]
                assert abs(lengths[0] - lengths[1]) <= 0.01 * lengths[1], (lang, name, lengths)


def test_only_setups_with_history_have_more_than_one_turn() -> None:
    for case in cases(NAMES[:3]):
        for setup, task in case.tasks.items():
            assert (sum(m.role == "user" for m in task.messages) > 1) == (setup in WITH_HISTORY)


def test_all_names_every_setup_and_a_wrong_name_is_told() -> None:
    assert check_setups(["all"]) == ALL
    assert check_setups(["dialogue", "isolated", "dialogue"]) == ("isolated", "dialogue")
    with pytest.raises(GenError, match="no such setup"):
        check_setups(["isolation"])


def test_the_table_in_the_documents_is_current() -> None:
    """Renew with `make setups`."""
    home = Path(__file__).resolve().parents[1] / "docs"
    found = runpy.run_path(str(home / "make_setups.py"))
    text = (home / "travel.md").read_text(encoding="utf-8")
    assert text.split(found["MARK"])[1].strip() == found["table"]().strip()
