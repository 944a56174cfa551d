"""When and where a bot dials again, on a clock of the test's own."""

from __future__ import annotations

import random

import pytest

from bots.redial import AWAY, FIRST_PAUSE, LONGEST_PAUSE, LONGEST_WAIT, MANY, Redial
from bots.session import Closing, Next
from referee.v1 import play_pb2

HOME, OTHER = "cup.example:7400", "cup.example:7401"


class Dialler:
    """A redial whose pauses pass at once on a clock of its own."""

    def __init__(self, patience: float = 30.0) -> None:
        self.now = 1000.0
        self.redial = Redial(HOME, patience, clock=lambda: self.now)

    def fail(self, *, welcomed: bool = False, closing: Closing | None = None, took: float = 0.0) -> float | None:
        """A stream ends after so many seconds; waits the pause out and returns it."""
        self.now += took
        pause = self.redial.after(welcomed=welcomed, closing=closing)
        self.now += pause or 0.0
        return pause

    def gives_up_after(self) -> float:
        """Seconds of failed attempts until there are no more."""
        begun = self.now
        while self.fail() is not None:
            pass
        return self.now - begun


def closed(code: str, address: str = "", retry_after: float = 0.0) -> Closing:
    fault = play_pb2.Fault(code=f"FAULT_CODE_{code}")
    return Closing(Next.RESUME, "because", fault.code, address, retry_after)


@pytest.fixture(autouse=True)
def _no_luck(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(random, "uniform", lambda low, high: high)


def test_pauses_double_from_the_first_to_the_longest() -> None:
    """Exponential back-off with a bound."""
    dialler = Dialler(patience=1000.0)

    pauses = [dialler.fail(took=5.0) for _ in range(10)]

    assert pauses[:3] == [FIRST_PAUSE, 2 * FIRST_PAUSE, 4 * FIRST_PAUSE]
    assert pauses[-2:] == [LONGEST_PAUSE, LONGEST_PAUSE]


def test_a_pause_is_shortened_at_random_but_never_below_a_half(monkeypatch: pytest.MonkeyPatch) -> None:
    """Bots of one referee do not all dial in the same moment."""
    asked: list[tuple[float, float]] = []

    def uniform(low: float, high: float) -> float:
        asked.append((low, high))
        return low

    monkeypatch.setattr(random, "uniform", uniform)
    dialler = Dialler()

    assert dialler.fail() == FIRST_PAUSE / 2
    assert asked == [(0.5, 1.0)]


def test_an_address_where_no_referee_ever_answered_is_given_up_soon() -> None:
    """The patience counts from the beginning."""
    assert 30.0 <= Dialler().gives_up_after() <= 30.0 + 2 * LONGEST_PAUSE


@pytest.mark.parametrize(
    ("welcomed", "closing"), [(True, None), (False, closed("RESTARTING")), (False, closed("FULL"))], ids=str
)
def test_a_referee_that_was_heard_is_dialled_for_more_than_ten_minutes(welcomed: bool, closing: Closing | None) -> None:
    """A welcome, or any fault that lets the bot come back, is worth the long patience, counted from then."""
    dialler = Dialler()
    dialler.fail(took=100_000.0, welcomed=welcomed, closing=closing)

    assert 600.0 < AWAY <= dialler.gives_up_after() <= AWAY + 2 * LONGEST_PAUSE


def test_a_welcome_begins_the_pauses_anew() -> None:
    """A stream that was good is followed by a short pause."""
    dialler = Dialler()
    for _ in range(6):
        dialler.fail()

    assert dialler.fail(welcomed=True) == FIRST_PAUSE


def test_the_referee_says_how_long_to_wait_at_least_within_reason() -> None:
    """A wish for a longer pause is granted, one for hours is cut, one for less than the bot's own changes nothing."""
    waits = [0.0, 7.5, 86_400.0]

    pauses = [Dialler().fail(closing=closed("RATE", retry_after=wait)) for wait in waits]

    assert pauses == [FIRST_PAUSE, 7.5, LONGEST_WAIT]


def test_a_redirection_is_followed_and_kept_while_the_address_answers() -> None:
    """The bot dials where its tables are, also after a break there."""
    dialler = Dialler()
    seen = []
    for closing in (closed("REDIRECTED", OTHER), None, closed("RESTARTING")):
        dialler.fail(welcomed=True, closing=closing)
        seen.append(dialler.redial.address)

    assert seen == [OTHER, OTHER, OTHER]


def test_an_address_that_does_not_answer_leads_back_home() -> None:
    """One failure there is enough."""
    dialler = Dialler()
    dialler.fail(welcomed=True, closing=closed("REDIRECTED", OTHER))
    dialler.fail()

    assert dialler.redial.address == HOME


@pytest.mark.parametrize("address", ["", "nowhere", "host:0", "unix:", "unix:" + "x" * 200, "host:123456"])
def test_a_redirection_to_what_is_no_address_leaves_the_bot_at_home(address: str) -> None:
    """The referee's mistake is not the bot's end."""
    dialler = Dialler()
    dialler.fail(closing=closed("REDIRECTED", address))

    assert dialler.redial.address == HOME


def test_a_referee_that_hangs_up_after_each_welcome_is_not_stormed() -> None:
    """Within any minute fewer streams are opened than the 60 that a referee admits."""
    dialler = Dialler()
    at = []
    for _ in range(200):
        at.append(dialler.now)
        dialler.fail(welcomed=True)
    busiest = max(sum(begun <= moment < begun + 60.0 for moment in at) for begun in at)

    assert MANY < busiest < 60
