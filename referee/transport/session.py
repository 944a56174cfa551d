"""What a bot's messages mean: readiness and answers go to its tables, what tables put out goes to its stream.

A `Session` is one bot, for as long as it is remembered; streams come and go under it. It holds a `Place` for each of
its seats. It does no I/O and reads no clock: messages come in with the moment of their arrival, and messages to be sent
gather in the stream's `Link`.

Answers are idempotent: whatever cannot be used changes nothing and comes back as a typed fault, and the stream goes on.
"""

from __future__ import annotations

import logging
from collections import deque
from collections.abc import Callable, Mapping

from referee.kernel.game import Seat
from referee.match.outputs import Verdict
from referee.match.policy import EndingKind, clean, printable
from referee.match.ports import StoredEnd
from referee.match.terms import Terms
from referee.transport import messages
from referee.transport.conduct import Conduct
from referee.transport.limits import SECOND, Bucket, Limits
from referee.transport.link import UNCONFIRMED, Link
from referee.transport.offers import HelloOffers
from referee.transport.place import Place
from referee.transport.resume import ResumeTokens
from referee.transport.watch import Watch
from referee.v1 import play_pb2 as pb

_logger = logging.getLogger(__name__)

SHOWN = 64
"""Characters of a match id that are sent back where it means nothing."""

NOTICES = 20
"""Lines of the log that a bot may cause in a minute by what went wrong inside it."""

LOST = (EndingKind.FORFEITED, EndingKind.NEVER_READY)
"""Endings of a seat that count against a bot which did not answer once."""


class Session:
    """One bot: who it is, what it plays, its places and its present stream."""

    def __init__(
        self,
        name: str,
        resume: ResumeTokens,
        limits: Limits,
        watch: Watch,
        changed: Callable[[], None],
        confirmed: Callable[[str, Seat], None] = lambda match, seat: None,
    ) -> None:
        """`changed` is called when the bot may be able to take a seat that it could not take before.

        `confirmed` is called with the match and seat of each end that the bot has read for certain.
        """
        self.name = name
        self.resume = resume
        """What gives the bot its tables back on another stream."""
        self.software = ""
        self.build = ""
        """Which of the bot's builds it is: a number, or its software where builds are not numbered."""
        self.watch = watch
        self.link: Link | None = None
        """The present stream; None: the bot is away."""
        self.away_since = 0
        self.wants_events = False
        self.wanted_tables = 1
        self.offers = HelloOffers()
        """What it plays."""
        self.proven = False
        """Whether a token proved its name."""
        self.origin = ""
        """The address from which it came last; empty: a unix socket."""
        self.answered = False
        """Whether it has ever answered an ask."""
        self.conduct: Conduct | None = None
        """What it did wrong of late; None: that is not counted here."""
        self.ended = ""
        """Why the bot's process, which the host started, has ended for good; empty: it has not, or is the bot's own."""
        self.removed = ""
        """What a bot that an organiser took from its seats was told; empty: it is here again, or was not removed."""
        self.shown: Callable[[str], str] = str
        """The name under which other bots see a bot."""
        self.set_aside: Callable[[Session], None] = lambda session: None
        """Called when it is set aside."""
        self.arrivals = Bucket(limits.arrivals_per_minute / 60, limits.arrivals_per_minute, watch.at)
        self._notices = Bucket(NOTICES / 60, NOTICES, watch.at)
        self._limits = limits
        self._changed = changed
        self._confirmed = confirmed
        self._places: dict[str, list[Place]] = {}
        self._missed: deque[pb.Over] = deque(maxlen=UNCONFIRMED)

    @property
    def places(self) -> list[Place]:
        """Every seat it holds."""
        return [place for places in self._places.values() for place in places]

    @property
    def tables(self) -> int:
        """Tables it sits at."""
        return len(self._places)

    @property
    def present(self) -> bool:
        """Whether it is connected and takes tables."""
        return self.link is not None and not self.link.closed and self.wanted_tables > 0

    @property
    def capacity(self) -> int:
        """Tables at which it plays at a time; 0 while it is away or set aside."""
        link, conduct = self.link, self.conduct
        if link is None or link.closed or (conduct is not None and self.watch.at < conduct.aside_until):
            return 0
        return min(self.wanted_tables, self._limits.tables)

    @property
    def room(self) -> int:
        """Tables it could sit down at now."""
        return max(0, self.capacity - len(self._places))

    def plays(self, game: str, seats: int, variant: Mapping[str, str]) -> bool:
        """Whether it accepts such a table."""
        return self.offers.plays(game, seats, variant)

    def sit(self, terms: Terms, seat: Seat, asker: messages.Asker, rated: bool = True) -> Place:
        """Hold a seat."""
        place = Place(self, terms, seat, asker, rated)
        self._places.setdefault(terms.match, []).append(place)
        return place

    def leave(self, place: Place) -> None:
        """Give a seat up: its match is over."""
        places = self._places.get(place.terms.match, [])
        if place in places:
            places.remove(place)
            if not places:
                del self._places[place.terms.match]
                self._changed()

    def judge(self, place: Place, ending: EndingKind) -> None:
        """A seat is about to be given up: a bot that never answers at its tables is set aside for a while."""
        conduct = self.conduct
        if conduct is None:
            return
        if place.answered:
            conduct.answered()
        elif ending in LOST and conduct.unanswered(self.watch.at):
            self.set_aside(self)
            self.tell_aside(self.watch.at)

    def tell_aside(self, at: int) -> None:
        """Tell the bot that it is set aside, if it is."""
        conduct, link = self.conduct, self.link
        if conduct is not None and link is not None and conduct.aside_until > at:
            seconds = (conduct.aside_until - at) / SECOND
            text = f"you did not answer at your last tables: you are given none for {seconds:.0f} s"
            link.fault(pb.FAULT_CODE_SET_ASIDE, text)

    def crashed(self, reason: str, at: int, *, for_good: bool) -> None:
        """The bot's process, which the host started, has ended: a fault at each of its tables, which play on.

        `for_good`: no other process takes its place, so every later ask is answered by the stand-in at once.
        """
        self.watch.at = at
        if for_good:
            self.ended = reason
        for place in self.places:
            table = place.table
            if table is None:
                continue
            table.crashed(place.seat, at, reason)
            if for_good and not place.is_ready:
                place.is_ready = True
                table.ready(place.seat, at)
            if for_good:
                table.back(place.seat, at)  # an ask of a seat that is away would wait for its clock

    def remove(self, code: pb.FaultCode, text: str, at: int) -> list[str]:
        """An organiser takes the bot away: its stream ends, its seats are forfeited; returns those matches."""
        self.watch.at = at
        link = self.link
        if link is not None:
            link.close(code, text)
            self.detach(link, at)
        self.removed = text
        lost = [place for place in self.places if not place.forfeited]
        for place in lost:
            if place.table is not None:
                place.table.remove(place.seat, at, "an organiser took the bot from its seat")
        return list(dict.fromkeys(place.terms.match for place in lost))

    def over(self, over: pb.Over) -> None:
        """A match has ended: say so now, or when the bot is back."""
        if self.link is not None and not self.link.closed:
            self.link.over(over)
        else:
            self._missed.append(over)

    def missed(self, end: StoredEnd) -> None:
        """A match ended in an earlier run of the referee, and the bot may not have read so: say it when it is back."""
        over = pb.Over()
        messages.fill_over(over, end.match, end.seat, end.final, end.settled, end.rated)
        self._missed.append(over)

    def pong(self, link: Link, nonce: int, at: int) -> None:
        """A ping has come back on a stream of the bot's; also on one that is being closed."""
        for over in link.pong(nonce, at, measured=self.watch.stood < link.ping_sent):
            self._confirmed(over.match_id, over.seat)

    def attach(self, link: Link, welcome: Callable[[pb.Welcome], None], at: int) -> None:
        """Play on this stream from now on. An earlier one is told why it ends; everything owed is sent again."""
        if self.link is not None:
            text = f"a new stream of {self.name} took over; only one can play under a name"
            self.link.close(pb.FAULT_CODE_TAKEN_OVER, text)
            self.detach(self.link, at)
        self.link = link
        self.removed = ""
        link.session = self
        welcome(link.bundle().welcome)
        while self._missed:
            link.over(self._missed.popleft())
        self.watch.at = at
        for place in self.places:
            if place.table is None:
                continue
            if place.is_ready:
                place.announce(link, True)
            if place.forfeited:
                place.condole(link)
            place.table.listen(place.seat, self.wants_events)
            place.table.back(place.seat, at)
        link.ping(at)
        self._changed()

    def detach(self, link: Link, at: int) -> None:
        """A stream has ended; if it was the present one, the bot is away and its clocks run on."""
        if link is not self.link:
            return
        self.link = None
        self.away_since = self.watch.at = at
        self._missed.extend(link.unconfirmed)
        for place in self.places:
            if place.table is not None and not self.ended:
                place.table.gone(place.seat, at)

    def handle(self, link: Link, request: pb.PlayRequest, at: int, queued: int) -> None:
        """Act on a message that arrived at `at` and waited `queued` before it came here."""
        self.watch.at = at
        for ready in request.ready:
            place = self._place(link, ready, at)
            if place is not None and place.table is not None:
                if place.is_ready and not link.bucket.take(at):
                    link.flooded()
                place.is_ready = True
                place.table.ready(place.seat, at)
            if link.closed:
                return
        for answer in request.answers:
            self._answer(link, answer, at, queued)
            if link.closed:
                return
        for failure in request.failures:
            self._failed(link, failure, at)
            if link.closed:
                return
        if request.HasField("pong"):
            # `at` is the earliest moment at which it can have come, which would make the network seem too fast.
            self.pong(link, request.pong.nonce, at + queued)
        if request.HasField("availability"):
            self.wanted_tables = request.availability.tables
            self._changed()

    def unreadable(self, message: str, at: int) -> None:
        """Something came that is no message: it counts at every table that waits for this bot."""
        self.watch.at = at
        for place in self.places:
            if place.owes and place.table is not None:
                place.table.malformed(place.seat, at, message)

    def _answer(self, link: Link, answer: pb.Answer, at: int, queued: int) -> None:
        places = self._places.get(answer.match_id)
        if places is not None and len(places) == 1 and places[0].seat == answer.seat:
            place: Place | None = places[0]
        else:
            place = self._place(link, answer, at)
        if place is None or place.table is None:
            return
        ask = answer.ask
        if ask > place.latest:
            # It may be made already, and wait for the step before it to be stored.
            self._refused(link, place, ask, Verdict.UNKNOWN, at)
            return
        outbound = 0
        if ask == place.owes:
            if not place.sent:
                text = f"ask {ask} is not sent yet: wait for it"
                self._useless(link, at, pb.FAULT_CODE_UNKNOWN_ASK, text, place.terms.match, place.seat, ask)
                return
            outbound = place.outbound
        note = answer.note
        verdict = place.table.answer(
            place.seat,
            ask,
            answer.option,
            at,
            lag=link.round_trip.best,
            queued=queued + outbound,
            note=messages.cut(note, self._limits.note_bytes) if note else "",
        )
        if verdict is not Verdict.ACCEPTED:
            self._refused(link, place, ask, verdict, at)
        else:
            place.answered = self.answered = True
            link.counters.answers += 1
            if place.owes == ask:
                place.owes = 0

    def _failed(self, link: Link, failure: pb.Failure, at: int) -> None:
        """The bot cannot answer an ask, or tells what else went wrong inside it."""
        text = (
            messages.cut(failure.message, self._limits.note_bytes, (link.token, self.resume.token)).strip()
            or "the bot cannot answer, and gave no reason"
        )
        ask = failure.ask
        if not ask:
            self._complained(link, failure.match_id, text, at)
            return
        place = self._place(link, failure, at)
        if place is None or place.table is None:
            return
        verdict = Verdict.UNKNOWN
        if ask < place.latest or (ask == place.latest and (place.sent or not place.owes)):
            verdict = place.table.unanswered(place.seat, ask, at, text)
        if verdict is not Verdict.ACCEPTED:
            self._refused(link, place, ask, verdict, at)

    def _complained(self, link: Link, match: str, text: str, at: int) -> None:
        """Something went wrong that is about no ask: a line of the log; no table waits for such a bot's ready."""
        if not link.bucket.take(at):
            link.flooded()
            return
        if self._notices.take(at):
            shown = (printable(part) for part in (self.name, match[:SHOWN] or "none", clean(text)))
            line = "bot %s, match %s: the bot failed outside its decisions: %s"
            _logger.warning(line, *shown, extra={"event": "complaint", "bot": self.name, "build": self.build})
        for place in list(self._places.get(match, ())):
            if not place.is_ready and place.table is not None:
                place.is_ready = True
                place.table.crashed(place.seat, at, text)
                place.table.ready(place.seat, at)

    def _refused(self, link: Link, place: Place, ask: int, verdict: Verdict, at: int) -> None:
        # An illegal answer is a fault of the match, which says so itself.
        if verdict in messages.REFUSALS:
            code, text = messages.REFUSALS[verdict]
            expected = f"ask {place.owes} is open" if place.owes else "no ask of yours is open there"
            self._useless(link, at, code, f"{text.format(ask=ask)}; {expected}", place.terms.match, place.seat, ask)

    def _place(self, link: Link, message: pb.Ready | pb.Answer | pb.Failure, at: int) -> Place | None:
        """The place that a message is about; if there is none the bot is told."""
        match = message.match_id
        places = self._places.get(match)
        if places is None:
            text = f"you have no seat in a match {match[:SHOWN]!r}: it never was, is over, or is played by others"
            self._useless(link, at, pb.FAULT_CODE_UNKNOWN_MATCH, text, match[:SHOWN])
            return None
        if not message.HasField("seat"):
            if len(places) == 1:
                return places[0]
            text = f"you have {len(places)} seats at this table: say which one you mean"
            self._useless(link, at, pb.FAULT_CODE_NOT_YOUR_SEAT, text, match)
            return None
        seat = message.seat
        for place in places:
            if place.seat == seat:
                return place
        yours = " and ".join([str(place.seat) for place in places])
        text = f"seat {seat} is not yours; you have seat {yours}"
        self._useless(link, at, pb.FAULT_CODE_NOT_YOUR_SEAT, text, match, seat)
        return None

    def _useless(
        self, link: Link, at: int, code: pb.FaultCode, text: str, match: str, seat: Seat = 0, ask: int = 0
    ) -> None:
        """Something that could not be used: say so, and let it count against the rate limit like a message."""
        if link.bucket.take(at):
            link.fault(code, text, match, seat, ask)
        else:
            link.flooded()
