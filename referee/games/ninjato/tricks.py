"""The three special skills of a raid: Chocho, Seishin-teki and Kuji-kiri (N-7.12 to N-7.15).

Chocho (swap) and Kuji-kiri (refresh) may be used in every decision of a raid that has loot at stake, Seishin-teki
(switch) only in a fight. After each of them the same decision is offered again.
"""

from __future__ import annotations

from functools import lru_cache
from typing import TypeAlias

from referee.games.ninjato import events as say
from referee.games.ninjato import houses
from referee.games.ninjato.components import CHOCHO, KUJI_KIRI, REFRESHABLE, SEISHIN_TEKI, Counts
from referee.games.ninjato.counts import fewer, more
from referee.games.ninjato.options import REFRESHES, Refresh, Swap, swap
from referee.games.ninjato.state import Raid, State
from referee.kernel.frames import Frame
from referee.kernel.game import Event, Seat

Trick: TypeAlias = Swap | Refresh


@lru_cache(maxsize=1 << 14)
def _swaps(light: Counts, red: Counts, house_light: Counts, house_red: Counts) -> tuple[Swap, ...]:
    """Every exchange of a loot token and a house token that differ, by type and side of both (N-7.13)."""
    loot = _tokens(light, red)
    house = _tokens(house_light, house_red)
    return tuple(swap("swap", *mine, *theirs) for mine in loot for theirs in house if mine != theirs)


def _tokens(light: Counts, red: Counts) -> list[tuple[int, int]]:
    return [(kind, side) for kind in range(len(light)) for side, heap in enumerate((light, red)) if heap[kind]]


@lru_cache(maxsize=1 << 14)
def _refreshes(used: Counts) -> tuple[Refresh, ...]:
    """The face-down tiles that Kuji-kiri may turn up, by number (N-7.15)."""
    return tuple(REFRESHES[skill] for skill in REFRESHABLE if used[skill])


def options(state: State, frame: Frame, seat: Seat) -> tuple[Trick, ...]:
    """Swaps, then refreshes (N-7.12)."""
    ready = state.ready[seat]
    found: tuple[Trick, ...] = ()
    if ready[CHOCHO]:
        _, _, house, _, light, red, *_ = frame
        found = _swaps(light, red, state.light[house], state.red[house])
    if ready[KUJI_KIRI]:
        found += _refreshes(state.used[seat])
    return found


def apply(state: State, raid: Raid, option: Trick, events: list[Event]) -> None:
    """Use Chocho or Kuji-kiri; the decision is offered again (N-7.5)."""
    if isinstance(option, Swap):
        _exchange(state, raid, option, events)
    else:
        _refresh(state, raid.seat, option.skill, events)


def _exchange(state: State, raid: Raid, option: Swap, events: list[Event]) -> None:
    """Chocho (N-7.13): the numbers of light and of red treasures in the house stay as they are."""
    _turn_down(state, raid.seat, CHOCHO)
    events.append(say.swapped(raid.seat, option))
    _, loot, loot_red, taken, taken_red = option
    loots = [raid.light, raid.red]
    loots[loot_red] = fewer(loots[loot_red], loot)
    loots[taken_red] = more(loots[taken_red], taken)
    house = raid.house
    sides = (state.light, state.red)
    sides[taken_red][house] = fewer(sides[taken_red][house], taken)
    lies_red = loot_red and taken_red
    sides[lies_red][house] = more(sides[lies_red][house], loot)
    if taken_red and not loot_red:
        houses.turn_best(state, house, events)
    state.stack[-1] = raid._replace(light=loots[0], red=loots[1])


def _refresh(state: State, seat: Seat, skill: int, events: list[Event]) -> None:
    """Kuji-kiri (N-7.15): a tile is usable again in this round."""
    _turn_down(state, seat, KUJI_KIRI)
    state.used[seat] = fewer(state.used[seat], skill)
    state.ready[seat] = more(state.ready[seat], skill)
    events.append(say.refreshed(seat, skill))


def switch(state: State, raid: Raid, events: list[Event]) -> None:
    """Seishin-teki (N-7.14): the other mode for this opponent and all that follow in this raid."""
    _turn_down(state, raid.seat, SEISHIN_TEKI)
    mode = 1 - raid.mode
    state.stack[-1] = raid._replace(mode=mode)
    events.append(say.switched(raid.seat, mode))


def _turn_down(state: State, seat: Seat, skill: int) -> None:
    """A used tile lies face down until the end of the round (N-6.6)."""
    state.ready[seat] = fewer(state.ready[seat], skill)
    state.used[seat] = more(state.used[seat], skill)
