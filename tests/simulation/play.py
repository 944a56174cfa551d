"""Plays the world of a seed to its end, and says what went wrong, if anything did."""

from __future__ import annotations

import gc
import logging
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, MutableSequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import partial
from random import Random

import trio
from trio._core import _run as trio_scheduler

from referee.kernel.errors import KumiteError
from referee.transport import stream
from tests.simulation import toy_wire
from tests.simulation.checks import Checks
from tests.simulation.machine import Machine, Mind
from tests.simulation.minds import KitMind, LeanMind
from tests.simulation.network import Stream
from tests.simulation.referee_process import TICK, Entrants, RefereeProcess
from tests.simulation.scenario import Scenario, scenario
from tests.simulation.storage import Storage
from tests.simulation.world import SECOND, JumpingClock, Killed, World, Wrong

CALM = 200 * SECOND
"""Microseconds after the last end within which every seat that is owed its end has been told it."""
PINGS_EVERY = 4
"""In one world of so many a new stream is measured by as many pings as the referee wants; otherwise by one.

Measuring is half of all messages where streams break often, and hardly ever what fails.
"""
FIRST_PINGS = stream.PINGS_AT_ONCE
COLLECT_EVERY = 100
"""Worlds between two collections of garbage, which take a tenth of the time if left to Python."""
_MAIN = "tests.simulation.play.play_all.<locals>.main"
"""The name of the task that moves time on."""


class Failure(Exception):
    """A world in which something went wrong; the message says what, and how to see it again."""


@dataclass(slots=True)
class Outcome:
    """What came of worlds."""

    worlds: int = 0
    matches: int = 0
    injected: Counter[str] = field(default_factory=Counter)
    """Faults of transport, storage and processes, by kind."""
    recorded: Counter[str] = field(default_factory=Counter)
    """What the records say: steps, stand-ins, faults by kind, endings."""

    def add(self, other: Outcome) -> None:
        """Count what came of other worlds as well."""
        self.worlds += other.worlds
        self.matches += other.matches
        self.injected += other.injected
        self.recorded += other.recorded


class Simulation:
    """One world: its referee, its bots and what is known about both."""

    def __init__(self, plan: Scenario, world: World) -> None:
        self.plan = plan
        self.odds = plan.odds
        self.world = world
        self.storage = Storage()
        names = sorted(plan.manners)
        self.entrants = Entrants(names)
        self.checks = Checks(self)
        self.lives: list[int] = []
        """When each run of the referee began."""
        self.machines = {
            name: Machine(self, name, plan.manners[name], f"bearer-{name}" if plan.closed else "") for name in names
        }
        self.referee: RefereeProcess
        self._nursery: trio.Nursery | None = None
        self._calm_until = 0
        # A bot whose first welcome is lost at a referee without tokens cannot prove who it is: that is known.
        self.world.shielded = plan.gentle and not plan.closed

    async def run(self) -> None:
        """Play to the end; raises Wrong."""
        async with trio.open_nursery() as nursery:
            self._nursery = nursery
            self._start_referee()
            self.world.later(TICK, self._tick)
            for machine in self.machines.values():
                self.world.later(self.world.rng.randint(0, SECOND), machine.start)
            await self.world.run(self._done)
            self.checks.finish()
            nursery.cancel_scope.cancel()

    def at_referee(self, action: Callable[[], None]) -> None:
        """Let the referee do something that may kill it."""
        try:
            action()
        except Killed:
            self.kill_referee()

    def message_fault(self, stream: Stream) -> Callable[[], None] | None:
        """What goes wrong at a message, if anything does."""
        world, odds, machine = self.world, self.odds, stream.machine
        if world.fails(odds.cut, "stream cut"):
            return stream.cut
        if world.fails(odds.bot_killed, "bot killed"):
            return machine.die
        if world.fails(odds.referee_killed, "referee killed at a message"):
            return self.kill_referee
        all_begun = len(self.storage.matches) == len(self.plan.openings)  # else they would never begin
        if all_begun and world.fails(odds.revoked, "token revoked"):
            return partial(self.entrants.revoke, machine.name)
        return None

    def kill_referee(self) -> None:
        """Kill the referee's process, and start the next after a while."""
        if self.referee.buried:
            return
        self.world.say("the referee is dead")
        self.referee.kill()
        for open_stream in self.referee.streams:
            open_stream.referee_died()
        rng = self.world.rng
        self.world.later(rng.choice((SECOND // 20, SECOND, rng.randint(0, 20 * SECOND))), self._start_referee)

    def machine_welcomed(self) -> None:
        """A bot has read its first welcome."""
        if all(machine.welcomed is not None for machine in self.machines.values()):
            self.world.shielded = False

    def mind(self, machine: Machine, token: str) -> Mind:
        """What a new process of a bot runs."""
        name = "" if self.plan.closed else machine.name
        return (KitMind if machine.manners.kit else LeanMind)(machine, name, token)

    def _start_referee(self) -> None:
        if self._nursery is None:
            raise RuntimeError("the world does not run")
        self.world.say(f"referee {len(self.lives)} starts")
        try:
            self.referee = RefereeProcess(self.world, self.plan, self.storage, len(self.lives), self.entrants)
        except KumiteError as error:
            raise Wrong(f"the referee cannot start again: {error}") from error
        self.lives.append(self.world.now())
        self._nursery.start_soon(self._run_referee, self.referee)

    async def _run_referee(self, referee: RefereeProcess) -> None:
        await referee.run()
        self.kill_referee()

    def _tick(self) -> None:
        if not self.referee.dead:
            self.at_referee(self.referee.tick)
        self.world.later(TICK, self._tick)

    def _done(self) -> bool:
        """Whether every match is over and every seat that is owed its end has been told it."""
        if not self.world.calm:
            if self.storage.ends < len(self.plan.openings):
                return False
            self.world.calm = True
            self.world.say("all matches are over")
            self._calm_until = self.world.now() + CALM
        owed = self.checks.untold()
        if owed and self.world.now() > self._calm_until:
            raise Wrong(f"seats that were never told their end: {', '.join(owed)}")
        return not owed and not self.referee.dead


def play(seed: int, trace: Callable[[str], None] | None = None) -> Outcome:
    """Play the world of a seed; raises Failure."""
    return play_all([seed], trace)


def play_all(seeds: Iterable[int], trace: Callable[[str], None] | None = None, matches: int | None = None) -> Outcome:
    """Play the worlds of some seeds, one after the other; raises Failure at the first in which something is wrong.

    `matches`: stop when there were so many.
    """
    clock = JumpingClock()
    whole = Outcome()

    async def main() -> None:
        for number, seed in enumerate(seeds):
            order.seed(seed)
            stream.PINGS_AT_ONCE = FIRST_PINGS if seed % PINGS_EVERY == 0 else 1
            if (number + 1) % COLLECT_EVERY == 0:
                gc.collect()
            simulation = Simulation(scenario(seed), World(seed, clock, trace))
            try:
                await simulation.run()
            except BaseExceptionGroup as group:
                found = _first(group)
                if isinstance(found, (KeyboardInterrupt, SystemExit, trio.Cancelled)):
                    raise
                raise Failure(f"seed {seed}: {found}\npython -m tests.simulation --seed {seed} --trace") from found
            played = len(simulation.storage.matches)
            whole.add(Outcome(1, played, simulation.world.injected, simulation.checks.recorded))
            if matches is not None and whole.matches >= matches:
                return

    with toy_wire.registered(), _repeatable() as order:
        trio.run(main, clock=clock)
    return whole


def _first(error: BaseException) -> BaseException:
    """The accusation in a group of exceptions, or else its first exception."""
    if not isinstance(error, BaseExceptionGroup):
        return error
    accused = error.subgroup(Wrong)
    return _first((accused or error).exceptions[0])


class TaskOrder(Random):
    """Draws the order in which trio runs the tasks of a batch: any, but the one that moves time on comes last.

    So it sees every task that is runnable, and time stands still while there is one.
    """

    def shuffle(self, x: MutableSequence[trio.lowlevel.Task]) -> None:
        """Shuffle tasks; trio runs them from the end of the list."""
        super().shuffle(x)
        for index, task in enumerate(x):
            if task.name == _MAIN:
                x[0], x[index] = x[index], x[0]


@contextmanager
def _repeatable() -> Iterator[TaskOrder]:
    """Let the order of trio's tasks come from a generator of our own; keep the referee's log silent."""
    before = trio_scheduler._ALLOW_DETERMINISTIC_SCHEDULING, trio_scheduler._r
    order = TaskOrder(0)
    trio_scheduler._ALLOW_DETERMINISTIC_SCHEDULING = True  # type: ignore[misc]
    trio_scheduler._r = order
    level = logging.root.manager.disable
    logging.disable(logging.CRITICAL)
    collecting = gc.isenabled()
    gc.disable()
    try:
        yield order
    finally:
        if collecting:
            gc.enable()
        stream.PINGS_AT_ONCE = FIRST_PINGS
        logging.disable(level)
        trio_scheduler._ALLOW_DETERMINISTIC_SCHEDULING, trio_scheduler._r = before  # type: ignore[misc]
