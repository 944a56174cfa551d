"""Stand-ins for a referee that ask and say what a real one would not, or not now, to see how a bot's connection copes.

`Examiner` seats the bot in an unknown game, floods it with questions, and sends a ping right behind them. The pong of a
bot that reads its stream only between two messages comes behind the last of these answers, always. The pong of a bot
that reads while it thinks overtakes answers, unless the ping comes so late that all of them are under way: then the
examiner asks again. `Closer` welcomes the bot and closes each of its streams with the next fault of a script. `Spoiler`
stands between a bot and a real referee and spoils one ask.
"""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from importlib.resources import files
from typing import TypeVar

import grpc

from referee.codec import encoding
from referee.kernel import registry
from referee.transport.auth import bearer
from referee.transport.service import STATUS
from referee.v1 import play_pb2 as pb
from referee.v1.play_pb2_grpc import (
    RefereeServiceServicer,
    RefereeServiceStub,
    add_RefereeServiceServicer_to_server,
)

MATCH = "0123456789abcdef0123456789abcdef"
NONCE = 0xFEDCBA9876543210
"""Of the first ping; each later one has the next lower number."""
QUESTIONS = 50_000
"""Of one round, all in one message, which stays below the 4 MiB that gRPC takes by default."""
ROUNDS = 40
"""Rounds after which a bot whose pongs overtook no answer is found not to read while it thinks."""
OPTIONS = 7
RESUME_TOKEN = "token"
UNKNOWN_CODE: pb.FaultCode = 4711  # type: ignore[assignment]
"""A fault code of a later protocol."""
Self = TypeVar("Self", bound="ScriptServer")


class ScriptServer(RefereeServiceServicer):
    """A server that speaks the protocol by a script, on a port of its own while the block runs."""

    def __init__(self, port: int = 0) -> None:
        """`port` 0: any free one."""
        self._port = port
        self.address = ""

    def Describe(self, request: pb.DescribeRequest, context: grpc.ServicerContext) -> pb.DescribeResponse:  # noqa: N802
        """The components of every game, as the real referee describes them."""
        described = pb.DescribeResponse(protocol_version=1)
        for name in registry.names():
            info = described.games.add(name=name)
            info.components_toml = files(registry.GAMES[name]).joinpath("components.toml").read_text(encoding="utf-8")
            encoding.of(name).describe(info)
        return described

    @property
    def port(self) -> int:
        """Where it listens or listened, for one that takes its place."""
        return self._port

    def __enter__(self: Self) -> Self:
        self._server = grpc.server(ThreadPoolExecutor(max_workers=4))
        add_RefereeServiceServicer_to_server(self, self._server)
        self._port = self._server.add_insecure_port(f"127.0.0.1:{self._port}")
        self.address = f"127.0.0.1:{self._port}"
        self._server.start()
        return self

    def __exit__(self, *error: object) -> None:
        self._server.stop(None).wait()


class Examiner(ScriptServer):
    """Asks too much at once; what it saw of the one bot that came."""

    def __init__(self, questions: int = QUESTIONS, rounds: int = ROUNDS) -> None:
        """`questions` are sent in each of at most `rounds` rounds."""
        super().__init__()
        self._questions = questions
        self._most_rounds = rounds
        self.hello = pb.Hello()
        self.readied: list[pb.Ready] = []
        self.answers: list[pb.Answer] = []
        self.nonces: list[int] = []
        self.rounds = 0
        """Floods of questions that were sent."""
        self.overtook = False
        """Whether a pong came before the last answer to the questions that were sent before its ping."""

    @property
    def asked(self) -> int:
        """Questions that were sent."""
        return self.rounds * self._questions

    def Play(  # noqa: N802
        self, requests: Iterator[pb.PlayRequest], context: grpc.ServicerContext
    ) -> Iterator[pb.PlayResponse]:
        """The examination, from hello to goodbye."""
        self.hello = next(requests).hello
        yield pb.PlayResponse(welcome=pb.Welcome(protocol_version=1, name=self.hello.name, resume_token=RESUME_TOKEN))
        yield pb.PlayResponse(seated=[pb.Seated(match_id=MATCH, game="new_game", seat=1, players=["other", "guest"])])
        while not self.readied:
            self._take(next(requests))
        while not self.overtook and self.rounds < self._most_rounds:
            first = self.asked + 1
            asks = [
                pb.Ask(match_id=MATCH, ask=number, seat=1, option_count=OPTIONS, kind="choose")
                for number in range(first, first + self._questions)
            ]
            self.rounds += 1
            yield pb.PlayResponse(asks=asks)
            yield pb.PlayResponse(ping=pb.Ping(nonce=NONCE - self.rounds + 1))
            while len(self.answers) < self.asked or len(self.nonces) < self.rounds:
                self._take(next(requests))
        yield pb.PlayResponse(over=[pb.Over(match_id=MATCH, seat=1)])
        goodbye = pb.Fault(code=pb.FAULT_CODE_SHUTDOWN, message="the examination is over", closes_stream=True)
        yield pb.PlayResponse(faults=[goodbye])

    def _take(self, request: pb.PlayRequest) -> None:
        self.readied += request.ready
        if request.HasField("pong"):
            self.nonces.append(request.pong.nonce)
            self.overtook |= len(self.answers) < self.asked
        self.answers += request.answers


def closing(code: pb.FaultCode, *, address: str = "", retry_after: float = 0.0) -> pb.Fault:
    """A fault that closes the stream; `retry_after` in seconds."""
    retry = round(retry_after * 1_000_000)
    text = f"closed with code {code}"
    return pb.Fault(code=code, message=text, closes_stream=True, address=address, retry_after_us=retry)


GOODBYE = closing(pb.FAULT_CODE_SHUTDOWN)


class Closer(ScriptServer):
    """Welcomes each stream and closes it with the next fault of its script; afterwards with SHUTDOWN."""

    def __init__(self, *script: pb.Fault | None, after_welcome: pb.PlayResponse | None = None, port: int = 0) -> None:
        """None in the script: the stream is held open until the server is gone.

        `after_welcome` is sent on every stream, which stays open until each of its asks has got an answer or a failure.
        """
        super().__init__(port)
        self._script = list(script)
        self._after_welcome = after_welcome or pb.PlayResponse()
        self.hellos: list[pb.Hello] = []
        self.tokens: list[str] = []
        self.times: list[float] = []
        """When each hello came, in seconds of a monotonic clock."""
        self.requests: list[pb.PlayRequest] = []
        """What came until each ask of `after_welcome` had its answer or failure, in order."""

    @property
    def failures(self) -> list[pb.Failure]:
        """Every failure that came."""
        return [failure for request in self.requests for failure in request.failures]

    @property
    def answers(self) -> list[pb.Answer]:
        """Every answer that came."""
        return [answer for request in self.requests for answer in request.answers]

    def Play(  # noqa: N802
        self, requests: Iterator[pb.PlayRequest], context: grpc.ServicerContext
    ) -> Iterator[pb.PlayResponse]:
        """One stream, from hello to its close."""
        self.tokens.append(bearer(context.invocation_metadata()))
        self.hellos.append(next(requests).hello)
        self.times.append(time.monotonic())
        final = self._script.pop(0) if self._script else GOODBYE
        resumed = self.hellos[-1].resume_token == RESUME_TOKEN
        yield pb.PlayResponse(
            welcome=pb.Welcome(protocol_version=1, name="guest", resume_token=RESUME_TOKEN, resumed=resumed)
        )
        yield self._after_welcome
        while len(self.failures) + len(self.answers) < len(self._after_welcome.asks):
            self.requests.append(next(requests))
        if final is None:
            for _ in requests:
                pass
            return
        yield pb.PlayResponse(faults=[final])
        context.set_code(STATUS.get(final.code, grpc.StatusCode.UNKNOWN))
        context.set_details(final.message)


class Spoiler(ScriptServer):
    """Passes every message on between a bot and the referee at an address, and puts nonsense into one ask."""

    def __init__(self, referee: str, nonsense: pb.Ask, at: int) -> None:
        """The ask with the number `at` keeps its match, number and seat; the rest of it becomes that of `nonsense`."""
        super().__init__()
        self._referee = referee
        self._nonsense = nonsense
        self._at = at
        self.failures: list[pb.Failure] = []

    def __enter__(self) -> Spoiler:
        self._channel = grpc.insecure_channel(self._referee)
        self._stub = RefereeServiceStub(self._channel)
        return super().__enter__()

    def __exit__(self, *error: object) -> None:
        super().__exit__(*error)
        self._channel.close()

    def Describe(self, request: pb.DescribeRequest, context: grpc.ServicerContext) -> pb.DescribeResponse:  # noqa: N802
        """As the referee describes it."""
        described: pb.DescribeResponse = self._stub.Describe(request)
        return described

    def Play(  # noqa: N802
        self, requests: Iterator[pb.PlayRequest], context: grpc.ServicerContext
    ) -> Iterator[pb.PlayResponse]:
        """One stream, which ends as the referee ends it."""
        stream = self._stub.Play(self._noted(requests))
        context.add_callback(stream.cancel)
        try:
            for response in stream:
                self._spoil(response.asks)
                yield response
        except grpc.RpcError:
            context.set_code(stream.code())
            context.set_details(stream.details())

    def _noted(self, requests: Iterator[pb.PlayRequest]) -> Iterator[pb.PlayRequest]:
        """The requests of the bot; those with failures are kept, too."""
        for request in requests:
            self.failures += request.failures
            yield request

    def _spoil(self, asks: Sequence[pb.Ask]) -> None:
        for ask in asks:
            if ask.ask == self._at:
                match, seat = ask.match_id, ask.seat
                ask.CopyFrom(self._nonsense)
                ask.match_id, ask.ask, ask.seat = match, self._at, seat
