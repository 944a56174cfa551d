"""The odds of a raid: the chance of each next guard, whether the hand beats that guard, and the worth of going on.

The guards that were seen are out of the deck, so the chance of each value is known exactly. The worth of going on is
worked out two guards deep: against each possible guard with the cheapest winning play, and then for the better of
leaving and going on. Alarms are left out.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from typing import NamedTuple

from bots.bundled.greedy.ninjato.worth import Outlook, power
from referee.games.ninjato.components import ELITE_COUNTS, ELITES, GUARD_COUNTS, GUARDS, SKILLS, Counts
from referee.games.ninjato.counts import fewer, minus
from referee.games.ninjato.options import Play
from referee.games.ninjato.plays import cards_of, plays, tiles_of
from referee.games.ninjato.state import ELITE, GUARD, Raid
from referee.games.ninjato.view import View

DEPTH = 2
"""Number of guards that are looked ahead."""
TILE = {"add": 0.35, "set": 0.45, "virtual_card": 0.55}
"""Power that the use of a tile costs, by its effect; the tile is face up again at the end of the round."""
VICTORY = 1.5
"""Honor for emptying a house, whose clan token the raider then chooses."""


class Arsenal(NamedTuple):
    """What a raider has left to fight with: cards, face-up tiles and the mode."""

    hand: Counts
    ready: Counts
    mode: int


class HouseTreasures(NamedTuple):
    """The treasures that are left in a house."""

    light: Counts
    red: Counts

    def without_lowest(self) -> tuple[int, HouseTreasures]:
        """The treasure that the next beaten opponent yields (N-7.3), and the house without it."""
        side = self.light if any(self.light) else self.red
        treasure = next(kind for kind, count in enumerate(side) if count)
        rest = fewer(side, treasure)
        return treasure, HouseTreasures(rest, self.red) if side is self.light else HouseTreasures(self.light, rest)


class LootWorth(NamedTuple):
    """The worth of all loot, and of its best treasure."""

    total: float
    best: float

    def add(self, worth: float) -> LootWorth:
        """The same with one treasure more."""
        return LootWorth(self.total + worth, max(self.best, worth))


@lru_cache(maxsize=1 << 16)
def cost(hand: Counts, play: Play) -> float:
    """The power that a play takes from a hand, tiles included."""
    tiles = sum(TILE[SKILLS[tile].effect] for tile in play.tiles)
    return power(hand) - power(minus(hand, cards_of(play))) + tiles


@lru_cache(maxsize=1 << 16)
def cheapest(hand: Counts, ready: Counts, mode: int, value: int) -> Play | None:
    """The winning play that takes the least power, or None."""
    return min(plays(hand, ready, mode, value), key=lambda play: cost(hand, play), default=None)


def after(arsenal: Arsenal, play: Play) -> Arsenal:
    """The arsenal that is left after a play."""
    return Arsenal(minus(arsenal.hand, cards_of(play)), minus(arsenal.ready, tiles_of(play)), arsenal.mode)


@lru_cache(maxsize=1 << 16)
def beat(arsenal: Arsenal, values: tuple[int, ...]) -> tuple[Arsenal, float] | None:
    """The arsenal that is left after all these values were beaten, and the power spent; None if one cannot be."""
    if not values:
        return arsenal, 0.0
    best: tuple[Arsenal, float] | None = None
    for at, value in enumerate(values):
        play = cheapest(*arsenal, value)
        if play is not None:
            rest = beat(after(arsenal, play), values[:at] + values[at + 1 :])
            if rest is not None:
                spent = rest[1] + cost(arsenal.hand, play)
                if best is None or spent < best[1]:
                    best = rest[0], spent
    return best


def values_of(kind: int, mode: int, standing: int = 3) -> tuple[int, ...]:
    """The values of an elite guard's parts that stand."""
    return tuple(part[mode] for at, part in enumerate(ELITES[kind].parts) if standing >> at & 1)


class Odds:
    """The chances of one moment: of each guard value and each kind of elite guard to come next."""

    __slots__ = ("elites", "guards", "outlook")

    def __init__(self, outlook: Outlook) -> None:
        self.outlook = outlook
        self.guards = _guards(outlook.view)
        """Chance of each guard value."""
        self.elites = _elites(outlook.view)
        """Chance of each kind of elite guard."""

    def stand(self, house: HouseTreasures, purse: LootWorth, arsenal: Arsenal, depth: int = DEPTH) -> float:
        """The worth of a raid after a fight was won: the better of leaving and going on."""
        if not any(house.light) and not any(house.red):
            return purse.total + VICTORY
        if depth == 0:
            return purse.total
        return max(purse.total, self.go_on(house, purse, arsenal, depth))

    def go_on(self, house: HouseTreasures, purse: LootWorth, arsenal: Arsenal, depth: int = DEPTH) -> float:
        """The worth of a raid that goes on, over all guards that may come."""
        treasure, left = house.without_lowest()
        richer = purse.add(self.outlook.treasure[treasure])
        worth = 0.0
        for chance, values, prize in self._opponents(any(house.light), arsenal.mode):
            won = beat(arsenal, values)
            if won is None:
                worth += chance * purse.best
            else:
                spent = won[1] * self.outlook.card
                worth += chance * (prize - spent + self.stand(left, richer, won[0], depth - 1))
        return worth

    def _opponents(self, ordinary: bool, mode: int) -> Iterator[tuple[float, tuple[int, ...], float]]:
        """Chance, values and worth as a trophy of each opponent that may come."""
        if ordinary or not self.elites:
            for value, chance in self.guards:
                yield chance, (value,), 0.0
        else:
            for kind, chance in self.elites:
                yield chance, values_of(kind, mode), self.outlook.trophy(kind)

    def fight(
        self, house: HouseTreasures, purse: LootWorth, arsenal: Arsenal, values: tuple[int, ...], prize: float = 0.0
    ) -> float:
        """The worth of a raid in front of an opponent: the better of the cheapest way to beat it and giving up."""
        won = beat(arsenal, values)
        if won is None:
            return purse.best
        return max(purse.best, self.won(house, purse, won[0], prize) - won[1] * self.outlook.card)

    def won(self, house: HouseTreasures, purse: LootWorth, arsenal: Arsenal, prize: float = 0.0) -> float:
        """The worth of a raid after an opponent was beaten, without the cost of beating it."""
        treasure, left = house.without_lowest()
        return prize + self.stand(left, purse.add(self.outlook.treasure[treasure]), arsenal)


def _guards(view: View) -> tuple[tuple[int, float], ...]:
    """The chance of each value, from the guards that were not seen since the deck was shuffled."""
    left = list(minus(GUARD_COUNTS, view.guard_discard))
    for kind in view.sentinels:
        if kind >= 0:
            left[kind] -= 1
    if isinstance(view.frame, Raid) and view.frame.opponent == GUARD:
        left[view.frame.card] -= 1
    if not sum(left):
        left = list(view.guard_discard)
    weights: dict[int, int] = {}
    for guard, count in zip(GUARDS, left, strict=True):
        weights[guard.value] = weights.get(guard.value, 0) + count
    return tuple((value, count / sum(left)) for value, count in sorted(weights.items()) if count)


def _elites(view: View) -> tuple[tuple[int, float], ...]:
    """The chance of each kind of elite guard, likewise; empty when all of them are beaten."""
    left = list(minus(ELITE_COUNTS, view.elite_discard))
    for trophies in view.trophies:
        for kind in trophies:
            left[kind] -= 1
    if isinstance(view.frame, Raid) and view.frame.opponent == ELITE:
        left[view.frame.card] -= 1
    if not sum(left):
        left = list(view.elite_discard)
    return tuple((kind, count / sum(left)) for kind, count in enumerate(left) if count)
