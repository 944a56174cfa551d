"""One seat of one match that a connected bot holds: what the table sends to the seat gathers in the bot's stream."""

from __future__ import annotations

from typing import TYPE_CHECKING

from referee.kernel.game import Seat
from referee.match.outputs import Asked, Ended, Faulted, Output, Paused, Seated, Seen, Told
from referee.match.policy import Fault, FaultKind
from referee.match.terms import Terms
from referee.transport import messages
from referee.transport.seat_table import SeatTable
from referee.transport.stream import BotStream
from referee.v1 import play_pb2 as pb

if TYPE_CHECKING:
    from referee.transport.session import BotSession

BEHIND = 250_000
"""Most microseconds behind an earlier message of the stream that an ask may wait without a charge to its clock."""
STAYS_OPEN = (FaultKind.ILLEGAL, FaultKind.MALFORMED)
"""Faults after which the ask stays open."""


class SeatSession:
    """One seat of one match that a bot holds; implements `referee.match.protocols.Player` for the table."""

    __slots__ = (
        "_asked_at",
        "_asker",
        "_behind",
        "_session",
        "answered",
        "forfeited",
        "is_ready",
        "latest",
        "outbound",
        "owes",
        "rated",
        "seat",
        "sent",
        "table",
        "terms",
    )

    def __init__(self, session: BotSession, terms: Terms, seat: Seat, asker: messages.Asker, rated: bool) -> None:
        """`asker` is shared by all seats of the match. `rated`: whether the match counts for ratings."""
        self._session = session
        self._asker = asker
        self.terms = terms
        self.seat = seat
        self.rated = rated
        self.table: SeatTable
        """The table of the match, set by `take` before anything is sent."""
        self.is_ready = False
        self.forfeited = False
        self.answered = False
        """Whether the bot has answered an ask of this match."""
        self.owes = 0
        """The number of the open ask; 0: no ask is open."""
        self.latest = 0
        """The number of the last ask that the table put out; a later ask cannot be answered yet."""
        self.sent = False
        """Whether the last ask was handed to gRPC, on this stream or an earlier one."""
        self.outbound = 0
        """Microseconds that the last ask waited inside the referee before that, as far as they are not charged."""
        self._asked_at = 0
        """When the last ask was put out."""
        self._behind = False
        """Whether the last ask had to wait for an earlier message of its stream."""

    def take(self, table: SeatTable, *, is_ready: bool = False, forfeited: bool = False) -> None:
        """Sit down at the table. `forfeited`: the seat of a restored match may be lost already."""
        self.table = table
        self.is_ready = is_ready
        self.forfeited = forfeited
        table.match.listen(self.seat, self._session.wants_events, self._session.wants_views)

    def send(self, output: Output) -> None:
        """Put an output of the match for this seat into the bot's stream."""
        session = self._session
        stream = session.stream
        if isinstance(output, Asked):
            if session.ended:
                self.table.crashed(self.seat, session.time(), session.ended)
            elif stream is not None and not stream.closed:
                if output.ask != self.owes:
                    self.owes = self.latest = output.ask
                    self.sent = False
                if not self.sent:
                    self.outbound = 0
                    self._asked_at = output.at
                    self._behind = stream.writing
                stream.ask(self._asker(output), self)
        elif isinstance(output, Ended):
            session.judge(self, output.final.endings[self.seat].kind)
            session.leave(self)
            over = pb.Over()
            messages.fill_over(over, self.terms.match, self.seat, output.final, output.settled, self.rated)
            session.over(over)
        elif isinstance(output, Faulted):
            self._fault(output.fault, output.forfeits)
        elif isinstance(output, Seated) and session.removed:
            self.table.remove(self.seat, session.time(), "an organiser took the bot from its seat")
        elif stream is None or stream.closed:
            return
        elif isinstance(output, Seated):
            stream.bucket.give(1)
            self.announce(stream, self.is_ready)
        elif isinstance(output, Paused):
            text = "the referee cannot store now: your clock stands, and an open ask comes again when play goes on"
            stream.fault(pb.FAULT_CODE_PAUSED, text, self.terms.match, self.seat, self.owes)
        elif isinstance(output, Seen):
            stream.bundle().told.append(messages.seen(self.terms.match, self.terms.game, output))
        elif isinstance(output, Told) and not session.wants_views:
            told = stream.bundle().told.add(match_id=self.terms.match, seat=self.seat)
            messages.fill_events(told.events, output.events)

    def announce(self, stream: BotStream, is_ready: bool) -> None:
        """Tell the bot its table and seat."""
        messages.fill_seated(
            stream.bundle().seated.add(), self.terms, self.seat, is_ready, self.rated, shown=self._session.shown
        )

    def handed(self, at: int) -> None:
        """The open ask is handed to gRPC at `at`: the time that the ask waited inside the referee is not charged.

        A stream on which an earlier message is still under way may belong to a bot that does not read. The wait behind
        such a message is forgiven up to `BEHIND` only, or a bot could hold up its table at no cost.
        """
        if self.sent:
            return
        self.sent = True
        waited = at - self._asked_at
        self.outbound = min(waited, BEHIND) if self._behind else waited
        if self.outbound > 0 and self.owes:
            self.table.match.sent(self.seat, self.owes, at, self.outbound)

    def _fault(self, fault: Fault, lost: bool) -> None:
        if fault.ask == self.owes and fault.kind not in STAYS_OPEN:
            self.owes = 0
        if lost:
            self.forfeited = True
            self.owes = 0
        stream = self._session.stream
        if stream is not None:
            code = messages.FAULTS[fault.kind]
            stream.fault(code, fault.message, self.terms.match, self.seat, fault.ask, counted=True)
            if lost:
                self.tell_forfeit(stream)

    def tell_forfeit(self, stream: BotStream) -> None:
        """Tell the bot that its seat is forfeited."""
        text = "your seat is forfeited: it is played at random from here on and ranked last"
        stream.fault(pb.FAULT_CODE_FORFEITED, text, self.terms.match, self.seat)
