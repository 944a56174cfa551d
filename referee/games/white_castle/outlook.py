"""What a view tells about things to come: what faces a die, what an effect would give, what a clan's points would be.

Every figure follows the rules' own functions, applied to clans that are rebuilt from the view.
"""

from __future__ import annotations

from collections.abc import Sequence

from referee.games.white_castle import castle, gardens, yards
from referee.games.white_castle.components import (
    CARDS,
    COIN,
    COURTIER,
    DIE_TILE_REWARD,
    DOMAIN,
    DOMAIN_MEMBER,
    DOMAIN_ROW,
    DOMAIN_VALUE,
    EFFECTS,
    FOOD,
    GARDENER,
    LANTERN,
    MEMBERS_PER_TYPE,
    NOTHING,
    PEARL,
    RESOURCE_MAX,
    ROOMS,
    SEAL,
    TILE_SPACES,
    WELL_SEALS,
    YARD_TILES,
    YARDS,
    Effect,
)
from referee.games.white_castle.effects import bought_possible
from referee.games.white_castle.names import effect_words, goods_names, main_action, summed
from referee.games.white_castle.placing import covered_value
from referee.games.white_castle.scoring import parts
from referee.games.white_castle.state import Clan
from referee.games.white_castle.view import View, clan_of

# --- the board


_TILES_OF = tuple(
    tuple(
        sorted(
            (place for place, space in enumerate(TILE_SPACES) if space.room == room),
            key=lambda place: TILE_SPACES[place].row,
        )
    )
    for room in ROOMS
)
"""The tile spaces of each room, by row."""


def room_tiles(view: View, room: int) -> tuple[int, ...]:
    """Colours of the die tiles of a room, row by row."""
    return tuple(view.board.colours[place] for place in _TILES_OF[room])


def drills(view: View) -> tuple[tuple[int, ...], ...]:
    """Effects of the tiles of each yard, in the order of their sides (W-4.9)."""
    tiles = iter(view.board.yard_tiles)
    return tuple(tuple(YARD_TILES[next(tiles)][side] for side in yard.sides) for yard in YARDS)


def well_goods(view: View) -> tuple[tuple[int, int], ...]:
    """What the well gives (W-5.5)."""
    return ((SEAL, WELL_SEALS), *(DIE_TILE_REWARD[tile] for tile in view.board.well_tiles))


def lantern_goods(view: View, clan: int) -> tuple[tuple[int, int], ...]:
    """What the lantern gives a clan (W-5.4)."""
    return tuple(LANTERN[card] for card in view.clans[clan].lantern)


def bridge_of(view: View, garden: int) -> int:
    """The bridge beside a garden card."""
    return view.board.gardens.index(garden) // 2


# --- dice


def covers(view: View, clan: int, space: int) -> int:
    """The value that the next die covers on a space; domain rows are those of the clan (W-9.1)."""
    return DOMAIN_VALUE[space - DOMAIN] if space >= DOMAIN else covered_value(view.spaces[space], space)


def domain_effects(view: View, clan: int, colour: int) -> tuple[int, ...]:
    """The effects of a domain row: its visible icons, then the block of the action card (W-9.5)."""
    owner = view.clans[clan]
    if owner.action == NOTHING:
        return ()
    away = MEMBERS_PER_TYPE - owner.home[DOMAIN_MEMBER[colour]]
    return (DOMAIN_ROW[colour][away], CARDS[owner.action].domain[colour])


# --- effects


def gains(view: View, clan: int, effect: Effect) -> list[tuple[int, int]]:
    """What a batch would give a clan, each good once; resources above their cap are lost (W-3.2, W-6.1)."""
    items = list(effect.gains)
    if effect.lanterns:
        items += lantern_goods(view, clan)
    if effect.wells:
        items += well_goods(view)
    return capped(view, clan, items)


def capped(view: View, clan: int, items: Sequence[tuple[int, int]]) -> list[tuple[int, int]]:
    """Each good once with its whole amount; resources above their cap are lost (W-3.2)."""
    sums = dict(summed(items))
    owner = view.clans[clan]
    held = (owner.food, owner.iron, owner.pearl)
    for good in range(FOOD, PEARL + 1):
        if good in sums:
            sums[good] = min(sums[good], RESOURCE_MAX - held[good])
    return [(good, amount) for good, amount in sums.items() if amount]


def reachable(view: View, clan: int, effect: Effect) -> bool:
    """Whether an action would be asked: possible now or after seal exchanges (W-10, W-10.7)."""
    owner = clan_of(view.clans[clan])
    if effect.op == "pay":
        held = owner.goods[SEAL] + (owner.goods[COIN] if effect.good == COIN else 0)
        return held >= effect.amount and bought_possible(owner, effect)
    action = main_action(effect)
    if action == NOTHING:
        return True
    if action == COURTIER:
        return castle.reachable(owner, 0, 0)
    return gardens.reachable(owner, view.board.gardens) if action == GARDENER else yards.reachable(owner)


def brings(view: View, clan: int, number: int) -> str:
    """What an effect would bring a clan now, lantern and well counted out: "2 food and 1 coin"."""
    effect = EFFECTS[number]
    if effect.op == "batch":
        return goods_names(gains(view, clan, effect))
    return effect_words(number) + ("" if reachable(view, clan, effect) else ", out of reach")


def all_brings(view: View, clan: int, numbers: Sequence[int]) -> str:
    """What several effects would bring: "2 food; then a courtier action"."""
    return "; then ".join(brings(view, clan, number) for number in numbers)


def lantern_words(view: View, clan: int) -> str:
    """What the lantern would bring a clan now."""
    return goods_names(capped(view, clan, lantern_goods(view, clan)))


# --- points


def points(view: View) -> list[tuple[int, ...]]:
    """By clan the VP of each category (`scoring.CATEGORIES`) if the game ended now."""
    return [parts(clan_of(clan), number < view.board.seats) for number, clan in enumerate(view.clans)]


def more(view: View, clan: int, changed: Clan) -> str:
    """How the points of a clan would change: "6 VP more as things stand"; empty if they would not."""
    human = clan < view.board.seats
    difference = sum(parts(changed, human)) - sum(parts(clan_of(view.clans[clan]), human))
    return f"{abs(difference)} VP {'more' if difference > 0 else 'less'} as things stand" if difference else ""
