"""Connecting a bot to a referee: `run` plays until it is stopped, and survives breaks of the connection.

The thread that called `run` lets the bot decide. A second one reads the stream and returns pings at once, so that a
bot may think as long as its clock allows without being taken for dead. Answers that are ready within a moment of each
other travel together.

**Name and token.** Without a token `name` is the bot's name at the referee (default: the name of its class). With one
(default: the environment's KUMITE_TOKEN) the token says who the bot is, no name is sent, and the welcome tells the
name; `insist=True` sends the name all the same, and a referee refuses it if the token belongs to another.

**TLS.** `tls=True` trusts the authorities of this system, `tls="ca.pem"` the one in that file; default: KUMITE_TLS in
the environment, `system` or a file. `credentials` are gRPC's own, for anything else.

**Software.** On a ladder the text in `software` tells one build of a bot from the next. The default holds a digest of
the bot's source (see `source`); an author who gives a text changes it exactly when the bot's play changes.

**Restarts.** A referee that the bot has heard from is dialled for 15 minutes with growing pauses (see `redial`), and
the bot's tables are taken up again. A bot's process that was killed and is started again takes them up, too (see
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
from bots.errors import BotFailed, Refused, Unreachable
from bots.match_logs import MatchLogs
from bots.redial import PATIENCE, Redial
from bots.resume import ResumeFile
from bots.session import Closing, Next, Profile, Session, pong
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
"""Seconds within which answers wait for each other."""
MOST_TABLES = 2**32 - 1
"""What a hello can say."""
GRACE = 0.5
"""Seconds that the end of a stream may take before it is cut."""
OPTIONS = (
    ("grpc.keepalive_time_ms", 30_000),
    ("grpc.keepalive_timeout_ms", 10_000),
    ("grpc.max_receive_message_length", 64 * 1024 * 1024),
    # A new channel must not wait out the pause that gRPC keeps for an address after a failure: we keep our own.
    ("grpc.use_local_subchannel_pool", 1),
)


NO_TLS = Trust()


@dataclass(frozen=True, slots=True)
class Ended:
    """How a stream ended: gRPC's status."""

    code: grpc.StatusCode
    details: str


Arrival: TypeAlias = tuple[play_pb2.PlayResponse, float] | Ended
"""A message and when it came, or how the stream ended."""


class Stream:
    """One open Play call: `send` to it, `receive` from it."""

    def __init__(self, channel: grpc.Channel, token: str | None) -> None:
        # Neither queue needs a bound of its own: the referee never has more open than one ask per seat, and what is
        # sent are answers to those.
        self._outbox: SimpleQueue[play_pb2.PlayRequest | None] = SimpleQueue()
        self._inbox: SimpleQueue[Arrival] = SimpleQueue()
        metadata = [("authorization", f"Bearer {token}")] if token else None
        stub = RefereeServiceStub(channel)  # type: ignore[no-untyped-call]
        self._call = stub.Play(iter(self._outbox.get, None), metadata=metadata)
        self._reader = threading.Thread(target=self._read, name="kumite-reader", daemon=True)
        self._reader.start()

    def send(self, message: play_pb2.PlayRequest | None) -> None:
        """Send a message, if there is one."""
        if message is not None:
            self._outbox.put(message)

    def receive(self) -> Arrival:
        """The next message and when it arrived, or how the stream ended."""
        return self._inbox.get()

    def poll(self) -> Arrival | None:
        """The same if it is there already, else None."""
        try:
            return self._inbox.get_nowait()
        except Empty:
            return None

    def close(self) -> None:
        """Leave: what was sent gets a moment to arrive, and the referee one to close its side."""
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
            self._inbox.put(Ended(self._call.code(), self._call.details() or ""))


@contextmanager
def _forgetting(session: Session, resume: ResumeFile | None) -> Iterator[None]:
    """Forget the resume token at the end, if nothing is left to resume."""
    try:
        yield
    finally:
        if resume is not None and session.idle:
            resume.forget()


def play(
    session: Session,
    redial: Redial,
    *,
    token: str | None = None,
    trust: Trust = NO_TLS,
    resume: ResumeFile | None = None,
    report: Callable[[str], None],
) -> None:
    """Play until the session is done or the referee says goodbye; raises Refused, Unreachable or BotFailed."""
    reported = ""
    while True:
        address = redial.address
        ended = _one_stream(session, address, token, trust, resume)
        if ended is None or (session.closing is not None and session.closing.next is Next.STOP):
            if session.closing is not None:
                report(session.closing.message)
            return
        why = _why(session, ended, address, address == redial.home)
        unheard = not session.known and session.closing is None
        if unheard and why != reported and (wrong := diagnose(address, trust, ended.details)) is not None:
            raise Refused(wrong)
        pause = redial.after(welcomed=session.welcomed, closing=session.closing)
        if pause is None:
            raise Unreachable(f"{why}; gave up after {redial.limit:g} s")
        if session.welcomed or why != reported:
            where = "" if redial.address == address else f" at {redial.address}"
            report(f"{why}; trying again{where}")
            reported = why
        time.sleep(pause)


def _one_stream(
    session: Session, address: str, token: str | None, trust: Trust, resume: ResumeFile | None
) -> Ended | None:
    """Play on one stream; returns how it ended, None if the session is done."""
    if trust.credentials is None or address.startswith(UNIX):
        channel = grpc.insecure_channel(address, options=OPTIONS)
    else:
        channel = grpc.secure_channel(address, trust.credentials, options=OPTIONS)
    with channel:
        stream = Stream(channel, token)
        try:
            stream.send(session.hello())
            return _pump(session, stream, resume)
        except BotFailed:
            stream.send(session.take())  # so that the table need not wait for the bot's clock
            raise
        finally:
            stream.close()


def _why(session: Session, ended: Ended, address: str, home: bool) -> str:
    """Why a stream ended that is to be opened again; raises Refused if that would be of no use.

    At an address that is not the bot's own (`home`) a port without a referee is no refusal: the first address counts.
    """
    closing = session.closing
    if closing is not None and closing.next is Next.REFUSED:
        hint = _hint(session, closing)
        raise Refused(f"the referee at {address} refuses this bot: {closing.message}{hint}")
    if closing is not None:
        return closing.message
    if ended.code in _FINAL and home:
        raise Refused(f"the referee at {address} refuses this bot: {_FINAL[ended.code]}{ended.details}")
    if session.welcomed:
        return f"connection to {address} lost ({ended.code.name.lower()}: {ended.details})"
    return f"no referee answers at {address} ({ended.details.rpartition(': ')[2]})"


def _hint(session: Session, closing: Closing) -> str:
    """What to do here about a refusal."""
    if closing.code == play_pb2.FAULT_CODE_BAD_HELLO and not session.name:
        return (
            f" (a token was given, so no name was sent; at a referee without tokens leave the token and "
            f"{TOKEN_VARIABLE} out)"
        )
    return _HINTS.get(closing.code, "")


_HINTS = {play_pb2.FAULT_CODE_NAME_TAKEN: " (kumite join: --name NAME; in a program: run(..., name=...))"}
"""What to do here about a refusal, by its code."""

_FINAL = {
    grpc.StatusCode.UNAUTHENTICATED: "bad token: ",
    grpc.StatusCode.PERMISSION_DENIED: "not allowed: ",
    grpc.StatusCode.UNIMPLEMENTED: "it is no Kumite referee, or one of another version: ",
    grpc.StatusCode.INVALID_ARGUMENT: "",
}


def _pump(session: Session, stream: Stream, resume: ResumeFile | None) -> Ended | None:
    """Pass messages between stream and session until one of them ends; None: the session is done."""
    while True:
        received: Arrival | None = stream.receive()
        asks: list[AnyAsk] = []
        while received is not None and not isinstance(received, Ended):
            asks += session.receive(*received)
            received = stream.poll()
        if resume is not None:
            resume.keep(session.resume_token)
        if isinstance(received, Ended):
            return None if session.done else received
        _decide(session, stream, asks)
        if session.done:
            return None


def _decide(session: Session, stream: Stream, asks: Sequence[AnyAsk]) -> None:
    """Let the bot decide; answers that are ready within a moment travel together, a failure is sent before the next."""
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

    Without one KUMITE_ADDRESS counts, then localhost:7400. Give a class (or anything that makes a bot when called) to
    have a fresh object for every match; a bot object sits at all tables itself. The module's docstring explains name
    and token, TLS, software, and restarts. `games` limits what the bot plays, `tables` is how many matches it plays at
    a time, `matches` how many before it leaves, `plays_people` whether persons may sit at its tables. With
    `development` the first exception or fault stops everything, with its trace; without, it is reported, the referee
    plays a random option and counts a fault. `logs` keep what the bot prints, match by match (see `match_logs`).

    Returns when the bot was stopped by Ctrl-C or SIGTERM, has played its matches, or the referee has said goodbye. Ends
    the program with one line and code 2 if it is refused or hears nothing for `patience` seconds; code 1: it failed.
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
        # A token of the bot's own gives its tables back by itself; nothing has to be remembered then.
        with _terminable(), nullcontext() if token else ResumeFile(address, own) as resume:
            session = Session(profile, make, report, "" if resume is None else resume.token, logs)
            with _forgetting(session, resume):
                play(session, Redial(address, patience), token=token, trust=trust, resume=resume, report=report)


def _warn(report: Callable[[str], None], address: str, token: str | None, trust: Trust) -> None:
    """Say so if a token would travel in the open."""
    if token and trust.credentials is None and not is_loopback(address):
        report(f"warning: the token travels to {address} in the open; use TLS if the referee has it")


def _placed(address: str | None, name: str | None, token: str | None) -> tuple[str, str | None, str | None]:
    """Address, name and token, from the environment where the author gives none."""
    if address is None:
        address = os.environ.get(ADDRESS_VARIABLE) or ADDRESS
    return address, name or os.environ.get(NAME_VARIABLE), token or os.environ.get(TOKEN_VARIABLE)


@contextmanager
def _ending(report: Callable[[str], None]) -> Iterator[None]:
    """Turn what ends a run into a line and an exit code."""
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
    """Raise BadSetting if a hello cannot say it."""
    tables, matches = profile.tables, profile.matches
    if tables < 1 or (matches is not None and matches < 1):
        raise BadSetting(f"a bot plays at least one table and one match, not {tables} and {matches}")
    if tables > MOST_TABLES:
        raise BadSetting(f"a bot plays at most {MOST_TABLES} tables at a time, not {tables}")
    if len(profile.software) > source.LONGEST or not profile.software.isprintable():
        raise BadSetting(f"software is a line of at most {source.LONGEST} characters, such as 'greedy 1.4'")


def _kind(bot: Bot | Callable[[], Bot], name: str | None) -> tuple[type[Bot], Callable[[], Bot]]:
    """The class of a bot, and what makes one for each match; raises BadSetting if none can be made."""
    if isinstance(bot, Bot):
        return type(bot), lambda: bot
    return bot if isinstance(bot, type) else type(_made(bot, name)), bot


def _made(make: Callable[[], Bot], name: str | None) -> Bot:
    """A bot, to see of which class it is; raises BadSetting that names it if it cannot be made."""
    try:
        return make()
    except (Exception, SystemExit) as error:
        reason = " ".join(f"{type(error).__name__}: {error}".split())
        raise BadSetting(f"{name or 'the bot'}: the bot failed before its first move: {reason}") from error


@contextmanager
def _terminable() -> Iterator[None]:
    """Let SIGTERM stop the bot as Ctrl-C does; signals can be caught in the main thread only."""
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
