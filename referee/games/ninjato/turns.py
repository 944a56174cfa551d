"""Whose turn it is (N-4.1), and the frame that every turn begins with."""

from __future__ import annotations

from referee.games.ninjato.components import SHURIKEN
from referee.games.ninjato.end_of_round import finish_round
from referee.games.ninjato.rounds import begin_turn
from referee.games.ninjato.state import State
from referee.kernel.chance import Chance
from referee.kernel.game import Event


def end_turn(state: State, chance: Chance, events: list[Event]) -> None:
    """The shuriken is resolved: the next player, or the end of the round after three each (N-4.1)."""
    if len(state.placed) < SHURIKEN * state.seats:
        begin_turn(state)
    else:
        finish_round(state, chance, events)
