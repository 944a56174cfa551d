"""Where a season's matches at a referee are stored and rated: the `Recorder` of both tempos.

A pairing announces each match before the lobby opens it (`expect`). The end of a match, the outcome of its seats and
their quick ratings are one transaction; what is told is what was stored.
"""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass

from ladder.quick import Change, QuickRatings
from ladder.rows import PoolRow, ResultRow, Running
from ladder.store import Place, Store
from referee.match.outputs import Settled
from referee.match.record import Final, Header, Step


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


class RatedMatches:
    """Stores and rates the matches of one season."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._quick: dict[int, QuickRatings] = {}
        self._expected: dict[str, Expected] = {}
        self.longest = 0
        """Longest time, in microseconds, for which the loop was held to rate and store one end."""
        self.ends = 0
        """Matches that ended in this run."""

    def quick(self, pool: int, results: Sequence[ResultRow] | None = None) -> QuickRatings:
        """The quick ratings of a pool; `results` are its stored results, if they are at hand."""
        found = self._quick.get(pool)
        if found is None:
            found = self._quick[pool] = QuickRatings.of(self._store.results(pool) if results is None else results)
        return found

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
            place = Place(group, expected.rotation, expected.attempt, expected.builds)
            self._store.begin(header, secret, place, derived=True)

    def step(self, match: str, step: Step) -> None:
        """See `Recorder.step`."""
        self._store.step(match, step)

    def end(self, match: str, final: Final) -> Settled:
        """See `Recorder.end`."""
        started = time.perf_counter_ns()
        expected = self._expected.get(match)
        change = None if expected is None else self._change(expected, final)
        last = self._store.end(match, final, () if change is None else change.ratings)
        self._expected.pop(match, None)
        if expected is not None and change is not None and final.result is not None:
            self.quick(expected.pool.id).take(change, (*expected.names, *final.result.automata))
        self.ends += 1
        self.longest = max(self.longest, (time.perf_counter_ns() - started) // 1000)
        return Settled(last, () if change is None else change.ratings)

    def _change(self, expected: Expected, final: Final) -> Change | None:
        """What a match changes in the ratings; None: it does not count."""
        result = final.result
        if result is None or not final.rated or not expected.pool.rated:
            return None
        automata: tuple[int | None, ...] = (None,) * len(result.automata)
        names = (*expected.names, *result.automata)
        return self.quick(expected.pool.id).change(names, (*expected.builds, *automata), result.places)
