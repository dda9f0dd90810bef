"""What a travel build is asked for, beside what every build is."""

from __future__ import annotations

from typing import Literal

from pydantic import Field

from generator.records import Frozen
from generator.travel.setups import DEFAULT_SETUPS


class TravelOptions(Frozen):
    """Everything that decides the bytes of a travel build, beside seed and language.

    tasks: names, none for all of them. world: the digest of an imported world, None for invented ones. size: of
    invented worlds. perturb, strength: perturbations of every world, in order. history: exchanges about other things
    before the journey is spoken of; distractors of the spec come between its own exchanges. sunset: whether the
    sunset-train task tells when the sun sets, or where the town lies instead; None leaves it to the profile.
    """

    setups: tuple[str, ...] = DEFAULT_SETUPS
    tasks: tuple[str, ...] = ()
    world: str | None = None
    size: Literal["small", "standard", "large"] = "standard"
    perturb: tuple[str, ...] = ()
    strength: float = Field(default=0.3, ge=0, le=1)
    history: int = Field(default=0, ge=0, le=40)
    sunset: Literal["given", "withheld"] | None = None
