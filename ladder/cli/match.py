"""`kumite match`: games between bots in this process, for a quick look, an experiment, or a record to study."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Annotated, TypeVar

import typer

from ladder.arena.bot_output import aside
from ladder.arena.entrants import seat_names
from ladder.arena.fault_lines import SeenFault, seen_faults
from ladder.arena.play import fresh_id, fresh_secret, play
from ladder.cli.hosting import TrustOption, found
from ladder.cli.live_count import live_count
from ladder.cli.output import AsJson, LimitOption, VariantOption, limit_seconds, parse_variant, print_json
from ladder.cli.writable import check_file, make_folder
from ladder.escaping import counted, visible
from ladder.store.records import faults_of
from ladder.terminal_tables import print_table
from referee.kernel import registry
from referee.kernel.game import settle_variant
from referee.match import files
from referee.match.clock import TimeControl
from referee.match.plan import MatchPlan
from referee.match.policy import EndingKind, Owner, Policy
from referee.match.record import Record
from referee.match.supervision import Trouble

INTERRUPTED = 130
"""Exit code after Ctrl-C."""

BotsArgument = Annotated[
    list[str],
    typer.Argument(help="One bot per seat: greedy, random:seed=7, py:module:Class, or a folder with a bot.toml."),
]
DevelopmentOption = Annotated[bool, typer.Option(help="Stop at the first fault, with an explanation and its trace.")]

T = TypeVar("T")


def match(
    game: Annotated[str, typer.Argument(help="The game, by name (see `kumite games`).")],
    bots: BotsArgument,
    seed: Annotated[
        str | None, typer.Option(help="Fix the luck and the bots' own dice. It is as secret as the seed is.")
    ] = None,
    variant: VariantOption = None,
    clock: Annotated[str, typer.Option(help="Bank+increment/cap such as 10s+100ms/5s, or none.")] = "none",
    record: Annotated[
        Path | None,
        typer.Option(help="Write the record to this file; with --games, or where it is a folder, MATCH.jsonl in it."),
    ] = None,
    games: Annotated[int, typer.Option(min=1, help="Play so many, bots moving one seat on each time.")] = 1,
    limit: LimitOption = None,
    development: DevelopmentOption = False,
    trust: TrustOption = False,
    as_json: AsJson = False,
) -> None:
    """Play bots against each other in this process. Ctrl-C ends several games early, with the table so far.

    A bot that exceeds its clock, or --limit, is interrupted and late. What bots print goes to standard error.
    """
    rules = registry.game(game)
    entrants = found(bots, trust)
    names = seat_names(entrants)
    settings = settle_variant(rules, len(entrants), parse_variant(variant))
    control = TimeControl.parse(clock)
    seconds = limit_seconds(limit)
    troubles: dict[str, list[Trouble]] = {}
    shelf = None if record is None else _Shelf.at(record, games)

    def one(number: int) -> Record:
        luck = None if seed is None else f"{seed}/{number}" if games > 1 else seed
        plan = MatchPlan(
            game=rules.name,
            players=tuple(_turned(names, number)),
            match=fresh_id(luck, rules.name),
            secret=fresh_secret(luck),
            variant=settings,
            clock=control,
            policy=Policy(development=development),
        )
        with aside():
            raised = troubles.setdefault(plan.match, [])
            return play(plan, _turned(entrants, number), limit=seconds, troubles=raised)

    tally = _Tally(as_json, development, troubles)
    _report(one, games, tally, shelf)
    if development and tally.without_result:
        raise typer.Exit(1)


@dataclass(frozen=True, slots=True)
class _Shelf:
    """Where records are written."""

    path: Path
    folder: bool
    """Whether each record is a file of its own in a folder, `<match id>.jsonl`."""

    @classmethod
    def at(cls, path: Path, games: int) -> _Shelf:
        """A place for so many records, tried out; raises BadSetting. A folder is made where several need one."""
        if games > 1 or path.is_dir():
            return cls(make_folder("--record", path), folder=True)
        check_file("--record", path, replaced=True)
        return cls(path, folder=False)

    def put(self, record: Record) -> Path:
        """Write a record; returns its file."""
        path = self.path / f"{record.header.match}{files.SUFFIX}" if self.folder else self.path
        files.write(record, path)
        return path


def _report(one: Callable[[int], Record], games: int, tally: _Tally, shelf: _Shelf | None) -> None:
    """Play the games, keep their records, and print what became of them."""

    def kept(number: int) -> tuple[Record, Path | None]:
        played = one(number)
        return played, None if shelf is None else shelf.put(played)

    if games > 1:
        _several(lambda number: kept(number)[0], games, tally)
        if shelf is not None and not tally.describing:
            typer.echo(f"records: {shelf.path}  (kumite replay {shelf.path}; kumite verify {shelf.path})")
        return
    played, path = kept(0)
    tally.add(played)
    if tally.describing:
        print_json(tally.described[0])
    else:
        _show(played, path, tally)


@dataclass(slots=True)
class _Tally:
    """What is kept of the games that are over: a line for each player, and a description of each game if wanted."""

    describing: bool
    tracing: bool
    """Whether the trace of a bot's first exception is shown."""
    troubles: dict[str, list[Trouble]]
    """By match: what bots raised. A game that is counted is taken out."""
    games: int = 0
    without_result: int = 0
    rows: dict[str, list[int]] = field(default_factory=dict)
    """By player: seats played, firsts, sum of places, sum of points."""
    described: list[dict[str, object]] = field(default_factory=list)
    faults: Counter[str] = field(default_factory=Counter)
    """By player."""
    first: dict[str, SeenFault] = field(default_factory=dict)
    """The first fault of each player."""

    def add(self, record: Record) -> None:
        """Count a game; its record is not kept."""
        self.games += 1
        header = record.header
        troubles = self.troubles.pop(header.match, [])
        seen = seen_faults(header.match, header.players, faults_of(record), troubles)
        for fault in seen:
            self.faults[fault.player] += 1
            self.first.setdefault(fault.player, fault)
        if self.describing:
            self.described.append(_describe(record, seen))
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


def _several(one: Callable[[int], Record], games: int, tally: _Tally) -> None:
    """Play several games and print what they came to; Ctrl-C ends them early and is told by the exit code."""
    interrupted = False
    try:
        with live_count(f"{{}} of {games} games") as told:
            for number in range(games):
                tally.add(one(number))
                told(number + 1)
    except KeyboardInterrupt:
        interrupted = True
    if tally.describing:
        print_json(tally.described)
    else:
        _show_table(tally)
        _show_faults(tally)
    if interrupted:
        typer.echo(f"stopped after {tally.games} of {games} games", err=True)
        raise typer.Exit(INTERRUPTED)


def _turned(seats: Sequence[T], number: int) -> list[T]:
    shift = number % len(seats)
    return [*seats[-shift:], *seats[:-shift]] if shift else list(seats)


def _describe(record: Record, faults: Sequence[SeenFault]) -> dict[str, object]:
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
        "faults": [fault.as_json() for fault in faults],
        "steps": len(record.steps),
        "commitment": header.commitment,
    }


def _show(record: Record, path: Path | None, tally: _Tally) -> None:
    final = record.final
    if final is None or final.result is None:
        messages = {ending.message for ending in final.endings} if final else set()
        typer.echo(visible("The match ended without a result. " + " ".join(sorted(messages))), err=True)
        if tally.tracing:
            _show_traces(tally)
        return
    result = final.result
    names = [*record.header.players, *result.automata]
    rows: list[tuple[object, ...]] = []
    for seat, name in enumerate(names):
        kind = final.endings[seat].kind if seat < len(final.endings) else EndingKind.FINISHED
        faults = (tally.faults[name], "" if kind is EndingKind.FINISHED else kind) if tally.faults else ()
        rows.append((seat, name, result.places[seat], result.points[seat], *faults))
    print_table("", ("seat", "player", "place", "points", *(("faults", "") if tally.faults else ())), rows, left=2)
    typer.echo(f"ended by {result.reason} after {len(record.steps) - 1} steps; match {record.header.match}")
    _show_faults(tally)
    if path is not None:
        typer.echo(f"record: {path}  (kumite replay {path}; kumite verify {path})")


def _show_faults(tally: _Tally) -> None:
    """How often each player was at fault, with its first fault, and with the trace of that where it is wanted."""
    for name, fault in tally.first.items():
        count = tally.faults[name]
        where = f" in match {fault.match}" if tally.games > 1 else ""
        at = f" at ask {fault.ask}{where}" if fault.ask else where
        owner = "" if fault.owner is Owner.BOT else f", owned by the {fault.owner}"
        which = "its fault" if count == 1 else f"the first of its {count} faults"
        typer.echo(f"{visible(name)}: {which}, {fault.kind}{at}{owner}: {visible(fault.message)}")
    if tally.tracing:
        _show_traces(tally)
    elif any(fault.trace for fault in tally.first.values()):
        typer.echo("--development stops at the first fault and shows its trace")


def _show_traces(tally: _Tally) -> None:
    for fault in tally.first.values():
        for line in fault.trace.splitlines():
            typer.echo(visible(line), err=True)


def _show_table(tally: _Tally) -> None:
    columns = ("player", "seats played", "firsts", "mean place", "mean points", *(("faults",) if tally.faults else ()))
    rows = [
        (
            name,
            seats,
            firsts,
            f"{places / seats:.2f}",
            f"{points / seats:.1f}",
            *((tally.faults[name],) if tally.faults else ()),
        )
        for name, (seats, firsts, places, points) in sorted(
            tally.rows.items(), key=lambda item: item[1][2] / item[1][0]
        )
    ]
    print_table(counted(tally.games, "game", "games"), columns, rows)
