"""Cubes between the supply and the domains (H-1.3, H-7.8, H-7.9, H-R7).

The supply is limited: 10 cubes of each colour. A cell that gets no cube stays empty for good.
"""

from __future__ import annotations

from referee.games.honshu.components import COLOURS, PRODUCTION_CELLS
from referee.games.honshu.domain import Laid
from referee.games.honshu.geometry import OFFSETS, cell, position
from referee.games.honshu.layering import SLOT_UNIT
from referee.games.honshu.state import State, colour_at
from referee.kernel.game import Event, Seat, Verb

CUBE = tuple(f"{name} cube" for name in COLOURS)
"""Cubes by colour, as events name them."""


def spend(state: State, seat: Seat, at: int) -> int:
    """Take the cube at a position off a domain; returns its colour."""
    cubes = state.cubes[seat]
    state.cubes[seat] = tuple([other for other in cubes if other != at])
    return colour_at(state, seat, at)


def give_back(state: State, colour: int) -> None:
    """Put a cube into the supply."""
    state.supply = (*state.supply[:colour], state.supply[colour] + 1, *state.supply[colour + 1 :])


def cover(state: State, seat: Seat, laid: Laid, events: list[Event]) -> None:
    """Lay a card; cubes on cells that it hides return to the supply (H-7.8)."""
    domain = state.domains[seat].lay(laid)
    newest = (len(domain.above) - 1) * SLOT_UNIT
    for at in state.cubes[seat]:
        if domain.cells[at] >= newest:
            colour = spend(state, seat, at)
            give_back(state, colour)
            events.append(Event(Verb.MOVED, seat, f"{CUBE[colour]} to the supply", tuple(cell(at)), 1))
    state.domains[seat] = domain


def produce(state: State, seat: Seat, face: int, laid: Laid, events: list[Event]) -> None:
    """Put one cube on each visible production cell of a new card, as far as the supply goes (H-7.9, H-R4, H-R7)."""
    for index, colour in PRODUCTION_CELLS[face]:
        if not laid.mask >> index & 1 and state.supply[colour]:
            at = position(laid.row, laid.col) + OFFSETS[laid.k][index]
            state.supply = (*state.supply[:colour], state.supply[colour] - 1, *state.supply[colour + 1 :])
            state.cubes[seat] = tuple(sorted((*state.cubes[seat], at)))
            events.append(Event(Verb.GAINED, seat, CUBE[colour], tuple(cell(at)), 1))
