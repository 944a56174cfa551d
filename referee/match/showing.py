"""What the public is shown of a match: one position for each application of decisions, asked or not.

A decision with one option is applied in the same step as the answer before it. Spectators would learn that from the
number of positions, so a step is shown as several positions, with the delay of the table (`Skipped`) between them. The
messages are then those of a match in which the seat was asked.

A seat may watch its own match in the same way: its view at each of these positions, in the same number and order.

A match that spectators can follow but do not follow shows only the positions during which its table delays: a spectator
that comes in the middle of a delay gets the position that followers have then.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

from referee.kernel.game import AnyGame, Pending, Seat
from referee.kernel.turns import Between, Turn
from referee.match.event_log import EventLog
from referee.match.outputs import Seen, Shown, Skipped
from referee.match.terms import Terms


class Moment(NamedTuple):
    """The position in the middle of a step, before decisions without a choice are applied."""

    number: int
    heard: int
    """Number of the step's events up to this moment."""
    view: object
    """The public view."""
    pending: Sequence[Pending]
    """The decisions without a choice."""
    seen: dict[Seat, object]
    """The views of the seats that watch."""


class PublicSide:
    """What the public may know of one match, and whether spectators want to be told."""

    __slots__ = ("_game", "_moments", "_terms", "followed", "left", "notes", "number", "state", "watching")

    def __init__(self, game: AnyGame, terms: Terms) -> None:
        self._game = game
        self._terms = terms
        self._moments: list[Moment] = []
        self.state: Any = None
        """The state of the match, set by the match; None: the game is not set up."""
        self.number = 0
        """The number of the present position, see `Shown.number`."""
        self.left: dict[Seat, int] = {}
        """The bank of each seat after its latest decision, in microseconds."""
        self.followed = False
        """Whether every position is put out."""
        self.watching: frozenset[Seat] = frozenset()
        """The seats that are shown every position as they see it."""
        self.notes = False
        """Whether positions in the middle of a step are noted; False: neither the public nor a seat is shown any."""

    def show(self, followed: bool) -> None:
        """Let the match put out positions (`Shown`): all, or only those before a delay if it is not followed."""
        self.followed = followed
        self._listen()

    def between(self) -> Between | None:
        """What the match hands to `referee.kernel.turns.settle`; not kept here, where it would hold this object."""
        return self._note if self.notes else None

    def watch(self, seat: Seat, wanted: bool) -> None:
        """Let a seat be shown every position (`Seen`), or no longer."""
        self.watching = self.watching | {seat} if wanted else self.watching - {seat}
        self._listen()

    def _listen(self) -> None:
        self.notes = bool(self.followed or self.watching or self._game.secret_choices)

    def shown(self, seat: Seat | None = None) -> Shown:
        """The present position as a seat (None: the public) sees it, without events."""
        if self.state is None:
            return Shown(0, (), None, (), self.banks())
        return Shown(self.number, (), self._game.view(self.state, seat), self._game.pending(self.state), self.banks())

    def awaited(self) -> tuple[Seat, ...]:
        """The seats of the open decisions."""
        return () if self.state is None else tuple(seat for seat, _ in self._game.pending(self.state))

    def banks(self) -> tuple[int, ...]:
        """See `Shown.left`."""
        clock = self._terms.clock
        if clock.unlimited or self._game.secret_choices:
            return ()
        return tuple(self.left.get(seat, clock.bank) for seat in range(len(self._terms.players)))

    def step(self, turn: Turn, log: EventLog, heard: int) -> list[Shown | Seen | Skipped]:
        """The outputs for a step with `heard` events, which are the last of the log: positions, and delays between.

        `turn` is what the step led to.
        """
        secret = self._game.secret_choices
        found: list[Shown | Seen | Skipped] = []
        if not self.notes:
            skipped = tuple([seat for seat, kind in turn.skipped if kind in secret])
            return [Skipped(skipped)] if skipped else []
        moments, self._moments = self._moments, []
        if not (moments or self.followed or self.watching):
            return found
        last = self.shown()
        first = start = len(log.events) - heard
        for moment in moments:
            stop = first + moment.heard
            found.append(Shown(moment.number, log.part(None, start, stop), moment.view, moment.pending, last.left))
            for seat, view in moment.seen.items():
                shown = Shown(moment.number, log.part(seat, start, stop), view, moment.pending, last.left)
                found.append(Seen(seat, shown))
            start = stop
            skipped = tuple([seat for seat, kind in moment.pending if kind in secret])
            if skipped:
                found.append(Skipped(skipped))
        found.append(last._replace(events=log.part(None, start)))
        for seat in sorted(self.watching):
            events = log.part(seat, start)
            found.append(Seen(seat, last._replace(events=events, view=self._game.view(self.state, seat))))
        return found

    def _note(self, pending: Sequence[Pending], heard: int, applied: int) -> None:
        """Note the position before decisions without a choice are applied."""
        if self.followed or self.watching or any(kind in self._game.secret_choices for _, kind in pending):
            view = self._game.view(self.state, None)
            seen = {seat: self._game.view(self.state, seat) for seat in sorted(self.watching)}
            self._moments.append(Moment(self.number + 1 + applied, heard, view, pending, seen))
