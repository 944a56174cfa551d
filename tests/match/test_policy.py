"""Faults, endings and places, apart from any match."""

from __future__ import annotations

import pytest

from referee.kernel.errors import BadSetting
from referee.kernel.game import Result
from referee.match.policy import (
    TEXT_LIMIT,
    Ending,
    EndingKind,
    Fault,
    FaultKind,
    Ledger,
    Owner,
    Policy,
    aborted,
    clean,
    endings,
    rated,
    standing,
)

RESULT = Result((1, 2, 3), (30, 20, 10), "played out")


def fault(seat: int, ask: int = 1, kind: FaultKind = FaultKind.ILLEGAL, owner: Owner = Owner.BOT) -> Fault:
    """A fault with some message."""
    return Fault(seat, ask, kind, owner, "wrong")


def test_the_fault_after_the_last_tolerated_one_forfeits() -> None:
    """With two tolerated faults the third one costs the game, and only that seat."""
    ledger = Ledger(Policy(faults=2), 2)

    assert [ledger.add(fault(1)) for _ in range(4)] == [False, False, True, False]
    assert [None, fault(1)] == ledger.forfeits


def test_a_seat_that_is_not_ready_is_forfeited_at_once() -> None:
    """Late or gone without an ask means never ready; no budget covers that."""
    ledger = Ledger(Policy(faults=9), 3)
    ledger.add(fault(0, 0, FaultKind.LATE))
    ledger.add(fault(1, 0, FaultKind.GONE, Owner.NETWORK))
    ledger.add(fault(2, 0, FaultKind.MALFORMED))

    assert [entry is not None for entry in ledger.forfeits] == [True, True, False]
    assert [e.kind for e in endings(ledger)] == [EndingKind.NEVER_READY, EndingKind.NEVER_READY, EndingKind.FINISHED]


@pytest.mark.parametrize(
    ("forfeited", "places"),
    [
        ((False, False, False), (1, 2, 3)),
        ((True, False, False), (3, 1, 2)),
        ((True, True, False), (2, 2, 1)),
        ((True, False, True), (2, 1, 2)),
        ((True, True, True), (1, 1, 1)),
    ],
)
def test_forfeited_seats_share_the_last_place(forfeited: tuple[bool, ...], places: tuple[int, ...]) -> None:
    """The others keep their order and move up; points stay what they were."""
    ranked = standing(RESULT, forfeited)

    assert places == ranked.places
    assert RESULT.points == ranked.points


def test_automata_are_ahead_of_forfeited_seats() -> None:
    """A solo player who forfeits loses against the rival even with more points, and the match counts."""
    result = Result((1, 2), (50, 40), "played out", ("rival",))
    ledger = Ledger(Policy(faults=0), 1)
    ledger.add(fault(0))

    assert standing(result, (True,)).places == (2, 1)
    assert rated(ledger, result)


def test_a_match_counts_unless_all_forfeit_or_the_referee_failed() -> None:
    """One seat that plays to the end is enough; a fault of the referee spoils it."""
    ledger = Ledger(Policy(faults=0), 2)
    ledger.add(fault(0))
    assert rated(ledger, RESULT)

    ledger.add(fault(1))
    assert not rated(ledger, RESULT)

    spoiled = Ledger(Policy(faults=3), 2)
    spoiled.add(fault(0, owner=Owner.REFEREE))
    assert not rated(spoiled, RESULT)


def test_an_aborted_match_names_its_culprit() -> None:
    """The seat at fault owns its ending; for the others it is the opponent's."""
    ledger = Ledger(Policy(faults=3), 2)
    culprit = fault(1)
    ledger.add(culprit)
    expected = (
        Ending(EndingKind.ABORTED, 0, Owner.OPPONENT, "stopped"),
        Ending(EndingKind.ABORTED, 1, Owner.BOT, "stopped"),
    )

    assert expected == aborted(ledger, "stopped", culprit)


def test_a_match_stopped_by_the_referee_leaves_earned_endings() -> None:
    """A seat that had forfeited stays forfeited; the others are aborted by the referee."""
    ledger = Ledger(Policy(faults=0), 2)
    ledger.add(fault(1))
    expected = (
        Ending(EndingKind.ABORTED, 0, Owner.REFEREE, "power cut"),
        Ending(EndingKind.FORFEITED, 1, Owner.BOT, "wrong"),
    )

    assert expected == aborted(ledger, "power cut", None)


def test_a_policy_with_negative_numbers_is_refused() -> None:
    """Counts and times are 0 or more."""
    with pytest.raises(BadSetting, match="0 or more"):
        Policy(faults=-1)


def test_foreign_text_is_cut_and_made_fit_to_be_shown() -> None:
    """A bot's message can be neither endless nor half a character, nor move the cursor of whoever reads it."""
    assert len(clean("x" * 5000)) == TEXT_LIMIT
    assert clean("a\ud800b") == "a b"
    assert clean("one\ntwo\x1b[2J\x07") == "one two [2J "
    assert clean("one\ntwo\rthree", lines=True) == "one\ntwo three"
    assert clean("größer 🎴") == "größer 🎴"
