"""Beginning a round and a turn (N-4.1)."""

from __future__ import annotations

from referee.games.ninjato.components import MAX_SEATS
from referee.games.ninjato.state import State
from referee.kernel.game import TABLE, Event, Verb

_FRAMES = tuple(("place", seat) for seat in range(MAX_SEATS))


def begin_turn(state: State) -> None:
    """The next player in turn order decides where to place (N-4.1, N-4.2)."""
    state.stack[:] = (_FRAMES[state.order[len(state.placed) % state.seats]],)


def begin_round(state: State, number: int, events: list[Event]) -> None:
    """The round marker moves on and the first player of the turn order begins."""
    state.round = number
    events.append(Event(Verb.PHASE, TABLE, "round", (number,)))
    begin_turn(state)
