"""How a turn unrolls: the two sorts of frames on the stack, and the loop between two decisions (W-17.2).

A frame is its kind and some numbers. A **decision** frame is `(kind, seat, ...)`: the seat owes an answer. A
**continuation** frame stands under the decisions that it waits for and is carried out without an answer as soon as it
comes to the top: the rest of a batch, the second row of a room, the refill of a room, the next turn. Each chapter
declares its decisions and its continuations; `rounds` joins the continuations, `game` the decisions. So nested effects
are resolved completely, depth first, before the surrounding effect goes on (W-5.8), nesting is finite (W-18.1),
and the stack is plain data at every decision.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Generic, NamedTuple, TypeAlias, TypeVar, cast

from referee.games.white_castle.components import COIN, GOODS, MOST_SEATS, SEAL, SEALS_PER_COIN, SEALS_PER_RESOURCE
from referee.games.white_castle.options import BY_TEXT, CastleOption, Exchange, exchanges
from referee.games.white_castle.state import Move, State
from referee.kernel.chance import Chance
from referee.kernel.frames import Frame, Handler
from referee.kernel.game import Event, Option, Pending, Seat, Verb

_MOST = 10
"""Above every single gain and payment."""


def _events(verb: Verb) -> tuple[tuple[tuple[Event, ...], ...], ...]:
    return tuple(
        tuple(tuple(Event(verb, seat, good, (), amount) for amount in range(_MOST)) for good in GOODS)
        for seat in range(MOST_SEATS)
    )


GAINED, PAID = _events(Verb.GAINED), _events(Verb.PAID)
"""The event of a gain or a payment, by seat, good and amount."""

A = TypeVar("A")
Continuation: TypeAlias = Callable[[State, Frame, Chance, list[Event]], None]
"""Carries out a continuation frame, which has been taken off the stack."""
_Apply: TypeAlias = Callable[[State, Frame, Mapping[Seat, Option], Chance, list[Event]], None]


class DecisionRules(NamedTuple, Generic[A]):
    """The rules of one kind of decision, answered by options of type `A`."""

    kind: str
    listed: Callable[[State, Frame], tuple[A, ...]]
    """The options in canonical order, without the exchanges that follow them."""
    chosen: Callable[[State, Frame, A, Chance, list[Event]], None]
    """Carries out an answer that is no exchange; the frame has been taken off the stack."""
    exchanges: bool = True
    """Whether the seal exchanges follow the options (W-6.4)."""
    again: str = ""
    """The continuation that an exchange puts in the place of the frame; empty: the same decision is asked again."""


def exchange(state: State, seat: Seat, good: int, events: list[Event]) -> None:
    """Turn seals of a clan into a coin or a resource (W-6.4); five seals repeat a decision at most 5 times (W-18.2)."""
    goods = state.clans[seat].goods
    seals = SEALS_PER_COIN if good == COIN else SEALS_PER_RESOURCE
    goods[SEAL] -= seals
    goods[good] += 1
    events.append(PAID[seat][SEAL][seals])
    events.append(GAINED[seat][good][1])


def pay(state: State, seat: Seat, good: int, amount: int, events: list[Event]) -> None:
    """Give goods of a clan to the supply."""
    state.clans[seat].goods[good] -= amount
    events.append(PAID[seat][good][amount])


def run(continuations: Mapping[str, Continuation], state: State, chance: Chance, events: list[Event]) -> None:
    """Carry out continuations until a decision is on top, or the stack is empty (W-17.3)."""
    stack = state.stack
    while stack:
        carry_out = continuations.get(stack[-1][0])
        if carry_out is None:
            return
        carry_out(state, stack.pop(), chance, events)


def handler(rules: DecisionRules[Any], continuations: Mapping[str, Continuation]) -> Handler[State]:
    """The kernel's handler of a decision: adds exchanges to the options, and runs continuations after the answer."""
    kind, listed, chosen, with_exchanges, again = rules
    asked = tuple((Pending(seat, kind),) for seat in range(MOST_SEATS))
    told = {
        text: tuple((Event(Verb.CHOSE, seat, kind, (text,)), Move(seat, kind, text)) for seat in range(MOST_SEATS))
        for text in BY_TEXT[kind]
    }

    def asks(state: State, frame: Frame) -> tuple[Pending, ...]:
        return asked[frame[1]]

    def options(state: State, frame: Frame, seat: Seat) -> Sequence[Option]:
        goods = state.clans[seat].goods
        if with_exchanges and goods[SEAL]:
            return listed(state, frame) + exchanges(goods)
        return listed(state, frame)

    def apply(
        state: State, frame: Frame, answers: Mapping[Seat, CastleOption], chance: Chance, events: list[Event]
    ) -> None:
        seat = frame[1]
        option = answers[seat]
        event, state.last = told[option.text][seat]
        events.append(event)
        if isinstance(option, Exchange):
            exchange(state, seat, option.good, events)
            if not again:
                return
            state.stack[-1] = (again, *frame[1:])
        else:
            state.stack.pop()
            chosen(state, frame, option, chance, events)
        run(continuations, state, chance, events)

    # The kernel has checked that every answer is one of the listed options.
    return Handler(asks, options, cast(_Apply, apply))
