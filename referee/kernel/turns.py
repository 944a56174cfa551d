"""The loop around the rules: what every driver of a game does between two real decisions.

A decision with a single legal option is no decision: the option is applied without asking, and the public events are
the same as if the seat had been asked. `settle` applies such options until a seat has a choice or the game is over.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TypeAlias, TypeVar

from referee.kernel.chance import Chance
from referee.kernel.errors import RulesBug
from referee.kernel.game import Arrivals, Event, Game, Option, Pending, Result, Seat

S = TypeVar("S")
V = TypeVar("V")

_NOT_TIMED: Arrivals = {}

Between: TypeAlias = Callable[[Sequence[Pending], int, int], None]
"""Called before decisions without a choice are applied: with these decisions, the number of events that the caller's
list has by then, and how many times `settle` has applied such decisions before."""


class Turn:
    """The open decisions of one moment: the asks of seats with a choice, and the answers of seats without one."""

    __slots__ = ("applied", "asks", "forced", "options", "skipped")

    def __init__(
        self,
        asks: tuple[Pending, ...],
        options: dict[Seat, Sequence[Option]],
        forced: dict[Seat, Option],
        skipped: Sequence[Pending] = (),
        applied: int = 0,
    ) -> None:
        self.asks = asks
        """The seats with a choice; empty exactly when the game is over."""
        self.options = options
        """The options of every pending seat, those without a choice included."""
        self.forced = forced
        """The only answer of each pending seat without a choice."""
        self.skipped = skipped
        """The decisions without a choice that were applied since the last real one, in order."""
        self.applied = applied
        """How many times decisions without a choice were applied since the last real one."""


def settle(game: Game[S, V], state: S, chance: Chance, events: list[Event], between: Between | None = None) -> Turn:
    """Apply decisions without a choice until there is a real one; their events are added to `events`.

    The returned turn names the applied decisions: where the number of options is secret, a driver that plays in real
    time has to hide that they took no time.
    """
    applied = 0
    skipped: list[Pending] = []
    while True:
        pending = game.pending(state)
        options: dict[Seat, Sequence[Option]] = {}
        forced: dict[Seat, Option] = {}
        for seat, kind in pending:
            listed = options[seat] = game.options(state, seat)
            count = len(listed)
            if count == 1:
                forced[seat] = listed[0]
            elif count == 0:
                raise RulesBug(f"seat {seat} is asked {kind} and has no option")
        if len(forced) < len(pending) or not pending:
            asks = pending if not forced else tuple(ask for ask in pending if ask.seat not in forced)
            return Turn(asks, options, forced, skipped, applied)
        if between is not None:
            between(pending, len(events), applied)
        applied += 1
        skipped.extend(pending)
        events.extend(game.apply(state, forced, chance, options))


def advance(
    game: Game[S, V],
    state: S,
    turn: Turn,
    answers: Mapping[Seat, Option],
    chance: Chance,
    events: list[Event],
    between: Between | None = None,
    arrivals: Arrivals = _NOT_TIMED,
) -> Turn:
    """Apply the answers of a turn together with its forced ones, then settle.

    `arrivals`: when the answers to timed asks arrived; empty where no ask is timed.
    """
    if turn.forced:
        answers = {**answers, **turn.forced}
    if arrivals:
        events.extend(game.apply(state, answers, chance, turn.options, arrivals))
    else:
        events.extend(game.apply(state, answers, chance, turn.options))
    return settle(game, state, chance, events, between)


def playout(
    game: Game[S, V], state: S, chance: Chance, choose: Callable[[Pending, Sequence[Option]], Option]
) -> tuple[Result, int]:
    """Play a state to its end, every choice made by `choose`; returns the result and the number of real decisions."""
    decisions = 0
    events: list[Event] = []
    turn = settle(game, state, chance, events)
    while turn.asks:
        answers = {ask.seat: choose(ask, turn.options[ask.seat]) for ask in turn.asks}
        decisions += len(answers)
        events.clear()
        turn = advance(game, state, turn, answers, chance, events)
    result = game.result(state)
    if result is None:
        raise RulesBug("no seat is asked and there is no result")
    return result, decisions
