"""The acts of `kumite admin`: what each does to whom, whether it can be undone, and the call that carries it out."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path
from urllib.parse import quote

from ladder.serving.admin_client import connected
from ladder.times import seconds
from ladder.web.reading.page import NoSuchPage
from referee.kernel.errors import BadSetting
from referee.v1 import admin_pb2 as pb
from referee.v1.admin_pb2_grpc import AdminServiceStub

WAIT = 5.0
"""Seconds that a call to the referee may take."""
LONGEST_FIELD = 400
"""Characters of a reason and of other fields."""
ORGANISER = "kumite-organiser"
"""Metadata that names the organiser for the audit table; see `referee.transport.admin`."""

Fields = Mapping[str, str]
Caller = Callable[[str, object], object]
"""Calls a method of AdminService, by name, with a request."""


@dataclass(frozen=True, slots=True)
class StatusAct:
    """One act as the status page offers it."""

    name: str
    button: str
    """The words on the button that opens the dialog, without dots."""
    title: str
    """The question of the dialog; {} is the subject."""
    effect: str
    """What happens to whom."""
    undo: str
    """Whether and how the act can be undone."""
    confirm: str
    """The words on the button that acts."""
    carry_out: Callable[[Caller, Fields], str]
    """Calls the referee; returns what was done."""
    subject: str = ""
    """What the act is of: bot, match, pool or nothing."""
    reason: str = ""
    """The label of the field for the reason; empty: the act has none."""
    extra: tuple[str, str] | None = None
    """Name and label of one more field."""
    risk: bool = False
    """Whether the act cannot be undone, or takes something from a bot."""


def _match(method: str, done: str) -> Callable[[Caller, Fields], str]:
    request = getattr(pb, f"{method}Request")

    def carry_out(call: Caller, fields: Fields) -> str:
        found = call(method, request(match_id=fields["subject"], reason=fields["reason"]))
        return f"Match {getattr(found, 'match_id', '')[:8]} {done}."

    return carry_out


def _kick(call: Caller, fields: Fields) -> str:
    call("KickBot", pb.KickBotRequest(name=fields["subject"], reason=fields["reason"]))
    return f"{fields['subject']} is kicked."


def _ban(call: Caller, fields: Fields) -> str:
    until = fields.get("until", "")
    span = seconds(until)
    if span is not None:
        try:
            until = (datetime.now(UTC) + timedelta(seconds=span)).isoformat(timespec="seconds")
        except OverflowError:
            raise BadSetting(f"{until[:40]} is too long; leave the field empty to ban until it is lifted") from None
    call("BanBot", pb.BanBotRequest(name=fields["subject"], until=until, reason=fields["reason"]))
    return f"{fields['subject']} is banned{f' until {until}' if until else ''}."


def _drain(call: Caller, fields: Fields) -> str:
    within = fields.get("within", "")
    span = 0.0 if not within else seconds(within)
    if span is None:
        raise BadSetting(f"{within[:40]!r}: write a time such as 90s, 10m or 2h, or leave the field empty")
    call("Drain", pb.DrainRequest(within_seconds=span, reason=fields["reason"]))
    return "The referee drains."


def _hide(call: Caller, fields: Fields) -> str:
    found = call("HideBot", pb.HideBotRequest(name=fields["subject"], pseudonym=fields.get("pseudonym", "")))
    return f"{fields['subject']} is shown as {getattr(found, 'pseudonym', '')}."


def _plain(method: str, done: str, **fixed: str) -> Callable[[Caller, Fields], str]:
    """A call whose request takes the named fields of the form."""
    request = getattr(pb, f"{method}Request")

    def carry_out(call: Caller, fields: Fields) -> str:
        call(method, request(**{name: fields[field] for name, field in fixed.items()}))
        return done.format(fields["subject"] or "Every pool")

    return carry_out


TOLD = "Reason, told to the bots concerned"
NOTED = "Reason, noted in the audit table"
ACTS = {
    act.name: act
    for act in (
        StatusAct(
            "kick",
            "Kick",
            "Kick {}?",
            "The stream of the bot is ended. A stand-in plays the bot's forfeited seats, so opponents do not wait; "
            "those matches are not rated.",
            "The bot may come back at once; forfeited seats stay forfeited.",
            "Kick the bot",
            _kick,
            "bot",
            TOLD,
            risk=True,
        ),
        StatusAct(
            "ban",
            "Ban",
            "Ban {}?",
            "The bot is kept out, and kicked if it is connected: a stand-in plays its forfeited seats, and those "
            "matches are not rated.",
            "Unban admits the bot again; forfeited seats stay forfeited.",
            "Ban the bot",
            _ban,
            "bot",
            TOLD,
            ("until", "Until: a time such as 8h, or a moment with its offset; empty: until lifted"),
            True,
        ),
        StatusAct(
            "unban",
            "Unban",
            "Unban {}?",
            "The bot is admitted again.",
            "Ban keeps the bot out again.",
            "Unban the bot",
            _plain("UnbanBot", "{} may come again.", name="subject"),
            "bot",
        ),
        StatusAct(
            "hide",
            "Hide",
            "Hide the name of {}?",
            "Standings, pages and tables show the bot under a pseudonym. Records keep its name.",
            "Unhide shows the name again.",
            "Hide the name",
            _hide,
            "bot",
            extra=("pseudonym", "Pseudonym; empty: one is made up"),
        ),
        StatusAct(
            "unhide",
            "Unhide",
            "Show {} under its own name?",
            "Standings, pages and tables show the bot's own name again.",
            "Hide gives the bot a pseudonym again, but readers have seen the name.",
            "Show the name",
            _plain("UnhideBot", "{} is shown under its own name.", name="subject"),
            "bot",
        ),
        StatusAct(
            "abort",
            "Abort",
            "Abort match {}?",
            "The match ends now without a result. Its bots are told, nothing is rated, and it is not played again.",
            "This cannot be undone.",
            "Abort the match",
            _match("AbortMatch", "is ended and does not count"),
            "match",
            TOLD,
            risk=True,
        ),
        StatusAct(
            "void",
            "Void",
            "Void match {}?",
            "The match no longer counts: a running match is ended, a finished match is taken out of the ratings. Its "
            "bots are told, and the record is kept.",
            "This cannot be undone.",
            "Void the match",
            _match("VoidMatch", "does not count any more"),
            "match",
            TOLD,
            risk=True,
        ),
        StatusAct(
            "requeue",
            "Requeue",
            "Play match {} again?",
            "The match no longer counts, and the same bots play it again as soon as all of them are connected.",
            "This cannot be undone.",
            "Play it again",
            _match("RequeueMatch", "does not count and is played again"),
            "match",
            TOLD,
            risk=True,
        ),
        StatusAct(
            "pause",
            "Pause",
            "Pause {}?",
            "No further table of the pool is opened. Open tables are played to their end, and "
            "the bots of the pool are told.",
            "Resume goes on.",
            "Pause",
            _plain("PausePools", "{}: paused.", pool="subject", reason="reason"),
            "pool",
            TOLD,
        ),
        StatusAct(
            "resume",
            "Resume",
            "Resume {}?",
            "Tables of the pool are opened again.",
            "Pause stops that again.",
            "Resume",
            _plain("ResumePools", "{}: open.", pool="subject"),
            "pool",
        ),
        StatusAct(
            "close",
            "Close to new names",
            "Close to new names?",
            "Names that have never been here and have no token are refused. Known names come and go as before.",
            "Open admits new names again.",
            "Close",
            _plain("CloseAdmission", "New names are not admitted."),
        ),
        StatusAct(
            "open",
            "Open to new names",
            "Open to new names?",
            "New names are admitted again.",
            "Close refuses them again.",
            "Open",
            _plain("OpenAdmission", "New names are admitted."),
        ),
        StatusAct(
            "drain",
            "Drain",
            "Drain the referee?",
            "No further table is opened, bots without a table are sent away, and the "
            "referee ends when the open tables are over. A referee that is started again on the same database goes on.",
            "This cannot be undone: start the referee again when it has ended.",
            "Drain the referee",
            _drain,
            "",
            NOTED,
            ("within", "Leave open matches to the next start after: 10m; empty: play them to their end"),
            True,
        ),
    )
}


def find(name: str) -> StatusAct:
    """An act by its name; raises NoSuchPage."""
    if name not in ACTS:
        raise NoSuchPage(f"There is no act {name[:40]}; there are {', '.join(ACTS)}.")
    return ACTS[name]


def perform(database: Path, organiser: str, act: StatusAct, form: Fields) -> str:
    """Carry an act out at the running referee; returns what was done. Raises BadSetting with one line."""
    fields = {
        name: form.get(name, "").strip()[:LONGEST_FIELD]
        for name in ("subject", "reason", "until", "within", "pseudonym")
    }
    if act.subject in ("bot", "match") and not fields["subject"]:
        raise BadSetting(f"{act.name}: name a {act.subject}")
    with connected(database) as admin:
        return act.carry_out(_caller(admin, organiser), fields)


def _caller(admin: AdminServiceStub, organiser: str) -> Caller:
    metadata = ((ORGANISER, quote(organiser)),)
    return lambda method, request: getattr(admin, method)(request, timeout=WAIT, metadata=metadata)
