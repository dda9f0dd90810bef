"""Prediction-powered inference and Rogan-Gladen, against figures made elsewhere.

Tuned references come from ppi-python 0.2.3 (`ppi_mean_pointestimate`, `ppi_mean_ci`), the plain ones are by hand.
"""

from __future__ import annotations

import math
import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from generator.scoring.statistics import (
    PPIEstimate,
    power_tuning,
    ppi_difference,
    ppi_mean,
    ppi_pool,
    ppi_sample,
    rogan_gladen,
)

LABELS = [1, 0, 1, 1, 0, 1, 1, 0, 1, 1]
SAID = [1, 0, 1, 0, 0, 1, 1, 1, 1, 1]
REST = [1, 1, 0, 1, 0, 1, 1, 1, 0, 1, 0, 1, 1, 1, 0, 1, 1, 0, 1, 1]
SHARES = (
    [0.9, 0.4, 0.55, 0.7, 0.2, 0.95, 0.6, 0.35],
    [0.8, 0.5, 0.5, 0.75, 0.3, 0.9, 0.4, 0.45],
    [0.6, 0.7, 0.2, 0.9, 0.85, 0.4, 0.55, 0.65, 0.75, 0.3, 0.5, 0.95],
)
unit = st.floats(0, 1, allow_nan=False)


def test_the_plain_estimate_is_the_mean_of_the_machine_plus_that_of_its_errors() -> None:
    # Rest: 14 of 20, variance .21. Errors: +1 and -1 among ten, mean 0, variance .2. SE = sqrt(.0105 + .02).
    found = ppi_mean(LABELS, SAID, REST, lam=1.0)
    assert found.estimate == pytest.approx(0.7)
    assert found.se == pytest.approx(math.sqrt(0.0305))
    assert found.interval == pytest.approx((0.7 - 1.959963984540054 * math.sqrt(0.0305), 1.0))
    assert [found.naive, found.rectifier] == pytest.approx([0.7, 0.0])
    assert found.is_clipped and not found.caution


@pytest.mark.parametrize(
    ("sample", "estimate", "low", "high"),
    [
        ((LABELS, SAID, REST), 0.7, 0.4432297700968556, 0.9567702299031443),
        (SHARES, 0.6017014768635818, 0.47456788549422557, 0.728835068232938),
    ],
)
def test_the_tuned_estimate_is_that_of_ppi_python(
    sample: tuple[list[float], list[float], list[float]], estimate: float, low: float, high: float
) -> None:
    found = ppi_mean(*sample)
    assert found.estimate == pytest.approx(estimate, abs=1e-12)
    assert found.interval == pytest.approx((low, high), abs=1e-12)


def test_weight_zero_is_the_mean_of_the_labels() -> None:
    found = ppi_mean(LABELS, SAID, REST, lam=0.0)
    assert [found.estimate, found.se] == pytest.approx([0.7, math.sqrt(0.21 / 10)])


def test_predictions_that_say_nothing_get_no_weight() -> None:
    assert power_tuning([1, 0, 1], [0, 1, 0], [0, 1, 1]) == 0.0
    assert power_tuning([1, 0, 1], [1, 1, 1], [1, 1]) == 0.0
    assert power_tuning([1], [1], [0, 1]) == 0.0
    assert power_tuning([1, 0], [1, 0], []) == 0.0


def test_without_labels_the_score_stands_uncorrected_and_says_so() -> None:
    found = ppi_mean([], [], REST)
    assert found.estimate is None and found.interval is None
    assert found.naive == pytest.approx(0.7)
    assert "uncorrected" in found.caution


def test_without_other_items_the_labels_stand_alone() -> None:
    found = ppi_mean(LABELS, SAID, [])
    assert [found.estimate, found.lam, found.naive] == pytest.approx([0.7, 0.0, 0.7])
    assert found.interval is not None


def test_one_label_has_no_interval() -> None:
    found = ppi_mean([1], [0], REST, lam=1.0)
    assert (found.estimate, found.interval, found.is_clipped) == (1.0, None, True)
    assert found.caution == "one label: no interval"


def test_nothing_varies_and_nothing_has_no_width() -> None:
    found = ppi_mean([1] * 30, [1] * 30, [1] * 100, lam=1.0)
    assert (found.estimate, found.se, found.interval) == (1.0, None, None)
    assert found.caution.startswith("nothing varies")


def test_no_error_among_the_labels_is_no_proof_of_none() -> None:
    found = ppi_mean([1, 0] * 15, [1, 0] * 15, [1, 0, 1, 1] * 25, lam=1.0)
    assert found.interval is not None
    assert "up to 9.5%" in found.caution  # 1 - .05 ** (1 / 30): the rule of three


def test_labelled_items_are_taken_out_of_the_rest() -> None:
    scores = [*SAID, *REST]
    assert ppi_sample(scores, dict(enumerate(map(float, LABELS)))) == ppi_mean(LABELS, SAID, REST)
    with pytest.raises(ValueError, match="place 40"):
        ppi_sample(scores, {40: 1.0})


def test_a_difference_of_independent_means() -> None:
    one, other = ppi_mean(LABELS, SAID, REST, lam=1.0), ppi_mean(*SHARES)
    found = ppi_difference(one, other)
    assert one.se is not None and other.se is not None and one.estimate is not None and other.estimate is not None
    z = (one.estimate - other.estimate) / math.hypot(one.se, other.se)
    assert found.z == pytest.approx(z)
    assert found.p == pytest.approx(math.erfc(z / math.sqrt(2)))
    flat = ppi_mean([1] * 5, [1] * 5, [1] * 5)
    assert ppi_difference(flat, one).p is None
    assert ppi_difference(flat, ppi_mean([], [], [1.0])).estimate is None


def test_strata_are_pooled_by_weight() -> None:
    one, other = ppi_mean(LABELS, SAID, REST), ppi_mean(*SHARES)
    assert one.se is not None and other.se is not None
    found = ppi_pool([(one, 30), (other, 10)])
    assert found.estimate == pytest.approx(0.75 * 0.7 + 0.25 * 0.6017014768635818)
    assert found.se == pytest.approx(math.hypot(0.75 * one.se, 0.25 * other.se))
    assert ppi_pool([(one, 1)]).interval == pytest.approx(one.interval)
    none: PPIEstimate = ppi_mean([], [], REST)
    assert ppi_pool([(one, 1), (none, 1)]).estimate is None
    flat = ppi_mean([1] * 5, [1] * 5, [1] * 5)
    assert ppi_pool([(one, 1), (flat, 1)]).interval is None
    with pytest.raises(ValueError, match="weights"):
        ppi_pool([])


@pytest.mark.parametrize("bad", [math.nan, math.inf])
def test_what_is_not_finite_is_refused(bad: float) -> None:
    with pytest.raises(ValueError, match="leave out"):
        ppi_mean([bad, 1], [1, 1], [1])
    with pytest.raises(ValueError, match="lengths"):
        ppi_mean([1], [1, 1], [1])


@given(st.lists(st.tuples(unit, unit), max_size=12), st.lists(unit, max_size=12), st.none() | unit)
def test_estimates_are_defined_or_none(pairs: list[tuple[float, float]], rest: list[float], lam: float | None) -> None:
    found = ppi_mean([y for y, _ in pairs], [f for _, f in pairs], rest, lam=lam)
    assert (found.estimate is None) == (not pairs)
    for figure in (found.estimate, found.se, found.naive, *(found.interval or ())):
        assert figure is None or (math.isfinite(figure) and 0 <= figure <= 1)
    if found.interval and found.estimate is not None:
        assert found.interval.low <= found.estimate <= found.interval.high
    assert found.lam is None or 0 <= found.lam <= 1


def test_the_interval_covers() -> None:
    rng = random.Random(5)
    covered, rounds, truth = 0, 400, 0.6
    for _ in range(rounds):
        true = [float(rng.random() < truth) for _ in range(300)]
        said = [y if rng.random() < 0.85 else 1 - y for y in true]
        found = ppi_sample(said, {place: true[place] for place in rng.sample(range(300), 80)})
        assert found.interval is not None
        covered += found.interval.low <= truth <= found.interval.high
    assert 0.91 <= covered / rounds <= 0.985


def test_rogan_gladen_undoes_known_errors() -> None:
    # 23 of 150 with sensitivity .96 and specificity .89: 5.1 %, the worked example of R's epiR::epi.prev.
    found = rogan_gladen(23, 150, 0.96, 0.89)
    assert found.estimate == pytest.approx((23 / 150 + 0.89 - 1) / 0.85)
    assert found.estimate == pytest.approx(0.051, abs=5e-4)
    assert found.interval is not None
    assert found.interval.low == pytest.approx(0.0, abs=5e-3)
    assert found.interval.high == pytest.approx(0.13, abs=5e-3)
    assert "sensitivity analysis" in found.label


def test_rogan_gladen_by_hand_with_calibration_noise() -> None:
    z2 = 1.959963984540054**2
    p, se, sp = (40 + z2 / 2) / (100 + z2), 91 / 102, 181 / 202
    centre = (p + sp - 1) / (se + sp - 1)
    v_se, v_sp = se * (1 - se) / 102, sp * (1 - sp) / 202
    shift = 2 * z2 * (centre * v_se - (1 - centre) * v_sp)
    half = math.sqrt(z2 * (p * (1 - p) / (100 + z2) + centre**2 * v_se + (1 - centre) ** 2 * v_sp)) / (se + sp - 1)
    found = rogan_gladen(40, 100, 0.9, 0.9, 100, 200)
    assert found.interval == pytest.approx((centre + shift - half, centre + shift + half))
    exact = rogan_gladen(40, 100, 0.9, 0.9).interval
    assert exact is not None and found.interval is not None
    assert found.interval.high - found.interval.low > exact.high - exact.low


def test_rogan_gladen_without_a_useful_instrument() -> None:
    assert rogan_gladen(5, 10, 0.5, 0.5).estimate is None
    assert rogan_gladen(5, 10, 0.4, 0.5).reason.endswith("chance")
    assert rogan_gladen(0, 0, 0.9, 0.9).estimate is None
    assert rogan_gladen(5, 10, 0.9, 0.9, 0, 10).estimate is None
    clipped = rogan_gladen(0, 20, 0.9, 0.9)
    assert (clipped.estimate, clipped.was_clipped) == (0.0, True)
    assert clipped.interval is not None and clipped.interval.high > 0
    with pytest.raises(ValueError, match="sensitivity"):
        rogan_gladen(1, 2, 1.5, 0.9)


@given(st.integers(0, 40), st.integers(0, 40), unit, unit, st.none() | st.integers(0, 50))
def test_rogan_gladen_is_never_outside(hits: int, more: int, se: float, sp: float, size: int | None) -> None:
    found = rogan_gladen(hits, hits + more, se, sp, size, size)
    for figure in (found.estimate, *(found.interval or ())):
        assert figure is None or 0 <= figure <= 1
    assert bool(found.reason) or found.interval is not None
