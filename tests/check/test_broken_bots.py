"""Each flawed bot fails the step about its flaw, and passes all the others."""

from __future__ import annotations

import pytest

from ladder.check.examination import Options, examine
from ladder.check.outcomes import CheckReport, DrillStatus
from ladder.check.transcript import Transcript
from referee.match.clock import TimeControl
from tests.check.flawed import FLAWS, Flaw, Homing, Honest, OpenOnly, OtherVersion
from tests.check.threaded import subject_of

OPTIONS = Options(clock=TimeControl.parse("60s/3s"), patience=3.0)


def checked(kind: type[Honest]) -> CheckReport:
    """The report on a bot."""
    return examine(subject_of(kind), OPTIONS, Transcript())


def test_an_honest_bot_passes_every_step() -> None:
    """The bot from which the flawed ones are made has no flaw: nothing fails, and nothing is skipped."""
    report = checked(Honest)

    assert [outcome.remark for outcome in report.outcomes if outcome.status is not DrillStatus.PASSED] == []
    assert [outcome.number for outcome in report.outcomes] == list(range(1, 23))
    assert report.passed


@pytest.mark.parametrize("flaw", FLAWS, ids=[flaw.kind.__name__ for flaw in FLAWS])
def test_a_flaw_fails_its_own_step_and_no_other(flaw: Flaw) -> None:
    """The steps that fail are exactly those about the flaw; the report says what was wrong, and shows the message."""
    report = checked(flaw.kind)
    first = next(outcome for outcome in report.outcomes if outcome.status is DrillStatus.FAILED)

    assert report.failures == flaw.steps
    assert flaw.words in first.remark
    assert flaw.message in "\n".join(first.messages)
    assert not report.passed


def test_every_step_is_failed_by_some_bot() -> None:
    """No step of the check lets everything pass."""
    keys = {outcome.key for outcome in checked(Honest).outcomes}
    failed = {step for flaw in FLAWS for step in flaw.steps}

    # One seat count stands for the others.
    assert keys - failed == {"edo_yashiki/4"}


def test_without_a_handshake_nothing_else_is_tried() -> None:
    """The report ends with the step on which all others rest."""
    assert [outcome.key for outcome in checked(OtherVersion).outcomes] == ["handshake"]


def test_a_bot_that_stays_at_its_first_address_passes() -> None:
    """The referee there answers as well; the remark says where the bot dialled."""
    near, far = (
        next(outcome for outcome in checked(kind).outcomes if outcome.key == "redirected") for kind in (Homing, Honest)
    )

    assert (near.status, far.status) == (DrillStatus.PASSED, DrillStatus.PASSED)
    assert "dialled its first address again, not the second" in near.remark
    assert "dialled the second address" in far.remark


def test_a_bot_without_tokens_is_told_so_and_fails_nothing() -> None:
    """It can play at a referee that wants none; the step about tokens is skipped."""
    report = checked(OpenOnly)
    skipped = {outcome.key: outcome.remark for outcome in report.outcomes if outcome.status is DrillStatus.SKIPPED}

    assert report.passed
    assert skipped == {"token": "shows no token; it can play only where none is wanted"}
