"""The Sensei: learning a skill and paying for it (N-6.1 to N-6.5)."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from typing import cast

from referee.games.ninjato import displays, memory
from referee.games.ninjato import events as say
from referee.games.ninjato.components import SKILLS, Counts
from referee.games.ninjato.counts import more
from referee.games.ninjato.options import LEARNS, SPENDS, Learn, Spend
from referee.games.ninjato.state import State
from referee.games.ninjato.turns import end_turn
from referee.kernel.chance import Chance
from referee.kernel.frames import Frame
from referee.kernel.game import Event, Option, Seat

_WAY = tuple(skill.way for skill in SKILLS)
_PRICE = tuple(skill.price for skill in SKILLS)


@lru_cache(maxsize=1 << 14)
def _ways(ready: Counts, used: Counts) -> int:
    """The Ways of which a player owns a tile, face up or down, as bits (N-6.2)."""
    owned = {skill.way for skill, up, down in zip(SKILLS, ready, used, strict=True) if up or down}
    return sum(1 << way for way in owned)


def price(ready: Counts, used: Counts, skill: int) -> int:
    """What a tile costs: a Dojo value, 0 for any card, -1 for nothing because its Way is owned (N-6.2)."""
    return -1 if _ways(ready, used) >> _WAY[skill] & 1 else _PRICE[skill]


def learnable(display: tuple[int, ...], ready: Counts, used: Counts, hand: Counts) -> list[Learn]:
    """The displayed tiles that can be paid for, each sort once (N-6.1, N-6.4)."""
    ways = _ways(ready, used)
    found = []
    before = -1
    for skill in display:
        if skill != before:
            before = skill
            due = _PRICE[skill]
            if ways >> _WAY[skill] & 1 or (hand[due - 1] if due else any(hand)):
                found.append(LEARNS[skill])
    return found


def affordable(state: State, seat: Seat) -> list[Learn]:
    """The displayed tiles that a seat can pay for."""
    return learnable(state.sensei, state.ready[seat], state.used[seat], state.hands[seat])


def begin(state: State, seat: Seat) -> None:
    """A tile is chosen (N-6.1)."""
    state.stack[-1] = ("sensei_take", seat)


def take_options(state: State, frame: Frame, seat: Seat) -> list[Learn]:
    """The displayed tiles that can be paid for, by number (N-6.1)."""
    return affordable(state, seat)


def take(state: State, frame: Frame, answers: Mapping[Seat, Option], chance: Chance, events: list[Event]) -> None:
    """Choose a tile; a printed price is paid at once, any card is chosen, an owned Way is free (N-6.2)."""
    seat = frame[1]
    skill = cast(Learn, answers[seat]).skill
    events.append(say.chose_card(seat, "skill", skill))
    due = price(state.ready[seat], state.used[seat], skill)
    if due == 0:
        state.stack[-1] = ("sensei_pay", seat, skill)
    else:
        if due > 0:
            _pay(state, seat, due - 1, events)
        _learn(state, seat, skill, chance, events)


def pay_options(state: State, frame: Frame, seat: Seat) -> tuple[Spend, ...]:
    """The values in hand: a tile printed `?` accepts any of them (N-6.2)."""
    return tuple([option for option, count in zip(SPENDS, state.hands[seat], strict=True) if count])


def pay(state: State, frame: Frame, answers: Mapping[Seat, Option], chance: Chance, events: list[Event]) -> None:
    """Pay for a tile with the chosen card (N-6.2)."""
    _, seat, skill = frame
    _pay(state, seat, cast(Spend, answers[seat]).value - 1, events)
    _learn(state, seat, skill, chance, events)


def _pay(state: State, seat: Seat, card: int, events: list[Event]) -> None:
    memory.spend(state, seat, card)
    events.append(say.paid_card(seat, card))


def _learn(state: State, seat: Seat, skill: int, chance: Chance, events: list[Event]) -> None:
    """The tile becomes the player's, face up and usable in later turns (N-6.1); the display shrinks (N-6.4)."""
    displays.take_skill(state, skill)
    state.ready[seat] = more(state.ready[seat], skill)
    events.append(say.gained_card(seat, "skill", skill))
    end_turn(state, chance, events)
