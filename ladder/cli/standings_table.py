"""How standings are printed, whatever the season: the ranked bots first, then a line, then those without a rank."""

from __future__ import annotations

from collections.abc import Sequence

from ladder.cli.table_formats import Sheet, TableFormat, cross_json, cross_sheets, print_sheets
from ladder.seasons.published_standings import PoolStandings, PublishedStanding, pool_name
from ladder.seasons.standings import ACTIVE_DAYS, RANKED_GAMES, RankStatus
from ladder.store.records import RatingRow

COLUMNS = ("rank", "bot", "rating", "±", "games", "W", "D", "L")
FAULTS = "faults"
"""A column more, in a table with a bot that had faults."""
MEANING = (
    "rating: Elo from all games together, the reference of the pool = 1500, ± half of its 95% interval; 'at least': "
    "games set no upper end, as where the bot never lost to the reference, even indirectly; ranks are ranges where "
    "intervals overlap; W/D/L: opponents placed behind, level, ahead"
)


def pool_json(pool: PoolStandings) -> dict[str, object]:
    """The standings of a pool for a program."""
    row = pool.row
    found: dict[str, object] = {
        "game": row.game,
        "seats": row.seats,
        "variant": row.variant,
        "clock": row.clock,
        "rules_version": row.rules_version,
        "rated": row.rated,
        "archived": row.archived,
        "islands": [[entry.rating.player for entry in island] for island in pool.islands],
        "players": [
            {
                **entry.rating._asdict(),
                "rank": entry.rank,
                "ranks": None if entry.ranks is None else list(entry.ranks),
                "status": str(entry.status),
                "unproven": entry.unproven,
            }
            for entry in pool.players
        ],
    }
    if pool.cross is not None:
        found["cross"] = cross_json(pool.cross)
    return found


def show(
    pools: Sequence[PoolStandings], form: TableFormat = TableFormat.TEXT, *, cross: bool = False, los: bool = False
) -> None:
    """Print the standings of pools, and what is in them."""
    sheets: list[Sheet] = []
    for pool in pools:
        title = f"\n{pool_name(pool.row)}" + (" [archived: the rules have changed since]" if pool.row.archived else "")
        if not pool.row.rated:
            sheets.append(Sheet(f"{title}: not rated", (), ()))
            continue
        sheets += _sheets(title, pool)
        if pool.cross is not None:
            sheets += cross_sheets(title, pool.cross, cross=cross, los=los)
    print_sheets(sheets, _notes(pools), form)


def _sheets(title: str, pool: PoolStandings) -> list[Sheet]:
    islands = pool.islands or ((),)
    found = []
    for number, island in enumerate(islands, 1):
        name = title if len(islands) == 1 else f"{title}, island {number} of {len(islands)}: never met the others"
        ranked = [entry for entry in island if entry.status is RankStatus.RANKED]
        others = [entry for entry in island if entry.status is not RankStatus.RANKED]
        columns = (*COLUMNS, FAULTS) if any(entry.rating.faults for entry in island) else COLUMNS
        lines = [_line(_rank(entry), entry) for entry in ranked]
        if others:
            lines.append(("-" * 4, "-" * 3, *[""] * (len(COLUMNS) - 1)))
        lines += [_line(str(entry.status), entry) for entry in others]
        found.append(Sheet(name, columns, [line[: len(columns)] for line in lines]))
    return found


def _rank(entry: PublishedStanding) -> str:
    if entry.ranks is None or entry.ranks[0] == entry.ranks[1]:
        return str(entry.rank)
    return f"{entry.ranks[0]}-{entry.ranks[1]}"


def _line(rank: str, entry: PublishedStanding) -> tuple[object, ...]:
    rating = entry.rating
    counts = ("?" if count is None else count for count in (rating.wins, rating.draws, rating.losses, rating.faults))
    return rank, rating.player + (" *" if entry.unproven else ""), *rated(rating), rating.games, *counts


def rated(rating: RatingRow) -> tuple[str, str]:
    """A rating and its error in words."""
    if rating.exact:
        return f"{rating.elo:.0f}", "reference"
    if rating.low is not None and rating.high is not None:
        return f"{rating.elo:.0f}", f"{(rating.high - rating.low) / 2.0:.0f}"
    if rating.low is not None:
        return f"at least {rating.low:.0f}", ""
    return (f"at most {rating.high:.0f}", "") if rating.high is not None else ("?", "")


def _notes(pools: Sequence[PoolStandings]) -> list[str]:
    """Sentences below the tables."""
    players = [entry for pool in pools for entry in pool.players]
    notes = [f"\n{MEANING}"] if players else []
    if any(entry.status is not RankStatus.RANKED for entry in players):
        notes.append(f"without a rank: fewer than {RANKED_GAMES} games, or none for {ACTIVE_DAYS} days")
    if any(entry.unproven for entry in players):
        notes.append("* unproven: the name has no token, any bot may have played under it")
    return notes
