"""Floods and crowds at a real referee in a process of its own: memory comes back, players and newcomers are served."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator

import pytest

from tests.transport import crowd, floods
from tests.transport.house import WAIT

GROWN = 1.2
"""Memory after a flood as a multiple of that before."""
SLOWER = 40.0
"""Times that the answer to a bot which plays may take longer during a flood; without bounds it was 250."""
OPENING = 2.0
"""Seconds that a newcomer may wait while a thousand bots arrive. The aim is one second, which a machine with nothing
else to do keeps; without a share of the loop for them it was six to eleven."""


@pytest.fixture
def house() -> Iterator[crowd.Referee]:
    with crowd.referee() as started:
        floods.warm(started)
        time.sleep(3)
        yield started


@pytest.mark.processes
@pytest.mark.parametrize("flood", [floods.describes, floods.offers], ids=lambda flood: flood.__name__)
def test_memory_after_a_small_flood_is_as_before(house: crowd.Referee, flood: Callable[[str, float], None]) -> None:
    """Ten requests of 2 MiB, or 50 hellos with 500 KiB of offers, leave nothing behind."""
    before = house.memory

    with floods.watched(house) as heights:
        flood(house.address, 0.25)
    deadline = time.monotonic() + WAIT
    while house.memory > GROWN * before and time.monotonic() < deadline:
        time.sleep(0.2)

    assert heights[-1] < before + 60
    assert house.memory <= GROWN * before


@pytest.mark.processes
def test_all_bots_of_a_small_crowd_play_and_newcomers_are_welcomed() -> None:
    """100 bots that answer at once, all on one connection: each gets its ask, and a newcomer comes in soon."""
    found = crowd.measure(100, seconds=1, patience=20, shared=True, calm=0)

    assert found.crowd.endings == {}
    assert found.crowd.played == 100
    assert found.refused == 0


@pytest.mark.processes
@pytest.mark.slow
@pytest.mark.parametrize("flood", floods.FLOODS, ids=lambda flood: flood.__name__)
def test_memory_after_a_flood_is_as_before_and_a_player_plays_on(
    house: crowd.Referee, flood: Callable[[str, float], None]
) -> None:
    """Within 20% of what it was after a flood of the same sort: the first of each sort sets the level."""
    flood(house.address, 1.0)
    time.sleep(floods.CALM)
    found = floods.measure(flood, house)

    assert found.growth < GROWN
    assert not found.calm_median or found.median < SLOWER * found.calm_median


@pytest.mark.processes
@pytest.mark.slow
@pytest.mark.parametrize("shared", [False, True], ids=["own connections", "one connection"])
@pytest.mark.parametrize("with_tokens", [False, True], ids=["open", "tokens"])
def test_a_thousand_bots_all_play_and_a_newcomer_is_welcomed_within_a_second(shared: bool, with_tokens: bool) -> None:
    """All of them have been asked within 10 s; among them newcomers and returning bots wait less than 1 s."""
    found = crowd.measure(1000, seconds=10, patience=30, shared=shared, with_tokens=with_tokens)

    assert found.crowd.endings == {}
    assert found.crowd.played == 1000
    assert found.crowd.last_ask < 10
    assert found.welcome_longest < 1
    assert found.resume_longest < 1
    assert found.opening_longest < OPENING
