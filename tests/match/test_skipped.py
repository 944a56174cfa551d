"""Decisions without a choice take as long as others where a game calls the number of options secret."""

from __future__ import annotations

import secrets
from collections import Counter
from collections.abc import Callable, Sequence

import pytest
import trio
from trio.testing import MockClock

from referee.kernel import registry
from referee.match.clock import SECOND, TimeControl
from referee.match.match import Match
from referee.match.outputs import Asked, Ended, Output, Seated, Settled, Shown
from referee.match.record import Final, Header, Record, Step
from referee.match.table import LONGEST_DELAY, LONGEST_DELAYS, RunningTable, microseconds
from referee.match.verify import verify
from tests.match.tables import new_match
from tests.match.toy import GAME, LanternAuction

THINKS = 0.1
"""Seconds that every bot takes for an answer."""


class Whispered(LanternAuction):
    """The toy game, with the choice of a bid and of lanterns called secret."""

    secret_choices = frozenset({"bid", "take"})
    secret_pending: frozenset[str] = frozenset()


class Keeper:
    """Keeps the steps, and when each was stored."""

    def __init__(self) -> None:
        self.steps: list[Step] = []
        self.final: Final | None = None

    def begin(self, header: Header, secret: bytes) -> None:
        """Nothing is kept of it."""

    def step(self, match: str, step: Step) -> None:
        self.steps.append(step)

    def end(self, match: str, final: Final) -> Settled:
        self.final = final
        return Settled()


class Bot:
    """A player that always takes the same time, and notes when it was asked."""

    def __init__(self, seat: int, nursery: trio.Nursery) -> None:
        self.seat = seat
        self.asked: list[float] = []
        self.put_out: list[int] = []
        """What each ask says about its own moment."""
        self.ended = 0.0
        self.table: RunningTable | None = None
        self._nursery = nursery

    def send(self, output: Output) -> None:
        assert self.table is not None
        if isinstance(output, Seated):
            self.table.ready(self.seat, self.table.now())
        elif isinstance(output, Asked):
            self.asked.append(trio.current_time())
            self.put_out.append(output.at)
            self._nursery.start_soon(self._answer, output)
        elif isinstance(output, Ended):
            self.ended = trio.current_time()

    async def _answer(self, asked: Asked) -> None:
        await trio.sleep(THINKS)
        assert self.table is not None
        self.table.answer(self.seat, asked.ask, len(asked.options) - 1, self.table.now())


def play(
    match: Match, draw: Callable[[Sequence[int]], int] = secrets.choice, seating: type[Bot] = Bot
) -> tuple[Keeper, list[Bot]]:
    """Play a match between such bots on virtual time."""
    keeper = Keeper()
    bots: list[Bot] = []

    async def main() -> None:
        async with trio.open_nursery() as nursery:
            bots.extend(seating(seat, nursery) for seat in range(len(match.terms.players)))
            table = RunningTable(match, bots, keeper, microseconds, draw=draw)
            for bot in bots:
                bot.table = table
            await table.run()

    trio.run(main, clock=MockClock(autojump_threshold=0))
    return keeper, bots


def test_a_skipped_decision_takes_the_time_of_an_answered_one() -> None:
    """Between an answer and what follows lie as many times to think as decisions, asked or not; none is charged."""
    plain, quick = play(new_match(2, game=GAME))
    keeper, slow = play(new_match(2, game=Whispered()))
    decisions = round(slow[0].ended / THINKS)

    assert [step._replace(at=0) for step in keeper.steps] == [step._replace(at=0) for step in plain.steps]
    assert keeper.final is not None
    assert plain.final is not None
    assert keeper.final.result == plain.final.result
    assert all(spent == THINKS * SECOND for step in keeper.steps for spent in step.spent.values())
    assert slow[0].ended > quick[0].ended + THINKS / 2
    assert abs(slow[0].ended - decisions * THINKS) < 0.001
    verify(Record(new_match(2).terms, tuple(keeper.steps), keeper.final), GAME)


def test_a_delayed_ask_says_the_moment_at_which_the_delay_is_over() -> None:
    """What it waited before is nothing that its seat is told: the time in the referee would show who had no choice."""
    _, bots = play(new_match(2, game=Whispered()))

    for bot in bots:
        assert [round(moment * SECOND) for moment in bot.asked] == bot.put_out
        assert bot.put_out == sorted(set(bot.put_out))


def test_spectators_see_a_skipped_decision_take_its_time() -> None:
    """No two positions are shown at one moment: each comes a time to think after the one before, asked or not."""

    class Watching:
        """Notes when each position was shown."""

        def __init__(self) -> None:
            self.seen: list[tuple[int, float]] = []

        def send(self, output: Output) -> None:
            if isinstance(output, Shown):
                self.seen.append((output.number, trio.current_time()))

    watching = Watching()
    match = new_match(2, game=Whispered(), spectators=True)

    async def main() -> None:
        async with trio.open_nursery() as nursery:
            bots = [Bot(seat, nursery) for seat in range(2)]
            table = RunningTable(match, bots, Keeper(), microseconds, spectators=watching)
            for bot in bots:
                bot.table = table
            await table.run()

    trio.run(main, clock=MockClock(autojump_threshold=0))
    gaps = [after[1] - before[1] for before, after in zip(watching.seen, watching.seen[1:], strict=False)]

    assert [number for number, _ in watching.seen] == list(range(1, match.public.number + 1))
    assert match.public.number > match.steps + 1
    assert min(gaps) > THINKS - 0.001


def test_a_delay_has_bounds() -> None:
    """Two seconds for each decision and ten for all of them, whatever was drawn; the clock of the next ask is whole."""
    drawn: list[int] = []

    def longest(times: Sequence[int]) -> int:
        drawn.append(len(times))
        return 3600 * SECOND

    keeper, bots = play(new_match(2, game=Whispered(), clock=TimeControl.parse("10s/1s")), longest)
    gaps = [after - before for bot in bots for before, after in zip(bot.asked, bot.asked[1:], strict=False)]

    assert drawn
    assert max(gaps) <= LONGEST_DELAYS / SECOND + 1
    assert max(gaps) >= LONGEST_DELAY / SECOND
    assert not any(step.by for step in keeper.steps)


def test_an_abort_does_not_wait() -> None:
    """A table that is ended in the middle of a delay tells so at once."""

    async def main() -> None:
        async with trio.open_nursery() as nursery:
            keeper = Keeper()
            bots = [Bot(seat, nursery) for seat in range(2)]
            match = new_match(2, game=Whispered())
            table = RunningTable(match, bots, keeper, draw=lambda times: 3600 * SECOND)
            for bot in bots:
                bot.table = table
            nursery.start_soon(table.run)
            while not table._until:
                await trio.sleep(0.01)
            before = trio.current_time()
            table.abort(table.now(), "enough")

            assert [bot.ended for bot in bots] == [before, before]
            nursery.cancel_scope.cancel()

    trio.run(main, clock=MockClock(autojump_threshold=0))


def test_a_table_sleeps_after_a_delay_in_front_of_a_seat_that_is_away(monkeypatch: pytest.MonkeyPatch) -> None:
    """A delay behind which nothing is to be sent ends as others do: the table waits for the seat, and does not spin."""
    ticks: Counter[int] = Counter()
    tick = Match.tick
    behind = 0

    def counted(match: Match, at: int) -> None:
        ticks[at] += 1
        if ticks[at] > 100:
            raise SystemExit(f"the table ticks for ever at {at}")
        tick(match, at)

    class Leaving(Bot):
        """Answers with its last message: its stream breaks, as do those of seats that owe nothing, for a second."""

        async def _answer(self, asked: Asked) -> None:
            nonlocal behind
            await trio.sleep(THINKS)
            assert self.table is not None
            idle = [seat for seat in range(2) if seat == self.seat or not self.table.match.owes(seat)]
            for seat in idle:
                self.table.gone(seat, self.table.now())
            self.table.answer(self.seat, asked.ask, len(asked.options) - 1, self.table.now())
            behind += bool(self.table._until and not self.table._kept)
            await trio.sleep(THINKS)
            self.table.resume()  # as after trouble of the store: the table looks up just when the delay is over
            await trio.sleep(1)
            for seat in idle:
                self.table.back(seat, self.table.now())

    monkeypatch.setattr(Match, "tick", counted)
    keeper, _ = play(new_match(2, game=Whispered()), seating=Leaving)

    assert behind
    assert keeper.final is not None
    assert keeper.final.result is not None


def test_only_ninjato_hides_whether_a_seat_had_a_choice() -> None:
    """The decisions whose options depend on the hand (N-14.3); elsewhere the number of options is public."""
    secret = {name: registry.game(name).secret_choices for name in registry.names()}

    assert secret == {
        "edo_yashiki": frozenset(),
        "honshu": frozenset(),
        "ninjato": frozenset({"dojo_discard", "fight", "sensei_pay", "sensei_take"}),
        "white_castle": frozenset(),
    }
