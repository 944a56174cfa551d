"""Thousands of matches on virtual time with faults at every message and store: none is stuck, none is wrong."""

from __future__ import annotations

import re
from itertools import count

import pytest

from referee.kernel import registry
from referee.match import match
from tests.simulation.__main__ import main
from tests.simulation.planted import PLANTED
from tests.simulation.play import Failure, play, play_all
from tests.simulation.promises import PROMISES, STANDS_STILL
from tests.simulation.scenario import REAL_GAMES_EVERY

WORLDS_TO_FIND = 400
"""Worlds within which every planted fault must be found."""
INJECTED = {
    "bot does not read",
    "bot killed",
    "message delayed",
    "referee killed after a begin is stored",
    "referee killed after a step is stored",
    "referee killed at a message",
    "referee killed before a begin is stored",
    "referee killed before a step is stored",
    "stream cut",
    "token revoked",
} | ({"storage trouble"} if STANDS_STILL else set())
RECORDED = {
    "ending aborted",
    "ending finished",
    "ending forfeited",
    "ending never_ready",
    "fault gone",
    "fault illegal",
    "fault late",
    "fault malformed",
    "stand-ins",
    "steps",
}
compiled = not str(match.__file__).endswith(".py")


@pytest.mark.parametrize("hundred", range(10))
def test_a_thousand_matches_with_faults_at_every_message_end_and_hold(hundred: int) -> None:
    """No match is stuck or wrong; a failure names the seed of its world. Each hundred has one match of a real game."""
    outcome = play_all(count(REAL_GAMES_EVERY * hundred + 450), matches=100)

    assert outcome.matches >= 100


@pytest.mark.slow
@pytest.mark.parametrize("thousand", range(100))
def test_a_hundred_thousand_matches_with_faults_at_every_message_end_and_hold(thousand: int) -> None:
    """The same over a hundred times as many."""
    outcome = play_all(count(1_000_000 + 1000 * thousand), matches=1000)

    assert outcome.matches >= 1000


def test_every_sort_of_fault_and_ending_comes_up() -> None:
    """Two hundred worlds have all that can be injected, and records of every sort come out of them."""
    outcome = play_all(range(200))

    assert set(outcome.injected) >= INJECTED
    assert set(outcome.recorded) >= RECORDED


def test_a_world_is_the_same_each_time_it_is_played() -> None:
    """A seed reproduces every moment of its world, also after other worlds were played."""
    first: list[str] = []
    again: list[str] = []
    for seed in range(20):
        play(seed, first.append)
    for seed in reversed(range(20)):
        lines: list[str] = []
        play(seed, lines.append)
        again[:0] = lines

    assert first == again
    assert len(first) > 1000


def test_the_toy_game_is_registered_only_while_a_world_is_played() -> None:
    """Other tests see the games that there are, and no other."""
    before = registry.names()
    play(0)

    assert registry.names() == before
    assert "lantern_auction" not in before


@pytest.mark.skipif(compiled, reason="methods of compiled classes cannot be replaced")
@pytest.mark.parametrize("name", [name for name, planted in PLANTED.items() if planted.needs])
def test_a_planted_fault_is_found(name: str) -> None:
    """The simulator finds each fault within a few hundred worlds, and names what it breaks."""
    planted = PLANTED[name]

    with planted.plant(), pytest.raises(Failure) as found:
        play_all(range(WORLDS_TO_FIND))

    assert re.search(planted.found_as, str(found.value))
    assert re.search(r"python -m tests.simulation --seed \d+ --trace", str(found.value))


def test_every_promise_is_checked() -> None:
    """Nothing is left out of the checks because the referee seems not to promise it."""
    assert all(PROMISES.values()), PROMISES


def test_the_command_plays_worlds_and_prints_what_was_injected(capsys: pytest.CaptureFixture[str]) -> None:
    """With a trace every message of a world is a line."""
    assert main(["--seed", "3", "--matches", "2", "--trace"]) == 0

    printed = capsys.readouterr().out
    assert "referee 0 starts" in printed
    assert "0 wrong" in printed
    assert "injected: " in printed
