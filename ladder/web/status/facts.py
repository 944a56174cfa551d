"""What the status page shows: the running referee by its admin socket, or the database alone where none runs."""

from __future__ import annotations

from pathlib import Path

from ladder.serving.admin_client import connected
from ladder.store.database import Store
from ladder.store.records import Selection
from ladder.web.drawing.words import counted, game_title
from ladder.web.reading.library import Library
from ladder.web.reading.page import Data
from ladder.web.status.acts import WAIT
from referee.kernel.errors import BadSetting
from referee.v1 import admin_pb2 as pb
from referee.v1.admin_pb2_grpc import AdminServiceStub

MOST_BOTS = 100
"""Bots that the page lists: those at tables first, then others by name."""
MOST_ACTS = 20
MOST_FAULTS = 12
"""Acts and faults that the page lists, the newest first."""
FAULTY_MATCHES = 8
"""Newest matches with faults whose records are read."""
ALARM_SECONDS = 0.02
"""A turn of the referee's loop that is late by more is an alarm."""


def status(library: Library) -> Data:
    """All that the status page shows, as plain data."""
    store = library.store()
    faults = _faults(store)
    try:
        with connected(library.path) as admin:
            found = _live(admin, store)
    except BadSetting as missing:
        found = _stored(store, str(missing))
    return found | {"faults": faults, "sentence": _sentence(found)}


def _live(admin: AdminServiceStub, store: Store) -> Data:
    overview = admin.GetStatus(pb.GetStatusRequest(), timeout=WAIT)
    tables = admin.ListTables(pb.ListTablesRequest(), timeout=WAIT).tables
    metrics = {
        one.name: one.value for one in admin.GetMetrics(pb.GetMetricsRequest(), timeout=WAIT).metrics if not one.labels
    }
    acts = admin.ListActs(pb.ListActsRequest(limit=MOST_ACTS), timeout=WAIT).acts
    late = metrics.get("kumite_loop_longest_late_seconds", 0.0)
    return {
        "running": True,
        "trouble": overview.storage_trouble,
        "version": overview.version,
        "season": overview.season,
        "uptime_s": int(overview.uptime_seconds),
        "bots": overview.bots,
        "waiting": overview.waiting,
        "away": overview.away,
        "streams": overview.streams,
        "finished": overview.finished,
        "draining": overview.draining,
        "open": overview.open,
        "late_ms": round(late * 1000, 1),
        "alarm": late > ALARM_SECONDS,
        "stood_still_s": round(overview.stood_still_seconds, 1),
        "storage_mb": round(overview.storage_bytes / 1e6, 1),
        "tables": [_table(table) for table in tables],
        "pools": [
            {"name": pool.name, "paused": pool.paused, "tables": pool.tables, "bots": pool.bots, "rated": pool.rated}
            for pool in overview.pools
        ],
        "bans": [{"bot": ban.bot, "until": ban.until, "reason": ban.reason} for ban in overview.bans],
        "listed_bots": _bots(admin, store, tables, {ban.bot for ban in overview.bans}),
        "acts": [
            {
                "moment": act.moment,
                "actor": act.actor,
                "action": act.action,
                "subject": act.subject,
                "detail": act.detail,
            }
            for act in acts
        ],
    }


def _table(table: pb.OpenTable) -> Data:
    return {
        "match": table.match_id,
        "game": game_title(table.game),
        "bots": list(table.bots),
        "started": table.started,
        "steps": table.steps,
        "awaited": [table.bots[seat] for seat in table.awaited if seat < len(table.bots)],
        "forfeited": [table.bots[seat] for seat in table.forfeited if seat < len(table.bots)],
        "seconds": int(table.seconds),
        "rated": table.rated,
    }


def _bots(admin: AdminServiceStub, store: Store, tables: list[pb.OpenTable], banned: set[str]) -> list[Data]:
    """Bots at tables, then others of the database, `MOST_BOTS` of them; those that are connected stand first."""
    names = dict.fromkeys(bot for table in tables for bot in table.bots)
    names |= dict.fromkeys(sorted(banned))
    names |= dict.fromkeys(sorted(store.bot_names()))
    listed = []
    for name in list(names)[:MOST_BOTS]:
        found = admin.GetBot(pb.GetBotRequest(name=name), timeout=WAIT)
        listed.append(
            {
                "bot": found.name,
                "software": found.software,
                "pseudonym": found.pseudonym,
                "present": found.present,
                "proven": found.proven,
                "tables": len(found.matches),
                "capacity": found.capacity,
                "round_trip_ms": round(found.round_trip_us / 1000, 1) if found.round_trip_us else None,
                "played": found.played,
                "faults": found.faults,
                "banned": found.HasField("ban"),
            }
        )
    return sorted(listed, key=lambda bot: (not bot["present"], not bot["tables"]))


def _stored(store: Store, reason: str) -> Data:
    """The same page where no referee answers: what the database tells, and nothing that only a referee knows."""
    pseudonyms, bans = store.pseudonyms(), store.bans()
    banned = {ban.bot for ban in bans}
    paused = store.paused_pools()
    pools = [row for _, row in store.pools_of_seasons().values() if row.archived is None]
    seasons = store.seasons()
    return {
        "running": False,
        "reason": reason,
        "trouble": "",
        "season": seasons[-1].name if seasons else "",
        "open": not store.admission_closed,
        "storage_mb": round(_size(store.path) / 1e6, 1),
        "tables": [],
        "pools": [
            {"name": f"{row.game}:{row.seats}", "paused": row.id in paused, "tables": 0, "bots": 0, "rated": row.rated}
            for row in pools
        ],
        "bans": [{"bot": ban.bot, "until": ban.until or "", "reason": ban.reason} for ban in bans],
        "listed_bots": [
            {
                "bot": name,
                "software": "",
                "pseudonym": pseudonyms.get(name, ""),
                "present": False,
                "tables": 0,
                "banned": name in banned,
            }
            for name in sorted(store.bot_names())[:MOST_BOTS]
        ],
        "acts": [dict(act._asdict()) for act in store.acts(MOST_ACTS)],
    }


def _size(path: Path) -> int:
    return sum(file.stat().st_size for file in (path, Path(f"{path}-wal")) if file.exists())


def _faults(store: Store) -> list[Data]:
    """The newest faults of matches that are over and may be read."""
    told: list[Data] = []
    for row in store.newest(Selection(faults=True), 0, FAULTY_MATCHES)[0]:
        if row.state == "running" or row.sealed:
            continue
        record = store.shown_record(row.id)
        noted = [(step.n, fault) for step in record.steps for fault in step.faults]
        noted += [(len(record.steps), fault) for fault in (record.final.faults if record.final is not None else ())]
        told += [
            {
                "match": row.id,
                "step": step,
                "seat": fault.seat,
                "bot": row.seats[fault.seat].player,
                "kind": fault.kind.value,
                "message": fault.message,
            }
            for step, fault in reversed(noted)
        ]
    return told[:MOST_FAULTS]


def _sentence(found: Data) -> str:
    if not found["running"]:
        return "No referee runs on this database: the page shows what is stored, and acts wait for a referee."
    if found["trouble"]:
        return f"The referee cannot store: {found['trouble']}. Clocks stand still, and nothing is lost."
    tables, waiting = len(list(found["tables"])), int(str(found["waiting"]))  # type: ignore[call-overload]
    health = "The referee drains." if found["draining"] else "The referee is well."
    if found["alarm"]:
        health = f"The referee's loop was late by {found['late_ms']} ms within the last minute."
    return f"{health} {counted(tables, 'table')} open, {counted(waiting, 'bot')} without a table."
