"""Scores of replies, and means over them."""

from __future__ import annotations

from typing import Any

import pytest

from generator.errors import GenError
from generator.records import Factors, Item, Key, Reply, Result, SheetView, Verdict
from generator.scoring.metrics import (
    MAX_CHARS,
    MIN_COVERAGE,
    aggregate,
    equal_importance,
    reply_status,
    score_reply,
    weigh,
)

HIT, MISS, UNSURE, ERROR = Verdict.HIT, Verdict.MISS, Verdict.UNSURE, Verdict.ERROR

VIEW = {
    "lang": "zh",
    "today": "2026-05-01",
    "currency": "CNY",
    "rows": [{"id": "chair", "names": ["椅子"], "units": ["把"]}, {"id": "desk", "names": ["桌子"], "units": ["张"]}],
    "columns": [
        {"id": "qty", "labels": ["数量"], "family": "count", "units": [], "scale": 1},
        {"id": "price", "labels": ["单价"], "family": "money", "units": ["元"], "scale": 100},
    ],
    "figures": [{"id": "total", "labels": ["总计"], "family": "money", "units": ["元"], "scale": 100}],
}


def item(name: str, check: str, weight: int, *, gate: bool = False, **params: Any) -> Item:
    return Item(id=name, kind="value", weight=weight, gate=gate, check=check, params=params, truth_path=name)


ITEMS = (
    item("a", "cell", 1, row="chair", column="qty", value=10),
    item("b", "cell", 2, row="chair", column="price", value=68000),
    item("c", "figure", 3, figure="total", value=680000),
)
GATE = item("g", "absent", 0, gate=True, row="desk")


def make_key(*items: Item, view: dict[str, Any] | None = None) -> Key:
    factors = Factors(world="w", profile="p", register_name="formal", core=1, distractors=0, gap_share=0.0)
    return Key(
        id="t1", digest="", state={"view": view or VIEW}, answer={}, alternatives=(), items=items, evidence=(),
        factors=factors, split="eval",
    )  # fmt: skip


def make_reply(text: str | None, **more: Any) -> Reply:
    return Reply(task_id="t1", reply=text, **more)


FULL = "椅子：数量 10 把，单价 680 元。总计 6,800 元。"


def test_full_score() -> None:
    result = score_reply(make_key(*ITEMS, GATE), make_reply(FULL, roll=2, condition="user-only"))
    assert (result.importance, result.strict, result.importance_upper) == (1.0, 1, 1.0)
    assert (result.status, result.roll, result.condition) == ("ok", 2, "user-only")
    assert set(result.items.values()) == {HIT}


def test_weights_and_equal_weights() -> None:
    key = make_key(*ITEMS)
    result = score_reply(key, make_reply("椅子：数量 12 把，单价 680 元。总计 6,800 元。"))
    assert result.items == {"a": MISS, "b": HIT, "c": HIT}
    assert result.importance == pytest.approx(5 / 6)
    assert equal_importance(key, result) == pytest.approx(2 / 3)
    assert result.strict == 0


def test_missed_gate_zeroes_both() -> None:
    key = make_key(*ITEMS, GATE)
    result = score_reply(key, make_reply(FULL + "\n桌子：数量 3 张。"))
    assert result.items["g"] == MISS
    assert (result.importance, result.strict, result.importance_upper) == (0.0, 0, 0.0)
    assert equal_importance(key, result) == 0.0


def test_unsure_is_a_miss_below_and_a_hit_above() -> None:
    verdicts = {"a": HIT, "b": UNSURE, "c": MISS}
    low, high, strict = weigh(ITEMS, verdicts)
    assert (low, high, strict) == (1 / 6, 3 / 6, 0)
    assert weigh((*ITEMS, GATE), {**verdicts, "g": UNSURE})[:2] == (0.0, 3 / 6)


def test_no_item_or_an_item_without_verdict_is_no_score() -> None:
    assert weigh((), {}) == (None, None, None)
    assert weigh(ITEMS, {"a": HIT, "b": HIT}) == (None, None, None)


@pytest.mark.parametrize(
    ("reply", "status"),
    [
        (make_reply(""), "empty"),
        (make_reply("  \n"), "empty"),
        (make_reply(None), "empty"),
        (make_reply("很抱歉，作为AI助手，我无法完成这个请求。"), "refusal"),
        (make_reply("I'm sorry, but I can't help with that request."), "refusal"),
        (make_reply("", refusal="cannot assist"), "refusal"),
        (make_reply(FULL[:12], finish_reason="length"), "truncated"),
        (make_reply("<think>椅子 10", finish_reason="length"), "truncated"),
    ],
)
def test_nothing_to_grade_misses_everything(reply: Reply, status: str) -> None:
    result = score_reply(make_key(*ITEMS, GATE), reply)
    assert result.status == status
    assert set(result.items.values()) == {MISS}
    assert (result.importance, result.strict, result.importance_upper) == (0.0, 0, 0.0)


def test_an_answer_that_cannot_do_one_thing_is_no_refusal() -> None:
    assert reply_status(make_reply(f"抱歉，我无法提供附件，清单如下。{FULL}")) == "ok"


@pytest.mark.parametrize("reply", [make_reply(None, finish_reason="error"), make_reply(None, finish_reason=None)])
def test_failed_call_is_an_error_not_a_wrong_answer(reply: Reply) -> None:
    result = score_reply(make_key(*ITEMS), reply)
    assert result.status == "error"
    assert set(result.items.values()) == {ERROR}
    assert (result.importance, result.strict, result.importance_upper) == (None, None, None)


def test_only_the_first_part_of_a_long_reply_counts() -> None:
    padding = "好的。\n" * (MAX_CHARS // 4)
    result = score_reply(make_key(*ITEMS), make_reply(padding + FULL))
    assert result.status == "ok"
    assert result.importance == 0.0


def test_unknown_check_raises_at_once() -> None:
    with pytest.raises(GenError, match="unknown check"):
        score_reply(make_key(item("a", "cells", 1)), make_reply(FULL))


def make_result(task: str, importance: float | None, roll: int = 1, status: str = "ok") -> Result:
    strict = None if importance is None else int(importance == 1)
    return Result(task_id=task, roll=roll, condition="full", status=status, items={}, importance=importance,
                  strict=strict, importance_upper=importance)  # fmt: skip


def test_aggregate_averages_rolls_then_tasks_and_leaves_errors_out() -> None:
    results = [
        make_result("x", 1.0), make_result("x", 0.0, 2), make_result("y", 1.0),
        make_result("y", None, 2, "error"), make_result("z", 0.25), make_result("z", 0.0, 2, "empty"),
    ]  # fmt: skip
    means = aggregate(results, {"x": "iii", "y": "iii", "z": "vi"})
    assert list(means) == ["iii", "vi"]
    three = means["iii"]
    assert (three.n, three.scored, three.tasks) == (4, 3, 2)
    assert three.importance == pytest.approx(0.75)
    assert three.strict == pytest.approx(0.75)
    assert three.coverage == pytest.approx(0.75) and three.coverage < MIN_COVERAGE and not three.is_ranked
    assert three.statuses == {"error": 1, "ok": 3}
    assert means["vi"].is_ranked
    assert means["vi"].importance == pytest.approx(0.125)


def test_aggregate_of_errors_alone_has_no_mean() -> None:
    only = aggregate([make_result("x", None, status="error")])[""]
    assert (only.importance, only.strict, only.importance_upper, only.is_ranked) == (None, None, None, False)
    assert aggregate([]) == {}


def test_views_survive_the_key() -> None:
    view = SheetView.model_validate_json(SheetView.model_validate(VIEW, strict=False).model_dump_json())
    result = score_reply(make_key(*ITEMS, view=view.model_dump(mode="json")), make_reply(FULL))
    assert result.strict == 1
