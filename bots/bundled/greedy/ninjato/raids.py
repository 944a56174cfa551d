"""The odds of a raid: whom the next guard may be, whether the hand beats him, and what going on is worth.

The guards that were seen are out of the deck, so the chance of each value is known exactly. From a point in a raid the
worth of going on is worked out two guards deep: against each possible guard with the cheapest winning play, and for the
best of leaving and going on after it. Alarms are left out of it.
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
"""How many guards ahead are reckoned with."""
TILE = {"add": 0.35, "set": 0.45, "virtual_card": 0.55}
"""Power that a used tile is reckoned at: it comes back at the end of the round."""
VICTORY = 1.5
"""Honor for emptying a house: its clan token can be chosen."""


class Force(NamedTuple):
    """What a raider has left to fight with."""

    hand: Counts
    ready: Counts
    mode: int


class House(NamedTuple):
    """What is left in a house."""

    light: Counts
    red: Counts


class Purse(NamedTuple):
    """The worth of the loot: of all of it, and of its best treasure."""

    total: float
    best: float

    def add(self, worth: float) -> Purse:
        """With one treasure more."""
        return Purse(self.total + worth, max(self.best, worth))


@lru_cache(maxsize=1 << 16)
def cost(hand: Counts, play: Play) -> float:
    """The power that a play takes from a hand, tiles included."""
    tiles = sum(TILE[SKILLS[tile].effect] for tile in play.tiles)
    return power(hand) - power(minus(hand, cards_of(play))) + tiles


@lru_cache(maxsize=1 << 16)
def cheapest(hand: Counts, ready: Counts, mode: int, value: int) -> Play | None:
    """The winning play that takes least, or None."""
    return min(plays(hand, ready, mode, value), key=lambda play: cost(hand, play), default=None)


def after(force: Force, play: Play) -> Force:
    """What is left after a play."""
    return Force(minus(force.hand, cards_of(play)), minus(force.ready, tiles_of(play)), force.mode)


@lru_cache(maxsize=1 << 16)
def beat(force: Force, values: tuple[int, ...]) -> tuple[Force, float] | None:
    """What is left after all these values were beaten one by one, and the power it took; None if they cannot be."""
    if not values:
        return force, 0.0
    best: tuple[Force, float] | None = None
    for at, value in enumerate(values):
        play = cheapest(*force, value)
        if play is not None:
            rest = beat(after(force, play), values[:at] + values[at + 1 :])
            if rest is not None:
                spent = rest[1] + cost(force.hand, play)
                if best is None or spent < best[1]:
                    best = rest[0], spent
    return best


def values_of(kind: int, mode: int, standing: int = 3) -> tuple[int, ...]:
    """The values of an elite guard's parts that stand."""
    return tuple(part[mode] for at, part in enumerate(ELITES[kind].parts) if standing >> at & 1)


class Odds:
    """The chances of one moment: what the next guard or elite guard may be."""

    __slots__ = ("elites", "guards", "outlook")

    def __init__(self, outlook: Outlook) -> None:
        self.outlook = outlook
        self.guards = _guards(outlook.view)
        """Chance of each guard value."""
        self.elites = _elites(outlook.view)
        """Chance of each sort of elite guard."""

    def stand(self, house: House, purse: Purse, force: Force, depth: int = DEPTH) -> float:
        """The worth of a raid after a fight was won: the better of leaving and going on."""
        if not any(house.light) and not any(house.red):
            return purse.total + VICTORY
        if depth == 0:
            return purse.total
        return max(purse.total, self.go_on(house, purse, force, depth))

    def go_on(self, house: House, purse: Purse, force: Force, depth: int = DEPTH) -> float:
        """The worth of a raid that goes on, over all guards that may come."""
        side = house.light if any(house.light) else house.red
        treasure = next(kind for kind, count in enumerate(side) if count)
        rest = fewer(side, treasure)
        left = House(rest, house.red) if side is house.light else House(house.light, rest)
        richer = purse.add(self.outlook.treasure[treasure])
        worth = 0.0
        for chance, values, prize in self._opponents(side is house.light, force.mode):
            won = beat(force, values)
            if won is None:
                worth += chance * purse.best
            else:
                spent = won[1] * self.outlook.card
                worth += chance * (prize - spent + self.stand(left, richer, won[0], depth - 1))
        return worth

    def _opponents(self, ordinary: bool, mode: int) -> Iterator[tuple[float, tuple[int, ...], float]]:
        """Chance, values and trophy of everybody who may come."""
        if ordinary or not self.elites:
            for value, chance in self.guards:
                yield chance, (value,), 0.0
        else:
            for kind, chance in self.elites:
                yield chance, values_of(kind, mode), self.outlook.trophy(kind)

    def fight(self, house: House, purse: Purse, force: Force, values: tuple[int, ...], prize: float = 0.0) -> float:
        """The worth of a raid in front of an opponent: the cheapest way to beat him, or giving up."""
        won = beat(force, values)
        if won is None:
            return purse.best
        return max(purse.best, self.won(house, purse, won[0], prize) - won[1] * self.outlook.card)

    def won(self, house: House, purse: Purse, force: Force, prize: float = 0.0) -> float:
        """The worth of a raid after an opponent fell, what was spent on him left out."""
        side = house.light if any(house.light) else house.red
        treasure = next(kind for kind, count in enumerate(side) if count)
        rest = fewer(side, treasure)
        left = House(rest, house.red) if side is house.light else House(house.light, rest)
        return prize + self.stand(left, purse.add(self.outlook.treasure[treasure]), force)


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
    """The chance of each sort of elite guard, likewise; empty when all of them are beaten."""
    left = list(minus(ELITE_COUNTS, view.elite_discard))
    for trophies in view.trophies:
        for kind in trophies:
            left[kind] -= 1
    if isinstance(view.frame, Raid) and view.frame.opponent == ELITE:
        left[view.frame.card] -= 1
    if not sum(left):
        left = list(view.elite_discard)
    return tuple((kind, count / sum(left)) for kind, count in enumerate(left) if count)
