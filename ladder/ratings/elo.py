"""Online Elo for any number of players: the live rating, updated game by game.

A game of n players is n(n-1)/2 pairs; each pair moves K/(n-1) times (score - expectation), all from the ratings
before the game. With K_ij the mean of both players' K the changes add up to zero even while some ratings are
provisional. For n = 2 this is classical Elo. Two seats of one bot do not play each other; the bot's seats are added
together.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from ladder.ratings.results import FinishedGame, check


def expectation(difference: float) -> float:
    """L(x): the score expected of a player rated `difference` above the other."""
    return 1.0 / (1.0 + float(10.0 ** (-difference / 400.0)))


def deltas(ratings: Sequence[float], places: Sequence[int], k: Sequence[float], names: Sequence[str]) -> list[float]:
    """The change of each seat's rating; seats of one name are not paired with each other."""
    seats = range(len(ratings))
    change = [0.0] * len(ratings)
    for i in seats:
        for j in seats:
            if i == j or names[i] == names[j]:
                continue
            score = 1.0 if places[i] < places[j] else 0.5 if places[i] == places[j] else 0.0
            factor = (k[i] + k[j]) / 2.0 / (len(ratings) - 1)
            change[i] += factor * (score - expectation(ratings[i] - ratings[j]))
    return change


@dataclass(slots=True)
class Live:
    """A pool's live ratings, unrounded: applying the same games in the same order gives the same numbers."""

    initial: float = 1500.0
    k: float = 16.0
    provisional_k: float = 40.0
    provisional_games: int = 20
    ratings: dict[str, float] = field(default_factory=dict)
    games: dict[str, int] = field(default_factory=dict)

    def changes(self, game: FinishedGame) -> dict[str, float]:
        """The change of each player's rating that a game would bring; nothing is applied."""
        check(game)
        ratings = [self.rating(name) for name in game.players]
        factors = [self._factor(name) for name in game.players]
        change: dict[str, float] = {}
        for name, delta in zip(game.players, deltas(ratings, game.places, factors, game.players), strict=True):
            change[name] = change.get(name, 0.0) + delta
        return change

    def rating(self, name: str) -> float:
        """A player's rating now."""
        return self.ratings.get(name, self.initial)

    def apply(self, game: FinishedGame) -> dict[str, float]:
        """Rate one game; returns the change of each player."""
        change = self.changes(game)
        for name, delta in change.items():
            self.ratings[name] = self.ratings.get(name, self.initial) + delta
            self.games[name] = self.games.get(name, 0) + 1
        return change

    def _factor(self, name: str) -> float:
        return self.provisional_k if self.games.get(name, 0) < self.provisional_games else self.k
