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

import trio

from referee.kernel import registry
from referee.kernel.errors import BadSetting
from referee.kernel.game import settle_variant
from referee.match.clock import NO_CLOCK, Clock
from referee.match.match import Match
from referee.match.policy import Policy
from referee.match.ports import Recorder
from referee.match.record import Final
from referee.match.table import Table
from referee.match.terms import Terms, terms
from referee.transport.hall import Hall
from referee.transport.matchmaking import PATIENCE, Matchmaker, Wanted
from referee.transport.messages import Asker
from referee.transport.session import Session

_logger = logging.getLogger(__name__)


class Stopped(Exception):
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


class _Order:
    """A plan that waits for its bots, or is being played."""

    def __init__(self, plan: Plan, variant: Mapping[str, str]) -> None:
        self.plan = plan
        self.variant = variant
        self.overtaken = 0
        self.final: Final | None = None
        self.done = trio.Event()


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
    ) -> None:
        """`matches`: how many to open by matchmaking, None without end. `ended` is told about every match."""
        self._hall = hall
        self._recorder = recorder
        self._matchmaker = Matchmaker(wanted)
        self._left = matches
        self._ended = ended
        self._orders: list[_Order] = []
        self._tables: dict[Table, _Order | None] = {}
        self._changed = trio.Event()
        self._shuffle = random.SystemRandom().shuffle
        self.finished = 0
        """Matches that came to an end."""
        self.done = trio.Event()
        """Set when no more tables are opened and none is left."""

    @property
    def running(self) -> int:
        """Matches that are going on."""
        return len(self._tables)

    def changed(self) -> None:
        """Look whether a table can be opened."""
        self._changed.set()

    async def run(self) -> None:
        """Open tables until all matches that were wanted are over; without such a number, until cancelled."""
        try:
            async with trio.open_nursery() as nursery:
                while self._left != 0 or self._tables or self._orders:
                    self._changed = trio.Event()
                    self._open_tables(nursery)
                    await self._changed.wait()
        finally:
            self.done.set()
            for order in [*self._orders, *self._tables.values()]:
                if order is not None:
                    order.done.set()

    async def arrange(self, plan: Plan) -> Final:
        """Play a match between named bots, as soon as all of them are there and have a table free.

        Raises BadSetting or UnknownName for a plan that cannot be played, Stopped when the lobby closes.
        """
        game = registry.game(plan.game)
        order = _Order(plan, settle_variant(game, len(plan.players), plan.variant))
        if self.done.is_set():
            raise Stopped("the lobby is closed")
        self._orders.append(order)
        self.changed()
        try:
            await order.done.wait()
        finally:
            if order in self._orders:
                self._orders.remove(order)
        if order.final is None:
            raise Stopped(f"the lobby closed before a match of {plan.game} between {', '.join(plan.players)} was over")
        return order.final

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
            self._open(nursery, plan, wanted.variant, None)

    def _open_arranged(self, nursery: trio.Nursery) -> Counter[str]:
        """Open what can be opened, in order; returns the tables of each bot that are held for orders in waiting."""
        held: Counter[str] = Counter()
        for order in tuple(self._orders):
            names = set(order.plan.players)
            if self._ready_for(order, held):
                for other in self._orders[: self._orders.index(order)]:
                    other.overtaken += not names.isdisjoint(other.plan.players)
                self._orders.remove(order)
                self._open(nursery, order.plan, order.variant, order)
            elif order.overtaken >= PATIENCE:
                held.update(names)
        return held

    def _ready_for(self, order: _Order, held: Mapping[str, int]) -> bool:
        plan = order.plan
        for name in dict.fromkeys(plan.players):
            bot = self._hall.session(name)
            if bot is None or bot.room <= held[name]:
                return False
            if not bot.plays(plan.game, len(plan.players), order.variant):
                return False
        return True

    def _open(self, nursery: trio.Nursery, plan: Plan, variant: Mapping[str, str], order: _Order | None) -> None:
        secret = plan.secret or secrets.token_bytes(32)
        agreed = terms(
            registry.game(plan.game),
            plan.players,
            secret=secret,
            match=plan.match or secrets.token_hex(16),
            variant=variant,
            clock=plan.clock,
            policy=plan.policy,
        )
        asker = Asker(agreed)
        bots = [self._bot(name) for name in plan.players]
        places = [bot.sit(agreed, seat, asker) for seat, bot in enumerate(bots)]
        table = Table(Match(registry.game(plan.game), agreed, secret), places, self._recorder, self._hall.watch)
        for place in places:
            place.table = table
        self._tables[table] = order
        nursery.start_soon(self._play, table, order)

    def _bot(self, name: str) -> Session:
        bot = self._hall.session(name)
        if bot is None:
            raise BadSetting(f"no bot {name} is connected")
        return bot

    async def _play(self, table: Table, order: _Order | None) -> None:
        final = await table.run()
        self.finished += 1
        del self._tables[table]
        if order is not None:
            order.final = final
            order.done.set()
        _logger.info("match %s is over", table.match.terms.match)
        self._ended(table.match.terms, final)
        self.changed()
