"""The Sensei: the display of skill tiles, learning a skill and paying for it (N-6.1 to N-6.5, N-10.3)."""

from __future__ import annotations

from functools import lru_cache

from referee.games.ninjato import events as say
from referee.games.ninjato import memory
from referee.games.ninjato.components import HENSOJUTSU_ROUNDS, REGULAR_ROUNDS, SKILLS, Counts
from referee.games.ninjato.counts import more
from referee.games.ninjato.options import LEARNS, SPENDS, Learn, Spend
from referee.games.ninjato.state import State
from referee.kernel.chance import Chance
from referee.kernel.frames import Frame
from referee.kernel.game import Event, Seat

_WAY = tuple(skill.way for skill in SKILLS)
_PRICE = tuple(skill.price for skill in SKILLS)


def display(state: State, number: int, events: list[Event]) -> None:
    """Display the tiles of round `number`: a regular tile per seat (N-3.6, N-3.9), later one Hensojutsu (N-6.5).

    Regular tiles that are left after round 4 stay in their deck, unseen and out of the game (N-10.3).
    """
    tiles: tuple[int, ...] = ()
    if number in REGULAR_ROUNDS:
        tiles, state.skill_deck = state.skill_deck[: state.seats], state.skill_deck[state.seats :]
    elif number in HENSOJUTSU_ROUNDS:
        tiles, state.hensojutsu_deck = state.hensojutsu_deck[:1], state.hensojutsu_deck[1:]
    state.sensei = tuple(sorted(tiles))
    events.append(say.displayed("skill", state.sensei))


@lru_cache(maxsize=1 << 14)
def _ways(ready: Counts, used: Counts) -> int:
    """The Ways of which a seat owns a tile, face up or down, as bits (N-6.2)."""
    owned = {skill.way for skill, up, down in zip(SKILLS, ready, used, strict=True) if up or down}
    return sum(1 << way for way in owned)


def price(ready: Counts, used: Counts, skill: int) -> int:
    """The price of a tile: a Dojo value, 0 for any card, -1 for nothing because its Way is owned (N-6.2, N-R22)."""
    return -1 if _ways(ready, used) >> _WAY[skill] & 1 else _PRICE[skill]


def learnable(displayed: tuple[int, ...], ready: Counts, used: Counts, hand: Counts) -> list[Learn]:
    """The displayed tiles that a hand can pay for, each sort once (N-6.1, N-6.4, N-2.2)."""
    ways = _ways(ready, used)
    found = []
    before = -1
    for skill in displayed:
        if skill != before:
            before = skill
            due = _PRICE[skill]
            if ways >> _WAY[skill] & 1 or (hand[due - 1] if due else any(hand)):
                found.append(LEARNS[skill])
    return found


def take_options(state: State, frame: Frame, seat: Seat) -> list[Learn]:
    """The displayed tiles that the seat can pay for, by number (N-6.1); none: the Sensei is closed (N-6.4)."""
    return learnable(state.sensei, state.ready[seat], state.used[seat], state.hands[seat])


def take(state: State, frame: Frame, option: Learn, chance: Chance, events: list[Event]) -> None:
    """Choose a tile: a printed value is paid at once, a `?` is asked for, a tile of an owned Way is free (N-6.2)."""
    seat, skill = frame[1], option.skill
    events.append(say.chose_card(seat, "skill", skill))
    due = price(state.ready[seat], state.used[seat], skill)
    if due == 0:
        state.stack[-1] = ("sensei_pay", seat, skill)
    else:
        _learn(state, seat, skill, due, events)


def pay_options(state: State, frame: Frame, seat: Seat) -> tuple[Spend, ...]:
    """The values in hand: a tile printed `?` accepts any of them (N-6.2)."""
    return tuple([option for option, count in zip(SPENDS, state.hands[seat], strict=True) if count])


def pay(state: State, frame: Frame, option: Spend, chance: Chance, events: list[Event]) -> None:
    """Pay for a tile with the chosen card (N-6.2)."""
    _, seat, skill = frame
    _learn(state, seat, skill, option.value, events)


def _learn(state: State, seat: Seat, skill: int, paid: int, events: list[Event]) -> None:
    """Pay with a card of value `paid`, if above 0, and own one copy of the tile, face up (N-6.1, N-6.3, N-6.4)."""
    if paid > 0:
        memory.spend(state, seat, paid - 1)
        events.append(say.paid_card(seat, paid - 1))
    at = state.sensei.index(skill)
    state.sensei = state.sensei[:at] + state.sensei[at + 1 :]
    state.ready[seat] = more(state.ready[seat], skill)
    events.append(say.gained_card(seat, "skill", skill))
    state.stack.clear()
