"""What a bot in any language must do when its author's code throws or panics while it decides."""

from __future__ import annotations

from pathlib import Path
from typing import ClassVar

from referee.hosting.manifest import Manifest
from referee.match.policy import Fault, FaultKind, Owner
from referee.v1 import play_pb2 as pb
from tests.languages.closing_drills import NAME
from tests.languages.examiner import MATCH, Closer, Spoiler
from tests.languages.harness import BotProcess, Referee, opponent

SPOILED = 3
"""The ask of the bot, in a match at the real referee, that it cannot answer."""
AT_ONCE = 10_000_000
"""Microseconds until the stand-in has played; the clock of the drills would let a bot think for 300 s."""
FAILURES = 20
"""Asks in one message that the bot cannot answer."""
LONGEST = 500
"""Characters of the line that tells the referee of a failure."""


class FailureDrills:
    """The drills; `heuristic` and `failing` say at what the bot fails."""

    heuristic: ClassVar[str]
    failing: ClassVar[pb.Ask]
    """An ask at which the bot fails with an exception or a panic."""

    def test_a_decision_that_fails_is_told_before_the_next_one_is_thought_about(
        self, manifest: Manifest, place: Path
    ) -> None:
        """Each exception is sent as a failure of one line in a message of its own, and the last ask is answered."""
        asks = [pb.Ask() for _ in range(FAILURES)]
        for number, ask in enumerate(asks, 1):
            ask.CopyFrom(self.failing)
            ask.ask = number
        good = pb.Ask(match_id=MATCH, ask=FAILURES + 1, seat=self.failing.seat, option_count=3, kind="choose")
        with (
            Closer(after_welcome=pb.PlayResponse(asks=[*asks, good])) as server,
            BotProcess(manifest, server.address, place, name=NAME) as bot,
        ):
            assert bot.wait() == 0

        sent = [(len(request.failures), len(request.answers)) for request in server.requests]
        assert sent == [(1, 0)] * FAILURES + [(0, 1)]
        assert [failure.ask for failure in server.failures] == [ask.ask for ask in asks]
        assert {(failure.match_id, failure.seat) for failure in server.failures} == {(MATCH, self.failing.seat)}
        assert [answer.ask for answer in server.answers] == [good.ask]
        (text,) = {failure.message for failure in server.failures}
        assert 0 < len(text) <= LONGEST
        assert text == " ".join(text.split())

    def test_at_the_real_referee_a_decision_that_fails_costs_one_stand_in_and_no_waiting(
        self, manifest: Manifest, place: Path
    ) -> None:
        """The fault is CRASHED with the bot's own text, the stand-in plays at once, and the bot plays on to the end."""
        address = f"unix:{place}/socket"
        with (
            Referee(address, games=[self.heuristic], matches=1) as referee,
            Spoiler(address, self.failing, at=SPOILED) as spoiler,
            BotProcess(manifest, spoiler.address, place, name=NAME) as bot,
            opponent(address, matches=1),
        ):
            code = bot.wait()

        ((terms, final),) = referee.ended
        seat = terms.players.index(NAME)
        (failure,) = spoiler.failures
        (step,) = [step for step in referee.steps if step.faults]
        assert step.faults == (Fault(seat, SPOILED, FaultKind.CRASHED, Owner.BOT, failure.message),)
        assert step.by == {seat: "stand-in"}
        assert step.spent[seat] < AT_ONCE
        assert [ending.faults for ending in final.endings] == [int(place == seat) for place in range(2)]
        assert final.faults == ()
        assert "the bot failed" in bot.output
        assert code == 0
