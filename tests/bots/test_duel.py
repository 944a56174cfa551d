"""The harness that measures bots against each other."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from bots.ask import AnyAsk
from bots.bot import Bot
from bots.specs import BotSpec
from referee.kernel.game import Event, Option, Result
from tests.bots.duel import Score, Tally, duel, field


class Highest(Bot):
    """Always plays its highest card: wins every first trick it can."""

    def decide(self, ask: AnyAsk) -> Option:
        return ask.options[-1]


class First(Bot):
    """Plays the first option, and keeps what it hears."""

    heard: list[Event]
    ended: list[Result | None]

    def __init__(self) -> None:
        self.heard, self.ended = [], []
        made.append(self)

    def decide(self, ask: AnyAsk) -> Option:
        return 0

    def told(self, events: Sequence[Event]) -> None:
        self.heard.extend(events)

    def over(self, result: Result | None) -> None:
        self.ended.append(result)


made: list[First] = []
HIGHEST = BotSpec("highest", None, Highest)
FIRST = BotSpec("first", None, First)


def test_equal_bots_tie_every_duplicate_deal(tricks: str) -> None:
    """Bots without luck of their own that play alike win exactly what the seat gives them: every deal is tied."""
    score = duel(tricks, FIRST, FIRST, 20)

    assert Tally(0, 20, 0) == score.pairs
    assert score.games.won == score.games.lost
    assert score.games.total == 40


def test_each_deal_is_played_from_every_side(tricks: str) -> None:
    """A pair has two games and a set of n seats n games; two rounds with a choice make two decisions a seat."""
    pairs, sets = duel(tricks, "random", "random", 5), field(tricks, "random", "random", 5, seats=4)

    assert (pairs.games.total, sets.games.total) == (10, 20)
    assert (pairs.decisions, sets.decisions) == (10 * 2 * 2, 20 * 4 * 2)


def test_a_measurement_is_reproducible_and_depends_on_the_seed(tricks: str) -> None:
    """Equal seeds give equal figures, for bots with randomness too."""
    first, again, other = (duel(tricks, "random", "random", 30, seed=seed) for seed in "aab")

    assert first == again
    assert first != other


def test_the_interval_comes_from_the_spread_between_deals(tricks: str) -> None:
    """Deals that all end alike leave no doubt, one deal alone leaves all of it, and luck leaves some."""
    level, single, lucky = duel(tricks, FIRST, FIRST, 8), duel(tricks, FIRST, FIRST, 1), Score(shares=[0.0, 1.0, 0.5])

    assert (level.interval, single.interval) == (0.0, 1.0)
    assert lucky.interval == pytest.approx(1.96 * 0.5 / 3**0.5)


def test_places_count_for_both_sides(tricks: str) -> None:
    """In a game of two the mean places add up to those that were given."""
    score = duel(tricks, HIGHEST, "random", 50)

    assert score.place < score.other_place
    assert score.games.won > score.games.lost
    assert "deals" in str(score)


def test_bots_hear_what_they_may_know_and_how_it_ended(tricks: str) -> None:
    """Every public event reaches every bot, a private one only its audience, and the result comes last."""
    made.clear()
    duel(tricks, FIRST, FIRST, 1)
    players = made[:2]

    smiles = [sum(event.subject == "smile" for event in player.heard) for player in players]
    reveals = [sum(event.subject == "cards" for event in player.heard) for player in players]

    assert reveals == [3, 3]
    assert sum(smiles) == 3
    assert all(len(player.ended) == 1 for player in players)
    result = players[0].ended[0]
    assert result is not None
    assert list(result.points) == smiles
