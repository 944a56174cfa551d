"""`kumite matches`: what was played in a database, match by match, or everything about one of them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import datetime
from typing import Annotated

import typer

from ladder.cli.bot_logs import show_log
from ladder.cli.databases import BotOption, PoolOption, SinceOption, existing_database, locate, selection
from ladder.cli.output import AsJson, print_json
from ladder.escaping import visible
from ladder.store.database import Store
from ladder.store.records import MatchRow, SeatRow, faults_of
from ladder.terminal_tables import print_table
from referee.kernel.errors import BadRecord, BadSetting
from referee.match.record import Record

SHORT = 12
"""Signs of a match's id that are shown where there are many."""


def matches(
    db: Annotated[
        str,
        typer.Argument(metavar="DB[:MATCH]", help="A database or its ladder file; one match by its id's beginning."),
    ],
    bot: BotOption = None,
    pool: PoolOption = None,
    faults: Annotated[
        bool, typer.Option("--faults", help="Only matches with faults or forfeits, or without a result.")
    ] = False,
    since: SinceOption = None,
    log: Annotated[
        int | None,
        typer.Option(
            min=0,
            metavar="SEAT",
            help="Show what the bot of this seat of DB:MATCH printed, if it was a process of this host.",
        ),
    ] = None,
    as_json: AsJson = False,
) -> None:
    """List the matches of a database in the order in which they began, or show all about DB:MATCH.

    Of matches that are running, and of duplicate sets that are not over, only what is public is shown. --log is for
    the organiser: the option needs the host's key beside the database.
    """
    place = locate(db)
    if log is not None and place.match is None:
        raise BadSetting(f"--log {log} shows what a bot printed in one match: write {place.path}:MATCH")
    with Store(existing_database(place.path)) as store, store.explained():
        if place.match is not None:
            if bot or pool or since or faults:
                raise BadSetting(f"{db} names one match: leave --bot, --pool, --since and --faults out")
            match = store.full_id(place.match)
            if log is not None:
                show_log(store, match, log, as_json)
            else:
                _show_one(store, match, as_json)
            return
        wanted = selection(store, bot=bot, pool=pool, since=since, faults=faults)
        with store.snapshot():
            rows = store.played(wanted)
            if as_json:
                print_json([_describe(row) for row in rows])
            else:
                _list(rows)


def state_of(row: MatchRow) -> str:
    """What became of a match, in one word; `sealed`: it is over, and other games of its set are not."""
    return "sealed" if row.sealed and row.ended else row.state


def _describe(row: MatchRow) -> dict[str, object]:
    """A match for a program."""
    return {
        "match": row.id,
        "state": state_of(row),
        "season": row.season,
        "game": row.game,
        "variant": row.variant,
        "clock": row.clock,
        "started": row.started,
        "seconds": None if row.duration_us is None else row.duration_us / 1e6,
        "group": row.group,
        "rotation": row.rotation,
        "attempt": row.attempt,
        "rated": row.rated,
        "reason": row.reason,
        "imported": row.source is not None,
        "seats": [seat._asdict() for seat in row.seats],
    }


def _list(rows: Iterator[MatchRow]) -> None:
    """Print a line for each match; none is kept, so there may be many."""
    count = 0
    for row in rows:
        count += 1
        began = datetime.fromisoformat(row.started).strftime("%Y-%m-%d %H:%M")
        words = [row.id[:SHORT], began, row.game, _standing(row)]
        if row.state == "finished":
            words += ["not rated"] if not row.rated else []
            words += ["imported"] if row.source is not None else []
        typer.echo(visible("  ".join(words)))
    typer.echo(f"{count} match{'' if count == 1 else 'es'}", err=True)


def _standing(row: MatchRow) -> str:
    """Who played, the best first, with points; and what went wrong."""
    if row.state != "finished":
        names = ", ".join(seat.player for seat in row.seats)
        return f"{names}  [{row.state}{f': {row.reason}' if row.reason else ''}]"
    ranked = sorted(row.seats, key=lambda seat: seat.place or 0)
    return ", ".join(f"{seat.place}. {seat.player} {seat.points}{_trouble(seat)}" for seat in ranked)


def _trouble(seat: SeatRow) -> str:
    words = [] if seat.ending in (None, "finished") else [str(seat.ending).replace("_", " ")]
    if seat.faults:
        words.append(f"{seat.faults} fault{'s' if seat.faults > 1 else ''}")
    return f" ({', '.join(words)})" if words else ""


def _show_one(store: Store, match: str, as_json: bool) -> None:
    """Everything about one match that may be known."""
    row = store.match_row(match)
    readable = row.state != "running" and not row.sealed
    try:
        record = store.shown_record(match) if readable else None
    except BadRecord as error:
        raise type(error)(f"{store.path}:{match}: {error}") from None
    seats = [_seat_about(store, seat, number, record) for number, seat in enumerate(row.seats)]
    source = None if row.source is None else store.source(row.source)
    about: dict[str, object] = {
        **_describe(row),
        "steps": None if record is None else max(0, len(record.steps) - 1),
        "hash": None if record is None or record.final is None else record.hashes[-1],
        "source": None
        if source is None
        else {
            "referee": source.referee,
            "file": source.file,
            "digest": source.digest,
            "imported": source.imported,
        },
        "seats": seats,
    }
    if as_json:
        print_json(about)
        return
    for line in _about_lines(store, row, about):
        typer.echo(visible(line))
    columns = ("seat", "player", "place", "points", "build", "ending", "faults")
    cells = [[seat[column] if seat[column] is not None else "" for column in columns] for seat in _shortened(seats)]
    print_table("", columns, cells, left=2)
    for seat in seats:
        for line in _complaints(seat):
            typer.echo(visible(line))


def _about_lines(store: Store, row: MatchRow, about: dict[str, object]) -> Iterator[str]:
    settings = "".join(f", {key}={value}" for key, value in sorted(row.variant.items()))
    yield f"match {row.id}"
    yield f"{row.game}{settings}; clock {row.clock}"
    if row.season is not None:
        attempt = f", attempt {row.attempt}" if row.attempt else ""
        yield f"season {row.season!r}, group {row.group}, rotation {row.rotation}{attempt}"
    lasted = "" if row.duration_us is None else f", {row.duration_us / 1e6:.1f} s"
    yield f"began {row.started}{lasted}; {_state_words(row)}"
    if isinstance(about["source"], dict):
        source = about["source"]
        yield f"imported {source['imported']} from {source['file']}, played by referee {source['referee']}"
        yield "  (a record cannot prove who sat where: that is the word of that referee)"
    if about["hash"] is not None:
        yield f"{about['steps']} steps; last hash {about['hash']}"
        yield f"kumite replay {store.path}:{row.id[:SHORT]}; kumite verify {store.path}:{row.id[:SHORT]}"


def _state_words(row: MatchRow) -> str:
    if row.state == "running":
        return "running: its record is sealed until it is over"
    if row.sealed and row.ended:
        return "over: its record is sealed until every game of its set is over"
    if row.state == "void":
        return f"void: {row.reason or 'no reason is stored'}"
    return f"ended by {row.reason}, {'rated' if row.rated else 'not rated'}"


def _seat_about(store: Store, seat: SeatRow, number: int, record: Record | None) -> dict[str, object]:
    """A seat with its build, its ending, and the first of its faults."""
    build = None if seat.build is None else store.build_row(seat.build)
    about: dict[str, object] = {
        "seat": number,
        **seat._asdict(),
        "digest": None if build is None else build.digest,
        "spec": None if build is None else build.spec,
        "owner": None,
        "message": None,
        "fault": None,
    }
    final = None if record is None else record.final
    if record is None or final is None or number >= len(final.endings):
        return about
    ending = final.endings[number]
    about |= {"ending": str(ending.kind), "faults": ending.faults, "message": ending.message or None}
    about["owner"] = None if ending.owner is None else str(ending.owner)
    first = next((fault for fault in faults_of(record) if fault.seat == number), None)
    if first is not None:
        about["fault"] = {
            "kind": str(first.kind),
            "owner": str(first.owner),
            "ask": first.ask,
            "message": first.message,
        }
    return about


def _shortened(seats: Sequence[dict[str, object]]) -> list[dict[str, object]]:
    return [{**seat, "build": None if seat["digest"] is None else str(seat["digest"])[:SHORT]} for seat in seats]


def _complaints(seat: dict[str, object]) -> Iterator[str]:
    """What went wrong at a seat: who answers for it, and the first message."""
    who = f"seat {seat['seat']} ({seat['player']})"
    fault = seat["fault"]
    if isinstance(fault, dict):
        asked = f" at ask {fault['ask']}" if fault["ask"] else ""
        yield f"first fault of {who}: {fault['kind']}{asked}, owned by the {fault['owner']}: {fault['message']}"
    if seat["owner"] is not None:
        said = "" if seat["message"] is None else f": {seat['message']}"
        yield f"{who} ended {str(seat['ending']).replace('_', ' ')}, owned by the {seat['owner']}{said}"
