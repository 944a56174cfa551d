"""Describe, health and reflection are open to every caller: their requests are bounded in size and number."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TypeVar

import grpc
import pytest
from google.protobuf.message import Message
from grpc_health.v1 import health_pb2, health_pb2_grpc
from grpc_reflection.v1alpha import reflection_pb2, reflection_pb2_grpc

from referee.transport.guard import FAULT_KEY
from referee.transport.limits import Limits
from referee.transport.service import NAME
from referee.v1 import play_pb2 as pb
from referee.v1.play_pb2_grpc import RefereeServiceStub
from tests.transport.house import WAIT, House, Wire, socket_in

LARGE = "x" * 5000
ASK = reflection_pb2.ServerReflectionRequest
Ask = Callable[[grpc.Channel, str], Message]
Answer = TypeVar("Answer")


def _describe(channel: grpc.Channel, name: str) -> Message:
    answer: Message = RefereeServiceStub(channel).Describe(pb.DescribeRequest(games=[name]), timeout=WAIT)
    return answer


def _health(channel: grpc.Channel, name: str) -> Message:
    answer: Message = health_pb2_grpc.HealthStub(channel).Check(
        health_pb2.HealthCheckRequest(service=name), timeout=WAIT
    )
    return answer


def _watch(channel: grpc.Channel, name: str) -> Message:
    watched = health_pb2_grpc.HealthStub(channel).Watch(health_pb2.HealthCheckRequest(service=name), timeout=WAIT)
    answer: Message = next(watched)
    return answer


def _reflection(channel: grpc.Channel, name: str) -> Message:
    stub = reflection_pb2_grpc.ServerReflectionStub(channel)
    answer: Message = next(stub.ServerReflectionInfo(iter([ASK(file_containing_symbol=name)]), timeout=WAIT))
    return answer


def _fault(error: grpc.RpcError) -> pb.Fault:
    """The typed fault of a call that was refused."""
    assert error.code() == grpc.StatusCode.RESOURCE_EXHAUSTED
    (data,) = [item.value for item in error.trailing_metadata() if item.key == FAULT_KEY]
    return pb.Fault.FromString(data)


@pytest.mark.parametrize("ask", [_describe, _health, _watch, _reflection])
def test_a_request_that_is_too_large_is_refused_before_it_is_parsed(ask: Ask) -> None:
    """The call ends with a typed fault that names the limit; a small one is answered."""
    with House() as house, grpc.insecure_channel(house.address) as channel:
        with pytest.raises(grpc.RpcError) as caught:
            ask(channel, LARGE)
        answer = ask(channel, "edo_yashiki" if ask is _describe else NAME)
    fault = _fault(caught.value)

    assert fault.code == pb.FAULT_CODE_OVERSIZED
    assert "at most 4096" in fault.message
    assert answer.ByteSize()


@pytest.mark.parametrize("ask", [_describe, _health, _reflection])
def test_an_address_that_asks_too_often_is_told_how_long_to_wait(ask: Ask) -> None:
    """After the burst a call ends with RATE and the time; a bot that plays at the same address is not concerned."""
    name = "edo_yashiki" if ask is _describe else NAME
    limits = Limits(call_burst=3, calls_per_second=1)
    with House(limits=limits) as house, grpc.insecure_channel(house.address) as channel, Wire(house.address) as wire:
        for _ in range(3):
            ask(channel, name)
        with pytest.raises(grpc.RpcError) as caught:
            ask(channel, name)
        welcome = wire.hello("ann")
    fault = _fault(caught.value)

    assert fault.code == pb.FAULT_CODE_RATE
    assert 0 < fault.retry_after_us <= 1_000_001
    assert welcome.name == "ann"


def test_a_unix_socket_has_no_budget(tmp_path: Path) -> None:
    """The host's own tools may ask as often as they like."""
    limits = Limits(call_burst=1, calls_per_second=1)
    with House(socket_in(tmp_path), limits=limits) as house, grpc.insecure_channel(house.address) as channel:
        answers = [_describe(channel, "honshu") for _ in range(10)]

    assert len(answers) == 10


def test_streams_of_reflection_are_bounded_for_each_address() -> None:
    """One more that stays open is FULL; when one ends there is room again."""
    with House(limits=Limits(calls=2)) as house, grpc.insecure_channel(house.address) as channel:
        stub = reflection_pb2_grpc.ServerReflectionStub(channel)
        watch = health_pb2_grpc.HealthStub(channel).Watch
        held = [watch(health_pb2.HealthCheckRequest(), timeout=WAIT) for _ in range(2)]
        for stream in held:
            next(stream)
        with pytest.raises(grpc.RpcError) as caught:
            next(stub.ServerReflectionInfo(iter([ASK(list_services="")]), timeout=WAIT))
        for stream in held:
            stream.cancel()
        answered = _again(lambda: next(stub.ServerReflectionInfo(iter([ASK(list_services="")]), timeout=WAIT)))

    assert _fault(caught.value).code == pb.FAULT_CODE_FULL
    assert answered.list_services_response.service


def _again(call: Callable[[], Answer]) -> Answer:
    """What a call returns as soon as it is no longer refused."""
    for _ in range(1000):
        try:
            return call()
        except grpc.RpcError as error:
            if error.code() != grpc.StatusCode.RESOURCE_EXHAUSTED:
                raise
    raise AssertionError("there was never room")


def test_garbage_is_answered_with_a_status() -> None:
    """What is no message of the method ends the call, and nothing is printed."""
    with House() as house, grpc.insecure_channel(house.address) as channel:
        codes = []
        for method in (f"/{NAME}/Describe", "/grpc.health.v1.Health/Check"):
            with pytest.raises(grpc.RpcError) as caught:
                channel.unary_unary(method, None, None)(b"\xff\xff", timeout=WAIT)
            codes.append(caught.value.code())

    assert codes == [grpc.StatusCode.INVALID_ARGUMENT] * 2
