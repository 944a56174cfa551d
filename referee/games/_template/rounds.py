"""A round: the prize, the bids of all seats, the reward of the winner (sections 3 and 4).

Each kind of decision is a `Handler`: which seats are asked, what they may answer, what an answer does.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import cast

from referee.games._template.components import PRIZES, ROUNDS
from referee.games._template.options import BIDS, CARD, POINTS, Bid
from referee.games._template.state import BID, REWARD, State
from referee.kernel.chance import Chance
from referee.kernel.frames import Frame, Handler
from referee.kernel.game import TABLE, Event, Option, Pending, Seat, Verb


def begin_round(state: State, chance: Chance, events: list[Event]) -> None:
    """Roll the prize and ask all seats for a bid; after the last round the game is over (T-3.1, T-4.1)."""
    if state.round == ROUNDS[state.length]:
        state.stack = []
        events.append(Event(Verb.PHASE, TABLE, "over"))
        return
    state.round += 1
    state.prize = PRIZES[chance.pick(f"prize/{state.round}", len(PRIZES))]
    state.stack = [(BID,)]
    events.append(Event(Verb.ROLLED, TABLE, "prize", (state.prize,)))


def _bid_asks(state: State, frame: Frame) -> tuple[Pending, ...]:
    """All seats at once (T-3.2)."""
    return tuple([Pending(seat, BID) for seat in range(len(state.hands))])


def _bid_options(state: State, frame: Frame, seat: Seat) -> Sequence[Bid]:
    """The hand, ascending (T-3.2)."""
    return [BIDS[card] for card in state.hands[seat]]


def _bid(state: State, frame: Frame, answers: Mapping[Seat, Option], chance: Chance, events: list[Event]) -> None:
    """Reveal the bids; the highest card wins (T-3.3). A winner with one option is not asked (T-3.5)."""
    bids = [cast(Bid, answers[seat]).card for seat in range(len(state.hands))]
    for seat, card in enumerate(bids):
        state.hands[seat] = tuple([other for other in state.hands[seat] if other != card])
        events.append(Event(Verb.REVEALED, seat, "bid", (card,)))
    state.played += tuple(bids)
    state.winner = bids.index(max(bids))
    state.stack = [(REWARD,)]


def _reward_asks(state: State, frame: Frame) -> tuple[Pending, ...]:
    """The winner (T-3.4)."""
    return (Pending(state.winner, REWARD),)


def _reward_options(state: State, frame: Frame, seat: Seat) -> Sequence[Option]:
    """Points or, before the last round, a card (T-3.4, T-R1)."""
    return (POINTS,) if state.round == ROUNDS[state.length] else (POINTS, CARD)


def _reward(state: State, frame: Frame, answers: Mapping[Seat, Option], chance: Chance, events: list[Event]) -> None:
    """Score the prize or draw a card; what only the winner may know is an event of its own (T-3.4)."""
    winner = state.winner
    if answers[winner] == POINTS:
        state.points[winner] += state.prize
        events.append(Event(Verb.SCORED, winner, "prize", amount=state.prize))
    else:
        card, *deck = state.deck
        state.deck = tuple(deck)
        state.hands[winner] = tuple(sorted((*state.hands[winner], card)))
        events.append(Event(Verb.DREW, winner, "card", amount=1))
        events.append(Event(Verb.DREW, winner, "card in hand", (card,), audience=(winner,)))
    begin_round(state, chance, events)


HANDLERS = {
    BID: Handler(_bid_asks, _bid_options, _bid),
    REWARD: Handler(_reward_asks, _reward_options, _reward),
}
