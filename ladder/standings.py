"""From stored results to standings: a fold in the order of the schedule, so it can be thrown away and done again.

A bot whose code changed is another build, and builds are rated apart: the present one under the bot's own name, an
earlier one as `name@build`. Only whole groups count: a set with a match missing, void or unrated is left out
altogether. The published rating is the batch fit, with the games of a duplicate set as one group; the live rating is
online Elo over the same games in the same order.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np

from ladder.pairing import History, Standing
from ladder.ratings.elo import Live
from ladder.ratings.plackett_luce import Fit, fit
from ladder.ratings.results import Game, collect
from ladder.rows import GroupRow, RatingRow, ResultRow


@dataclass(slots=True)
class Table:
    """The standings of one pool. Groups may be added bit by bit, in the order of the schedule."""

    present: Mapping[str, int] = field(default_factory=dict)
    """The builds that play now, by bot."""
    games: list[Game] = field(default_factory=list)
    """All games that count, in the order of the schedule."""
    lineups: list[tuple[str, ...]] = field(default_factory=list)
    """The lineups of all whole groups, counted or void, in the order of the schedule."""
    sets: dict[str, int] = field(default_factory=dict)
    points: dict[str, float] = field(default_factory=dict)
    live: Live = field(default_factory=Live)
    live_history: list[tuple[int, str, float]] = field(default_factory=list)
    """(group number, player, live rating after it)."""
    fit: Fit | None = None
    """The ratings as of the last `rate`; None before, or without any game."""

    def add(self, groups: Sequence[GroupRow], results: Iterable[ResultRow]) -> None:
        """Count those of the groups that are whole."""
        by_group: dict[int, list[ResultRow]] = {}
        for result in results:
            by_group.setdefault(result.group, []).append(result)
        for group in groups:
            played = by_group.get(group.number, [])
            if len(played) < len(group.lineup):
                continue
            self.lineups.append(_labels(group.lineup, group.builds, self.present))
            if all(result.state == "finished" and result.rated for result in played):
                _count(self, group, sorted(played, key=lambda result: result.rotation))

    def rate(self) -> None:
        """Fit the ratings to all games."""
        if self.games:
            self.fit = fit(collect(self.games))

    def history(self, bots: Sequence[str]) -> History:
        """What pairing looks at, for the bots that play now."""
        known = {} if self.fit is None else {name: index for index, name in enumerate(self.fit.names)}
        standings = []
        for name in sorted(bots):
            elo, error = 0.0, float("inf")
            if self.fit is not None and name in known:
                elo, error = float(self.fit.elo[known[name]]), float(self.fit.se[known[name]])
            standings.append(Standing(name, self.sets.get(name, 0), self.points.get(name, 0.0), elo, error))
        playing = set(bots)
        return History(tuple(standings), tuple(lineup for lineup in self.lineups if playing.issuperset(lineup)))

    def rows(self) -> list[RatingRow]:
        """The standings as they are stored, best first."""
        if self.fit is None:
            return []
        found = self.fit
        rows = [
            RatingRow(
                player=name,
                elo=float(found.elo[index]),
                low=_finite(found.low[index]),
                high=_finite(found.high[index]),
                se_model=_finite(found.se_model[index]),
                se_robust=_finite(found.se_robust[index]),
                live=self.live.ratings[name],
                games=found.games[name],
                points=found.points[name],
            )
            for index, name in enumerate(found.names)
        ]
        return sorted(rows, key=lambda row: (-row.elo, row.player))


def _finite(value: float | np.floating) -> float | None:
    return float(value) if np.isfinite(value) else None


def fold(groups: Sequence[GroupRow], results: Iterable[ResultRow], current: Mapping[str, int] | None = None) -> Table:
    """The standings after all whole groups. `current` are the builds that play now; otherwise the last scheduled."""
    present = dict(current or {})
    if current is None:
        for group in groups:
            present.update(zip(group.lineup, group.builds, strict=True))
    table = Table(present)
    table.add(groups, results)
    table.rate()
    return table


def _labels(names: Sequence[str], builds: Sequence[int | None], present: Mapping[str, int]) -> tuple[str, ...]:
    """What the players are rated as."""
    return tuple(
        name if build is None or present.get(name, build) == build else f"{name}@{build}"
        for name, build in zip(names, builds, strict=True)
    )


def _count(table: Table, group: GroupRow, played: Sequence[ResultRow]) -> None:
    scores: dict[str, float] = {}
    for result in played:
        players = _labels(result.players, result.builds, table.present)
        game = Game(players, result.places, f"{group.number}" if group.duplicate else None)
        table.games.append(game)
        table.live.apply(game)
        for player, place in zip(players, result.places, strict=True):
            better = sum(place < other for other in result.places)
            level = sum(place == other for other in result.places) - 1
            score = (better + level / 2) / (len(result.places) - 1)
            scores[player] = scores.get(player, 0.0) + score / len(played)
    for player, score in scores.items():
        table.sets[player] = table.sets.get(player, 0) + 1
        table.points[player] = table.points.get(player, 0.0) + score
        table.live_history.append((group.number, player, table.live.ratings[player]))
