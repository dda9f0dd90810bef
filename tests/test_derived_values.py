"""Derived values of update chains: columns, figures, shares and their rounding, and working days."""

from __future__ import annotations

import datetime as dt
from collections.abc import Callable

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from support.chains import ask, bench_chain, day
from support.hand_made import A, B, ev, lead, rate
from support.worlds import bench

from generator.records import Event
from generator.states.update_chain.backward import answer_backward
from generator.states.update_chain.chain import Answer, Chain, InvalidChainError
from generator.states.update_chain.forward import answer_forward
from generator.states.update_chain.world import World

PATHS: dict[str, Callable[[World, Chain], Answer]] = {"replay": answer_forward, "look back": answer_backward}
both_paths = pytest.mark.parametrize("path", PATHS.values(), ids=PATHS)


@both_paths
def test_columns(path: Callable[[World, Chain], Answer]) -> None:
    values = path(*bench_chain(ev("set", A, 30, "weight"), columns=("load", "ends", "both", "rest", "square"))).values
    assert values["item_a.load"] == 360  # 12 x 3.0, in tenths
    assert values["item_b.load"] == 800
    assert values["item_a.ends"] == day(6, 19)  # 16 June and three days
    assert values["item_a.both"] == 24
    assert values["item_a.rest"] == 0
    assert values["item_a.square"] == 144


@both_paths
def test_figures(path: Callable[[World, Chain], Answer]) -> None:
    figures = ("pieces", "mass", "lines", "first", "last", "exact", "share", "gross", "net")
    values = path(*bench_chain(rate(1000), figures=figures)).values
    assert values["sheet.pieces"] == 32
    assert values["sheet.mass"] == 300 + 800
    assert values["sheet.lines"] == 2
    assert values["sheet.first"] == 540
    assert values["sheet.last"] == day(6, 18)
    assert values["sheet.exact"] == 110
    assert values["sheet.share"] == 110
    assert values["sheet.gross"] == 1210
    assert values["sheet.net"] == 1210 - 110 - 110


@both_paths
def test_figures_leave_out_what_is_off_and_keep_what_is_not_shown(path: Callable[[World, Chain], Answer]) -> None:
    figures = ("pieces", "lines", "first", "last")
    off = path(*bench_chain(ev("cancel", B, field=None), figures=figures)).values
    assert (off["sheet.pieces"], off["sheet.lines"], off["sheet.last"]) == (12, 1, day(6, 16))
    part = path(*bench_chain(figures=figures, rows=(A,)))
    assert (part.values["sheet.pieces"], "item_b.qty" in part.values, part.absent) == (32, False, ())


@both_paths
@pytest.mark.parametrize(("points", "share"), [(704, 70), (706, 71), (1000, 100), (4, 0), (6, 1)])
def test_share_rounds_to_the_nearest(points: int, share: int, path: Callable[[World, Chain], Answer]) -> None:
    # 8 x 2.5 + 20 x 4.0 is 100.0: 1,000 tenths.
    assert path(*bench_chain(rate(points), ev("set", A, 8), figures=("share",))).values["sheet.share"] == share


@both_paths
@pytest.mark.parametrize("points", [5, 705, 715, 9_995])
def test_rounding_tie_is_refused(points: int, path: Callable[[World, Chain], Answer]) -> None:
    with pytest.raises(InvalidChainError):
        path(*bench_chain(rate(points), ev("set", A, 8), figures=("share",)))


@both_paths
@pytest.mark.parametrize(("points", "coins"), [(42_800, 100), (42_900, 200), (28_600, 100), (14_000, 0)])
def test_money_rounds_to_whole_units(points: int, coins: int, path: Callable[[World, Chain], Answer]) -> None:
    assert path(*bench_chain(rate(points), ev("set", A, 15), figures=("coins",))).values["sheet.coins"] == coins


def count_working_days(start: int, days: int, step: int) -> int:
    """Return the date `days` working days away, one day at a time."""
    at = dt.date.fromordinal(start)
    while days:
        at += dt.timedelta(days=step)
        if at.strftime("%a") not in ("Sat", "Sun"):
            days -= 1
    return at.toordinal()


@settings(max_examples=300, deadline=None)
@given(start=st.integers(day(12, 1, 2026), day(1, 31, 2029)), days=st.integers(0, 45))
def test_working_days_match_a_count_day_by_day(start: int, days: int) -> None:
    only = Event("intro", A, values=(("qty", 1), ("weight", 10), ("start", 600), ("due", start)))
    chain = Chain((only, lead(days)), ask((), ("freeze", "launch")))
    wanted = {"sheet.freeze": count_working_days(start, days, -1), "sheet.launch": count_working_days(start, days, 1)}
    assert answer_forward(bench(), chain).values == wanted
    assert answer_backward(bench(), chain).values == wanted


@both_paths
@pytest.mark.parametrize(
    ("last", "days", "freeze", "launch"),
    [
        ((6, 18), 1, (2027, 6, 17), (2027, 6, 21)),  # Friday: the next working day is Monday
        ((6, 21), 1, (2027, 6, 18), (2027, 6, 22)),
        ((12, 31), 1, (2027, 12, 30), (2028, 1, 3)),  # the year ends on a Friday
        ((6, 19), 5, (2027, 6, 14), (2027, 6, 25)),  # from a Saturday
        ((6, 16), 10, (2027, 6, 2), (2027, 6, 30)),
    ],
)
def test_working_days_by_the_calendar(
    last: tuple[int, int],
    days: int,
    freeze: tuple[int, int, int],
    launch: tuple[int, int, int],
    path: Callable[[World, Chain], Answer],
) -> None:
    only = Event("intro", A, values=(("qty", 1), ("weight", 10), ("start", 600), ("due", day(*last))))
    values = path(bench(), Chain((only, lead(days)), ask((), ("freeze", "launch")))).values
    assert values["sheet.freeze"] == dt.date(*freeze).toordinal()
    assert values["sheet.launch"] == dt.date(*launch).toordinal()
