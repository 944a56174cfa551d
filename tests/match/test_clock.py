"""Clocks: their text, and the arithmetic of bank, increment, cap and lag."""

from __future__ import annotations

import pickle

import pytest
from hypothesis import given
from hypothesis import strategies as st

from referee.kernel.errors import BadSetting
from referee.match.clock import NO_CLOCK, SECOND, AnswerTiming, SeatClock, TimeControl, spoken

times = st.integers(0, 20 * SECOND)
clocks = st.builds(TimeControl, bank=st.integers(1, 60 * SECOND), increment=times, cap=times)
thinking = st.lists(st.tuples(times, times), max_size=30)
quotas = st.tuples(st.integers(0, SECOND), st.integers(0, 5 * SECOND))


def test_a_clock_is_read_from_its_text() -> None:
    """Bank, increment and cap stand in one short text with units."""
    assert TimeControl(10_000_000, 100_000, 5_000_000) == TimeControl.parse("10s+100ms/5s")
    assert TimeControl(90_000_000, 0, 0) == TimeControl.parse("1.5m")
    assert TimeControl(3_600_000_000, 0, 250) == TimeControl.parse("1h/250us")
    assert TimeControl(0, 0, 0, unlimited=True) == NO_CLOCK == TimeControl.parse("none")


@pytest.mark.parametrize(
    "text",
    ["", "10", "10x", "s", "10s+", "10s/", "-1s", "10s/5s+1s", "0s", "10s/0s", "NONE", "1e3s", "9999h", "0.5us", "١s"],
)
def test_a_bad_clock_is_refused_with_an_example_of_a_good_one(text: str) -> None:
    """Whatever is wrong, the line says how a clock is written."""
    with pytest.raises(BadSetting, match=r"10s\+100ms/5s"):
        TimeControl.parse(text)


def test_what_an_ask_waited_inside_the_referee_moves_its_clock() -> None:
    """Start and deadline move together, so the budget stays what it is."""
    clock = SeatClock(TimeControl.parse("10s/5s"))
    clock.start(100)
    clock.defer(3 * SECOND)

    assert clock.deadline == 100 + 8 * SECOND
    assert not clock.late(100 + 8 * SECOND)
    assert clock.stop(100 + 7 * SECOND) == AnswerTiming(4 * SECOND, 0, 0)

    unlimited = SeatClock(NO_CLOCK)
    unlimited.start(100)
    before = unlimited.deadline
    unlimited.defer(SECOND)

    assert unlimited.deadline == before
    assert unlimited.stop(100 + 3 * SECOND) == AnswerTiming(2 * SECOND, 0, 0)


@pytest.mark.parametrize("numbers", [(-1, 0, 0), (0, 0, 0), (1, -1, 0), (1, 0, -5), (10**15, 0, 0)])
def test_a_clock_without_sense_cannot_be_made(numbers: tuple[int, int, int]) -> None:
    """Negative, endless and empty times are refused by the type itself."""
    with pytest.raises(BadSetting):
        TimeControl(*numbers)


def test_an_unlimited_clock_has_no_cap() -> None:
    """A limit on something unlimited is a mistake."""
    with pytest.raises(BadSetting, match="no cap"):
        TimeControl(0, 0, SECOND, unlimited=True)


@given(clocks)
def test_the_text_of_a_clock_stands_for_the_same_clock(clock: TimeControl) -> None:
    """Reading what was written gives the clock back."""
    assert clock == TimeControl.parse(str(clock))


def test_a_clock_can_be_sent_to_another_process() -> None:
    """Jobs for workers carry their clock, in every build."""
    clock = TimeControl.parse("10s+100ms/5s")

    assert pickle.loads(pickle.dumps((clock, NO_CLOCK))) == (clock, NO_CLOCK)


def test_the_increment_comes_before_the_decision_and_the_cap_limits_it() -> None:
    """With 10s+1s/5s the first decision may use 5 seconds of the 11 in the bank."""
    clock = SeatClock(TimeControl.parse("10s+1s/5s"))
    clock.start(100 * SECOND)

    assert clock.bank == 11 * SECOND
    assert clock.budget == 5 * SECOND
    assert clock.deadline == 105 * SECOND
    assert AnswerTiming(3 * SECOND, 0, 0) == clock.stop(103 * SECOND)
    assert clock.bank == 8 * SECOND


def test_an_empty_bank_leaves_no_time_at_all() -> None:
    """Without an increment the time of a match can run out; every further ask is late at once."""
    clock = SeatClock(TimeControl.parse("5s"))
    clock.start(0)
    clock.stop(9 * SECOND)
    clock.start(20 * SECOND)

    assert 0 == clock.bank == clock.budget
    assert clock.deadline == 20 * SECOND


def test_lag_is_forgiven_up_to_the_quota_of_the_decision() -> None:
    """A claim of 300 ms is granted with 100 ms, and the deadline was extended by no more."""
    clock = SeatClock(TimeControl.parse("10s/5s"), lag_per_decision=100_000, lag_total=150_000)
    clock.start(0)

    assert clock.deadline == 5_100_000
    assert AnswerTiming(900_000, 100_000, 7) == clock.stop(SECOND, lag=300_000, queued=7)
    clock.start(SECOND)
    assert clock.deadline == SECOND + 5_050_000
    assert AnswerTiming(950_000, 50_000, 0) == clock.stop(2 * SECOND, lag=300_000)
    clock.start(2 * SECOND)
    assert AnswerTiming(SECOND, 0, 0) == clock.stop(3 * SECOND, lag=300_000)


def test_an_answer_within_budget_and_forgiven_lag_is_in_time() -> None:
    """Lag decides between in time and late where the budget alone is used up."""
    clock = SeatClock(TimeControl.parse("10s/5s"), lag_per_decision=100_000, lag_total=SECOND)
    clock.start(0)

    assert not clock.late(5_000_000)
    assert clock.late(5_000_001)
    assert not clock.late(5_050_000, lag=50_000)
    assert clock.late(5_100_001, lag=SECOND)


def test_an_unlimited_clock_counts_and_never_ends() -> None:
    """What an answer took is known, and nothing is late."""
    clock = SeatClock(NO_CLOCK)
    clock.start(0)

    assert not clock.late(10**15)
    assert AnswerTiming(10**15, 0, 0) == clock.stop(10**15)


def test_an_answer_stamped_before_its_ask_costs_nothing() -> None:
    """Stamps of different threads may cross by a little; time never flows back into the bank."""
    clock = SeatClock(TimeControl.parse("10s"))
    clock.start(1000)

    assert AnswerTiming(0, 0, 0) == clock.stop(990, lag=50)
    assert clock.bank == 10 * SECOND


@given(clocks, thinking, quotas)
def test_nobody_is_charged_more_than_passed_nor_more_than_allowed(
    clock: TimeControl, decisions: list[tuple[int, int]], quota: tuple[int, int]
) -> None:
    """For any times and claims of lag: charge, forgiveness and bank stay within their bounds."""
    per_decision, total = quota
    seat = SeatClock(clock, per_decision, total)
    now = forgiven = 0
    for elapsed, claimed in decisions:
        before = seat.bank
        seat.start(now)
        budget = seat.budget
        timing = seat.stop(now + elapsed, claimed)
        now += elapsed
        forgiven += timing.network

        assert 0 <= timing.charged <= min(elapsed, budget)
        assert 0 <= timing.network <= min(claimed, per_decision)
        assert timing.charged + timing.network <= elapsed
        assert before + clock.increment - timing.charged == seat.bank >= 0
        assert budget <= (clock.cap or seat.bank + timing.charged)
    assert forgiven <= total


@given(clocks, thinking, quotas)
def test_a_recorded_clock_runs_again_to_the_same_bank(
    clock: TimeControl, decisions: list[tuple[int, int]], quota: tuple[int, int]
) -> None:
    """Charge and lag as recorded are all it takes to restore a clock; an impossible charge is noticed."""
    seat, again = SeatClock(clock, *quota), SeatClock(clock, *quota)
    for elapsed, claimed in decisions:
        seat.start(0)
        timing = seat.stop(elapsed, claimed)

        assert again.repeat(timing.charged, timing.network)
        assert (seat.bank, seat.lag) == (again.bank, again.lag)
    assert not again.repeat(again.bank + clock.increment + 1, 0)
    assert not again.repeat(0, again.lag + 1)


@pytest.mark.parametrize(
    ("micros", "text"),
    [
        (0, "0s"),
        (1, "1us"),
        (20_000, "20ms"),
        (999_974, "1s"),
        (1_000_026, "1s"),
        (1_500_000, "1.5s"),
        (123_456, "123ms"),
        (9_876, "9.88ms"),
        (30_000_000, "30s"),
        (45_123_456, "45.1s"),
        (600_000_000, "10m"),
        (7_200_000_000, "2h"),
        (7_200_000_001, "7200s"),
    ],
)
def test_a_time_is_said_in_three_digits_and_a_sensible_unit(micros: int, text: str) -> None:
    """A bank that is a few microseconds short of a second is a second to whoever reads of it."""
    assert spoken(micros) == text


@given(st.integers(0, 168 * 3600 * SECOND))
def test_a_spoken_time_is_never_far_off_and_never_long(micros: int) -> None:
    """At most half a percent, and no more than seven signs."""
    text = spoken(micros)
    number, unit = float(text.rstrip("hmsu")), text.lstrip("0123456789.")
    scale = {"h": 3600 * SECOND, "m": 60 * SECOND, "s": SECOND, "ms": 1000, "us": 1}[unit]

    assert abs(number * scale - micros) <= 0.006 * micros
    assert len(text) <= 7
