"""A planned season with bots that connect: line-ups with a remote bot are played at the referee, the others on workers.

`PlannedSeason` is the `Pairing` of the referee's lobby: it opens the next scheduled match whose bots are all present
and free. Its `run` is a task beside the lobby that keeps the schedule filled, hands the line-ups without remote bots
to workers, stores what comes back, and ends the season when everything is played, or when the bots that are missing
have been away for longer than the ladder file's `patience`. Pools that go by times of arrival are played at the
referee, also between bots of the house alone.
"""

from __future__ import annotations

import logging
from collections import deque
from collections.abc import Callable, Sequence
from contextlib import suppress

import trio

from ladder.arena.fault_lines import log_faults
from ladder.arena.workers import GivenUp, Workers
from ladder.config.ladder_file import Ladder, PoolEntry
from ladder.seasons.open_season import remote_build, too_many_builds
from ladder.seasons.rated_matches import Expected, RatedMatches
from ladder.seasons.season import Progress, Season, Task, longest
from ladder.store.database import Store
from ladder.store.records import Played, PoolRow, Running
from ladder.store.rulings import PlacedMatch
from referee.kernel.errors import StorageTrouble
from referee.match.plan import MatchPlan
from referee.match.protocols import ConnectedBot, NotEntered, Offers

POLL_SECONDS = 0.05
"""How often finished workers are looked for."""
TROUBLE_SECONDS = 1.0
"""How long the season waits before it tries again to store what could not be stored."""
SAVED_AT_ONCE = 8
"""Matches of workers that are stored in one turn of the loop."""
SCANNED = 5_000
"""Scheduled matches that one question looks at, so that the referee's loop is not kept waiting."""

_logger = logging.getLogger(__name__)


class PlannedSeason:
    """One planned season at one referee."""

    sets_aside = False

    def __init__(self, ladder: Ladder, schedule: Season, store: Store, *, patience: int | None, at: int) -> None:
        """`patience`: microseconds that a remote bot may be away while its matches are due; None: any time."""
        self.schedule = schedule
        self.row = schedule.row
        self.matches = RatedMatches(store)
        self._store = store
        self._remote = set(ladder.remote)
        self._patience = patience
        self._absent = dict.fromkeys(self._remote, at)
        """Since when each remote bot that is not present has been away."""
        self._now: Callable[[], int] = lambda: at
        """The referee's clock, once the season runs."""
        self._waiting: deque[Task] = deque()
        """Matches for the referee, in the order of the schedule."""
        self._queues: dict[int, deque[Task]] = {row.id: deque() for _, row in schedule.pools}
        """Matches for workers, by pool."""
        self._open: dict[str, int] = {}
        """The pool of each match that is being played, at the referee or on workers."""
        self._finished: set[int] = set()
        self._stopping = False
        self._held = False
        """Whether no match is opened for now."""
        self._paused: frozenset[int] = frozenset()
        """Pools of which no match is begun for now."""
        self._revised: set[int] = set()
        """Pools of which results were taken back, and which are to be counted anew."""
        self.done = False
        self.missing: tuple[str, ...] = ()
        """Remote bots that were waited for in vain."""

    @property
    def season(self) -> str:
        """The season's name."""
        return self.row.name

    def restore(self, running: Running, at: int) -> bool:
        """Go on with a match of an earlier run; returns whether it counts for ratings."""
        expected = self.matches.restore(running, [row for _, row in self.schedule.pools])
        if expected is None:
            return False
        self._open[running.record.header.match] = expected.pool.id
        return expected.pool.rated

    def arrived(self, name: str, software: str, offers: Offers) -> str:
        """See `Pairing.arrived`: only the bots of the ladder file play."""
        if name not in self._remote:
            if self.schedule.has(name):
                return ""
            players = ", ".join(sorted(self._remote))
            raise NotEntered(f"you are not entered in season {self.season!r}; it waits for {players}")
        self.schedule.remote_builds.pop(name, None)
        refused = [
            f"{row.game}:{row.seats}"
            for entry, row in self.schedule.pools
            if name in entry.bots and not offers.plays(row.game, row.seats, row.variant)
        ]
        if refused:
            raise NotEntered(f"season {self.season!r} has you play {', '.join(refused)}, which you do not offer")
        build = remote_build(self._store, name, software)
        if build is None:
            raise NotEntered(too_many_builds(name))
        self.schedule.remote_builds[name] = build
        return ""

    def build(self, name: str) -> int | None:
        """The id of a bot's build by its last hello; None: the bot plays no match here."""
        return self.schedule.remote_builds.get(name) or self.schedule.builds.get(name) or None

    def next(self, bots: Sequence[ConnectedBot], at: int) -> MatchPlan | int | None:
        """See `Pairing.next`: the first scheduled match whose bots are all free."""
        builds = self.schedule.remote_builds
        # A bot whose last hello was refused keeps the seats that it has, and gets no further one.
        playing = {bot.name for bot in bots if bot.name in builds or bot.name not in self._remote}
        free = {bot.name for bot in bots if bot.capacity > bot.tables and bot.name in playing}
        self._note_presence({bot.name for bot in bots if bot.present}, at)
        if self._stopping or self._held or not free:
            return None
        for _ in range(min(len(self._waiting), SCANNED)):
            task = self._waiting[0]
            if task.pool.id not in self._paused and free.issuperset(task.plan.players):
                self._waiting.popleft()
                return self._opening(task)
            self._waiting.rotate(-1)
        return None if len(self._waiting) <= SCANNED else at

    def _opening(self, task: Task) -> MatchPlan:
        plan, row = task.plan, task.pool
        builds = tuple(
            self.schedule.remote_builds.get(name, build)
            for name, build in zip(plan.players, task.place.builds, strict=True)
        )
        expected = Expected(
            row, plan.players, builds, group=task.group.id, rotation=task.rotation, attempt=task.place.attempt
        )
        self.matches.expect(plan.match, expected)
        self._open[plan.match] = row.id
        return plan

    def forgotten(self, name: str) -> None:
        """See `Pairing.forgotten`: the schedule names its bots."""

    def ended(self, match: str, at: int) -> None:
        """See `Pairing.ended`."""
        self._open.pop(match, None)
        self.schedule.progress.played += 1

    def _note_presence(self, present: set[str], at: int) -> None:
        for name in self._remote:
            if name in present:
                self._absent.pop(name, None)
            else:
                self._absent.setdefault(name, at)

    def _in_vain(self, at: int) -> tuple[str, ...]:
        """The bots for which the season has waited long enough, if nothing else is left to play."""
        if self._patience is None or self._paused or self._open or not self._waiting or any(self._queues.values()):
            return ()
        late = {name for name, since in self._absent.items() if at - since >= self._patience}
        if all(late.intersection(task.plan.players) for task in self._waiting):
            return tuple(sorted(late))
        return ()

    async def run(
        self,
        workers: Workers,
        *,
        now: Callable[[], int],
        changed: Callable[[], None],
        until: Callable[[Progress], bool],
        told: Callable[[Progress], None],
    ) -> None:
        """Keep the schedule filled until the season is complete, `until` says so, or bots were waited for in vain.

        `changed` makes the lobby ask again. When this returns, matches at the referee may still be going on.
        """
        self._now = now
        progress = self.schedule.progress
        tasks: dict[str, Task] = {}
        results: deque[tuple[Task, Played | GivenUp]] = deque()
        while True:
            self._stopping = self._stopping or until(progress)
            if not self._stopping:
                with suppress(StorageTrouble):  # tried again in the next turn
                    await self._refill(changed)
                while workers.room > 0 and (task := longest(self._unpaused())) is not None:
                    self._open[task.plan.match] = task.pool.id
                    tasks[task.plan.match] = task
                    workers.submit(task.job)
            if workers.busy:
                for job, outcome in workers.collect(0):
                    if not isinstance(outcome, GivenUp):
                        log_faults(outcome)
                    results.append((tasks.pop(job.plan.match), outcome))
                    progress.played += 1
            trouble = not self._save(results)
            told(progress)
            complete = len(self._finished) == len(self.schedule.pools)
            self.missing = self._in_vain(now())
            idle = not workers.busy and not results
            if idle and (self._stopping or complete or self.missing):
                progress.complete = complete and not self._waiting
                self.done = True
                changed()
                return
            await trio.sleep(TROUBLE_SECONDS if trouble else POLL_SECONDS)

    def _unpaused(self) -> dict[int, deque[Task]]:
        """The matches for workers of the pools that are not paused."""
        if self._held:
            return {}
        if not self._paused:
            return self._queues
        return {pool: queue for pool, queue in self._queues.items() if pool not in self._paused}

    async def _refill(self, changed: Callable[[], None]) -> None:
        """Schedule the next batch of every pool of which nothing is left or being played."""
        for pool in tuple(self._revised):
            self._revised.discard(pool)
            self._finished.discard(pool)
            self.schedule.recount(pool)
        playing = set(self._open.values()) | {task.pool.id for task in self._waiting}
        for entry, row in self.schedule.pools:
            if row.id in self._finished or row.id in playing or self._queues[row.id]:
                continue
            tasks = await self._next_tasks(entry, row)
            self._queue(tasks)
            if tasks:
                changed()
            else:
                self._finished.add(row.id)

    def _queue(self, tasks: Sequence[Task]) -> None:
        """Let matches wait for their turn: those with a remote bot or timed asks at the referee, others for workers."""
        for task in tasks:
            if self._remote.isdisjoint(task.plan.players) and not task.entry.offer.timed:
                self._queues[task.pool.id].append(task)
            else:
                self._waiting.append(task)

    # What organisers decide: see `RuledSeason`.

    def open_pools(self) -> Sequence[PoolRow]:
        """The pools that are played."""
        return tuple(row for _, row in self.schedule.pools)

    def tables_of(self, pool: int) -> int:
        """Matches of a pool that are being played, at the referee or on workers."""
        return sum(found == pool for found in self._open.values())

    def hold(self, pools: frozenset[int]) -> None:
        """Begin no further match of these pools."""
        self._paused = pools

    def can_void(self, match: PlacedMatch, *, again: bool) -> None:
        """Any match of the season may be taken back."""

    def voided(self, match: PlacedMatch, *, again: bool) -> None:
        """A match does not count any more; `again`: the match is to be played again."""
        if match.pool is not None:
            self.matches.recount(match.pool)
            self._revised.add(match.pool)
            self._drop(match)

    def _drop(self, match: PlacedMatch) -> None:
        """A match is not to be played again after all, or is scheduled anew: forget the one that waits in its place."""
        for queue in (self._waiting, *self._queues.values()):
            for task in [task for task in queue if (task.group.id, task.rotation) == (match.group, match.rotation)]:
                queue.remove(task)

    async def _next_tasks(self, entry: PoolEntry, row: PoolRow) -> list[Task]:
        """What is to be played next in a pool. The plan of a large batch takes a while and is made in a thread."""
        with self._store.explained():
            missing = self.schedule.missing(entry, row)
            if missing:
                return missing
            self.schedule.count(row)
        lineups = await trio.to_thread.run_sync(self.schedule.plan, entry, row)
        if not lineups:
            return []
        with self._store.explained():
            self.schedule.schedule(row, lineups)
            return self.schedule.missing(entry, row)

    def _save(self, results: deque[tuple[Task, Played | GivenUp]]) -> bool:
        """Store some of what workers brought; False: the next result cannot be stored now, and stays in the queue."""
        for _ in range(min(len(results), SAVED_AT_ONCE)):
            task, outcome = results[0]
            try:
                self.matches.quick(task.pool.id)  # folded before the match is stored, which would count twice
                if isinstance(outcome, GivenUp):
                    self.schedule.give_up(task, outcome)
                else:
                    self.schedule.save([(task, outcome)])
            except StorageTrouble:
                return False
            results.popleft()
            self._open.pop(task.plan.match, None)
            if not isinstance(outcome, GivenUp):
                self.matches.count(Expected(task.pool, task.plan.players, task.place.builds), outcome.final)
        return True
