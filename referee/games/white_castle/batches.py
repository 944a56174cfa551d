"""Instant effects: all icons of one source as one batch, and the few decisions inside a batch (W-5.3 to W-5.5, W-6)."""

from __future__ import annotations

from referee.games.white_castle.components import (
    INFLUENCE,
    LANTERN,
    PEARL,
    RESOURCE_MAX,
    SEAL,
    SEAL_MAX,
    Effect,
)
from referee.games.white_castle.flow import GAINED, Continuation, DecisionRules
from referee.games.white_castle.options import (
    CONTINUE,
    INFLUENCE_FIRST,
    RESOURCE_LISTS,
    SEALS_FIRST,
    ChooseResource,
    Exchange,
    Word,
    below_cap,
    exchanges,
)
from referee.games.white_castle.state import State
from referee.games.white_castle.time_track import advance, gate_ahead
from referee.kernel.chance import Chance
from referee.kernel.frames import Frame
from referee.kernel.game import Event


def receive(state: State, seat: int, effect: Effect, events: list[Event]) -> None:
    """Resolve one batch in full (W-6.1, W-R5): fixed goods, then seals and influence, then free-choice resources.

    `lantern` stands for the backs of all cards in the owner's lantern area (W-5.4), `well` for one seal and the two
    well tiles (W-5.5); both are expanded into the same batch.
    """
    clan = state.clans[seat]
    goods = clan.goods
    items = effect.gains
    if effect.lanterns:
        items += tuple([LANTERN[card] for card in clan.lantern])
    if effect.wells:
        items += state.board.well
    gained = GAINED[seat]
    seals = steps = units = 0
    for good, amount in items:
        if good < SEAL:
            if good <= PEARL:
                room = RESOURCE_MAX - goods[good]
                if amount > room:
                    amount = room
                    if not amount:
                        continue
            goods[good] += amount
            events.append(gained[good][amount])
        elif good == SEAL:
            seals += amount
        elif good == INFLUENCE:
            steps += amount
        else:
            units += amount
    if units:
        state.stack.append(("units", seat, units))
    if seals:
        if steps and gate_ahead(clan.space, steps):
            state.stack.append(("seal_order", seat, seals, steps))
            return
        if goods[SEAL] + seals > SEAL_MAX:
            if steps:
                state.stack.append(("influence", seat, steps))
            state.stack.append(("seal_window", seat, seals))
            return
        _gain_seals(state, seat, seals, events)
    if steps:
        advance(state, seat, steps, events)


def _gain_seals(state: State, seat: int, seals: int, events: list[Event]) -> None:
    """Add seals to a clan; those above the limit are lost (W-3.2)."""
    goods = state.clans[seat].goods
    gained = min(seals, SEAL_MAX - goods[SEAL])
    if gained:
        goods[SEAL] += gained
        events.append(GAINED[seat][SEAL][gained])


def _seals(state: State, frame: Frame, chance: Chance, events: list[Event]) -> None:
    """`(seals, seat, n)`: gain n seals, after a `seal_window` if they do not fit (W-6.5)."""
    _, seat, seals = frame
    if state.clans[seat].goods[SEAL] + seals > SEAL_MAX:
        state.stack.append(("seal_window", seat, seals))
    else:
        _gain_seals(state, seat, seals, events)


def _window_options(state: State, frame: Frame) -> tuple[Exchange | Word, ...]:
    return (*exchanges(state.clans[frame[1]].goods), CONTINUE)


def _window_closed(state: State, frame: Frame, option: Exchange | Word, chance: Chance, events: list[Event]) -> None:
    """`seal_window`, `continue`: gain the seals that fit (W-6.5)."""
    _, seat, seals = frame
    _gain_seals(state, seat, seals, events)


def _order_options(state: State, frame: Frame) -> tuple[Word, ...]:
    return (SEALS_FIRST, INFLUENCE_FIRST)


def _order_chosen(state: State, frame: Frame, option: Word, chance: Chance, events: list[Event]) -> None:
    """`seal_order`: seals before or after the influence that meets a gate (W-6.2, W-R6)."""
    _, seat, seals, steps = frame
    first, second = ("seals", seat, seals), ("influence", seat, steps)
    state.stack += (second, first) if option == SEALS_FIRST else (first, second)


def _units(state: State, frame: Frame, chance: Chance, events: list[Event]) -> None:
    """`(units, seat, n)`: n free-choice resources, lost when all three are at their cap (W-6.3)."""
    _, seat, units = frame
    if below_cap(state.clans[seat].goods):
        state.stack.append(("choose_resource", seat, units))


def _unit_options(state: State, frame: Frame) -> tuple[ChooseResource, ...]:
    return RESOURCE_LISTS[below_cap(state.clans[frame[1]].goods)]


def _unit_chosen(state: State, frame: Frame, option: ChooseResource, chance: Chance, events: list[Event]) -> None:
    """`choose_resource`: one unit at a time (W-6.3)."""
    _, seat, units = frame
    state.clans[seat].goods[option.good] += 1
    events.append(GAINED[seat][option.good][1])
    if units > 1:
        state.stack.append(("units", seat, units - 1))


CONTINUATIONS: dict[str, Continuation] = {"seals": _seals, "units": _units}
DECISIONS = (
    DecisionRules("seal_window", _window_options, _window_closed, exchanges=False, again="seals"),
    DecisionRules("seal_order", _order_options, _order_chosen),
    DecisionRules("choose_resource", _unit_options, _unit_chosen, again="units"),
)
