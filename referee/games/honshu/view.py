"""What a seat sees and remembers (section 10).

Everything on the table is public. Of the hidden cards a seat knows its own hand, and after a pass the whole hand of the
neighbour who got its cards, for as long as that hand lasts. The cards that the seat has not seen lie in the other hands
and in the pile, each equally likely in every place.
"""

from __future__ import annotations

from typing import NamedTuple

from referee.games.honshu.components import CARDS, PROVINCE_NAMES
from referee.games.honshu.domain import Domain, Laid, Picture
from referee.games.honshu.geometry import Cell, cell
from referee.games.honshu.rounds import known_neighbour
from referee.games.honshu.state import Bid, SeatScore, State, Switches, phase
from referee.kernel.game import Seat


class DomainView(NamedTuple):
    """One domain, public in full: its cards with their placements, and the visible cells that follow from them."""

    province: str
    """A1..A6 or B1..B6; it lies at rotation 0, anchor (0, 0)."""
    laid: tuple[Laid, ...]
    """The map cards in the order laid, with their placements."""
    picture: Picture
    """The visible cells."""
    cubes: tuple[Cell, ...]
    """The production cells that hold a cube, by (row, col); the cell's kind tells the colour."""


class View(NamedTuple):
    """What one seat, or the public, knows. All but the first two fields are the same in every view."""

    seat: Seat | None
    """The seat whose view this is; None: the public."""
    known_hands: tuple[tuple[int, ...], ...]
    """By seat, the hand if this seat knows it: its own, and one that it passed on; otherwise empty. Ascending."""
    rules: Switches
    scoring_card: int
    """The scoring card in force, 0 for none."""
    phase: str
    """The kind of the current decision, `over` after the last."""
    round: int
    order: tuple[Seat, ...]
    """The turn order; with two players the leader or chooser first."""
    hand_sizes: tuple[int, ...]
    pile: int
    """Cards in the draw pile."""
    supply: tuple[int, ...]
    """Cubes by colour: blue, brown, grey, yellow."""
    domains: tuple[DomainView, ...]
    """By seat."""
    taken: tuple[int, ...]
    """By seat, the card to place this round, 0 for none yet."""
    trick: tuple[Bid, ...]
    """The bids of this round so far, in the order played."""
    faceup: tuple[int, ...]
    """Hand cards on the table that no seat has taken yet, ascending."""
    revealed: tuple[int, ...]
    """Two players: the deck pair until a pair is chosen, ascending."""
    offers: tuple[tuple[int, ...], ...]
    """Two players: by seat, the pair of which one card is to be kept."""
    discards: tuple[int, ...]
    """Two players: the cards out of the game, in the order discarded."""
    scores: tuple[SeatScore, ...]
    """By seat, when the game is over."""


def view(state: State, seat: Seat | None) -> View:
    """What a seat (None: the public) may know of a state."""
    hands = state.hands
    friend = None if seat is None else known_neighbour(state.round, seat, len(hands))
    return View(
        seat=seat,
        known_hands=tuple([hand if owner in (seat, friend) else () for owner, hand in enumerate(hands)]),
        rules=state.rules,
        scoring_card=state.scoring_card,
        phase=phase(state),
        round=state.round,
        order=state.order,
        hand_sizes=tuple([len(hand) for hand in hands]),
        pile=len(state.pile),
        supply=state.supply,
        domains=tuple(map(_domain_view, state.domains, state.cubes)),
        taken=tuple(state.taken),
        trick=state.trick,
        faceup=state.faceup,
        revealed=state.revealed,
        offers=state.offers,
        discards=state.discards,
        scores=state.scores,
    )


def _domain_view(domain: Domain, cubes: tuple[int, ...]) -> DomainView:
    name = PROVINCE_NAMES[domain.province]
    return DomainView(name, domain.laid, domain.picture, tuple([cell(at) for at in cubes]))


def unseen_cards(view: View) -> list[int]:
    """The map cards that the view's seat has not seen: those in other hands or in the pile, ascending."""
    seen = {laid.card for domain in view.domains for laid in domain.laid}
    for cards in (*view.known_hands, *view.offers, view.taken, view.faceup, view.revealed, view.discards):
        seen.update(cards)
    return [card for card in CARDS if card not in seen]
