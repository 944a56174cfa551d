"""The quick rating: Glicko for any number of players, updated after every match.

Every player has a rating R and a deviation D, the standard deviation of what is known about it. A game of n players is
n(n-1)/2 pairs. Their results hang together: between equals a player's summed pairwise score has the variance
(n^2 - 1)/12, and independent pairs would have (n - 1)/4. So each pair weighs 3/(n+1), which makes the update a proper
score step; for n = 2 it is Glicko-1.

Versions of bots do not change, so deviations neither grow with time nor have a floor. Games of a duplicate set count
as independent here; since luck of the deal cancels over a set, the deviation errs on the wide side. All changes of one
game follow from the values before it. Two seats of one bot do not play each other; the bot's seats are added together.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from math import log, pi, sqrt
from typing import NamedTuple

from ladder.ratings.results import FinishedGame, check, expectation, score

Q = log(10.0) / 400.0
"""Natural logarithm of strength per Elo point."""
FIRST_RATING = 1500.0
FIRST_DEVIATION = 350.0


class Rated(NamedTuple):
    """What is known about a player's strength, in Elo."""

    rating: float = FIRST_RATING
    deviation: float = FIRST_DEVIATION


def weight(players: int) -> float:
    """What a pair counts at a table of so many players: 3 / (n + 1)."""
    return 3.0 / (players + 1.0)


def certainty(deviation: float) -> float:
    """g(D): how much a result against a player with that deviation tells."""
    return 1.0 / sqrt(1.0 + 3.0 * (Q * deviation / pi) ** 2)


def updated(before: Mapping[str, Rated], game: FinishedGame) -> dict[str, Rated]:
    """The players of a game after it, in the order of their seats; a player without an entry starts at 1500 ± 350."""
    check(game)
    known = {name: before.get(name, Rated()) for name in game.players}
    information = dict.fromkeys(known, 0.0)
    surprise = dict.fromkeys(known, 0.0)
    for name, place in zip(game.players, game.places, strict=True):
        for other, other_place in zip(game.players, game.places, strict=True):
            if name == other:
                continue
            told = certainty(known[other].deviation)
            expected = expectation(told * (known[name].rating - known[other].rating))
            information[name] += told**2 * expected * (1.0 - expected)
            surprise[name] += told * (score(place, other_place) - expected)
    share = weight(len(game.players))
    after = {}
    for name, (rating, deviation) in known.items():
        square = 1.0 / (1.0 / deviation**2 + share * Q**2 * information[name])
        after[name] = Rated(rating + Q * square * share * surprise[name], sqrt(square))
    return after


@dataclass(slots=True)
class Quick:
    """A pool's quick ratings, unrounded: the same games in the same order give the same numbers."""

    players: dict[str, Rated] = field(default_factory=dict)
    games: dict[str, int] = field(default_factory=dict)

    def rated(self, name: str) -> Rated:
        """What is known about a player now."""
        return self.players.get(name, Rated())

    def changes(self, game: FinishedGame) -> dict[str, Rated]:
        """The players of a game as they would be after it; nothing is applied."""
        return updated(self.players, game)

    def apply(self, game: FinishedGame) -> dict[str, Rated]:
        """Rate one game; returns its players after it."""
        after = updated(self.players, game)
        self.players.update(after)
        for name in after:
            self.games[name] = self.games.get(name, 0) + 1
        return after
