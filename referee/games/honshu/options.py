"""The answers a seat can give, and the asks of every phase, built once and shared."""

from __future__ import annotations

from functools import cache, lru_cache
from typing import NamedTuple

from referee.games.honshu.components import SEATS
from referee.games.honshu.geometry import Cell, cell
from referee.games.honshu.state import KEEP, OVERRIDE, PAIR, PICK, PLACE, PLAY, PLAY2
from referee.kernel.game import Pending, Seat


class Play(NamedTuple):
    """PLAY and PLAY2: lay this hand card down (H-5.1, H-6.2)."""

    card: int
    cube: Cell | None
    """The production cell whose cube goes on it, or None; with two players always None."""


class Pick(NamedTuple):
    """PICK: take this trick card (H-5.6)."""

    card: int


class Override(NamedTuple):
    """OVERRIDE: discard the cubes of these two cells, or none to decline (H-6.4)."""

    cubes: tuple[Cell, ...]


class Pair(NamedTuple):
    """PAIR: take the deck pair or the hand pair (H-6.5)."""

    which: str


class Keep(NamedTuple):
    """KEEP: keep this card, discard the other (H-6.6)."""

    card: int


DECK_PAIR, HAND_PAIR = Pair("deck"), Pair("hand")
PAIRS = (DECK_PAIR, HAND_PAIR)
DECLINE = Override(())


@lru_cache(maxsize=1 << 14)
def play_option(card: int, at: int) -> Play:
    """Play a card with the cube at a position (-1: none)."""
    return Play(card, cell(at) if at >= 0 else None)


@lru_cache(maxsize=1 << 14)
def override_option(first: int, second: int) -> Override:
    """Pay with the cubes at these positions."""
    return Override((cell(first), cell(second)))


@cache
def pick_option(card: int) -> Pick:
    """Take a card."""
    return Pick(card)


@cache
def keep_option(card: int) -> Keep:
    """Keep a card."""
    return Keep(card)


_SEATS = range(SEATS.stop - 1)
_ONE = {kind: tuple((Pending(seat, kind),) for seat in _SEATS) for kind in (PLAY, PICK, OVERRIDE, PAIR)}
_ALL = {kind: tuple(tuple(Pending(seat, kind) for seat in range(n)) for n in SEATS) for kind in (PLAY2, KEEP, PLACE)}


def ask_one(kind: str, seat: Seat) -> tuple[Pending, ...]:
    """One seat decides."""
    return _ONE[kind][seat]


def ask_all(kind: str, seats: int) -> tuple[Pending, ...]:
    """All seats decide at once (H-11.7)."""
    return _ALL[kind][seats - SEATS.start]
