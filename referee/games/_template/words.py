"""The table, the questions, the answers and the events in words; seats are counted from 1."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from referee.games._template.components import ROUNDS
from referee.games._template.options import POINTS, Bid
from referee.games._template.state import BID, NO_SEAT, OVER, REWARD
from referee.games._template.view import View
from referee.kernel.board import Section
from referee.kernel.game import Event, Option, Verb

_PHASES = {BID: "all seats bid a card", REWARD: "the winner takes its reward", OVER: "the game is over"}


def describe(view: View) -> tuple[Section, ...]:
    """The round, the seats, and the own hand."""
    winner = "none yet" if view.winner == NO_SEAT else f"seat {view.winner + 1}"
    game = (
        ("round", f"{view.round} of {ROUNDS[view.length]}"),
        ("phase", _PHASES[view.phase]),
        ("prize", _points(view.prize)),
        ("winner of the last bidding", winner),
        ("deck", f"{view.deck} cards"),
    )
    seats = tuple(
        (f"seat {seat + 1}{' (you)' if seat == view.seat else ''}", str(points), str(view.hand_sizes[seat]), bids)
        for seat, (points, bids) in enumerate(zip(view.points, _bids(view), strict=True))
    )
    hand = () if view.seat is None else (Section("Your hand", (), ((_cards(view.hand),),)),)
    return (Section("Game", ("what", "now"), game), Section("Seats", ("seat", "points", "hand", "bids"), seats), *hand)


def question(view: View, kind: str) -> str:
    """What a seat is asked."""
    return "Which card do you bid?" if kind == BID else "What do you take as your reward?"


def answer(view: View, kind: str, option: Option) -> str:
    """One option in words."""
    if isinstance(option, Bid):
        return f"card {option.card}"
    return "the points of the prize" if option == POINTS else "the top card of the deck"


def event(event: Event) -> str:
    """What happened, in words, without the seat."""
    return _EVENTS[event.verb, event.subject](event.items, event.amount)


def _bids(view: View) -> list[str]:
    """By seat: the cards that it bid, round by round (T-3.3)."""
    seats = len(view.points)
    return [_cards(view.played[seat::seats]) for seat in range(seats)]


def _cards(cards: Sequence[int]) -> str:
    return ", ".join(map(str, cards)) or "none"


def _points(count: int) -> str:
    return f"{count} point{'' if count == 1 else 's'}"


_EVENTS: Mapping[tuple[Verb, str], Callable[[Sequence[Any], int], str]] = {
    (Verb.PHASE, "over"): lambda items, amount: "the game is over",
    (Verb.ROLLED, "prize"): lambda items, amount: f"the prize is {_points(items[0])}",
    (Verb.REVEALED, "bid"): lambda items, amount: f"bid card {items[0]}",
    (Verb.SCORED, "prize"): lambda items, amount: f"took the prize: {_points(amount)}",
    (Verb.DREW, "card"): lambda items, amount: "drew a card",
    (Verb.DREW, "card in hand"): lambda items, amount: f"drew card {items[0]}",
}
"""By verb and subject: the words of an event from its items and its amount."""
