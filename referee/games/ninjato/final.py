"""The end of the game: bonuses and ranking (N-12)."""

from __future__ import annotations

from referee.games.ninjato import events as say
from referee.games.ninjato.components import (
    ELITES,
    ENVOYS,
    FOES_HONOR,
    RUMOR_COUNTS_WHAT,
    RUMOR_MULTIPLIER,
    RUMOR_SET,
    RUMOR_TYPES,
    RUMORS,
    UNUSED_TREASURE_HONOR,
)
from referee.games.ninjato.state import State
from referee.kernel.game import Event, Result, Seat, rank


def multiplier(cards: int) -> int:
    """What a number of rumors of one type multiplies by: complete sets, and the beginning of the next (N-12.2)."""
    sets, rest = divmod(cards, RUMOR_SET)
    return sets * RUMOR_MULTIPLIER[RUMOR_SET] + RUMOR_MULTIPLIER[rest]


def cards_of_type(rumors: tuple[int, ...], sort: int) -> int:
    """How many rumors are of a type."""
    return sum(RUMORS[rumor].type == sort for rumor in rumors)


def rumor_honor(state: State, seat: Seat, sort: int) -> int:
    """The honor that a seat's rumors of one type bring (N-12.2, N-12.3)."""
    cards = cards_of_type(state.rumors[seat], sort)
    what = RUMOR_COUNTS_WHAT[sort]
    if what == "owners":
        owners = sum(cards_of_type(rumors, sort) > 0 for rumors in state.rumors)
        return cards * FOES_HONOR[owners]
    counted = {
        "elite_guards": len(state.trophies[seat]),
        "rumors": len(state.rumors[seat]),
        "envoys": len(state.envoys[seat]),
        "skills": sum(state.ready[seat]) + sum(state.used[seat]),
    }
    return multiplier(cards) * counted[what]


def bonuses(state: State, seat: Seat) -> list[tuple[str, int]]:
    """Everything a seat adds at the end, by name (N-12.2 to N-12.5); the hand is worth nothing (N-12.6)."""
    return [
        *((name, rumor_honor(state, seat, sort)) for sort, name in enumerate(RUMOR_TYPES)),
        ("treasures", UNUSED_TREASURE_HONOR * sum(state.treasures[seat])),
        ("trophies", sum(ELITES[elite].honor for elite in state.trophies[seat])),
    ]


def score(state: State, events: list[Event]) -> None:
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
    if state.stack:
        return None
    keys = [
        (state.honor[seat], len(envoys), max((ENVOYS[envoy].age for envoy in envoys), default=0))
        for seat, envoys in enumerate(state.envoys)
    ]
    return Result(rank(keys), tuple(state.honor), "all rounds were played")
