"""Writing a state down and reading it back."""

from __future__ import annotations

import copy
from typing import Any

import pytest

from referee.games.ninjato import GAME
from referee.kernel.errors import BadPlain
from referee.kernel.plain import canonical, parse
from tests.games.ninjato.journeys import Eager, states
from tests.games.ninjato.stage import Stage, raid_stage


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_every_state_survives_writing_and_reading(seats: int) -> None:
    """Through the canonical text and back, every field is the same."""
    for state in states(seats, Eager(seats), seats):
        assert GAME.load(parse(canonical(GAME.dump(state)))) == state


def damaged(*path: str | int, value: object) -> Any:
    """The dump of a raid with one item replaced."""
    plain: Any = copy.deepcopy(GAME.dump(raid_stage([5, 3], 1, 0, ["fan", "jade"], ["gold"]).state))
    place = plain
    for key in path[:-1]:
        place = place[key]
    place[path[-1]] = value
    return plain


@pytest.mark.parametrize(
    ("path", "value"),
    [
        (("seats",), 5),
        (("seats",), "2"),
        (("round",), 0),
        (("round",), True),
        (("order",), [0, 0]),
        (("order",), [0]),
        (("honor",), [0, -1]),
        (("hands", 0), [0, 0, 0, 0, 0]),
        (("hands", 0), [0, 0, 1]),
        (("known", 0), [0, 0, 0, 0, 2]),
        (("pool",), [1, 1, 1, 1, 1]),
        (("fresh", 0), [0, 0, 0, 0, 0]),
        (("doubts", 0), [[1]]),
        (("dojo_deck",), []),
        (("bag", 0), 9),
        (("light", 1), [0, 0, 0, 0, 0]),
        (("sentinels", 1), -1),
        (("tokens",), [0, 0, 0, 0, 0]),
        (("shuffles",), [0, 0]),
        (("stack",), [["place", 0], ["place", 1]]),
        (("stack",), [[]]),
        (("stack", 0), {}),
        (("stack", 0, 0), "sleep"),
        (("stack", 0, 1), 7),
        (("stack", 0, 6), 0),
        (("stack", 0, 7), 4),
        (("stack", 0), ["pay", 0, "house", 1]),
        (("stack", 0), ["fight", 0]),
    ],
)
def test_a_damaged_state_is_refused(path: tuple[str | int, ...], value: object) -> None:
    """Wrong types, ranges, missing components and books that do not add up are no state."""
    with pytest.raises(BadPlain):
        GAME.load(damaged(*path, value=value))


@pytest.mark.parametrize("plain", [None, 3, [], {}, {"seats": 2}])
def test_what_is_no_state_at_all_is_refused(plain: Any) -> None:
    """The keys must be there, and nothing else."""
    with pytest.raises(BadPlain):
        GAME.load(plain)


def test_a_clone_is_independent() -> None:
    """Playing on with a clone leaves the original as it was, and the other way round."""
    stage = Stage(3)
    before = GAME.dump(stage.state)
    clone = GAME.clone(stage.state)
    assert clone == stage.state

    stage.finish_round()

    assert GAME.dump(clone) == before
    assert GAME.dump(stage.state) != before
