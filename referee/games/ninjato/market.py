"""The Palace and the Pavilion: treasures for envoys and rumors (N-8, N-9)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import cast

from referee.games.ninjato import displays
from referee.games.ninjato import events as say
from referee.games.ninjato.counts import minus, plus
from referee.games.ninjato.options import Pay, TakeEnvoy, TakeRumor
from referee.games.ninjato.payments import ENVOY_DEMANDS, RUMOR_DEMANDS, payable_envoys, payable_rumors, payments
from referee.games.ninjato.state import State
from referee.games.ninjato.turns import end_turn
from referee.kernel.chance import Chance
from referee.kernel.frames import Frame
from referee.kernel.game import Event, Option, Seat


def begin_palace(state: State, seat: Seat) -> None:
    """An envoy is chosen (N-8.1)."""
    state.stack[-1] = ("envoy_take", seat)


def begin_pavilion(state: State, seat: Seat) -> None:
    """A rumor is chosen (N-9.1)."""
    state.stack[-1] = ("rumor_take", seat)


def envoy_options(state: State, frame: Frame, seat: Seat) -> list[TakeEnvoy]:
    """The displayed envoys whose demand can be paid, by number (N-8.1)."""
    return payable_envoys(state.palace, state.treasures[seat])


def take_envoy(state: State, frame: Frame, answers: Mapping[Seat, Option], chance: Chance, events: list[Event]) -> None:
    """Choose an envoy; the payment follows (N-8.1)."""
    seat = frame[1]
    envoy = cast(TakeEnvoy, answers[seat]).envoy
    events.append(say.chose_card(seat, "envoy", envoy))
    state.stack[-1] = ("pay", seat, "envoy", envoy)


def rumor_options(state: State, frame: Frame, seat: Seat) -> list[TakeRumor]:
    """The displayed rumors that can be paid for, by number (N-9.1)."""
    return payable_rumors(state.pavilion, state.treasures[seat])


def take_rumor(state: State, frame: Frame, answers: Mapping[Seat, Option], chance: Chance, events: list[Event]) -> None:
    """Choose a rumor; the payment follows (N-9.1)."""
    seat = frame[1]
    rumor = cast(TakeRumor, answers[seat]).rumor
    events.append(say.chose_card(seat, "rumor", rumor))
    state.stack[-1] = ("pay", seat, "rumor", rumor)


def pay_options(state: State, frame: Frame, seat: Seat) -> tuple[Pay, ...]:
    """The payments that satisfy the demand, by their counts (N-8.1, N-9.1)."""
    _, _, sort, card = frame
    demands = ENVOY_DEMANDS if sort == "envoy" else RUMOR_DEMANDS
    return payments(demands[card], state.treasures[seat])


def pay(state: State, frame: Frame, answers: Mapping[Seat, Option], chance: Chance, events: list[Event]) -> None:
    """Spend the treasures, score their honor, take the card (N-8.2, N-9.1); the display shrinks (N-8.4)."""
    _, seat, sort, card = frame
    _, paid, honor = cast(Pay, answers[seat])
    state.treasures[seat] = minus(state.treasures[seat], paid)
    state.treasure_discard = plus(state.treasure_discard, paid)
    state.honor[seat] += honor
    events.append(say.paid_treasures(seat, paid))
    events.append(say.scored(seat, sort, honor))
    events.append(say.gained_card(seat, sort, card))
    if sort == "envoy":
        displays.take_envoy(state, seat, card)
    else:
        displays.take_rumor(state, seat, card)
    end_turn(state, chance, events)
