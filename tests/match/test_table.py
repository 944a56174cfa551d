"""The trio driver, on a clock that jumps: deadlines, order of storing and sending, failures that stay inside."""

from __future__ import annotations

import logging
import time
from collections.abc import Awaitable, Callable

import pytest
import trio
from trio.testing import MockClock

from referee.kernel.chance import secret_from_seed
from referee.kernel.errors import BadSetting, RulesBug
from referee.match.clock import NO_CLOCK, SECOND, TimeControl
from referee.match.match import Match
from referee.match.outputs import Asked, Ended, Faulted, Output, Seated, Settled, Shown, Verdict
from referee.match.policy import EndingKind, FaultKind, Owner, Policy
from referee.match.record import Final, Header, Record, Step
from referee.match.table import RunningTable, microseconds
from referee.match.verify import verify
from tests.match.tables import new_match
from tests.match.toy import GAME


class Diary:
    """What happened at a table, in order: stored steps and sent messages."""

    def __init__(self) -> None:
        self.lines: list[tuple[str, object]] = []
        self.steps: list[Step] = []
        self.final: Final | None = None

    def begin(self, header: Header, secret: bytes) -> None:
        self.lines.append(("begin", header))

    def step(self, match: str, step: Step) -> None:
        self.lines.append(("step", step.n))
        self.steps.append(step)

    def end(self, match: str, final: Final) -> Settled:
        self.lines.append(("end", final))
        self.final = final
        return Settled()


class Deaf:
    """A player that only listens."""

    def __init__(self, seat: int, diary: Diary) -> None:
        self.seat = seat
        self.outputs: list[Output] = []
        self.stored: list[int] = []
        """How many steps were stored when each ask arrived."""
        self.table: RunningTable | None = None
        self._diary = diary

    def send(self, output: Output) -> None:
        self.outputs.append(output)
        self._diary.lines.append(("send", output))
        if isinstance(output, Asked):
            self.stored.append(len(self._diary.steps))
        if self.table is not None:
            self.react(output, self.table)

    def react(self, output: Output, table: RunningTable) -> None:
        """Does nothing."""


class Quick(Deaf):
    """A player that answers while it is being told."""

    def react(self, output: Output, table: RunningTable) -> None:
        if isinstance(output, Seated):
            table.ready(self.seat, microseconds())
        elif isinstance(output, Asked):
            assert table.answer(self.seat, output.ask, 0, microseconds()) is Verdict.ACCEPTED


class Mute(Deaf):
    """Ready, and silent from then on."""

    def react(self, output: Output, table: RunningTable) -> None:
        if isinstance(output, Seated):
            table.ready(self.seat, microseconds())


def seat_players(match: Match, diary: Diary, *kinds: type[Deaf]) -> tuple[RunningTable, list[Deaf]]:
    """A table with a player of each kind."""
    players = [kind(seat, diary) for seat, kind in enumerate(kinds)]
    table = RunningTable(match, players, diary)
    for player in players:
        player.table = table
    return table, players


def on_virtual_time(main: Callable[[], Awaitable[None]]) -> None:
    """Run on a clock that jumps over every wait."""
    trio.run(main, clock=MockClock(autojump_threshold=0))


def test_a_match_of_quick_players_runs_to_its_end() -> None:
    """Players that answer inside `send` neither nest nor lose anything; the stored record verifies."""

    async def main() -> None:
        diary = Diary()
        table, players = seat_players(new_match(3), diary, Quick, Quick, Quick)
        final = await table.run()

        assert final == diary.final
        verify(Record(table.match.terms, tuple(diary.steps), final), GAME)
        assert [type(player.outputs[-1]) for player in players] == [Ended] * 3

    on_virtual_time(main)


def test_a_step_is_stored_before_its_consequences_are_sent() -> None:
    """When an ask is sent, the record holds every step before it and nothing more; the end is stored, then sent."""

    async def main() -> None:
        diary = Diary()
        table, players = seat_players(new_match(2), diary, Quick, Quick)
        await table.run()

        assert diary.lines[0][0] == "begin"
        for player in players:
            answered = [step.n for step in diary.steps if player.seat in step.answers]
            assert player.stored == answered
        assert [what for what, _ in diary.lines[-3:]] == ["end", "send", "send"]

    on_virtual_time(main)


def test_a_silent_player_is_late_at_its_deadline() -> None:
    """The table wakes up by itself; only the silent seat pays."""

    async def main() -> None:
        diary = Diary()
        table, players = seat_players(new_match(2, policy=Policy(faults=0)), diary, Quick, Mute)
        final = await table.run()

        assert abs(trio.current_time() - 5.1) < 0.001
        assert [(output.fault.kind) for output in players[1].outputs if isinstance(output, Faulted)] == [FaultKind.LATE]
        assert not any(isinstance(output, Faulted) for output in players[0].outputs)
        assert [ending.kind for ending in final.endings] == [EndingKind.FINISHED, EndingKind.FORFEITED]

    on_virtual_time(main)


def test_nobody_ready_ends_the_match_with_the_start_budget() -> None:
    """Thirty seconds, then it is over."""

    async def main() -> None:
        table, _ = seat_players(new_match(2), Diary(), Deaf, Deaf)
        final = await table.run()

        assert abs(trio.current_time() - 30) < 0.001
        assert [ending.kind for ending in final.endings] == [EndingKind.NEVER_READY] * 2

    on_virtual_time(main)


def test_answers_from_another_task_take_effect_at_once() -> None:
    """The verdict comes back from the call, and what follows has been sent when it returns."""

    async def main() -> None:
        table, players = seat_players(new_match(1), Diary(), Deaf)
        async with trio.open_nursery() as nursery:
            nursery.start_soon(table.run)
            await trio.testing.wait_all_tasks_blocked()
            table.ready(0, microseconds())
            await trio.sleep(1)
            verdict = table.answer(0, 1, 0, microseconds(), lag=10_000, queued=5, note="hm")
            last = players[0].outputs[-1]

            assert verdict is Verdict.ACCEPTED
            assert isinstance(last, Asked)
            assert last.timing == (990_000, 10_000, 5)
            table.malformed(0, microseconds(), "rubbish")
            assert isinstance(players[0].outputs[-1], Faulted)
            table.crashed(0, microseconds(), "dead")
            table.abort(microseconds(), "enough")
            assert isinstance(players[0].outputs[-1], Ended)

    on_virtual_time(main)


def test_a_deadline_that_moves_closer_wakes_the_table() -> None:
    """Without a clock nothing is due; a lost connection makes something due."""

    async def main() -> None:
        diary = Diary()
        table, players = seat_players(new_match(1, clock=NO_CLOCK, policy=Policy(faults=0)), diary, Mute)
        async with trio.open_nursery() as nursery:
            nursery.start_soon(table.run)
            await trio.sleep(3600)
            before = table.match.over
            table.gone(0, microseconds())
            await trio.sleep(31)
            assert (before, table.match.over) == (False, True)
        assert diary.steps[1].faults[0].kind == FaultKind.GONE
        assert not any(isinstance(output, Shown) for output in players[0].outputs)

    on_virtual_time(main)


def test_a_player_that_comes_back_is_sent_what_it_owes() -> None:
    """Its open ask while the match goes on, the end afterwards."""

    async def main() -> None:
        diary = Diary()
        table, (player,) = seat_players(new_match(1, policy=Policy(faults=0)), diary, Mute)
        async with trio.open_nursery() as nursery:
            nursery.start_soon(table.run)
            await trio.sleep(1)
            table.gone(0, microseconds())
            before = len(player.outputs)
            table.back(0, microseconds())

            assert [type(output) for output in player.outputs[before:]] == [Asked]
        before = len(player.outputs)
        table.back(0, microseconds())
        assert [type(output) for output in player.outputs[before:]] == [Ended]

    on_virtual_time(main)


def test_spectators_get_the_public_events_and_the_end() -> None:
    """One more player who is told what everybody may know, and asked nothing."""

    async def main() -> None:
        diary = Diary()
        players = [Quick(seat, diary) for seat in range(2)]
        public = Deaf(-1, diary)
        table = RunningTable(new_match(2, spectators=True), players, diary, spectators=public)
        for player in players:
            player.table = table
        await table.run()

        assert {type(output) for output in public.outputs} == {Shown, Ended}
        assert all(e.audience is None for o in public.outputs if isinstance(o, Shown) for e in o.events)

    on_virtual_time(main)


@pytest.mark.parametrize(("came", "verdict"), [(0, Verdict.ACCEPTED), (300_000, Verdict.STALE)])
def test_nobody_is_judged_late_while_answers_lie_unread(came: int, verdict: Verdict) -> None:
    """When the whole program stood still past a deadline, an answer that had come in time is looked at first."""

    async def main() -> None:
        clock = TimeControl.parse("10s/200ms")
        policy = Policy(lag_per_decision=0, lag_total=0)
        table, players = seat_players(new_match(2, clock=clock, policy=policy), Diary(), Mute, Mute)
        async with trio.open_nursery() as nursery:
            nursery.start_soon(table.run)
            while not players[0].stored:
                await trio.sleep(0)
            asked = microseconds()
            time.sleep(0.4)
            await trio.sleep(0.02)

            assert table.answer(0, 1, 0, asked + came) is verdict
            nursery.cancel_scope.cancel()

    trio.run(main)


def test_a_restored_match_is_played_on() -> None:
    """It is not begun again, and its players get their asks when they are back."""

    async def main() -> None:
        first = Diary()
        table, _ = seat_players(new_match(2), first, Quick, Quick)
        final = await table.run()
        stored = first.steps[:3]
        match = Match.restore(GAME, table.match.terms, secret_from_seed("toy"), stored, microseconds())
        diary = Diary()
        again, _ = seat_players(match, diary, Quick, Quick)
        async with trio.open_nursery() as nursery:
            nursery.start_soon(again.run)
            await trio.sleep(10)
            again.back(0, microseconds())
            again.back(1, microseconds())

        assert diary.lines[0][0] != "begin"
        assert diary.final is not None
        assert diary.final.result == final.result
        verify(Record(match.terms, (*stored, *diary.steps), diary.final), GAME)

    on_virtual_time(main)


class Buggy:
    """The toy game with a bug in its rules."""

    def __getattr__(self, name: str) -> object:
        return getattr(GAME, name)

    def apply(self, *arguments: object) -> list[object]:
        """Fails."""
        raise RulesBug("seat 1 holds the secret card 17")


def test_a_bug_in_the_rules_ends_this_match_and_tells_nothing(caplog: pytest.LogCaptureFixture) -> None:
    """The match is aborted by the referee; the cause is in the log and in no message."""

    async def main() -> None:
        diary = Diary()
        match = new_match(2, game=Buggy())  # type: ignore[arg-type]
        table, players = seat_players(match, diary, Quick, Quick)
        for player in players:
            player.react = lambda output, table: None  # type: ignore[method-assign]
        async with trio.open_nursery() as nursery:
            nursery.start_soon(table.run)
            await trio.testing.wait_all_tasks_blocked()
            for seat in range(2):
                table.ready(seat, microseconds())
            table.answer(0, 1, 0, microseconds())
            assert table.answer(1, 1, 0, microseconds()) is Verdict.STALE
        assert isinstance(table.failure, RulesBug)
        assert diary.final is not None
        assert {(end.kind, end.owner) for end in diary.final.endings} == {(EndingKind.ABORTED, Owner.REFEREE)}
        assert not diary.final.rated
        assert "17" not in diary.final.endings[0].message

    with caplog.at_level(logging.CRITICAL, logger="referee.match.table"):
        on_virtual_time(main)


def test_a_step_that_cannot_be_stored_has_no_consequences() -> None:
    """The recorder fails: nothing that follows from the step is sent, and the match is over."""

    class Full(Diary):
        def step(self, match: str, step: Step) -> None:
            if step.n == 1:
                raise OSError("disk full")
            super().step(match, step)

    async def main() -> None:
        diary = Full()
        table, players = seat_players(new_match(2), diary, Quick, Quick)
        final = await table.run()

        assert isinstance(table.failure, OSError)
        assert {ending.owner for ending in final.endings} == {Owner.REFEREE}
        for player in players:
            assert [output.ask for output in player.outputs if isinstance(output, Asked)] == [1]
            assert isinstance(player.outputs[-1], Ended)

    on_virtual_time(main)


def test_a_recorder_that_fails_altogether_still_lets_the_players_know() -> None:
    """Neither header nor end can be stored; the match is aborted and everybody is told."""

    class Broken(Diary):
        def begin(self, header: Header, secret: bytes) -> None:
            raise OSError("read-only")

        def end(self, match: str, final: Final) -> Settled:
            raise OSError("read-only")

    async def main() -> None:
        table, players = seat_players(new_match(2), Broken(), Quick, Quick)
        await table.run()

        assert [[type(output) for output in player.outputs] for player in players] == [[Ended], [Ended]]

    on_virtual_time(main)


def test_a_player_that_fails_harms_only_itself() -> None:
    """Its messages are lost, so it is late; the other player plays on."""

    class Failing(Mute):
        def send(self, output: Output) -> None:
            super().send(output)
            raise RuntimeError("broken pipe")

    async def main() -> None:
        table, _ = seat_players(new_match(2, policy=Policy(faults=0)), Diary(), Quick, Failing)
        final = await table.run()

        assert [ending.kind for ending in final.endings] == [EndingKind.FINISHED, EndingKind.FORFEITED]

    on_virtual_time(main)


def test_many_tables_share_one_loop_without_touching_each_other() -> None:
    """A hundred matches, every second one with a silent seat, all end as they should."""

    async def main() -> None:
        diaries = [Diary() for _ in range(100)]
        async with trio.open_nursery() as nursery:
            for number, diary in enumerate(diaries):
                kinds = (Quick, Mute) if number % 2 else (Quick, Quick)
                table, _ = seat_players(new_match(2, seed=str(number)), diary, *kinds)
                nursery.start_soon(table.run)

        for number, diary in enumerate(diaries):
            assert diary.final is not None
            assert [ending.faults > 0 for ending in diary.final.endings] == [False, bool(number % 2)]

    on_virtual_time(main)


def test_a_table_needs_a_player_for_every_seat() -> None:
    """Not more, not fewer."""

    async def main() -> None:
        with pytest.raises(BadSetting, match="has 2 seats, not 1"):
            RunningTable(new_match(2), [Deaf(0, Diary())], Diary())

    on_virtual_time(main)


def test_the_time_of_a_table_is_that_of_the_loop() -> None:
    """In whole microseconds."""

    async def main() -> None:
        start = microseconds()
        await trio.sleep(2.5)

        assert microseconds() - start == 2_500_000 == 2.5 * SECOND

    on_virtual_time(main)
