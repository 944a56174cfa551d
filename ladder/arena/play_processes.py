"""Matches in which at least one bot is a process of its own: a referee on a unix socket, every seat a process.

Bots that could play in this process are started as processes too (`kumite join`), so that all seats meet the same
referee under the same clock. The referee runs in a thread of this process, plays as many matches at a time as there
are cores, and keeps the bots' processes for further matches (`ladder.arena.bot_processes`). Processes of matches that
wait for their turn are started meanwhile.
"""

from __future__ import annotations

import itertools
import os
import threading
from collections.abc import Sequence
from concurrent.futures import Future, wait
from dataclasses import dataclass, field, replace
from functools import partial
from multiprocessing.util import Finalize

import trio

from ladder.arena.bot_processes import BotProcess, BotProcesses, ProcessTokens, absent
from ladder.arena.entrants import Entrant
from ladder.arena.seat_logs import MatchOutput
from ladder.store.records import Printed
from referee.hosting import owned
from referee.kernel.errors import BadSetting
from referee.match.clock import TimeControl
from referee.match.outputs import Settled
from referee.match.plan import MatchPlan
from referee.match.record import Final, Header, Record, SeatUsage, Step
from referee.transport import bridge as bridges
from referee.transport.server import Config, Server, open_server

CLOCK = TimeControl.parse("60s+500ms/30s")
"""The clock of a hosted match for which none was named: a process needs one."""
LOOK_SECONDS = 1.0
"""Time between two looks whether the referee is still there to play a match."""
CLOSING_SECONDS = 10.0
"""Time that the referee has to end all its processes."""


@dataclass(slots=True)
class Memory:
    """The record of one match, in memory."""

    header: Header | None = None
    steps: list[Step] = field(default_factory=list)
    final: Final | None = None

    def record(self) -> Record:
        """Everything that was told."""
        if self.header is None:
            raise BadSetting("the match did not begin")
        return Record(self.header, tuple(self.steps), self.final)


class Memories:
    """A recorder that keeps every match in memory until its record is taken."""

    def __init__(self) -> None:
        self._matches: dict[str, Memory] = {}
        self.outputs: dict[str, MatchOutput] = {}
        """By match: told what happens in it, before its players are."""

    def begin(self, header: Header, secret: bytes) -> None:
        """A match begins."""
        self._matches[header.match] = Memory(header)

    def step(self, match: str, step: Step) -> None:
        """A match has moved on."""
        self._matches[match].steps.append(step)
        if match in self.outputs:
            self.outputs[match].stepped(step)

    def end(self, match: str, final: Final) -> Settled:
        """A match is over."""
        memory = self._matches[match]
        memory.final = final
        if match in self.outputs:
            self.outputs[match].ended()
        return Settled(memory.record().last_hash())

    def begun(self, match: str) -> bool:
        """Whether a match has begun."""
        return match in self._matches

    def take(self, match: str) -> Record:
        """The record of a match, which is forgotten here; raises BadSetting if the match did not begin."""
        return self._matches.pop(match, Memory()).record()


Outcome = tuple[Record, Printed]
"""The record of a match, and what its bots printed."""


class HostedReferee:
    """A referee for bots that are processes, in a thread of this process. Its methods may be called from any thread."""

    def __init__(self, at_a_time: int | None = None) -> None:
        """`at_a_time`: matches that are played at a time; None: as many as there are cores."""
        self._at_a_time = at_a_time or os.cpu_count() or 1
        self._memories = Memories()
        self._bridge: bridges.Bridge | None = None
        self._nursery: trio.Nursery | None = None
        self._server: Server | None = None
        self._processes: BotProcesses | None = None
        self._playing: trio.CapacityLimiter | None = None
        self._closing: trio.Event | None = None
        self._opened = threading.Event()
        self._failure: BaseException | None = None
        self._thread = threading.Thread(target=self._run, name="kumite-hosted", daemon=True)
        self._thread.start()
        self._opened.wait()
        if self._failure is not None:
            raise self._failure

    def play(self, plan: MatchPlan, entrants: Sequence[Entrant]) -> Outcome:
        """Play one match between processes of these bots; raises BadSetting if one of them does not come."""
        bridge = self._bridge
        if bridge is None or not self._thread.is_alive():
            raise BadSetting("the referee of the hosted bots has ended")
        outcome: Future[Outcome] = Future()
        begin = partial(self._begin, plan, tuple(entrants), outcome)
        try:
            bridge.loop.call_soon_threadsafe(begin)
        except RuntimeError:
            raise BadSetting("the referee of the hosted bots has ended") from None
        while not wait([outcome], LOOK_SECONDS).done:
            if not self._thread.is_alive() and not outcome.done():
                raise BadSetting("the referee of the hosted bots has ended")
        return outcome.result()

    def close(self) -> None:
        """End every process and the referee."""
        bridge, closing = self._bridge, self._closing
        if bridge is not None and closing is not None and self._thread.is_alive():
            bridge.loop.call_soon_threadsafe(closing.set)
        self._thread.join(CLOSING_SECONDS)

    def _run(self) -> None:
        try:
            bridges.run(self._main, signals=False)
        except BaseException as error:
            if self._opened.is_set():
                raise
            self._failure = error
        finally:
            self._opened.set()

    async def _main(self, bridge: bridges.Bridge) -> None:
        with owned.folder() as folder:
            address = f"unix:{folder / 'play.sock'}"
            tokens = ProcessTokens()
            config = Config(bind=(), play_socket=address, recorder=self._memories, directory=tokens, usage=self._used)
            async with open_server(bridge, config) as server, trio.open_nursery() as nursery:
                self._server, self._nursery, self._bridge = server, nursery, bridge
                self._processes = BotProcesses(nursery, server, tokens, address, folder)
                self._playing = trio.CapacityLimiter(self._at_a_time)
                self._closing = trio.Event()
                nursery.start_soon(self._processes.end_idle)
                self._opened.set()
                await self._closing.wait()
                nursery.cancel_scope.cancel()

    def _used(self, name: str) -> SeatUsage | None:
        return None if self._processes is None else self._processes.usage(name)

    def _begin(self, plan: MatchPlan, entrants: tuple[Entrant, ...], outcome: Future[Outcome]) -> None:
        if self._nursery is None or self._closing is None or self._closing.is_set():
            outcome.set_exception(BadSetting("the referee of the hosted bots has ended"))
            return
        self._nursery.start_soon(self._settle, plan, entrants, outcome)

    async def _settle(self, plan: MatchPlan, entrants: tuple[Entrant, ...], outcome: Future[Outcome]) -> None:
        """Play a match and settle its future, with the outcome or with the error."""
        try:
            played = await self._play(plan, entrants)
        except Exception as error:
            outcome.set_exception(_alone(error))
        except BaseException:  # cancelled: one Cancelled, or a group of them
            outcome.set_exception(BadSetting("the referee of the hosted bots was closed before the match was over"))
            raise
        else:
            outcome.set_result(played)

    async def _play(self, plan: MatchPlan, entrants: tuple[Entrant, ...]) -> Outcome:
        processes, server, playing = self._processes, self._server, self._playing
        if processes is None or server is None or playing is None:
            raise RuntimeError("the referee is not open")
        taken: list[BotProcess | None] = [None] * len(entrants)
        output = self._memories.outputs[plan.match] = MatchOutput()
        problems: list[BadSetting] = []

        async def take(seat: int, entrant: Entrant) -> None:
            try:
                taken[seat] = await processes.take(entrant, plan.secret)
            except BadSetting as error:
                problems.append(error)

        try:
            async with trio.open_nursery() as nursery:
                for seat, entrant in enumerate(entrants):
                    nursery.start_soon(take, seat, entrant)
            if problems:
                raise problems[0]
            seated = [process for process in taken if process is not None]
            async with playing:
                output.begin(seated)
                await self._arrange(server, plan, seated)
            record = self._memories.take(plan.match)
            await output.last_words(record, development=plan.policy.development)
            return record, output.close()
        finally:
            self._memories.outputs.pop(plan.match, None)
            output.close()
            for process in taken:
                if process is not None:
                    processes.give_back(process)

    async def _arrange(self, server: Server, plan: MatchPlan, seated: Sequence[BotProcess]) -> None:
        """Play a match to its end; a process that ends before it loses its seat, one that is not there ends it."""
        problems: list[BadSetting] = []
        async with trio.open_nursery() as nursery:

            async def watch(process: BotProcess) -> None:
                if process.bot is None:
                    return
                await process.bot.wait()
                session = server.connections.session(process.name)
                if session is None or not self._memories.begun(plan.match):
                    problems.append(absent(process))
                    nursery.cancel_scope.cancel()
                else:
                    session.crashed(process.end(), server.now(), for_good=True)

            async def expect() -> None:
                await trio.sleep(max(process.manifest.limits.start_seconds for process in seated))
                if not self._memories.begun(plan.match):
                    away = [process for process in seated if not _present(server, process)]
                    problems.append(absent(away[0] if away else seated[0]))
                    nursery.cancel_scope.cancel()

            for process in seated:
                nursery.start_soon(watch, process)
            nursery.start_soon(expect)
            await server.lobby.arrange(plan, tuple(process.name for process in seated))
            nursery.cancel_scope.cancel()
        if problems:
            for process in seated:
                process.leave.set()
            raise problems[0]


def _present(server: Server, process: BotProcess) -> bool:
    session = server.connections.session(process.name)
    return session is not None and session.present


def _alone(error: Exception) -> Exception:
    """The error of a match, without the groups in which nurseries wrap it."""
    while isinstance(error, ExceptionGroup) and len(error.exceptions) == 1:
        error = error.exceptions[0]
    return error


_lock = threading.Lock()
_shared: list[HostedReferee] = []


def shared(at_a_time: int | None = None) -> HostedReferee:
    """The hosted referee of this process; opened with the first call, closed when the process ends.

    `at_a_time` counts if this call opens it: matches that are played at a time, None: as many as there are cores.
    """
    with _lock:
        if not _shared:
            _shared.append(HostedReferee(at_a_time))
            Finalize(None, close, exitpriority=100)
        return _shared[0]


def close() -> None:
    """End the hosted referee of this process, if there is one, and all its bots."""
    with _lock:
        while _shared:
            _shared.pop().close()


def play_hosted(
    plan: MatchPlan,
    entrants: Sequence[Entrant],
    *,
    referee: HostedReferee | None = None,
    printed: Printed | None = None,
) -> Record:
    """Play one match between processes and return its record; raises BadSetting if a bot does not come.

    Every seat has a process of its own, also where a name stands several times: one process at two seats would see two
    hands. The later ones get numbers. `printed` gets what the bot of each seat printed.
    """
    clock = CLOCK if plan.clock.unlimited else plan.clock
    hosted = replace(plan, players=tuple(numbered(plan.players)), clock=clock)
    record, found = (referee or shared()).play(hosted, entrants)
    if printed is not None:
        printed.logs, printed.at_fault = found.logs, found.at_fault
    return record


def numbered(names: Sequence[str]) -> list[str]:
    """The names, each once: `old`, `old+2`, `old+3`."""
    distinct: list[str] = []
    for name in names:
        choices = itertools.chain([name], (f"{name}+{number}" for number in itertools.count(2)))
        distinct.append(next(choice for choice in choices if choice not in distinct))
    return distinct
