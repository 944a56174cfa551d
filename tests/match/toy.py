"""Lantern Auction: a small game with every sort of decision that a match has to handle, fast and easy to steer.

Every seat holds four hidden cards. In each of four rounds all seats bid a card at once (the last bid is forced), the
highest bid wins, a die is rolled, and the winner alone takes lanterns, one up to the die (forced when it shows one).
A seat that lost draws an omen in private. With `rival` an automaton scores beside the seats.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

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

CARDS = tuple(range(1, 21))
HAND = 4
RIVAL = 5


class Bid(NamedTuple):
    """Bid a card."""

    card: int


class Take(NamedTuple):
    """Take lanterns."""

    lanterns: int


@dataclass(slots=True)
class State:
    """Hidden hands, open points."""

    hands: list[tuple[int, ...]]
    omens: list[list[int]]
    points: list[int]
    rival: bool
    winner: Seat | None = None
    die: int = 0
    played: list[int] = field(default_factory=list)


class View(NamedTuple):
    """What a seat (None: the public) may know."""

    seat: Seat | None
    hand: tuple[int, ...]
    omens: tuple[int, ...]
    sizes: tuple[int, ...]
    points: tuple[int, ...]
    winner: Seat | None
    die: int
    played: tuple[int, ...]
    rival: bool


class LanternAuction:
    """The rules."""

    name = "lantern_auction"
    title = "Lantern Auction"
    rules_version = 1
    digest = "0" * 64
    seats = range(1, 6)
    variants: Mapping[str, Choices] = {"rival": Choices(("no", "yes"), "no", "an automaton scores beside the seats")}
    bounds = Bounds(decisions=40, options=6)
    earlier: tuple[Edition, ...] = ()
    secret_choices: frozenset[str] = frozenset()
    secret_pending: frozenset[str] = frozenset()
    hidden = ("hands and omens of the others",)

    def start(self, seats: int, variant: Variant, chance: Chance) -> State:
        deck = chance.shuffled("deck", CARDS)
        hands = [tuple(sorted(deck[HAND * seat : HAND * (seat + 1)])) for seat in range(seats)]
        return State(hands, [[] for _ in hands], [0] * seats, variant["rival"] == "yes")

    def pending(self, state: State) -> tuple[Pending, ...]:
        if state.winner is not None:
            return (Pending(state.winner, "take"),)
        return tuple(Pending(seat, "bid") for seat, hand in enumerate(state.hands) if hand)

    def options(self, state: State, seat: Seat) -> Sequence[Option]:
        if state.winner is not None:
            return [Take(lanterns) for lanterns in range(1, state.die + 1)]
        return [Bid(card) for card in state.hands[seat]]

    def apply(self, state: State, answers: Mapping[Seat, Option], chance: Chance, *options: object) -> list[Event]:
        asked = [ask.seat for ask in self.pending(state)]
        if sorted(answers) != asked or any(answers[seat] not in self.options(state, seat) for seat in asked):
            raise IllegalAnswer("one legal answer of each pending seat is needed")
        if state.winner is not None:
            return self._take(state, answers[state.winner])
        return self._bid(state, answers, chance)

    def _take(self, state: State, taken: Option) -> list[Event]:
        winner = state.winner
        if winner is None or not isinstance(taken, Take):
            raise IllegalAnswer("the winner takes lanterns")
        state.points[winner] += taken.lanterns
        state.winner = None
        return [Event(Verb.GAINED, winner, "lanterns", (), taken.lanterns)]

    def _bid(self, state: State, answers: Mapping[Seat, Option], chance: Chance) -> list[Event]:
        bids = {seat: bid.card for seat, bid in sorted(answers.items()) if isinstance(bid, Bid)}
        events = [Event(Verb.REVEALED, seat, "bid", (card,)) for seat, card in bids.items()]
        for seat, card in bids.items():
            state.hands[seat] = tuple(held for held in state.hands[seat] if held != card)
            state.played.append(card)
        winner = max(bids, key=lambda seat: bids[seat])
        for seat in bids:
            if seat != winner:
                omen = chance.pick(f"omen/{seat}", 100)
                state.omens[seat].append(omen)
                events.append(Event(Verb.DREW, seat, "omen", (), 1))
                events.append(Event(Verb.DREW, seat, "omen", (omen,), 1, (seat,)))
        state.winner = winner
        state.die = 1 + chance.pick("die", 6)
        events.append(Event(Verb.ROLLED, TABLE, "die", (state.die,)))
        return events

    def result(self, state: State) -> Result | None:
        if self.pending(state):
            return None
        points = (*state.points, RIVAL) if state.rival else tuple(state.points)
        return Result(rank([(p,) for p in points]), points, "hands empty", ("rival",) if state.rival else ())

    def view(self, state: State, seat: Seat | None) -> View:
        return View(
            seat,
            () if seat is None else state.hands[seat],
            () if seat is None else tuple(state.omens[seat]),
            tuple(map(len, state.hands)),
            tuple(state.points),
            state.winner,
            state.die,
            tuple(state.played),
            state.rival,
        )

    def determinise(self, view: View, chance: Chance) -> State:
        unknown = [card for card in CARDS if card not in view.hand and card not in view.played]
        deck = chance.shuffled("world", unknown)
        hands, omens = [], []
        for seat, size in enumerate(view.sizes):
            own = seat == view.seat
            hands.append(view.hand if own else tuple(sorted(deck.pop() for _ in range(size))))
            omens.append(list(view.omens) if own else [])
        return State(hands, omens, list(view.points), view.rival, view.winner, view.die, list(view.played))

    def clone(self, state: State) -> State:
        return State(
            list(state.hands),
            [list(omens) for omens in state.omens],
            list(state.points),
            state.rival,
            state.winner,
            state.die,
            list(state.played),
        )

    def dump(self, state: State) -> Plain:
        return {
            "hands": [list(hand) for hand in state.hands],
            "omens": [list(omens) for omens in state.omens],
            "points": list(state.points),
            "rival": state.rival,
            "winner": state.winner,
            "die": state.die,
            "played": list(state.played),
        }

    def load(self, plain: Plain) -> State:
        raise BadPlain("no test of the match loads a state")


GAME = LanternAuction()
