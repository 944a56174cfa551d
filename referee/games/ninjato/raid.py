"""Raiding a house: what lies in it, the fights, the special skills, and how a raid ends (N-7).

A raid is one frame (`state.Raid`) that is replaced at every decision, so that it can be stored at each. Which plays
are legal stands in `plays.py`. Chocho (swap) and Kuji-kiri (refresh) may be used in each decision of a raid but the
choice of a clan token, Seishin-teki (switch) only in a fight; the same decision is then asked again (N-7.5, N-7.12).
"""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from typing import Any, TypeAlias

from referee.games.ninjato import events as say
from referee.games.ninjato import memory
from referee.games.ninjato.components import (
    CHOCHO,
    ELITES,
    GUARDS,
    HOUSE_TREASURES,
    KUJI_KIRI,
    RAID_TREASURES,
    REFRESHABLE,
    SEISHIN_TEKI,
    TOKENS,
    Counts,
)
from referee.games.ninjato.counts import NO_TREASURES, fewer, gather, minus, more, plus
from referee.games.ninjato.decks import draw_elite, draw_guard, draw_treasure
from referee.games.ninjato.options import (
    BANZAI,
    GIVE_UP,
    LEAVE,
    REFRESHES,
    SWITCH,
    Act,
    Keep,
    Play,
    PutToken,
    Refresh,
    Swap,
    keeps,
    swap,
    token_puts,
)
from referee.games.ninjato.plays import cards_of, plays, targets, tiles_of
from referee.games.ninjato.state import ELITE, GUARD, NO_OPPONENT, SENTINEL, Raid, State
from referee.kernel.chance import Chance
from referee.kernel.game import Event, Option, Seat


def stock(state: State, house: int, chance: Chance, events: list[Event]) -> None:
    """Give a house three treasures, or as many as there are, and a Sentinel (N-3.3, N-3.5, N-10.5).

    A house that gets no treasure gets no Sentinel and stays closed (N-13.4, N-R18).
    """
    drawn = [draw_treasure(state, chance, events) for _ in range(HOUSE_TREASURES)]
    treasures = tuple(sorted(treasure for treasure in drawn if treasure >= 0))
    if treasures:
        state.light[house] = gather(treasures, state.light[house])
        events.append(say.housed(house, treasures))
        state.sentinels[house] = draw_guard(state, chance, events)
        events.append(say.sentinel_came(house, state.sentinels[house]))


def _add_treasure(state: State, house: int, chance: Chance, events: list[Event]) -> bool:
    """Draw a treasure from the bag to a house, light side up; False if there is none (N-13.4, N-R18)."""
    treasure = draw_treasure(state, chance, events)
    if treasure < 0:
        return False
    state.light[house] = more(state.light[house], treasure)
    events.append(say.housed(house, (treasure,)))
    return True


def _turn_best(state: State, house: int, events: list[Event]) -> None:
    """Turn the highest-ranked light treasure of a house to its red side (N-7.4, N-7.13, N-R12)."""
    light = state.light[house]
    best = max(kind for kind, count in enumerate(light) if count)
    state.light[house] = fewer(light, best)
    state.red[house] = more(state.red[house], best)
    events.append(say.turned_red(house, best))


def lowest(light: Counts, red: Counts) -> tuple[int, int]:
    """The lowest light treasure, or without one the lowest red: the type and side of what is won next (N-7.3).

    A raid begins with a light treasure in the house (N-7.19), unless bag and discard pile were empty (N-13.4).
    """
    side = 0 if any(light) else 1
    return next(kind for kind, count in enumerate((light, red)[side]) if count), side


def _take_lowest(state: State, house: int) -> tuple[int, int]:
    """Take the treasure that a beaten opponent yields out of a house: its type and side (N-7.3)."""
    treasure, side = lowest(state.light[house], state.red[house])
    heaps = (state.light, state.red)[side]
    heaps[house] = fewer(heaps[house], treasure)
    return treasure, side


def begin(state: State, seat: Seat, house: int, mode: int) -> None:
    """Ask for the fight against the Sentinel; the loot is empty (N-7.1, N-7.2)."""
    card = state.sentinels[house]
    state.stack[-1] = Raid("fight", seat, house, mode, NO_TREASURES, NO_TREASURES, SENTINEL, card, 1)


@lru_cache(maxsize=1 << 16)
def _plays(hand: Counts, ready: Counts, mode: int, opponent: int, card: int, standing: int) -> tuple[Play | Act, ...]:
    """The legal plays against all parts that stand, part by part (N-7.11, N-R11), and giving up (N-7.5)."""
    foes = targets(opponent, card, standing, mode)
    return (*(play for part, value in foes for play in plays(hand, ready, mode, value, part)), GIVE_UP)


@lru_cache(maxsize=1 << 14)
def _swaps(light: Counts, red: Counts, house_light: Counts, house_red: Counts) -> tuple[Swap, ...]:
    """Every exchange of a loot token and a house token that differ, by type and side of both (N-7.13)."""
    loot = _tokens(light, red)
    house = _tokens(house_light, house_red)
    return tuple(swap("swap", *mine, *theirs) for mine in loot for theirs in house if mine != theirs)


def _tokens(light: Counts, red: Counts) -> list[tuple[int, int]]:
    """The different tokens of a heap as (type, side): equal ones are interchangeable (N-2.2)."""
    return [(kind, side) for kind in range(len(light)) for side, heap in enumerate((light, red)) if heap[kind]]


@lru_cache(maxsize=1 << 14)
def _refreshes(used: Counts) -> tuple[Refresh, ...]:
    """The face-down tiles that Kuji-kiri may turn up, by number (N-7.15, N-R13)."""
    return tuple(REFRESHES[skill] for skill in REFRESHABLE if used[skill])


def _skill_options(state: State, raid: Raid, seat: Seat) -> tuple[Swap | Refresh, ...]:
    """Swaps, then refreshes (N-7.12)."""
    ready = state.ready[seat]
    found: tuple[Swap | Refresh, ...] = ()
    if ready[CHOCHO]:
        _, _, house, _, light, red, *_ = raid
        found = _swaps(light, red, state.light[house], state.red[house])
    if ready[KUJI_KIRI]:
        found += _refreshes(state.used[seat])
    return found


def fight_options(state: State, raid: Raid, seat: Seat) -> tuple[Option, ...]:
    """Legal plays, switch, swaps, refreshes, and giving up, which is always legal (N-7.5, N-R7)."""
    _, _, _, mode, _, _, opponent, card, standing = raid
    ready = state.ready[seat]
    answers = _plays(state.hands[seat], ready, mode, opponent, card, standing)
    others: list[Option] = [SWITCH] if ready[SEISHIN_TEKI] else []
    others += _skill_options(state, raid, seat)
    return (*answers[:-1], *others, GIVE_UP) if others else answers


def banzai_options(state: State, raid: Raid, seat: Seat) -> tuple[Option, ...]:
    """Leave, banzai, swaps, refreshes (N-7.3)."""
    return (LEAVE, BANZAI, *_skill_options(state, raid, seat))


def keep_options(state: State, raid: Raid, seat: Seat) -> tuple[Option, ...]:
    """The types in the loot, swaps, refreshes (N-7.17)."""
    return (*keeps(plus(raid.light, raid.red)), *_skill_options(state, raid, seat))


def act(state: State, raid: Raid, option: Any, chance: Chance, events: list[Event]) -> None:
    """Carry out an answer to `fight`, `banzai` or `keep` by its verb (N-7.3, N-7.5, N-7.17)."""
    _ACTS[option.do](state, raid, option, chance, events)


def _play(state: State, raid: Raid, play: Play, chance: Chance, events: list[Event]) -> None:
    """Spend the play (N-7.9); an opponent all of whose parts are beaten is beaten (N-7.11)."""
    seat = raid.seat
    memory.spend_all(state, seat, cards_of(play))
    if play.tiles:
        tiles = tiles_of(play)
        state.ready[seat] = minus(state.ready[seat], tiles)
        state.used[seat] = plus(state.used[seat], tiles)
    events.append(say.played(seat, play))
    standing = raid.standing & ~(1 << play.part)
    if standing:
        state.stack[-1] = raid._replace(standing=standing)
    else:
        _loot(state, raid, events)


def _loot(state: State, raid: Raid, events: list[Event]) -> None:
    """A beaten opponent yields one treasure; the raid goes on or has emptied the house (N-7.3).

    A beaten elite guard is a trophy for good (N-R6), a drawn guard is discarded, a Sentinel stays.
    """
    _, seat, house, mode, light, red, opponent, card, _ = raid
    if opponent == GUARD:
        state.guard_discard = more(state.guard_discard, card)
    elif opponent == ELITE:
        state.trophies[seat] = (*state.trophies[seat], card)
        events.append(say.trophy(seat, card))
    treasure, side = _take_lowest(state, house)
    events.append(say.looted(seat, treasure, side))
    if side:
        red = more(red, treasure)
    else:
        light = more(light, treasure)
    if state.is_open(house):
        state.stack[-1] = Raid("banzai", seat, house, mode, light, red, NO_OPPONENT, -1, 0)
        return
    # Victory: all loot, the Sentinel is discarded, the house is closed, its clan changes (N-7.18).
    _own(state, seat, plus(light, red), events)
    state.guard_discard = more(state.guard_discard, state.sentinels[house])
    state.sentinels[house] = -1
    state.stack[-1] = Raid("clan_token", seat, house, mode, NO_TREASURES, NO_TREASURES, NO_OPPONENT, -1, 0)


def _own(state: State, seat: Seat, loot: Counts, events: list[Event]) -> None:
    """Loot becomes a seat's own treasure, whatever its side was (N-1.4)."""
    state.treasures[seat] = plus(state.treasures[seat], loot)
    events.append(say.gained_treasures(seat, loot))


def token_options(state: State, raid: Raid, seat: Seat) -> tuple[PutToken, ...]:
    """The supply's tokens of the other two clans (N-7.18)."""
    return token_puts(state.supply, TOKENS[state.tokens[raid.house]].clan)


def put_token(state: State, raid: Raid, option: PutToken, chance: Chance, events: list[Event]) -> None:
    """Exchange the house's token for one of the supply; the raid is over (N-7.18)."""
    house = raid.house
    token = TOKENS.index((option.clan, option.value))
    supply = [other for other in state.supply if other != token]
    state.supply = tuple(sorted((*supply, state.tokens[house])))
    state.tokens[house] = token
    events.append(say.token_put(raid.seat, house, token))
    state.stack.clear()


def _leave(state: State, raid: Raid, option: Act, chance: Chance, events: list[Event]) -> None:
    """All loot is the raider's (N-7.16)."""
    events.append(say.acted(raid.seat, LEAVE.do))
    _own(state, raid.seat, plus(raid.light, raid.red), events)
    _close(state, raid.house, chance, events)


def _reveal(state: State, raid: Raid, option: Act, chance: Chance, events: list[Event]) -> None:
    """Reveal the next opponent: a guard before light treasures, an elite guard before red ones (N-7.4).

    An alarm brings one treasure more and turns the best light one red; without a treasure nothing is turned (N-13.4).
    When all elite guards are trophies a guard stands in, without his alarm (N-13.2, N-R17).
    """
    events.append(say.acted(raid.seat, BANZAI.do))
    _, seat, house, mode, light, red, *_ = raid
    guarded = any(state.light[house])
    elite = -1 if guarded else draw_elite(state, chance, events)
    if elite >= 0:
        events.append(say.elite_came(elite))
        standing = (1 << len(ELITES[elite].parts)) - 1
        state.stack[-1] = Raid("fight", seat, house, mode, light, red, ELITE, elite, standing)
        return
    guard = draw_guard(state, chance, events)
    events.append(say.guard_came(guard))
    if guarded and GUARDS[guard].alarm and _add_treasure(state, house, chance, events):
        _turn_best(state, house, events)
    state.stack[-1] = Raid("fight", seat, house, mode, light, red, GUARD, guard, 1)


def _give_up(state: State, raid: Raid, option: Act, chance: Chance, events: list[Event]) -> None:
    """Failure: the opponent is discarded; with loot the raider is asked which token to keep (N-7.17)."""
    _, seat, house, mode, light, red, opponent, card, _ = raid
    events.append(say.acted(seat, GIVE_UP.do))
    if opponent == GUARD:
        state.guard_discard = more(state.guard_discard, card)
    elif opponent == ELITE:
        state.elite_discard = more(state.elite_discard, card)
    if any(light) or any(red):
        state.stack[-1] = Raid("keep", seat, house, mode, light, red, NO_OPPONENT, -1, 0)
    else:
        _close(state, house, chance, events)


def _keep(state: State, raid: Raid, option: Keep, chance: Chance, events: list[Event]) -> None:
    """One token is the raider's, the rest of the loot is discarded (N-7.17)."""
    loot = plus(raid.light, raid.red)
    _own(state, raid.seat, more(NO_TREASURES, option.treasure), events)
    state.treasure_discard = plus(state.treasure_discard, fewer(loot, option.treasure))
    _close(state, raid.house, chance, events)


def _close(state: State, house: int, chance: Chance, events: list[Event]) -> None:
    """The raid is over: the house gets a treasure, keeps its Sentinel and stays open (N-7.16, N-7.17)."""
    for _ in range(RAID_TREASURES):
        _add_treasure(state, house, chance, events)
    state.stack.clear()


def _exchange(state: State, raid: Raid, option: Swap, chance: Chance, events: list[Event]) -> None:
    """Chocho (N-7.13, N-R12): the numbers of light and of red treasures in the house stay the same."""
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
        _turn_best(state, house, events)
    state.stack[-1] = raid._replace(light=loots[0], red=loots[1])


def _refresh(state: State, raid: Raid, option: Refresh, chance: Chance, events: list[Event]) -> None:
    """Kuji-kiri (N-7.15): a tile is usable again in this round."""
    seat = raid.seat
    _turn_down(state, seat, KUJI_KIRI)
    state.used[seat] = fewer(state.used[seat], option.skill)
    state.ready[seat] = more(state.ready[seat], option.skill)
    events.append(say.refreshed(seat, option.skill))


def _switch(state: State, raid: Raid, option: Act, chance: Chance, events: list[Event]) -> None:
    """Seishin-teki (N-7.14): the other mode for this opponent and all that follow in this raid."""
    _turn_down(state, raid.seat, SEISHIN_TEKI)
    mode = 1 - raid.mode
    state.stack[-1] = raid._replace(mode=mode)
    events.append(say.switched(raid.seat, mode))


def _turn_down(state: State, seat: Seat, skill: int) -> None:
    """Turn a used tile face down until the end of the round (N-6.6)."""
    state.ready[seat] = fewer(state.ready[seat], skill)
    state.used[seat] = more(state.used[seat], skill)


_Act: TypeAlias = Callable[[State, Raid, Any, Chance, list[Event]], None]
"""Carries out an option of one verb; the type of the option differs from verb to verb."""

_ACTS: dict[str, _Act] = {
    "play": _play,
    "switch": _switch,
    "swap": _exchange,
    "refresh": _refresh,
    "give_up": _give_up,
    "leave": _leave,
    "banzai": _reveal,
    "keep": _keep,
}
