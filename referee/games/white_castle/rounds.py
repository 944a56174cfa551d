"""The course of the game: draft, turns, the end of a round, the end of the game (W-4.13, W-7.5, W-12, W-13, W-17.1).

The bottom of the stack is always one of four steps that say where the game is: `(draft, next place in the order)`,
`(turns, turns begun)`, `(gardens, next place)` or `(final, next place)`. When the last one is done the stack is empty
and the game over.
"""

from __future__ import annotations

from referee.games.white_castle import bridges, gardens, solo
from referee.games.white_castle.components import (
    DECREE_OF,
    NOTHING,
    ROUNDS,
    SEAL,
    SEALS_PER_RESOURCE,
    START_GAIN,
    TURNS_PER_ROUND,
)
from referee.games.white_castle.flow import Decision, Step
from referee.games.white_castle.options import (
    DONE,
    PAIRS,
    RESOURCE_EXCHANGES,
    Choice,
    Choices,
    below_cap,
)
from referee.games.white_castle.scoring import breakdown
from referee.games.white_castle.state import RIVAL, State
from referee.games.white_castle.time_track import new_order
from referee.kernel.chance import Chance
from referee.kernel.frames import Frame
from referee.kernel.game import TABLE, Event, Verb

# ---- draft


def _draft(state: State, frame: Frame, chance: Chance, events: list[Event]) -> None:
    """Step `(draft, place)`: in reverse turn order; a lone player is dealt his pair (W-4.13, W-16.1)."""
    place = frame[1]
    if state.board.solo and place >= 0:
        state.stack.append(("draft", NOTHING))
        _take_pair(state, solo.HUMAN, 0, events)
    elif place >= 0:
        state.stack.append(("draft", place - 1))
        state.stack.append(("choose_start_pair", state.order[place]))
    else:
        state.gone = tuple(card for pair in state.offer for card in pair if card != NOTHING)
        state.offer = ()
        _begin_round(state, events)


def _pairs(state: State, frame: Frame) -> Choices:
    return tuple(PAIRS[k] for k, pair in enumerate(state.offer) if pair[0] != NOTHING)


def _pair_chosen(state: State, frame: Frame, choice: Choice, chance: Chance, events: list[Event]) -> None:
    """`choose_start_pair` (W-4.13)."""
    _take_pair(state, frame[1], choice.a, events)


def _take_pair(state: State, seat: int, number: int, events: list[Event]) -> None:
    """Action card to the domain, the resource card's gains, then the card to the lantern area (W-4.13)."""
    resource, action = state.offer[number]
    state.offer = tuple((NOTHING, NOTHING) if number == other else pair for other, pair in enumerate(state.offer))
    state.clans[seat].action = action
    state.stack.append(("lay_by", seat, resource))
    state.stack.append(("do", seat, START_GAIN[resource]))


def _lay_by(state: State, frame: Frame, chance: Chance, events: list[Event]) -> None:
    """Step `(lay_by, seat, card)`: the resource card and its decree join the lantern area (W-4.13)."""
    _, seat, resource = frame
    clan = state.clans[seat]
    decree = DECREE_OF[resource]
    clan.lantern = (resource,) if decree == NOTHING else (resource, decree)


# ---- turns


def _begin_round(state: State, events: list[Event]) -> None:
    events.append(Event(Verb.PHASE, TABLE, "round", (state.round,)))
    state.stack.append(("turns", 0))


def _turns(state: State, frame: Frame, chance: Chance, events: list[Event]) -> None:
    """Step `(turns, begun)`: the next turn in order, three times round the table (W-7.5)."""
    begun = frame[1]
    order = state.order
    if begun == TURNS_PER_ROUND * len(order):
        _end_round(state, chance, events)
        return
    clan = order[begun % len(order)]
    state.stack.append(("turns", begun + 1))
    if clan < state.board.seats:
        state.stack.append(("take_die", clan))
    else:
        solo.take_turn(state, events)


def _end_round(state: State, chance: Chance, events: list[Event]) -> None:
    """New order, then the gardens or, after the last round, the end (W-12.1, W-12.2, W-13.1)."""
    new_order(state, events)
    if state.board.solo:
        solo.sell_coins(state, events)
    if state.round < ROUNDS:
        events.append(Event(Verb.PHASE, TABLE, "gardens", (state.round,)))
        state.stack.append(("gardens", 0))
    else:
        if state.board.solo:
            solo.reshuffle(state, chance, events)
        events.append(Event(Verb.PHASE, TABLE, "final exchange"))
        state.stack.append(("final", 0))


def _gardens(state: State, frame: Frame, chance: Chance, events: list[Event]) -> None:
    """Step `(gardens, place)`: each clan's garden step in the new order, then the next round (W-12.3, W-12.4)."""
    place = frame[1]
    if place == len(state.order):
        if state.board.solo:
            solo.reshuffle(state, chance, events)
        state.round += 1
        bridges.roll(state, chance, events)
        _begin_round(state, events)
        return
    state.stack.append(("gardens", place + 1))
    clan = state.order[place]
    if clan < state.board.seats:
        gardens.activate(state, clan)
    else:
        solo.garden_step(state, events)


# ---- the end


def _final(state: State, frame: Frame, chance: Chance, events: list[Event]) -> None:
    """Step `(final, place)`: a last exchange for each player in order, then the score (W-13.2, W-13.3)."""
    place = frame[1]
    order = state.order
    if place == len(order):
        for clan in range(len(order)):
            parts = breakdown(state, clan)
            seat, subject = (clan, "game") if clan < state.board.seats else (TABLE, "rival game")
            events.append(Event(Verb.SCORED, seat, subject, parts, sum(parts)))
        return
    state.stack.append(("final", place + 1))
    if not (state.board.solo and order[place] == RIVAL):
        state.stack.append(("last_seals", order[place]))


def _last_seals(state: State, frame: Frame, chance: Chance, events: list[Event]) -> None:
    """Step `(last_seals, seat)`: asked with two seals or more and a resource that can grow (W-13.2)."""
    goods = state.clans[frame[1]].goods
    if goods[SEAL] >= SEALS_PER_RESOURCE and below_cap(goods):
        state.stack.append(("final_exchange", frame[1]))


def _last_exchanges(state: State, frame: Frame) -> Choices:
    return (*RESOURCE_EXCHANGES[below_cap(state.clans[frame[1]].goods)], DONE)


def _exchanged(state: State, frame: Frame, choice: Choice, chance: Chance, events: list[Event]) -> None:
    """`final_exchange`: done (W-13.2)."""


STEPS: dict[str, Step] = {
    "draft": _draft,
    "lay_by": _lay_by,
    "turns": _turns,
    "gardens": _gardens,
    "final": _final,
    "last_seals": _last_seals,
}
DECISIONS = (
    Decision("choose_start_pair", _pairs, _pair_chosen, exchanges=False),
    Decision("final_exchange", _last_exchanges, _exchanged, exchanges=False, again="last_seals"),
)
