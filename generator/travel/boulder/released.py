"""Reads a released BOULDER example from what a model is shown, never from what is stored beside it.

A *view* is one of the two forms of an example: `isolated` (the first message alone) or `dialogue` (the messages
after it). A file whose examples have data in the first message and the question in the last is the multi-turn
ablation and has the isolated view only. The dialogue's system message is not in the files; of what the original
runner writes into it, `Shown` takes the sunset time, since a model is shown that too.
"""

from __future__ import annotations

import ast
import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal, NamedTuple

from generator.errors import GenError

View = Literal["isolated", "dialogue"]
Row = Mapping[str, Any]

_BLOCK = re.compile(r"\n\s*(Trains|Hotels|Restaurants|Attractions):\s*\n")
_ALIASES = {
    "directions": "directional_relations",
    "train_before_sunset": "train_departure_time",
    "restaurant_opening_hours": "restaurants_opening_hours",
}
TASKS = (
    "train_ticket_price", "accommodation_price", "train_departure_time", "restaurants_opening_hours",
    "train_departure_frequency", "directional_relations", "hotel_to_restaurant_distance", "shortest_walking_path",
)  # fmt: skip


class UnreadError(Exception):
    """What a model is shown could not be read: says which part."""


class ReleasedFile(NamedTuple):
    """One file of examples and the task it is of."""

    path: Path
    task: str
    examples: tuple[Row, ...]


@dataclass(frozen=True)
class Shown:
    """What a model is shown of one example.

    prompt: the isolated instruction without its data, "" in a dialogue. users, assistants: what was said, in order.
    rows: the records shown, by "trains", "hotels", "restaurants" and "attractions", each once. found: the records
    of each tool result, in order. calls: (tool, arguments) in order.
    """

    prompt: str
    users: tuple[str, ...] = ()
    assistants: tuple[str, ...] = ()
    rows: Mapping[str, tuple[Row, ...]] = field(default_factory=dict)
    found: tuple[tuple[str, tuple[Row, ...]], ...] = ()
    calls: tuple[tuple[str, Row], ...] = ()
    sunset: str | None = None

    @property
    def question(self) -> str:
        """Return the text that asks: the last user message, or the prompt where nobody speaks."""
        return self.users[-1] if self.users else self.prompt


def open_released(path: Path) -> ReleasedFile:
    """Return the examples of one file, its task taken from its metadata or its name.

    Raises:
        GenError: The file cannot be read, or is no file of examples of a known task.
    """
    try:
        loaded = json.loads(path.read_text(encoding="utf-8-sig"))
    except (OSError, UnicodeDecodeError, json.JSONDecodeError) as error:
        raise GenError(str(path), f"cannot be read: {error}", "give a file of the original release") from error
    examples = loaded.get("examples") if isinstance(loaded, dict) else None
    if not isinstance(examples, list) or not all(isinstance(e, dict) and e.get("messages") for e in examples):
        raise GenError(str(path), "no list 'examples' of objects with messages", "give a file of the original release")
    metadata = loaded.get("metadata")
    stated = metadata.get("task_name") if isinstance(metadata, dict) else None
    task = str(stated or path.stem)
    task = _ALIASES.get(task, task)
    if task not in TASKS:
        raise GenError(str(path), f"unknown task {task!r}", f"name the file after one of: {', '.join(TASKS)}")
    return ReleasedFile(path, task, tuple(examples))


def views_of(example: Row) -> tuple[View, ...]:
    """Return the forms in which an example exists."""
    messages = example["messages"]
    if messages[0].get("role") != "system":
        return ("dialogue",)
    is_multi_turn = len(messages) > 1 and not any(m.get("role") == "tool" for m in messages)
    return ("isolated",) if is_multi_turn or len(messages) == 1 else ("isolated", "dialogue")


def show(example: Row, view: View) -> Shown:
    """Return what a model is shown in this view; reads `messages`, and `sunset_time` for a dialogue.

    Raises:
        UnreadError: Records in the messages are neither JSON nor a Python literal.
    """
    messages = example["messages"]
    if view == "isolated":
        prompt, rows = split_prompt(messages[0]["content"])
        turns = messages[1:] if views_of(example) == ("isolated",) else ()
        return Shown(prompt, _said(turns, "user"), _said(turns, "assistant"), rows)
    found, calls = read_tools(messages)
    rows_by_kind: dict[str, tuple[Row, ...]] = {}
    for kind, rows_found in found:
        known = rows_by_kind.get(kind, ())
        rows_by_kind[kind] = known + tuple(r for r in rows_found if r not in known)
    return Shown(
        "",
        _said(messages, "user"),
        _said(messages, "assistant"),
        rows_by_kind,
        found,
        calls,
        example.get("sunset_time"),
    )


def split_prompt(text: str) -> tuple[str, dict[str, tuple[Row, ...]]]:
    """Return an isolated prompt's instruction, and its blocks of records by lower-case heading.

    Raises:
        UnreadError: A block is neither JSON nor a Python literal.
    """
    parts = _BLOCK.split(text)
    blocks = {name.lower(): read_rows(body) for name, body in zip(parts[1::2], parts[2::2], strict=True)}
    return parts[0].strip(), blocks


def read_rows(text: str) -> tuple[Row, ...]:
    """Return the records of a block or tool result: a list of objects or a single one.

    Raises:
        UnreadError: It is neither JSON nor a Python literal.
    """
    try:
        loaded = json.loads(text)
    except json.JSONDecodeError:
        try:  # the isolated opening hours are written as Python prints them
            loaded = ast.literal_eval(text.strip())
        except (ValueError, SyntaxError, MemoryError, RecursionError) as error:
            raise UnreadError(f"records begin {text.strip()[:40]!r}") from error
    rows = loaded if isinstance(loaded, list) else [loaded]
    if not all(isinstance(row, dict) for row in rows):
        raise UnreadError(f"records begin {text.strip()[:40]!r}")
    return tuple(rows)


def read_tools(
    turns: Sequence[Row],
) -> tuple[tuple[tuple[str, tuple[Row, ...]], ...], tuple[tuple[str, Row], ...]]:
    """Return the records of each search in order, by kind, and each call with its arguments."""
    names: dict[str, str] = {}
    calls: list[tuple[str, Row]] = []
    found: list[tuple[str, tuple[Row, ...]]] = []
    for turn in turns:
        for call in turn.get("tool_calls") or ():
            name, arguments = call["function"]["name"], call["function"]["arguments"]
            names[call["id"]] = name
            calls.append((name, json.loads(arguments) if isinstance(arguments, str) else arguments))
        if turn.get("role") == "tool":
            kind = _kind_of(names.get(turn.get("id") or turn.get("tool_call_id") or "", ""))
            if kind:
                found.append((kind, read_rows(turn["content"])))
    return tuple(found), tuple(calls)


def find_names(text: str, names: Sequence[str]) -> list[str]:
    """Return the names that stand in a text, in order, longest first where they overlap; each once."""
    lowered = text.casefold()
    spans: list[tuple[int, int, str]] = []
    for name in sorted(set(names), key=lambda n: (-len(n), n)):
        for hit in re.finditer(rf"(?<!\w){re.escape(name.casefold())}(?!\w)", lowered):
            if all(hit.end() <= start or end <= hit.start() for start, end, _ in spans):
                spans.append((hit.start(), hit.end(), name))
    return list(dict.fromkeys(name for _, _, name in sorted(spans)))


def find_row(shown: Shown, kind: str, text: str) -> Row:
    """Return the record of a kind that a text names.

    Raises:
        UnreadError: It names none or several.
    """
    rows = shown.rows.get(kind, ())
    named = find_names(text, [row["name"] for row in rows])
    if len(named) != 1:
        raise UnreadError(f"{len(named)} of the {kind} are named in {text[:80]!r}")
    return next(row for row in rows if row["name"] == named[0])


def last_recommended(shown: Shown, kind: str) -> Row:
    """Return the record of a kind that the assistant named last, by itself.

    Raises:
        UnreadError: It named none, or several at once.
    """
    for text in reversed(shown.assistants):
        if find_names(text, [row["name"] for row in shown.rows.get(kind, ())]):
            return find_row(shown, kind, text)
    raise UnreadError(f"the assistant names none of the {kind}")


def booked_hotel(shown: Shown) -> Row:
    """Return the hotel that the dialogue's booking call names by its id.

    Raises:
        UnreadError: No hotel was booked, or none that was shown.
    """
    for name, arguments in reversed(shown.calls):
        if name == "book_hotel":
            for row in shown.rows.get("hotels", ()):
                if row["id"] == arguments.get("hotel_id"):
                    return row
    raise UnreadError("no booking of a hotel that was shown")


def _said(turns: Sequence[Row], role: str) -> tuple[str, ...]:
    return tuple(t["content"] for t in turns if t.get("role") == role and t.get("content"))


def _kind_of(tool: str) -> str:
    found = re.fullmatch(r"(?:search|find)_(train|hotel|restaurant|attraction)s?", tool)
    return f"{found[1]}s" if found else ""
