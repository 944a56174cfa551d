"""From round to round: reveal, passing, dealing and the end (sections 4 and 8).

Every round each seat plays, receives and places exactly one card (H-4.2); cards and cubes change in the trick phase and
the domain phase alone (H-7.10).
"""

from __future__ import annotations

from referee.games.honshu.components import PLAY as CONSTANTS
from referee.games.honshu.scoring import final_scores
from referee.games.honshu.state import PLAY, PLAY2, State
from referee.kernel.game import TABLE, Event, Seat, Verb

LEFT, RIGHT = 1, -1
"""Steps to a neighbour: seats are numbered clockwise."""


def begin_round(state: State, events: list[Event]) -> None:
    """Open the next round; two players first turn up the deck pair (section 4, H-6.1)."""
    state.round += 1
    events.append(Event(Verb.PHASE, TABLE, "round", (state.round,)))
    if len(state.hands) > 2:
        state.stack[-1] = (PLAY,)
        return
    state.revealed = tuple(sorted(state.pile[: CONSTANTS.reveal]))
    state.pile = state.pile[CONSTANTS.reveal :]
    state.stack[-1] = (PLAY2,)
    events.append(Event(Verb.REVEALED, TABLE, "deck pair", state.revealed))


def end_round(state: State, events: list[Event]) -> None:
    """Pass or deal where the round says so, then go on or score (H-8.1 to H-8.4)."""
    if state.round == CONSTANTS.rounds:
        _finish(state, events)
        return
    if state.round == CONSTANTS.pass_left_after:
        _pass_hands(state, LEFT, events)
    elif state.round == CONSTANTS.deal_after:
        deal(state, events)
    elif state.round == CONSTANTS.pass_right_after:
        _pass_hands(state, RIGHT, events)
    begin_round(state, events)


def _pass_hands(state: State, step: int, events: list[Event]) -> None:
    """Every seat passes its hand to a neighbour; giver and receiver know the cards (H-8.1, H-8.3)."""
    hands = state.hands
    seats = len(hands)
    side = "left" if step == LEFT else "right"
    for seat, hand in enumerate(hands):
        neighbour = (seat + step) % seats
        events.append(Event(Verb.MOVED, seat, f"hand to the {side}", (), len(hand)))
        both = (min(seat, neighbour), max(seat, neighbour))
        events.append(Event(Verb.MOVED, seat, f"cards to seat {neighbour}", hand, audience=both))
    state.hands = [hands[(seat - step) % seats] for seat in range(seats)]


def deal(state: State, events: list[Event]) -> None:
    """Deal six cards to each seat, in blocks from the top of the pile, seat 0 first (H-3.5, H-3.7, H-8.2).

    The pile suffices at every seat count (H-11.2).
    """
    size = CONSTANTS.hand_size
    for seat in range(len(state.hands)):
        state.hands[seat] = tuple(sorted(state.pile[:size]))
        state.pile = state.pile[size:]
        events.append(Event(Verb.DREW, seat, "map cards", (), size))
        events.append(Event(Verb.DREW, seat, "map cards in hand", state.hands[seat], audience=(seat,)))


def known_neighbour(round_number: int, seat: Seat, seats: int) -> Seat | None:
    """The seat whose hand this seat passed on and therefore knows until it is played (section 10); None: no seat."""
    if CONSTANTS.pass_left_after < round_number <= CONSTANTS.deal_after:
        return (seat + LEFT) % seats
    if CONSTANTS.pass_right_after < round_number <= CONSTANTS.rounds:
        return (seat + RIGHT) % seats
    return None


def _finish(state: State, events: list[Event]) -> None:
    """Score every domain; the game is over (H-8.4)."""
    state.scores = final_scores(state)
    for seat, lines in enumerate(state.scores):
        named = lines._asdict().items()
        events += [Event(Verb.SCORED, seat, line, (), points) for line, points in named if line != "fields"]
    state.stack.clear()
