"""The passage-of-time track: influence steps, gates, stacks and the turn order they make (W-11, W-12.1)."""

from __future__ import annotations

from referee.games.white_castle.components import GATE_COST, LAST_SPACE, MOST_SEATS, SEAL
from referee.games.white_castle.flow import Continuation, DecisionRules, pay
from referee.games.white_castle.options import PAY, STOP, Word
from referee.games.white_castle.state import State
from referee.kernel.chance import Chance
from referee.kernel.frames import Frame
from referee.kernel.game import TABLE, Event, Verb

_MOVED = tuple(
    tuple(Event(Verb.MOVED, seat, "time", (space,)) for space in range(LAST_SPACE + 1)) for seat in range(MOST_SEATS)
)
_RIVAL_MOVED = tuple(Event(Verb.MOVED, TABLE, "rival time", (space,)) for space in range(LAST_SPACE + 1))


def arrive(state: State, clan: int, space: int, events: list[Event]) -> None:
    """Put a clan's marker on top of the stack of the space that it has reached (W-11.3).

    A move that pauses at a gate arrives twice; the order is the same as with one arrival at the end, because leaving a
    stack never reorders the other markers.
    """
    state.clans[clan].space = space
    track = state.track
    track.remove(clan)
    at = 0
    for other in track:
        if state.clans[other].space <= space:
            break
        at += 1
    track.insert(at, clan)
    events.append(_MOVED[clan][space] if clan < state.board.seats else _RIVAL_MOVED[space])


def gate_ahead(space: int, steps: int) -> bool:
    """Whether so many steps would enter a gated space (W-6.2)."""
    return any(GATE_COST[space + 1 : space + 1 + steps])


def advance(state: State, seat: int, steps: int, events: list[Event]) -> None:
    """Move a clan step by step; at a gate it stops for want of seals, or the seat is asked (W-11.2, W-11.4, W-R9)."""
    clan = state.clans[seat]
    space = clan.space
    while steps and space < LAST_SPACE:
        cost = GATE_COST[space + 1]
        if cost:
            if clan.goods[SEAL] >= cost:
                state.stack.append(("pay_gate", seat, steps))
            break
        space += 1
        steps -= 1
    if space != clan.space:
        arrive(state, seat, space, events)


def _influence(state: State, frame: Frame, chance: Chance, events: list[Event]) -> None:
    """`(influence, seat, steps)`: the steps of a move that are left (W-11.2)."""
    _, seat, steps = frame
    advance(state, seat, steps, events)


def _pay_or_stop(state: State, frame: Frame) -> tuple[Word, ...]:
    return (PAY, STOP)


def _at_gate(state: State, frame: Frame, option: Word, chance: Chance, events: list[Event]) -> None:
    """`pay_gate`: pay the gate's seals, enter and go on, or stop before it (W-11.2)."""
    _, seat, steps = frame
    if option == PAY:
        space = state.clans[seat].space + 1
        pay(state, seat, SEAL, GATE_COST[space], events)
        arrive(state, seat, space, events)
        advance(state, seat, steps - 1, events)


def new_order(state: State, events: list[Event]) -> None:
    """Set the turn order of the next round: highest space first, top of a stack first (W-12.1, W-R11)."""
    state.order = tuple(state.track)
    seats = state.board.seats
    events.append(Event(Verb.ORDER, TABLE, "turn", tuple(clan if clan < seats else "rival" for clan in state.order)))


CONTINUATIONS: dict[str, Continuation] = {"influence": _influence}
DECISIONS = (DecisionRules("pay_gate", _pay_or_stop, _at_gate, again="influence"),)
