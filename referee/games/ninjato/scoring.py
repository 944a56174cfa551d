"""The scoring phase after rounds 3, 5 and 7: disguises, firsts, seconds (N-11).

The phase is one frame (`state.Scoring`) that is replaced from decision to decision. It goes through the Hensojutsu
tiles in turn order, then through the clans for the firsts, then through the clans again for the seconds; steps that
ask nobody are carried out on the way.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import cast

from referee.games.ninjato import displays, final, rounds
from referee.games.ninjato import events as say
from referee.games.ninjato.components import CLAN_ORDER, CLANS, ENVOYS, HENSOJUTSU, ROUNDS, TOKENS
from referee.games.ninjato.options import (
    DISGUISES,
    HONOR,
    NO_DISGUISE,
    REWARDS,
    RUMOR_TAKES,
    Disguise,
    Reward,
    TakeRumor,
)
from referee.games.ninjato.state import Scoring, State
from referee.kernel.chance import Chance
from referee.kernel.frames import Frame
from referee.kernel.game import TABLE, Event, Option, Seat, Verb

NOTHING_LEFT, HONOR_LEFT, RUMOR_LEFT = range(3)


def begin(state: State, events: list[Event]) -> None:
    """The phase begins with the disguises (N-11.2)."""
    events.append(Event(Verb.PHASE, TABLE, "scoring", (state.round,)))
    _next_disguise(state, 0, (), events)


def _masters(state: State) -> list[Seat]:
    """The owner of each Hensojutsu tile, in turn order (N-11.2)."""
    return [seat for seat in state.order for skill in HENSOJUTSU for _ in range(state.ready[seat][skill])]


def _next_disguise(state: State, step: int, disguised: tuple[int, ...], events: list[Event]) -> None:
    masters = _masters(state)
    if step < len(masters):
        state.stack[:] = (Scoring("disguise", masters[step], step, disguised, ()),)
    else:
        _next_first(state, disguised, (), events)


def disguise_options(state: State, frame: Frame, seat: Seat) -> tuple[Disguise, ...]:
    """The own masked envoys not yet chosen, by number, then none (N-11.2)."""
    disguised = frame[3]
    masked = [envoy for envoy in sorted(state.envoys[seat]) if ENVOYS[envoy].mask and envoy not in disguised]
    return (*(DISGUISES[envoy] for envoy in masked), NO_DISGUISE)


def disguise(state: State, frame: Frame, answers: Mapping[Seat, Option], chance: Chance, events: list[Event]) -> None:
    """One envoy counts once more in this phase, or none (N-11.2)."""
    _, seat, step, disguised, _ = frame
    envoy = cast(Disguise, answers[seat]).envoy
    events.append(say.disguised(seat, envoy))
    _next_disguise(state, step + 1, disguised if envoy < 0 else (*disguised, envoy), events)


def influence(state: State, seat: Seat, clan: int, disguised: tuple[int, ...]) -> int:
    """The seat's envoys of a clan, the disguised ones counting twice (N-11.1)."""
    envoys = [envoy for envoy in state.envoys[seat] if ENVOYS[envoy].clan == clan]
    return len(envoys) + sum(envoy in disguised for envoy in envoys)


def ranking(state: State, clan: int, disguised: tuple[int, ...]) -> list[Seat]:
    """The seats with influence in a clan: more influence first, then the older oldest envoy (N-11.3)."""
    ranked = []
    for seat, envoys in enumerate(state.envoys):
        ages = [ENVOYS[envoy].age for envoy in envoys if ENVOYS[envoy].clan == clan]
        if ages:
            ranked.append((-influence(state, seat, clan, disguised), -max(ages), seat))
    return [seat for _, _, seat in sorted(ranked)]


def clan_honor(state: State, clan: int) -> int:
    """The sum of a clan's tokens on houses (N-11.5)."""
    return sum(TOKENS[token].value for token in state.tokens if TOKENS[token].clan == clan)


def _next_first(state: State, disguised: tuple[int, ...], left: tuple[int, ...], events: list[Event]) -> None:
    """The first of the next clan chooses a reward (N-11.5); a clan without influence gives nothing (N-11.7)."""
    order = CLAN_ORDER[state.round]
    while len(left) < len(order):
        step = len(left)
        ranked = ranking(state, order[step], disguised)
        if ranked:
            state.stack[:] = (Scoring("clan_reward", ranked[0], step, disguised, left),)
            return
        left = (*left, NOTHING_LEFT)
    _next_second(state, 0, disguised, left, events)


def reward_options(state: State, frame: Frame, seat: Seat) -> tuple[Reward, ...]:
    """Honor, or a rumor if one is displayed (N-11.5)."""
    return REWARDS if state.pavilion else REWARDS[:1]


def reward(state: State, frame: Frame, answers: Mapping[Seat, Option], chance: Chance, events: list[Event]) -> None:
    """The first takes honor at once, or goes on to choose a rumor (N-11.5)."""
    _, seat, step, disguised, left = frame
    choice = cast(Reward, answers[seat])
    clan = CLAN_ORDER[state.round][step]
    events.append(say.rewarded(seat, clan, choice.what))
    if choice == HONOR:
        _award(state, seat, clan, events)
        _next_first(state, disguised, (*left, RUMOR_LEFT), events)
    else:
        state.stack[-1] = Scoring("rumor_free", seat, step, disguised, (*left, HONOR_LEFT))


def _award(state: State, seat: Seat, clan: int, events: list[Event]) -> None:
    honor = clan_honor(state, clan)
    state.honor[seat] += honor
    events.append(say.scored(seat, CLANS[clan], honor))


def rumor_options(state: State, frame: Frame, seat: Seat) -> tuple[TakeRumor, ...]:
    """The displayed rumors, by number (N-11.5, N-11.6)."""
    return tuple([RUMOR_TAKES[rumor] for rumor in state.pavilion])


def take_rumor(state: State, frame: Frame, answers: Mapping[Seat, Option], chance: Chance, events: list[Event]) -> None:
    """A displayed rumor without paying and without honor (N-11.5, N-11.6)."""
    _, seat, step, disguised, left = frame
    rumor = cast(TakeRumor, answers[seat]).rumor
    displays.take_rumor(state, seat, rumor)
    events.append(say.gained_card(seat, "rumor", rumor))
    if step < len(CLANS):
        _next_first(state, disguised, left, events)
    else:
        _next_second(state, step - len(CLANS) + 1, disguised, left, events)


def _next_second(
    state: State, step: int, disguised: tuple[int, ...], left: tuple[int, ...], events: list[Event]
) -> None:
    """The second of each clan gets what the first left, a rumor only if one is displayed (N-11.6)."""
    order = CLAN_ORDER[state.round]
    while step < len(order):
        ranked = ranking(state, order[step], disguised)
        if len(ranked) > 1:
            if left[step] == HONOR_LEFT:
                _award(state, ranked[1], order[step], events)
            elif state.pavilion:
                state.stack[:] = (Scoring("rumor_free", ranked[1], len(CLANS) + step, disguised, left),)
                return
        step += 1
    _finish(state, events)


def _finish(state: State, events: list[Event]) -> None:
    """Refill the Pavilion (N-11.8), then the next round, or the end of the game after the last (N-10.7)."""
    displays.fill_pavilion(state, events)
    if state.round == ROUNDS:
        final.score(state, events)
        state.stack.clear()
    else:
        rounds.begin_round(state, state.round + 1, events)
