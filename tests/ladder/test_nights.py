"""Two nights compared: equal ones raise no alarm, newcomers change no bot, a real drop is found."""

from __future__ import annotations

from itertools import combinations

import numpy as np
import pytest

from ladder.seasons.nights import AFTER, BEFORE, NightChange, _compared, _NightGame, _NightSeat

ELO = 400.0 / np.log(10.0)
NAMES = ("ann", "bob", "cid", "dan")


def night(
    rng: np.random.Generator,
    which: str,
    strengths: dict[str, float],
    sets: int,
    builds: dict[str, int] | None = None,
    seats: int = 2,
) -> list[_NightGame]:
    """Duplicate sets of every table, with luck of the deal."""
    games = []
    for number in range(sets):
        for table in combinations(strengths, seats):
            luck = rng.normal(0.0, 200.0 / ELO, seats)
            for turn in range(seats):
                seated = table[turn:] + table[:turn]
                utility = luck + rng.gumbel(size=seats) + np.array([strengths[name] for name in seated]) / ELO
                places = tuple(1 + int((utility > own).sum()) for own in utility)
                players = tuple(_NightSeat(name, (builds or {}).get(name, 1)) for name in seated)
                games.append(_NightGame(players, places, f"{number}/{table}/{which}", which))
    return games


def judged(games: list[_NightGame], name: str) -> NightChange:
    """What is said of one bot."""
    return _compared(NightChange("p", "", name, 800.0, 800.0, None, None), games)


@pytest.mark.parametrize("pairs", [20, pytest.param(80, marks=pytest.mark.slow)])
def test_equal_nights_alarm_in_at_most_one_of_twenty(pairs: int) -> None:
    """Pairs of equal nights with four watched bots: any alarm at all in 5%, and twice the simulation's error."""
    rng = np.random.default_rng(5)
    strengths = dict(zip(NAMES, (-100.0, -20.0, 30.0, 90.0), strict=True))
    alarms = 0
    for _ in range(pairs):
        games = night(rng, BEFORE, strengths, 4) + night(rng, AFTER, strengths, 4)
        alarms += any(judged(games, name).regressed(0.0, len(NAMES)) for name in NAMES)

    assert alarms / pairs <= 0.05 + 2 * np.sqrt(0.05 * 0.95 / pairs)


def test_a_strong_newcomer_changes_no_bot() -> None:
    """The same results with and without a newcomer at the tables of the second night: the same changes."""
    rng = np.random.default_rng(6)
    strengths = dict(zip(NAMES, (-100.0, -20.0, 30.0, 90.0), strict=True))
    first = night(rng, BEFORE, strengths, 10)
    second = night(rng, AFTER, {**strengths, "new": 600.0}, 10)
    without = [game for game in second if all(seat.name != "new" for seat in game.seats)]

    for name in NAMES:
        assert judged(first + second, name).change == pytest.approx(judged(first + without, name).change, abs=1e-6)
        assert not judged(first + second, name).regressed(20.0, len(NAMES))


def test_a_newcomer_at_larger_tables_is_left_out_of_the_finishing_order() -> None:
    """Three seats: games with a newcomer count for the two others."""
    rng = np.random.default_rng(7)
    strengths = dict(zip(NAMES, (-100.0, -20.0, 30.0, 90.0), strict=True))
    games = night(rng, BEFORE, strengths, 12, seats=3)
    games += night(rng, AFTER, {**strengths, "new": 800.0}, 12, seats=3)
    change = judged(games, "bob")

    assert change.change_low is not None
    assert change.change_high is not None
    assert change.change_low < 0.0 < change.change_high


def test_a_build_that_got_worse_is_found_and_named_as_new() -> None:
    """200 Elo weaker with new code: an alarm, with an interval that excludes 0; the others raise none."""
    rng = np.random.default_rng(8)
    strengths = dict(zip(NAMES, (0.0, -20.0, 30.0, 90.0), strict=True))
    games = night(rng, BEFORE, strengths, 30)
    games += night(rng, AFTER, {**strengths, "ann": -200.0}, 30, builds={"ann": 2})
    change = judged(games, "ann")

    assert change.new_build
    assert change.regressed(30.0, len(NAMES))
    assert not any(judged(games, name).regressed(30.0, len(NAMES)) for name in NAMES[1:])


def test_a_bot_without_shared_opponents_is_not_compared() -> None:
    """Every other bot has new code: nothing says which of them changed."""
    rng = np.random.default_rng(9)
    strengths = dict(zip(NAMES, (0.0, -20.0, 30.0, 90.0), strict=True))
    games = night(rng, BEFORE, strengths, 2)
    games += night(rng, AFTER, strengths, 2, builds=dict.fromkeys(NAMES, 2))

    assert judged(games, "ann").change is None


def test_a_bot_of_one_night_only_is_not_compared() -> None:
    """There is nothing to compare it with."""
    rng = np.random.default_rng(10)
    strengths = dict(zip(NAMES, (0.0, -20.0, 30.0, 90.0), strict=True))
    games = night(rng, BEFORE, strengths, 2) + night(rng, AFTER, {**strengths, "new": 0.0}, 2)

    assert judged(games, "new").change is None
