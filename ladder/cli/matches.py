"""`kumite match`: games between bots in this process, for a quick look, an experiment, or a record to study."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Annotated, TypeVar

import typer

from ladder.cli.output import AsJson, VariantOption, parse_variant, print_json, print_table
from ladder.entrants import find, seat_names
from ladder.playing import fresh_id, fresh_secret, play
from referee.kernel import registry
from referee.kernel.errors import BadSetting
from referee.kernel.game import settle_variant
from referee.match import files
from referee.match.clock import Clock
from referee.match.policy import EndingKind, Policy
from referee.match.record import Record

T = TypeVar("T")


def add_to(app: typer.Typer) -> None:
    """Register the command."""
    app.command("match")(match)


def match(
    game: Annotated[str, typer.Argument(help="The game, by name (see `kumite games`).")],
    bots: Annotated[
        list[str],
        typer.Argument(help="One bot per seat: greedy, random:seed=7, py:module:Class, or a folder with a bot.toml."),
    ],
    seed: Annotated[str | None, typer.Option(help="Fix the luck, and with it the bots' own dice.")] = None,
    variant: VariantOption = None,
    clock: Annotated[str, typer.Option(help="Bank+increment/cap such as 10s+100ms/5s, or none.")] = "none",
    record: Annotated[Path | None, typer.Option(help="Write the match's record to this file.")] = None,
    games: Annotated[int, typer.Option(min=1, help="Play so many, bots moving one seat on each time.")] = 1,
    development: Annotated[bool, typer.Option(help="Stop at the first fault, with an explanation.")] = False,
    as_json: AsJson = False,
) -> None:
    """Play bots against each other in this process."""
    rules = registry.game(game)
    entrants = [find(spec) for spec in bots]
    names = seat_names(entrants)
    settings = settle_variant(rules, len(entrants), parse_variant(variant))
    control = Clock.parse(clock)
    if record is not None and games > 1:
        raise BadSetting("--record keeps one match; leave --games out, or run kumite match several times")
    if record is not None:
        _check_writable(record)
    played = []
    for number in range(games):
        luck = None if seed is None else f"{seed}/{number}" if games > 1 else seed
        played.append(
            play(
                rules,
                _turned(entrants, number),
                _turned(names, number),
                secret=fresh_secret(luck),
                match_id=fresh_id(luck),
                variant=settings,
                clock=control,
                policy=Policy(development=development),
            )
        )
    if record is not None:
        files.write(played[0], record)
    if as_json:
        described = [_describe(entry) for entry in played]
        print_json(described if games > 1 else described[0])
    elif games == 1:
        _show(played[0], record)
    else:
        _show_table(played)
    if development and any(entry.final is None or entry.final.result is None for entry in played):
        raise typer.Exit(1)


def _turned(seats: Sequence[T], number: int) -> list[T]:
    shift = number % len(seats)
    return [*seats[-shift:], *seats[:-shift]] if shift else list(seats)


def _check_writable(path: Path) -> None:
    """Complain about a bad place before the game is played rather than after."""
    if path.is_dir():
        raise BadSetting(f"--record {path}: that is a folder; name a file")
    if not path.absolute().parent.is_dir():
        raise BadSetting(f"--record {path}: there is no folder {path.absolute().parent}")


def _describe(record: Record) -> dict[str, object]:
    header, final = record.header, record.final
    result = None if final is None else final.result
    return {
        "match": header.match,
        "game": header.game,
        "variant": header.variant,
        "players": list(header.players),
        "automata": [] if result is None else list(result.automata),
        "places": None if result is None else list(result.places),
        "points": None if result is None else list(result.points),
        "reason": None if result is None else result.reason,
        "rated": final is not None and final.rated,
        "endings": []
        if final is None
        else [
            {"kind": str(ending.kind), "faults": ending.faults, "message": ending.message} for ending in final.endings
        ],
        "steps": len(record.steps),
        "commitment": header.commitment,
    }


def _show(record: Record, path: Path | None) -> None:
    final = record.final
    if final is None or final.result is None:
        messages = {ending.message for ending in final.endings} if final else set()
        typer.echo("The match ended without a result. " + " ".join(sorted(messages)), err=True)
        return
    result = final.result
    names = [*record.header.players, *result.automata]
    rows = []
    for seat, name in enumerate(names):
        note = ""
        if seat < len(final.endings):
            ending = final.endings[seat]
            if ending.kind is not EndingKind.FINISHED:
                note = f"{ending.kind}: {ending.message}"
            elif ending.faults:
                note = f"{ending.faults} fault{'s' if ending.faults > 1 else ''}"
        rows.append((seat, name, result.places[seat], result.points[seat], note))
    print_table("", ("seat", "player", "place", "points", ""), rows, left=2)
    typer.echo(f"ended by {result.reason} after {len(record.steps) - 1} steps; match {record.header.match}")
    if path is not None:
        typer.echo(f"record: {path}  (kumite replay {path}; kumite verify {path})")


def _show_table(played: Sequence[Record]) -> None:
    tallies: dict[str, list[int]] = {}
    for record in played:
        if record.final is None or record.final.result is None:
            continue
        result = record.final.result
        names = [*record.header.players, *result.automata]
        for name, place, points in zip(names, result.places, result.points, strict=True):
            tally = tallies.setdefault(name, [0, 0, 0, 0])
            tally[0] += 1
            tally[1] += place == 1
            tally[2] += place
            tally[3] += points
    rows = [
        (name, seats, firsts, f"{places / seats:.2f}", f"{points / seats:.1f}")
        for name, (seats, firsts, places, points) in sorted(tallies.items(), key=lambda item: item[1][2] / item[1][0])
    ]
    print_table(f"{len(played)} games", ("player", "seats played", "firsts", "mean place", "mean points"), rows)
