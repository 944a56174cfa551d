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


_DEMANDS = (*(envoy.demand for envoy in ENVOYS), *(rumor.demand for rumor in RUMORS))
_TABLES = {demand: _table(demand) for demand in dict.fromkeys(_DEMANDS)}
MOST_OF_A_KIND = max(max(option.treasures) for table in _TABLES.values() for option in table)
"""No payment takes more tokens of one type."""


def _capped(treasures: Counts) -> Counts:
    """What matters of a heap of treasures: no more of a kind than can be paid."""
    return tuple([count if count < MOST_OF_A_KIND else MOST_OF_A_KIND for count in treasures])


@lru_cache(maxsize=1 << 16)
def _payments(demand: Demand, treasures: Counts) -> tuple[Pay, ...]:
    fan, scroll, vase, jade, gold = treasures
    return tuple(
        option
        for option in _TABLES[demand]
        for f, s, v, j, g in (option.treasures,)
        if f <= fan and s <= scroll and v <= vase and j <= jade and g <= gold
    )


def payments(demand: Demand, treasures: Counts) -> tuple[Pay, ...]:
    """The legal payments of a demand with some treasures, by their counts; empty if it cannot be paid."""
    return _payments(demand, _capped(treasures))


@lru_cache(maxsize=1 << 16)
def _envoys(palace: tuple[int, ...], treasures: Counts) -> tuple[TakeEnvoy, ...]:
    return tuple(ENVOY_TAKES[envoy] for envoy in palace if _payments(ENVOYS[envoy].demand, treasures))


@lru_cache(maxsize=1 << 16)
def _rumors(pavilion: tuple[int, ...], treasures: Counts) -> tuple[TakeRumor, ...]:
    return tuple(RUMOR_TAKES[rumor] for rumor in pavilion if _payments(RUMORS[rumor].demand, treasures))


def payable_envoys(palace: tuple[int, ...], treasures: Counts) -> tuple[TakeEnvoy, ...]:
    """The displayed envoys whose demand can be paid (N-4.4, N-8.1)."""
    return _envoys(palace, _capped(treasures))


def payable_rumors(pavilion: tuple[int, ...], treasures: Counts) -> tuple[TakeRumor, ...]:
    """The displayed rumors that can be paid for (N-4.4, N-9.1)."""
    return _rumors(pavilion, _capped(treasures))
