"""Turns and rounds: where a shuriken may be placed, which seat is next, and the end of a round (N-4, N-10).

A turn ends when its last decision leaves the stack empty; `game.py` then calls `end_turn`. In the same way
`next_round` follows the last decision of a scoring phase.
"""

from __future__ import annotations

from referee.games.ninjato import dojo, market, raid, scoring, sensei
from referee.games.ninjato import events as say
from referee.games.ninjato.components import HOUSES, MAX_SEATS, ROUNDS, SCORING_ROUNDS, SHURIKEN
from referee.games.ninjato.counts import NO_SKILLS, gather, plus
from referee.games.ninjato.options import DOJO, FIRST_HOUSE, PALACE, PAVILION, PLACE_LISTS, SENSEI, SPACE, Place
from referee.games.ninjato.state import State, dojo_stack
from referee.kernel.chance import Chance
from referee.kernel.frames import Frame
from referee.kernel.game import TABLE, Event, Seat, Verb

_PLACE_FRAMES = tuple(("place", seat) for seat in range(MAX_SEATS))
_FIRST_DECISIONS = {SENSEI: "sensei_take", PALACE: "envoy_take", PAVILION: "rumor_take"}


def begin_turn(state: State) -> None:
    """Ask the next seat in turn order where to place (N-4.1, N-4.2)."""
    state.stack.append(_PLACE_FRAMES[state.order[len(state.placed) % state.seats]])


def place_options(state: State, frame: Frame, seat: Seat) -> tuple[Place, ...]:
    """The open spaces (N-4.4, N-R3): a house with a Sentinel, a display with something that the seat can pay for.

    The Dojo is always open, so that no seat is without an option (N-4.5). Shuriken never block (N-4.3). Only whether
    the Sensei is open depends on the hand (N-14.2).
    """
    mask = 1 if sensei.take_options(state, frame, seat) else 0
    if any(state.treasures[seat]):
        if market.envoy_options(state, frame, seat):
            mask |= 2
        if market.rumor_options(state, frame, seat):
            mask |= 4
    for house, sentinel in enumerate(state.sentinels):
        if sentinel >= 0:
            mask |= 8 << house
    return PLACE_LISTS[mask]


def place(state: State, frame: Frame, option: Place, chance: Chance, events: list[Event]) -> None:
    """Put the shuriken down and begin the action of its space (N-4.2)."""
    seat = frame[1]
    space = SPACE[option]
    state.placed = (*state.placed, space)
    events.append(say.placed(seat, space))
    if space >= FIRST_HOUSE:
        raid.begin(state, seat, option.house, option.mode)
    elif space == DOJO:
        dojo.begin(state, seat)
    else:
        state.stack[-1] = (_FIRST_DECISIONS[space], seat)


def end_turn(state: State, chance: Chance, events: list[Event]) -> None:
    """Begin the next turn, or end the round after three shuriken of each seat (N-1.1, N-4.1)."""
    if len(state.placed) < SHURIKEN * state.seats:
        begin_turn(state)
    else:
        _end_round(state, chance, events)


def _end_round(state: State, chance: Chance, events: list[Event]) -> None:
    """All steps of N-10 in its order, then a scoring phase or the next round (N-10.7).

    After the last round only the Pavilion is filled: its rumors are rewards of the scoring phase (N-10.7, N-11.5).
    """
    _reorder(state, events)
    _turn_tiles_up(state)
    if state.round < ROUNDS:
        state.retired = plus(state.retired, gather(state.sensei, NO_SKILLS))
        sensei.display(state, state.round + 1, events)
        for house in range(HOUSES):
            if not state.is_open(house):
                raid.stock(state, house, chance, events)
        market.fill_palace(state, events)
    market.fill_pavilion(state, events)
    if state.round in SCORING_ROUNDS:
        scoring.begin(state, events)
    if not state.stack:
        next_round(state, chance, events)


def next_order(order: tuple[Seat, ...], placed: tuple[int, ...]) -> tuple[Seat, ...]:
    """The Dojo stack from the top goes first, the other seats follow as before (N-10.1)."""
    return tuple(dict.fromkeys((*reversed(dojo_stack(order, placed)), *order)))


def _reorder(state: State, events: list[Event]) -> None:
    """Set the new turn order; shuriken return (N-10.1).

    Everything after this step uses the new order, disguises too (N-10.4, N-R21).
    """
    state.order = next_order(state.order, state.placed)
    state.placed = ()
    events.append(say.told(Verb.ORDER, TABLE, "turn order", state.order))


def _turn_tiles_up(state: State) -> None:
    """Make all skill tiles usable again (N-10.2)."""
    for seat in range(state.seats):
        if any(state.used[seat]):
            state.ready[seat] = plus(state.ready[seat], state.used[seat])
            state.used[seat] = NO_SKILLS


def next_round(state: State, chance: Chance, events: list[Event]) -> None:
    """Begin the next round; after the last one add the bonuses, and the empty stack says that the game is over."""
    if state.round == ROUNDS:
        scoring.add_bonuses(state, events)
        return
    state.round += 1
    events.append(Event(Verb.PHASE, TABLE, "round", (state.round,)))
    begin_turn(state)
