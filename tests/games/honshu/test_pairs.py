"""The trick phase of two players (section 6)."""

from __future__ import annotations

import pytest

from referee.games.honshu import GAME, Cell
from referee.games.honshu.options import DECK_PAIR, DECLINE, HAND_PAIR, Keep, Override, Play
from referee.games.honshu.state import State
from referee.kernel.chance import Fast
from referee.kernel.errors import IllegalAnswer
from referee.kernel.game import Event, Pending, Verb
from referee.kernel.turns import settle
from tests.games.honshu.tables import answer, own, painted, play_until, province, start, steps, supply_of
from tests.games.option_types import all_of

P, Q = 0, 1


def pairs(*cubes: tuple[int, int]) -> State:
    """H-TV29: the deck pair is {12, 40}, P has played 33 and Q 21; Q owns these cubes."""
    state = start(2)
    state.revealed = (12, 40)
    state.hands = [(33, 34), (21, 22)]
    own(state, P, province("A1"), (1, 0), (1, 1))
    own(state, Q, painted({(0, 0): "pB", (1, 1): "pB", (3, 2): "pG"}), *cubes)
    answer(state, {P: Play(33, None), Q: Play(21, None)})
    return state


def test_tv_29_the_leader_chooses_if_nobody_overrides() -> None:
    """H-TV29: with one cube there is only `decline`; P takes the hand pair, Q gets the deck pair (H-6.3 to H-6.6)."""
    state = pairs((0, 0))

    assert (Pending(Q, "override"),) == GAME.pending(state)
    assert GAME.options(state, Q) == [DECLINE]
    answer(state, {Q: DECLINE})
    assert (Pending(P, "pair"),) == GAME.pending(state)
    assert GAME.options(state, P) == (DECK_PAIR, HAND_PAIR)
    answer(state, {P: HAND_PAIR})
    assert state.offers == ((21, 33), (12, 40))
    assert (Pending(P, "keep"), Pending(Q, "keep")) == GAME.pending(state)
    assert GAME.options(state, P) == [(21,), (33,)]
    events = answer(state, {P: Keep(33), Q: Keep(12)})
    assert state.taken == [33, 12]
    assert state.discards == (21, 40)
    assert Event(Verb.MOVED, P, "card to the discards", (21,)) in events
    assert (Pending(P, "place"), Pending(Q, "place")) == GAME.pending(state)


def test_tv_30_an_override_costs_two_cubes_and_makes_the_challenger_choose() -> None:
    """H-TV30: three cubes make four options; blue and grey go back; cubes are allocated to Q first (H-6.4, H-6.7)."""
    state = pairs((0, 0), (1, 1), (3, 2))
    before = supply_of(state)
    options = GAME.options(state, Q)
    answer(state, {Q: Override((Cell(0, 0), Cell(3, 2)))})

    assert [option.cubes for option in all_of(Override, options)] == [
        (),
        ((0, 0), (1, 1)),
        ((0, 0), (3, 2)),
        ((1, 1), (3, 2)),
    ]
    assert {letter: supply_of(state)[letter] - before[letter] for letter in before} == {"B": 1, "N": 0, "G": 1, "Y": 0}
    assert (Pending(Q, "pair"),) == GAME.pending(state)
    answer(state, {Q: DECK_PAIR})
    assert state.offers == ((21, 33), (12, 40))
    assert state.order == (Q, P)


def test_the_leader_has_no_answer_to_an_override() -> None:
    """After the override only the chooser is asked (H-R10)."""
    state = pairs((0, 0), (1, 1))
    answer(state, {Q: Override((Cell(0, 0), Cell(1, 1)))})

    with pytest.raises(IllegalAnswer):
        GAME.options(state, P)


def test_no_cube_is_added_to_a_card() -> None:
    """PLAY2 offers the hand cards alone, cubes or not (H-6.2, H-R9)."""
    state = start(2)
    own(state, P, province("A1"), (1, 0), (1, 1))

    assert [(card, None) for card in state.hands[P]] == GAME.options(state, P)
    assert (Pending(P, "play2"), Pending(Q, "play2")) == GAME.pending(state)


def test_the_higher_card_leads_whoever_owns_it() -> None:
    """The challenger is the owner of the lower card (H-6.3)."""
    state = start(2)
    state.hands = [(5, 6), (50, 51)]
    answer(state, {P: Play(5, None), Q: Play(51, None)})

    assert state.order == (Q, P)
    assert (Pending(P, "override"),) == GAME.pending(state)


def test_tv_31_the_pile_shrinks_by_the_deck_pairs_and_one_deal() -> None:
    """H-TV31: pile sizes after the reveal of each round (H-6.1, H-8.2, H-11.2)."""
    state = start(2)
    sizes = {state.round: len(state.pile)}
    for _ in steps(state, 3):
        sizes.setdefault(state.round, len(state.pile))

    assert [sizes[number] for number in range(1, 13)] == [46, 44, 42, 40, 38, 36, 22, 20, 18, 16, 14, 12]


def test_tv_33_the_last_card_of_a_hand_is_not_asked() -> None:
    """H-TV33: in round 6 both have one card, so PLAY2 is resolved at once, with the usual events (H-4.1)."""
    state = start(2)
    play_until(state, 2, "play2", 6)
    cards = [hand[0] for hand in state.hands]
    events: list[Event] = []
    turn = settle(GAME, state, Fast(0), events)

    assert [Event(Verb.CHOSE, seat, "card", (card,)) for seat, card in enumerate(cards)] == events[:2]
    assert "play2" not in {ask.kind for ask in turn.asks}


def test_discards_never_come_back() -> None:
    """Two cards leave the game each round, face up, and are nowhere else (H-6.6)."""
    state = start(2)
    for _ in steps(state, 4):
        held = {card for hand in state.hands for card in hand} | {*state.pile, *state.revealed, *state.faceup}

        assert not held & set(state.discards)
    assert len(set(state.discards)) == 24
