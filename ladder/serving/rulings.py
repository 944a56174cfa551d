"""What organisers decide at a referee with a database: the `Rulings` of a served season, and whom it admits.

Bans, pauses, admission and pseudonyms are read once and kept in step with the file: no other process writes them while
a referee plays it. Each decision and the note of who made it are one transaction.
"""

from __future__ import annotations

import secrets
from collections.abc import Callable, Sequence
from datetime import UTC, datetime
from typing import Protocol

from ladder.serving.directory import EntrantDirectory
from ladder.store.database import Store
from ladder.store.records import PoolRow
from ladder.store.rulings import AGAIN, VOID, BanRow, PlacedMatch
from referee.kernel.errors import BadSetting, UnknownName
from referee.match.protocols import ConnectedBot
from referee.transport.auth import bad_name
from referee.transport.control import BadRequest, Ban, KnownBot, OrganiserAct, PoolBots, PoolStatus, RuledMatch, banned
from referee.transport.limits import Limits
from referee.v1 import play_pb2 as pb

CLOSED = (
    "this referee admits no new names at the moment: come back with a name that was here before, or ask its organiser "
    "for a token"
)
MADE_UP = 4
"""Random bytes of a pseudonym that is made up."""


class RuledSeason(Protocol):
    """The part of a season on which organisers rule."""

    def open_pools(self) -> Sequence[PoolRow]:
        """The pools that are played."""

    def tables_of(self, pool: int) -> int:
        """Open tables of a pool."""

    def hold(self, pools: frozenset[int]) -> None:
        """Open no further table of these pools, and of these only."""

    def can_void(self, match: PlacedMatch, *, again: bool) -> None:
        """Raise BadSetting if the season could not go on without a match, or not play it again."""

    def voided(self, match: PlacedMatch, *, again: bool) -> None:
        """A match that is over does not count any more; `again`: the match is to be played again."""


class SeasonRulings:
    """The rulings of one served season."""

    def __init__(
        self,
        store: Store,
        season: RuledSeason,
        row: int,
        directory: EntrantDirectory,
        clock: Callable[[], datetime] = lambda: datetime.now(UTC),
    ) -> None:
        """`row` is the id of the season, `clock` tells the time of day."""
        self._store = store
        self._season = season
        self._row = row
        self._directory = directory
        self._clock = clock
        self._bans = {ban.bot: ban for ban in store.bans()}
        self._closed = store.admission_closed
        self._pseudonyms = store.pseudonyms()
        self._marked = set(store.ruled())
        """Running matches that were decided on and have not ended yet."""
        season.hold(self._paused())

    def _paused(self) -> frozenset[int]:
        return frozenset(self._store.paused_pools())

    # Whom the referee admits, and under which names: see `Admission`.

    def refusal(self, name: str, proven: bool) -> tuple[pb.FaultCode, str] | None:
        """Why a bot is not admitted; None: the bot is admitted."""
        ban = self._ban(name)
        if ban is not None:
            return pb.FAULT_CODE_KICKED, banned(ban)
        if name in self._pseudonyms.values():
            return pb.FAULT_CODE_NAME_TAKEN, f"the name {name} is taken: choose another"
        if self._closed and not proven and not self._store.knows_bot(name):
            return pb.FAULT_CODE_UNAUTHENTICATED, CLOSED
        return None

    def shown(self, name: str) -> str:
        """The name under which others see a bot."""
        return self._pseudonyms.get(name, name)

    def _ban(self, name: str) -> Ban | None:
        found = self._bans.get(name)
        if found is None or (found.until is not None and datetime.fromisoformat(found.until) <= self._clock()):
            return None
        return Ban(name, found.until or "", found.reason)

    # What organisers see.

    def pools(self, bots: Sequence[ConnectedBot]) -> list[PoolStatus]:
        """See `Rulings.pools`."""
        paused = self._paused()
        names = self._names()
        return [
            PoolStatus(
                names[row.id],
                row.id in paused,
                self._season.tables_of(row.id),
                sum(bot.present and bot.plays(row.game, row.seats, row.variant) for bot in bots),
                row.rated,
            )
            for row in self._season.open_pools()
        ]

    def _names(self) -> dict[int, str]:
        """What the pools are called: game and seats, and what tells pools of equal game and seats apart."""
        rows = self._season.open_pools()
        short = [f"{row.game}:{row.seats}" for row in rows]
        return {
            row.id: name if short.count(name) == 1 else f"{name}:{_settings(row)}"
            for name, row in zip(short, rows, strict=True)
        }

    def bans(self) -> list[Ban]:
        """See `Rulings.bans`."""
        return [ban for name in sorted(self._bans) if (ban := self._ban(name)) is not None]

    def bot(self, name: str) -> KnownBot | None:
        """See `Rulings.bot`."""
        ban = self._ban(name)
        if ban is None and not self._store.knows_bot(name):
            return None
        played, faults = self._store.bot_totals(self._row, name)
        return KnownBot(self._directory.owner(name), self._pseudonyms.get(name, ""), played, faults, ban)

    def names(self) -> list[str]:
        """See `Rulings.names`."""
        return self._store.bot_names()

    def storage_bytes(self) -> int:
        """See `Rulings.storage_bytes`."""
        path = self._store.path
        files = [path, path.with_name(f"{path.name}-wal")]
        return sum(file.stat().st_size for file in files if file.exists())

    @property
    def is_open(self) -> bool:
        """See `Rulings.is_open`."""
        return not self._closed

    def acts(self, limit: int) -> list[OrganiserAct]:
        """See `Rulings.acts`."""
        return [OrganiserAct(*row) for row in self._store.acts(limit)]

    # What organisers decide.

    def note(self, actor: str, action: str, subject: str, detail: str) -> None:
        """See `Rulings.note`."""
        self._store.audit(actor, action, subject, detail)

    def ban(self, actor: str, name: str, until: str, reason: str) -> Ban:
        """See `Rulings.ban`."""
        wrong = bad_name(name, Limits().name_characters)
        if wrong is not None:
            raise BadRequest(wrong)
        if self._directory.runs(name):
            raise BadSetting(f"{name} is run by this host: take it out of the ladder file instead")
        ban = BanRow(name, self._moment(until), reason)
        with self._store.transaction():
            self._store.ban(ban)
            self._store.audit(actor, "ban", name, f"until {ban.until or 'lifted'}{f'; {reason}' if reason else ''}")
        self._bans[name] = ban
        return Ban(name, ban.until or "", reason)

    def _moment(self, until: str) -> str | None:
        """The end of a ban, in UTC; raises BadSetting."""
        if not until:
            return None
        try:
            moment = datetime.fromisoformat(until)
        except ValueError:
            moment = None
        if moment is None or moment.tzinfo is None:
            example = "2026-11-20T19:00:00+01:00"
            raise BadRequest(f"{until[:40]!r} is no moment: write a date and a time with its offset, such as {example}")
        if moment <= self._clock():
            raise BadSetting(f"{until[:40]} has passed already")
        try:
            return moment.astimezone(UTC).isoformat(timespec="seconds")
        except OverflowError:  # the year 10000 in UTC
            raise BadRequest(f"{until[:40]} is too late; leave the moment out to ban until it is lifted") from None

    def unban(self, actor: str, name: str) -> None:
        """See `Rulings.unban`."""
        if self._ban(name) is None:
            raise UnknownName.of("bot that is banned", name, [ban.bot for ban in self.bans()])
        with self._store.transaction():
            self._store.unban(name)
            self._store.audit(actor, "unban", name, "")
        del self._bans[name]

    def pause(self, actor: str, pool: str, reason: str, bots: Sequence[ConnectedBot]) -> PoolBots:
        """See `Rulings.pause`."""
        paused = self._paused()
        rows = [row for row in self._chosen(pool) if row.id not in paused]
        if not rows:
            raise BadSetting(f"{pool or 'every pool'} is paused already")
        return self._hold(actor, "pause", rows, reason, bots)

    def resume(self, actor: str, pool: str, bots: Sequence[ConnectedBot]) -> PoolBots:
        """See `Rulings.resume`."""
        paused = self._paused()
        rows = [row for row in self._chosen(pool) if row.id in paused]
        if not rows:
            raise BadSetting(f"{pool or 'no pool'} is {'not ' if pool else ''}paused")
        return self._hold(actor, "resume", rows, "", bots)

    def _hold(
        self, actor: str, action: str, rows: Sequence[PoolRow], reason: str, bots: Sequence[ConnectedBot]
    ) -> PoolBots:
        names = self._names()
        called = tuple(names[row.id] for row in rows)
        with self._store.transaction():
            self._store.pause_pools([row.id for row in rows], action == "pause")
            self._store.audit(actor, action, ", ".join(called), reason)
        self._season.hold(self._paused())
        concerned = [
            bot.name for bot in bots if bot.present and any(bot.plays(row.game, row.seats, row.variant) for row in rows)
        ]
        return PoolBots(called, tuple(concerned))

    def _chosen(self, pool: str) -> list[PoolRow]:
        """The pools of a name, which may leave out what comes last: `honshu` is every pool of Honshu."""
        rows, names = list(self._season.open_pools()), self._names()
        if not pool:
            return rows
        found = [row for row in rows if names[row.id] == pool or names[row.id].startswith(f"{pool}:")]
        if not found:
            raise UnknownName.of("pool that is played here", pool, names.values())
        return found

    def find(self, match: str) -> RuledMatch:
        """See `Rulings.find`."""
        if not match:
            raise BadRequest("name a match by its id, or by the beginning of it")
        with self._store.explained():
            placed = self._store.placed_match(self._store.full_id(match))
        return RuledMatch(placed.id, placed.state == "running", placed.players)

    def void(self, actor: str, action: str, match: str, reason: str, *, again: bool) -> None:
        """See `Rulings.void`."""
        with self._store.explained():
            placed = self._store.placed_match(match)
            self._check(placed, again)
            with self._store.transaction():
                self._store.rule(match, AGAIN if again else VOID, reason)
                self._store.audit(actor, action, match, reason)
        if placed.state == "running":
            self._marked.add(match)

    def _check(self, placed: PlacedMatch, again: bool) -> None:
        if not placed.latest:
            raise BadSetting(f"match {placed.id} was played again already; name the later match")
        if placed.ruling == VOID and not again:
            raise BadSetting(f"match {placed.id} does not count already: {placed.reason}")
        if placed.ruling == AGAIN and again:
            raise BadSetting(f"match {placed.id} waits to be played again already")
        if placed.imported:
            raise BadSetting(f"match {placed.id} was played at another referee: rule on it there, and import it again")
        if placed.season != self._row:
            raise BadSetting(f"match {placed.id} belongs to another season than the one that is played here")
        self._season.can_void(placed, again=again)

    def awaits(self, match: str) -> bool:
        """Whether a match was decided on while it was running, and its end is still to be dealt with.

        The match need not have been ended by that: its own end may have waited to be stored at that moment.
        """
        return match in self._marked

    def ended(self, match: str) -> None:
        """See `Rulings.ended`."""
        self._marked.discard(match)
        placed = self._store.placed_match(match)
        if placed.ruling is not None:
            self._season.voided(placed, again=placed.ruling == AGAIN)

    def close(self, actor: str, closed: bool) -> None:
        """See `Rulings.close`."""
        if closed == self._closed:
            raise BadSetting(f"new names are {'not ' if closed else ''}admitted already")
        with self._store.transaction():
            self._store.close_admission(closed)
            self._store.audit(actor, "close" if closed else "open", "", "")
        self._closed = closed

    def hide(self, actor: str, name: str, pseudonym: str) -> str:
        """See `Rulings.hide`."""
        known = self._store.bot_names()
        if name not in known:
            raise UnknownName.of("bot", name, known)
        chosen = pseudonym or f"hidden-{secrets.token_hex(MADE_UP)}"
        wrong = bad_name(chosen, Limits().name_characters)
        if wrong is not None:
            raise BadRequest(wrong)
        if chosen in known or chosen in self._pseudonyms.values():
            raise BadSetting(f"{chosen} is the name or the pseudonym of a bot; take another")
        with self._store.transaction():
            self._store.hide(name, chosen)
            self._store.audit(actor, "hide", name, f"as {chosen}")
        self._pseudonyms[name] = chosen
        return chosen

    def unhide(self, actor: str, name: str) -> None:
        """See `Rulings.unhide`."""
        if name not in self._pseudonyms:
            raise UnknownName.of("bot that is hidden", name, self._pseudonyms)
        with self._store.transaction():
            self._store.hide(name, None)
            self._store.audit(actor, "unhide", name, "")
        del self._pseudonyms[name]


def _settings(row: PoolRow) -> str:
    settings = [f"{key}={value}" for key, value in sorted(row.variant.items())]
    return ":".join([row.clock, *settings])
