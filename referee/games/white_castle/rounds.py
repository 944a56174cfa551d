"""The course of the game: draft, turns, the end of a round, the end of the game (W-4.13, W-7.5, W-12, W-13, W-17.1).

The bottom of the stack is one of four continuations that say where the game is: `(draft, next place in the order)`,
`(turns, turns begun)`, `(gardens, next place)` or `(final, next place)`. After the last one the stack is empty and the
game over. `CONTINUATIONS` joins the continuations of all chapters.
"""

from __future__ import annotations

from referee.games.white_castle import (
    batches,
    bridges,
    castle,
    domain,
    effects,
    gardens,
    placing,
    solo,
    time_track,
)
from referee.games.white_castle.components import (
    DECREE_OF,
    NOTHING,
    ROUNDS,
    SEAL,
    SEALS_PER_RESOURCE,
    START_GAIN,
    TURNS_PER_ROUND,
)
from referee.games.white_castle.flow import Continuation, DecisionRules
from referee.games.white_castle.options import (
    DONE,
    PAIRS,
    RESOURCE_EXCHANGES,
    ChoosePair,
    Exchange,
    Word,
    below_cap,
)
from referee.games.white_castle.scoring import breakdown
from referee.games.white_castle.state import RIVAL, State
from referee.kernel.chance import Chance
from referee.kernel.frames import Frame
from referee.kernel.game import TABLE, Event, Verb

# ---- draft


def _draft(state: State, frame: Frame, chance: Chance, events: list[Event]) -> None:
    """`(draft, place)`: ask in reverse turn order; in a solo game the pair is dealt (W-4.13, W-16.1)."""
    place = frame[1]
    if state.board.solo and place >= 0:
        state.stack.append(("draft", NOTHING))
        _take_pair(state, solo.HUMAN, 0)
    elif place >= 0:
        state.stack.append(("draft", place - 1))
        state.stack.append(("choose_start_pair", state.order[place]))
    else:
        state.gone = tuple(card for pair in state.offer for card in pair if card != NOTHING)
        state.offer = ()
        _begin_round(state, events)


def _pairs(state: State, frame: Frame) -> tuple[ChoosePair, ...]:
    return tuple(PAIRS[k] for k, pair in enumerate(state.offer) if pair[0] != NOTHING)


def _pair_chosen(state: State, frame: Frame, option: ChoosePair, chance: Chance, events: list[Event]) -> None:
    """`choose_start_pair`: take a pair of the offer (W-4.13)."""
    _take_pair(state, frame[1], option.pair)


def _take_pair(state: State, seat: int, number: int) -> None:
    """Put the action card on the domain; the resource card's gains and its way to the lantern area follow (W-4.13)."""
    resource, action = state.offer[number]
    state.offer = tuple((NOTHING, NOTHING) if number == other else pair for other, pair in enumerate(state.offer))
    state.clans[seat].action = action
    state.stack.append(("lay_by", seat, resource))
    state.stack.append(("do", seat, START_GAIN[resource]))


def _lay_by(state: State, frame: Frame, chance: Chance, events: list[Event]) -> None:
    """`(lay_by, seat, card)`: the resource card and its decree join the lantern area (W-4.13)."""
    _, seat, resource = frame
    clan = state.clans[seat]
    decree = DECREE_OF[resource]
    clan.lantern = (resource,) if decree == NOTHING else (resource, decree)


# ---- turns


def _begin_round(state: State, events: list[Event]) -> None:
    events.append(Event(Verb.PHASE, TABLE, "round", (state.round,)))
    state.stack.append(("turns", 0))


def _turns(state: State, frame: Frame, chance: Chance, events: list[Event]) -> None:
    """`(turns, begun)`: begin the next turn; the turn order is passed through three times a round (W-7.5)."""
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
    """Set the new order, then begin the gardens or, after the last round, the end (W-12.1, W-12.2, W-13.1)."""
    time_track.new_order(state, events)
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
    """`(gardens, place)`: each clan's garden step in the new order, then the next round (W-12.3, W-12.4)."""
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
    """`(final, place)`: a last exchange for each seat in order, then the score (W-13.2, W-13.3)."""
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
    """`(last_seals, seat)`: ask if the clan has two seals or more and a resource below its cap (W-13.2)."""
    goods = state.clans[frame[1]].goods
    if goods[SEAL] >= SEALS_PER_RESOURCE and below_cap(goods):
        state.stack.append(("final_exchange", frame[1]))


def _last_exchanges(state: State, frame: Frame) -> tuple[Exchange | Word, ...]:
    return (*RESOURCE_EXCHANGES[below_cap(state.clans[frame[1]].goods)], DONE)


def _exchanged(state: State, frame: Frame, option: Exchange | Word, chance: Chance, events: list[Event]) -> None:
    """`final_exchange`, `done`: the frame is gone, and no more follows (W-13.2)."""


CONTINUATIONS: dict[str, Continuation] = {
    "draft": _draft,
    "lay_by": _lay_by,
    "turns": _turns,
    "gardens": _gardens,
    "final": _final,
    "last_seals": _last_seals,
    **placing.CONTINUATIONS,
    **effects.CONTINUATIONS,
    **batches.CONTINUATIONS,
    **time_track.CONTINUATIONS,
    **castle.CONTINUATIONS,
    **domain.CONTINUATIONS,
    **solo.CONTINUATIONS,
}
"""The continuations of all chapters, by kind of frame (W-17.2)."""
DECISIONS = (
    DecisionRules("choose_start_pair", _pairs, _pair_chosen, exchanges=False),
    DecisionRules("final_exchange", _last_exchanges, _exchanged, exchanges=False, again="last_seals"),
)
