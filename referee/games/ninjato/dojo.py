"""The Dojo: taking cards, the hand limit, and turning new cards up (N-5)."""

from __future__ import annotations

from referee.games.ninjato import events as say
from referee.games.ninjato import memory
from referee.games.ninjato.components import DOJO_DRAW, DOJO_FACE_UP, HAND_LIMIT
from referee.games.ninjato.decks import draw_dojo
from referee.games.ninjato.options import DISCARDS, Discard, Pick, picks
from referee.games.ninjato.state import State
from referee.kernel.chance import Chance
from referee.kernel.frames import Frame
from referee.kernel.game import Event, Seat


def begin(state: State, seat: Seat) -> None:
    """Ask for the first of four, three or two picks, by the size of the hand (N-5.2)."""
    held = sum(state.hands[seat])
    state.stack[-1] = ("dojo_pick", seat, DOJO_DRAW[min(held, len(DOJO_DRAW) - 1)])


def pick_options(state: State, frame: Frame, seat: Seat) -> tuple[Pick, ...]:
    """The values that still lie face up, then the deck (N-5.3)."""
    return picks(state.face_up)


def pick(state: State, frame: Frame, option: Pick, chance: Chance, events: list[Event]) -> None:
    """Take one card; a card from the deck is seen by its owner before the next pick (N-5.3, N-R4)."""
    _, seat, left = frame
    if option.value:
        card = option.value - 1
        memory.take_face_up(state, seat, card)
        events.append(say.took_face_up(seat, card))
    else:
        card = draw_dojo(state, chance, events)
        memory.draw_unseen(state, seat, card)
        events.append(say.drew_unseen(seat))
        events.append(say.saw(seat, card))
    if left > 1:
        state.stack[-1] = ("dojo_pick", seat, left - 1)
    else:
        _check_limit(state, seat, chance, events)


def discard_options(state: State, frame: Frame, seat: Seat) -> tuple[Discard, ...]:
    """The values in hand (N-5.4)."""
    return tuple([option for option, count in zip(DISCARDS, state.hands[seat], strict=True) if count])


def discard(state: State, frame: Frame, option: Discard, chance: Chance, events: list[Event]) -> None:
    """Put one card on the discard pile, seen by all (N-5.4)."""
    seat = frame[1]
    memory.spend(state, seat, option.value - 1)
    events.append(say.paid_card(seat, option.value - 1))
    _check_limit(state, seat, chance, events)


def _check_limit(state: State, seat: Seat, chance: Chance, events: list[Event]) -> None:
    """Ask for a discard above the hand limit (N-5.4, N-5.6); else turn cards up (N-5.5, N-R5), and the turn is over."""
    if sum(state.hands[seat]) > HAND_LIMIT:
        state.stack[-1] = ("dojo_discard", seat)
    else:
        turn_up(state, chance, events)
        state.stack.clear()


def turn_up(state: State, chance: Chance, events: list[Event]) -> None:
    """Fill the face-up cards from the deck (N-3.7, N-5.5)."""
    cards = []
    for _ in range(DOJO_FACE_UP - sum(state.face_up)):
        card = draw_dojo(state, chance, events)
        memory.turn_up(state, card)
        cards.append(card)
    if cards:
        events.append(say.turned_up(tuple(sorted(cards))))
