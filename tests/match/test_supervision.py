"""Bots of this process that take too long: interrupted in any thread, late in the record, never for ever."""

from __future__ import annotations

import subprocess
import sys
import threading
import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

import pytest

from referee.match.clock import NO_CLOCK, TimeControl
from referee.match.inprocess import play, play_on
from referee.match.outputs import Asked
from referee.match.policy import EndingKind, FaultKind, Owner, Policy
from referee.match.record import Record
from referee.match.supervision import Call, Overtime, Raised, Supervision
from referee.match.verify import verify
from tests.match.tables import new_match, plan_of
from tests.match.toy import GAME

ROOT = Path(__file__).parents[2]
LIMIT = 0.05


def loops(asked: Asked) -> int:
    """Never returns, and lets no ordinary exception out."""
    while True:
        try:
            while True:
                pass
        except Exception:
            pass


def sleeps(asked: Asked) -> int:
    """Waits for ever."""
    time.sleep(1e6)
    return 0


def waits(asked: Asked) -> int:
    """Waits for a lock that is never free."""
    lock = threading.Lock()
    lock.acquire()
    lock.acquire()
    return 0


def stubborn(asked: Asked) -> int:
    """Swallows the first interrupt."""
    with suppress(BaseException):
        time.sleep(1e6)
    while True:
        pass


def cunning(asked: Asked) -> int:
    """Uses the interrupt as a clock and answers."""
    try:
        while True:
            pass
    except BaseException:
        return 0


def limited(bot: Callable[[Asked], int], clock: str = "none", faults: int = 0) -> Record:
    """A match of such a bot, in seat 0, under a limit."""
    match = new_match(2, clock=TimeControl.parse(clock), policy=Policy(faults=faults))
    with Supervision(match.terms.match, match.terms.players, LIMIT) as supervision:
        return play_on(match, [bot, lambda asked: 0], supervision=supervision)


@pytest.mark.parametrize("bot", [loops, sleeps, waits, stubborn, cunning])
@pytest.mark.parametrize("clock", ["none", "50ms", "10s/50ms"])
def test_a_bot_that_takes_too_long_is_interrupted_and_late(bot: Callable[[Asked], int], clock: str) -> None:
    """By the limit of the run or by its clock: the seat is late, owned by its bot, forfeited, and the record holds."""
    record = limited(bot, clock)
    final = record.final

    assert final is not None
    (fault,) = [fault for step in record.steps for fault in step.faults]
    assert (fault.seat, fault.ask, fault.kind, fault.owner) == (0, 1, FaultKind.LATE, Owner.BOT)
    assert "50ms" in fault.message
    assert [ending.kind for ending in final.endings] == [EndingKind.FORFEITED, EndingKind.FINISHED]
    verify(record, GAME)


@pytest.mark.parametrize("bot", [loops, cunning])
def test_in_another_thread_a_bot_is_interrupted_as_well(bot: Callable[[Asked], int]) -> None:
    """There no signal helps; the exception comes with the bot's next instruction."""
    records: list[Record] = []
    thread = threading.Thread(target=lambda: records.append(limited(bot, faults=1)), daemon=True)
    thread.start()
    thread.join(20.0)

    (record,) = records
    assert [fault.kind for step in record.steps for fault in step.faults] == [FaultKind.LATE] * 2


def test_an_interrupt_never_reaches_the_call_after_the_one_it_was_meant_for() -> None:
    """Calls that end just when they are interrupted, in a thread: each is answered or late, and nothing else raises."""
    outcomes: list[object] = []

    def run() -> None:
        with Supervision("m", ("a",), 0.01) as supervision:
            for number in range(60):
                spent = 0.009 + number % 7 * 0.003
                end = time.perf_counter() + spent

                def spin(call: Call, end: float = end) -> int:
                    while time.perf_counter() < end:
                        pass
                    return 1

                outcomes.append(supervision.call(spin, Call(0, "decide", None)))
                for _ in range(500):
                    pass

    thread = threading.Thread(target=run)
    thread.start()
    thread.join(30.0)

    assert len(outcomes) == 60
    assert {type(outcome) for outcome in outcomes} <= {int, Overtime}


def test_a_bot_without_a_limit_is_left_alone() -> None:
    """Without a clock and without a limit no call is watched."""
    with Supervision("m", ("a",)) as supervision:
        assert supervision.call(lambda _: 5, Call(0, "over", None)) == 5
        assert supervision.pause == 0.5


def test_the_trace_of_what_a_bot_raised_is_kept_beside_the_match() -> None:
    """The line has the file's name and no path; the trace has both, begins in the author's code, and is no record's."""

    def inner() -> int:
        raise ValueError("no such card")

    def failing(asked: Asked) -> int:
        return inner()

    match = new_match(2)
    with Supervision(match.terms.match, match.terms.players) as supervision:
        record = play_on(match, [failing, lambda asked: 0], supervision=supervision)
    (trouble,) = supervision.troubles
    text = b"".join(record.lines()).decode()

    assert trouble.message.startswith("ValueError: no such card (test_supervision.py:")
    assert trouble.message in text
    assert trouble.trace.startswith("Traceback (most recent call last):")
    assert "in failing" in trouble.trace.splitlines()[1]
    assert __file__ in trouble.trace
    assert str(ROOT) not in text


def test_a_recursion_without_end_gives_a_bounded_message_and_trace() -> None:
    """Neither grows with the depth of the calls or the length of the exception's text."""

    def deeper(asked: object) -> int:
        return deeper(asked)

    def wordy(asked: object) -> int:
        raise ValueError("x\n" * 1_000_000)

    for bot in (deeper, wordy):
        with Supervision("m", ("a",)) as supervision:
            said = supervision.call(bot, Call(0, "over", None))
        (trouble,) = supervision.troubles

        assert isinstance(said, Raised)
        assert len(said.message) < 700
        assert len(trouble.trace) < 9_000


HANG = """
import sys, threading
sys.path.insert(0, {root!r})
from referee.match import supervision
from tests.match.tables import new_match, plan_of
from referee.match.inprocess import play_on
from referee.match.clock import NO_CLOCK
from referee.match.policy import Policy
supervision.PATIENCE_SECONDS = {patience}
def hangs(asked):
    {hanging}
match = new_match(2, clock=NO_CLOCK, policy=Policy(faults=0))
def run():
    with supervision.Supervision(match.terms.match, match.terms.players, 0.05) as watched:
        record = play_on(match, [hangs, lambda asked: 0], supervision=watched)
    print([fault.kind.value for step in record.steps for fault in step.faults])
{running}
"""


def hang(hanging: str, running: str = "run()", patience: float = 2.5) -> subprocess.CompletedProcess[str]:
    """A program whose bot hangs like that."""
    code = HANG.format(root=str(ROOT), hanging=hanging, running=running, patience=patience)
    return subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=90, check=False)


IN_A_THREAD = "thread = threading.Thread(target=run); thread.start(); thread.join()"


@pytest.mark.processes
def test_a_bot_in_foreign_code_ends_the_process_with_a_line_that_names_it() -> None:
    """What cannot be interrupted ends the process with code 3, and bot, match and ask are named."""
    done = hang("import time; time.sleep(1e6)", IN_A_THREAD)

    assert done.returncode == 3
    assert "(seat 0) does not return from ask 1 of match" in done.stderr
    assert len(done.stderr.splitlines()) == 1


@pytest.mark.processes
def test_a_bot_that_lets_no_thread_run_ends_the_process_with_its_stack() -> None:
    """One huge sum stops the sentry too; the process ends all the same, and says where the bot was."""
    done = hang("return sum(range(10 ** 13))")

    assert done.returncode == 1
    assert "in hangs" in done.stderr


@pytest.mark.processes
def test_foreign_code_that_heeds_signals_is_interrupted() -> None:
    """A regular expression that would run for years is late and no more."""
    done = hang("import re; re.match('(a|a)*b', 'a' * 50); return 0", patience=60.0)

    assert (done.returncode, done.stderr) == (0, "")
    assert set(eval(done.stdout)) == {"late"}


def test_the_short_way_gives_over_to_the_match_when_a_bot_is_interrupted() -> None:
    """A match without a clock ends as it does on the long way."""
    plan = plan_of(2, clock=NO_CLOCK)
    with Supervision(plan.match, plan.players, LIMIT) as supervision:
        record = play(GAME, plan, [sleeps, lambda asked: 0], supervision=supervision)

    assert {fault.kind for step in record.steps for fault in step.faults} == {FaultKind.LATE}
    verify(record, GAME)
