"""The end of a round: turn order, tiles, displays and houses, in the order of the rules (N-10)."""

from __future__ import annotations

from referee.games.ninjato import displays, houses, scoring
from referee.games.ninjato import events as say
from referee.games.ninjato.components import HOUSES, ROUNDS, SCORING_ROUNDS
from referee.games.ninjato.counts import NO_SKILLS, gather, plus
from referee.games.ninjato.rounds import begin_round
from referee.games.ninjato.state import State
from referee.kernel.chance import Chance
from referee.kernel.game import TABLE, Event, Verb


def finish_round(state: State, chance: Chance, events: list[Event]) -> None:
    """All steps of N-10 in its order, then scoring or the next round (N-10.7).

    After the last round only the Pavilion is refilled: it still matters for the scoring phase (N-10.7).
    """
    reorder(state, events)
    turn_tiles_up(state)
    if state.round < ROUNDS:
        state.retired = plus(state.retired, gather(state.sensei, NO_SKILLS))
        displays.show_skills(state, state.round + 1, events)
        for house in range(HOUSES):
            if not state.is_open(house):
                houses.stock(state, house, chance, events)
        displays.fill_palace(state, events)
    displays.fill_pavilion(state, events)
    if state.round in SCORING_ROUNDS:
        scoring.begin(state, events)
    else:
        begin_round(state, state.round + 1, events)


def reorder(state: State, events: list[Event]) -> None:
    """The Dojo stack from the top goes first, the others follow as they were; shuriken return (N-10.1, N-10.4)."""
    state.order = tuple(dict.fromkeys((*reversed(state.dojo_stack()), *state.order)))
    state.placed = ()
    events.append(say.told(Verb.ORDER, TABLE, "turn order", state.order))


def turn_tiles_up(state: State) -> None:
    """All skill tiles are usable again (N-10.2)."""
    for seat in range(state.seats):
        if any(state.used[seat]):
            state.ready[seat] = plus(state.ready[seat], state.used[seat])
            state.used[seat] = NO_SKILLS
