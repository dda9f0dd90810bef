"""What a judge must answer, and how it is found in what it wrote: the last object that fits, or nothing."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Sequence
from typing import Any, Literal, Self

from pydantic import BaseModel, ConfigDict, ValidationError, field_validator, model_validator

MAX_CHARS = 200_000
MAX_STARTS = 500
"""Opening braces that may lead nowhere before a text is given up: bounds the work on a hostile one."""

# Possessive, and the end of a string optional: no text makes it go back.
_WORDS = re.compile(r'"(?:\\.|[^"\\])*+"?|\b(True|False|None)\b', re.DOTALL)
_JSON = {"True": "true", "False": "false", "None": "null"}


def _close(schema: dict[str, Any]) -> None:
    schema["additionalProperties"] = False
    schema["required"] = list(schema["properties"])


class ItemRuling(BaseModel):
    """One item: reasoning first, then the words it rests on, then the verdict."""

    model_config = ConfigDict(json_schema_extra=_close)

    item: str
    reasoning: str
    quote: str = ""
    verdict: Literal["hit", "miss", "unsure"]

    @field_validator("verdict", mode="before")
    @classmethod
    def _read_verdict(cls, value: Any) -> Any:
        """Take case and space lightly, and true and false; nothing else: no letter, number or sentence is a verdict."""
        if isinstance(value, bool):
            return "hit" if value else "miss"
        return value.strip().lower() if isinstance(value, str) else value

    @field_validator("quote", mode="before")
    @classmethod
    def _read_quote(cls, value: Any) -> Any:
        return "" if value is None else value


class Ruling(BaseModel):
    """A judge's answer."""

    model_config = ConfigDict(json_schema_extra=_close)

    token: str
    verdicts: list[ItemRuling]


def ruling_for(token: str, items: Sequence[str]) -> type[Ruling]:
    """Return the model of an answer that carries the token and rules on each of the items once."""

    class Fitting(Ruling):
        @model_validator(mode="after")
        def _fit(self) -> Self:
            if self.token.strip() != token:
                raise ValueError("token: not the one that was given")
            named = [v.item for v in self.verdicts]
            if sorted(named) != sorted(items):
                raise ValueError(f"verdicts: exactly one entry is wanted for each of {', '.join(items)}")
            return self

    Fitting.__name__ = Fitting.__qualname__ = "Ruling"
    return Fitting


def find_ruling(text: str, model: type[Ruling]) -> Ruling | None:
    """Return the last JSON object of a text that fits, None if none does.

    Fences and prose around it do not matter, nor do Python's True, False and None. An object inside another, or
    inside a string, is part of that and never looked at alone.
    """
    if len(text) > MAX_CHARS:
        return None
    mended = _WORDS.sub(lambda found: _JSON[found[1]] if found[1] else found[0], text)
    for version in dict.fromkeys((text, mended)):
        found: Ruling | None = None
        for value in _objects(version):
            try:
                found = model.model_validate(value)
            except ValidationError:
                continue
        if found is not None:
            return found
    return None


def _objects(text: str) -> Iterator[dict[str, Any]]:
    decoder = json.JSONDecoder(strict=False)
    place = text.find("{")
    starts = 0
    while place >= 0 and starts < MAX_STARTS:
        try:
            value, end = decoder.raw_decode(text, place)
        except (ValueError, RecursionError):
            starts += 1
            end = place + 1
        else:
            yield value
        place = text.find("{", end)
