"""The trick phase of 3 to 5 players: PLAY, REORDER, PICK and the return of the cubes (section 5)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import cast

from referee.games.honshu.components import PLAY as CONSTANTS
from referee.games.honshu.geometry import position
from referee.games.honshu.options import Pick, Play, ask_one, pick_option, play_option
from referee.games.honshu.state import NO_CUBE, PICK, PLACE, PLAY, Bid, State, colour_at
from referee.games.honshu.supply import CUBE, give_back, spend
from referee.kernel.chance import Chance
from referee.kernel.frames import Frame, Handler
from referee.kernel.game import TABLE, Event, Option, Pending, Seat, Verb


def trick_colour(state: State) -> int:
    """The colour that the first cube of the trick has fixed, or NO_CUBE (H-5.2)."""
    for bid in state.trick:
        if bid.colour != NO_CUBE:
            return bid.colour
    return NO_CUBE


def value(bid: Bid) -> int:
    """Card number, plus 60 with a cube (H-5.4)."""
    return bid.card if bid.colour == NO_CUBE else bid.card + CONSTANTS.cube_bonus


def _play_asks(state: State, frame: Frame) -> tuple[Pending, ...]:
    """The next seat in turn order (H-5.1)."""
    return ask_one(PLAY, state.order[len(state.trick)])


def _play_options(state: State, frame: Frame, seat: Seat) -> Sequence[Option]:
    """Every hand card, alone and with each cube that the trick colour allows (H-5.1, H-5.2, H-4.3)."""
    colour = trick_colour(state)
    cubes = state.cubes[seat]
    if colour != NO_CUBE:
        cubes = tuple([at for at in cubes if colour_at(state, seat, at) == colour])
    if not cubes:
        return [play_option(card, -1) for card in state.hands[seat]]
    return [play_option(card, at) for card in state.hands[seat] for at in (-1, *cubes)]


def _play(state: State, frame: Frame, answers: Mapping[Seat, Option], chance: Chance, events: list[Event]) -> None:
    """Lay a card down with or without a cube, final and public (H-5.1, H-5.3); after the last card, reorder."""
    seat = state.order[len(state.trick)]
    card, cube = cast(Play, answers[seat])
    state.hands[seat] = tuple([other for other in state.hands[seat] if other != card])
    state.faceup = tuple(sorted((*state.faceup, card)))
    events.append(Event(Verb.CHOSE, seat, "card", (card,)))
    colour = NO_CUBE
    if cube is not None:
        colour = spend(state, seat, position(*cube))
        events.append(Event(Verb.PAID, seat, CUBE[colour], tuple(cube), 1))
    state.trick = (*state.trick, Bid(seat, card, colour))
    if len(state.trick) == len(state.hands):
        _reorder(state, events)


def _reorder(state: State, events: list[Event]) -> None:
    """The highest value comes first from now on (H-5.5)."""
    state.order = tuple([bid.seat for bid in sorted(state.trick, key=value, reverse=True)])
    state.stack[-1] = (PICK,)
    events.append(Event(Verb.ORDER, TABLE, "turn order", state.order))


def _pick_asks(state: State, frame: Frame) -> tuple[Pending, ...]:
    """The next seat in the new turn order (H-5.6)."""
    return ask_one(PICK, state.order[len(state.order) - len(state.faceup)])


def _pick_options(state: State, frame: Frame, seat: Seat) -> Sequence[Option]:
    """The trick cards still there (H-5.6)."""
    return [pick_option(card) for card in state.faceup]


def _pick(state: State, frame: Frame, answers: Mapping[Seat, Option], chance: Chance, events: list[Event]) -> None:
    """Take a trick card (H-5.6); after the last card, the cubes go back and the domain phase begins (H-5.7)."""
    seat = state.order[len(state.order) - len(state.faceup)]
    (card,) = cast(Pick, answers[seat])
    state.taken[seat] = card
    state.faceup = tuple([other for other in state.faceup if other != card])
    events.append(Event(Verb.GAINED, seat, "card", (card,)))
    if not state.faceup:
        for bid in state.trick:
            if bid.colour != NO_CUBE:
                give_back(state, bid.colour)
                events.append(Event(Verb.MOVED, TABLE, f"{CUBE[bid.colour]} to the supply", (), 1))
        state.trick = ()
        state.stack[-1] = (PLACE,)


HANDLERS = {
    PLAY: Handler(_play_asks, _play_options, _play),
    PICK: Handler(_pick_asks, _pick_options, _pick),
}
