"""The worth of cards, treasures, skills, envoys, rumors and clan tokens to a seat of Ninjato, in honor.

An `Outlook` is one seat's view with the prices that follow from it. Cards and treasures are means and lose worth as the
seat's own placements run out. Envoys are worth what they change in the rankings of the clans at the scoring phases to
come. Rumors are worth what they multiply at the end, with the numbers that the seat can expect to reach.
"""

from __future__ import annotations

from functools import lru_cache

from referee.games.ninjato.components import (
    CLANS,
    ELITES,
    ENVOYS,
    FOES_HONOR,
    HENSOJUTSU,
    ROUNDS,
    RUMOR_COUNTS_WHAT,
    RUMORS,
    SCORING_ROUNDS,
    SHURIKEN,
    SKILLS,
    TOKENS,
    TREASURES,
    UNUSED_TREASURE_HONOR,
    WILD,
    Counts,
)
from referee.games.ninjato.scoring import cards_of_type, multiplier
from referee.games.ninjato.state import SCORING_KINDS
from referee.games.ninjato.view import View
from referee.kernel.game import Seat

FORCE_POWER = (0.1, 0.4, 0.9, 1.1, 1.4)
"""Power of a Dojo card of each value in force; in stealth the order is reversed."""
OTHER_SIDE = 0.4
"""Share of the hand's power in its weaker mode that counts."""
MOST_POWER = 14.0
"""Power above which a hand gains nothing."""
CARD = 1.3
"""Honor for one unit of power, while there is time to use it."""
SPENT = 0.75
"""Probability that a treasure will be spent, while there is time for it."""
PACE = 1.1
"""Treasures that a seat spends for each placement that is left, on average over all its placements."""
RUMOR_REWARD = 4.0
"""Honor that a free rumor is worth before the display is known."""
PHASES_AHEAD = (1.0, 0.6, 0.35)
"""Weights of the next scoring phase and of those after it, when envoys are compared."""
AGAINST = 0.3
"""Share of what other seats lose that counts as a gain."""
GROWTH = {"elite_guards": 0.05, "rumors": 0.12, "envoys": 0.15, "skills": 0.1}
"""Expected gain for each placement, of what rumors count."""
USE = {"add": 0.6, "set": 0.8, "virtual_card": 1.0, "swap": 0.4, "switch_mode": 0.5, "refresh": 0.4}
"""Honor that a skill brings in a round, by its effect."""


@lru_cache(maxsize=1 << 14)
def power(hand: Counts) -> float:
    """The power of a hand: mostly in its stronger mode, a little in the other; each card adds less than the last."""
    force = sum(weight * count for weight, count in zip(FORCE_POWER, hand, strict=True))
    stealth = sum(weight * count for weight, count in zip(reversed(FORCE_POWER), hand, strict=True))
    both = min(MOST_POWER, max(force, stealth) + OTHER_SIDE * min(force, stealth))
    return both * (1 - both / (2 * MOST_POWER))


class Outlook:
    """A seat's view with the worth of everything in it to that seat."""

    __slots__ = ("card", "left", "phases", "seat", "treasure", "view")

    def __init__(self, view: View, seat: Seat) -> None:
        self.view = view
        self.seat = seat
        self.left = self._placements_left()
        """The seat's placements after this turn."""
        self.phases = self._phases()
        """Weights of the scoring phases to come."""
        self.card = CARD * min(1.0, 0.4 * self.left)
        """Honor for one unit of power in hand."""
        self.treasure = self._treasures()
        """Honor for one treasure of each type, unspent."""

    def _placements_left(self) -> int:
        view = self.view
        later = SHURIKEN * (ROUNDS - view.round)
        kind = view.frame[0] if view.frame is not None else ""
        if kind in SCORING_KINDS:
            return later
        seats = len(view.order)
        mine = sum(view.order[at % seats] == self.seat for at in range(len(view.placed)))
        return later + SHURIKEN - mine - (kind == "place")

    def _phases(self) -> tuple[float, ...]:
        over = self.view.frame is not None and self.view.frame[0] in SCORING_KINDS
        coming = sum(number > self.view.round or (number == self.view.round and not over) for number in SCORING_ROUNDS)
        return PHASES_AHEAD[:coming]

    def _treasures(self) -> tuple[float, ...]:
        """Honor for one treasure of each type: the more the seat has, the less likely each will be spent."""
        held = sum(self.view.treasures[self.seat])
        likely = min(SPENT, PACE * self.left / (held + 3))
        honor = [treasure.honor for treasure in TREASURES]
        honor[WILD] = max(honor) + 1
        return tuple(UNUSED_TREASURE_HONOR + (full + 0.5 - UNUSED_TREASURE_HONOR) * likely for full in honor)

    def loot(self, treasures: Counts) -> float:
        """The worth of some treasures."""
        return sum(worth * count for worth, count in zip(self.treasure, treasures, strict=True))

    def best(self, treasures: Counts) -> float:
        """The worth of the best of some treasures."""
        return max((worth for worth, count in zip(self.treasure, treasures, strict=True) if count), default=0.0)

    def expected(self, what: str) -> float:
        """The expected number, at the end of the game, of what a type of rumor counts."""
        view, seat = self.view, self.seat
        now = {
            "elite_guards": len(view.trophies[seat]),
            "rumors": len(view.rumors[seat]),
            "envoys": len(view.envoys[seat]),
            "skills": sum(view.ready[seat]) + sum(view.used[seat]),
        }
        return now[what] + GROWTH[what] * self.left

    def sets(self, what: str) -> int:
        """The factor at the end for one more of what a type of rumor counts, with the rumors that are owned."""
        sort = RUMOR_COUNTS_WHAT.index(what)
        return multiplier(cards_of_type(self.view.rumors[self.seat], sort))

    def rumor(self, rumor: int) -> float:
        """Honor that one more rumor adds at the end: to its set, to the rumors that count rumors, and as a foe."""
        view, seat = self.view, self.seat
        sort = RUMORS[rumor].type
        what = RUMOR_COUNTS_WHAT[sort]
        mine = cards_of_type(view.rumors[seat], sort)
        worth = float(self.sets("rumors"))
        if what == "owners":
            others = sum(cards_of_type(rumors, sort) > 0 for at, rumors in enumerate(view.rumors) if at != seat)
            return worth + FOES_HONOR[others + 1] - AGAINST * (mine == 0) * others
        step = multiplier(mine + 1) - multiplier(mine)
        # A third card completes a set, so the first two are worth a little more than they bring.
        return worth + step * self.expected(what) + (0.5 if mine + 1 < 3 and self.left > 4 else 0.0)

    def trophy(self, elite: int) -> float:
        """Honor that a beaten elite guard brings at the end."""
        return ELITES[elite].honor + self.sets("elite_guards")

    def skill(self, skill: int) -> float:
        """Honor that a tile brings in the rounds that are left, and to the rumors that count tiles."""
        worth = float(self.sets("skills"))
        if skill in HENSOJUTSU:
            gains = [self.ranking_gain(clan, self._masked_age(clan)) for clan in range(len(CLANS))]
            return worth + max(gains)
        rounds = self.left / SHURIKEN
        again = self.view.ready[self.seat][skill] + self.view.used[self.seat][skill]
        return worth + USE[SKILLS[skill].effect] * rounds * (0.7 if again else 1.0)

    def _masked_age(self, clan: int) -> int:
        """0 if the seat can disguise an envoy of a clan, which adds influence and no age; -1 if it cannot."""
        masked = [e for e in self.view.envoys[self.seat] if ENVOYS[e].clan == clan and ENVOYS[e].mask]
        return 0 if masked else -1

    def envoy(self, envoy: int) -> float:
        """Honor that one more envoy brings: in the rankings of its clan, and to the rumors that count envoys."""
        card = ENVOYS[envoy]
        return 0.5 + self.sets("envoys") + self.ranking_gain(card.clan, card.age)

    def ranking_gain(self, clan: int, age: int) -> float:
        """Honor that one more influence in a clan brings at the scoring phases to come; age -1: no influence to add."""
        if age < 0:
            return 0.0
        before, after = self.incomes(clan), self.incomes(clan, age)
        others = sum(before) - before[self.seat] - sum(after) + after[self.seat]
        change = after[self.seat] - before[self.seat] + AGAINST * others
        return change * sum(self.phases)

    def incomes(self, clan: int, age: int = -1, tokens: tuple[int, ...] | None = None) -> list[float]:
        """Honor of each seat for a clan in a scoring phase of this moment; `age`: of one more envoy of the own seat."""
        ranked = []
        for seat, envoys in enumerate(self.view.envoys):
            ages = [ENVOYS[envoy].age for envoy in envoys if ENVOYS[envoy].clan == clan]
            if seat == self.seat and age >= 0:
                ages.append(age)
            if ages:
                ranked.append((len(ages), max(ages), seat))
        ranked.sort(reverse=True)
        honor = clan_honor(self.view.tokens if tokens is None else tokens, clan)
        incomes = [0.0] * len(self.view.order)
        for (_, _, seat), reward in zip(ranked, sorted((honor, RUMOR_REWARD), reverse=True), strict=False):
            incomes[seat] = reward
        return incomes

    def board(self, tokens: tuple[int, ...]) -> float:
        """Honor that clan tokens on the houses promise the seat, less that of the best other seat."""
        totals = [0.0] * len(self.view.order)
        for clan in range(len(CLANS)):
            for seat, income in enumerate(self.incomes(clan, tokens=tokens)):
                totals[seat] += income
        mine = totals.pop(self.seat)
        return (mine - max(totals)) * sum(self.phases)


def clan_honor(tokens: tuple[int, ...], clan: int) -> int:
    """The honor that the houses show for a clan."""
    return sum(TOKENS[token].value for token in tokens if TOKENS[token].clan == clan)
