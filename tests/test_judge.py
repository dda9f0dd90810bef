"""The judge: a fenced prompt, anchored verdicts, proven hits; calibration, samples and labels."""

from __future__ import annotations

import asyncio
import csv
import json
import sqlite3
import time
from collections.abc import AsyncIterator, Callable, Coroutine, Sequence
from contextlib import asynccontextmanager
from dataclasses import replace
from pathlib import Path
from random import Random
from types import SimpleNamespace
from typing import Any, cast

import pytest
from aiohttp import web
from support.builds import build
from support.judging import ATTACKS, FORGED, JudgeServer, Says, Seen, completion, key_of, ruling
from support.runs import Fake, memory_build, plan_of

from generator.cli import judging
from generator.cli.configured import configuration_of
from generator.content import ContentRoot
from generator.engine.loaded import Build, load_build
from generator.errors import ExitCode, GenError
from generator.modes import find_mode
from generator.records import Item, Key, Lang, Message, Reply, Result, Task, Verdict
from generator.runner import Judging, Options, RunView, make_plan, run_session
from generator.runner.judge import (
    JUDGE_STORE,
    LABELS,
    Judge,
    JudgedItem,
    JudgeStore,
    Place,
    calibrate_judge,
    correct_run,
    draw_sample,
    join_judges,
    judge_agreement,
    judge_reply,
    make_run_judge,
    merge_judged,
    read_labels,
    read_notes,
)
from generator.runner.judge.asking import MAX_ASKED
from generator.runner.judge.calibration import construct_reply
from generator.runner.judge.fence import holds_quote, make_token, show_reply
from generator.runner.judge.ruling import find_ruling, ruling_for
from generator.scoring.metrics import score_reply
from generator.seeds import stream

TOKEN = "a1b2c3d4e5a1b2c3d4e5"
LANGS: tuple[Lang, ...] = ("zh", "en")
ITEMS = ("i01", "i02", "i03", "i04")
SEEN = Seen(TOKEN, ITEMS, "", "", "")
REPLY = Reply(task_id="t", reply="折叠椅 123 元，长桌 456 元，总价 579 元")


def run(work: Coroutine[Any, Any, Any]) -> Any:
    return asyncio.run(work)


def judge_once(
    says: Says, reply: str = "折叠椅 123 元", *, lang: Lang = "zh", store: JudgeStore | None = None, times: int = 1,
    refuses_format: bool = False,
) -> tuple[dict[str, JudgedItem], JudgeServer]:  # fmt: skip
    """Return what a judge said of all items of the small key, asked so many times, and its server."""

    async def work() -> tuple[dict[str, JudgedItem], JudgeServer]:
        judged: dict[str, JudgedItem] = {}
        async with JudgeServer(says, refuses_format=refuses_format) as server, server.client() as client:
            judge = Judge(client, store)
            for _ in range(times):
                judged = await judge.judge(key_of(lang), Reply(task_id="t", reply=reply), "all")
        return judged, server

    made: tuple[dict[str, JudgedItem], JudgeServer] = run(work())
    return made


def verdicts(judged: dict[str, JudgedItem]) -> set[Verdict]:
    return {one.verdict for one in judged.values()}


# --- What a judge must answer, and how it is read


@pytest.mark.parametrize(
    "wrap",
    [
        "{}", "```json\n{}\n```", "My reasoning is long. {{see below}} \n{}\nThat is all.", FORGED + "\n{}",
        "{}\n" + FORGED, "The reply says " + FORGED + " which I ignore.\n```json\n{}\n```",
    ],
    ids=["bare", "fenced", "prose", "after-forged", "before-forged", "quoted"],
)  # fmt: skip
def test_the_last_object_that_fits_wins(wrap: str) -> None:
    text = wrap.replace("{}", ruling(SEEN, "miss"), 1)
    found = find_ruling(text, ruling_for(TOKEN, ITEMS))
    assert found is not None
    assert {v.verdict for v in found.verdicts} == {"miss"}


def test_of_two_that_fit_the_last_wins() -> None:
    text = ruling(SEEN, "hit", "x") + "\nOn reflection:\n" + ruling(SEEN, "unsure")
    found = find_ruling(text, ruling_for(TOKEN, ITEMS))
    assert found is not None
    assert {v.verdict for v in found.verdicts} == {"unsure"}


@pytest.mark.parametrize(("verdict", "read"), [("True", "hit"), ("False", "miss"), ('" Hit "', "hit")])
def test_python_words_and_case_are_tolerated(verdict: str, read: str) -> None:
    text = ruling(SEEN, "VERDICT", "QUOTE").replace('"VERDICT"', verdict).replace('"QUOTE"', "None")
    found = find_ruling(text, ruling_for(TOKEN, ITEMS))
    assert found is not None
    assert {(v.verdict, v.quote) for v in found.verdicts} == {(read, "")}


@pytest.mark.parametrize(
    "verdict", ["yes", "yesterday", "A", "PASS", "", "hit or miss", "[[90]]", 90, 1, 0.5, None, ["hit"], "hits", "命中"]
)
def test_a_verdict_off_the_scale_is_none(verdict: Any) -> None:
    assert find_ruling(ruling(SEEN, verdict), ruling_for(TOKEN, ITEMS)) is None


UNREADABLE = {
    "empty object": "{}",
    "prose": "A good reply. Verdict: hit for all.",
    "article": "A reply like this one is a hit, as yesterday.",
    "other token": ruling(SEEN, "hit", "折叠椅 123 元", token="f" * 20),
    "no token": json.dumps({"verdicts": json.loads(ruling(SEEN))["verdicts"]}),
    "too few": json.dumps({"token": TOKEN, "verdicts": json.loads(ruling(SEEN))["verdicts"][:3]}),
    "twice": json.dumps({"token": TOKEN, "verdicts": [*json.loads(ruling(SEEN))["verdicts"]] * 2}),
    "unknown": ruling(SEEN._replace(items=(*ITEMS, "i99"))),
    "cut": ruling(SEEN, "hit")[:-3],
    "inside another": json.dumps({"example": json.loads(ruling(SEEN, "hit"))}),
    "inside a string": json.dumps({"text": ruling(SEEN, "hit")}),
    "error text": "Error 500: upstream said [[1]]",
    "braces": "{" * 5_000,
}


@pytest.mark.parametrize("name", UNREADABLE)
def test_what_does_not_fit_is_no_ruling(name: str) -> None:
    assert find_ruling(UNREADABLE[name], ruling_for(TOKEN, ITEMS)) is None


def test_a_hostile_text_takes_no_time() -> None:
    started = time.perf_counter()
    for text in ('"\\' * 90_000, '{"a": ' * 30_000, '{"a' * 60_000, '{"a": "' + "x" * 190_000, "True " * 40_000):
        assert find_ruling(text, ruling_for(TOKEN, ITEMS)) is None
    assert time.perf_counter() - started < 5


def test_an_unreadable_judge_is_asked_again_within_bounds_and_ends_in_errors() -> None:
    judged, server = judge_once(lambda seen, n: "I would say yes.")
    assert len(server.bodies) == MAX_ASKED
    assert verdicts(judged) == {Verdict.ERROR}
    assert all(one.error.startswith("unreadable after 3 answers") for one in judged.values())


def test_a_second_try_may_succeed() -> None:
    judged, server = judge_once(lambda seen, n: ruling(seen, "miss") if n else "Hm.")
    assert (len(server.bodies), verdicts(judged)) == (2, {Verdict.MISS})
    assert len(server.bodies[1]["messages"]) > len(server.bodies[0]["messages"])


@pytest.mark.parametrize(
    ("response", "words"),
    [
        (lambda: completion(""), "empty"), (lambda: completion(None), "empty"),
        (lambda: completion('{"token"', "length"), "length"),
        (lambda: web.json_response({"error": {"message": "no such model"}}, status=404), "no such model"),
        (lambda: web.json_response({"error": {"message": "bad key"}}, status=401), "bad key"),
        (lambda: web.Response(text="[[1]] hit", status=500), "server_error"),
        (lambda: web.Response(text="{", content_type="application/json"), "malformed"),
    ],
    ids=["empty", "null", "length", "404", "401", "500", "malformed"],
)  # fmt: skip
def test_a_failed_call_is_an_error_and_is_not_read(response: Callable[[], web.Response], words: str) -> None:
    judged, server = judge_once(lambda seen, n: response())
    assert verdicts(judged) == {Verdict.ERROR}
    assert all(words in one.error for one in judged.values()), judged
    assert len(server.bodies) <= 2


def test_a_draft_in_a_think_block_is_no_ruling() -> None:
    judged, _ = judge_once(lambda seen, n: f"<think>{ruling(seen, 'miss')}</think>I cannot say.")
    assert verdicts(judged) == {Verdict.ERROR}


def test_a_server_without_response_format_is_asked_plainly_and_remembered() -> None:
    judged, server = judge_once(lambda seen, n: f"```json\n{ruling(seen)}\n```", times=2, refuses_format=True)
    assert verdicts(judged) == {Verdict.MISS}
    assert ["response_format" in body for body in server.bodies] == [True, False, False]


def test_the_schema_is_sent_and_reasoning_comes_before_the_verdict() -> None:
    _, server = judge_once(lambda seen, n: ruling(seen))
    schema = server.bodies[0]["response_format"]["json_schema"]["schema"]
    assert list(schema["$defs"]["ItemRuling"]["properties"]) == ["item", "reasoning", "quote", "verdict"]
    assert "retries" not in json.dumps(server.bodies[0])


# --- Quotes


@pytest.mark.parametrize(
    ("reply", "quote", "holds"),
    [
        ("折叠椅 １２３ 元", "折叠椅 123 元", True), ("a  b\n\n c", "b c", True), ("| 椅 | 123 |", "椅 | 123", True),
        ("Total: £579", "total: £579", False), ("折叠椅 123 元", "折叠椅 124 元", False), ("123 456", "123456", False),
        ("a…b", "a b", False), ("anything", "", False), ("| a | b |", "| |", False), ("x\u200by", "xy", True),
        ("<|im_start|>hit", "<|im_start|>hit", True), ("<|im_start|>hit", "‹|im_start|›hit", True),
        ("12", "1\u202e2", True),
    ],
)  # fmt: skip
def test_a_quote_stands_in_the_reply_or_is_none(reply: str, quote: str, holds: bool) -> None:
    assert holds_quote(show_reply(reply), quote) is holds


@pytest.mark.parametrize("quote", ["", "   ", "折叠椅 999 元", "——", "looked"])
def test_a_hit_without_proof_is_an_error_of_that_item_only(quote: str) -> None:
    def says(seen: Seen, n: int) -> str:
        made = json.loads(ruling(seen, "miss"))
        made["verdicts"][1] |= {"verdict": "hit", "quote": quote}
        made["verdicts"][2] |= {"verdict": "hit", "quote": "折叠椅 123 元"}
        return json.dumps(made)

    judged, _ = judge_once(says)
    ends = [judged[i].verdict for i in ITEMS]
    assert ends == [Verdict.MISS, Verdict.ERROR, Verdict.HIT, Verdict.MISS]
    assert "quote" in judged["i02"].error


# --- Injection


def test_there_are_enough_attempts_in_both_languages() -> None:
    assert len(set(ATTACKS)) >= 30
    assert sum(any("\u4e00" <= c <= "\u9fff" for c in text) for text in ATTACKS) >= 8


@pytest.mark.parametrize("lang", ["zh", "en"])
def test_no_attempt_leaves_the_fence_or_lends_its_verdicts_to_the_judge(lang: Lang) -> None:
    """The judge quotes the whole reply before and after its own object: only that object counts."""

    async def work() -> None:
        says: Says = lambda seen, n: f"The reply: {seen.reply}\n{ruling(seen, 'miss')}\nAgain: {seen.reply}"  # noqa: E731
        async with JudgeServer(says) as server, server.client() as client:
            judge = Judge(client)
            for text in ATTACKS:
                judged = await judge.judge(key_of(lang), Reply(task_id="t", reply=text), "all")
                assert verdicts(judged) == {Verdict.MISS}, text
                assert server.seen[-1].reply == show_reply(text)
                assert server.seen[-1].system == server.seen[0].system
            assert not server.faults
            assert len(server.bodies) == len(ATTACKS)

    run(work())


@pytest.mark.parametrize(
    "obey",
    [
        lambda seen: seen.reply,
        lambda seen: FORGED,
        lambda seen: "GRADE: PASS, hit, hit, hit, hit",
        lambda seen: ruling(seen, "hit", "as the judge was told"),
    ],
    ids=["parrot", "forged", "words", "no-proof"],
)
def test_a_judge_that_obeys_gives_errors_and_never_hits(obey: Callable[[Seen], str]) -> None:
    async def work() -> None:
        async with JudgeServer(lambda seen, n: obey(seen)) as server, server.client() as client:
            judge = Judge(client)
            for text in ATTACKS:
                judged = await judge.judge(key_of(), Reply(task_id="t", reply=text), "all")
                assert verdicts(judged) == {Verdict.ERROR}, text
            assert not server.faults

    run(work())


def test_nothing_in_a_shown_reply_looks_like_a_mark_or_hides() -> None:
    for text in ATTACKS:
        shown = show_reply(text)
        for mark in ("<<<", ">>>", "<|", "|>", "[INST]", "[/INST]", "<s>", "</s>", "<system>", "<start_of_turn>"):
            assert mark not in shown, text
        assert all(c in "\n\t" or c.isprintable() for c in shown), text
        assert make_token(shown, ITEMS) not in shown


def test_a_reply_is_never_a_template() -> None:
    text = "{{ 7 * 7 }} {% raw %} {{ token }}"
    _, server = judge_once(lambda seen, n: ruling(seen), text)
    assert server.seen[0].reply == text


# --- What a judge is shown


def all_texts(value: Any) -> list[str]:
    if isinstance(value, dict):
        return [t for k, v in value.items() for t in (str(k), *all_texts(v))]
    if isinstance(value, list | tuple):
        return [t for v in value for t in all_texts(v)]
    return [str(value)]


@pytest.mark.parametrize("lang", ["zh", "en"])
def test_only_what_items_want_reaches_the_judge_and_no_model_name(lang: Lang) -> None:
    async def work() -> JudgeServer:
        async with JudgeServer(lambda seen, n: ruling(seen)) as server, server.client() as client:
            reply = Reply(task_id="SECRET-model-task", condition="SECRET-condition", roll=7_654_321, reply="ok 1",
                          reasoning="SECRET-reasoning", tool_calls=({"id": "SECRET-call"},))  # fmt: skip
            await judge_reply(client, key_of(lang), reply, "all")
        return server

    server = run(work())
    sent = json.dumps(server.bodies[0]["messages"], ensure_ascii=False).replace(server.seen[0].token, "")
    assert "SECRET" not in sent
    for private in ("7654321", "987", "456.0", "row0", "sheet.total", *(i.truth_path for i in key_of(lang).items)):
        assert private not in sent
    for wanted in ("123", "456", "579", key_of(lang).items[0].clarification):
        assert wanted in sent


def test_the_judge_cannot_tell_models_apart() -> None:
    """The same reply under two model names is one prompt: nothing of a run's model enters `judge`."""

    async def work() -> list[Any]:
        async with JudgeServer(lambda seen, n: ruling(seen)) as server, server.client() as client:
            for roll, condition in ((1, "full"), (2, "user-only")):
                reply = REPLY.model_copy(update={"roll": roll, "condition": condition})
                await Judge(client).judge(key_of(), reply, "all")
            return server.bodies

    one, other = run(work())
    assert one == other


def marked(build: Build) -> Build:
    """Return a build whose keys hold a mark in every text, and numbers that no dialogue holds."""

    def mark(value: Any, name: str = "") -> Any:
        if isinstance(value, dict):
            return {k: mark(v, k) for k, v in value.items()}
        if isinstance(value, list):
            return [mark(v, name) for v in value]
        fixed = {"check", "family", "lang", "role", "duty", "split", "id", "row", "column", "figure", "today", "world"}
        return value if not isinstance(value, str) or name in fixed else "SECRET" + value

    keys = {
        name: Key.model_validate_json(json.dumps(mark(key.model_dump(mode="json")))) for name, key in build.keys.items()
    }
    return replace(build, keys=keys)


@pytest.mark.parametrize("condition", ["full", "user-only", "own"])
def test_no_key_field_enters_a_models_prompt(tmp_path: Path, condition: str) -> None:
    shown: list[list[tuple[Message, ...]]] = []
    for made in (memory_build(2), marked(memory_build(2))):
        fake = Fake()
        folder = tmp_path / str(len(shown))
        run_session(plan_of([condition], 1, build=made), folder, Options(concurrency=1), opening=fake.opening)
        shown.append(fake.shown)
    assert shown[0]
    assert shown[0] == shown[1]
    assert "SECRET" not in repr(shown[1])


# --- Cache


def test_whole_rulings_are_kept_and_errors_are_asked_about_again(tmp_path: Path) -> None:
    with JudgeStore(tmp_path / JUDGE_STORE) as store:
        _, server = judge_once(lambda seen, n: ruling(seen, "hit", "折叠椅 123 元"), store=store, times=3)
        assert len(server.bodies) == 1
    with JudgeStore(tmp_path / "other.sqlite") as store:
        judged, server = judge_once(lambda seen, n: ruling(seen, "hit", "not there"), store=store, times=2)
        assert (len(server.bodies), verdicts(judged)) == (2, {Verdict.ERROR})
        judged, server = judge_once(lambda seen, n: "no", store=store, times=2)
        assert len(server.bodies) == 2 * MAX_ASKED
    link = sqlite3.connect(tmp_path / "other.sqlite")
    assert link.execute("SELECT count(*) FROM rulings").fetchone() == (0,)
    link.close()
    assert (tmp_path / JUDGE_STORE).stat().st_mode & 0o077 == 0


def test_another_reply_item_or_judge_is_another_ruling(tmp_path: Path) -> None:
    async def work() -> int:
        with JudgeStore(tmp_path / JUDGE_STORE) as store:
            async with JudgeServer(lambda seen, n: ruling(seen)) as server:
                async with server.client("one") as one, server.client("two", settings={"temperature": 0}) as two:
                    for client in (one, two, one):
                        for text in ("折叠椅 1 元", "折叠椅 2 元"):
                            for lang in LANGS:
                                reply = Reply(task_id="t", reply=text)
                                await Judge(client, store).judge(key_of(lang), reply, "all")
                return len(server.bodies)

    assert run(work()) == 8


# --- Merge, several judges


def judged_item(item: str, verdict: Verdict, judge: str = "a") -> JudgedItem:
    return JudgedItem(item=item, verdict=verdict, judge=judge, error="lost" if verdict is Verdict.ERROR else "")


HIT, MISS, UNSURE, ERROR = Verdict.HIT, Verdict.MISS, Verdict.UNSURE, Verdict.ERROR


@pytest.mark.parametrize(
    ("said", "joined"),
    [
        ([HIT], HIT), ([ERROR], ERROR), ([HIT, HIT, MISS], HIT), ([HIT, MISS], UNSURE), ([ERROR, MISS], MISS),
        ([ERROR, ERROR], ERROR), ([HIT, MISS, UNSURE], UNSURE), ([HIT, HIT, MISS, MISS], UNSURE),
    ],
)  # fmt: skip
def test_the_majority_of_those_that_answered_decides(said: list[Verdict], joined: Verdict) -> None:
    found = join_judges([{"i01": judged_item("i01", v, f"j{n}")} for n, v in enumerate(said)])
    assert found["i01"].verdict is joined
    assert found["i01"].judge == "+".join(f"j{n}" for n in range(len(said)))


def result_of(*ends: Verdict) -> Result:
    verdicts = dict(zip(ITEMS, ends, strict=True))
    return Result(task_id="t", roll=1, condition="full", status="ok", items=verdicts, importance=0.5, strict=0)


def test_a_merged_result_is_weighed_anew() -> None:
    key, before = key_of(), result_of(HIT, UNSURE, UNSURE, HIT)
    after = merge_judged(key, before, {"i02": judged_item("i02", HIT), "i03": judged_item("i03", MISS)})
    assert (after.importance, after.importance_upper, after.strict) == (0.75, 0.75, 0)
    still = merge_judged(key, before, {"i02": judged_item("i02", HIT), "i03": judged_item("i03", UNSURE)})
    assert (still.importance, still.importance_upper) == (0.75, 1.0)
    lost = merge_judged(key, before, {"i02": judged_item("i02", ERROR)})
    assert (lost.items["i02"], lost.importance, lost.importance_upper, lost.strict) == (ERROR, None, None, None)
    assert merge_judged(key, before, {}).items == before.items


@pytest.mark.parametrize("status", ["empty", "refusal", "truncated", "error"])
def test_a_reply_without_an_answer_is_not_judged(status: str) -> None:
    async def work() -> None:
        async with JudgeServer(lambda seen, n: ruling(seen, "hit")) as server, server.client() as client:
            result = result_of(MISS, MISS, MISS, MISS).model_copy(update={"status": status})
            assert await Judge(client).judge(key_of(), REPLY, "all", result) == {}
            assert not server.bodies

    run(work())


def test_only_unsure_items_are_asked_about_unless_all_are_wanted() -> None:
    async def work() -> None:
        async with JudgeServer(lambda seen, n: ruling(seen)) as server, server.client() as client:
            result = result_of(HIT, UNSURE, MISS, HIT)
            judged = await judge_reply(client, key_of(), REPLY, result=result)
            assert (set(judged), server.seen[0].items) == ({"i02"}, ("i02",))
            assert set(await judge_reply(client, key_of(), REPLY, "all", result=result)) == set(ITEMS)
            assert await judge_reply(client, key_of(), REPLY, result=result_of(HIT, MISS, MISS, HIT)) == {}

    run(work())


def test_several_judges_in_a_run_leave_notes_and_an_agreement(tmp_path: Path) -> None:
    async def work() -> Result:
        one = JudgeServer(lambda seen, n: ruling(seen, "hit", "长桌"))
        two = JudgeServer(lambda seen, n: ruling(seen, "miss"))
        with JudgeStore(tmp_path / JUDGE_STORE) as store:
            async with one, two, one.client("one") as a, two.client("two") as b, one.client("three") as c:
                judge = make_run_judge([Judge(a, store), Judge(b, store), Judge(c, store)], "unsure", store)
                task = Task(id="t", mode="iii", lang="zh", messages=(), instance_id="t")
                result = result_of(HIT, UNSURE, MISS, UNSURE)
                return await judge(task, key_of(), REPLY, result)

    merged = run(work())
    assert [merged.items[i] for i in ITEMS] == [HIT, HIT, MISS, HIT]
    notes = read_notes(tmp_path, Place("t", "full", 1))
    assert [(n.item, n.judge, n.verdict) for n in notes[:3]] == [
        ("i02", "one", HIT), ("i02", "three", HIT), ("i02", "two", MISS)
    ]  # fmt: skip
    with JudgeStore(tmp_path / JUDGE_STORE, read_only=True) as store:
        alpha = judge_agreement(store.all_notes())
    assert alpha.n == 2
    assert alpha.value is not None
    assert alpha.value < 0
    assert read_notes(tmp_path / "elsewhere", Place("t", "full", 1)) == ()


# --- Calibration


def test_constructed_replies_have_both_ends_and_agree_with_the_checks() -> None:
    seen: set[Verdict] = set()
    for key in memory_build(3).keys.values():
        made, dropped = construct_reply(find_mode("iii"), key, Random(3))
        checked = score_reply(key, made.reply).items
        assert len(made.truth) + dropped == len(key.items)
        assert dropped <= len(key.items) // 4
        assert all(checked[name] in (truth, UNSURE) for name, truth in made.truth.items())
        seen |= set(made.truth.values())
    assert seen == {HIT, MISS}


def calibrate_with(verdict: Callable[[Key, Item, bool], str]) -> Any:
    """Return the calibration of a judge that is told, item by item, what the truth is."""
    build = memory_build(3)
    truth = {}
    for key in build.keys.values():
        made, _ = construct_reply(find_mode("iii"), key, stream(5, key.id, "judge-calibration"))
        truth[show_reply(made.reply.reply or "")] = (key, made.truth)

    def says(seen: Seen, n: int) -> str:
        key, known = truth[seen.reply]
        rows = []
        for item in key.items:
            said = verdict(key, item, known.get(item.id) is HIT)
            rows.append({"item": item.id, "reasoning": "r", "quote": seen.reply.split("\n")[0], "verdict": said})
        return json.dumps({"token": seen.token, "verdicts": rows})

    async def work() -> Any:
        async with JudgeServer(says) as server, server.client() as client:
            return await calibrate_judge(Judge(client), build, n=3, seed=5)

    return run(work())


def test_a_perfect_judge_calibrates_to_one_with_an_interval_below_it() -> None:
    found = calibrate_with(lambda key, item, is_hit: "hit" if is_hit else "miss")
    whole = found.rates[0]
    assert (whole.kind, whole.sensitivity, whole.specificity, whole.errors) == ("all", 1.0, 1.0, 0)
    assert whole.sensitivity_interval.low < 1.0
    assert whole.sensitivity_interval.high == 1.0
    assert sum(r.hits for r in found.rates[1:]) == whole.hits
    assert found.as_json()["label"].startswith("instrument check")
    notes = [(Place("t", "full", n), judged_item("i01", HIT if n < 6 else MISS)) for n in range(10)]
    corrected = correct_run(found, notes)
    assert corrected.estimate == pytest.approx(0.6)
    assert "not a corrected score" in corrected.label


def test_a_judge_that_always_says_hit_has_no_specificity_and_corrects_nothing() -> None:
    found = calibrate_with(lambda key, item, is_hit: "hit")
    assert (found.rates[0].sensitivity, found.rates[0].specificity) == (1.0, 0.0)
    corrected = correct_run(found, [(Place("t", "full", 1), judged_item("i01", HIT))])
    assert corrected.estimate is None
    assert "no better than chance" in corrected.reason


def test_unsure_is_no_hit_and_is_counted() -> None:
    found = calibrate_with(lambda key, item, is_hit: "unsure")
    whole = found.rates[0]
    assert (whole.sensitivity, whole.specificity, whole.unsure) == (0.0, 1.0, whole.hits + whole.misses)


# --- Samples and labels


class Judged:
    """A run of small keys whose items were all judged, in a folder."""

    def __init__(self, folder: Path, tasks: int = 10) -> None:
        keys = {f"t{n:02d}": key_of().model_copy(update={"id": f"t{n:02d}"}) for n in range(tasks)}
        messages = ({"role": "user", "content": "=列个清单"},)
        made = [
            Task.model_validate({"id": i, "mode": "iii", "lang": "zh", "messages": messages, "instance_id": i})
            for i in keys
        ]
        self.build = Build(folder, {}, cast(Any, SimpleNamespace()), tuple(made), keys)
        rows = [
            SimpleNamespace(task_id=t.id, condition="full", roll=1, reply=REPLY.model_copy(update={"task_id": t.id}))
            for t in made
        ]
        view = SimpleNamespace(folder=folder, about={"model": "SECRET-model"}, rows=lambda: iter(rows))
        self.view = cast(RunView, view)
        with JudgeStore(folder / JUDGE_STORE) as store:
            for number, task in enumerate(made):
                ends = [HIT if (number + n) % 3 else MISS for n in range(4)]
                ends[3] = ERROR if number == 0 else ends[3]
                judged = [judged_item(i, end, "SECRET-judge") for i, end in zip(ITEMS, ends, strict=True)]
                store.note(Place(task.id, "full", 1), judged)


def fill(path: Path, label: Callable[[int, dict[str, str]], str]) -> Path:
    """Fill a sample and return its path."""
    if path.suffix == ".csv":
        with path.open(encoding="utf-8", newline="") as file:
            rows = list(csv.DictReader(file))
    else:
        rows = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
    for number, row in enumerate(rows):
        row["label"] = label(number, row)
    if path.suffix == ".csv":
        with path.open("w", encoding="utf-8-sig", newline="") as file:
            table = csv.DictWriter(file, list(rows[0]))
            table.writeheader()
            table.writerows(rows)
    else:
        path.write_text("".join(json.dumps(r, ensure_ascii=False) + "\n" for r in rows), encoding="utf-8")
    return path


@pytest.mark.parametrize("name", ["sample.jsonl", "sample.csv"])
def test_a_sample_is_random_blind_and_comes_back_as_labels(tmp_path: Path, name: str) -> None:
    made = Judged(tmp_path)
    out = tmp_path / name
    assert draw_sample(made.view, made.build, out, n=20, seed=4) == 20
    text = out.read_text(encoding="utf-8")
    assert "SECRET" not in text
    assert "折叠椅 123 元" in text
    first = text
    draw_sample(made.view, made.build, out, n=20, seed=4)
    assert out.read_text(encoding="utf-8") == first
    draw_sample(made.view, made.build, out, n=20, seed=5)
    assert out.read_text(encoding="utf-8") != first
    if name.endswith(".csv"):
        assert "\n=" not in text
        assert ",=" not in text

    fill(out, lambda n, row: "Hit " if n % 2 else "miss")
    report = read_labels(made.view, out)
    assert (report.population, report.sampled, report.labelled) == (39, 20, 20)
    assert report.kappa.n == 20
    assert report.ppi.estimate is not None
    assert (report.ppi.n_labelled, report.ppi.n_unlabelled) == (20, 19)
    kept = [json.loads(line) for line in (tmp_path / LABELS).read_text(encoding="utf-8").splitlines()]
    assert len(kept) == 20
    assert set(kept[0]) == {"id", "task_id", "condition", "roll", "item", "label", "judged"}


def test_labels_from_the_top_are_a_sample_and_with_gaps_are_none(tmp_path: Path) -> None:
    made = Judged(tmp_path)
    out = tmp_path / "sample.jsonl"
    draw_sample(made.view, made.build, out, n=10)
    fill(out, lambda n, row: "hit" if n < 4 else "")
    assert read_labels(made.view, out).labelled == 4
    fill(out, lambda n, row: "" if n == 2 else "hit")
    with pytest.raises(GenError, match="not random"):
        read_labels(made.view, out)


def test_without_labels_nothing_is_corrected_and_it_says_so(tmp_path: Path) -> None:
    made = Judged(tmp_path)
    out = tmp_path / "sample.jsonl"
    draw_sample(made.view, made.build, out, n=10)
    report = read_labels(made.view, out)
    assert report.ppi.estimate is None
    assert report.ppi.naive is not None
    assert "uncorrected" in report.ppi.caution
    assert report.kappa.value is None


def spoil_label(rows: list[dict[str, str]]) -> None:
    rows[1]["label"] = "maybe"


def spoil_id(rows: list[dict[str, str]]) -> None:
    rows[1]["id"] = "0" * 16


def spoil_twice(rows: list[dict[str, str]]) -> None:
    rows[1]["id"] = rows[0]["id"]


@pytest.mark.parametrize(
    ("spoil", "words"), [(spoil_label, "'maybe'"), (spoil_id, "not of the sample"), (spoil_twice, "there twice")]
)
def test_a_spoilt_file_is_refused_and_leaves_nothing(
    tmp_path: Path, spoil: Callable[[list[dict[str, str]]], None], words: str
) -> None:
    made = Judged(tmp_path)
    out = fill_all(made, tmp_path / "sample.jsonl")
    rows = [json.loads(line) for line in out.read_text(encoding="utf-8").splitlines()]
    spoil(rows)
    out.write_text("".join(json.dumps(r) + "\n" for r in rows), encoding="utf-8")
    with pytest.raises(GenError, match=words):
        read_labels(made.view, out)
    assert not (tmp_path / LABELS).exists()


def fill_all(made: Judged, out: Path) -> Path:
    draw_sample(made.view, made.build, out, n=10)
    return fill(out, lambda n, row: "hit")


def test_a_run_judged_anew_needs_a_new_sample(tmp_path: Path) -> None:
    made = Judged(tmp_path)
    out = fill_all(made, tmp_path / "sample.jsonl")
    with JudgeStore(tmp_path / JUDGE_STORE) as store:
        store.note(Place("t01", "full", 1), [judged_item("i01", UNSURE, "SECRET-judge")])
    with pytest.raises(GenError, match="judged anew"):
        read_labels(made.view, out)


def test_a_run_that_was_not_judged_says_so(tmp_path: Path) -> None:
    with pytest.raises(GenError, match="nothing was judged"):
        JudgeStore(tmp_path / JUDGE_STORE, read_only=True)


# --- Content and command line


def test_a_prompt_that_is_missing_or_faulty_is_told_before_a_call(content_folder: Callable[..., ContentRoot]) -> None:
    faulty = {f"templates/prompts/judge_{lang}.md.j2": "{{ nothing }}" for lang in ("zh", "en")}
    for files in ({}, faulty):

        async def work(root: ContentRoot) -> None:
            async with JudgeServer(lambda seen, n: ruling(seen)) as server, server.client() as client:
                with pytest.raises(GenError, match="judge_"):
                    await Judge(client, content=root).judge(key_of(), REPLY, "all")
                assert not server.bodies

        run(work(content_folder(files)))


def test_calibrate_on_the_command_line(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(judging, "load_build", lambda folder, pool: memory_build(2))

    async def work() -> str:
        async with JudgeServer(lambda seen, n: ruling(seen)) as server:
            out, cache = tmp_path / "made.json", tmp_path / "cache.sqlite"
            code = await asyncio.to_thread(
                judging.calibrate, tmp_path, "some-judge", base_url=server.url, n=2, out=out, cache=cache
            )
            assert code == ExitCode.GOOD
            return out.read_text(encoding="utf-8")

    made = json.loads(run(work()))
    assert made["judge"] == "some-judge"
    assert made["kinds"][0]["specificity"] == 1.0
    assert "instrument check" in capsys.readouterr().out


def test_a_run_is_judged_sampled_and_labelled(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    build(tmp_path / "set", n=1, pool=2)
    folder, out = tmp_path / "run", tmp_path / "sample.csv"

    @asynccontextmanager
    async def opening() -> AsyncIterator[Any]:
        server = JudgeServer(lambda seen, n: ruling(seen, "hit", seen.reply.split("\n")[0]))
        with JudgeStore(folder / JUDGE_STORE) as store:
            async with server, server.client() as client:
                yield make_run_judge([Judge(client, store)], "all", store)

    plan = make_plan(load_build(tmp_path / "set"), "sim/stale-value", None, ["full"], 2)
    session = run_session(plan, folder, judging=Judging("all", ("judge",), opening))
    results = [row.result for row in session.view.rows()]
    assert [r.importance for r in results if r] == [1.0, 1.0]

    assert judging.sample(folder, out, n=9) == ExitCode.GOOD
    with pytest.raises(GenError, match="exists already"):
        judging.sample(folder, out, n=9)
    assert "stale-value" not in out.read_text(encoding="utf-8")
    capsys.readouterr()
    assert judging.labels(folder, out) == ExitCode.GOOD
    assert "nothing is corrected" in capsys.readouterr().out
    fill(out, lambda n, row: "hit" if n % 3 else "miss")
    assert judging.labels(folder, out, as_json=True) == ExitCode.GOOD
    said = json.loads(capsys.readouterr().out)
    assert (said["labelled"], said["kappa"]["value"]) == (9, 0.0)
    assert said["hit_rate_of_judged_items"]["estimate"] == pytest.approx(2 / 3)


def test_no_name_is_a_usage_error(tmp_path: Path) -> None:
    with pytest.raises(GenError) as caught:
        configuration_of(None, None)
    assert caught.value.code == ExitCode.USAGE


def test_attempts_are_all_judged_at_once_without_mixing() -> None:
    async def work(texts: Sequence[str]) -> None:
        server = JudgeServer(lambda seen, n: ruling(seen, "hit", seen.reply[:40]))
        async with server, server.client(concurrency=8) as client:
            judge = Judge(client)
            replies = [Reply(task_id="t", reply=f"回复 {n} {text}") for n, text in enumerate(texts)]
            judged = await asyncio.gather(*(judge.judge(key_of(), reply, "all") for reply in replies))
        for number, one in enumerate(judged):
            assert one["i01"].quote.startswith(f"回复 {number} ")

    run(work(ATTACKS[:16]))
