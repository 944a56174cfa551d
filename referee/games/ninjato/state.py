"""The state of a game of Ninjato: one mutable object whose parts are immutable.

Lists are indexed by seat or by house; everything in them is a number or a tuple, so a clone copies a few short lists
and shares the rest. The current decision is the top of `stack`: a plain tuple `(kind, seat, ...)`; `Raid` and `Scoring`
are those with more than two or three items. The public knowledge about hidden hands (`known`, `pool`, `doubts`, and the
sizes of `fresh`) is part of the state too; `memory.py` updates these fields.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

from referee.games.ninjato.components import Counts
from referee.kernel.frames import Frame
from referee.kernel.game import Seat

RAID_KINDS = ("fight", "banzai", "keep", "clan_token")
"""The decisions of a raid, whose frame is a `Raid`."""
SCORING_KINDS = ("disguise", "clan_reward", "rumor_free")
"""The decisions of a scoring phase, whose frame is a `Scoring`."""

NO_OPPONENT, SENTINEL, GUARD, ELITE = range(4)
"""What a raider faces: `Raid.opponent`."""


class Raid(NamedTuple):
    """The frame of a raid (N-7) at every decision in it."""

    kind: str
    seat: Seat
    house: int
    mode: int
    """FORCE or STEALTH (N-1.2); Seishin-teki changes it."""
    light: Counts
    """Loot that was taken from its light side (N-1.5)."""
    red: Counts
    """Loot that was taken from its red side."""
    opponent: int
    """NO_OPPONENT, SENTINEL, GUARD or ELITE."""
    card: int
    """The kind of guard or elite guard, or -1."""
    standing: int
    """The parts not yet beaten, as bits: 1 the first, 2 the second (N-7.11)."""


class Scoring(NamedTuple):
    """The frame of a scoring phase (N-11) at every decision in it."""

    kind: str
    seat: Seat
    step: int
    """`disguise`: number of the Hensojutsu tile, counted over all seats. Otherwise the clan by its place in the scoring
    order; for the second of a clan the number of clans is added."""
    disguised: tuple[int, ...]
    """The envoys that count once more (N-11.2)."""
    left: tuple[int, ...]
    """For each clan whose first was served: 0 nothing, 1 honor, 2 a rumor is left for the second (N-11.6)."""


Doubt = tuple[int, int]
"""A spent Dojo card that was fresh or old (`memory.py`): its value less 1, and the fresh cards of its seat by then."""


def dojo_stack(order: tuple[Seat, ...], placed: tuple[int, ...]) -> tuple[Seat, ...]:
    """The owners of the shuriken in the Dojo, bottom to top (N-5.1)."""
    return tuple(order[at % len(order)] for at, space in enumerate(placed) if space == 0)


@dataclass(slots=True)
class State:
    """A game in progress, or over."""

    seats: int
    round: int
    """1 to 7 (N-1.1)."""
    order: tuple[Seat, ...]
    """Turn order of this round."""
    placed: tuple[int, ...]
    """The spaces (see `options.PLACES`) on which shuriken were put in this round, in turn order (N-4.1)."""
    honor: list[int]

    hands: list[Counts]
    """Dojo cards by seat; index 0 counts the 1s."""
    treasures: list[Counts]
    """Treasures by seat, fan to gold (N-1.3)."""
    ready: list[Counts]
    """Face-up skill tiles by seat: usable (N-1.7)."""
    used: list[Counts]
    """Face-down skill tiles by seat."""
    envoys: list[tuple[int, ...]]
    """Envoys by seat, in the order in which they were taken, like rumors and trophies."""
    rumors: list[tuple[int, ...]]
    trophies: list[tuple[int, ...]]

    light: list[Counts]
    """Treasures on their light side, by house (N-1.4). A house without treasures is closed."""
    red: list[Counts]
    """Treasures on their red side, by house."""
    sentinels: list[int]
    """The kind of guard before each house (N-3.3); -1 while it is closed."""
    tokens: list[int]
    """The clan token of each house (N-3.4)."""
    supply: tuple[int, ...]
    """The other clan tokens, by number."""

    face_up: Counts
    """The Dojo cards that lie open beside the deck (N-3.7)."""
    sensei: tuple[int, ...]
    """Displayed skill tiles, by number, like envoys and rumors (N-3.6)."""
    palace: tuple[int, ...]
    pavilion: tuple[int, ...]

    dojo_deck: tuple[int, ...]
    """Dojo cards, top first, as value less 1. All decks are top first and hidden from all seats (N-14)."""
    guard_deck: tuple[int, ...]
    elite_deck: tuple[int, ...]
    bag: tuple[int, ...]
    envoy_deck: tuple[int, ...]
    rumor_deck: tuple[int, ...]
    skill_deck: tuple[int, ...]
    """Regular tiles; those that are left after round 4 are out of the game (N-10.3)."""
    hensojutsu_deck: tuple[int, ...]

    dojo_discard: Counts
    guard_discard: Counts
    elite_discard: Counts
    treasure_discard: Counts
    retired: Counts
    """Skill tiles that were displayed and left the game (N-10.3)."""
    shuffles: tuple[int, int, int, int]
    """How often discard piles were shuffled in again: Dojo, guards, elite guards, treasures."""

    known: list[Counts]
    """By seat: cards that are known to all to be in the hand, because they were taken face up."""
    fresh: list[Counts]
    """By seat: cards drawn unseen since the Dojo deck was last shuffled, less those that were traced when spent."""
    doubts: list[tuple[Doubt, ...]]
    """By seat: spent cards that may have been fresh or old, in the order in which they were spent."""
    pool: Counts
    """The Dojo deck and all fresh cards together: public, for the deck was shuffled from an open pile."""

    stack: list[Frame]

    def clone(self) -> State:
        """An independent copy, made field by field."""
        new = State.__new__(State)
        new.seats = self.seats
        new.round = self.round
        new.order = self.order
        new.placed = self.placed
        new.honor = self.honor[:]
        new.hands = self.hands[:]
        new.treasures = self.treasures[:]
        new.ready = self.ready[:]
        new.used = self.used[:]
        new.envoys = self.envoys[:]
        new.rumors = self.rumors[:]
        new.trophies = self.trophies[:]
        new.light = self.light[:]
        new.red = self.red[:]
        new.sentinels = self.sentinels[:]
        new.tokens = self.tokens[:]
        new.supply = self.supply
        new.face_up = self.face_up
        new.sensei = self.sensei
        new.palace = self.palace
        new.pavilion = self.pavilion
        new.dojo_deck = self.dojo_deck
        new.guard_deck = self.guard_deck
        new.elite_deck = self.elite_deck
        new.bag = self.bag
        new.envoy_deck = self.envoy_deck
        new.rumor_deck = self.rumor_deck
        new.skill_deck = self.skill_deck
        new.hensojutsu_deck = self.hensojutsu_deck
        new.dojo_discard = self.dojo_discard
        new.guard_discard = self.guard_discard
        new.elite_discard = self.elite_discard
        new.treasure_discard = self.treasure_discard
        new.retired = self.retired
        new.shuffles = self.shuffles
        new.known = self.known[:]
        new.fresh = self.fresh[:]
        new.doubts = self.doubts[:]
        new.pool = self.pool
        new.stack = self.stack[:]
        return new

    def is_open(self, house: int) -> bool:
        """Whether a house can be raided (N-4.4): it has treasures (N-7.18, N-13.4)."""
        return any(self.light[house]) or any(self.red[house])

    def dojo_stack(self) -> tuple[Seat, ...]:
        """The owners of the shuriken in the Dojo, bottom to top (N-5.1)."""
        return dojo_stack(self.order, self.placed)
