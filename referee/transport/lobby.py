"""Opens tables: for bots that are free, by matchmaking; for named bots, as arranged.

A tournament calls `arrange` with a `Plan` and gets the `Final` back when the match is over. Everybody else is matched
by the queue in `matchmaking`. Arranged matches come first. Each table runs in a task of its own: what happens at one is
no other's concern.
"""

from __future__ import annotations

import logging
import random
import secrets
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

import trio

from referee.kernel import registry
from referee.kernel.chance import SECRET_BYTES
from referee.kernel.errors import BadSetting, KumiteError
from referee.match.clock import NO_CLOCK, Clock
from referee.match.match import Match
from referee.match.policy import Policy
from referee.match.ports import Recorder
from referee.match.record import Final, Record
from referee.match.table import Table
from referee.match.terms import Terms, terms
from referee.transport import translate
from referee.transport.hall import Hall
from referee.transport.matchmaking import PATIENCE, Matchmaker, Wanted
from referee.transport.messages import Asker
from referee.transport.session import Session

_logger = logging.getLogger(__name__)
_SHUFFLE = random.SystemRandom().shuffle


class Stopped(KumiteError):
    """The lobby closed before an arranged match was over."""


@dataclass(frozen=True, slots=True)
class Plan:
    """A match between bots that are named."""

    game: str
    players: tuple[str, ...]
    """Names by seat. A name may stand there several times: that bot then plays several seats."""
    variant: Mapping[str, str] = field(default_factory=dict)
    """Settings that differ from the default."""
    clock: Clock = NO_CLOCK
    policy: Policy = field(default_factory=Policy)
    match: str | None = None
    """The match's id; None: a random one."""
    secret: bytes | None = None
    """The secret behind its luck; None: a random one."""


class Unfinished(NamedTuple):
    """A match that was going on when the referee stopped."""

    record: Record
    secret: bytes


class _Order:
    """A match that waits for its bots, or is being played."""

    def __init__(self, match: Match) -> None:
        self.match = match
        self.terms = match.terms
        self.asker = Asker(self.terms)
        self.overtaken = 0
        self.final: Final | None = None
        self.refusal: str | None = None
        """Why it cannot be played, if so."""
        self.done = trio.Event()

    @classmethod
    def of(cls, plan: Plan) -> _Order:
        """The match that a plan stands for; raises BadSetting or UnknownName."""
        game = registry.game(plan.game)
        secret = secrets.token_bytes(SECRET_BYTES) if plan.secret is None else plan.secret
        agreed = terms(
            game,
            plan.players,
            secret=secret,
            match=secrets.token_hex(16) if plan.match is None else plan.match,
            variant=plan.variant,
            clock=plan.clock,
            policy=plan.policy,
        )
        return cls(Match(game, agreed, secret))

    @property
    def names(self) -> tuple[str, ...]:
        """Its players, each once."""
        return tuple(dict.fromkeys(self.terms.players))


class Lobby:
    """All tables of one referee."""

    def __init__(
        self,
        hall: Hall,
        recorder: Recorder,
        *,
        wanted: Sequence[Wanted] = (),
        matches: int | None = None,
        ended: Callable[[Terms, Final], None] = lambda terms, final: None,
        shuffle: Callable[[list[str]], None] = _SHUFFLE,
    ) -> None:
        """`matches`: how many to open by matchmaking, None without end. `ended` is told about every match.

        `shuffle` draws the seats of those who were matched.
        """
        for table in wanted:
            translate.of(table.game)
        self._hall = hall
        self._recorder = recorder
        self._matchmaker = Matchmaker(wanted)
        self._left = matches
        self._ended = ended
        self._shuffle = shuffle
        self._orders: list[_Order] = []
        self._restored: list[tuple[Table, _Order]] = []
        self._running: dict[str, tuple[Table, _Order]] = {}
        self._changed = trio.Event()
        self.finished = 0
        """Matches that came to an end."""
        self.done = trio.Event()
        """Set when no more tables are opened and none is left."""

    @property
    def running(self) -> int:
        """Matches that are going on."""
        return len(self._running)

    def changed(self) -> None:
        """Look whether a table can be opened."""
        self._changed.set()

    async def run(self) -> None:
        """Open tables until all matches that were wanted are over; without such a number, until cancelled."""
        try:
            async with trio.open_nursery() as nursery:
                for table, order in self._restored:
                    nursery.start_soon(self._play, table, order)
                while self._left != 0 or self._running or self._orders:
                    self._changed = trio.Event()
                    self._open_tables(nursery)
                    await self._changed.wait()
        finally:
            self.done.set()
            for order in (*self._orders, *(order for _, order in self._running.values())):
                order.done.set()

    async def arrange(self, plan: Plan) -> Final:
        """Play a match between named bots, as soon as all of them are there and have a table free.

        Raises BadSetting or UnknownName for a plan that cannot be played, Stopped when the lobby closes.
        """
        order = _Order.of(plan)
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
        """End every match that is going on, without a result; its record is closed and its bots are told."""
        for table, order in self._running.values():
            if order.match.begun:
                table.abort(self._hall.watch(), message)

    def restore(self, unfinished: Unfinished, tokens: Mapping[str, str]) -> None:
        """Go on with a match of an earlier run, its bots being away; raises BrokenRecord. Call it before `run`.

        `tokens` are the resume tokens that its bots hold, by name.
        """
        header = unfinished.record.header
        at = self._hall.watch()
        game = registry.game(header.game)
        order = _Order(Match.restore(game, header, unfinished.secret, unfinished.record.steps, at))
        for name in order.names:
            self._hall.recall(name, tokens.get(name), at)
        self._restored.append((self._seat(order), order))

    def _open_tables(self, nursery: trio.Nursery) -> None:
        held = self._open_arranged(nursery)
        while self._left is None or self._left > 0:
            bots = [bot for bot in self._hall.sessions if bot.room > held[bot.name]]
            company = self._matchmaker.next(bots)
            if company is None:
                return
            if self._left is not None:
                self._left -= 1
            names = list(company.names)
            self._shuffle(names)
            wanted = company.wanted
            plan = Plan(wanted.game, tuple(names), wanted.variant, wanted.clock, wanted.policy)
            self._open(nursery, _Order.of(plan))

    def _open_arranged(self, nursery: trio.Nursery) -> Counter[str]:
        """Open what can be opened, in order; returns the tables of each bot that are held for orders in waiting."""
        held: Counter[str] = Counter()
        waiting: list[_Order] = []
        for order in self._orders:
            bots = [self._hall.session(name) for name in order.names]
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

    def _accepts(self, bot: Session, order: _Order) -> bool:
        agreed = order.terms
        if bot.plays(agreed.game, len(agreed.players), agreed.variant):
            return True
        order.refusal = f"{bot.name} does not play {agreed.game} with {len(agreed.players)} seats and {agreed.variant}"
        order.done.set()
        return False

    def _open(self, nursery: trio.Nursery, order: _Order) -> None:
        nursery.start_soon(self._play, self._seat(order), order)

    def _seat(self, order: _Order) -> Table:
        """The table of a match, its bots seated: from here on their places are theirs."""
        agreed = order.terms
        bots = [self._hall.session(name) for name in agreed.players]
        places = [bot.sit(agreed, seat, order.asker) for seat, bot in enumerate(bots) if bot is not None]
        table = Table(order.match, places, self._recorder, self._hall.watch)
        match = order.match
        self._running[agreed.match] = table, order
        for place in places:
            place.take(table, is_ready=match.started, forfeited=match.forfeited(place.seat))
        return table

    async def _play(self, table: Table, order: _Order) -> None:
        order.final = await table.run()
        self.finished += 1
        del self._running[order.terms.match]
        order.done.set()
        try:
            self._ended(order.terms, order.final)
        except Exception:
            # Whoever is told has no say in the other matches.
            _logger.exception("match %s is over, and telling so failed", order.terms.match)
        self.changed()
