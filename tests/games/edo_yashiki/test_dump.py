"""States as plain data: nothing is lost, and what does not add up is refused."""

from __future__ import annotations

import itertools
from collections.abc import Callable
from copy import deepcopy
from typing import Any

import pytest

from referee.games.edo_yashiki import GAME
from referee.kernel.chance import Fast
from referee.kernel.errors import BadPlain
from referee.kernel.plain import canonical, parse
from tests.games.edo_yashiki.tables import DRAFTS, RULES, SEATS, play_until, start, steps


@pytest.mark.parametrize("draft", DRAFTS)
@pytest.mark.parametrize("rules", RULES)
@pytest.mark.parametrize("seats", SEATS)
def test_a_stored_state_is_the_same(seats: int, rules: str, draft: str) -> None:
    """At every decision of a game the state survives the way through canonical JSON, with all views and options."""
    state = start(seats, rules, draft)
    for current, _, _ in steps(state, 3):
        loaded = GAME.load(parse(canonical(GAME.dump(current))))

        assert GAME.dump(current) == GAME.dump(loaded)
        assert GAME.pending(current) == GAME.pending(loaded)
        for seat in (None, *range(seats)):
            assert GAME.view(current, seat) == GAME.view(loaded, seat)
        for ask in GAME.pending(current):
            assert GAME.options(current, ask.seat) == GAME.options(loaded, ask.seat)


def test_a_running_chain_is_stored() -> None:
    """Lines scored so far and ended chains are run again when a state is read (E-9.3)."""
    for seed in range(400):
        state = start(4, "specialists", chance=Fast(seed))
        if not play_until(state, "score_line", seed):
            continue
        GAME.apply(state, {ask.seat: GAME.options(state, ask.seat)[0] for ask in GAME.pending(state)}, Fast(1))
        if state.chains:
            break

    assert any(chain.scored for chain in state.chains)
    assert state.chains == GAME.load(GAME.dump(state)).chains


Dump = dict[str, Any]
"""A dump in which anything may stand anywhere."""
Damage = Callable[[Dump], None]


def _set(*path: Any) -> Damage:
    """Replace one part of a dump."""

    def damage(plain: Dump) -> None:
        *way, last, value = path
        part: Any = plain
        for key in way:
            part = part[key]
        part[last] = value

    return damage


BROKEN: dict[str, Damage] = {
    "unknown rules": _set("rules", "house rules"),
    "unknown draft": _set("draft", "raffle"),
    "a reflex draft without times of arrival": _set("draft", "reflex"),
    "no list of houses": _set("houses", 3),
    "one house": lambda plain: plain["houses"].__delitem__(slice(1, None)),
    "an empty house": _set("houses", 0, []),
    "a starting card elsewhere": _set("houses", 0, 0, 1, 1),
    "an illegal placement": _set("houses", 0, 1, 1, 50),
    "a quarter-turn": _set("houses", 0, 1, 3, 90),
    "an unknown card": _set("houses", 0, 0, 0, 64),
    "a card twice": _set("deck", 0, 0),
    "a card too few": lambda plain: plain["deck"].pop(),
    "a float round": _set("round", 1.5),
    "a true round": _set("round", True),
    "another round": _set("round", 9),
    "a first player who is not there": _set("first", 3),
    "a short row": lambda plain: plain["row"].pop(),
    "a card taken twice": _set("got", [0, 0, 1]),
    "a seat without card": _set("got", [0, -1, 1]),
    "a draft too few": lambda plain: plain["drafts"].pop(),
    "a draft of two parts": _set("drafts", 0, [[], []]),
    "negative points": _set("scores", 0, -1),
    "tokens in the standard game": _set("tokens", [15, 15, 15]),
    "chains in the standard game": _set("chains", [[[], False]] * 3),
    "scored lines in the standard game": _set("scored", [[[], [], []]]),
    "an unknown frame": _set("stack", [["dance"]]),
    "two frames": _set("stack", [["place_card"], ["place_card"]]),
    "a frame that is none": _set("stack", [[]]),
    "scoring without chains": _set("stack", [["score_line"]]),
    "another draft": _set("stack", [["pick_card"]]),
    "an unknown field": _set("extra", 1),
    "a missing field": lambda plain: plain.__delitem__("deck"),
}


@pytest.mark.parametrize("why", BROKEN)
def test_a_dump_that_does_not_add_up_is_refused(why: str) -> None:
    """Nonsense in any field raises BadPlain, not something else."""
    state = start(3)
    next(itertools.islice(steps(state, 1), 5, None))
    play_until(state, "place_card", 1)
    plain = deepcopy(GAME.dump(state))
    GAME.load(plain)
    assert isinstance(plain, dict)
    BROKEN[why](plain)

    with pytest.raises(BadPlain):
        GAME.load(plain)


CHAINS: dict[str, Damage] = {
    "a line that is not open": _set("chains", 0, 0, [9]),
    "scored lines of too many rounds": lambda plain: plain["scored"].append([[], []]),
    "scored lines of too few seats": _set("scored", [[[]]]),
    "too few chains": lambda plain: plain["chains"].pop(),
    "an end that is no truth value": _set("chains", 0, 1, 2),
    "a chain that cannot go on": _set("chains", 0, 1, False),
    "only ended chains": lambda plain: plain["chains"].__setitem__(slice(None), [[[], True]] * 2),
}


@pytest.mark.parametrize("why", CHAINS)
def test_a_chain_that_cannot_be_is_refused(why: str) -> None:
    """Chains are run again by the rules, so an impossible one is found."""
    for seed in range(400):
        state = start(2, "specialists", chance=Fast(seed))
        if play_until(state, "score_line", seed) and state.chains[0].ended:
            break
    plain = deepcopy(GAME.dump(state))
    GAME.load(plain)
    assert isinstance(plain, dict)
    CHAINS[why](plain)

    with pytest.raises(BadPlain):
        GAME.load(plain)


@pytest.mark.parametrize("plain", [None, 5, "state", [], {}, {"rules": "standard"}])
def test_what_is_no_dump_is_refused(plain: object) -> None:
    """Anything but an object with all fields raises BadPlain."""
    with pytest.raises(BadPlain):
        GAME.load(plain)  # type: ignore[arg-type]
