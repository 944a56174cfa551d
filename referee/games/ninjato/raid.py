"""Raiding a house: the fights, the loot, and how a raid ends (N-7).

A raid is one frame (`state.Raid`) that is replaced at every step, so it can be stored at every decision. What the
special skills do stands in `tricks.py`, which plays are legal in `plays.py`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import lru_cache
from typing import cast

from referee.games.ninjato import events as say
from referee.games.ninjato import houses, memory, tricks
from referee.games.ninjato.components import ELITES, GUARDS, RAID_TREASURES, SEISHIN_TEKI, TOKENS, Counts
from referee.games.ninjato.counts import NO_TREASURES, fewer, minus, more, plus
from referee.games.ninjato.decks import draw_elite, draw_guard
from referee.games.ninjato.options import BANZAI, GIVE_UP, LEAVE, SWITCH, Act, Keep, Play, PutToken, keeps, token_puts
from referee.games.ninjato.plays import cards_of, plays, targets, tiles_of
from referee.games.ninjato.state import ELITE, GUARD, NOBODY, SENTINEL, Raid, State
from referee.games.ninjato.tricks import Trick
from referee.games.ninjato.turns import end_turn
from referee.kernel.chance import Chance
from referee.kernel.frames import Frame
from referee.kernel.game import Event, Option, Seat

Step = Callable[[State, Raid, Option, Chance, list[Event]], None]


def begin(state: State, seat: Seat, house: int, mode: int) -> None:
    """The first opponent is the Sentinel, the loot is empty (N-7.1)."""
    card = state.sentinels[house]
    state.stack[-1] = Raid("fight", seat, house, mode, NO_TREASURES, NO_TREASURES, SENTINEL, card, 1)


@lru_cache(maxsize=1 << 16)
def _answers(hand: Counts, ready: Counts, mode: int, opponent: int, card: int, standing: int) -> tuple[Play | Act, ...]:
    """The legal plays against all parts that stand, part by part, and giving up, which is always legal (N-7.5)."""
    foes = targets(opponent, card, standing, mode)
    return (*(play for part, value in foes for play in plays(hand, ready, mode, value, part)), GIVE_UP)


def fight_options(state: State, frame: Frame, seat: Seat) -> tuple[Option, ...]:
    """Legal plays, switch, swaps, refreshes, give up (N-7.5)."""
    _, _, _, mode, _, _, opponent, card, standing = frame
    ready = state.ready[seat]
    answers = _answers(state.hands[seat], ready, mode, opponent, card, standing)
    others: list[Option] = [SWITCH] if ready[SEISHIN_TEKI] else []
    others += tricks.options(state, frame, seat)
    return (*answers[:-1], *others, GIVE_UP) if others else answers


def fight(state: State, frame: Frame, answers: Mapping[Seat, Option], chance: Chance, events: list[Event]) -> None:
    """A play, a skill or giving up (N-7.5)."""
    _take(_FIGHT, state, frame, answers, chance, events)


def _play(state: State, raid: Raid, option: Option, chance: Chance, events: list[Event]) -> None:
    """Spend the play (N-7.9); an opponent all of whose parts are beaten is beaten (N-7.11)."""
    play = cast(Play, option)
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
        _beaten(state, raid, events)


def _beaten(state: State, raid: Raid, events: list[Event]) -> None:
    """Loot a treasure; an elite becomes a trophy for good, a drawn guard is discarded, a Sentinel stays (N-7.3)."""
    _, seat, house, mode, light, red, opponent, card, _ = raid
    if opponent == GUARD:
        state.guard_discard = more(state.guard_discard, card)
    elif opponent == ELITE:
        state.trophies[seat] = (*state.trophies[seat], card)
        events.append(say.trophy(seat, card))
    treasure, side = houses.loot(state, house)
    events.append(say.looted(seat, treasure, side))
    if side:
        red = more(red, treasure)
    else:
        light = more(light, treasure)
    if state.is_open(house):
        state.stack[-1] = Raid("banzai", seat, house, mode, light, red, NOBODY, -1, 0)
    else:
        _win(state, seat, house, mode, plus(light, red), events)


def _win(state: State, seat: Seat, house: int, mode: int, loot: Counts, events: list[Event]) -> None:
    """Victory: all loot, the Sentinel is discarded, the house is closed, its clan changes (N-7.18)."""
    _own(state, seat, loot, events)
    state.guard_discard = more(state.guard_discard, state.sentinels[house])
    state.sentinels[house] = -1
    state.stack[-1] = Raid("clan_token", seat, house, mode, NO_TREASURES, NO_TREASURES, NOBODY, -1, 0)


def _own(state: State, seat: Seat, loot: Counts, events: list[Event]) -> None:
    state.treasures[seat] = plus(state.treasures[seat], loot)
    events.append(say.gained_treasures(seat, loot))


def token_options(state: State, frame: Frame, seat: Seat) -> tuple[PutToken, ...]:
    """The supply's tokens of the other two clans (N-7.18)."""
    return token_puts(state.supply, TOKENS[state.tokens[frame[2]]].clan)


def put_token(state: State, frame: Frame, answers: Mapping[Seat, Option], chance: Chance, events: list[Event]) -> None:
    """Exchange the house's token (N-7.18)."""
    _, seat, house, *_ = frame
    option = cast(PutToken, answers[seat])
    token = TOKENS.index((option.clan, option.value))
    supply = [other for other in state.supply if other != token]
    state.supply = tuple(sorted((*supply, state.tokens[house])))
    state.tokens[house] = token
    events.append(say.token_put(seat, house, token))
    end_turn(state, chance, events)


def banzai_options(state: State, frame: Frame, seat: Seat) -> tuple[Option, ...]:
    """Leave, banzai, swaps, refreshes (N-7.3)."""
    return (LEAVE, BANZAI, *tricks.options(state, frame, seat))


def banzai(state: State, frame: Frame, answers: Mapping[Seat, Option], chance: Chance, events: list[Event]) -> None:
    """Leave with the loot, go on, or use a skill and decide again (N-7.3)."""
    _take(_BANZAI, state, frame, answers, chance, events)


def _leave(state: State, raid: Raid, option: Option, chance: Chance, events: list[Event]) -> None:
    """All loot is the raider's; the house gets a treasure and keeps its Sentinel (N-7.16)."""
    events.append(say.acted(raid.seat, LEAVE.do))
    _own(state, raid.seat, plus(raid.light, raid.red), events)
    _close(state, raid.house, chance, events)


def _reveal(state: State, raid: Raid, option: Option, chance: Chance, events: list[Event]) -> None:
    """The next opponent: a guard before light treasures, an elite before red ones (N-7.4)."""
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
    # A guard that stands in for an elite has no alarm (N-13.2).
    if guarded and GUARDS[guard].alarm:
        houses.alarm(state, house, chance, events)
    state.stack[-1] = Raid("fight", seat, house, mode, light, red, GUARD, guard, 1)


def _give_up(state: State, raid: Raid, option: Option, chance: Chance, events: list[Event]) -> None:
    """Failure: the opponent is discarded; with loot one token may be kept (N-7.17)."""
    _, seat, house, mode, light, red, opponent, card, _ = raid
    events.append(say.acted(seat, GIVE_UP.do))
    if opponent == GUARD:
        state.guard_discard = more(state.guard_discard, card)
    elif opponent == ELITE:
        state.elite_discard = more(state.elite_discard, card)
    if any(light) or any(red):
        state.stack[-1] = Raid("keep", seat, house, mode, light, red, NOBODY, -1, 0)
    else:
        _close(state, house, chance, events)


def keep_options(state: State, frame: Frame, seat: Seat) -> tuple[Option, ...]:
    """The types in the loot, swaps, refreshes (N-7.17)."""
    return (*keeps(plus(frame[4], frame[5])), *tricks.options(state, frame, seat))


def keep(state: State, frame: Frame, answers: Mapping[Seat, Option], chance: Chance, events: list[Event]) -> None:
    """Keep one loot token, or use a skill and decide again (N-7.17)."""
    _take(_KEEP, state, frame, answers, chance, events)


def _keep(state: State, raid: Raid, option: Option, chance: Chance, events: list[Event]) -> None:
    """One token is the raider's, the rest of the loot is discarded (N-7.17)."""
    treasure = cast(Keep, option).treasure
    loot = plus(raid.light, raid.red)
    _own(state, raid.seat, more(NO_TREASURES, treasure), events)
    state.treasure_discard = plus(state.treasure_discard, fewer(loot, treasure))
    _close(state, raid.house, chance, events)


def _close(state: State, house: int, chance: Chance, events: list[Event]) -> None:
    """The raid is over: the house gets a treasure, light side up, and stays open (N-7.16, N-7.17)."""
    for _ in range(RAID_TREASURES):
        houses.add(state, house, chance, events)
    end_turn(state, chance, events)


def _switch(state: State, raid: Raid, option: Option, chance: Chance, events: list[Event]) -> None:
    tricks.switch(state, raid, events)


_FIGHT: dict[str, Step] = {"play": _play, "switch": _switch, "give_up": _give_up}
_BANZAI: dict[str, Step] = {"leave": _leave, "banzai": _reveal}
_KEEP: dict[str, Step] = {"keep": _keep}


def _take(
    steps: Mapping[str, Step],
    state: State,
    frame: Frame,
    answers: Mapping[Seat, Option],
    chance: Chance,
    events: list[Event],
) -> None:
    """Carry an answer out: a step of this decision, or one of the skills that every decision of a raid offers."""
    raid = cast(Raid, frame)
    option = cast(Trick, answers[raid.seat])
    step = steps.get(option.do)
    if step is None:
        tricks.apply(state, raid, option, events)
    else:
        step(state, raid, option, chance, events)
