"""The trick phase of three to five players (section 5)."""

from __future__ import annotations

import pytest

from referee.games.honshu import GAME, Cell
from referee.games.honshu.options import Pick, Placement, Play
from referee.games.honshu.state import Bid, State
from referee.games.honshu.tricks import trick_colour, value
from referee.kernel.chance import Fast
from referee.kernel.game import Event, Pending, Verb
from referee.kernel.turns import settle
from tests.games.honshu.tables import answer, own, painted, play_until, province, set_supply, start, supply_of
from tests.games.option_types import all_of

BLUE, BROWN, GREY, YELLOW = range(4)


def trick(seats: int, hands: list[list[int]]) -> State:
    """A first trick in seat order, every seat with A1 and its two cubes."""
    state = start(seats)
    state.order = tuple(range(seats))
    state.hands = [tuple(sorted(hand)) for hand in hands]
    for seat in range(seats):
        own(state, seat, province("A1"), (1, 0), (1, 1))
    return state


def test_tv_1_the_trick_of_the_rulebook() -> None:
    """H-TV1: 11, 29 + blue, 57 + blue, 59 give the order Christophe, Marie, Lise, Jacques; the cube had to be blue."""
    state = trick(4, [[11, 12], [29, 30], [57, 58], [59, 60]])
    answer(state, {0: Play(11, None)})
    answer(state, {1: Play(29, Cell(1, 0))})
    christophe = GAME.options(state, 2)
    answer(state, {2: Play(57, Cell(1, 0))})
    answer(state, {3: Play(59, None)})

    assert [option.cube for option in all_of(Play, christophe)] == [None, (1, 0), None, (1, 0)]
    assert [value(bid) for bid in state.trick] == [11, 89, 117, 59]
    assert state.order == (2, 1, 3, 0)


def test_tv_2_a_cube_beats_every_card() -> None:
    """H-TV2: 60 alone is 60, 1 with a cube is 61 (H-5.4)."""
    state = trick(3, [[60], [1], [2]])
    answer(state, {0: Play(60, None)})
    answer(state, {1: Play(1, Cell(1, 1))})
    answer(state, {2: Play(2, None)})

    assert [value(bid) for bid in state.trick] == [60, 61, 2]
    assert state.order == (1, 0, 2)


@pytest.mark.parametrize(("colour", "count"), [(None, 18), (BLUE, 12), (YELLOW, 6)])
def test_tv_3_the_trick_colour_limits_the_cubes(colour: int | None, count: int) -> None:
    """H-TV3: six cards with one blue and one brown cube (H-5.1, H-5.2)."""
    state = trick(3, [[60], [1, 2, 3, 4, 5, 6], [7]])
    state.trick = (Bid(0, 60, -1 if colour is None else colour),)

    assert count == len(GAME.options(state, 1))


def test_tv_4_every_cell_with_a_cube_of_the_colour_is_an_option() -> None:
    """H-TV4: two grey cells and a yellow one, trick colour grey (H-5.1)."""
    state = trick(3, [[60], [7, 9], [8]])
    state.trick = (Bid(0, 60, GREY),)
    own(state, 1, painted({(0, 1): "pG", (2, 3): "pG", (4, 4): "pY"}), (0, 1), (2, 3), (4, 4))

    assert [(card, cell) for card in (7, 9) for cell in (None, (0, 1), (2, 3))] == GAME.options(state, 1)


def test_tv_5_without_the_colour_there_is_no_cube_option() -> None:
    """H-TV5: the second player fixes yellow, the third has blue only (H-5.2)."""
    state = trick(3, [[5, 6], [7, 8], [9, 10]])
    own(state, 1, province("A3"), (0, 0))
    own(state, 2, province("A1"), (1, 0))
    answer(state, {0: Play(5, None)})
    answer(state, {1: Play(7, Cell(0, 0))})

    assert trick_colour(state) == YELLOW
    assert GAME.options(state, 2) == [(9, None), (10, None)]


def test_tv_6_cards_are_picked_in_the_new_order() -> None:
    """H-TV6: three, two and one option; the order stays for the next round (H-5.5, H-5.6)."""
    state = trick(3, [[22, 1, 2], [5, 3, 4], [48, 6, 7]])
    for seat, card in ((0, 22), (1, 5), (2, 48)):
        answer(state, {seat: Play(card, None)})
    counts = []
    for seat, card in ((2, 22), (0, 48), (1, 5)):
        assert (Pending(seat, "pick"),) == GAME.pending(state)
        counts.append(len(GAME.options(state, seat)))
        answer(state, {seat: Pick(card)})

    assert counts == [3, 2, 1]
    assert state.taken == [48, 5, 22]
    answer(state, {seat: GAME.options(state, seat)[0] for seat in range(3)})
    assert (2, (Pending(2, "play"),)) == (state.round, GAME.pending(state))
    assert state.order == (2, 0, 1)


def test_the_last_pick_is_not_asked() -> None:
    """The player who takes the remaining card has nothing to decide (H-4.1, H-5.6); the event is the same."""
    state = trick(3, [[22, 1], [5, 3], [48, 6]])
    for seat, card in ((0, 22), (1, 5), (2, 48)):
        answer(state, {seat: Play(card, None)})
    answer(state, {2: Pick(22)})
    answer(state, {0: Pick(48)})
    events: list[Event] = []
    turn = settle(GAME, state, Fast(0), events)

    assert [Event(Verb.GAINED, 1, "card", (5,))] == events
    assert [ask.seat for ask in turn.asks] == [0, 1, 2]


def test_tv_7_trick_cubes_go_back_before_the_domain_phase() -> None:
    """H-TV7: blue supply 0, one blue cube in the trick: back to 1, so a blue production cell gets it (H-5.7, H-7.9)."""
    state = trick(3, [[8, 1], [5, 3], [48, 6]])
    set_supply(state, blue=0)
    answer(state, {0: Play(8, Cell(1, 0))})
    answer(state, {1: Play(5, None)})
    answer(state, {2: Play(48, None)})

    assert supply_of(state)["B"] == 0
    answer(state, {0: Pick(8)})
    answer(state, {2: Pick(48)})
    answer(state, {1: Pick(5)})
    assert supply_of(state)["B"] == 1
    assert state.trick == ()
    places = {seat: GAME.options(state, seat)[0] for seat in (1, 2)}
    events = answer(state, {0: Placement(0, -2, -1, 0), **places})
    assert Event(Verb.GAINED, 0, "blue cube", (0, 0), 1) in events


def test_tv_33_a_play_without_choice_is_not_asked() -> None:
    """H-TV33: one hand card and no usable cube, round 6 of three players (H-4.1)."""
    state = start(3)
    play_until(state, 1, "play", 6)
    for seat in range(3):
        own(state, seat, province("A1"))
    cards = [hand[0] for hand in state.hands]
    events: list[Event] = []
    turn = settle(GAME, state, Fast(0), events)

    assert {"pick"} == {ask.kind for ask in turn.asks}
    assert {(Verb.CHOSE, seat, (card,)) for seat, card in enumerate(cards)} == {
        (event.verb, event.seat, event.items) for event in events if event.verb is Verb.CHOSE
    }


def test_tv_34_plays_come_by_card_and_then_by_cell() -> None:
    """H-TV34: 7 none, 7 (0,1), 7 (4,4), 9 none, 9 (0,1), 9 (4,4) (H-4.3)."""
    state = trick(3, [[9, 7], [1], [2]])
    own(state, 0, painted({(4, 4): "pY", (0, 1): "pG"}), (4, 4), (0, 1))

    assert GAME.options(state, 0) == [(7, None), (7, (0, 1)), (7, (4, 4)), (9, None), (9, (0, 1)), (9, (4, 4))]


def test_a_play_is_public_at_once_and_leaves_the_hand_and_the_cell() -> None:
    """Card and cube lie on the table, the production cell is empty, the supply untouched (H-5.1, H-5.3)."""
    state = trick(3, [[22, 1], [5, 3], [48, 6]])
    supply = state.supply
    events = answer(state, {0: Play(22, Cell(1, 1))})
    seen = GAME.view(state, 2)

    assert [Event(Verb.CHOSE, 0, "card", (22,)), Event(Verb.PAID, 0, "brown cube", (1, 1), 1)] == events
    assert (Bid(0, 22, BROWN),) == seen.trick
    assert seen.domains[0].cubes == ((1, 0),)
    assert state.hands[0] == (1,)
    assert supply == state.supply
    assert (Pending(1, "play"),) == GAME.pending(state)


def test_the_trick_colour_is_forgotten_at_the_end_of_the_round() -> None:
    """A later trick may begin with any colour again (H-5.2)."""
    state = trick(3, [[22, 1], [5, 3], [48, 6]])
    answer(state, {0: Play(22, Cell(1, 0))})
    answer(state, {1: Play(5, None)})
    answer(state, {2: Play(48, None)})
    for seat, card in ((0, 22), (2, 48), (1, 5)):
        answer(state, {seat: Pick(card)})
    answer(state, {seat: GAME.options(state, seat)[0] for seat in range(3)})

    assert trick_colour(state) == -1
    assert state.round == 2
