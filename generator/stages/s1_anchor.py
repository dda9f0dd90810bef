"""Stage 1: what each candidate shall be, in a balanced design."""

from __future__ import annotations

from random import Random
from typing import NamedTuple

from generator.language.forms import REGISTERS, Register
from generator.modes.protocol import Factor, Kit, Mode
from generator.seeds import stream

# Exchanges per level: the ranges are cut into thirds, so that every level is equally common.
CORE = {"easy": (6, 9), "standard": (9, 17), "hard": (17, 26)}
DISTRACTORS = {"easy": (5, 9), "standard": (8, 26), "hard": (24, 46)}
GAP = (0.05, 0.75)
LEVELS = 3


class Anchor(NamedTuple):
    """The design of one candidate; exchanges are counted, gap_share is a part of the distractors."""

    number: int
    kit: Kit
    profile: str
    core: int
    distractors: int
    gap_share: float
    register: Register
    mechanisms: tuple[str, ...]

    @property
    def factor(self) -> Factor:
        """What the mode's draw needs to know."""
        return Factor(self.core, self.profile, self.register, self.mechanisms)


class Settings(NamedTuple):
    """Factors fixed by hand; None leaves them to the design."""

    profile: str = "standard"
    turns: int | None = None
    distractors: int | None = None
    gap: float | None = None
    register: Register | None = None


def anchor_of(mode: Mode, kits: list[Kit], seed: int, index: int, settings: Settings, attempt: int = 0) -> Anchor:
    """Return the anchor of candidate `index`.

    Every block of 3 x 3 x 3 x 3 candidates holds each combination of levels of core, distractors,
    gap share and register once, in an order of its own: hence no correlation between them.
    """
    block, place = divmod(index, LEVELS**4)
    order = list(range(LEVELS**4))
    stream(seed, f"block-{block}", "s1").shuffle(order)
    cell = order[place]
    levels = [cell // LEVELS**n % LEVELS for n in range(4)]
    rng = stream(seed, f"{index}/{attempt}", "s1")
    core = settings.turns if settings.turns is not None else _within(CORE[settings.profile], levels[0], rng)
    fixed = settings.distractors
    distractors = fixed if fixed is not None else _within(DISTRACTORS[settings.profile], levels[1], rng)
    low, high = GAP
    gap = low + (high - low) * (levels[2] + rng.random()) / LEVELS
    return Anchor(
        number=index,
        kit=kits[_world_of(index, len(kits), seed)],
        profile=settings.profile,
        core=core,
        distractors=distractors,
        gap_share=round(settings.gap if settings.gap is not None else gap, 3),
        register=settings.register or REGISTERS[levels[3]],
        mechanisms=_mechanisms(mode, index, rng, core),
    )


def _within(bounds: tuple[int, int], level: int, rng: Random) -> int:
    low, high = bounds
    width = (high - low + 1) / LEVELS
    return min(high, low + int((level + rng.random()) * width))


def _world_of(index: int, count: int, seed: int) -> int:
    """Worlds in turn, each round in an order of its own, so that counts differ by one at most."""
    turn, place = divmod(index, count)
    order = list(range(count))
    stream(seed, f"round-{turn}", "s1-worlds").shuffle(order)
    return order[place]


def _mechanisms(mode: Mode, index: int, rng: Random, core: int) -> tuple[str, ...]:
    """The primary mechanism in turn, then one or two others; a short dialogue has room for one."""
    names = mode.failure_names
    primary = names[index % len(names)]
    others = [n for n in names if n != primary]
    count = 1 if core < 12 else rng.choice([1, 2])
    return (primary, *rng.sample(others, min(count, len(others))))
