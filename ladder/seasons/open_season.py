"""An open season: the bots that are present and free are paired now, and every match is rated when it ends.

`OpenSeason` is what a referee's lobby asks for tables (`Pairing`); `matches` is where they are stored and rated
(`Recorder`). A match is a group of one in its pool. Its id is random, and its secret derives from the season's secret
and the id; in a season with a secret of its own (a seed, or an older file) both derive from the season's secret, the
pool and the number of the group, as they do in a planned season.
"""

from __future__ import annotations

import hashlib
import secrets
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import replace

from ladder.config.offers import TableOffer
from ladder.pairing.open import NextTable
from ladder.seasons.open_tables import OpenTables
from ladder.seasons.pools import stored_pool
from ladder.seasons.rated_matches import Expected, RatedMatches
from ladder.store.database import Store
from ladder.store.derivation import ID_BYTES, match_id, match_secret, open_secret
from ladder.store.records import PoolRow, Running, SeasonRow
from ladder.store.rulings import PlacedMatch
from referee.kernel import registry
from referee.kernel.errors import BadSetting
from referee.kernel.game import timed_kinds
from referee.match.plan import MatchPlan
from referee.match.protocols import ConnectedBot, Offers

BUILDS_PER_DAY = 6
"""New builds of one remote bot within 24 hours that are rated."""
NO_SOFTWARE = "unnamed"
"""The software of a bot whose hello names none."""


def remote_build(store: Store, name: str, software: str) -> int | None:
    """The build of a remote bot by what its hello says; None: the bot has had too many new builds today."""
    text = software or NO_SOFTWARE
    with store.explained():
        return store.remote_build(name, text, hashlib.sha256(text.encode()).hexdigest(), BUILDS_PER_DAY)


def too_many_builds(name: str) -> str:
    """What a bot with too many new builds is told."""
    return (
        f"{BUILDS_PER_DAY} new builds of {name} were rated within a day, and this is another: come back with an "
        f"earlier one, or tomorrow; until then you get no rated table"
    )


class OpenSeason:
    """One open season at one referee."""

    done = False
    sets_aside = True

    def __init__(
        self,
        store: Store,
        row: SeasonRow,
        offers: Sequence[TableOffer],
        *,
        fill: Collection[str] = (),
        house: Mapping[str, int] | None = None,
        owner: Callable[[str], str] = lambda name: "",
    ) -> None:
        """`house` are the builds of the bots that the referee's host starts itself, by name."""
        self._store = store
        self.row = row
        self._secret = store.season_secret(row.id)
        self._by_match = store.draws_by_match(row.id)
        self._pools = {pool.id: pool for pool in (stored_pool(store, self.row.id, offer) for offer in offers)}
        self.matches = RatedMatches(store, marks_unrated=True)
        self._tables = OpenTables(
            dict(zip(self._pools, offers, strict=True)), fill=fill, owner=owner, strength=self._strength
        )
        self._house = dict(house or {})
        self._builds: dict[str, int] = {}
        self._next_group = {pool: store.next_group(pool) for pool in self._pools}
        self._again: list[PlacedMatch] = []
        """Matches that are to be played again by the same bots."""
        for pool in self._pools:
            self._remember(pool)
            self._again += [store.placed_match(match) for match in store.to_replay(pool)]

    def _remember(self, pool: int) -> None:
        """Rebuild what pairing and rating remember of a pool from its stored matches."""
        results = self._store.results(pool)
        for result in results:
            seated = [name for name, build in zip(result.players, result.builds, strict=True) if build is not None]
            if result.state != "void" and seated:
                self._tables.memory.count(pool, seated)
        self.matches.quick(pool, results)

    def restore(self, running: Running, at: int) -> bool:
        """Go on with a match of an earlier run, also of a pool that is not offered now; returns whether it is rated."""
        expected = self.matches.restore(running, self._store.pools(self.row.id))
        if expected is None:
            return False
        match, rated = running.record.header.match, self._rated(expected.pool, expected.names)
        self.matches.expect(match, replace(expected, rated=rated))
        self._tables.restored(match, expected.pool.id, expected.names, at)
        return rated

    @property
    def season(self) -> str:
        """The season's name."""
        return self.row.name

    def arrived(self, name: str, software: str, offers: Offers) -> str:
        """See `Pairing.arrived`: a changed software is a new build of the bot."""
        self._tables.arrived(name, offers)
        build = self._house.get(name) or remote_build(self._store, name, software)
        if build is None:
            self._tables.arrived(name, offers, rated=False)
            self._builds.pop(name, None)
            return too_many_builds(name)
        self._builds[name] = build
        return ""

    def build(self, name: str) -> int | None:
        """The id of a bot's build by its last hello; None: the bot is not rated."""
        return self._builds.get(name)

    def next(self, bots: Sequence[ConnectedBot], at: int) -> MatchPlan | int | None:
        """See `Pairing.next`."""
        replayed = self._replay(bots, at)
        if replayed is not None:
            return replayed
        found = self._tables.find(bots, at)
        if not isinstance(found, NextTable):
            return found
        pool = self._pools[found.pool]
        number = self._next_group[pool.id]
        match, secret = self._drawn(pool, number)
        while self._store.has_match(match):  # imported from another referee with the same seed
            number += 1
            match, secret = self._drawn(pool, number)
        self._next_group[pool.id] = number + 1
        self._tables.began(match, found, at)
        builds = tuple(self._builds.get(name) for name in found.players)
        rated = self._rated(pool, found.players)
        self.matches.expect(match, Expected(pool, found.players, builds, number=number, rated=rated))
        return self._tables.offers[found.pool].plan(found.players, match, secret, rated=rated)

    def _replay(self, bots: Sequence[ConnectedBot], at: int) -> MatchPlan | None:
        """The first match that is to be played again and whose bots are all free; None: there is none."""
        if not self._again:
            return None
        free = {bot.name for bot in bots if bot.capacity > bot.tables}
        for before in self._again:
            pool = None if before.pool is None else self._pools.get(before.pool)
            if pool is None or before.number is None or pool.id in self._tables.held:
                continue
            if not free.issuperset(before.players) or not self._tables.accepted(pool.id, before.players):
                continue
            self._again.remove(before)
            attempt = before.attempt + 1
            match, secret = self._drawn(pool, before.number, attempt)
            builds = tuple(self._builds.get(name) for name in before.players)
            self._tables.began(match, NextTable(pool.id, before.players), at)
            rated = self._rated(pool, before.players)
            again = Expected(pool, before.players, builds, before.group, before.number, before.rotation, attempt, rated)
            self.matches.expect(match, again)
            return self._tables.offers[pool.id].plan(before.players, match, secret, rated=rated)
        return None

    def _rated(self, pool: PoolRow, players: Sequence[str]) -> bool:
        """Whether a match counts: where times of arrival do, only among bots on the referee's own machine."""
        timed = timed_kinds(registry.game(pool.game), pool.variant)
        return pool.rated and (not timed or self._house.keys() >= set(players))

    def _drawn(self, pool: PoolRow, number: int, attempt: int = 0) -> tuple[str, bytes]:
        """Id and secret of the next match."""
        if self._by_match:
            match = secrets.token_hex(ID_BYTES)
            return match, open_secret(self._secret, match)
        match = match_id(self._secret, pool, number, 0, attempt)
        return match, match_secret(self._secret, pool, number, 0, duplicate=False, attempt=attempt)

    # What organisers decide: see `RuledSeason`.

    def open_pools(self) -> Sequence[PoolRow]:
        """The pools that are played."""
        return tuple(self._pools.values())

    def tables_of(self, pool: int) -> int:
        """Open tables of a pool."""
        return self._tables.open_tables(pool)

    def hold(self, pools: frozenset[int]) -> None:
        """Open no further table of these pools."""
        self._tables.held = pools

    def can_void(self, match: PlacedMatch, *, again: bool) -> None:
        """Raise BadSetting if a match could not be played again."""
        if again and match.pool not in self._pools:
            raise BadSetting(f"match {match.id} cannot be played again: its pool is not played here now")

    def voided(self, match: PlacedMatch, *, again: bool) -> None:
        """A match does not count any more; `again`: the match is to be played again."""
        if match.pool is not None:
            self.matches.recount(match.pool)
        self._again = [other for other in self._again if other.id != match.id]
        if again:
            self._again.append(match)

    def forgotten(self, name: str) -> None:
        """See `Pairing.forgotten`."""
        self._builds.pop(name, None)
        self._tables.forget(name)

    def ended(self, match: str, at: int) -> None:
        """See `Pairing.ended`."""
        self._tables.ended(match, at)

    def _strength(self, pool: int, name: str) -> tuple[float, float]:
        return self.matches.quick(pool).strength(name)
