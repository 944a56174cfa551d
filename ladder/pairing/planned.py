"""Who plays whom next: pure functions from what has been played to the next lineups.

A **lineup** is the set of bots at one table. A season plays each lineup in every rotation of its seats on one deal (a
duplicate set), or on independent deals where bots could carry memory from one game to the next. Every function here
returns a whole batch, computed from the results of all earlier batches and from nothing else: no clock, no
randomness, no order of finishing. So a season that was interrupted schedules the same games as one that was not, on
one core or on a hundred.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import combinations, islice
from math import comb, exp, isfinite, log
from typing import TypeAlias

from ladder.pairing.design import TableDesign
from ladder.pairing.orbits import tables
from ladder.pairing.rounds.cost import RoundEntrant
from ladder.pairing.rounds.swiss import swiss_round

Lineup: TypeAlias = tuple[str, ...]
"""The bots of one table, in the order of seats of its first game."""


@dataclass(frozen=True, slots=True)
class ScheduleStanding:
    """What is known of one bot when a batch is scheduled."""

    name: str
    sets: int = 0
    """Sets played so far in this pool."""
    points: float = 0.0
    """Sum over sets of the mean score against the others of the table."""
    elo: float = 0.0
    error: float = float("inf")
    """Standard error of the rating."""


@dataclass(frozen=True, slots=True)
class History:
    """Everything that pairing may look at."""

    standings: tuple[ScheduleStanding, ...]
    """Every bot of the pool, by name."""
    lineups: tuple[Lineup, ...] = ()
    """The sets played so far, in the order of the schedule."""

    @property
    def names(self) -> tuple[str, ...]:
        """All bots of the pool."""
        return tuple(standing.name for standing in self.standings)


SHARES = 10_000
"""Points of sets are fractions with at most this denominator."""
VERSION = 4
"""Version of the planned pairings: stored with a season, so that a season begun earlier keeps its schedule."""

BATCH = 32
"""Sets that a batch has at least where no result changes the schedule: enough to keep many workers busy."""
MOST_SPREAD = 500
"""Tables of a round up to which their order is searched for; that of larger rounds follows from a circle of bots."""
LARGE_BATCH = 2048
"""Sets of a batch of such a large round."""

Pairing: TypeAlias = Callable[[History, int], list[Lineup]]
"""From the history and the number of seats to the next batch; empty: the schedule is complete."""


def round_robin(history: History, seats: int, *, rounds: int) -> list[Lineup]:
    """Every table that can be made of the bots, once per round; a batch is one or more whole rounds.

    The tables of a round are ordered so that all bots have played about equally often at any moment. A table that was
    played less often than the others, since one of its bots came late, is made up for first. Of a large pool a batch
    is a part of a round, found without looking at the whole.
    """
    _require(history, seats)
    if comb(len(history.names), seats) <= MOST_SPREAD:
        return _owed_rounds(list(combinations(history.names, seats)), history, rounds)
    return _part_of_a_round(lambda: tables(history.names, seats), comb(len(history.names), seats), history, rounds)


def gauntlet(history: History, seats: int, *, candidates: Sequence[str], rounds: int) -> list[Lineup]:
    """Each candidate against every table of the other bots, candidates never meeting each other."""
    _require(history, seats)
    others = [name for name in history.names if name not in candidates]
    if len(others) < seats - 1:
        raise ValueError(f"a gauntlet of {seats} seats needs at least {seats - 1} opponents besides the candidates")

    def every() -> Iterator[Lineup]:
        opponents = combinations(others, seats - 1) if seats < 3 else tables(others, seats - 1)
        return ((candidate, *table) for table in opponents for candidate in sorted(candidates))

    count = len(candidates) * comb(len(others), seats - 1)
    if count <= MOST_SPREAD:
        found = [(candidate, *table) for candidate in sorted(candidates) for table in combinations(others, seats - 1)]
        return _owed_rounds(found, history, rounds)
    return _part_of_a_round(every, count, history, rounds)


def _owed_rounds(found: list[Lineup], history: History, rounds: int) -> list[Lineup]:
    """The next rounds of a schedule that no result changes, as many as make a batch of some size."""
    played = Counter(frozenset(lineup) for lineup in history.lineups)
    times = {lineup: played[frozenset(lineup)] for lineup in found}
    done = min(times.values())
    count = min(rounds - done, max(1, BATCH // len(found)))
    return [
        lineup
        for number in range(done, done + count)
        for lineup in spread([lineup for lineup in found if times[lineup] <= number], number)
    ]


def _part_of_a_round(every: Callable[[], Iterator[Lineup]], count: int, history: History, rounds: int) -> list[Lineup]:
    """The next tables of a round that is too large to be laid out as a whole."""
    played = Counter(frozenset(lineup) for lineup in history.lineups)
    # A table that was never played has no entry, so whether there are such is known without looking for them.
    done = 0 if len(played) < count else min(played[frozenset(lineup)] for lineup in every())
    if done >= rounds:
        return []
    owed = (lineup for lineup in every() if played[frozenset(lineup)] <= done)
    return [_turned(lineup, done) for lineup in islice(owed, LARGE_BATCH)]


def swiss(history: History, seats: int, *, rounds: int) -> list[Lineup]:
    """One round of bots with about equal points, meeting again as late as possible.

    If the bots do not fill all tables, those with the most sets and then the fewest points sit out.
    """
    _require(history, seats)
    count = len(history.names) // seats
    done = len(history.lineups) // count
    if done >= rounds:
        return []
    met = _meetings(history.lineups)
    playing = sorted(history.standings, key=lambda entry: (entry.sets, -entry.points, entry.name))[: count * seats]
    waiting = sorted(playing, key=lambda entry: (-entry.points, entry.name))
    lineups = []
    while waiting:
        table = [waiting.pop(0)]
        while len(table) < seats:
            table.append(waiting.pop(_least_met(table, waiting, met)))
        lineups.append(_turned(tuple(entry.name for entry in table), done))
    return lineups


def swiss_matched(history: History, seats: int, *, rounds: int) -> list[Lineup]:
    """One round of bots with about equal points, without any rematch or second bye that can be avoided.

    The pairing `swiss` is this function from version 3 of the planned pairings on; see `ladder.pairing.rounds.swiss`.
    """
    _require(history, seats)
    done = len(history.lineups) // (len(history.names) // seats)
    if done >= rounds:
        return []
    sat = Counter(name for lineup in history.lineups for name in lineup)
    ranked = sorted(history.standings, key=lambda entry: (-entry.points, entry.name))
    contenders = [
        RoundEntrant(entry.name, Fraction(entry.points).limit_denominator(SHARES), done - sat[entry.name])
        for entry in ranked
    ]
    found = swiss_round(contenders, _meetings(history.lineups), seats)
    return [_turned(lineup, done) for lineup in found.tables]


def _least_met(
    table: Sequence[ScheduleStanding], waiting: Sequence[ScheduleStanding], met: Mapping[frozenset[str], int]
) -> int:
    """Who joins a table: the one who met its bots least often, of equals the one with the most points."""
    return min(
        range(len(waiting)),
        key=lambda index: (sum(met.get(frozenset((entry.name, waiting[index].name)), 0) for entry in table), index),
    )


def matchmaking(history: History, seats: int, *, sets: int, floor: int, batch: int = 8) -> list[Lineup]:
    """The tables that teach most: first every bot up to a floor of sets, then where ratings are least certain.

    The pairing `matchmaking` is this function up to version 3 of the planned pairings.

    A table's worth is the information that its pairs carry about uncertain ratings: variance of the result times
    variance of the difference, shared among the times the pair has met. `sets` bounds the whole season.
    """
    _require(history, seats)
    left = min(batch, sets - len(history.lineups))
    met = dict(_meetings(history.lineups))
    played = {entry.name: entry.sets for entry in history.standings}
    lineups: list[Lineup] = []
    while len(lineups) < left:
        lowest = min(played.values())
        pool = [entry for entry in history.standings if lowest >= floor or played[entry.name] == lowest]
        first = min(pool, key=lambda entry: (played[entry.name] if lowest < floor else -_spread(entry), entry.name))
        table = [first]
        while len(table) < seats:
            others = [entry for entry in history.standings if entry not in table]
            table.append(max(others, key=lambda entry: (_worth(table, entry, met, played, floor), entry.name)))
        names = _turned(tuple(entry.name for entry in table), sum(played[entry.name] for entry in table))
        lineups.append(names)
        for name in names:
            played[name] += 1
        for pair in combinations(names, 2):
            met[frozenset(pair)] = met.get(frozenset(pair), 0) + 1
    return lineups


def matchmaking_designed(
    history: History, seats: int, *, sets: int, floor: int, batch: int | None = None
) -> list[Lineup]:
    """The tables that teach most: first every bot up to a floor of sets, then those that lessen all errors most.

    The pairing `matchmaking` is this function from version 4 of the planned pairings on; see `ladder.pairing.design`.
    `sets` bounds the whole season. A batch has 8 sets, and in large pools one for every 4 bots. At tables of one seat
    bots do not meet: there is nothing to choose but who plays, as `matchmaking` does it.
    """
    _require(history, seats)
    if seats == 1:
        return matchmaking(history, seats, sets=sets, floor=floor)
    left = min(batch or max(8, len(history.standings) // 4), sets - len(history.lineups))
    if left <= 0:
        return []
    played = {entry.name: entry.sets for entry in history.standings}
    ratings = {entry.name: entry.elo if isfinite(entry.error) else None for entry in history.standings}
    design = TableDesign(ratings, seats, history.lineups)
    lineups: list[Lineup] = []
    while len(lineups) < left:
        lowest = min(played.values())
        first = [name for name in design.names if lowest >= floor or played[name] == lowest]
        table = design.table(first)
        lineups.append(_turned(table, sum(played[name] for name in table)))
        design.add(table)
        for name in table:
            played[name] += 1
    return lineups


def _spread(entry: ScheduleStanding) -> float:
    return min(entry.error, 400.0)


def _worth(
    table: Sequence[ScheduleStanding],
    entry: ScheduleStanding,
    met: Mapping[frozenset[str], int],
    played: Mapping[str, int],
    floor: int,
) -> float:
    total = 0.0
    for other in table:
        chance = 1.0 / (1.0 + exp(-(entry.elo - other.elo) * log(10.0) / 400.0))
        uncertainty = _spread(entry) ** 2 + _spread(other) ** 2
        total += chance * (1.0 - chance) * uncertainty / (1 + met.get(frozenset((entry.name, other.name)), 0))
    behind = max(0, floor - played[entry.name])
    return total * (1 + behind)


def spread(lineups: Sequence[Lineup], turn: int) -> list[Lineup]:
    """The lineups in an order that lets all bots play about equally often at any moment, seats turned by `turn`."""
    waiting = list(lineups)
    played: dict[str, int] = {name: 0 for lineup in lineups for name in lineup}
    last: dict[str, int] = dict.fromkeys(played, -1)
    ordered: list[Lineup] = []
    while waiting:
        chosen = min(
            range(len(waiting)),
            key=lambda index: (
                sum(played[name] for name in waiting[index]),
                max(last[name] for name in waiting[index]),
                waiting[index],
            ),
        )
        lineup = waiting.pop(chosen)
        for name in lineup:
            played[name] += 1
            last[name] = len(ordered)
        ordered.append(_turned(lineup, turn))
    return ordered


def _turned(lineup: Lineup, turn: int) -> Lineup:
    shift = turn % len(lineup)
    return lineup[shift:] + lineup[:shift]


def _meetings(lineups: Sequence[Lineup]) -> dict[frozenset[str], int]:
    met: dict[frozenset[str], int] = {}
    for lineup in lineups:
        for pair in combinations(lineup, 2):
            met[frozenset(pair)] = met.get(frozenset(pair), 0) + 1
    return met


def _require(history: History, seats: int) -> None:
    if len(history.names) < seats:
        raise ValueError(f"a table of {seats} seats needs {seats} different bots; the pool has {len(history.names)}")
