"""The three bridges: rolling the dice and taking them from the ends (W-8, W-12.4)."""

from __future__ import annotations

from collections.abc import Sequence

from referee.games.white_castle.components import (
    CENTRE,
    COLOURS,
    DICE_PER_COLOUR,
    DIE_SPACES,
    LEFT,
    ROUNDS,
)
from referee.games.white_castle.flow import DecisionRules
from referee.games.white_castle.options import DICE_LISTS, TakeDie
from referee.games.white_castle.state import BridgeDice, State
from referee.kernel.chance import Chance
from referee.kernel.frames import Frame
from referee.kernel.game import TABLE, Event, Verb

FACES = 6

STREAMS = tuple(tuple(f"dice/{number}/{colour}" for colour in COLOURS) for number in range(ROUNDS + 1))
"""Chance streams of the dice, by round and colour: answers of one round change no later roll (W-14)."""


def lay_out(dice: Sequence[int]) -> BridgeDice:
    """The bridge of rolled dice in ascending order: lowest left, highest right, the others in the centre (W-8.1)."""
    return dice[0], tuple(dice[1:-1]), dice[-1]


def roll(state: State, chance: Chance, events: list[Event]) -> None:
    """Clear all dice and roll those of every bridge for the round that begins (W-8.1, W-12.4)."""
    state.spaces = [()] * len(DIE_SPACES)
    for clan in state.clans:
        clan.dice = [0] * len(COLOURS)
    count = DICE_PER_COLOUR[state.board.seats]
    for colour, stream in enumerate(STREAMS[state.round]):
        dice = sorted([chance.pick(stream, FACES) + 1 for _ in range(count)])
        state.bridges[colour] = lay_out(dice)
        events.append(Event(Verb.ROLLED, TABLE, COLOURS[colour], tuple(dice)))


def take(bridge: BridgeDice, position: int) -> tuple[int, BridgeDice]:
    """The die at a position, and the bridge without the die (W-8.2).

    The nearest centre die slides into an emptied end; with an empty centre the end stays empty. From the centre, which
    only the solo rival takes from (W-16.5), the leftmost die is taken.
    """
    left, centre, right = bridge
    if position == LEFT:
        return left, ((centre[0], centre[1:], right) if centre else (0, (), right))
    if position == CENTRE:
        return centre[0], (left, centre[1:], right)
    return right, ((left, centre[:-1], centre[-1]) if centre else (left, (), 0))


def active(bridge: BridgeDice) -> bool:
    """Whether at least one die is left on a bridge (W-12.3)."""
    return bridge != (0, (), 0)


def _ends(state: State, frame: Frame) -> tuple[TakeDie, ...]:
    """Every occupied end of a bridge (W-8.3)."""
    coral, black, white = state.bridges
    return DICE_LISTS[
        (coral[0] > 0)
        | (coral[2] > 0) << 1
        | (black[0] > 0) << 2
        | (black[2] > 0) << 3
        | (white[0] > 0) << 4
        | (white[2] > 0) << 5
    ]


def _taken(state: State, frame: Frame, option: TakeDie, chance: Chance, events: list[Event]) -> None:
    """`take_die`: the die leaves its bridge and must be placed (W-7.1, W-8.3)."""
    _, colour, end = option
    value, state.bridges[colour] = take(state.bridges[colour], end)
    state.stack.append(("place_die", frame[1], colour, value, end))


DECISIONS = (DecisionRules("take_die", _ends, _taken),)
