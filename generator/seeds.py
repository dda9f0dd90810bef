"""Named random streams: the only source of randomness in a build."""

from __future__ import annotations

import hashlib
import json
import random
import secrets
from collections.abc import MutableSequence, Sequence
from typing import TypeVar

T = TypeVar("T")

FRESH_BITS = 128


def fresh_seed() -> int:
    """Return 128 fresh bits: a seed that its commitment does not give away."""
    return secrets.randbits(FRESH_BITS)


def commit_seed(seed: int) -> str:
    """Return the SHA-256 of the seed's decimal digits, as published in a manifest."""
    return hashlib.sha256(str(seed).encode()).hexdigest()


def stream(root_seed: int, task_id: str, stage: str) -> random.Random:
    """Return the random stream of one stage of one task."""
    # hash() is salted per process, and seed + index makes neighbouring tasks overlap.
    key = json.dumps([root_seed, task_id, stage]).encode()
    return random.Random(int.from_bytes(hashlib.sha256(key).digest(), "big"))


def opaque_id(root_seed: int, *parts: str) -> str:
    """Return a 16-digit public id that reveals neither index nor kind without the seed."""
    return hashlib.sha256(json.dumps([str(root_seed), *parts]).encode()).hexdigest()[:16]


class Deck:
    """Draw from a pool without repeating an entry before all of them are used."""

    def __init__(self, rng: random.Random) -> None:
        self._rng = rng
        self._left: dict[str, list[int]] = {}

    def draw(self, name: str, pool: Sequence[T]) -> T:
        """Return one entry of `pool`, the deck being remembered under `name`.

        Raises:
            IndexError: The pool is empty.
        """
        left = self._left.get(name)
        if not left:
            left = list(range(len(pool)))
            shuffle(left, self._rng)
            self._left[name] = left
        return pool[left.pop()]


def shuffle(values: MutableSequence[T], rng: random.Random) -> None:
    """Shuffle in place."""
    rng.shuffle(values)
