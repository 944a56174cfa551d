"""`kumite games`: what can be played, with how many seats, in which variants, and what is hidden from whom."""

from __future__ import annotations

from typing import Annotated

import typer

from ladder.cli.decision_text import as_lines, as_plain, game_text
from ladder.cli.output import AsJson, print_json
from ladder.terminal_tables import print_table
from referee.kernel import registry
from referee.kernel.errors import BadSetting
from referee.kernel.game import AnyGame


def games(
    game: Annotated[str | None, typer.Argument(help="One game, in detail.")] = None,
    asked: Annotated[
        bool, typer.Option("--decisions", help="What the game asks: kinds, options, fields of the view, rules.")
    ] = False,
    as_json: AsJson = False,
) -> None:
    """List the games, or show one: seats, variants, what is hidden."""
    if asked:
        if game is None:
            raise BadSetting(f"--decisions is for one game: kumite games {registry.names()[0]} --decisions")
        text = game_text(game)
        if as_json:
            print_json(as_plain(text))
        else:
            typer.echo("\n".join(as_lines(text)))
        return
    chosen = [registry.game(game)] if game is not None else [registry.game(name) for name in registry.names()]
    if as_json:
        described = [_describe(entry) for entry in chosen]
        print_json(described[0] if game is not None else described)
    elif game is not None:
        _show(chosen[0])
    else:
        rows = [(entry.name, entry.title, _seats(entry), _settings(entry)) for entry in chosen]
        print_table("", ("game", "title", "seats", "settings"), rows, left=4)


def _seats(game: AnyGame) -> str:
    return f"{game.seats.start}-{game.seats.stop - 1}"


def _settings(game: AnyGame) -> str:
    return ", ".join(game.variants) or "none"


def _describe(game: AnyGame) -> dict[str, object]:
    return {
        "name": game.name,
        "title": game.title,
        "rules_version": game.rules_version,
        "components": game.digest,
        "seats": list(game.seats),
        "variants": {
            key: {
                "values": list(choices.values),
                "default": choices.default,
                "meaning": choices.meaning,
                "seats": list(choices.seats if choices.seats is not None else game.seats),
            }
            for key, choices in game.variants.items()
        },
        "hidden": list(game.hidden),
        "bounds": {"decisions": game.bounds.decisions, "options": game.bounds.options},
    }


def _show(game: AnyGame) -> None:
    typer.echo(f"{game.title} ({game.name}), {_seats(game)} seats, rules version {game.rules_version}")
    for key, choices in game.variants.items():
        values = " | ".join(f"[{value}]" if value == choices.default else value for value in choices.values)
        only = "" if choices.seats is None else f" (only with {', '.join(map(str, choices.seats))} seats)"
        typer.echo(f"\n  --variant {key}={values}{only}\n      {choices.meaning}")
    typer.echo("\nHidden:")
    for line in game.hidden:
        typer.echo(f"  - {line}")
