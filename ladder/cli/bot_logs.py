"""`kumite matches DB:MATCH --log SEAT`: what a hosted bot printed during a match, for the organiser."""

from __future__ import annotations

import json

import typer

from ladder.arena.bot_log_lines import log_lines, log_text
from ladder.cli.output import print_json
from ladder.escaping import counted, visible
from ladder.store.bot_logs import MOST_LOG_BYTES
from ladder.store.database import Store
from ladder.store.records import BotLog, MatchRow
from referee.kernel.errors import BadSetting

SHARED = "its process played other matches at the same time: what it printed then is in the log of each of them"
LATE = "the referee was restarted while the match was going on: what the bot printed before that is lost"


def show_log(store: Store, match: str, seat: int, as_json: bool) -> None:
    """Print the log of a seat, by the match's whole id; raises BadSetting in one line if there is none to be shown."""
    row = store.match_row(match)
    log = _found(store, row, seat)
    player = row.seats[seat].player
    if as_json:
        print_json(
            {
                "match": match,
                "seat": seat,
                "player": player,
                "bytes": log.printed,
                "left_out": log.left_out,
                "shared": log.shared,
                "late": log.late,
                "first": log_text(log.first),
                "last": log_text(log.last),
            }
        )
        return
    printed = "printed nothing" if not log.printed else f"printed {counted(log.printed, 'byte', 'bytes')}"
    typer.echo(visible(f"match {match}: seat {seat} ({player}) {printed}"))
    for line in [SHARED] * log.shared + [LATE] * log.late:
        typer.echo(f"({line})")
    for line in log_lines(log):
        typer.echo(line)


def _found(store: Store, row: MatchRow, seat: int) -> BotLog:
    """The log of a seat, if its match is over and it has one."""
    where = f"match {row.id} in {store.path}"
    if row.state == "running":
        raise BadSetting(f"{where} is running: its bots' logs can be read when it is over")
    if row.sealed:
        raise BadSetting(f"{where} is over, and other games of its set are not: its bots' logs can be read after them")
    if seat >= len(row.seats):
        raise BadSetting(f"{where} has no seat {seat}: its seats are 0 to {len(row.seats) - 1}")
    player = row.seats[seat].player
    stored = store.bot_log(row.id, seat)
    if stored is None:
        raise BadSetting(f"{where} has no log of seat {seat} ({player}): {_why_not(store, row, seat)}")
    if stored.log is None:
        raise BadSetting(
            f"{where} has no log of seat {seat} ({player}) any more: the oldest logs are dropped when all of a file "
            f"come to {MOST_LOG_BYTES >> 20} MiB, and all of them when the host's key is lost"
        )
    if stored.log.shared:
        other = store.unfinished_beside(row.id, player, stored.moment)
        if other is not None:
            raise BadSetting(
                f"{where}: the process of {player} played match {other} at the same time, which is not over; its log "
                f"can be read after that"
            )
    return stored.log


def _why_not(store: Store, row: MatchRow, seat: int) -> str:
    """Why a match that is over has no log of a seat."""
    if row.source is not None:
        return "the match was played at another referee, and logs are not exported"
    if not row.ended:
        return "the match could not be played to its end"
    header = json.loads(store.lines(row.id)[0])
    if seat >= len(header["players"]):
        return "the rules play that seat"
    return "its bot was not hosted; a bot in the referee's own process, or one that connects, keeps its own log"
