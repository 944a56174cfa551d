"""`kumite match`: games between bots in this process, for a quick look, an experiment, or a record to study."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Annotated, TypeVar

import typer
from rich.console import Console
from rich.live import Live

from ladder.cli.output import AsJson, VariantOption, parse_variant, print_json, print_table
from ladder.cli.places import check_file
from ladder.cli.trusting import TrustOption, take_settings
from ladder.entrants import find, seat_names
from ladder.playing import fresh_id, fresh_secret, play
from referee.kernel import registry
from referee.kernel.errors import BadSetting
from referee.kernel.game import settle_variant
from referee.match import files
from referee.match.clock import Clock
from referee.match.policy import EndingKind, Policy
from referee.match.record import Record

INTERRUPTED = 130
"""Exit code after Ctrl-C."""

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
    seed: Annotated[
        str | None, typer.Option(help="Fix the luck and the bots' own dice. It is as secret as the seed is.")
    ] = None,
    variant: VariantOption = None,
    clock: Annotated[str, typer.Option(help="Bank+increment/cap such as 10s+100ms/5s, or none.")] = "none",
    record: Annotated[Path | None, typer.Option(help="Write the match's record to this file.")] = None,
    games: Annotated[int, typer.Option(min=1, help="Play so many, bots moving one seat on each time.")] = 1,
    development: Annotated[bool, typer.Option(help="Stop at the first fault, with an explanation.")] = False,
    trust: TrustOption = False,
    as_json: AsJson = False,
) -> None:
    """Play bots against each other in this process. Ctrl-C ends several games early, with the table so far."""
    rules = registry.game(game)
    entrants = [find(spec) for spec in bots]
    take_settings(trust, entrants)
    names = seat_names(entrants)
    settings = settle_variant(rules, len(entrants), parse_variant(variant))
    control = Clock.parse(clock)
    if record is not None and games > 1:
        raise BadSetting("--record keeps one match; leave --games out, or run kumite match several times")
    if record is not None:
        check_file("--record", record, replaced=True)

    def one(number: int) -> Record:
        luck = None if seed is None else f"{seed}/{number}" if games > 1 else seed
        return play(
            rules,
            _turned(entrants, number),
            _turned(names, number),
            secret=fresh_secret(luck),
            match_id=fresh_id(luck, rules.name),
            variant=settings,
            clock=control,
            policy=Policy(development=development),
        )

    if games > 1:
        tally = _several(one, games, as_json)
    else:
        tally = _Tally(as_json)
        played = one(0)
        tally.add(played)
        if record is not None:
            files.write(played, record)
        if as_json:
            print_json(tally.described[0])
        else:
            _show(played, record)
    if development and tally.without_result:
        raise typer.Exit(1)


@dataclass(slots=True)
class _Tally:
    """What is kept of the games that are over: a line for each player, and a description of each game if wanted."""

    describing: bool
    games: int = 0
    without_result: int = 0
    rows: dict[str, list[int]] = field(default_factory=dict)
    """By player: seats played, firsts, sum of places, sum of points."""
    described: list[dict[str, object]] = field(default_factory=list)

    def add(self, record: Record) -> None:
        """Count a game; its record is not kept."""
        self.games += 1
        if self.describing:
            self.described.append(_describe(record))
        if record.final is None or record.final.result is None:
            self.without_result += 1
            return
        result = record.final.result
        for name, place, points in zip(
            [*record.header.players, *result.automata], result.places, result.points, strict=True
        ):
            row = self.rows.setdefault(name, [0, 0, 0, 0])
            for column, value in enumerate((1, place == 1, place, points)):
                row[column] += value


def _several(one: Callable[[int], Record], games: int, as_json: bool) -> _Tally:
    """Play several games and print what they came to; Ctrl-C ends them early and is told by the exit code."""
    tally = _Tally(as_json)
    interrupted = False
    try:
        with _progress(games) as told:
            for number in range(games):
                tally.add(one(number))
                told(number + 1)
    except KeyboardInterrupt:
        interrupted = True
    if as_json:
        print_json(tally.described)
    else:
        _show_table(tally)
    if interrupted:
        typer.echo(f"stopped after {tally.games} of {games} games", err=True)
        raise typer.Exit(INTERRUPTED)
    return tally


@contextmanager
def _progress(games: int) -> Iterator[Callable[[int], None]]:
    """Shows on a terminal how many games are over; says nothing elsewhere."""
    console = Console(stderr=True)
    if not console.is_terminal:
        yield lambda count: None
        return
    with Live(console=console, refresh_per_second=4, transient=True) as live:
        yield lambda count: live.update(f"{count} of {games} games")


def _turned(seats: Sequence[T], number: int) -> list[T]:
    shift = number % len(seats)
    return [*seats[-shift:], *seats[:-shift]] if shift else list(seats)


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


def _show_table(tally: _Tally) -> None:
    rows = [
        (name, seats, firsts, f"{places / seats:.2f}", f"{points / seats:.1f}")
        for name, (seats, firsts, places, points) in sorted(
            tally.rows.items(), key=lambda item: item[1][2] / item[1][0]
        )
    ]
    print_table(f"{tally.games} games", ("player", "seats played", "firsts", "mean place", "mean points"), rows)
