"""How long a bot is advised to think."""

from __future__ import annotations

import time

import pytest

from bots.ask import Table
from bots.clock import PACE, TAIL, UNKNOWN_PACE, UNLIMITED, AskClock, ClockSettings, ahead
from bots.seated_bot import clock_of
from referee.kernel import registry

NOW = 1000.0


@pytest.fixture(autouse=True)
def stopped(monkeypatch: pytest.MonkeyPatch) -> None:
    """Time stands still."""
    monkeypatch.setattr(time, "monotonic", lambda: NOW)


def test_without_a_clock_there_is_no_advice() -> None:
    """A bot without limit decides for itself."""
    assert UNLIMITED.advice() is None


def test_advice_is_an_equal_share_of_the_bank() -> None:
    """Ten seconds for twenty decisions are half a second each."""
    clock = AskClock(left=10.0, budget=10.0, received=NOW, ahead=20)

    assert clock.advice() == pytest.approx(0.5)


def test_the_increment_is_spent_as_it_comes() -> None:
    """Of 10.1 seconds that include an increment of 0.1, a share of 10 and the increment."""
    clock = AskClock(left=10.1, budget=10.1, received=NOW, increment=0.1, ahead=20)

    assert clock.advice() == pytest.approx(0.6)


def test_the_cap_and_the_way_back_limit_the_advice() -> None:
    """A budget of one second is never thought away to its end; nor is one of a few milliseconds."""
    capped = AskClock(left=100.0, budget=1.0, received=NOW, ahead=2)
    tiny = AskClock(left=0.012, budget=0.012, received=NOW, ahead=1)

    assert capped.advice() == pytest.approx(0.85)
    assert tiny.advice() == pytest.approx(0.002)


def test_time_that_has_passed_since_the_ask_came_is_not_advised_again() -> None:
    """An ask that waited 0.3 s for another one has 0.2 s of its half second left; one that waited longer has none."""
    waited = AskClock(left=10.0, budget=10.0, received=NOW - 0.3, ahead=20)
    late = AskClock(left=10.0, budget=10.0, received=NOW - 3, ahead=20)

    assert waited.advice() == pytest.approx(0.2)
    assert late.advice() == 0.0


def test_a_bank_that_follows_the_advice_lasts_for_a_match_twice_as_long_as_expected() -> None:
    """Whoever always takes the advised time never runs out, however long the match."""
    left = 10.0
    for number in range(1, 200):
        clock = AskClock(left=left, budget=left, received=NOW, ahead=ahead("honshu", 2, number))
        advice = clock.advice()
        assert advice is not None
        left -= advice

    assert left > 0


def test_the_pace_of_every_game_is_known_at_every_table() -> None:
    """Each registered game has a figure for each of its seat counts; an unknown game gets a round one."""
    expected = {name: list(registry.game(name).seats) for name in registry.names()}

    assert expected == {name: list(PACE[name]) for name in registry.names()}
    assert ahead("go", 2, 1) == UNKNOWN_PACE
    assert ahead("go", 2, 1000) == TAIL


def test_an_ask_knows_its_increment_and_what_is_ahead() -> None:
    """Both come from the table: its time control, its game and the number of the ask."""
    table = Table("m1", "honshu", 0, ("a", "b"), control=ClockSettings(10.0, 0.25, 5.0))

    clock = clock_of(table, 3, 9_000_000, 5_000_000, None, NOW)

    assert (clock.left, clock.budget, clock.increment, clock.ahead) == (9.0, 5.0, 0.25, PACE["honshu"][2] - 2)
