"""The Palace and the Pavilion: the displays, what envoys and rumors cost, and paying for them (N-8, N-9).

For every demand all payments that satisfy it are worked out at import, each with the most honor that its gold can
bring. Which payments a seat can make is then a comparison of counts.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from itertools import product

from referee.games.ninjato import events as say
from referee.games.ninjato.components import (
    ENVOYS,
    PALACE_SIZE,
    PAVILION_SIZE,
    RUMORS,
    TREASURES,
    WILD,
    Counts,
    Demand,
)
from referee.games.ninjato.counts import NO_TREASURES, fewer, minus, more, plus
from referee.games.ninjato.options import ENVOY_TAKES, RUMOR_TAKES, Pay, TakeEnvoy, TakeRumor, payment
from referee.games.ninjato.state import State
from referee.kernel.chance import Chance
from referee.kernel.frames import Frame
from referee.kernel.game import Event, Seat


def _plain_payments(demand: Demand) -> Iterator[Counts]:
    """Every payment without gold that satisfies a demand (N-8.3, N-R20); some come more than once."""
    for form in demand.forms:
        for types in product(*(allowed for _, allowed in form)):
            if demand.distinct and len(set(types)) < len(types):
                continue
            paid = list(NO_TREASURES)
            for (size, _), kind in zip(form, types, strict=True):
                paid[kind] += size
            yield tuple(paid)


def _with_gold(plain: Counts) -> set[Counts]:
    """A payment and all those in which gold stands for some of its tokens (N-8.5)."""
    found = {plain}
    for _ in range(sum(plain)):
        for paid in list(found):
            found |= {more(fewer(paid, kind), WILD) for kind in range(len(paid)) if kind != WILD and paid[kind]}
    return found


def _all_payments(demand: Demand) -> tuple[Pay, ...]:
    """Every payment of a demand by its counts, with the most honor among the meanings of its gold (N-8.5, N-R14)."""
    best: dict[Counts, int] = {}
    for plain in _plain_payments(demand):
        honor = sum(treasure.honor * count for treasure, count in zip(TREASURES, plain, strict=True))
        for paid in _with_gold(plain):
            best[paid] = max(best.get(paid, 0), honor)
    return tuple(payment("pay", paid, best[paid]) for paid in sorted(best))


_DEMANDS = tuple(dict.fromkeys((*(envoy.demand for envoy in ENVOYS), *(rumor.demand for rumor in RUMORS))))
_PAYMENTS = tuple(_all_payments(demand) for demand in _DEMANDS)
_MOST_OF_A_KIND = max(max(option.treasures) for options in _PAYMENTS for option in options)
"""Largest number of treasures of one type in any payment."""

ENVOY_DEMANDS = tuple(_DEMANDS.index(envoy.demand) for envoy in ENVOYS)
"""The number of each envoy's demand, for `payments`."""
RUMOR_DEMANDS = tuple(_DEMANDS.index(rumor.demand) for rumor in RUMORS)
"""The number of each rumor's demand, for `payments`."""


@lru_cache(maxsize=1 << 14)
def _capped(treasures: Counts) -> Counts:
    """Treasures without those of a type that are too many for any payment: fewer different arguments for caches."""
    return tuple(min(count, _MOST_OF_A_KIND) for count in treasures)


@lru_cache(maxsize=1 << 16)
def _payments(demand: int, treasures: Counts) -> tuple[Pay, ...]:
    fan, scroll, vase, jade, gold = treasures
    return tuple(
        option
        for option in _PAYMENTS[demand]
        for f, s, v, j, g in (option.treasures,)
        if f <= fan and s <= scroll and v <= vase and j <= jade and g <= gold
    )


@lru_cache(maxsize=1 << 14)
def _payable(treasures: Counts) -> int:
    """The demands that can be paid with some treasures, as bits."""
    return sum(1 << demand for demand in range(len(_DEMANDS)) if _payments(demand, treasures))


def payments(demand: int, treasures: Counts) -> tuple[Pay, ...]:
    """The legal payments of a demand with some treasures, by their counts; empty if there is none (N-8.3, N-9.1)."""
    return _payments(demand, _capped(treasures))


def payable_envoys(palace: tuple[int, ...], treasures: Counts) -> list[TakeEnvoy]:
    """The displayed envoys whose demand can be paid, by number (N-4.4, N-8.1)."""
    payable = _payable(_capped(treasures))
    return [ENVOY_TAKES[envoy] for envoy in palace if payable >> ENVOY_DEMANDS[envoy] & 1]


def payable_rumors(pavilion: tuple[int, ...], treasures: Counts) -> list[TakeRumor]:
    """The displayed rumors whose price can be paid, by number (N-4.4, N-9.1)."""
    payable = _payable(_capped(treasures))
    return [RUMOR_TAKES[rumor] for rumor in pavilion if payable >> RUMOR_DEMANDS[rumor] & 1]


def fill_palace(state: State, events: list[Event]) -> None:
    """Display envoys up to four, fewer if the deck runs out (N-3.6, N-8.4, N-10.6, N-13.5)."""
    count = PALACE_SIZE - len(state.palace)
    envoys, state.envoy_deck = state.envoy_deck[:count], state.envoy_deck[count:]
    if envoys:
        state.palace = tuple(sorted((*state.palace, *envoys)))
        events.append(say.displayed("envoy", tuple(sorted(envoys))))


def fill_pavilion(state: State, events: list[Event]) -> None:
    """Display rumors up to four, fewer if the deck runs out (N-3.6, N-9.3, N-10.6, N-11.8, N-13.5)."""
    count = PAVILION_SIZE - len(state.pavilion)
    rumors, state.rumor_deck = state.rumor_deck[:count], state.rumor_deck[count:]
    if rumors:
        state.pavilion = tuple(sorted((*state.pavilion, *rumors)))
        events.append(say.displayed("rumor", tuple(sorted(rumors))))


def envoy_options(state: State, frame: Frame, seat: Seat) -> list[TakeEnvoy]:
    """The displayed envoys that the seat can pay for (N-8.1); none: the Palace is closed (N-4.4)."""
    return payable_envoys(state.palace, state.treasures[seat])


def rumor_options(state: State, frame: Frame, seat: Seat) -> list[TakeRumor]:
    """The displayed rumors that the seat can pay for (N-9.1); none: the Pavilion is closed (N-4.4)."""
    return payable_rumors(state.pavilion, state.treasures[seat])


def choose(state: State, frame: Frame, option: TakeEnvoy | TakeRumor, chance: Chance, events: list[Event]) -> None:
    """Choose an envoy or a rumor and ask for the payment (N-8.1, N-9.1)."""
    seat = frame[1]
    sort, card = ("envoy", option.envoy) if isinstance(option, TakeEnvoy) else ("rumor", option.rumor)
    events.append(say.chose_card(seat, sort, card))
    state.stack[-1] = ("pay", seat, sort, card)


def pay_options(state: State, frame: Frame, seat: Seat) -> tuple[Pay, ...]:
    """The payments that satisfy the demand, by their counts (N-8.1, N-9.1)."""
    _, _, sort, card = frame
    demands = ENVOY_DEMANDS if sort == "envoy" else RUMOR_DEMANDS
    return payments(demands[card], state.treasures[seat])


def pay(state: State, frame: Frame, option: Pay, chance: Chance, events: list[Event]) -> None:
    """Spend the treasures, score their honor and take the card (N-8.2, N-9.1); no other is displayed yet (N-8.4)."""
    _, seat, sort, card = frame
    _, paid, honor = option
    state.treasures[seat] = minus(state.treasures[seat], paid)
    state.treasure_discard = plus(state.treasure_discard, paid)
    state.honor[seat] += honor
    events.append(say.paid_treasures(seat, paid))
    events.append(say.scored(seat, sort, honor))
    events.append(say.gained_card(seat, sort, card))
    if sort == "envoy":
        state.envoys[seat] = (*state.envoys[seat], card)
        state.palace = tuple([envoy for envoy in state.palace if envoy != card])
    else:
        take_rumor(state, seat, card)
    state.stack.clear()


def take_rumor(state: State, seat: Seat, rumor: int) -> None:
    """Move a rumor from the Pavilion to a seat, face down, but seen by all (N-9.2)."""
    state.rumors[seat] = (*state.rumors[seat], rumor)
    state.pavilion = tuple([other for other in state.pavilion if other != rumor])
