"""Placing a die: the open spaces, the difference in coins, and the effects of the space (W-7.2 to W-7.4, W-9)."""

from __future__ import annotations

from collections.abc import Sequence

from referee.games.white_castle.components import (
    CARDS,
    COIN,
    DIE_SPACES,
    DOMAIN,
    DOMAIN_VALUE,
    LANTERN_EFFECT,
    LEFT,
    MAIN_ACTION,
    ROOMS,
    WELL,
    WELL_EFFECT,
)
from referee.games.white_castle.effects import begin
from referee.games.white_castle.flow import GAINED, Continuation, DecisionRules, pay
from referee.games.white_castle.options import NEXT_ACTIONS, OUTSIDE, SPACES, NextAction, OutsideAction, PlaceDie, Word
from referee.games.white_castle.state import Die, State
from referee.kernel.chance import Chance
from referee.kernel.frames import Frame
from referee.kernel.game import Event

_WELL_VALUE = DIE_SPACES[WELL].value


def _open_spaces(state: State, frame: Frame) -> tuple[PlaceDie, ...]:
    """The spaces that accept the die and whose difference can be paid now (W-9.1); always the well (W-1.3)."""
    _, seat, colour, value, _ = frame
    clan = state.clans[seat]
    reach = value + clan.goods[COIN]
    spaces = state.spaces
    listed = []
    for space, printed, capacity, option in state.board.open_to[colour]:
        dice = spaces[space]
        if not dice:
            if printed <= reach:
                listed.append(option)
        elif len(dice) < capacity and dice[-1][1] <= reach:
            listed.append(option)
    listed.append(SPACES[WELL])
    if not clan.dice[colour] and DOMAIN_VALUE[colour] <= reach:
        listed.append(SPACES[DOMAIN + colour])
    return tuple(listed)


def _placed(state: State, frame: Frame, option: PlaceDie, chance: Chance, events: list[Event]) -> None:
    """`place_die`: settle the difference, then the lantern of a left die, then the space (W-7.2 to W-7.4)."""
    _, seat, colour, value, position = frame
    space = option.space
    covered = cover(state, seat, colour, value, space)
    if value > covered:
        state.clans[seat].goods[COIN] += value - covered
        events.append(GAINED[seat][COIN][value - covered])
    elif value < covered:
        pay(state, seat, COIN, covered - value, events)
    stack = state.stack
    if space in ROOMS:
        stack.append(("rest", seat, *room_rows(state, space, colour)))
    elif space < WELL:
        stack.append(("outside_action", seat, space))
    elif space == WELL:
        stack.append(("do", seat, WELL_EFFECT))
    else:
        stack.append(("domain_row", seat, colour))
    if position == LEFT:
        begin(state, seat, LANTERN_EFFECT, events)


def cover(state: State, clan: int, colour: int, value: int, space: int) -> int:
    """Lay a die on a space; returns the covered value: the printed one, or that of the die below (W-9.1)."""
    if space >= DOMAIN:
        state.clans[clan].dice[colour] = value
        return DOMAIN_VALUE[colour]
    dice = state.spaces[space]
    state.spaces[space] = (*dice, (colour, value))
    return covered_value(dice, space)


def covered_value(dice: Sequence[Die], space: int) -> int:
    """The value that the next die covers on a space of the board that holds these dice (W-9.1)."""
    if space == WELL:
        return _WELL_VALUE
    return dice[-1][1] if dice else DIE_SPACES[space].value


def room_rows(state: State, room: int, colour: int) -> tuple[int, ...]:
    """Effects of the rows that face tiles of the die's colour, fixed when the die is placed (W-9.2, W-R7)."""
    rows = CARDS[state.castle[room]].rows
    return tuple([rows[row] for row in state.board.facing[room][colour]])


def _rest(state: State, frame: Frame, chance: Chance, events: list[Event]) -> None:
    """`(rest, seat, *effects)`: ask which pending effect comes next; the last begins without asking (W-17.6)."""
    if len(frame) == 3:
        begin(state, frame[1], frame[2], events)
    elif len(frame) > 3:
        state.stack.append(("next_action", *frame[1:]))


def _pending(state: State, frame: Frame) -> tuple[NextAction, ...]:
    return NEXT_ACTIONS[: len(frame) - 2]


def _pending_chosen(state: State, frame: Frame, option: NextAction, chance: Chance, events: list[Event]) -> None:
    """`next_action`: one pending effect now, the others after it (W-9.2, W-10.2, W-12.3)."""
    at = 2 + option.entry
    state.stack.append(("rest", *frame[1:at], *frame[at + 1 :]))
    begin(state, frame[1], frame[at], events)


def _outside(state: State, frame: Frame) -> tuple[OutsideAction | Word, ...]:
    return OUTSIDE[frame[2]]


def _outside_chosen(
    state: State, frame: Frame, option: OutsideAction | Word, chance: Chance, events: list[Event]
) -> None:
    """`outside_action`: one of the two printed main actions, or skip (W-9.3)."""
    if isinstance(option, OutsideAction):
        begin(state, frame[1], MAIN_ACTION[option.member], events)


CONTINUATIONS: dict[str, Continuation] = {"rest": _rest}
DECISIONS = (
    DecisionRules("place_die", _open_spaces, _placed),
    DecisionRules("next_action", _pending, _pending_chosen),
    DecisionRules("outside_action", _outside, _outside_chosen),
)
