"""What people are shown of the template: words, figures and clicks, for the game that is made from it to replace."""

from __future__ import annotations

import pytest

from referee.games._template import GAME, Bid
from referee.games._template.board import BOARD
from referee.games._template.options import CARD, POINTS
from referee.kernel.chance import Fast
from referee.kernel.game import TABLE, Event, Verb
from tests.games._template.test_lanterns import vector


def test_points_and_what_the_step_gained() -> None:
    """The prizes of each seat, and what the events of the step brought (T-3.4)."""
    state = vector()
    seat = state.winner
    events = GAME.apply(state, {seat: POINTS}, Fast(0))
    shown = BOARD.facts(GAME.view(state, None), events)

    assert shown["points"] == [{"category": "prizes", "points": [5, 0]}]
    assert shown["gained"] == [5, 0]
    assert shown["rounds"] == 3


def test_a_hand_is_described_to_its_owner() -> None:
    """The public is told the number of cards, the owner the cards."""
    state = vector()
    public, own = (BOARD.describe(GAME.view(state, seat)) for seat in (None, 0))

    assert [part.title for part in public] == ["Game", "Seats"]
    assert own[-1].rows == (("1, 12, 20",),)
    assert public[1].rows == (("seat 1", "0", "3", "9"), ("seat 2", "0", "3", "8"))


def test_options_are_clicks_with_their_words() -> None:
    """A bid is a card of the hand; the points of a reward are told (T-3.2, T-3.4)."""
    view = GAME.view(vector(), 0)
    (bid,) = BOARD.choices(view, "bid", [Bid(12)])
    points, card = BOARD.choices(view, "reward", [POINTS, CARD])

    assert (bid.words, bid.path[0].key, bid.path[0].place) == ("card 12", "card:12", {"card": 12})
    assert (points.words, points.path[0].key, points.brings) == ("the points of the prize", "points", "5 points")
    assert (card.words, card.path[0].key, card.brings) == ("the top card of the deck", "card", "")
    assert BOARD.question(view, "bid") == "Which card do you bid?"
    assert BOARD.question(view, "reward") == "What do you take as your reward?"


@pytest.mark.parametrize(
    ("event", "words"),
    [
        (Event(Verb.PHASE, TABLE, "over"), "the game is over"),
        (Event(Verb.ROLLED, TABLE, "prize", (1,)), "the prize is 1 point"),
        (Event(Verb.REVEALED, 0, "bid", (9,)), "bid card 9"),
        (Event(Verb.SCORED, 0, "prize", (), 5), "took the prize: 5 points"),
        (Event(Verb.DREW, 0, "card", (), 1), "drew a card"),
        (Event(Verb.DREW, 0, "card in hand", (17,), 0, (0,)), "drew card 17"),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_words_of_events(event: Event, words: str) -> None:
    """Each kind of event in words, without the seat."""
    assert BOARD.event(event) == words
