"""Quick ratings: what a bot is told when its match is over, game by game in the order of ends.

A pool's quick ratings are Glicko's over its rated matches: a rating and its deviation (`ratings.glicko`). Both are
computed before an end is stored, stored with it, and taken over in memory afterwards, so that a failed write changes
nothing; a fold over the stored results in the order of their ends gives the same numbers. Players are builds of bots,
named by the number of the build.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from datetime import UTC, datetime
from typing import NamedTuple

from ladder.ratings.glicko import FIRST_RATING, Quick
from ladder.ratings.results import FinishedGame
from ladder.seasons.standings import ACTIVE_DAYS, RANKED_GAMES
from ladder.store.records import ResultRow
from referee.match.outputs import SeatRating

LEAST_SPREAD = 50.0
"""Least standard deviation of a bot's strength that pairing sees."""
DAY = 86_400.0


class RatingChange(NamedTuple):
    """What one match changes in the ratings of its pool."""

    game: FinishedGame
    ratings: tuple[SeatRating, ...]
    """By seat, without the players of the rules' own."""


def player(name: str, build: int | None) -> str:
    """The name under which a seat is rated here: its build, or the name of a player of the rules' own."""
    return name if build is None else f"#{build}"


class QuickRatings:
    """The quick ratings of one pool."""

    def __init__(self) -> None:
        self._live = Quick()
        self._last: dict[str, float] = {}
        """When each player's last rated match ended or, of an earlier run, began: seconds since 1970."""
        self._present: dict[str, str] = {}
        """The present build of each bot, as a player."""

    @classmethod
    def of(cls, results: Iterable[ResultRow]) -> QuickRatings:
        """The ratings after the stored results of a pool."""
        ratings = cls()
        counted = [result for result in results if result.state == "finished" and result.rated]
        for result in sorted(counted, key=lambda result: result.end_number or 0):
            players = tuple(map(player, result.players, result.builds))
            started = datetime.fromisoformat(result.started).timestamp()
            ratings._take(FinishedGame(players, result.places), result.players, started)
        return ratings

    def change(self, names: Sequence[str], builds: Sequence[int | None], places: Sequence[int]) -> RatingChange:
        """What a match that ends now changes; nothing is taken over yet. Automata stand behind the seats."""
        players = tuple(map(player, names, builds))
        game = FinishedGame(players, tuple(places))
        after = self._live.changes(game)
        present = {**self._present, **dict(zip(names, players, strict=True))}
        ranked = self._ranked(present, set(players))
        told = []
        for name, build in zip(players, builds, strict=True):
            if build is None:
                continue
            games = self._live.games.get(name, 0) + 1
            rank = 0
            if games >= RANKED_GAMES:
                mine = after[name].rating
                others = [after.get(other, self._live.rated(other)) for other in ranked if other != name]
                rank = 1 + sum(other.rating > mine for other in others)
            told.append(SeatRating(self._live.rated(name).rating, *after[name], games, rank))
        return RatingChange(game, tuple(told))

    def take(self, change: RatingChange, names: Sequence[str]) -> None:
        """Take over a change whose end is stored."""
        self._take(change.game, names, datetime.now(UTC).timestamp())

    def strength(self, name: str) -> tuple[float, float]:
        """A bot's rating above the initial one, and the variance of its strength."""
        known = self._live.rated(self._present.get(name, ""))
        return known.rating - FIRST_RATING, max(LEAST_SPREAD, known.deviation) ** 2

    def ratings(self) -> Mapping[str, float]:
        """The rating of every player."""
        return {name: known.rating for name, known in self._live.players.items()}

    def _take(self, game: FinishedGame, names: Sequence[str], moment: float) -> None:
        self._live.apply(game)
        for name, key in zip(names, game.players, strict=True):
            self._last[key] = moment
            self._present[name] = key

    def _ranked(self, present: Mapping[str, str], playing: set[str]) -> list[str]:
        """The present builds that have a rank once these players have played one more game now."""
        oldest = datetime.now(UTC).timestamp() - ACTIVE_DAYS * DAY
        games, last = self._live.games, self._last
        return [
            key
            for key in present.values()
            if games.get(key, 0) + (key in playing) >= RANKED_GAMES and (key in playing or last.get(key, 0.0) >= oldest)
        ]
