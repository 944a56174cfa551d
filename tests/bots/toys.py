"""A game for tests of the bot kit: three hidden cards each, everybody plays one at once, the highest takes the trick.

Cards are 0..19. An option is `Play(card)`; the last card is played without asking. The view is what a seat holds and
what was played, so `determinise` has to invent the other hands.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple, cast

from referee.kernel.chance import Chance
from referee.kernel.errors import BadPlain, IllegalAnswer
from referee.kernel.game import (
    TABLE,
    Bounds,
    Choices,
    Edition,
    Event,
    Option,
    Pending,
    Result,
    Seat,
    Variant,
    Verb,
    rank,
)
from referee.kernel.plain import Plain

CARDS = 20
HAND = 3
NAME = "tricks"


class Play(NamedTuple):
    """Play that card."""

    card: int


PLAYS = tuple(Play(card) for card in range(CARDS))


@dataclass(slots=True)
class State:
    """All hands, the tricks won and the cards played, one list per trick."""

    hands: list[list[int]]
    won: list[int]
    played: list[tuple[int, ...]] = field(default_factory=list)


class View(NamedTuple):
    """What one seat knows."""

    seat: Seat | None
    hand: tuple[int, ...]
    won: tuple[int, ...]
    played: tuple[tuple[int, ...], ...]


class Tricks:
    """The rules."""

    name = NAME
    title = "Tricks"
    rules_version = 1
    digest = "0" * 64
    seats = range(2, 5)
    variants: Mapping[str, Choices] = {"low": Choices(("no", "yes"), "no", "whether the lowest card wins")}
    bounds = Bounds(decisions=4 * HAND, options=HAND)
    earlier: tuple[Edition, ...] = ()
    secret_choices: frozenset[str] = frozenset()
    secret_pending: frozenset[str] = frozenset()
    hidden = ("the cards in hand, from all others",)

    def start(self, seats: int, variant: Variant, chance: Chance) -> State:
        deck = chance.shuffled("deck", range(CARDS))
        return State([sorted(deck[i * HAND : (i + 1) * HAND]) for i in range(seats)], [0] * seats)

    def pending(self, state: State) -> tuple[Pending, ...]:
        return tuple(Pending(seat, "play_card") for seat, hand in enumerate(state.hands) if hand)

    def options(self, state: State, seat: Seat) -> Sequence[Option]:
        return [PLAYS[card] for card in state.hands[seat]]

    def apply(self, state: State, answers: Mapping[Seat, Option], chance: Chance, *options: object) -> list[Event]:
        cards = tuple(cast(Play, answers[seat]).card for seat in range(len(state.hands)))
        for seat, card in enumerate(cards):
            if card not in state.hands[seat]:
                raise IllegalAnswer(f"seat {seat} does not hold that card")
        for hand, card in zip(state.hands, cards, strict=True):
            hand.remove(card)
        state.played.append(cards)
        winner = cards.index(max(cards))
        state.won[winner] += 1
        return [
            Event(Verb.REVEALED, TABLE, "cards", cards),
            Event(Verb.SCORED, winner, "trick", amount=1),
            Event(Verb.GAINED, winner, "smile", audience=(winner,)),
        ]

    def result(self, state: State) -> Result | None:
        if any(state.hands):
            return None
        return Result(rank([(won,) for won in state.won]), tuple(state.won), "out of cards")

    def view(self, state: State, seat: Seat | None) -> View:
        hand = () if seat is None else tuple(state.hands[seat])
        return View(seat, hand, tuple(state.won), tuple(state.played))

    def determinise(self, view: View, chance: Chance) -> State:
        seen = {card for trick in view.played for card in trick} | set(view.hand)
        hidden = chance.shuffled("hidden", [card for card in range(CARDS) if card not in seen])
        size = len(view.hand)
        hands = [sorted(hidden[i * size : (i + 1) * size]) for i in range(len(view.won))]
        if view.seat is not None:
            hands[view.seat] = list(view.hand)
        return State(hands, list(view.won), list(view.played))

    def clone(self, state: State) -> State:
        return State([list(hand) for hand in state.hands], list(state.won), list(state.played))

    def dump(self, state: State) -> Plain:
        raise BadPlain("the toy is not stored")

    def load(self, plain: Plain) -> State:
        raise BadPlain("the toy is not stored")


GAME = Tricks()
