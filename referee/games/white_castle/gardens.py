"""The gardens: the gardener action, and the garden step at the end of rounds 1 and 2 (W-10.1, W-12.3)."""

from __future__ import annotations

from collections.abc import Sequence

from referee.games.white_castle.bridges import active
from referee.games.white_castle.components import FOOD, GARDENER, GARDENS, SEAL, SEALS_PER_RESOURCE, Effect
from referee.games.white_castle.flow import DecisionRules, pay
from referee.games.white_castle.options import PLANTING, SKIP, PlaceGardener, Word
from referee.games.white_castle.state import Clan, State
from referee.kernel.chance import Chance
from referee.kernel.frames import Frame
from referee.kernel.game import Event


def start(state: State, seat: int, effect: Effect, events: list[Event]) -> None:
    """Begin a gardener action: asked if a card is reachable, seal exchanges counted (W-10.1)."""
    if reachable(state.clans[seat], state.board.planted):
        state.stack.append(("place_gardener", seat))


def reachable(clan: Clan, planted: Sequence[int]) -> bool:
    """Whether a gardener can be placed on one of these cards now or after seal exchanges (W-10)."""
    if clan.home[GARDENER]:
        reach = clan.goods[FOOD] + clan.goods[SEAL] // SEALS_PER_RESOURCE
        held = clan.gardens
        for garden in planted:
            if not held >> garden & 1 and GARDENS[garden].food <= reach:
                return True
    return False


def possible(clan: Clan) -> bool:
    """Whether a bought gardener action is possible: a gardener at home; a sixth card is always free (W-10.7, W-19)."""
    return clan.home[GARDENER] > 0


def _cards(state: State, frame: Frame) -> tuple[PlaceGardener | Word, ...]:
    """The cards without a gardener of the clan that can be paid now, and `skip` (W-10.1)."""
    clan = state.clans[frame[1]]
    food, held = clan.goods[FOOD], clan.gardens
    listed: list[PlaceGardener | Word] = [
        PLANTING[garden] for garden in state.board.planted if GARDENS[garden].food <= food and not held >> garden & 1
    ]
    listed.append(SKIP)
    return tuple(listed)


def _planted(state: State, frame: Frame, option: PlaceGardener | Word, chance: Chance, events: list[Event]) -> None:
    """`place_gardener`: pay, place, then the card's effect; or skip (W-10.1)."""
    if isinstance(option, PlaceGardener):
        seat = frame[1]
        garden = GARDENS[option.garden]
        pay(state, seat, FOOD, garden.food, events)
        clan = state.clans[seat]
        clan.home[GARDENER] -= 1
        clan.gardens |= 1 << option.garden
        state.stack.append(("do", seat, garden.effect))


def awake(state: State, clan: Clan) -> tuple[int, ...]:
    """The clan's garden cards under active bridges, in TOML order (W-12.3)."""
    board = state.board
    return tuple(
        garden
        for garden in board.planted
        if clan.gardens >> garden & 1 and active(state.bridges[board.bridge_of[garden]])
    )


def activate(state: State, seat: int) -> None:
    """Begin a seat's garden step: its active cards are fixed now, their order is its choice (W-12.3, W-R10)."""
    effects = tuple(GARDENS[garden].effect for garden in awake(state, state.clans[seat]))
    state.stack.append(("rest", seat, *effects))


DECISIONS = (DecisionRules("place_gardener", _cards, _planted),)
