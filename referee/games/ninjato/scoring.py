"""Points: the scoring phases after rounds 3, 5 and 7 (N-11), the bonuses at the end and the ranking (N-12).

A scoring phase is one frame (`state.Scoring`) that is replaced from decision to decision: first the Hensojutsu tiles in
turn order, then the clans for their firsts, then the clans for their seconds. Steps without a decision are carried out
on the way, and the stack is empty when the phase is over.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from referee.games.ninjato import events as say
from referee.games.ninjato import market
from referee.games.ninjato.components import (
    CLAN_ORDER,
    CLANS,
    ELITES,
    ENVOYS,
    FOES_HONOR,
    HENSOJUTSU,
    RUMOR_COUNTS_WHAT,
    RUMOR_MULTIPLIER,
    RUMOR_SET,
    RUMOR_TYPES,
    RUMORS,
    TOKENS,
    UNUSED_TREASURE_HONOR,
    Counts,
)
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
from referee.kernel.game import TABLE, Event, Result, Seat, Verb, rank

NOTHING_LEFT, HONOR_LEFT, RUMOR_LEFT = range(3)
"""What the first of a clan leaves for the second: the values in `Scoring.left`."""


class Owned(Protocol):
    """What the seats own in sight of all: a state has it, and so has every view."""

    @property
    def honor(self) -> Sequence[int]:
        """By seat, like the fields that follow."""

    @property
    def treasures(self) -> Sequence[Counts]:
        """Fan to gold."""

    @property
    def ready(self) -> Sequence[Counts]:
        """Face-up skill tiles."""

    @property
    def used(self) -> Sequence[Counts]:
        """Face-down skill tiles."""

    @property
    def envoys(self) -> Sequence[tuple[int, ...]]:
        """In the order in which they were taken, like rumors and trophies."""

    @property
    def rumors(self) -> Sequence[tuple[int, ...]]:
        """By number."""

    @property
    def trophies(self) -> Sequence[tuple[int, ...]]:
        """Kinds of elite guards."""


def begin(state: State, events: list[Event]) -> None:
    """Begin a scoring phase with the disguises (N-11.2)."""
    events.append(Event(Verb.PHASE, TABLE, "scoring", (state.round,)))
    _next_disguise(state, 0, (), events)


def _next_disguise(state: State, step: int, disguised: tuple[int, ...], events: list[Event]) -> None:
    """Ask the owner of the next Hensojutsu tile, in turn order (N-11.2); after the last the firsts follow."""
    owners = [seat for seat in state.order for skill in HENSOJUTSU for _ in range(state.ready[seat][skill])]
    if step < len(owners):
        state.stack[:] = (Scoring("disguise", owners[step], step, disguised, ()),)
    else:
        _next_first(state, disguised, (), events)


def disguise_options(state: State, frame: Scoring, seat: Seat) -> tuple[Disguise, ...]:
    """The own masked envoys not yet chosen, by number, then none (N-11.2, N-R15)."""
    masked = [envoy for envoy in sorted(state.envoys[seat]) if ENVOYS[envoy].mask and envoy not in frame.disguised]
    return (*(DISGUISES[envoy] for envoy in masked), NO_DISGUISE)


def disguise(state: State, frame: Scoring, option: Disguise, chance: Chance, events: list[Event]) -> None:
    """One envoy counts once more in this phase, or none (N-11.2)."""
    _, seat, step, disguised, _ = frame
    events.append(say.disguised(seat, option.envoy))
    _next_disguise(state, step + 1, disguised if option.envoy < 0 else (*disguised, option.envoy), events)


def influence(owned: Owned, seat: Seat, clan: int, disguised: Sequence[int]) -> int:
    """The number of a seat's envoys of a clan, disguised ones counted twice (N-11.1)."""
    envoys = [envoy for envoy in owned.envoys[seat] if ENVOYS[envoy].clan == clan]
    return len(envoys) + sum(envoy in disguised for envoy in envoys)


def ranking(owned: Owned, clan: int, disguised: Sequence[int]) -> list[Seat]:
    """The seats with influence in a clan: more influence first, then the older oldest envoy (N-11.3)."""
    ranked = []
    for seat, envoys in enumerate(owned.envoys):
        ages = [ENVOYS[envoy].age for envoy in envoys if ENVOYS[envoy].clan == clan]
        if ages:
            ranked.append((-influence(owned, seat, clan, disguised), -max(ages), seat))
    return [seat for _, _, seat in sorted(ranked)]


def clan_honor(tokens: Sequence[int], clan: int) -> int:
    """The sum of a clan's tokens among those on the houses (N-11.5)."""
    return sum(TOKENS[token].value for token in tokens if TOKENS[token].clan == clan)


def _award(state: State, seat: Seat, clan: int, events: list[Event]) -> None:
    """A seat scores the sum of a clan's tokens on houses (N-11.5)."""
    honor = clan_honor(state.tokens, clan)
    state.honor[seat] += honor
    events.append(say.scored(seat, CLANS[clan], honor))


def _next_first(state: State, disguised: tuple[int, ...], left: tuple[int, ...], events: list[Event]) -> None:
    """Ask the first of the next clan, in the round's order (N-11.4, N-11.5); a clan without one is skipped (N-11.7)."""
    order = CLAN_ORDER[state.round]
    while len(left) < len(order):
        step = len(left)
        ranked = ranking(state, order[step], disguised)
        if ranked:
            state.stack[:] = (Scoring("clan_reward", ranked[0], step, disguised, left),)
            return
        left = (*left, NOTHING_LEFT)
    _next_second(state, 0, disguised, left, events)


def reward_options(state: State, frame: Scoring, seat: Seat) -> tuple[Reward, ...]:
    """Honor, then a rumor if one is displayed (N-11.5)."""
    return REWARDS if state.pavilion else REWARDS[:1]


def reward(state: State, frame: Scoring, option: Reward, chance: Chance, events: list[Event]) -> None:
    """The first takes honor at once, or is asked for a rumor (N-11.5)."""
    _, seat, step, disguised, left = frame
    clan = CLAN_ORDER[state.round][step]
    events.append(say.rewarded(seat, clan, option.what))
    if option == HONOR:
        _award(state, seat, clan, events)
        _next_first(state, disguised, (*left, RUMOR_LEFT), events)
    else:
        state.stack[-1] = Scoring("rumor_free", seat, step, disguised, (*left, HONOR_LEFT))


def rumor_options(state: State, frame: Scoring, seat: Seat) -> tuple[TakeRumor, ...]:
    """The displayed rumors, by number (N-11.5, N-11.6)."""
    return tuple([RUMOR_TAKES[rumor] for rumor in state.pavilion])


def take_free_rumor(state: State, frame: Scoring, option: TakeRumor, chance: Chance, events: list[Event]) -> None:
    """Take a displayed rumor without paying and without honor (N-11.5, N-11.6)."""
    _, seat, step, disguised, left = frame
    market.take_rumor(state, seat, option.rumor)
    events.append(say.gained_card(seat, "rumor", option.rumor))
    if step < len(CLANS):
        _next_first(state, disguised, left, events)
    else:
        _next_second(state, step - len(CLANS) + 1, disguised, left, events)


def _next_second(
    state: State, step: int, disguised: tuple[int, ...], left: tuple[int, ...], events: list[Event]
) -> None:
    """Give the second of each clan what the first left, a rumor only if one is displayed (N-11.6, N-R16).

    After the last clan the Pavilion is filled, and the phase is over (N-11.8).
    """
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
    market.fill_pavilion(state, events)
    state.stack.clear()


def multiplier(cards: int) -> int:
    """The factor of a number of rumors of one type: complete sets, and the beginning of the next (N-12.2)."""
    sets, rest = divmod(cards, RUMOR_SET)
    return sets * RUMOR_MULTIPLIER[RUMOR_SET] + RUMOR_MULTIPLIER[rest]


def cards_of_type(rumors: tuple[int, ...], sort: int) -> int:
    """The number of rumors of a type."""
    return sum(RUMORS[rumor].type == sort for rumor in rumors)


def rumor_honor(owned: Owned, seat: Seat, sort: int) -> int:
    """The honor that a seat's rumors of one type bring (N-12.2, N-12.3, N-R19)."""
    cards = cards_of_type(owned.rumors[seat], sort)
    what = RUMOR_COUNTS_WHAT[sort]
    if what == "owners":
        owners = sum(cards_of_type(rumors, sort) > 0 for rumors in owned.rumors)
        return cards * FOES_HONOR[owners]
    counted = {
        "elite_guards": len(owned.trophies[seat]),
        "rumors": len(owned.rumors[seat]),
        "envoys": len(owned.envoys[seat]),
        "skills": sum(owned.ready[seat]) + sum(owned.used[seat]),
    }
    return multiplier(cards) * counted[what]


def bonuses(owned: Owned, seat: Seat) -> list[tuple[str, int]]:
    """All honor that a seat adds at the end, by name (N-12.2 to N-12.5); the hand is worth nothing (N-12.6)."""
    return [
        *((name, rumor_honor(owned, seat, sort)) for sort, name in enumerate(RUMOR_TYPES)),
        ("treasures", UNUSED_TREASURE_HONOR * sum(owned.treasures[seat])),
        ("trophies", sum(ELITES[elite].honor for elite in owned.trophies[seat])),
    ]


def add_bonuses(state: State, events: list[Event]) -> None:
    """Reveal the rumors and add all bonuses (N-12.1)."""
    for seat in range(state.seats):
        if state.rumors[seat]:
            events.append(say.revealed_rumors(seat, state.rumors[seat]))
        for name, honor in bonuses(state, seat):
            if honor:
                state.honor[seat] += honor
                events.append(say.scored(seat, name, honor))


def result(state: State) -> Result | None:
    """Places by honor, then envoys, then the oldest envoy of any clan (N-12.7); None while the game goes on."""
    return None if state.stack else final_result(state)


def final_result(owned: Owned) -> Result:
    """Places by honor, then envoys, then the oldest envoy of any clan, all bonuses being in the honor (N-12.7)."""
    keys = [
        (owned.honor[seat], len(envoys), max((ENVOYS[envoy].age for envoy in envoys), default=0))
        for seat, envoys in enumerate(owned.envoys)
    ]
    return Result(rank(keys), tuple(owned.honor), "all rounds were played")
