"""`kumite admin`: see and operate a running referee."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Annotated

import typer
from google.protobuf.json_format import MessageToDict
from google.protobuf.message import Message

from ladder.cli.admin_address import reaching
from ladder.cli.output import AsJson, print_json
from ladder.escaping import counted, visible
from ladder.serving.admin_client import WAIT
from ladder.terminal_tables import print_table
from ladder.times import seconds
from referee.kernel.errors import BadSetting
from referee.transport.samples import Kind, Sample, prometheus
from referee.v1 import admin_pb2 as pb
from referee.v1.admin_pb2_grpc import AdminServiceStub

app = typer.Typer(no_args_is_help=True, help="See and operate a running referee.", rich_markup_mode=None)

MEGABYTE = 1e6
KINDS = {
    pb.METRIC_KIND_UNSPECIFIED: Kind.GAUGE,
    pb.METRIC_KIND_COUNTER: Kind.COUNTER,
    pb.METRIC_KIND_GAUGE: Kind.GAUGE,
}
NameArgument = Annotated[str, typer.Argument(help="The bot.")]
MatchArgument = Annotated[str, typer.Argument(metavar="MATCH", help="The match, by its id or the beginning of it.")]
PoolArgument = Annotated[
    str, typer.Argument(metavar="[POOL]", help="A pool such as honshu or honshu:4; all if left out.")
]
ReasonOption = Annotated[str, typer.Option(help="Why; it is noted, and the bots concerned are told.")]


@app.command("status")
@reaching
def status(admin: AdminServiceStub, as_json: AsJson = False) -> None:
    """Show how the referee is: bots, streams, tables, pools, its loop and its storage."""
    found = admin.GetStatus(pb.GetStatusRequest(), timeout=WAIT)
    if as_json:
        print_json(_plain(found))
        return
    for line in _status_lines(found):
        typer.echo(visible(line))
    rows = [
        (pool.name, "paused" if pool.paused else "open", pool.tables, pool.bots, "yes" if pool.rated else "no")
        for pool in found.pools
    ]
    print_table("", ("pool", "state", "tables", "bots", "rated"), rows, left=2)
    for ban in found.bans:
        typer.echo(visible(f"banned: {_ban(ban)}"))


def _status_lines(found: pb.GetStatusResponse) -> list[str]:
    doors = "open to new names" if found.open else "closed to new names"
    return [
        f"kumite {found.version}, season {found.season or 'none'}, up {timedelta(seconds=int(found.uptime_seconds))}; "
        f"{doors}{'; draining' if found.draining else ''}",
        f"{counted(found.bots, 'bot', 'bots')} here, {found.waiting} without a table, {found.away} away; "
        f"{counted(found.streams, 'stream', 'streams')}",
        f"{counted(found.tables, 'table', 'tables')} open, {counted(found.finished, 'match', 'matches')} ended since "
        f"the start",
        f"the loop stood still for {found.stood_still_seconds:.1f} s in all; storage {_storage(found)}",
    ]


def _storage(found: pb.GetStatusResponse) -> str:
    size = f"{found.storage_bytes / MEGABYTE:.1f} MB"
    return f"cannot store: {found.storage_trouble}" if found.storage_trouble else f"works, {size}"


@app.command("tables")
@reaching
def tables(admin: AdminServiceStub, as_json: AsJson = False) -> None:
    """List the open tables: who plays, for how long, and whom they wait for."""
    found = admin.ListTables(pb.ListTablesRequest(), timeout=WAIT).tables
    if as_json:
        print_json([_plain(table) for table in found])
        return
    rows = [
        (
            table.match_id[:12],
            table.game,
            ", ".join(_seat(table, seat, bot) for seat, bot in enumerate(table.bots)),
            table.steps if table.started else "not begun",
            f"{table.seconds:.0f}",
        )
        for table in found
    ]
    print_table("", ("match", "game", "bots (* is awaited)", "steps", "seconds"), rows, left=3)


def _seat(table: pb.OpenTable, seat: int, bot: str) -> str:
    return f"{bot}{'*' if seat in table.awaited else ''}{' (forfeited)' if seat in table.forfeited else ''}"


@app.command("bot")
@reaching
def bot(admin: AdminServiceStub, name: NameArgument, as_json: AsJson = False) -> None:
    """Show what the referee knows of a bot."""
    found = admin.GetBot(pb.GetBotRequest(name=name), timeout=WAIT)
    if as_json:
        print_json(_plain(found))
        return
    here = "here" if found.present else "away"
    proof = "proven by its token" if found.proven else "without a token" if found.present else ""
    origin = f"from {found.address}" if found.address else ""
    lines = [", ".join(filter(None, (f"{found.name}: {here}", proof, origin, found.software)))]
    if found.pseudonym:
        lines.append(f"shown to others as {found.pseudonym}")
    if found.owner:
        lines.append(f"owner: {found.owner}")
    lines.append(
        f"{counted(found.played, 'match', 'matches')} of the season, {counted(found.faults, 'fault', 'faults')}"
    )
    if found.present:
        trip = f"{found.round_trip_us / 1000:.1f} ms" if found.round_trip_us else "not measured yet"
        lines.append(f"takes {counted(found.capacity, 'table', 'tables')} at a time; round trip {trip}")
    lines += [f"plays match {match}" for match in found.matches]
    if found.HasField("ban"):
        lines.append(f"banned: {_ban(found.ban)}")
    for line in lines:
        typer.echo(visible(line))


@app.command("kick")
@reaching
def kick(admin: AdminServiceStub, name: NameArgument, reason: ReasonOption = "") -> None:
    """End the stream of a bot and forfeit its seats; it may come back."""
    done = admin.KickBot(pb.KickBotRequest(name=name, reason=reason), timeout=WAIT)
    typer.echo(visible(f"{name} is kicked{_lost(done.forfeited)}"))


@app.command("ban")
@reaching
def ban(
    admin: AdminServiceStub,
    name: NameArgument,
    until: Annotated[
        str, typer.Option(help="A time such as 30m or 8h, or a moment such as 2026-11-20T19:00:00+01:00.")
    ] = "",
    reason: ReasonOption = "",
) -> None:
    """Keep a bot out, for good or until a moment; if it is here it is kicked."""
    request = pb.BanBotRequest(name=name, until=_moment(until), reason=reason)
    done = admin.BanBot(request, timeout=WAIT)
    typer.echo(visible(f"banned: {_ban(done.ban)}{_lost(done.forfeited)}"))


def _moment(until: str) -> str:
    span = seconds(until)
    if span is None:
        return until
    try:
        return (datetime.now(UTC) + timedelta(seconds=span)).isoformat(timespec="seconds")
    except OverflowError:
        raise BadSetting(f"--until {until[:40]} is too long; leave it out to ban until it is lifted") from None


@app.command("unban")
@reaching
def unban(admin: AdminServiceStub, name: NameArgument) -> None:
    """Admit a bot again."""
    admin.UnbanBot(pb.UnbanBotRequest(name=name), timeout=WAIT)
    typer.echo(visible(f"{name} may come again"))


@app.command("pause")
@reaching
def pause(admin: AdminServiceStub, pool: PoolArgument = "", reason: ReasonOption = "") -> None:
    """Open no further table of a pool, or of all; open ones are played to their end."""
    done = admin.PausePools(pb.PausePoolsRequest(pool=pool, reason=reason), timeout=WAIT)
    _tell_pools(done.pools)


@app.command("resume")
@reaching
def resume(admin: AdminServiceStub, pool: PoolArgument = "") -> None:
    """Go on with a pool, or with all."""
    done = admin.ResumePools(pb.ResumePoolsRequest(pool=pool), timeout=WAIT)
    _tell_pools(done.pools)


def _tell_pools(pools: list[pb.PoolStatus]) -> None:
    for pool in pools:
        typer.echo(visible(f"{pool.name}: {'paused' if pool.paused else 'open'}"))


@app.command("drain")
@reaching
def drain(
    admin: AdminServiceStub,
    within: Annotated[
        str, typer.Option(help="Leave what is still open after so long, such as 10m, for the next start.")
    ] = "",
    reason: ReasonOption = "",
) -> None:
    """Open no further table and end when the open ones are over; bots are told to come back."""
    span = seconds(within) if within else 0.0
    if span is None:
        raise BadSetting(f"--within {within[:40]!r}: write a time such as 90s, 10m or 2h")
    done = admin.Drain(pb.DrainRequest(within_seconds=span, reason=reason), timeout=WAIT)
    typer.echo(f"draining: {counted(done.tables, 'table is', 'tables are')} still open")


@app.command("abort")
@reaching
def abort(admin: AdminServiceStub, match: MatchArgument, reason: ReasonOption = "") -> None:
    """End a running match now, without a result; it is not played again."""
    done = admin.AbortMatch(pb.AbortMatchRequest(match_id=match, reason=reason), timeout=WAIT)
    typer.echo(f"match {done.match_id} is ended and does not count")


@app.command("void")
@reaching
def void(admin: AdminServiceStub, match: MatchArgument, reason: ReasonOption = "") -> None:
    """Let a match no longer count, finished or running; its record stays."""
    done = admin.VoidMatch(pb.VoidMatchRequest(match_id=match, reason=reason), timeout=WAIT)
    typer.echo(f"match {done.match_id} does not count any more")


@app.command("requeue")
@reaching
def requeue(admin: AdminServiceStub, match: MatchArgument, reason: ReasonOption = "") -> None:
    """Let a match be played again by the same bots, finished or running; the old one does not count."""
    done = admin.RequeueMatch(pb.RequeueMatchRequest(match_id=match, reason=reason), timeout=WAIT)
    typer.echo(f"match {done.match_id} does not count and is played again")


@app.command("close")
@reaching
def close(admin: AdminServiceStub) -> None:
    """Admit no names that have never been here and have no token."""
    admin.CloseAdmission(pb.CloseAdmissionRequest(), timeout=WAIT)
    typer.echo("new names are not admitted")


@app.command("open")
@reaching
def open_again(admin: AdminServiceStub) -> None:
    """Admit new names again."""
    admin.OpenAdmission(pb.OpenAdmissionRequest(), timeout=WAIT)
    typer.echo("new names are admitted")


@app.command("hide")
@reaching
def hide(
    admin: AdminServiceStub,
    name: NameArgument,
    pseudonym: Annotated[str, typer.Option("--as", help="The pseudonym; one is made up if left out.")] = "",
) -> None:
    """Show a bot under a pseudonym in standings, pages and at tables; records keep its name."""
    done = admin.HideBot(pb.HideBotRequest(name=name, pseudonym=pseudonym), timeout=WAIT)
    typer.echo(visible(f"{name} is shown as {done.pseudonym}; records keep its name"))


@app.command("unhide")
@reaching
def unhide(admin: AdminServiceStub, name: NameArgument) -> None:
    """Show a bot under its own name again."""
    admin.UnhideBot(pb.UnhideBotRequest(name=name), timeout=WAIT)
    typer.echo(visible(f"{name} is shown under its own name"))


@app.command("metrics")
@reaching
def metrics(admin: AdminServiceStub) -> None:
    """Print what the referee counts and measures, in the text format of Prometheus."""
    found = admin.GetMetrics(pb.GetMetricsRequest(), timeout=WAIT).metrics
    samples = [Sample(one.name, one.help, KINDS[one.kind], dict(one.labels), one.value) for one in found]
    typer.echo(prometheus(samples), nl=False)


@app.command("audit")
@reaching
def audit(
    admin: AdminServiceStub,
    limit: Annotated[int, typer.Option(min=1, max=1000, help="How many.")] = 50,
    as_json: AsJson = False,
) -> None:
    """List what organisers did, the latest first."""
    acts = admin.ListActs(pb.ListActsRequest(limit=limit), timeout=WAIT).acts
    if as_json:
        print_json([_plain(act) for act in acts])
        return
    rows = [(act.moment, act.actor, act.action, act.subject, act.detail) for act in acts]
    print_table("", ("moment", "by", "act", "of", ""), rows, left=5)


def _plain(message: Message) -> dict[str, object]:
    found: dict[str, object] = MessageToDict(
        message, preserving_proto_field_name=True, always_print_fields_with_no_presence=True
    )
    return found


def _ban(ban: pb.Ban) -> str:
    until = f"until {ban.until}" if ban.until else "until lifted"
    return f"{ban.bot}, {until}" + (f": {ban.reason}" if ban.reason else "")


def _lost(matches: list[str]) -> str:
    return f"; its seat is forfeited in {counted(len(matches), 'match', 'matches')}" if matches else ""
