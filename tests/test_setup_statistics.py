"""Statistics of travel setups: means, counts, paired tests and prompt lengths, against figures worked by hand."""

from __future__ import annotations

import pytest

from generator.records import Result, Verdict
from generator.scoring.statistics.setups import SetupReply, setup_reply, summarise_setups

ORDER = ("isolated", "dialogue", "length-matched")
STATE = {"travel": "distance", "reasoning": "spatial", "knowledge": "formal"}


def reply(instance: str, setup: str, strict: float, **fields: object) -> SetupReply:
    given: dict[str, object] = {"task": "distance", "labels": ("spatial", "formal"), "roll": 1, **fields}
    return SetupReply(instance=instance, setup=setup, strict=strict, **given)  # type: ignore[arg-type]


def test_means_are_over_instances_rolls_first() -> None:
    rows = [
        reply("a", "isolated", 1.0),
        reply("a", "isolated", 0.0, roll=2),
        reply("b", "isolated", 0.0, tags=("no-answer",), abstained=True, length=10),
        reply("c", "isolated", 1.0, length=30, task="frequency", labels=("temporal", "commonsense")),
    ]
    block = summarise_setups(rows, ORDER)["setups"]["isolated"]
    assert block["all"]["strict"] == pytest.approx(0.5)
    assert (block["all"]["replies"], block["all"]["instances"]) == (4, 3)
    assert (block["all"]["no_answer"], block["all"]["abstained"]) == (1, 1)
    assert block["all"]["tags"] == {"no-answer": 1}
    assert block["all"]["length"] == {"mean": 20, "median": 20}
    assert block["tasks"]["distance"]["strict"] == pytest.approx(0.25)
    assert set(block["labels"]) == {"spatial", "formal", "temporal", "commonsense"}
    assert block["labels"]["temporal"]["strict"] == 1.0


def test_metrics_are_over_replies_that_have_them_and_errors_are_medians() -> None:
    rows = [
        reply("a", "isolated", 0.0, metrics={"closeness": 0.5, "absolute_error": 500.0}),
        reply("b", "isolated", 0.0, metrics={"closeness": 0.0}),
        reply("c", "isolated", 1.0, metrics={"f1": 0.4, "exact": 0.0}),
    ]
    block = summarise_setups(rows, ORDER)["setups"]["isolated"]["all"]
    assert block["metrics"] == {"closeness": 0.25, "exact": 0.0, "f1": 0.4}
    # Half of those that were asked for a number gave none, which is no smaller error than any.
    assert block["errors"] == {"absolute_error": None}


def test_median_errors_count_missing_numbers_and_mix_no_units() -> None:
    errors = {"absolute_error": 500.0, "relative_error": 0.5}
    rows = [reply(n, "isolated", 0.0, metrics={"closeness": 0.5, **errors}) for n in "abc"]
    rows += [reply("d", "isolated", 0.0, metrics={"closeness": 0.0})]
    block = summarise_setups(rows, ORDER)["setups"]["isolated"]
    assert block["all"]["errors"] == errors
    rows += [reply("e", "isolated", 0.0, task="frequency", metrics={"closeness": 0.9, **errors})]
    block = summarise_setups(rows, ORDER)["setups"]["isolated"]
    assert block["all"]["errors"] == {"absolute_error": None, "relative_error": 0.5}
    assert block["tasks"]["distance"]["errors"] == errors


def test_tests_are_paired_by_instance() -> None:
    """Nine instances that only the first setup gets right: exact McNemar p = 2 / 2^9, whatever the unpaired means."""
    rows = [reply(str(n), "isolated", 1.0) for n in range(12)]
    rows += [reply(str(n), "dialogue", float(n >= 9)) for n in range(12)]
    rows.append(reply("only here", "dialogue", 1.0))
    found = summarise_setups(rows, ORDER)["tests"]
    (overall,) = [t for t in found if t["task"] == "all"]
    assert (overall["one"], overall["other"], overall["measure"], overall["test"]) == (
        "isolated",
        "dialogue",
        "strict",
        "mcnemar",
    )
    assert overall["n"] == 12
    assert overall["difference"] == pytest.approx(-0.75)
    assert overall["p"] == pytest.approx(2 / 2**9)
    assert overall["p_holm"] == pytest.approx(2 * 2 / 2**9)
    low, high = overall["interval"]
    assert low < -0.75 < high < 0
    shuffled = [r if r.setup == "isolated" else reply(f"x{r.instance}", r.setup, r.strict) for r in rows]
    assert summarise_setups(shuffled, ORDER)["tests"] == []


def test_closeness_has_a_test_of_its_own() -> None:
    rows = [reply(str(n), "isolated", 0.0, metrics={"closeness": 0.9}) for n in range(8)]
    rows += [reply(str(n), "dialogue", 0.0, metrics={"closeness": 0.9 - 0.1 * (n + 1)}) for n in range(8)]
    found = {(t["task"], t["measure"]): t for t in summarise_setups(rows, ORDER)["tests"]}
    assert found["all", "closeness"]["test"] == "wilcoxon"
    assert found["all", "closeness"]["p"] == pytest.approx(2 / 2**8)
    assert found["all", "strict"]["p"] == 1.0


def test_prompt_tokens_are_compared_with_the_dialogues_of_the_same_instance() -> None:
    rows = [
        reply("a", "dialogue", 1.0, prompt_tokens=1000.0),
        reply("b", "dialogue", 1.0, prompt_tokens=1000.0),
        reply("a", "length-matched", 1.0, prompt_tokens=1029.0),
        reply("b", "length-matched", 1.0, prompt_tokens=960.0),
        reply("c", "length-matched", 1.0, prompt_tokens=2000.0),
    ]
    told = summarise_setups(rows, ORDER)["prompt_tokens"]
    assert (told["pairs"], told["beyond"]) == (2, 1)
    assert told["largest_share"] == pytest.approx(0.04)
    assert summarise_setups([reply("a", "dialogue", 1.0)], ORDER)["prompt_tokens"] is None


def test_failed_calls_are_left_to_coverage_and_order_is_kept() -> None:
    failed = Result(
        task_id="t",
        roll=1,
        condition="full",
        status="error",
        items={"answer": Verdict.ERROR},
        importance=None,
        strict=None,
    )
    assert setup_reply(failed, "a", STATE, "dialogue") is None
    good = Result(
        task_id="t", roll=1, condition="full", status="ok", items={"answer": Verdict.HIT}, importance=1.0, strict=1
    )
    made = setup_reply(good, "a", STATE, "dialogue", 7)
    assert made is not None
    assert (made.task, made.labels, made.prompt_tokens) == ("distance", ("spatial", "formal"), 7)
    rows = [reply("a", name, 1.0) for name in ("other", "length-matched", "isolated", "dialogue")]
    assert list(summarise_setups(rows, ORDER)["setups"]) == ["isolated", "dialogue", "length-matched", "other"]


def test_equal_rows_give_equal_figures_in_any_order() -> None:
    rows = [reply(str(n), s, float(n % k == 0)) for n in range(20) for k, s in ((2, "isolated"), (3, "dialogue"))]
    assert summarise_setups(rows, ORDER) == summarise_setups(rows[::-1], ORDER)


def test_a_saturated_side_is_named() -> None:
    """Two isolated tasks of the original were right in 240 of 240: there only the dialogue tells models apart."""
    rows = [reply(str(n), "isolated", 1.0) for n in range(30)] + [
        reply(str(n), "dialogue", float(n % 2)) for n in range(30)
    ]
    assert summarise_setups(rows, ORDER)["saturated"] == [["isolated", "distance"]]
    assert summarise_setups(rows[:19], ORDER)["saturated"] == []
