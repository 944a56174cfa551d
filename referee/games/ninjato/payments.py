"""What pays for an envoy or a rumor (N-8.3, N-8.5, N-9.1).

For every demand all payments that satisfy it are worked out at import, each with the most honor that its gold can
bring; what a player can pay is then a matter of comparing counts.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from itertools import product

from referee.games.ninjato.components import ENVOYS, RUMORS, TREASURES, WILD, Counts, Demand
from referee.games.ninjato.counts import NO_TREASURES, fewer, more
from referee.games.ninjato.options import ENVOY_TAKES, RUMOR_TAKES, Pay, TakeEnvoy, TakeRumor, payment


def _plain_payments(demand: Demand) -> Iterator[Counts]:
    """Every way to satisfy a demand without gold; some come more than once."""
    for form in demand.forms:
        for types in product(*(allowed for _, allowed in form)):
            if demand.distinct and len(set(types)) < len(types):
                continue
            paid = list(NO_TREASURES)
            for (size, _), kind in zip(form, types, strict=True):
                paid[kind] += size
            yield tuple(paid)


def _with_gold(plain: Counts) -> set[Counts]:
    """A payment and all that arise when gold stands for some of its tokens (N-8.5)."""
    found = {plain}
    for _ in range(sum(plain)):
        for paid in list(found):
            found |= {more(fewer(paid, kind), WILD) for kind in range(len(paid)) if kind != WILD and paid[kind]}
    return found


def _table(demand: Demand) -> tuple[Pay, ...]:
    best: dict[Counts, int] = {}
    for plain in _plain_payments(demand):
        honor = sum(treasure.honor * count for treasure, count in zip(TREASURES, plain, strict=True))
        for paid in _with_gold(plain):
            best[paid] = max(best.get(paid, 0), honor)
    return tuple(payment("pay", paid, best[paid]) for paid in sorted(best))


_DEMANDS = tuple(dict.fromkeys((*(envoy.demand for envoy in ENVOYS), *(rumor.demand for rumor in RUMORS))))
_TABLES = tuple(_table(demand) for demand in _DEMANDS)
MOST_OF_A_KIND = max(max(option.treasures) for table in _TABLES for option in table)
"""No payment takes more tokens of one type."""

ENVOY_DEMANDS = tuple(_DEMANDS.index(envoy.demand) for envoy in ENVOYS)
RUMOR_DEMANDS = tuple(_DEMANDS.index(rumor.demand) for rumor in RUMORS)
"""The demand of each card, by number."""


@lru_cache(maxsize=1 << 14)
def _capped(treasures: Counts) -> Counts:
    """What matters of a heap of treasures: no more of a kind than can be paid."""
    return tuple(min(count, MOST_OF_A_KIND) for count in treasures)


@lru_cache(maxsize=1 << 16)
def _payments(demand: int, treasures: Counts) -> tuple[Pay, ...]:
    fan, scroll, vase, jade, gold = treasures
    return tuple(
        option
        for option in _TABLES[demand]
        for f, s, v, j, g in (option.treasures,)
        if f <= fan and s <= scroll and v <= vase and j <= jade and g <= gold
    )


@lru_cache(maxsize=1 << 14)
def _payable(treasures: Counts) -> int:
    """The demands that can be paid, as bits."""
    return sum(1 << demand for demand in range(len(_DEMANDS)) if _payments(demand, treasures))


def payments(demand: int, treasures: Counts) -> tuple[Pay, ...]:
    """The legal payments of a demand with some treasures, by their counts; empty if it cannot be paid."""
    return _payments(demand, _capped(treasures))


def payable_envoys(palace: tuple[int, ...], treasures: Counts) -> list[TakeEnvoy]:
    """The displayed envoys whose demand can be paid (N-4.4, N-8.1)."""
    payable = _payable(_capped(treasures))
    return [ENVOY_TAKES[envoy] for envoy in palace if payable >> ENVOY_DEMANDS[envoy] & 1]


def payable_rumors(pavilion: tuple[int, ...], treasures: Counts) -> list[TakeRumor]:
    """The displayed rumors that can be paid for (N-4.4, N-9.1)."""
    payable = _payable(_capped(treasures))
    return [RUMOR_TAKES[rumor] for rumor in pavilion if payable >> RUMOR_DEMANDS[rumor] & 1]
