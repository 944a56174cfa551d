"""The round around the decisions: reveal a row, check for the end, pass the first player on (sections 4, 5 and 10)."""

from __future__ import annotations

from referee.games.edo_yashiki.components import ALL_TOKENS, CARDS, NAMES, SETUPS, TARGET
from referee.games.edo_yashiki.house import first
from referee.games.edo_yashiki.state import NONE, PICK_CARD, RANK_CARDS, SEALED, SPECIALISTS, State
from referee.kernel.chance import Chance
from referee.kernel.game import TABLE, Event, Pending, Result, Variant, Verb, rank
from referee.kernel.tuples import new_tuple

_NOBODY = {seats: (NONE,) * seats for seats in SETUPS}
_ROUND = tuple(Event(Verb.PHASE, TABLE, "round", (number,)) for number in range(len(CARDS)))
_FIRST = tuple(Event(Verb.ORDER, TABLE, "first player", (seat,)) for seat in range(max(SETUPS)))


def everybody(kind: str) -> dict[int, tuple[Pending, ...]]:
    """For each number of seats, the asks of a decision that all seats take at once."""
    return {seats: tuple(Pending(seat, kind) for seat in range(seats)) for seats in SETUPS}


def start(seats: int, variant: Variant, chance: Chance) -> State:
    """Set-up (E-4.1 to E-4.6) and the first row.

    Deck and first player are drawn here (E-12.4, E-12.5); beside them only the priority of a round is random (E-12.1).
    Each has a stream of its own, so that nothing that is played changes later luck (E-12.2, E-12.3, E-12.8).
    """
    state = State()
    state.rules = variant["rules"]
    state.draft = variant["draft"]
    deck = chance.shuffled("deck", range(len(CARDS)))
    state.first = chance.pick("first", seats)
    state.houses = tuple(first(deck[(seat - state.first) % seats]) for seat in range(seats))
    state.deck = tuple(deck[seats:])
    state.round = 0
    state.drafts = ()
    state.scores = (0,) * seats
    state.tokens = (ALL_TOKENS,) * seats if state.rules == SPECIALISTS else ()
    state.scored = ()
    state.chains = ()
    state.stack = []
    reveal(state, [])
    return state


def reveal(state: State, events: list[Event]) -> None:
    """Begin a round: the top cards of the deck, one for each seat, become the row (state REVEAL of section 5)."""
    seats = len(state.houses)
    state.round += 1
    state.row = row = state.deck[:seats]
    state.deck = state.deck[seats:]
    state.got = _NOBODY[seats]
    state.stack = [RANK_CARDS if state.draft == SEALED else PICK_CARD]
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


def result(state: State) -> Result | None:
    """Most points win, ties share a place (E-10.2, E-10.3)."""
    reason = ending(state)
    if state.stack or reason is None:
        return None
    return Result(rank([(score,) for score in state.scores]), state.scores, reason)
