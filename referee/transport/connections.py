"""The bots that are connected or remembered, and their streams.

A hello ties a stream to a bot. A bot that comes back takes its seats over from its earlier stream:

- with the resume token of its last welcome, always (`resume` says which tokens are good);
- with its bearer token alone, where the referee has a directory of tokens: the token proves the bot's name.

Without a bearer token a name proves nothing, so a name whose bot is connected, or is away with a running match, is
taken for every stream that does not bring the resume token; and a name that the directory reserves needs its token.

`doors` bounds streams before their hello, `conduct` counts a bot's recent misbehaviour. Bots with a token always find
room. Bots without a token of one address may not take all places, and a bot that is away or never answered makes room.

`Connections` does no I/O and reads no clock: `tick` sends heartbeat pings and ends streams that fell silent.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Protocol

from google.protobuf.message import DecodeError

import referee
from referee.kernel.errors import CallerFault, StorageTrouble
from referee.kernel.game import Seat
from referee.match.clock import SECOND
from referee.match.outputs import StoredEnd
from referee.match.playtime import PlayTime
from referee.match.protocols import Directory, NotEntered, Pairing
from referee.transport import auth
from referee.transport.conduct import Conducts
from referee.transport.counters import Counters
from referee.transport.crowding import NoRoom, displaced
from referee.transport.doors import LATER, Doors, origin
from referee.transport.limits import PORTION, Limits
from referee.transport.log_lines import LogLines
from referee.transport.messages import PROTOCOL_VERSION, fill_limits, other_version
from referee.transport.offers import HelloOffers, accepted
from referee.transport.resume import ResumeTokens, hashed
from referee.transport.session import BotSession
from referee.transport.share import Arrivals
from referee.transport.stream import BotStream
from referee.v1 import play_pb2 as pb

SHOWN = 64
"""Characters of a bot's own text that a refusal repeats."""
UNCOUNTED = (
    pb.FAULT_CODE_UNKNOWN_RESUME,
    pb.FAULT_CODE_FULL,
    pb.FAULT_CODE_RATE,
    pb.FAULT_CODE_RESTARTING,
)
"""Refusals that a well-behaved bot can meet, so that they do not count against the bot."""
DRAINING = 5 * SECOND
"""Microseconds of back-off for a bot that comes while the referee is draining."""


class Admission(Protocol):
    """Which bots an organiser keeps out, and under which names bots are shown."""

    def refusal(self, name: str, proven: bool) -> tuple[pb.FaultCode, str] | None:
        """Why a bot is not admitted; None: the bot is admitted. `proven`: a token proves its name."""

    def shown(self, name: str) -> str:
        """The name under which other bots see a bot."""


class HelloRefused(Exception):
    """A hello that the referee refuses."""

    def __init__(self, code: pb.FaultCode, message: str, retry_after: int = 0) -> None:
        """`retry_after`: microseconds of back-off before the bot shall dial again."""
        super().__init__(message)
        self.code = code
        self.message = message
        self.retry_after = retry_after


class Connections:
    """All streams and bots of one referee."""

    def __init__(
        self,
        time: PlayTime,
        *,
        limits: Limits | None = None,
        directory: Directory | None = None,
        pairing: Pairing | None = None,
        changed: Callable[[], None] = lambda: None,
        remember: Callable[[str, str], None] = lambda name, hashes: None,
        missed: Callable[[str], Iterable[StoredEnd]] = lambda name: (),
        confirmed: Callable[[str, Seat], None] = lambda match, seat: None,
        admission: Admission | None = None,
        build: Callable[[str], str] = lambda name: "",
        apart: Callable[[str], bool] = lambda name: False,
    ) -> None:
        """`time` is play time. `directory` None: the referee is open to any name.

        `pairing` is told of every hello; None: all matches are arranged. `changed` is called when a bot may be free for
        a table. `remember` is given the name of every bot whose resume tokens have changed, and the hashes of the
        tokens, separated by spaces, so that a later run of the referee knows them.

        `missed` returns the stored ends that a bot may not have read, and `confirmed` is called with the match and seat
        of each end that was read. `build` returns the build of a bot that has just said hello, by name; empty: the
        software that the bot declares. `apart` says whether a name gets arranged tables alone.
        """
        self.limits = limits or Limits()
        self.directory = directory
        self._pairing = pairing
        self.time = time
        """Play time: calling the object reads the time in microseconds."""
        self._changed = changed
        self._remember = remember
        self.doors = Doors(self.limits)
        """The bounds on streams and calls."""
        self.arrivals = Arrivals()
        self._conducts = Conducts(2 * self.limits.bots)
        self._aside: dict[BotSession, None] = {}
        self._missed = missed
        self._confirmed = confirmed
        self._admission = admission
        self._apart = apart
        self.counters = Counters()
        self.lines = LogLines(self.counters, build=build, is_token=self.proves)
        """The log lines of bots that connect and disconnect, and of matches."""
        self.draining = False
        """Whether the referee is about to end: bots without a table are not admitted any more."""
        self._streams: dict[BotStream, None] = {}
        self._by_name: dict[str, BotSession] = {}
        self._by_token: dict[str, BotSession] = {}
        """The session of each good resume token, by the hash of the token."""

    @property
    def sessions(self) -> tuple[BotSession, ...]:
        """Every bot that is remembered, by first arrival."""
        return tuple(self._by_name.values())

    @property
    def streams(self) -> tuple[BotStream, ...]:
        """Every open stream, by age."""
        return tuple(self._streams)

    def session(self, name: str) -> BotSession | None:
        """The bot of that name; None: it is not remembered."""
        return self._by_name.get(name)

    def recall(self, name: str, hashes: str | None, at: int) -> BotSession:
        """A bot of an earlier run of the referee, away for now; `hashes` are those of its resume tokens."""
        session = self._by_name.get(name) or self._new(name, at, hashes or "")
        session.away_since = at
        return session

    def open(self, token: str, at: int, wake: Callable[[], None], peer: str = "") -> BotStream:
        """A new stream with the bearer token of its call; `peer` is gRPC's name of the caller, empty: a unix socket."""
        stream = BotStream(self.limits, token, at, wake, origin(peer), self.counters)
        stream.proven = self.proves(token)
        stream.on_close = self.lines.closes
        self.counters.streams += 1
        self.arrivals.stream(at)
        self._streams[stream] = None
        refusal = self.doors.open(stream, at)
        if refusal is not None:
            stream.close(*refusal)
        self._clear_strangers(at)
        return stream

    def _clear_strangers(self, at: int) -> None:
        while (surplus := self.doors.surplus(at)) is not None:
            surplus.close(pb.FAULT_CODE_FULL, "too many streams wait here without a hello; say it at once", LATER)

    def proves(self, token: str) -> bool:
        """Whether a bearer token belongs to an entrant."""
        return bool(token) and self.directory is not None and self.directory.entrant(token) is not None

    def left(self, stream: BotStream, at: int) -> None:
        """Forget a stream that has ended."""
        self._streams.pop(stream, None)
        self.doors.left(stream)
        self.lines.left(stream, at)
        if stream.session is not None:
            stream.session.detach(stream, at)

    def receive(self, stream: BotStream, data: bytes, at: int, queued: int = 0) -> None:
        """Act on a message that arrived at `at` and then waited `queued` microseconds inside the referee."""
        if stream.closed:
            self._last_word(stream, data, at + queued)
            return
        stream.heard = at
        size = len(data)
        if not stream.bucket.take(at, 1 + size // PORTION):
            stream.flooded()
            return
        if size > self.limits.message_bytes:
            self.doors.used(size // PORTION)
            text = f"{size} bytes in one message; at most {self.limits.message_bytes} are read"
            self._unreadable(stream, pb.FAULT_CODE_OVERSIZED, text)
            return
        if stream.session is None and size > self.limits.hello_bytes:
            most = self.limits.hello_bytes
            text = f"{size} bytes in the first message, which carries the hello; at most {most} are read"
            stream.close(pb.FAULT_CODE_BAD_HELLO, text)
            return
        try:
            request = pb.PlayRequest.FromString(data)
        except DecodeError:
            text = "that is no PlayRequest of package referee.v1"
            if stream.session is not None:
                stream.session.unreadable(text, at)
            self._unreadable(stream, pb.FAULT_CODE_MALFORMED, text)
            return
        if request.HasField("hello"):
            self._hello(stream, request.hello, at)
        if stream.session is not None and not stream.closed:
            stream.session.handle(stream, request, at, queued)
            if request.HasField("pong") and not stream.closed:
                stream.ping(at + queued, hurried=self.arrivals.of_a_crowd(at + queued))
        elif not stream.closed:
            stream.close(pb.FAULT_CODE_OUT_OF_ORDER, "the first message of a stream must carry a hello")

    def _last_word(self, stream: BotStream, data: bytes, at: int) -> None:
        """Read a message on a stream that is being closed: a pong in it still confirms ends that the bot has read."""
        if stream.session is None or not stream.unconfirmed or len(data) > self.limits.message_bytes:
            return
        try:
            request = pb.PlayRequest.FromString(data)
        except DecodeError:
            return
        if request.HasField("pong"):
            stream.session.pong(stream, request.pong.nonce, at)

    def tick(self, at: int) -> None:
        """Send pings, end streams that fell silent, forget bots that stay away."""
        limits, crowd = self.limits, self.arrivals.of_a_crowd(at)
        self.lines.tick()
        self._clear_strangers(at)
        for stream in tuple(self._streams):
            if stream.closed:
                continue
            if stream.session is None:
                if at - stream.opened >= limits.greeting:
                    stream.close(pb.FAULT_CODE_SILENT, f"no hello within {_seconds(limits.greeting)}")
            elif at - stream.heard >= limits.silence:
                text = f"no message within {_seconds(limits.silence)}; return each ping as a pong, also while you think"
                stream.close(pb.FAULT_CODE_SILENT, text)
            else:
                stream.ping(at, hurried=crowd)
        for session in self.sessions:
            if session.stream is None and not session.tables:
                remembered = limits.linger if session.proven or session.answered else limits.idle
                if at - session.away_since >= remembered:
                    self._forget(session)
        back = [session for session in self._aside if not session.conduct or session.conduct.aside_until <= at]
        for session in back:
            del self._aside[session]
        if back:
            self._changed()

    def refresh(self) -> None:
        """Read tokens that were made or revoked meanwhile; a stream whose token is no longer good is closed."""
        directory = self.directory
        if directory is None or not directory.refresh():
            return
        for stream in tuple(self._streams):
            if stream.session is not None and stream.token and directory.entrant(stream.token) != stream.session.name:
                stream.close(pb.FAULT_CODE_REVOKED, f"the token of {stream.session.name} was revoked")

    def close(self, code: pb.FaultCode, message: str) -> None:
        """Close every stream with this reason."""
        for stream in tuple(self._streams):
            stream.close(code, message)

    def _unreadable(self, stream: BotStream, code: pb.FaultCode, text: str) -> None:
        stream.unreadable += 1
        if stream.unreadable >= self.limits.unreadable:
            stream.close(code, f"{text}; {stream.unreadable} such messages are enough")
        else:
            stream.fault(code, text)

    def _hello(self, stream: BotStream, hello: pb.Hello, at: int) -> None:
        if stream.session is not None:
            stream.fault(pb.FAULT_CODE_OUT_OF_ORDER, "a stream begins with one hello; the later one was passed over")
            return
        self.doors.greeted(stream)
        stream.said_name = hello.name[:SHOWN]
        conduct = self._conducts.of(f"{auth.hashed(stream.token)} {stream.origin} {hello.name[:SHOWN]}")
        pause = conduct.pause(at)
        if pause:
            text = f"your hello was refused again and again: it is looked at again in {_seconds(pause)}"
            stream.close(pb.FAULT_CODE_RATE, text, pause)
            return
        try:
            self._greet(stream, hello, at)
        except HelloRefused as refused:
            pause = 0 if refused.code in UNCOUNTED else conduct.refused(at)
            stream.close(refused.code, refused.message, max(pause, refused.retry_after))
        except StorageTrouble:
            text = "the referee cannot store now, so it takes no new bots; dial again after a pause"
            stream.close(pb.FAULT_CODE_FULL, text)
        else:
            conduct.welcomed()
            self._conducts.left(conduct)
            self.lines.welcomed(stream)

    def _greet(self, stream: BotStream, hello: pb.Hello, at: int) -> None:
        if hello.protocol_version != PROTOCOL_VERSION:
            raise HelloRefused(pb.FAULT_CODE_VERSION, other_version(hello.protocol_version))
        name, proven = self._name(stream, hello)
        if self._admission is not None and (refusal := self._admission.refusal(name, proven)) is not None:
            raise HelloRefused(*refusal)
        if len(hello.offers) > self.limits.offers:
            most = self.limits.offers
            text = f"{len(hello.offers)} offers in one hello; at most {most} are read: make one for each game"
            raise HelloRefused(pb.FAULT_CODE_BAD_HELLO, text)
        try:
            offers = HelloOffers(accepted(hello))
        except CallerFault as error:
            raise HelloRefused(pb.FAULT_CODE_BAD_HELLO, str(error)) from None
        known = self._resumed(hello, name, proven)
        if self.draining and (known is None or not known.tables):
            text = "the referee is about to be restarted and opens no further table: dial again after a pause"
            raise HelloRefused(pb.FAULT_CODE_RESTARTING, text, DRAINING)
        software = hello.software[: 4 * self.limits.name_characters]
        apart = self._apart(name)
        has_tables = known is not None and known.tables > 0
        notice = "" if apart else self._announce(name, software, offers, has_tables=has_tables)
        if known is None and not proven:
            self._make_room(stream.origin, at)
        session = known or self._new(name, at)
        if not session.arrivals.take(at):
            text = f"{name} connects more often than {self.limits.arrivals_per_minute} times a minute; wait a little"
            raise HelloRefused(pb.FAULT_CODE_RATE, text, session.arrivals.wait())
        self._settle_token(session, hello.resume_token)
        session.proven = proven
        session.origin = stream.origin
        session.apart = apart
        if self._pairing is not None and self._pairing.sets_aside and not apart:
            session.conduct = self._conducts.of(f"{'' if proven else stream.origin} {name}")
        session.software = software
        session.offers = offers
        session.wants_events, session.wants_views = hello.events, hello.views
        session.plays_people = hello.plays_people
        session.wanted_tables = hello.tables or 1
        resumed = session.tables > 0

        def welcome(message: pb.Welcome) -> None:
            message.protocol_version = PROTOCOL_VERSION
            message.referee_version = referee.__version__
            message.name = name
            message.resume_token = session.resume.token
            message.resumed = resumed
            message.season = "" if self._pairing is None else self._pairing.season
            fill_limits(message.limits, self.limits)

        session.attach(stream, welcome, at)
        if notice:
            stream.fault(pb.FAULT_CODE_SET_ASIDE, notice)
        if session.tell_aside(at):
            self._set_aside(session)  # the session may be a new one: the bot is looked at again when its time is over

    def _announce(self, name: str, software: str, offers: HelloOffers, *, has_tables: bool) -> str:
        """Tell the pairing of a bot; returns why the bot gets no rated table for now, or an empty text."""
        if self._pairing is None:
            return ""
        try:
            return self._pairing.arrived(name, software, offers)
        except NotEntered as error:
            if has_tables:
                return str(error)
            raise HelloRefused(pb.FAULT_CODE_NO_GAME, str(error)) from None
        except StorageTrouble:
            if has_tables:
                return ""
            raise

    def _name(self, stream: BotStream, hello: pb.Hello) -> tuple[str, bool]:
        """The name of the bot that says hello, and whether a token proves it."""
        directory = self.directory
        if directory is not None and stream.token:
            name = directory.entrant(stream.token)
            if name is None:
                text = "the token is unknown or revoked: use the token that you were given last"
                raise HelloRefused(pb.FAULT_CODE_UNAUTHENTICATED, text)
            if hello.name not in ("", name):
                text = f"the token belongs to another name than {hello.name[:SHOWN]!r}: say no name, the token is one"
                raise HelloRefused(pb.FAULT_CODE_UNAUTHENTICATED, text)
            return name, True
        if self.needs_token:
            text = (
                "there is no token: send the call metadata 'authorization: Bearer <token>' with the one you were given"
            )
            raise HelloRefused(pb.FAULT_CODE_UNAUTHENTICATED, text)
        if not hello.name and stream.token:
            text = "this referee has no tokens and is open to every name: say a name in the hello, and no token"
            raise HelloRefused(pb.FAULT_CODE_BAD_HELLO, text)
        wrong = auth.bad_name(hello.name, self.limits.name_characters)
        if wrong is not None:
            raise HelloRefused(pb.FAULT_CODE_BAD_HELLO, wrong)
        if directory is not None and directory.reserved(hello.name):
            text = f"the name {hello.name} is reserved: take another name, or show the token that belongs to it"
            raise HelloRefused(pb.FAULT_CODE_NAME_TAKEN, text)
        return hello.name, False

    def _resumed(self, hello: pb.Hello, name: str, proven: bool) -> BotSession | None:
        """The session that a hello continues; None: the hello starts a new session."""
        if hello.resume_token:
            session = self._by_token.get(hashed(hello.resume_token))
            if session is None or session.name != name:
                text = "there is nothing to resume under that resume token; say hello without it to start afresh"
                raise HelloRefused(pb.FAULT_CODE_UNKNOWN_RESUME, text)
            return session
        session = self._by_name.get(name)
        if session is None or proven:
            return session
        if session.stream is not None or session.tables:
            what = "a bot plays under" if session.stream is not None else "a running match waits for"
            text = f"{what} the name {name}: take another, or resume with the token of its last welcome"
            raise HelloRefused(pb.FAULT_CODE_NAME_TAKEN, text)
        self._forget(session)
        return None

    def _settle_token(self, session: BotSession, token: str) -> None:
        """Choose the resume token of the welcome: the token of the hello, or a new one; store what has changed."""
        before = session.resume.hashes
        changed = session.resume.use(token) if token else session.resume.issue()
        if changed:
            self._index(session, before)

    def _index(self, session: BotSession, before: Iterable[str] = ()) -> None:
        """Store the resume tokens of a bot in place of those `before`."""
        for known in before:
            del self._by_token[known]
        for known in session.resume.hashes:
            self._by_token[known] = session
        self._remember(session.name, session.resume.stored)

    def _new(self, name: str, at: int, hashes: str = "") -> BotSession:
        session = BotSession(name, ResumeTokens(hashes), self.limits, self.time, at, self._changed, self._confirmed)
        session.set_aside = self._set_aside
        if self._admission is not None:
            session.shown = self._admission.shown
        for end in self._missed(name):
            session.missed(end)
        self._by_name[name] = session
        if hashes:
            self._index(session)
        return session

    def _set_aside(self, session: BotSession) -> None:
        self._aside[session] = None

    def _make_room(self, origin: str, at: int) -> None:
        """If there is no room for one more bot without a token from this address, forget one of them."""
        try:
            session = displaced(self._by_name.values(), origin, self.limits, at)
        except NoRoom as error:
            raise HelloRefused(pb.FAULT_CODE_FULL, str(error), LATER) from None
        if session is None:
            return
        if session.stream is not None:
            text = "another bot needs your place: you have been here for long and never answered"
            session.stream.close(pb.FAULT_CODE_FULL, text, 2 * self.limits.idle)
            session.detach(session.stream, at)
        self._forget(session)

    def full(self, at: int) -> bool:
        """Whether a bot without a token from a new address would find no room now."""
        if self.needs_token:
            return False
        try:
            displaced(self._by_name.values(), "", self.limits, at)
        except NoRoom:
            return True
        return self.doors.full

    @property
    def needs_token(self) -> bool:
        """Whether only bots with a bearer token may play."""
        return self.directory is not None and self.directory.needs_token

    def _forget(self, session: BotSession) -> None:
        del self._by_name[session.name]
        for known in session.resume.hashes:
            del self._by_token[known]
        self._aside.pop(session, None)
        self.doors.used(1)
        if not session.proven and not session.answered:
            if session.conduct is not None:
                self._conducts.left(session.conduct)
            if self._pairing is not None and not session.apart:
                self._pairing.forgotten(session.name)


def _seconds(time: int) -> str:
    return f"{time / SECOND:g} s"
