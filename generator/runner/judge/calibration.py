"""Check the judge as an instrument: replies whose hits and misses are known, since they were made from keys.

What comes out holds for constructed replies. It is no correction of a score: real replies err in other ways.
"""

from __future__ import annotations

import asyncio
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from random import Random
from typing import Any, NamedTuple

from generator.engine.loaded import Build
from generator.modes import find_mode
from generator.modes.protocol import Mode
from generator.records import Item, Key, Reply, Verdict
from generator.runner.judge.judging import Judge
from generator.runner.judge.keeping import JudgedItem, Place
from generator.runner.judge.labelling import join_units
from generator.scoring.metrics import score_reply
from generator.scoring.statistics import Corrected, Interval, clopper_pearson, rogan_gladen
from generator.seeds import stream
from generator.stages.travel import MODE as TRAVEL
from generator.stages.travel import open_travel
from generator.travel.answers import AnswerKind, decode, reply_say
from generator.travel.wording import Book

LABEL = "instrument check on constructed replies, not a property of any run"
ALL = "all"
SHARE_WRONG = 0.5
AT_ONCE = 16


class Constructed(NamedTuple):
    """A reply with the verdict that each of its items must get; items whose truth is not sure are left out."""

    key: Key
    reply: Reply
    truth: dict[str, Verdict]


@dataclass(frozen=True, slots=True)
class KindRates:
    """How a judge does on one kind of item.

    hits, misses: Constructed ones that got a verdict; hit_as_hit, miss_as_miss: those it got right. An unsure verdict
    is no hit, as in the headline: wrong for a hit and right for a miss; `unsure` counts them.
    errors: Items without a readable, proven verdict; they are in no share.
    """

    kind: str
    hits: int
    hit_as_hit: int
    misses: int
    miss_as_miss: int
    unsure: int
    errors: int

    @property
    def sensitivity(self) -> float | None:
        """Share of hits called a hit; None without hits."""
        return self.hit_as_hit / self.hits if self.hits else None

    @property
    def specificity(self) -> float | None:
        """Share of misses not called a hit; None without misses."""
        return self.miss_as_miss / self.misses if self.misses else None

    @property
    def sensitivity_interval(self) -> Interval | None:
        """Clopper-Pearson, 95 %; items are taken as independent, which those of one reply are not quite."""
        return clopper_pearson(self.hit_as_hit, self.hits)

    @property
    def specificity_interval(self) -> Interval | None:
        """As `sensitivity_interval`, of misses."""
        return clopper_pearson(self.miss_as_miss, self.misses)


@dataclass(frozen=True, slots=True)
class Calibration:
    """The instrument check of one judge: `all` first, then kinds of items by name."""

    judge: str
    replies: int
    dropped: int
    rates: tuple[KindRates, ...]
    label: str = LABEL

    def as_json(self) -> dict[str, Any]:
        """Return it as plain JSON."""
        kinds = [
            {
                "kind": r.kind, "hits": r.hits, "hit_as_hit": r.hit_as_hit, "sensitivity": r.sensitivity,
                "sensitivity_interval": _ends(r.sensitivity_interval), "misses": r.misses,
                "miss_as_miss": r.miss_as_miss, "specificity": r.specificity,
                "specificity_interval": _ends(r.specificity_interval), "unsure": r.unsure, "errors": r.errors,
            }
            for r in self.rates
        ]  # fmt: skip
        return {
            "label": self.label, "judge": self.judge, "replies": self.replies, "dropped": self.dropped, "kinds": kinds,
        }  # fmt: skip


def _ends(interval: Interval | None) -> list[float] | None:
    return None if interval is None else list(interval)


def construct_reply(mode: Mode, key: Key, rng: Random) -> tuple[Constructed, int]:
    """Return a reply in which about half the items are wrong, by a stale value or left out; and how many are dropped.

    An item is dropped if the checks contradict its construction: its truth is then not sure.
    """
    values = dict(key.answer)
    truth: dict[str, Verdict] = {}
    for item in key.items:
        is_wrong = rng.random() < SHARE_WRONG and _spoil(values, item, key, rng)
        truth[item.id] = Verdict.MISS if is_wrong else Verdict.HIT
    reply = Reply(task_id=key.id, reply=mode.write_reply(mode.view_in(key), values, rng))
    checked = score_reply(key, reply).items
    contrary = {Verdict.HIT: Verdict.MISS, Verdict.MISS: Verdict.HIT}
    kept = {name: verdict for name, verdict in truth.items() if checked[name] is not contrary[verdict]}
    return Constructed(key, reply, kept), len(truth) - len(kept)


def construct_travel_reply(book: Book, key: Key, rng: Random) -> tuple[Constructed, int]:
    """Return a reply to a travel task, right or about as often one of the named wrong ones; see `construct_reply`."""
    is_wrong = bool(key.alternatives) and rng.random() < SHARE_WRONG
    kind: AnswerKind = key.state["answer_kind"]
    raw = decode(kind, rng.choice(key.alternatives).value if is_wrong else key.answer)
    reply = Reply(task_id=key.id, reply=book.line(reply_say(kind, raw), rng).text)
    wanted = Verdict.MISS if is_wrong else Verdict.HIT
    checked = score_reply(key, reply).items
    contrary = {Verdict.HIT: Verdict.MISS, Verdict.MISS: Verdict.HIT}[wanted]
    kept = {item.id: wanted for item in key.items if checked[item.id] is not contrary}
    return Constructed(key, reply, kept), len(key.items) - len(kept)


def _book_of(build: Build, key: Key) -> Book:
    shop = open_travel(build.spec.lang, build.spec.split)
    return shop.factory.stationery(str(key.state["currency"])).book


def _spoil(values: dict[str, int], item: Item, key: Key, rng: Random) -> bool:
    """Make one item wrong in place; tell whether that was possible."""
    stale = [value for value in item.stale if isinstance(value, int)]
    path = item.truth_path
    if item.check == "absent":
        row = f"{item.params['row']}."
        told = [a.value for a in key.alternatives if any(p.startswith(row) and p != path for p in a.value)]
        if told:
            shown = rng.choice(told)
            values.update({p: v for p, v in shown.items() if p.startswith(row) and p != path})
            values.pop(path, None)
        return bool(told)
    if path not in values:
        return False
    if stale and rng.random() < 0.8:
        values[path] = rng.choice(stale)
    else:
        del values[path]
    return True


async def calibrate_judge(
    judge: Judge, build: Build, *, n: int = 40, seed: int = 0, mode: Mode | None = None
) -> Calibration:
    """Return how a judge does on constructed replies, one a task, of `n` tasks drawn from a build.

    Raises:
        GenError: The build has no keys.
    """
    tasks = list(build.tasks)
    stream(seed, "", "judge-calibration").shuffle(tasks)
    made, dropped = [], 0
    for task in tasks[:n]:
        key, rng = build.key(task.id), stream(seed, task.id, "judge-calibration")
        if task.mode == TRAVEL:
            one, contrary = construct_travel_reply(_book_of(build, key), key, rng)
        else:
            one, contrary = construct_reply(mode or find_mode(task.mode), key, rng)
        dropped += contrary
        if one.reply.reply:
            made.append(one)
    gate = asyncio.Semaphore(AT_ONCE)

    async def judged_of(one: Constructed) -> dict[str, JudgedItem]:
        async with gate:
            return await judge.judge(one.key, one.reply, "all")

    judged = await asyncio.gather(*map(judged_of, made))
    rows = [
        (item.kind, one.truth[item.id], said[item.id].verdict)
        for one, said in zip(made, judged, strict=True)
        for item in one.key.items
        if item.id in one.truth and item.id in said
    ]
    kinds = sorted({kind for kind, _, _ in rows})
    rates = (_rates(ALL, rows), *(_rates(kind, [r for r in rows if r[0] == kind]) for kind in kinds))
    return Calibration(judge.name, len(made), dropped, rates)


def _rates(kind: str, rows: Sequence[tuple[str, Verdict, Verdict]]) -> KindRates:
    valid = [(truth, said) for _, truth, said in rows if said is not Verdict.ERROR]
    hits = [said for truth, said in valid if truth is Verdict.HIT]
    misses = [said for truth, said in valid if truth is Verdict.MISS]
    return KindRates(
        kind=kind, hits=len(hits), hit_as_hit=hits.count(Verdict.HIT), misses=len(misses),
        miss_as_miss=len(misses) - misses.count(Verdict.HIT),
        unsure=sum(said is Verdict.UNSURE for _, said in valid), errors=len(rows) - len(valid),
    )  # fmt: skip


def correct_run(calibration: Calibration, notes: Iterable[tuple[Place, JudgedItem]]) -> Corrected:
    """Return what the rate of hits among a run's judged items would be, if the judge erred as on constructed replies.

    A sensitivity analysis, labelled as one in what is returned; never a score.
    """
    counted = [unit.verdict for unit in join_units(notes)]
    rates = calibration.rates[0]
    return rogan_gladen(
        counted.count(Verdict.HIT), len(counted), rates.sensitivity or 0.0, rates.specificity or 0.0, rates.hits,
        rates.misses,
    )  # fmt: skip
