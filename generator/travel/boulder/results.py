"""Scores result files of the original project's format, by our reading of the replies and by the stored one.

Two formats are read. *Replies*: JSON Lines, one object a reply, with `id`, `setup_id`, `model`, `task_name`,
`answer_type`, `messages`, `response` (null after a failed call), `target`, `parser_enum` (null, the names shown, or
who is where) and, once parsed, `parsed_answer`. *Labels*: the CSV of checked parses, with `task`, `model`,
`setup_id`, `parsed_answer`, `target`, `correct` (1, 0, or nothing) and `corrected_parsed_answer`; it holds no
replies, so there is nothing to read again. Rows are grouped by task, model and setup. No parser sees a target.
"""

from __future__ import annotations

import csv
import json
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple

from generator.errors import GenError
from generator.scoring.read import read
from generator.travel.boulder.released import find_names, read_tools, split_prompt
from generator.travel.boulder.values import ANSWER_TYPES, Value, is_equal, read_stored, score_value
from generator.travel.metrics import Score, Summary, summarise

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
_COLUMNS = ("task", "model", "setup_id", "parsed_answer", "target", "correct", "corrected_parsed_answer")


@dataclass(frozen=True)
class Answered:
    """One row: what it is of, its target, and the values that parsers found, by parser; None where none was found.

    length: characters of the reply, None where there is no reply to see.
    """

    task: str
    model: str
    setup: str
    kind: str
    target: Any
    values: Mapping[str, Value]
    length: int | None


class Cell(NamedTuple):
    """One task, model and setup: scores by parser, and in how many rows two parsers found the same."""

    task: str
    model: str
    setup: str
    n: int
    scores: Mapping[str, Summary]
    same: Mapping[str, int]
    mean_length: float | None


class ResultsReport(NamedTuple):
    """All cells of a file, and the rows left out, by reason."""

    cells: tuple[Cell, ...]
    skipped: Mapping[str, int]


def score_results(path: Path) -> ResultsReport:
    """Return the scores of a file of results: `.csv` for labels, else JSON Lines of replies.

    Raises:
        GenError: The file cannot be read, or a row is not of the format; all faults of the file at once.
    """
    skipped: dict[str, int] = defaultdict(int)
    try:
        text = path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise GenError(str(path), f"cannot be read: {error}", "give a file of results") from error
    rows = list(_read_labels(text, path, skipped) if path.suffix == ".csv" else _read_replies(text, path))
    groups: dict[tuple[str, str, str], list[Answered]] = defaultdict(list)
    for row in rows:
        groups[row.task, row.model, row.setup].append(row)
    if not groups:
        raise GenError(str(path), "no results in it", "give a file of results")
    return ResultsReport(tuple(_score_cell(*key, groups[key]) for key in sorted(groups)), dict(skipped))


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
    params: dict[str, Any] = {"ask": question}
    if kind == "amount":
        params["currency"] = "GBP"
    if kind in ("restaurants", "order"):
        params["candidates"] = sorted(names)  # in an order that tells nothing
    found = read(_READ_AS[kind], response, lang="en", **params)
    return tuple(found) if isinstance(found, list) else found


def _score_cell(task: str, model: str, setup: str, rows: Sequence[Answered]) -> Cell:
    parsers = [name for name in rows[0].values if all(name in row.values for row in rows)]
    scores: dict[str, list[Score]] = {p: [score_value(r.kind, r.values[p], r.target) for r in rows] for p in parsers}
    same = {
        f"{a} = {b}": sum(is_equal(r.kind, r.values[a], r.values[b]) for r in rows)
        for i, a in enumerate(parsers)
        for b in parsers[i + 1 :]
    }
    lengths = [row.length for row in rows if row.length is not None]
    mean_length = sum(lengths) / len(lengths) if lengths else None
    return Cell(task, model, setup, len(rows), {p: summarise(s) for p, s in scores.items()}, same, mean_length)


def _read_replies(text: str, path: Path) -> Iterator[Answered]:
    faults: list[str] = []
    for number, line in enumerate(text.splitlines(), start=1):
        if not line.strip():
            continue
        try:
            row = json.loads(line)
            kind = row["answer_type"]
            if kind not in ANSWER_TYPES:
                raise ValueError(f"unknown answer type {kind!r}")
            target = read_stored(kind, row["target"])
            if target is None:
                raise ValueError(f"target {row['target']!r}")
            response = row["response"] or ""
            question, names = _question_and_names(kind, row)
        except KeyError as error:
            faults.append(f"line {number}: no field {error}")
            continue
        except (ValueError, TypeError, AttributeError) as error:
            faults.append(f"line {number}: {error}")
            continue
        values = {"ours": read_reply(kind, response, question, names)}
        if "parsed_answer" in row:
            values["stored"] = read_stored(kind, row["parsed_answer"])
        model, setup = str(row.get("model", "unknown")), str(row.get("setup_id", "default"))
        yield Answered(str(row.get("task_name") or kind), model, setup, kind, target, values, len(response))
    if faults:
        shown = "; ".join(faults[:10]) + (f"; and {len(faults) - 10} more" if len(faults) > 10 else "")
        raise GenError(str(path), shown, "give the file as the original's runner wrote it")


def _question_and_names(kind: str, row: Mapping[str, Any]) -> tuple[str, list[str]]:
    """Return the text that asks and the names that a reply may choose from, both from what the model was shown."""
    messages = row.get("messages") or []
    said = [m["content"] for m in messages if m.get("role") == "user" and m.get("content")]
    question, blocks = "", {}
    if said:
        question, blocks = split_prompt(said[-1])
    listed = row.get("parser_enum")
    if kind == "restaurants" and isinstance(listed, list):
        return question, [str(name) for name in listed]
    if kind not in ("restaurants", "order"):
        return question, []
    kinds = "restaurants" if kind == "restaurants" else "attractions"
    rows = [*blocks.get(kinds, ())]
    for message in messages:
        if message.get("role") == "system" and message.get("content"):
            rows += split_prompt(message["content"])[1].get(kinds, ())
    for found_kind, found in read_tools(messages)[0]:
        rows += found if found_kind == kinds else ()
    names = list(dict.fromkeys(str(r["name"]).lower() for r in rows))
    return question, (find_names(question, names) or names) if kind == "order" else names


def _read_labels(text: str, path: Path, skipped: dict[str, int]) -> Iterator[Answered]:
    reader = csv.DictReader(text.splitlines(keepends=True))
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
            skipped["no target"] += 1
        else:
            stored = read_stored(kind, row["parsed_answer"])
            # a right parse needs no correction; a wrong one without any is taken to have nothing to find
            label = stored if row["correct"] == "1" else read_stored(kind, row["corrected_parsed_answer"])
            values = {"stored": stored, "label": label}
            yield Answered(row["task"], row["model"], row["setup_id"], kind, target, values, None)
