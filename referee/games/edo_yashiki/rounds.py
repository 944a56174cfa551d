"""The round around the decisions: reveal a row, check for the end, pass the first player on (sections 5 and 10)."""

from __future__ import annotations

from referee.games.edo_yashiki.components import CARDS, NAMES, SETUPS, TARGET
from referee.games.edo_yashiki.state import NONE, PICK_CARD, RANK_CARDS, TURN_ORDER, State
from referee.kernel.game import TABLE, Event, Verb
from referee.kernel.tuples import new_tuple

_NO_CARDS = {seats: (NONE,) * seats for seats in SETUPS}
_ROUND = tuple(Event(Verb.PHASE, TABLE, "round", (number,)) for number in range(len(CARDS)))
_FIRST = tuple(Event(Verb.ORDER, TABLE, "first player", (seat,)) for seat in range(max(SETUPS)))


def reveal(state: State, events: list[Event]) -> None:
    """Begin a round: the top cards of the deck, one for each seat, become the row (state REVEAL of section 5)."""
    seats = len(state.houses)
    state.round += 1
    state.row = row = state.deck[:seats]
    state.deck = state.deck[seats:]
    state.got = _NO_CARDS[seats]
    state.stack = [(PICK_CARD if state.draft == TURN_ORDER else RANK_CARDS,)]
    events.append(_ROUND[state.round])
    events.append(new_tuple(Event, (Verb.REVEALED, TABLE, "row", tuple([NAMES[card] for card in row]), 0, None)))


def close(state: State, events: list[Event]) -> None:
    """End the game (E-10.1), or begin the next round with the left neighbour as first player (E-1.1, ROTATE)."""
    reason = ending(state)
    if reason is not None:
        state.stack = []
        events.append(Event(Verb.PHASE, TABLE, "end", (reason,)))
        return
    state.first = (state.first + 1) % len(state.houses)
    events.append(_FIRST[state.first])
    reveal(state, events)


def ending(state: State) -> str | None:
    """Which end condition holds after a round, `target` before `deck` (E-10.1)."""
    if max(state.scores) >= TARGET:
        return "target"
    if len(state.deck) < len(state.houses):
        return "deck"
    return None
