"""Random streams: named, independent of each other, the same in every process."""

from __future__ import annotations

import ast
import hashlib
import json
import os
import random
import subprocess
import sys
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from generator.seeds import FRESH_BITS, Deck, commit_seed, fresh_seed, opaque_id, shuffle, stream

ROOT = Path(__file__).resolve().parents[1]
SEEDS = st.integers(min_value=0, max_value=2**128 - 1)
NAMES = st.text(max_size=12)


def start(rng: random.Random) -> list[int]:
    return [rng.getrandbits(64) for _ in range(4)]


@given(SEEDS, NAMES, NAMES)
def test_a_stream_is_a_function_of_its_name(seed: int, task: str, stage: str) -> None:
    assert start(stream(seed, task, stage)) == start(stream(seed, task, stage))


@given(SEEDS, NAMES, NAMES, SEEDS, NAMES, NAMES)
def test_other_names_give_other_streams(seed: int, task: str, stage: str, seed2: int, task2: str, stage2: str) -> None:
    one, other = (seed, task, stage), (seed2, task2, stage2)
    assert (start(stream(*one)) == start(stream(*other))) == (one == other)


def test_neighbours_do_not_overlap() -> None:
    """seed + index would make task 1 of seed 0 the same as task 0 of seed 1."""
    states = {tuple(start(stream(seed, str(task), "s2"))) for seed in range(40) for task in range(40)}
    assert len(states) == 1600


def test_parts_of_a_name_do_not_run_into_each_other() -> None:
    assert start(stream(1, "a", "bc")) != start(stream(1, "ab", "c"))
    assert start(stream(1, '","', "")) != start(stream(1, "", '","'))
    assert opaque_id(1, "a", "bc") != opaque_id(1, "ab", "c") != opaque_id(11, "a", "bc")


def test_a_stream_has_its_published_definition() -> None:
    key = json.dumps([7, "iii/zh/3/0", "s2"]).encode()
    expected = random.Random(int.from_bytes(hashlib.sha256(key).digest(), "big"))
    assert start(stream(7, "iii/zh/3/0", "s2")) == start(expected)
    assert commit_seed(7) == hashlib.sha256(b"7").hexdigest()


def test_drawing_in_one_stream_moves_no_other() -> None:
    before = start(stream(5, "b", "s2"))
    busy = stream(5, "a", "s2")
    start(busy)
    assert start(stream(5, "b", "s2")) == before


@pytest.mark.parametrize("hash_seed", ["0", "1", "4242"])
def test_hash_salt_changes_nothing(hash_seed: str) -> None:
    code = (
        "from generator.seeds import stream, opaque_id, Deck\n"
        "r = stream(9, '椅子', 's5'); d = Deck(r)\n"
        "print([d.draw('x', 'abcdef') for _ in range(9)], r.random(), opaque_id(9, '椅子'))"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=ROOT, env={**os.environ, "PYTHONHASHSEED": hash_seed}, check=True,
        capture_output=True, text=True, encoding="utf-8",
    )  # fmt: skip
    rng = stream(9, "椅子", "s5")
    deck = Deck(rng)
    mine = [deck.draw("x", "abcdef") for _ in range(9)]
    assert done.stdout.strip() == f"{mine} {rng.random()} {opaque_id(9, '椅子')}"


def test_fresh_seeds_are_wide_and_differ() -> None:
    seeds = [fresh_seed() for _ in range(64)]
    assert len(set(seeds)) == 64
    assert all(0 <= s < 2**FRESH_BITS for s in seeds)
    assert max(s.bit_length() for s in seeds) > FRESH_BITS - 16


@given(SEEDS, st.integers(1, 12), st.integers(1, 5))
def test_a_deck_repeats_nothing_before_all_are_used(seed: int, size: int, rounds: int) -> None:
    deck = Deck(stream(seed, "t", "deck"))
    pool = [f"w{n}" for n in range(size)]
    for _ in range(rounds):
        assert sorted(deck.draw("a", pool) for _ in pool) == sorted(pool)


def test_decks_of_other_names_are_apart_and_an_empty_pool_is_an_error() -> None:
    deck = Deck(stream(1, "t", "deck"))
    assert deck.draw("a", ["x"]) == deck.draw("b", ["x"]) == "x"
    with pytest.raises(IndexError):
        deck.draw("c", [])


@given(SEEDS, st.lists(st.integers()))
def test_shuffle_keeps_what_it_shuffles(seed: int, values: list[int]) -> None:
    shuffled = list(values)
    shuffle(shuffled, stream(seed, "t", "s"))
    assert sorted(shuffled) == sorted(values)


def test_ids_give_nothing_away() -> None:
    ids = {opaque_id(3, "iii", "zh", str(n), part) for n in range(200) for part in ("base", "twin", "instance")}
    assert len(ids) == 600
    assert all(len(i) == 16 and set(i) <= set("0123456789abcdef") for i in ids)


def _calls(tree: ast.AST) -> list[str]:
    return [
        f"{node.func.value.id}.{node.func.attr}"
        for node in ast.walk(tree)
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and isinstance(node.func.value, ast.Name)
    ]


def test_no_module_draws_outside_a_stream() -> None:
    """Neither the global generator, nor the clock, nor salted hashes; fresh bits come from `seeds` alone."""
    forbidden = {"random.random", "random.choice", "random.randint", "random.shuffle", "random.sample", "random.seed",
                 "secrets.randbits", "secrets.token_hex", "uuid.uuid4", "os.urandom"}  # fmt: skip
    found = []
    for path in sorted((ROOT / "generator").rglob("*.py")):
        tree = ast.parse(path.read_text(encoding="utf-8"))
        uses = [c for c in _calls(tree) if c in forbidden]
        uses += [
            "hash()"
            for n in ast.walk(tree)
            if isinstance(n, ast.Call) and isinstance(n.func, ast.Name) and n.func.id == "hash"
        ]
        found += [f"{path.relative_to(ROOT)}: {use}" for use in uses if path.name != "seeds.py"]
    assert found == []
