"""States as plain data (W-17.2)."""

from __future__ import annotations

import random

import pytest

from referee.games.white_castle import GAME
from referee.kernel.chance import Fast
from referee.kernel.errors import BadPlain
from referee.kernel.game import settle_variant
from referee.kernel.plain import Plain, canonical, parse
from tests.games.white_castle.situations import Situation


@pytest.mark.parametrize("seats", [1, 2, 3, 4])
def test_a_state_is_the_same_after_storing(seats: int) -> None:
    """At every decision dump and load give an equal state (W-17.2)."""
    rng, chance = random.Random(seats), Fast(seats)
    state = GAME.start(seats, settle_variant(GAME, seats, {}), chance)
    while asks := GAME.pending(state):
        assert state == GAME.load(parse(canonical(GAME.dump(state))))
        listed = GAME.options(state, asks[0].seat)
        GAME.apply(state, {asks[0].seat: listed[rng.randrange(len(listed))]}, chance)

    assert state == GAME.load(GAME.dump(state))


def plain(seats: int = 2) -> dict[str, Plain]:
    """A dump to spoil."""
    dumped = GAME.dump(Situation.new(seats).state)
    assert isinstance(dumped, dict)
    return dumped


@pytest.mark.parametrize(
    ("key", "value"),
    [
        ("board", 3),
        ("clans", []),
        ("order", [0, 0]),
        ("track", [0]),
        ("bridges", [[1, [2], 3]]),
        ("bridges", [[1, [2], 7]] * 3),
        ("bridges", [1, 2, 3]),
        ("spaces", [[[0]]] * 8),
        ("castle", [0, 1, 2, 3, 99]),
        ("offer", [[1, 2, 3]]),
        ("round", True),
        ("stack", [["no such frame"]]),
        ("stack", [["turns", 0]]),
        ("stack", [["take_die", 7]]),
        ("last", [0, "take_die", "nothing"]),
    ],
)
def test_what_is_no_state_is_refused(key: str, value: Plain) -> None:
    """A wrong field raises BadPlain and nothing else."""
    spoiled = plain() | {key: value}

    with pytest.raises(BadPlain):
        GAME.load(spoiled)


def test_a_missing_field_is_named() -> None:
    """The complaint says which field is missing."""
    spoiled = plain()
    del spoiled["castle"]

    with pytest.raises(BadPlain, match="castle"):
        GAME.load(spoiled)


def test_clones_share_no_mutable_part() -> None:
    """Changing a clone leaves the original as it was."""
    state = Situation.new(3).state
    before = GAME.dump(state)
    twin = GAME.clone(state)
    twin.clans[0].goods[0] = 7
    twin.clans[1].court[0] = 1
    twin.castle[0] = 26
    twin.track.reverse()
    twin.stack.clear()
    twin.bridges[0] = (6, (), 6)
    twin.spaces[7] = ((0, 1),)
    twin.favours[0] = 1

    assert before == GAME.dump(state)
