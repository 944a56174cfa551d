"""Thousands of matches with seats that misbehave in every way at once, on virtual time."""

from __future__ import annotations

from random import Random

import pytest

from referee.match.clock import NO_CLOCK, SECOND, TimeControl
from referee.match.outputs import Asked, Output, Told
from referee.match.policy import EndingKind, Policy
from referee.match.record import from_lines
from referee.match.verify import verify
from tests.match.seats import Absent, Honest, Scripted, misbehaving
from tests.match.simulation import Simulation
from tests.match.tables import new_match
from tests.match.toy import GAME

CLOCKS = ["10s+1s/5s", "3s+1s", "2s+2s/2s", "0s+3s/3s", "none"]


def faulty(seed: int) -> tuple[Simulation, list[bool]]:
    """A match with some honest seats and some others, played to its end; and which seats are honest."""
    rng = Random(seed)
    players = rng.randint(1, 5)
    honest = [rng.random() < 0.5 for _ in range(players)]
    seats = [Honest(rng.randint(0, SECOND)) if good else misbehaving(rng) for good in honest]
    clock = TimeControl.parse(rng.choice(CLOCKS))
    if clock == NO_CLOCK and any(type(seat).__name__ == "Silent" for seat in seats):
        clock = TimeControl.parse(CLOCKS[0])
    policy = Policy(faults=rng.randint(0, 4), start=10 * SECOND, development=rng.random() < 0.1)
    match = new_match(players, seed=str(seed), clock=clock, policy=policy)
    return Simulation(match, seats).run(), honest


def seen(outputs: list[Output]) -> list[object]:
    """What of the messages to a seat must not depend on anybody's manners: all but the clocks."""
    asks = {o.ask: (o.ask, o.kind, list(o.options), o.view, o.events) for o in outputs if isinstance(o, Asked)}
    return [*asks.values(), *[o for o in outputs if isinstance(o, Told)]]


def well_behaved(simulation: Simulation) -> Simulation:
    """The same match, every answer as recorded but given in time by the seat itself."""
    players = len(simulation.received)
    script = [[step.answers[seat] for step in simulation.steps if seat in step.answers] for seat in range(players)]
    seed = simulation.match.terms.match.removeprefix("match-")
    return Simulation(new_match(players, seed=seed), [Scripted(indices) for indices in script]).run()


def check(seed: int) -> None:
    """Everything that must hold however seats behave."""
    simulation, honest = faulty(seed)
    final = simulation.final

    assert final is not None
    verify(simulation.record, GAME)
    verify(from_lines(simulation.record.lines()), GAME)
    policy = simulation.match.terms.policy
    for seat, ending in enumerate(final.endings):
        assert ending.faults <= policy.faults + 1
        if honest[seat]:
            assert ending.faults == 0
            assert ending.kind in (EndingKind.FINISHED, EndingKind.ABORTED)
            assert not any(fault.seat == seat for fault in simulation.faults)
    if final.result is not None:
        twin = well_behaved(simulation)
        for seat, good in enumerate(honest):
            if good:
                assert seen(twin.received[seat]) == seen(simulation.received[seat])


@pytest.mark.parametrize("hundred", range(20))
def test_a_match_with_misbehaving_seats_ends_whole_and_harms_nobody_else(hundred: int) -> None:
    """It ends, its record verifies, honest seats have no fault and see what they would have seen anyway."""
    for seed in range(100 * hundred, 100 * hundred + 100):
        check(seed)


@pytest.mark.slow
@pytest.mark.parametrize("thousand", range(1, 21))
def test_many_more_matches_with_misbehaving_seats_end_whole(thousand: int) -> None:
    """The same over twenty thousand matches."""
    for seed in range(1000 * thousand + 1000, 1000 * thousand + 2000):
        check(seed)


def test_two_runs_of_one_faulty_match_are_the_same() -> None:
    """Stand-ins and faults are as deterministic as the rules: the records are equal to the byte."""
    for seed in range(50):
        assert list(faulty(seed)[0].record.lines()) == list(faulty(seed)[0].record.lines())


def test_a_table_of_absent_seats_ends_without_a_game() -> None:
    """Nobody is ready: nothing is dealt."""
    simulation = Simulation(new_match(2), [Absent(), Absent()]).run()

    assert simulation.steps == []
    assert simulation.final is not None
    assert [ending.kind for ending in simulation.final.endings] == [EndingKind.NEVER_READY] * 2
