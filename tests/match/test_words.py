"""What faults say to people: times, verbs, and records that were written in the words of earlier versions."""

from __future__ import annotations

import json

import pytest

from referee.match.clock import TimeControl
from referee.match.inprocess import play_on
from referee.match.outputs import Asked
from referee.match.policy import Fault, FaultKind, Owner, Policy, formerly_loud, loud
from referee.match.record import Record, from_lines
from referee.match.verify import verify
from tests.match.tables import new_match
from tests.match.tampering import rehashed
from tests.match.toy import GAME


@pytest.mark.parametrize("kind", FaultKind)
def test_the_explanation_of_development_mode_is_a_sentence(kind: FaultKind) -> None:
    """Each kind has its verb: nothing "was crashed"."""
    text = loud(Fault(1, 3, kind, Owner.BOT, "what happened"), "bob")

    assert text.endswith("at ask 3: what happened")
    for wrong in ("was crashed", "was illegal", "was malformed"):
        assert wrong not in text


def test_without_time_left_nothing_is_said_of_zero_seconds() -> None:
    """A seat whose bank is used up has no time left, not zero seconds of it."""

    class Slow:
        time = 0

        def now(self) -> int:
            return self.time

        def __call__(self, asked: Asked) -> int:
            self.time += 2_000_000
            return 0

    slow = Slow()
    match = new_match(2, clock=TimeControl.parse("3s"), policy=Policy(faults=3, lag_total=0))
    record = play_on(match, [slow, lambda asked: 0], slow.now)
    messages = [fault.message for step in record.steps for fault in step.faults]

    assert messages[0] == "no answer to ask 2 within its 1s; the stand-in answers"
    assert set(messages[1:]) == {f"no time was left for ask {ask}; the stand-in answers" for ask in (3, 4)}
    verify(record, GAME)


def test_a_record_in_the_words_of_an_earlier_version_still_holds() -> None:
    """The explanation that ended a match in development mode is accepted in its former words, and in no others."""

    def crashing(asked: Asked) -> int:
        raise KeyError("no such card")

    record = play_on(new_match(2, policy=Policy(development=True)), [crashing, lambda asked: 0])
    (fault,) = record.final.faults if record.final is not None else ()
    now, then = loud(fault, "bot0"), formerly_loud(fault, "bot0")
    lines = [line.decode() for line in record.lines()]

    def told(message: str) -> Record:
        return from_lines(rehashed([json.loads(line.replace(now, message)) for line in lines]))

    assert "crashed at ask 1" in now
    assert "was crashed at ask 1" in then
    verify(told(now), GAME)
    verify(told(then), GAME)
    with pytest.raises(Exception, match="the ending of seat"):
        verify(told(now.replace("crashed", "slept")), GAME)
