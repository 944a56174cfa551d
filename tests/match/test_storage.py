"""Storing that fails for a while: nothing unstored is told, all clocks stand, and play goes on exactly where it was."""

from __future__ import annotations

import logging
from collections.abc import Awaitable, Callable

import pytest
import trio
from hypothesis import given, settings
from hypothesis import strategies as st
from trio.testing import MockClock

from referee.kernel.errors import StorageTrouble
from referee.match.clock import SECOND
from referee.match.match import Match
from referee.match.outputs import Asked, Ended, Output, Paused, Seated, Settled, Verdict
from referee.match.playtime import PlayTime
from referee.match.policy import EndingKind
from referee.match.record import Final, Header, Record, Step
from referee.match.storage import Storage
from referee.match.table import RunningTable, microseconds
from referee.match.verify import verify
from tests.match.tables import new_match
from tests.match.toy import GAME


class Disk:
    """A recorder on a disk that is full at certain attempts to write."""

    def __init__(self, fails: Callable[[int], bool] = lambda attempt: False) -> None:
        self.fails = fails
        self.attempts = 0
        self.tried_at: list[float] = []
        self.begun: list[str] = []
        self.steps: dict[str, list[Step]] = {}
        self.finals: dict[str, Final] = {}

    def _write(self) -> None:
        self.attempts += 1
        self.tried_at.append(trio.current_time())
        if self.fails(self.attempts):
            raise StorageTrouble("no room")

    def begin(self, header: Header, secret: bytes) -> None:
        self._write()
        self.begun.append(header.match)
        self.steps[header.match] = []

    def step(self, match: str, step: Step) -> None:
        self._write()
        self.steps[match].append(step)

    def end(self, match: str, final: Final) -> Settled:
        self._write()
        assert match not in self.finals
        self.finals[match] = final
        return Settled("hash")


class Bot:
    """A player that answers after a time to think, and notes what it is told and how much was stored then."""

    def __init__(self, seat: int, disk: Disk, nursery: trio.Nursery, thinks: float = 0.0) -> None:
        self.seat = seat
        self.thinks = thinks
        self.table: RunningTable
        """Set by `seat_bots`."""
        self.outputs: list[Output] = []
        self.stored: list[int] = []
        self._disk = disk
        self._nursery = nursery

    def send(self, output: Output) -> None:
        match = self.table.match.terms.match
        self.outputs.append(output)
        if isinstance(output, Ended):
            assert self._disk.finals[match] == output.final
        elif isinstance(output, Seated):
            assert match in self._disk.begun
            self.table.ready(self.seat, self.table.now())
        elif isinstance(output, Asked):
            self.stored.append(len(self._disk.steps[match]))
            self._nursery.start_soon(self._answer, output.ask)

    async def _answer(self, ask: int) -> None:
        await trio.sleep(self.thinks)
        self.table.answer(self.seat, ask, 0, self.table.now())


def seat_bots(match: Match, disk: Disk, nursery: trio.Nursery, storage: Storage, *thinks: float) -> list[Bot]:
    """A table of such bots at a referee with this storage, not yet running."""
    bots = [Bot(seat, disk, nursery, time) for seat, time in enumerate(thinks)]
    table = RunningTable(match, bots, disk, storage._time, storage=storage)
    for bot in bots:
        bot.table = table
    return bots


def on_virtual_time(main: Callable[[], Awaitable[None]]) -> None:
    """Run on a clock that jumps over every wait."""
    trio.run(main, clock=MockClock(autojump_threshold=0))


def check(match: Match, disk: Disk) -> None:
    """The stored record is whole and holds."""
    name = match.terms.match
    verify(Record(match.terms, tuple(disk.steps[name]), disk.finals[name]), GAME)


@given(st.sets(st.integers(1, 60), max_size=30), st.integers(1, 3))
@settings(max_examples=60, deadline=None)
def test_whichever_writes_fail_the_match_is_the_same(failing: set[int], seats: int) -> None:
    """Steps, times, result and what every bot is told are those of a disk that never fails."""

    async def play(disk: Disk) -> tuple[list[Step], Final, list[list[Output]], list[list[int]]]:
        storage = Storage(PlayTime(microseconds))
        match = new_match(seats)
        async with trio.open_nursery() as nursery:
            bots = seat_bots(match, disk, nursery, storage, *(0.5 * seat for seat in range(seats)))
            final = await bots[0].table.run()
        check(match, disk)
        assert storage.trouble is None
        heard = [
            [output._replace(deadline=None, at=0) if isinstance(output, Asked) else output for output in bot.outputs]
            for bot in bots
        ]
        return disk.steps[match.terms.match], final, heard, [bot.stored for bot in bots]

    async def main() -> None:
        assert await play(Disk(failing.__contains__)) == await play(Disk())

    on_virtual_time(main)


def test_all_tables_stand_while_one_cannot_store() -> None:
    """No clock of any match runs for an hour of trouble, one attempt is made a second, and no seat is late."""

    async def main() -> None:
        time = PlayTime(microseconds)
        storage = Storage(time)
        disk = Disk()
        matches = [new_match(2, seed=str(number)) for number in range(5)]
        async with trio.open_nursery() as nursery:
            for match in matches:
                bots = seat_bots(match, disk, nursery, storage, 1.0, 2.0)
                nursery.start_soon(bots[0].table.run)
            await trio.sleep(1.5)
            disk.fails = lambda attempt: trio.current_time() < 3600
            await trio.sleep(3000)
            stored = [len(steps) for steps in disk.steps.values()]
            stood = time()

            await trio.sleep(590)

            assert [len(steps) for steps in disk.steps.values()] == stored
            assert time() == stood
            assert storage.trouble is not None
        for match in matches:
            check(match, disk)
            assert [ending.faults for ending in disk.finals[match.terms.match].endings] == [0, 0]
            assert all(spent <= 2 * SECOND for step in disk.steps[match.terms.match] for spent in step.spent.values())
        tries = [at for at in disk.tried_at if 100 <= at < 3600]
        assert 3490 <= len(tries) <= 3510

    on_virtual_time(main)


def test_the_trouble_is_told_once_in_the_log_and_once_to_each_bot(caplog: pytest.LogCaptureFixture) -> None:
    """One line when it begins and one when it is over, however many matches stand; open asks come again afterwards."""

    async def main() -> None:
        storage = Storage(PlayTime(microseconds))
        told: list[bool] = []
        storage.serving = told.append
        disk = Disk()
        async with trio.open_nursery() as nursery:
            everyone = []
            for number in range(20):
                bots = seat_bots(new_match(2, seed=str(number)), disk, nursery, storage, 0.1, 4.0)
                everyone.append(bots)
                nursery.start_soon(bots[0].table.run)
            tables = [bots[0].table for bots in everyone]

            def pause() -> None:
                for table in tables:
                    table.pause()

            def go_on() -> None:
                for table in tables:
                    table.go_on()

            storage.lasting, storage.passed = pause, go_on
            await trio.sleep(0.05)
            disk.fails = lambda attempt: trio.current_time() < 3
            nursery.start_soon(seat_bots(new_match(1), disk, nursery, storage, 0.1)[0].table.run)
            await trio.sleep(3.9)

            assert told == [False, True]
            for bots in everyone:
                asked = [output.ask for output in bots[1].outputs if isinstance(output, Asked)]
                assert [type(output) for output in bots[1].outputs].count(Paused) == 1
                assert asked == [1, 1]

    with caplog.at_level(logging.INFO):
        on_virtual_time(main)

    assert len([line for line in caplog.records if line.name == "referee.match.storage"]) == 2


def test_an_end_that_is_not_stored_is_told_to_no_one() -> None:
    """Neither to the players nor to one who comes back, and the table is not over before."""

    async def main() -> None:
        storage = Storage(PlayTime(microseconds))
        disk = Disk()
        match = new_match(2)
        async with trio.open_nursery() as nursery:
            bots = seat_bots(match, disk, nursery, storage, 0.1, 0.1)
            table = bots[0].table
            done = trio.Event()

            async def run() -> None:
                await table.run()
                done.set()

            nursery.start_soon(run)
            await trio.sleep(0.05)
            disk.fails = lambda attempt: match.over
            await trio.sleep(60)
            table.gone(0, table.now())
            table.back(0, table.now())

            assert match.over
            assert not done.is_set()
            assert not any(isinstance(output, Ended) for bot in bots for output in bot.outputs)
            disk.fails = lambda attempt: False
            await done.wait()
            assert [isinstance(bot.outputs[-1], Ended) for bot in bots] == [True, True]
        check(match, disk)

    on_virtual_time(main)


def test_a_match_that_cannot_be_begun_waits() -> None:
    """No seat is offered before the header is stored, and none is never ready because of that."""

    async def main() -> None:
        disk = Disk(lambda attempt: trio.current_time() < 100)
        match = new_match(2)
        async with trio.open_nursery() as nursery:
            bots = seat_bots(match, disk, nursery, Storage(PlayTime(microseconds)), 0.1, 0.1)
            table = bots[0].table
            nursery.start_soon(table.run)
            await trio.sleep(50)
            assert [bot.outputs for bot in bots] == [[], []]
        assert [ending.kind for ending in disk.finals[match.terms.match].endings] == [EndingKind.FINISHED] * 2
        check(match, disk)

    on_virtual_time(main)


def test_a_table_that_is_stopped_in_the_trouble_has_told_nothing() -> None:
    """An abort cannot be stored either."""

    async def main() -> None:
        disk = Disk()
        async with trio.open_nursery() as nursery:
            bots = seat_bots(new_match(2), disk, nursery, Storage(PlayTime(microseconds)), 0.1, 0.2)
            table = bots[0].table
            nursery.start_soon(table.run)
            await trio.sleep(0.05)
            disk.fails = lambda attempt: True
            await trio.sleep(10)
            before = [len(bot.outputs) for bot in bots]
            table.abort(table.now(), "stopped")
            await trio.sleep(10)
            assert [len(bot.outputs) for bot in bots] == before
            assert table.answer(0, 1, 0, table.now()) is not Verdict.ACCEPTED
            nursery.cancel_scope.cancel()

    on_virtual_time(main)
