"""Seats that misbehave: who answers for them and what it costs them."""

from __future__ import annotations

from random import Random

from referee.kernel.chance import Sealed, secret_from_seed
from referee.match.clock import NO_CLOCK, SECOND
from referee.match.outputs import Asked, Seated, Shown, Verdict
from referee.match.policy import EndingKind, FaultKind, Owner, Policy
from tests.match.seats import Crasher, Flooder, Honest, Leaver, Scripted
from tests.match.simulation import Simulation
from tests.match.tables import asks, faults, new_match, started, steps

DEADLINE = 5 * SECOND + 100_000
"""Of the first ask: the cap and the lag that might still be forgiven."""


def test_an_illegal_answer_is_a_fault_and_the_ask_stays_open() -> None:
    """The message names the options there are; the seat may answer again until its deadline, its clock runs on."""
    match = started(players=2)
    match.drain()

    assert match.answer(0, 1, 4, SECOND) == Verdict.ILLEGAL
    assert match.answer(0, 1, -1, 2 * SECOND) == Verdict.ILLEGAL
    outputs = match.drain()
    assert [(fault.kind, fault.owner, fault.ask) for fault in faults(outputs)] == [
        (FaultKind.ILLEGAL, Owner.BOT, 1)
    ] * 2
    assert faults(outputs)[0].message == "ask 1 has the options 0 to 3, and the answer was 4"
    assert match.owes(0) == 1
    assert match.answer(0, 1, 3, 3 * SECOND) == Verdict.ACCEPTED
    match.answer(1, 1, 0, 3 * SECOND)
    (step,) = steps(match.drain())
    assert step.spent[0] == 3 * SECOND
    assert step.by == {}
    assert len(step.faults) == 2


def test_the_stand_in_answers_for_a_silent_seat_at_its_deadline() -> None:
    """The pick is the first of a stream of its own, recorded as the stand-in's, and the whole budget is charged."""
    match = started(players=2)
    match.drain()
    match.answer(0, 1, 0, SECOND)

    assert match.deadline == DEADLINE
    match.tick(DEADLINE - 1)
    assert match.drain() == []
    match.tick(DEADLINE)
    outputs = match.drain()
    (step,) = steps(outputs)
    assert step.answers[1] == Sealed(secret_from_seed("toy")).pick("stand-in/1/1", 4)
    assert step.by == {1: "stand-in"}
    assert step.spent == {0: SECOND, 1: 5 * SECOND}
    assert [(fault.seat, fault.ask, fault.kind, fault.owner) for fault in step.faults] == [
        (1, 1, FaultKind.LATE, Owner.BOT)
    ]


def test_the_answer_of_a_late_seat_comes_to_a_closed_ask() -> None:
    """It is stale, costs nothing more, and the next ask is a new chance."""
    match = started(players=1)
    match.drain()
    match.tick(DEADLINE)
    match.drain()

    assert match.answer(0, 1, 0, DEADLINE + 1) == Verdict.STALE
    assert match.drain() == []
    assert match.answer(0, 2, 0, DEADLINE + 2) == Verdict.ACCEPTED


def test_an_answer_over_budget_without_lag_is_late_even_before_the_deadline() -> None:
    """The allowance for lag in the deadline is for those who had lag."""
    match = started(players=1)
    match.drain()

    assert match.answer(0, 1, 0, 5 * SECOND + 1) == Verdict.STALE
    assert [fault.kind for fault in faults(match.drain())] == [FaultKind.LATE]

    lagging = started(players=1)
    assert lagging.answer(0, 1, 0, 5 * SECOND + 1, lag=1) == Verdict.ACCEPTED


def test_an_answer_at_the_last_moment_is_in_time() -> None:
    """The budget may be used to the full."""
    match = started(players=1)
    match.drain()

    assert match.answer(0, 1, 0, 5 * SECOND) == Verdict.ACCEPTED
    assert faults(match.drain()) == []


def test_the_fault_after_the_budget_forfeits_the_seat() -> None:
    """The stand-in then plays on at once: the seat is asked no more and waits for nobody."""
    match = started(players=2, policy=Policy(faults=1))
    match.drain()
    match.answer(0, 1, 9, 10)
    match.answer(0, 1, 9, 20)

    assert match.owes(0) == 0
    match.answer(1, 1, 0, 30)
    outputs = match.drain()
    assert steps(outputs)[0].by == {0: "stand-in"}
    assert 0 not in asks(outputs)


def test_no_more_faults_are_counted_for_a_forfeited_seat() -> None:
    """A flood of rubbish adds nothing to the record once the seat has lost."""
    simulation = Simulation(new_match(2, policy=Policy(faults=2)), [Honest(), Flooder(Random(1), 500)]).run()

    assert sum(fault.seat == 1 for fault in simulation.faults) == 3
    assert sum(len(step.faults) for step in simulation.steps) == 3


def test_a_flooder_without_faults_only_wastes_its_own_breath() -> None:
    """Duplicates, stale and unknown answers are harmless: the seat finishes."""
    simulation = Simulation(new_match(2), [Honest(2 * SECOND), Flooder(Random(1), 0)]).run()

    assert simulation.faults == []
    assert {Verdict.DUPLICATE, Verdict.STALE, Verdict.UNKNOWN, Verdict.ACCEPTED} == set(simulation.verdicts[1])
    assert simulation.final is not None
    assert simulation.final.endings[1].kind == EndingKind.FINISHED


def test_rubbish_is_a_fault_and_leaves_the_ask_open() -> None:
    """What came is told back in the words of whoever noticed."""
    match = started(players=1)
    match.drain()
    match.malformed(0, 10, "an answer needs an option")

    assert [(f.kind, f.ask, f.message) for f in faults(match.drain())] == [
        (FaultKind.MALFORMED, 1, "an answer needs an option")
    ]
    assert match.owes(0) == 1


def test_a_crash_is_answered_by_the_stand_in_at_once() -> None:
    """Nobody waits for the deadline of a bot that died; only the time until then is charged."""
    match = started(players=1)
    match.drain()
    match.crashed(0, SECOND, "exit code 1")
    outputs = match.drain()

    assert steps(outputs)[0].by == {0: "stand-in"}
    assert steps(outputs)[0].spent == {0: SECOND}
    assert [fault.kind for fault in faults(outputs)] == [FaultKind.CRASHED]
    assert asks(outputs)[0].ask == 2


def test_a_crash_between_two_asks_is_a_fault_without_an_ask() -> None:
    """The seat owes nothing just then, so nobody has to stand in."""
    match = started(players=2)
    match.drain()
    match.answer(0, 1, 2, 10)
    match.crashed(0, 20, "exit code 1")
    match.answer(1, 1, 0, 30)
    (step,) = steps(match.drain())

    assert step.answers[0] == 2
    assert step.by == {}
    assert [(fault.ask, fault.kind) for fault in step.faults] == [(0, FaultKind.CRASHED)]


def test_the_clock_runs_on_while_a_seat_is_gone() -> None:
    """Coming back in time costs only time, and the ask is put out again with what is left of it."""
    match = started(players=1)
    first = asks(match.drain())[0]
    match.gone(0, SECOND)
    match.back(0, 3 * SECOND)
    again = asks(match.drain())[0]

    assert again == first._replace(left=8 * SECOND, budget=2 * SECOND, at=3 * SECOND)
    match.answer(0, 1, 0, 4 * SECOND)
    outputs = match.drain()
    assert faults(outputs) == []
    assert steps(outputs)[0].spent == {0: 4 * SECOND}


def test_a_seat_that_is_gone_at_its_deadline_is_late_by_the_network() -> None:
    """The fault counts, and its owner is not the bot."""
    match = started(players=1)
    match.drain()
    match.gone(0, SECOND)
    match.tick(DEADLINE)

    assert [(fault.kind, fault.owner) for fault in faults(match.drain())] == [(FaultKind.LATE, Owner.NETWORK)]


def test_a_connection_lost_after_the_deadline_does_not_excuse_the_bot() -> None:
    """The seat was there when its time ended, even if nobody looked at the clock in between."""
    match = started(players=1)
    match.drain()
    match.gone(0, DEADLINE + 1)

    assert [fault.owner for fault in faults(match.drain())] == [Owner.BOT]


def test_coming_back_after_the_deadline_finds_the_ask_closed() -> None:
    """What is put out is the ask that is open by then."""
    match = started(players=1)
    match.drain()
    match.gone(0, SECOND)
    match.back(0, DEADLINE + 1)

    assert [asked.ask for asked in match.drain() if isinstance(asked, Asked)] == [2]


def test_nothing_is_sent_to_a_seat_that_is_gone() -> None:
    """An ask made meanwhile reaches it when it is back."""
    match = started(players=1)
    match.drain()
    match.gone(0, SECOND)
    match.tick(DEADLINE)

    assert asks(match.drain()) == {}
    match.back(0, DEADLINE + SECOND)
    assert [output.ask for output in match.drain() if isinstance(output, Asked)] == [2]


def test_events_that_a_seat_missed_come_with_the_first_ask_that_reaches_it() -> None:
    """Being disconnected costs time, not knowledge: nothing that happened is left out or told twice."""
    absent = started(players=2, spectators=True)
    absent.drain()
    absent.gone(1, 0)
    public = []
    for moment in range(DEADLINE, 8 * DEADLINE, DEADLINE):
        absent.answer(0, absent.owes(0), 0, moment - DEADLINE)
        absent.tick(moment)
        public += [event for output in absent.drain() if isinstance(output, Shown) for event in output.events]
        if absent.owes(1) > 2:
            break
    absent.back(1, moment)
    asked = asks(absent.drain())[1]

    assert asked.ask == 3
    assert [event for event in asked.events if event.audience is None] == public


def test_without_a_clock_a_seat_that_is_gone_has_the_start_budget_to_come_back() -> None:
    """Even an unlimited match does not wait for the disconnected for ever."""
    match = started(players=1, clock=NO_CLOCK)
    match.drain()
    match.gone(0, SECOND)

    assert match.deadline == 31 * SECOND
    match.tick(31 * SECOND)
    outputs = match.drain()
    assert [(fault.kind, fault.owner) for fault in faults(outputs)] == [(FaultKind.GONE, Owner.NETWORK)]
    assert steps(outputs)[0].by == {0: "stand-in"}
    assert match.deadline == 61 * SECOND
    match.back(0, 32 * SECOND)
    assert match.deadline is None


def test_coming_back_before_the_start_offers_the_table_again() -> None:
    """Unless the seat has said already that it is ready."""
    match = new_match(2)
    match.begin(0)
    match.drain()
    match.gone(0, 1)
    match.back(0, 2)

    assert match.drain() == [Seated(0)]
    match.ready(0, 3)
    match.gone(0, 4)
    match.back(0, 5)
    assert match.drain() == []


def test_coming_back_without_owing_anything_brings_nothing() -> None:
    """Events wait for the next ask."""
    match = started(players=2)
    match.drain()
    match.answer(0, 1, 0, 1)
    match.gone(0, 2)
    match.back(0, 3)

    assert match.drain() == []


def test_messages_of_faults_are_bounded() -> None:
    """A bot cannot fill the record with its own words."""
    match = started(players=1)
    match.drain()
    match.crashed(0, 1, "x" * 10**6)
    match.answer(0, 2, 10**9000, 2)

    assert all(len(fault.message) <= 1000 for fault in faults(match.drain()))


def test_the_stand_in_does_not_depend_on_the_reason_or_the_time() -> None:
    """Late or crashed: the answer for a seat's ask is drawn from the same stream."""
    late = started(players=1)
    crashed = started(players=1)
    late.tick(DEADLINE)
    crashed.crashed(0, SECOND, "dead")

    assert steps(late.drain())[1].answers == steps(crashed.drain())[1].answers


def test_seats_that_lose_their_temper_do_not_change_the_luck_of_others() -> None:
    """The stand-in draws from streams of its own: dice and omens are those of the same answers given in time."""
    faulty = Simulation(new_match(3), [Honest(), Crasher(Random(3)), Leaver(Random(4))]).run()
    script = [[step.answers[seat] for step in faulty.steps if seat in step.answers] for seat in range(3)]
    proper = Simulation(new_match(3), [Scripted(indices) for indices in script]).run()

    assert faulty.faults
    assert [step.chance for step in proper.steps] == [step.chance for step in faulty.steps]
