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
from referee.games.white_castle.flow import GAINED, Decision, Step
from referee.games.white_castle.options import (
    CONTINUE,
    RESOURCE_LISTS,
    SEAL_ORDER,
    Choice,
    Choices,
    below_cap,
    exchanges,
)
from referee.games.white_castle.state import State
from referee.games.white_castle.time_track import advance, gate_ahead
from referee.kernel.chance import Chance
from referee.kernel.frames import Frame
from referee.kernel.game import Event


def receive(state: State, seat: int, effect: Effect, events: list[Event]) -> None:
    """Resolve one batch (W-6.1): fixed goods, then seals and influence, then free-choice resources.

    `lantern` stands for the back of every card in the owner's lantern area (W-5.4), `well` for one seal and the two
    well tiles (W-5.5); they are expanded into the same batch.
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
    """Add seals; what exceeds the limit is lost (W-3.2)."""
    goods = state.clans[seat].goods
    gained = min(seals, SEAL_MAX - goods[SEAL])
    if gained:
        goods[SEAL] += gained
        events.append(GAINED[seat][SEAL][gained])


def _seals(state: State, frame: Frame, chance: Chance, events: list[Event]) -> None:
    """Step `(seals, seat, n)`: gain them, after a `seal_window` if they do not fit (W-6.5)."""
    _, seat, seals = frame
    if state.clans[seat].goods[SEAL] + seals > SEAL_MAX:
        state.stack.append(("seal_window", seat, seals))
    else:
        _gain_seals(state, seat, seals, events)


def _window_options(state: State, frame: Frame) -> Choices:
    return (*exchanges(state.clans[frame[1]].goods), CONTINUE)


def _window_closed(state: State, frame: Frame, choice: Choice, chance: Chance, events: list[Event]) -> None:
    """`continue` in the seal window: gain what fits (W-6.5)."""
    _, seat, seals = frame
    _gain_seals(state, seat, seals, events)


def _order_options(state: State, frame: Frame) -> Choices:
    return SEAL_ORDER


def _order_chosen(state: State, frame: Frame, choice: Choice, chance: Chance, events: list[Event]) -> None:
    """`seal_order`: seals before or after the influence that meets a gate (W-6.2)."""
    _, seat, seals, steps = frame
    first, second = ("seals", seat, seals), ("influence", seat, steps)
    state.stack += (second, first) if choice.verb == "seals" else (first, second)


def _units(state: State, frame: Frame, chance: Chance, events: list[Event]) -> None:
    """Step `(units, seat, n)`: free-choice resources, lost when nothing can grow (W-6.3)."""
    _, seat, units = frame
    if below_cap(state.clans[seat].goods):
        state.stack.append(("choose_resource", seat, units))


def _unit_options(state: State, frame: Frame) -> Choices:
    return RESOURCE_LISTS[below_cap(state.clans[frame[1]].goods)]


def _unit_chosen(state: State, frame: Frame, choice: Choice, chance: Chance, events: list[Event]) -> None:
    """`choose_resource`: one unit at a time (W-6.3)."""
    _, seat, units = frame
    state.clans[seat].goods[choice.a] += 1
    events.append(GAINED[seat][choice.a][1])
    if units > 1:
        state.stack.append(("units", seat, units - 1))


STEPS: dict[str, Step] = {"seals": _seals, "units": _units}
DECISIONS = (
    Decision("seal_window", _window_options, _window_closed, exchanges=False, again="seals"),
    Decision("seal_order", _order_options, _order_chosen),
    Decision("choose_resource", _unit_options, _unit_chosen, again="units"),
)
