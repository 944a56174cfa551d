"""The training yards: sending warriors (W-10.2)."""

from __future__ import annotations

from referee.games.white_castle.components import IRON, SEAL, SEALS_PER_RESOURCE, WARRIOR, YARDS, Effect
from referee.games.white_castle.flow import Decision, pay
from referee.games.white_castle.options import TRAINING, Choice, Choices
from referee.games.white_castle.state import Clan, State
from referee.kernel.chance import Chance
from referee.kernel.frames import Frame
from referee.kernel.game import Event

_CHEAPEST = min(yard.iron for yard in YARDS)


def start(state: State, seat: int, effect: Effect, events: list[Event]) -> None:
    """A warrior action: asked if a yard can be reached, seal exchanges counted (W-10, W-10.2)."""
    clan = state.clans[seat]
    if clan.home[WARRIOR] and clan.goods[IRON] + clan.goods[SEAL] // SEALS_PER_RESOURCE >= _CHEAPEST:
        state.stack.append(("place_warrior", seat))


def possible(state: State, clan: Clan) -> bool:
    """Whether a warrior action could be bought at all (W-10.7)."""
    return clan.home[WARRIOR] > 0


def _open_yards(state: State, frame: Frame) -> Choices:
    """The yards whose iron can be paid now (W-10.2)."""
    return TRAINING[state.clans[frame[1]].goods[IRON]]


def _trained(state: State, frame: Frame, choice: Choice, chance: Chance, events: list[Event]) -> None:
    """`place_warrior`: pay, place, then the yard's tiles (W-10.2)."""
    if choice.verb == "skip":
        return
    seat, number = frame[1], choice.a
    pay(state, seat, IRON, YARDS[number].iron, events)
    clan = state.clans[seat]
    clan.home[WARRIOR] -= 1
    clan.yards[number] += 1
    state.stack.append(("rest", seat, *state.board.drills[number]))


DECISIONS = (Decision("place_warrior", _open_yards, _trained),)
