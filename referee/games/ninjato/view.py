"""What a seat may know and remember (N-14): an allow-list, built field by field.

The names are those of the state. Everything but the Dojo hands and the order of the decks is public (N-14.1), so a view
differs from seat to seat only in `seat`, `hand` and `drawn`. Rumors lie face down, but each was taken from an open
display in sight of all seats (N-9.2): a view holds what may be remembered and lists them (N-R24). The options of the
decision that is due are no part of any view, because they tell the hand (N-14.3).
"""

from __future__ import annotations

from typing import NamedTuple

from referee.games.ninjato import components
from referee.games.ninjato.components import Counts, Elite, Envoy, Guard, Rumor, Skill, Token, Treasure
from referee.games.ninjato.state import Doubt, State
from referee.kernel.frames import Frame
from referee.kernel.game import Seat


class ComponentTables(NamedTuple):
    """The components that the numbers of a view stand for; every table is by number."""

    treasures: tuple[Treasure, ...]
    dojo_copies: Counts
    guards: tuple[Guard, ...]
    elites: tuple[Elite, ...]
    skills: tuple[Skill, ...]
    ways: tuple[str, ...]
    envoys: tuple[Envoy, ...]
    rumors: tuple[Rumor, ...]
    rumor_types: tuple[str, ...]
    clans: tuple[str, ...]
    tokens: tuple[Token, ...]


COMPONENT_TABLES = ComponentTables(
    components.TREASURES,
    components.DOJO_COUNTS,
    components.GUARDS,
    components.ELITES,
    components.SKILLS,
    components.WAYS,
    components.ENVOYS,
    components.RUMORS,
    components.RUMOR_TYPES,
    components.CLANS,
    components.TOKENS,
)


class View(NamedTuple):
    """The knowledge of one seat, or of the public (`seat` is None)."""

    seat: Seat | None
    round: int
    order: tuple[Seat, ...]
    """Turn order of this round; the number of seats is its length."""
    placed: tuple[int, ...]
    """The spaces on which shuriken were put in this round, in turn order; see `options.PLACES`."""
    frame: Frame | None
    """The decision that is due: (kind, seat, ...), see `state.Raid` and `state.Scoring`; None when the game is over."""

    hand: Counts | None
    """The seat's own Dojo cards; index 0 counts the 1s. None in the public view."""
    drawn: Counts | None
    """Own cards drawn unseen since the Dojo deck was last shuffled, less those that were traced when spent: the seat's
    own part of `fresh`. None in the public view."""

    honor: tuple[int, ...]
    """By seat, like the next ten fields."""
    hand_sizes: tuple[int, ...]
    known: tuple[Counts, ...]
    """Cards that are in the hand for certain, because they were taken face up."""
    fresh: tuple[int, ...]
    """Number of cards drawn unseen since the Dojo deck was last shuffled, less those that were traced."""
    doubts: tuple[tuple[Doubt, ...], ...]
    """Spent cards that may have been fresh or old, as (value less 1, fresh cards at that moment)."""
    treasures: tuple[Counts, ...]
    """Fan, scroll, vase, jade, gold."""
    ready: tuple[Counts, ...]
    """Face-up skill tiles, by number of the skill."""
    used: tuple[Counts, ...]
    """Face-down skill tiles."""
    envoys: tuple[tuple[int, ...], ...]
    """In the order in which they were taken, like rumors and trophies."""
    rumors: tuple[tuple[int, ...], ...]
    trophies: tuple[tuple[int, ...], ...]

    light: tuple[Counts, ...]
    """By house: treasures on their light side. A house without treasures is closed."""
    red: tuple[Counts, ...]
    """By house: treasures on their red side."""
    sentinels: tuple[int, ...]
    """By house: the kind of guard (N-3.3); -1 while the house is closed."""
    tokens: tuple[int, ...]
    """By house: the clan token."""
    supply: tuple[int, ...]
    """The other clan tokens."""

    face_up: Counts
    """The open Dojo cards."""
    pool: Counts
    """The Dojo deck and the fresh cards of all hands together."""
    sensei: tuple[int, ...]
    palace: tuple[int, ...]
    pavilion: tuple[int, ...]

    dojo_deck: int
    """Number of cards that are left, like the next five fields; their order is hidden from all."""
    guard_deck: int
    elite_deck: int
    bag: int
    envoy_deck: int
    rumor_deck: int

    dojo_discard: Counts
    guard_discard: Counts
    elite_discard: Counts
    treasure_discard: Counts
    retired: Counts
    """Skill tiles that were displayed and left the game."""
    shuffles: tuple[int, int, int, int]
    """How often discard piles were shuffled in again: Dojo, guards, elite guards, treasures."""


def view(state: State, seat: Seat | None) -> View:
    """The view of a seat; None: of the public."""
    return View(
        seat,
        state.round,
        state.order,
        state.placed,
        state.stack[-1] if state.stack else None,
        None if seat is None else state.hands[seat],
        None if seat is None else state.fresh[seat],
        tuple(state.honor),
        tuple([sum(hand) for hand in state.hands]),
        tuple(state.known),
        tuple([sum(cards) for cards in state.fresh]),
        tuple(state.doubts),
        tuple(state.treasures),
        tuple(state.ready),
        tuple(state.used),
        tuple(state.envoys),
        tuple(state.rumors),
        tuple(state.trophies),
        tuple(state.light),
        tuple(state.red),
        tuple(state.sentinels),
        tuple(state.tokens),
        state.supply,
        state.face_up,
        state.pool,
        state.sensei,
        state.palace,
        state.pavilion,
        len(state.dojo_deck),
        len(state.guard_deck),
        len(state.elite_deck),
        len(state.bag),
        len(state.envoy_deck),
        len(state.rumor_deck),
        state.dojo_discard,
        state.guard_discard,
        state.elite_discard,
        state.treasure_discard,
        state.retired,
        state.shuffles,
    )
