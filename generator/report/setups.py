"""Travel results by setup: the figures of `generator.scoring.statistics.setups` as rows of the report."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from generator.records import Result
from generator.report.sources import Source
from generator.report.structure import Figure, SetupLength, SetupScore, SetupTag, SetupTest
from generator.scoring.plain import is_travel
from generator.scoring.statistics.setups import (
    ALL,
    FULL_LENGTH,
    MATCHED,
    SetupReply,
    setup_reply,
    summarise_setups,
)
from generator.travel.setups import SETUPS

Json = dict[str, Any]

UNITS = {"frequency": "min", "distance": "m"}
"""Units of the absolute error by the kind of answer."""
NO_NUMBER, NO_LIST, NO_GIVEN = "no number is asked for", "no list is asked for", "over half give no number"
NOT_COMMON = "units of several tasks, or over half give no number"
NOT_TOLD = "not told: no endpoint told prompt tokens of both"
TOLERANCE = 0.03
"""Share by which prompt tokens of matched setups may differ."""


class Place(NamedTuple):
    """What is compared within: one run, language and condition."""

    run: str
    is_instrument: bool
    lang: str
    condition: str


@dataclass
class Told:
    """Scored replies to travel tasks, gathered while rows stream by.

    `units` are of absolute errors, by task; `levels` say by label whether it is of reasoning or of knowledge.
    """

    replies: dict[Place, list[SetupReply]] = field(default_factory=dict)
    units: dict[str, str] = field(default_factory=dict)
    levels: dict[str, str] = field(default_factory=dict)

    def add(self, source: Source, result: Result | None, tokens: int | None) -> None:
        """Take in one result; nothing happens for a call that failed, or a task of another mode."""
        key = source.key(result.task_id) if result is not None else None
        if result is None or key is None or not is_travel(key):
            return
        task = source.task(result.task_id)
        reply = setup_reply(result, task.instance_id, key.state, task.setup, tokens)
        if reply is not None:
            place = Place(source.label, source.is_instrument, task.lang, result.condition)
            self.replies.setdefault(place, []).append(reply)
            self.units[reply.task] = UNITS.get(str(key.state.get("answer_kind", "")), "")
            self.levels |= dict(zip(reply.labels, ("reasoning", "knowledge"), strict=True))


class SetupRows(NamedTuple):
    """All rows about setups, in the order in which they are shown."""

    scores: tuple[SetupScore, ...] = ()
    tests: tuple[SetupTest, ...] = ()
    tags: tuple[SetupTag, ...] = ()
    lengths: tuple[SetupLength, ...] = ()


def setup_place(setup: str) -> tuple[int, str]:
    """Return where a setup stands in lists: in the order in which builds have them, unknown ones last."""
    names = list(SETUPS)
    return (names.index(setup) if setup in names else len(names), setup)


def setup_rows(told: Told) -> SetupRows:
    """Return the rows of everything that was told; none without travel tasks."""
    found = SetupRows()
    for place, replies in told.replies.items():
        summary = summarise_setups(replies, tuple(SETUPS), tolerance=TOLERANCE)
        found = SetupRows(
            (*found.scores, *_scores(place, summary, replies, told)),
            (*found.tests, *_tests(place, summary["tests"])),
            (*found.tags, *_tags(place, summary["setups"])),
            (*found.lengths, *_lengths(place, summary, replies)),
        )
    return found


def _scores(place: Place, summary: Json, replies: Sequence[SetupReply], told: Told) -> Iterator[SetupScore]:
    for setup, blocks in summary["setups"].items():
        own = [r for r in replies if r.setup == setup]
        full = {task for name, task in summary["saturated"] if name == setup}
        yield _score(place, setup, ("all", ""), blocks[ALL], own)
        for task, block in blocks["tasks"].items():
            score = _score(place, setup, ("task", task), block, [r for r in own if r.task == task], told.units[task])
            yield score.model_copy(update={"is_saturated": task in full})
        for label, block in blocks["labels"].items():
            yield _score(place, setup, (told.levels[label], label), block, [r for r in own if label in r.labels])


def _score(
    place: Place, setup: str, mark: tuple[Any, str], block: Json, replies: Sequence[SetupReply], unit: str = ""
) -> SetupScore:
    level, name = mark
    low, high = block["strict_interval"] or (None, None)
    wrong = [r for r in replies if r.strict != 1]
    errors = block["errors"]
    no_number = NO_NUMBER if "closeness" not in block["metrics"] else NO_GIVEN
    no_error = no_number if level == "task" or no_number == NO_NUMBER else NOT_COMMON
    return SetupScore(
        **place._asdict(), setup=setup, level=level, name=name, instances=block["instances"], replies=block["replies"],
        exact=Figure(value=block["strict"], low=low, high=high),
        closeness=_metric(block, "closeness", NO_NUMBER), precision=_metric(block, "precision", NO_LIST),
        recall=_metric(block, "recall", NO_LIST), f1=_metric(block, "f1", NO_LIST),
        absolute_error=_number(errors.get("absolute_error"), no_error, digits=1), unit=unit,
        relative_error=_number(errors.get("relative_error"), no_number),
        no_answer=block["no_answer"], abstained=block["abstained"], wrong=len(wrong),
        untagged=sum(not r.tags and not r.abstained for r in wrong),
        length=_number((block["length"] or {}).get("median"), "no reply has a length", digits=0),
    )  # fmt: skip


def _metric(block: Json, name: str, why: str) -> Figure:
    return _number(block["metrics"].get(name), why)


def _number(value: float | None, why: str, *, digits: int = 3) -> Figure:
    return Figure(value=value, why="" if value is not None else why, digits=digits)


def _tests(place: Place, tests: Sequence[Json]) -> Iterator[SetupTest]:
    for test in tests:
        low, high = test["interval"] or (None, None)
        yield SetupTest(
            **place._asdict(), task=test["task"], one=test["one"], other=test["other"], measure=test["measure"],
            instances=test["n"], difference=Figure(value=test["difference"], low=low, high=high), test=test["test"],
            p=_number(test["p"], "no difference to test"), p_holm=_number(test["p_holm"], "no difference to test"),
            family=len(tests),
        )  # fmt: skip


def _tags(place: Place, setups: Mapping[str, Json]) -> Iterator[SetupTag]:
    for setup, blocks in setups.items():
        for task, block in blocks["tasks"].items():
            for tag, count in block["tags"].items():
                yield SetupTag(**place._asdict(), task=task, tag=tag, setup=setup, replies=count)


def _lengths(place: Place, summary: Json, replies: Sequence[SetupReply]) -> Iterator[SetupLength]:
    """Yield how prompts matched, where the run has both setups to be matched."""
    sides = [{r.instance for r in replies if r.setup == name} for name in (MATCHED, FULL_LENGTH)]
    if not all(sides):
        return
    found = summary["prompt_tokens"] or {"pairs": 0, "beyond": 0}
    yield SetupLength(
        **place._asdict(), instances=len(sides[0] & sides[1]), pairs=found["pairs"], tolerance=TOLERANCE,
        beyond=found["beyond"], median_share=_number(found.get("median_share"), NOT_TOLD),
        largest_share=_number(found.get("largest_share"), NOT_TOLD),
    )  # fmt: skip
