"""The state of a game: everything that the rules need to go on, and nothing else.

A tuple or a `Domain` in a state is never changed in place, only replaced, so clones share it. The current decision is
the only frame on the stack, and its kind is the phase of the round (section 4 of the rules); which seats must answer
follows from the other fields.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import NamedTuple

from referee.games.honshu.components import COLOUR_OF, COLOURS, FACTORY_SCORES, FIRST_PROVINCE, SCORING_CARDS
from referee.games.honshu.domain import Domain
from referee.games.honshu.layering import SLOT_UNIT
from referee.kernel.frames import Frame
from referee.kernel.game import Seat

PLAY, PICK, PLAY2, OVERRIDE, PAIR, KEEP, PLACE = "play", "pick", "play2", "override", "pair", "keep", "place"
"""The kinds of decisions, in the words of section 4."""
OVER = "over"
"""The phase of a game without an open decision."""

SWITCHES: Mapping[str, tuple[str, ...]] = {
    "province_side": tuple(FIRST_PROVINCE),
    "scoring_card": ("none", *map(str, sorted(SCORING_CARDS)), "random"),
    "layering": ("free", "flat"),
    "equals_cards": ("add", "replace"),
    "factories": tuple(FACTORY_SCORES),
}
"""The switches of the rules and their values, the default first (section 3, H-8.8, H-R2, H-R11)."""

NO_CUBE = -1
"""The colour of a bid without a cube."""


class Switches(NamedTuple):
    """The switches of a game, fixed before it begins (section 3)."""

    province_side: str
    scoring_card: str
    layering: str
    equals_cards: str
    factories: str


class Bid(NamedTuple):
    """A card played to the trick, and the colour of the cube on it (H-5.1)."""

    seat: Seat
    card: int
    colour: int


class SeatScore(NamedTuple):
    """The points of one seat (H-8.6)."""

    forest: int
    town: int
    factory: int
    lake: int
    bonus: int
    fields: int
    """Visible fields: no points, but they break ties (H-8.7)."""

    @property
    def total(self) -> int:
        """All points."""
        return self.forest + self.town + self.factory + self.lake + self.bonus


@dataclass(slots=True)
class State:
    """One game of Honshu."""

    rules: Switches
    scoring_card: int
    """The scoring card in force, 0 for none."""
    round: int
    order: tuple[Seat, ...]
    """The turn order; with two players the leader or, after an override, the chooser comes first (H-6.7)."""
    hands: list[tuple[int, ...]]
    """By seat, ascending."""
    pile: tuple[int, ...]
    """The draw pile, top first."""
    supply: tuple[int, ...]
    """Cubes by colour."""
    domains: list[Domain]
    cubes: list[tuple[int, ...]]
    """By seat, the positions of the cubes on the domain, ascending."""
    taken: list[int]
    """By seat, the card to place this round, 0 for none yet."""
    trick: tuple[Bid, ...] = ()
    """The bids of this round; cleared when their cubes go back (3 to 5 players) or a pair is chosen (2 players)."""
    faceup: tuple[int, ...] = ()
    """Hand cards on the table that no seat has taken yet, ascending."""
    revealed: tuple[int, ...] = ()
    """Two players: the deck pair until a pair is chosen (H-6.1), ascending."""
    offers: tuple[tuple[int, ...], ...] = ()
    """Two players: by seat, the pair of which one card is to be kept (H-6.6), ascending."""
    discards: tuple[int, ...] = ()
    """Two players: the cards out of the game, in the order discarded."""
    scores: tuple[SeatScore, ...] = ()
    """By seat, when the game is over."""
    stack: list[Frame] = field(default_factory=list)

    def clone(self) -> State:
        """An independent copy."""
        return State(
            self.rules,
            self.scoring_card,
            self.round,
            self.order,
            self.hands.copy(),
            self.pile,
            self.supply,
            self.domains.copy(),
            self.cubes.copy(),
            self.taken.copy(),
            self.trick,
            self.faceup,
            self.revealed,
            self.offers,
            self.discards,
            self.scores,
            self.stack.copy(),
        )


def phase(state: State) -> str:
    """The kind of the current decision, or OVER."""
    return str(state.stack[-1][0]) if state.stack else OVER


def colour_at(state: State, seat: Seat, at: int) -> int:
    """The colour of the visible production cell at a position."""
    return COLOUR_OF[state.domains[seat].cells[at] % SLOT_UNIT]


def cube_colours(state: State, seat: Seat) -> list[int]:
    """How many cubes of each colour lie on a domain."""
    counts = [0] * len(COLOURS)
    for at in state.cubes[seat]:
        counts[colour_at(state, seat, at)] += 1
    return counts
