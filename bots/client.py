"""Connect a bot to a referee: `run` plays until the bot is stopped, and reconnects when the connection breaks.

The thread that called `run` lets the bot decide. A second thread reads the stream and answers pings at once, so that
the referee does not take a thinking bot for dead. Answers that are ready within `TOGETHER` seconds of each other travel
in one message.

**Name and token.** Without a token `name` is the bot's name at the referee (default: the name of its class). With a
token (default: the variable KUMITE_TOKEN) the token decides the name, and the welcome tells the bot its name.
`insist=True` sends the name too, and the referee refuses the bot if the token belongs to another name.

**TLS.** `tls=True` trusts the authorities of this system, `tls="ca.pem"` the authority in that file; default: the
variable KUMITE_TLS, `system` or a file. `credentials` are gRPC's own, for any other set-up.

**Software.** On a ladder the text in `software` tells one build of a bot from the next. The default contains a digest
of the bot's source (see `source`); an author's own text has to change exactly when the bot's play changes.

**Restarts.** A bot dials a referee that has answered before for 15 minutes with growing pauses (see `redial`), and the
bot's matches continue. The matches of a bot's process that was killed continue when the process is started again (see
`resume`).
"""

from __future__ import annotations

import os
import signal
import sys
import threading
import time
import traceback
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, nullcontext
from dataclasses import dataclass
from queue import Empty, SimpleQueue
from types import FrameType
from typing import TypeAlias

import grpc

from bots import source
from bots.address import UNIX, check, is_loopback
from bots.ask import AnyAsk
from bots.bot import Bot, offered
from bots.errors import BotFailed, BotRefused, Unreachable
from bots.match_logs import MatchLogs
from bots.redial import PATIENCE, Redial
from bots.resume import ResumeFile
from bots.session import ClientSession, Closing, Next, Profile, pong
from bots.tls import Trust, Wish, diagnose
from bots.tls import trust as tls_trust
from referee.kernel.errors import BadSetting, KumiteError
from referee.v1 import play_pb2
from referee.v1.play_pb2_grpc import RefereeServiceStub

ADDRESS = "localhost:7400"
TOKEN_VARIABLE = "KUMITE_TOKEN"
ADDRESS_VARIABLE = "KUMITE_ADDRESS"
NAME_VARIABLE = "KUMITE_NAME"
TOGETHER = 0.002
"""Seconds for which an answer waits for further answers, which then travel in the same message."""
MOST_TABLES = 2**32 - 1
"""The largest number of tables that the field of the hello can hold."""
GRACE = 0.5
"""Seconds that the end of a stream may take before the stream is cancelled."""
OPTIONS = (
    ("grpc.keepalive_time_ms", 30_000),
    ("grpc.keepalive_timeout_ms", 10_000),
    ("grpc.max_receive_message_length", 64 * 1024 * 1024),
    # gRPC pauses before it dials a failed address again; the pauses of `redial` take the place of gRPC's.
    ("grpc.use_local_subchannel_pool", 1),
)


NO_TLS = Trust()


@dataclass(frozen=True, slots=True)
class StreamEnd:
    """The gRPC status with which a stream ended."""

    code: grpc.StatusCode
    details: str


Arrival: TypeAlias = tuple[play_pb2.PlayResponse, float] | StreamEnd
"""A message and the `time.monotonic()` of its arrival, or the status with which the stream ended."""


class PlayStream:
    """One open Play call: `send` to it, `receive` from it."""

    def __init__(self, channel: grpc.Channel, token: str | None) -> None:
        # The queues need no bound: the referee has at most one open ask per seat, and the bot sends one answer to each.
        self._outbox: SimpleQueue[play_pb2.PlayRequest | None] = SimpleQueue()
        self._inbox: SimpleQueue[Arrival] = SimpleQueue()
        metadata = [("authorization", f"Bearer {token}")] if token else None
        stub = RefereeServiceStub(channel)
        self._call = stub.Play(iter(self._outbox.get, None), metadata=metadata)
        self._reader = threading.Thread(target=self._read, name="kumite-reader", daemon=True)
        self._reader.start()

    def send(self, message: play_pb2.PlayRequest | None) -> None:
        """Send a message, if there is one."""
        if message is not None:
            self._outbox.put(message)

    def receive(self) -> Arrival:
        """The next message and the moment of its arrival, or the status with which the stream ended."""
        return self._inbox.get()

    def poll(self) -> Arrival | None:
        """The next message if one has arrived, else None."""
        try:
            return self._inbox.get_nowait()
        except Empty:
            return None

    def interrupt(self) -> None:
        """Let `receive` return the end of the stream; another thread may call this."""
        self._inbox.put(StreamEnd(grpc.StatusCode.CANCELLED, "the bot leaves"))

    def close(self) -> None:
        """End the call: sent messages get `GRACE` seconds to arrive, in which the referee can close its side."""
        self._outbox.put(None)
        self._reader.join(timeout=GRACE)
        self._call.cancel()
        self._reader.join(timeout=5.0)

    def _read(self) -> None:
        try:
            for message in self._call:
                at = time.monotonic()
                self.send(pong(message))
                self._inbox.put((message, at))
        except grpc.RpcError:
            pass
        finally:
            self._outbox.put(None)
            self._inbox.put(StreamEnd(self._call.code(), self._call.details() or ""))


class Departure:
    """Lets another thread end `play`, which otherwise waits for messages and between attempts."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._stream: PlayStream | None = None
        self._leaving = threading.Event()

    def is_due(self) -> bool:
        """Whether the bot shall leave."""
        return self._leaving.is_set()

    def leave(self) -> None:
        """End `play` as soon as the bot is not deciding."""
        with self._lock:
            self._leaving.set()
            if self._stream is not None:
                self._stream.interrupt()

    def watch(self, stream: PlayStream | None) -> None:
        """Note the open stream, None: there is none."""
        with self._lock:
            self._stream = stream
            if stream is not None and self.is_due():
                stream.interrupt()

    def pause(self, seconds: float) -> None:
        """Wait until the next attempt is due, or until the bot shall leave."""
        self._leaving.wait(seconds)


@contextmanager
def _forgetting(session: ClientSession, resume: ResumeFile | None) -> Iterator[None]:
    """Forget the resume token at the end of the block if the bot has no match to resume."""
    try:
        yield
    finally:
        if resume is not None and session.idle:
            resume.forget()


def play(
    session: ClientSession,
    redial: Redial,
    *,
    token: str | None = None,
    trust: Trust = NO_TLS,
    resume: ResumeFile | None = None,
    report: Callable[[str], None],
    departure: Departure | None = None,
) -> None:
    """Play until the session is done or the referee sends the bot home; raises BotRefused, Unreachable or BotFailed."""
    pause_for = time.sleep if departure is None else departure.pause
    departure = departure or Departure()
    reported = ""
    while not departure.is_due():
        address = redial.address
        ended = _one_stream(session, address, token, trust, resume, departure)
        if departure.is_due():
            return
        if ended is None or (session.closing is not None and session.closing.next is Next.STOP):
            if session.closing is not None:
                report(session.closing.message)
            return
        why = _why(session, ended, address, address == redial.home)
        unheard = not session.known and session.closing is None
        if unheard and why != reported and (wrong := diagnose(address, trust, ended.details)) is not None:
            raise BotRefused(wrong)
        pause = redial.after(welcomed=session.welcomed, closing=session.closing)
        if pause is None:
            raise Unreachable(f"{why}; gave up after {redial.limit:g} s")
        if session.welcomed or why != reported:
            where = "" if redial.address == address else f" at {redial.address}"
            report(f"{why}; trying again{where}")
            reported = why
        pause_for(pause)


def _one_stream(
    session: ClientSession,
    address: str,
    token: str | None,
    trust: Trust,
    resume: ResumeFile | None,
    departure: Departure,
) -> StreamEnd | None:
    """Play on one stream; returns the status with which the stream ended, None: the session is done."""
    if trust.credentials is None or address.startswith(UNIX):
        channel = grpc.insecure_channel(address, options=OPTIONS)
    else:
        channel = grpc.secure_channel(address, trust.credentials, options=OPTIONS)
    with channel:
        stream = PlayStream(channel, token)
        departure.watch(stream)
        try:
            stream.send(session.hello())
            return _pump(session, stream, resume)
        except BotFailed:
            stream.send(session.take())  # so that the table need not wait for the bot's clock
            raise
        finally:
            departure.watch(None)
            stream.close()


def sit_down(
    profile: Profile,
    make: Callable[[], Bot],
    address: str,
    *,
    token: str | None = None,
    trust: Trust = NO_TLS,
    patience: float = PATIENCE,
    report: Callable[[str], None],
    logs: MatchLogs | None = None,
    departure: Departure | None = None,
) -> None:
    """Play as `play` does, and keep the resume token of a bot without a bearer token, which gets its matches back so.

    `address` and `profile` have been checked, as `run` does.
    """
    with nullcontext() if token else ResumeFile(address, profile.name) as resume:
        session = ClientSession(profile, make, report, "" if resume is None else resume.token, logs)
        with _forgetting(session, resume):
            play(
                session,
                Redial(address, patience),
                token=token,
                trust=trust,
                resume=resume,
                report=report,
                departure=departure,
            )


def _why(session: ClientSession, ended: StreamEnd, address: str, home: bool) -> str:
    """Why a stream ended that the bot will open again; raises BotRefused if another stream would be refused as well.

    Only at the bot's own address (`home`) a port without a referee is a refusal; after a redirect the bot dials home.
    """
    closing = session.closing
    if closing is not None and closing.next is Next.REFUSED:
        hint = _hint(session, closing)
        raise BotRefused(f"the referee at {address} refuses this bot: {closing.message}{hint}")
    if closing is not None:
        return closing.message
    if ended.code in _FINAL and home:
        raise BotRefused(f"the referee at {address} refuses this bot: {_FINAL[ended.code]}{ended.details}")
    if session.welcomed:
        return f"connection to {address} lost ({ended.code.name.lower()}: {ended.details})"
    return f"no referee answers at {address} ({ended.details.rpartition(': ')[2]})"


def _hint(session: ClientSession, closing: Closing) -> str:
    """What the bot's user can do about a refusal; empty if there is no advice."""
    if closing.code == play_pb2.FAULT_CODE_BAD_HELLO and not session.name:
        return (
            f" (a token was given, so no name was sent; at a referee without tokens leave the token and "
            f"{TOKEN_VARIABLE} out)"
        )
    return _HINTS.get(closing.code, "")


_HINTS = {play_pb2.FAULT_CODE_NAME_TAKEN: " (kumite join: --name NAME; in a program: run(..., name=...))"}
"""Advice to the bot's user, by the code of the refusal."""

_FINAL = {
    grpc.StatusCode.UNAUTHENTICATED: "bad token: ",
    grpc.StatusCode.PERMISSION_DENIED: "not allowed: ",
    grpc.StatusCode.UNIMPLEMENTED: "it is no Kumite referee, or one of another version: ",
    grpc.StatusCode.INVALID_ARGUMENT: "",
}


def _pump(session: ClientSession, stream: PlayStream, resume: ResumeFile | None) -> StreamEnd | None:
    """Pass messages between stream and session until the stream ends; None: the session is done."""
    while True:
        received: Arrival | None = stream.receive()
        asks: list[AnyAsk] = []
        while received is not None and not isinstance(received, StreamEnd):
            asks += session.receive(*received)
            received = stream.poll()
        if resume is not None:
            resume.keep(session.resume_token)
        if isinstance(received, StreamEnd):
            return None if session.done else received
        _decide(session, stream, asks)
        if session.done:
            return None


def _decide(session: ClientSession, stream: PlayStream, asks: Sequence[AnyAsk]) -> None:
    """Let the bot decide; answers within `TOGETHER` seconds share a message, a failure is sent at once."""
    bundles = session.bundles(asks)
    if bundles:
        stream.send(session.take())
    sent = time.monotonic()
    for bundle in bundles:
        session.decide(bundle)
        now = time.monotonic()
        if now - sent > TOGETHER or session.failing:
            stream.send(session.take())
            sent = now
    stream.send(session.take())


def run(
    bot: Bot | Callable[[], Bot],
    address: str | None = None,
    *,
    name: str | None = None,
    token: str | None = None,
    insist: bool = False,
    games: Sequence[str] | None = None,
    tables: int = 1,
    matches: int | None = None,
    plays_people: bool | None = None,
    software: str | None = None,
    seed: int | str | None = None,
    development: bool = False,
    tls: Wish | None = None,
    credentials: grpc.ChannelCredentials | None = None,
    patience: float = PATIENCE,
    quiet: bool = False,
    logs: MatchLogs | None = None,
) -> None:
    """Connect a bot to the referee at `address` (host:port, or unix:/path) and play until stopped.

    Without an address the variable KUMITE_ADDRESS counts, then localhost:7400. A class (or any callable that makes a
    bot) gives every match a fresh object; a bot object sits at all tables itself. The module's docstring explains name
    and token, TLS, software, and restarts. `games` limits the games that the bot plays, `tables` the number of matches
    at a time, `matches` the number of matches before the bot leaves; `plays_people` says whether persons may sit at its
    tables. With `development` the first exception or fault stops the program with a trace. Otherwise exception and
    fault are reported, the referee plays a random option and counts a fault. `logs` keeps what the bot prints, one file
    per match (see `match_logs`).

    Returns when the bot was stopped by Ctrl-C or SIGTERM, has played its matches, or the referee has sent it home. Ends
    the program with one line and code 2 if the bot is refused or no referee answers for `patience` seconds, code 1 if
    the bot failed.
    """
    report = _silent if quiet else _print
    with _ending(report):
        address, name, token = _placed(address, name, token)
        check(address, token)
        trust = tls_trust(address, tls, credentials)
        _warn(report, address, token, trust)
        kind, make = _kind(bot, name)
        own = name or kind.__name__.lower()
        profile = Profile(
            name="" if token and not insist else own,
            games=offered(kind) if games is None else tuple(games),
            tables=tables,
            matches=matches,
            events=kind.events,
            plays_people=kind.plays_people if plays_people is None else plays_people,
            software=source.software(kind) if software is None else software,
            seed=seed,
            development=development,
        )
        _check_profile(profile)
        with _terminable():
            sit_down(profile, make, address, token=token, trust=trust, patience=patience, report=report, logs=logs)


def _warn(report: Callable[[str], None], address: str, token: str | None, trust: Trust) -> None:
    """Report a token that would travel without encryption."""
    if token and trust.credentials is None and not is_loopback(address):
        report(f"warning: the token travels to {address} in the open; use TLS if the referee has it")


def _placed(address: str | None, name: str | None, token: str | None) -> tuple[str, str | None, str | None]:
    """Address, name and token; what the author leaves out comes from the environment."""
    if address is None:
        address = os.environ.get(ADDRESS_VARIABLE) or ADDRESS
    return address, name or os.environ.get(NAME_VARIABLE), token or os.environ.get(TOKEN_VARIABLE)


@contextmanager
def _ending(report: Callable[[str], None]) -> Iterator[None]:
    """Turn an exception that ends a run into one line and an exit code."""
    try:
        yield
    except KeyboardInterrupt:
        report("stopped")
    except BotFailed as error:
        if error.__cause__ is not None:
            traceback.print_exception(error.__cause__)
        _print(str(error))
        raise SystemExit(1) from None
    except KumiteError as error:
        _print(str(error))
        raise SystemExit(2) from None


def _check_profile(profile: Profile) -> None:
    """Raise BadSetting if the fields of a hello cannot hold the profile."""
    tables, matches = profile.tables, profile.matches
    if tables < 1 or (matches is not None and matches < 1):
        raise BadSetting(f"a bot plays at least one table and one match, not {tables} and {matches}")
    if tables > MOST_TABLES:
        raise BadSetting(f"a bot plays at most {MOST_TABLES} tables at a time, not {tables}")
    if len(profile.software) > source.LONGEST or not profile.software.isprintable():
        raise BadSetting(f"software is a line of at most {source.LONGEST} characters, such as 'greedy 1.4'")


def _kind(bot: Bot | Callable[[], Bot], name: str | None) -> tuple[type[Bot], Callable[[], Bot]]:
    """The class of a bot, and the callable that makes the bot of each match; raises BadSetting if making one fails."""
    if isinstance(bot, Bot):
        return type(bot), lambda: bot
    return bot if isinstance(bot, type) else type(_made(bot, name)), bot


def _made(make: Callable[[], Bot], name: str | None) -> Bot:
    """A bot whose class can be read; raises BadSetting with the bot's name if making one fails."""
    try:
        return make()
    except (Exception, SystemExit) as error:
        reason = " ".join(f"{type(error).__name__}: {error}".split())
        raise BadSetting(f"{name or 'the bot'}: the bot failed before its first move: {reason}") from error


@contextmanager
def _terminable() -> Iterator[None]:
    """Let SIGTERM stop the bot as Ctrl-C does; without effect outside the main thread, where Python sets no handler."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return

    def stop(number: int, frame: FrameType | None) -> None:
        raise KeyboardInterrupt

    before = signal.signal(signal.SIGTERM, stop)
    try:
        yield
    finally:
        signal.signal(signal.SIGTERM, before)


def _print(line: str) -> None:
    print(f"kumite: {line}", file=sys.stderr, flush=True)


def _silent(line: str) -> None:
    pass
