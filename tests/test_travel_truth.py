"""The truth of the eight travel tasks: two paths agree, margins and wrong alternatives are what they say."""

from __future__ import annotations

import math
from dataclasses import replace
from decimal import Decimal
from fractions import Fraction
from itertools import pairwise, permutations, product

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from generator.travel.truth import (
    allen,
    booking_price,
    direction,
    distance,
    frequency,
    opening_hours,
    sunset_train,
    ticket_price,
    walking_order,
)
from generator.travel.truth.allen import Interval, Relation, converse, relate, relate_by_points
from generator.travel.truth.booking_price import Booking, Room, Shift
from generator.travel.truth.booking_readings import RoomGroup, VagueBooking, VagueShift, read_bookings, read_totals
from generator.travel.truth.direction import DirectionQuery
from generator.travel.truth.distance import DistanceQuery
from generator.travel.truth.frequency import FrequencyQuery
from generator.travel.truth.opening_hours import HoursQuery, Place
from generator.travel.truth.plane import Point
from generator.travel.truth.rounding import is_tie, round_half_up
from generator.travel.truth.sunset_train import Ride, SunsetQuery
from generator.travel.truth.ticket_price import TicketOrder, Traveller
from generator.travel.truth.walking_order import Stop, WalkQuery

UNHURRIED = settings(deadline=None)  # cores are shared: a pause is no fault
MINUTES = st.integers(-1440, 2880)
INTERVALS = st.tuples(MINUTES, st.integers(1, 1500)).map(lambda p: Interval(p[0], p[0] + p[1]))
# a small map makes equal coordinates, ties and collinear points likely
POINTS = st.builds(Point, st.integers(0, 30), st.integers(0, 30)) | st.builds(
    Point, st.integers(-40_000, 40_000), st.integers(-40_000, 40_000)
)
TRAVELLERS = st.builds(
    Traveller, st.booleans(), st.booleans(), st.sampled_from([0, 2000, 3300, 3333, 5000, 6000]) | st.integers(0, 9999)
)
ORDERS = st.builds(
    TicketOrder, st.lists(TRAVELLERS, max_size=8).map(tuple), st.integers(0, 30_000), st.integers(0, 50_000)
)
RIDES = st.tuples(st.integers(0, 1439), st.integers(1, 200)).map(lambda p: Ride(p[0], p[0] + p[1]))
WALKS = st.builds(
    WalkQuery,
    POINTS,
    st.lists(POINTS, min_size=1, max_size=6).map(lambda ps: tuple(Stop(f"s{i}", p) for i, p in enumerate(ps))),
)


@st.composite
def bookings(draw: st.DrawFn) -> Booking:
    rooms = tuple(
        Room(f"k{i}", draw(st.integers(1, 20_000)), draw(st.integers(1, 4))) for i in range(draw(st.integers(1, 4)))
    )
    nights = draw(st.integers(3, 8))
    beds = [(i, g) for i, room in enumerate(rooms) for g in range(room.guests)]
    chosen = draw(st.lists(st.sampled_from(beds), max_size=4, unique=True))
    shifts = tuple(Shift(i, g, draw(st.integers(-3, 1)), draw(st.integers(-1, 3))) for i, g in chosen)
    return Booking(nights, rooms, shifts)


# --- intervals -------------------------------------------------------------------------------------------


def test_small_intervals_show_all_thirteen_relations() -> None:
    spans = [Interval(a, b) for a, b in product(range(5), repeat=2) if a < b]
    seen = {relate(a, b) for a, b in product(spans, repeat=2)}
    assert seen == set(Relation)
    assert len(seen) == 13


@UNHURRIED
@given(INTERVALS, INTERVALS)
def test_relations_agree_and_have_converses(first: Interval, second: Interval) -> None:
    assert relate(first, second) is relate_by_points(first, second)
    assert relate(second, first) is converse(relate(first, second))
    assert converse(converse(relate(first, second))) is relate(first, second)
    assert (relate(first, second) is Relation.EQUAL) == (first == second)


@UNHURRIED
@given(INTERVALS, INTERVALS, INTERVALS)
def test_before_and_during_are_transitive(a: Interval, b: Interval, c: Interval) -> None:
    for relation in (Relation.BEFORE, Relation.DURING, Relation.STARTS, Relation.FINISHES):
        if relate(a, b) is relation and relate(b, c) is relation:
            assert relate(a, c) is relation
    if relate(a, b) is Relation.MEETS and relate(b, c) is Relation.MEETS:
        assert relate(a, c) is Relation.BEFORE


@pytest.mark.parametrize(("start", "end"), [(5, 5), (6, 5)])
def test_an_empty_interval_is_refused(start: int, end: int) -> None:
    with pytest.raises(ValueError, match="ends after its start"):
        allen.Interval(start, end)


# --- opening hours ---------------------------------------------------------------------------------------


@UNHURRIED
@given(
    st.lists(st.lists(INTERVALS, max_size=3), max_size=4),
    INTERVALS,
    st.none() | st.integers(1, 300),
)
def test_opening_hours_agree(openings: list[list[Interval]], window: Interval, need: int | None) -> None:
    places = tuple(Place(f"p{i}", tuple(spans)) for i, spans in enumerate(openings))
    query = HoursQuery(places, window, need)
    assert opening_hours.solve(query) == opening_hours.resolve(query)


def _place(name: str, opens: str, closes: str) -> Place:
    return Place(name, opening_hours.unroll(None, (_clock(opens), _clock(closes)), None))


def _clock(text: str) -> int:
    hour, minute = text.split(":")
    return 60 * int(hour) + int(minute)


def test_hours_across_midnight() -> None:
    late, early, night = (
        _place("late", "18:00", "02:00"),
        _place("early", "09:00", "23:00"),
        ("night", "22:00", "23:59"),
    )
    window = opening_hours.clock_interval(_clock("22:30"), _clock("01:00"))
    places = (late, early, _place(*night))
    assert opening_hours.solve(HoursQuery(places, window)) == ("late",)
    assert opening_hours.solve(HoursQuery(places, window, 60)) == ("late", "night")
    assert opening_hours.open_minutes(early, window) == 30
    week = opening_hours.unroll((1200, 180), None, (540, 600))
    assert week == (Interval(-240, 180), Interval(1980, 2040))
    # yesterday's late opening reaches into this morning, and touching openings are one
    after = Place("after", opening_hours.unroll((_clock("20:00"), _clock("03:00")), None, None))
    assert opening_hours.solve(HoursQuery((after,), Interval(60, 120))) == ("after",)
    whole = Place("whole", (Interval(600, 1440), Interval(1440, 1600)))
    assert opening_hours.solve(HoursQuery((whole,), Interval(1400, 1500))) == ("whole",)
    assert opening_hours.relations(HoursQuery((whole,), Interval(1400, 1500))) == {"whole": (Relation.CONTAINS,)}


def test_an_opening_of_no_length_or_a_day_is_refused() -> None:
    with pytest.raises(ValueError, match="none or a whole day"):
        opening_hours.clock_interval(600, 600)


def test_hours_margins_and_alternatives() -> None:
    window = Interval(720, 900)
    inside, around, beside = (
        _place("inside", "12:30", "14:00"),
        _place("around", "10:00", "20:00"),
        _place("beside", "14:30", "22:00"),
    )
    query = HoursQuery((inside, around, beside), window)
    assert opening_hours.edges(query) == ()
    wrong = opening_hours.alternatives(query)
    assert opening_hours.solve(query) == ("around",)
    assert wrong["containment-inverted"] == ("inside",)
    assert wrong["any-overlap"] == ("inside", "around", "beside")
    assert wrong["some-of-it"] == ("inside", "around")
    assert wrong["opens-in-time"] == ("around",)
    assert wrong["all"] == ("inside", "around", "beside")
    assert wrong["none"] == ()
    assert opening_hours.edges(HoursQuery((_place("x", "12:02", "20:00"),), window)) == ("near-threshold",)
    assert opening_hours.edges(HoursQuery((_place("x", "14:00", "20:00"),), window, 60)) == ("near-threshold",)
    assert opening_hours.edges(HoursQuery((), Interval(0, 30), 60)) == ("impossible",)
    split = Place("split", (Interval(720, 760), Interval(800, 840)))
    assert opening_hours.edges(HoursQuery((split,), window, 60)) == ("split-opening",)
    late = HoursQuery((_place("late", "18:00", "23:50"),), opening_hours.clock_interval(1380, 60))
    assert opening_hours.solve(late) == ()
    assert opening_hours.alternatives(replace(late, at_least_min=50))["midnight-ignored"] == ("late",)


# --- tickets ---------------------------------------------------------------------------------------------


@UNHURRIED
@given(ORDERS)
def test_ticket_prices_agree(order: TicketOrder) -> None:
    assert ticket_price.solve(order) == ticket_price.resolve(order)
    assert abs(ticket_price.exact_total(order) - ticket_price.solve(order)) <= Fraction(1, 2)
    assert ("rounding-tie" in ticket_price.edges(order)) == is_tie(ticket_price.exact_total(order))


@UNHURRIED
@given(ORDERS)
def test_the_order_of_travellers_does_not_matter(order: TicketOrder) -> None:
    turned = replace(order, travellers=order.travellers[::-1])
    assert ticket_price.solve(order) == ticket_price.solve(turned)


def test_ticket_margins_and_alternatives() -> None:
    people = (Traveller(True, True, 3300), Traveller(False, False, 5000), Traveller())
    order = TicketOrder(people, 1000, 1500)
    assert ticket_price.solve(order) == 2010 + 500 + 1000
    assert ticket_price.edges(order) == ()
    assert ticket_price.alternatives(order) == {
        "discount-ignored": 3000 + 1000 + 1000,
        "class-ignored": 1340 + 500 + 1000,
        "return-ignored": 1005 + 500 + 1000,
        "discount-kept": 990 + 500 + 1000,
        "return-as-one-discount": 1005 + 500 + 1000 + 1500,
        "discount-for-all": 1500 + 500 + 500,
        "standard-for-all": 3000,
        "one-traveller": 2010,
        "per-ticket-rounding": 3510,
        "per-way-rounding": 3510,
    }
    assert "rounding-tie" in ticket_price.edges(TicketOrder((Traveller(discount_bp=5000),), 1001, 1))
    two = (Traveller(discount_bp=3300), Traveller(discount_bp=3300))
    assert ticket_price.edges(TicketOrder(two, 1002, 1)) == ("per-ticket-rounding",)
    with pytest.raises(ValueError, match="discount"):
        Traveller(discount_bp=10_000)


@UNHURRIED
@given(st.fractions(min_value=-1000, max_value=1000))
def test_rounding_is_to_the_nearest(value: Fraction) -> None:
    assert abs(value - round_half_up(value)) <= Fraction(1, 2)
    assert round_half_up(value + 1) == round_half_up(value) + 1


# --- rooms -----------------------------------------------------------------------------------------------


@UNHURRIED
@given(bookings())
def test_booking_prices_agree(booking: Booking) -> None:
    assert booking_price.solve(booking) == booking_price.resolve(booking)
    plain = booking.nights * sum(room.nightly_minor for room in booking.rooms)
    assert booking_price.alternatives(booking)["exception-ignored"] == plain
    if not booking.shifts:
        assert booking_price.solve(booking) == plain


def test_a_room_stays_booked_while_one_guest_stays() -> None:
    rooms = (Room("single", 50, 1), Room("double", 80, 2))
    early = Booking(3, rooms, (Shift(1, 0, arrive=-1),))
    assert booking_price.solve(early) == 150 + 320
    late = Booking(3, rooms, (Shift(1, 0, arrive=1),))
    assert booking_price.solve(late) == 150 + 240
    assert booking_price.edges(late) == ("shift-without-effect",)
    alone = Booking(3, rooms, (Shift(0, 0, depart=-1),))
    assert booking_price.solve(alone) == 100 + 240
    assert booking_price.edges(alone) == ()
    assert booking_price.alternatives(early) == {
        "exception-ignored": 390,
        "exception-inverted": 390,
        "each-exception-counts": 470,
        "exception-to-all": 470,
        "per-person": 150 + 480,
        "one-night-short": 470 - 130,
        "first-room-only": 150,
        "one-kind": 300,
    }
    apart = Booking(3, (Room("double", 80, 2),), (Shift(0, 0, depart=-2), Shift(0, 1, arrive=2)))
    assert booking_price.edges(apart) == ("stay-with-a-gap",)
    assert booking_price.solve(apart) == 160


@pytest.mark.parametrize(
    "shift", [Shift(0, 1), Shift(1, 0), Shift(0, 0, arrive=2), Shift(0, 0, arrive=1, depart=-1)], ids=repr
)
def test_impossible_dates_are_refused(shift: Shift) -> None:
    with pytest.raises(ValueError, match=r"no guest|at least a night"):
        Booking(2, (Room("single", 50, 1),), (shift,))


def test_readings_of_a_vague_booking() -> None:
    groups = (RoomGroup("single", 90, 1, 2, 2), RoomGroup("double", 90, 2, 4, 2))
    two_in_doubles = VagueBooking(6, groups, (VagueShift(2, "double", arrive=-1),))
    assert read_totals(two_in_doubles) == (6 * 4 * 90 + 90, 6 * 4 * 90 + 180)
    assert read_totals(replace(two_in_doubles, shifts=())) == (6 * 4 * 90,)
    assert read_totals(VagueBooking(2, (RoomGroup("single", 90, 1, 3, 2),))) == ()
    spread = VagueBooking(2, (RoomGroup("family", 100, 4, 5, 2),), (VagueShift(1, None, depart=-1),))
    assert {tuple(r.guests for r in b.rooms) for b in read_bookings(spread)} == {(4, 1), (3, 2)}
    assert read_totals(spread) == (300, 400)
    # different exceptions are of different people: both singles end up changed
    both = VagueBooking(2, groups[:1], (VagueShift(1, "single", depart=1), VagueShift(1, "single", arrive=1)))
    assert read_totals(both) == (90 * 3 + 90 * 1,)


# --- sunset ----------------------------------------------------------------------------------------------


@UNHURRIED
@given(st.lists(RIDES, max_size=12).map(tuple), st.integers(0, 1439), st.integers(0, 1439))
def test_sunset_trains_agree(rides: tuple[Ride, ...], sunset: int, earliest: int) -> None:
    query = SunsetQuery(rides, sunset, earliest)
    found = sunset_train.solve(query)
    assert found == sunset_train.resolve(query)
    if found is not None:
        assert any(r.departs_min == found and r.arrives_min < sunset for r in rides)
        assert sunset_train.solve(replace(query, sunset_min=sunset + 60)) is not None


def test_sunset_margins_and_alternatives() -> None:
    rides = tuple(Ride(h * 60 + 6, h * 60 + 56) for h in range(15, 22))
    query = SunsetQuery(rides, 20 * 60 + 30, 15 * 60)
    assert sunset_train.solve(query) == 19 * 60 + 6
    assert sunset_train.edges(query) == ()
    wrong = sunset_train.alternatives(query)
    assert wrong["departs-before-sunset"] == wrong["first-too-late"] == 20 * 60 + 6
    assert wrong["one-too-early"] == wrong["clock-change-ignored"] == 18 * 60 + 6
    assert wrong["hour-before-sunset"] == 19 * 60 + 6
    assert wrong["same-hour-train-dropped"] is None
    assert wrong["arrival-said"] == 19 * 60 + 56
    assert (wrong["first"], wrong["last"]) == (15 * 60 + 6, 21 * 60 + 6)
    assert sunset_train.edges(replace(query, sunset_min=20 * 60 + 56)) == ("near-sunset",)
    at_once = replace(query, sunset_min=19 * 60 + 56)
    assert sunset_train.solve(at_once) == 18 * 60 + 6
    assert sunset_train.alternatives(at_once)["arrives-at-sunset"] == 19 * 60 + 6
    assert sunset_train.edges(replace(query, sunset_min=600)) == ("no-train",)
    overtaken = SunsetQuery((Ride(600, 700), Ride(610, 690)), 900)
    assert sunset_train.edges(overtaken) == ("overtaking",)
    assert sunset_train.clock_ride(1430, 5) == Ride(1430, 1445)
    with pytest.raises(ValueError, match="arrives after it leaves"):
        Ride(600, 600)


# --- frequency -------------------------------------------------------------------------------------------


@UNHURRIED
@given(st.lists(st.integers(0, 1600), max_size=20).map(tuple), st.integers(0, 1439), st.integers(1, 600))
def test_frequencies_agree(departures: tuple[int, ...], start: int, length: int) -> None:
    query = FrequencyQuery(departures, start, start + length)
    found = frequency.solve(query)
    assert found == frequency.resolve(query)
    exact = frequency.exact_gap(query)
    if found is not None and exact is not None:
        assert abs(10 * exact - found) <= Fraction(1, 2)
        gaps = [b - a for a, b in pairwise(frequency.inside(query))]
        assert min(gaps) <= exact <= max(gaps)


def test_frequency_margins_and_alternatives() -> None:
    query = FrequencyQuery((500, 607, 621, 637, 667, 681, 900), 600, 700)
    assert frequency.solve(query) == 185
    assert frequency.edges(query) == ()
    assert frequency.alternatives(query) == {
        "window-per-train": 200,
        "gaps-miscounted": 148,
        "whole-day": 667,
        "usual-gap": 140,
        "median-gap": 150,
        "first-gap": 140,
    }
    assert frequency.edges(replace(query, start_min=608)) == ("on-the-window",)
    assert frequency.edges(FrequencyQuery((610, 620), 600, 700)) == ("too-few",)
    assert frequency.edges(FrequencyQuery((610, 620, 620, 650), 600, 700)) == ("double-departure",)
    assert frequency.edges(FrequencyQuery((*range(610, 690, 4), 691), 600, 700)) == ("rounding-tie",)
    assert frequency.solve(FrequencyQuery((650,), 600, 700)) is None
    assert set(frequency.alternatives(FrequencyQuery((), 600, 700)).values()) == {None}
    with pytest.raises(ValueError, match="ends after its start"):
        FrequencyQuery((), 700, 600)


# --- the map ---------------------------------------------------------------------------------------------


@UNHURRIED
@given(POINTS, POINTS, st.sampled_from(direction.HEADINGS))
def test_directions_agree(place: Point, reference: Point, asked: direction.Heading) -> None:
    query = DirectionQuery(place, reference, asked)
    assert direction.solve(query) == direction.resolve(query)
    opposite = direction.HEADINGS[(direction.HEADINGS.index(asked) + 4) % 8]
    assert direction.solve(query) == direction.solve(DirectionQuery(reference, place, opposite))
    said = [direction.solve(replace(query, asked=heading)) for heading in direction.HEADINGS]
    assert said.count("yes") == (place != reference)


def test_direction_margins_and_alternatives() -> None:
    origin = Point(0, 0)
    clear = DirectionQuery(Point(100, 1000), origin, "north")
    assert direction.solve(clear) == direction.answer_or_unknown(clear) == "yes"
    assert direction.edges(clear) == ()
    assert direction.margin_deg(clear) == pytest.approx(22.5 - math.degrees(math.atan(0.1)))
    slanted = DirectionQuery(Point(400, 1000), origin, "north")
    assert direction.solve(slanted) == "yes"
    assert direction.answer_or_unknown(slanted) == "unknown"
    assert direction.edges(slanted) == ("near-boundary",)
    assert direction.edges(DirectionQuery(Point(1, 20), origin, "north")) == ("too-close",)
    diagonal = DirectionQuery(Point(600, 1000), origin, "north")
    assert direction.alternatives(diagonal) == {
        "sign-only": "yes",
        "quarter": "yes",
        "reversed": "no",
        "axes-swapped": "no",
    }
    assert direction.solve(diagonal) == "no"
    assert direction.solve_by_quarter(DirectionQuery(Point(7, 7), origin, "north")) == "yes"
    assert direction.solve_by_quarter(DirectionQuery(Point(8, 7), origin, "north")) == "no"
    assert direction.solve(DirectionQuery(origin, origin, "west")) == "unknown"
    assert direction.edges(DirectionQuery(origin, origin, "west")) == ("near-boundary", "too-close")


@UNHURRIED
@given(POINTS, POINTS, POINTS)
def test_distances_agree_and_form_a_metric(a: Point, b: Point, c: Point) -> None:
    query = DistanceQuery(a, b)
    assert distance.solve(query) == distance.resolve(query) == distance.solve(DistanceQuery(b, a))
    assert (distance.micrometres(a, b) == 0) == (a == b)
    # each leg is rounded down, by less than a micrometre
    assert distance.micrometres(a, c) <= distance.micrometres(a, b) + distance.micrometres(b, c) + 2
    assert abs(distance.exact_distance(query) - Decimal(math.hypot(a.x_m - b.x_m, a.y_m - b.y_m))) < Decimal("1e-6")


def test_distance_margins_and_alternatives() -> None:
    query = DistanceQuery(Point(1000, 1000), Point(4000, 5000))
    assert distance.solve(query) == 5000
    assert distance.edges(query) == ()
    assert distance.alternatives(query) == {
        "city-blocks": 7000,
        "longer-side": 4000,
        "shorter-side": 3000,
        "root-forgotten": 25_000_000,
        "units-swapped": 5,
        "from-origin": 4989,
    }
    assert distance.edges(DistanceQuery(Point(0, 0), Point(0, 20))) == ("too-close", "one-axis")


@UNHURRIED
@given(WALKS)
def test_walks_agree(query: WalkQuery) -> None:
    best, again = walking_order.solve(query), walking_order.resolve(query)
    length = walking_order.route_length(query, best)
    # ties to a millimetre may be broken differently
    assert abs(length - walking_order.route_length(query, again)) < walking_order.METRE // 500
    assert sorted(best) == sorted(stop.id for stop in query.stops)
    for wrong in walking_order.alternatives(query).values():
        assert walking_order.route_length(query, wrong) >= length


@UNHURRIED
@given(WALKS)
def test_the_two_best_walks_are_the_two_shortest(query: WalkQuery) -> None:
    assume(len(query.stops) > 1)
    ids = [stop.id for stop in query.stops]
    lengths = sorted(walking_order.route_length(query, order) for order in permutations(ids))
    found = [metres for metres, _ in walking_order.search_routes(query, 2)]
    assert found == pytest.approx([length / walking_order.METRE for length in lengths[:2]], abs=0.002)


def test_walk_margins_and_alternatives() -> None:
    stops = (Stop("a", Point(1000, 0)), Stop("b", Point(-1100, 0)), Stop("c", Point(2900, 0)))
    query = WalkQuery(Point(0, 0), stops)
    assert walking_order.solve(query) == ("b", "a", "c")
    assert walking_order.edges(query) == ()
    wrong = walking_order.alternatives(query)
    assert wrong["nearest-neighbour"] == ("a", "c", "b")
    assert wrong["by-distance-from-start"] == wrong["as-named"] == ("a", "b", "c")
    assert wrong["reversed"] == ("c", "a", "b")
    assert walking_order.route_length(query, wrong["round-trip"]) >= 5_100 * walking_order.METRE
    near = WalkQuery(Point(0, 0), (Stop("a", Point(1000, 0)), Stop("b", Point(-1010, 0))))
    assert walking_order.edges(near) == ("near-second",)
    same = WalkQuery(Point(0, 0), (Stop("a", Point(1000, 0)), Stop("b", Point(1000, 10)), Stop("c", Point(9000, 0))))
    assert "same-place" in walking_order.edges(same)
    assert walking_order.edges(WalkQuery(Point(0, 0), stops[:1])) == ("one-stop",)


@pytest.mark.parametrize(
    ("names", "match"), [((), "from one"), (("a", "a"), "named twice"), (tuple("abcdefghij"), "from one")]
)
def test_unusable_walks_are_refused(names: tuple[str, ...], match: str) -> None:
    with pytest.raises(ValueError, match=match):
        WalkQuery(Point(0, 0), tuple(Stop(name, Point(1, 1)) for name in names))
