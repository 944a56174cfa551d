"""The rules of the template, rule by rule, and its test vectors: what a new game brings beside the conformance kit."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable

import pytest

from referee.games._template import GAME, Bid, census
from referee.games._template.components import CARDS, PRIZES
from referee.games._template.options import CARD, POINTS
from referee.games._template.state import State
from referee.kernel.chance import Chance, Fast, Scripted
from referee.kernel.errors import BadPlain, IllegalAnswer
from referee.kernel.game import Pending, settle_variant
from referee.kernel.turns import settle

SEATS = (2, 3, 4)
FIRST = (1, 9, 12, 20, 2, 8, 13, 24, 17)
"""The top of the deck of the vectors: two hands and the card that is drawn."""


def start(seats: int, chance: Chance | None = None, **variant: str) -> State:
    """A new game; its luck is the same in every run unless given."""
    return GAME.start(seats, settle_variant(GAME, seats, variant), chance or Fast(7))


def bidding(state: State) -> dict[int, Bid]:
    """The highest card of every hand."""
    return {seat: Bid(hand[-1]) for seat, hand in enumerate(state.hands)}


def vector() -> State:
    """The game of T-TV1 and T-TV2 after the bids."""
    deck = [*FIRST, *(card for card in CARDS if card not in FIRST)]
    chance = Scripted({"deck": [[CARDS.index(card) for card in deck]], "prize/1": [PRIZES.index(5)]})
    state = start(2, chance)
    GAME.apply(state, {0: Bid(9), 1: Bid(8)}, Fast(0))
    return state


@pytest.mark.parametrize("seats", SEATS)
def test_set_up_deals_four_cards_to_each_seat(seats: int) -> None:
    """24 different cards, hands ascending, the rest in the deck, no points (T-1.1, T-2.2, T-2.3)."""
    state = start(seats)

    assert [4] * seats == [len(hand) for hand in state.hands]
    assert all(list(hand) == sorted(hand) for hand in state.hands)
    assert census(state) == {"cards": 24, "different cards": 24}
    assert len(state.deck) == 24 - 4 * seats
    assert state.points == [0] * seats


@pytest.mark.parametrize(("length", "rounds"), [("short", 3), ("long", 4)])
def test_the_game_ends_after_its_rounds(length: str, rounds: int) -> None:
    """Three rounds or four, one prize from 1 to 6 in each; hands are worth nothing (T-1.2, T-2.1, T-3.1, T-4.1)."""
    state = start(2, length=length)
    prizes = []
    while GAME.pending(state):
        prizes.append(state.prize)
        GAME.apply(state, bidding(state), Fast(len(prizes)))
        GAME.apply(state, {state.winner: POINTS}, Fast(len(prizes)))

    assert len(prizes) == rounds
    assert set(prizes) <= {1, 2, 3, 4, 5, 6}
    assert sum(state.points) == sum(prizes)


def test_all_seats_bid_a_hand_card_at_once() -> None:
    """The options are the hand, ascending; one answer alone, or a card of another hand, changes nothing (T-3.2)."""
    state = start(3)
    before = GAME.dump(state)

    assert GAME.pending(state) == tuple(Pending(seat, "bid") for seat in range(3))
    assert [list(map(Bid, hand)) for hand in state.hands] == [list(GAME.options(state, seat)) for seat in range(3)]
    for answers in ({0: Bid(state.hands[0][0])}, bidding(state) | {0: Bid(state.hands[1][0])}):
        with pytest.raises(IllegalAnswer):
            GAME.apply(state, answers, Fast(0))

        assert before == GAME.dump(state)


def test_the_highest_bid_wins_and_all_bids_leave_the_game() -> None:
    """The winner alone is asked for the reward; the bids are public (T-3.3, T-3.4)."""
    state = start(4)
    bids = bidding(state)
    GAME.apply(state, bids, Fast(0))
    cards = [bid.card for bid in bids.values()]

    assert GAME.pending(state) == (Pending(cards.index(max(cards)), "reward"),)
    assert GAME.view(state, None).played == tuple(cards)


def test_tv_1_the_winner_takes_the_points() -> None:
    """T-TV1 (T-3.4)."""
    state = vector()

    assert list(GAME.options(state, 0)) == [POINTS, CARD]
    GAME.apply(state, {0: POINTS}, Fast(0))
    assert state.points == [5, 0]


def test_tv_2_the_winner_draws_a_card_unseen() -> None:
    """T-TV2: the others learn that a card was drawn, not which (T-3.4)."""
    state = vector()
    events = GAME.apply(state, {0: CARD}, Fast(0))

    assert state.hands[0] == (1, 12, 17, 20)
    assert state.points == [0, 0]
    assert [event.audience for event in events if 17 in event.items] == [(0,)]


def test_no_card_is_drawn_in_the_last_round() -> None:
    """The only option is `points`, so the winner is not asked and the prize is scored (T-3.5, T-R1)."""
    state = start(2)
    for _ in range(2):
        GAME.apply(state, bidding(state), Fast(1))
        GAME.apply(state, {state.winner: CARD}, Fast(1))
    GAME.apply(state, bidding(state), Fast(1))

    assert list(GAME.options(state, state.winner)) == [POINTS]
    assert settle(GAME, state, Fast(1), []).asks == ()
    assert state.points[state.winner] == state.prize


def test_tv_3_equal_points_share_a_place() -> None:
    """T-TV3 (T-4.2)."""
    state = start(3)
    state.points, state.stack = [7, 3, 7], []
    result = GAME.result(state)

    assert result is not None
    assert result.places == (1, 3, 1)


def test_unseen_cards_are_imagined_everywhere() -> None:
    """Over many imagined games a hidden card shows up in every hand that can hold it, and in the deck (section 5)."""
    state = start(3)
    card = state.hands[1][0]
    worlds = [GAME.determinise(GAME.view(state, 0), Fast(number)) for number in range(60)]
    places = Counter(next((seat for seat in (1, 2) if card in world.hands[seat]), None) for world in worlds)

    assert set(places) == {1, 2, None}
    assert all(world.hands[0] == state.hands[0] for world in worlds)


DAMAGE: dict[str, Callable[[State], None]] = {
    "a card twice": lambda state: state.hands.__setitem__(0, state.hands[1]),
    "an unsorted hand": lambda state: state.hands.__setitem__(0, state.hands[0][::-1]),
    "another round": lambda state: setattr(state, "round", 2),
    "no such round": lambda state: setattr(state, "round", 9),
    "no winner": lambda state: setattr(state, "winner", -1),
    "an end too early": lambda state: state.stack.clear(),
    "a card moved to another hand": lambda state: state.hands.__setitem__(
        slice(0, 2), [state.hands[0][1:], tuple(sorted((*state.hands[1], state.hands[0][0])))]
    ),
}


@pytest.mark.parametrize("why", DAMAGE)
def test_a_dump_that_does_not_add_up_is_refused(why: str) -> None:
    """What no game can reach raises BadPlain, not something else."""
    state = start(2)
    GAME.apply(state, bidding(state), Fast(0))
    GAME.load(GAME.dump(state))
    DAMAGE[why](state)

    with pytest.raises(BadPlain):
        GAME.load(GAME.dump(state))
