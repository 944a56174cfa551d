"""The plain loop: bots of this process, each billed for its own thinking."""

from __future__ import annotations

import re
import signal
from collections.abc import Callable

import pytest

from referee.kernel.chance import secret_from_seed
from referee.kernel.errors import BadSetting
from referee.match.clock import SECOND, TimeControl
from referee.match.inprocess import Bot, play_on
from referee.match.match import Match
from referee.match.outputs import Asked
from referee.match.policy import EndingKind, FaultKind, Owner, Policy
from referee.match.record import Final, Record
from referee.match.verify import verify
from tests.match.tables import new_match
from tests.match.toy import GAME


class Watch:
    """A clock that only bots move."""

    def __init__(self) -> None:
        self.time = 0

    def __call__(self) -> int:
        return self.time

    def bot(self, thinking: int, choose: Callable[[Asked], int] = lambda asked: 0) -> Bot:
        """A bot that takes its time."""

        def decide(asked: Asked) -> int:
            self.time += thinking
            return choose(asked)

        return decide


def final_of(record: Record) -> Final:
    """The end of a record that holds."""
    verify(record, GAME)
    assert record.final is not None
    return record.final


def test_bots_play_to_the_end_and_the_record_verifies() -> None:
    """A match in process leaves the same sort of record as any other."""
    final = final_of(play_on(new_match(4), [lambda asked: len(asked.options) - 1] * 4))

    assert final.result is not None
    assert [ending.kind for ending in final.endings] == [EndingKind.FINISHED] * 4


def test_bots_that_think_one_after_the_other_are_billed_side_by_side() -> None:
    """Each pays for its own time; a simultaneous step takes as long as the slowest."""
    watch = Watch()
    record = play_on(new_match(3), [watch.bot(SECOND), watch.bot(3 * SECOND), watch.bot(2 * SECOND)], watch)

    assert record.steps[1].spent == {0: SECOND, 1: 3 * SECOND, 2: 2 * SECOND}
    assert record.steps[1].at == 3 * SECOND
    final_of(record)


def test_a_bot_over_its_budget_is_late_after_the_fact() -> None:
    """Its answer is not used, even though it is there; the quick seats of the same phase are not touched."""
    watch = Watch()
    slow = watch.bot(6 * SECOND, lambda asked: 1)
    record = play_on(new_match(2, policy=Policy(faults=1)), [slow, watch.bot(SECOND)], watch)
    first = record.steps[1]

    assert first.by == {0: "stand-in"}
    assert [(fault.seat, fault.kind, fault.owner) for fault in first.faults] == [(0, FaultKind.LATE, Owner.BOT)]
    assert first.spent == {0: 5 * SECOND, 1: SECOND}
    final = final_of(record)
    assert (final.endings[0].kind, final.endings[1].kind) == (EndingKind.FORFEITED, EndingKind.FINISHED)


def test_a_crashing_bot_is_stood_in_for_and_finally_forfeited() -> None:
    """What it raised is in the fault; the other bot finishes and wins."""

    def crashing(asked: Asked) -> int:
        raise KeyError("no such card")

    record = play_on(new_match(2, policy=Policy(faults=1)), [crashing, lambda asked: 0])
    final = final_of(record)

    message = record.steps[1].faults[0].message
    assert re.fullmatch(r"KeyError: 'no such card' \(test_inprocess\.py:\d+\)", message)
    assert record.steps[1].faults[0].kind == FaultKind.CRASHED
    assert final.endings[0].kind == EndingKind.FORFEITED
    assert final.result is not None
    assert final.result.places == (2, 1)


def test_a_bot_is_asked_again_after_an_illegal_answer() -> None:
    """It gets the same ask until it answers properly or has no faults left."""
    asked_for: list[int] = []

    def stubborn(asked: Asked) -> int:
        asked_for.append(asked.ask)
        return 77 if asked_for.count(asked.ask) < 3 and asked.ask == 1 else 0

    final = final_of(play_on(new_match(2), [stubborn, lambda asked: 0]))

    assert asked_for[:4] == [1, 1, 1, 2]
    assert final.endings[0].faults == 2
    assert final.endings[0].kind == EndingKind.FINISHED


def test_answers_that_are_no_numbers_are_malformed() -> None:
    """None, a text or an option itself instead of its index: a fault that says so, and the bot is asked again."""
    answers = iter([None, "x" * 1000, 0.5])

    def confused(asked: Asked) -> int:
        return next(answers, 0)  # type: ignore[return-value]

    record = play_on(new_match(1), [confused])
    found = [fault for step in record.steps for fault in step.faults]

    assert [fault.kind for fault in found] == [FaultKind.MALFORMED] * 3
    assert found[0].message == "the bot answered None, which is no index of an option"
    assert len(found[1].message) < 100
    final_of(record)


def test_the_note_of_a_bot_is_recorded_with_its_answer() -> None:
    """A bot with an attribute `note` has it in the record, bounded like any note."""

    class Talkative:
        note = ""

        def __call__(self, asked: Asked) -> int:
            self.note = f"ask {asked.ask}" + "." * 2000
            return 0

    record = play_on(new_match(2), [Talkative(), lambda asked: 0])

    assert record.steps[1].notes.keys() == {0}
    assert record.steps[1].notes[0].startswith("ask 1.")
    assert len(record.steps[1].notes[0]) == 1024
    final_of(record)


def test_development_mode_shows_the_first_crash() -> None:
    """The match stops with an explanation for the author of the bot."""

    def crashing(asked: Asked) -> int:
        raise ZeroDivisionError("division by zero")

    final = final_of(play_on(new_match(2, policy=Policy(development=True)), [lambda asked: 0, crashing]))

    assert "DEVELOPMENT MODE" in final.endings[0].message
    assert "ZeroDivisionError: division by zero" in final.endings[0].message


def test_the_stop_key_is_not_a_fault_of_a_bot() -> None:
    """Ctrl-C, also while a bot decides, interrupts the match."""

    def interrupted(asked: Asked) -> int:
        signal.raise_signal(signal.SIGINT)
        return 0

    # A shell that runs the tests in the background has told them to ignore the key.
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    try:
        with pytest.raises(KeyboardInterrupt):
            play_on(new_match(2), [interrupted, interrupted])
    finally:
        signal.signal(signal.SIGINT, before)


@pytest.mark.parametrize("kind", [KeyboardInterrupt, SystemExit, GeneratorExit, BaseException])
def test_a_bot_that_raises_what_would_end_the_program_is_at_fault(kind: type[BaseException]) -> None:
    """Only Ctrl-C itself stops a match: what a bot raises by its own code is a fault of its seat, whatever it is."""

    def leaving(asked: Asked) -> int:
        raise kind

    record = play_on(new_match(2), [leaving, lambda asked: 0])

    assert {(fault.seat, fault.kind, fault.owner) for step in record.steps for fault in step.faults} == {
        (0, FaultKind.CRASHED, Owner.BOT)
    }
    verify(record, GAME)


def test_a_restored_match_is_played_on() -> None:
    """The rest of the record is what it would have been."""
    whole = play_on(new_match(3), [lambda asked: 0] * 3, lambda: 0)
    match = Match.restore(GAME, whole.header, secret_from_seed("toy"), whole.steps[:2], at=99)
    rest = play_on(match, [lambda asked: 0] * 3, lambda: 0)

    assert rest.steps == whole.steps[2:]
    assert rest.final == whole.final


def test_a_match_that_has_run_out_of_time_still_ends() -> None:
    """With an empty bank and no increment every decision is late; the stand-in brings the match home."""
    watch = Watch()
    final = final_of(
        play_on(new_match(2, clock=TimeControl.parse("1s")), [watch.bot(SECOND), watch.bot(SECOND)], watch)
    )

    assert [ending.kind for ending in final.endings] == [EndingKind.FINISHED] * 2
    assert all(ending.faults for ending in final.endings)


def test_a_bot_for_every_seat_is_needed() -> None:
    """Not more, not fewer."""
    with pytest.raises(BadSetting, match="has 3 seats, not 2"):
        play_on(new_match(3), [lambda asked: 0] * 2)


def test_a_bot_that_ends_the_program_loses_only_its_seat() -> None:
    """SystemExit is a fault of the bot, so that no bot can choose the exit code of the program that tests it."""

    def leaver(asked: Asked) -> int:
        raise SystemExit(0)

    final = final_of(play_on(new_match(2), [leaver, lambda asked: 0]))

    assert [ending.faults for ending in final.endings] == [3, 0]


def test_an_error_that_cannot_be_shown_is_named_by_its_class() -> None:
    """The class of what a bot raises is the bot's own, and its text may fail as well."""

    class Mute(Exception):
        def __str__(self) -> str:
            raise RuntimeError("no words")

    def mute(asked: Asked) -> int:
        raise Mute

    record = play_on(new_match(2), [mute, lambda asked: 0])
    final_of(record)

    messages = {fault.message.partition(" (test_inprocess.py:")[0] for step in record.steps for fault in step.faults}
    assert messages == {"Mute"}


def test_a_bot_cannot_change_the_options_that_the_match_goes_by() -> None:
    """What a bot is handed is no list of the match's own."""
    seen: list[type] = []

    def curious(asked: Asked) -> int:
        seen.append(type(asked.options))
        return 0

    play_on(new_match(2), [curious, curious])

    assert list not in seen
