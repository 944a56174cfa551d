"""One seat of one match that a bot holds: the table sends through it, and what it sends gathers in the bot's stream."""

from __future__ import annotations

from typing import TYPE_CHECKING

from referee.kernel.game import Seat
from referee.match.outputs import Asked, Ended, Faulted, Output, Paused, Seated, Told
from referee.match.policy import Fault, FaultKind
from referee.match.terms import Terms
from referee.transport import messages
from referee.transport.seat_table import Table
from referee.transport.stream import BotStream
from referee.v1 import play_pb2 as pb

if TYPE_CHECKING:
    from referee.transport.session import Session

BEHIND = 250_000
"""Microseconds that an ask may wait behind an earlier message at the referee's cost."""
STAYS_OPEN = (FaultKind.ILLEGAL, FaultKind.MALFORMED)
"""Faults after which the question is still to be answered."""


class SeatSession:
    """One seat of one match, held by a bot: where the table sends what is for that seat."""

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

    def __init__(self, session: Session, terms: Terms, seat: Seat, asker: messages.Asker, rated: bool) -> None:
        """`asker` belongs to the match: all its places share one. `rated`: whether the match counts for ratings."""
        self._session = session
        self._asker = asker
        self.terms = terms
        self.seat = seat
        self.rated = rated
        self.table: Table | None = None
        """Set when the table is made; nothing is sent before."""
        self.is_ready = False
        self.forfeited = False
        self.answered = False
        """Whether the bot has answered here."""
        self.owes = 0
        """The number of the open ask; 0: none."""
        self.latest = 0
        """The number of the last ask that was put out: what comes later cannot be answered yet."""
        self.sent = False
        """Whether it was handed to gRPC, if only on an earlier stream."""
        self.outbound = 0
        """How long it waited for that inside the referee."""
        self._asked_at = 0
        self._behind = False

    def take(self, table: Table, *, is_ready: bool = False, forfeited: bool = False) -> None:
        """Sit down at the table; from now on it sends. In a match that is played on the seat may be lost already."""
        self.table = table
        self.is_ready = is_ready
        self.forfeited = forfeited
        table.listen(self.seat, self._session.wants_events)

    def send(self, output: Output) -> None:
        """Take a message for the seat."""
        session = self._session
        stream = session.stream
        if isinstance(output, Asked):
            if session.ended and self.table is not None:
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
        elif isinstance(output, Seated) and session.removed and self.table is not None:
            self.table.remove(self.seat, session.time(), "an organiser took the bot from its seat")
        elif stream is None or stream.closed:
            return
        elif isinstance(output, Seated):
            stream.bucket.give(1)
            self.announce(stream, self.is_ready)
        elif isinstance(output, Paused):
            text = "the referee cannot store now: your clock stands, and an open ask comes again when play goes on"
            stream.fault(pb.FAULT_CODE_PAUSED, text, self.terms.match, self.seat, self.owes)
        elif isinstance(output, Told):
            told = stream.bundle().told.add(match_id=self.terms.match, seat=self.seat)
            messages.fill_events(told.events, output.events)

    def announce(self, stream: BotStream, is_ready: bool) -> None:
        """Tell the bot at which table it sits."""
        messages.fill_seated(
            stream.bundle().seated.add(), self.terms, self.seat, is_ready, self.rated, shown=self._session.shown
        )

    def handed(self, at: int) -> None:
        """The open ask is handed to gRPC: its clock is told how long it waited here.

        A stream on which an earlier message is still under way may belong to a bot that does not read. What an ask
        waits behind that one is forgiven within bounds, or a bot could hold up its table for nothing.
        """
        if self.sent:
            return
        self.sent = True
        waited = at - self._asked_at
        self.outbound = min(waited, BEHIND) if self._behind else waited
        if self.outbound > 0 and self.owes and self.table is not None:
            self.table.sent(self.seat, self.owes, at, self.outbound)

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
                self.condole(stream)

    def condole(self, stream: BotStream) -> None:
        """Tell the bot that its seat is lost."""
        text = "your seat is forfeited: it is played at random from here on and ranked last"
        stream.fault(pb.FAULT_CODE_FORFEITED, text, self.terms.match, self.seat)
