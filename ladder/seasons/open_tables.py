"""Open pairing at a referee: from the bots that are connected to the next table, by `ladder.pairing.open`.

`OpenTables` knows the offers, the bots' wishes and what was played; `CasualTables` opens such tables without a season:
what a referee without a database plays.
"""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Callable, Collection, Mapping, Sequence
from typing import NamedTuple

from ladder.config.offers import TableOffer
from ladder.pairing.memory import OpenMemory
from ladder.pairing.open import Hold, NextTable, OpenPool, Present, Strength, next_tables, unrated
from referee.codec import encoding
from referee.match.plan import MatchPlan, random_id, random_secret
from referee.match.protocols import ConnectedBot, NotEntered, Offers

LISTED = 12
"""Offers that a refusal lists."""
SPARE = 1024
"""Names whose wishes are kept beyond those of the bots that the referee knows."""
MANY = 64
"""Free bots from which on several tables are sought at once."""
AHEAD = 16
"""Tables that are sought at once then."""
SOON = 50_000
"""Microseconds within which tables that were sought at once are to be opened."""


class _Running(NamedTuple):
    """A table that was opened."""

    key: int
    players: tuple[str, ...]
    began: int


class OpenTables:
    """Which table to open next. Offers are told apart by a key: the id of a pool, or any number."""

    def __init__(
        self,
        offers: Mapping[int, TableOffer],
        *,
        fill: Collection[str] = (),
        owner: Callable[[str], str] = lambda name: "",
        strength: Strength = unrated,
    ) -> None:
        """`fill` names the bots that only complete tables; `owner` tells who stands behind a bot."""
        self.offers = dict(offers)
        self.memory = OpenMemory()
        self._pools = [OpenPool(key, offer.seats, offer.weight) for key, offer in offers.items() if offer.seats > 1]
        self._solo = [key for key, offer in offers.items() if offer.seats == 1]
        self._fill = frozenset(fill)
        self._owner = owner
        self._strength = strength
        self.held: frozenset[int] = frozenset()
        """The keys of offers of which no further table is opened for now."""
        self._wishes: dict[str, frozenset[int]] = {}
        self._here: set[str] = set()
        self._known: dict[str, Present] = {}
        """The bots of the last question, as it saw them; made anew when a bot comes or leaves."""
        self._running: dict[str, _Running] = {}
        self._ahead: deque[NextTable] = deque()
        """Tables that were found together with the last one."""
        self._ahead_until = 0
        self._free: dict[str, ConnectedBot] = {}
        """The bots of those tables."""

    def arrived(self, name: str, offers: Offers, *, rated: bool = True) -> None:
        """A bot has said hello; raises NotEntered if it plays nothing of what is offered.

        `rated` False: the bot gets tables that are not rated only.
        """
        plays = [key for key, table in self.offers.items() if offers.plays(table.game, table.seats, table.variant)]
        if not plays:
            self._wishes.pop(name, None)
            played = ", ".join(sorted({str(table) for table in self.offers.values()})[:LISTED])
            raise NotEntered(f"nothing that you offer is played here; tables of this referee (game:seats): {played}")
        self._wishes[name] = frozenset(key for key in plays if rated or not self.offers[key].rated)

    def accepted(self, key: int, names: Sequence[str]) -> bool:
        """Whether every one of these bots said in its last hello that it plays such tables, and may."""
        return all(key in self._wishes.get(name, ()) for name in names)

    def find(self, bots: Sequence[ConnectedBot], at: int) -> NextTable | int | None:
        """The next table between the bots, or when to ask again although nothing has changed; None: not before.

        Of many free bots several tables are made at once, which the next questions get: to look at 1,000 bots takes
        some milliseconds.
        """
        while self._ahead:
            table = self._ahead.popleft()
            if at < self._ahead_until and self._can_open(table):
                return table
        present = self._present(bots, at)
        pools = [pool for pool in self._pools if pool.key not in self.held] if self.held else self._pools
        most = AHEAD if sum(bot.running < bot.tables for bot in present) >= MANY else 1
        found = next_tables(pools, present, self.memory, at, self._strength, most=most) if pools else Hold(None)
        if not isinstance(found, Hold):
            if len(found) > 1:
                self._ahead.extend(found[1:])
                self._ahead_until = at + SOON
                names = {name for table in self._ahead for name in table.players}
                self._free = {bot.name: bot for bot in bots if bot.name in names}
            return found[0]
        alone = self._alone(present)
        return found.until if alone is None else alone

    def _can_open(self, table: NextTable) -> bool:
        """Whether a table that was found a moment ago can still be opened."""
        bots = [self._free[name] for name in table.players]
        return (
            table.pool not in self.held
            and self.accepted(table.pool, table.players)
            and all(bot.capacity > bot.tables for bot in bots)
        )

    def open_tables(self, key: int) -> int:
        """How many tables of an offer are open."""
        return sum(table.key == key for table in self._running.values())

    def began(self, match: str, table: NextTable, at: int) -> None:
        """A table that `find` returned is open."""
        self.memory.began(table.pool, table.players, at)
        self._running[match] = _Running(table.pool, table.players, at)

    def restored(self, match: str, key: int, players: Sequence[str], at: int) -> None:
        """A table of an earlier run goes on; its match is counted already."""
        self._running[match] = _Running(key, tuple(players), at)

    def forget(self, name: str) -> None:
        """A bot is gone that never answered: neither its wishes nor its tables are remembered."""
        self._wishes.pop(name, None)
        self._known.pop(name, None)
        self._here.discard(name)
        self.memory.forget(name)

    def ended(self, match: str, at: int) -> None:
        """A table is over."""
        table = self._running.pop(match, None)
        if table is not None:
            self.memory.ended(table.key, table.players, at, max(0, at - table.began))

    def _present(self, bots: Sequence[ConnectedBot], at: int) -> list[Present]:
        present = []
        here = set()
        known, wishes, none = self._known, self._wishes, frozenset[int]()
        for bot in bots:
            capacity = bot.capacity
            if capacity < 1:
                continue
            name = bot.name
            here.add(name)
            pools = wishes.get(name, none)
            if pools:
                # Of a thousand bots two or three have changed since the last question.
                last = known.get(name)
                if last is None or last.running != bot.tables or last.tables != capacity or last.pools is not pools:
                    last = Present(name, capacity, bot.tables, pools, self._owner(name), name in self._fill)
                    known[name] = last
                present.append(last)
        if here != self._here:
            self._known = {bot.name: bot for bot in present}
            for name in self._here - here:
                self.memory.left(name, at)
            for name in here - self._here:
                self.memory.arrived(name, at)
            self._here = here
            if len(self._wishes) > 2 * len(bots) + SPARE:
                names = {bot.name for bot in bots}
                self._wishes = {name: wish for name, wish in self._wishes.items() if name in names}
        return present

    def _alone(self, present: Sequence[Present]) -> NextTable | None:
        """A table for one, for a bot to which nothing else can be offered or that has played fewest of those."""
        if not self._solo:
            return None
        playing = Counter(key for bot in present for key in bot.pools)
        for key in self._solo:
            if key in self.held:
                continue
            weight = self.offers[key].weight
            for bot in present:
                if bot.running >= bot.tables or key not in bot.pools or bot.fill:
                    continue
                mine = self.memory.pool(key).matches.get(bot.name, 0) / weight
                others = [
                    self.memory.pool(pool.key).matches.get(bot.name, 0) / pool.weight
                    for pool in self._pools
                    if pool.key in bot.pools and playing[pool.key] >= pool.seats
                ]
                if not others or mine <= min(others):
                    return NextTable(key, (bot.name,))
        return None


class CasualTables:
    """Open tables that count for no season: the pairing of a referee without a database."""

    season = ""
    done = False
    sets_aside = True

    def __init__(self, offers: Sequence[TableOffer]) -> None:
        for offer in offers:
            encoding.of(offer.game)  # loaded now, not when the first bots wait for their table
        self._tables = OpenTables(dict(enumerate(offers)))

    def arrived(self, name: str, software: str, offers: Offers) -> str:
        """See `Pairing.arrived`."""
        self._tables.arrived(name, offers)
        return ""

    def next(self, bots: Sequence[ConnectedBot], at: int) -> MatchPlan | int | None:
        """See `Pairing.next`."""
        found = self._tables.find(bots, at)
        if not isinstance(found, NextTable):
            return found
        match = random_id()
        self._tables.began(match, found, at)
        return self._tables.offers[found.pool].plan(found.players, match, random_secret(), rated=False)

    def forgotten(self, name: str) -> None:
        """See `Pairing.forgotten`."""
        self._tables.forget(name)

    def ended(self, match: str, at: int) -> None:
        """See `Pairing.ended`."""
        self._tables.ended(match, at)
