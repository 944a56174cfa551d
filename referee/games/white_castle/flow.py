"""How a turn unrolls: the two sorts of frames on the stack, and the loop between two decisions (W-17.2).

A frame is its kind and some numbers. A **decision** frame is `(kind, seat, ...)`: the seat owes an answer. A **step**
frame stands under the decisions it waits for and runs by itself as soon as it comes to the top: the rest of a batch,
the second row of a room, the refill of a room, the next turn. Each area of the board declares its decisions and its
steps; `rules` joins them into the tables of the game. Nested effects are thus resolved completely, depth first, before
the surrounding one goes on (W-5.8), and the stack can be written down at every decision.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple, TypeAlias, cast

from referee.games.white_castle.components import (
    COIN,
    GOODS,
    SEAL,
    SEALS_PER_COIN,
    SEALS_PER_RESOURCE,
)
from referee.games.white_castle.options import EVERY_CHOICE, EXCHANGE, SEATS, Choice, Choices, exchanges
from referee.games.white_castle.state import Move, State
from referee.kernel.chance import Chance
from referee.kernel.frames import Frame, Handler
from referee.kernel.game import Event, Option, Pending, Seat, Verb

_MOST = 10
"""No single gain or payment is this large."""


def _events(verb: Verb) -> tuple[tuple[tuple[Event, ...], ...], ...]:
    return tuple(
        tuple(tuple(Event(verb, seat, good, (), amount) for amount in range(_MOST)) for good in GOODS)
        for seat in range(SEATS)
    )


GAINED, PAID = _events(Verb.GAINED), _events(Verb.PAID)
"""What was gained or paid, by seat, good and amount."""

Step: TypeAlias = Callable[[State, Frame, Chance, list[Event]], None]
"""Carries out a step frame that has just been taken off the stack."""


_Apply: TypeAlias = Callable[[State, Frame, Mapping[Seat, Option], Chance, list[Event]], None]


class Decision(NamedTuple):
    """The rules of one kind of question."""

    kind: str
    listed: Callable[[State, Frame], Choices]
    """The options without exchanges, in canonical order."""
    chosen: Callable[[State, Frame, Choice, Chance, list[Event]], None]
    """Carries out an answer; the frame has been taken off the stack."""
    exchanges: bool = True
    """Whether the seal exchanges stand behind the options (W-6.4)."""
    again: str = ""
    """The step to go back to after an exchange that may change the question; nothing: the same is asked again."""


def exchange(state: State, seat: Seat, good: int, events: list[Event]) -> None:
    """Turn seals into a coin or a resource (W-6.4)."""
    goods = state.clans[seat].goods
    seals = SEALS_PER_COIN if good == COIN else SEALS_PER_RESOURCE
    goods[SEAL] -= seals
    goods[good] += 1
    events.append(PAID[seat][SEAL][seals])
    events.append(GAINED[seat][good][1])


def pay(state: State, seat: Seat, good: int, amount: int, events: list[Event]) -> None:
    """Give goods to the supply."""
    state.clans[seat].goods[good] -= amount
    events.append(PAID[seat][good][amount])


def run(steps: Mapping[str, Step], state: State, chance: Chance, events: list[Event]) -> None:
    """Carry out step frames until a decision is on top, or nothing is left (W-17.3)."""
    stack = state.stack
    while stack:
        step = steps.get(stack[-1][0])
        if step is None:
            return
        step(state, stack.pop(), chance, events)


def handler(decision: Decision, steps: Mapping[str, Step]) -> Handler[State]:
    """The kernel's handler of a decision: exchanges added to the options, steps run after the answer."""
    kind, listed, chosen, with_exchanges, again = decision
    asked = tuple((Pending(seat, kind),) for seat in range(SEATS))
    told = {
        text: tuple((Event(Verb.CHOSE, seat, kind, (text,)), Move(seat, kind, text)) for seat in range(SEATS))
        for text in EVERY_CHOICE[kind]
    }

    def asks(state: State, frame: Frame) -> tuple[Pending, ...]:
        return asked[frame[1]]

    def options(state: State, frame: Frame, seat: Seat) -> Sequence[Option]:
        goods = state.clans[seat].goods
        if with_exchanges and goods[SEAL]:
            return listed(state, frame) + exchanges(goods)
        return listed(state, frame)

    def apply(state: State, frame: Frame, answers: Mapping[Seat, Choice], chance: Chance, events: list[Event]) -> None:
        seat = frame[1]
        choice = answers[seat]
        event, state.last = told[choice.text][seat]
        events.append(event)
        if choice.verb == EXCHANGE:
            exchange(state, seat, choice.a, events)
            if not again:
                return
            state.stack[-1] = (again, *frame[1:])
        else:
            state.stack.pop()
            chosen(state, frame, choice, chance, events)
        run(steps, state, chance, events)

    # The kernel has checked that every answer is one of the options, and those are choices.
    return Handler(asks, options, cast(_Apply, apply))
