"""Bots that say that they cannot answer: the check passes their words on, and forgives it in a game nobody knows."""

from __future__ import annotations

from ladder.check.outcomes import DrillStatus
from referee.v1 import play_pb2 as pb
from tests.check.flawed import Honest, Send
from tests.check.test_broken_bots import checked


class Failing(Honest):
    """Cannot answer its third ask at any table."""

    def asked(self, ask: pb.Ask, send: Send, number: int) -> None:
        if ask.ask != 3:
            super().asked(ask, send, number)
            return
        send(pb.PlayRequest(failures=[pb.Failure(match_id=ask.match_id, ask=3, message="ValueError: no such card")]))


class Modest(Honest):
    """Says of a game that it does not know that it cannot answer."""

    def asked(self, ask: pb.Ask, send: Send, number: int) -> None:
        if ask.WhichOneof("game") is not None:
            super().asked(ask, send, number)
            return
        failure = pb.Failure(match_id=ask.match_id, ask=ask.ask, message="no such game")
        send(pb.PlayRequest(failures=[failure]))


def test_a_bot_that_cannot_answer_fails_the_step_with_its_own_words() -> None:
    """At once, without waiting for its clock, and the message is shown."""
    first = next(outcome for outcome in checked(Failing).outcomes if outcome.status is DrillStatus.FAILED)

    assert "says that it cannot answer ask 3 of" in first.remark
    assert "ValueError: no such card" in first.remark
    assert "failures {" in "\n".join(first.messages)


def test_in_a_game_that_it_does_not_know_a_bot_may_say_that_it_cannot_answer() -> None:
    """It costs no table its time, so it is as good as a guess."""
    report = checked(Modest)
    unknown = next(outcome for outcome in report.outcomes if outcome.key == "unknown-game")

    assert report.passed
    assert unknown.remark.startswith("said that it cannot answer")
