"""The loop that plays a season: schedule a batch, play it, store it, rate it, until nothing is left or time is up.

A season is a function of its ladder file and its secret. The secret and the id of every match derive from the
season's secret and the match's place in the schedule:

    secret = BLAKE2b-256(key = season secret, "kumite/season/secret", game, seats, settings, group [, rotation])
    id     = BLAKE2b-128(key = season secret, "kumite/season/match", game, seats, settings, group, rotation)

(the parts as text, joined by zero bytes; the rotation is part of a secret only where deals are independent). The next
batch of a pool is computed when all of its last one is stored. So it does not matter when, where or in which order
matches are finished, or how often the season was stopped: it ends with the same matches and the same ratings.
"""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from functools import partial
from hashlib import blake2b

from ladder import pairing
from ladder.config import Ladder, PoolEntry
from ladder.entrants import find, may_share_deals
from ladder.rows import GroupRow, Played, PoolRow, SeasonRow
from ladder.standings import Table, fold
from ladder.store import Store
from ladder.workers import GivenUp, Job, Workers
from referee.kernel import registry
from referee.match.clock import Clock
from referee.match.match import terms

COMMIT_SECONDS = 0.25
"""How long stored matches may wait for their commit; what is lost with them is played again, and is the same."""
PUBLISH_SECONDS = 5.0
"""How often the standings so far are published, at most."""
PUBLISH_SHARE = 0.02
"""The part of a run's time that this may take: a long history takes longer to rate and is rated less often."""


def derive(season: bytes, what: str, size: int, *place: object) -> bytes:
    """A value that belongs to one place of the schedule, see above."""
    message = "\0".join([f"kumite/season/{what}", *map(str, place)]).encode()
    return blake2b(message, key=season, digest_size=size).digest()


@dataclass(slots=True)
class Progress:
    """How a run is going."""

    played: int = 0
    """Matches stored by this run."""
    given_up: list[str] = field(default_factory=list)
    tables: dict[int, Table] = field(default_factory=dict)
    """The standings of each pool, by its id, as they were last published."""
    complete: bool = False
    """Whether nothing is left to play."""


@dataclass(frozen=True, slots=True)
class _Task:
    """One match of the schedule that is not stored yet."""

    pool: PoolRow
    group: GroupRow
    rotation: int
    job: Job


class Season:
    """A season that can be played on."""

    def __init__(self, ladder: Ladder, store: Store, secret: bytes, digests: Callable[[str], str]) -> None:
        """`secret` counts only for a season that is new. `digests` tells the fingerprint of a bot's spec."""
        self._ladder = ladder
        self._store = store
        self.row: SeasonRow = store.season(ladder.season, ladder.identity(), secret)
        self._specs = {bot.name: bot.spec for bot in ladder.bots}
        self._builds = {bot.name: store.build(bot.name, bot.spec, digests(bot.spec)) for bot in ladder.bots}
        self.pools: list[tuple[PoolEntry, PoolRow]] = [(entry, self._pool(entry)) for entry in ladder.pools]
        self.progress = Progress()
        self._tables = {row.id: Table(self._builds) for _, row in self.pools}
        self._batches = {row.id: 0 for _, row in self.pools}
        """By pool: the first batch that is not counted in its table yet. Earlier ones are over."""

    def _pool(self, entry: PoolEntry) -> PoolRow:
        game = registry.game(entry.game)
        return self._store.pool(self.row.id, entry.game, entry.seats, entry.variant, game.rules_version, game.digest)

    def run(self, workers: Workers, *, until: Callable[[Progress], bool], told: Callable[[Progress], None]) -> Progress:
        """Play until the schedule is complete or `until` says so; `told` hears of progress now and then."""
        progress = self.progress
        tasks: dict[str, _Task] = {}
        queues: dict[int, deque[_Task]] = {row.id: deque() for _, row in self.pools}
        finished: set[int] = set()
        committed = time.monotonic()
        publish_at = committed + PUBLISH_SECONDS
        waiting: list[tuple[_Task, Played]] = []
        while True:
            stop = until(progress)
            if not stop:
                self._refill(queues, finished, tasks, waiting)
                while workers.room > 0 and (task := self._next(queues)) is not None:
                    tasks[task.job.match] = task
                    workers.submit(task.job)
            if workers.busy:
                for job, outcome in workers.collect():
                    task = tasks.pop(job.match)
                    if isinstance(outcome, GivenUp):
                        self._give_up(task, outcome)
                    else:
                        waiting.append((task, outcome))
                    progress.played += 1
            idle = not workers.busy and (stop or not any(queues.values()))
            if waiting and (idle or time.monotonic() - committed > COMMIT_SECONDS):
                self._save(waiting)
                committed = time.monotonic()
                if committed >= publish_at:
                    self._publish()
                    cost = time.monotonic() - committed
                    publish_at = committed + max(PUBLISH_SECONDS, cost / PUBLISH_SHARE)
                told(progress)
            if idle and (stop or len(finished) == len(self.pools)):
                break
        progress.complete = len(finished) == len(self.pools) and not any(queues.values())
        self._publish()
        return progress

    def _refill(
        self,
        queues: dict[int, deque[_Task]],
        finished: set[int],
        tasks: dict[str, _Task],
        waiting: list[tuple[_Task, Played]],
    ) -> None:
        """Schedule the next batch of every pool whose last one is stored."""
        open_pools = {task.pool.id for task in tasks.values()} | {task.pool.id for task, _ in waiting}
        for entry, row in self.pools:
            if row.id in finished or queues[row.id] or row.id in open_pools:
                continue
            missing = list(self._missing(entry, row))
            if not missing:
                self._count(row)
                self._schedule(entry, row)
                missing = list(self._missing(entry, row))
            if missing:
                queues[row.id].extend(missing)
            else:
                finished.add(row.id)

    def _next(self, queues: dict[int, deque[_Task]]) -> _Task | None:
        """The next task, taken from the pool with the most left, so that all pools end at about the same time."""
        longest = max(queues.values(), key=len)
        return longest.popleft() if longest else None

    def _missing(self, entry: PoolEntry, row: PoolRow) -> Iterator[_Task]:
        """The scheduled matches of a pool that are not stored and can be played by the builds for which they are meant.

        What an earlier build of a bot, or one that plays no more, left unplayed stays so, for its code is gone; the
        present ones have their own groups.
        """
        batch = self._batches[row.id]
        stored = {(result.group, result.rotation) for result in self._store.results(row.id, batch)}
        for group in self._store.groups(row.id, batch):
            if group.builds != tuple(self._builds.get(name) for name in group.lineup):
                continue
            for rotation in range(row.seats):
                if (group.number, rotation) not in stored:
                    yield _Task(row, group, rotation, self._job(entry, row, group, rotation))

    def _job(self, entry: PoolEntry, row: PoolRow, group: GroupRow, rotation: int) -> Job:
        names = group.lineup[rotation:] + group.lineup[:rotation]
        place = (row.game, row.seats, *sorted(row.variant.items()), group.number)
        deal = place if group.duplicate else (*place, rotation)
        return Job(
            match=derive(self.row.secret, "match", 16, *place, rotation).hex(),
            game=row.game,
            variant=row.variant,
            names=names,
            specs=tuple(self._specs[name] for name in names),
            secret=derive(self.row.secret, "secret", 32, *deal),
            clock=str(entry.clock),
        )

    def _count(self, row: PoolRow) -> None:
        """Count the batches that were played since the last call; nothing of them is missing any more."""
        batch = self._batches[row.id]
        groups = self._store.groups(row.id, batch)
        if groups:
            self._tables[row.id].add(groups, self._store.results(row.id, batch))
            self._batches[row.id] = groups[-1].batch + 1

    def _schedule(self, entry: PoolEntry, row: PoolRow) -> None:
        """Store the next batch of a pool, if there is one."""
        table = self._tables[row.id]
        if entry.pairing == "matchmaking":
            table.rate()
        history = table.history(entry.bots)
        plan = {
            "round_robin": partial(pairing.round_robin, rounds=entry.rounds),
            "swiss": partial(pairing.swiss, rounds=entry.rounds),
            "gauntlet": partial(pairing.gauntlet, rounds=entry.rounds, candidates=entry.candidates),
            "matchmaking": partial(pairing.matchmaking, sets=entry.sets, floor=entry.floor),
        }[entry.pairing]
        lineups = plan(history, row.seats)
        duplicate = may_share_deals(find(self._specs[name]) for name in entry.bots)
        self._store.schedule(row.id, self._batches[row.id], lineups, self._builds, duplicate)

    def _save(self, waiting: list[tuple[_Task, Played]]) -> None:
        with self._store.transaction():
            for task, played in waiting:
                builds = task.group.builds[task.rotation :] + task.group.builds[: task.rotation]
                self._store.save(task.group.id, task.rotation, builds, task.job.secret, played)
        waiting.clear()

    def _give_up(self, task: _Task, reason: GivenUp) -> None:
        """Keep a match that cannot be played from being tried for ever; its group does not count."""
        job = task.job
        header = terms(
            registry.game(job.game),
            job.names,
            secret=job.secret,
            match=job.match,
            variant=job.variant,
            clock=Clock.parse(job.clock),
            policy=job.policy,
        )
        self._store.void(task.group.id, task.rotation, job.match, header, job.secret, str(reason))
        self.progress.given_up.append(str(reason))

    def _publish(self) -> None:
        """Rate what is stored, and store the standings. They can be thrown away: the results hold all of them."""
        for _, row in self.pools:
            table = fold(self._store.groups(row.id), self._store.results(row.id), self._builds)
            self._store.save_ratings(row.id, table.rows(), table.live_history)
            self.progress.tables[row.id] = table
