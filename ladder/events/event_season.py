"""An event at a referee: check-in, start, rounds, no-shows, pause, withdrawals, and the end.

What happens is stored before it counts, so a referee that is killed goes on in the same round with the same tables, and
a bot that comes back within the event's `grace` misses nothing. Presence is known from the lobby's questions (`next`);
everything is decided and stored in `run`'s task and in the organiser's calls, all in the referee's one thread.
"""

from __future__ import annotations

import logging
import os
from collections.abc import Callable, Mapping
from concurrent.futures import BrokenExecutor, ProcessPoolExecutor
from datetime import UTC, datetime, timedelta
from multiprocessing import get_context

import trio

from ladder.arena.entrants import EntrantKind
from ladder.arena.orphans import end_with_parent
from ladder.config.event_file import ALL
from ladder.config.event_rules import EventEntry, EventFormat
from ladder.config.ladder_file import Ladder
from ladder.events.loading import load
from ladder.events.ranking import points
from ladder.events.rounds import EventOver, NewGame, NewGames, NewRound, NextStep, next_step, round_count
from ladder.events.state import Tournament
from ladder.seasons.planned_season import PlannedSeason
from ladder.seasons.season import Season, Task
from ladder.store.database import Store
from ladder.store.events import EventRow, PlaceRow, PlannedGame
from ladder.store.rulings import PlacedMatch
from referee.kernel.errors import BadSetting, UnknownName
from referee.match.clock import SECOND
from referee.match.protocols import NotEntered, Offers
from referee.transport.event_desk import EntrantStatus, EventStatus, TableStatus

LOOK = SECOND // 4
"""Microseconds after which presence is asked for again while something depends on it."""
RETURN = 15 * SECOND
"""Microseconds that bots have at least to come back to a referee that was restarted: they dial every ten seconds."""
IN_LOOP, MORE_IN_LOOP = 24, 9
"""Entrants up to which a round is paired in the referee's loop, at two seats and at more: pairing takes
milliseconds there. Larger events are paired in a process of their own."""
ORGANISER = "organiser"
NOT_CHECKED_IN = "did not check in"
BY_ORGANISER = "withdrawn by the organiser"

_logger = logging.getLogger("ladder.events.season")  # lines of the log say `season`


class EventSeason(PlannedSeason):
    """One event at one referee."""

    def __init__(
        self, ladder: Ladder, schedule: Season, store: Store, *, at: int, clock: Callable[[], datetime] | None = None
    ) -> None:
        """`clock` tells the time of day; None: this machine's. Raises BadSetting for an event of other rules."""
        super().__init__(ladder, schedule, store, patience=None, at=at)
        if ladder.event is None:
            raise BadSetting(f"season {ladder.season!r} is no event")
        self.entry: EventEntry = ladder.event
        self._clock = clock or (lambda: datetime.now(UTC))
        (pool,) = ladder.pools
        ((_, self.pool),) = schedule.pools
        self._local = {bot.name for bot in ladder.bots if bot.entrant.kind is not EntrantKind.REMOTE}
        known = store.event(self.row.id)
        if known is not None and known.state != "waiting" and known.pool != self.pool.id:
            raise BadSetting(
                f"the rules of {self.pool.game} have changed since event {self.season!r} began; end it with the "
                f"version of kumite that it was begun with"
            )
        seeds = sorted(pool.bots, key=lambda name: (_place(self.entry.seeds, name), schedule.draw(name)))
        store.enter_event(self.row.id, self.pool.id, self.entry.rules.plain(), seeds)
        self.event: Tournament = load(store, self.row.id)
        self._held = self.event.paused
        self._away = dict.fromkeys(pool.bots, at)
        """Entrants that are not there, and since when."""
        self._seen = at
        """When presence was last asked for."""
        self._asked = at
        self._grace_from = at + max(0, RETURN - round(self.entry.grace * SECOND))
        """No bot counts as away before this moment: a round was paired, the event went on, the referee was started."""
        self._acts = 0
        """Acts of the organiser: what was planned before one is planned anew."""
        self._rests_until = 0
        """When it is looked again whether the next round can be paired, while bots are waited for."""
        self._said = ""

    def _here(self, name: str) -> bool:
        return name not in self._away

    def arrived(self, name: str, software: str, offers: Offers) -> str:
        """See `Pairing.arrived`: the entrants that are not out play."""
        entrant = self.event.entrant(name)
        if entrant is not None and entrant.out_before is not None:
            raise NotEntered(f"you are out of event {self.season!r}: {entrant.reason}")
        return super().arrived(name, software, offers)

    def _note_presence(self, present: set[str], at: int) -> None:
        self._seen = at
        builds = self.schedule.remote_builds
        for name in self.event.names:
            if name in present and (name in builds or name in self._local):
                self._away.pop(name, None)
            else:
                self._away.setdefault(name, at)

    def _in_vain(self, at: int) -> tuple[str, ...]:
        return ()

    async def _refill(self, changed: Callable[[], None]) -> None:
        """Begin, forfeit what bots did not come to, pair the next round, as far as each is due now."""
        at = self._now()
        if at - self._asked >= LOOK:
            self._asked = at
            changed()
        if self.event.state == "waiting":
            self._check_in()
            if self._due():
                self._begin()
        if self.event.state == "over":
            self._finished.add(self.pool.id)
        if self.event.state != "running" or self.event.paused:
            return
        self._forfeit(at)
        if not (self._waiting or self._open or self._queues[self.pool.id]) and at >= self._rests_until:
            await self._go_on(changed, at)

    def _check_in(self) -> None:
        """Store who has checked in: entrants that are there while check-in is open, and the host's own bots."""
        start, early = self.entry.start, self.entry.check_in
        is_open = early is None or not isinstance(start, datetime) or self._clock() >= start - timedelta(seconds=early)
        fresh = [
            entrant.name
            for entrant in self.event.active
            if not entrant.checked_in and (entrant.name in self._local or (is_open and self._here(entrant.name)))
        ]
        if fresh:
            self._store.check_in(self.row.id, fresh)
            self.event = load(self._store, self.row.id)

    def _due(self) -> bool:
        start = self.entry.start
        if isinstance(start, datetime):
            due = self._clock() >= start
        else:
            due = start == ALL and all(
                entrant.checked_in and self._arrived(entrant.name) for entrant in self.event.active
            )
        if due and self._too_few():
            self._say(f"event {self.season!r} cannot begin yet: {self._too_few()}")
            return False
        return due

    def _arrived(self, name: str) -> bool:
        return name in self._local or self._here(name)

    def _too_few(self) -> str:
        """Why the event cannot begin; empty: the event can."""
        ready = sum(entrant.checked_in for entrant in self.event.active)
        seats = self.entry.rules.seats
        if ready >= seats:
            return ""
        come = f"{ready} entrant has" if ready == 1 else f"{ready} entrants have"
        return f"{come} checked in, and it needs {seats}"

    def _say(self, text: str) -> None:
        if text != self._said:
            self._said = text
            _logger.warning("%s", text)

    def _begin(self) -> None:
        ready = [entrant.name for entrant in self.event.active if entrant.checked_in]
        late = [entrant.name for entrant in self.event.active if not entrant.checked_in]
        fixed = self.entry.rules.format is not EventFormat.SWISS
        self._store.begin_event(self.row.id, ready, [(name, NOT_CHECKED_IN) for name in late] if fixed else [])
        self._grace_from = self._now()
        self._reload()

    def _reload(self) -> None:
        with self._store.explained():
            self.event = load(self._store, self.row.id)
        self._held = self.event.paused

    def _forfeit(self, at: int) -> None:
        """Store the games to which bots did not come in time, or do not come because they are out."""
        patience = round(self.entry.grace * SECOND)
        for task in tuple(self._waiting):
            names = task.plan.players
            out = [name for name in names if (found := self.event.entrant(name)) and found.out_before is not None]
            missing = [name for name in names if name in self._away]
            deadlines = [max(self._away[name], self._grace_from) + patience for name in missing]
            late = bool(missing) and max(deadlines) <= min(at, self._seen)
            absent = [name for name in names if name in out or (late and name in missing)]
            if absent:
                self._store.forfeit(task.group.id, absent)
                self._waiting.remove(task)
                _logger.info("event %s: %s did not come to its table", self.season, ", ".join(absent))

    async def _go_on(self, changed: Callable[[], None], at: int) -> None:
        """Nothing is being played: go on with what is stored and not over, or plan what comes next."""
        self._reload()
        tasks = self._unfinished()
        if tasks:
            self._grace_from = max(self._grace_from, at)
            self._queue(tasks)
            changed()
            return
        self._rests_until = at + LOOK
        if self._awaited(at):
            return
        acts = self._acts
        here = frozenset(name for name in self.event.names if self._arrived(name))
        step = await self._plan(here)
        if self._acts == acts and step is not None:
            self._take(step)
            self._rests_until = 0
            changed()

    def _unfinished(self) -> list[Task]:
        """The games that are stored and not over, as matches."""
        with self._store.explained():
            groups = {group.number: group for group in self._store.groups(self.pool.id)}
            results = {result.group: result for result in self._store.results(self.pool.id)}
        (entry,) = (entry for entry, _ in self.schedule.pools)
        tasks = []
        for game in self.event.games():
            if game.over:
                continue
            result = results.get(game.group)
            attempt = 0 if result is None else result.attempt + 1
            tasks.append(self.schedule.task(entry, self.pool, groups[game.group], 0, attempt))
        return tasks

    def _awaited(self, at: int) -> bool:
        """Whether a Swiss round waits for bots that were there in the round before, and may still come."""
        if self.entry.rules.format is not EventFormat.SWISS:
            return False
        patience = round(self.entry.grace * SECOND)
        last = self.event.rounds[-1] if self.event.rounds else None
        for entrant in self.event.active:
            name = entrant.name
            since = self._away.get(name)
            expected = entrant.entered is not None and (last is None or not last.misses(name))
            leaves = self.entry.withdrawals.get(name, 1 << 30) <= len(self.event.rounds) + 1
            if name in self._local or since is None or not expected or leaves:
                continue
            if max(since, self._grace_from) + patience > min(at, self._seen):
                return len(self.event.rounds) < self.entry.rules.rounds
        return False

    async def _plan(self, here: frozenset[str]) -> NextStep | None:
        if len(self.event.entrants) <= (IN_LOOP if self.entry.rules.seats == 2 else MORE_IN_LOOP):
            return next_step(self.event, here, self.entry.withdrawals)
        try:
            return await trio.to_thread.run_sync(
                _plan_apart, self.event, here, self.entry.withdrawals, abandon_on_cancel=True
            )
        except BrokenExecutor:
            _logger.warning("the process that pairs the next round has died; another one is started")
            return None

    def _take(self, step: NextStep) -> None:
        """Store what was planned."""
        row = self._store.event(self.row.id)
        if row is None:
            raise RuntimeError("the event is stored when its season is opened")
        if isinstance(step, EventOver):
            self._store.end_event(row.season, len(self.event.rounds) + 1, step.outs)
        elif isinstance(step, NewGames):
            self._store.add_games(row, len(self.event.rounds), _planned(step.games), self.schedule.builds)
        else:
            self._add_round(row, step)
        self._grace_from = max(self._grace_from, self._now())
        self._reload()

    def _add_round(self, row: EventRow, step: NewRound) -> None:
        places = [PlaceRow(step.number, name, "table", table.number) for table in step.tables for name in table.bots]
        places += [PlaceRow(step.number, bye.bots[0], "bye", bye.number) for bye in step.byes]
        places += [PlaceRow(step.number, name, "missed", None) for name in step.missed]
        self._store.add_round(row, step.number, places, _planned(step.games), step.outs, self.schedule.builds)
        for out in step.outs:
            _logger.info("event %s: %s is out: %s", self.season, out.name, out.reason)

    # What the organiser sees and does: see `EventDesk`. Each act is stored when its call returns.

    def status(self) -> EventStatus:
        """The event as it stands, results of games that ended meanwhile included."""
        self._reload()
        event, start = self.event, self.entry.start
        total = points(event)
        last = event.rounds[-1] if event.rounds else None
        return EventStatus(
            name=self.season,
            game=self.pool.game,
            seats=event.rules.seats,
            format=event.rules.format.value,
            state=event.state,
            paused=event.paused,
            start=start.isoformat() if isinstance(start, datetime) else start,
            round=0 if last is None else last.number,
            rounds=round_count(event),
            entrants=tuple(
                EntrantStatus(
                    name=entrant.name,
                    seed=entrant.seed,
                    present=self._arrived(entrant.name),
                    checked_in=entrant.checked_in,
                    points=float(total[entrant.name]),
                    out=entrant.reason if entrant.out_before is not None else "",
                )
                for entrant in event.entrants
            ),
            tables=tuple(
                TableStatus(bots=table.bots, games=len(table.games), over=sum(game.over for game in table.games))
                for table in (() if last is None else last.tables)
            ),
            byes=() if last is None else last.byes,
        )

    def start(self, actor: str = ORGANISER) -> None:
        """Begin now, also before the start that the ladder file names."""
        if self.event.state != "waiting":
            raise BadSetting(
                f"event {self.season!r} {'is over' if self.event.state == 'over' else 'has begun already'}"
            )
        self._check_in()
        if self._too_few():
            raise BadSetting(f"event {self.season!r} cannot begin: {self._too_few()}")
        self._act(actor, "start")
        self._begin()

    def pause(self, actor: str = ORGANISER) -> None:
        """Open no table and pair no round until `resume`; tables that are open are played to their end."""
        if self.event.state == "over" or self.event.paused:
            raise BadSetting(f"event {self.season!r} is {'paused already' if self.event.paused else 'over'}")
        self._act(actor, "pause")
        with self._store.transaction():
            self._store.pause_event(self.row.id, True)
            self._store.pause_pools([self.pool.id], True)
        self._reload()

    def resume(self, actor: str = ORGANISER) -> None:
        """Go on after `pause`; bots that are away have the whole grace again."""
        if not self.event.paused:
            raise BadSetting(f"event {self.season!r} is not paused")
        self._act(actor, "resume")
        with self._store.transaction():
            self._store.pause_event(self.row.id, False)
            self._store.pause_pools([self.pool.id], False)
        self._grace_from = self._now()
        self._reload()

    def withdraw(self, actor: str, name: str) -> None:
        """Take a bot out: tables that are open are played on, what it has not begun is forfeited."""
        entrant = self.event.entrant(name)
        if entrant is None:
            raise UnknownName.of(f"entrant of event {self.season!r}", name, self.event.names)
        if self.event.state == "over":
            raise BadSetting(f"event {self.season!r} is over")
        if entrant.out_before is not None:
            raise BadSetting(f"{name} is out of event {self.season!r} already: {entrant.reason}")
        self._act(actor, "withdraw", name)
        self._store.withdraw(self.row.id, name, len(self.event.rounds) + 1, BY_ORGANISER)
        self._reload()

    def _act(self, actor: str, action: str, detail: str = "") -> None:
        self._acts += 1
        self._store.audit(actor, f"event {action}", self.season, detail)

    def hold(self, pools: frozenset[int]) -> None:
        """A pause of the event's pool is one of the event: no bot misses anything meanwhile."""
        paused = self.pool.id in pools
        if paused != self.event.paused and self.event.state != "over":
            self._store.pause_event(self.row.id, paused)
            self._grace_from = self._now()
            self._reload()

    def can_void(self, match: PlacedMatch, *, again: bool) -> None:
        """Raise BadSetting for a match on whose result a later round was paired."""
        if self.event.state == "over":
            raise BadSetting(f"event {self.season!r} is over: its result stands")
        last = self.event.rounds[-1] if self.event.rounds else None
        groups = set() if last is None else {game.group for table in last.tables for game in table.games}
        if match.number not in groups:
            raise BadSetting(f"match {match.id} is of an earlier round, and later ones were paired on its result")

    def voided(self, match: PlacedMatch, *, again: bool) -> None:
        """A match does not count any more; `again`: the match is to be played again before the next round."""
        self._acts += 1
        self.matches.recount(self.pool.id)
        self._drop(match)
        self._reload()


def _place(seeds: tuple[str, ...], name: str) -> int:
    return seeds.index(name) if name in seeds else len(seeds)


def _planned(games: tuple[NewGame, ...]) -> list[PlannedGame]:
    return [PlannedGame(game.table, game.players, game.absent) for game in games]


def _plan_apart(event: Tournament, here: frozenset[str], leaving: Mapping[str, int]) -> NextStep | None:
    """`next_step` in a process of its own, so that a large pairing does not hold the referee's loop."""
    with ProcessPoolExecutor(
        1, mp_context=get_context("spawn"), initializer=end_with_parent, initargs=(os.getpid(),)
    ) as process:
        return process.submit(next_step, event, here, dict(leaving)).result()
