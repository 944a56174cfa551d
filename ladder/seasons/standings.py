"""From stored results to standings: a fold over the groups of a pool, so it can be thrown away and done again.

A planned season is folded in the order of its schedule, an open one in the order in which its matches ended, and so is
a pool with matches that were played elsewhere: this order is the same in every file that holds the same matches. A bot
whose code changed is another build, and builds are rated apart: the present one under the bot's own name, an earlier
one as `name@number`, counted from the bot's first build. Only whole groups count: a set with a match missing, void or
unrated is left out altogether. The published rating is the batch fit, with the games of a duplicate set as one group,
counted from 1500; the quick rating is Glicko's over the same games in the same order.

Ranked are players with `RANKED_GAMES` games, one of them within `ACTIVE_DAYS` days; others are provisional or
inactive.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from enum import StrEnum
from typing import NamedTuple

from ladder.pairing.planned import History, ScheduleStanding
from ladder.ratings.glicko import FIRST_RATING, Quick
from ladder.ratings.plackett_luce import Fit, fit
from ladder.ratings.results import FinishedGame, collect, finite, scores_against
from ladder.store.database import Store
from ladder.store.records import GroupRow, RatingRow, ResultRow

RANKED_GAMES = 10
"""Games from which on a player has a rank."""
ACTIVE_DAYS = 30
"""Days without a game after which a player has no rank."""

NOT_BEGUN = ("~", "")
"""Moment and match with which a group begins of which nothing was played: after every other."""


class RankStatus(StrEnum):
    """Whether a player has a rank, and why not."""

    RANKED = "ranked"
    PROVISIONAL = "provisional"
    INACTIVE = "inactive"


class Tally(NamedTuple):
    """What a player's results were, opponent by opponent, summed over games."""

    wins: int = 0
    draws: int = 0
    losses: int = 0
    faults: int = 0


@dataclass(slots=True)
class PoolFold:
    """The standings of one pool. Groups may be added bit by bit, in the order of the fold."""

    present: Mapping[str, int] = field(default_factory=dict)
    """The builds that play now, by bot."""
    numbers: Mapping[int, int] = field(default_factory=dict)
    """The number of a build among those of its bot, by the build's id; a build that is missing here keeps its id."""
    games: list[FinishedGame] = field(default_factory=list)
    """All games that count, in the order of the fold."""
    lineups: list[tuple[str, ...]] = field(default_factory=list)
    """The lineups of all whole groups, counted or void, in the order of the fold."""
    last: dict[str, str] = field(default_factory=dict)
    """When the last game of each player began."""
    sets: dict[str, int] = field(default_factory=dict)
    points: dict[str, float] = field(default_factory=dict)
    live: Quick = field(default_factory=Quick)
    live_history: list[tuple[int, str, float]] = field(default_factory=list)
    """(group number, player, quick rating after it)."""
    tallies: dict[str, Tally] = field(default_factory=dict)
    fit: Fit | None = None
    """The ratings as of the last `rate`; None before, or without any game."""

    def add(self, groups: Sequence[GroupRow], results: Iterable[ResultRow]) -> None:
        """Count those of the groups that are whole."""
        by_group: dict[int, list[ResultRow]] = {}
        for result in results:
            by_group.setdefault(result.group, []).append(result)
        for group in groups:
            played = by_group.get(group.number, [])
            if len(played) < group.games or any(result.state == "running" for result in played):
                continue
            self.lineups.append(_labels(group.lineup, group.builds, self))
            if all(result.state == "finished" and result.rated for result in played):
                _count(self, group, sorted(played, key=lambda result: result.rotation))

    def rate(self, *, ends: bool = True) -> None:
        """Fit the ratings to all games, from those of the last time; `ends` False is enough for pairing."""
        if self.games:
            self.fit = fit(collect(self.games), offset=FIRST_RATING, ends=ends, start=self.fit)

    def history(self, bots: Sequence[str]) -> History:
        """What pairing looks at, for the bots that play now."""
        known = {} if self.fit is None else {name: index for index, name in enumerate(self.fit.names)}
        standings = []
        for name in sorted(bots):
            elo, error = 0.0, float("inf")
            if self.fit is not None and name in known:
                # Rounded: a fit that began elsewhere ends a hair's breadth away, and pairing must not see that.
                elo, error = round(float(self.fit.elo[known[name]]), 1), round(float(self.fit.se[known[name]]), 1)
            standings.append(ScheduleStanding(name, self.sets.get(name, 0), self.points.get(name, 0.0), elo, error))
        playing = set(bots)
        return History(tuple(standings), tuple(lineup for lineup in self.lineups if playing.issuperset(lineup)))

    def rows(self) -> list[RatingRow]:
        """The standings as they are stored: island by island, best first."""
        if self.fit is None:
            return []
        found = self.fit
        rows = [
            RatingRow(
                player=name,
                elo=float(found.elo[index]),
                low=finite(found.low[index]),
                high=finite(found.high[index]),
                se_model=finite(found.se_model[index]),
                se_robust=finite(found.se_robust[index]),
                live=self.live.rated(name).rating,
                games=found.games[name],
                points=found.points[name],
                deviation=self.live.rated(name).deviation,
                **self.tallies.get(name, Tally())._asdict(),
                island=int(found.island[index]),
                exact=bool(found.reference[index] == 1.0),
            )
            for index, name in enumerate(found.names)
        ]
        return sorted(rows, key=lambda row: (row.island, -row.elo, row.player))

    def statuses(self, now: datetime | None = None) -> dict[str, RankStatus]:
        """Whether each player has a rank."""
        oldest = (now or datetime.now(UTC)) - timedelta(days=ACTIVE_DAYS)
        found = {}
        for name, games in self.live.games.items():
            last = self.last.get(name)
            recent = last is not None and datetime.fromisoformat(last) >= oldest
            found[name] = RankStatus.RANKED if recent else RankStatus.INACTIVE
            if games < RANKED_GAMES:
                found[name] = RankStatus.PROVISIONAL
        return found


def fold(
    store: Store, pool: int, current: Mapping[str, int] | None = None, *, by_end: bool = False, rate: bool = True
) -> PoolFold:
    """The standings of a pool after all whole groups that are stored.

    `current` are the builds that play now; None: the last ones in groups. `by_end`: fold in the order in which the
    matches ended, as open seasons are, instead of the order of groups; so is a pool with imported groups. `rate` False
    leaves the batch fit out.
    """
    groups, results = store.groups(pool), store.results(pool)
    if any(group.origin is not None for group in groups):
        by_end = True
        begun = {result.group: (result.started, result.match) for result in reversed(results)}
        groups = sorted(groups, key=lambda group: begun.get(group.number, NOT_BEGUN))
    present = last_builds(groups, results) if current is None else dict(current)
    if by_end:
        ends = {result.group: result.end_number or 0 for result in results}
        groups = sorted(groups, key=lambda group: (ends.get(group.number, 0), group.number))
    table = PoolFold(present, store.build_numbers())
    table.add(groups, results)
    if rate:
        table.rate()
    return table


def publish(store: Store, pool: int, current: Mapping[str, int] | None = None, *, by_end: bool = False) -> PoolFold:
    """Fold a pool, see `fold`, and store its standings; returns them."""
    stamp = store.stamp(pool)
    table = fold(store, pool, current, by_end=by_end)
    store.save_ratings(pool, table.rows(), stamp, table.live_history)
    return table


def last_builds(groups: Sequence[GroupRow], results: Iterable[ResultRow]) -> dict[str, int]:
    """The last build of each bot: as scheduled, or, where the schedule names none, as it played."""
    present: dict[str, int] = {}
    for result in sorted(results, key=lambda result: result.end_number or 0):
        seated = zip(result.players, result.builds, strict=True)
        present.update((name, build) for name, build in seated if build is not None)
    for group in groups:
        present.update((name, build) for name, build in zip(group.lineup, group.builds, strict=True) if build)
    return present


def _labels(names: Sequence[str], builds: Sequence[int | None], table: PoolFold) -> tuple[str, ...]:
    """What the players are rated as. A build that the schedule does not name (0) is the present one."""
    return tuple(
        name if not build or table.present.get(name, build) == build else f"{name}@{table.numbers.get(build, build)}"
        for name, build in zip(names, builds, strict=True)
    )


def _count(table: PoolFold, group: GroupRow, played: Sequence[ResultRow]) -> None:
    scores: dict[str, float] = {}
    for result in played:
        players = _labels(result.players, result.builds, table)
        for player in players:
            table.last[player] = max(table.last.get(player, ""), result.started)
        game = FinishedGame(players, result.places, f"{group.number}" if group.duplicate else None)
        table.games.append(game)
        table.live.apply(game)
        faults = result.faults or (0,) * len(players)
        for seat, (player, failed) in enumerate(zip(players, faults, strict=True)):
            against = scores_against(result.places, seat)
            scores[player] = scores.get(player, 0.0) + sum(against) / len(against) / len(played)
            won, drawn, lost, faulted = table.tallies.get(player, Tally())
            table.tallies[player] = Tally(
                won + against.count(1.0), drawn + against.count(0.5), lost + against.count(0.0), faulted + failed
            )
    for player, score in scores.items():
        table.sets[player] = table.sets.get(player, 0) + 1
        table.points[player] = table.points.get(player, 0.0) + score
        table.live_history.append((group.number, player, table.live.rated(player).rating))
