"""How matches end: forfeits, absences, development mode and the referee's own failures, each with its owner."""

from __future__ import annotations

from random import Random

import pytest

from referee.match.clock import SECOND, TimeControl
from referee.match.match import Match
from referee.match.outputs import Asked, Verdict
from referee.match.policy import Ending, EndingKind, FaultKind, Owner, Policy
from referee.match.record import Final
from tests.match.seats import Absent, Honest, Liar, Silent
from tests.match.simulation import SeatLike, Simulation
from tests.match.tables import CLOCK, asks, faults, finals, new_match, started, steps

DEADLINE = 5 * SECOND + 100_000
"""Of the first ask: the cap and the lag that might still be forgiven."""


def final_of(*seats: SeatLike, policy: Policy | None = None, clock: TimeControl = CLOCK, rival: str = "no") -> Final:
    """How a match of these seats ends."""
    match = new_match(len(seats), policy=policy or Policy(), clock=clock, variant={"rival": rival})
    final = Simulation(match, seats).run().final
    assert final is not None
    return final


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
