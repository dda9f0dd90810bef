"""Further statistics as plain tables: comparisons, order, several tries, failures, slopes, twins, probes."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any

from generator.report.figures import Json, figure_from, groups_of
from generator.report.structure import Figure, Table
from generator.report.words import DIALOGUE, mode_words, setup_words
from generator.stages.travel import MODE as TRAVEL

Cell = str | int | Figure
_PLACE = ("run", "mode", "language", "condition")


def further_tables(summary: Json) -> tuple[Table, ...]:
    """Return the tables that have rows, in reading order."""
    makers: tuple[Callable[[Json], Table], ...] = (
        _failures, _tries, _comparisons, _order, _composites, _slopes, _pairs, _probes,
    )  # fmt: skip
    return tuple(table for make in makers if (table := make(summary)).rows)


def _number(value: Any, why: str = "not defined here") -> Figure:
    return Figure(value=value, why="" if value is not None else why)


def _place(run: str, group: Mapping[str, Any]) -> tuple[str, str, str, str]:
    mode = str(group["mode"])
    return (run, mode_words(mode), str(group["lang"]), f"{group['condition']}{setup_words(mode, group['setup'])}")


def _failures(summary: Json) -> Table:
    rows: list[tuple[Cell, ...]] = []
    for run, _, group in groups_of(summary, pooled=False):
        if group["mode"] == TRAVEL:
            # Which failures replies to travel tasks show is told by setup.
            continue
        for failure, found in group["items"]["by_failure"].items():
            taken: Cell = "not looked into" if found["taken"] is None else int(found["taken"])
            rate = _number(found["rate"], "no item is exposed")
            rows.append((*_place(run, group), failure, int(found["exposed"]), int(found["misses"]), taken, rate))
        loose = group["items"]["unexplained"]
        if loose["other_value"]:
            rows.append((*_place(run, group), "a value of no known failure", "", int(loose["other_value"]), "", ""))
    return Table(
        id="failures", title="Misses by failure", term="stale",
        note="An item is exposed to a failure if the failure's wrong answer would miss it. Taken: misses that give "
        "just that wrong value. One item may be exposed to several failures.",
        columns=(*_PLACE, "failure", "exposed items", "misses", "taken", "miss rate"), rows=tuple(rows),
    )  # fmt: skip


def _tries(summary: Json) -> Table:
    rows: list[tuple[Cell, ...]] = []
    for run, _, group in groups_of(summary, pooled=True):
        found = group["rolls"]
        if found["k"] < 2:
            continue
        last = found["strict"][-1]
        rows.append((
            *_place(run, group), int(found["k"]), int(found["tasks_with_k"]), _number(found["best_of_k"]),
            _number(found["all_of_k"]), _number(found["items_hit_in_any"]), _number(found["items_hit_in_all"]),
            _number(last["pass_at_k"]), _number(last["pass_hat_k"]),
        ))  # fmt: skip
    return Table(
        id="tries", title="Several tries", term="bestof",
        note="Over tasks with all k rolls. Best and worst are importance of the best and the worst roll; hit in any "
        "and in all take each item on its own; pass@k and pass^k are strict in any and in all of k rolls.",
        columns=(*_PLACE, "k", "tasks", "best of k", "worst of k", "items hit in any", "items hit in all", "pass@k",
                 "pass^k"),
        rows=tuple(rows),
    )  # fmt: skip


def _blocks(summary: Json) -> Iterator[tuple[str, Json]]:
    """Yield each block with its name; the setup is named where there are several."""
    is_single = all(block["setup"] == DIALOGUE for block in summary["blocks"])
    for block in summary["blocks"]:
        setup = "" if is_single else f", {block['setup']}"
        kind = ", instruments only" if block["is_simulated"] else ""
        yield f"{block['lang']}, {block['condition']}{setup}{kind}", block


def _comparisons(summary: Json) -> Table:
    rows: list[tuple[Cell, ...]] = []
    for name, block in _blocks(summary):
        for one in block["comparisons"]:
            tests = one["tests"]
            rows.append((
                f"{one['one']} less {one['other']}", name, mode_words(str(one["mode"])), int(one["n"]),
                figure_from(one["difference"], "no task in common"), _p(tests["wilcoxon"]), _p(tests["sign_flip"]),
                _p(tests["sign_flip_by_world"]), _p(tests["mcnemar"]),
                _number(one["rank_biserial"], "no difference"), _number(one["cohens_dz"], "no spread"),
                f"{one['family']}, {one['family_size']}",
            ))  # fmt: skip
    return Table(
        id="comparisons", title="Paired differences", term="paired",
        note="Difference of mean importance on the tasks that both runs answered. p values are after Holm's correction "
        "over the family named in the last column; McNemar is of strict in the first roll. Effect sizes: rank-biserial "
        "correlation and Cohen's d of differences.",
        columns=("runs", "language, condition", "mode", "tasks", "difference", "p, Wilcoxon", "p, sign flip",
                 "p, sign flip by world", "p, McNemar", "rank-biserial", "d", "family, size"),
        rows=tuple(rows),
    )  # fmt: skip


def _p(test: Mapping[str, Any] | None) -> Figure:
    found = test or {}
    return _number(found.get("p_holm", found.get("p")), "no difference to test")


def _order(summary: Json) -> Table:
    rows: list[tuple[Cell, ...]] = []
    for name, block in _blocks(summary):
        order = block["order"]
        if len(order["places"]) < 2:
            continue
        for place in order["places"]:
            ends = place["ranks"] or (None, None)
            rank = Figure(value=place["rank"], low=ends[0], high=ends[1], digits=1)
            rows.append((
                place["name"], name, rank, _number(place["score"]), _number(place["first"]),
                _number(order["mean_tau"]), _number(order["rolls"]["min_tau"], "fewer than two rolls"), int(order["n"]),
            ))  # fmt: skip
    return Table(
        id="order", title="Order of runs", term="stability",
        note="On the tasks that every run with enough coverage answered. Ranks with their interval over worlds; first: "
        "share of samples in which the run is best; tau: agreement of the order over samples and, at worst, of rolls.",
        columns=("run", "language, condition", "rank", "importance", "first", "tau over samples", "least tau of rolls",
                 "tasks"),
        rows=tuple(rows),
    )  # fmt: skip


def _composites(summary: Json) -> Table:
    rows: list[tuple[Cell, ...]] = []
    for name, block in _blocks(summary):
        found = block["order"]["composite"]
        if len(found["leaders"]) > 1 and len(block["order"]["places"]) > 1:
            leaders = "; ".join(f"{mode_words(mode)}: {', '.join(names)}" for mode, names in found["leaders"].items())
            rows.append((
                name, _number(found["score"]), _number(found["cross_fitted"], "a mode has a single world"),
                _number(found["best_single_score"]), str(found["best_single"]), leaders,
            ))  # fmt: skip
    return Table(
        id="composite", title="Best run of each mode", term="composite",
        note="Cross-fitted: leaders chosen on other worlds than they are scored on, which does not flatter.",
        columns=("language, condition", "composite", "cross-fitted", "best single run", "which", "leaders"),
        rows=tuple(rows),
    )  # fmt: skip


def _slopes(summary: Json) -> Table:
    rows: list[tuple[Cell, ...]] = []
    for run, _, group in groups_of(summary, pooled=False):
        for factor, found in group["slopes"].items():
            low, high = found["interval"] or (None, None)
            kind = "drawn" if found["is_drawn"] else "follows"
            slope = Figure(
                value=found["slope"],
                low=low,
                high=high,
                why=found["note"] if found["interval"] is None else "",
            )
            rows.append((*_place(run, group), factor.replace("_", " "), kind, slope, _number(found["r"], "no spread"),
                         _number(found["balance"])))  # fmt: skip
    return Table(
        id="slopes", title="Slopes of numeric factors", term="effect",
        note="Change of mean importance per exchange, or per 1.0 of gap share. Balance: largest absolute correlation "
        "with another drawn factor; a slope is not adjusted for it. Turns and distance follow from the drawn ones.",
        columns=(*_PLACE, "factor", "kind", "slope", "r", "balance"), rows=tuple(rows),
    )  # fmt: skip


def _pairs(summary: Json) -> Table:
    rows: list[tuple[Cell, ...]] = []
    for run, _, group in groups_of(summary, pooled=False):
        found = group["pairs"]
        for figure in ("strict", "gate"):
            one = found and found[figure]
            if one:
                counts = (int(one[end]) for end in ("both", "base_only", "twin_only", "neither"))
                share = figure_from(one["consistency"], "no whole pair")
                rows.append((*_place(run, group), figure, share, *counts, int(found["incomplete"])))
    return Table(
        id="pairs", title="Pair consistency", term="pairs",
        note="A pair counts if both tasks were scored in the same roll.",
        columns=(*_PLACE, "figure", "both right", "both", "base only", "twin only", "neither", "incomplete"),
        rows=tuple(rows),
    )  # fmt: skip


def _probes(summary: Json) -> Table:
    ends = ("right", "did_not_know", "forgot", "violated", "unknown")
    rows: list[tuple[Cell, ...]] = [
        (run, mode_words(str(one["mode"])), str(one["lang"]), str(one["condition"]), *(int(one[end]) for end in ends))
        for run, found in summary["runs"].items()
        for one in found["probes"]
    ]
    return Table(
        id="probes", title="Probes", term="probes", note="Counts over instances and rolls that have a probe.",
        columns=(*_PLACE, *(end.replace("_", " ") for end in ends)), rows=tuple(rows),
    )  # fmt: skip
