"""The Dojo: taking cards, the hand limit, and turning new ones up (N-5)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import cast

from referee.games.ninjato import events as say
from referee.games.ninjato import memory
from referee.games.ninjato.components import DOJO_DRAW, DOJO_FACE_UP, HAND_LIMIT
from referee.games.ninjato.decks import draw_dojo
from referee.games.ninjato.options import DISCARDS, Discard, Pick, picks
from referee.games.ninjato.state import State
from referee.games.ninjato.turns import end_turn
from referee.kernel.chance import Chance
from referee.kernel.frames import Frame
from referee.kernel.game import Event, Option, Seat


def begin(state: State, seat: Seat) -> None:
    """Four, three or two cards are due, by the size of the hand (N-5.2)."""
    held = sum(state.hands[seat])
    state.stack[-1] = ("dojo_pick", seat, DOJO_DRAW[min(held, len(DOJO_DRAW) - 1)])


def pick_options(state: State, frame: Frame, seat: Seat) -> tuple[Pick, ...]:
    """The remaining face-up values, or the deck (N-5.3)."""
    return picks(state.face_up)


def pick(state: State, frame: Frame, answers: Mapping[Seat, Option], chance: Chance, events: list[Event]) -> None:
    """Take one card; after the last one the hand limit is checked (N-5.3, N-5.4)."""
    _, seat, left = frame
    value = cast(Pick, answers[seat]).value
    if value:
        memory.take_face_up(state, seat, value - 1)
        events.append(say.took_face_up(seat, value - 1))
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


def discard(state: State, frame: Frame, answers: Mapping[Seat, Option], chance: Chance, events: list[Event]) -> None:
    """Put one card away, openly (N-5.4)."""
    seat = frame[1]
    card = cast(Discard, answers[seat]).value - 1
    memory.spend(state, seat, card)
    events.append(say.paid_card(seat, card))
    _check_limit(state, seat, chance, events)


def _check_limit(state: State, seat: Seat, chance: Chance, events: list[Event]) -> None:
    """Too many cards: discard one (N-5.4, N-5.6); otherwise refill the face-up cards (N-5.5) and end the turn."""
    if sum(state.hands[seat]) > HAND_LIMIT:
        state.stack[-1] = ("dojo_discard", seat)
        return
    turn_up(state, chance, events)
    end_turn(state, chance, events)


def turn_up(state: State, chance: Chance, events: list[Event]) -> None:
    """Fill the face-up cards up from the deck (N-3.7, N-5.5)."""
    cards = []
    for _ in range(DOJO_FACE_UP - sum(state.face_up)):
        card = draw_dojo(state, chance, events)
        memory.turn_up(state, card)
        cards.append(card)
    if cards:
        events.append(say.turned_up(tuple(sorted(cards))))
