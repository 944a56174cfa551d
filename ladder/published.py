"""The standings of a season as they are shown: as published if those are up to date, otherwise folded anew."""

from __future__ import annotations

from dataclasses import dataclass

from ladder.rows import PoolRow, RatingRow, SeasonRow
from ladder.standings import Status, fold
from ladder.store import Store


@dataclass(frozen=True, slots=True)
class Standing:
    """One player of a pool."""

    rating: RatingRow
    status: Status
    rank: int | None
    """1 is best; None: the player is provisional or inactive."""
    unproven: bool
    """Whether the player's name has no token."""


@dataclass(frozen=True, slots=True)
class PoolStandings:
    """The standings of one pool: ranked players by rating, then the others by rating."""

    row: PoolRow
    players: tuple[Standing, ...]


def pool_name(row: PoolRow) -> str:
    """A pool in words: game, seats, every setting of the variant, and the clock if there is one."""
    settings = [f"{key} {value}" for key, value in sorted(row.variant.items())]
    if row.clock != "none":
        settings.append(f"clock {row.clock}")
    return f"{row.game}, {row.seats} seat{'' if row.seats == 1 else 's'}" + (
        f" ({', '.join(settings)})" if settings else ""
    )


def season_standings(store: Store, season: SeasonRow) -> list[PoolStandings]:
    """The standings of every pool of a season in which something was played, and of those that are not archived."""
    unproven, numbers = store.unproven(), store.build_numbers()
    found = [_pool(store, season, row, unproven, numbers) for row in store.pools(season.id)]
    return [pool for pool in found if pool.players or not pool.row.archived]


def _pool(store: Store, season: SeasonRow, row: PoolRow, unproven: set[str], numbers: dict[int, int]) -> PoolStandings:
    if not row.rated:
        return PoolStandings(row, ())
    fresh = store.stamp(row.id) == row.published
    groups, results = store.groups(row.id), store.results(row.id)
    table = fold(groups, results, numbers=numbers, by_end=season.tempo == "open", rate=not fresh)
    ratings = store.ratings(row.id) if fresh else table.rows()
    statuses = table.statuses()
    players = []
    ranks = 0
    for rating in sorted(ratings, key=lambda rating: statuses.get(rating.player) is not Status.RANKED):
        status = statuses.get(rating.player, Status.PROVISIONAL)
        ranks += status is Status.RANKED
        name = rating.player.partition("@")[0]
        rank = ranks if status is Status.RANKED else None
        players.append(Standing(rating, status, rank, name in unproven))
    return PoolStandings(row, tuple(players))
