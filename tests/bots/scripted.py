"""A referee on a real gRPC stream that follows a script, and the messages that scripts are made of."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import TypedDict, Unpack

import grpc

from bots import Bot
from bots.ask import AnyAsk
from referee.kernel.game import Option
from referee.v1 import common_pb2, play_pb2
from referee.v1.play_pb2_grpc import RefereeServiceServicer, add_RefereeServiceServicer_to_server

Requests = Iterator[play_pb2.PlayRequest]
Responses = Iterator[play_pb2.PlayResponse]
Script = Callable[[Requests, grpc.ServicerContext], Responses]


class First(Bot):
    """Answers 0."""

    def decide(self, ask: AnyAsk) -> Option:
        return 0


class ScriptedReferee(RefereeServiceServicer):
    """Follows one script per stream, in order; its server runs within a `with` block."""

    def __init__(self, address: str) -> None:
        self.address = address
        self.scripts: list[Script] = []
        self.hellos: list[play_pb2.Hello] = []
        self.tokens: list[str | bytes | None] = []
        self._server: grpc.Server | None = None

    def start(self) -> None:
        """Listen at the address."""
        self._server = grpc.server(ThreadPoolExecutor(4))
        add_RefereeServiceServicer_to_server(self, self._server)
        self._server.add_insecure_port(self.address)
        self._server.start()

    def stop(self) -> None:
        """Cut all streams and be gone."""
        if self._server is not None:
            self._server.stop(None).wait()
            self._server = None

    def __enter__(self) -> ScriptedReferee:
        self.start()
        return self

    def __exit__(self, *error: object) -> None:
        self.stop()

    def Play(self, requests: Requests, context: grpc.ServicerContext) -> Responses:  # noqa: N802
        self.hellos.append(next(requests).hello)
        self.tokens.append(dict(context.invocation_metadata()).get("authorization"))
        yield from self.scripts.pop(0)(requests, context)


def welcome(resumed: bool = False) -> play_pb2.PlayResponse:
    return play_pb2.PlayResponse(
        welcome=play_pb2.Welcome(protocol_version=1, name="first", resume_token="t1", resumed=resumed)
    )


def seated(is_ready: bool = False) -> play_pb2.PlayResponse:
    table = play_pb2.Seated(match_id="m1", game="some_game", seat=0, players=["first", "other"], is_ready=is_ready)
    return play_pb2.PlayResponse(seated=[table])


def asked(number: int, count: int = 3) -> play_pb2.PlayResponse:
    ask = play_pb2.Ask(match_id="m1", ask=number, seat=0, option_count=count, kind="choose")
    return play_pb2.PlayResponse(asks=[ask])


def over() -> play_pb2.PlayResponse:
    result = common_pb2.Result(places=[1, 2], points=[3, 1], reason="end")
    return play_pb2.PlayResponse(over=[play_pb2.Over(match_id="m1", seat=0, result=result)])


class ClosingFields(TypedDict, total=False):
    """Fields of a closing fault that only some codes have."""

    address: str
    retry_after_us: int


def closing(code: str | play_pb2.FaultCode, message: str, **more: Unpack[ClosingFields]) -> play_pb2.PlayResponse:
    """A fault that closes the stream; `code` is the end of a code's name, or a number."""
    number = f"FAULT_CODE_{code}" if isinstance(code, str) else code
    fault = play_pb2.Fault(code=number, message=message, closes_stream=True, **more)
    return play_pb2.PlayResponse(faults=[fault])


def answer(requests: Requests) -> play_pb2.Answer:
    """The next answer, past everything else."""
    return next(request.answers[0] for request in requests if request.answers)


def script(*responses: play_pb2.PlayResponse) -> Script:
    """Send these, whatever comes."""
    return lambda requests, context: iter(responses)
