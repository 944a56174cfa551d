"""The trick phase of two players: PLAY2, OVERRIDE, PAIR and KEEP (section 6).

The reveal of the deck pair opens the round and lives in `rounds.py`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import combinations
from typing import cast

from referee.games.honshu.components import PLAY as CONSTANTS
from referee.games.honshu.geometry import position
from referee.games.honshu.options import (
    DECK_PAIR,
    DECLINE,
    PAIRS,
    Keep,
    Override,
    Pair,
    Play,
    ask_all,
    ask_one,
    keep_option,
    override_option,
    play_option,
)
from referee.games.honshu.state import KEEP, NO_CUBE, OVERRIDE, PAIR, PLACE, PLAY2, Bid, State
from referee.games.honshu.supply import CUBE, give_back, spend
from referee.kernel.chance import Chance
from referee.kernel.frames import Frame, Handler
from referee.kernel.game import TABLE, Event, Option, Pending, Seat, Verb

TWO = range(2)


def _play2_asks(state: State, frame: Frame) -> tuple[Pending, ...]:
    """Both seats at once (H-6.2)."""
    return ask_all(PLAY2, len(TWO))


def _play2_options(state: State, frame: Frame, seat: Seat) -> Sequence[Option]:
    """Every hand card; cubes cannot be added (H-6.2, H-R9)."""
    return [play_option(card, -1) for card in state.hands[seat]]


def _play2(state: State, frame: Frame, answers: Mapping[Seat, Option], chance: Chance, events: list[Event]) -> None:
    """Reveal both cards; the owner of the higher one leads, the other may override (H-6.2, H-6.3)."""
    for seat in TWO:
        card, _ = cast(Play, answers[seat])
        state.hands[seat] = tuple([other for other in state.hands[seat] if other != card])
        state.trick = (*state.trick, Bid(seat, card, NO_CUBE))
        events.append(Event(Verb.CHOSE, seat, "card", (card,)))
    first, second = state.trick
    state.faceup = tuple(sorted((first.card, second.card)))
    state.order = (0, 1) if first.card > second.card else (1, 0)
    state.stack[-1] = (OVERRIDE,)
    events.append(Event(Verb.ORDER, TABLE, "leader", state.order))


def _override_asks(state: State, frame: Frame) -> tuple[Pending, ...]:
    """The challenger (H-6.4)."""
    return ask_one(OVERRIDE, state.order[1])


def _override_options(state: State, frame: Frame, seat: Seat) -> Sequence[Option]:
    """Decline, or any two cubes (H-6.4, H-4.3)."""
    pairs = combinations(state.cubes[seat], CONSTANTS.override_cubes)
    return [DECLINE, *(override_option(first, second) for first, second in pairs)]


def _override(state: State, frame: Frame, answers: Mapping[Seat, Option], chance: Chance, events: list[Event]) -> None:
    """Pay two cubes to become the chooser, or leave the choice to the leader (H-6.4, H-6.5, H-R10)."""
    leader, challenger = state.order
    answer = cast(Override, answers[challenger])
    events.append(Event(Verb.CHOSE, challenger, "override" if answer.cubes else "no override"))
    for cube in answer.cubes:
        colour = spend(state, challenger, position(*cube))
        give_back(state, colour)
        events.append(Event(Verb.PAID, challenger, CUBE[colour], tuple(cube), 1))
    if answer.cubes:
        state.order = (challenger, leader)
    state.stack[-1] = (PAIR,)


def _pair_asks(state: State, frame: Frame) -> tuple[Pending, ...]:
    """The chooser, who is first in the order from now on (H-6.5, H-6.7)."""
    return ask_one(PAIR, state.order[0])


def _pair_options(state: State, frame: Frame, seat: Seat) -> Sequence[Option]:
    """The deck pair and the hand pair (H-6.5)."""
    return PAIRS


def _pair(state: State, frame: Frame, answers: Mapping[Seat, Option], chance: Chance, events: list[Event]) -> None:
    """The chooser takes one pair, the other player gets the other (H-6.5)."""
    chooser, other = state.order
    answer = cast(Pair, answers[chooser])
    chosen, left = (state.revealed, state.faceup) if answer == DECK_PAIR else (state.faceup, state.revealed)
    state.offers = (chosen, left) if chooser == 0 else (left, chosen)
    state.faceup = state.revealed = ()
    state.trick = ()
    state.stack[-1] = (KEEP,)
    events.append(Event(Verb.CHOSE, chooser, f"{answer.which} pair", chosen))
    events.append(Event(Verb.GAINED, other, "other pair", left))


def _keep_asks(state: State, frame: Frame) -> tuple[Pending, ...]:
    """Both seats at once (H-6.6)."""
    return ask_all(KEEP, len(TWO))


def _keep_options(state: State, frame: Frame, seat: Seat) -> Sequence[Option]:
    """The two cards of the pair (H-6.6)."""
    return [keep_option(card) for card in state.offers[seat]]


def _keep(state: State, frame: Frame, answers: Mapping[Seat, Option], chance: Chance, events: list[Event]) -> None:
    """Each seat keeps one card; the other card is out of the game, face up (H-6.6)."""
    for seat in TWO:
        (card,) = cast(Keep, answers[seat])
        discarded = tuple([other for other in state.offers[seat] if other != card])
        state.taken[seat] = card
        state.discards += discarded
        events.append(Event(Verb.CHOSE, seat, "card to keep", (card,)))
        events.append(Event(Verb.MOVED, seat, "card to the discards", discarded))
    state.offers = ()
    state.stack[-1] = (PLACE,)


HANDLERS = {
    PLAY2: Handler(_play2_asks, _play2_options, _play2),
    OVERRIDE: Handler(_override_asks, _override_options, _override),
    PAIR: Handler(_pair_asks, _pair_options, _pair),
    KEEP: Handler(_keep_asks, _keep_options, _keep),
}
