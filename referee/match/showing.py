"""What the public is shown of a match: one position for each application of decisions, asked or not.

A decision with one option is applied in the same step as the answer before it. Spectators would learn that from the
number of positions, so a step is shown as several positions, with the delay of the table (`Skipped`) between them. The
messages are then those of a match in which the seat was asked.

Some simultaneous asks hide which seats still owe an answer (`Game.secret_pending`). From the first of them to the last
the public is shown one position, in which every seat owes one: number, banks and awaited seats stand still, also for a
spectator that comes later. A seat that watches is shown what its own answers change.

A seat may watch its own match in the same way: its view at each of these positions, in the same number and order.

A match that spectators can follow but do not follow shows only the positions during which its table delays: a spectator
that comes in the middle of a delay gets the position that followers have then.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
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


class Veil(NamedTuple):
    """What stands still for the public while seats answer asks that hide who still owes an answer."""

    number: int
    left: tuple[int, ...]


class PublicSide:
    """What the public may know of one match, and whether spectators want to be told."""

    __slots__ = (
        "_before",
        "_game",
        "_moments",
        "_seen",
        "_terms",
        "_veil",
        "followed",
        "left",
        "notes",
        "number",
        "state",
        "watching",
    )

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
        self._veil: Veil | None = None
        self._before: Veil | None = None
        """The veil before the latest step."""
        self._seen: dict[Seat, object] = {}
        """The view that each watching seat was shown last."""
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

    def advance(self, applied: int, left: Mapping[Seat, int]) -> None:
        """Count a step with so many decisions without a choice; `left` are the banks that it changed."""
        self.left.update(left)
        self.number += 1 + applied
        self._before = self._veil
        if self._game.secret_pending:
            if not self._hides(self._game.pending(self.state)):
                self._veil = None
            elif self._veil is None:
                self._veil = Veil(self.number, self._banks())

    def shown(self, seat: Seat | None = None) -> Shown:
        """The present position as a seat (None: the public) sees it, without events."""
        if self.state is None:
            return Shown(0, (), None, (), self.banks())
        pending = self._open(self._game.pending(self.state), seat)
        return Shown(self.shown_number, (), self._game.view(self.state, seat), pending, self.banks())

    @property
    def shown_number(self) -> int:
        """The number of the present position, as the public may know it."""
        return self.number if self._veil is None else self._veil.number

    def awaited(self) -> tuple[Seat, ...]:
        """The seats of the open decisions, as the public may know them."""
        if self.state is None:
            return ()
        return tuple(seat for seat, _ in self._open(self._game.pending(self.state), None))

    def banks(self) -> tuple[int, ...]:
        """See `Shown.left`."""
        return self._banks() if self._veil is None else self._veil.left

    def _banks(self) -> tuple[int, ...]:
        clock = self._terms.clock
        if clock.unlimited or self._game.secret_choices:
            return ()
        return tuple(self.left.get(seat, clock.bank) for seat in range(len(self._terms.players)))

    def _hides(self, pending: Sequence[Pending]) -> bool:
        """Whether these asks hide who owes an answer."""
        secret = self._game.secret_pending
        return bool(secret) and any(kind in secret for _, kind in pending)

    def _open(self, pending: Sequence[Pending], seat: Seat | None) -> Sequence[Pending]:
        """The open asks as a seat (None: the public) may know them: of hidden ones every other seat owes an answer."""
        if not self._hides(pending):
            return pending
        kind = pending[0].kind
        own = {ask.seat for ask in pending if ask.seat == seat}
        return [Pending(each, kind) for each in range(len(self._terms.players)) if each != seat or each in own]

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
        start = len(log.events) - heard
        first, veil = start, self._before
        for moment in moments:
            stop = first + moment.heard
            number, left = (moment.number, self._banks()) if veil is None else veil
            shown = Shown(number, log.part(None, start, stop), moment.view, moment.pending, left)
            found += self._put(shown, moment.seen, log, (start, stop), veiled=veil is not None)
            if self._hides(moment.pending):
                veil = veil or Veil(number, left)
            else:
                veil = None
            start = stop
            skipped = tuple([seat for seat, kind in moment.pending if kind in secret])
            if skipped:
                found.append(Skipped(skipped))
        last = self.shown()._replace(pending=self._game.pending(self.state), events=log.part(None, start))
        seen = {seat: self._game.view(self.state, seat) for seat in sorted(self.watching)}
        return found + self._put(last, seen, log, (start, None), veiled=veil is not None)

    def _put(
        self, shown: Shown, seen: Mapping[Seat, object], log: EventLog, part: tuple[int, int | None], *, veiled: bool
    ) -> list[Shown | Seen | Skipped]:
        """The outputs for one position with its real asks; `veiled`: the position before hid who owes an answer."""
        found: list[Shown | Seen | Skipped] = []
        still = veiled and self._hides(shown.pending)
        if not still:
            found.append(shown._replace(pending=self._open(shown.pending, None)))
        for seat, view in seen.items():
            events = log.part(seat, *part)
            if not still or events or view != self._seen.get(seat):
                asks = self._open(shown.pending, seat)
                found.append(Seen(seat, shown._replace(events=events, view=view, pending=asks)))
            self._seen[seat] = view
        return found

    def _note(self, pending: Sequence[Pending], heard: int, applied: int) -> None:
        """Note the position before decisions without a choice are applied."""
        if self.followed or self.watching or any(kind in self._game.secret_choices for _, kind in pending):
            view = self._game.view(self.state, None)
            seen = {seat: self._game.view(self.state, seat) for seat in sorted(self.watching)}
            self._moments.append(Moment(self.number + 1 + applied, heard, view, pending, seen))
