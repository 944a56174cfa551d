"""A planned season: schedule a batch, play it, store it, rate it, until nothing is left or time is up.

What is played is a function of the ladder file, the season's secret and the results: ids and secrets of matches derive
from the secret and the match's place in the schedule (`ladder.store.derivation`), and the next batch of a pool is
computed when all of its last one is stored. So it does not matter when, where or in which order matches are finished,
or how often the season was stopped: the season ends with the same matches and the same ratings.

`Season.run` plays a season of bots that this program can start itself, on workers. Where bots connect from outside,
`ladder.seasons.planned_season` plays the same schedule at a referee.
"""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from ladder.arena.entrants import EntrantKind, may_share_deals
from ladder.arena.fault_lines import log_faults
from ladder.arena.jobs import Job
from ladder.arena.workers import GivenUp, Workers
from ladder.config.ladder_file import Ladder, PoolEntry, present_identity
from ladder.pairing import planned
from ladder.seasons.pools import stored_pool
from ladder.seasons.standings import PoolFold, publish
from ladder.store.database import Store
from ladder.store.derivation import derive, match_id, match_secret
from ladder.store.matches import SeasonPlace
from ladder.store.records import GroupRow, Played, PoolRow, SeasonRow
from referee.kernel import registry
from referee.match.plan import MatchPlan

COMMIT_SECONDS = 0.25
"""How long stored matches may wait for their commit; what is lost with them is played again, and is the same."""
PUBLISH_SECONDS = 5.0
"""How often the standings so far are published, at most."""
PUBLISH_SHARE = 0.02
"""The part of a run's time that this may take: a long history takes longer to rate and is rated less often."""
LOT_BYTES = 16
ANY_BUILD = 0
"""The build of a remote bot in a schedule: the one that plays is known when the match is opened."""


@dataclass(slots=True)
class Progress:
    """How a run is going."""

    played: int = 0
    """Matches stored by this run."""
    given_up: list[str] = field(default_factory=list)
    tables: dict[int, PoolFold] = field(default_factory=dict)
    """The standings of each pool, by its id, as they were last published."""
    complete: bool = False
    """Whether nothing is left to play."""


@dataclass(frozen=True, slots=True)
class Task:
    """One match of the schedule that is not stored yet."""

    pool: PoolRow
    entry: PoolEntry
    group: GroupRow
    rotation: int
    job: Job
    attempt: int = 0

    @property
    def plan(self) -> MatchPlan:
        """The match itself."""
        return self.job.plan

    @property
    def place(self) -> SeasonPlace:
        """Where the match stands in its season."""
        builds = self.group.builds[self.rotation :] + self.group.builds[: self.rotation]
        return SeasonPlace(self.group.id, self.rotation, self.attempt, builds)


class Season:
    """A planned season that can be played on."""

    def __init__(self, ladder: Ladder, store: Store, secret: bytes | None, digests: Callable[[str], str]) -> None:
        """`secret` fixes the luck of a season that is new. `digests` tells the fingerprint of a bot's spec."""
        self._store = store
        self.row: SeasonRow = store.season(
            ladder.season,
            ladder.identity(),
            secret,
            tempo="planned",
            pairing_version=planned.VERSION,
            present=present_identity,
        )
        self._secret = store.season_secret(self.row.id)
        self._entrants = {bot.name: bot.entrant for bot in ladder.bots}
        self._builds = {
            name: ANY_BUILD
            if entrant.kind is EntrantKind.REMOTE
            else store.build(name, entrant.spec, digests(entrant.spec))
            for name, entrant in self._entrants.items()
        }
        self.remote_builds: dict[str, int] = {}
        """The present build of each remote bot that has connected."""
        self.pools: list[tuple[PoolEntry, PoolRow]] = [
            (entry, stored_pool(store, self.row.id, entry.offer)) for entry in ladder.pools
        ]
        self.progress = Progress()
        # All builds of a remote bot are one player to pairing: a changed software keeps the bot's points.
        known = {name: build for name, build in self._builds.items() if build != ANY_BUILD}
        self._tables = {row.id: PoolFold(known) for _, row in self.pools}
        self._batches = {row.id: 0 for _, row in self.pools}
        """By pool: the first batch that is not counted in its table yet. Earlier ones are over."""
        self._left: dict[int, int] = {}
        """By duplicate set: games that are to be played and not stored yet."""

    @property
    def builds(self) -> Mapping[str, int]:
        """The builds for which matches are scheduled, by bot; `ANY_BUILD` for a remote one."""
        return self._builds

    def draw(self, name: str) -> bytes:
        """The lot of a bot: it orders bots by chance, the same in every run of the season."""
        return derive(self._secret, "lot", LOT_BYTES, name)

    def has(self, name: str) -> bool:
        """Whether the ladder file names a bot so."""
        return name in self._builds

    def run(self, workers: Workers, *, until: Callable[[Progress], bool], told: Callable[[Progress], None]) -> Progress:
        """Play until the schedule is complete or `until` says so; `told` hears of progress now and then."""
        progress = self.progress
        tasks: dict[str, Task] = {}
        queues: dict[int, deque[Task]] = {row.id: deque() for _, row in self.pools}
        finished: set[int] = set()
        committed = time.monotonic()
        publish_at = committed + PUBLISH_SECONDS
        waiting: list[tuple[Task, Played]] = []
        while True:
            stop = until(progress)
            if not stop:
                self._refill(queues, finished, tasks, waiting)
                while workers.room > 0 and (task := longest(queues)) is not None:
                    tasks[task.plan.match] = task
                    workers.submit(task.job)
            if workers.busy:
                for job, outcome in workers.collect():
                    task = tasks.pop(job.plan.match)
                    if isinstance(outcome, GivenUp):
                        self.give_up(task, outcome)
                    else:
                        log_faults(outcome)
                        waiting.append((task, outcome))
                    progress.played += 1
            idle = not workers.busy and (stop or not any(queues.values()))
            if waiting and (idle or time.monotonic() - committed > COMMIT_SECONDS):
                self.save(waiting)
                committed = time.monotonic()
                if committed >= publish_at:
                    self.publish()
                    cost = time.monotonic() - committed
                    publish_at = committed + max(PUBLISH_SECONDS, cost / PUBLISH_SHARE)
                told(progress)
            if idle and (stop or len(finished) == len(self.pools)):
                break
        progress.complete = len(finished) == len(self.pools) and not any(queues.values())
        self.publish()
        return progress

    def _refill(
        self,
        queues: dict[int, deque[Task]],
        finished: set[int],
        tasks: dict[str, Task],
        waiting: list[tuple[Task, Played]],
    ) -> None:
        """Schedule the next batch of every pool whose last one is stored."""
        open_pools = {task.pool.id for task in tasks.values()} | {task.pool.id for task, _ in waiting}
        for entry, row in self.pools:
            if row.id in finished or queues[row.id] or row.id in open_pools:
                continue
            missing = self.next_tasks(entry, row)
            if missing:
                queues[row.id].extend(missing)
            else:
                finished.add(row.id)

    def next_tasks(self, entry: PoolEntry, row: PoolRow) -> list[Task]:
        """What is to be played next in a pool of which nothing is being played; empty: the pool is complete."""
        missing = self.missing(entry, row)
        if missing:
            return missing
        self.count(row)
        lineups = self.plan(entry, row)
        if not lineups:
            return []
        self.schedule(row, lineups)
        return self.missing(entry, row)

    def missing(self, entry: PoolEntry, row: PoolRow) -> list[Task]:
        """The scheduled matches of a pool that are not stored and can be played by the builds for which they are meant.

        What an earlier build of a bot, or one that plays no more, left unplayed stays so, for its code is gone; the
        present ones have their own groups. A match that the referee had to stop is played again, in a new attempt.
        """
        batch = self._batches[row.id]
        stored = {(result.group, result.rotation): result for result in self._store.results(row.id, batch)}
        tasks: list[Task] = []
        for group in self._store.groups(row.id, batch):
            if group.builds != tuple(self._builds.get(name) for name in group.lineup):
                continue
            before = len(tasks)
            for rotation in range(group.games):
                found = stored.get((group.number, rotation))
                if found is None:
                    tasks.append(self.task(entry, row, group, rotation, 0))
                elif found.to_replay:
                    tasks.append(self.task(entry, row, group, rotation, found.attempt + 1))
            if group.duplicate and len(tasks) > before:
                self._left[group.id] = len(tasks) - before
        return tasks

    def task(self, entry: PoolEntry, row: PoolRow, group: GroupRow, rotation: int, attempt: int) -> Task:
        """One match of a group, in one of the rotations of its seats."""
        names = group.lineup[rotation:] + group.lineup[:rotation]
        season = self._secret
        # Another referee with the same seed has the same ids: what was imported from it is not played once more.
        while self._store.has_match(match_id(season, row, group.number, rotation, attempt)):
            attempt += 1
        plan = MatchPlan(
            game=row.game,
            players=names,
            match=match_id(season, row, group.number, rotation, attempt),
            secret=match_secret(season, row, group.number, rotation, duplicate=group.duplicate, attempt=attempt),
            variant=row.variant,
            clock=entry.clock,
            rated=row.rated,
        )
        specs = tuple(self._entrants[name].spec for name in names)
        return Task(row, entry, group, rotation, Job(plan, specs), attempt)

    def count(self, row: PoolRow) -> None:
        """Count the batches that were played since the last call; nothing of them is missing any more."""
        batch = self._batches[row.id]
        groups = self._store.groups(row.id, batch)
        if groups:
            self._tables[row.id].add(groups, self._store.results(row.id, batch))
            self._batches[row.id] = groups[-1].batch + 1
            # Sets that an earlier build of a bot left unplayed are never whole; nothing of them is played any more.
            self._store.reveal(self._store.sealed_groups(row.id, self._batches[row.id]))

    def recount(self, pool: int) -> None:
        """Results of a pool were taken back: count it from its first batch on, and play what is missing there."""
        self._tables[pool] = PoolFold({name: build for name, build in self._builds.items() if build != ANY_BUILD})
        self._batches[pool] = 0

    def plan(self, entry: PoolEntry, row: PoolRow) -> list[planned.Lineup]:
        """The line-ups of the next batch of a pool; empty: the schedule is complete."""
        table = self._tables[row.id]
        if entry.pairing == "matchmaking":
            table.rate(ends=False)
        history = table.history(entry.bots)
        if entry.pairing == "round_robin":
            return planned.round_robin(history, row.seats, rounds=entry.rounds)
        if entry.pairing == "gauntlet":
            return planned.gauntlet(history, row.seats, rounds=entry.rounds, candidates=entry.candidates)
        # A season keeps the pairing of the version with which it was begun.
        version = self.row.pairing_version
        if entry.pairing == "swiss":
            swiss = planned.swiss_matched if version >= 3 else planned.swiss
            return swiss(history, row.seats, rounds=entry.rounds)
        matchmaking = planned.matchmaking_designed if version >= 4 else planned.matchmaking
        return matchmaking(history, row.seats, sets=entry.sets, floor=entry.floor)

    def schedule(self, row: PoolRow, lineups: list[planned.Lineup]) -> None:
        """Store the next batch of a pool. From version 2 of pairing on, deals are shared line-up by line-up."""
        timed = next(entry.offer.timed for entry, pool in self.pools if pool is row)
        if timed:
            duplicate = [False] * len(lineups)
        elif self.row.pairing_version >= 2:
            duplicate = [may_share_deals(self._entrants[name] for name in lineup) for lineup in lineups]
        else:
            playing = next(entry.bots for entry, pool in self.pools if pool is row)
            duplicate = [may_share_deals(self._entrants[name] for name in playing)] * len(lineups)
        self._store.schedule(row.id, self._batches[row.id], lineups, self._builds, duplicate)

    def save(self, waiting: list[tuple[Task, Played]]) -> None:
        """Store matches that workers have finished. A duplicate set is readable when its last game is stored."""
        for task, _ in waiting:
            self._count_stored(task)
        with self._store.transaction():
            for task, played in waiting:
                self._store.save(task.place, task.plan.secret, played, sealed=task.group.id in self._left)
            sets = {task.group.id for task, _ in waiting if task.group.duplicate}
            self._store.reveal(sorted(sets.difference(self._left)))
        waiting.clear()

    def _count_stored(self, task: Task) -> None:
        """Count a game of a duplicate set that is stored now; a set of which none is left is forgotten."""
        left = self._left.get(task.group.id, 0) - 1
        if left > 0:
            self._left[task.group.id] = left
        else:
            self._left.pop(task.group.id, None)

    def give_up(self, task: Task, reason: GivenUp) -> None:
        """Keep a match that cannot be played from being tried for ever; its group does not count."""
        plan = task.plan
        header = plan.header(registry.game(plan.game))
        self._count_stored(task)
        with self._store.transaction():
            self._store.void(task.place, header, plan.secret, str(reason), sealed=task.group.id in self._left)
            if task.group.id not in self._left:
                self._store.reveal([task.group.id])
        self.progress.given_up.append(str(reason))

    def publish(self) -> None:
        """Rate what is stored, and store the standings. Standings can be thrown away: the results hold all of them."""
        for _, row in self.pools:
            self.progress.tables[row.id] = publish(self._store, row.id, self.present())

    def present(self) -> dict[str, int]:
        """The builds that play now; of a remote bot that has not come in this run, the last one that came."""
        remote = [name for name, build in self._builds.items() if build == ANY_BUILD]
        known = self._store.last_builds(remote) if remote else {}
        return {**self._builds, **known, **self.remote_builds}


def longest(queues: dict[int, deque[Task]]) -> Task | None:
    """The next task, taken from the pool with the most left, so that all pools end at about the same time."""
    queue = max(queues.values(), key=len, default=None)
    return queue.popleft() if queue else None
