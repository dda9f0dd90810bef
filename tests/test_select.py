"""Stages 1 and 6, and the figures about a pool: balanced, deterministic, honest about what is not defined."""

from __future__ import annotations

from collections import Counter
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from support.cases import shop
from support.worlds import LANGS

from generator.audit.policy import Preset
from generator.language.forms import REGISTERS
from generator.modes import find_mode
from generator.records import Factors, Lang
from generator.scoring.statistics import pearson
from generator.stages.figures import balance_of
from generator.stages.s1_anchor import CORE, DISTRACTORS, GAP, Anchor, Settings, anchor_of
from generator.stages.s6_select import Screened, screen_pool, select

POOL = 243
QUOTAS = ("world", "register", "core")
PRESET = Preset(quotas=QUOTAS, core_bin=3, distractors_bin=6, saturated=0.97, hopeless=0.03)


def anchors(lang: Lang, seed: int, count: int = POOL, fixed: Settings | None = None) -> list[Anchor]:
    return [anchor_of(find_mode("iii"), shop(lang).kits, seed, n, fixed or Settings()) for n in range(count)]


def factors_of(anchor: Anchor) -> Factors:
    return Factors(
        world=anchor.kit.id,
        profile=anchor.profile,
        register_name=anchor.register,
        core=anchor.core,
        distractors=anchor.distractors,
        gap_share=anchor.gap_share,
    )


# Stage 1 ------------------------------------------------------------------------------------


@pytest.mark.parametrize("lang", LANGS)
@pytest.mark.parametrize("seed", [1, 2, 3, 99, 2**127])
def test_designed_factors_do_not_go_together(lang: Lang, seed: int) -> None:
    balance = balance_of([factors_of(a) for a in anchors(lang, seed)])
    assert balance["max_designed"] <= 0.1, balance["designed"]
    assert set(balance["designed"]) == {
        "core~distractors", "core~gap_share", "core~register", "distractors~gap_share", "distractors~register",
        "gap_share~register",
    }  # fmt: skip


@pytest.mark.parametrize("lang", LANGS)
def test_every_level_and_world_is_equally_common(lang: Lang) -> None:
    drawn = anchors(lang, 5)
    assert set(Counter(a.register for a in drawn).values()) == {POOL // 3}
    worlds = Counter(a.kit.id for a in drawn)
    assert max(worlds.values()) - min(worlds.values()) <= 1
    assert set(worlds) == {k.id for k in shop(lang).kits}
    primary = Counter(a.mechanisms[0] for a in drawn)
    assert max(primary.values()) - min(primary.values()) <= 1


@pytest.mark.parametrize("profile", CORE)
def test_factors_stay_within_their_ranges(profile: str) -> None:
    for anchor in anchors("zh", 8, 90, Settings(profile=profile)):
        assert CORE[profile][0] <= anchor.core <= CORE[profile][1]
        assert DISTRACTORS[profile][0] <= anchor.distractors <= DISTRACTORS[profile][1]
        assert GAP[0] <= anchor.gap_share <= GAP[1]
        assert 2 <= len(anchor.mechanisms) <= 3
        assert len(set(anchor.mechanisms)) == len(anchor.mechanisms)


def test_fixed_factors_are_kept_and_are_uncorrelated_by_definition() -> None:
    fixed = Settings(turns=11, distractors=0, gap=0.5, register="formal")
    drawn = anchors("zh", 8, 30, fixed)
    assert {(a.core, a.distractors, a.gap_share, a.register) for a in drawn} == {(11, 0, 0.5, "formal")}
    balance = balance_of([factors_of(a) for a in drawn])
    assert set(balance["designed"].values()) == {None}
    assert balance["max_designed"] is None


def test_anchor_depends_on_seed_and_index_alone() -> None:
    assert anchors("zh", 5, 40) == anchors("zh", 5, 40)
    assert anchors("zh", 5, 40) != anchors("zh", 6, 40)
    assert anchors("zh", 5, 40)[:20] == anchors("zh", 5, 20)


# Figures ------------------------------------------------------------------------------------


def test_correlation_is_pearsons_or_not_defined() -> None:
    assert pearson([1, 2, 3], [2, 4, 6]) == pytest.approx(1)
    assert pearson([1, 2, 3], [3, 2, 1]) == pytest.approx(-1)
    assert pearson([1, 0, 1, 0], [1, 1, 0, 0]) == pytest.approx(0)
    assert pearson([1, 1, 1], [1, 2, 3]) is None
    assert pearson([1], [2]) is None
    assert pearson([], []) is None
    with pytest.raises(ValueError, match="lengths"):
        pearson([1], [])


@settings(max_examples=80, deadline=None)
@given(st.lists(st.tuples(st.floats(-1e3, 1e3), st.floats(-1e3, 1e3)), min_size=2, max_size=30))
def test_correlation_lies_between_minus_one_and_one_and_is_symmetric(points: list[tuple[float, float]]) -> None:
    one, other = [x for x, _ in points], [y for _, y in points]
    r = pearson(one, other)
    assert r is None or -1.000001 <= r <= 1.000001
    back = pearson(other, one)
    assert (r is None) == (back is None)
    assert r is None or r == pytest.approx(back)


def test_figures_of_no_task() -> None:
    balance = balance_of([])
    assert balance["spans"] == {}
    assert balance["max_designed"] is None


# Stage 6 ------------------------------------------------------------------------------------


def screened(count: int, seed: int = 1) -> dict[str, Screened]:
    rng = Random(seed)
    found = {}
    for _number in range(count):
        strata = {
            "world": f"w{rng.randrange(4)}", "register": rng.choice(REGISTERS), "core": str(rng.randrange(3)),
        }  # fmt: skip
        name = f"{rng.getrandbits(64):016x}"
        r = rng.choice([None, round(rng.uniform(-0.2, 0.9), 6)])
        found[name] = Screened(name, strata, round(rng.uniform(0.2, 0.9), 6), r)
    return found


def test_worlds_are_kept_in_balance() -> None:
    pool = screened(200)
    chosen = select(pool, 40, PRESET).chosen
    assert len(chosen) == len(set(chosen)) == 40
    assert set(Counter(pool[c].strata["world"] for c in chosen).values()) == {10}
    for quota in QUOTAS[1:]:
        counts = Counter(pool[c].strata[quota] for c in chosen)
        assert max(counts.values()) - min(counts.values()) <= 3, counts


def test_quota_that_the_pool_cannot_meet_is_met_as_far_as_it_goes() -> None:
    pool = {n: s._replace(strata={**s.strata, "world": "w0"}) for n, s in screened(20).items()}
    rare = Screened("0" * 16, {"world": "w1", "register": "formal", "core": "0"}, 0.5, None)
    chosen = select({**pool, rare.id: rare}, 10, PRESET).chosen
    assert rare.id in chosen[:2]
    assert len(chosen) == 10


def test_choice_does_not_depend_on_the_order_of_the_pool() -> None:
    pool = screened(80)
    names = sorted(pool)
    Random(2).shuffle(names)
    assert select({n: pool[n] for n in names}, 25, PRESET) == select(pool, 25, PRESET)


def test_ties_go_by_id() -> None:
    same = {"world": "w", "register": "formal", "core": "0"}
    pool = {n: Screened(n, same, 0.5, 0.3) for n in ("c", "a", "b")}
    assert select(pool, 3, PRESET).chosen == ("a", "b", "c")
    assert select(pool, 9, PRESET).chosen == ("a", "b", "c")
    assert select(pool, 0, PRESET).chosen == ()


def test_higher_screen_r_comes_first_within_a_stratum() -> None:
    same = {"world": "w", "register": "formal", "core": "0"}
    pool = {n: Screened(n, same, 0.5, r) for n, r in (("a", 0.1), ("b", 0.8), ("c", None), ("d", -0.5))}
    assert select(pool, 4, PRESET).chosen == ("b", "a", "d", "c")


def test_a_first_stratum_goes_by_its_number_after_the_quotas() -> None:
    """Travel instances take turns by number; the pool's later ones only stand in for those that are dropped."""
    pool = {
        f"{task}{n}": Screened(f"{task}{n}", {"task": task, "number": str(n)}, 0.99 if n == 1 else 0.5, float(n))
        for task in "ab"
        for n in range(12)
    }
    preset = Preset(quotas=("task",), core_bin=3, distractors_bin=6, saturated=0.97, hopeless=0.0, first="number")
    chosen = select(pool, 6, preset).chosen
    assert sorted(chosen) == ["a0", "a2", "a3", "b0", "b2", "b3"]


def test_saturated_and_hopeless_are_dropped_with_a_reason() -> None:
    pool = screened(6)
    easy, hard = sorted(pool)[:2]
    pool[easy] = pool[easy]._replace(screen_p=1.0)
    pool[hard] = pool[hard]._replace(screen_p=0.0)
    found = select(pool, 6, PRESET)
    assert set(found.dropped) == {easy, hard}
    assert len(found.chosen) == 4
    assert set(found.screen) == set(pool)
    assert all(found.dropped.values())


def test_screen_is_the_mean_and_the_correlation_with_the_rest() -> None:
    scores = {"a": [1.0, 0.0, 0.5], "b": [1.0, 0.2, 0.6], "c": [0.4, 0.4, 0.4]}
    found = screen_pool(scores, {n: {} for n in scores})
    assert found["a"].screen_p == 0.5
    assert found["a"].screen_r == pytest.approx(pearson([1.0, 0.0, 0.5], [1.4, 0.6, 1.0]), abs=1e-6)
    assert found["c"].screen_r is None
    assert screen_pool({}, {}) == {}
