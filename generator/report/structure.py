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
    digits: int = 3


class RunInfo(Frozen):
    """One configuration. `label` is unique in the report and is what deep links name."""

    label: str
    model: str
    is_instrument: bool
    builds: tuple[str, ...]
    rolls: int
    conditions: tuple[str, ...]
    settings: tuple[tuple[str, str], ...] = ()
    notes: tuple[str, ...] = ()


class Headline(Frozen):
    """Every headline figure of one run × mode × language × setup × condition; mode "all" is over all modes."""

    run: str
    is_instrument: bool
    mode: str
    lang: str
    setup: str
    condition: str
    tasks: int
    worlds: int
    rolls: int
    replies: int
    scored: int
    is_ranked: bool
    importance: Figure
    importance_upper: Figure
    importance_equal: Figure
    strict: Figure
    gate_rate: Figure
    coverage: Figure
    gap: Figure
    statuses: tuple[tuple[str, int], ...]
    notes: tuple[str, ...] = ()


class Cost(Frozen):
    """Cost of one run × language × setup × condition; money is None where no price is known."""

    run: str
    is_instrument: bool
    lang: str
    setup: str
    condition: str
    importance: Figure
    currency: str
    final: Figure
    whole: Figure
    total: Figure
    tokens_in: int
    tokens_cached: int
    tokens_out: int
    is_on_front: bool = False


class Effect(Frozen):
    """Effect of one level of a factor on importance, for one run, mode, language, setup and condition.

    `difference` is the mean at this level less the mean at all other levels; its interval is `over` worlds or tasks.
    """

    run: str
    mode: str
    lang: str
    setup: str
    condition: str
    factor: str
    level: str
    tasks: int
    importance: Figure
    difference: Figure
    over: str


class ScatterPoint(Frozen):
    """One task over the configurations."""

    task: str
    p_correct: float
    r_rest: float


class Scatter(Frozen):
    """Difficulty × discrimination of one language, setup and condition; `why` says why there are no points."""

    lang: str
    setup: str
    condition: str
    configurations: int
    points: tuple[ScatterPoint, ...] = ()
    why: str = ""


class ItemCount(Frozen):
    """How the items of one kind ended, over all scored replies of a run, mode, language, setup and condition."""

    run: str
    mode: str
    lang: str
    setup: str
    condition: str
    kind: str
    items: int
    hit: int
    miss: int
    unsure: int
    miss_rate: Figure


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


class JudgedRun(Frozen):
    """What judges said of one run of a build.

    items: Judged items that ended in a verdict, judges joined; errors: those that did not, which are in no figure.
    hits_uncorrected: Share of hits among `items` as judged. hits_corrected: The same with prediction-powered inference
    from `labels` of people; not defined without them. kappa: Cohen's, judge and person. alpha: Krippendorff's, over the
    `alpha_items` on which at least two judges gave a verdict. calls, tokens and cost: What asking came to; they are in
    no other cost.
    """

    run: str
    is_instrument: bool
    mode: str
    lang: str
    which: str
    judges: tuple[str, ...]
    items: int
    errors: int
    hits_uncorrected: Figure
    hits_corrected: Figure
    labels: int
    kappa: Figure
    alpha: Figure
    alpha_items: int
    calls: int = 0
    tokens_in: int = 0
    tokens_out: int = 0
    cost: Figure = Figure()
    currency: str = ""


class ReplyInfo(Frozen):
    """One reply with its verdicts: a letter per item of the task, in order (h, m, u, e; - for none).

    `read_as` gives, for missed items, the value that the checks read instead. `own` are the assistant turns
    that the model wrote itself before this reply, under condition own.
    """

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
    read_as: tuple[tuple[str, str], ...] = ()
    own: tuple[str, ...] = ()
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
    scatters: tuple[Scatter, ...]
    item_counts: tuple[ItemCount, ...]
    judged: tuple[JudgedRun, ...] = ()
    tables: tuple[Table, ...] = ()
    tasks: tuple[TaskInfo, ...] = ()
    replies: tuple[ReplyInfo, ...] = ()
    warnings: tuple[str, ...] = ()
