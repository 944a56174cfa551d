"""What pages tell of a bot: ratings in every pool, opponents, thinking time, faults, builds."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import permutations
from math import sqrt

from ladder.ratings.results import scores_against
from ladder.seasons.published_standings import PublishedStanding
from ladder.store.database import Store
from ladder.store.records import MatchRow, Selection
from ladder.web.drawing.words import pool_title
from ladder.web.reading.library import Library
from ladder.web.reading.names import Names
from ladder.web.reading.page import Data
from ladder.web.reading.pool_facts import MOST_CROSSED, PoolFacts, pool_facts, standing
from referee.match.policy import Fault
from referee.match.record import Record

LOOKED_AT = 60
"""The newest matches whose records are read for thinking times and faults."""
MOST_FAULTS = 20
"""Faults that a page shows."""
NORMAL = 1.959964
"""The 97.5% quantile of the normal distribution."""
ELO_SCALE = 400.0


def bot_pools(library: Library, bot: str) -> list[tuple[PoolFacts, list[Data]]]:
    """Every pool in which a bot is rated, with the standings of its builds, the present one first."""
    found = []
    for pool in library.store().pools_of_seasons():
        facts = pool_facts(library, pool)
        own = [entry for entry in facts.players if entry.rating.player.partition("@")[0] == bot]
        if own:
            own.sort(key=lambda entry: (entry.rating.player != bot, entry.rating.player))
            found.append((facts, [standing(facts, entry) for entry in own]))
    return found


def all_bots(library: Library) -> list[Data]:
    """Every bot with the pools in which it is rated, by its stored name; those with the most games first."""
    pools: dict[str, list[tuple[PoolFacts, PublishedStanding]]] = {bot: [] for bot in library.store().bot_names()}
    for pool in library.store().pools_of_seasons():
        facts = pool_facts(library, pool)
        for entry in facts.players:
            pools.setdefault(entry.rating.player.partition("@")[0], []).append((facts, entry))
    found = []
    for bot, entries in pools.items():
        present = [(facts, entry) for facts, entry in entries if entry.rating.player == bot]
        last = max((facts.table.last.get(entry.rating.player, "") for facts, entry in entries), default="")
        row: Data = {
            "bot": bot,
            "pools": [
                {"id": facts.row.id, "title": pool_title(facts.row.game, facts.row.seats), "ranks": entry.ranks}
                for facts, entry in present
            ],
            "games": sum(entry.rating.games for _, entry in entries),
            "faults": sum(entry.rating.faults or 0 for _, entry in entries),
            "last": last or None,
        }
        found.append((-sum(entry.rating.games for _, entry in entries), bot, row))
    return [row for _, _, row in sorted(found, key=lambda item: item[:2])]


def crossed_pairs(library: Library) -> set[tuple[str, str]]:
    """The shown names of every two players that a cross table links."""
    found: set[tuple[str, str]] = set()
    for pool in library.store().pools_of_seasons():
        facts = pool_facts(library, pool)
        if len(facts.players) <= MOST_CROSSED:
            for game in facts.table.games:
                found.update((facts.shown(a), facts.shown(b)) for a, b in permutations(game.players, 2))
    return found


def wilson(score: float, games: int) -> tuple[float, float]:
    """Wilson's 95% interval of a share, the sum of `score` points in so many games."""
    share, spread = score / games, NORMAL**2 / games
    centre = (share + spread / 2) / (1 + spread)
    half = NORMAL * sqrt(share * (1 - share) / games + spread / (4 * games)) / (1 + spread)
    return max(0.0, centre - half), min(1.0, centre + half)


def opponents(facts: PoolFacts, bot: str) -> list[Data]:
    """The score of a bot's present build against every player of a pool that it met, with what ratings expect."""
    met: dict[str, list[int]] = {}
    for game in facts.table.games:
        if bot in game.players:
            seat = game.players.index(bot)
            others = [player for other, player in enumerate(game.players) if other != seat]
            for player, score in zip(others, scores_against(game.places, seat), strict=True):
                met.setdefault(player, [0, 0, 0])[0 if score == 1.0 else 1 if score == 0.5 else 2] += 1
    ratings = {entry.rating.player: entry.rating for entry in facts.players}
    own = ratings.get(bot)
    found: list[Data] = []
    for player, (wins, draws, losses) in met.items():
        games = wins + draws + losses
        low, high = wilson(wins + draws / 2, games)
        other = ratings.get(player)
        expected = None
        if own is not None and other is not None and own.island == other.island:
            expected = 1.0 / (1.0 + 10.0 ** ((other.elo - own.elo) / ELO_SCALE))
        found.append(
            {
                "player": facts.shown(player),
                "bot": facts.shown(player.partition("@")[0]),
                "wins": wins,
                "draws": draws,
                "losses": losses,
                "games": games,
                "score": (wins + draws / 2) / games,
                "low": low,
                "high": high,
                "expected": expected,
            }
        )
    return sorted(found, key=lambda row: (-int(str(row["games"])), str(row["player"])))


def recent(store: Store, bot: str, count: int = LOOKED_AT) -> list[MatchRow]:
    """The newest matches of a bot."""
    return store.newest(Selection(bot=bot), 0, count)[0]


def records(store: Store, rows: Iterable[MatchRow]) -> Iterator[tuple[MatchRow, Record]]:
    """The records of the finished matches among `rows` whose record is public."""
    for row in rows:
        if row.state == "finished" and not row.sealed:
            yield row, store.shown_record(row.id)


def thinking(found: Iterable[tuple[MatchRow, Record]], bot: str) -> Data | None:
    """How long a bot took for its decisions, in microseconds; None: no clock was charged."""
    spent: list[int] = []
    lowest: float | None = None
    for row, record in found:
        seats = [number for number, seat in enumerate(row.seats) if seat.player == bot]
        for step in record.steps:
            spent += [step.spent[seat] for seat in seats if seat in step.spent]
            for seat in seats:
                if seat in step.left:
                    left = float(step.left[seat])
                    lowest = left if lowest is None else min(lowest, left)
    if not spent:
        return None
    spent.sort()
    return {
        "decisions": len(spent),
        "median_us": _quantile(spent, 0.5),
        "p95_us": _quantile(spent, 0.95),
        "p99_us": _quantile(spent, 0.99),
        "longest_us": spent[-1],
        "least_left_us": lowest,
    }


def _quantile(ordered: list[int], share: float) -> int:
    return ordered[min(len(ordered) - 1, int(share * len(ordered)))]


def faults(found: Iterable[tuple[MatchRow, Record]], bot: str, names: Names) -> list[Data]:
    """The newest faults of a bot, each with what the referee said."""
    told: list[Data] = []
    for row, record in found:
        seats = {number for number, seat in enumerate(row.seats) if seat.player == bot}
        noted = [(step.n, fault) for step in record.steps for fault in step.faults]
        if record.final is not None:
            noted += [(len(record.steps), fault) for fault in record.final.faults]
        told += [_fault(row, step, fault, names) for step, fault in noted if fault.seat in seats]
    return told[:MOST_FAULTS]


def _fault(row: MatchRow, step: int, fault: Fault, names: Names) -> Data:
    return {
        "match": row.id,
        "started": row.started,
        "step": step,
        "kind": fault.kind.value,
        "owner": fault.owner.value,
        "message": names.masked(fault.message),
    }
