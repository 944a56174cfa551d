"""Compound turns as a stack of plain frames.

A decision inside a decision (a raid inside a turn, a reward inside an action) is a **frame** on a stack in the state:
a tuple whose first item names its kind, followed by numbers, strings and tuples of them, never an object. The top
frame owns the current decision; there is no second "where are we" variable. A table from frame kind to `Handler` says
who decides, what is legal and what happens; `FrameGame` makes a whole game from that table.

Automatic steps are not frames: a handler's `apply` runs on until the top frame is a decision of a seat, or the stack is
empty and the game over.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Generic, NamedTuple, Protocol, TypeAlias, TypeVar

from referee.kernel.chance import Chance
from referee.kernel.errors import BadPlain, IllegalAnswer, RulesBug
from referee.kernel.game import Arrivals, Bounds, Choices, Edition, Event, Option, Pending, Result, Seat, Variant
from referee.kernel.plain import Plain

Frame: TypeAlias = tuple[Any, ...]
"""(kind, ...): strings, whole numbers, None and tuples of them."""


class Stacked(Protocol):
    """A state that keeps its place as a stack of frames."""

    stack: list[Frame]
    """The open decisions, innermost last; empty when the game is over."""


S = TypeVar("S", bound=Stacked)
V = TypeVar("V")

OptionLists: TypeAlias = Mapping[Seat, Sequence[Option]]
"""The option lists of one moment, by seat."""
_NOT_LISTED: OptionLists = {}
_NOT_TIMED: Arrivals = {}


class Handler(NamedTuple, Generic[S]):
    """The rules of one kind of frame."""

    asks: Callable[[S, Frame], tuple[Pending, ...]]
    """The seats that decide, in the order of their numbers; never empty."""
    options: Callable[[S, Frame, Seat], Sequence[Option]]
    """The legal answers of one of these seats."""
    apply: Callable[[S, Frame, Mapping[Seat, Option], Chance, list[Event]], None]
    """Carry legal answers out. The frame is still on top of the stack; this function replaces or removes it."""
    apply_timed: Callable[[S, Frame, Mapping[Seat, Option], Arrivals, Chance, list[Event]], None] | None = None
    """What is done instead of `apply` when the driver says when the answers arrived; None: the frame is not timed."""


Handlers: TypeAlias = Mapping[str, Handler[S]]


class FrameGame(Generic[S, V]):
    """A `Game` whose decisions are frames: each game's `game.py` makes one from its constants and functions.

    `pending`, `options` and `apply` follow from the handlers; every other method is a function of the game's own files.
    """

    def __init__(
        self,
        *,
        name: str,
        title: str,
        rules_version: int,
        digest: str,
        seats: range,
        variants: Mapping[str, Choices],
        bounds: Bounds,
        hidden: tuple[str, ...],
        handlers: Handlers[S],
        start: Callable[[int, Variant, Chance], S],
        result: Callable[[S], Result | None],
        view: Callable[[S, Seat | None], V],
        determinise: Callable[[V, Chance], S],
        clone: Callable[[S], S],
        dump: Callable[[S], Plain],
        load: Callable[[Plain], S],
        secret_choices: frozenset[str] = frozenset(),
        secret_pending: frozenset[str] = frozenset(),
        earlier: tuple[Edition, ...] = (),
    ) -> None:
        self.name = name
        self.title = title
        self.rules_version = rules_version
        self.digest = digest
        self.seats = seats
        self.variants = variants
        self.earlier = earlier
        self.bounds = bounds
        self.hidden = hidden
        self.secret_choices = secret_choices
        self.secret_pending = secret_pending
        self.handlers = handlers
        """The rules of every kind of frame."""
        self.start = start
        self.result = result
        self.view = view
        self.determinise = determinise
        self.clone = clone
        self.dump = dump
        self.load = load

    def pending(self, state: S, /) -> tuple[Pending, ...]:
        """The asks of the top frame."""
        if not state.stack:
            return ()
        frame = state.stack[-1]
        return self.handlers[frame[0]].asks(state, frame)

    def options(self, state: S, seat: Seat, /) -> Sequence[Option]:
        """The options of a seat that the top frame asks."""
        if not state.stack:
            raise IllegalAnswer(f"seat {seat} is not asked: the game is over")
        frame = state.stack[-1]
        handler = self.handlers[frame[0]]
        for asked, _ in handler.asks(state, frame):
            if asked == seat:
                return handler.options(state, frame, seat)
        raise IllegalAnswer(f"seat {seat} is not asked {frame[0]}")

    def apply(
        self,
        state: S,
        answers: Mapping[Seat, Option],
        chance: Chance,
        options: OptionLists = _NOT_LISTED,
        arrivals: Arrivals = _NOT_TIMED,
        /,
    ) -> list[Event]:
        """Check the answers against the options, carry them out, and return the events."""
        if not state.stack:
            raise IllegalAnswer("the game is over: no answer is due")
        frame = state.stack[-1]
        handler = self.handlers[frame[0]]
        asks = handler.asks(state, frame)
        if len(asks) != len(answers):
            raise _others_asked(answers)
        for seat, _ in asks:
            if seat not in answers:
                raise _others_asked(answers)
        for seat, kind in asks:
            listed = options.get(seat)
            if listed is None:
                listed = handler.options(state, frame, seat)
            if answers[seat] not in listed:
                raise IllegalAnswer(f"seat {seat}'s answer to {kind} is not among its options")
        events: list[Event] = []
        if arrivals:
            _apply_timed(handler, state, answers, arrivals, chance, events)
        else:
            handler.apply(state, frame, answers, chance, events)
        return events


def _apply_timed(
    handler: Handler[S],
    state: S,
    answers: Mapping[Seat, Option],
    arrivals: Arrivals,
    chance: Chance,
    events: list[Event],
) -> None:
    frame = state.stack[-1]
    if handler.apply_timed is None:
        raise IllegalAnswer(f"answers to {frame[0]} have no time of arrival")
    for seat, bucket in arrivals.items():
        if seat not in answers or bucket < 0:
            raise IllegalAnswer(f"seat {seat} cannot have answered {frame[0]} in bucket {bucket}")
    handler.apply_timed(state, frame, answers, arrivals, chance, events)


def _others_asked(answers: Mapping[Seat, Option]) -> IllegalAnswer:
    # Which seats are asked may be secret, so the message does not name them.
    given = ", ".join(map(str, sorted(answers))) or "none"
    return IllegalAnswer(f"exactly the seats that are asked must answer; answers came from seats {given}")


def dump_frame(frame: Frame) -> Plain:
    """A frame as plain data: tuples become lists."""
    return [_to_plain(item) for item in frame]


def load_frame(plain: Plain) -> Frame:
    """The frame that `dump_frame` wrote."""
    frame = _from_plain(plain)
    if not isinstance(frame, tuple) or not frame or not isinstance(frame[0], str):
        raise BadPlain("a frame is a list that begins with its kind")
    return frame


def _to_plain(item: object) -> Plain:
    if isinstance(item, tuple):
        return [_to_plain(part) for part in item]
    if item is None or isinstance(item, (bool, int, str)):
        return item
    raise RulesBug(f"a frame holds a {type(item).__name__}; only plain values may stand there")


def _from_plain(plain: Plain) -> Any:
    if isinstance(plain, list):
        return tuple(_from_plain(part) for part in plain)
    if isinstance(plain, dict):
        raise BadPlain("a frame holds no objects")
    return plain
