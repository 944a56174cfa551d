"""What an organiser does to a running referee: the acts behind `AdminService`.

`RefereeControl` acts on the streams of the connections and the tables of the lobby. Lasting decisions (bans, pauses,
matches that do not count) go through the protocol `Rulings`: a decision is stored, with the name of the organiser,
before the decision takes effect. Every call acts at once, in the referee's one thread.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterable, Sequence
from typing import NamedTuple, Protocol

from referee.kernel.errors import BadSetting, UnknownName
from referee.match.policy import Owner, clean, printable
from referee.match.protocols import ConnectedBot
from referee.transport.connections import Connections
from referee.transport.lobby import Lobby
from referee.transport.readiness import Readiness
from referee.v1 import play_pb2 as pb

LONGEST_REASON = 200
"""Most characters of an organiser's reason."""

_logger = logging.getLogger("referee.admin")


class BadRequest(BadSetting):
    """A request with a value that no referee accepts in any state."""


class Ban(NamedTuple):
    """A bot that is kept out."""

    bot: str
    until: str
    """The end of the ban, ISO 8601 with an offset; empty: the ban lasts until an organiser lifts it."""
    reason: str


class PoolStatus(NamedTuple):
    """The present state of a pool."""

    name: str
    paused: bool
    tables: int
    bots: int
    rated: bool


class PoolBots(NamedTuple):
    """Pools that were paused or resumed, and the bots that play there."""

    pools: tuple[str, ...]
    bots: tuple[str, ...]


class KnownBot(NamedTuple):
    """What the database holds of a bot."""

    owner: str
    pseudonym: str
    played: int
    """Matches of the season that are over."""
    faults: int
    ban: Ban | None


class RuledMatch(NamedTuple):
    """A match on which an organiser rules."""

    id: str
    running: bool
    players: tuple[str, ...]
    """Names of the bots by seat."""


class OrganiserAct(NamedTuple):
    """One act of an organiser, as it is noted in the database."""

    moment: str
    actor: str
    action: str
    subject: str
    detail: str


class Rulings(Protocol):
    """The stored decisions of organisers. When a call returns, the decision and a note of the act are stored.

    Every method raises UnknownName or another CallerFault with one line if the decision is impossible, StorageTrouble
    if the database cannot store now.
    """

    def pools(self, bots: Sequence[ConnectedBot]) -> list[PoolStatus]:
        """The pools that are played, each with the number of these bots that play there."""

    def bans(self) -> list[Ban]:
        """The bots that are kept out now."""

    def bot(self, name: str) -> KnownBot | None:
        """What the database holds of a bot; None: nothing."""

    def names(self) -> list[str]:
        """The name of every bot that ever connected."""

    def storage_bytes(self) -> int:
        """The size of the database in bytes."""

    @property
    def is_open(self) -> bool:
        """Whether new names are admitted."""

    def acts(self, limit: int) -> list[OrganiserAct]:
        """The latest acts, the latest first."""

    def note(self, actor: str, action: str, subject: str, detail: str) -> None:
        """Note an act that changes no stored decision."""

    def ban(self, actor: str, name: str, until: str, reason: str) -> Ban:
        """Keep a bot out."""

    def unban(self, actor: str, name: str) -> None:
        """Admit a bot again."""

    def pause(self, actor: str, pool: str, reason: str, bots: Sequence[ConnectedBot]) -> PoolBots:
        """Open no further table of the pools of that name; an empty name means all pools."""

    def resume(self, actor: str, pool: str, bots: Sequence[ConnectedBot]) -> PoolBots:
        """Go on with the pools of that name; an empty name means all pools."""

    def find(self, match: str) -> RuledMatch:
        """The match whose id begins with this text."""

    def void(self, actor: str, action: str, match: str, reason: str, *, again: bool) -> None:
        """Let a match not count, and with `again` be played again. A running match is marked until its end."""

    def ended(self, match: str) -> None:
        """Remove the mark of a match that has ended."""

    def close(self, actor: str, closed: bool) -> None:
        """Keep new names out, or admit them."""

    def hide(self, actor: str, name: str, pseudonym: str) -> str:
        """Show a bot under a pseudonym, or under one that is made up if it is empty. Returns the pseudonym."""

    def unhide(self, actor: str, name: str) -> None:
        """Show a bot under its own name again."""


class RefereeControl:
    """The acts of organisers at one referee."""

    def __init__(
        self,
        connections: Connections,
        lobby: Lobby,
        rulings: Rulings,
        readiness: Readiness,
        leave: Callable[[float], None],
    ) -> None:
        """`leave` ends the referee after a number of seconds; a later run goes on with its open matches."""
        self._connections = connections
        self._lobby = lobby
        self.rulings = rulings
        """The stored decisions of organisers."""
        self._readiness = readiness
        self._leave = leave

    def kick(self, actor: str, name: str, reason: str) -> list[str]:
        """End the stream of a bot; returns the matches in which the bot lost its seat."""
        session = self._connections.session(name)
        if session is None or not (session.stream or session.tables):
            here = [found.name for found in self._connections.sessions if found.stream or found.tables]
            raise UnknownName.of("bot that is here", name, here)
        said = _reason(reason)
        self.rulings.note(actor, "kick", name, said)
        self._done("kick", actor, name, said)
        return self._remove(name, f"an organiser ended your stream{_because(said)}; you may come back")

    def ban(self, actor: str, name: str, until: str, reason: str) -> tuple[Ban, list[str]]:
        """Keep a bot out; returns the ban, and the matches in which the bot lost its seat."""
        ban = self.rulings.ban(actor, name, until, _reason(reason))
        self._done("ban", actor, name, ban.reason)
        return ban, self._remove(name, banned(ban))

    def unban(self, actor: str, name: str) -> None:
        """Admit a bot again."""
        self.rulings.unban(actor, name)
        self._done("unban", actor, name, "")

    def _remove(self, name: str, text: str) -> list[str]:
        session = self._connections.session(name)
        if session is None:
            return []
        return session.remove(pb.FAULT_CODE_KICKED, text, self._connections.time())

    def pause(self, actor: str, pool: str, reason: str) -> None:
        """Open no further table of a pool, or of any."""
        said = _reason(reason)
        found = self.rulings.pause(actor, pool, said, self._connections.sessions)
        self._done("pause", actor, ", ".join(found.pools), said)
        text = f"an organiser paused {', '.join(found.pools)}{_because(said)}; you get no further table there for now"
        for name in found.bots:
            self._tell(name, pb.FAULT_CODE_PAUSED, text)

    def event(self, action: str, actor: str, name: str, detail: str = "", bots: Iterable[str] = ()) -> None:
        """Log and count an act on an event; `bots` are told that the event is paused."""
        self._done(f"event {action}", actor, name, detail)
        text = f"an organiser paused event {name!r}; you get no further table there for now"
        for bot in bots:
            self._tell(bot, pb.FAULT_CODE_PAUSED, text)

    def resume(self, actor: str, pool: str) -> None:
        """Go on with a pool, or with all."""
        found = self.rulings.resume(actor, pool, self._connections.sessions)
        self._done("resume", actor, ", ".join(found.pools), "")
        self._lobby.changed()

    def drain(self, actor: str, within: float, reason: str) -> int:
        """Open no further table and end; returns the number of open tables.

        The referee ends when the open tables are over, at the latest after `within` seconds; 0: no such limit.
        """
        if self._connections.draining:
            raise BadSetting("the referee is draining already")
        said = _reason(reason)
        self.rulings.note(actor, "drain", "", f"within {within:g} s; {said}" if within else said)
        self._done("drain", actor, "", said)
        self._connections.draining = True
        self._readiness.look()
        self._lobby.stop_opening()
        if within:
            self._leave(within)
        return self._lobby.running

    def void(self, actor: str, action: str, match: str, reason: str) -> str:
        """Carry out `abort`, `void` or `requeue` of a match; returns its whole id."""
        found = self.rulings.find(match)
        if action == "abort" and not found.running:
            raise BadSetting(f"match {found.id} is over; to let it not count use void, to play it again use requeue")
        if found.running and not self._lobby.plays(found.id):
            raise BadSetting(f"match {found.id} waits for the season that it belongs to, which is not played here now")
        said = _reason(reason)
        self.rulings.void(actor, action, found.id, said or f"{action} by an organiser", again=action == "requeue")
        self._done(action, actor, found.id, said)
        text = f"an organiser decided that the match does not count{_because(said)}"
        if action == "requeue":
            text += "; it is played again"
        for seat, name in enumerate(found.players):
            self._tell(name, pb.FAULT_CODE_VOIDED, text, found.id, seat)
        if found.running:
            self._lobby.abort(found.id, text, Owner.ORGANISER)
        else:
            self.rulings.ended(found.id)
        self._lobby.changed()
        return found.id

    def close(self, actor: str, closed: bool) -> None:
        """Keep new names out, or admit them."""
        self.rulings.close(actor, closed)
        self._done("close" if closed else "open", actor, "", "")

    def hide(self, actor: str, name: str, pseudonym: str) -> str:
        """Show a bot under a pseudonym."""
        shown = self.rulings.hide(actor, name, pseudonym)
        self._done("hide", actor, name, "")
        return shown

    def unhide(self, actor: str, name: str) -> None:
        """Show a bot under its own name again."""
        self.rulings.unhide(actor, name)
        self._done("unhide", actor, name, "")

    def _tell(self, name: str, code: pb.FaultCode, text: str, match: str = "", seat: int = 0) -> None:
        session = self._connections.session(name)
        if session is not None and session.stream is not None:
            session.stream.fault(code, text, match, seat)

    def _done(self, action: str, actor: str, subject: str, detail: str) -> None:
        self._connections.counters.admin_acts[action] += 1
        words = [action, subject] if subject else [action]
        _logger.info(
            "%s by %s%s",
            printable(" ".join(words)),
            printable(actor),
            printable(_because(detail)),
            extra={"event": "admin", "action": action, "actor": actor, "subject": subject},
        )


def banned(ban: Ban) -> str:
    """The text that a banned bot is told."""
    until = f" until {ban.until}" if ban.until else ""
    return f"an organiser keeps you out{until}{_because(ban.reason)}"


def _reason(text: str) -> str:
    return clean(text, LONGEST_REASON).strip()


def _because(reason: str) -> str:
    return f": {reason}" if reason else ""
