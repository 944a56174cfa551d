"""What pages tell of a pool, computed from its results: standings, history, meetings, seats, circles."""

from __future__ import annotations

import threading
from collections.abc import Iterable
from dataclasses import dataclass
from math import isfinite

from ladder.ratings.glicko import FIRST_RATING
from ladder.ratings.nontransitivity import structure
from ladder.ratings.plackett_luce import fit
from ladder.ratings.results import collect
from ladder.seasons.cross_table import CrossTable, cross_table
from ladder.seasons.published_standings import PublishedStanding, rank_players
from ladder.seasons.standings import PoolFold, fold
from ladder.store.records import PoolRow, SeasonRow
from ladder.web.reading.library import Library
from ladder.web.reading.names import Names
from ladder.web.reading.page import Data, NoSuchPage

CHECKPOINTS = 20
"""Points of a rating's history."""
MOST_FITTED = 100
"""Players up to which ratings and their history are fitted for a page; a larger pool shows what was last published."""
MOST_CROSSED = 60
"""Players up to which a page shows the cross table."""


@dataclass(frozen=True, slots=True)
class PoolFacts:
    """One pool with its results folded."""

    season: SeasonRow
    row: PoolRow
    table: PoolFold
    players: tuple[PublishedStanding, ...]
    names: Names
    matches: int
    """Matches that count."""
    trends: dict[str, list[float]]
    """The quick rating of each player after each of its sets."""

    def shown(self, player: str) -> str:
        """The name under which a player, or an earlier build of it, is shown."""
        return self.names.shown(player)


class FactsCache:
    """The facts of pools, kept for as long as the edition of the library stays the same."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._edition = ""
        self._facts: dict[tuple[str, int], PoolFacts] = {}

    def of(self, library: Library, pool: int) -> PoolFacts:
        """The facts of a pool by its id; raises NoSuchPage."""
        edition, key = library.edition(), (str(library.path), pool)
        with self._lock:
            if edition != self._edition:
                self._edition = edition
                self._facts.clear()
            found = self._facts.get(key)
        if found is None:
            found = _facts(library, pool)
            with self._lock:
                if edition == self._edition:
                    self._facts[key] = found
        return found


FACTS = FactsCache()


def pool_facts(library: Library, pool: int) -> PoolFacts:
    """The facts of a pool by its id; raises NoSuchPage."""
    return FACTS.of(library, pool)


def _facts(library: Library, pool: int) -> PoolFacts:
    store = library.store()
    with store.snapshot():
        pools = store.pools_of_seasons()
        if pool not in pools:
            raise NoSuchPage(f"There is no pool {pool}.")
        season, row = pools[pool]
        table = fold(store, pool, by_end=season.tempo == "open", rate=False)
        published = store.ratings(pool) if row.rated and len(table.tallies) > MOST_FITTED else []
        if row.rated and not published:
            # A large pool that was never published has ratings without intervals: those of 1,000 bots take minutes.
            table.rate(ends=len(table.tallies) <= MOST_FITTED)
        players = rank_players(published or table.rows(), table.statuses(), store.unproven())
        trends: dict[str, list[float]] = {}
        for _, player, value in table.live_history:
            trends.setdefault(player, []).append(value)
        return PoolFacts(season, row, table, players, Names.of(store), len(table.games), trends)


def standing(facts: PoolFacts, entry: PublishedStanding) -> Data:
    """A row of standings."""
    rating = entry.rating
    bot = rating.player.partition("@")[0]
    return {
        "player": facts.shown(rating.player),
        "bot": facts.shown(bot),
        "rank": entry.rank,
        "ranks": None if entry.ranks is None else list(entry.ranks),
        "status": str(entry.status),
        "unproven": entry.unproven,
        "elo": rating.elo,
        "low": rating.low,
        "high": rating.high,
        "reference": rating.exact,
        "games": rating.games,
        "wins": rating.wins,
        "draws": rating.draws,
        "losses": rating.losses,
        "faults": rating.faults,
        "island": rating.island,
        "quick": rating.live,
        "deviation": rating.deviation,
        "last": facts.table.last.get(rating.player),
        "trend": _trend(facts.trends.get(rating.player, [])),
    }


def _trend(values: list[float]) -> list[float]:
    """Ten of these quick ratings, from the first to the last."""
    if len(values) <= 10:
        return values
    step = (len(values) - 1) / 9.0
    return [values[round(number * step)] for number in range(10)]


def history(facts: PoolFacts) -> list[Data]:
    """The rating of every ranked or rated player after so many matches, with its interval.

    Each point is the fit of all matches so far. Pools of more than `MOST_FITTED` players have quick ratings instead,
    without intervals.
    """
    games = facts.table.games
    if not facts.row.rated or len(games) < 2:
        return []
    cuts = sorted({max(1, round(len(games) * number / CHECKPOINTS)) for number in range(1, CHECKPOINTS + 1)})
    found: dict[str, list[list[float | None]]] = {}
    if len(facts.players) > MOST_FITTED:
        return []
    earlier = None
    for cut in cuts:
        if cut == len(games) and facts.table.fit is not None:
            earlier = facts.table.fit
        else:
            earlier = fit(collect(games[:cut]), offset=FIRST_RATING, ends=False, start=earlier)
        for at, name in enumerate(earlier.names):
            ends = (float(earlier.low[at]), float(earlier.high[at]))
            low, high = (end if isfinite(end) else None for end in ends)
            found.setdefault(name, []).append([cut, float(earlier.elo[at]), low, high])
    order = [entry.rating.player for entry in facts.players]
    return [{"player": facts.shown(name), "points": found[name]} for name in order if len(found.get(name, ())) > 2]


def nights(facts: PoolFacts, starts: Iterable[tuple[str, int]]) -> list[Data]:
    """Where runs of the season began: after how many matches of the pool, and when."""
    ends = facts.matches
    places = {before: started for started, before in starts if 0 < before < ends}
    return [{"after": before, "started": places[before]} for before in sorted(places)]


def meetings(facts: PoolFacts) -> Data | None:
    """The cross table: for every pair wins, draws and losses of the row, and the likelihood of superiority."""
    if facts.table.fit is None or len(facts.players) > MOST_CROSSED:
        return None
    crossed: CrossTable | None = cross_table(facts.table)
    if crossed is None:
        return None
    return {
        "players": [facts.shown(name) for name in crossed.players],
        "results": [[list(cell) for cell in line] for line in crossed.results],
        "superiority": [list(line) for line in crossed.superiority],
    }


def seats(facts: PoolFacts) -> list[Data]:
    """What each seat adds, in Elo, with its interval, and how often it came first."""
    found = facts.table.fit
    if found is None or facts.row.seats not in found.seat_effects:
        return []
    count = facts.row.seats
    firsts = [0] * count
    for game in facts.table.games:
        for seat, place in enumerate(game.places):
            firsts[seat] += place == 1
    return [
        {
            "seat": seat,
            "elo": float(found.seat_effects[count][seat]),
            "low": _finite(found.seat_low[count][seat]),
            "high": _finite(found.seat_high[count][seat]),
            "firsts": firsts[seat],
        }
        for seat in range(count)
    ]


def circles(facts: PoolFacts) -> Data | None:
    """Whether one number for each player tells the truth: misfit, and cycles that are surely there."""
    if facts.table.fit is None or len(facts.players) < 3:
        return None
    found = structure(collect(facts.table.games), facts.table.fit)
    return {
        "chi2": found.chi2,
        "degrees": found.degrees,
        "p_value": found.p_value,
        "cycles": [[facts.shown(name) for name in cycle] for cycle in found.cycles],
        "cycle_count": found.cycle_count,
        "cyclic_share": found.cyclic_share,
    }


def _finite(value: float) -> float | None:
    return float(value) if isfinite(value) else None
