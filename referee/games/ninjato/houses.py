"""What lies in a house: stocking it, adding to it, turning treasures (N-3.3, N-3.5, N-7.4, N-10.5)."""

from __future__ import annotations

from referee.games.ninjato import events as say
from referee.games.ninjato.components import HOUSE_TREASURES
from referee.games.ninjato.counts import fewer, gather, more
from referee.games.ninjato.decks import draw_guard, draw_treasure
from referee.games.ninjato.state import State
from referee.kernel.chance import Chance
from referee.kernel.game import Event


def stock(state: State, house: int, chance: Chance, events: list[Event]) -> None:
    """Three treasures, or what there is, and a Sentinel; without any treasure it stays closed (N-10.5, N-13.4)."""
    drawn = [draw_treasure(state, chance, events) for _ in range(HOUSE_TREASURES)]
    treasures = tuple(sorted(treasure for treasure in drawn if treasure >= 0))
    if treasures:
        state.light[house] = gather(treasures, state.light[house])
        events.append(say.housed(house, treasures))
        state.sentinels[house] = draw_guard(state, chance, events)
        events.append(say.sentinel_came(house, state.sentinels[house]))


def add(state: State, house: int, chance: Chance, events: list[Event]) -> bool:
    """A treasure comes from the bag to a house, light side up; False if there is none (N-13.4)."""
    treasure = draw_treasure(state, chance, events)
    if treasure < 0:
        return False
    state.light[house] = more(state.light[house], treasure)
    events.append(say.housed(house, (treasure,)))
    return True


def alarm(state: State, house: int, chance: Chance, events: list[Event]) -> None:
    """One treasure more, then the best light one is turned red (N-7.4); without one nothing is turned (N-13.4)."""
    if add(state, house, chance, events):
        turn_best(state, house, events)


def turn_best(state: State, house: int, events: list[Event]) -> None:
    """Turn the highest-ranked light treasure of a house to its red side (N-7.4, N-7.13)."""
    light = state.light[house]
    best = max(kind for kind, count in enumerate(light) if count)
    state.light[house] = fewer(light, best)
    state.red[house] = more(state.red[house], best)
    events.append(say.turned_red(house, best))


def loot(state: State, house: int) -> tuple[int, int]:
    """Take the lowest light treasure out of a house, or without one the lowest red; its type and side (N-7.3)."""
    side = 0 if any(state.light[house]) else 1
    heaps = (state.light, state.red)[side]
    treasure = next(kind for kind, count in enumerate(heaps[house]) if count)
    heaps[house] = fewer(heaps[house], treasure)
    return treasure, side
