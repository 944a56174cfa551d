"""The honor that each seat of Ninjato can expect at the end of the game, from the state after a turn.

The prices change from round to round. They were fitted to 3000 games of two greedy bots that sometimes placed at
random: how much the lead of one seat in each thing adds to the final difference. In early rounds envoys and skills are
worth much more than they bring at once, and a clear lead in a clan is worth more than its next reward.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import tanh
from typing import NamedTuple

from bots.bundled.greedy.ninjato.worth import USE, clan_honor, power
from referee.games.ninjato.components import (
    CLANS,
    ELITES,
    ENVOYS,
    FOES_HONOR,
    HENSOJUTSU,
    RUMOR_COUNTS_WHAT,
    RUMORS,
    SHURIKEN,
    SKILLS,
    TREASURES,
    WILD,
    Counts,
)
from referee.games.ninjato.scoring import multiplier
from referee.games.ninjato.state import State
from referee.kernel.game import Seat


class Prices(NamedTuple):
    """The worth of each thing in one round, in honor at the end of the game unless said otherwise."""

    lead: float
    """Worth in the search's unit (log odds) of a point of honor ahead."""
    treasure: float
    """Worth of any treasure, in addition to a share of its honor."""
    power: float
    """Worth of a unit of power in hand."""
    skill: float
    """Worth of a skill tile, for each honor of its use in a round."""
    mask: float
    """Worth of a tile of Hensojutsu."""
    envoy: float
    """Worth of any envoy."""
    clan: float
    """Worth of the first envoy of a clan."""
    influence: float
    """Worth of the clear lead in a clan, in addition to a share of the honor on its houses."""
    rumor: float
    """Worth of any rumor."""
    bonus: float
    """Share of the honor that the rumors would bring now."""
    turn: float
    """Worth of a placement still to come in this round."""


PRICES = (
    Prices(0.045, 4.9, 2.65, 16.5, 5.0, 7.0, 0.0, 19.0, 3.6, 0.5, 9.7),
    Prices(0.055, 4.0, 2.5, 14.0, 5.0, 5.5, 0.0, 18.0, 4.6, 0.5, 9.2),
    Prices(0.07, 3.2, 2.3, 11.0, 5.0, 4.5, 0.5, 16.0, 5.1, 0.5, 8.5),
    Prices(0.08, 2.3, 2.0, 8.3, 5.0, 1.2, 1.8, 12.5, 5.7, 0.55, 7.5),
    Prices(0.095, 1.75, 1.7, 5.0, 13.3, 1.0, 3.0, 10.5, 4.5, 0.6, 6.5),
    Prices(0.14, 1.4, 1.4, 2.5, 4.5, 0.0, 1.8, 6.0, 2.4, 0.8, 5.3),
    Prices(0.165, 1.0, 1.1, 1.3, 4.8, 0.0, 2.7, 4.4, 1.25, 0.9, 4.2),
)
"""The prices of each round."""
SPENT = 0.75
"""Share of a treasure's honor that the treasure will bring."""
TROPHY = 1.4
"""Worth of a point of honor on a beaten elite guard."""
PEOPLE = 2.2
"""Honor that each factor of a rumor that counts rumors will bring, in addition to its present honor."""
SHOWN = 0.6
"""Share of the honor on a clan's houses that a clear lead in the clan brings."""
CLEAR = 1.5
"""Envoys ahead that make a lead almost clear."""
OLDER = 0.3
"""Envoys that the oldest envoy counts for, because it breaks ties."""

HONORS = tuple(max(each.honor for each in TREASURES) + 1 if at == WILD else t.honor for at, t in enumerate(TREASURES))
"""Honor that a treasure of each type scores; gold scores one more than the best other type."""
USES = tuple(0.0 if skill in HENSOJUTSU else USE[tile.effect] for skill, tile in enumerate(SKILLS))


def standings(state: State) -> list[float]:
    """The standing of each seat, in log odds."""
    if not state.stack:
        return [PRICES[-1].lead * honor for honor in state.honor]
    prices = PRICES[state.round - 1]
    leads = _leads(state, prices)
    return [prices.lead * (_promise(state, seat, prices) + lead) for seat, lead in enumerate(leads)]


def _promise(state: State, seat: Seat, prices: Prices) -> float:
    """The honor of a seat, and what the seat can expect of everything that it owns."""
    treasures = state.treasures[seat]
    worth = state.honor[seat] + prices.power * power(state.hands[seat])
    worth += prices.treasure * sum(treasures) + SPENT * sum([h * n for h, n in zip(HONORS, treasures, strict=True)])
    worth += TROPHY * sum([ELITES[elite].honor for elite in state.trophies[seat]])
    worth += prices.envoy * len(state.envoys[seat])
    if state.rumors[seat]:
        worth += _rumors(state, seat, prices)
    tiles = state.ready[seat], state.used[seat]
    if any(tiles[0]) or any(tiles[1]):
        worth += _skills(*tiles, prices)
    done = len(state.placed) + state.seats - 1 - state.order.index(seat)
    return worth + prices.turn * (SHURIKEN - done // state.seats)


def _skills(ready: Counts, used: Counts, prices: Prices) -> float:
    """The worth of skill tiles, face up or down."""
    masks = sum([ready[tile] + used[tile] for tile in HENSOJUTSU])
    uses = sum([use * (up + down) for use, up, down in zip(USES, ready, used, strict=True)])
    return prices.mask * masks + prices.skill * uses


def _rumors(state: State, seat: Seat, prices: Prices) -> float:
    """The worth of a seat's rumors: of each by itself, and by the things that they count."""
    rumors = state.rumors[seat]
    counts = [0] * len(RUMOR_COUNTS_WHAT)
    for rumor in rumors:
        counts[RUMORS[rumor].type] += 1
    now, more = 0.0, 0.0
    for sort, (what, cards) in enumerate(zip(RUMOR_COUNTS_WHAT, counts, strict=True)):
        if not cards:
            continue
        if what == "owners":
            owners = sum([any(RUMORS[rumor].type == sort for rumor in owned) for owned in state.rumors])
            now += cards * FOES_HONOR[owners]
        elif what == "rumors":
            now += multiplier(cards) * len(rumors)
            more = PEOPLE * multiplier(cards)
        elif what == "envoys":
            now += multiplier(cards) * len(state.envoys[seat])
        elif what == "skills":
            now += multiplier(cards) * (sum(state.ready[seat]) + sum(state.used[seat]))
        else:
            now += multiplier(cards) * len(state.trophies[seat])
    return prices.rumor * len(rumors) + prices.bonus * now + more


def _leads(state: State, prices: Prices) -> list[float]:
    """The worth of each seat's places in the rankings of the clans."""
    found = [0.0] * state.seats
    tokens = tuple(state.tokens)
    for clan in range(len(CLANS)):
        held = [_influence(envoys, clan) for envoys in state.envoys]
        if not any(count for count, _ in held):
            continue
        stake = (prices.influence + SHOWN * clan_honor(tokens, clan)) / 2
        for seat, (count, age) in enumerate(held):
            others, oldest = max([other for at, other in enumerate(held) if at != seat])
            tie = OLDER * ((age > oldest) - (age < oldest))
            found[seat] += stake * tanh((count - others + tie) / CLEAR) + prices.clan * (count > 0)
    return found


def _influence(envoys: Sequence[int], clan: int) -> tuple[int, int]:
    """The number of envoys of a clan, and the age of the oldest."""
    ages = [ENVOYS[envoy].age for envoy in envoys if ENVOYS[envoy].clan == clan]
    return len(ages), max(ages, default=0)
