"""Replies to travel questions as models and people write them, and the answer that scoring reads from each.

The replies stand in `support/travel_replies.yaml`. They were written in five rounds, each before the readers had been
tried on it; what is here keeps what was won, and is no measure of how well new replies are read.
"""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest
import yaml

from generator.records import Item
from generator.scoring.plain import KINDS, is_same, read_given
from generator.scoring.read import read

REPLIES: list[dict[str, Any]] = yaml.safe_load(
    (Path(__file__).parent / "support" / "travel_replies.yaml").read_text(encoding="utf-8")
)


def item_of(reply: dict[str, Any], names: list[str]) -> Item:
    params: dict[str, Any] = {"currency": reply["currency"]} if "currency" in reply else {}
    if names:
        params |= {"candidates": names, "values": {name: place for place, name in enumerate(names, 1)}}
    kind = reply["kind"]
    return Item(id="answer", kind=kind, weight=3, check=f"plain.{kind}", params=params, truth_path="x")


def target_of(reply: dict[str, Any]) -> Any:
    gives = reply["gives"]
    if isinstance(gives, list):
        return tuple(gives)
    return Fraction(gives) if reply["kind"] in ("frequency", "distance") else gives


@pytest.mark.parametrize("reply", REPLIES, ids=lambda r: f"{r['kind']}-{r['lang']}-{r['text'][:24]!r}")
def test_the_answer_is_read(reply: dict[str, Any]) -> None:
    given = read_given(item_of(reply, reply.get("names", [])), reply["text"])
    if reply["gives"] == "declines":
        assert given.value in (None, "unknown")
        assert given.abstains
    elif reply["gives"] == "nothing":
        assert given.value is None
        assert not given.abstains
    else:
        assert is_same(reply["kind"], given.value, target_of(reply)), given


@pytest.mark.parametrize("reply", [r for r in REPLIES if "names" in r], ids=lambda r: f"{r['kind']}-{r['text'][:24]!r}")
def test_the_order_in_which_candidates_are_known_changes_nothing(reply: dict[str, Any]) -> None:
    there = read_given(item_of(reply, reply["names"]), reply["text"])
    back = read_given(item_of(reply, reply["names"][::-1]), reply["text"])
    assert there == back


@pytest.mark.parametrize("reply", [r for r in REPLIES if r["kind"] == "amount"], ids=lambda r: r["text"][:24])
def test_an_amount_is_read_without_its_currency_too(reply: dict[str, Any]) -> None:
    if isinstance(reply["gives"], int):
        bare = {name: value for name, value in reply.items() if name != "currency"}
        assert read_given(item_of(bare, []), reply["text"]).value == reply["gives"]


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize(
    "text", ["", " \n", "...", "?", "🙂", "ok", "[]", "{}", "null", "1" * 400, "\\boxed{", "|||", "a → b"]
)
def test_odd_replies_break_nothing(kind: str, text: str) -> None:
    item = item_of({"kind": kind}, ["Nandos", "Golden Wok"] if kind in ("list", "order") else [])
    given = read_given(item, text)
    assert given.value is None or kind in ("list", "amount", "distance", "frequency")


LATEST = {"ask": "last departure"}


@pytest.mark.parametrize(
    ("text", "departures", "expected"),
    [
        ("The train gets you there at 20:24; leave at 19:34.", (), "19:34"),
        ("19:34 or 20:24?", ("19:34", "20:04"), "19:34"),
        ("It is 20:24.", ("19:34", "20:04"), "20:24"),
        ("The last train is the 19:34, and the last possible departure would be 19:57.", ("19:34", "20:04"), "19:34"),
    ],
)
def test_departures_that_there_are_come_first(text: str, departures: tuple[str, ...], expected: str) -> None:
    assert read("time", text, lang="en", departures=departures, **LATEST) == expected
