"""Publishes the standings of a season that is being served: the batch fit, computed in another process.

A fit over a long season takes seconds, and the referee's loop stamps clocks; so a process of its own reads the
database, folds and fits, and the referee only stores the few rows that come back, one pool in a turn of the loop. The
same process moves the write-ahead log into the database, which would hold the referee's loop for some milliseconds.
"""

from __future__ import annotations

import logging
import os
import signal
import time
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import BrokenExecutor, ProcessPoolExecutor
from multiprocessing import get_context
from pathlib import Path

import trio

from ladder.arena.orphans import end_with_parent
from ladder.store.database import Store
from ladder.store.file import StoreProblem
from ladder.store.records import RatingRow

PAUSE_SECONDS = 5.0
"""Least time between two publications."""
FAILED_SECONDS = 60.0
"""Time before a fit that failed is tried again."""
SHARE = 0.05
"""Most of the time that fits may take: a long season is published less often."""
NICE = 10
"""How far the fitting process steps back behind the referee and its bots."""
THREADS = ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS")

_logger = logging.getLogger(__name__)


def fit_pools(
    path: Path, season: int, current: Mapping[str, int] | None, *, by_end: bool
) -> list[tuple[int, int, list[RatingRow]]]:
    """Fit every pool of a season whose stored standings are not up to date: its id, the stamp, the standings."""
    # Imported here, so that the fitting process sets its threads before numpy is loaded.
    from ladder.seasons.standings import fold

    found = []
    with Store(path) as store:
        store.checkpoint()
        for pool in store.pools(season):
            stamp = store.stamp(pool.id)
            if stamp != pool.published:
                found.append((pool.id, stamp, fold(store, pool.id, current, by_end=by_end).rows()))
    return found


def _fitting_process() -> ProcessPoolExecutor:
    return ProcessPoolExecutor(1, mp_context=get_context("spawn"), initializer=_prepare, initargs=(os.getpid(),))


def _prepare(parent: int) -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    end_with_parent(parent)
    os.nice(NICE)


class Publisher:
    """Fits and stores the standings of one season now and then."""

    def __init__(
        self, store: Store, season: int, *, by_end: bool, current: Callable[[], Mapping[str, int] | None]
    ) -> None:
        """`current` tells the builds that play now; None: the last ones that played."""
        self._store = store
        self._season = season
        self._by_end = by_end
        self._current = current
        self._said = ""

    async def _save(self, fitted: Sequence[tuple[int, int, Sequence[RatingRow]]]) -> None:
        """Store what was fitted, one pool in a turn of the loop; what cannot be stored is fitted again."""
        for row, stamp, ratings in fitted:
            self._store.save_ratings(row, ratings, stamp)
            await trio.lowlevel.checkpoint()
        self._said = ""

    def _complain(self, problem: StoreProblem) -> None:
        """Say once that standings cannot be stored; the matches go on."""
        if str(problem) != self._said:
            self._said = str(problem)
            _logger.warning("the standings are not published for now: %s", problem)

    async def run(self) -> None:
        """Publish until cancelled."""
        before = {name: os.environ.get(name) for name in THREADS}
        os.environ.update(dict.fromkeys(THREADS, "1"))
        self._store.leave_checkpoints()
        pool = _fitting_process()
        try:
            while True:
                await trio.sleep(PAUSE_SECONDS)
                started = time.monotonic()
                try:
                    future = pool.submit(
                        fit_pools, self._store.path, self._season, self._current(), by_end=self._by_end
                    )
                    await self._save(await trio.to_thread.run_sync(future.result, abandon_on_cancel=True))
                except BrokenExecutor:
                    _logger.warning("the process that fits ratings has died; another one is started")
                    pool.shutdown(wait=False)
                    pool = _fitting_process()
                    continue
                except StoreProblem as problem:
                    self._complain(problem)
                    continue
                except Exception:
                    _logger.exception("the ratings could not be fitted; the matches go on, and it is tried again")
                    await trio.sleep(FAILED_SECONDS)
                    continue
                await trio.sleep((time.monotonic() - started) / SHARE)
        finally:
            pool.shutdown(wait=False, cancel_futures=True)
            for name, value in before.items():
                if value is None:
                    os.environ.pop(name, None)
                else:
                    os.environ[name] = value
