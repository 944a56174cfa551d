"""The three open displays: the Sensei's skills, the Palace's envoys, the Pavilion's rumors.

They are filled at set-up (N-3.6), at the end of a round (N-10.3, N-10.6) and, the Pavilion, after a scoring phase
(N-11.8); during a round they only shrink (N-6.4, N-8.4, N-9.3).
"""

from __future__ import annotations

from referee.games.ninjato import events as say
from referee.games.ninjato.components import HENSOJUTSU_ROUNDS, PALACE_SIZE, PAVILION_SIZE, REGULAR_ROUNDS
from referee.games.ninjato.state import State
from referee.kernel.game import Event, Seat


def show_skills(state: State, number: int, events: list[Event]) -> None:
    """The Sensei's tiles of a round: one regular tile per player, later one Hensojutsu (N-6.5, N-10.3).

    The regular tiles that are left after their last round stay where they are, unseen and out of the game.
    """
    tiles: tuple[int, ...] = ()
    if number in REGULAR_ROUNDS:
        tiles, state.skill_deck = state.skill_deck[: state.seats], state.skill_deck[state.seats :]
    elif number in HENSOJUTSU_ROUNDS:
        tiles, state.hensojutsu_deck = state.hensojutsu_deck[:1], state.hensojutsu_deck[1:]
    state.sensei = tuple(sorted(tiles))
    events.append(say.displayed("skill", state.sensei))


def fill_palace(state: State, events: list[Event]) -> None:
    """Envoys up to four, fewer if the deck runs out (N-3.6, N-10.6, N-13.5)."""
    count = PALACE_SIZE - len(state.palace)
    envoys, state.envoy_deck = state.envoy_deck[:count], state.envoy_deck[count:]
    if envoys:
        state.palace = tuple(sorted((*state.palace, *envoys)))
        events.append(say.displayed("envoy", tuple(sorted(envoys))))


def fill_pavilion(state: State, events: list[Event]) -> None:
    """Rumors up to four, fewer if the deck runs out (N-3.6, N-10.6, N-11.8, N-13.5)."""
    count = PAVILION_SIZE - len(state.pavilion)
    rumors, state.rumor_deck = state.rumor_deck[:count], state.rumor_deck[count:]
    if rumors:
        state.pavilion = tuple(sorted((*state.pavilion, *rumors)))
        events.append(say.displayed("rumor", tuple(sorted(rumors))))


def take_skill(state: State, skill: int) -> None:
    """One copy of a tile leaves the Sensei's display (N-6.4)."""
    at = state.sensei.index(skill)
    state.sensei = state.sensei[:at] + state.sensei[at + 1 :]


def take_envoy(state: State, seat: Seat, envoy: int) -> None:
    """An envoy goes from the Palace to a player, face up (N-8.2)."""
    state.envoys[seat] = (*state.envoys[seat], envoy)
    state.palace = tuple([other for other in state.palace if other != envoy])


def take_rumor(state: State, seat: Seat, rumor: int) -> None:
    """A rumor goes from the Pavilion to a player, face down, but seen by all (N-9.2)."""
    state.rumors[seat] = (*state.rumors[seat], rumor)
    state.pavilion = tuple([other for other in state.pavilion if other != rumor])
