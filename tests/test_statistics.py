"""Statistics against scipy, statsmodels and published examples; what is not defined; the summary of runs."""

from __future__ import annotations

import itertools
import json
import math
import random
import time
from collections.abc import Sequence
from dataclasses import replace
from decimal import Decimal
from importlib import import_module
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from generator.records import Alternative, Factors, Item, Key, Message, Result, Task, Verdict
from generator.scoring.metrics import weigh
from generator.scoring.statistics import (
    Row,
    Setting,
    Usage,
    absent_result,
    best_of_k,
    bootstrap_mean,
    bootstrap_means,
    bootstrap_statistic,
    clopper_pearson,
    cohens_dz,
    cohens_kappa,
    exposed_failures,
    holm,
    join_clusters,
    kendall_tau_b,
    krippendorff_alpha,
    leaders_composite,
    mcnemar,
    mean_tries,
    merge_rolls,
    p_correct,
    pareto_front,
    pass_at_k,
    pass_hat_k,
    pearson,
    point_biserial,
    r_rest,
    rank_biserial,
    rank_stability,
    roll_stability,
    row_of,
    sign_flip,
    spearman,
    summarise,
    usage_of,
    wilcoxon,
    wilson,
    worst_of_k,
)
from generator.scoring.statistics.factors import thirds
from generator.scoring.statistics.twins import probe_outcomes

HIT, MISS, UNSURE, ERROR = Verdict.HIT, Verdict.MISS, Verdict.UNSURE, Verdict.ERROR

unit = st.floats(0, 1, allow_nan=False)
# A coarse grid makes ties, which is where rank statistics go wrong.
coarse = st.integers(-4, 4).map(lambda n: n / 4)
columns = st.lists(coarse, max_size=25)


@pytest.fixture(scope="module")
def scipy() -> Any:
    return import_module("scipy.stats")


# --- proportions --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("hits", "n"), [(0, 1), (0, 10), (3, 10), (10, 10), (35, 209), (1, 2000), (1999, 2000)])
@pytest.mark.parametrize("level", [0.9, 0.95])
def test_proportions_are_those_of_scipy(scipy: Any, hits: int, n: int, level: float) -> None:
    reference = scipy.binomtest(hits, n)
    for method, own in (("wilson", wilson), ("exact", clopper_pearson)):
        ends = reference.proportion_ci(level, method=method)
        assert own(hits, n, level) == pytest.approx((ends.low, ends.high), abs=1e-9), method


def test_intervals_at_the_ends_have_a_width() -> None:
    """C070: no plus-or-minus zero at 0 % and 100 %."""
    # Wilson's upper end at 0 of n is z²/(n + z²), the exact one 1 - .025 ** (1/n).
    z2 = 1.959963984540054**2
    assert wilson(0, 20) == pytest.approx((0, z2 / (20 + z2)))
    assert clopper_pearson(20, 20) == pytest.approx((0.025 ** (1 / 20), 1))
    assert wilson(0, 0) is None and clopper_pearson(0, 0) is None
    for bad in ((3, 2), (-1, 2), (0, -1)):
        with pytest.raises(ValueError, match="count from 0 to n"):
            wilson(*bad)
    with pytest.raises(ValueError, match="level"):
        clopper_pearson(0, 3, 1.0)


# --- bootstrap ----------------------------------------------------------------------------------------------------


def test_the_bootstrap_is_fast_and_repeats(scipy: Any) -> None:
    rng = random.Random(3)
    values = [rng.random() for _ in range(209)]
    start = time.perf_counter()
    found = bootstrap_mean(values, seed=7, name="a")
    assert time.perf_counter() - start < 2
    assert found == bootstrap_mean(values, seed=7, name="a")
    assert found.interval != bootstrap_mean(values, seed=8, name="a").interval
    assert found.interval != bootstrap_mean(values, seed=7, name="b").interval
    reference = scipy.bootstrap((values,), lambda x, axis: x.mean(axis=axis), method="percentile", rng=1)
    assert found.interval == pytest.approx(tuple(reference.confidence_interval), abs=0.006)
    assert found.se == pytest.approx(reference.standard_error, rel=0.1)


def test_worlds_stay_together() -> None:
    # Three worlds of three equal tasks: a sample's mean is one of ten, and the task bootstrap is narrower.
    values = [0.0] * 3 + [0.5] * 3 + [1.0] * 3
    worlds = [name for name in "abc" for _ in range(3)]
    found, alone = bootstrap_mean(values, worlds), bootstrap_mean(values)
    assert found.interval is not None and alone.interval is not None
    assert (found.interval.low, found.interval.high) == (0.0, 1.0)
    assert alone.interval.low > 0.1
    assert (found.units, found.few_clusters, alone.units, alone.few_clusters) == (3, True, 9, False)


def test_a_cluster_bootstrap_of_single_tasks_is_the_task_bootstrap() -> None:
    values = [0.1, 0.9, 0.4, 0.4, 0.7, 0.0, 1.0, 0.2, 0.3, 0.8]
    assert bootstrap_mean(values, range(10)).interval == bootstrap_mean(values).interval


def test_unequal_clusters_weigh_by_their_tasks() -> None:
    assert bootstrap_mean([0, 0, 0, 1], ["a", "a", "a", "b"]).estimate == 0.25
    found = bootstrap_means({"x": [0, 0, 0, 1], "y": [1, 1, 1, 0]}, ["a", "a", "a", "b"])
    assert found["x"].interval == (0, 1)
    assert found["y"].estimate == 0.75


def test_a_smooth_statistic_gives_the_mean_back() -> None:
    values = [0.1, 0.9, 0.4, 0.4, 0.7, 0.0, 1.0, 0.2]
    worlds = ["a", "a", "b", "b", "c", "c", "d", "d"]
    found = bootstrap_statistic(8, lambda places: sum(values[p] for p in places) / len(places), worlds, name="mean")
    reference = bootstrap_mean(values, worlds)
    assert found.interval == pytest.approx(reference.interval)
    assert bootstrap_statistic(8, lambda _: None).reason == "not defined on the sample"
    broken = bootstrap_statistic(4, lambda p: None if 0 in p[1:] else 1.0, resamples=50)
    assert broken.interval is None and "5 %" in broken.reason


@pytest.mark.parametrize(
    ("values", "worlds", "reason"),
    [
        ([], None, "fewer than two units"),
        ([0.5], None, "fewer than two units"),
        ([0.2, 0.8, 0.5], ["a", "a", "a"], "fewer than two units"),
        ([1.0] * 40, None, "equal"),
        ([0.1 + 0.2, 0.3], None, "equal"),
        ([0.0, 1.0, 0.0, 1.0], ["a", "a", "b", "b"], "does not vary"),
    ],
)
def test_no_interval_comes_with_a_reason(values: list[float], worlds: list[str] | None, reason: str) -> None:
    """C069: one item, or nothing that varies."""
    found = bootstrap_mean(values, worlds)
    assert found.interval is None and found.se is None
    assert reason in found.reason
    assert found.estimate == (pytest.approx(sum(values) / len(values)) if values else None)


def test_bootstrap_refuses_what_it_cannot_use() -> None:
    with pytest.raises(ValueError, match="leave out"):
        bootstrap_mean([math.nan, 1])
    with pytest.raises(ValueError, match="lengths"):
        bootstrap_mean([1, 2], ["a"])
    with pytest.raises(ValueError, match="resamples"):
        bootstrap_mean([1, 2], resamples=0)
    with pytest.raises(ValueError, match="level"):
        bootstrap_mean([1, 2], level=1.5)


def test_tasks_are_joined_by_world_and_instance() -> None:
    worlds = ["a", "b", "c", "a", None]
    instances = [1, 2, 2, 3, None]
    assert join_clusters(worlds, instances) == [0, 1, 1, 0, 2]
    with pytest.raises(ValueError, match="no labels"):
        join_clusters()


@settings(deadline=None, max_examples=40)
@given(st.lists(st.tuples(unit, st.integers(0, 4)), max_size=20))
def test_a_bootstrap_interval_holds_its_sample_range(pairs: list[tuple[float, int]]) -> None:
    values = [value for value, _ in pairs]
    found = bootstrap_mean(values, [cluster for _, cluster in pairs], resamples=60)
    if found.interval:
        assert min(values) - 1e-9 <= found.interval.low <= found.interval.high <= max(values) + 1e-9
    assert (found.interval is None) == bool(found.reason)


# --- paired tests -------------------------------------------------------------------------------------------------


@settings(deadline=None, max_examples=60)
@given(st.lists(coarse, max_size=9), st.sampled_from(["drop", "pratt"]))
def test_wilcoxon_is_exact_over_all_signs(differences: list[float], zeros: Any) -> None:
    """Counted by brute force over the sign patterns, ties and zeros as they come."""
    found = wilcoxon(differences, zeros)
    kept = differences if zeros == "pratt" else [d for d in differences if d]
    order = sorted(abs(d) for d in kept)
    ranks = [order.index(abs(d)) + (order.count(abs(d)) + 1) / 2 for d in kept]
    ranks = [rank for rank, d in zip(ranks, kept, strict=True) if d]
    signs = [d > 0 for d in kept if d]
    if not ranks:
        assert (found.p, found.method) == ((1.0, "no difference") if differences else (None, "not defined"))
        return
    low = min(sum(r for r, s in zip(ranks, signs, strict=True) if s == side) for side in (True, False))
    tails = [sum(itertools.compress(ranks, pattern)) <= low for pattern in itertools.product((0, 1), repeat=len(ranks))]
    assert found.statistic == pytest.approx(low)
    assert found.p == pytest.approx(min(1.0, 2 * sum(tails) / len(tails)))


@pytest.mark.parametrize("n", [5, 12, 49, 209])
def test_wilcoxon_without_ties_is_that_of_scipy(scipy: Any, n: int) -> None:
    rng = random.Random(n)
    differences = [rng.gauss(0.15, 1) for _ in range(n)]
    reference = scipy.wilcoxon(differences, method="exact")
    found = wilcoxon(differences)
    assert [found.statistic, found.p] == pytest.approx([reference.statistic, reference.pvalue])
    assert found.method == "exact"


@pytest.mark.parametrize(("zeros", "method"), [("drop", "wilcox"), ("pratt", "pratt")])
def test_large_samples_take_the_normal_approximation_of_scipy(scipy: Any, zeros: Any, method: str) -> None:
    rng = random.Random(4)
    differences = [round(rng.gauss(0.05, 1), 1) for _ in range(450)]
    reference = scipy.wilcoxon(differences, zero_method=method, method="asymptotic", correction=False)
    found = wilcoxon(differences, zeros)
    assert found.method == "normal"
    assert found.p == pytest.approx(reference.pvalue, rel=1e-6)
    assert found.statistic == pytest.approx(reference.statistic)


@pytest.mark.parametrize("n", [1, 10, 30, 209, 1000])
def test_identical_models_do_not_differ_at_any_n(n: int) -> None:
    """C068: all-zero differences gave p = 1 at n = 10 and NaN at n = 30."""
    zeros = [0.1 + 0.2 - 0.3] * n
    for found in (wilcoxon(zeros), wilcoxon(zeros, "pratt"), sign_flip(zeros), sign_flip(zeros, ["a"] * n)):
        assert (found.p, found.method, found.n, found.used) == (1.0, "no difference", n, 0)
    assert rank_biserial(zeros) == 0.0
    assert cohens_dz(zeros) is None


def test_no_pairs_is_not_defined() -> None:
    for found in (wilcoxon([]), sign_flip([])):
        assert (found.p, found.statistic, found.method) == (None, None, "not defined")
    assert rank_biserial([]) is None and cohens_dz([]) is None


@settings(deadline=None, max_examples=50)
@given(st.lists(coarse, min_size=1, max_size=8))
def test_sign_flip_is_exact_when_small(differences: list[float]) -> None:
    total = abs(sum(differences))
    sums = [abs(sum(s * d for s, d in zip(signs, differences, strict=True)))
            for signs in itertools.product((1, -1), repeat=len(differences))]  # fmt: skip
    found = sign_flip(differences)
    assert found.p == pytest.approx(sum(s >= total - 1e-9 for s in sums) / len(sums))


def test_sign_flip_is_that_of_scipy(scipy: Any) -> None:
    rng = random.Random(8)
    differences = [rng.gauss(0.3, 1) for _ in range(40)]
    reference = scipy.permutation_test(
        (differences,), lambda x, axis: x.mean(axis=axis), permutation_type="samples", n_resamples=9_999,
        vectorized=True, rng=1,
    )  # fmt: skip
    found = sign_flip(differences)
    assert found.method == "monte carlo"
    assert found.p == pytest.approx(reference.pvalue, abs=0.02)
    assert sign_flip(differences) == found
    assert sign_flip([d + 9 for d in differences]).p == 1 / 10_001  # never 0


def test_sign_flip_turns_whole_worlds() -> None:
    # Two worlds of many pairs: at most four patterns, so p cannot be small.
    assert sign_flip([1.0] * 20, ["a"] * 10 + ["b"] * 10).p == 0.5
    assert sign_flip([1.0, -1.0], ["a", "a"]).method == "no difference"
    with pytest.raises(ValueError, match="lengths"):
        sign_flip([1.0], [])


@pytest.mark.parametrize(("one", "other"), [(0, 0), (1, 0), (5, 5), (3, 12), (0, 30), (200, 260), (1500, 1600)])
def test_mcnemar_is_the_binomial_test(scipy: Any, one: int, other: int) -> None:
    expected = scipy.binomtest(one, one + other).pvalue if one + other else 1.0
    assert mcnemar(one, other).p == pytest.approx(expected)


def test_statsmodels_agrees_on_mcnemar_holm_and_kappa() -> None:
    tables = import_module("statsmodels.stats.contingency_tables")
    assert mcnemar(3, 12).p == pytest.approx(tables.mcnemar([[4, 3], [12, 6]], exact=True).pvalue)
    multi = import_module("statsmodels.stats.multitest")
    rng = random.Random(2)
    ps = [rng.random() ** 3 for _ in range(12)] + [0.04, 0.04, 1.0]
    adjusted = holm({str(at): p for at, p in enumerate(ps)})
    assert list(adjusted.values()) == pytest.approx(list(multi.multipletests(ps, method="holm")[1]))
    rater = import_module("statsmodels.stats.inter_rater")
    assert cohens_kappa([0] * 30 + [1] * 12, ([0] * 20 + [1] * 10) + [0] * 5 + [1] * 7).value == pytest.approx(
        rater.cohens_kappa([[20, 10], [5, 7]], return_results=False)
    )


def test_holm_counts_what_was_declared() -> None:
    assert holm({"a": 0.01, "b": None, "c": 0.04}) == {"a": pytest.approx(0.03), "b": None, "c": pytest.approx(0.08)}
    assert holm({"a": 0.6, "b": 0.7}) == {"a": 1.0, "b": 1.0}
    assert holm({}) == {}
    with pytest.raises(ValueError, match="p-value"):
        holm({"a": math.nan})


def test_effect_sizes_by_hand() -> None:
    # Ranks 1, 2.5, 2.5, 4 of |1|, |-2|, |2|, |3|: (7.5 - 2.5) / 10.
    assert rank_biserial([1, -2, 2, 3, 0]) == pytest.approx(0.5)
    assert cohens_dz([1, 2, 3]) == pytest.approx(2.0)
    assert cohens_dz([0.5] * 9) is None and cohens_dz([0.5]) is None
    assert rank_biserial([0.1, 0.2]) == 1.0


# --- association --------------------------------------------------------------------------------------------------


@settings(deadline=None, max_examples=80)
@given(st.lists(st.tuples(coarse, coarse), max_size=20))
def test_correlations_are_those_of_scipy_or_none(scipy: Any, pairs: list[tuple[float, float]]) -> None:
    one, other = [a for a, _ in pairs], [b for _, b in pairs]
    varies = len(set(one)) > 1 and len(set(other)) > 1
    for own, reference in ((pearson, "pearsonr"), (spearman, "spearmanr"), (kendall_tau_b, "kendalltau")):
        found = own(one, other)
        assert (found is not None) == varies, reference
        if found is not None:
            assert found == pytest.approx(getattr(scipy, reference)(one, other).statistic, abs=1e-9)


def test_a_constant_column_has_no_correlation() -> None:
    """C071: NaN without an exception."""
    for own in (pearson, spearman, kendall_tau_b):
        assert own([1, 1, 1], [1, 2, 3]) is None
        assert own([], []) is None and own([1], [1]) is None
        with pytest.raises(ValueError, match="lengths"):
            own([1], [])
        with pytest.raises(ValueError, match="leave out"):
            own([math.nan, 1], [1, 2])
    # 0.1 + 0.2 and 0.3 differ by rounding only.
    assert pearson([0.1 + 0.2, 0.3, 0.3], [1, 2, 3]) is None


def test_item_statistics() -> None:
    matrix: list[list[float | None]] = [[1, 1, 1], [1, 0, 1], [0, 0, 1], [0, 1, 1]]
    assert p_correct([row[0] for row in matrix]) == 0.5
    assert p_correct([None, None]) is None
    rests = r_rest(matrix)
    assert rests[0] == pytest.approx(point_biserial([True, True, False, False], [2, 1, 1, 2]))
    assert rests[2] is None  # everyone hits it
    assert r_rest([]) == []
    assert r_rest([[1, None], [0, None]]) == [None, None]
    assert r_rest([[1, 1, None], [0, 0, 1], [1, 0, 0]])[0] == pytest.approx(pearson([1, 0, 1], [1, 0.5, 0]))
    with pytest.raises(ValueError, match="0, 1"):
        p_correct([2.0])


@given(st.lists(st.lists(coarse, min_size=4, max_size=4), max_size=8))
def test_r_rest_is_the_correlation_with_the_sum_of_the_others(matrix: list[list[float]]) -> None:
    for item, found in enumerate(r_rest(matrix)):
        expected = pearson([row[item] for row in matrix], [sum(row) - row[item] for row in matrix])
        assert found == (None if expected is None else pytest.approx(expected, abs=1e-9))


# --- agreement ----------------------------------------------------------------------------------------------------


def test_alpha_of_the_published_example() -> None:
    # Krippendorff (2011), section C: four observers, twelve units, missing values; nominal alpha .743.
    observers = [
        [1, 2, 3, 3, 2, 1, 4, 1, 2, None, None, None],
        [1, 2, 3, 3, 2, 2, 4, 1, 2, 5, None, 3],
        [None, 3, 3, 3, 2, 3, 4, 2, 2, 5, 1, None],
        [1, 2, 3, 3, 2, 4, 4, 1, 2, 5, 1, None],
    ]
    found = krippendorff_alpha(list(zip(*observers, strict=True)))
    assert found.value == pytest.approx(0.743, abs=5e-4)
    assert found.n == 11


def test_alpha_of_two_without_gaps_is_scotts_pi_with_small_sample_correction() -> None:
    one, other = [0, 1, 0, 0, 0, 0, 0, 0, 1, 0], [1, 1, 1, 0, 0, 1, 0, 0, 0, 0]
    # Krippendorff (2011), section A: alpha = .095.
    assert krippendorff_alpha(list(zip(one, other, strict=True))).value == pytest.approx(0.095, abs=5e-4)


def test_agreement_that_chance_explains_in_full_is_not_defined() -> None:
    assert krippendorff_alpha([["hit", "hit"]] * 5).value is None
    assert krippendorff_alpha([["hit", None], []]).reason == "no unit has two ratings"
    kappa = cohens_kappa(["hit"] * 5, ["hit"] * 5)
    assert (kappa.value, kappa.observed) == (None, 1.0)
    assert cohens_kappa([None], ["hit"]).value is None
    assert cohens_kappa(["a", "b"], ["b", "a"]).value == -1.0


@given(st.lists(st.lists(st.none() | st.sampled_from("abc"), max_size=4), max_size=8), st.randoms())
def test_alpha_is_at_most_one_and_knows_no_order(units: list[list[str | None]], rng: random.Random) -> None:
    found = krippendorff_alpha(units)
    assert found.value is None or found.value <= 1 + 1e-12
    turned = [rng.sample(unit, len(unit)) for unit in rng.sample(units, len(units))]
    again = krippendorff_alpha(turned).value
    assert again == (None if found.value is None else pytest.approx(found.value))


# --- several tries ------------------------------------------------------------------------------------------------


@given(st.lists(st.booleans(), min_size=1, max_size=7), st.integers(1, 8))
def test_tries_are_those_of_all_draws(outcomes: list[bool], k: int) -> None:
    n, hits = len(outcomes), sum(outcomes)
    draws = list(itertools.combinations(outcomes, k))
    if not draws:
        assert pass_at_k(n, hits, k) is None and pass_hat_k(n, hits, k) is None and best_of_k(outcomes, k) is None
        return
    assert pass_at_k(n, hits, k) == pytest.approx(sum(map(any, draws)) / len(draws))
    assert pass_hat_k(n, hits, k) == pytest.approx(sum(map(all, draws)) / len(draws))
    assert best_of_k(outcomes, k) == pytest.approx(sum(map(max, draws)) / len(draws))
    assert worst_of_k(outcomes, k) == pytest.approx(sum(map(min, draws)) / len(draws))


def test_means_of_tries_leave_out_short_tasks() -> None:
    assert mean_tries([(3, 3), (3, 0), (1, 1)], 2) == {"k": 2, "n": 2, "pass_at_k": 0.5, "pass_hat_k": 0.5}
    assert mean_tries([], 1)["pass_at_k"] is None
    with pytest.raises(ValueError, match="k = 0"):
        pass_at_k(3, 1, 0)


# --- orders -------------------------------------------------------------------------------------------------------


def test_a_firm_order_and_a_tie() -> None:
    scores = {"b": [0.0, 0.1] * 10, "a": [0.9, 1.0] * 10, "c": [0.9, 1.0] * 10}
    found = rank_stability(scores, [n // 2 for n in range(20)])
    assert [(p.name, p.rank, p.ranks, p.first) for p in found.places] == [
        ("a", 1.5, (1.5, 1.5), 0.5), ("c", 1.5, (1.5, 1.5), 0.5), ("b", 3.0, (3.0, 3.0), 0.0),
    ]  # fmt: skip
    assert found.tau == pytest.approx(1.0)
    assert found.beats["a", "c"] == 0.5 and found.beats["a", "b"] == 1.0
    assert rank_stability({}).places == () and rank_stability({"a": []}).tau is None
    assert rank_stability({"a": [1.0], "b": [0.0]}).places[0].ranks is None


def test_orders_of_rolls() -> None:
    assert roll_stability({"a": [3, 3, 1], "b": [2, 2, 2], "c": [1, 1, 3]}) == {
        "rolls": 3, "min_tau": pytest.approx(-1), "mean_tau": pytest.approx(-1 / 3),
    }  # fmt: skip
    assert roll_stability({"a": [1], "b": [2]})["min_tau"] is None
    assert roll_stability({}) == {"rolls": 0, "min_tau": None, "mean_tau": None}


def test_picking_leaders_flatters_and_cross_fitting_does_not() -> None:
    scores = {"a": [1.0, 1.0, 0.0, 0.0], "b": [0.0, 0.0, 1.0, 1.0]}
    found = leaders_composite(scores, ["i", "i", "ii", "ii"])
    assert (found.score, found.cross_fitted, found.best_single_score) == (1.0, 1.0, 0.5)
    assert found.leaders == {"i": ("a",), "ii": ("b",)}
    # Chance alone: each is right on one task, so the leader elsewhere is always wrong here.
    luck = leaders_composite({"a": [1.0, 0.0], "b": [0.0, 1.0]}, ["i", "i"])
    assert (luck.score, luck.cross_fitted, luck.leaders["i"]) == (0.5, 0.0, ("a", "b"))
    assert leaders_composite({"a": [1.0]}, ["i"]).cross_fitted is None
    assert leaders_composite({}, []).score is None


@given(st.dictionaries(st.text("abc", max_size=3), st.tuples(st.none() | unit, st.none() | unit), max_size=8))
def test_the_front_is_what_nothing_beats(points: dict[str, tuple[float | None, float | None]]) -> None:
    known = {name: (c, s) for name, (c, s) in points.items() if c is not None and s is not None}
    expected = {
        name for name, (cost, score) in known.items()
        if not any(c <= cost and s >= score and (c, s) != (cost, score) for c, s in known.values())
    }  # fmt: skip
    found = pareto_front(points)
    assert set(found) == expected and len(found) == len(expected)
    assert [known[name][0] for name in found] == sorted(known[name][0] for name in found)


# --- the summary --------------------------------------------------------------------------------------------------


def item(name: str, weight: int = 1, *, gate: bool = False, kind: str = "value") -> Item:
    return Item(id=name, kind=kind, weight=weight, gate=gate, check="x", params={}, truth_path=name)


ITEMS = (item("a", 3), item("b", 1, kind="total"))
GATED = (*ITEMS, item("g", 0, gate=True, kind="gate"))


def row(task: int, ends: Sequence[Verdict], run: str = "m", roll: int = 1, **more: Any) -> Row:
    items = GATED if len(ends) == 3 else ITEMS
    verdicts = {one.id: end for one, end in zip(items, ends, strict=True)}
    importance, upper, strict = weigh(items, verdicts)
    result = Result(
        task_id=f"t{task:03}{'w' if more.get('is_twin') else ''}{more.get('setup', '')}", roll=roll, condition="full",
        status="ok" if importance is not None else "error", items=verdicts, importance=importance, strict=strict,
        importance_upper=upper,
    )  # fmt: skip
    factors = Factors(
        world=f"w{task % 4}", profile="p", register_name=("formal", "colloquial")[task % 2], core=5 + task % 6,
        distractors=8, gap_share=(task % 3) / 2, turns=20, distance=9, mechanisms=("m1", "m2")[: 1 + task % 2],
    )  # fmt: skip
    base: dict[str, Any] = {"mode": "iii", "lang": "zh"}
    return Row(run=run, result=result, instance_id=f"x{task}", items=items, factors=factors, **(base | more))


QUICK = Setting(resamples=50)


def test_the_headline_by_hand() -> None:
    rows = [
        row(0, [HIT, HIT]), row(0, [HIT, MISS], roll=2),  # .75 and 1
        row(1, [MISS, UNSURE]), row(1, [ERROR, ERROR], roll=2),  # 0, upper .25
        row(2, [ERROR, ERROR]),
    ]  # fmt: skip
    group = summarise(rows, QUICK)["runs"]["m"]["groups"][0]
    assert (group["mode"], group["replies"], group["scored"], group["tasks"]) == ("iii", 5, 3, 2)
    assert (group["coverage"], group["is_ranked"], group["tasks_without_score"]) == (0.6, False, 1)
    assert group["statuses"] == {"error": 2, "ok": 3}
    assert group["importance"]["value"] == pytest.approx(0.875 / 2)
    assert group["importance_upper"]["value"] == pytest.approx((0.875 + 0.25) / 2)
    assert group["importance_equal_weights"]["value"] == pytest.approx(0.75 / 2)
    assert group["strict"]["value"] == pytest.approx(0.25)
    assert group["gap"] == pytest.approx(0.875 / 2 - 0.25)
    assert group["gate_rate"]["value"] is None
    assert group["importance"]["few_clusters"] is True
    rolls = group["rolls"]
    assert (rolls["k"], rolls["tasks_with_k"], rolls["best_of_k"], rolls["all_of_k"]) == (2, 1, 1.0, 0.75)


def test_items_that_any_roll_or_every_roll_hits() -> None:
    rolls = [{"a": HIT, "b": MISS, "g": HIT}, {"a": MISS, "b": HIT, "g": HIT}, {"a": ERROR, "b": ERROR, "g": ERROR}]
    assert merge_rolls(GATED, rolls) == (0.0, 1.0)
    assert merge_rolls(GATED, [{"a": HIT, "b": HIT, "g": MISS}]) == (0.0, 0.0)
    assert merge_rolls(GATED, [{}]) is None


def test_all_miss_has_an_interval_and_one_task_has_none() -> None:
    group = summarise([row(n, [MISS, MISS]) for n in range(20)], QUICK)["runs"]["m"]["groups"][0]
    figure = group["importance"]
    assert (figure["value"], figure["by_world"], figure["by_task"]) == (0.0, None, None)
    assert figure["wilson"] == pytest.approx([0.0, wilson(0, 20)[1]])  # type: ignore[index]
    assert "Wilson" in figure["note"]
    alone = summarise([row(0, [HIT, HIT])], QUICK)["runs"]["m"]["groups"][0]["importance"]
    assert (alone["value"], alone["by_world"], alone["wilson"]) == (1.0, None, None)
    assert alone["note"] == "fewer than two units to resample"


def test_misses_by_kind_and_by_failure() -> None:
    exposed = {"a": ("stale-value",), "b": ()}
    rows = [
        row(0, [MISS, HIT], exposed=exposed, taken={"a": ("stale-value",)}),
        row(1, [MISS, MISS], exposed=exposed, taken={}),
        row(2, [HIT, UNSURE], exposed=exposed, taken={}),
    ]
    items = summarise(rows, QUICK)["runs"]["m"]["groups"][0]["items"]
    assert items["by_kind"]["value"]["rate"] == pytest.approx(2 / 3)
    assert (items["by_kind"]["total"]["misses"], items["by_kind"]["total"]["unsure"]) == (1, 1)
    assert items["by_failure"] == {"stale-value": {"exposed": 3, "misses": 2, "taken": 1, "rate": pytest.approx(2 / 3)}}
    assert items["unexplained"] == {"unexposed": 1, "other_value": 2}
    blind = summarise([row(0, [MISS, HIT], exposed=exposed)], QUICK)["runs"]["m"]["groups"][0]["items"]
    assert blind["by_failure"]["stale-value"]["taken"] is None


def test_failures_are_matched_to_the_items_that_they_miss() -> None:
    paths = ("desk.qty", "chair.qty", "lamp.absent")
    items = tuple(item(p).model_copy(update={"truth_path": p}) for p in paths)
    key = Key(
        id="t", digest="d", state={}, answer={"desk.qty": 3, "chair.qty": 4}, items=items, evidence=(), split="eval",
        alternatives=(
            Alternative(name="stale", value={"desk.qty": 2, "chair.qty": 4}),
            Alternative(name="keeps", value={"desk.qty": 3, "chair.qty": 4, "lamp.qty": 1}),
        ), factors=row(0, [HIT, HIT]).factors,
    )  # fmt: skip
    assert exposed_failures(key) == {"desk.qty": ("stale",), "chair.qty": (), "lamp.absent": ("keeps",)}
    task = Task(id="t", mode="iii", lang="zh", messages=(Message(role="user", content="?"),), instance_id="x")
    result = row(0, [HIT, HIT]).result.model_copy(update={"task_id": "t"})
    assert row_of("m", result, task, key).exposed["desk.qty"] == ("stale",)
    with pytest.raises(ValueError, match="belong together"):
        row_of("m", row(0, [HIT, HIT]).result, task, key)


def test_twins_count_in_pairs_and_nowhere_else() -> None:
    ends = {0: (HIT, HIT), 1: (HIT, MISS), 2: (MISS, HIT), 3: (MISS, MISS)}
    rows = [row(n, [HIT, HIT, base]) for n, (base, _) in ends.items()]
    rows += [row(n, [HIT, HIT, twin], is_twin=True) for n, (_, twin) in ends.items()]
    rows += [row(9, [HIT, HIT, HIT]), row(8, [HIT, HIT, HIT], is_twin=True)]
    group = summarise(rows, QUICK)["runs"]["m"]["groups"][1]
    assert group["tasks"] == 5
    pairs = group["pairs"]
    assert (pairs["instances"], pairs["incomplete"]) == (4, 1)
    for figure in ("gate", "strict"):
        assert [pairs[figure][end] for end in ("both", "base_only", "twin_only", "neither")] == [1, 1, 1, 1]
        assert pairs[figure]["consistency"]["value"] == 0.25
    assert summarise([row(0, [HIT, HIT])], QUICK)["runs"]["m"]["groups"][0]["pairs"] is None


def test_what_probes_say_of_a_miss() -> None:
    outcomes: list[tuple[bool | None, bool | None, bool | None]] = [
        (True, True, True),
        (False, True, False),
        (True, False, False),
        (True, True, False),
    ]
    outcomes += [(False, False, True), (None, True, False), (True, None, False), (False, None, False)]
    assert probe_outcomes([*outcomes, (True, True, None)]) == {
        "right": 2, "did_not_know": 2, "forgot": 1, "violated": 1, "unknown": 3,
    }  # fmt: skip
    rows = [
        row(0, [HIT, HIT, MISS]),
        row(0, [HIT, HIT, HIT], setup="knowledge-probe"),
        row(0, [HIT, HIT, MISS], setup="recall-probe"),
        row(1, [HIT, HIT, HIT]),
    ]
    found = summarise(rows, QUICK)["runs"]["m"]
    assert [g["tasks"] for g in found["groups"]] == [2, 2]
    assert found["probes"][0]["forgot"] == 1 and found["probes"][0]["right"] == 0


def test_thirds_keep_ties_together() -> None:
    assert thirds([1, 2, 3, 4, 5, 6]) == ["1-2", "1-2", "3-4", "3-4", "5-6", "5-6"]
    assert thirds([1, 1, 1, 1, 9, 9]) == ["1", "1", "1", "1", "9", "9"]
    assert thirds([2, 2]) == [None, None] and thirds([]) == []


def test_effects_of_factors_by_hand() -> None:
    # Colloquial (odd) tasks score 0, formal ones 1; core does not matter within a register.
    rows = [row(n, [MISS, MISS] if n % 2 else [HIT, HIT]) for n in range(24)]
    by = next(g for g in summarise(rows, QUICK)["runs"]["m"]["groups"] if g["mode"] == "iii")
    formal = by["by"]["register"]["formal"]
    assert (formal["n"], formal["importance"], formal["effect"]) == (12, 1.0, 1.0)
    assert by["by"]["register"]["colloquial"]["effect"] == -1.0
    assert by["by"]["mechanism"]["m1"]["effect"] is None  # every task has it
    assert by["by"]["mechanism"]["m2"]["effect"] == -1.0
    assert by["by"]["profile"]["p"]["note"] == "not defined on the sample"
    assert set(by["by"]["world"]) == {"w0", "w1", "w2", "w3"}
    assert by["by"]["world"]["w0"]["interval_over"] == "tasks"
    assert by["slopes"]["distractors"]["slope"] is None
    xs = [5 + n % 6 for n in range(24)]
    expected = sum((x - 7.5) * (1 - n % 2) for n, x in enumerate(xs)) / sum((x - 7.5) ** 2 for x in xs)
    assert by["slopes"]["core"]["slope"] == pytest.approx(expected)


def random_rows(runs: int, rng: random.Random, tasks: int = 24) -> list[Row]:
    rows = []
    for n, run, roll, mode in itertools.product(range(tasks), range(runs), (1, 2), ("iii", "vi")):
        ends = [HIT if rng.random() < 0.5 + 0.05 * run else MISS for _ in range(3)]
        rows.append(
            row(n + 1000 * (mode == "vi"), ends, f"r{run}", roll, mode=mode, whole=Usage(money=0.01 * (run + 1)))
        )
    return rows


def test_runs_are_compared_within_declared_families() -> None:
    block = summarise(random_rows(3, random.Random(1)), QUICK)["blocks"][0]
    families = [(c["family"], c["mode"]) for c in block["comparisons"]]
    assert families.count(("overall", "all")) == 3 and families.count(("per mode", "vi")) == 3
    for comparison in block["comparisons"]:
        assert comparison["family_size"] == (3 if comparison["family"] == "overall" else 6)
        for test in comparison["tests"].values():
            assert test["p"] <= test["p_holm"] <= 1
    assert len(block["order"]["places"]) == 3 and block["order"]["n"] == 48
    assert block["order"]["composite"]["score"] >= block["order"]["composite"]["best_single_score"]
    assert set(block["pareto"]) <= {"r0", "r1", "r2"} and block["pareto"][0] == "r0"
    chosen = summarise(random_rows(3, random.Random(1)), QUICK, pairs=[("r0", "r2")])["blocks"][0]["comparisons"]
    assert [(c["one"], c["other"]) for c in chosen] == [("r0", "r2")] * 3


def test_a_run_with_gaps_is_compared_but_not_ranked() -> None:
    rows = [row(n, [HIT, HIT], "a") for n in range(10)]
    rows += [row(n, [ERROR, ERROR] if n < 3 else [HIT, HIT], "b") for n in range(10)]
    block = summarise(rows, QUICK)["blocks"][0]
    assert block["unranked"] == ["b"] and [p["name"] for p in block["order"]["places"]] == ["a"]
    comparison = block["comparisons"][0]
    assert (comparison["n"], comparison["only_one"], comparison["only_other"]) == (7, 3, 0)
    assert comparison["tests"]["wilcoxon"]["p_holm"] == 1.0 and comparison["cohens_dz"] is None


def test_simulated_respondents_take_no_place_among_models() -> None:
    rows = [row(n, [HIT, HIT], "sim/oracle", is_simulated=True) for n in range(4)]
    only = summarise(rows, QUICK)["blocks"][0]
    assert only["is_simulated"] is True and only["order"]["places"][0]["name"] == "sim/oracle"
    both = summarise([*rows, *(row(n, [HIT, MISS], "m") for n in range(4))], QUICK)["blocks"][0]
    assert [p["name"] for p in both["order"]["places"]] == ["m"] and both["comparisons"] == []
    assert both["task_statistics"]["configurations"] == 1


def test_discrimination_needs_eight_real_configurations() -> None:
    few = summarise(random_rows(7, random.Random(2), 5), QUICK)["blocks"][0]["task_statistics"]
    assert all(task["r_rest"] is None for task in few["tasks"].values()) and "8 real" in few["note"]
    many = summarise(random_rows(8, random.Random(2), 5), QUICK)["blocks"][0]["task_statistics"]
    assert any(task["r_rest"] is not None for task in many["tasks"].values()) and many["note"] == ""
    assert all(task["n"] == 8 for task in many["tasks"].values())


def test_cost_tells_unknown_from_zero() -> None:
    rows = [row(n, [HIT, HIT], whole=Usage(input_tokens=100, money=0.5 * n)) for n in range(3)]
    cost = summarise([*rows, row(4, [HIT, HIT])], QUICK)["runs"]["m"]["groups"][0]["cost"]
    assert cost["whole"]["money"] == {"per_reply": 0.5, "total": 1.5, "known": 3}
    assert cost["final"]["input_tokens"] == {"per_reply": None, "total": None, "known": 0}


def test_what_a_store_tells_becomes_usage_and_what_it_lacks_is_counted() -> None:
    assert usage_of({"input": 5, "reasoning": 2}, Decimal("0.25"), 1.5) == Usage(5, None, None, 2, 0.25, 1.5)
    assert usage_of(None) == Usage()
    missing = replace(row(1, [HIT, HIT]), result=absent_result("t1", 1, "full", "pending"))
    group = summarise([row(0, [HIT, HIT]), missing], QUICK)["runs"]["m"]["groups"][0]
    assert (group["coverage"], group["statuses"]) == (0.5, {"ok": 1, "pending": 1})


def test_a_roll_twice_is_refused() -> None:
    with pytest.raises(ValueError, match="twice"):
        summarise([row(0, [HIT, HIT]), row(0, [HIT, MISS])], QUICK)


def test_nothing_in_and_nothing_breaks() -> None:
    found = summarise([])
    assert (found["runs"], found["blocks"]) == ({}, [])
    assert "Mean over tasks" in found["about"]["estimand"]


verdict = st.sampled_from(list(Verdict))


@settings(deadline=None, max_examples=25)
@given(
    st.dictionaries(
        st.tuples(st.integers(0, 5), st.sampled_from("ab"), st.integers(1, 3), st.booleans()),
        st.lists(verdict, min_size=2, max_size=3), max_size=12,
    ),
    st.randoms(),
)  # fmt: skip
def test_a_summary_is_json_and_knows_no_order(replies: dict[Any, list[Verdict]], rng: random.Random) -> None:
    rows = [
        # A task has its gate in every reply.
        row(n, [*ends[:2], *([HIT] if n % 2 else [])], run, roll, is_twin=twin, mode="iii" if n < 4 else "v")
        for (n, run, roll, twin), ends in replies.items()
    ]
    small = Setting(resamples=10)
    text = json.dumps(summarise(rows, small), allow_nan=False)
    assert json.dumps(summarise(rng.sample(rows, len(rows)), small), allow_nan=False) == text
