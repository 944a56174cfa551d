"""What a bot's messages mean: readiness and answers go to its tables, what tables put out goes to its stream.

A `BotSession` is one bot for as long as the referee remembers the bot; streams come and go under the session. A session
holds a `SeatSession` for each seat of the bot. A session does no I/O: messages come in with the moment of their
arrival, and messages to be sent gather in the `BotStream`.

Answers are idempotent: an answer that cannot be used changes nothing, is returned as a typed fault, and the stream goes
on.
"""

from __future__ import annotations

import logging
from collections import deque
from collections.abc import Callable, Mapping

from referee.kernel.game import Seat
from referee.match.clock import SECOND
from referee.match.outputs import StoredEnd, Verdict
from referee.match.playtime import PlayTime
from referee.match.policy import EndingKind, clean, printable
from referee.match.terms import Terms
from referee.transport import messages
from referee.transport.conduct import Conduct
from referee.transport.limits import Bucket, Limits
from referee.transport.offers import HelloOffers
from referee.transport.resume import ResumeTokens
from referee.transport.seat_session import SeatSession
from referee.transport.stream import UNCONFIRMED, BotStream
from referee.v1 import play_pb2 as pb

_logger = logging.getLogger(__name__)

SHOWN = 64
"""Characters of an unknown match id that a fault repeats."""

NOTICES = 20
"""Lines of the log in a minute that a bot may cause by reporting failures of its own."""

LOST = (EndingKind.FORFEITED, EndingKind.NEVER_READY)
"""Endings of a seat that count against a bot that did not answer once."""


class BotSession:
    """One bot: its name, what it plays, its seats and its present stream."""

    def __init__(
        self,
        name: str,
        resume: ResumeTokens,
        limits: Limits,
        time: PlayTime,
        at: int,
        changed: Callable[[], None],
        confirmed: Callable[[str, Seat], None] = lambda match, seat: None,
    ) -> None:
        """`time` is play time, and `at` the moment at which the bot came.

        `changed` is called when the bot may be able to take a seat that was not open to the bot before. `confirmed` is
        called with the match and seat of each end that the bot has certainly read.
        """
        self.name = name
        self.resume = resume
        """The tokens with which the bot takes its tables over on another stream."""
        self.software = ""
        self.build = ""
        """The bot's build: a number, or its software where builds are not numbered."""
        self.time = time
        self.stream: BotStream | None = None
        """The present stream; None: the bot is away."""
        self.away_since = 0
        """When the last stream ended, in play time."""
        self.wants_events = False
        self.wants_views = False
        """Whether the bot is shown every position of its matches as it sees them."""
        self.plays_people = False
        """Whether the bot also plays at tables where a person sits."""
        self.apart = False
        """Whether the bot gets arranged tables alone: the pairing does not know it."""
        self.wanted_tables = 1
        self.offers = HelloOffers()
        """The games, seat counts and settings that the bot accepts."""
        self.proven = False
        """Whether a bearer token proved the bot's name."""
        self.origin = ""
        """The address of the bot's last stream; empty: a unix socket."""
        self.answered = False
        """Whether the bot has ever answered an ask."""
        self.conduct: Conduct | None = None
        """The bot's recent unanswered tables; None: this referee does not count them."""
        self.ended = ""
        """Why a process that the host started for the bot has ended for good; empty: no such process has ended."""
        self.removed = ""
        """What an organiser's removal told the bot; empty: the bot was not removed, or has come back since."""
        self.shown: Callable[[str], str] = str
        """The name under which other bots see a bot."""
        self.set_aside: Callable[[BotSession], None] = lambda session: None
        """Called with the session when the bot is set aside."""
        self.arrivals = Bucket(limits.arrivals_per_minute / 60, limits.arrivals_per_minute, at)
        self._notices = Bucket(NOTICES / 60, NOTICES, at)
        self._limits = limits
        self._changed = changed
        self._confirmed = confirmed
        self._seat_sessions: dict[str, list[SeatSession]] = {}
        self._missed: deque[pb.Over] = deque(maxlen=UNCONFIRMED)

    @property
    def seat_sessions(self) -> list[SeatSession]:
        """Every seat that the bot holds."""
        return [seat_session for seats in self._seat_sessions.values() for seat_session in seats]

    @property
    def tables(self) -> int:
        """Number of tables at which the bot sits."""
        return len(self._seat_sessions)

    @property
    def present(self) -> bool:
        """Whether the bot is connected and takes tables."""
        return self.stream is not None and not self.stream.closed and self.wanted_tables > 0

    @property
    def capacity(self) -> int:
        """Number of tables at which the bot plays at a time; 0 while the bot is away or set aside."""
        stream, conduct = self.stream, self.conduct
        if stream is None or stream.closed:
            return 0
        if conduct is not None and conduct.aside_until and self.time() < conduct.aside_until:
            return 0
        return min(self.wanted_tables, self._limits.tables)

    @property
    def room(self) -> int:
        """Number of tables at which the bot could sit down now."""
        return max(0, self.capacity - len(self._seat_sessions))

    def plays(self, game: str, seats: int, variant: Mapping[str, str]) -> bool:
        """Whether the bot accepts such a table."""
        return self.offers.plays(game, seats, variant)

    def sit(self, terms: Terms, seat: Seat, asker: messages.Asker, rated: bool = True) -> SeatSession:
        """Give the bot a seat; the caller must call `SeatSession.take` before any message is handled."""
        seat_session = SeatSession(self, terms, seat, asker, rated)
        self._seat_sessions.setdefault(terms.match, []).append(seat_session)
        return seat_session

    def leave(self, seat_session: SeatSession) -> None:
        """Give up a seat whose match is over."""
        seats = self._seat_sessions.get(seat_session.terms.match, [])
        if seat_session in seats:
            seats.remove(seat_session)
            if not seats:
                del self._seat_sessions[seat_session.terms.match]
                self._changed()

    def judge(self, seat_session: SeatSession, ending: EndingKind) -> None:
        """Count how a seat ended: a bot that never answers at its tables is set aside for a while."""
        conduct = self.conduct
        if conduct is None:
            return
        if seat_session.answered:
            conduct.answered()
        elif ending in LOST and conduct.unanswered(at := self.time()):
            self.set_aside(self)
            self.tell_aside(at)

    def tell_aside(self, at: int) -> bool:
        """If the bot is set aside, tell the bot so; returns whether it is."""
        conduct, stream = self.conduct, self.stream
        if conduct is None or conduct.aside_until <= at:
            return False
        if stream is not None:
            seconds = (conduct.aside_until - at) / SECOND
            text = f"you did not answer at your last tables: you are given none for {seconds:.0f} s"
            stream.fault(pb.FAULT_CODE_SET_ASIDE, text)
        return True

    def crashed(self, reason: str, at: int, *, for_good: bool) -> None:
        """The process that the host started for the bot has ended: a fault at each of its tables, which play on.

        `for_good`: no other process is started for the bot, so the stand-in answers every later ask at once.
        """
        if for_good:
            self.ended = reason
        for seat_session in self.seat_sessions:
            table = seat_session.table
            table.crashed(seat_session.seat, at, reason)
            if for_good and not seat_session.is_ready:
                seat_session.is_ready = True
                table.ready(seat_session.seat, at)
            if for_good:
                table.back(seat_session.seat, at)  # an ask of a seat that is away would wait for its clock

    def remove(self, code: pb.FaultCode, text: str, at: int) -> list[str]:
        """An organiser removes the bot: its stream ends, its seats are forfeited. Returns the ids of those matches."""
        stream = self.stream
        if stream is not None:
            stream.close(code, text)
            self.detach(stream, at)
        self.removed = text
        lost = [seat_session for seat_session in self.seat_sessions if not seat_session.forfeited]
        for seat_session in lost:
            seat_session.table.remove(seat_session.seat, at, "an organiser took the bot from its seat")
        return list(dict.fromkeys(seat_session.terms.match for seat_session in lost))

    def over(self, over: pb.Over) -> None:
        """Tell the bot the end of a match: now, or when the bot is back."""
        if self.stream is not None and not self.stream.closed:
            self.stream.over(over)
        else:
            self._missed.append(over)

    def missed(self, end: StoredEnd) -> None:
        """Keep an end of an earlier run of the referee that the bot may not have read, until the bot is back."""
        over = pb.Over()
        messages.fill_over(over, end.match, end.seat, end.final, end.settled, end.rated)
        self._missed.append(over)

    def pong(self, stream: BotStream, nonce: int, at: int) -> None:
        """The bot has returned a ping on one of its streams, also on one that is being closed."""
        for over in stream.pong(nonce, at, measured=self.time.stood < stream.ping_sent):
            self._confirmed(over.match_id, over.seat)

    def attach(self, stream: BotStream, welcome: Callable[[pb.Welcome], None], at: int) -> None:
        """Play on this stream from now on. An earlier stream is closed with the reason; open asks are sent again."""
        if self.stream is not None:
            text = f"a new stream of {self.name} took over; only one can play under a name"
            self.stream.close(pb.FAULT_CODE_TAKEN_OVER, text)
            self.detach(self.stream, at)
        self.stream = stream
        self.removed = ""
        stream.session = self
        welcome(stream.bundle().welcome)
        while self._missed:
            stream.over(self._missed.popleft())
        for seat_session in self.seat_sessions:
            if seat_session.is_ready:
                seat_session.announce(stream, True)
            if seat_session.forfeited:
                seat_session.tell_forfeit(stream)
            seat_session.table.match.listen(seat_session.seat, self.wants_events, self.wants_views)
            seat_session.table.back(seat_session.seat, at)
        stream.ping(at)
        self._changed()

    def detach(self, stream: BotStream, at: int) -> None:
        """A stream has ended; if the stream was the present one, the bot is away and its clocks run on."""
        if stream is not self.stream:
            return
        self.stream = None
        self.away_since = at
        self._missed.extend(stream.unconfirmed)
        for seat_session in self.seat_sessions:
            if not self.ended:
                seat_session.table.gone(seat_session.seat, at)

    def handle(self, stream: BotStream, request: pb.PlayRequest, at: int, queued: int) -> None:
        """Act on a message that arrived at `at` and then waited `queued` microseconds inside the referee."""
        for ready in request.ready:
            seat_session = self._seat_of(stream, ready, at)
            if seat_session is not None:
                if seat_session.is_ready and not stream.bucket.take(at):
                    stream.flooded()
                seat_session.is_ready = True
                seat_session.table.ready(seat_session.seat, at)
            if stream.closed:
                return
        for answer in request.answers:
            self._answer(stream, answer, at, queued)
            if stream.closed:
                return
        for failure in request.failures:
            self._failed(stream, failure, at)
            if stream.closed:
                return
        if request.HasField("pong"):
            # `at` is the earliest moment at which the pong can have come; with it the round trip would seem too short.
            self.pong(stream, request.pong.nonce, at + queued)
        if request.HasField("availability"):
            self.wanted_tables = request.availability.tables
            self._changed()

    def unreadable(self, message: str, at: int) -> None:
        """The bot sent bytes that are no message: a fault at every table that waits for this bot."""
        for seat_session in self.seat_sessions:
            if seat_session.owes:
                seat_session.table.malformed(seat_session.seat, at, message)

    def _answer(self, stream: BotStream, answer: pb.Answer, at: int, queued: int) -> None:
        seats = self._seat_sessions.get(answer.match_id)
        if seats is not None and len(seats) == 1 and seats[0].seat == answer.seat:
            seat_session: SeatSession | None = seats[0]
        else:
            seat_session = self._seat_of(stream, answer, at)
        if seat_session is None:
            return
        ask = answer.ask
        if ask > seat_session.latest:
            # The match may have made this ask already, but an ask is not told before its step is stored.
            self._refused(stream, seat_session, ask, Verdict.UNKNOWN, at)
            return
        outbound = 0
        if ask == seat_session.owes:
            if not seat_session.sent:
                text = f"ask {ask} is not sent yet: wait for it"
                self._useless(
                    stream, at, pb.FAULT_CODE_UNKNOWN_ASK, text, seat_session.terms.match, seat_session.seat, ask
                )
                return
            outbound = seat_session.outbound
        note = answer.note
        verdict = seat_session.table.answer(
            seat_session.seat,
            ask,
            answer.option,
            at,
            lag=stream.round_trip.best,
            queued=queued + outbound,
            note=messages.cut(note, self._limits.note_bytes) if note else "",
        )
        if verdict is not Verdict.ACCEPTED:
            self._refused(stream, seat_session, ask, verdict, at)
        else:
            seat_session.answered = self.answered = True
            stream.counters.answers += 1
            if seat_session.owes == ask:
                seat_session.owes = 0

    def _failed(self, stream: BotStream, failure: pb.Failure, at: int) -> None:
        """The bot reports that an ask cannot be answered, or a failure outside its decisions."""
        text = (
            messages.cut(failure.message, self._limits.note_bytes, (stream.token, self.resume.token)).strip()
            or "the bot cannot answer, and gave no reason"
        )
        ask = failure.ask
        if not ask:
            self._complained(stream, failure.match_id, text, at)
            return
        seat_session = self._seat_of(stream, failure, at)
        if seat_session is None:
            return
        verdict = Verdict.UNKNOWN
        if ask < seat_session.latest or (ask == seat_session.latest and (seat_session.sent or not seat_session.owes)):
            verdict = seat_session.table.unanswered(seat_session.seat, ask, at, text)
        if verdict is not Verdict.ACCEPTED:
            self._refused(stream, seat_session, ask, verdict, at)

    def _complained(self, stream: BotStream, match: str, text: str, at: int) -> None:
        """The bot reports a failure outside its asks: write a log line, and wait no longer for its ready."""
        if not stream.bucket.take(at):
            stream.flooded()
            return
        if self._notices.take(at):
            shown = (printable(part) for part in (self.name, match[:SHOWN] or "none", clean(text)))
            line = "bot %s, match %s: the bot failed outside its decisions: %s"
            _logger.warning(line, *shown, extra={"event": "complaint", "bot": self.name, "build": self.build})
        for seat_session in list(self._seat_sessions.get(match, ())):
            if not seat_session.is_ready:
                seat_session.is_ready = True
                seat_session.table.crashed(seat_session.seat, at, text)
                seat_session.table.ready(seat_session.seat, at)

    def _refused(self, stream: BotStream, seat_session: SeatSession, ask: int, verdict: Verdict, at: int) -> None:
        # For an illegal answer the match puts out a fault of its own.
        if verdict in messages.REFUSALS:
            code, text = messages.REFUSALS[verdict]
            expected = f"ask {seat_session.owes} is open" if seat_session.owes else "no ask of yours is open there"
            self._useless(
                stream,
                at,
                code,
                f"{text.format(ask=ask)}; {expected}",
                seat_session.terms.match,
                seat_session.seat,
                ask,
            )

    def _seat_of(self, stream: BotStream, message: pb.Ready | pb.Answer | pb.Failure, at: int) -> SeatSession | None:
        """The seat that a message is about; None: the bot holds no such seat, and a fault has been sent."""
        match = message.match_id
        seats = self._seat_sessions.get(match)
        if seats is None:
            text = f"you have no seat in a match {match[:SHOWN]!r}: it never was, is over, or is played by others"
            self._useless(stream, at, pb.FAULT_CODE_UNKNOWN_MATCH, text, match[:SHOWN])
            return None
        if not message.HasField("seat"):
            if len(seats) == 1:
                return seats[0]
            text = f"you have {len(seats)} seats at this table: say which one you mean"
            self._useless(stream, at, pb.FAULT_CODE_NOT_YOUR_SEAT, text, match)
            return None
        seat = message.seat
        for seat_session in seats:
            if seat_session.seat == seat:
                return seat_session
        yours = " and ".join([str(seat_session.seat) for seat_session in seats])
        text = f"seat {seat} is not yours; you have seat {yours}"
        self._useless(stream, at, pb.FAULT_CODE_NOT_YOUR_SEAT, text, match, seat)
        return None

    def _useless(
        self, stream: BotStream, at: int, code: pb.FaultCode, text: str, match: str, seat: Seat = 0, ask: int = 0
    ) -> None:
        """Answer a part of a message that cannot be used with a fault; the part counts against the token bucket."""
        if stream.bucket.take(at):
            stream.fault(code, text, match, seat, ask)
        else:
            stream.flooded()
