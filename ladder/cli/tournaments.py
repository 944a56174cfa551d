"""`kumite tournament`: the bundled bots against each other over real gRPC, with a rated table at the end."""

from __future__ import annotations

import time
from typing import Annotated

import typer

from bots.specs import resolve
from ladder.cli.output import AsJson, print_json, print_table
from ladder.ratings.plackett_luce import fit
from ladder.ratings.results import Game, collect
from ladder.tournament import Entrant, hold
from referee.kernel import registry
from referee.kernel.errors import BadSetting
from referee.match.record import Final
from referee.transport.lobby import Plan


def add_to(app: typer.Typer) -> None:
    """Register the command."""
    app.command("tournament")(tournament)


def tournament(
    bots: Annotated[
        list[str] | None, typer.Argument(help="Bots by spec; greedy and two random ones if left out.")
    ] = None,
    game: Annotated[list[str] | None, typer.Option(help="Only this game; repeat for more.")] = None,
    rounds: Annotated[int, typer.Option(min=1, help="How often every pair meets in both orders of seats.")] = 5,
    as_json: AsJson = False,
) -> None:
    """Play every pair of bots at two-player tables over gRPC and rate them."""
    entrants = _entrants(bots or ["greedy", "random:seed=1", "random:seed=2"])
    games = [name for name in (game or registry.names()) if 2 in registry.game(name).seats]
    begun = time.monotonic()

    def told(plan: Plan, final: Final) -> None:
        if as_json:
            return
        points = "no result" if final.result is None else "-".join(map(str, final.result.points))
        typer.echo(f"{plan.game:14} {plan.players[0]:>16} {points:^9} {plan.players[1]}")

    results = hold(games, entrants, rounds, told)
    if as_json:
        print_json(
            {
                name: [{"players": entry.players, "places": entry.places} for entry in played]
                for name, played in results.items()
            }
        )
        return
    for name, played in results.items():
        _show(name, played)
    total = sum(map(len, results.values()))
    typer.echo(f"\n{total} rated games in {time.monotonic() - begun:.1f} s, every decision over gRPC")


def _entrants(specs: list[str]) -> list[Entrant]:
    entrants = [Entrant(resolve(spec).name, spec) for spec in specs]
    if len({entrant.name for entrant in entrants}) < len(entrants):
        raise BadSetting("a tournament needs bots of different names; two specs are equal")
    if len(entrants) < 2:
        raise BadSetting("a tournament needs at least two bots")
    return entrants


def _show(game: str, played: list[Game]) -> None:
    found = fit(collect(played))
    order = sorted(range(len(found.names)), key=lambda player: -found.elo[player])
    rows = [
        (
            place,
            found.names[player],
            round(found.elo[player]),
            f"{round(found.low[player])} to {round(found.high[player])}",
            found.games[found.names[player]],
            f"{found.points[found.names[player]]:g}",
        )
        for place, player in enumerate(order, 1)
    ]
    print_table(f"\n{game}", ("", "bot", "elo", "95%", "games", "points"), rows, left=2)
