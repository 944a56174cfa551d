"""Spectators that are shown a match later by a number of positions."""

from __future__ import annotations

from random import Random

import pytest

from referee.kernel import registry
from referee.match.clock import NO_CLOCK
from referee.match.match import Match
from referee.match.outputs import Asked, Ended, Shown
from referee.transport.spectators import Spectators
from referee.v1 import watch_pb2 as pb
from tests.match.tables import new_match

DELAY = 5


class TellingTable:
    """Carries a match out at once; everything is told."""

    told = True
    delaying = False

    def __init__(self, match: Match, spectators: Spectators) -> None:
        self.match = match
        self.spectators = spectators
        self.numbers: list[int] = []
        """The number of each position that the match has put out."""
        self._rng = Random(1)
        spectators.attend(self)
        match.begin(0)
        for seat in (0, 1):
            match.ready(seat, 0)

    def go_on(self) -> bool:
        """Carry out what is due and answer what is asked; False: the match is over."""
        asks = []
        for output in self.match.drain():
            if isinstance(output, Shown | Ended):
                self.spectators.send(output)
            if isinstance(output, Shown):
                self.numbers.append(output.number)
            if isinstance(output, Asked):
                asks.append(output)
        for ask in asks:
            self.match.answer(ask.seat, ask.ask, self._rng.randrange(len(ask.options)), 1)
        return bool(asks)


def delayed(delay: int) -> TellingTable:
    """A table of Honshu whose spectators are shown positions later."""
    match = new_match(2, game=registry.game("honshu"), clock=NO_CLOCK)
    return TellingTable(match, Spectators(match, delay=delay))


def listed(table: TellingTable) -> int:
    """The number that a list of tables says."""
    message = pb.LiveTable()
    table.spectators.fill(message, 0)
    return message.number


@pytest.mark.parametrize("delay", [1, DELAY])
def test_lists_and_followers_know_nothing_of_the_newest_positions(delay: int) -> None:
    """At every moment the newest number that is shown lies so many positions behind; the end is told at once."""
    table = delayed(delay)
    follower = table.spectators.follow(lambda: None)
    shown: list[int] = []
    ended = False
    while table.go_on():
        while (data := follower.take()) is not None:
            shown.append(pb.FollowTableResponse.FromString(data).number)
        late = table.spectators.follow(lambda: None)
        snapshot = pb.FollowTableResponse.FromString(late.take() or b"")
        table.spectators.leave(late)

        assert listed(table) == snapshot.number == max(0, table.numbers[-1] - delay)
        assert max(shown) == snapshot.number
        assert snapshot.HasField("honshu") == (snapshot.number > 0)
    while (data := follower.take()) is not None:
        message = pb.FollowTableResponse.FromString(data)
        ended = message.HasField("end")

    assert ended
    assert len(shown) > 20


def test_a_match_without_readers_is_delayed_as_well() -> None:
    """Positions are kept also while nobody looks on, so that the first reader sees no newer one."""
    table = delayed(DELAY)
    for _ in range(8):
        table.go_on()

    assert table.numbers[-1] > DELAY
    assert listed(table) == table.numbers[-1] - DELAY


def test_without_a_delay_the_newest_position_is_shown() -> None:
    """The setting is off unless a pool has it."""
    table = delayed(0)
    follower = table.spectators.follow(lambda: None)
    for _ in range(8):
        table.go_on()
    numbers = []
    while (data := follower.take()) is not None:
        numbers.append(pb.FollowTableResponse.FromString(data).number)

    assert numbers[-1] == table.numbers[-1]
