"""A real referee on loopback, and lean bots that speak to it over real gRPC."""

from __future__ import annotations

import queue
import threading
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TypedDict, Unpack

import grpc

from ladder.config.offers import TableOffer
from ladder.seasons.open_tables import CasualTables
from referee.match.plan import MatchPlan
from referee.match.protocols import ConnectedBot, Directory, Recorder
from referee.match.record import Final
from referee.match.terms import Terms
from referee.transport.limits import Limits
from referee.transport.server import Config, Server, serve
from referee.transport.service import NAME
from referee.v1 import play_pb2 as pb
from tests.transport.hello_fields import HelloFields

WAIT = 60.0
"""Seconds after which something that should have happened is given up."""
PLAY = f"/{NAME}/Play"


class Settings(TypedDict, total=False):
    """The fields of `Config` that tests choose."""

    tls_cert: Path
    tls_key: Path
    directory: Directory
    matches: int
    recorder: Recorder
    limits: Limits
    resumable: bool


class FewTables(CasualTables):
    """Open tables of which only the first few are opened; after them the bots stay and wait."""

    def __init__(self, offers: Sequence[TableOffer], left: int) -> None:
        super().__init__(offers)
        self._left = left

    def next(self, bots: Sequence[ConnectedBot], at: int) -> MatchPlan | int | None:
        found = super().next(bots, at) if self._left else None
        self._left -= isinstance(found, MatchPlan)
        return found


class House:
    """A referee in a thread of its own."""

    def __init__(
        self,
        *bind: str,
        wanted: Sequence[TableOffer] | None = None,
        tables: int | None = None,
        **settings: Unpack[Settings],
    ) -> None:
        pairing = None
        if wanted is not None:
            pairing = CasualTables(wanted) if tables is None else FewTables(wanted, tables)
        self._config = Config(bind=bind or ("127.0.0.1:0",), ended=self._ended, pairing=pairing, **settings)
        self._open = threading.Event()
        self._thread = threading.Thread(target=self._serve, daemon=True)
        self._finals: queue.SimpleQueue[tuple[Terms, Final]] = queue.SimpleQueue()
        self.error: BaseException | None = None
        self.finished: int | None = None
        self._server: Server | None = None

    def _ended(self, terms: Terms, final: Final) -> None:
        self._finals.put((terms, final))

    def _serve(self) -> None:
        try:
            self.finished = serve(self._config, started=self._started)
        except BaseException as error:
            self.error = error
        finally:
            self._open.set()

    def _started(self, server: Server) -> None:
        self._server = server
        self._open.set()

    def __enter__(self) -> House:
        self._thread.start()
        assert self._open.wait(WAIT)
        if self.error is not None:
            raise self.error
        return self

    def __exit__(self, *error: object) -> None:
        self.stop()

    def stop(self) -> None:
        """Ask the referee to end, and wait until it has."""
        if self._thread.is_alive():
            self.server.stop()
        self.join()

    def join(self) -> None:
        """Wait until the referee has ended by itself."""
        self._thread.join(WAIT)
        assert not self._thread.is_alive()

    @property
    def server(self) -> Server:
        """The referee, from the moment at which it has started."""
        assert self._server is not None
        return self._server

    @property
    def address(self) -> str:
        return self.server.addresses[0]

    def final(self) -> tuple[Terms, Final]:
        """The next match that is over."""
        return self._finals.get(timeout=WAIT)


class Wire:
    """One stream of raw bytes to a referee."""

    def __init__(self, address: str, token: str = "", credentials: grpc.ChannelCredentials | None = None) -> None:
        options = [("grpc.use_local_subchannel_pool", 1)]
        if credentials is None:
            self._channel = grpc.insecure_channel(address, options)
        else:
            self._channel = grpc.secure_channel(address, credentials, options)
        self._outbox: queue.SimpleQueue[bytes | None] = queue.SimpleQueue()
        metadata = (("authorization", f"Bearer {token}"),) if token else None
        call = self._channel.stream_stream(PLAY, None, None)
        self._call = call(iter(self._outbox.get, None), metadata=metadata, timeout=WAIT)
        self._messages = iter(self._call)

    def send(self, message: pb.PlayRequest | bytes) -> None:
        self._outbox.put(message if isinstance(message, bytes) else message.SerializeToString())

    def read(self) -> pb.PlayResponse | None:
        """The next message; None: the stream has ended."""
        try:
            return pb.PlayResponse.FromString(next(self._messages))
        except (StopIteration, grpc.RpcError):
            return None

    def until(self, found: Callable[[pb.PlayResponse], object]) -> pb.PlayResponse:
        """Read on to a message in which something is found."""
        while (message := self.read()) is not None:
            if found(message):
                return message
        raise AssertionError(f"the stream ended: {self._call.code()} {self._call.details()}")

    def fault(self, code: pb.FaultCode) -> pb.Fault:
        """Read on to a fault."""
        message = self.until(lambda message: any(fault.code == code for fault in message.faults))
        return next(fault for fault in message.faults if fault.code == code)

    def status(self) -> grpc.StatusCode:
        """How the stream ended."""
        while self.read() is not None:
            pass
        return self._call.code()

    def greet(self, name: str, **fields: Unpack[HelloFields]) -> pb.PlayResponse:
        """Introduce a bot; returns the message with its welcome, which may hold more."""
        self.send(pb.PlayRequest(hello=pb.Hello(protocol_version=1, name=name, **fields)))
        return self.until(lambda message: message.HasField("welcome"))

    def hello(self, name: str, **fields: Unpack[HelloFields]) -> pb.Welcome:
        """Introduce a bot that is new here; returns its welcome."""
        return self.greet(name, **fields).welcome

    def close(self) -> None:
        """Hang up, without a word."""
        self._outbox.put(None)
        self._call.cancel()
        self._channel.close()

    def __enter__(self) -> Wire:
        return self

    def __exit__(self, *error: object) -> None:
        self.close()


def reply(message: pb.PlayResponse, option: int = 0) -> pb.PlayRequest:
    """What a good bot sends in answer to a message."""
    request = pb.PlayRequest()
    for seated in message.seated:
        if not seated.is_ready:
            request.ready.add(match_id=seated.match_id, seat=seated.seat)
    for ask in message.asks:
        request.answers.add(match_id=ask.match_id, ask=ask.ask, seat=ask.seat, option=option)
    if message.HasField("ping"):
        request.pong.nonce = message.ping.nonce
    return request


class GoodBot:
    """A bot in a thread of its own that plays until the referee or the test ends it."""

    def __init__(self, address: str, name: str, token: str = "", **fields: Unpack[HelloFields]) -> None:
        self.faults: list[pb.Fault] = []
        self.overs: list[pb.Over] = []
        self.wire = Wire(address, token)
        first = self.wire.greet(name, **fields)
        self.welcome = first.welcome
        self.wire.send(reply(first))
        self._thread = threading.Thread(target=self._play, daemon=True)
        self._thread.start()

    def _play(self) -> None:
        while (message := self.wire.read()) is not None:
            self.faults.extend(message.faults)
            self.overs.extend(message.over)
            request = reply(message)
            if request.ByteSize():
                self.wire.send(request)

    def finish(self) -> None:
        """Wait until the referee has closed the stream, everything read."""
        self._thread.join(WAIT)
        assert not self._thread.is_alive()

    def __enter__(self) -> GoodBot:
        return self

    def __exit__(self, *error: object) -> None:
        self.wire.close()
        self.finish()


def socket_in(folder: Path) -> str:
    """A unix address in a folder."""
    return f"unix:{folder / 'referee'}"
