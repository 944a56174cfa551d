"""`place`: where a shuriken may go, and what begins there (N-4.2 to N-4.5)."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import cast

from referee.games.ninjato import dojo, market, raid, sensei
from referee.games.ninjato import events as say
from referee.games.ninjato.options import DOJO, FIRST_HOUSE, PALACE, PAVILION, PLACE_LISTS, SENSEI, SPACE, Place
from referee.games.ninjato.payments import payable_envoys, payable_rumors
from referee.games.ninjato.state import State
from referee.kernel.chance import Chance
from referee.kernel.frames import Frame
from referee.kernel.game import Event, Option, Seat


def options(state: State, frame: Frame, seat: Seat) -> tuple[Place, ...]:
    """The open spaces (N-4.4): the Dojo always, so that there is an option (N-4.5); shuriken never block (N-4.3)."""
    mask = 0
    if sensei.affordable(state, seat):
        mask = 1
    treasures = state.treasures[seat]
    if any(treasures):
        if payable_envoys(state.palace, treasures):
            mask |= 2
        if payable_rumors(state.pavilion, treasures):
            mask |= 4
    for house, sentinel in enumerate(state.sentinels):
        if sentinel >= 0:
            mask |= 8 << house
    return PLACE_LISTS[mask]


_BEGIN: dict[int, Callable[[State, Seat], None]] = {
    DOJO: dojo.begin,
    SENSEI: sensei.begin,
    PALACE: market.begin_palace,
    PAVILION: market.begin_pavilion,
}


def apply(state: State, frame: Frame, answers: Mapping[Seat, Option], chance: Chance, events: list[Event]) -> None:
    """Put the shuriken down and begin what the space offers (N-4.2)."""
    seat = frame[1]
    space = SPACE[cast(Place, answers[seat])]
    state.placed = (*state.placed, space)
    events.append(say.placed(seat, space))
    if space >= FIRST_HOUSE:
        house, mode = divmod(space - FIRST_HOUSE, 2)
        raid.begin(state, seat, house, mode)
    else:
        _BEGIN[space](state, seat)
