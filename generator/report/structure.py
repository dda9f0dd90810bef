"""The report as data: what `report.json` holds and what the page and the CSVs are made of."""

from __future__ import annotations

from typing import Literal

from generator.records import Frozen
from generator.report.browsed import ReplyInfo, TaskInfo, ToolInfo


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


class SetupScore(Frozen):
    """Figures of one setup of the travel tasks, over all of them, over one, or over those with a label of some kind.

    replies: Scored ones; a failed call is in the coverage only. exact: Mean over instances, with their Wilson
    interval. closeness and errors: Of what asks for a number; errors are medians, no number being infinitely off, and
    `unit` is that of `absolute_error`. precision, recall, f1: Of what asks for a list. no_answer, abstained: Replies
    from which no answer could be read, and those that decline. wrong, untagged: Replies that are not exact, and those
    of them that show no known failure and do not decline. length: Median of characters.
    is_saturated: Of a task, nearly all is right.
    """

    run: str
    is_instrument: bool
    lang: str
    condition: str
    setup: str
    level: Literal["all", "task", "reasoning", "knowledge"]
    name: str
    instances: int
    replies: int
    exact: Figure
    closeness: Figure
    precision: Figure
    recall: Figure
    f1: Figure
    absolute_error: Figure
    unit: str
    relative_error: Figure
    no_answer: int
    abstained: int
    wrong: int
    untagged: int
    length: Figure
    is_saturated: bool = False


class SetupTest(Frozen):
    """One test between two setups, paired by instance; `difference` is `other` less `one`, task "all" all tasks.

    `p_holm` is corrected over the `family` tests of the run, language and condition.
    """

    run: str
    is_instrument: bool
    lang: str
    condition: str
    task: str
    one: str
    other: str
    measure: str
    instances: int
    difference: Figure
    test: str
    p: Figure
    p_holm: Figure
    family: int


class SetupTag(Frozen):
    """How many replies of a setup show a failure, task by task."""

    run: str
    is_instrument: bool
    lang: str
    condition: str
    task: str
    tag: str
    setup: str
    replies: int


class SetupLength(Frozen):
    """How far prompt tokens of the length-matched setup are from the dialogue's, as shares of the dialogue's.

    `pairs` are instances for which an endpoint told both; `beyond` of them differ by more than `tolerance`.
    """

    run: str
    is_instrument: bool
    lang: str
    condition: str
    instances: int
    pairs: int
    tolerance: float
    beyond: int
    median_share: Figure
    largest_share: Figure


class Report(Frozen):
    """Everything that a report says. `tasks` and `replies` are empty in a public one; so are setups without travel."""

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
    setups: tuple[SetupScore, ...] = ()
    setup_tests: tuple[SetupTest, ...] = ()
    setup_tags: tuple[SetupTag, ...] = ()
    setup_lengths: tuple[SetupLength, ...] = ()
    tables: tuple[Table, ...] = ()
    tools: tuple[ToolInfo, ...] = ()
    tasks: tuple[TaskInfo, ...] = ()
    replies: tuple[ReplyInfo, ...] = ()
    warnings: tuple[str, ...] = ()
