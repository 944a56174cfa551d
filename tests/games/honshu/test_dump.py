"""States as plain data: nothing is lost, and what does not add up is refused."""

from __future__ import annotations

from collections.abc import Callable
from copy import deepcopy
from typing import Any

import pytest

from referee.games.honshu import GAME
from referee.kernel.errors import BadPlain
from referee.kernel.plain import canonical, parse
from tests.games.honshu.tables import SEATS, play_until, start, steps


@pytest.mark.parametrize("layering", ["free", "flat"])
@pytest.mark.parametrize("seats", SEATS)
def test_a_stored_state_is_the_same(seats: int, layering: str) -> None:
    """At every decision the state survives the way through canonical JSON, with all views and options."""
    state = start(seats, layering=layering, scoring_card="random")
    for _ in steps(state, 3):
        loaded = GAME.load(parse(canonical(GAME.dump(state))))

        assert state == loaded
        assert GAME.dump(state) == GAME.dump(loaded)
        assert GAME.pending(state) == GAME.pending(loaded)
        for viewer in (None, *range(seats)):
            assert GAME.view(state, viewer) == GAME.view(loaded, viewer)
        for ask in GAME.pending(state):
            assert list(GAME.options(state, ask.seat)) == list(GAME.options(loaded, ask.seat))
    assert GAME.result(state) == GAME.result(GAME.load(GAME.dump(state)))


Damage = Callable[[Any], None]


def _set(*path: object) -> Damage:
    """Replace one part of a dump."""

    def damage(plain: Any) -> None:
        *way, last, value = path
        for key in way:
            plain = plain[key]
        plain[last] = value

    return damage


def _pop(*path: object) -> Damage:
    """Leave the last item of a list out."""

    def damage(plain: Any) -> None:
        for key in path:
            plain = plain[key]
        plain.pop()

    return damage


PLACE_OF_THREE: dict[str, Damage] = {
    "unknown layering": _set("rules", "layering", "loose"),
    "no rules": _set("rules", None),
    "another scoring card": _set("scoring_card", 3),
    "an unknown phase": _set("phase", "dance"),
    "a phase of two players": _set("phase", "keep"),
    "a phase that does not fit": _set("phase", "play"),
    "the end too early": _set("phase", "over"),
    "round 13": _set("round", 13),
    "another round": _set("round", 5),
    "a true round": _set("round", True),
    "a seat twice in the order": _set("order", [0, 0, 1]),
    "a hand too few": _pop("hands"),
    "a card too few": _pop("pile"),
    "a card twice": _set("pile", 0, 0),
    "an unsorted hand": lambda plain: plain["hands"][0].reverse(),
    "a hand that is no list": _set("hands", 0, "cards"),
    "too many cubes": _set("supply", 0, 40),
    "five colours": lambda plain: plain["supply"].append(0),
    "a domain too few": _pop("domains"),
    "a province of the other side": _set("domains", 0, "province", "B1"),
    "an unknown province": _set("domains", 0, "province", "A7"),
    "a card in the air": _set("domains", 0, "laid", 0, 2, 20),
    "a card off the plane": _set("domains", 0, "laid", 0, 2, 10**9),
    "an unknown card": _set("domains", 0, "laid", 0, 0, 61),
    "a placement of four": lambda plain: plain["domains"][0]["laid"][0].pop(),
    "a cube off the plane": _set("domains", 0, "cubes", [[10**9, 0]]),
    "a cube on no production cell": _set("domains", 0, "cubes", [[20, 20]]),
    "a cube twice": lambda plain: plain["domains"][0]["cubes"].append(plain["domains"][0]["cubes"][-1]),
    "nothing taken": _set("taken", [0, 0, 0]),
    "a bid left over": _set("trick", [[0, 5, -1]]),
    "a bid of an unknown colour": _set("trick", [[0, 5, 4]]),
    "a deck pair": _set("revealed", [1, 2]),
    "offers": _set("offers", [[1, 2], [3, 4]]),
    "no text": _set("phase", 5),
    "no list": _set("trick", {}),
}


@pytest.mark.parametrize("why", PLACE_OF_THREE)
def test_a_dump_that_does_not_add_up_is_refused(why: str) -> None:
    """Nonsense in any field raises BadPlain, not something else."""
    state = start(3)
    play_until(state, 1, "place", 4)
    plain = deepcopy(GAME.dump(state))
    GAME.load(plain)
    PLACE_OF_THREE[why](plain)

    with pytest.raises(BadPlain):
        GAME.load(plain)


PAIR_OF_TWO: dict[str, Damage] = {
    "no deck pair": _set("revealed", []),
    "one bid": _pop("trick"),
    "a phase of three players": _set("phase", "pick"),
    "two equal provinces": lambda plain: plain["domains"].__setitem__(1, plain["domains"][0]),
}


@pytest.mark.parametrize("why", PAIR_OF_TWO)
def test_a_two_player_dump_that_does_not_add_up_is_refused(why: str) -> None:
    """The same for the phases of two players."""
    state = start(2)
    play_until(state, 1, "pair", 1)
    plain = deepcopy(GAME.dump(state))
    GAME.load(plain)
    PAIR_OF_TWO[why](plain)

    with pytest.raises(BadPlain):
        GAME.load(plain)


@pytest.mark.parametrize("plain", [None, 5, "state", [], {}, {"rules": {}}])
def test_what_is_no_dump_is_refused(plain: Any) -> None:
    """Anything but an object with all fields raises BadPlain."""
    with pytest.raises(BadPlain):
        GAME.load(plain)
