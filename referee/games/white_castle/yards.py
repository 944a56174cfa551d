"""The training yards: the warrior action (W-10.2)."""

from __future__ import annotations

from referee.games.white_castle.components import IRON, SEAL, SEALS_PER_RESOURCE, WARRIOR, YARDS, Effect
from referee.games.white_castle.flow import DecisionRules, pay
from referee.games.white_castle.options import TRAINING, PlaceWarrior, Word
from referee.games.white_castle.state import Clan, State
from referee.kernel.chance import Chance
from referee.kernel.frames import Frame
from referee.kernel.game import Event

_CHEAPEST = min(yard.iron for yard in YARDS)


def start(state: State, seat: int, effect: Effect, events: list[Event]) -> None:
    """Begin a warrior action: asked if a yard is reachable, seal exchanges counted (W-10.2)."""
    if reachable(state.clans[seat]):
        state.stack.append(("place_warrior", seat))


def reachable(clan: Clan) -> bool:
    """Whether a warrior can be placed now or after seal exchanges (W-10)."""
    goods = clan.goods
    return clan.home[WARRIOR] > 0 and goods[IRON] + goods[SEAL] // SEALS_PER_RESOURCE >= _CHEAPEST


def possible(clan: Clan) -> bool:
    """Whether a bought warrior action is possible: a warrior at home (W-10.7)."""
    return clan.home[WARRIOR] > 0


def _open_yards(state: State, frame: Frame) -> tuple[PlaceWarrior | Word, ...]:
    """The yards whose iron can be paid now, and `skip` (W-10.2)."""
    return TRAINING[state.clans[frame[1]].goods[IRON]]


def _trained(state: State, frame: Frame, option: PlaceWarrior | Word, chance: Chance, events: list[Event]) -> None:
    """`place_warrior`: pay, place, then the yard's tiles; or skip (W-10.2)."""
    if isinstance(option, PlaceWarrior):
        seat, yard = frame[1], option.yard
        pay(state, seat, IRON, YARDS[yard].iron, events)
        clan = state.clans[seat]
        clan.home[WARRIOR] -= 1
        clan.yards[yard] += 1
        state.stack.append(("rest", seat, *state.board.drills[yard]))


DECISIONS = (DecisionRules("place_warrior", _open_yards, _trained),)
