"""Players for whole games: one answers at random, one fights as long as it can, so that decks run out."""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from typing import Protocol

from referee.games.ninjato import GAME
from referee.games.ninjato.options import Place
from referee.games.ninjato.state import State
from referee.kernel.chance import Fast
from referee.kernel.game import Option, Seat
from tests.games.ninjato.stage import verb

_LIKES = {"play": 8, "banzai": 4, "switch": 2, "swap": 2, "refresh": 4, "give_up": 1, "leave": 1}
_SPACES = {"dojo": 8, "sensei": 6, "palace": 6, "pavilion": 4, "house": 1}
"""Weights of an eager player's options, by verb and by space."""


class Chooser(Protocol):
    """Chooses the answers of all seats."""

    def choose(self, options: Sequence[Option]) -> Option:
        """One of the options."""


class Random:
    """Any option, each as likely as the others."""

    def __init__(self, seed: int) -> None:
        self._random = random.Random(seed)

    def choose(self, options: Sequence[Option]) -> Option:
        return self._random.choice(options)


class Eager:
    """Plays whenever it can, goes on for more, visits the Dojo often and pays gladly: long games with full raids."""

    def __init__(self, seed: int) -> None:
        self._random = random.Random(seed)

    def choose(self, options: Sequence[Option]) -> Option:
        return self._random.choices(options, [self._weight(option) for option in options])[0]

    def _weight(self, option: Option) -> int:
        return _SPACES[option.space] if isinstance(option, Place) else _LIKES.get(verb(option), 3)


def states(seats: int, chooser: Chooser, seed: int = 0) -> Iterator[State]:
    """Every state of a game, the same object each time, from the start to the end."""
    chance = Fast(seed)
    state = GAME.start(seats, {}, chance)
    yield state
    while asks := GAME.pending(state):
        seat = asks[0].seat
        GAME.apply(state, {seat: chooser.choose(GAME.options(state, seat))}, chance)
        yield state


def decisions(seats: int, chooser: Chooser, seed: int = 0) -> Iterator[tuple[str, Seat, State]]:
    """Every decision of a game with the seat that makes it, before it is made."""
    for state in states(seats, chooser, seed):
        for seat, kind in GAME.pending(state):
            yield kind, seat, state
