"""The report as data: what `report.json` holds and what the page and the CSVs are made of."""

from __future__ import annotations

from typing import Literal

from generator.records import Frozen, Lang


class Figure(Frozen):
    """A number with its interval; `value` None means "not defined" and `why` says why.

    `low` and `high` are the interval over clusters (worlds), `task_low` and `task_high` the one over tasks.
    """

    value: float | None = None
    low: float | None = None
    high: float | None = None
    task_low: float | None = None
    task_high: float | None = None
    why: str = ""


class RunInfo(Frozen):
    """One run. `label` is unique in the report and is what deep links name."""

    label: str
    model: str
    is_instrument: bool
    build: str
    rolls: int
    conditions: tuple[str, ...]
    settings: tuple[tuple[str, str], ...] = ()
    notes: tuple[str, ...] = ()


class Headline(Frozen):
    """Every headline figure of one run × mode × language × setup × condition."""

    run: str
    is_instrument: bool
    mode: str
    lang: str
    setup: str
    condition: str
    tasks: int
    clusters: int
    rolls: int
    replies: int
    scored: int
    is_ranked: bool
    importance: Figure
    importance_upper: Figure
    importance_equal: Figure
    strict: Figure
    strict_upper: Figure
    gate_rate: Figure
    coverage: Figure
    statuses: tuple[tuple[str, int], ...]
    notes: tuple[str, ...] = ()


class Cost(Frozen):
    """Cost of one run × condition; money is None where no price is known."""

    run: str
    is_instrument: bool
    condition: str
    importance: Figure
    currency: str
    final_per_task: Figure
    all_per_task: Figure
    whole_run: Figure
    tokens_in: int
    tokens_cached: int
    tokens_out: int
    is_on_front: bool = False


class Effect(Frozen):
    """Effect of one level of a factor on importance, for one run, mode, language and condition.

    `difference` is the mean at this level less the mean at all other levels.
    """

    run: str
    mode: str
    lang: str
    condition: str
    factor: str
    level: str
    tasks: int
    mean: Figure
    difference: Figure


class ScatterPoint(Frozen):
    """One task over the configurations."""

    task: str
    p_correct: float
    r_rest: float


class Scatter(Frozen):
    """Difficulty × discrimination; `why` says why there are no points."""

    configurations: int
    points: tuple[ScatterPoint, ...] = ()
    why: str = ""


class ItemCount(Frozen):
    """How the items of one kind ended, over all replies of a run and condition."""

    run: str
    condition: str
    kind: str
    hit: int
    miss: int
    unsure: int
    error: int


class Table(Frozen):
    """A table of its own: further statistics, each cell already in words or a figure."""

    id: str
    title: str
    note: str
    columns: tuple[str, ...]
    rows: tuple[tuple[str | int | Figure, ...], ...]
    term: str = ""


class Turn(Frozen):
    """One message of a task's dialogue. `turn` counts exchanges from 0, -1 before the first."""

    role: str
    turn: int
    text: str
    group: str = ""
    duty: Literal["", "needed", "bait"] = ""


class StaleValue(Frozen):
    """A value that the right one must not be confused with, and the failures that give it."""

    shown: str
    failures: tuple[str, ...] = ()


class ItemInfo(Frozen):
    """One scoring item in words."""

    id: str
    kind: str
    weight: int
    is_gate: bool
    label: str
    expected: str
    stale: tuple[StaleValue, ...]
    note: str


class TaskInfo(Frozen):
    """One task with its key, as the miss browser shows it. Items are empty where the key is not there."""

    id: str
    mode: str
    lang: Lang
    setup: str
    world: str
    factors: tuple[tuple[str, str], ...]
    turns: tuple[Turn, ...]
    items: tuple[ItemInfo, ...]


class JudgeNote(Frozen):
    """What a judge said of one item."""

    item: str
    verdict: str
    quote: str
    reason: str
    judge: str = ""


class ReplyInfo(Frozen):
    """One reply with its verdicts: a letter per item of the task, in order (h, m, u, e; - for none)."""

    task: str
    run: str
    roll: int
    condition: str
    status: str
    verdicts: str
    importance: float | None
    strict: int | None
    text: str
    cut: int = 0
    reasoning: str = ""
    refusal: str = ""
    finish: str = ""
    calls: tuple[str, ...] = ()
    fault: str = ""
    judged: tuple[JudgeNote, ...] = ()


class Report(Frozen):
    """Everything that a report says. `tasks` and `replies` are empty in a public one."""

    version: int = 1
    program: str
    estimand: str
    interval: str
    runs: tuple[RunInfo, ...]
    headline: tuple[Headline, ...]
    costs: tuple[Cost, ...]
    effects: tuple[Effect, ...]
    scatter: Scatter
    item_counts: tuple[ItemCount, ...]
    tables: tuple[Table, ...] = ()
    tasks: tuple[TaskInfo, ...] = ()
    replies: tuple[ReplyInfo, ...] = ()
    warnings: tuple[str, ...] = ()
