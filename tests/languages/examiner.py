"""A stand-in for a referee that asks what no real one would, to see how a bot's connection copes.

It seats the bot in a game that nobody knows, floods it with questions, and sends a ping right behind them. A bot that
reads its stream while it thinks returns the ping long before it has answered everything.
"""

from __future__ import annotations

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor

import grpc

from referee.v1 import play_pb2 as pb
from referee.v1.play_pb2_grpc import RefereeServiceServicer, add_RefereeServiceServicer_to_server

MATCH = "0123456789abcdef0123456789abcdef"
NONCE = 0xFEDCBA9876543210
QUESTIONS = 50_000
"""All in one message, which stays below the 4 MiB that gRPC takes by default."""
OPTIONS = 7


class Examiner(RefereeServiceServicer):
    """The service; what it saw of the one bot that came."""

    def __init__(self) -> None:
        self.hello = pb.Hello()
        self.readied: list[pb.Ready] = []
        self.answers: list[pb.Answer] = []
        self.nonces: list[int] = []
        self.answered_before_pong = 0

    def Describe(self, request: pb.DescribeRequest, context: grpc.ServicerContext) -> pb.DescribeResponse:  # noqa: N802
        """Nothing is known here."""
        return pb.DescribeResponse(protocol_version=1)

    def Play(  # noqa: N802
        self, requests: Iterator[pb.PlayRequest], context: grpc.ServicerContext
    ) -> Iterator[pb.PlayResponse]:
        """The examination, from hello to goodbye."""
        asks = [
            pb.Ask(match_id=MATCH, ask=number, seat=1, option_count=OPTIONS, kind="choose")
            for number in range(1, QUESTIONS + 1)
        ]
        self.hello = next(requests).hello
        yield pb.PlayResponse(welcome=pb.Welcome(protocol_version=1, name=self.hello.name, resume_token="token"))
        yield pb.PlayResponse(seated=[pb.Seated(match_id=MATCH, game="new_game", seat=1, players=["other", "guest"])])
        while not self.readied:
            self._take(next(requests))
        yield pb.PlayResponse(asks=asks)
        yield pb.PlayResponse(ping=pb.Ping(nonce=NONCE))
        while len(self.answers) < QUESTIONS or not self.nonces:
            self._take(next(requests))
        yield pb.PlayResponse(over=[pb.Over(match_id=MATCH, seat=1)])
        goodbye = pb.Fault(code=pb.FAULT_CODE_SHUTDOWN, message="the examination is over", closes_stream=True)
        yield pb.PlayResponse(faults=[goodbye])

    def _take(self, request: pb.PlayRequest) -> None:
        self.readied += request.ready
        if request.HasField("pong"):
            self.nonces.append(request.pong.nonce)
            self.answered_before_pong = len(self.answers)
        self.answers += request.answers

    def __enter__(self) -> Examiner:
        self._server = grpc.server(ThreadPoolExecutor(max_workers=2))
        add_RefereeServiceServicer_to_server(self, self._server)
        self.address = f"127.0.0.1:{self._server.add_insecure_port('127.0.0.1:0')}"
        self._server.start()
        return self

    def __exit__(self, *error: object) -> None:
        self._server.stop(None).wait()
