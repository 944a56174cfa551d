"""How standings are printed, whatever the season: the ranked bots first, then a line, then those without a rank."""

from __future__ import annotations

import typer

from ladder.cli.output import print_table
from ladder.published import PoolStandings, Standing, pool_name
from ladder.standings import Status


def pool_json(pool: PoolStandings) -> dict[str, object]:
    """The standings of a pool for a program."""
    row = pool.row
    return {
        "game": row.game,
        "seats": row.seats,
        "variant": row.variant,
        "clock": row.clock,
        "rules_version": row.rules_version,
        "rated": row.rated,
        "archived": row.archived,
        "players": [
            {
                **entry.rating._asdict(),
                "rank": entry.rank,
                "status": str(entry.status),
                "unproven": entry.unproven,
            }
            for entry in pool.players
        ],
    }


def show(pool: PoolStandings) -> None:
    """Print the standings of a pool."""
    title = f"\n{pool_name(pool.row)}" + (" [archived: the rules have changed since]" if pool.row.archived else "")
    if not pool.row.rated:
        typer.echo(f"{title}: not rated")
        return
    ranked = [entry for entry in pool.players if entry.status is Status.RANKED]
    others = [entry for entry in pool.players if entry.status is not Status.RANKED]
    lines = [_line(str(entry.rank), entry) for entry in ranked]
    if others:
        lines.append(("-" * 4, "-" * 3, *[""] * 6))
    lines += [_line(str(entry.status), entry) for entry in others]
    columns = ("rank", "bot", "elo", "low", "high", "live", "games", "points")
    print_table(title, columns, lines, left=2)


def _line(rank: str, entry: Standing) -> tuple[object, ...]:
    rating = entry.rating
    return (
        rank,
        rating.player + (" *" if entry.unproven else ""),
        f"{rating.elo:+.0f}",
        f"{rating.low:+.0f}" if rating.low is not None else "?",
        f"{rating.high:+.0f}" if rating.high is not None else "?",
        f"{rating.live:.0f}",
        rating.games,
        f"{rating.points:.1f}",
    )


def explain(pools: list[PoolStandings]) -> None:
    """Say below the tables what the marks in them mean."""
    if any(entry.unproven for pool in pools for entry in pool.players):
        typer.echo("\n* unproven: the name has no token, any bot may have played under it")
