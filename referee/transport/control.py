"""What an organiser does to a running referee: the acts behind `AdminService`.

`Control` acts on the streams of the connections and the tables of the lobby. What is decided for longer than a moment
(bans, pauses, matches that do not count) goes through the protocol `Rulings`: the decision is stored, with the name of
the organiser, before it takes effect. Every call acts at once, in the referee's one thread.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterable, Sequence
from typing import NamedTuple, Protocol

from referee.kernel.errors import BadSetting, UnknownName
from referee.match.policy import Owner, clean, printable
from referee.match.protocols import ConnectedBot
from referee.transport.connections import Connections
from referee.transport.lobby import Lobby, OpenTable
from referee.transport.readiness import Readiness
from referee.v1 import play_pb2 as pb

LONGEST_REASON = 200
"""Characters of a reason that bots are told."""

_logger = logging.getLogger("referee.admin")


class BadRequest(BadSetting):
    """A request that says something that cannot be, at any time."""


class Ban(NamedTuple):
    """A bot that is kept out."""

    bot: str
    until: str
    """ISO 8601 with an offset; empty: until it is lifted."""
    reason: str


class PoolStatus(NamedTuple):
    """A pool as it stands."""

    name: str
    paused: bool
    tables: int
    bots: int
    rated: bool


class PoolBots(NamedTuple):
    """Pools that were paused or go on, and the bots that play there."""

    pools: tuple[str, ...]
    bots: tuple[str, ...]


class KnownBot(NamedTuple):
    """What is stored of a bot."""

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
    """By seat."""


class Act(NamedTuple):
    """What an organiser did."""

    moment: str
    actor: str
    action: str
    subject: str
    detail: str


class Rulings(Protocol):
    """What organisers decide, as it is stored. What is decided is stored with a note of the act when a call returns.

    Raises UnknownName or another CallerFault with one line if something cannot be decided, StorageTrouble if it cannot
    be stored now.
    """

    def pools(self, bots: Sequence[ConnectedBot]) -> list[PoolStatus]:
        """The pools that are played, with how many of these bots play in each."""

    def bans(self) -> list[Ban]:
        """The bots that are kept out now."""

    def bot(self, name: str) -> KnownBot | None:
        """What is stored of a bot; None: nothing."""

    def names(self) -> list[str]:
        """Every bot that was ever here."""

    def storage_bytes(self) -> int:
        """The size of the database."""

    @property
    def is_open(self) -> bool:
        """Whether new names are admitted."""

    def acts(self, limit: int) -> list[Act]:
        """The latest acts, the latest first."""

    def note(self, actor: str, action: str, subject: str, detail: str) -> None:
        """Note an act that changes nothing that is stored."""

    def ban(self, actor: str, name: str, until: str, reason: str) -> Ban:
        """Keep a bot out."""

    def unban(self, actor: str, name: str) -> None:
        """Admit a bot again."""

    def pause(self, actor: str, pool: str, reason: str, bots: Sequence[ConnectedBot]) -> PoolBots:
        """Open no further table of the pools of that name; empty: of all."""

    def resume(self, actor: str, pool: str, bots: Sequence[ConnectedBot]) -> PoolBots:
        """Go on with the pools of that name; empty: with all."""

    def find(self, match: str) -> RuledMatch:
        """The match whose id begins so."""

    def void(self, actor: str, action: str, match: str, reason: str, *, again: bool) -> None:
        """Let a match not count; `again`: let it be played again. One that is running is marked until it has ended."""

    def ended(self, match: str) -> None:
        """A match that was marked has ended."""

    def close(self, actor: str, closed: bool) -> None:
        """Keep new names out, or admit them."""

    def hide(self, actor: str, name: str, pseudonym: str) -> str:
        """Show a bot under a pseudonym; empty: one that is made up. Returns the pseudonym."""

    def unhide(self, actor: str, name: str) -> None:
        """Show a bot under its own name again."""


class Control:
    """The organiser's hands at one referee."""

    def __init__(
        self,
        connections: Connections,
        lobby: Lobby,
        rulings: Rulings,
        readiness: Readiness,
        leave: Callable[[float], None],
    ) -> None:
        """`leave` ends the referee after so many seconds, its open matches being left for the next start."""
        self._connections = connections
        self._lobby = lobby
        self._rulings = rulings
        self._readiness = readiness
        self._leave = leave

    @property
    def draining(self) -> bool:
        """Whether the referee opens no further table and ends when the open ones are over."""
        return self._connections.draining

    @property
    def rulings(self) -> Rulings:
        """What is stored."""
        return self._rulings

    def kick(self, actor: str, name: str, reason: str) -> list[str]:
        """End the stream of a bot; returns the matches in which it lost its seat."""
        session = self._connections.session(name)
        if session is None or not (session.stream or session.tables):
            here = [found.name for found in self._connections.sessions if found.stream or found.tables]
            raise UnknownName.of("bot that is here", name, here)
        said = _reason(reason)
        self._rulings.note(actor, "kick", name, said)
        self._done("kick", actor, name, said)
        return self._remove(name, f"an organiser ended your stream{_because(said)}; you may come back")

    def ban(self, actor: str, name: str, until: str, reason: str) -> tuple[Ban, list[str]]:
        """Keep a bot out; returns the ban, and the matches in which the bot lost its seat."""
        ban = self._rulings.ban(actor, name, until, _reason(reason))
        self._done("ban", actor, name, ban.reason)
        return ban, self._remove(name, banned(ban))

    def unban(self, actor: str, name: str) -> None:
        """Admit a bot again."""
        self._rulings.unban(actor, name)
        self._done("unban", actor, name, "")

    def _remove(self, name: str, text: str) -> list[str]:
        session = self._connections.session(name)
        if session is None:
            return []
        return session.remove(pb.FAULT_CODE_KICKED, text, self._connections.time())

    def pause(self, actor: str, pool: str, reason: str) -> None:
        """Open no further table of a pool, or of any."""
        said = _reason(reason)
        found = self._rulings.pause(actor, pool, said, self._connections.sessions)
        self._done("pause", actor, ", ".join(found.pools), said)
        text = f"an organiser paused {', '.join(found.pools)}{_because(said)}; you get no further table there for now"
        for name in found.bots:
            self._tell(name, pb.FAULT_CODE_PAUSED, text)

    def event(self, action: str, actor: str, name: str, detail: str = "", bots: Iterable[str] = ()) -> None:
        """Log and count what was done to an event; `bots` are told that it rests."""
        self._done(f"event {action}", actor, name, detail)
        text = f"an organiser paused event {name!r}; you get no further table there for now"
        for bot in bots:
            self._tell(bot, pb.FAULT_CODE_PAUSED, text)

    def resume(self, actor: str, pool: str) -> None:
        """Go on with a pool, or with all."""
        found = self._rulings.resume(actor, pool, self._connections.sessions)
        self._done("resume", actor, ", ".join(found.pools), "")
        self._lobby.changed()

    def drain(self, actor: str, within: float, reason: str) -> int:
        """Come to an end; returns how many tables are open. `within`: seconds, 0: until they are over."""
        if self.draining:
            raise BadSetting("the referee is draining already")
        said = _reason(reason)
        self._rulings.note(actor, "drain", "", f"within {within:g} s; {said}" if within else said)
        self._done("drain", actor, "", said)
        self._connections.draining = True
        self._readiness.look()
        self._lobby.stop_opening()
        if within:
            self._leave(within)
        return self._lobby.running

    def void(self, actor: str, action: str, match: str, reason: str) -> str:
        """Carry out `abort`, `void` or `requeue` of a match; returns its whole id."""
        found = self._rulings.find(match)
        if action == "abort" and not found.running:
            raise BadSetting(f"match {found.id} is over; to let it not count use void, to play it again use requeue")
        if found.running and not self._lobby.plays(found.id):
            raise BadSetting(f"match {found.id} waits for the season that it belongs to, which is not played here now")
        said = _reason(reason)
        self._rulings.void(actor, action, found.id, said or f"{action} by an organiser", again=action == "requeue")
        self._done(action, actor, found.id, said)
        text = f"an organiser decided that the match does not count{_because(said)}"
        if action == "requeue":
            text += "; it is played again"
        for seat, name in enumerate(found.players):
            self._tell(name, pb.FAULT_CODE_VOIDED, text, found.id, seat)
        if found.running:
            self._lobby.abort(found.id, text, Owner.ORGANISER)
        else:
            self._rulings.ended(found.id)
        self._lobby.changed()
        return found.id

    def close(self, actor: str, closed: bool) -> None:
        """Keep new names out, or admit them."""
        self._rulings.close(actor, closed)
        self._done("close" if closed else "open", actor, "", "")

    def hide(self, actor: str, name: str, pseudonym: str) -> str:
        """Show a bot under a pseudonym."""
        shown = self._rulings.hide(actor, name, pseudonym)
        self._done("hide", actor, name, "")
        return shown

    def unhide(self, actor: str, name: str) -> None:
        """Show a bot under its own name again."""
        self._rulings.unhide(actor, name)
        self._done("unhide", actor, name, "")

    def tables(self) -> list[OpenTable]:
        """The open tables, the oldest first."""
        return self._lobby.tables()

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
    """What a bot that is kept out is told."""
    until = f" until {ban.until}" if ban.until else ""
    return f"an organiser keeps you out{until}{_because(ban.reason)}"


def _reason(text: str) -> str:
    return clean(text, LONGEST_REASON).strip()


def _because(reason: str) -> str:
    return f": {reason}" if reason else ""
