"""Recovery: a match rebuilt from its stored steps goes on as if nothing had happened."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import pytest

from referee.kernel.chance import secret_from_seed
from referee.kernel.errors import BadRecord, BrokenRecord
from referee.match.clock import NO_CLOCK, SECOND, TimeControl
from referee.match.match import Match
from referee.match.outputs import Seated, Verdict
from referee.match.policy import FaultKind, Owner, Policy
from referee.match.record import Record, Step
from referee.match.verify import verify
from tests.match.seats import Absent, Clumsy, Honest, Lagging, Silent
from tests.match.simulation import SeatLike, Simulation
from tests.match.tables import CLOCK, asks, faults, finals, new_match, started, steps
from tests.match.toy import GAME

DOWNTIME = 3600 * SECOND
POLICY = Policy(faults=2, lag_per_decision=50_000, lag_total=120_000)

CASTS: dict[str, Callable[[], Sequence[SeatLike]]] = {
    "honest": lambda: [Honest(), Honest(2 * SECOND), Honest()],
    "lagging": lambda: [Lagging(40_000), Lagging(90_000, SECOND), Honest()],
    "clumsy": lambda: [Clumsy(), Honest(SECOND)],
    "silent": lambda: [Silent(), Honest(), Honest(3 * SECOND)],
    "absent": lambda: [Honest(), Absent(), Silent(), Clumsy()],
    "hopeless": lambda: [Silent(), Silent()],
}


def restored(match: Match, stored: Sequence[Step], at: int) -> Match:
    """The match as a new referee finds it."""
    return Match.restore(GAME, match.terms, secret_from_seed("toy"), stored, at)


@pytest.mark.parametrize("clock", [CLOCK, TimeControl.parse("4s+2s/3s"), NO_CLOCK], ids=str)
@pytest.mark.parametrize("cast", CASTS)
def test_a_match_restored_after_any_step_goes_on_the_same(cast: str, clock: TimeControl) -> None:
    """Steps, times, clocks, faults, lag quotas and end are those of the match that was never interrupted."""
    if clock == NO_CLOCK and cast in ("silent", "absent", "hopeless"):
        clock = TimeControl.parse("1s+1s/1s")
    seats = CASTS[cast]
    whole = Simulation(new_match(len(seats()), clock=clock, policy=POLICY), seats()).run()
    for k in range(1, len(whole.steps) + 1):
        at = DOWNTIME + 7 * k
        again = Simulation(restored(whole.match, whole.steps[:k], at), seats(), at).run()

        assert again.steps == whole.steps[k:]
        assert again.final == whole.final
        verify(Record(whole.match.terms, (*whole.steps[:k], *again.steps), again.final), GAME)


@pytest.mark.parametrize("cast", ["honest", "lagging", "clumsy"])
def test_the_asks_of_a_restored_match_are_the_same(cast: str) -> None:
    """Views, options, events, numbers and timing of every later ask are what they would have been."""
    seats = CASTS[cast]
    whole = Simulation(new_match(len(seats()), policy=POLICY), seats()).run()
    for k in range(1, len(whole.steps)):
        again = Simulation(restored(whole.match, whole.steps[:k], DOWNTIME), seats(), DOWNTIME).run()
        for seat in range(len(seats())):
            after = [asked._replace(deadline=None, at=0) for asked in again.asked(seat)]
            before = [asked._replace(deadline=None, at=0) for asked in whole.asked(seat)]

            assert after == before[len(before) - len(after) :]


def test_a_match_without_steps_starts_over() -> None:
    """A referee that fell before the set-up offers the table again."""
    match = restored(new_match(2), [], DOWNTIME)

    assert match.drain() == [Seated(0), Seated(1)]
    assert match.deadline == DOWNTIME + 30 * SECOND


def test_sealed_answers_that_were_not_stored_are_asked_again() -> None:
    """Everybody who was asked is asked again, with the same number; nothing of the lost answers is left."""
    match = started(players=3)
    stored = steps(match.drain())
    match.answer(0, 1, 2, SECOND)
    match.answer(2, 1, 2, SECOND)
    again = restored(match, stored, DOWNTIME)
    for seat in range(3):
        again.back(seat, DOWNTIME)

    assert {seat: asked.ask for seat, asked in asks(again.drain()).items()} == {0: 1, 1: 1, 2: 1}
    assert again.answer(0, 1, 1, DOWNTIME) == Verdict.ACCEPTED
    assert again.answer(1, 1, 0, DOWNTIME) == Verdict.ACCEPTED
    assert again.answer(2, 1, 0, DOWNTIME) == Verdict.ACCEPTED
    assert steps(again.drain())[0].answers == {0: 1, 1: 0, 2: 0}


def test_nobody_is_charged_for_the_downtime_nor_for_reconnecting() -> None:
    """The clock of an open ask stands until its player is back, each on its own."""
    match = started(players=2)
    stored = steps(match.drain())
    again = restored(match, stored, DOWNTIME)

    assert again.drain() == []
    again.back(0, DOWNTIME + 5 * SECOND)
    again.answer(0, 1, 0, DOWNTIME + 8 * SECOND)
    again.back(1, DOWNTIME + 20 * SECOND)
    both = asks(again.drain())
    assert (both[0].left, both[1].left) == (11 * SECOND, 11 * SECOND)
    again.answer(1, 1, 0, DOWNTIME + 21 * SECOND)
    (step,) = steps(again.drain())
    assert step.spent == {0: 3 * SECOND, 1: SECOND}


def test_downtime_is_not_charged_to_a_seat_that_was_not_asked() -> None:
    """Its opponent comes back first and answers; the clock of the seat that is asked then stands until it is back."""
    match = started(players=2, seed="turn")
    for seat in range(2):
        match.answer(seat, 1, 0, SECOND)
    stored = steps(match.drain())
    (winner,) = [seat for seat in range(2) if match.owes(seat)]  # who alone takes lanterns
    away = 1 - winner
    again = Match.restore(GAME, match.terms, secret_from_seed("turn"), stored, DOWNTIME)
    again.back(winner, DOWNTIME + SECOND)
    again.answer(winner, 2, 0, DOWNTIME + 2 * SECOND)
    again.drain()
    again.tick(DOWNTIME + 12 * SECOND)
    again.back(away, DOWNTIME + 12 * SECOND)
    asked = asks(again.drain())[away]
    again.answer(winner, 3, 0, DOWNTIME + 12 * SECOND)
    again.answer(away, asked.ask, 0, DOWNTIME + 13 * SECOND)

    assert (asked.ask, asked.left, asked.budget) == (2, 11 * SECOND, 5 * SECOND)
    assert steps(again.drain())[0].spent[away] == SECOND


def test_the_wait_for_a_seat_that_was_not_asked_ends_with_the_start_budget() -> None:
    """Counted once from the restart: an ask that is made later has only the rest of it."""
    match = started(players=2, seed="turn")
    for seat in range(2):
        match.answer(seat, 1, 0, SECOND)
    stored = steps(match.drain())
    (winner,) = [seat for seat in range(2) if match.owes(seat)]
    again = Match.restore(GAME, match.terms, secret_from_seed("turn"), stored, DOWNTIME)
    again.back(winner, DOWNTIME + 20 * SECOND)
    again.answer(winner, 2, 0, DOWNTIME + 22 * SECOND)
    again.answer(winner, 3, 0, DOWNTIME + 22 * SECOND)
    again.drain()

    assert again.deadline == DOWNTIME + 30 * SECOND
    again.tick(DOWNTIME + 30 * SECOND)
    assert faults(again.drain()) == []
    again.tick(again.deadline)
    assert [fault.kind for fault in faults(again.drain())] == [FaultKind.LATE]


def test_being_ready_again_is_as_good_as_being_back() -> None:
    """A bot that greets the new referee as if the match were new gets its ask as well."""
    match = started(players=1)
    again = restored(match, steps(match.drain()), DOWNTIME)
    again.ready(0, DOWNTIME)

    assert asks(again.drain())[0].ask == 1
    again.ready(0, DOWNTIME)
    assert again.drain() == []


def test_an_answer_may_come_before_the_ask_is_repeated() -> None:
    """A bot that still knows its ask can answer at once; nothing is charged for the time it was held."""
    match = started(players=1)
    again = restored(match, steps(match.drain()), DOWNTIME)

    assert again.answer(0, 1, 0, DOWNTIME + 9 * SECOND) == Verdict.ACCEPTED
    assert steps(again.drain())[0].spent == {0: 0}


def test_a_player_who_does_not_come_back_is_late_after_the_start_budget() -> None:
    """The wait for the missing has an end: the start budget, then the clock, then the stand-in."""
    match = started(players=1)
    again = restored(match, steps(match.drain()), DOWNTIME)

    assert again.deadline == DOWNTIME + 30 * SECOND
    again.tick(DOWNTIME + 30 * SECOND)
    assert again.drain() == []
    assert again.deadline == DOWNTIME + 35_100_000
    again.tick(DOWNTIME + 35_100_000)
    assert [(fault.kind, fault.owner) for fault in faults(again.drain())] == [(FaultKind.LATE, Owner.NETWORK)]


def test_without_a_clock_a_player_who_does_not_come_back_is_gone() -> None:
    """The same start budget holds where no clock runs."""
    match = started(players=1, clock=NO_CLOCK)
    again = restored(match, steps(match.drain()), DOWNTIME)
    again.tick(DOWNTIME + 30 * SECOND)
    again.tick(DOWNTIME + 60 * SECOND)

    assert [fault.kind for fault in faults(again.drain())] == [FaultKind.GONE]


def test_a_match_whose_end_was_not_stored_ends_at_once() -> None:
    """All steps are there and the final line is not: it is made again, the same."""
    whole = Simulation(new_match(2), [Honest(), Honest()]).run()
    again = restored(whole.match, whole.steps, DOWNTIME)

    assert finals(again.drain()) == [whole.final]


def test_stored_steps_that_do_not_fit_are_refused() -> None:
    """Other luck, impossible answers, missing steps and impossible clocks cannot be played on."""
    whole = Simulation(new_match(2), [Honest(), Honest()]).run()
    first, second, third = whole.steps[:3]
    lists = [
        [first._replace(chance=second.chance), second],
        [first, second._replace(answers={0: 99, 1: 0})],
        [first, second._replace(answers={0: 0})],
        [first, third],
        [second],
        [first._replace(answers={0: 0})],
        [first, second._replace(spent={0: 99 * SECOND, 1: 0})],
    ]

    for stored in lists:
        with pytest.raises(BrokenRecord):
            restored(whole.match, stored, DOWNTIME)


def test_a_match_that_was_aborted_in_its_first_moments_leaves_no_steps_to_restore() -> None:
    """Its record is finished, and reading it as unfinished would be a mistake of the caller."""
    match = new_match(2)
    match.begin(0)
    match.abort(1, "the server is shutting down")
    (final,) = finals(match.drain())
    record = Record(match.terms, (), final)

    verify(record, GAME)
    with pytest.raises(BadRecord, match="unfinished"):
        verify(Record(match.terms, (), None), GAME)
