"""Seats that misbehave: who answers for them, what it costs them, and how the match ends."""

from __future__ import annotations

from random import Random

import pytest

from referee.kernel.chance import Sealed, secret_from_seed
from referee.match.clock import NO_CLOCK, SECOND, Clock
from referee.match.match import Match
from referee.match.outputs import Asked, Seated, Told, Verdict
from referee.match.policy import Ending, EndingKind, FaultKind, Owner, Policy
from referee.match.record import Final
from tests.match.seats import Absent, Crasher, Flooder, Honest, Leaver, Liar, Scripted, Silent
from tests.match.simulation import SeatLike, Simulation
from tests.match.tables import CLOCK, asks, faults, finals, new_match, started, steps

DEADLINE = 5 * SECOND + 100_000
"""Of the first ask: the cap and the lag that might still be forgiven."""


def final_of(*seats: SeatLike, policy: Policy | None = None, clock: Clock = CLOCK, rival: str = "no") -> Final:
    """How a match of these seats ends."""
    match = new_match(len(seats), policy=policy or Policy(), clock=clock, variant={"rival": rival})
    final = Simulation(match, seats).run().final
    assert final is not None
    return final


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


def test_a_forfeited_seat_is_ranked_last_and_its_ending_says_why() -> None:
    """Whatever points its stand-in makes; the others' endings are untouched, and the match counts."""
    final = final_of(Honest(), Liar(Random(1)), Honest(), policy=Policy(faults=0))

    assert final.result is not None
    assert final.result.places[1] == 3
    assert [ending.kind for ending in final.endings] == [
        EndingKind.FINISHED,
        EndingKind.FORFEITED,
        EndingKind.FINISHED,
    ]
    assert (final.endings[1].owner, final.endings[1].faults) == (Owner.BOT, 1)
    assert "the answer was" in final.endings[1].message
    assert final.rated


def test_a_match_that_everybody_forfeits_is_played_out_and_does_not_count() -> None:
    """The record is whole, the places are shared, nobody gains or loses."""
    final = final_of(Silent(), Silent(), policy=Policy(faults=0))

    assert final.result is not None
    assert final.result.places == (1, 1)
    assert not final.rated


def test_a_solo_player_who_forfeits_loses_to_the_automaton() -> None:
    """The automaton played to the end, so the match counts."""
    final = final_of(Silent(), policy=Policy(faults=0), rival="yes")

    assert final.result is not None
    assert final.result.places == (2, 1)
    assert final.rated


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

    assert again == first._replace(left=8 * SECOND, budget=2 * SECOND)
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
        public += [event for output in absent.drain() if isinstance(output, Told) for event in output.events]
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


def test_a_seat_that_is_never_ready_is_forfeited_and_the_others_play() -> None:
    """At the end of the start budget the game starts; the stand-in plays for whoever is missing."""
    final = final_of(Honest(), Absent())

    assert final.result is not None
    assert final.result.places == (1, 2)
    assert final.rated
    assert final.endings == (
        Ending(EndingKind.FINISHED, 0, None, ""),
        Ending(EndingKind.NEVER_READY, 1, Owner.BOT, "not ready within the start budget of 30s"),
    )


def test_a_seat_that_never_came_is_missing_by_the_network() -> None:
    """Disconnected at the end of the start budget: another owner, the same consequence."""
    match = new_match(2)
    match.begin(0)
    match.ready(0, 0)
    match.gone(1, 1)
    match.tick(30 * SECOND)

    (fault,) = faults(match.drain())
    assert (fault.seat, fault.ask, fault.kind, fault.owner) == (1, 0, FaultKind.GONE, Owner.NETWORK)


def test_readiness_after_the_start_budget_is_too_late() -> None:
    """Also if nobody ticked: the stamp decides."""
    match = new_match(2)
    match.begin(0)
    match.ready(0, 0)
    match.ready(1, 30 * SECOND + 1)
    outputs = match.drain()

    assert [fault.seat for fault in faults(outputs)] == [1]
    assert asks(outputs).keys() == {0}


def test_a_match_without_a_ready_seat_is_aborted() -> None:
    """No game, no result, no rating, and each seat's ending says whose fault it was."""
    match = new_match(2)
    match.begin(0)
    match.gone(1, 0)
    match.tick(30 * SECOND)
    (final,) = finals(match.drain())

    assert final.result is None
    assert not final.rated
    assert [(ending.kind, ending.owner) for ending in final.endings] == [
        (EndingKind.NEVER_READY, Owner.BOT),
        (EndingKind.NEVER_READY, Owner.NETWORK),
    ]


def test_rubbish_before_the_start_can_cost_the_game_as_well() -> None:
    """The others do not wait for a seat that has forfeited; a table of such seats is aborted."""
    match = new_match(2, policy=Policy(faults=0))
    match.begin(0)
    match.ready(0, 0)
    match.malformed(1, 1, "rubbish")

    assert asks(match.drain()).keys() == {0}

    waiting = new_match(3, policy=Policy(faults=0))
    waiting.begin(0)
    waiting.malformed(1, 1, "rubbish")
    waiting.ready(0, 2)
    waiting.tick(30 * SECOND)
    assert [fault.seat for fault in faults(waiting.drain())] == [1, 2]

    deserted = new_match(2, policy=Policy(faults=0))
    deserted.begin(0)
    deserted.malformed(0, 1, "rubbish")
    deserted.malformed(1, 1, "rubbish")
    (final,) = finals(deserted.drain())
    assert [(ending.kind, ending.owner) for ending in final.endings] == [(EndingKind.FORFEITED, Owner.BOT)] * 2
    assert not final.rated


def illegal(match: Match) -> None:
    """Seat 1 answers with an option that is not there."""
    match.answer(1, 1, 17, SECOND)


def late(match: Match) -> None:
    """Everybody lets the time pass; seat 1 is the only one who has not answered."""
    match.answer(0, 1, 0, SECOND)
    match.tick(DEADLINE)


def malformed(match: Match) -> None:
    """Seat 1 sends rubbish."""
    match.malformed(1, SECOND, "rubbish")


def crashed(match: Match) -> None:
    """Seat 1 dies."""
    match.crashed(1, SECOND, "dead")


@pytest.mark.parametrize("misdeed", [illegal, late, malformed, crashed])
def test_development_mode_ends_loudly_at_the_first_fault(misdeed: object) -> None:
    """Every seat's ending says which seat did what; nothing counts."""
    match = started(players=2, policy=Policy(development=True))
    match.drain()
    misdeed(match)  # type: ignore[operator]
    outputs = match.drain()
    (final,) = finals(outputs)

    assert match.over
    assert steps(outputs) == []
    assert final.result is None
    assert not final.rated
    assert final.faults == tuple(faults(outputs))
    assert [(ending.kind, ending.owner) for ending in final.endings] == [
        (EndingKind.ABORTED, Owner.OPPONENT),
        (EndingKind.ABORTED, Owner.BOT),
    ]
    for ending in final.endings:
        assert ending.message.startswith("DEVELOPMENT MODE")
        assert "Seat 1 (bot1)" in ending.message
        assert faults(outputs)[0].message in ending.message


def test_development_mode_does_not_touch_a_faultless_match() -> None:
    """It finishes like any other."""
    final = final_of(Honest(), Honest(), policy=Policy(development=True))

    assert [ending.kind for ending in final.endings] == [EndingKind.FINISHED] * 2
    assert final.rated


def test_the_referee_can_stop_a_match_and_owns_that() -> None:
    """No result, not rated, and the reason is for everybody."""
    match = started(players=2)
    match.drain()
    match.answer(0, 1, 0, SECOND)
    match.abort(2 * SECOND, "the server is shutting down")
    (final,) = finals(match.drain())

    assert final.endings == (Ending(EndingKind.ABORTED, 0, Owner.REFEREE, "the server is shutting down"),) * 2
    assert final.result is None
    assert not final.rated
    assert match.answer(1, 1, 0, 3 * SECOND) == Verdict.STALE


def test_a_fault_of_the_referee_makes_the_match_unrated() -> None:
    """It goes on, because the others' game is whole, but does not count."""
    match = started(players=1)
    match.drain()
    match.crashed(0, 1, "the machine of the referee ran out of memory", Owner.REFEREE)
    simulation = Simulation(match, [Honest()])
    match.gone(0, 2)
    simulation.run()

    assert simulation.final is not None
    assert simulation.final.result is not None
    assert not simulation.final.rated


def test_messages_of_faults_are_bounded() -> None:
    """A bot cannot fill the record with its own words."""
    match = started(players=1)
    match.drain()
    match.crashed(0, 1, "x" * 10**6)
    match.answer(0, 2, 10**9000, 2)

    assert all(len(fault.message) <= 1000 for fault in faults(match.drain()))


def test_a_seat_that_leaves_for_good_is_forfeited_and_the_match_ends() -> None:
    """Every ask of it runs into its deadline until the budget is used up, then nobody waits any more."""

    class Deserter(Honest):
        def asked(self, asked: Asked, hand: object) -> None:
            hand.gone(0)  # type: ignore[attr-defined]

    simulation = Simulation(new_match(2, policy=Policy(faults=1)), [Honest(), Deserter()]).run()
    final = simulation.final

    assert final is not None
    assert final.endings[1] == Ending(
        EndingKind.FORFEITED, 2, Owner.NETWORK, "no answer to ask 2 within its 5s; the stand-in answers"
    )


def test_the_stand_in_does_not_depend_on_the_reason_or_the_time() -> None:
    """Late, crashed or forfeited: the answer for a seat's ask is drawn from the same stream."""
    answers = []
    for misdeed in (late, crashed):
        match = started(players=2)
        match.drain()
        misdeed(match)
        match.answer(0, 1, 0, DEADLINE)
        answers.append(steps(match.drain())[0].answers[1])

    assert answers[0] == answers[1]


def test_seats_that_lose_their_temper_do_not_change_the_luck_of_others() -> None:
    """The stand-in draws from streams of its own: dice and omens are those of the same answers given in time."""
    faulty = Simulation(new_match(3), [Honest(), Crasher(Random(3)), Leaver(Random(4))]).run()
    script = [[step.answers[seat] for step in faulty.steps if seat in step.answers] for seat in range(3)]
    proper = Simulation(new_match(3), [Scripted(indices) for indices in script]).run()

    assert faulty.faults
    assert [step.chance for step in proper.steps] == [step.chance for step in faulty.steps]
