"""Final scoring and ranking (W-13.3, W-13.4, W-16.11)."""

from __future__ import annotations

from collections.abc import Sequence
from operator import mul

from referee.games.white_castle.components import (
    COIN,
    COINS_AND_SEALS_PER_POINT,
    FLOOR_OF,
    FLOOR_POINTS,
    FOOD,
    GARDENS,
    IRON,
    PEARL,
    RESOURCE_POINTS,
    SEAL,
    TIME_POINTS,
    VP,
    YARDS,
)
from referee.games.white_castle.state import Clan, State
from referee.kernel.game import Result, rank

COURT_POINTS = tuple(FLOOR_POINTS[floor] for floor in FLOOR_OF)
"""Points of a courtier at each place of the court, the gate first."""
YARD_VALUES = tuple(yard.value for yard in YARDS)
GARDEN_POINTS = tuple(
    sum(garden.points for k, garden in enumerate(GARDENS) if mask >> k & 1) for mask in range(1 << len(GARDENS))
)
"""Points of each set of garden cards."""


def money_points(clan: Clan) -> int:
    """Coins and seals together (W-13.3, item 1)."""
    return (clan.goods[COIN] + clan.goods[SEAL]) // COINS_AND_SEALS_PER_POINT


def resource_points(clan: Clan) -> int:
    """Resources left (W-13.3, item 2)."""
    goods = clan.goods
    return RESOURCE_POINTS[goods[FOOD]] + RESOURCE_POINTS[goods[IRON]] + RESOURCE_POINTS[goods[PEARL]]


def time_points(clan: Clan) -> int:
    """The time track (W-13.3, item 3)."""
    return TIME_POINTS[clan.space]


def courtier_points(clan: Clan) -> int:
    """Courtiers at the gate and on the floors (W-13.3, item 4)."""
    points: int = sum(map(mul, clan.court, COURT_POINTS))
    return points


def warrior_points(clan: Clan) -> int:
    """Value of the warriors times number of courtiers inside the castle (W-13.3, item 5)."""
    value: int = sum(map(mul, clan.yards, YARD_VALUES))
    return value * sum(clan.court[1:])


def garden_points(clan: Clan) -> int:
    """Garden cards with a gardener (W-13.3, item 6)."""
    return GARDEN_POINTS[clan.gardens]


def breakdown(state: State, number: int) -> tuple[int, ...]:
    """The parts of a clan's score by `CATEGORIES`."""
    return parts(state.clans[number], number < state.board.seats)


CATEGORIES = ("collected", "coins and seals", "resources", "time", "courtiers", "warriors", "gardens")
"""What VP are for: those collected, then the six items of W-13.3."""


def parts(clan: Clan, human: bool) -> tuple[int, ...]:
    """The VP of a clan by `CATEGORIES`; of W-13.3 the rival scores only items 3 to 6 (W-16.11)."""
    return (
        clan.goods[VP],
        money_points(clan) if human else 0,
        resource_points(clan) if human else 0,
        time_points(clan),
        courtier_points(clan),
        warrior_points(clan),
        garden_points(clan),
    )


def total(state: State, number: int) -> int:
    """The score of a clan if the game ended in this state (W-13.3)."""
    return sum(breakdown(state, number))


def places(points: Sequence[int], order: Sequence[int]) -> tuple[int, ...]:
    """The places by clan: most points first, ties by the turn order (W-13.4)."""
    return rank([(points[number], -order.index(number)) for number in range(len(points))])


def result(state: State) -> Result | None:
    """Places by points, most first, ties by the final turn order (W-1.1, W-13.4); None before the end."""
    if state.stack:
        return None
    points = tuple(total(state, number) for number in range(len(state.clans)))
    return Result(places(points, state.order), points, "three rounds played", ("rival",) if state.board.solo else ())
