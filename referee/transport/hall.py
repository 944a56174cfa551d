"""Who is there: every open stream and every bot that is remembered.

A stream becomes a bot's with its hello. A bot that comes back takes its places over from the stream it had before:

- with the resume token of its last welcome, always;
- with its bearer token alone, where the referee has a directory of tokens: the token proves who it is.

At an open referee (no directory) a name alone proves nothing, so a name whose bot is connected, or is away with a
running match, is taken for everybody who has no resume token.

Nothing here does I/O or reads a clock: `tick` sends pings and ends streams that fell silent.
"""

from __future__ import annotations

import secrets
from collections.abc import Callable, Mapping

from google.protobuf.message import DecodeError

import referee
from referee.kernel import registry
from referee.kernel.errors import CallerFault, UnknownName
from referee.match.ports import Directory
from referee.transport import auth
from referee.transport.limits import PORTION, SECOND, Limits
from referee.transport.link import Link
from referee.transport.messages import PROTOCOL_VERSION
from referee.transport.session import Accepts, Session, Watch
from referee.v1 import play_pb2 as pb


class Refused(Exception):
    """A hello that does not lead into the hall."""

    def __init__(self, code: pb.FaultCode, message: str) -> None:
        super().__init__(message)
        self.code = code
        self.message = message


class Hall:
    """All streams and bots of one referee."""

    def __init__(
        self,
        watch: Watch,
        *,
        limits: Limits | None = None,
        directory: Directory | None = None,
        changed: Callable[[], None] = lambda: None,
        remember: Callable[[str, str], None] = lambda name, token: None,
    ) -> None:
        """`directory` None: open to any name. `changed` is called when a bot may be free for a table.

        `remember` is given the name and resume token of every new bot, for a referee that wants to survive its end.
        """
        self.limits = limits or Limits()
        self.directory = directory
        self.watch = watch
        self._changed = changed
        self._remember = remember
        self._links: dict[Link, None] = {}
        self._strangers: dict[Link, None] = {}
        self._by_name: dict[str, Session] = {}
        self._by_token: dict[str, Session] = {}

    @property
    def sessions(self) -> tuple[Session, ...]:
        """Every bot that is remembered, by first arrival."""
        return tuple(self._by_name.values())

    @property
    def links(self) -> tuple[Link, ...]:
        """Every open stream, by age."""
        return tuple(self._links)

    def session(self, name: str) -> Session | None:
        """The bot of that name."""
        return self._by_name.get(name)

    def recall(self, name: str, token: str | None, at: int) -> Session:
        """A bot of an earlier run of the referee, away until it comes back; `token` is the resume token it holds."""
        session = self._by_name.get(name) or self._new(name, at, token)
        session.away_since = at
        return session

    def open(self, token: str, at: int, wake: Callable[[], None]) -> Link:
        """A new stream, with the bearer token of its call."""
        link = Link(self.limits, token, at, wake)
        if len(self._links) >= self.limits.streams:
            link.close(pb.FAULT_CODE_FULL, f"{self.limits.streams} streams are open here already; try again later")
        self._links[link] = None
        self._strangers[link] = None
        if len(self._strangers) > self.limits.strangers:
            # The oldest has had its time: who means to play says hello at once.
            oldest = next(iter(self._strangers))
            del self._strangers[oldest]
            oldest.close(pb.FAULT_CODE_FULL, "too many streams wait here without a hello; say it at once")
        return link

    def left(self, link: Link, at: int) -> None:
        """A stream has ended."""
        self._links.pop(link, None)
        self._strangers.pop(link, None)
        if link.session is not None:
            link.session.detach(link, at)

    def receive(self, link: Link, data: bytes, at: int, queued: int = 0) -> None:
        """A message on a stream, which arrived at `at` and waited `queued` before it was looked at."""
        if link.closed:
            return
        link.heard = at
        size = len(data)
        if not link.bucket.take(at, 1 + size // PORTION):
            link.flooded()
            return
        if size > self.limits.message_bytes:
            text = f"{size} bytes in one message; at most {self.limits.message_bytes} are read"
            self._unreadable(link, pb.FAULT_CODE_OVERSIZED, text)
            return
        try:
            request = pb.PlayRequest.FromString(data)
        except DecodeError:
            text = "that is no PlayRequest of package referee.v1"
            if link.session is not None:
                link.session.unreadable(text, at)
            self._unreadable(link, pb.FAULT_CODE_MALFORMED, text)
            return
        if request.HasField("hello"):
            self._hello(link, request.hello, at)
        if link.session is not None and not link.closed:
            link.session.handle(link, request, at, queued)
        elif not link.closed:
            link.close(pb.FAULT_CODE_OUT_OF_ORDER, "the first message of a stream must carry a hello")

    def tick(self, at: int) -> None:
        """Send pings, end streams that fell silent, forget bots that stay away."""
        limits = self.limits
        for link in tuple(self._links):
            if link.closed:
                continue
            if link.session is None:
                if at - link.opened >= limits.greeting:
                    link.close(pb.FAULT_CODE_SILENT, f"no hello within {_seconds(limits.greeting)}")
            elif at - link.heard >= limits.silence:
                text = f"no message within {_seconds(limits.silence)}; return each ping as a pong, also while you think"
                link.close(pb.FAULT_CODE_SILENT, text)
            else:
                link.ping(at)
        for session in self.sessions:
            if session.link is None and not session.tables and at - session.away_since >= limits.linger:
                self._forget(session)

    def close(self, code: pb.FaultCode, message: str) -> None:
        """End every stream, each told why."""
        for link in tuple(self._links):
            link.close(code, message)

    def _unreadable(self, link: Link, code: pb.FaultCode, text: str) -> None:
        link.unreadable += 1
        if link.unreadable >= self.limits.unreadable:
            link.close(code, f"{text}; {link.unreadable} such messages are enough")
        else:
            link.fault(code, text)

    def _hello(self, link: Link, hello: pb.Hello, at: int) -> None:
        if link.session is not None:
            link.fault(pb.FAULT_CODE_OUT_OF_ORDER, "a stream begins with one hello; the later one was passed over")
            return
        try:
            self._greet(link, hello, at)
        except Refused as refused:
            link.close(refused.code, refused.message)

    def _greet(self, link: Link, hello: pb.Hello, at: int) -> None:
        if hello.protocol_version != PROTOCOL_VERSION:
            raise Refused(pb.FAULT_CODE_VERSION, _other_version(hello.protocol_version))
        name = self._name(link, hello)
        try:
            accepts = _accepts(hello)
        except CallerFault as error:
            raise Refused(pb.FAULT_CODE_BAD_HELLO, str(error)) from None
        session = self._resumed(hello, name) or self._new(name, at)
        if not session.arrivals.take(at):
            text = f"{name} connects more often than {self.limits.arrivals_per_minute} times a minute; wait a little"
            raise Refused(pb.FAULT_CODE_RATE, text)
        session.software = hello.software[: 4 * self.limits.name_characters]
        session.accepts = accepts
        session.wants_events = hello.events
        session.wanted_tables = hello.tables or 1
        resumed = session.tables > 0

        def welcome(message: pb.Welcome) -> None:
            message.protocol_version = PROTOCOL_VERSION
            message.referee_version = referee.__version__
            message.name = name
            message.resume_token = session.token
            message.resumed = resumed
            fill_limits(message.limits, self.limits)

        self._strangers.pop(link, None)
        session.attach(link, welcome, at)

    def _name(self, link: Link, hello: pb.Hello) -> str:
        """Who says hello, as far as it can prove it."""
        if self.directory is None:
            wrong = auth.bad_name(hello.name, self.limits.name_characters)
            if wrong is not None:
                raise Refused(pb.FAULT_CODE_BAD_HELLO, wrong)
            return hello.name
        name = self.directory.entrant(link.token) if link.token else None
        if name is None:
            what = "the token is unknown or revoked" if link.token else "there is no token"
            text = f"{what}: send the call metadata 'authorization: Bearer <token>' with the token you were given"
            raise Refused(pb.FAULT_CODE_UNAUTHENTICATED, text)
        if hello.name not in ("", name):
            text = "the token belongs to another name; say that name in the hello, or none"
            raise Refused(pb.FAULT_CODE_UNAUTHENTICATED, text)
        return name

    def _resumed(self, hello: pb.Hello, name: str) -> Session | None:
        """The session that a hello continues; None: it starts a new one."""
        if hello.resume_token:
            session = self._by_token.get(hello.resume_token)
            if session is None or session.name != name:
                text = "there is nothing to resume under that resume token; say hello without it to start afresh"
                raise Refused(pb.FAULT_CODE_UNKNOWN_RESUME, text)
            return session
        session = self._by_name.get(name)
        if session is None or self.directory is not None:
            return session
        if session.link is not None or session.tables:
            what = "a bot plays under" if session.link is not None else "a running match waits for"
            text = f"{what} the name {name}: take another, or resume with the token of its last welcome"
            raise Refused(pb.FAULT_CODE_NAME_TAKEN, text)
        self._forget(session)
        return None

    def _new(self, name: str, at: int, token: str | None = None) -> Session:
        if len(self._by_name) >= self.limits.bots:
            self._make_room()
        self.watch.at = at
        session = Session(name, token or secrets.token_urlsafe(24), self.limits, self.watch, self._changed)
        self._by_name[name] = session
        self._by_token[session.token] = session
        self._remember(name, session.token)
        return session

    def _make_room(self) -> None:
        """Forget the bot that is away longest without a running match."""
        idle = [session for session in self._by_name.values() if session.link is None and not session.tables]
        if not idle:
            raise Refused(pb.FAULT_CODE_FULL, f"{self.limits.bots} bots are here already; try again later")
        self._forget(min(idle, key=lambda session: session.away_since))

    def _forget(self, session: Session) -> None:
        del self._by_name[session.name]
        del self._by_token[session.token]


def fill_limits(message: pb.Limits, limits: Limits) -> None:
    """The limits, as bots are told them."""
    message.message_bytes = limits.message_bytes
    message.messages_per_second = limits.messages_per_second
    message.message_burst = limits.message_burst
    message.note_bytes = limits.note_bytes
    message.tables = limits.tables
    message.name_characters = limits.name_characters
    message.ping_interval_us = limits.ping_interval
    message.silence_us = limits.silence
    message.unreadable_messages = limits.unreadable


def _accepts(hello: pb.Hello) -> Mapping[str, Accepts] | None:
    """What a hello offers, checked against the games there are; raises CallerFault."""
    if not hello.offers:
        return None
    accepts = {}
    for offer in hello.offers:
        game = registry.game(offer.game)
        for seats in offer.seat_counts:
            if seats not in game.seats:
                raise UnknownName.of(f"seat count of {game.name}", str(seats), map(str, game.seats))
        settings = {}
        for setting in offer.settings:
            if setting.name not in game.variants:
                raise UnknownName.of(f"setting of {game.name}", setting.name, game.variants)
            known = game.variants[setting.name].values
            for value in setting.values:
                if value not in known:
                    raise UnknownName.of(f"value of {game.name}'s {setting.name}", value, known)
            settings[setting.name] = frozenset(setting.values)
        accepts[game.name] = Accepts(frozenset(offer.seat_counts), settings)
    return accepts


def _other_version(theirs: int) -> str:
    remedy = (
        "update the bot" if theirs < PROTOCOL_VERSION else "use a bot kit made for this referee, or a newer referee"
    )
    return (
        f"the bot speaks protocol version {theirs}, this referee ({referee.__version__}) speaks {PROTOCOL_VERSION}: "
        f"{remedy}"
    )


def _seconds(time: int) -> str:
    return f"{time / SECOND:g} s"
