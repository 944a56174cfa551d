"""The straight loop of the in-process driver: exactly what `Match` plays, and a hand-over at the first trouble."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Sequence
from itertools import count

import pytest

from referee.kernel import registry
from referee.kernel.chance import secret_from_seed
from referee.kernel.errors import BadSetting
from referee.kernel.game import AnyGame, Event, settle_variant
from referee.match.clock import NO_CLOCK, TimeControl
from referee.match.inprocess import Bot, play, play_on
from referee.match.match import Match
from referee.match.outputs import Asked
from referee.match.plan import MatchPlan
from referee.match.policy import FaultKind, Policy
from referee.match.record import Record
from referee.match.verify import verify

CASES = [(name, seats) for name in registry.names() for seats in registry.game(name).seats]


def planned(
    game: AnyGame, seats: int, seed: str, clock: TimeControl = NO_CLOCK, policy: Policy | None = None
) -> MatchPlan:
    """A match without a limit."""
    variant = settle_variant(game, seats, {})
    players = tuple(f"bot-{seat}" for seat in range(seats))
    return MatchPlan(game.name, players, "5" * 32, secret_from_seed(seed), variant, clock, policy or Policy())


class Chatty:
    """Answers at random, notes now and then what it does, and remembers what it was told and asked."""

    def __init__(self, seat: int, *, listens: bool = True) -> None:
        self._random = random.Random(seat)
        self.listens = listens
        self.note = ""
        self.told: list[Event] = []
        self.asked: list[tuple[object, ...]] = []

    def __call__(self, asked: Asked) -> int:
        self.told += asked.events
        self.asked.append((asked.ask, asked.kind, len(asked.options), asked.view, asked.timing))
        index = self._random.randrange(len(asked.options))
        self.note = f"number {index}" if index % 3 == 0 else ""
        return index


class Troublesome(Chatty):
    """Does something unusual at one of its asks, once."""

    def __init__(self, seat: int, at: int, trouble: object) -> None:
        super().__init__(seat)
        self._at = at
        self._trouble = trouble

    def __call__(self, asked: Asked) -> int:
        index = super().__call__(asked)
        if asked.ask == self._at and self._trouble is not None:
            trouble, self._trouble = self._trouble, None
            if isinstance(trouble, BaseException):
                raise trouble
            return trouble  # type: ignore[return-value]
        return index


def ticking() -> Callable[[], int]:
    """A clock that goes on by more and more each time it is read."""
    moments: Iterator[int] = (step * step for step in count(1000))
    return lambda: next(moments)


Way = Callable[[Sequence[Bot], Callable[[], int]], Record]
"""Plays a match of these bots on this clock."""


def both(make: Callable[[], Sequence[Bot]], game: AnyGame, policy: Policy | None = None) -> list[list[bytes]]:
    """The record of the same match by the long and by the short way, on the same clock, and the bots' memories."""
    seats = len(make())
    plan = planned(game, seats, "swift", policy=policy)
    records = []
    memories = []
    ways: tuple[Way, ...] = (lambda bots, now: play_on(Match(game, plan), bots, now), short(game, plan))
    for way in ways:
        bots = make()
        record = way(bots, ticking())
        verify(record)
        records.append(list(record.lines()))
        memories.append([(bot.told, bot.asked) for bot in bots if isinstance(bot, Chatty)])
    assert memories[0] == memories[1]
    return records


def short(game: AnyGame, plan: MatchPlan) -> Way:
    """The short way."""
    return lambda bots, now: play(game, plan, bots, now)


@pytest.mark.parametrize(("name", "seats"), CASES)
def test_both_ways_give_one_record(name: str, seats: int) -> None:
    """Answers, luck, times, notes, result and hashes: every line is the same, and so is what the bots are told."""
    long, quick = both(lambda: [Chatty(seat, listens=seat != 1) for seat in range(seats)], registry.game(name))

    assert quick == long
    assert len(quick) > 10


def test_a_match_without_trouble_needs_nothing_else(monkeypatch: pytest.MonkeyPatch) -> None:
    """The state machine is not even made."""
    monkeypatch.setattr("referee.match.inprocess.Match", None)
    game = registry.game("edo_yashiki")
    record = play(game, planned(game, 2, "s"), [Chatty(0), Chatty(1)])

    assert record.final is not None
    assert record.final.rated


@pytest.mark.parametrize("name", registry.names())
@pytest.mark.parametrize("at", [1, 2, 5])
@pytest.mark.parametrize("trouble", [ValueError("oh"), SystemExit(3), -1, 10**6, "first", None])
def test_trouble_is_handed_over(name: str, at: int, trouble: object) -> None:
    """Faults, stand-ins and second tries are those of the long way, at the beginning and in mid-match."""
    game = registry.game(name)
    long, quick = both(lambda: [Troublesome(0, at, trouble), Chatty(1)], game)

    assert quick == long


def test_a_bot_that_is_always_wrong_forfeits() -> None:
    """From the hand-over on the match counts its faults like any other."""
    game = registry.game("edo_yashiki")
    plan = planned(game, 2, "s", policy=Policy(faults=2))
    record = play(game, plan, [lambda asked: -1, Chatty(1)])

    faults = [fault.kind for step in record.steps for fault in step.faults]
    assert faults == [FaultKind.ILLEGAL] * 3
    assert record.final is not None
    assert record.final.result is not None
    assert record.final.result.places == (2, 1)


def test_a_clock_takes_the_long_way(monkeypatch: pytest.MonkeyPatch) -> None:
    """Limits are the state machine's business."""
    monkeypatch.setattr("referee.match.inprocess._play_straight", None)
    game = registry.game("edo_yashiki")
    plan = planned(game, 2, "s", clock=TimeControl.parse("60s"))
    record = play(game, plan, [Chatty(0), Chatty(1)])

    assert record.steps[-1].left


def test_a_wrong_number_of_bots_is_refused() -> None:
    """As by the long way."""
    game = registry.game("edo_yashiki")
    with pytest.raises(BadSetting, match="2 seats, not 1"):
        play(game, planned(game, 2, "s"), [Chatty(0)])
