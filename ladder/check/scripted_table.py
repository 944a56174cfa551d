"""One match of the scripted referee: the real rules, clocks and encoders, with the bot in one seat.

The other seats answer at once and at random, so that the bot is always the one that is waited for. Nothing is sent from
here: what is due gathers in `due`, and the script decides what becomes of it.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Mapping

from ladder.check.outcomes import DrillFailed
from referee.kernel.game import AnyGame, Seat
from referee.match.clock import TimeControl, duration
from referee.match.delivery import deliver
from referee.match.match import Match
from referee.match.outputs import Asked, Ended, Faulted, Output, Seated, Told, Verdict
from referee.match.plan import MatchPlan
from referee.match.playtime import monotonic
from referee.match.policy import clean
from referee.match.protocols import SeatPlayer
from referee.transport.messages import Asker, fill_events, fill_over, fill_seated
from referee.v1 import play_pb2 as pb


class ScriptedTable:
    """A match with the bot in one seat."""

    def __init__(
        self,
        game: AnyGame,
        seats: int,
        seat: Seat,
        *,
        name: str,
        clock: TimeControl,
        variant: Mapping[str, str],
        events: bool,
    ) -> None:
        """`name` is the bot's, `events` whether its hello wanted any."""
        players = tuple(name if number == seat else f"stand-in-{number}" for number in range(seats))
        plan = MatchPlan(game.name, players, variant=variant, clock=clock)
        self._match = Match(game, plan)
        self._terms = self._match.terms
        for other in range(seats):
            self._match.listen(other, events and other == seat)
        self._asker = Asker(self._terms)
        self._fault = ""
        opponent = _Opponent(self._match, random.Random(plan.secret))
        self._players: list[SeatPlayer] = [self if other == seat else opponent for other in range(seats)]
        self.id = self._terms.match
        self.game = game.name
        self.seat = seat
        self.due = pb.PlayResponse()
        """What is to be sent to the bot."""
        self.is_ready = False
        self.ask: pb.Ask | None = None
        """The latest question to the bot."""
        self.sent: Counter[int] = Counter()
        """How often each ask was sent."""
        self.answers: Counter[int] = Counter()
        """How often each ask was answered."""
        self._match.begin(monotonic())
        for other in range(seats):
            if other != seat:
                self._match.ready(other, monotonic())
        self._follow()

    def __str__(self) -> str:
        return f"match {self.id} ({self.game}, seat {self.seat})"

    @property
    def over(self) -> bool:
        """Whether the match has ended."""
        return self._match.over

    @property
    def owes(self) -> int:
        """The number of the ask that the bot has to answer; 0: none."""
        return self._match.owes(self.seat)

    @property
    def deadline(self) -> int | None:
        """When the bot's time is over, as matches count time; None: never."""
        return self._match.deadline

    @property
    def wanted(self) -> str:
        """What the bot is waited for."""
        if not self.is_ready:
            return f"no ready for {self}"
        return f"no answer to ask {self.owes} of {self}"

    def take(self) -> pb.PlayResponse:
        """What is due, to be sent now."""
        message, self.due = self.due, pb.PlayResponse()
        for ask in message.asks:
            self.sent[ask.ask] += 1
        return message

    def ready(self, at: int) -> None:
        """The bot is ready."""
        self.is_ready = True
        self._match.ready(self.seat, at)
        self._follow()

    def answer(self, answer: pb.Answer, at: int) -> None:
        """The bot answers; what cannot be an answer fails, what comes twice is only counted."""
        self.answers[answer.ask] += 1
        if self.over:
            return
        verdict = self._match.answer(self.seat, answer.ask, answer.option, at)
        if verdict is Verdict.UNKNOWN:
            raise DrillFailed(f"answered ask {answer.ask} of {self}, which was never asked")
        self._follow()

    def failed(self, failure: pb.Failure) -> None:
        """The bot says that something went wrong inside it."""
        text = clean(failure.message) or "it does not say why"
        if failure.ask:
            raise DrillFailed(f"says that it cannot answer ask {failure.ask} of {self}: {text}")
        if not self.over:
            raise DrillFailed(f"says that something went wrong inside it at {self}: {text}")

    def tick(self) -> None:
        """Time has passed."""
        self._match.tick(monotonic())
        self._follow()

    def gone(self) -> None:
        """The bot's stream has broken."""
        self._match.gone(self.seat, monotonic())

    def back(self) -> None:
        """The bot has a stream again: what it is owed is due once more."""
        self.due = pb.PlayResponse()
        fill_seated(self.due.seated.add(), self._terms, self.seat, is_ready=True)
        self._match.back(self.seat, monotonic())
        self._follow()

    def check_answers(self) -> None:
        """Fail if an ask was answered more often than it was sent."""
        for ask, count in sorted(self.answers.items()):
            if count > self.sent[ask]:
                raise DrillFailed(
                    f"answered ask {ask} of {self} {times(count)}; it was sent {times(self.sent[ask])}, "
                    f"and each sending may have one answer"
                )

    def _follow(self) -> None:
        """Carry out what the match puts out; raises DrillFailed if the bot is at fault."""
        self._fault = ""
        deliver(self._match, self._players)
        if self._fault:
            clock = self._terms.clock
            limits = "" if clock.unlimited else f" (clock {clock}, cap {duration(clock.cap)})"
            raise DrillFailed(f"{self._fault}{limits}")

    def send(self, output: Output) -> None:
        """Add an output for the bot to what is due."""
        if isinstance(output, Seated):
            fill_seated(self.due.seated.add(), self._terms, self.seat, self.is_ready)
        elif isinstance(output, Asked):
            self.ask = pb.PlayResponse.FromString(self._asker(output)).asks[0]
            self.due.asks.append(self.ask)
        elif isinstance(output, Told):
            fill_events(self.due.told.add(match_id=self.id, seat=self.seat).events, output.events)
        elif isinstance(output, Ended):
            fill_over(self.due.over.add(), self.id, self.seat, output.final)
        elif isinstance(output, Faulted):
            self._fault = self._fault or f"{output.fault.kind} at {self}: {output.fault.message}"


class _Opponent:
    """Answers at once and at random, for every seat but the bot's."""

    def __init__(self, match: Match, luck: random.Random) -> None:
        self._match = match
        self._luck = luck

    def send(self, output: Output) -> None:
        """Answer an ask; nothing else is to be done."""
        if isinstance(output, Asked):
            self._match.answer(output.seat, output.ask, self._luck.randrange(len(output.options)), monotonic())


def times(count: int) -> str:
    """A number of times, in words."""
    return {1: "once", 2: "twice"}.get(count, f"{count} times")
