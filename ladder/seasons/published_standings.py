"""The standings of a season as they are shown: as published if those are up to date, otherwise folded anew."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from math import inf

from ladder.seasons.cross_table import CrossTable, cross_table
from ladder.seasons.standings import RankStatus, fold
from ladder.store.database import Store
from ladder.store.records import PoolRow, RatingRow, SeasonRow
from ladder.store.shown_names import ShownNames


@dataclass(frozen=True, slots=True)
class PublishedStanding:
    """One player of a pool."""

    rating: RatingRow
    status: RankStatus
    rank: int | None
    """1 is best, on the player's island; None: the player is provisional or inactive."""
    ranks: tuple[int, int] | None
    """Best and worst rank among the ranked that the intervals allow."""
    unproven: bool
    """Whether the player's name has no token."""


@dataclass(frozen=True, slots=True)
class PoolStandings:
    """The standings of one pool, island by island: ranked players by rating, then the others by rating."""

    row: PoolRow
    players: tuple[PublishedStanding, ...]
    cross: CrossTable | None = None
    """Only if it was asked for."""

    @property
    def islands(self) -> tuple[tuple[PublishedStanding, ...], ...]:
        """The players of each island; ratings are compared within it alone."""
        numbers = dict.fromkeys(entry.rating.island for entry in self.players)
        return tuple(tuple(entry for entry in self.players if entry.rating.island == number) for number in numbers)


def pool_name(row: PoolRow) -> str:
    """A pool in words: game, seats, every setting of the variant, and the clock if there is one."""
    settings = [f"{key} {value}" for key, value in sorted(row.variant.items())]
    if row.clock != "none":
        settings.append(f"clock {row.clock}")
    return f"{row.game}, {row.seats} seat{'' if row.seats == 1 else 's'}" + (
        f" ({', '.join(settings)})" if settings else ""
    )


def season_standings(store: Store, season: SeasonRow, *, cross: bool = False) -> list[PoolStandings]:
    """The standings of every pool of a season in which something was played, and of those that are not archived.

    `cross` adds the results of every pair of players, and who is likely to be the stronger one.
    """
    unproven = store.unproven()
    pools = [_pool(store, season, row, unproven, cross) for row in store.pools(season.id)]
    pseudonyms = store.pseudonyms()
    found = [_shown(pool, pseudonyms) for pool in pools] if pseudonyms else pools
    return [pool for pool in found if pool.players or not pool.row.archived]


def _pool(store: Store, season: SeasonRow, row: PoolRow, unproven: set[str], cross: bool) -> PoolStandings:
    if not row.rated:
        return PoolStandings(row, ())
    fresh = store.stamp(row.id) == row.published
    table = fold(store, row.id, by_end=season.tempo == "open", rate=cross or not fresh)
    ratings = store.ratings(row.id) if fresh else table.rows()
    players = rank_players(ratings, table.statuses(), unproven)
    return PoolStandings(row, players, cross_table(table) if cross and table.fit is not None else None)


def rank_players(
    ratings: Sequence[RatingRow], statuses: Mapping[str, RankStatus], unproven: Collection[str]
) -> tuple[PublishedStanding, ...]:
    """Players with their ranks, island by island: the ranked by rating, then the others by rating."""
    players = []
    for island in dict.fromkeys(rating.island for rating in ratings):
        members = [rating for rating in ratings if rating.island == island]
        ranked = [rating for rating in members if statuses.get(rating.player) is RankStatus.RANKED]
        ends = [_ends(rating) for rating in ranked]
        lows, highs = sorted(low for low, _ in ends), sorted(high for _, high in ends)
        # Rank, and the best and worst possible: better for sure are players whose intervals lie wholly above.
        places = {
            rating.player: (number, (1 + len(lows) - bisect_right(lows, high), len(highs) - bisect_left(highs, low)))
            for number, (rating, (low, high)) in enumerate(zip(ranked, ends, strict=True), 1)
        }
        for rating in sorted(members, key=lambda rating: statuses.get(rating.player) is not RankStatus.RANKED):
            status = statuses.get(rating.player, RankStatus.PROVISIONAL)
            proven = rating.player.partition("@")[0] not in unproven
            rank, ranks = places.get(rating.player, (None, None))
            players.append(PublishedStanding(rating, status, rank, ranks, not proven))
    return tuple(players)


def _shown(pool: PoolStandings, pseudonyms: dict[str, str]) -> PoolStandings:
    """The standings with hidden bots under their pseudonyms."""
    name = ShownNames(pseudonyms).shown
    players = tuple(
        replace(entry, rating=entry.rating._replace(player=name(entry.rating.player))) for entry in pool.players
    )
    cross = pool.cross
    if cross is not None:
        cross = replace(cross, players=tuple(map(name, cross.players)))
    return replace(pool, players=players, cross=cross)


def _ends(rating: RatingRow) -> tuple[float, float]:
    """Both ends of a rating's interval; those that do not exist are infinite, and the reference is exact."""
    low, high = (rating.elo, rating.elo) if rating.exact else (-inf, inf)
    return low if rating.low is None else rating.low, high if rating.high is None else rating.high
