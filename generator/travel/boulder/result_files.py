"""Reads result files of the original project's format; no parser sees a target.

*Replies*: JSON Lines, one object a reply, with `id`, `setup_id`, `model`, `task_name`, `answer_type`, `messages`,
`response` (null after a failed call), `target`, `parser_enum` (null, the names shown, or who is where) and, once
parsed, `parsed_answer`. *Labels*: the CSV of checked parses, with `task`, `model`, `setup_id`, `parsed_answer`,
`target`, `correct` (1, 0, or nothing) and `corrected_parsed_answer`; it holds no replies, so there is nothing to
read again, and an empty list cannot be told from no answer: it counts as none.
"""

from __future__ import annotations

import csv
import io
import json
import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from generator.errors import GenError
from generator.scoring.read import read
from generator.travel.boulder.answers import ticket_order
from generator.travel.boulder.released import Row, Shown, UnreadError, find_names, read_tools, split_prompt
from generator.travel.boulder.values import ANSWER_TYPES, Value, read_stored
from generator.travel.truth.ticket_price import total_per_ticket

KIND_OF_TASK = {
    "train_ticket_price": "amount",
    "accommodation_price": "amount",
    "train_departure_time": "times",
    "restaurants_opening_hours": "restaurants",
    "train_departure_frequency": "frequency",
    "directional_relations": "directions",
    "hotel_to_restaurant_distance": "distance",
    "shortest_walking_path": "order",
}
_READ_AS = {
    "amount": "amount", "times": "time", "restaurants": "list", "frequency": "frequency", "directions": "yesno",
    "distance": "distance", "order": "order",
}  # fmt: skip
# What is asked, in few words: the isolated prompts name fares and arrivals too, which the readers would look for.
_ASKED = {"amount": "What is the total price?", "times": "What is the departure time?"}
_BARE_MINUTES = re.compile(
    r"\W*(?:about |around |roughly |approximately )?\d+(?:\.\d+)? min(?:ute)?s?\W*", re.IGNORECASE
)
_COLUMNS = ("task", "model", "setup_id", "parsed_answer", "target", "correct", "corrected_parsed_answer")


@dataclass(frozen=True)
class Answered:
    """One row: what it is of, its target, and the values that parsers found, by parser; None where none was found.

    length: characters of the reply, None where there is no reply to see. also_pence: totals that other rounding
    gives, since the original states no rule. declines: whether the reply refuses or says that it cannot tell.
    """

    task: str
    model: str
    setup: str
    kind: str
    target: Any
    values: Mapping[str, Value]
    length: int | None = None
    also_pence: tuple[int, ...] = ()
    declines: bool = False


def read_replies(text: str, path: Path) -> Iterator[Answered]:
    """Yield the rows of a JSON Lines file of replies, read by us ("ours") and, if parsed before, by its "stored" value.

    Raises:
        GenError: Rows are not of the format; all faults of the file at once, after the sound rows.
    """
    faults: list[str] = []
    for number, line in enumerate(text.split("\n"), start=1):  # not splitlines: replies hold U+2028
        if not line.strip():
            continue
        try:
            yield _read_row(json.loads(line))
        except KeyError as error:
            faults.append(f"line {number}: no field {error}")
        except (ValueError, TypeError, AttributeError, UnreadError) as error:
            faults.append(f"line {number}: {error}")
    if faults:
        shown = "; ".join(faults[:10]) + (f"; and {len(faults) - 10} more" if len(faults) > 10 else "")
        raise GenError(str(path), shown, "give the file as the original's runner wrote it")


def _read_row(row: Row) -> Answered:
    kind = row["answer_type"]
    if kind not in ANSWER_TYPES:
        raise ValueError(f"unknown answer type {kind!r}")
    target = read_stored(kind, row["target"], is_target=True)
    if target is None:
        raise ValueError(f"target {row['target']!r}")
    task, response = str(row.get("task_name") or kind), row["response"] or ""
    shown = _shown(row.get("messages") or [])
    values = {"ours": read_reply(kind, response, shown.question, _names(kind, row, shown))}
    if "parsed_answer" in row:
        values["stored"] = read_stored(kind, row["parsed_answer"])
    return Answered(
        task,
        str(row.get("model", "unknown")),
        str(row.get("setup_id", "default")),
        kind,
        target,
        values,
        len(response),
        _other_totals(shown) if task == "train_ticket_price" else (),
        bool(response.strip())
        and (read("reply_status", response) == "refusal" or read("abstain", response, lang="en") is True),
    )


def _shown(messages: Sequence[Row]) -> Shown:
    """Return what the model was shown: data in a system or user message, in tool results, or both."""
    users, rows = [], dict[str, tuple[Row, ...]]()
    for message in messages:
        if message.get("role") in ("system", "user") and message.get("content"):
            words, blocks = split_prompt(message["content"])
            rows |= blocks
            users += [words] if message["role"] == "user" else []
    found, calls = read_tools(messages)
    for kind, records in found:
        rows[kind] = rows.get(kind, ()) + tuple(r for r in records if r not in rows.get(kind, ()))
    return Shown("", tuple(users), (), rows, found, calls)


def _names(kind: str, row: Row, shown: Shown) -> list[str]:
    """Return the names that a reply may choose from: of a route those that the question says."""
    listed = row.get("parser_enum")
    if kind == "restaurants" and isinstance(listed, list):
        return [str(name) for name in listed]
    rows = shown.rows.get({"restaurants": "restaurants", "order": "attractions"}.get(kind, ""), ())
    names = list(dict.fromkeys(str(r["name"]).lower() for r in rows))
    return (find_names(shown.question, names) or names) if kind == "order" else names


def _other_totals(shown: Shown) -> tuple[int, ...]:
    try:
        return (total_per_ticket(ticket_order(shown)),)
    except (UnreadError, KeyError):
        return ()


def read_reply(kind: str, response: str, question: str, names: Sequence[str]) -> Value:
    """Return what a reply answers; None if nothing is to be read from it. Knows no target.

    Args:
        kind: The original's answer type.
        response: The whole reply.
        question: The text that asked.
        names: What a list or an order may name; without names neither can be read.
    """
    if not response.strip() or (kind in ("restaurants", "order") and not names):
        return None
    params: dict[str, Any] = {"ask": _ASKED.get(kind, question)}
    if kind == "amount":
        params["currency"] = "GBP"
    if kind in ("restaurants", "order"):
        params["candidates"] = sorted(names)  # in an order that tells nothing
    found = read(_READ_AS[kind], response, lang="en", **params)
    if kind == "frequency" and found is None and _BARE_MINUTES.fullmatch(response.strip()):
        found = read("duration", response, lang="en")  # nothing but minutes, asked how often
    return tuple(found) if isinstance(found, list) else found


def read_labels(text: str, path: Path, skipped: Counter[str]) -> Iterator[Answered]:
    """Yield the rows of a CSV of checked parses: the parser's value ("stored") and the annotator's ("label").

    Rows without a model, a verdict or a target of their task's kind are counted in `skipped` by reason.

    Raises:
        GenError: A column is missing.
    """
    reader = csv.DictReader(io.StringIO(text, newline=""))
    if missing := [c for c in _COLUMNS if c not in (reader.fieldnames or ())]:
        raise GenError(str(path), f"no columns {missing!r}", f"the columns are {', '.join(_COLUMNS)}")
    for row in reader:
        kind = KIND_OF_TASK.get(row["task"])
        if kind is None or not row["model"].strip():
            skipped["summary row"] += 1
            continue
        target = read_stored(kind, row["target"], is_target=True)
        if row["correct"] not in ("0", "1"):
            skipped["no verdict"] += 1
        elif target is None:
            skipped["target is none of its task"] += 1
        else:
            stored = read_stored(kind, row["parsed_answer"])
            # a right parse needs no correction; a wrong one without any is taken to have nothing to find
            label = stored if row["correct"] == "1" else read_stored(kind, row["corrected_parsed_answer"])
            values = {"stored": stored, "label": label}
            yield Answered(row["task"], row["model"], row["setup_id"], kind, target, values)
