"""Opens tables: as the pairing says, and for named bots as arranged.

The lobby asks the `Pairing` for the next table whenever a bot may have become free, and opens at most one table in each
turn of the loop, so that streams are served in between. A program that plays single matches calls `arrange` with a
`MatchPlan` and gets the `Final` back when the match is over; arranged matches come first. Each table runs in a task of
its own, so a failure at one table leaves the others alone.
"""

from __future__ import annotations

import logging
import time
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple

import trio

from referee.kernel import registry
from referee.kernel.errors import BadSetting, KumiteError
from referee.match.clock import SECOND
from referee.match.match import Match
from referee.match.plan import MatchPlan
from referee.match.playtime import PlayTime
from referee.match.policy import Owner
from referee.match.protocols import Pairing, Recorder
from referee.match.record import Final, Record, SeatUsage
from referee.match.storage import Storage
from referee.match.table import RunningTable
from referee.match.terms import Terms
from referee.transport.connections import Connections
from referee.transport.messages import Asker
from referee.transport.session import BotSession
from referee.transport.share import PARTS
from referee.transport.spectators import Spectators

PATIENCE = 8
"""Number of arranged matches with a bot in common that may overtake an arranged match before its bots are held."""
FIRST_REST, LONGEST_REST = 1.0, 60.0
"""Seconds of back-off after a table at which the referee itself failed: at first, and at most after doubling."""

_logger = logging.getLogger(__name__)


class Stopped(KumiteError):
    """The lobby closed before an arranged match was over."""


class OpenTable(NamedTuple):
    """A table that is open, as an organiser sees it."""

    match: str
    game: str
    players: tuple[str, ...]
    started: bool
    steps: int
    awaited: tuple[int, ...]
    """Seats that have an ask to answer; before the game is set up all of them."""
    forfeited: tuple[int, ...]
    seconds: float
    """Seconds since the table was opened or restored."""
    rated: bool


class Unfinished(NamedTuple):
    """A match that was running when an earlier run of the referee stopped."""

    record: Record
    secret: bytes
    rated: bool = True
    """Whether the match counts for ratings."""
    ended: str = ""
    """Why an organiser had ended the match before the referee was killed; empty: the match goes on."""
    sessions: tuple[str, ...] = ()
    """The names by seat under which the bots connect; empty: the names of the players."""


class PendingMatch:
    """A match that waits for its bots, or is being played."""

    def __init__(self, match: Match, rated: bool = True, sessions: tuple[str, ...] = ()) -> None:
        self.match = match
        self.rated = rated
        self.terms = match.terms
        self.sessions = sessions or match.terms.players
        """The names under which the bots are connected, by seat."""
        self.asker = Asker(self.terms)
        self.spectators: Spectators | None = None
        """The public side of the table, once it is open."""
        self.overtaken = 0
        self.final: Final | None = None
        self.refusal: str | None = None
        """Why the match cannot be played; None: no reason is known."""
        self.opened_at = 0
        """When the table was opened, in play time."""
        self.ended = ""
        """See `Unfinished.ended`."""
        self.done = trio.Event()

    @classmethod
    def of(cls, plan: MatchPlan, sessions: tuple[str, ...] = ()) -> PendingMatch:
        """The match that a plan stands for; raises BadSetting or UnknownName."""
        if sessions and len(sessions) != len(plan.players):
            raise BadSetting(f"{len(plan.players)} players need as many sessions, not {len(sessions)}")
        return cls(Match(registry.game(plan.game), plan), plan.rated, sessions)

    @property
    def names(self) -> tuple[str, ...]:
        """The names of the bots, each once."""
        return tuple(dict.fromkeys(self.sessions))


class Lobby:
    """All tables of one referee."""

    def __init__(
        self,
        connections: Connections,
        recorder: Recorder,
        *,
        pairing: Pairing | None = None,
        matches: int | None = None,
        ended: Callable[[Terms, Final], None] = lambda terms, final: None,
        storage: Storage | None = None,
        usage: Callable[[str], SeatUsage | None] = lambda name: None,
        shown: Callable[[str], str] = str,
        spectator_delay: Callable[[Terms], int] = lambda terms: 0,
    ) -> None:
        """`matches`: number of the pairing's matches to open; None: all of them. `ended` is called with every match.

        `usage` returns what the process of a hosted bot has used since its start, by the bot's name; None: no hosted
        bot. `storage` must be on the play time of the connections; None: clocks run on while nothing can be stored.
        `shown` returns the name under which spectators see a bot, `spectator_delay` the number of positions by which
        they are shown a match later.
        """
        self._connections = connections
        self.storage = Storage(PlayTime(connections.time)) if storage is None else storage
        """Whether the tables can store; no table is opened while storing fails."""
        self.storage.lasting = self._pause
        self.storage.passed = self._go_on
        self._recorder = recorder
        self._pairing = pairing
        self._left = matches
        self._ended = ended
        self._usage = usage
        self._shown = shown
        self._spectator_delay = spectator_delay
        self._going = True
        self._orders: list[PendingMatch] = []
        self._restored: list[tuple[RunningTable, PendingMatch]] = []
        self._running: dict[str, tuple[RunningTable, PendingMatch]] = {}
        self._changed = trio.Event()
        self._rest = FIRST_REST
        self._rests_until = 0
        """When the next table may be opened after one at which the referee failed, in play time."""
        self.finished = 0
        """Number of matches that have ended."""
        self.longest_pairing = 0
        """Longest time, in microseconds, for which the loop was held to find one table."""
        self.done = trio.Event()
        """Set when no table is left and no more are opened."""

    @property
    def running(self) -> int:
        """Number of running matches."""
        return len(self._running)

    def changed(self) -> None:
        """Check soon whether a table can be opened."""
        self._changed.set()

    def stop_opening(self) -> None:
        """Open no more tables; `run` ends when the open tables are over."""
        self._going = False
        self._orders = []
        self.changed()

    @property
    def _opens(self) -> bool:
        """Whether tables may still be opened; a lobby without a pairing waits for arranged matches."""
        return self._going and self._left != 0 and (self._pairing is None or not self._pairing.done)

    async def run(self) -> None:
        """Open tables until the pairing is done and all tables are over; without a pairing, run until cancelled."""
        try:
            async with trio.open_nursery() as nursery:
                for table, order in self._restored:
                    if order.ended:
                        table.abort(self._connections.time(), order.ended, Owner.ORGANISER)
                    nursery.start_soon(self._play, table, order)
                while self._opens or self._running or self._orders:
                    self._changed = trio.Event()
                    began = time.perf_counter()
                    wait = float("inf") if self.storage.trouble is not None else self._open_next(nursery)
                    spent = time.perf_counter() - began
                    if wait > 0:
                        with trio.move_on_after(wait):
                            await self._changed.wait()
                    else:
                        # One table in each turn of the loop: streams are served before the next pairing. After the
                        # second turn the table has begun, or `storage.trouble` says that nothing can be stored.
                        await trio.lowlevel.checkpoint()
                        await trio.lowlevel.checkpoint()
                    await self._give_way(spent)
        finally:
            self.done.set()
            for order in (*self._orders, *(order for _, order in self._running.values())):
                order.done.set()

    async def _give_way(self, spent: float) -> None:
        """While many streams arrive, pause for `PARTS` - 1 times as long as the last pairing took: `spent` seconds.

        With 1,000 bots a pairing takes some milliseconds, and every bot that arrives causes one.
        """
        if self._connections.arrivals.of_a_crowd(self._connections.time()):
            await trio.sleep((PARTS - 1) * spent)

    async def arrange(self, plan: MatchPlan, sessions: tuple[str, ...] = ()) -> Final:
        """Play a match between named bots as soon as all of them are connected and have a table free.

        `sessions`: the names by seat under which the bots are connected; empty: the names of the players. Raises
        BadSetting or UnknownName for a plan that cannot be played, Stopped when the lobby closes.
        """
        order = PendingMatch.of(plan, sessions)
        known = {*self._running, *(other.terms.match for other in self._orders)}
        if order.terms.match in known:
            raise BadSetting(f"a match of the id {order.terms.match} is being played already")
        if self.done.is_set():
            raise Stopped("the lobby is closed")
        self._orders.append(order)
        self.changed()
        try:
            await order.done.wait()
        finally:
            if order in self._orders:
                self._orders.remove(order)
        if order.refusal is not None:
            raise BadSetting(order.refusal)
        if order.final is None:
            raise Stopped(f"the lobby closed before a match of {plan.game} between {', '.join(plan.players)} was over")
        return order.final

    def abandon(self, message: str) -> None:
        """End every running match without a result; its record is closed and its bots are told."""
        for table, order in self._running.values():
            if order.match.begun:
                table.abort(self._connections.time(), message)

    def abort(self, match: str, message: str, by: Owner) -> None:
        """End a running match without a result; its record is closed and its bots are told."""
        self._running[match][0].abort(self._connections.time(), message, by)

    def plays(self, match: str) -> bool:
        """Whether a match is running here."""
        return match in self._running

    def tables(self) -> list[OpenTable]:
        """The open tables, the oldest first."""
        now = self._connections.time()
        return [_open_table(order, now) for _, order in self._running.values()]

    def spectators(self) -> list[Spectators]:
        """The public sides of the open tables, the oldest first."""
        return [order.spectators for _, order in self._running.values() if order.spectators is not None]

    def spectators_of(self, match: str) -> Spectators | None:
        """The public side of the table of a match; None: no such table is open."""
        return self._running[match][1].spectators if match in self._running else None

    def restore(self, unfinished: Unfinished, tokens: Mapping[str, str]) -> None:
        """Go on with a match of an earlier run, its bots being away; raises BrokenRecord. To be called before `run`.

        `tokens` are the hashes of the bots' resume tokens, separated by spaces, by name.
        """
        header = unfinished.record.header
        at = self._connections.time()
        game = registry.game(header.game)
        match = Match.restore(game, header, unfinished.secret, unfinished.record.steps, at)
        order = PendingMatch(match, unfinished.rated, unfinished.sessions)
        for name in order.names:
            self._connections.recall(name, tokens.get(name), at)
        order.ended = unfinished.ended
        table = self._seat(order)
        table.remember(unfinished.record.steps)
        self._restored.append((table, order))

    def _pause(self) -> None:
        """Tell every bot that its clocks stand, because storing has failed for a while."""
        for table, _ in self._running.values():
            table.pause()

    def _go_on(self) -> None:
        """Go on with all tables, because storing works again."""
        for table, _ in tuple(self._running.values()):
            table.go_on()
        self.changed()

    def _open_next(self, nursery: trio.Nursery) -> float:
        """Open arranged tables, and the pairing's next table if there is one.

        Returns the seconds after which to ask again although nothing has changed; 0: a table of the pairing was opened.
        """
        held = self._open_arranged(nursery)
        if self._pairing is None or not self._opens:
            return float("inf")
        started = time.perf_counter_ns()
        at = self._connections.time()
        if at < self._rests_until:
            return (self._rests_until - at) / SECOND
        bots = [bot for bot in self._connections.sessions if not (bot.apart or held[bot.name])]
        found = self._pairing.next(bots, at)
        self.longest_pairing = max(self.longest_pairing, (time.perf_counter_ns() - started) // 1000)
        if found is None:
            return float("inf")
        if isinstance(found, int):
            return max(0.001, (found - at) / SECOND)
        if self._left is not None:
            self._left -= 1
        self._open(nursery, PendingMatch.of(found))
        return 0.0

    def _open_arranged(self, nursery: trio.Nursery) -> Counter[str]:
        """Open the arranged tables that can be opened, in order; returns the tables of each bot that stay reserved."""
        held: Counter[str] = Counter()
        waiting: list[PendingMatch] = []
        for order in self._orders:
            bots = [self._connections.session(name) for name in order.names]
            if any(bot is not None and bot.present and not self._accepts(bot, order) for bot in bots):
                continue
            if all(bot is not None and bot.room > held[bot.name] for bot in bots):
                for other in waiting:
                    other.overtaken += not set(order.names).isdisjoint(other.names)
                self._open(nursery, order)
                continue
            waiting.append(order)
            if order.overtaken >= PATIENCE:
                held.update(order.names)
        self._orders = waiting
        return held

    def _accepts(self, bot: BotSession, order: PendingMatch) -> bool:
        agreed = order.terms
        if bot.plays(agreed.game, len(agreed.players), agreed.variant):
            return True
        order.refusal = f"{bot.name} does not play {agreed.game} with {len(agreed.players)} seats and {agreed.variant}"
        order.done.set()
        return False

    def _open(self, nursery: trio.Nursery, order: PendingMatch) -> None:
        self._connections.arrivals.table(self._connections.time())
        nursery.start_soon(self._play, self._seat(order), order)

    def _seat(self, order: PendingMatch) -> RunningTable:
        """The table of a match with its bots seated."""
        agreed = order.terms
        bots = [self._connections.session(name) for name in order.sessions]
        seats = [bot.sit(agreed, seat, order.asker, order.rated) for seat, bot in enumerate(bots) if bot is not None]
        builds = tuple("" if bot is None else bot.build for bot in bots)
        spectators = order.spectators = Spectators(order.match, order.rated, self._shown, self._spectator_delay(agreed))
        table = RunningTable(
            order.match,
            seats,
            self._recorder,
            self._connections.time,
            storage=self.storage,
            spectators=spectators,
            usage=self._measured(order.sessions),
            builds=builds,
            faulted=self._connections.lines.faulted,
        )
        spectators.attend(table)
        match = order.match
        self._connections.lines.started(agreed, builds, rated=order.rated, restored=match.begun)
        self._running[agreed.match] = table, order
        order.opened_at = self._connections.time()
        for seat_session in seats:
            seat_session.take(table, is_ready=match.started, forfeited=match.forfeited(seat_session.seat))
        return table

    def _measured(self, names: Sequence[str]) -> Callable[[], tuple[SeatUsage | None, ...]]:
        """A function that returns what the processes of these bots have used since this call, by seat."""
        before = [self._usage(name) for name in names]

        def used() -> tuple[SeatUsage | None, ...]:
            now = [self._usage(name) for name in names]
            if not any(now):
                return ()
            return tuple(map(_since, before, now))

        return used

    async def _play(self, table: RunningTable, order: PendingMatch) -> None:
        order.final = await table.run()
        self.finished += 1
        self._connections.lines.ended(order.terms, order.final, rated=order.rated)
        self._mind_failure(table)
        del self._running[order.terms.match]
        table.release()
        self._connections.doors.used(1)
        order.done.set()
        if self._pairing is not None:
            self._pairing.ended(order.terms.match, self._connections.time())
        try:
            self._ended(order.terms, order.final)
        except Exception:
            # A failing listener must not end the other matches.
            match = order.terms.match
            _logger.exception("match %s is over, and telling so failed", match, extra={"match": match})
        self.changed()

    def _mind_failure(self, table: RunningTable) -> None:
        """If the referee failed at this table, open no table for a while (back-off): the next may fail as well."""
        if table.failure is None:
            self._rest = FIRST_REST
            return
        self._rests_until = self._connections.time() + round(self._rest * SECOND)
        _logger.error("the referee failed at a table; none is opened for %g s", self._rest)
        self._rest = min(2 * self._rest, LONGEST_REST)


def _open_table(order: PendingMatch, now: int) -> OpenTable:
    match, agreed = order.match, order.terms
    seats = range(len(agreed.players))
    return OpenTable(
        agreed.match,
        agreed.game,
        agreed.players,
        match.started,
        match.steps,
        tuple(seat for seat in seats if match.owes(seat) or not match.started),
        tuple(seat for seat in seats if match.forfeited(seat)),
        (now - order.opened_at) / SECOND,
        order.rated,
    )


def _since(before: SeatUsage | None, now: SeatUsage | None) -> SeatUsage | None:
    """What a process used between two readings; a process that was started in between counts whole."""
    if before is None or now is None or now.cpu_us < before.cpu_us:
        return now
    return SeatUsage(now.cpu_us - before.cpu_us, now.peak_bytes)
