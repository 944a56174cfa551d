"""Replay: the state of a match after every step, from its record alone."""

from __future__ import annotations

from dataclasses import replace

import pytest

from referee.kernel.errors import BadRecord, BrokenRecord
from referee.kernel.plain import fingerprint
from referee.match.match import Match
from referee.match.outputs import Asked, Stepped
from referee.match.record import Record, from_lines
from referee.match.replay import replay
from tests.match.seats import Absent, Clumsy, Honest, Silent
from tests.match.simulation import Simulation
from tests.match.tables import asks, new_match, started
from tests.match.toy import GAME


class Watching:
    """The toy game, with a fingerprint of the state taken whenever anybody is shown a view."""

    def __init__(self) -> None:
        self.seen: list[str] = []

    def __getattr__(self, name: str) -> object:
        return getattr(GAME, name)

    def view(self, state: object, seat: int | None) -> object:
        """The view, noting the state behind it."""
        print_ = fingerprint(GAME.dump(state))  # type: ignore[arg-type]
        if not self.seen or self.seen[-1] != print_:
            self.seen.append(print_)
        return GAME.view(state, seat)  # type: ignore[arg-type]


def played() -> tuple[Record, list[str]]:
    """A match with faults, and the fingerprints of its states as they were asked about."""
    game = Watching()
    match = new_match(4, game=game)  # type: ignore[arg-type]
    simulation = Simulation(match, [Honest(), Silent(), Clumsy(), Absent()]).run()
    return simulation.record, game.seen


def test_the_states_of_a_replay_are_those_of_the_match() -> None:
    """After every step the fingerprint is the one that the running match had."""
    record, seen = played()
    states = [fingerprint(GAME.dump(position.state)) for position in replay(record, GAME)]

    assert len(states) == len(record.steps)
    assert states[: len(seen)] == seen
    assert len(seen) >= len(states) - 2


def test_a_replay_needs_neither_the_secret_nor_the_end() -> None:
    """A running match can be followed from the lines that are there."""
    record, _ = played()
    lines = list(record.lines())[:4]
    positions = list(replay(from_lines(lines), GAME))

    assert [position.step for position in positions] == list(record.steps[:3])
    assert [ask.kind for ask in positions[0].turn.asks] == ["bid"] * 4


def test_a_replay_shows_what_is_open_and_what_happened() -> None:
    """Each position has the asks that follow from it and the events of its step, to every audience."""
    match = started(players=2)
    first = asks(match.drain())
    match.answer(0, 1, 0, 1)
    match.answer(1, 1, 0, 1)
    outputs = match.drain()
    step = next(output.step for output in outputs if isinstance(output, Stepped))
    record = Simulation(new_match(2), [Honest(), Honest()]).run().record
    setup = replace(record, steps=(record.steps[0], step._replace(at=record.steps[0].at)))
    positions = list(replay(setup, GAME))

    assert list(positions[0].turn.options[0]) == list(first[0].options)
    assert positions[0].events == []
    told = [e for output in outputs if isinstance(output, Asked) for e in output.events]
    assert set(told) <= set(positions[1].events)
    assert any(event.audience for event in positions[1].events)


def test_a_step_that_cannot_have_happened_stops_the_replay() -> None:
    """Wrong seats, impossible options, missing or superfluous luck and missing steps are named by step."""
    record = Simulation(new_match(2), [Honest(), Honest()]).run().record
    steps = record.steps
    cases = {
        "step 1: seats": steps[1]._replace(answers={0: 0}),
        "step 1: seat 1 answered 9": steps[1]._replace(answers={0: 0, 1: 9}),
        "step 1: the record has no outcome left": steps[1]._replace(chance=[]),
        "step 1: the record has luck": steps[1]._replace(chance=[*steps[1].chance, steps[1].chance[0]]),
        "step 2 stands where step 1": steps[2],
    }
    extra = steps[-1]._replace(n=len(steps), answers={}, chance=[])

    for complaint, step in cases.items():
        with pytest.raises(BrokenRecord, match=complaint):
            list(replay(replace(record, steps=(steps[0], step)), GAME))
    with pytest.raises(BrokenRecord, match=f"step {len(steps)}: the game was over before"):
        list(replay(replace(record, steps=(*steps, extra)), GAME))


def test_a_record_of_other_rules_is_refused_and_says_what_is_needed() -> None:
    """Version and components must be those at hand."""
    record, _ = played()
    cases = {
        "version 9 of the rules": {"rules_version": 9},
        "other components": {"components": "f" * 64},
        "is of 'chess'": {"game": "chess"},
        "every setting": {"variant": {}},
        "unknown value": {"variant": {"rival": "perhaps"}},
        "1 to 5 seats": {"players": ()},
    }

    for complaint, change in cases.items():
        with pytest.raises(BrokenRecord, match=complaint):
            list(replay(replace(record, header=replace(record.header, **change)), GAME))  # type: ignore[arg-type]


def test_an_unknown_game_is_one_clear_line() -> None:
    """The registry's answer, as a fault of the record."""
    record, _ = played()

    with pytest.raises(BadRecord, match="unknown game 'lantern_auction'"):
        list(replay(record))


def test_a_match_and_its_replay_agree_on_every_option_list() -> None:
    """Indices of the record stand for the same options in both."""
    simulation = Simulation(new_match(3), [Honest(), Honest(), Honest()]).run()
    lists: list[list[list[object]]] = [[], [], []]
    for position in replay(simulation.record, GAME):
        for ask in position.turn.asks:
            lists[ask.seat].append(list(position.turn.options[ask.seat]))

    for seat in range(3):
        assert lists[seat] == [list(asked.options) for asked in simulation.asked(seat)]


def test_a_record_of_no_steps_replays_to_nothing() -> None:
    """A match that nobody was ready for has no state."""
    simulation = Simulation(new_match(2), [Absent(), Absent()]).run()

    assert isinstance(simulation.match, Match)
    assert list(replay(simulation.record, GAME)) == []
