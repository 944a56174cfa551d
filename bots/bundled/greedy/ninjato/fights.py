"""The decisions inside a raid: how to fight, when to leave, what to keep, which clan to raise."""

from __future__ import annotations

from collections.abc import Callable
from typing import cast

from bots.bundled.greedy.ninjato.raids import Arsenal, HouseTreasures, LootWorth, Odds, after, beat, cost, values_of
from bots.bundled.greedy.ninjato.turns import Judge, hand_of
from bots.bundled.greedy.ninjato.worth import Outlook
from referee.games.ninjato.components import CHOCHO, GUARDS, KUJI_KIRI, SEISHIN_TEKI, TOKENS, Counts
from referee.games.ninjato.counts import fewer, more, plus
from referee.games.ninjato.options import Act, Keep, Play, PutToken, Refresh, Swap
from referee.games.ninjato.state import ELITE, Raid

TRICK = 0.4
"""Honor that the use of a special skill costs; the tile is face up again at the end of the round."""


class Scene:
    """One decision of a raid, as its raider sees it."""

    __slots__ = ("arsenal", "house", "odds", "outlook", "raid")

    def __init__(self, outlook: Outlook) -> None:
        view, seat = outlook.view, outlook.seat
        self.outlook = outlook
        self.raid = cast(Raid, view.frame)
        self.odds = Odds(outlook)
        self.arsenal = Arsenal(hand_of(outlook), view.ready[seat], self.raid.mode)
        self.house = HouseTreasures(view.light[self.raid.house], view.red[self.raid.house])

    def purse(self, light: Counts | None = None, red: Counts | None = None) -> LootWorth:
        """The worth of the loot, or of the loot that is given."""
        loot = plus(self.raid.light if light is None else light, self.raid.red if red is None else red)
        return LootWorth(self.outlook.loot(loot), self.outlook.best(loot))

    def values(self, mode: int, standing: int) -> tuple[int, ...]:
        """The values to beat in a mode."""
        if self.raid.opponent == ELITE:
            return values_of(self.raid.card, mode, standing)
        return (GUARDS[self.raid.card].value,) if standing else ()

    @property
    def prize(self) -> float:
        """Honor that the opponent is worth as a trophy."""
        return self.outlook.trophy(self.raid.card) if self.raid.opponent == ELITE else 0.0

    def fight(self, arsenal: Arsenal, house: HouseTreasures | None = None, purse: LootWorth | None = None) -> float:
        """The worth of the fight with other means, in another mode, or for other stakes."""
        values = self.values(arsenal.mode, self.raid.standing)
        return self.odds.fight(house or self.house, purse or self.purse(), arsenal, values, self.prize)

    def play(self, option: Play) -> float:
        """The worth of the raid after a play; a part of the opponent that is left must be beaten too."""
        arsenal = after(self.arsenal, option)
        spent = cost(self.arsenal.hand, option) * self.outlook.card
        rest = beat(arsenal, self.values(arsenal.mode, self.raid.standing & ~(1 << option.part)))
        if rest is None:
            return self.purse().best - spent
        return self.odds.won(self.house, self.purse(), rest[0], self.prize) - spent - rest[1] * self.outlook.card

    def tiles(self, down: int, up: int = -1) -> Counts:
        """The face-up tiles after one was used, and perhaps another turned up."""
        ready = fewer(self.arsenal.ready, down)
        return ready if up < 0 else more(ready, up)

    def swapped(self, option: Swap) -> tuple[HouseTreasures, LootWorth]:
        """House and loot after a swap, without the treasure that is turned."""
        loot, house = [self.raid.light, self.raid.red], list(self.house)
        loot[option.loot_red] = more(fewer(loot[option.loot_red], option.loot), option.house)
        house[option.house_red] = more(fewer(house[option.house_red], option.house), option.loot)
        return HouseTreasures(*house), self.purse(*loot)


def fight(outlook: Outlook) -> Judge:
    """Judges plays by the raid after them, skills by the fight with them, giving up by the best of the loot."""
    scene = Scene(outlook)
    hand, _, mode = scene.arsenal

    def judge(option: Play | Act | Swap | Refresh) -> float:
        if isinstance(option, Play):
            return scene.play(option)
        if isinstance(option, Refresh):
            return scene.fight(Arsenal(hand, scene.tiles(KUJI_KIRI, option.skill), mode)) - TRICK
        if isinstance(option, Swap):
            house, purse = scene.swapped(option)
            return scene.fight(Arsenal(hand, scene.tiles(CHOCHO), mode), house, purse) - TRICK
        if option.do == "switch":
            return scene.fight(Arsenal(hand, scene.tiles(SEISHIN_TEKI), 1 - mode)) - TRICK
        return scene.purse().best

    return judge


def banzai(outlook: Outlook) -> Judge:
    """Judges leaving by the loot, going on by the odds, skills by the better of both after them."""
    scene = Scene(outlook)
    hand, _, mode = scene.arsenal

    def judge(option: Act | Swap | Refresh) -> float:
        if isinstance(option, Refresh):
            arsenal = Arsenal(hand, scene.tiles(KUJI_KIRI, option.skill), mode)
            return scene.odds.go_on(scene.house, scene.purse(), arsenal) - TRICK
        if isinstance(option, Swap):
            house, purse = scene.swapped(option)
            return scene.odds.stand(house, purse, Arsenal(hand, scene.tiles(CHOCHO), mode)) - TRICK
        if option.do == "leave":
            return scene.purse().total
        return scene.odds.go_on(scene.house, scene.purse(), scene.arsenal)

    return judge


def keep(outlook: Outlook) -> Judge:
    """Judges treasures by their worth, a swap by the best loot after it."""
    scene = Scene(outlook)

    def judge(option: Keep | Swap | Refresh) -> float:
        if isinstance(option, Keep):
            return outlook.treasure[option.treasure]
        if isinstance(option, Swap):
            return scene.swapped(option)[1].best - TRICK
        treasures = (*scene.house.light, *scene.house.red)
        best = max(outlook.treasure[at % len(scene.house.light)] for at, count in enumerate(treasures) if count)
        return best - 2 * TRICK if option.skill == CHOCHO else 0.0

    return judge


def clan_token(outlook: Outlook) -> Judge:
    """Judges tokens by the own rankings against those of the other seats."""
    house = cast(Raid, outlook.view.frame).house

    def judge(option: PutToken) -> float:
        tokens = list(outlook.view.tokens)
        tokens[house] = TOKENS.index((option.clan, option.value))
        return outlook.board(tuple(tokens))

    return judge


JUDGES: dict[str, Callable[[Outlook], Judge]] = {
    "fight": fight,
    "banzai": banzai,
    "keep": keep,
    "clan_token": clan_token,
}
