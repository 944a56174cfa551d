"""Where a season's matches at a referee are stored and rated: the `Recorder` of both tempos.

A pairing announces each match before the lobby opens it (`expect`). The end of a match, the outcome of its seats and
their quick ratings are one transaction; what is told is what was stored.
"""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass

from ladder.seasons.quick_ratings import QuickRatings, RatingChange
from ladder.store.database import Store
from ladder.store.matches import SeasonPlace
from ladder.store.records import PoolRow, ResultRow, Running
from referee.match.outputs import Settled
from referee.match.record import Final, Header


@dataclass(frozen=True, slots=True)
class Expected:
    """A match that is about to begin, or is going on."""

    pool: PoolRow
    names: tuple[str, ...]
    """Players by seat."""
    builds: tuple[int | None, ...]
    """The build of each; None: not known, and not rated."""
    group: int | None = None
    """The id of its group; None: the group is stored when the match begins."""
    number: int = -1
    """The number of a group that is yet to be stored."""
    rotation: int = 0
    attempt: int = 0
    rated: bool = True
    """Whether the match counts if its pool does."""


class RatedMatches:
    """Stores and rates the matches of one season."""

    def __init__(self, store: Store, *, marks_unrated: bool = False) -> None:
        """`marks_unrated`: a match of a pool that is not rated never counts, also if the pool is rated later.

        A planned season leaves that out: its pairing needs the results of such pools.
        """
        self._store = store
        self.step = store.step
        """See `Recorder.step`."""
        self._marks_unrated = marks_unrated
        self._quick: dict[int, QuickRatings] = {}
        self._expected: dict[str, Expected] = {}
        self.longest_rating = 0
        """Longest time, in microseconds, for which the loop was held to rate one end."""
        self.longest_storing = 0
        """Longest time, in microseconds, for which the loop was held to store one end."""

    def quick(self, pool: int, results: Sequence[ResultRow] | None = None) -> QuickRatings:
        """The quick ratings of a pool; `results` are its stored results, if they are at hand."""
        found = self._quick.get(pool)
        if found is None:
            found = self._quick[pool] = QuickRatings.of(self._store.results(pool) if results is None else results)
        return found

    def recount(self, pool: int) -> None:
        """Results of a pool were taken back: fold its quick ratings anew when they are needed."""
        self._quick.pop(pool, None)

    def pool_of(self, match: str) -> int:
        """The id of the pool in which a running match counts; 0: none."""
        expected = self._expected.get(match)
        return 0 if expected is None else expected.pool.id

    def expect(self, match: str, expected: Expected) -> None:
        """Announce a match that is opened now."""
        self._expected[match] = expected

    def restore(self, running: Running, pools: Sequence[PoolRow]) -> Expected | None:
        """Go on with a match of an earlier run; None: it belongs to none of these pools and is not rated."""
        pool = next((row for row in pools if row.id == running.pool), None)
        if pool is None:
            return None
        header = running.record.header
        self.quick(pool.id)
        expected = self._expected[header.match] = Expected(pool, header.players, running.builds, running.group)
        return expected

    def begin(self, header: Header, secret: bytes) -> None:
        """See `Recorder.begin`: the group of an open match is stored with it."""
        expected = self._expected.get(header.match)
        if expected is None:
            self._store.begin(header, secret)
            return
        with self._store.transaction():
            group = expected.group
            if group is None:
                known = [build or 0 for build in expected.builds]
                group = self._store.add_group(expected.pool.id, expected.number, 0, expected.names, known, False, 1)
            place = SeasonPlace(group, expected.rotation, expected.attempt, expected.builds)
            self._store.begin(header, secret, place, derived=True)

    def end(self, match: str, final: Final) -> Settled:
        """See `Recorder.end`."""
        started = time.perf_counter_ns()
        expected = self._expected.get(match)
        change = None if expected is None else self._change(expected, final)
        rated = time.perf_counter_ns()
        counts = expected is None or (expected.pool.rated and expected.rated) or not self._marks_unrated
        last = self._store.end(match, final, () if change is None else change.ratings, counts=counts)
        stored = time.perf_counter_ns()
        self._expected.pop(match, None)
        if expected is not None and change is not None:
            self._take(expected, final, change)
        ended = time.perf_counter_ns()
        self.longest_rating = max(self.longest_rating, (ended - stored + rated - started) // 1000)
        self.longest_storing = max(self.longest_storing, (stored - rated) // 1000)
        return Settled(last, () if change is None else change.ratings)

    def count(self, expected: Expected, final: Final) -> None:
        """Rate a match that was played elsewhere and is stored."""
        change = self._change(expected, final)
        if change is not None:
            self._take(expected, final, change)

    def _take(self, expected: Expected, final: Final, change: RatingChange) -> None:
        automata = () if final.result is None else final.result.automata
        self.quick(expected.pool.id).take(change, (*expected.names, *automata))

    def _change(self, expected: Expected, final: Final) -> RatingChange | None:
        """What a match changes in the ratings; None: the match does not count."""
        result = final.result
        if result is None or not (final.rated and expected.pool.rated and expected.rated):
            return None
        automata: tuple[int | None, ...] = (None,) * len(result.automata)
        names = (*expected.names, *result.automata)
        return self.quick(expected.pool.id).change(names, (*expected.builds, *automata), result.places)
